# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The audit of level 6's own games, played as the board plays them: its search, its book from the same file.

``reply``      every reply of the other side for ``--depth`` plies, a sample beyond
``random``     whole games against players that move by lot
``spoiler``    whole games against the exact solver, which of the replies that give nothing away takes the one after
               which most of level 6's moves would
``enumerate``  every reply up to ply 20 or what ``--depth`` says, complete; where Red's net ends, at ply 20, the answer
               is the search's or the book's, checked by the solver like every other
"""

import hashlib
import json
import random
import sys

from engine.book import NET
from engine.moves import LETTERS
from engine.position import new_position
from engine.search import Search
from engine.variation import DRAW, make
from tools.book import BOOK, games
from tools.book import STATE as BUILT
from tools.book.build import EARLY_PLY, Answers, BuildFault, engine_hash, executor, solved, spread
from tools.environment import ROOT

BOTH = ("red", "yellow")
SOURCES = ("book", "net", "proof", "search")  # where a move came from
DEPTH, ENUMERATED_TO = 8, 20
UNKNOWN_NODES = 200000  # for a question before EARLY_PLY
STATE = ROOT / "build" / "audit"

_player = None


def source(search):
    """Where a Search that is done has its move from."""
    book = search._book
    if book is not None:
        if book.move >= 0:
            return "book"
        if book.rule == search.move and not (search.exact and search.score > 0):
            return "net"
    return "proof" if search.exact else "search"


class Player:
    """Level 6 with its book, and the solver that judges it, in one process. ``book``: False plays without."""

    def __init__(self, book, table_mb):
        from hal.drive import open_file

        self.judge = games.judge(table_mb)
        self.search = Search(open_file=open_file if book else None)
        self.position = new_position(make("five"))
        self.solved = solved(BUILT)

    def go_to(self, record):
        self.position.reset()
        for sign in record:
            self.position.play(LETTERS.index(sign))

    def move(self):
        """(move, source) of level 6 in the present position, which is open."""
        search = self.search
        search.start(self.position, games.TOP_LEVEL)
        while not search.step(games.STEP_NODES):
            pass
        if search.fault:
            raise BuildFault("%s: --no-book audits that" % search.fault)
        return search.move, source(search)

    def judged(self, codes, move, known):
        """(before, kept): whether the position is won (1), not (0) or too hard to tell (-1), and whether the move keeps
        that (1, 0); of a position that is too hard to tell, whether it holds the draw (-1: too hard as well).

        known: 1 for a position that is known to be won, else -1."""
        from tools.solver import NodeLimit

        judge = self.judge
        limit = UNKNOWN_NODES if games.ply_of(codes) < EARLY_PLY else 0
        before = 1 if known > 0 else self.solved[codes] if codes in self.solved else judge.won(codes, limit)
        judge.solver.node_limit = 0 if before > 0 else limit
        try:
            return before, int(judge.keeps(codes, move, 1 if before > 0 else 0))
        except NodeLimit:
            return before, -1
        finally:
            judge.solver.node_limit = 0


def player(book, table_mb):
    """The Player of this process."""
    global _player
    if _player is None:
        _player = Player(book, table_mb)
    return _player


def ask_many(tasks, book, table_mb):
    """[(move, source, before, kept)] for (record, codes, known) tasks."""
    one = player(book, table_mb)
    found = []
    for record, codes, known in tasks:
        one.go_to(record)
        move, source = one.move()
        found.append((move, source, *one.judged(codes, move, known)))
    return found


def play_many(tasks, kind, spoil_from, book, table_mb):
    """[(result, rows)] for (seed, side) tasks: whole games of level 6 as ``side``; result 1 won, 0 drawn, -1 lost;
    rows (record, move, source, before, kept)."""
    return [_game(player(book, table_mb), seed, side, kind, spoil_from) for seed, side in tasks]


def _game(one, seed, side, kind, spoil_from):
    lots = random.Random(seed)
    position, codes, record, rows, known = one.position, games.START, "", [], -1
    position.reset()
    while position.result is None:
        if position.to_move == side:
            move, source = one.move()
            before, kept = one.judged(codes, move, known)
            rows.append((record, move, source, before, kept))
            known = 1 if before > 0 and kept else -1
        else:
            move = lots.choice(position.legal())
            if kind == "spoiler" and position.ply >= spoil_from:
                move = _spoil(one.judge.solver, record, lots)
        codes = games.after(codes, move, position.to_move)
        record += LETTERS[move]
        position.play(move)
    return 0 if position.result == DRAW else 1 if position.result == side else -1, rows


def _spoil(solver, record, lots):
    """Of the moves that give nothing away, one after which most answers would."""
    values = solver.values(record)
    best = max(value for value in values if value is not None)
    found = []
    for column in range(7):
        if values[column] != best:
            continue
        after = record + LETTERS[column]
        if solver.has_line(solver.position(after).other) or len(after) == 42:
            return column
        answers = [value for value in solver.values(after) if value is not None]
        wrong = sum(value < max(answers) for value in answers)
        found.append((wrong / len(answers), lots.random(), column))
    return max(found)[2]


def book_hash():
    """Of the file that level 6 plays from."""
    return hashlib.sha256(BOOK.read_bytes()).hexdigest()[:16] if BOOK.exists() else ""


class Replies:
    """Level 6 as ``side`` against every reply: all of them for ``depth`` plies, at most ``width`` states a ply beyond
    (0: none), to ``last_ply``. ``rows``: (record, move, source, before, kept)."""

    def __init__(self, side, depth, width, last_ply, seed, net, entries):
        self.side, self.depth, self.width, self.last_ply = side, depth, width, last_ply
        self.net, self.entries, self.rows = net, entries, []
        self._lots = random.Random(seed)

    def walk(self, ask):
        """ask: (ply, {state: (record, codes, known)}) -> {state: (move, source, before, kept)}."""
        side = self.side
        level = {(games.START, -1, True): ("", -1)}
        if side:
            level = {(games.after(games.START, column, 0), column, True): (LETTERS[column], -1) for column in range(7)}
        for ply in range(side, self.last_ply + 1, 2):
            if not level:
                return
            tasks = {state: (record, state[0], known) for state, (record, known) in level.items()}
            found = ask(ply, tasks)
            following = {}
            for state, (record, _) in level.items():
                move, source, before, kept = found[state]
                self.rows.append((record, move, source, before, kept))
                if kept:
                    self._replies(state, record, move, before, following, ply)
            level = following
            if ply + 2 > self.depth and len(level) > self.width:
                level = {state: level[state] for state in self._lots.sample(sorted(level), self.width)}

    def _replies(self, state, record, move, before, following, ply):
        codes, last, follows = state
        side, solver = self.side, self.net.solver
        if follows:
            entry = self.entries.get(codes, -1)
            follows = move == (self.net.rule(codes, last) if entry < 0 else entry - NET)
        moved = games.after(codes, move, side)
        if solver.has_line(games.discs_of(moved, solver)[side]):
            return
        for reply in games.room(moved):
            answered = games.after(moved, reply, side ^ 1)
            longer = record + LETTERS[move] + LETTERS[reply]
            if solver.has_line(games.discs_of(answered, solver)[side ^ 1]):
                self.rows.append((record + LETTERS[move], reply, "search", 0, 0))  # lost, whatever was thought of it
            elif ply + 2 < 42:
                following.setdefault((answered, reply, follows), (longer, 1 if before > 0 else -1))


def run(args, show):
    """The audit that the options name; (rows, results): every judged position with level 6 to move, and {"won": n,
    "drawn": n, "lost": n} of whole games, empty for the others."""
    from tqdm import tqdm

    sides = [BOTH.index(name) for name in BOTH if args.side in (None, name)]
    book = not args.no_book
    rows, results = [], {}
    with executor(args.jobs or 2, args.scheduler) as pool:
        if args.games in ("random", "spoiler"):
            tasks = [(args.seed + n, sides[n % len(sides)]) for n in range(args.count)]
            results = {"won": 0, "drawn": 0, "lost": 0}
            played = spread(pool, play_many, tasks, args.games, args.spoil_from, book, args.table_mb)
            for _, (result, some) in tqdm(played, total=len(tasks), unit="game", disable=not show):
                results[("drawn", "won", "lost")[result]] += 1
                rows += some
            return rows, results
        from tools.book import file
        from tools.solver import Solver
        from tools.solver.strategy import shipped

        net = games.Net(shipped(), Solver("five", table_mb=16))
        entries = file.read(BOOK).entries if book and BOOK.exists() else {}
        STATE.mkdir(parents=True, exist_ok=True)
        head = {"engine": engine_hash(), "book": book_hash() if book else ""}
        answers = Answers(STATE / ("answers.jsonl" if book else "answers-no-book.jsonl"), head)

        def ask(ply, tasks):
            missing = [(state, task) for state, task in tasks.items() if state not in answers.known]
            states = {task: state for state, task in missing}
            asked = spread(pool, ask_many, [task for _, task in missing], book, args.table_mb)
            bar = tqdm(asked, total=len(missing), unit="position", desc="ply %2d" % ply, disable=not show, leave=False)
            for count, (task, answer) in enumerate(bar):
                answers.add(states[task], answer)
                if not count % 64:
                    answers.flush()
            return {state: answers.known[state] for state in tasks}

        try:
            for side in sides:
                if args.enumerate:
                    walk = Replies(side, args.depth + side, 0, args.depth + side, args.seed, net, entries)
                else:
                    walk = Replies(side, args.depth, args.width, 41, args.seed, net, entries)
                walk.walk(ask)
                rows += walk.rows
        finally:
            answers.close()
    return rows, results


def summary(rows):
    """A dict a ply: positions, won (of these known to be won), unknown, kept and how many moves each source gave."""
    table = {}
    for record, _, source, before, kept in rows:
        row = table.setdefault(
            len(record),
            {"ply": len(record), "positions": 0, "won": 0, "unknown": 0, "kept": 0, **dict.fromkeys(SOURCES, 0)},
        )
        row["positions"] += 1
        row["won"] += before > 0
        row["unknown"] += before < 0
        row["kept"] += kept != 0
        row[source] += 1
    return [table[ply] for ply in sorted(table)]


def failures(rows):
    """(record, letter of the move, what was let go) of every move that kept nothing."""
    return [
        (record, LETTERS[move], "a win" if before > 0 else "the draw", source)
        for record, move, source, before, kept in rows
        if not kept
    ]


def title(args):
    """What was audited, as one line."""
    if args.enumerate:
        text = "every reply up to ply %d, complete" % args.depth
    elif args.games == "reply":
        text = "every reply up to ply %d, at most %d positions a ply beyond" % (args.depth, args.width)
    elif args.games == "random":
        text = "%d games against players that move by lot" % args.count
    else:
        text = "%d games against the exact solver as a spoiler from ply %d" % (args.count, args.spoil_from)
    return text + (", level 6 as %s" % args.side if args.side else "") + (", no book" if args.no_book else "")


def text(args, rows, results):
    """The report in Markdown."""
    table, wrong = summary(rows), failures(rows)
    lines = ["# Audit of level 6's own games", "", title(args) + ".", ""]
    lines.append("engine %s, book %s" % (engine_hash(), "none" if args.no_book else book_hash()))
    lines += ["", "%d positions with level 6 to move, value kept in %d (%.4f %%)."
              % (len(rows), len(rows) - len(wrong), 100 - 100 * len(wrong) / max(1, len(rows)))]  # fmt: skip
    if results:
        lines += ["", "Games: %d won, %d drawn, %d lost." % tuple(results[name] for name in ("won", "drawn", "lost"))]
    names = ("ply", "positions", "won", "unknown", "kept", *SOURCES)
    lines += ["", "| " + " | ".join(names) + " |", "|" + "---:|" * len(names)]
    lines += ["| " + " | ".join(str(row[name]) for name in names) + " |" for row in table]
    lines += ["", "won: known to be won for level 6. unknown: too early for the solver to tell; there the net's proof"]
    lines += ["holds. " + ", ".join(SOURCES) + ": where the move came from.", ""]
    if wrong:
        lines += ["## Given away", ""]
        lines += ["- `%s`: played %s (%s), %s was let go" % (record, move, source, what)
                  for record, move, what, source in wrong]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"


def plot(path, args, rows):
    """A picture of the share of positions whose value was kept, by ply."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    table = summary(rows)
    figure, (above, below) = pyplot.subplots(2, 1, figsize=(8, 5.4), sharex=True, height_ratios=(2, 1))
    plies = [row["ply"] for row in table]
    shares = [100 * row["kept"] / row["positions"] for row in table]
    above.plot(plies, shares, "o-", color="#c03028", markersize=4)
    above.set_ylim(min(99, min(shares) - 0.5), 100.05)
    above.set_ylabel("value kept, %")
    above.set_title(title(args), fontsize=9)
    above.grid(alpha=0.3)
    bottom = [0] * len(table)
    for source, colour in zip(SOURCES, ("#806020", "#4070b0", "#409060", "#b0b0b0")):
        heights = [row[source] for row in table]
        below.bar(plies, heights, bottom=bottom, label=source, color=colour)
        bottom = [low + high for low, high in zip(bottom, heights)]
    below.set_ylabel("positions")
    below.set_xlabel("ply")
    below.legend(fontsize=7, ncol=4)
    figure.tight_layout()
    figure.savefig(path, dpi=90, metadata={"Software": None})
    pyplot.close(figure)


def report(args, rows, results, folder):
    """Write NAME.md and NAME.png into a folder; the path of the former."""
    name = "enumerate" if args.enumerate else args.games
    if args.side:
        name += "-" + args.side
    (folder / (name + ".md")).write_text(text(args, rows, results) + "\n![](%s.png)\n" % name, encoding="utf-8")
    plot(folder / (name + ".png"), args, rows)
    return folder / (name + ".md")


def main(args):
    """Run, print, write the report; the exit status: 0 if nothing was given away."""
    if args.depth is None:
        args.depth = ENUMERATED_TO if args.enumerate else DEPTH
    if args.report:  # first: nobody waits for hours to be told
        try:
            args.report.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BuildFault("%s cannot be written: %s" % (args.report, error.strerror or error)) from None
    rows, results = run(args, sys.stderr.isatty())
    if args.json:
        print(json.dumps({"audit": title(args), "plies": summary(rows), "games": results, "failures": failures(rows)}))
    else:
        print(text(args, rows, results), end="")
    if args.report:
        print("written: %s" % report(args, rows, results, args.report), file=sys.stderr)
    return 1 if failures(rows) else 0
