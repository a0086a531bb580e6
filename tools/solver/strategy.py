# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Strategies as data, and the walk that plays one against every reply.

A strategy is a JSON object:

    name        text
    variation   "five", "classic" or "small"
    side        "red" or "yellow"
    rows        list of objects; the first one that applies gives the move:
        ply     (optional) number of discs on the grid at which the row applies
        after   (optional) where the other side has just played: columns ("cd") or one cell ("c1")
        empty   (optional) a cell that must be empty ("d1")
        play    a column ("d"), or "same" for the column of the move before
      A row whose column is full does not apply.
    exceptions  (optional) name of a file beside this one, in the form of net.py: positions in which another move is
                played, whatever the rows say
    exact_from  (optional) number of discs from which the strategy is exact play by search: a position reached there is
                held if and only if its exact value is at least a draw

What `walk` counts: a position with the strategy's side to move counts once, however it was reached, unless the move
before makes a difference to a row.
"""

import json
import pathlib

from . import Position, Solver
from .net import Net

SIDES = ("red", "yellow")
LETTERS = "abcdefg"
KEYS = {"name", "variation", "side", "rows", "exceptions", "exact_from"}
ROW_KEYS = {"ply", "after", "empty", "play"}


class StrategyError(ValueError):
    """The strategy is no strategy; the text is one line that names the row and the fault."""


class Row:
    """One row: `column(ply, last, height_of)` is the column that it plays, or -1 where it does not apply.

    last: (column, row) of the other side's last disc or None; height: function of a column.
    """

    def __init__(self, data, number, columns, rows):
        def fault(text):
            raise StrategyError(f"row {number}: {text}")

        if not isinstance(data, dict) or "play" not in data or set(data) - ROW_KEYS:
            fault(f"{json.dumps(data)} is no object of play and some of ply, after, empty")
        letters = LETTERS[:columns]

        def cell(text):
            if len(text) != 2 or text[0] not in letters or text[1] not in "123456"[:rows]:
                fault(f"{text!r} is no cell")
            return letters.index(text[0]), int(text[1]) - 1

        self.ply = data.get("ply")
        if self.ply is not None and (not isinstance(self.ply, int) or isinstance(self.ply, bool)):
            fault("ply is no whole number")
        after = data.get("after")
        self.after_cell = self.after_columns = None
        if after is not None:
            if not isinstance(after, str) or not after:
                fault("after is neither columns nor a cell")
            if after[-1].isdigit():
                self.after_cell = cell(after)
            elif set(after) <= set(letters):
                self.after_columns = {letters.index(c) for c in after}
            else:
                fault(f"{after!r} names a column that is not there")
        self.empty = cell(str(data["empty"])) if "empty" in data else None
        play = data["play"]
        if play != "same" and (not isinstance(play, str) or len(play) != 1 or play not in letters):
            fault(f'play {play!r} is neither a column nor "same"')
        self.play = -1 if play == "same" else letters.index(play)
        self.rows = rows

    def column(self, ply, last, height):
        if self.ply is not None and ply != self.ply:
            return -1
        if self.after_cell is not None and last != self.after_cell:
            return -1
        if self.after_columns is not None and (last is None or last[0] not in self.after_columns):
            return -1
        if self.empty is not None and height(self.empty[0]) > self.empty[1]:
            return -1
        column = self.play
        if column < 0:
            if last is None:
                return -1
            column = last[0]
        return column if height(column) < self.rows else -1


class Strategy:
    """A checked strategy. Raises StrategyError for data that is none, OSError where the exceptions cannot be read."""

    def __init__(self, data, folder=None, table_mb=256):
        if not isinstance(data, dict) or set(data) - KEYS or not {"variation", "side", "rows"} <= set(data):
            known = ", ".join(sorted(KEYS))
            raise StrategyError(f"a strategy is an object of {known}; variation, side and rows must be there")
        self.name = str(data.get("name", ""))
        self.variation = data["variation"]
        if data["side"] not in SIDES:
            raise StrategyError(f"side {data['side']!r} is neither red nor yellow")
        self.side = SIDES.index(data["side"])
        try:
            self.solver = Solver(self.variation, table_mb=table_mb)
        except ValueError as error:
            raise StrategyError(str(error)) from None
        if not isinstance(data["rows"], list):
            raise StrategyError("rows is no list")
        self.rows = [Row(row, i + 1, self.solver.columns, self.solver.rows) for i, row in enumerate(data["rows"])]
        self.exact_from = data.get("exact_from")
        self.net = None
        if "exceptions" in data:
            path = pathlib.Path(folder or ".") / data["exceptions"]
            try:
                self.net = Net(path.read_bytes())
            except ValueError as error:
                raise StrategyError(f"{path}: {error}") from None

    @classmethod
    def read(cls, path, table_mb=256):
        """The strategy in a file. Raises StrategyError, OSError."""
        path = pathlib.Path(path)
        try:
            data = json.loads(path.read_text("utf-8"))
        except ValueError as error:
            raise StrategyError(f"{path}: {error}") from None
        return cls(data, path.parent, table_mb)

    def by_rows(self, ply, last, filled):
        """The column that the rows give, or -1."""

        def height(column):
            return self.solver.height(filled, column)

        for row in self.rows:
            column = row.column(ply, last, height)
            if column >= 0:
                return column
        return -1

    def column(self, discs, ply, last):
        """The column to play, or -1 where the strategy has none. discs: [Red's, Yellow's] as in the solver."""
        if self.net is not None:
            column = self.net.column(self.solver.column_codes(*discs), ply)
            if column >= 0:
                return column
        return self.by_rows(ply, last, discs[0] | discs[1])


def shipped(table_mb=16):
    """The two strategies beside this file: Red's and Yellow's. Their solvers share one table."""
    folder = pathlib.Path(__file__).parent
    return [Strategy.read(folder / name, table_mb) for name in ("red.json", "yellow.json")]


def walk(strategy, max_ply=None, choose=None, progress=None):
    """Plays the strategy against every reply; returns a Report.

    max_ply: stop at that number of discs; where the strategy is exact from a ply on, never later than there.
    choose: a function like Strategy.column(discs, ply, last) to play by instead. progress: called with (ply,
    positions).
    """
    solver, side = strategy.solver, strategy.side
    choose = choose or strategy.column
    end = solver.rows * solver.columns
    exact = strategy.exact_from
    stop = end if max_ply is None else min(end, max_ply)
    if exact is not None:
        stop = min(stop, exact)
    report = Report()
    # positions of one ply: (Red's discs, Yellow's) and the last move -> a record that leads there
    level = {(*solver.start, None): ""}
    ends = set()
    for ply in range(stop + 1):
        if not level:
            break
        mover = ply & 1
        if progress:
            progress(ply, len(level))
        if mover == side:
            report.positions += len({key[:2] for key in level})
            report.by_ply[ply] = len({key[:2] for key in level})
        else:
            report.replies += len({key[:2] for key in level})
        if ply == stop:
            if exact is not None and stop == exact:
                for (red, yellow, _), record in level.items():
                    report.leaves += 1
                    position = Position(yellow, red, 1) if mover else Position(red, yellow, 0)
                    if solver.can_force(position, side ^ 1):
                        report.lost.append(record)
            break
        following = {}
        for (red, yellow, last), record in level.items():
            discs = [red, yellow]
            filled = red | yellow
            if mover == side:
                column = choose(discs, ply, last)
                if column < 0 or not solver.disc(filled, column):
                    report.no_move.append(record)
                    continue
                columns = (column,)
            else:
                columns = range(solver.columns)
            for column in columns:
                disc = solver.disc(filled, column)
                if not disc:
                    continue
                after = [red, yellow]
                after[mover] |= disc
                longer = record + LETTERS[column]
                if solver.has_line(after[mover]):
                    if mover == side:
                        report.won += 1
                    else:
                        report.lost.append(longer)
                    continue
                if ply + 1 == end:
                    ends.add(tuple(after))
                    continue
                move = None if mover == side else (column, solver.height(filled, column))
                following.setdefault((after[0], after[1], move), longer)
        level = following
    report.drawn = len(ends)
    return report


class Report:
    """What a walk found.

    positions: with the strategy's side to move, in all and by_ply; replies: with the other side to move. won: lines
    that the strategy's side made; drawn: full grids without one; lost: records in which the other side made its line,
    or, at the ply from which the strategy is exact, positions that are lost; no_move: records that the strategy has no
    move for; leaves: positions whose exact value was asked.
    """

    def __init__(self):
        self.positions = self.replies = self.won = self.drawn = self.leaves = 0
        self.by_ply = {}
        self.lost = []
        self.no_move = []

    @property
    def holds(self):
        return not self.lost and not self.no_move
