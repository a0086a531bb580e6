# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Builds the book: walks level 6's own games for both colours and keeps a move wherever its own gives something away.

The questions, a position each, are spread over processes (tools/processes.py, or dask.distributed's);
their answers are kept in a state file as they come, so that a build that was stopped takes up where it was.
"""

import concurrent.futures
import contextlib
import functools
import hashlib
import json
import sys
import time
from pathlib import Path

from tools import processes
from tools.book import file, games
from tools.environment import ROOT

CHUNK = 8  # positions a task: some tenths of a second
LEAVE = 26  # from this many discs on the search has been found exact on every public position
SIDES = ("red", "yellow")
# The question of a win is given up after FIRST_NODES before ply FIRST_PLIES, where it takes hours a position, after
# --early-nodes before EARLY_PLY, and never from there on. Answers up to EARLY_KEPT are kept in the file EARLY.
FIRST_PLIES, FIRST_NODES, EARLY_PLY, EARLY_KEPT = 5, 100000, 12, 9
EARLY = Path(__file__).resolve().parent / "early.txt"
# What level 6's choice depends on: a state file of another engine is put aside. The exact values stay valid.
# The book itself is no part of it: whoever depends on that names it beside it.
SOURCES = ("engine/search*.py", "engine/levels.py", "engine/*.bin")
NOT_OF_IT = ("search_pop.py", "search_pop_tables.py", "five_book.bin")


class BuildFault(Exception):
    """The build cannot go on; the text is one line with the remedy."""


def engine_hash():
    """Of everything that level 6's choice depends on."""
    whole = hashlib.sha256()
    for path in sorted(path for pattern in SOURCES for path in ROOT.glob(pattern) if path.name not in NOT_OF_IT):
        whole.update(path.name.encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:16]


class Answers:
    """Answers so far, {question: answer} in memory and as JSON lines in a file whose first line is ``head``.

    A last line that was cut short is passed over; a file with another head is begun anew, the old one renamed."""

    def __init__(self, path, head):
        self.known = {}
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        try:
            fits = bool(lines) and json.loads(lines[0]) == head
        except ValueError:
            fits = False
        if lines and not fits:
            path.replace(path.with_name(path.name + ".old"))
        for line in lines[1:] if fits else ():
            with contextlib.suppress(ValueError, TypeError):
                question, answer = json.loads(line)
                self.known[_frozen(question)] = answer
        self._file = path.open("a", encoding="utf-8", buffering=1)  # an answer is kept as soon as it is there
        self._file.write("\n" if fits else json.dumps(head) + "\n")

    def add(self, question, answer):
        """Keep an answer; both are what JSON can hold."""
        self.known[question] = answer
        self._file.write(json.dumps((question, answer), separators=(",", ":")) + "\n")

    def close(self):
        self._file.close()


class Early:
    """Solved positions of the first plies, kept in the repository, since they take hours: a line each, the seven column
    codes in hexadecimal and 1 or 0, whether the side to move can force a win."""

    def __init__(self, path):
        self.known = {}
        self.path = path
        if path.exists():
            for line in path.read_text("ascii").splitlines():
                words = line.split()
                if len(words) == 2 and not line.startswith("#"):
                    self.known[tuple(bytes.fromhex(words[0]))] = int(words[1])

    def add(self, codes, answer):
        """Keep an answer, 1 or 0, at once."""
        self.known[codes] = answer
        new = not self.path.exists()
        with self.path.open("a", encoding="ascii") as file_:
            if new:
                file_.write("# column codes (engine/book.py) of solved positions; 1: the side to move wins by force\n")
            file_.write("%s %d\n" % (bytes(codes).hex(), answer))


def solved(state):
    """{codes: 1 or 0}: what builds have found out so far, in the repository and in the folder ``state``."""
    known = dict(Early(EARLY).known)
    path = state / "values.jsonl"
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        with contextlib.suppress(ValueError, TypeError):
            codes, (answer, _) = json.loads(line)
            if answer >= 0:
                known[tuple(codes)] = answer
    return known


def _frozen(question):
    """Lists as tuples."""
    return tuple(map(_frozen, question)) if isinstance(question, list) else question


class Scheduled:
    """A dask scheduler's processes, asked as those of tools/processes.py are."""

    def __init__(self, client):
        self._executor = client.get_executor(pure=False)

    def imap_unordered(self, function, tasks):
        """The results of function(task) in any order."""
        for future in concurrent.futures.as_completed([self._executor.submit(function, task) for task in tasks]):
            yield future.result()


@contextlib.contextmanager
def executor(jobs, scheduler=None):
    """Processes to spread questions over: ``jobs`` here, or those of the dask scheduler at an address.

    Raises BuildFault where there is none."""
    if not scheduler:
        try:
            with processes.pool(jobs) as pool:
                yield pool
        except processes.ProcessLost as error:
            raise BuildFault(error) from None
        return
    from distributed import Client

    try:
        client = Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise BuildFault("no dask scheduler at %s: %s" % (scheduler, error)) from None
    with client:
        try:
            yield Scheduled(client)
        except (RuntimeError, ModuleNotFoundError) as error:
            raise BuildFault(
                "dask at %s: %s: start scheduler and workers in the repository's folder, with the same packages, "
                "as python -m dask scheduler and python -m dask worker" % (scheduler, str(error).split(".")[0])
            ) from None


def _asked(chunk, function, settings):
    return chunk, function(chunk, *settings)


def spread(pool, function, tasks, *settings, chunk=CHUNK):
    """(task, answer) for each task, in any order; function(tasks, *settings) runs in the pool's processes."""
    chunks = [tasks[i : i + chunk] for i in range(0, len(tasks), chunk)]
    for some, answers in pool.imap_unordered(functools.partial(_asked, function=function, settings=settings), chunks):
        yield from zip(some, answers)


def nothing_won(ply, positions):
    """The answer that keeps a walk in the net: {codes: 0}."""
    return dict.fromkeys(positions, 0)


class Desk:
    """Asks the pool what is not known yet, and keeps it."""

    def __init__(self, pool, early, values, choices, args, bar):
        self.pool, self.early, self.values, self.choices = pool, early, values, choices
        self.args, self.bar = args, bar

    def won(self, ply, positions):
        """{codes: 1, 0 or -1}: whether the side to move can force a win; -1 where it takes too long to tell."""
        known, early, args = self.values.known, self.early.known, self.args
        limit = FIRST_NODES if ply < FIRST_PLIES else args.early_nodes if ply < EARLY_PLY else 0

        def told(codes):
            """The answer, unless it was given up with fewer nodes than are allowed now."""
            if codes in early:
                return early[codes]
            answer = known.get(codes)
            return None if answer is None or answer[0] < 0 and (not limit or answer[1] < limit) else answer[0]

        missing = [codes for codes in positions if told(codes) is None]
        self.bar(ply, "values", len(missing))
        chunk = CHUNK if ply >= EARLY_PLY else 1  # these take seconds each
        for codes, answer in spread(self.pool, games.won_many, missing, limit, args.table_mb, chunk=chunk):
            self.values.add(codes, (answer, limit))
            if answer >= 0 and ply <= EARLY_KEPT:
                self.early.add(codes, answer)
            self.bar.update()
        return {codes: told(codes) for codes in positions}

    def choose(self, ply, questions):
        """{codes: Found} for {codes: (rules, value)}."""
        known = self.choices.known
        tasks = [(codes, rules, value) for codes, (rules, value) in questions.items()]
        missing = [task for task in tasks if task not in known]
        self.bar(ply, "choices", len(missing))
        for task, found in spread(self.pool, games.examine_many, missing, LEAVE, self.args.table_mb):
            self.choices.add(task, (found.entry, list(found.choices.items()), found.proved))
            self.bar.update()
        found = {}
        for task in tasks:
            entry, choices, proved = known[task]
            found[task[0]] = games.Found(entry, False, dict(choices), proved)
        return found


class Progress:
    """A bar for each ply, and an estimate for all: every ply to come is taken to be as long as this one."""

    def __init__(self, sides, last_ply, show):
        self.show = show
        self._left = [(side, ply) for side in sides for ply in range(side, last_ply + 1, 2)]
        self._bar = None
        self._ply_began = time.monotonic()

    def __call__(self, ply, what, count):
        from tqdm import tqdm

        self.close()
        to_come = ""
        if what == "values":
            now = time.monotonic()
            self._left.pop(0)
            minutes = (now - self._ply_began) * (1 + len(self._left)) / 60
            self._ply_began = now
            to_come = ", %d plies behind it, about %d min in all" % (len(self._left), minutes + 1)
        name = "ply %2d %s%s" % (ply, what, to_come)
        self._bar = tqdm(total=count, unit="position", desc=name, disable=not self.show, leave=False)

    def update(self):
        self._bar.update()

    def close(self):
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def build(args, show):
    """(entries, table): as tools.book.file.pack takes them, and what each ply was as a dict. Raises BuildFault."""
    from tools.solver import Solver
    from tools.solver.strategy import shipped

    strategies = shipped()
    rules = file.rule_bytes(strategies).hex()
    entries, table = dict(file.read(args.add).entries) if args.add else {}, []
    args.state.mkdir(parents=True, exist_ok=True)
    values = Answers(args.state / "values.jsonl", {"variation": "five"})
    early = Early(EARLY)
    choices = Answers(args.state / "choices.jsonl", {"engine": engine_hash(), "leave": LEAVE, "rules": rules})
    net = games.Net(strategies, Solver("five", table_mb=16))
    sides = [SIDES.index(name) for name in SIDES if args.side in (None, name)]
    progress = Progress(sides, args.to_ply, show)
    try:
        with executor(args.jobs, args.scheduler) as pool:
            desk = Desk(pool, early, values, choices, args, progress)
            for side in sides:
                # The net comes first and whole: that the board's search finds a win, and leaves it, is no promise.
                ways = [
                    (nothing_won, 99, min(args.to_ply, net.last_ply(side)) if args.net_only else net.last_ply(side))
                ]
                if not args.net_only:
                    ways.append((desk.won, LEAVE, args.to_ply))
                for won, leave, last_ply in ways:
                    walk = games.Walk(side, net, won, desk.choose, leave, args.width, args.full_plies, args.seed)
                    for _ in walk.plies(last_ply):
                        progress.close()  # its line first
                        if won == ways[-1][0]:
                            print(row_text(walk.table[-1]), file=sys.stderr, flush=True)
                    entries.update(walk.entries)
                table += walk.table
    finally:
        values.close()
        choices.close()
        progress.close()
    if len(entries) > file.LARGEST_COUNT:
        # the ones that the fewest games reach go: those with the most discs
        kept = sorted(entries, key=lambda codes: (games.ply_of(codes), codes))[: file.LARGEST_COUNT]
        print("%d entries of %d left out: the file is full" % (len(entries) - len(kept), len(entries)), file=sys.stderr)
        entries = {codes: entries[codes] for codes in kept}
    return entries, table


NAMES = ("side", "ply", "games", "positions", "in_net", "won", "unknown", "proved", "entries")
HEADING = " ".join("%9s" % name for name in NAMES)


def row_text(row):
    """A row of the table of a build."""
    return " ".join("%9s" % row[name] for name in NAMES)


def write(path, data):
    """Replace a file in one step."""
    draft = Path(path).with_name(Path(path).name + ".new")
    draft.write_bytes(data)
    draft.replace(path)
