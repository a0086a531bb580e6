# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``python3 -m tools match``: the engine against itself: level against level, or against a version from history."""

import functools
import importlib
import io
import random
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from engine.search import Search
from engine.variation import make
from hal.drive import open_file
from tools import options, processes

HELP = "play matches: levels against each other, or the engine against one from the repository's history"
EXTRAS = ()
ROOT = Path(__file__).resolve().parent.parent
STEP_NODES = 200
TOP_LEVEL = 6
OPENING_PLIES = 2


def add_arguments(parser):
    parser.add_argument("--levels", action="store_true", help="each level against the one below")
    parser.add_argument("--pair", nargs=2, type=options.whole(1, TOP_LEVEL), metavar="LEVEL", help="two levels")
    parser.add_argument("--against", metavar="REVISION", help="this engine against the one of a git revision")
    parser.add_argument("--games", type=options.whole(2, 100000), default=200, help="games a pairing (default 200)")
    parser.add_argument("--nodes", type=options.whole(1, 10**7), help="with --against: nodes a move (default 1000)")
    parser.add_argument("--random-plies", type=options.whole(0, 40), help="moves by lot (default %d)" % OPENING_PLIES)
    parser.add_argument("--variation", default="five")
    parser.add_argument("--pop", action="store_true", help="with pops")
    parser.add_argument("--no-book", action="store_true", help="level 6 without its book and net")
    parser.add_argument("--random", action="store_true", help="fair openings by lot instead (five, classic)")
    parser.add_argument("--jobs", type=options.whole(1, 256), default=None, help="processes (default: one a core)")
    parser.add_argument("--seed", type=options.whole(0, 2**30 - 1), default=1)


def wrong(args):
    """One line on options that do not go together, else None."""
    if [bool(args.levels), bool(args.pair), bool(args.against)].count(True) != 1:
        return "say what to play, one of them: --levels, --pair A B or --against REVISION"
    drawn = args.random or args.variation == "random"
    rows = [
        ("nodes", 1000, args.against, "--against: levels have their own"),
        ("random_plies", OPENING_PLIES, not drawn, "games without a fair opening by lot"),
        ("no_book", False, not args.against, "levels: --against plays without a book"),
    ]
    return options.settle(args, rows)


class Engine:
    """The engine package of one folder, loaded beside any other."""

    def __init__(self, folder):
        kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "engine"}
        sys.path.insert(0, str(folder))
        try:
            self.make = importlib.import_module("engine.variation").make
            module = importlib.import_module("engine.position")
            self.position = getattr(module, "new_position", module.Position)
            module = importlib.import_module("engine.search")
            if not Path(module.__file__).resolve().is_relative_to(Path(folder).resolve()):
                raise ValueError("no whole engine in %s" % folder)
            self.search = module.Search()
            self.open_file = functools.partial(open_file, root=str(folder) + "/")
            # what is imported late must come from the same folder
            for name in ("plain", "search_pop", "search_drop", "extras"):
                if (Path(folder) / "engine" / (name + ".py")).exists():
                    importlib.import_module("engine." + name)
        finally:
            sys.path.pop(0)
            self.modules = {n: sys.modules.pop(n) for n in list(sys.modules) if n.split(".")[0] == "engine"}
            sys.modules.update(kept)

    def new_game(self, chosen, book):
        self.current = self.position(self.make(**chosen))
        if hasattr(self.search, "book"):
            self.search.open_file, self.search.book = self.open_file, book
        elif hasattr(self.search, "open_file"):  # engines of history, which read no other file than a book
            self.search.open_file = self.open_file if book else None

    def think(self, level, seed, nodes):
        kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "engine"}
        sys.modules.update(self.modules)
        try:
            self.search.start(self.current, level, seed=seed, nodes=nodes)
            while not self.search.step(STEP_NODES):
                pass
        finally:
            for name in list(sys.modules):
                if name.split(".")[0] == "engine":
                    self.modules[name] = sys.modules.pop(name)
            sys.modules.update(kept)
        return self.search.move


