# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``tune``: what positions are worth to the search without pops, fitted to exact values (engine/search_worths.py).

``collect`` lets the search look ahead from positions by lot, takes positions out of the middle of its look-ahead, where
it has to judge them, and solves them. ``fit`` finds the numbers whose sums come nearest to those values, in the sense
of least squares and starting from what the lines alone tell, and writes the file that the board loads. (Games with
pops: ``tune_pop``.)
"""

import random
import struct
import sys
import time
from pathlib import Path

from engine import search_worths
from engine.position import new_position
from engine.search import Search
from engine.search_drop import state
from engine.search_tables import Tables, words
from engine.variation import FIRST, make
from hal.drive import open_file
from tools import options, processes
from tools.environment import ROOT

HELP = "what positions are worth in games without pops: collect exact values and fit the file that the board loads"
EXTRAS = ("solver", "fit")

STATE = ROOT / "build" / "tune"
ROOTS = range(7, 23)  # plies of the positions that are searched
EARLIEST = 14  # ply of a position that is solved: earlier ones are dear
BUDGETS = (300, 1500, 6000)  # nodes of a search
A_SEARCH = 24  # positions taken out of it
SENSIBLE_NODES = 30  # of the moves that lead to half of the roots after a beginning by lot
AT_ONCE = 200  # searches that the processes are given at a time
FOLDS = 5

_collector = None  # of each process


def add_arguments(parser):
    what = parser.add_subparsers(dest="what", required=True, metavar="collect|fit|info")
    collect = what.add_parser("collect", help="solve positions of the search's look-ahead; goes on where it stopped")
    collect.add_argument("--minutes", type=options.whole(1, 10**5), default=20, metavar="N", help="default 20")
    collect.add_argument("--jobs", type=options.whole(1, 256), default=None, help="processes (default: one a core)")
    fit = what.add_parser("fit", help="make the file of what has been collected")
    fit.add_argument("--out", type=Path, default=None, metavar="FILE", help="default engine/VARIATION_worths.bin")
    fit.add_argument(
        "--damping", type=options.whole(1, 10**6), default=80, metavar="N",
        help="how many positions it takes to believe in a number (default 80)",
    )  # fmt: skip
    info = what.add_parser("info", help="how much has been collected, and how well the file fits it")
    for one in (collect, fit, info):
        one.add_argument("--variation", choices=("five", "classic", "small"), default="five")
        one.add_argument(
            "--state", type=Path, default=STATE, metavar="DIR", help="what has been collected (default build/tune)"
        )


class Collector:
    """Takes positions out of searches and solves them, in one process."""

    def __init__(self, name):
        from tools.solver import Solver

        self.variation = make(name)
        self.solver = Solver(name, table_mb=512)
        self.search = Search(open_file=open_file)

    def root(self, lots):
        """A position to search: by lot, in half of the cases with sensible moves at the end."""
        while True:
            position = new_position(self.variation)
            plies = lots.choice(ROOTS)
            blind = plies if lots.random() < 0.5 else lots.randrange(4, plies + 1)
            while position.result is None and position.ply < blind:
                position.play(lots.choice(position.legal()))
            while position.result is None and position.ply < plies:
                self.think(position, SENSIBLE_NODES, lots.randrange(1000))
                position.play(self.search.move)
            if position.result is None:
                return position

    def think(self, position, nodes, seed=0):
        self.search.start(position, nodes=nodes, seed=seed)
        while not self.search.step(1000):
            pass

    def positions(self, number):
        """Records (lists of columns) out of the search number ``number``, each a drop beyond a position that the search
        was at when it was interrupted."""
        lots = random.Random("%s %d" % (self.variation.name, number))
        root = self.root(lots)
        budget = lots.choice(BUDGETS)
        search, played = self.search, list(root.moves[: root.ply])
        found = set()
        search.start(root, nodes=budget)
        while not search.step(1 + lots.randrange(2 * budget // A_SEARCH)):
            if search.making or not search.nodes:
                continue
            at = search._worker.gi_frame.f_locals
            drops = at["drops"]
            record = played + [drops[bit][0] for bit in at["MV"][: at["d"]]]
            position = new_position(self.variation)
            for column in record:
                position.play(column)
            if position.result is None:
                position.play(lots.choice(position.legal()))
                if position.result is None and position.ply >= EARLIEST:
                    found.add(tuple(position.moves[: position.ply]))
        return sorted(found)


def collected(task):
    """Lines of text, a position each: the number of its search, its record in digits, and its value."""
    global _collector
    name, number = task
    if _collector is None or _collector.variation.name != name:
        _collector = Collector(name)
    return [
        "%d %s %d\n" % (number, "".join(str(column + 1) for column in record), _collector.solver.value(record))
        for record in _collector.positions(number)
    ]


def collect(path, name, minutes, jobs):
    """Adds to the file ``path`` for so many minutes; whole searches, so that it can be stopped at any time."""
    from tqdm import tqdm

    path.parent.mkdir(parents=True, exist_ok=True)
    known = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    first = 1 + max((int(line.split()[0]) for line in known if len(line.split()) == 3), default=-1)
    stop = time.monotonic() + 60 * minutes
    with processes.pool(jobs) as pool, open(path, "a", encoding="ascii") as file, tqdm(unit="positions") as bar:
        bar.update(len(known))
        while time.monotonic() < stop:
            for lines in pool.imap(collected, [(name, first + i) for i in range(AT_ONCE)]):
                file.write("".join(lines))
                file.flush()
                bar.update(len(lines))
                if time.monotonic() > stop:
                    break
            first += AT_ONCE
    return 0


class Judge:
    """The terms whose sum a position is worth, numbers of a file of worths: of its runs, and the state of its threats.

    ``numbers``: those of the variation's file, or with ``open_file`` None those that its lines alone tell."""

    def __init__(self, name, open_file):
        self.variation = v = make(name)
        tables = Tables(v, open_file)
        for _ in tables.make():
            pass
        self.drops, self.cell_bits, self.starts = tables.drops, tables.cell_bits, tables.base
        self.size, self.fault = len(tables.worths), tables.fault
        self.lines = list(v.lines)
        # as in a file: for Red, first with Red to move
        states = [-tables.values[16 + (i >> 2 | (i & 3) << 2)] for i in range(16)] + tables.values[:16]
        self.numbers = list(tables.worths) + states

    def terms(self, record):
        """The places in ``numbers`` of a position's terms, or None where a line could be completed at once."""
        v = self.variation
        board, heights, places = [2] * 54, [0] * 9, list(self.starts)
        if v.sides:
            for row in range(6):
                for cell in (row, 48 + row):
                    board[cell] = v.side_colour(cell)
        for ply, column in enumerate(record):
            cell = 6 * (FIRST + column) + heights[column]
            heights[column] += 1
            board[cell] = ply & 1
            drop = self.drops[self.cell_bits[cell]]
            for i in (17, 18, 19):
                places[drop[i]] += -drop[i + 3] if ply & 1 else drop[i + 3]
        threats = [set(), set()]
        for line in self.lines:
            colours = [board[cell] for cell in line]
            for side in (0, 1):
                if colours.count(side) == v.need - 1 and colours.count(2) == 1:
                    cell = line[colours.index(2)]
                    if FIRST <= cell // 6 < FIRST + v.free and cell % 6 == heights[cell // 6 - FIRST]:
                        return None
                    threats[side].add(cell)
        kind = state(*words(threats[0]), *words(threats[1]))
        return [*places, self.size + kind + 16 * (len(record) & 1)]

    def worth(self, terms):
        """What ``numbers`` make of terms, where a win is worth 1."""
        return sum(self.numbers[place] for place in terms) / search_worths.WIN


