# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``puzzles``: makes the board's puzzles from games by a seed, and proves a file of them with the exact solver."""

import os
import sys
from pathlib import Path

from tools import options
from tools.environment import ROOT

HELP = "the board's puzzles: build (from games, by the exact solver), check (prove a file), list"
EXTRAS = ("solver",)

FILE = ROOT / "firmware" / "puzzles.bin"
SEED, EACH = 5, 50
TABLE_MB = 256
GOALS = ("save the draw", "win")


def add_arguments(parser):
    parser.add_argument("what", choices=("build", "check", "list"))
    parser.add_argument("--file", type=Path, default=FILE, metavar="FILE", help="default firmware/puzzles.bin")
    parser.add_argument(
        "--seed", type=options.whole(0, options.MAX_NODES), default=SEED, metavar="N", help="default %d" % SEED
    )
    parser.add_argument(
        "--each", type=options.whole(1, 52), default=EACH, metavar="N", help="puzzles of each grade (default %d)" % EACH
    )
    parser.add_argument("--table-mb", type=options.whole(16, 1 << 16), default=TABLE_MB, metavar="N")


def workshop(table_mb, node_limit=None):
    """A Workshop over a new Solver. Raises what Solver raises."""
    from tools.puzzles import make
    from tools.solver import Solver

    limit = make.NODE_LIMIT if node_limit is None else node_limit
    return make.Workshop(Solver("five", table_mb=table_mb, node_limit=limit))


def build(args):
    from tqdm import tqdm

    from tools.puzzles import file, make

    with tqdm(total=file.GRADES * args.each, unit="puzzle", disable=not sys.stderr.isatty()) as bar:

        def progress(found):
            bar.update(found - bar.n)

        puzzles = make.collect(args.seed, args.each, workshop(args.table_mb), progress)
    data = file.encode(puzzles)
    draft = args.file.with_name(args.file.name + ".new")
    try:
        draft.write_bytes(data)
        os.replace(draft, args.file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        print("%s cannot be written: %s" % (args.file, error.strerror), file=sys.stderr)
        return 1
    print("%d puzzles, %d bytes in %s" % (len(puzzles), len(data), args.file))
    return 0


def read(path):
    """The puzzles of a file. Raises FileError, one line with the file's name."""
    from tools.puzzles import file

    try:
        return file.decode(path.read_bytes())
    except OSError as error:
        raise file.FileError("%s cannot be read: %s" % (path, error.strerror)) from None
    except (file.FileError, IndexError) as error:
        raise file.FileError("%s: %s" % (path, error)) from None


def check(args):
    """Prove every puzzle of the file; 0 if all are as they say."""
    from tqdm import tqdm

    from tools.puzzles import proof

    puzzles = read(args.file)
    bench = workshop(args.table_mb, 0)
    seen, wrong = set(), 0
    for number, puzzle in enumerate(tqdm(puzzles, unit="puzzle", disable=not sys.stderr.isatty()), 1):
        told = proof.faults(puzzle, bench)
        if not told:
            position = bench.solver.position(puzzle.moves)
            if position in seen:
                told = ["its position is an earlier one's"]
            seen.add(position)
        wrong += bool(told)
        for text in told:
            print("puzzle %d, %s: %s" % (number, puzzle.record, text))
    print("%d puzzles, %d wrong" % (len(puzzles), wrong))
    return 1 if wrong else 0


def listing(args):
    for number, puzzle in enumerate(read(args.file), 1):
        key = "abcdefg"[puzzle.key()]
        print("%3d  grade %d  %-13s  only %s  %s" % (number, puzzle.grade, GOALS[puzzle.goal], key, puzzle.record))
    return 0


def run(args):
    from tools.puzzles.file import FileError
    from tools.solver import BuildError, TableTooLarge

    try:
        return {"build": build, "check": check, "list": listing}[args.what](args)
    except (FileError, BuildError, TableTooLarge) as error:
        print(error, file=sys.stderr)
        return 2