_ENGINES = {}


def play(task):
    """One game; the half points of the first engine (2, 1 or 0)."""
    number, seed, folders, levels, nodes, chosen, plies, book = task
    for folder in folders:
        if folder not in _ENGINES:
            _ENGINES[folder] = Engine(folder)
    sides = [_ENGINES[folders[0]], _ENGINES[folders[1]]]
    boards = [sides[0]] if sides[0] is sides[1] else sides
    lots = random.Random(seed * 100003 + number // 2)  # each opening twice, with colours exchanged
    variation = make(**chosen)
    if variation.draws_lots:
        chosen = dict(chosen, seed=lots.randrange(1 << 30))
        variation = make(**chosen)
    for side in boards:
        side.new_game(chosen, book and not nodes)
    drawn = options.opening(variation, Search())
    for ply in range(len(drawn) or plies):
        legal = boards[0].current.legal()
        if not legal:
            break
        move = drawn[ply] if drawn else lots.choice(legal)
        for side in boards:
            side.current.play(move)
    first = number & 1  # the colour of the first engine
    while boards[0].current.result is None:
        who = boards[0].current.to_move ^ first
        move = sides[who].think(levels[who], lots.randrange(1 << 30), nodes)
        for side in boards:
            side.current.play(move)
    result = boards[0].current.result
    return 1 if result > 1 else 2 if result == first else 0


def extract(revision, folder):
    """The engine of a git ``revision`` in ``folder``. Raises ValueError with one clear line."""
    if revision.startswith("-"):
        raise ValueError("'%s' is no git revision" % revision)
    done = subprocess.run(["git", "archive", revision, "engine"], cwd=ROOT, capture_output=True)
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise ValueError("no engine at revision %s: %s" % (revision, reason[-1]))
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data") if sys.version_info >= (3, 12) else archive.extractall(folder)


def run_pairing(pool, name, tasks):
    from tqdm import tqdm

    wins = draws = losses = 0
    with tqdm(total=len(tasks), desc=name, leave=False, disable=not sys.stderr.isatty()) as bar:
        for half_points in pool.imap(play, tasks, chunksize=2):
            wins += half_points == 2
            draws += half_points == 1
            losses += half_points == 0
            bar.update()
    share = 100 * (2 * wins + draws) / (2 * len(tasks))
    print("%-24s %6d %6d %6d %8.1f %%" % (name, wins, draws, losses, share), flush=True)


def run(args):
    if wrong(args):
        print("match: %s" % wrong(args), file=sys.stderr)
        return 2
    here = str(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        pairings = []
        try:
            chosen = {"name": args.variation, "pop": args.pop}
            if args.random:
                chosen["random"] = True
            if make(**chosen).colours > 2:
                raise ValueError("%s is for three players, and two engines play here: choose another" % args.variation)
            if args.against:
                extract(args.against, folder)
                try:
                    Engine(folder)
                except (ImportError, ValueError):
                    raise ValueError("revision %s holds no whole engine: choose a later one" % args.against) from None
                pairings.append(("this : %s" % args.against, (here, folder), (TOP_LEVEL, TOP_LEVEL), args.nodes))
        except ValueError as error:
            print("match: %s" % error, file=sys.stderr)
            return 2
        pairs = [(n + 1, n) for n in range(1, TOP_LEVEL)] if args.levels else []
        if args.pair:
            pairs.append(tuple(args.pair))
        pairings.extend([("level %d : level %d" % pair, (here, here), pair, 0) for pair in pairs])
        print("%-24s %6s %6s %6s %10s" % ("pairing", "won", "drawn", "lost", "points"))
        with processes.pool(args.jobs) as pool:
            for name, folders, levels, nodes in pairings:
                rest = (args.seed, folders, levels, nodes, chosen, args.random_plies, not args.no_book)
                tasks = [(number, *rest) for number in range(args.games)]
                run_pairing(pool, name, tasks)
    return 0
