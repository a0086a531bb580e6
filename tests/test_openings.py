# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Openings by lot: the same from a seed everywhere, fair, and in five an exact draw; the command that sees to it."""

import argparse
import shutil

import pytest

from engine import opening
from engine.notation import replay
from engine.position import new_position
from engine.search import Search
from engine.variation import DRAW, make
from tools import openings, options

KNOWN = openings.read_values()
GROUPS = openings.records()
NAME_OF = {same: name for name in GROUPS for same in GROUPS[name]}


def drawn(name, seed, **others):
    return options.opening(make(name, seed=seed, **others), Search())


def letters(moves, mirror=False):
    return "".join("abcdefg"[6 - move if mirror else move] for move in moves)


def test_there_are_1120_positions_after_2401_openings():
    assert len(GROUPS) == 1120 and sum(map(len, GROUPS.values())) == 7**4
    assert GROUPS["cbdg"] == ["cbdg", "cgdb", "dbcg", "dgcb"] and "cddd" in GROUPS
    for name in list(GROUPS)[::50]:
        assert {replay(same).key() for same in GROUPS[name]} == {replay(name).key()}
    assert len({replay(name).key() for name in GROUPS}) == 1120


def test_the_table_on_the_board_is_made_of_the_solvers_answers():
    assert opening._FAIR.decode() == openings.table(KNOWN)
    fair = {name for name in NAME_OF if opening.is_fair(["abcdefg".index(letter) for letter in name], 0)}
    assert fair == {name for name in NAME_OF if KNOWN.get(NAME_OF[name]) == 0} and len(fair) > 100


@pytest.mark.parametrize("mirror", [0, 1])
def test_every_seed_of_five_draws_an_exact_draw(mirror):
    found = [letters(drawn("five", seed, random=True, mirror=mirror), mirror) for seed in range(400)]
    assert {KNOWN[NAME_OF[name]] for name in found} == {0}
    assert len(set(found)) > 80


def test_what_the_solver_says_of_some_of_them():
    """The cheapest, as it stands and mirrored."""
    module = pytest.importorskip("tools.solver")
    try:
        solver, mirrored = module.Solver("five", 64), module.Solver("five", 64, mirror=True)
    except module.BuildError as error:
        pytest.skip(str(error))
    assert solver.value("dcdd") == mirrored.value("dedd") == KNOWN["dcdd"] == 0
    assert opening.is_fair([3, 2, 3, 3], 0) and opening.is_fair([3, 4, 3, 3], 1)
    assert KNOWN["dadb"] == 1 and not opening.is_fair([3, 0, 3, 1], 0)


def forced_win_within(position, plies):
    """The colour that can force a win within ``plies`` plies, by trying everything; None if none can."""
    if position.result is not None:
        return position.result if position.result != DRAW else None
    if not plies:
        return None
    mover = position.to_move
    outcomes = set()
    for move in position.legal():
        position.play(move)
        outcomes.add(forced_win_within(position, plies - 1))
        position.undo()
        if mover in outcomes:
            return mover
    return outcomes.pop() if len(outcomes) == 1 else None


@pytest.mark.parametrize("name, others", [("random", {}), ("five", {"random": True}), ("random", {"pop": True})])
def test_no_side_can_force_a_win_within_five_plies(name, others):
    found = set()
    for seed in range(6):
        moves = drawn(name, seed, **others)
        assert moves == options.opening(make(name, seed=seed, **others), Search(8192))
        found.add(moves)
        position = new_position(make(name, seed=seed, **others))
        for move in moves:
            position.play(move)
        assert position.ply == 4 and forced_win_within(position, 5) is None
    assert len(found) > 3


DRAW_ON_A_BOARD = """
from engine.notation import parse_header
from engine.opening import draw
from engine.search import Search
for header in ("five random", "five random mirror=1", "five random pop", "random"):
    for seed in (0, 17, 123456789):
        print(header, seed, list(list(draw(parse_header("%s seed=%d" % (header, seed)), Search()))[-1]))
"""


def test_a_seed_draws_the_same_opening_on_every_interpreter(unix, wasm):
    lines = []
    exec(DRAW_ON_A_BOARD, {"print": lambda *words: lines.append(" ".join(map(str, words)))})
    assert len(lines) == 12
    assert unix.run(DRAW_ON_A_BOARD).splitlines() == lines
    assert "".join(wasm.run(DRAW_ON_A_BOARD)).splitlines() == lines


def test_whoever_draws_can_count_on_two_steps_of_work():
    """The scene that draws takes them for the loading of modules."""
    for seed in range(30):
        steps = list(opening.draw(make("five", seed=seed, random=True), None))
        assert len(steps) > 2 and steps[-1] is not None and not any(steps[:-1])


class Instead:
    """A solver whose answers are made up."""

    asked = []

    def __init__(self, variation, table_mb, node_limit=0):
        self.node_limit = node_limit

    def position(self, name):
        return name

    def value(self, name):
        from tools.solver import NodeLimit

        self.asked.append(name)
        if name == "dadd" and self.node_limit and self.node_limit < 500:
            raise NodeLimit(name)
        if name == "dbdd":
            raise KeyboardInterrupt
        return 1 if name == "dddd" else 0


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """The command with its files in a folder of its own and a solver that is asked nothing hard."""
    pytest.importorskip("tools.solver")
    monkeypatch.setattr("tools.solver.Solver", Instead)
    monkeypatch.setattr(Instead, "asked", [])
    monkeypatch.setattr(openings, "VALUES", tmp_path / "values.txt")
    monkeypatch.setattr(openings, "MODULE", tmp_path / "opening.py")
    shutil.copy(opening.__file__, tmp_path / "opening.py")
    return tmp_path


def test_a_build_that_is_stopped_goes_on_where_it_was(workshop, capsys):
    args = argparse.Namespace(node_limit=100, table_mb=16)
    assert openings.build(args) == 0
    assert "the next build goes on here" in capsys.readouterr().err
    asked = list(Instead.asked)
    assert openings.read_values()["dddd"] == 1 and openings.read_values()["dcdd"] == 0 and asked[-1] == "dbdd"
    assert openings.build(args) == 0
    assert Instead.asked[len(asked) :] == ["dbdd"]
    text = (workshop / "opening.py").read_text()
    assert text != open(opening.__file__).read()
    cells = {}
    exec(text, cells)
    assert cells["is_fair"]([3, 2, 3, 3], 0) and not cells["is_fair"]([3, 3, 3, 3], 0)


def test_what_was_given_up_is_asked_again_with_more_nodes(workshop):
    openings.VALUES.write_text(openings.HEAD + "dadd ? 100\ndddd ? 1000\nhello\ndedd\nd", "ascii")
    assert openings.read_values() == {"dadd": "100", "dddd": "1000"}
    openings.build(argparse.Namespace(node_limit=500, table_mb=16))
    assert "dadd" in Instead.asked or Instead.asked[-1] == "dbdd"
    assert "dddd" not in Instead.asked


def test_a_check_tells_what_is_no_draw(workshop, capsys, monkeypatch):
    args = argparse.Namespace(seeds=3, first=5, node_limit=0, table_mb=16)
    assert openings.check(args) == 0
    assert "3 openings: 3 draws, 0 not, 0 given up" in capsys.readouterr().out
    monkeypatch.setattr(Instead, "value", lambda self, name: -1)
    assert openings.check(args) == 1
    assert "seed 5, %s: a loss for Red" % openings.drawn(5) in capsys.readouterr().out
