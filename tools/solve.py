# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``solve``: exact values of positions without pops, and strategies walked against every reply."""

import contextlib
import csv
import json
import os
import sys
from pathlib import Path

from engine.moves import LETTERS, move_text
from engine.notation import RecordError, parse_record, play_all
from engine.position import new_position
from tools import options, processes

HELP = "exact values of positions (five, classic, small), of every move, plies to the end; strategies walked"
EXTRAS = ("solver",)

WORDS = {1: "win", 0: "draw", -1: "loss"}
SIGNS = {1: "+", 0: "=", -1: "-", None: "."}
UNKNOWN = "?"
DEFAULT_TABLE_MB = 1024
NODE_LIMIT = 100000000  # of a question about a record: some minutes, twice what the empty board takes
ECHO = 1000  # characters of a bad record that its answer repeats


def add_arguments(parser):
    parser.add_argument("records", nargs="*", metavar="RECORD", help="'5254252425', 'd d e c', or - for lines of stdin")
    parser.add_argument("--variation", choices=("five", "classic", "small"), default="five", help="default five")
    parser.add_argument("--mirror", action="store_true", help="the side columns of five mirrored")
    parser.add_argument("--distance", action="store_true", help="also the plies to the end with best play")
    parser.add_argument("--table-mb", type=options.whole(16, 1 << 20), metavar="N", help="transposition table, in all")
    parser.add_argument("--processes", type=options.whole(1, 256), metavar="N", help="default 1")
    parser.add_argument(
        "--node-limit", type=options.whole(0, 1 << 50), metavar="N",
        help="give a question up after N nodes (records: default %d; 0: never)" % NODE_LIMIT,
    )  # fmt: skip
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep answers in FILE and take up from there")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--strategy", type=Path, metavar="FILE", help="walk a strategy against every reply")
    parser.add_argument("--check", type=Path, metavar="CSV", help="compare with a file of moves, value, by_move")
    parser.add_argument("--to-ply", type=options.whole(0, 42), metavar="N", help="with --strategy: up to ply N")


def wrong(args):
    """One line on options that do not go together, else None."""
    records, check = (not args.strategy and not args.check, "game records"), (not args.strategy, "records and --check")
    return options.settle(
        args,
        [
            ("distance", False, *records),
            ("processes", 1, *records),
            ("resume", None, *records),
            ("node_limit", 0 if args.check else NODE_LIMIT, *check),
            ("table_mb", None, *check),
            ("mirror", False, *check),
            ("json", False, not args.check, "records and --strategy"),
            ("to_ply", None, args.strategy, "--strategy"),
        ],
    )


