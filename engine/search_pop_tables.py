# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What the search with pops (search_pop.py) knows of one variation; made once for each variation played."""

from array import array

from engine.search_ends import fill_ends
from engine.variation import FIRST


def tables(work, v, cells):
    """A generator that gives ``work`` what it knows of the variation ``v``, in steps of at most 5 ms of the chip.

    ``rules``: misere; the free columns as bits; the free cells as two words; the last ply. ``pop_both``: 0 where a pop
    that completes lines of both is the other side's win, 1 the mover's, 2 a draw; ``prunes``: whether no drop stops a
    pop that wins. ``ends``: by the columns in which a side has its discs in a run, those in which one more completes a
    line. ``runs``: (mask, mask) of each run, ``level`` of those that are rows; ``run``: of those through a cell, a
    row's at its number, a falling one's at 6 + column + row, a rising one's at 25 + column - row. ``shapes``: by the
    number of a column its height and, in 16ths, 1 where a drop completes an upright line of Red's, 512 of Yellow's.
    ``worth[i]``: by the number of LED column i what it is worth to Red; ``cells``: what a disc is, six from below in
    each column from the outermost in. ``order``: the moves, the middle ones last.
    """
    columns = ((1 << v.free) - 1) << FIRST
    odd = columns | columns << 9
    a = odd | columns << 18
    work.pop_both = ("other", "mover", "draw").index(v.pop_both)
    work.prunes = v.misere or work.pop_both == 1
    work.rules = (v.misere, columns, a, a if v.rows > 5 else odd, v.max_plies)
    ends = work.ends = bytearray(511)
    for _ in fill_ends(v, ends):
        yield
    for _ in _fill_runs(v, work):
        yield
    for _ in _fill_columns(v, work, cells):
        yield
    order = sorted(range(FIRST, FIRST + v.free), key=lambda i: abs(2 * (i - FIRST) - v.free + 1))
    work.order = bytes(reversed(order + [8 + i for i in order]))


def _fill_runs(v, work):
    """``runs``, ``level`` and ``run`` of tables()."""
    found = []
    work.run = []
    for n in range(34):
        yield
        x = y = count = 0
        for row in range(v.rows):
            for column in range(9) if n == row else ((n - 6 - row if n < 20 else n - 25 + row),) if n > 5 else ():
                if v.wrap and n > 5:
                    column = v.left + (column - v.left) % v.width
                if v.left <= column < v.left + v.width:
                    count += 1
                    bit = 1 << 9 * (row >> 1) + column
                    if row & 1:
                        y |= bit
                    else:
                        x |= bit
        pair = (x, y) if count >= v.need else (0, 0)
        if pair in found:
            pair = found[found.index(pair)]
        elif count >= v.need:
            found.append(pair)
        work.run.append(pair)
        if n == 5:
            work.level = tuple(found)
    work.runs = tuple(found)


def _fill_columns(v, work, cells):
    """``shapes`` and ``worth`` of tables()."""
    shapes = work.shapes = array("H", bytes(256))
    shapes[1] = 0
    for code in range(2, 128):
        h = (shapes[code >> 1] & 7) + 1
        shapes[code] = h
        if v.need - 1 <= h < v.rows:
            x = (code ^ 1 << h) >> h - v.need + 1  # the upper discs
            if not x:
                shapes[code] = h | 512 << 4
            elif x == (1 << v.need - 1) - 1:
                shapes[code] = h | 1 << 4
        if not code & 63:
            yield
    worth = []
    for n in range(4):
        table = array("b", bytes(128))
        for code in range(2, 128):
            h = (shapes[code] & 7) - 1
            x = 1 << h
            y = cells[6 * n + h]
            if v.misere != (code & x == 0):
                y = -y
            table[code] = max(-128, min(127, table[x | code & x - 1] + y))  # what lies below, and the disc on top
            if not code & 31:
                yield
        worth.append(table)
    work.worth = [None] * FIRST + [worth[min(i, v.free - 1 - i)] for i in range(v.free)]
