# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The variations: one row of data each, and the lines that follow from it.

Needed only while a variation is made; the board forgets it afterwards.
"""

from engine.lots import Lots
from engine.moves import KINDS
from engine.variation import FIRST, Variation

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))  # (columns, rows): right, up, rising, falling

# name, rows, free columns, line length, side discs, pops (0 none, 1 an option, 2 always), edges joined, a line loses,
# stones, plies by lot, colours, seats, discs to collect, class in engine/extras.py for moves beyond drop and pop,
# files of the book (engine/book.py) and of worths (engine/search_worths.py) for play without pops.
# `popout` and `random` are classic with that option on; five takes both options as well.
_TABLE = (
    ("five", 6, 7, 5, 1, 1, 0, 0, 0, 0, 2, 2, 0, "", "five_book.bin", "five_worths.bin"),
    ("classic", 6, 7, 4, 0, 1, 0, 0, 0, 0, 2, 2, 0, "", "", ""),
    ("popout", 6, 7, 4, 0, 2, 0, 0, 0, 0, 2, 2, 0, "", "", ""),
    ("small", 5, 6, 4, 0, 1, 0, 0, 0, 0, 2, 2, 0, "", "", ""),
    ("misere", 6, 7, 4, 0, 1, 0, 1, 0, 0, 2, 2, 0, "", "", ""),
    ("cylinder", 6, 7, 4, 0, 1, 1, 0, 0, 0, 2, 2, 0, "", "", ""),
    ("obstacles", 6, 7, 4, 0, 0, 0, 0, 3, 0, 2, 2, 0, "", "", ""),
    ("random", 6, 7, 4, 0, 1, 0, 0, 0, 4, 2, 2, 0, "", "", ""),
    ("three", 6, 7, 4, 0, 0, 0, 0, 0, 0, 3, 3, 0, "", "", ""),
    ("teams", 6, 7, 4, 0, 1, 0, 0, 0, 0, 2, 4, 0, "", "", ""),
    ("pop10", 6, 7, 4, 0, 2, 0, 0, 0, 0, 2, 2, 10, "PopTen", "", ""),
    ("powerup", 6, 7, 4, 0, 0, 0, 0, 0, 0, 2, 2, 0, "PowerUp", "", ""),
)
NAMES = tuple([row[0] for row in _TABLE])
POP_BOTH = ("mover", "draw", "other")  # who wins when a pop leaves lines of both colours
POP_PLIES = 200  # a game with pops ends here (ours)


def make(name, pop=False, seed=None, mirror=False, pop_both="mover", random=False):
    """The variation ``name`` (one of ``NAMES``) with its options.

    ``pop``: discs may be popped. ``seed``: 0 .. 2**30 - 1, for variations that draw lots (others take none).
    ``mirror``: five's side columns mirrored. ``pop_both``: one of ``POP_BOTH``. ``random``: the first four plies
    by lot (five, classic). Raises ValueError with one clear line for anything that makes no sense.
    """
    row = _check(name, pop, seed, mirror, pop_both, random)
    v = Variation()
    v.name, v.rows, v.free, v.need, v.sides, pops, v.wrap, v.misere, stones, lots, v.colours, v.seats = row[:12]
    v.collect, v.extra, v.book, v.worths = row[12:]
    v.pop = bool(pop) or pops == 2
    v.mirror = 1 if mirror else 0
    v.pop_both = pop_both
    v.random = bool(random)
    if v.pop:
        v.book = ""
    v.left = FIRST - v.sides
    v.width = v.free + 2 * v.sides
    v.opening = 4 if random else lots
    v.max_plies = POP_PLIES if v.pop else 0
    v.draws_lots = bool(stones or v.opening or v.collect)
    v.seed = (seed or 0) if v.draws_lots else None
    v.stones = _draw_stones(v, stones)
    v.capacity = v.free * v.rows - stones
    kinds = KINDS[: 2 if v.pop else 1] if v.extra != "PowerUp" else KINDS[:1] + KINDS[2:]
    v.moves = tuple([kind + i for kind in kinds for i in range(v.free)])
    v.line_cells = _derive_lines(v)  # flat: 68 tuples would take seven times the heap
    v.line_count = len(v.line_cells) // v.need
    v.head = _header(v, pops)
    return v


def _check(name, pop, seed, mirror, pop_both, random):
    """The row of ``name``. Raises ValueError for options that it has not."""
    if name not in NAMES:
        raise ValueError("unknown variation '%s': choose from %s" % (name, ", ".join(NAMES)))
    row = _TABLE[NAMES.index(name)]
    if pop and not row[5]:
        others = ", ".join([other[0] for other in _TABLE if other[5] == 1])
        raise ValueError("%s has no pops: leave pop out, or play one of %s" % (name, others))
    if pop_both not in POP_BOTH:
        raise ValueError("pop_both '%s' is unknown: choose from %s" % (pop_both, ", ".join(POP_BOTH)))
    if pop_both != "mover" and not pop and row[5] != 2:
        raise ValueError("pop_both is for games with pops, which %s has not here: leave it out" % name)
    if mirror and not row[4]:
        raise ValueError("%s has no side discs to mirror: leave mirror out" % name)
    if random and name not in ("five", "classic"):
        raise ValueError("the random opening goes with five and classic, not with %s" % name)
    if seed is not None:
        Lots(seed)  # raises on a seed that is none
        if not (row[8] or row[9] or row[12] or random):
            raise ValueError("%s draws no lots: leave the seed out" % name)
    return row


def _draw_stones(v, count):
    """``count`` stones, none in the middle column, each on the floor or on a stone (RULES.md, ours)."""
    lots = Lots(v.seed or 0)
    heights = bytearray(v.free)
    cells = []
    while len(cells) < count:
        i = lots.below(v.free)
        if i != 3:
            cells.append(6 * (FIRST + i) + heights[i])
            heights[i] += 1
    return tuple(cells)


def neighbour(v, column, row, step):
    """The cell one ``step`` (columns, rows) from LED ``column``, ``row`` in the Variation ``v``; -1 off its grid."""
    column += step[0]
    row += step[1]
    if v.wrap:
        column = v.left + (column - v.left) % v.width
    if 0 <= row < v.rows and v.left <= column < v.left + v.width:
        return 6 * column + row
    return -1


def _derive_lines(v):
    lines = bytearray()
    for column in range(v.left, v.left + v.width):
        for row in range(v.rows):
            for step in DIRECTIONS:
                cell = 6 * column + row
                line = bytearray()
                while cell >= 0 and cell not in v.stones:
                    line.append(cell)
                    if len(line) == v.need:
                        lines.extend(line)
                        break
                    cell = neighbour(v, cell // 6, cell % 6, step)
    return bytes(lines)


def _header(v, pops):
    words = [v.name]
    if v.pop and pops != 2:
        words.append("pop")
    if v.random:
        words.append("random")
    if v.draws_lots:
        words.append("seed=%d" % v.seed)
    if v.mirror:
        words.append("mirror=1")
    if v.pop and v.pop_both != "mover":
        words.append("pop_both=" + v.pop_both)
    return "[" + " ".join(words) + "]"
