# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What the search knows of one variation, as words and tables; made once for each variation played."""

# The grid lies in two words of 27 bits, split by the parity of the row, because parity decides the end of a game::
#
#     word A: rows 0, 2, 4     word B: rows 1, 3, 5     bit = 9 * (row // 2) + LED column
#
# The cell above a cell of A has the same bit in B, the cell above one of B the bit 9 higher in A. A row, a rising or a
# falling run of cells is ``A & ma | B & mb`` with two masks. No two of its cells stand in one column, so what is left
# of that after a division by 511 (2 ** 9 - 1) are the columns of the run where a side has its discs, and one table
# tells by them which columns would complete a line (5 us on the chip, where walking the lines costs over 100 us).
# A drop is named by its bit: positive in A, negative in B.

from engine.lots import Lots
from engine.search_ends import fill_ends
from engine.variation import FIRST

TOP_BITS = 1 << 27  # the first bit above the grid


def bits(cell):
    """(bit in A, bit in B) of a cell; one of them is 0."""
    row = cell % 6
    bit = 1 << (9 * (row >> 1) + cell // 6)
    return (0, bit) if row & 1 else (bit, 0)


def words(cells):
    """(A, B) of several cells."""
    x = y = 0
    for cell in cells:
        p, q = bits(cell)
        x |= p
        y |= q
    return x, y


class Tables:
    """What the search knows of the variation ``v``, once :meth:`make` is gone through.

    ``ends``: see engine/search_ends.py.
    ``drops[bit]``: what a drop's new threats depend on; which lines of Red and of Yellow live on after it, two words
    each; its three runs' numbers, and what its disc adds to their places in ``worths``, subtracts if it is Yellow's.
    ``worths``, ``base``, ``values``: what the discs in each run are worth, the places of the empty runs, and what
    threats are worth (engine/search_worths.py). ``start``: (A, B) of each side's outer discs. ``lines``: for each side
    the two words of its lines that are live at the start. ``cell_bits[cell]``: the name of a drop on the cell.
    ``fault``: a line on a file of worths that could not be used, else "".
    """

    def __init__(self, v, open_file):
        from engine.search_worths import Worths  # now, while it is loaded

        self.variation = v
        self._worths = Worths(v, open_file)

    def make(self):
        """A generator that fills the tables, in steps of at most 5 ms of the chip's time."""
        v = self.variation
        rows = v.rows
        outer = ([], [])
        if v.sides:
            for row in range(6):
                for cell in (row, 48 + row):
                    outer[v.side_colour(cell)].append(cell)
        self.start = (words(outer[0]), words(outer[1]))
        free = [cell for cell in range(6 * FIRST, 6 * (FIRST + v.free)) if cell % 6 < rows and cell not in v.stones]
        self.free_words = words(free)
        # What stays is made before what is thrown away, so that the heap is left in one piece: these lists are filled
        # at the end.
        self.cell_bits = [0] * 54
        self.drops = {}
        for cell in free:
            za, zb = bits(cell)
            self.drops[za - zb] = [0] * 23
            if cell % 18 == 6:
                yield
        self.ends = bytearray(511)
        for _ in fill_ends(v, self.ends):
            yield
        worths = self._worths
        run_masks = []
        for rise in (0, 1, -1):  # one after the other, since what they need at once is what the heap has to hold
            of = {}
            tracks = []
            for _ in self._tracks(rise, tracks):
                yield
            for cells in tracks:
                mask = words(cells)
                for cell in cells:
                    of[cell] = mask
                yield
                worths.append(rise, cells)
                yield
            run_masks.append(of)
        tracks = None
        for _ in worths.make():
            yield
        self.worths, self.base, self.values, self.fault = worths.table, worths.base, worths.values, worths.fault
        # Lines that can still be made, a bit each.
        self.live = self.line_key = True
        kept = []
        for side in (1, 0):
            for _ in self._line_words(v, outer[side], kept):
                yield
        self.lines = (kept[0][0], kept[1][0])
        for cell in free:
            yield
            r, y = kept[0][1].get(cell, (0, 0)), kept[1][1].get(cell, (0, 0))
            self._fill(v, cell, [of.get(cell, (0, 0)) for of in run_masks], (~r[0], ~r[1], ~y[0], ~y[1]))
            self.drops[self.cell_bits[cell]][17:] = worths.of(cell)

    def _tracks(self, rise, tracks):
        """Adds the cells of the runs in one direction, ring by ring where the edges are joined."""
        track_of = bytearray(54)  # 0: none yet
        count = 0
        for line in self.variation.lines:
            count += 1
            if not count & 15:
                yield
            if line[1] % 6 - line[0] % 6 == rise and line[0] // 6 != line[1] // 6:
                number = 0
                for cell in line:
                    number = number or track_of[cell]
                if not number:
                    tracks.append([])
                    number = len(tracks)
                for cell in line:
                    if not track_of[cell]:
                        track_of[cell] = number
                        tracks[number - 1].append(cell)

    def _fill(self, v, cell, m, own):
        """``drops`` of a cell; ``m``: the masks of its three runs, ``own``: the lines that live on."""
        za, zb = bits(cell)
        q = za - zb
        self.cell_bits[cell] = q
        row = cell % 6
        # P, the next cells: this one leaves, the one above comes; a full column leaves its own spare bit in A,
        # which keeps the key of every position its own.
        if row < v.rows - 1:
            na, nb = bits(cell + 1)
        else:
            column = cell // 6 - FIRST
            na, nb = 1 << (9 * (column >> 1) + 8 * (column & 1)) if column < 6 else TOP_BITS, 0
        va = vb = -1
        if v.need - 1 <= row + 1 <= v.rows - 1:
            va, vb = words([cell - i for i in range(v.need - 1)])
        self.drops[q][:17] = (cell // 6 - FIRST, za, zb, za | na, zb | nb, va, vb) + m[0] + m[1] + m[2] + own

    def _line_words(self, v, theirs, found):
        """Adds ((word, word), {cell: (mask, mask)}) to ``found``: of the lines without a disc in ``theirs``, in an
        order by lot, so that the words mix well in a key. Where they are too many for two words, the upright lines of a
        column share a bit that only their common cells clear: what is called dead is dead, but the words tell no more
        than that.
        """
        groups = []
        for line in v.lines:
            if not [cell for cell in line if cell in theirs]:
                groups.append(line)
                if not len(groups) & 3:
                    yield
        yield
        if len(groups) > 60:
            self.line_key = False
            columns = {}
            for line in groups:
                if line[0] // 6 == line[1] // 6:
                    kept = columns.get(line[0] // 6, line)
                    columns[line[0] // 6] = [cell for cell in line if cell in kept]
            groups = [line for line in groups if line[0] // 6 != line[1] // 6]
            groups.extend(columns.values())
        if len(groups) > 60:
            self.live = False
            found.append(((1, 1), {}))
            return
        yield
        lots = Lots(1)
        for i in range(len(groups) - 1, 0, -1):
            j = lots.below(i + 1)
            groups[i], groups[j] = groups[j], groups[i]
            if not i & 15:
                yield
        kills = {}
        yield
        half = (len(groups) + 1) // 2
        if half > 27:  # the key multiplies the words by up to 8 and stays below 2**30
            self.line_key = False
        for i in range(len(groups)):
            if not i & 7:
                yield
            for cell in groups[i]:
                x, y = kills.get(cell, (0, 0))
                kills[cell] = (x | 1 << i, y) if i < half else (x, y | 1 << (i - half))
        found.append((((1 << half) - 1, (1 << (len(groups) - half)) - 1), kills))
