# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Pictures of the board from the frames that reached its wire: 54 lights with their glow behind a dark front."""

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

COLUMNS, ROWS = 9, 6
FRAME_BYTES = 3 * COLUMNS * ROWS
LETTERS = "abcdefg"
PITCH_MIN, PITCH_MAX = 8, 400  # pixels from light to light
PITCHES_WIDE = COLUMNS + 1  # of a picture, margins included
GAMMA = 2.2  # a frame's values are linear light, a picture's are not
CASE, FRONT, UNLIT, PRINT = (18, 18, 22), (28, 28, 33), (44, 44, 50), (120, 120, 128)
SHARP = 2  # drawn larger by this and scaled down, for round edges
LIGHT_SIZE, GLOW = 0.68, 0.30  # diameter of a light and radius of its glow, of the pitch
RIM = 218  # of 255: a light is this bright at its rim, full at the middle


def exposure(frames):
    """The brightest channel of some frames (1 .. 255): what a picture of them shows as full light.

    A board in a room is run far below full light; a camera, and the eye, adapt to it.
    """
    return max(1, max((max(frame) for frame in frames), default=1))


class Painter:
    """Paints frames, one like the other: what they share is drawn once.

    pitch: pixels from light to light, 8 to 400. full: the light that is shown as full, see exposure(); None: each
    frame's own brightest. letters: the names of the free columns under them. glow: light spreads around a disc.
    Raises ValueError for another pitch.
    """

    def __init__(self, pitch=56, full=None, letters=True, glow=True):
        if not PITCH_MIN <= pitch <= PITCH_MAX:
            raise ValueError("a pitch of %d pixels is not from %d to %d" % (pitch, PITCH_MIN, PITCH_MAX))
        self.full, self.glow = full, glow
        step = self.step = SHARP * pitch
        margin = self.margin = step // 2
        foot = step // 2 if letters else 0
        width, height = self.size = (COLUMNS * step + 2 * margin, ROWS * step + 2 * margin + foot)
        self.front = Image.new("RGB", self.size, CASE)
        pen = ImageDraw.Draw(self.front)
        pen.rounded_rectangle((margin // 2, margin // 2, width - margin // 2, height - margin // 2), margin // 2, FRONT)
        side = round(LIGHT_SIZE * step)
        self.disc = disc(side)
        for cell in range(COLUMNS * ROWS):
            x, y = self.corner(cell)
            pen.ellipse((x, y, x + side, y + side), UNLIT)
        if letters:
            font = ImageFont.load_default(step * 0.3)
            for column, letter in enumerate(LETTERS):
                x = margin + step * (column + 1) + step / 2
                pen.text((x, height - margin - foot * 0.45), letter, PRINT, font, anchor="mm")

    def corner(self, cell):
        """Top left corner of a cell's light, in the larger picture's pixels."""
        inset = (self.step - self.disc.size[0]) // 2
        x = self.margin + self.step * (cell // ROWS) + inset
        y = self.margin + self.step * (ROWS - 1 - cell % ROWS) + inset
        return x, y

    def draw(self, frame):
        """A PIL image, ten pitches wide, of a frame: 162 bytes, red green blue by cell (6 * column + row from the
        bottom left), as linear light. Raises ValueError for another length.
        """
        if len(frame) != FRAME_BYTES:
            raise ValueError("a frame has %d bytes, not %d" % (FRAME_BYTES, len(frame)))
        full = self.full or exposure([frame])
        lights = Image.new("RGB", self.size, 0)
        for cell in range(COLUMNS * ROWS):
            colour = tuple(shown(level, full) for level in frame[3 * cell : 3 * cell + 3])
            if any(colour):
                lights.paste(colour, self.corner(cell), self.disc)
        picture = ImageChops.screen(self.front, lights)
        small = (self.size[0] // SHARP, self.size[1] // SHARP)
        picture = picture.resize(small, Image.Resampling.LANCZOS)
        if self.glow:
            # The halo has no edges: it is made small, which is quick, and laid over the scaled picture.
            halo = lights.reduce(2 * SHARP).filter(ImageFilter.GaussianBlur(GLOW * self.step / (2 * SHARP)))
            picture = ImageChops.screen(picture, halo.resize(small, Image.Resampling.BILINEAR))
        return picture


def disc(side):
    """A mask of ``side`` pixels: a round light, a little brighter at its middle than at its rim."""
    distance = Image.radial_gradient("L").resize((side, side), Image.Resampling.BILINEAR)  # 0 .. 181 at the rim
    fall = distance.point(lambda at: 255 - (255 - RIM) * min(at, 181) // 181)
    edge = Image.new("L", (side, side), 0)
    ImageDraw.Draw(edge).ellipse((0, 0, side - 1, side - 1), 255)
    return ImageChops.multiply(fall, edge)


def draw(frame, pitch=56, full=None, letters=True, glow=True):
    """A picture of one frame, see Painter. Raises ValueError for a frame of another length or an absurd pitch."""
    return Painter(pitch, full, letters, glow).draw(frame)


def shown(level, full):
    """A channel's linear light (0 .. 255) as a picture's value, with ``full`` as the brightest."""
    return round(255 * min(1.0, level / full) ** (1 / GAMMA))


def indexed(image, colours=256):
    """A picture with at most so many colours, hues kept, which makes its file several times smaller."""
    return image.quantize(colours, method=Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE)


def film(frames, painter, end_ms, each_ms=80, colours=96):
    """Frames over time as the pictures of a GIF, and how long each of them stands.

    frames: list of (time in us, 162 bytes), at least one. end_ms: how long the last one stands. each_ms: the least time
    that a picture stands; what changes more often is left out. Returns (list of PIL images of one common palette,
    list of ms, multiples of 10 as GIF has it).
    """
    start_us = frames[0][0]
    kept = []  # [time in ms, frame]
    for time_us, frame in frames:
        time_ms = (time_us - start_us) // (1000 * each_ms) * each_ms
        if kept and kept[-1][0] == time_ms:
            kept[-1][1] = frame
        elif not kept or kept[-1][1] != frame:
            kept.append([time_ms, frame])
    times = [time_ms for time_ms, _ in kept]
    lasts = [later - time_ms for time_ms, later in zip(times, times[1:])] + [end_ms]
    # The colours are chosen from some of the pictures together, so that nothing flickers between two palettes.
    some = [painter.draw(frame) for _, frame in kept[:: max(1, len(kept) // 8)]]
    width, height = some[0].size
    sheet = Image.new("RGB", (width, height * len(some)))
    for number, image in enumerate(some):
        sheet.paste(image, (0, height * number))
    palette = indexed(sheet, colours)
    images = [painter.draw(frame).quantize(palette=palette, dither=Image.Dither.NONE) for _, frame in kept]
    return images, [max(10, ms // 10 * 10) for ms in lasts]