def printable(text):
    """The text with everything that a terminal would obey, or that is not shown, escaped as in Python's repr."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def read_record(text, variation):
    """The moves of a record as a list. Raises RecordError where the rules or the solver cannot take it."""
    variation, moves = parse_record(text, variation)
    if variation.name not in ("five", "classic", "small") or variation.pop or variation.random:
        raise RecordError("the solver knows five, classic and small without pops, not %s" % variation.header(), -1)
    play_all(new_position(variation), moves)
    return variation, moves


def _begin(table_mb, node_limit, distance):
    global _solvers, _table_mb, _node_limit, _distance
    _solvers, _table_mb, _node_limit, _distance = {}, table_mb, node_limit, distance


def _solver(name, mirror):
    from tools.solver import Solver

    if (name, mirror) not in _solvers:
        _solvers[name, mirror] = Solver(name, table_mb=_table_mb, node_limit=_node_limit or 0, mirror=mirror)
    return _solvers[name, mirror]


def answer(task):
    """(index, dict) for one (index, variation's name, mirror, list of moves): what is exactly known of the position."""
    from tools.exact import FULL, Exact
    from tools.solver import NodeLimit

    index, name, mirror, moves = task
    solver = _solver(name, mirror)
    found = {"variation": name, "moves": " ".join(move_text(m) for m in moves), "ply": len(moves)}
    found["value"] = found["values"] = None
    nodes = 0
    here = solver.position(moves)
    try:
        found["value"] = solver.value(here)
        nodes += solver.nodes
        signs = ""
        for column in range(solver.columns):
            sign, taken = (FULL, 0) if solver.has_line(here.other) else Exact.move(solver, here, column)
            signs += sign
            nodes += taken
        found["by_move"] = signs
        if UNKNOWN not in signs:
            found["values"] = [{"+": 1, "=": 0, "-": -1}.get(sign) for sign in signs]
        if _distance:
            found["distance"] = None
            found["distance"] = solver.distance(here)
            nodes += solver.nodes
    except NodeLimit:
        nodes += solver.nodes
    found["nodes"] = nodes
    return index, found


def line(found):
    """One answer as text: the value for the side to move, then each move's value for the side that makes it."""
    if found["value"] is None:
        return "%s: not known after %d nodes (--node-limit)" % (found["moves"] or "(start)", found["nodes"])
    moves = " ".join(LETTERS[i] + sign for i, sign in enumerate(found["by_move"]))
    text = "%s: %s   %s   %d nodes" % (found["moves"] or "(start)", WORDS[found["value"]], moves, found["nodes"])
    if UNKNOWN in found["by_move"]:
        text += "   ? not known (--node-limit)"
    if "distance" in found:
        plies = UNKNOWN if found["distance"] is None else found["distance"]
        text += "   %s plies to the end" % plies if found["value"] else "   no end by force"
    return text


class FileError(Exception):
    """A file that cannot be used; one line that says why."""


def _finished(path, distance):
    """{(variation, mirror, moves): answer} of a file of answers; a last line that was cut short is passed over.

    Raises FileError for a file that cannot be read, or that holds something else and is not to be written to."""
    done, rows, answers = {}, [], 0
    try:
        if path.exists():
            rows = path.read_text("utf-8", errors="replace").splitlines()
    except OSError as error:
        raise FileError("%s cannot be read: %s" % (path, error.strerror or error)) from None
    for row in rows:
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
            found = json.loads(row)
            key = found["variation"], bool(found.get("mirror")), found["moves"]
            answers += 1
            reached = "distance" in found and (found["distance"] is not None or not found["value"])
            if found["values"] is not None and (reached or not distance):
                done[key] = found
    if len(rows) > 1 + answers:
        raise FileError("%s holds more than answers of solve; it is left as it is" % path)
    return done


def _opened(path):
    """The file of answers, to write behind what is there."""
    try:
        return path.open("a", encoding="utf-8")
    except OSError as error:
        raise FileError("%s cannot be written: %s" % (path, error.strerror or error)) from None


def solve(records, args):
    """Answer the records in order on standard output; the exit status."""
    from tqdm import tqdm

    from engine.variation import make

    default = make(args.variation, mirror=args.mirror)
    done = _finished(args.resume, args.distance) if args.resume else {}
    answers, tasks, status = {}, [], 0
    for index, text in enumerate(records):
        try:
            variation, moves = read_record(text, default)
        except RecordError as error:
            answers[index] = {"moves": text.strip()[:ECHO], "error": str(error), "index": error.index}
            status = 1
            continue
        known = done.get((variation.name, bool(variation.mirror), " ".join(map(move_text, moves))))
        if known:
            answers[index] = known
        else:
            tasks.append((index, variation.name, bool(variation.mirror), moves))
    table_mb = args.table_mb or min(DEFAULT_TABLE_MB, _half_of_memory())
    table_mb = max(16, table_mb // args.processes)
    shown = 0
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(_opened(args.resume)) if args.resume else None
        if args.processes > 1 and len(tasks) > 1:
            pool = processes.pool(args.processes, _begin, (table_mb, args.node_limit, args.distance))
            found = stack.enter_context(pool).imap_unordered(answer, tasks)
        else:
            _begin(table_mb, args.node_limit, args.distance)
            found = map(answer, tasks)
        bar = tqdm(total=len(tasks), unit="position", disable=len(tasks) < 2 or not sys.stderr.isatty())
        mirrored = {task[0]: task[2] for task in tasks}
        pending = iter(found)
        while shown < len(records):
            if shown in answers:
                one = answers.pop(shown)
                if "error" in one and not args.json:
                    print("%s: %s" % (printable(one["moves"]), printable(one["error"])))
                else:
                    print(json.dumps(one) if args.json else line(one), flush=True)
                shown += 1
                continue
            index, one = next(pending)
            if mirrored[index]:
                one["mirror"] = True
            bar.update()
            answers[index] = one
            if kept:
                kept.write(json.dumps(one) + "\n")
                kept.flush()
        bar.close()
    return status


def _half_of_memory():
    from tools.solver import free_memory_mb

    free = free_memory_mb()
    return DEFAULT_TABLE_MB if free is None else max(16, free // 2)


def check(args):
    """Compare a file of solved positions (columns moves, value, by_move) with the solver; 0 if all agree."""
    from tqdm import tqdm

    from tools.solver import NodeLimit

    try:
        with args.check.open(encoding="utf-8", newline="") as file:
            rows = [(row["moves"], row["value"], row["by_move"]) for row in csv.DictReader(file)]
    except (OSError, KeyError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        print("%s: %s: a CSV file of moves, value and by_move is needed" % (args.check, why), file=sys.stderr)
        return 2
    _begin(args.table_mb or min(DEFAULT_TABLE_MB, _half_of_memory()), args.node_limit, False)
    solver, wrong, unknown, nodes = _solver(args.variation, args.mirror), 0, 0, 0
    for moves, value, by_move in tqdm(rows, unit="position", disable=not sys.stderr.isatty()):
        try:
            found = solver.values(moves)
        except NodeLimit as error:
            print(error, file=sys.stderr)
            unknown += 1
            continue
        except ValueError as error:
            print(error, file=sys.stderr)
            wrong += 1
            continue
        nodes += solver.nodes
        best = max((v for v in found if v is not None), default=None)
        if str(best) != value or "".join(SIGNS[v] for v in found) != by_move:
            print("%s: the file says %s, the solver %s" % (moves, by_move, "".join(SIGNS[v] for v in found)))
            wrong += 1
    given_up = ", %d given up" % unknown if unknown else ""
    print("%d positions, %d differ%s, %d nodes" % (len(rows), wrong, given_up, nodes))
    return 1 if wrong or unknown else 0


def walk_strategy(args):
    """Walk a strategy and say whether it ever loses; the exit status."""
    from tools.solver.strategy import Strategy, StrategyError, walk

    try:
        strategy = Strategy.read(args.strategy)
    except OSError as error:
        print("%s cannot be read: %s" % (args.strategy, error.strerror or error), file=sys.stderr)
        return 2
    except StrategyError as error:
        print(error, file=sys.stderr)
        return 2

    def progress(ply, positions):
        if sys.stderr.isatty():
            print("ply %d: %d positions" % (ply, positions), file=sys.stderr, flush=True)

    report = walk(strategy, args.to_ply, progress=progress)
    found = {
        "strategy": strategy.name,
        "holds": report.holds,
        "positions": report.positions,
        "replies": report.replies,
        "won": report.won,
        "drawn": report.drawn,
        "leaves": report.leaves,
        "lost": report.lost[:20],
        "no_move": report.no_move[:20],
    }
    if args.json:
        print(json.dumps(found))
    else:
        print(strategy.name)
        print("%d positions with its side to move, %d with the other" % (report.positions, report.replies))
        if report.leaves:
            print("%d positions at ply %d asked of the exact solver" % (report.leaves, strategy.exact_from))
        faults = report.lost + report.no_move
        print("it loses, for example after: %s" % faults[0] if faults else "it never loses")
    return 0 if report.holds else 1


def run(args):
    from tools.solver import BuildError, TableTooLarge

    if [bool(args.records), bool(args.strategy), bool(args.check)].count(True) != 1:
        print("solve takes game records, - (lines of standard input), --strategy FILE or --check CSV", file=sys.stderr)
        return 2
    if wrong(args):
        print(wrong(args), file=sys.stderr)
        return 2
    try:
        if args.strategy:
            return walk_strategy(args)
        if args.check:
            return check(args)
        records = []
        for text in args.records:
            records += [line for line in sys.stdin.read().splitlines() if line.strip()] if text == "-" else [text]
        return solve(records, args)
    except (BuildError, TableTooLarge, FileError) as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
