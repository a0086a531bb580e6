# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The search where discs are popped: from any position of any such game it ends, within its budget, on every
interpreter alike, allocates nothing; and what it calls won is won. ``FIVE_POP_GAMES=N`` plays N games of each."""

import argparse
import ast
import os
import random

import pytest

from engine import search_pop
from engine.notation import record, replay
from engine.position import new_position
from engine.search import SLICE_NODES, Search
from engine.search_pop_tables import tables
from engine.search_tables import words
from engine.variation import DRAW, FIRST, RED, YELLOW, make
from tests.test_micropython_engine import SILENT, THINK, cpython_thinks
from tools import tune_pop
from tools.environment import ROOT

GAMES = int(os.environ.get("FIVE_POP_GAMES", "40"))
ROWS = [("five", {}), ("five", {"pop_both": "draw"}), ("five", {"pop_both": "other"}), ("five", {"mirror": True})]
ROWS += [(name, {}) for name in ("classic", "small", "misere", "cylinder", "teams")]
ROWS += [("misere", {"pop_both": "other"}), ("random", {"seed": 5})]
BUDGET = 60
IDS = [name + "".join("-%s" % value for value in options.values()) for name, options in ROWS]


def games(name, options, count, lasting=0.0):
    """``count`` open positions, each from a game of its own by lot; ``lasting``: how often a move that ends it is
    taken back, so that full grids, repetitions and the last plies come up."""
    lots = random.Random(len(name) + count)
    variation = make(name, pop=True, **options)
    while count:
        position = new_position(variation)
        plies = lots.randrange(200 if lots.random() < lasting else 40)
        tries = 0
        while position.ply < plies and tries < 600:
            tries += 1
            position.play(lots.choice(position.legal()))
            if position.result is not None:
                position.undo()
        count -= 1
        yield position


@pytest.mark.parametrize(("name", "options"), ROWS, ids=IDS)
def test_a_search_from_any_position_ends_within_its_budget_with_a_legal_move(name, options):
    search = Search(2048)
    for position in games(name, options, GAMES, 0.3):
        search.start(position, 6, seed=position.ply, nodes=BUDGET)
        while not search.step(SLICE_NODES):
            assert position.is_legal(search.move)
        assert position.is_legal(search.move)
        # two plies are looked at whatever they take: 1 + 14 + 14 * 14 positions at most, and the threats behind them
        assert search.nodes <= BUDGET or search.depth <= 2
        assert -1000 < search.score < 1000


@pytest.mark.parametrize(("name", "options"), ROWS, ids=IDS)
def test_what_is_called_won_is_won(name, options):
    """What it proves to end within four plies, going through all moves finds, and no sooner."""

    def value(position, plies):
        """1, -1 for the side to move where it wins or loses within ``plies``, else 0."""
        if position.result is not None:
            return 0 if position.result > 1 else 1 if position.result == position.to_move else -1
        if not plies:
            return 0
        best = -1
        for move in position.legal():
            position.play(move)
            best = max(best, -value(position, plies - 1))
            position.undo()
            if best == 1:
                break
        return best

    search = Search(2048)
    checked = 0
    for position in games(name, options, 4 * GAMES, 0.2):
        search.start(position, 6, nodes=400)
        while not search.step(SLICE_NODES):
            pass
        plies = 1000 - abs(search.score)
        if plies <= 4 and search.exact:
            checked += 1
            assert value(position, plies) == (1 if search.score > 0 else -1), record(position)
            assert value(position, plies - 1) == 0, record(position)
    assert checked > GAMES // 2


def tasks(count):
    found = []
    for name, options in ROWS:
        found += [(record(position), 6, 80) for position in games(name, options, count, 0.3)]
    return found


def test_all_interpreters_think_the_same(unix, wasm):
    chosen = tasks(max(3, GAMES // 20))
    expected = cpython_thinks(chosen)
    code = "\n".join("think(*%r)" % (task,) for task in chosen)
    assert unix.run(THINK + code).splitlines() == expected
    out = wasm.run(THINK, *["think(*%r)" % (task,) for task in chosen])
    assert [text.strip() for text in out[1:]] == expected


def test_nothing_is_allocated_while_searching(wasm):
    chosen = tasks(max(2, GAMES // 20))
    outputs = wasm.run(SILENT, *["print(*taken(%r))" % text for text, _, _ in chosen])
    assert outputs[1:] == ["0 0 True\n"] * len(chosen)


def test_no_three_names_are_assigned_at_once_while_searching():
    """The chip's interpreter makes a tuple of three values first; the 32-bit one on the desktop does not."""
    for node in ast.walk(ast.parse((ROOT / "engine" / "search_pop.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name not in ("__init__", "worker"):
            for part in ast.walk(node):
                if isinstance(part, ast.Assign) and isinstance(part.value, ast.Tuple):
                    assert len(part.value.elts) < 3, "line %d" % part.lineno


def test_a_game_with_pops_holds_no_more_than_one_without(wasm):
    code = """
from engine.notation import parse_header
from engine.position import new_position
from engine.search import Search
search = Search()
search.start(new_position(parse_header(%r)))
while search.making:
    search.step(2)
"""
    held = [wasm.held(code % name) for name in ("five pop", "five")]
    assert held[0] <= held[1]


def test_a_search_ends_alike_in_slices_of_any_size():
    search = Search()
    for name, options in ROWS[::3]:
        for position in games(name, options, 4, 0.3):
            found = set()
            for units in (2, 7, 1000):
                search.start(position, nodes=300)
                while not search.step(units):
                    pass
                found.add((search.move, search.score, search.exact, search.depth, search.nodes))
            assert len(found) == 1, found


@pytest.mark.parametrize("name", ["five", "classic", "small", "misere", "cylinder"])
def test_the_tables_tell_what_completes_a_line(name):
    v = make(name, pop=True)
    work = search_pop.Work(v, [], [], [], [])
    for _ in tables(work, v, search_pop._CELLS):
        pass
    lots = random.Random(7)
    free = [cell for cell in range(6 * FIRST, 6 * (FIRST + v.free)) if cell % 6 < v.rows]
    lines = [set(line) for line in v.lines if line[0] // 6 != line[1] // 6]
    seen = 0
    for _ in range(300):
        own = set(lots.sample(sorted(set().union(*lines)), lots.randrange(4, 30)))
        missing = [line - own for line in lines]
        expected = words({cell for cells in missing for cell in cells if len(cells) == 1} & set(free))
        a, b = words(own)
        wa = wb = 0
        for ma, mb in work.runs:
            x = work.ends[(a & ma | b & mb) % 511] * search_pop._COLUMN
            wa |= x & ma
            wb |= x & mb
        assert (wa, wb) == expected
        seen += expected != (0, 0)
    assert seen > 100
    for cell in free:  # after a drop only the runs through its cell are looked at
        column, row = divmod(cell, 6)
        masks = [work.run[row], work.run[6 + column + row], work.run[25 + column - row]]
        for line in lines:
            x, y = words(line)
            assert cell not in line or (x, y) in [(x & ma, y & mb) for ma, mb in masks]
    for height in range(v.rows):  # columns by their number
        for red in range(1 << height):
            discs = [RED if red >> row & 1 else YELLOW for row in range(height)]
            top = set(discs[1 - v.need :]) if height >= v.need - 1 else set()
            ends = 0 if len(top) != 1 else 1 if top == {RED} else 512
            assert work.shapes[red | 1 << height] == height | ends << 4


def test_only_a_third_repetition_saves():
    # Red wins at b and f, but both sides pop and put back a disc in a and g instead; Yellow is to put back
    search = Search()
    start, cycle = "[classic pop] a g c c d d e e ", "a- g- a g "
    for text, score in ((start + "a- g- a", 2 - 1000), (start + cycle + "a- g- a", 0)):
        position = replay(text)
        search.start(position, 6, nodes=400)
        while not search.step(SLICE_NODES):
            pass
        assert search.score == score
    assert search.move == 6
    position.play(search.move)
    assert position.result == DRAW


def test_weights_are_tried_in_matches_and_left_as_they_were(capsys):
    kept = tune_pop.weights()
    variation = make("small", pop=True)
    assert tune_pop.match(kept, kept, variation, 4, 20, 1) == 0.5  # each opening twice, with colours exchanged
    turned = dict(kept, _CELLS=tuple([-n for n in kept["_CELLS"]]))
    assert tune_pop.match(turned, kept, make("five", pop=True), 20, 60, 1) < 0.4
    lines = []
    found = tune_pop.climb(kept, variation, 2, 2, 10, 3, lines.append)
    assert len(lines) == 2 and set(found) == set(kept) and tune_pop.weights() == kept
    arguments = argparse.Namespace(variation="obstacles", tries=1, games=2, nodes=10, seed=1)
    assert tune_pop.run(arguments) == 2 and "obstacles has no pops" in capsys.readouterr().err
