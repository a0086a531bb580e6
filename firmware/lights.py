# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""From a frame of paints to the pixels."""

# Within the supply's budget. A paint is one byte: ``colour * 16 + shade``. Shade 0 is dark whatever the colour, 15 the
# brightest. Colours 0 .. 2 are the sides' and come from the palette; the rest are the same in every palette and serve
# menus, stones and cues.

PIXELS = 54
WHITE, RED, ORANGE, YELLOW, GREEN, CYAN, BLUE, MAGENTA = 3, 4, 5, 6, 7, 8, 9, 10

# Light of each shade, of 255: even steps to the eye are about a power of 1.8 of the light.
_LIGHT = bytes([0, 10, 16, 24, 33, 44, 57, 71, 87, 104, 123, 144, 166, 190, 222, 255])
LOWEST_FULL = 6  # the brightest shade's level never falls below this, so that a pulse can be seen in the dark ...
LOWEST = 3  # ... nor any lit shade's below this: three steps a channel are what it takes to keep two hues apart
_KEPT = 3 << 4  # paints below are the sides': each is mixed once


class Lights:
    def __init__(self, board, budget_ma, palette=0, percent=40):
        """The one way to the pixels. ``board``: the hal's Board (``pixels``, ``wire``).

        ``budget_ma``: what the pixels may draw together. The palette's brightest colour on all 54 stays below it, so
        any frame does, and no frame is ever scaled by what it holds: hues and the rest of the picture stay as they are.
        """
        self._pixels = board.pixels
        self._wire = bytes(board.wire)
        self._last = bytearray(PIXELS)  # paints that were sent last
        self._table = [0] * _KEPT  # 0xRRGGBB of a paint; -1: not mixed yet
        self._budget_ma = budget_ma
        self.palette = -1
        self.set(palette, percent)

    def set(self, palette, percent, dim=1):
        """Choose a palette (an index of palettes.PALETTES; wraps round) and ``percent`` (1 .. 100) of the brightest
        that the budget allows, divided by ``dim``. Then ``palette`` is the index, ``colours`` the 11 colours as R, G,
        B, and ``level``, 0 .. 255, what a channel at 255 comes to at the brightest shade."""
        if palette != self.palette:
            from firmware import palettes  # forgotten once the colours are there

            self.palette, self.colours = palettes.colours(palette)
            self._brightest = palettes.brightest(self.colours, self._budget_ma)
        level = self._brightest
        self.percent = percent
        self.level = min(level, max(LOWEST if dim > 1 else LOWEST_FULL, level * percent // (100 * dim)))
        for paint in range(_KEPT):
            self._table[paint] = -1 if paint & 15 else 0
        self._last[0] = 255  # no paint: the next frame is sent whatever it holds

    def colour(self, paint):
        """0xRRGGBB that ``paint`` has now."""
        rgb = 0
        if paint & 15:
            level = max(LOWEST, (self.level * _LIGHT[paint & 15] + 127) // 255)
            at = 3 * (paint >> 4)
            for i in range(at, at + 3):
                rgb = rgb << 8 | (self.colours[i] * level + 127) // 255
        if paint < _KEPT:
            self._table[paint] = rgb
        return rgb

    def show(self, frame):
        """Send ``frame`` (bytearray of 54 paints in cell order) if it looks different from the last; whether it was."""
        last = self._last
        if frame == last:
            return False
        table, pixels = self._table, self._pixels  # three at once would be garbage in every frame
        wire = self._wire
        fresh = last[0] == 255
        changed = fresh
        mixed = mix = -1  # other paints stand side by side: they are mixed once for each stretch
        for cell in range(PIXELS):
            paint = frame[cell]
            was = last[cell]
            if paint != was or fresh:
                last[cell] = paint
                rgb = table[paint] if paint < _KEPT else mix if paint == mixed else -1
                if rgb < 0:
                    rgb = mix = self.colour(paint)
                    mixed = paint
                if fresh or was >= _KEPT or rgb != table[was]:
                    pixels[wire[cell]] = rgb
                    changed = True
        if changed:
            pixels.show()
        return changed