def read_collected(path):
    """[(record as a list of columns, value for Red)], each position's record once."""
    found = {}
    for line in path.read_text(encoding="ascii").splitlines():
        parts = line.split()
        if len(parts) == 3:
            found[parts[1]] = int(parts[2])
    return [([int(digit) - 1 for digit in text], -value if len(text) & 1 else value) for text, value in found.items()]


def quiet(judge, path):
    """(terms, value for Red) of the positions collected in which no line could be completed at once."""
    rows, values = [], []
    for record, value in read_collected(path):
        terms = judge.terms(record)
        if terms is not None:
            rows.append(terms)
            values.append(value)
    return rows, values


def fitted(judge, rows, values, damping):
    """Numbers near those of ``judge`` that come nearest to the values, by rows of terms; a win is worth 1."""
    import numpy
    from scipy import sparse
    from scipy.sparse.linalg import lsmr

    before = numpy.array(judge.numbers, float) / search_worths.WIN
    places = numpy.array(rows)
    count, width = places.shape
    matrix = sparse.csr_matrix(
        (numpy.ones(count * width), places.ravel(), numpy.arange(0, count * width + 1, width)), (count, len(before))
    )
    left = numpy.array(values, float) - before[places].sum(axis=1)
    return before + lsmr(matrix, left, damp=damping**0.5, atol=1e-5, btol=1e-5, maxiter=300)[0]


