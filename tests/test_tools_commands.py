# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""analyse, audit, bench: real commands with what they print beside them."""

import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.search import Search
from tools import analyse, audit, bench, heap, options
from tools.guest import Wasm

ROOT = Path(__file__).resolve().parent.parent
FIELDS = "variation pop moves to_move legal result lines move score depth nodes pv".split()
PUBLIC = ROOT.parent / "shared" / "positions" / "five.csv"


def tools(*arguments, stdin=b"", timeout_s=120):
    """(exit status, standard output as text, standard error as text) of a command."""
    done = subprocess.run(
        [sys.executable, "-m", "tools", *map(str, arguments)],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        timeout=timeout_s,
        env=dict(os.environ, PYTHONUTF8="1"),
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def answers(*arguments, **options):
    status, out, _ = tools("analyse", *arguments, **options)
    return status, [json.loads(line) for line in out.splitlines()]


# analyse


def test_the_start_of_the_game():
    status, (answer,) = answers("", "--nodes", 0)
    assert status == 0
    assert list(answer) == FIELDS
    assert answer == {
        "variation": "five",
        "pop": False,
        "moves": "",
        "to_move": "red",
        "legal": list("abcdefg"),
        "result": None,
        "lines": [],
        "move": None,
        "score": None,
        "depth": None,
        "nodes": 0,
        "pv": None,
    }


def test_a_searched_position_names_a_move_and_its_worth():
    status, (answer,) = answers("5254252425", "--nodes", 500)
    assert status == 0 and list(answer) == FIELDS
    assert answer["moves"] == "e b e d b e b d b e"
    assert answer["move"] in answer["legal"]
    assert answer["pv"][0] == answer["move"]
    assert isinstance(answer["score"], int) and answer["depth"] >= 1 and answer["nodes"] >= 1


def test_a_win_is_a_thousand_less_the_plies_to_it():
    _, (answer,) = answers("[classic] 4 1 4 1 4 1", "--level", 3)
    assert (answer["move"], answer["score"], answer["pv"]) == ("d", 999, ["d"])


def test_a_finished_game_has_lines_and_no_move():
    _, (answer,) = answers("[classic pop] d e d e d e d")
    assert (answer["result"], answer["lines"]) == ("red", [["d1", "d2", "d3", "d4"]])
    assert (answer["legal"], answer["move"], answer["score"]) == ([], None, None)
    assert (answer["depth"], answer["nodes"], answer["pv"]) == (None, 0, None)
    assert (answer["variation"], answer["pop"], answer["to_move"]) == ("classic", True, "yellow")


def test_side_columns_are_written_with_brackets():
    _, (answer,) = answers("d d c c b b a", "--nodes", 0)
    assert (answer["result"], answer["lines"]) == ("red", [["<1", "a1", "b1", "c1", "d1"]])
    _, (answer,) = answers("a d a e a f b g", "--nodes", 0)
    assert (answer["result"], answer["lines"]) == ("yellow", [["d1", "e1", "f1", "g1", ">1"]])


def test_pops_are_legal_where_the_option_or_the_header_has_them():
    for arguments in (("d d", "--pop"), ("[five pop] d d",)):
        _, (answer,) = answers(*arguments, "--nodes", 0)
        assert answer["pop"] is True and answer["legal"] == [*"abcdefg", "d-"]
    _, (answer,) = answers("d d", "--variation", "classic", "--pop", "--nodes", 0)
    assert answer["variation"] == "classic" and "d-" in answer["legal"]


def test_each_variation_is_answered_by_its_own_rules():
    """Colours, the lines of three, misere and cylinder, and what else it takes to replay a game."""
    records = {
        "[three] a b c a b d a b c a": ("red", [["a1", "a2", "a3", "a4"]]),
        "[three] a b c a b c d e c d e c": ("green", [["c1", "c2", "c3", "c4"]]),
        "[misere] a b a b a b a": ("yellow", [["a1", "a2", "a3", "a4"]]),
        "[cylinder] f f g g a a b": ("red", [["f1", "g1", "a1", "b1"]]),
        "[teams pop] a b a b a b a": ("red", [["a1", "a2", "a3", "a4"]]),
        "[small] f f e e d d c": ("red", [["c1", "d1", "e1", "f1"]]),
    }
    status, found = answers(*records, "--nodes", 0)
    assert status == 0
    assert [(answer["result"], answer["lines"]) for answer in found] == list(records.values())
    assert [list(answer) for answer in found] == [FIELDS] * len(found)
    _, found = answers("[three] a b", "[small]", "[pop10 seed=3]", "[obstacles seed=17]", "--nodes", 0)
    assert found[0]["to_move"] == "green"
    assert found[1]["legal"] == list("abcdef")
    assert (found[2]["seed"], found[2]["points"]) == (3, [0, 0])
    assert found[3]["seed"] == 17
    _, (answer,) = answers("d", "--pop", "--mirror", "--pop-both", "draw", "--nodes", 0)
    assert (answer["pop"], answer["mirror"], answer["pop_both"]) == (True, 1, "draw")


@pytest.mark.parametrize("options", [("--variation", "random"), ("--random",), ("--random", "--pop")])
def test_a_game_with_a_drawn_opening_starts_behind_it_and_its_record_holds_it(options):
    _, (start, again) = answers("", "", *options, "--seed", 5, "--nodes", 0)
    assert start == again and start["seed"] == 5 and start["opening"] == start["moves"]
    assert len(start["moves"].split()) == 4 and start["result"] is None
    header = "[%s%s%s seed=5] " % (
        start["variation"],
        " pop" if start["pop"] else "",
        " random" if start.get("random") else "",
    )
    move = next(move for move in start["legal"] if "-" not in move)
    status, (empty, played) = answers(header, header + start["moves"] + " " + move, "--nodes", 0)
    assert status == 0 and empty == start
    assert (played["opening"], played["moves"]) == (start["moves"], start["moves"] + " " + move)
    _, out, _ = tools("play", *options, "--seed", 5, "--two", "--headless", "--keys", "abcdefg".index(move) + 1)
    assert out.strip() == header + played["moves"]  # the board draws the same


BAD = {
    "[classic] d d=": (1, "no such move"),
    "[small] g": (0, "no such column"),
    "[three] d d-": (1, "three has no pops"),
    "[obstacles seed=x] d": (-1, "seed: 'x' is not a whole number"),
    "d d d d d d d": (6, "column d is full"),
    "d d e x": (3, "'x' is no move"),
    "d-": (0, "no pops"),
    "[five pop] d e e-": (2, "no disc of your own"),
    "[classic] d e d e d e d e": (7, "the game is over"),
    "[nonsense] d": (-1, "unknown variation"),
    "[five": (-1, "closing ]"),
    "[five] [classic] d": (0, "'[' is no move"),
    "[obstacles seed=3 seed=4] d": (-1, "'seed' is there twice"),
    "[five pop pop] d": (-1, "'pop' is there twice"),
    "[classic] d d-": (1, "classic has no pops here"),
}


@pytest.mark.parametrize("record", BAD)
def test_a_bad_record_is_told_by_its_move(record):
    index, words = BAD[record]
    status, found = answers(record, "d", "--nodes", 0)
    assert status == 1
    assert list(found[0]) == ["moves", "error", "index"]
    assert (found[0]["moves"], found[0]["index"]) == (record, index)
    assert words in found[0]["error"]
    assert found[1]["moves"] == "d"  # the rest is still answered


def test_lines_of_standard_input_whatever_their_ends_and_bytes():
    status, found = answers("-", "--nodes", 0, stdin=b"\xef\xbb\xbfd d\r\n\n  D1 e\t\n\xff\xfe d\nd\x00\n7")
    assert status == 1
    assert [item.get("moves") for item in found[:3]] == ["d d", "", "d a e"]
    assert [item.get("index") for item in found] == [None, None, None, 0, 1, None]
    assert found[5]["moves"] == "g"


def test_a_very_long_line_is_answered_and_not_repeated_whole():
    status, found = answers("-", "--nodes", 0, stdin=b"4" * 2_000_000 + b"\nd")
    assert status == 1 and found[0]["index"] == 6 and len(found[0]["moves"]) < 2000
    assert found[1]["moves"] == "d"


def test_no_input_is_no_error():
    assert answers("-", stdin=b"") == (0, [])


def test_ten_thousand_records_take_seconds():
    import random

    rng = random.Random(1)
    lines = "\n".join("".join(rng.choice("1234567") for _ in range(30)) for _ in range(10_000))
    began = time.monotonic()
    _, out, _ = tools("analyse", "-", "--nodes", 0, stdin=lines.encode())
    assert out.count("\n") == 10_000
    assert time.monotonic() - began < 30  # some three on an idle desktop core


WRONG = (
    ("--variation", "six", "d"),
    ("--level", "7", "d"),
    ("--level", "no", "d"),
    ("--nodes", "-1", "d"),
    ("--variation", "obstacles", "--pop", "d"),
    ("--seed", "3", "d"),
    ("--seed", "x", "--variation", "random", "d"),
    ("--variation", "three", "--pop", "d"),
    ("--variation", "powerup", "--pop", "d"),
    ("--variation", "small", "--mirror", "d"),
    ("--variation", "misere", "--random", "d"),
    ("--pop-both", "draw", "d"),
    (),
)


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_options_end_with_status_2_and_a_line(arguments):
    status, out, err = tools("analyse", *arguments)
    assert status == 2 and out == "" and err.strip() and "Traceback" not in err
    names = [option.lstrip("-") for option in arguments if option.startswith("--")]
    assert not names or any(name in err.splitlines()[-1] for name in names + [name.replace("-", "_") for name in names])


def test_an_analyst_can_be_asked_thousands_of_variations():
    analyst = analyse.Analyst(None, 1, 0)
    for seed in range(150):
        assert analyst.answer("[obstacles seed=%d] d" % seed)["seed"] == seed


# analyse --exact; the solver is compiled on first use

EXACT = "value by_move exact_nodes reason".split()
needs_solver = pytest.mark.skipif(
    importlib.util.find_spec("cffi") is None, reason="cffi is not installed: python3 -m tools solve installs it"
)


@needs_solver
def test_exact_values_are_added_behind_the_ordinary_fields():
    records = ["442336634144", "[classic] 44334452", "[teams] 44334452", "[small] 112233"]
    status, found = answers("--exact", "--nodes", 0, *records)
    _, plain = answers("--nodes", 0, *records)
    assert status == 0
    for one, other in zip(found, plain):
        assert list(one) == list(other) + EXACT
        assert {name: one[name] for name in other} == other
    assert (found[0]["value"], found[0]["by_move"], found[0]["reason"]) == (1, "======+", None)
    assert found[1]["by_move"] == found[2]["by_move"] and len(found[3]["by_move"]) == 6
    assert found[0]["exact_nodes"] > 0


@needs_solver
def test_exact_values_are_those_of_brute_force_late_in_a_game():
    """Every move of positions with few empty cells, by the rules alone."""

    def value(position):
        if position.result is not None:
            return 0 if position.result == 3 else 1 if position.result == position.to_move else -1
        best = -1
        for move in position.legal():
            position.play(move)
            best = max(best, -value(position))
            position.undo()
        return best

    from engine.notation import replay

    lots = random.Random(4)
    for header in ("", "", "", "[five mirror=1] ", "[classic] "):
        record = ""
        while len(record) != 33:
            position = replay(header)
            while position.result is None and position.ply < 33:
                position.play(lots.choice(position.legal()))
            record = "" if position.result is not None else "".join("abcdefg"[move] for move in position.moves[:33])
        status, (answer,) = answers("--exact", "--nodes", 0, "--distance", header + record)
        signs = ""
        for column in range(7):
            if not position.is_legal(column):
                signs += "."
                continue
            position.play(column)
            signs += "-=+"[1 - value(position)]
            position.undo()
        assert status == 0 and answer["by_move"] == signs and answer["value"] == value(position)


@needs_solver
def test_distance_is_in_plies_to_the_end_and_only_where_it_is_decided():
    records = ("442336634144", "5254252425", "dededed" + "ed")
    _, (won, drawn, over) = answers("--exact", "--distance", "--nodes", 0, *records)
    assert drawn["value"] == 0 and drawn["distance"] is None and drawn["reason"] is None
    assert (won["value"], won["distance"]) == (1, 27)
    assert over["result"] == "red" and over["reason"] == "the game is over"
    assert (over["value"], over["by_move"], over["distance"]) == (None, None, None)
    _, (mate,) = answers("--exact", "--distance", "--nodes", 0, "dededede")
    assert (mate["value"], mate["distance"]) == (1, 1) and mate["by_move"][3] == "+"


@needs_solver
def test_a_position_that_takes_too_long_has_no_value_and_a_reason():
    status, (answer,) = answers("--exact", "--nodes", 0, "--node-limit", 1000, "dd")
    assert status == 0
    assert answer["value"] is None and answer["reason"] == "not known after 1000 nodes a move"
    assert set(answer["by_move"]) <= set("+=-.?") and "?" in answer["by_move"]


@needs_solver
def test_a_record_that_the_solver_cannot_take_is_one_line_among_the_others():
    status, (bad, good) = answers("--exact", "--nodes", 0, "[five pop] d", "442336634144")
    assert status == 1 and "has no exact values" in bad["error"] and bad["index"] == -1
    assert good["by_move"] == "======+"


@pytest.mark.parametrize(
    "arguments, says",
    [
        (("--exact", "--pop", "d"), "[five pop] has no exact values"),
        (("--exact", "--variation", "misere", "d"), "[misere] has no exact values"),
        (("--distance", "d"), "--distance is for --exact"),
        (("--node-limit", "5", "d"), "--node-limit is for --exact"),
        (("--exact", "--node-limit", "x", "d"), "argument --node-limit"),
    ],
)
def test_what_has_no_exact_values_is_refused_in_one_line(arguments, says):
    status, out, err = tools("analyse", *arguments)
    assert status == 2 and out == "" and says in err and err.count("\n") == 1


@needs_solver
def test_a_watcher_shows_what_is_known_and_follows_the_game():
    from engine.variation import make
    from tools import exact

    watcher = exact.Watcher(exact.Exact(16, exact.SLICE_NODES))
    try:
        five, pops = make("five"), make("five", pop=True)
        began = time.monotonic()
        assert watcher.signs(five, b"") == "???????"
        assert watcher.signs(pops, b"") == "no exact values here"
        late = bytes("abcdefg".index(c) for c in "ddbccffcdaddab")
        watcher.signs(five, late)
        assert time.monotonic() - began < 1  # it never waits
        while "?" in watcher.signs(five, late):
            time.sleep(0.01)
            assert time.monotonic() - began < 60
        assert watcher.signs(five, late) == exact.Exact(16).answer(position_after(five, late))["by_move"]
    finally:
        began = time.monotonic()
        watcher.close()
        assert time.monotonic() - began < 5


def position_after(variation, moves):
    from engine.notation import play_all
    from engine.position import new_position

    return play_all(new_position(variation), moves)


@needs_solver
def test_a_watcher_tells_why_it_cannot(monkeypatch):
    from engine.variation import make
    from tools import exact

    class Broken(exact.Exact):
        def solver(self, variation):
            raise exact.ExactError("no compiler")

    watcher = exact.Watcher(Broken())
    five = make("five")
    try:
        began = time.monotonic()
        while watcher.signs(five, b"") == "???????":
            assert time.monotonic() - began < 10
            time.sleep(0.01)
        assert watcher.signs(five, b"") == "no compiler"
    finally:
        watcher.close()


# audit

SOLVED = "moves,ply,value,by_move,keeping,legal\n63364651,8,0,=-=-===,5,7\n11474466,8,0,-===---,3,7\n"


def test_the_share_of_kept_values_is_counted_by_ply(tmp_path):
    path = tmp_path / "positions.csv"
    path.write_text(SOLVED, encoding="utf-8")
    status, out, _ = tools("audit", path, "--nodes", 300, "--json", "--jobs", 1)
    assert status == 0
    found = json.loads(out)
    assert found["all"]["positions"] == 2 and found["all"]["kept"] + len(found["failures"]) == 2
    assert [row["ply"] for row in found["plies"]] == [8]
    status, out, _ = tools("audit", path, "--level", 1, "--failures")
    assert status == 0 and out.splitlines()[0].startswith("ply") and "all" in out


def test_several_processes_find_what_one_finds(tmp_path):
    path = tmp_path / "positions.csv"
    path.write_text(SOLVED * 1, encoding="utf-8")
    one = tools("audit", path, "--nodes", 200, "--json", "--jobs", 1)
    assert one == tools("audit", path, "--nodes", 200, "--json", "--jobs", 2)


def test_a_kept_value_is_one_whose_sign_is_the_positions(monkeypatch):
    rows = [("63364651", 8, 0, "=-=-==="), ("63364651", 8, 0, "-=-=---")]
    played = Search()
    from engine.notation import replay
    from tools.options import think

    move = think(played, replay("63364651"), 6, 200).move
    found = audit.audit(rows, 6, 200)
    assert [item[4] for item in found] == [rows[0][3][move] == "=", rows[1][3][move] == "="]


UNOBEYED = {
    ("audit", "x.csv", "--count", "5"): "--count is for --games random and --games spoiler",
    ("audit", "x.csv", "--seed", "5"): "--seed is for level 6's own games",
    ("audit", "x.csv", "--side", "red"): "--side is for level 6's own games",
    ("audit", "x.csv", "--width", "0"): "--width is for --games reply",
    ("audit", "x.csv", "--depth", "0"): "--depth is for --games reply and --enumerate",
    ("audit", "--games", "random", "--every", "2"): "--every is for a file of positions",
    ("audit", "--games", "random", "--failures"): "--failures is for a file of positions",
    ("audit", "--games", "random", "--spoil-from", "0"): "--spoil-from is for --games spoiler",
    ("audit", "--enumerate", "--count", "200"): "--count is for --games random and --games spoiler",
    ("match", "--levels", "--nodes", "1000"): "--nodes is for --against",
    ("match", "--against", "x", "--no-book"): "--no-book is for levels",
    ("match", "--levels", "--random", "--random-plies", "2"): "--random-plies is for games without",
    ("match", "--levels", "--against", "x"): "say what to play, one of them",
    ("render", "d d", "--new", "five", "--out", "x.png"): "--new is for --keys",
    ("render", "--keys", "1", "--start", "3", "--out", "x.png"): "--start is for a record",
    ("render", "--look", "play", "--pause", "3", "--out", "x.png"): "--pause is for a record",
    ("render", "--list", "--palette", "red yellow"): "--palette is for one picture",
    ("render", "--golden", "--size", "100"): "--size is for one picture",
}


@pytest.mark.parametrize("arguments", UNOBEYED)
def test_an_option_that_would_not_be_obeyed_is_refused(arguments):
    """Also where it says what is the default, and before anything is read or installed."""
    status, out, err = tools(*arguments)
    assert status == 2 and not out and UNOBEYED[arguments] in err and len(err.splitlines()) == 1


def test_options_that_are_left_out_have_their_defaults():
    args = argparse.Namespace(one=None, two=0, three=False, four=None)
    rows = [("one", 7, True, "x"), ("two", 5, True, "x"), ("three", False, False, "x"), ("four", 3, False, "x")]
    assert options.settle(args, rows) is None and options.settle(args, rows) is None
    assert (args.one, args.two, args.three, args.four) == (7, 0, False, None)
    assert options.settle(args, [("two", 1, False, "something else")]) == "--two is for something else"


DAMAGED = {
    "": "no column moves, value, by_move",
    "moves,value\n4,0\n": "no column by_move",
    "moves,value,by_move\n": "holds no positions",
    "moves,value,by_move\n44,2,=======\n": "line 2: value '2'",
    "moves,value,by_move\n44,0,======\n": "line 2: by_move '======'",
    "moves,value,by_move\n44,0,=======\n4x,0,=======\n": "line 3: moves '4x'",
    "moves,value,by_move\n444444,0,=======\n": "differ on column d",
    "moves,value,by_move\n44,0,-------\n": "not the best",
    "moves,value,by_move\n44\n": "line 2: value ''",
}


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_file_of_positions_is_told_by_its_place(text, tmp_path):
    path = tmp_path / "positions.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(audit.FileError, match=DAMAGED[text].replace("'", ".")):
        audit.read_positions(path)


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path):
    status, out, err = tools("audit", tmp_path / "none.csv")
    assert (status, out) == (1, "") and "cannot be read" in err and "Traceback" not in err
    path = tmp_path / "noise.csv"
    path.write_bytes(bytes(range(256)) * 10)
    with pytest.raises(audit.FileError):
        audit.read_positions(path)


