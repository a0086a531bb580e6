# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``audit``: how often the engine's move keeps a position's exact value, by ply: over a file of solved positions, or
with ``--games`` and ``--enumerate`` in level 6's own games (tools/audit_games.py).

The file has a header line and the columns ``moves`` (a record, digits 1-7), ``value`` for the side to move (1, 0, -1)
and ``by_move``: seven signs, ``+ = -`` as the value after that column's drop for the mover, ``.`` for a full column.
Further columns are not read.
"""

import csv
import json
import os
import statistics
import sys
from pathlib import Path

from engine.notation import RecordError, replay
from engine.search import Search
from hal.drive import open_file
from tools import options, processes

HELP = "share of value-keeping moves by ply over a file of solved positions"
EXTRAS = ()

SIGNS = {"+": 1, "=": 0, "-": -1}
REPORTS = Path(__file__).resolve().parent / "audits"
COLUMNS = ("moves", "value", "by_move")
_search = None  # of each process


class FileError(Exception):
    """The file of positions cannot be used; the text names the place."""


def add_arguments(parser):
    parser.add_argument("file", nargs="?", metavar="FILE", help="positions as csv, such as positions/five.csv")
    options.add_effort(parser)
    parser.add_argument("--every", type=options.whole(1, 1000000), metavar="N", help="only each N-th position")
    parser.add_argument("--table-kb", type=options.whole(1, 1024), metavar="N", help="transposition table (default 4)")
    parser.add_argument("--jobs", type=options.whole(1, 256), metavar="N", help="processes (default: one a core)")
    parser.add_argument("--failures", action="store_true", help="also list the positions whose value was given away")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--no-book", action="store_true", help="level 6 without its book and its net")
    own = parser.add_argument_group("level 6's own games, judged by the exact solver")
    own.add_argument("--games", choices=("reply", "random", "spoiler"), help="whom it plays: every reply, or a player")
    own.add_argument("--enumerate", action="store_true", help="every reply to --depth, complete; hours, resumable")
    own.add_argument("--side", choices=("red", "yellow"), help="level 6 as this colour alone (default both)")
    own.add_argument(
        "--depth", type=options.whole(0, 41), metavar="N", help="every reply to ply N (default 8, --enumerate: 20)"
    )
    own.add_argument("--width", type=options.whole(0, 10**7), metavar="N", help="positions a ply beyond (default 6000)")
    own.add_argument("--count", type=options.whole(1, 10**7), metavar="N", help="games (default 200)")
    own.add_argument(
        "--spoil-from", type=options.whole(0, 42), metavar="N",
        help="the spoiler moves by lot before ply N, where it would take too long (default 10)",
    )  # fmt: skip
    own.add_argument("--seed", type=options.whole(0, 2**30 - 1), metavar="N", help="of lots and samples (default 1)")
    own.add_argument(
        "--table-mb", type=options.whole(16, 1 << 20), metavar="N", help="the solver's table, a process (1024)"
    )
    own.add_argument(
        "--compiled", action="store_true", help="its search compiled: the same answers, four times as fast"
    )
    own.add_argument("--scheduler", metavar="ADDRESS", help="a dask scheduler's, instead of processes here")
    own.add_argument(
        "--report", type=Path, nargs="?", const=REPORTS, metavar="DIR",
        help="also write it as NAME.md with NAME.png (default of DIR: tools/audits)",
    )  # fmt: skip


def wrong(args):
    """One line on options that do not go together, else None."""
    own = [name for name in ("games", "enumerate") if getattr(args, name)]
    if bool(args.file) + len(own) != 1:
        return "audit takes a FILE of positions, or --games KIND, or --enumerate"
    if own and (args.nodes is not None or args.level != options.LEVEL_MAX):
        return "--level and --nodes are for a file of positions: its own games are level 6's"
    of_file, of_own = (not own, "a file of positions"), (bool(own), "level 6's own games")
    rows = [
        ("every", 1, *of_file),
        ("table_kb", 4, *of_file),
        ("failures", False, *of_file),
        ("side", None, *of_own),
        ("scheduler", None, *of_own),
        ("compiled", False, bool(own) and not args.scheduler, "level 6's own games in processes here"),
        ("report", None, *of_own),
        ("seed", 1, *of_own),
        ("table_mb", 1024, *of_own),
        ("depth", None, args.enumerate or args.games == "reply", "--games reply and --enumerate"),
        ("width", 6000, args.games == "reply", "--games reply"),
        ("count", 200, args.games in ("random", "spoiler"), "--games random and --games spoiler"),
        ("spoil_from", 10, args.games == "spoiler", "--games spoiler"),
    ]
    return options.settle(args, rows)


def own_games(args):
    """Audit level 6's own games; the exit status."""
    from tools import environment

    groups = ("solver", *(("plot",) if args.report else ()), *(("dask",) if args.scheduler else ()))
    groups += ("compiled",) if args.compiled else ()
    environment.ready(groups)
    from tools import audit_games
    from tools.book.build import BuildFault
    from tools.compiled import CompileError
    from tools.solver import BuildError, TableTooLarge

    try:
        return audit_games.main(args)
    except (BuildFault, BuildError, CompileError, TableTooLarge) as error:
        print("audit: %s" % error, file=sys.stderr)
        return 2


