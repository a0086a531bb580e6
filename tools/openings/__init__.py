# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``openings``: which openings of five that can be drawn by lot are exact draws, by the solver.

What is found out stands in values.txt, a line for each position of four discs: the first record that leads to it, and
1, 0 or -1 for Red, who is to move, or ``?`` and the nodes after which the question was given up. Of that the table in
engine/opening.py is made, which every board draws by: a seed gives one opening everywhere, solver or none.
"""

import itertools
import re
import sys
from pathlib import Path

from engine.opening import PLIES, index_of
from engine.variation import make
from tools import options
from tools.environment import ROOT

HELP = "which openings of five by lot are exact draws: solve more of them, or check what seeds draw"
EXTRAS = ("solver",)

VALUES = Path(__file__).resolve().parent / "values.txt"
MODULE = ROOT / "engine" / "opening.py"
HEAD = "# openings of five: the value for Red, who is to move; ? and the nodes after which it was given up\n"
BITS, FIRST_SIGN, LINE = 5, 48, 100  # of the table's text: bits a sign, the sign of 0, signs a line
LINE_OF = re.compile(r"^([a-g]{4}) (?:(-?[01])|\? (\d+))$", re.M)
TABLE = re.compile(r"^_FAIR = \($.*?^\)\n", re.M | re.S)
MIDDLE_FIRST = (3, 2, 4, 1, 5, 0, 6)  # neighbours in this order share most of what the solver finds out


def add_arguments(parser):
    what = parser.add_subparsers(dest="what", required=True, metavar="info|build|check")
    what.add_parser("info", help="how many are known to be draws")
    build = what.add_parser("build", help="solve what is not known yet, and make the table of engine/opening.py anew")
    check = what.add_parser("check", help="ask the solver once more about the openings that seeds draw")
    check.add_argument("--seeds", type=options.whole(1, 10**6), default=20, metavar="N", help="so many (default 20)")
    check.add_argument(
        "--first", type=options.whole(0, 10**9), default=0, metavar="N", help="the first seed (default 0)"
    )
    for one, limit in ((build, 30000000), (check, 100000000)):
        one.add_argument(
            "--node-limit", type=options.whole(0, 1 << 50), default=limit, metavar="N",
            help="give an opening up after N nodes (default %d, 0: never)" % limit,
        )  # fmt: skip
        one.add_argument(
            "--table-mb", type=options.whole(16, 1 << 20), default=1024, metavar="N", help="the solver's memory"
        )


def records():
    """{record: records of the same position, the first of which it is itself}, records as texts of four letters."""
    found = {}
    for columns in itertools.product(range(7), repeat=PLIES):
        stacks = tuple(tuple(ply & 1 for ply, column in enumerate(columns) if column == i) for i in range(7))
        found.setdefault(stacks, []).append("".join("abcdefg"[column] for column in columns))
    return {same[0]: same for same in found.values()}


def read_values():
    """{record: 1, 0, -1, or the nodes as a text}; the last line about a record counts. What is no such line, as one
    that was cut off, is passed over: the next build asks again."""
    known = {}
    text = VALUES.read_text("ascii", errors="replace") if VALUES.exists() else ""
    for name, value, nodes in LINE_OF.findall(text):
        known[name] = nodes or int(value)
    return known


def write_values(known):
    """The file anew, sorted."""
    lines = ["%s ? %s\n" % (name, known[name]) if isinstance(known[name], str) else "%s %d\n" % (name, known[name])
             for name in sorted(known)]  # fmt: skip
    VALUES.write_text(HEAD + "".join(lines), "ascii")


def table(known):
    """The table of engine/opening.py: a bit for each record, 1 where its position is known to be a draw."""
    groups = records()
    bits = bytearray(7**PLIES)
    for name in known:
        if known[name] == 0:
            for same in groups[name]:
                bits[index_of(["abcdefg".index(letter) for letter in same], 0)] = 1
    signs = ""
    for at in range(0, len(bits), BITS):
        signs += chr(FIRST_SIGN + sum(bit << i for i, bit in enumerate(bits[at : at + BITS])))
    return signs


def write_table(known):
    """Put the table into the module."""
    signs = table(known)
    lines = "".join('    b"%s"\n' % signs[at : at + LINE] for at in range(0, len(signs), LINE))
    text, count = TABLE.subn("_FAIR = (\n" + lines + ")\n", MODULE.read_text("utf-8"))
    if count != 1:
        raise ValueError("%s has no table _FAIR" % MODULE)
    MODULE.write_text(text, "utf-8")


def order(name):
    """Sorts records so that neighbours have much in common: by Red's discs, the middle first, then by Yellow's."""
    places = [MIDDLE_FIRST.index("abcdefg".index(letter)) for letter in name]
    red, yellow = sorted(places[::2]), sorted(places[1::2])
    return red, yellow


def info(args):
    """Counts of positions and of records; the exit status."""
    known, groups = read_values(), records()
    print("%-10s %9s %9s" % ("for Red", "positions", "records"))
    for word, values in (("won", (1,)), ("drawn", (0,)), ("lost", (-1,)), ("not known", ())):
        names = [n for n in groups if (known.get(n) in values if values else known.get(n) not in (1, 0, -1))]
        print("%-10s %9d %9d" % (word, len(names), sum(len(groups[name]) for name in names)))
    return 0


def build(args):
    """Solve on where the last build ended; the exit status."""
    from tqdm import tqdm

    from tools.solver import NodeLimit, Solver

    known = read_values()
    limit = args.node_limit or float("inf")
    tasks = [n for n in sorted(records(), key=order)
             if known.get(n) is None or isinstance(known[n], str) and int(known[n]) < limit]  # fmt: skip
    solver = Solver("five", args.table_mb, node_limit=args.node_limit)
    with VALUES.open("a", encoding="ascii") as file:
        try:
            for name in tqdm(tasks, unit="opening", disable=not sys.stderr.isatty()):
                try:
                    known[name] = solver.value(name)
                    file.write("%s %d\n" % (name, known[name]))
                except NodeLimit:
                    known[name] = str(args.node_limit)
                    file.write("%s ? %s\n" % (name, known[name]))
                file.flush()
        except KeyboardInterrupt:
            print("stopped: the next build goes on here", file=sys.stderr)
    write_values(known)
    write_table(known)
    return info(args)


def drawn(seed, mirror=False):
    """The record of the opening that a seed draws."""
    moves = options.opening(make("five", seed=seed, random=True, mirror=mirror), None)
    return "".join("abcdefg"[move] for move in moves)


def check(args):
    """Ask about the openings of some seeds, each position once; the exit status: 0 if all are draws."""
    from tqdm import tqdm

    from tools.solver import NodeLimit, Solver

    solver = Solver("five", args.table_mb, node_limit=args.node_limit)
    answers = {}
    for seed in tqdm(range(args.first, args.first + args.seeds), unit="seed", disable=not sys.stderr.isatty()):
        name = drawn(seed)
        here = solver.position(name)
        if here not in answers:
            try:
                answers[here] = solver.value(here)
            except NodeLimit:
                answers[here] = None
                print("seed %d, %s: not known after %d nodes" % (seed, name, args.node_limit))
        if answers[here]:
            print("seed %d, %s: a %s for Red" % (seed, name, "win" if answers[here] > 0 else "loss"))
    values = list(answers.values())
    words = (len(values), values.count(0), values.count(1) + values.count(-1), values.count(None))
    print("%d openings: %d draws, %d not, %d given up" % words)
    return 0 if words[0] == words[1] else 1


def run(args):
    from tools.solver import BuildError, TableTooLarge

    try:
        return {"info": info, "build": build, "check": check}[args.what](args)
    except (BuildError, TableTooLarge) as error:
        print("openings: %s" % error, file=sys.stderr)
    except OSError as error:
        print("openings: %s: %s" % (error.filename or "file", error.strerror or error), file=sys.stderr)
    return 2
