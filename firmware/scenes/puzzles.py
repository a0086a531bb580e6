# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Puzzles: positions in which one move alone wins, or saves the draw. The answers are in the file, nothing is thought.

Grades -> map of the grade -> what is to be done -> the position -> right: on to the next; wrong: the refutation, and
again. The pop button: tapped, a hint; held, the page of grades, where it leads back to the setup.
"""

from adafruit_ticks import ticks_diff

from engine.match import Match, Setup
from firmware.lights import BLUE, GREEN, ORANGE, WHITE
from firmware.puzzles import check, is_solved, solve
from firmware.scenes.play import Play
from firmware.scenes.scene import (
    ALL,
    ARMED,
    BREATH_MS,
    BRIGHT,
    DARK,
    DIM,
    HINT,
    HOLD,
    PIXELS,
    POP_BUTTON,
    REST,
    WIN,
    beat,
)
from firmware.variations import known, variation
from hal.drive import open_file

PATH = "firmware/puzzles.bin"
GRADES = 4
HEAD = 16
BLOCK = 256  # bytes read at once; a record is shorter
SOLVED, WRONG = 7, 8  # entries of a tree; below 7 the other side's answer, above 7 + n a refutation of n plies

# What is on show. In ASK the person is to move; LINE are moves that the board makes by itself. SHOWN (the position,
# solved) and FAILED (the refutation's end) are followed by their marks, TICK and CROSS.
PAGE, MAP, GOAL, ASK, LINE, SHOWN, TICK, FAILED, CROSS = range(9)
STAYS_MS = (0, 1200, 1500, 0, 500, 1800, 900, 1800, 700)  # LINE: before each of its moves
HINT_MS = 2000
GUARD_MS = 400  # a second press of the same finger leads nowhere yet
# Cells of the marks: a tick and a cross.
MARKS = {TICK: b"\x09\x0e\x13\x1a\x21\x28\x2f", CROSS: b"\x0d\x11\x14\x16\x1b\x20\x22\x25\x29"}
GOAL_CELL = 14  # the first of five in a row: row 3, column b
LOWEST_GRADE = 3  # cells of the first grade's column; each further one is a cell higher


class PuzzleFile:
    """The file in place: one record of it is in memory. Puzzles are numbered as they stand in it, grade by grade.

    ``counts``: how many each grade has. ``plies`` and ``goal`` (1: win, 0: save the draw) of the puzzle that was read
    last, whose moves and tree :meth:`number` gives. Raises OSError where there is no file, ValueError in one line where
    it is damaged."""

    def __init__(self):
        self.buffer = bytearray(BLOCK)
        self.read_into = open_file(PATH)
        check(self.read_into, self.buffer)
        self.read_into(0, self.buffer)
        self.counts = bytes(self.buffer[5:9])

    def read(self, puzzle):
        """Take up the puzzle of that number."""
        buffer = self.buffer
        self.read_into(HEAD + 2 * puzzle, buffer)
        self.read_into(buffer[0] | buffer[1] << 8, buffer)
        self.plies = buffer[0]
        self.goal = buffer[1]

    def number(self, at):
        """The four bits at place ``at``: the moves first, from ``plies`` on the tree."""
        return self.buffer[2 + (at >> 1)] >> 4 * (at & 1) & 15

    def entry(self, node, column):
        """The place of ``column``'s entry in the node at ``node``."""
        pending = column
        while pending:
            number = self.number(node)
            node += 1
            pending -= 1
            if number < SOLVED:
                pending += 7
            elif number >= WRONG:
                node += number - WRONG
        return node

    def key(self, node):
        """The first column of the node at ``node`` that keeps the value."""
        column = 0
        while column < 6 and self.number(self.entry(node, column)) >= WRONG:
            column += 1
        return column


