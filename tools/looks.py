# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What the board looks like: scripts of presses on the real firmware, on the virtual clock, and the frames they give.

LOOKS names the screens that the README shows and tests/data/frames/ holds; a new one is a row. A look is taken when the
rhythms that are on show stand at their brightest, so that it does not hang on the millisecond of a press.
"""

from collections import namedtuple

from firmware import settings
from firmware.app import App
from firmware.palettes import PALETTES
from firmware.scenes import scene
from firmware.store import PALETTE
from firmware.words import parse_new
from hal.simulated import KEYS, Simulation

WIN_GAME = "c d e e d e d c d e d d c e e c b c b c b b g g g g g g f a f f"
DRAWN_GAME = "e c f c g f g f f e a g d g b f a b a c d g b d e a e b a f b d c b g a c c e d d e"
STEADY_MS = 80  # a rhythm has stood so long where it is: it is in the frame on show, which may be 66 ms old
STEADY_WITHIN_MS = 60000
SETTLED_MS = 100
PATIENCE_MS = 60000

# name: of the file; begin: the words behind the console's `new` (empty: from power-on); given: moves that are there at
# once; keys: pressed one after the other, as `play --keys` has them; rhythms: those on show (firmware/scenes/scene.py);
# film_ms: the frames from the last key on for so long, or 0 for the one picture; text: what it shows.
Look = namedtuple("Look", "name begin given keys rhythms film_ms text")

LOOKS = (
    Look("variations", "", "", "1", "ARMED", 0, "Setup, page 1: the variation"),
    Look("others", "", "", "1 6", "ARMED", 0, "Setup, page 1, after f: the other variations"),
    Look("more", "", "", "1 7", "ARMED", 0, "Setup, page 1, after g: three more"),
    Look("puzzles", "", "", "1 5", "", 0, "Puzzles: the grades, green as far as they are solved"),
    Look("puzzle", "", "", "1 5 3", "TURN LAST", 0, "A puzzle of the third grade"),
    Look("tip", "", "", "1 5 3 p", "HINT", 0, "A puzzle, and its hint"),
    Look("opponents", "", "", "1 1", "ARMED", 0, "Setup, page 2: the opponent"),
    Look("forms", "", "", "1 1 4", "ARMED", 0, "Setup, page 3: match, single game, clocks"),
    Look("play", "five two single", "", "4 4 3 5 3 3 2 6 5", "TURN LAST", 0, "In play: the side to move breathes"),
    Look("armed", "five pop two single", "", "4 4 3 5 3 3 2 6 5 1 p", "TURN LAST ARMED", 0, "A pop is armed"),
    Look("pause", "five two single", "", "4 4 3 5 3 3 2 6 5 P", "ARMED", 0, "The pause page"),
    Look("lights", "five two single", "", "4 4 3 5 3 3 2 6 5 P 7", "ARMED", 0, "The page of lights"),
    Look("win", "five two match", WIN_GAME[:-2], "6", "WIN", 0, "A win: the line blinks"),
    Look("drawn", "five two match", DRAWN_GAME[:-2], "5", "BOTH", 0, "A draw: both colours breathe"),
    Look("score", "five two match", WIN_GAME[:-2], "6 1", "WIN", 0, "The score of a match"),
    Look("ready", "five two match", WIN_GAME[:-2], "6 1 1 1", "WIN", 0, "Ready? Red is, Yellow is not yet"),
    Look("classic", "classic two single", "", "4 4 3 5 3 3 2 6 5", "TURN LAST", 0, "Classic: the outer columns tell"),
    Look("obstacles", "obstacles seed=17 two single", "", "4 4 3 3", "TURN LAST", 0, "Obstacles: stones are white"),
    Look("three", "three two single", "", "4 4 3 5 3 3", "TURN LAST", 0, "Three players"),
    Look("teams", "teams two single", "", "4 4 3 5 3 3", "TURN LAST", 0, "Two against two: the second of each pair"),
    Look("drop", "five two single", "", "4 4 3", "", 700, "A disc falls"),
    Look("pop", "five pop two single", "", "4 3 4 5 4 4 p 4", "", 500, "A column sinks"),
    Look("refused", "five two single", "4 4 4 4 4 4", "4", "", 400, "A full column says no"),
)


def named(name):
    """The look of that name. Raises ValueError that lists them all."""
    for look in LOOKS:
        if look.name == name:
            return look
    raise ValueError("there is no look '%s'; there are: %s" % (name, ", ".join(look.name for look in LOOKS)))


def palette_index(name):
    """The number of a palette of firmware/lights.py. Raises ValueError that lists them."""
    names = [row[0] for row in PALETTES]
    if name.lower() not in names:
        raise ValueError("there is no palette '%s'; there are: %s" % (name, ", ".join(names)))
    return names.index(name.lower())


class Stage:
    """The firmware over a simulated board on the virtual clock, whose frames are kept.

    begin: the words behind the console's `new`; empty: power-on, with no game saved. given: list of moves that are
    there at once. palette: an index. Raises ValueError for words or moves that cannot be had, in one line.
    """

    def __init__(self, begin="", given=(), palette=None, setup=None):
        self.sim = Simulation(record=True)
        chosen = settings.load(self.sim.getenv)
        board = self.sim.open_board(chosen)
        self.app = App(board, chosen)
        self._ticks_ms = board.ticks_ms
        if palette is not None:
            self.app.store.put(PALETTE, palette)
            self.app.relight()
        if begin:
            setup = parse_new(begin, chosen)
        if setup:
            self.app.begin(setup, board.ticks_ms(), setup.variation.seed or 0, bytes(given))
        self.run_ms(60)

    def run_ms(self, ms):
        self.sim.run(self.app.step, until_ms=self.sim.now_ms() + ms)

    def ready(self):
        return self.app.ready_for_input

    def wait(self, until, what, patience_ms=PATIENCE_MS):
        """Let time pass until ``until()`` is true. Raises RuntimeError naming ``what`` if it never is."""
        limit_us = self.sim.now_us + 1000 * patience_ms
        self.sim.run(self.app.step, until=lambda: until() or self.sim.now_us > limit_us)
        if not until():
            raise RuntimeError("the board did not come to %s within %d s" % (what, patience_ms // 1000))

    def press(self, keys):
        """Press keys, each when the board is ready for it. Raises ValueError for one that is none."""
        self.sim.play_keys(self.app.step, keys, self.ready, PATIENCE_MS)

    def press_now(self, key):
        """A tap without waiting for anything; returns when it is over."""
        button, _ = KEYS[key]
        self.sim.press(button, self.sim.now_ms() + 1)

    def play(self, moves, pause_ms=0):
        """Play moves as the serial line does, each when the one before has come to rest, and ``pause_ms`` later."""
        for number, move in enumerate(moves, 1):
            self.wait(lambda: self.ready() or self.app.scene != "play", "rest before move %d" % number)
            self.run_ms(pause_ms)
            reason = self.app.serial("move", self._ticks_ms(), move)
            if reason:
                raise ValueError("move %d: %s" % (number, reason))
        self.wait(lambda: self.ready() or self.app.scene != "play", "rest after the last move")

    def at_brightest(self, rhythms):
        """True while all of the named rhythms have stood at their brightest for STEADY_MS."""
        now = self._ticks_ms()
        for name in rhythms:
            rhythm = getattr(scene, name)
            brightest = max(scene.beat(rhythm, ms) for ms in range(0, 20 * scene.RHYTHMS[rhythm], 20))
            for ago_ms in range(0, STEADY_MS, 20):
                if scene.beat(rhythm, now - ago_ms) != brightest:
                    return False
        return True

    def still(self, rhythms):
        """The frame on show once the named rhythms stand at their brightest: (time in us, 162 bytes)."""
        self.run_ms(SETTLED_MS)
        self.wait(lambda: self.at_brightest(rhythms), "a steady picture", STEADY_WITHIN_MS)
        return self.sim.now_us, bytes(self.sim.frame)


def frames_of(look, palette=None):
    """The frames of a look: a list of (time in us, 162 bytes); times of a film count from its last press."""
    from engine.notation import parse_moves

    stage = Stage(look.begin, parse_moves(look.given), palette)
    *keys, last = look.keys.split()
    if not look.film_ms:
        stage.press(look.keys)
        return [(0, stage.still(look.rhythms.split())[1])]
    stage.press(keys)
    # From a fixed point of the breath on: the same frames, whenever that is.
    stage.wait(lambda: stage._ticks_ms() % 24000 < 10, "the beginning of a breath")
    start_us = stage.sim.now_us
    before = bytes(stage.sim.frame)
    seen = len(stage.sim.frames)
    stage.press_now(last)
    stage.run_ms(look.film_ms)
    return [(0, before)] + [(at - start_us, frame) for at, frame in stage.sim.frames[seen:]]
