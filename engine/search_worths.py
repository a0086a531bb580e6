# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What positions are worth to the search of two sides that only drop (search_drop.py), made once for a variation."""

# A position is worth to Red the sum over its runs (rows, rising and falling ones) of what the discs in the run are
# worth together, and a value for the kinds of threats that stand. Runs that are alike share their part of the table:
# where the same cells are free, the outer discs the same, and rows of Red's and Yellow's kind come in the same order.
# A place in the table is the middle of the run's part, and 3 ** n for a disc of Red's on the n-th free cell, minus that
# for one of Yellow's: so a drop moves three places. (Upright lines tell nothing: left out, the fit is as good.)
#
# A variation may have a file of worths, fitted to exact values by ``python3 -m tools worths``; others, and where the
# file is damaged, have those that follow from its lines by the numbers below. Whole numbers, little-endian::
#
#     offset  bytes
#     0       4     "WRTH"
#     4       1     version, 1
#     5       1     0
#     6       2     size of the table n
#     8       8     name of the variation, zeros behind it
#     16      2     Fletcher's checksum (modulo 255, both sums from 1) of the bytes from 18 on
#     18      2     0
#     20      32    signed, what threats are worth to Red: with Red to move by their state, then with Yellow to move
#     52      n     signed, within +-31, the table: the parts of the runs in the order of their numbers (`_kind`)
#
# A state is 8 where Red has a cell that completes its line in a row of A with no such cell of Yellow's below it, 4 in
# a row of B, and 2 and 1 for Yellow in the same way.

from array import array

from engine.variation import FIRST

WIN = 64  # what a won position is worth, in a file and here
# What a line is worth to the side that has 0 .. 4 discs on it, the other none: where all the cells that it misses lie
# in rows that this side gets in the end (of A for Red, of B for Yellow), in rows of both kinds, in the other side's.
_LINES = (1, 3, 9, 16, 0, 0, 0, 4, 8, 0, 0, 0, 2, 4, 0)
_STATES = (0, -42, -14, -50, 6, -40, -5, -47, 58, 48, 20, -15, 61, 43, 49, 54)
_STATES += (-24, -56, -29, -58, -13, -49, -15, -55, 45, 29, 8, -13, 56, 47, 43, 0)
LIMIT = 31  # of a run: all of them together stay below what a win is worth to the search
VERSION, HEAD = 1, 52
_AT_ONCE = 256  # bytes read at a time