def read_positions(path):
    """List of (moves, ply, value, by_move) of a file. Raises FileError with one line that names the place."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            if missing:
                raise FileError("%s: the header line has no column %s" % (path, ", ".join(missing)))
            rows = []
            for row in reader:
                try:
                    rows.append(check_row(row))
                except ValueError as error:
                    raise FileError("%s, line %d: %s" % (path, reader.line_num, error)) from None
    except OSError as error:
        raise FileError("%s cannot be read: %s" % (path, error.strerror or error)) from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise FileError("%s is not a csv file in UTF-8: %s" % (path, error)) from None
    if not rows:
        raise FileError("%s holds no positions" % path)
    return rows


def check_row(row):
    """(moves, ply, value, by_move) of one line. Raises ValueError with what is wrong with it."""
    moves, value, by_move = [(row[name] or "").strip() for name in COLUMNS]
    if value not in ("1", "0", "-1"):
        raise ValueError("value '%s' is none of 1, 0, -1" % value)
    if len(by_move) != 7 or set(by_move) - set("+=-."):
        raise ValueError("by_move '%s' is not seven of + = - ." % by_move)
    try:
        position = replay(moves)
    except RecordError as error:
        raise ValueError("moves '%s': %s" % (moves, error)) from None
    if position.result is not None:
        raise ValueError("moves '%s': the game is over" % moves)
    for column, sign in enumerate(by_move):
        if (sign == ".") == position.is_legal(column):
            raise ValueError("by_move '%s' and moves '%s' differ on column %s" % (by_move, moves, "abcdefg"[column]))
    if max(SIGNS[sign] for sign in by_move if sign != ".") != int(value):
        raise ValueError("value %s is not the best of by_move '%s'" % (value, by_move))
    return moves, position.ply, int(value), by_move


def _begin(table_kb, book=True):
    global _search
    _search = Search(1024 * table_kb, open_file, book)


def ask(task):
    """(index, move, nodes) for one (index, moves, level, nodes)."""
    index, moves, level, nodes = task
    found = options.think(_search, replay(moves), level, nodes)
    return index, found.move, found.nodes


def answers(tasks, jobs, table_kb, book):
    """The answers to all tasks, in any order, from several processes."""
    if jobs == 1:
        _begin(table_kb, book)
        yield from map(ask, tasks)
        return
    with processes.pool(jobs, _begin, (table_kb, book)) as pool:
        yield from pool.imap_unordered(ask, tasks, chunksize=4)


def audit(rows, level, nodes=None, jobs=1, show_progress=False, table_kb=4, book=True):
    """Ask the engine for a move in every row; list of (moves, ply, value, move, kept, nodes) in the rows' order."""
    from tqdm import tqdm

    tasks = [(index, row[0], level, nodes) for index, row in enumerate(rows)]
    found = [None] * len(rows)
    asked = answers(tasks, jobs, table_kb, book)
    for index, move, used in tqdm(asked, total=len(tasks), unit="position", disable=not show_progress):
        moves, ply, value, by_move = rows[index]
        kept = move < 7 and by_move[move] != "." and SIGNS[by_move[move]] == value
        found[index] = (moves, ply, value, move, kept, used)
    return found


def summary(found):
    """Rows of the table: a dict each ply, and one for all (ply None)."""
    plies = sorted({item[1] for item in found})
    table = []
    for ply in plies + [None]:
        part = [item for item in found if ply is None or item[1] == ply]
        kept = sum(item[4] for item in part)
        nodes = [item[5] for item in part]
        table.append(
            {
                "ply": ply,
                "positions": len(part),
                "kept": kept,
                "share": round(kept / len(part), 4),
                "nodes_median": int(statistics.median(nodes)),
                "nodes_max": max(nodes),
            }
        )
    return table


def run(args):
    if not args.file:
        return own_games(args)
    try:
        rows = read_positions(args.file)[:: args.every]
    except FileError as error:
        print(error, file=sys.stderr)
        return 1
    if args.nodes == 0:
        print("--nodes 0 would search nothing: give 1 or more, or a --level", file=sys.stderr)
        return 2
    jobs = args.jobs or os.cpu_count() or 1
    found = audit(rows, args.level, args.nodes, jobs, sys.stderr.isatty(), args.table_kb, not args.no_book)
    table = summary(found)
    failures = [{"moves": item[0], "value": item[2], "move": "abcdefg"[item[3] & 7]} for item in found if not item[4]]
    if args.json:
        effort = {"nodes": args.nodes} if args.nodes else {"level": args.level}
        print(json.dumps({"file": args.file, **effort, "plies": table[:-1], "all": table[-1], "failures": failures}))
        return 0
    print("ply  positions   kept    share  nodes: median       most")
    for row in table:
        name = "all" if row["ply"] is None else "%3d" % row["ply"]
        print(
            "%s %10d %6d %7.1f%% %14d %10d"
            % (name, row["positions"], row["kept"], 100 * row["share"], row["nodes_median"], row["nodes_max"])
        )
    if args.failures:
        for item in failures:
            print("%s: played %s, value %d" % (item["moves"], item["move"], item["value"]))
    return 0
