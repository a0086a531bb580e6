# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The lines that ended a game, for records and analysis. (The board's own result page marks their cells in steps.)"""

from engine.catalogue import DIRECTIONS, neighbour
from engine.variation import DRAW


def winning_lines(position):
    """List of the winner's lines (in misere: of the line that lost), each a tuple of all its cells in a row, at least
    ``need``, from left to right and upwards; empty when no line ended the game."""
    v = position.variation
    if position.result is None or position.result == DRAW or v.collect:
        return []
    colour = 1 - position.result if v.misere else position.result
    found = []
    for step in DIRECTIONS:
        back = (-step[0], -step[1])
        for column in range(v.left, v.left + v.width):
            for row in range(v.rows):
                start = 6 * column + row
                if position.colour(start) != colour:
                    continue
                before = neighbour(v, column, row, back)
                # A run begins where nothing of its colour stands before it; a full ring, at the left edge.
                inside = before >= 0 and position.colour(before) == colour
                if inside and not (step == (1, 0) and column == v.left and _ring(position, row)):
                    continue
                run = [start]
                cell = neighbour(v, column, row, step)
                while cell >= 0 and cell != start and position.colour(cell) == colour:
                    run.append(cell)
                    cell = neighbour(v, cell // 6, cell % 6, step)
                if len(run) >= v.need:
                    found.append(tuple(run))
    return found


def _ring(position, row):
    """Whether the whole ``row`` is one colour on joined edges."""
    v = position.variation
    colours = {position.colour(6 * column + row) for column in range(v.left, v.left + v.width)}
    return bool(v.wrap) and len(colours) == 1
