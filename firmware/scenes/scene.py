# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What all scenes share: rhythms, a few words to draw with, and the scene's shape.

A scene draws into the app's frame: 54 paints, ``colour * 16 + shade`` (firmware/lights.py), cell = 6 * column + row.
Nothing here allocates once it is loaded.
"""

from firmware.lights import BLUE, CYAN, GREEN, MAGENTA, ORANGE, PIXELS, RED, WHITE, YELLOW

POP_BUTTON = 7
UP, HOLD = 8, 16  # kinds of event beside DOWN, as the hal tells them: event = button | kind

FAINT, DIM, REST, BRIGHT = 2, 4, 11, 15  # shades
ANIMATION_MS, BREATH_MS = 20, 66  # 50 frames a second while something moves, 15 while something breathes


def _rhythm(period_ms, shades):
    return (period_ms, bytes([int(shade, 16) for shade in shades]))


# Period in ms, and the shades (or columns) that follow each other in equal steps of it. Told apart by pace and by form.
RHYTHMS = {
    "turn": _rhythm(2400, "56789ABCDDEEFFEEDDCBA98765"),  # the side to move breathes, never dark
    "hurry": _rhythm(600, "579BDFDB97"),  # the same in a side's last 30 seconds
    "last": _rhythm(1500, "FFEDCBA98778ABD"),  # the last disc
    "cue": _rhythm(2000, "4B4BBBBBBBBBBBBBBBBB"),  # a double blink on one side's discs, for eyes that see one colour
    "armed": _rhythm(400, "F3"),  # discs that can be popped; the choice that is lit
    "thought": _rhythm(1200, "012345654321"),  # the column that the engine's spark is in
    "hint": _rhythm(300, "0E"),  # the move that the engine would make
    "win": _rhythm(700, "FFF3"),  # the winning line
    "draw": _rhythm(1800, "3579BDFDB975"),  # both colours
}


def beat(rhythm, now):
    """The shade that ``rhythm`` (a value of RHYTHMS) has at the time ``now`` in ms."""
    period_ms, shades = rhythm
    return shades[now % period_ms * len(shades) // period_ms]


class _Key:
    def __getitem__(self, key):
        return key


ALL = _Key()[:]  # frame[ALL] = other copies 54 bytes at once; a slice written in place would be a new object each time
DARK = bytes(PIXELS)

_LETTERS = ".rygwROYGCBM"
_COLOURS = (0, 1, 2, WHITE, RED, ORANGE, YELLOW, GREEN, CYAN, BLUE, MAGENTA)  # small letters: the sides, white


def picture(text):
    """Paints of a picture: a letter a cell, column by column from the bottom; blanks are only for the reader."""
    text = text.replace(" ", "")
    return bytes([_COLOURS[_LETTERS.find(c) - 1] * 16 + REST if c != "." else 0 for c in text])


class Scene:
    """``press`` takes an event, ``tick`` lets time pass, ``draw`` fills the frame; ``now`` is in ms of the ticks.

    ``period_ms``: time from one frame to the next. ``ready``: a press is taken as a move or a choice.
    ``clock_runs``: the players' clock runs in this scene.
    """

    def __init__(self, app):
        self.app = app
        self.frame = app.frame
        self.game = app.game
        self.period_ms = BREATH_MS
        self.ready = True
        self.clock_runs = False

    def enter(self, now):
        pass

    def press(self, event, now):
        pass

    def tick(self, now):
        pass

    def draw(self, now):
        pass

    def column(self, column, paint, height=6):
        """Fill LED ``column`` from the bottom with ``paint``, ``height`` cells high, dark above."""
        frame = self.frame
        for row in range(6):
            frame[6 * column + row] = paint if row < height else 0

    def shaded(self, shade):
        """Draw the position with every disc at ``shade``."""
        frame = self.frame
        cells = self.game.cells
        for cell in range(PIXELS):
            paint = cells[cell]
            frame[cell] = paint and paint & 240 | shade


class Page(Scene):
    """Seven choices, each a lit column with a small picture; the outer columns are the page's own.

    ``pictures``: 42 paints, six a choice; a dark column is no choice. ``lit``: the choice that stands now, or -1.
    """

    def __init__(self, app):
        Scene.__init__(self, app)
        self.pictures = b""
        self.lit = -1

    def press(self, event, now):
        if event < POP_BUTTON:
            at = 6 * event
            for i in range(at, at + 6):
                if self.pictures[i]:
                    self.choose(event, now)
                    return
            self.app.refuse(event, now)
        elif event == POP_BUTTON:
            self.back(now)

    def draw(self, now):
        frame = self.frame
        frame[ALL] = DARK
        pictures = self.pictures
        for i in range(42):
            frame[6 + i] = pictures[i]
        if self.lit >= 0:
            shade = beat(RHYTHMS["armed"], now)
            for i in range(6 + 6 * self.lit, 12 + 6 * self.lit):
                if frame[i]:
                    frame[i] = frame[i] & 240 | shade

    def choose(self, choice, now):
        pass

    def back(self, now):
        pass