class Worths:
    """:meth:`append` the runs of the variation ``v``, then :meth:`make`.

    ``table``: array of signed bytes. ``base``: the place of each empty run. ``values``: 32 numbers, what a state is
    worth to Red who has just moved, then to Yellow who has; the side that moved comes first in the state. ``fault``: a
    line on a file that could not be used, else "". ``open_file``: see Search."""

    def __init__(self, v, open_file):
        self.variation = v
        self.open_file = open_file
        self.base = []
        self.table = self.values = None
        self.fault = ""
        self._kinds = {}  # number -> size, then place
        self._runs = []  # (number, cells) of the first run of a kind
        self._of = [[] for _ in range(54)]

    def append(self, rise, cells):
        """A run's cells, in any order; ``rise``: 0 for a row, 1, -1."""
        v = self.variation
        # Mirrored, a row goes from right to left, and slanted runs have changed their names only.
        cells = sorted(cells, key=lambda cell: cell % 6 * 10 + (8 - cell // 6 if v.mirror and not rise else cell // 6))
        kind = 1
        power = 1
        for cell in cells:
            if FIRST <= cell // 6 < FIRST + v.free:
                self._of[cell].append((len(self.base), power))
                power *= 3
                kind *= 3
            else:
                kind = kind * 3 + 1 + v.side_colour(cell)
        kind = kind * 4 + (2 if rise else 0) + (cells[0] & 1)
        if kind not in self._kinds:
            self._kinds[kind] = power
            self._runs.append((kind, cells))
        self.base.append(kind)

    def of(self, cell):
        """What Tables.drops has of a cell: the numbers of three runs, and what Red's disc adds to their places."""
        found = self._of[cell]
        while len(found) < 3:
            found.append((0, 0))
        return [found[i][j] for j in (0, 1) for i in (0, 1, 2)]

    def make(self):
        """A generator, in steps of at most 5 ms of the chip's time."""
        kinds = self._kinds
        size = 0
        for kind in sorted(kinds):
            power = kinds[kind]
            kinds[kind] = size + power // 2
            size += power
        yield
        self.table = array("b", bytes(size))
        for i in range(len(self.base)):
            self.base[i] = kinds[self.base[i]]
        yield
        values = None
        if self.variation.worths and self.open_file:
            values = array("b", bytes(32))
            try:
                for _ in self._read(self.open_file("engine/" + self.variation.worths), values):
                    yield
            except (OSError, ValueError) as error:
                self.fault = "%s: %s; playing without it" % (self.variation.worths, error)
                values = None
                for i in range(size):
                    self.table[i] = 0
                    if not i & 255:
                        yield
        sign = -1 if self.variation.misere else 1
        if not values:
            values = _STATES
            for kind, cells in self._runs:
                for _ in self._fill(kinds[kind], cells, kind & 2):
                    yield
            table = self.table
            for i in range(size):
                worth = table[i]
                if worth > LIMIT:
                    worth = LIMIT
                elif worth < -LIMIT:
                    worth = -LIMIT
                table[i] = sign * worth
                if not i & 127:
                    yield
        self.values = [0] * 32
        for i in range(16):
            self.values[i] = sign * values[16 + i]
            self.values[16 + i] = -sign * values[i >> 2 | (i & 3) << 2]

    def _read(self, read_into, values):
        """The table and ``values`` from a file. Raises ValueError for what is no whole file of this variation."""
        table = memoryview(self.table)
        head = bytearray(HEAD)
        if read_into(0, head) < HEAD or head[:4] != b"WRTH":
            raise ValueError("not a file of worths")
        if head[4] != VERSION:
            raise ValueError("version %d, not %d" % (head[4], VERSION))
        if bytes(head[8:16]).rstrip(b"\0") != self.variation.name.encode():
            raise ValueError("of another variation")
        if head[6] | head[7] << 8 != len(table) or read_into(HEAD + len(table) - 1, bytearray(2)) != 1:
            raise ValueError("cut short, or too long")
        a = b = 1
        for i in range(18, HEAD):
            a = (a + head[i]) % 255
            b = (b + a) % 255
            if i >= 20:
                values[i - 20] = head[i] - (head[i] & 128) * 2
        yield
        for at in range(0, len(table), _AT_ONCE):
            buffer = table[at : at + _AT_ONCE]
            read_into(HEAD + at, buffer)
            for byte in buffer:
                a += byte & 255
                b += a
            a %= 255
            b %= 255
            yield
        if (a, b) != (head[16], head[17]):
            raise ValueError("damaged")

    def _fill(self, middle, cells, rise):
        """A run's part of the table from its lines, each with the discs of one side alone."""
        v, table = self.variation, self.table
        of_ = {}
        for cell in cells:
            if FIRST <= cell // 6 < FIRST + v.free:
                of_[cell] = 3 ** len(of_)
        for start in range(len(cells) if v.wrap and not rise else len(cells) - v.need + 1):
            line = [cells[(start + i) % len(cells)] for i in range(v.need)]
            inner = [cell for cell in line if cell in of_]
            beside = [0]  # whatever stands on the run's other cells
            for cell in cells:
                if cell in of_ and cell not in line:
                    power = of_[cell]
                    for i in range(len(beside)):
                        beside.append(beside[i] + power)
                        beside.append(beside[i] - power)
            for side in (0, 1):
                outer = [v.side_colour(cell) for cell in line if cell not in of_]
                if 1 - side in outer:
                    continue
                for discs in range((1 << len(inner)) - 1):
                    place = middle
                    n = 5 - v.need + len(outer)
                    missing = upper = 0
                    for i in range(len(inner)):
                        if discs >> i & 1:
                            n += 1
                            place += -of_[inner[i]] if side else of_[inner[i]]
                        else:
                            missing += 1
                            upper += inner[i] & 1
                    if upper and upper < missing:
                        n += 5
                    elif upper != missing * side:
                        n += 10
                    worth = -_LINES[n] if side else _LINES[n]
                    if worth:
                        for i in beside:
                            table[place + i] += worth
                    if not discs & 7:
                        yield
