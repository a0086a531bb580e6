# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The exact solver: against brute force, with its static rules off, on solved positions; strategies; the command."""

import argparse
import csv
import json
import random
from pathlib import Path

import pytest

from engine.position import new_position
from engine.variation import DRAW, make
from tools import solve
from tools.__main__ import main

pytest.importorskip("cffi", reason="the solver's packages come with its first use: python3 -m tools solve 4")
from tools.solver import RULES, RULES_ALL, BuildError, NodeLimit, Solver, TableTooLarge  # noqa: E402
from tools.solver.net import Net, pack  # noqa: E402
from tools.solver.strategy import Strategy, StrategyError, walk  # noqa: E402

try:
    Solver("five", table_mb=16)
except BuildError as error:
    pytest.skip("the solver can't be built here: %s" % error, allow_module_level=True)

POSITIONS = Path(__file__).parents[2] / "shared" / "positions" / "five.csv"
ROOT = Path(__file__).parents[1]


def brute_force(position, alpha=-1, beta=1):
    """1, 0 or -1 for the side to move, by plain alpha-beta over the rules alone."""
    if position.result is not None:
        return 0 if position.result == DRAW else 1 if position.result == position.to_move else -1
    best = -1
    for move in position.legal():
        position.play(move)
        best = max(best, -brute_force(position, -beta, -max(alpha, best)))
        position.undo()
        if best >= beta:
            break
    return best


def late_positions(name, ply, count, seed):
    """Random open positions of ``ply`` plies, as lists of moves."""
    rng = random.Random(seed)
    variation = make(name)
    while count:
        position = new_position(variation)
        while position.result is None and position.ply < ply:
            position.play(rng.choice(position.legal()))
        if position.result is None:
            count -= 1
            yield list(position.moves[:ply])


@pytest.mark.parametrize("name, ply", [("five", 33), ("five", 34), ("classic", 32), ("classic", 33), ("small", 21)])
def test_late_positions_have_the_values_of_brute_force(name, ply):
    solver = Solver(name, table_mb=16)
    positions = list(late_positions(name, ply, 400, ply))
    answers = solver.values_many(positions)
    seen = set()
    for moves, (value, values) in zip(positions, answers):
        position = new_position(make(name))
        for move in moves:
            position.play(move)
        assert value == brute_force(position)
        for column, one in enumerate(values):
            assert (one is None) == (not position.is_legal(column))
            if one is not None:
                position.play(column)
                assert one == -brute_force(position) if position.result is None else True
                position.undo()
        seen.add(value)
    assert seen == {1, 0, -1}


@pytest.mark.parametrize("rule", [*RULES, "all of them"])
def test_answers_do_not_depend_on_a_static_rule(rule):
    plain = RULES_ALL & ~RULES[rule] if rule in RULES else RULES["table"]
    for name in ("five", "classic"):
        positions = list(late_positions(name, 26, 60, 7))
        assert Solver(name, table_mb=16).values_many(positions) == Solver(name, 16, plain).values_many(positions)


@pytest.mark.skipif(not POSITIONS.exists(), reason="../shared/positions/five.csv is not there")
def test_solved_positions_keep_their_values():
    solver = Solver("five", table_mb=64)
    with POSITIONS.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if int(row["ply"]) >= 16]
    for row in rows[::3]:
        assert solver.value(row["moves"]) == int(row["value"])
        values = solver.values(row["moves"])
        assert "".join({1: "+", 0: "=", -1: "-", None: "."}[v] for v in values) == row["by_move"]


def test_sharp_positions_have_a_single_move():
    solver = Solver("five", table_mb=64)
    assert solver.values("5254252425") == [-1, 0, -1, -1, -1, -1, -1]
    assert solver.values("442336634144") == [0, 0, 0, 0, 0, 0, 1]
    assert solver.distance("442336634144") == 27


