# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``book``: builds, checks and describes the book that level 6 plays from (engine/book.py)."""

import os
import sys
from pathlib import Path

from tools import options
from tools.environment import ROOT

HELP = "build the book of level 6 with the exact solver, check every row of it, or say what it holds"
EXTRAS = ("solver",)

BOOK = ROOT / "engine" / "five_book.bin"
STATE = ROOT / "build" / "five_book"


def add_arguments(parser):
    what = parser.add_subparsers(dest="what", required=True, metavar="build|check|mend|info")
    build = what.add_parser("build", help="walk level 6's own games and write the book")
    build.add_argument("--out", type=Path, default=BOOK, metavar="FILE", help="default engine/five_book.bin")
    build.add_argument("--state", type=Path, default=STATE, metavar="DIR", help="answers so far; kept and taken up")
    build.add_argument("--side", choices=("red", "yellow"), help="level 6 as this colour alone")
    build.add_argument("--to-ply", type=options.whole(0, 41), default=19, metavar="N", help="default 19")
    build.add_argument(
        "--width", type=options.whole(0, 10**7), default=1000, metavar="N",
        help="won positions a ply that are followed, sampled (default 1000)",
    )  # fmt: skip
    build.add_argument(
        "--full-plies", type=options.whole(0, 41), default=8, metavar="N",
        help="every reply to won positions as well up to this ply (default 8)",
    )  # fmt: skip
    build.add_argument("--seed", type=options.whole(0, 2**30 - 1), default=1, help="of the sample (default 1)")
    _add_effort(build)
    build.add_argument(
        "--early-nodes", type=options.whole(1000, 1 << 50), default=50000, metavar="N",
        help="give up the question of a win at plies 5 to 11 after N nodes (default 50000)",
    )  # fmt: skip
    build.add_argument("--net-only", action="store_true", help="the exceptions of the net alone: no win is looked for")
    build.add_argument(
        "--add", type=Path, metavar="FILE", help="to a book that is there: an entry that was right stays right"
    )
    build.add_argument("--scheduler", metavar="ADDRESS", help="a dask scheduler's, instead of processes here")
    check = what.add_parser("check", help="every row of a book: legal, and keeping the exact value")
    check.add_argument("file", nargs="?", type=Path, default=BOOK, metavar="FILE")
    check.add_argument("--every", type=options.whole(1, 10**6), default=1, metavar="N", help="only each N-th row")
    _add_effort(check)
    mend = what.add_parser("mend", help="an entry for each position in which an audit saw something given away")
    mend.add_argument("report", type=Path, metavar="REPORT", help="such as tools/audits/enumerate.md")
    mend.add_argument("--out", type=Path, default=BOOK, metavar="FILE", help="default engine/five_book.bin")
    _add_effort(mend)
    info = what.add_parser("info", help="what a book holds")
    info.add_argument("file", nargs="?", type=Path, default=BOOK, metavar="FILE")


def _add_effort(parser):
    parser.add_argument("--jobs", type=options.whole(1, 256), default=2, metavar="N", help="processes (default 2)")
    parser.add_argument(
        "--table-mb", type=options.whole(16, 1 << 20), default=1024, metavar="N", help="the solver's table, a process"
    )


def run(args):
    from tools.book.build import BuildFault
    from tools.book.file import BookError
    from tools.solver import BuildError, TableTooLarge

    try:
        return {"build": make, "check": verify, "mend": mend, "info": describe}[args.what](args)
    except (BookError, BuildFault, BuildError, TableTooLarge) as error:
        print("book: %s" % error, file=sys.stderr)
    except BrokenPipeError:  # who read has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print("book: %s: %s" % (error.filename or "file", error.strerror or error), file=sys.stderr)
    return 2


def make(args):
    from tools import environment
    from tools.book import build as job
    from tools.book import file
    from tools.solver.strategy import shipped

    if args.scheduler:
        environment.ready(("dask",))
    print(job.HEADING, file=sys.stderr)
    entries, _ = job.build(args, sys.stderr.isatty())
    data = file.pack(entries, file.rule_bytes(shipped()), job.LEAVE)
    job.write(args.out, data)
    print("%d entries, %d bytes: %s" % (len(entries), len(data), args.out))
    return 0


def verify(args):
    """Every row's move is legal and keeps the exact value; 0 if all do."""
    from tqdm import tqdm

    from tools.book import file, games
    from tools.book import rows as job
    from tools.solver.strategy import shipped

    book = file.read(args.file)
    if book.rules != file.rule_bytes(shipped()):
        raise file.BookError("%s: its net is not that of tools/solver: build it anew" % args.file)
    tasks = sorted(book.entries.items(), key=lambda row: (games.ply_of(row[0]), row[0]))[:: args.every]
    wrong = 0
    with tqdm(total=len(tasks), unit="row", disable=not sys.stderr.isatty()) as bar:
        for codes, value, fault in job.checked(tasks, args.jobs, args.table_mb):
            bar.update()
            if fault:
                wrong += 1
                print("%s %s: %s" % (job.text(codes), "abcdefg?"[value & 7], fault))
    print("%d rows, %d wrong" % (len(tasks), wrong))
    return 1 if wrong else 0


def mend(args):
    """Write the book that ships with entries for what was given away in an audit."""
    from tqdm import tqdm

    from tools.book import build, file
    from tools.book import rows as job

    book = file.read(BOOK)
    wanted = job.given_away(args.report.read_text("utf-8"))
    entries, new = dict(book.entries), 0
    found = job.mended(wanted, args.jobs, args.table_mb)
    for codes, column in tqdm(found, total=len(wanted), unit="row", disable=not sys.stderr.isatty()):
        new += entries.get(codes, -1) & 7 != column
        entries[codes] = column
    data = file.pack(entries, book.rules, book.leave, book.name)
    build.write(args.out, data)
    print("%d entries new or other, %d in all, %d bytes: %s" % (new, len(entries), len(data), args.out))
    return 0


def describe(args):
    from tools.book import file, games

    book = file.read(args.file)
    plies = [games.ply_of(codes) for codes in book.entries]
    print("%s: book of %s, %d entries, %d bytes" % (args.file, book.name, len(plies), args.file.stat().st_size))
    print("a look-up reads at most %d times" % (1 + -(-max(book.largest, 1) // 40)))
    print("a proved draw leaves the net from %d discs on" % book.leave)
    for ply in sorted(set(plies)):
        print("ply %2d: %6d entries for %s" % (ply, plies.count(ply), ("Red", "Yellow")[ply & 1]))
    return 0
