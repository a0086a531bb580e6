# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The variations: one row of data each, and the lines that follow from it.

Cells are numbered as the LEDs lie: ``cell = 6 * column + row``, column 0 .. 8 from the left, row 0 .. 5 from below.
The free columns a .. g are LED columns 1 .. 7 in every variation::

    row 5   5  11  17  23  29  35  41  47  53
    ...
    row 1   1   7  13  19  25  31  37  43  49
    row 0   0   6  12  18  24  30  36  42  48
           (0)  a   b   c   d   e   f   g  (8)     (0) and (8): the side columns of `five`, status elsewhere
"""

from engine.lots import Lots
from engine.moves import KINDS

RED, YELLOW, GREEN, DRAW = 0, 1, 2, 3  # colours in the order of play; DRAW is a result only
COLUMNS, ROWS, FIRST = 9, 6, 1  # the LED matrix, and the LED column of column a
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))  # (columns, rows): right, up, rising, falling

# name, rows, free columns, line length, side discs, pops (0 none, 1 an option, 2 always), edges joined, a line loses,
# stones, plies by lot, colours, seats, discs to collect, class in engine/extras.py for moves beyond drop and pop.
# `popout` and `random` are classic with that option on; five takes both options as well.
_TABLE = (
    ("five", 6, 7, 5, 1, 1, 0, 0, 0, 0, 2, 2, 0, ""),
    ("classic", 6, 7, 4, 0, 1, 0, 0, 0, 0, 2, 2, 0, ""),
    ("popout", 6, 7, 4, 0, 2, 0, 0, 0, 0, 2, 2, 0, ""),
    ("small", 5, 6, 4, 0, 1, 0, 0, 0, 0, 2, 2, 0, ""),
    ("misere", 6, 7, 4, 0, 1, 0, 1, 0, 0, 2, 2, 0, ""),
    ("cylinder", 6, 7, 4, 0, 1, 1, 0, 0, 0, 2, 2, 0, ""),
    ("obstacles", 6, 7, 4, 0, 0, 0, 0, 3, 0, 2, 2, 0, ""),
    ("random", 6, 7, 4, 0, 1, 0, 0, 0, 4, 2, 2, 0, ""),
    ("three", 6, 7, 4, 0, 0, 0, 0, 0, 0, 3, 3, 0, ""),
    ("teams", 6, 7, 4, 0, 1, 0, 0, 0, 0, 2, 4, 0, ""),
    ("pop10", 6, 7, 4, 0, 2, 0, 0, 0, 0, 2, 2, 10, "PopTen"),
    ("powerup", 6, 7, 4, 0, 0, 0, 0, 0, 0, 2, 2, 0, "PowerUp"),
)
NAMES = tuple([row[0] for row in _TABLE])
POP_BOTH = ("mover", "draw", "other")  # who wins when a pop leaves lines of both colours
POP_PLIES = 200  # a game with pops ends here (RULES.md, ours)


class Variation:
    """What the rules need to know of one game; made by :func:`make`, never changed afterwards.

    ``rows``, ``free``: the free columns' height and number. ``left``, ``width``: the LED columns of the grid.
    ``need``: length of a line. ``sides``: 1 where the two outer columns stand full of discs that count.
    ``stones``: tuple of blocked cells. ``opening``: plies drawn by lot. ``max_plies``: 0, or the ply that ends
    the game. ``capacity``: discs that fit the free columns. ``moves``: tuple of every move that may ever be legal.
    ``collect``: discs to collect, 0 where a line decides. ``line_cells``: bytes, ``need`` cells for each of the
    ``line_count`` lines, each line once, from left to right and upwards, none through a stone.
    """

    def __init__(self, row, pop, seed, mirror, pop_both, random):
        (self.name, self.rows, self.free, self.need, self.sides, _, self.wrap, self.misere, stones, opening,
         self.colours, self.seats, self.collect, self.extra) = row  # fmt: skip
        self.always_pops = row[5] == 2
        self.pop, self.mirror, self.pop_both, self.random = pop, mirror, pop_both, random
        self.left = FIRST - self.sides
        self.width = self.free + 2 * self.sides
        self.opening = 4 if random else opening
        self.max_plies = POP_PLIES if pop else 0
        self.draws_lots = bool(stones or self.opening or self.collect)
        self.seed = (seed or 0) if self.draws_lots else None
        self.stones = self._draw_stones(stones)
        self.capacity = self.free * self.rows - stones
        kinds = KINDS[: 2 if pop else 1] if self.extra != "PowerUp" else KINDS[:1] + KINDS[2:]
        self.moves = tuple([kind + i for kind in kinds for i in range(self.free)])
        self.line_cells = self._derive_lines()  # flat: 68 tuples would take seven times the heap
        self.line_count = len(self.line_cells) // self.need

    @property
    def lines(self):
        """The lines one after the other, each a tuple of ``need`` cells."""
        for at in range(0, len(self.line_cells), self.need):
            yield tuple(self.line_cells[at : at + self.need])

    def _draw_stones(self, count):
        """``count`` stones, none in the middle column, each on the floor or on a stone (RULES.md, ours)."""
        lots = Lots(self.seed or 0)
        heights = bytearray(self.free)
        cells = []
        while len(cells) < count:
            i = lots.below(self.free)
            if i != 3:
                cells.append(6 * (FIRST + i) + heights[i])
                heights[i] += 1
        return tuple(cells)

    def neighbour(self, column, row, step):
        """The cell one ``step`` (columns, rows) from LED ``column``, ``row``; -1 off the grid."""
        column += step[0]
        row += step[1]
        if self.wrap:
            column = self.left + (column - self.left) % self.width
        if 0 <= row < self.rows and self.left <= column < self.left + self.width:
            return 6 * column + row
        return -1

    def _derive_lines(self):
        lines = bytearray()
        for column in range(self.left, self.left + self.width):
            for row in range(self.rows):
                for step in DIRECTIONS:
                    cell = 6 * column + row
                    line = bytearray()
                    while cell >= 0 and cell not in self.stones:
                        line.append(cell)
                        if len(line) == self.need:
                            lines.extend(line)
                            break
                        cell = self.neighbour(cell // 6, cell % 6, step)
        return bytes(lines)

    def side_colour(self, cell):
        """Colour of a disc in a full side column: Red at the bottom left, alternating, ends of a row opposite."""
        return (cell % 6 + (1 if cell >= 48 else 0) + self.mirror) & 1

    def header(self):
        """The header of a record that makes it replayable, such as ``[five pop]``."""
        words = [self.name]
        if self.pop and not self.always_pops:
            words.append("pop")
        if self.random:
            words.append("random")
        if self.draws_lots:
            words.append("seed=%d" % self.seed)
        if self.mirror:
            words.append("mirror=1")
        if self.pop and self.pop_both != "mover":
            words.append("pop_both=" + self.pop_both)
        return "[" + " ".join(words) + "]"


def make(name, pop=False, seed=None, mirror=False, pop_both="mover", random=False):
    """The variation ``name`` (one of ``NAMES``) with its options.

    ``pop``: discs may be popped. ``seed``: 0 .. 2**30 - 1, for variations that draw lots (others take none).
    ``mirror``: five's side columns mirrored. ``pop_both``: one of ``POP_BOTH``. ``random``: the first four plies
    by lot (five, classic). Raises ValueError with one clear line for anything that makes no sense.
    """
    if name not in NAMES:
        raise ValueError("unknown variation '%s': choose from %s" % (name, ", ".join(NAMES)))
    row = _TABLE[NAMES.index(name)]
    if pop and not row[5]:
        raise ValueError("%s has no pops: leave pop out, or play five, classic, small, misere or cylinder" % name)
    if pop_both not in POP_BOTH:
        raise ValueError("pop_both '%s' is unknown: choose from %s" % (pop_both, ", ".join(POP_BOTH)))
    if mirror and not row[4]:
        raise ValueError("%s has no side discs to mirror: leave mirror out" % name)
    if random and name not in ("five", "classic"):
        raise ValueError("the random opening goes with five and classic, not with %s" % name)
    if seed is not None:
        Lots(seed)  # raises on a seed that is none
        if not (row[8] or row[9] or row[12] or random):
            raise ValueError("%s draws no lots: leave the seed out" % name)
    return Variation(row, bool(pop) or row[5] == 2, seed, 1 if mirror else 0, pop_both, bool(random))
