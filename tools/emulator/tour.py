# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A press in every scene: from attract mode through a whole match and back to the setup, as a person would walk it.

Each press comes at a random phase of the board's loop, and what it changes is looked for in the frames on the wire.
"""

import bisect
import random

from tools.emulator.errors import EmulatorError
from tools.emulator.session import Session, column, is_flash, is_white

POP = 7
HOLD_MS = (30, 60)  # how long a press lasts
PAUSE_HOLD_MS = 1000  # of the pop button: the pause page
ANSWER_MS = 250  # a press whose answer comes later, or never, is lost
SETTLE_MS = (120, 240)  # until the next press: what the last one has started is over
LOAD_MS = 20000
LOADING_MS = (0, 90)  # after the answer to a press that makes the board load something: it is at it for 300 at least


def lit(rgb):
    """Which pixels are not dark."""
    return [any(rgb[at : at + 3]) for at in range(0, len(rgb), 3)]


def is_loading(rgb):
    """Whether the board shows that it has heard: a white pixel in the top row is the brightest white one by far."""
    whites = []
    for at in range(18, 144, 3):
        pixel = rgb[at : at + 3]
        if is_white(pixel):
            whites.append((pixel[0], at // 3 % 6 == 5))
    whites.sort()
    return bool(whites) and whites[-1][1] and (len(whites) == 1 or whites[-2][0] < whites[-1][0])


class Tour:
    """Walks through the scenes of an EmulatedBoard. latencies: {scene: [ms, …]}; lost: [(scene, button), …]."""

    def __init__(self, board, seed, bounce_ms=2):
        self.board = board
        self.lots = random.Random(seed)
        self.session = Session(board, seed)
        self.bounce_ms = bounce_ms
        self.latencies = {}
        self.lost = []
        self.pressed = self.doubled = self.last = 0

    def settle(self, between_ms=SETTLE_MS):
        self.board.run_for(self.lots.uniform(*between_ms))

    def press(self, scene, button, answer=None, hold_ms=None, after_ms=0):
        """Press, and look for the first frame that answer(rgb, rgb before, button) is true of, `after_ms` on; time goes
        on for ANSWER_MS, or only to the answer if that is `loads`."""
        board = self.board
        at_ms = board.now_ms() + self.lots.uniform(0, 15)
        self.last = button
        board.press(button, at_ms, hold_ms or self.lots.uniform(*HOLD_MS), self.bounce_ms)
        self.pressed += 1
        board.run(at_ms)
        before = board.frame
        at_ms += after_ms
        if answer == self.loads:
            board.run_until(lambda: is_loading(board.frame), ANSWER_MS)
        else:
            board.run(at_ms + ANSWER_MS)
        first = bisect.bisect(board.frames, at_ms, key=lambda frame: frame.start_ms)
        for frame in board.frames[first:]:
            if frame.start_ms > at_ms + ANSWER_MS:
                break
            if (answer or self.changes)(frame.rgb, before, button):
                self.latencies.setdefault(scene, []).append(frame.start_ms - at_ms)
                return
        self.lost.append((scene, button))

    @staticmethod
    def changes(rgb, before, button):
        """Other pixels are lit than before, or the press is refused, or something is loaded."""
        return is_flash(rgb, button) or is_loading(rgb) or lit(rgb) != lit(before)

    @staticmethod
    def loads(rgb, before, button):
        return is_loading(rgb)

    @staticmethod
    def refuses(rgb, before, button):
        return is_flash(rgb, button)

    @staticmethod
    def drops(rgb, before, button):
        return column(rgb, button)[5] != column(before, button)[5]

    @staticmethod
    def lights(rgb, before, button):
        """The column of the button is drawn in another way."""
        return column(rgb, button) != column(before, button)

    def while_loading(self):
        """One press while the board loads; then it is waited for."""
        self.settle(LOADING_MS)
        if is_loading(self.board.frame):
            # Another button: nobody presses one again within the 10 ms after its release that a bounce may last.
            self.press("loading", (self.last + 1 + self.lots.randrange(6)) % 7, self.refuses)
        self.loaded()

    def loaded(self):
        def over():
            frame = self.board.frame
            return not is_loading(frame) and not any(is_flash(frame, button) for button in range(7))

        if not self.board.run_until(over, LOAD_MS):
            raise EmulatorError("the board did not come back from loading")
        self.settle()

    def attract(self):
        """From power-on to the first page of the setup."""
        self.session.switch_on()
        self.board.run_for(self.lots.uniform(2000, 4000))
        self.press("attract", self.lots.randrange(7), self.loads)
        self.while_loading()

    def match(self, level):
        """A match of two games from the first page of the setup on, and back to that page."""
        self.press("setup", 5)  # the other variations,
        self.settle()
        self.press("setup", POP)  # and back
        self.settle()
        self.press("setup", 0)
        self.settle()
        self.press("setup", level)
        self.settle()
        lines = len(self.board.lines)
        self.press("setup", 0, self.loads)
        self.while_loading()
        self.board.wait_for_line("[", LOAD_MS, after=lines)
        for game in range(2):
            self.settle((300, 500))
            self.moves(2 if level else 3)
            self.resign(4 if game else 3)
            self.press("result", self.lots.randrange(7), self.refuses)  # too soon: it was meant for the game
            self.settle((500, 700))
            self.press("result", self.lots.randrange(7))
            self.settle()
            if not game:
                self.press("score", self.lots.randrange(7))
                self.settle()
                self.press("ready", 3, self.refuses)
                for button in (0, 5):
                    self.settle((300, 400))  # the flash is over
                    self.press("ready", button, self.lights)
                    if level:  # the engine is always ready
                        break
        self.press("score", self.lots.randrange(7), self.loads)
        self.while_loading()

    def moves(self, count):
        """Some drops, each when the last disc lies; the engine's answers are waited for."""
        board = self.board
        for _ in range(count):
            if not self.wait_for_turn():
                return
            lines = len(board.lines)
            self.press("play", self.lots.randrange(7), self.drops)
            self.doubled += sum(". " in line.text for line in board.lines[lines:]) > 1
            board.run_for(700)

    def wait_for_turn(self):
        """In a game against the engine: press while it thinks, and wait for its answer."""
        self.settle((700, 900))
        return True

    def resign(self, choice):
        """By the pause page: the game (3) or the match (4)."""
        self.settle()
        self.press("hold to pause", POP, hold_ms=PAUSE_HOLD_MS + 150, after_ms=PAUSE_HOLD_MS)
        self.settle((300, 400))
        self.press("pause", choice, self.lights)
        self.settle()
        lines = len(self.board.lines)
        self.press("pause", choice)
        self.board.wait_for_line("wins", 2000, after=lines)
        before = lit(self.board.frame)
        self.board.run_until(lambda: lit(self.board.frame) != before, 500)
        self.settle((60, 120))


def walk(board, count, seed, bounce_ms=2):
    """A Tour of at least `count` presses."""
    tour = Tour(board, seed, bounce_ms)
    tour.attract()
    while tour.pressed < count:
        tour.match(0)
    return tour
