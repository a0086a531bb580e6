# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Pictures of the board from the frames that reached its wire: 54 lights with their glow behind a dark front."""

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

COLUMNS, ROWS = 9, 6
FRAME_BYTES = 3 * COLUMNS * ROWS
LETTERS = "abcdefg"
PITCH_MIN, PITCH_MAX = 8, 400  # pixels from light to light
GAMMA = 2.2  # a frame's values are linear light, a picture's are not
CASE, FRONT, UNLIT, PRINT = (18, 18, 22), (28, 28, 33), (44, 44, 50), (120, 120, 128)
SHARP = 2  # drawn larger by this and scaled down, for round edges
LIGHT_SIZE, GLOW = 0.68, 0.30  # diameter of a light and radius of its glow, of the pitch


def exposure(frames):
    """The brightest channel of some frames (1 .. 255): what a picture of them shows as full light.

    A board in a room is run far below full light; a camera, and the eye, adapt to it.
    """
    return max(1, max((max(frame) for frame in frames), default=1))


def draw(frame, pitch=56, full=None, letters=True, glow=True):
    """A picture of one frame.

    frame: 162 bytes, red green blue by cell (cell = 6 * column + row from the bottom left), as linear light.
    pitch: pixels from light to light, 8 to 400. full: the light that is shown as full, see exposure(); None: the
    frame's own brightest. letters: the names of the free columns under them. glow: light spreads around a disc.
    Returns a PIL image, 9 by 6 pitches and a margin. Raises ValueError for another length or pitch.
    """
    if len(frame) != FRAME_BYTES:
        raise ValueError("a frame has %d bytes, not %d" % (FRAME_BYTES, len(frame)))
    if not PITCH_MIN <= pitch <= PITCH_MAX:
        raise ValueError("a pitch of %d pixels is not from %d to %d" % (pitch, PITCH_MIN, PITCH_MAX))
    full = full or exposure([frame])
    step = SHARP * pitch
    margin = step // 2
    foot = step // 2 if letters else 0
    size = (COLUMNS * step + 2 * margin, ROWS * step + 2 * margin + foot)
    front = Image.new("RGB", size, CASE)
    pen = ImageDraw.Draw(front)
    pen.rounded_rectangle((margin // 2, margin // 2, size[0] - margin // 2, size[1] - margin // 2), margin // 2, FRONT)
    lights = Image.new("RGB", size, 0)
    lamp = ImageDraw.Draw(lights)
    radius = LIGHT_SIZE * step / 2
    for cell in range(COLUMNS * ROWS):
        x = margin + step * (cell // ROWS) + step / 2
        y = margin + step * (ROWS - 1 - cell % ROWS) + step / 2
        box = (x - radius, y - radius, x + radius, y + radius)
        pen.ellipse(box, UNLIT)
        colour = tuple(shown(level, full) for level in frame[3 * cell : 3 * cell + 3])
        if any(colour):
            lamp.ellipse(box, colour)
    if letters:
        font = ImageFont.load_default(step * 0.3)
        for column, letter in enumerate(LETTERS):
            x = margin + step * (column + 1) + step / 2
            pen.text((x, size[1] - margin - foot * 0.45), letter, PRINT, font, anchor="mm")
    picture = ImageChops.screen(front, lights)
    if glow:
        halo = lights.filter(ImageFilter.GaussianBlur(GLOW * step))
        picture = ImageChops.screen(picture, halo)
    return picture.resize((size[0] // SHARP, size[1] // SHARP), Image.Resampling.LANCZOS)


def shown(level, full):
    """A channel's linear light (0 .. 255) as a picture's value, with ``full`` as the brightest."""
    return round(255 * min(1.0, level / full) ** (1 / GAMMA))
