# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A person at an emulated board: begins games on its console, presses, and keeps score of what it prints and lights."""

import random
import re

from engine.notation import parse_move, replay
from engine.variation import DRAW
from tools.emulator.errors import EmulatorError

GREETING = "type help"
MOVE_LINE = re.compile(r"(\d+)\. (\S) (\S+)")
FAULTS = ("Traceback", "Error", "pystack", "fault:", "memory allocation", "INCOMPLETE")
START_MS = 30000
MOVE_MS = 60000
COLUMN_CELLS = 6
TOP_ROW = 5


class Session:
    """Drives `board` (an EmulatedBoard). position: the game as the board has printed it."""

    def __init__(self, board, seed=1):
        self.board = board
        self.lots = random.Random(seed)
        self.position = None
        self._seen = 0  # lines that the position has taken up

    def switch_on(self):
        """Wait until the board's program is at work; the ms since power-on."""
        return self.board.wait_for_line(GREETING, START_MS, after=0).ms

    def begin(self, words):
        """Begin a game: the words that the console takes behind `new`."""
        board = self.board
        self._seen = len(board.lines)
        board.serial_in("new %s\n" % words)
        line = board.wait_for_line("[", after=self._seen)
        self._seen = board.lines.index(line, self._seen) + 1
        self.position = replay(line.text)  # the header of a record

    def follow(self):
        """Take up the moves that have been printed. Raises EmulatorError if one is not legal or not the next."""
        lines = self.board.lines
        while self._seen < len(lines):
            found = MOVE_LINE.fullmatch(lines[self._seen].text)
            self._seen += 1
            if found:
                position = self.position
                move = parse_move(found.group(3))
                if int(found.group(1)) != position.ply + 1 or not position.is_legal(move):
                    raise EmulatorError("the board printed '%s' at ply %d" % (found.group(0), position.ply))
                position.play(move)

    def wait_for_ply(self, ply, limit_ms=MOVE_MS):
        """Let time pass until the game has `ply` moves or more, or is over; whether it came to that."""

        def come():
            self.follow()
            return self.position.ply >= ply or self.position.result is not None

        return self.board.run_until(come, limit_ms)

    def quiet_moves(self):
        """Legal drops after which the game goes on and the opponent cannot end it at once; else all legal drops."""
        position = self.position
        quiet = []
        for move in position.legal():
            position.play(move)
            going_on = position.result is None
            for reply in position.legal() if going_on else ():
                position.play(reply)
                going_on &= position.result in (None, DRAW)
                position.undo()
            if going_on:
                quiet.append(move)
            position.undo()
        return quiet or position.legal()

    def press_move(self, move, at_ms=None, hold_ms=60, bounce_ms=None):
        """Press the column of a drop."""
        self.board.press(move & 7, at_ms, hold_ms, bounce_ms)

    def play_game(self, words, on_turn=None):
        """A whole game by presses, our moves by lot; the Position at its end.

        on_turn(): called before each press of ours. Raises EmulatorError when the board does not answer.
        """
        self.begin(words)
        people = "level" not in words
        while self.position.result is None:
            ply = self.position.ply
            self.board.run_for(500 + self.lots.uniform(0, 20))  # the disc has fallen
            if on_turn:
                on_turn()
            self.press_move(self.lots.choice(self.quiet_moves() if people else self.position.legal()))
            if not self.wait_for_ply(ply + (1 if people else 2)):
                raise EmulatorError("no answer to the press at ply %d of %s" % (ply, words))
        self.board.run_for(1000)
        return self.position

    def faults(self):
        """The console's lines that tell of a fault."""
        return [line.text for line in self.board.lines if any(word in line.text for word in FAULTS)]


def column(rgb, button):
    """The six pixels of a button's column, from the bottom, as tuples."""
    start = 3 * COLUMN_CELLS * (button + 1)
    return [tuple(rgb[at : at + 3]) for at in range(start, start + 3 * COLUMN_CELLS, 3)]


def is_white(pixel):
    """Whether a pixel is lit without a hue; no disc is, in any palette but the last."""
    return pixel[0] > 0 and pixel[0] == pixel[1] == pixel[2]


def is_flash(rgb, button):
    """Whether the frame shows a refused press of the button."""
    return all(is_white(pixel) for pixel in column(rgb, button))