def explained(judged, values):
    """The share of the values' variance that the estimates explain (R squared)."""
    mean = sum(values) / len(values)
    left = sum((value - one) ** 2 for one, value in zip(judged, values))
    return 1 - left / sum((value - mean) ** 2 for value in values)


def file_of(name, table, states):
    """The bytes of a file of worths; ``table``: whole numbers within +-MOST; ``states``: +-WIN."""
    body = struct.pack("<H32b%db" % len(table), 0, *states, *table)
    a = b = 1
    for byte in body:
        a = (a + byte) % 255
        b = (b + a) % 255
    return struct.pack("<4sBBH8sBB", b"WRTH", search_worths.VERSION, 0, len(table), name.encode(), a, b) + body


def fit(path, name, damping, out):
    judge = Judge(name, None)
    rows, values = quiet(judge, path)
    if len(rows) < 10 * FOLDS:
        print("tune: %d quiet positions in %s are too few: collect more" % (len(rows), path), file=sys.stderr)
        return 1
    judged = [0.0] * len(rows)
    block = -(-len(rows) // FOLDS)  # neighbours are out of one search, and much alike
    for first in range(0, len(rows), block):
        last = first + block
        numbers = fitted(judge, rows[:first] + rows[last:], values[:first] + values[last:], damping)
        for i in range(first, min(last, len(rows))):
            judged[i] = sum(numbers[place] for place in rows[i])
    numbers = fitted(judge, rows, values, damping)
    whole = [round(search_worths.WIN * number) for number in numbers]
    most = [search_worths.LIMIT] * judge.size + [search_worths.WIN] * 32
    whole = [max(-one, min(one, number)) for number, one in zip(whole, most)]
    out.write_bytes(file_of(name, whole[: judge.size], whole[judge.size :]))
    print("%d quiet positions: R squared %.3f on a fifth that was not seen" % (len(rows), explained(judged, values)))
    print("%s: %d bytes" % (out, out.stat().st_size))
    return 0


def info(path, name):
    for told, judge in (("its lines alone", Judge(name, None)), ("what the board loads", Judge(name, open_file))):
        if judge.fault:
            print(judge.fault)
            continue
        rows, values = quiet(judge, path)
        if not rows:
            print("tune: no quiet position in %s: collect more" % path, file=sys.stderr)
            return 1
        judged = explained([judge.worth(row) for row in rows], values)
        print("R squared of %s over %d quiet positions: %.3f" % (told, len(rows), judged))
    return 0


def run(args):
    from tools.solver import BuildError

    path = args.state / (args.variation + ".txt")
    try:
        if args.what == "collect":
            return collect(path, args.variation, args.minutes, args.jobs)
        if not path.exists():
            print("tune: nothing is collected in %s: `tune collect` does that" % args.state, file=sys.stderr)
            return 1
        if args.what == "fit":
            return fit(
                path, args.variation, args.damping, args.out or ROOT / "engine" / (args.variation + "_worths.bin")
            )
        return info(path, args.variation)
    except (BuildError, MemoryError) as error:
        print("tune: %s" % error, file=sys.stderr)
        return 1