class Puzzles(Play):
    """``puzzle``: its number; ``node``: the place in its tree; ``base``: plies of the position that is to be
    solved."""

    def enter(self, now):
        self.clock_runs = False
        self.mask = bytearray(PIXELS)  # colours of the page or the map, or 1: a cell of a line
        self.puzzle = self.grade = -1
        try:
            self.file = PuzzleFile()
            self._show(PAGE, now)
        except (OSError, ValueError) as error:
            self._give_up(error, now)

    def _give_up(self, error, now):
        self.app.no_puzzles = True
        self.app.board.write("fault: puzzles: %s" % error)
        self.app.go("setup", now)

    def _show(self, state, now):
        self.state = state
        self.shown_at = now
        self.period_ms = BREATH_MS
        self.hint_at = -1
        self.app.dirty = True
        self.whose_turn()
        self.ready = state == PAGE or self.mine
        if state == PAGE:
            self._draw_page()

    def whose_turn(self):
        self.theirs = False
        self.mine = self.state == ASK

    def _numbers(self, grade):
        """The numbers of a grade's puzzles."""
        first = sum(self.file.counts[:grade])
        return range(first, first + self.file.counts[grade])

    def _next(self, now):
        """The grade's next unsolved puzzle behind the last one; if all are solved, simply the next."""
        numbers = self._numbers(self.grade)
        at = self.puzzle + 1 - numbers[0] if self.puzzle in numbers else 0
        found = -1
        for i in range(len(numbers)):
            number = numbers[(at + i) % len(numbers)]
            if not is_solved(self.app.store, number):
                found = number
                break
        names = "" if known(self.app, "five", 0, 0) else "engine.lots engine.catalogue"
        self.app.later(self._open, found if found >= 0 else numbers[at % len(numbers)], names)

    def _open(self, number, now):
        """Set up a puzzle."""
        app, file = self.app, self.file
        game = self.game
        self.puzzle = number
        try:
            file.read(number)
            self.mirror = app.settings.mirror
            moves = bytes([self._column(file.number(at)) for at in range(file.plies)])
            self.setup = Setup(variation(app, "five", 0, now), 0, -1, False)
            game.start(self.setup, now, 0, moves, demo=True)
        except (OSError, ValueError) as error:
            self._give_up(error, now)
            return
        self.node = self.base = file.plies
        self.helped = False
        numbers = self._numbers(self.grade)
        self.mask[ALL] = DARK
        for i in range(len(numbers)):
            self.mask[i] = (GREEN if is_solved(app.store, numbers[i]) else BLUE) << 4
        self.blinks = number - numbers[0]
        self.blinks_end = self.blinks + 1
        app.board.write(
            "puzzle %d of grade %d: %s" % (number - numbers[0] + 1, self.grade + 1, ("save the draw", "win")[file.goal])
        )
        self.state = MAP
        Play.enter(self, now)
        self._show(MAP, now)

    def _solved(self, numbers):
        """How many of these puzzles are solved."""
        return sum([is_solved(self.app.store, number) for number in numbers])

    def _draw_page(self):
        """A column for each grade, the higher the harder; as much of it is green as is solved."""
        self.mask[ALL] = DARK
        for grade in range(GRADES):
            count = self.file.counts[grade]
            height = LOWEST_GRADE + grade
            solved = self._solved(self._numbers(grade))
            green = height if solved == count else min(height - 1, (solved * height + count - 1) // count)
            for row in range(height if count else 0):
                self.mask[6 + 6 * grade + row] = (GREEN if row < green else BLUE) << 4
        self.blinks = 6 + 6 * self.grade if self.grade >= 0 else PIXELS
        self.blinks_end = self.blinks + 6

    def _column(self, column):
        """The button of a column in the file, which is made for side columns that are not mirrored; and back."""
        return 6 - column if self.mirror else column

    # Presses

    def press(self, event, now):
        app, state = self.app, self.state
        if state == PAGE:
            if event == POP_BUTTON:
                app.go("setup", now)
            elif event < GRADES and self.file.counts[event]:
                self.grade = event
                self._next(now)
            elif event < POP_BUTTON:
                app.refuse(event, now)
        elif event == POP_BUTTON | HOLD:
            self._show(PAGE, now)
        elif event > POP_BUTTON:
            pass
        elif state == ASK:
            if event < POP_BUTTON:
                Play.press(self, event, now)
            else:
                self.helped = True
                self.hint_at = now
                app.dirty = True
        elif state == LINE and self.then == ASK or ticks_diff(now, self.shown_at) < GUARD_MS:
            app.refuse(event, now)
        else:
            self._onward(now)

    # Time

    def tick(self, now):
        game, state = self.game, self.state
        if state == PAGE:
            return
        if state > GOAL:
            if game.event != self.seen:
                self._follow(now)
                if state == ASK:
                    self._judge(game.last_move, now)
            if self.moving >= 0:
                if 0 <= ticks_diff(now, self.since) < self.last_frame * 20:
                    return
                self._settle(now)
                self.app.dirty = True
        if state == ASK:
            if self.hint_at >= 0 and ticks_diff(now, self.hint_at) >= HINT_MS:
                self.hint_at = -1
        elif state != LINE:
            if ticks_diff(now, self.shown_at) >= STAYS_MS[state]:
                self._onward(now)
        elif self.line == self.line_end:
            self.base = game.position.ply if self.then == ASK else self.base
            self._show(self.then, now)
            self._mark_lines()
        elif ticks_diff(now, self.since) >= STAYS_MS[LINE]:
            game.play(self._column(self.file.number(self.line)), now)
            self.line += 1

    def _judge(self, move, now):
        """The person has played ``move``: what the file says to it."""
        file = self.file
        self.tried = move
        at = file.entry(self.node, self._column(move))
        entry = file.number(at)
        self.line = at + 1
        self.line_end = at + 1
        if entry < SOLVED:
            self.line = at
            self.node = at + 1
            self.then = ASK
        elif entry == SOLVED:
            self.then = SHOWN
        else:
            self.line_end += entry - WRONG
            self.then = FAILED
        self._show(LINE, now)

    def _onward(self, now):
        """What follows by time or by a press."""
        state = self.state
        if state == SHOWN:
            store, numbers = self.app.store, self._numbers(self.grade)
            if not self.helped:
                solve(store, self.puzzle)
            solved = self._solved(numbers)
            self.left = len(numbers) - solved
            self.app.board.write("right; %d of %d solved" % (solved, len(numbers)))
            self._show(TICK, now)
        elif state == TICK:
            if self.left:
                self._next(now)
            else:
                self._show(PAGE, now)
        elif state == FAILED:
            self._show(CROSS, now)
        elif state == MAP:
            self._show(GOAL, now)
        elif state == GOAL:
            self._show(ASK, now)
        else:
            self._take_back(now)

    def _take_back(self, now):
        """Back to the position that is to be solved."""
        game = self.game
        position = game.position
        while position.ply > self.base:
            position.undo()
        game.match = Match(self.setup)
        game.result = None
        game.redraw()
        self.mask[ALL] = DARK
        self._forget()
        self._show(ASK, now)
        self._settle(now)
        self.app.refuse(self.tried, now)

    def _mark_lines(self):
        """Mark the lines of five on the board, if there are any."""
        cells, mask = self.game.cells, self.mask
        mask[ALL] = DARK
        if self.game.result is not None:
            for line in self.game.position.variation.lines:
                own = cells[line[0]]
                if own and not sum([cells[cell] != own for cell in line]):
                    for cell in line:
                        mask[cell] = 1

    # Drawing

    def draw(self, now):
        frame, mask = self.frame, self.mask
        state, lit = self.state, beat(WIN, now)
        if state > GOAL and state not in MARKS:
            Play.draw(self, now)
            if self.hint_at >= 0:
                i = self._column(self.file.key(self.node))
                own = self.game.position.to_move << 4
                shade = beat(HINT, now)
                frame[self._place(self.game.position, i)] = own | shade if shade else WHITE << 4 | BRIGHT
            elif self.game.result is not None and self.moving < 0:
                for cell in range(PIXELS):
                    frame[cell] = frame[cell] and frame[cell] & 240 | (lit if mask[cell] else DIM)
            return
        frame[ALL] = DARK
        if state in MARKS:
            paint = (ORANGE if state == CROSS else BLUE if self.helped else GREEN) << 4 | BRIGHT
            for cell in MARKS[state]:
                frame[cell] = paint
        elif state < GOAL:
            shade, rest = beat(ARMED, now), DIM if state == MAP else REST
            for cell in range(PIXELS):
                frame[cell] = mask[cell] and mask[cell] | (shade if self.blinks <= cell < self.blinks_end else rest)
        else:  # win: five of one's own; save: one's own disc against four of the other's
            for side in (0, 48):
                for cell in range(side, side + 6):
                    frame[cell] = self.game.cells[cell]
            own = self.game.position.to_move
            for i in range(5):
                mine = self.file.goal or i == 4
                frame[GOAL_CELL + 6 * i] = own << 4 | lit if mine else 1 - own << 4 | REST