def test_classic_is_not_won_by_the_side_columns():
    """Published (Allis 1988): only d wins for the first player (d itself takes 108 million nodes)."""
    solver = Solver("classic", table_mb=64)
    assert not solver.can_force("a", 0) and not solver.can_force("c", 0)
    assert not solver.can_force("g", 0) and not solver.can_force("e", 0)


def test_the_distance_is_that_of_best_play():
    solver = Solver("classic", table_mb=16)
    for moves in list(late_positions("classic", 34, 60, 3)):
        plies = solver.distance(moves)
        value = solver.value(moves)
        assert (plies is None) == (value == 0)
        if plies:
            assert plies % 2 == (value > 0)
            after = [solver.distance([*moves, c]) for c, v in enumerate(solver.values(moves)) if v == value]
            assert plies == 1 + (min(after) if value > 0 else max(after))


def test_the_distance_does_not_hang_on_what_was_asked_before():
    """A losing try of one side leads to positions that the other side wins: the table keeps the two apart."""
    record = "dbfffddbbddbbdeebaaae"
    alone = Solver("five", table_mb=16).distance(record[:19])
    solver = Solver("five", table_mb=32)
    assert [solver.distance(record[:plies]) for plies in (21, 20, 19)] == [17, 7, alone] == [17, 7, 19]


def test_yellow_holds_the_draw_by_one_sentence():
    report = walk(Strategy.read(ROOT / "tools" / "solver" / "yellow.json"))
    assert report.holds and (report.replies, report.drawn, report.won) == (44020, 12, 0)


def test_red_holds_the_draw_by_a_rule_with_exceptions_and_the_exact_endgame():
    """Every reply up to 18 discs; what is there with 20 is asked of the solver."""
    strategy = Strategy.read(ROOT / "tools" / "solver" / "red.json")
    report = walk(strategy)
    assert report.holds and report.leaves == 72610
    assert (ROOT / "tools" / "solver" / "red.bin").stat().st_size < 20000
    strategy.net = None
    assert not walk(strategy, 12).holds  # the exceptions are needed


def test_a_net_gives_back_its_entries_and_nothing_else():
    rng = random.Random(5)
    codes = list({tuple(rng.randrange(1, 128) for _ in range(7)) for _ in range(6000)})
    exceptions = {one: rng.randrange(7) for one in codes[:3000]}
    packed = pack(exceptions, codes[3000:], 18)
    net = Net(packed)
    assert len(packed) < 10000 and all(net.column(one, 18) == column for one, column in exceptions.items())
    assert all(net.column(one, 18) == -1 for one in codes[3000:])
    assert net.column(codes[0], 20) == -1
    for damaged in (packed[:-1], packed[:600] + b"?" + packed[601:], b"FNET"):
        with pytest.raises(ValueError):
            Net(damaged)


def test_the_command_compares_with_a_file_of_positions(tmp_path, capsys):
    file = tmp_path / "positions.csv"
    file.write_text("moves,value,by_move\n442336634144,1,======+\n5254252425,0,-=-----\n5254252425,0,-=--=--\n")
    assert main(["solve", "--check", str(file), "--table-mb", "64"]) == 1
    out = capsys.readouterr().out
    assert "5254252425: the file says -=--=--, the solver -=-----" in out and "3 positions, 1 differ" in out


def test_a_strategy_that_loses_is_told():
    strategy = Strategy({"variation": "five", "side": "yellow", "rows": [{"play": "same"}, {"play": "a"}]})
    report = walk(strategy, 24)
    assert not report.holds
    with pytest.raises(StrategyError, match="row 1"):
        Strategy({"variation": "five", "side": "red", "rows": [{"play": "x"}]})


def test_too_much_memory_and_too_many_nodes_are_said():
    with pytest.raises(TableTooLarge, match="--table-mb"):
        Solver("five", table_mb=1 << 24)
    with pytest.raises(NodeLimit, match="not known after 10 nodes"):
        Solver("five", table_mb=16, node_limit=10).value("4")


