# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What the drop search proves by static rules, against the exact solver; and the rules themselves, written out again
over sets of cells, against a solver that knows none of them."""

import random

import pytest

from engine.position import new_position
from engine.search import Search
from engine.variation import make
from tools.solver import RULES, Solver

FEW_RULES = RULES["table"] | RULES["order"]  # no static rule at all
COUNTS = {"five": (20, 27, 1200), "classic": (22, 33, 600)}


def open_positions(variation, low, high, count, seed, paired=0.0):
    """``count`` positions of ``low`` to ``high`` discs by lot, in which the game is not over; a move stands on the one
    before it with probability ``paired`` at least."""
    lots = random.Random(seed)
    while count:
        position = new_position(variation)
        plies = lots.randint(low, high)
        while position.result is None and position.ply < plies:
            legal = position.legal()
            last = position.moves[position.ply - 1] if position.ply else -1
            position.play(last if last in legal and lots.random() < paired else lots.choice(legal))
        if position.result is None:
            count -= 1
            yield position


@pytest.mark.parametrize("paired", [0.0, 0.8])  # full columns and few live lines: the keys' hard case
@pytest.mark.parametrize("name", COUNTS)
def test_what_the_search_proves_is_true(name, paired):
    low, high, count = (26, 36, 300) if paired else COUNTS[name]
    solver, search = Solver(name, table_mb=64), Search()
    proved = [0, 0]
    for position in open_positions(make(name), low, high, count, 41, paired):
        search.start(position, nodes=3000)
        while not search.step(200):
            pass
        if not search.exact:
            continue
        record = position.moves[: position.ply]
        value = (search.score > 0) - (search.score < 0)
        assert value == solver.value(record), record
        assert solver.values(record)[search.move] == value, record
        proved[position.ply & 1] += 1
    assert min(proved) > 0.3 * count


def lines_within(variation, cells):
    return any(cells.issuperset(line) for line in variation.lines)


def threats(variation, own, cells):
    """The cells of ``cells`` with which ``own`` would complete a line."""
    return {cell for cell in cells if any(cell in line and own >= set(line) - {cell} for line in variation.lines)}


def claims(position):
    """{rule: what it says of the side to move}: 0 it cannot win, -1 it loses. A cell is 6 * column + row; rows 0, 2, 4
    are A, rows 1, 3, 5 are B; a position in which somebody has a cell to complete a line with at once says nothing."""
    variation = position.variation
    board = bytearray(54)
    position.copy_cells(board)
    free = [cell for cell in range(6, 48) if board[cell] == 255]
    side = position.to_move
    mine = {cell for cell in range(54) if board[cell] == side and (variation.sides or 6 <= cell < 48)}
    theirs = {cell for cell in range(54) if board[cell] == 1 - side and (variation.sides or 6 <= cell < 48)}
    nexts = {cell for cell in free if cell % 6 == 0 or board[cell - 1] != 255}
    ends = threats(variation, theirs, free)
    if ends & nexts or threats(variation, mine, nexts):
        return {}
    bottoms = {cell for cell in nexts if cell % 2}
    low = [cell for cell in free if cell % 2 == 0]
    high = [cell for cell in free if cell % 2]

    def above(cells):
        return {other for cell in cells for other in range(cell + 1, cell // 6 * 6 + 6)}

    reach = mine | set(low) - above({cell for cell in ends if cell % 2})
    said = {}
    if len(free) % 2 == 0:
        if not lines_within(variation, reach | bottoms):
            said["even, cannot win"] = 0
            if lines_within(variation, theirs | set(high) - bottoms):
                said["even, loses"] = -1
    else:
        for end in ends:
            column = set(range(end // 6 * 6, end // 6 * 6 + 6))
            if end % 2 == 0 and not any(other in ends and other % 2 == 0 and other < end for other in column):
                within = reach - (column - mine) | bottoms - column | nexts & column
                if not lines_within(variation, within | {cell for cell in high if cell in column and cell < end}):
                    said["odd, loses"] = -1
        for bottom in bottoms:
            column = set(range(bottom // 6 * 6, bottom // 6 * 6 + 6))
            if not lines_within(variation, reach - (column - mine) | set(high)):
                said["odd, cannot win"] = 0
    return said


@pytest.mark.parametrize("name", COUNTS)
def test_the_rules_hold_where_no_rule_is_known(name):
    solver = Solver(name, table_mb=64, rules=FEW_RULES)
    seen = {}
    low, high = (27, 36) if name == "five" else (26, 36)
    for position in open_positions(make(name), low, high, 6000, 42):
        record = position.moves[: position.ply]
        for rule, value in claims(position).items():
            seen[rule] = seen.get(rule, 0) + 1
            assert solver.value(record) <= value, (rule, record)
    rules = ("even, cannot win", "even, loses", "odd, loses", "odd, cannot win")
    assert min([seen.get(rule, 0) for rule in rules]) > (100 if name == "five" else 0), (
        seen
    )  # the last is rare in classic
