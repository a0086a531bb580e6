# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What all scenes share."""

# Rhythms, a few words to draw with, and the scene's shape. A scene draws into the app's frame: 54 paints,
# ``colour * 16 + shade`` (firmware/lights.py), cell = 6 * column + row. Nothing here allocates once it is loaded.

from firmware.lights import PIXELS

POP_BUTTON = 7
UP, HOLD = 8, 16  # kinds of event beside DOWN, as the hal tells them: event = button | kind

FAINT, DIM, REST, BRIGHT = 2, 4, 12, 15  # shades
ANIMATION_MS, BREATH_MS = 20, 66  # 50 frames a second while something moves, 15 while something breathes

# A rhythm is its place in RHYTHMS: there stand its period in units of 20 ms, a number, and as many shades (or columns),
# which follow each other in equal steps of the period. They are told apart by pace and by form (tests/test_lights.py).
RHYTHMS = bytearray()


def _rhythm(period, shades):
    at = len(RHYTHMS)
    RHYTHMS.extend(bytes((period, len(shades))) + shades)
    return at


# The side to move breathes, never dark; the same in a side's last 30 seconds.
TURN = _rhythm(120, b"\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x0f\x0e\x0d\x0c\x0b\x0a\x09\x08\x07\x06")
HURRY = _rhythm(30, b"\x05\x07\x09\x0b\x0d\x0f\x0d\x0b\x09\x07")
LAST = _rhythm(75, b"\x0f\x0f\x0e\x0d\x0c\x0b\x0a\x09\x08\x07\x07\x08\x0a\x0d")  # the last disc
# A double blink every two seconds on one side's discs, for eyes that do not part the colours.
CUE = _rhythm(100, b"\x04\x0c\x04" + b"\x0c" * 17)
ARMED = _rhythm(20, b"\x0f\x03")  # discs that can be popped; the choice that is lit; a disc that hovers
THOUGHT = _rhythm(60, bytes((0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)))  # the column that the engine's spark is in
HINT = _rhythm(15, b"\x00\x0e")  # the move that the engine would make
WIN = _rhythm(35, b"\x0f\x0f\x0f\x03")  # the winning lines
BOTH = _rhythm(90, b"\x03\x05\x07\x09\x0b\x0d\x0f\x0d\x0b\x09\x07\x05")  # both colours after a draw
RHYTHMS = bytes(RHYTHMS)
del _rhythm


def beat(rhythm, now):
    """The shade that ``rhythm`` (TURN ..) has at the time ``now`` in ms."""
    period_ms = 20 * RHYTHMS[rhythm]
    return RHYTHMS[rhythm + 2 + now % period_ms * RHYTHMS[rhythm + 1] // period_ms]


class _Key:
    def __getitem__(self, key):
        return key


ALL = _Key()[:]  # frame[ALL] = other copies 54 bytes at once; a slice written in place would be a new object each time
del _Key
DARK = bytes(PIXELS)


class Scene:
    def __init__(self, app):
        """``press`` takes an event, ``tick`` lets time pass, ``draw`` fills the frame; ``now`` is in ms of the ticks.

        ``period_ms``: time from one frame to the next. ``ready``: a press is taken as a move or a choice.
        ``clock_runs``: the players' clock runs in this scene.
        """
        self.app = app
        self.frame = app.frame
        self.game = app.game
        self.period_ms = BREATH_MS
        self.ready = True
        self.clock_runs = False
        self.since = 0

    def enter(self, now):
        self.since = now

    def tick(self, now):
        pass

    def column(self, column, paint, height=6):
        """Fill LED ``column`` from the bottom with ``paint``, ``height`` cells high, dark above."""
        frame = self.frame
        for row in range(6):
            frame[6 * column + row] = paint if row < height else 0


class Page(Scene):
    # Seven choices, each a lit column with a small picture; the outer columns are the page's own. ``pictures``: 42
    # letters, six a choice from the bottom; a dark column is no choice. A digit is a colour of firmware/lights.py
    # (``0`` ``1`` ``2`` the sides, ``3`` white ..), ``:`` the tenth, a dot is dark. ``lit``: the choice that blinks, or
    # -1.

    def enter(self, now):
        self.lit = -1

    def press(self, event, now):
        if event < POP_BUTTON and self.pictures[6 * event] + self.pictures[6 * event + 1] != 92:  # two dots
            self.choose(event, now)
        elif event == POP_BUTTON:
            self.back(now)
        elif event < POP_BUTTON:
            self.app.refuse(event, now)

    def draw(self, now):
        frame, pictures = self.frame, self.pictures
        frame[ALL] = DARK
        lit_shade = beat(ARMED, now)
        lit = 6 * self.lit
        for i in range(42):
            if pictures[i] != 46:
                frame[6 + i] = (pictures[i] & 15) << 4 | (lit_shade if 0 <= i - lit < 6 else REST)