def test_the_public_positions_are_read_whole():
    if not PUBLIC.is_file():
        pytest.skip("the public positions are not beside the repository (%s)" % PUBLIC.name)
    rows = audit.read_positions(PUBLIC)
    assert len(rows) > 1000 and {row[1] for row in rows} >= set(range(8, 35, 2))


# bench


def test_bench_measures_every_position_at_its_depth():
    status, out, _ = tools("bench", "--depth", 3, "--json")
    assert status == 0
    found = json.loads(out)
    assert [row["position"] for row in found["rows"]] == [row[0] for row in bench.POSITIONS]
    assert len({row["record"] for row in found["rows"]}) == 6  # the start and five more
    for row in found["rows"]:
        assert row["nodes"] > 0 and row["seconds"] > 0 and row["nodes_per_second"] > 0
    assert tools("bench", "--depth", 2)[1].splitlines()[0].startswith("position")


def test_the_boards_time_is_estimated_from_counted_instructions():
    problem = bench.mcu_missing()
    if problem:
        pytest.skip(problem)
    first, second = bench.measure("start", "", 3), bench.measure("start", "", 4)
    baselines = {}
    for row in (first, second):
        bench.estimate(row, baselines)
    assert 0 < first["mcu_ms"] < second["mcu_ms"]
    assert second["mcu_us_per_node"] > 50  # nothing on the chip is quicker than that


def test_what_the_estimate_needs_is_told(monkeypatch):
    monkeypatch.setattr(bench.shutil, "which", lambda name: None)
    assert "valgrind is not installed" in bench.mcu_missing()


def test_the_firmware_with_a_game_in_play_does_not_outgrow_the_boards_heap():
    if Wasm.why_not():
        pytest.skip(Wasm.why_not())
    found = heap.measure()
    assert found["in_play"] <= 110 * 1024, "\n" + heap.table(found)