def test_the_command_answers_in_order_and_takes_up_where_it_stopped(tmp_path, capsys):
    kept = tmp_path / "answers.jsonl"
    records = ["5254252425 2 5 3 3 3 3", "d d x", "[classic pop] a", "[small] a a b b"]
    arguments = ["solve", *records, "--json", "--table-mb", "16", "--resume", str(kept)]
    assert main(arguments) == 1
    first = capsys.readouterr().out
    rows = [json.loads(row) for row in first.splitlines()]
    assert [row.get("value", "error") for row in rows] == [rows[0]["value"], "error", "error", rows[3]["value"]]
    assert rows[1]["index"] == 2 and "without pops" in rows[2]["error"]
    assert len(kept.read_text().splitlines()) == 2
    assert main(arguments) == 1
    assert capsys.readouterr().out == first and len(kept.read_text().splitlines()) == 2
    assert main(["solve"]) == 2


def test_what_takes_too_long_is_given_up_move_by_move(capsys):
    """Random bytes may hold a record of two moves; nobody waits for hours unasked."""
    arguments = ["solve", "525425242525", "--table-mb", "19", "--node-limit"]  # a table that no other test has filled
    assert main([*arguments, "3000"]) == 0
    out = capsys.readouterr().out
    assert ": win   a? b+ c? d? e? f? g?" in out and "not known (--node-limit)" in out
    assert main([*arguments, "3000", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], found["by_move"], found["values"]) == (1, "?+?????", None)
    assert main([*arguments, "0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["by_move"] == "=+=====" and found["values"] == [0, 1, 0, 0, 0, 0, 0]
    assert main(["solve", "d", "--table-mb", "16", "--node-limit", "1000"]) == 0
    assert "d: not known after 1001 nodes" in capsys.readouterr().out
    parsed = argparse.ArgumentParser()
    solve.add_arguments(parsed)
    args = parsed.parse_args(["d"])
    assert solve.wrong(args) is None and args.node_limit == solve.NODE_LIMIT > 50000000


def test_a_game_that_is_over_has_no_moves_to_judge(capsys):
    assert main(["solve", "d a d a d a d a d", "--table-mb", "16"]) == 0
    assert "loss   a. b. c. d. e. f. g.   0 nodes" in capsys.readouterr().out


def test_an_answer_that_is_not_whole_is_asked_for_again(tmp_path, capsys):
    kept = tmp_path / "answers.jsonl"
    arguments = ["solve", "525425242525", "--table-mb", "16", "--resume", str(kept)]
    for more in (["--node-limit", "3000"], [], ["--distance"], ["--distance"]):
        assert main([*arguments, *more]) == 0
    assert len(kept.read_text().splitlines()) == 3  # the last one was known
    assert capsys.readouterr().out.splitlines()[-1].endswith("plies to the end")


WRONG = {
    ("--strategy", "x.json", "--distance"): "--distance is for game records",
    ("--strategy", "x.json", "--node-limit", "5"): "--node-limit is for records and --check",
    ("--check", "x.csv", "--resume", "x"): "--resume is for game records",
    ("--check", "x.csv", "--json"): "--json is for records and --strategy",
    ("d", "--to-ply", "0"): "--to-ply is for --strategy",
}


@pytest.mark.parametrize("arguments", WRONG)
def test_an_option_that_would_not_be_obeyed_is_refused(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        main(["solve", *arguments])
    assert end.value.code == 2 and WRONG[arguments] in capsys.readouterr().err


def test_a_bad_record_is_told_without_what_a_terminal_would_obey(capsys):
    assert main(["solve", "d\x1b[31md\r\u202e\n", "--table-mb", "16"]) == 1
    out = capsys.readouterr().out
    assert out.count("\n") == 1 and out[:-1].isprintable() and "d\\x1b[31md\\r\\u202e: " in out
