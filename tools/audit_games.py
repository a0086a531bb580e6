# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The audit of level 6's own games, played as the board plays them: its search, its book from the same file.

``reply``      every reply of the other side for ``--depth`` plies, a sample beyond
``random``     whole games against players that move by lot
``spoiler``    whole games against the exact solver, which of the replies that give nothing away takes the one after
               which most of level 6's moves would
``enumerate``  every reply up to ply 20 or what ``--depth`` says, complete; the answers to the last of them, the leaves,
               are checked by the solver

``reply`` and ``enumerate`` first find level 6's move in every position, ply by ply, then judge the moves from the last
ply back: where the positions after all replies are judged, they tell what the move keeps, and the solver is asked for
the rest alone. All answers are kept in ``build/audit`` as they come, and taken up.
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
SPOT = 64
SOURCES = ("book", "net", "proof", "search")  # where a move came from
DEPTH, ENUMERATED_TO = 8, 20
UNKNOWN_NODES = 50000  # for a question before EARLY_PLY
STATE = ROOT / "build" / "audit"
AS_SIDE = """As %s: %d positions, of which %d are leaves, at the last ply; value kept in %d leaves. The search
proved the value of %d of the positions whose value is known from elsewhere; %d of its proofs are wrong."""
NOTES = """won: known to be won for level 6, by the solver or since all replies lead to won positions. unknown: in
%d nodes the solver finds no win, nor that there is none; kept counts these where the draw is held, which what the
replies lead to or the solver shows (not shown: %d)."""

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
    """Level 6 with its book, and the solver that judges it, in one process. ``book``: False plays without.

    ``compiled``: None, or a path of tools/compiled.py: its search plays, and one in SPOT answers is compared with that
    of the search as it stands."""

    def __init__(self, book, table_mb, compiled=None):
        from hal.drive import open_file

        self.position = new_position(make("five"))
        self.search = self._search(open_file, book)
        self.plain, self._asked = None, 0
        if compiled:
            from tools import compiled as build

            self.plain = self.search
            build.use(compiled)
            self.search = self._search(open_file, book)
        self.judge = games.judge(table_mb)
        self.solved = solved(BUILT)

    def _search(self, open_file, book):
        search = Search(open_file=open_file, book=book)
        search.start(self.position)
        return search

    def go_to(self, record):
        self.position.reset()
        for sign in record:
            self.position.play(LETTERS.index(sign))

    def move(self):
        """(move, source) of level 6 in the present position, which is open."""
        told = self._think(self.search)
        if self.plain and not self._asked % SPOT and self._think(self.plain) != told:
            raise BuildFault("the compiled search differs from the search: do without --compiled")
        self._asked += 1
        return told[0], source(self.search)

    def _think(self, search):
        search.start(self.position, games.TOP_LEVEL)
        while not search.step(games.STEP_NODES):
            pass
        if search.fault:
            raise BuildFault("%s: --no-book audits that" % search.fault)
        return search.move, search.score, search.exact, search.depth, search.nodes

    def judged(self, codes, move, known=-1, safe=False, wins=True):
        """(before, kept): whether the position is won (1), not (0) or too hard to tell (-1), and whether the move keeps
        that (1, 0); of a position that is too hard to tell, whether it holds the draw (-1: too hard as well).

        known: 1 for a position that is known to be won, else -1. safe: the move is known to hold the draw. wins: False
        where it is known to win nothing."""
        from tools.solver import NodeLimit

        judge = self.judge
        limit = UNKNOWN_NODES if games.ply_of(codes) < EARLY_PLY else 0
        before = 1 if known > 0 else self.solved[codes] if codes in self.solved else judge.won(codes, limit)
        if before > 0 and not wins:
            return before, 0
        if before < 1 and safe:
            return before, 1
        judge.solver.node_limit = 0 if before > 0 else limit
        try:
            return before, int(judge.keeps(codes, move, 1 if before > 0 else 0))
        except NodeLimit:
            return before, -1
        finally:
            judge.solver.node_limit = 0


def player(*settings):
    """The Player of this process; settings: book, table_mb, compiled, as Player has them."""
    global _player
    if _player is None:
        _player = Player(*settings)
    return _player


def move_many(tasks, *settings):
    """[(move, source, claim)] for records; claim: what the search says that it has proved for the side to move, 1 a
    win, 0 that there is none, -1 a loss; None: nothing."""
    one = player(*settings)
    found = []
    for record in tasks:
        one.go_to(record)
        move, source = one.move()
        claim = (one.search.score > 0) - (one.search.score < 0) if one.search.exact and source != "book" else None
        found.append((move, source, claim))
    return found


def judge_many(tasks, *settings):
    """[(before, kept)] for (codes, move, safe, wins) tasks, as Player.judged has them."""
    one = player(*settings)
    return [one.judged(codes, move, -1, safe, wins) for codes, move, safe, wins in tasks]


def play_many(tasks, kind, spoil_from, *settings):
    """[(result, rows)] for (seed, side) tasks: whole games of level 6 as ``side``; result 1 won, 0 drawn, -1 lost;
    rows (record, move, source, before, kept)."""
    return [_game(player(*settings), seed, side, kind, spoil_from) for seed, side in tasks]


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


class State:
    """A position with level 6 to move, and what has been found out about it: level 6's ``move``, its ``source`` and
    ``claim`` (move_many), the States ``after`` every reply (None: not all are at hand), ``before`` and ``kept``
    (judged), ``loses``: a reply that makes a line at once."""

    __slots__ = ("after", "before", "claim", "codes", "kept", "loses", "move", "record", "source")

    def __init__(self, codes, record):
        self.codes, self.record = codes, record
        self.after, self.loses, self.before, self.kept = None, -1, -1, -1

    @property
    def worth(self):
        """What the side to move has for sure: 1 a win, 0 no win but a draw, -1 not even that, None a draw at least."""
        if self.before:
            return 1 if self.before > 0 else None if self.kept > 0 else -1
        return 0 if self.kept > 0 else -1


class Replies:
    """Level 6 as ``side`` against every reply: all of them for ``depth`` plies, at most ``width`` positions a ply
    beyond (0: none), to ``last_ply``. ``rows``: (record, move, source, before, kept), from the first ply on;
    ``leaves``: (how many positions at the last ply, in how many the value was kept); ``proved``: how many claims of the
    search were compared with the solver's answers, ``contradicted``: records of those that differ.

    A State of the walk is found by (column codes, column of the reply before, True) in the net, whose rules see that
    reply, and by (codes, -1, False) outside of it."""

    def __init__(self, side, depth, width, last_ply, seed, net, entries):
        self.side, self.depth, self.width, self.last_ply = side, depth, width, last_ply
        self.net, self.entries, self.rows = net, entries, []
        self.leaves, self.proved, self.contradicted = (0, 0), 0, []
        self._lots = random.Random(seed)
        self._levels = []

    def walk(self, ask_moves, ask_values):
        """ask_moves: (ply, {key: record}) -> {key: (move, source, claim)}; ask_values: (ply, [(codes, move, safe,
        wins)]) -> {(codes, move): (before, kept)}."""
        side = self.side
        level = {(games.START, -1, True): State(games.START, "")}
        if side:
            starts = [games.after(games.START, column, 0) for column in range(7)]
            level = {(codes, column, True): State(codes, LETTERS[column]) for column, codes in enumerate(starts)}
        for ply in range(side, self.last_ply + 1, 2):
            if not level:
                break
            found = ask_moves(ply, {key: state.record for key, state in level.items()})
            for key, state in level.items():
                state.move, state.source, state.claim = found[key]
            self._levels.append(list(level.values()))
            level = self._replies(level, ply) if ply + 2 <= self.last_ply else {}
        for states in reversed(self._levels):
            self._judge(states, ask_values)
        for states in self._levels:
            for state in states:
                self.rows.append((state.record, state.move, state.source, state.before, state.kept))
                if state.loses >= 0:
                    self.rows.append((state.record + LETTERS[state.move], state.loses, "search", 0, 0))
        if self._levels:
            self.leaves = len(self._levels[-1]), sum(state.kept > 0 for state in self._levels[-1])

    def _replies(self, level, ply):
        """The states after every reply, thinned."""
        side, solver = self.side, self.net.solver
        following = {}
        for (codes, last, follows), state in level.items():
            if follows:
                entry = self.entries.get(codes, -1)
                follows = state.move == (self.net.rule(codes, last) if entry < 0 else entry - NET)
            moved = games.after(codes, state.move, side)
            state.after = []
            if solver.has_line(games.discs_of(moved, solver)[side]):
                continue
            for reply in games.room(moved):
                answered = games.after(moved, reply, side ^ 1)
                if solver.has_line(games.discs_of(answered, solver)[side ^ 1]):
                    state.loses = reply
                elif ply + 2 < 42:
                    key = (answered, reply if follows else -1, follows)
                    if key not in following:
                        following[key] = State(answered, state.record + LETTERS[state.move] + LETTERS[reply])
                    state.after.append(following[key])
        if ply + 2 > self.depth and len(following) > self.width:
            chosen = self._lots.sample(sorted(following), self.width)
            following = {key: following[key] for key in chosen}
            there = set(following.values())
            for state in level.values():
                if not there.issuperset(state.after):
                    state.after = None
        return following

    def _judge(self, states, ask_values):
        """What the states of one ply are worth and whether the moves keep it; those of later plies are judged."""
        tasks = []
        for state in states:
            sure = [one.worth for one in state.after or ()]
            if state.loses >= 0 or state.after is None or -1 in sure:
                tasks.append((state, False, True))
            elif state.after and all(one == 1 for one in sure):
                state.before = state.kept = 1
            else:
                tasks.append((state, bool(state.after), 0 not in sure))
        if tasks:
            asked = [(state.codes, state.move, safe, wins) for state, safe, wins in tasks]
            found = ask_values(games.ply_of(states[0].codes), asked)
            for state, _, _ in tasks:
                state.before, state.kept = found[state.codes, state.move]
        for state in states:
            if state.claim is not None and state.before >= 0:
                self.proved += 1
                if (state.claim > 0) != (state.before > 0) or (state.claim < 0) != (state.worth == -1):
                    self.contradicted.append(state.record)


class Desk:
    """Asks the processes what is not known yet, and keeps it in the folder ``state``: moves.jsonl, level 6's moves,
    which another engine or another net puts aside, and of which those are asked anew where the book's entry is another;
    and values.jsonl, what the solver says, which stays valid. ``book``: a BookFile or None."""

    def __init__(self, pool, state, settings, book, show):
        state.mkdir(parents=True, exist_ok=True)
        self.entries = book.entries if book else {}
        head = {"engine": engine_hash(), "net": [book.rules.hex(), book.leave] if book else None}
        self.moves = Answers(state / ("moves.jsonl" if book else "moves-no-book.jsonl"), head)
        self.values = Answers(state / "values.jsonl", {"variation": "five", "early_nodes": UNKNOWN_NODES})
        self.pool, self.settings, self.show = pool, settings, show

    def ask_moves(self, ply, records):
        """As Replies.walk wants it."""
        known = self.moves.known
        keys = {record: key for key, record in records.items() if not self._holds(key, known.get(key))}
        for record, answer in self._asked(move_many, list(keys), "ply %2d moves" % ply, 16):
            self.moves.add(keys[record], answer)
        return {key: known[key] for key in records}

    def _holds(self, key, answer):
        """Whether an answer of before is what level 6 says with this book."""
        entry = self.entries.get(key[0], -1)
        return answer is not None and (answer[1] != "book" if entry < 0 else list(answer[:2]) == [entry & 7, "book"])

    def ask_values(self, ply, tasks):
        """As Replies.walk wants it."""
        known = self.values.known
        missing = {task[:2]: task for task in tasks if task[:2] not in known}
        chunk = 16 if ply >= EARLY_PLY + 2 else 1  # before, these take long
        for task, answer in self._asked(judge_many, list(missing.values()), "ply %2d values" % ply, chunk):
            self.values.add(task[:2], answer)
        return {task[:2]: known[task[:2]] for task in tasks}

    def _asked(self, function, tasks, name, chunk):
        from tqdm import tqdm

        asked = spread(self.pool, function, tasks, *self.settings, chunk=chunk)
        return tqdm(asked, total=len(tasks), unit="position", desc=name, disable=not self.show, leave=False)

    def close(self):
        self.moves.close()
        self.values.close()


def run(args, show):
    """The audit that the options name; (rows, results): every judged position with level 6 to move, and {"won": n,
    "drawn": n, "lost": n} of whole games, the Replies of the others by colour."""
    from tqdm import tqdm

    sides = [BOTH.index(name) for name in BOTH if args.side in (None, name)]
    book = not args.no_book
    compiled = None
    if args.compiled:
        from tools.compiled import make as compile_search

        compiled = str(compile_search())
    settings = book, args.table_mb, compiled
    rows, results = [], {}
    with executor(args.jobs or 2, args.scheduler) as pool:
        if args.games in ("random", "spoiler"):
            tasks = [(args.seed + n, sides[n % len(sides)]) for n in range(args.count)]
            results = {"won": 0, "drawn": 0, "lost": 0}
            played = spread(pool, play_many, tasks, args.games, args.spoil_from, *settings)
            for _, (result, some) in tqdm(played, total=len(tasks), unit="game", disable=not show):
                results[("drawn", "won", "lost")[result]] += 1
                rows += some
            return rows, results
        from tools.book import file
        from tools.solver import Solver
        from tools.solver.strategy import shipped

        net = games.Net(shipped(), Solver("five", table_mb=16))
        whole = file.read(BOOK) if book and BOOK.exists() else None
        desk = Desk(pool, STATE, settings, whole, show)
        try:
            for side in sides:
                if args.enumerate:
                    walk = Replies(side, args.depth + side, 0, args.depth + side, args.seed, net, desk.entries)
                else:
                    walk = Replies(side, args.depth, args.width, 41, args.seed, net, desk.entries)
                walk.walk(desk.ask_moves, desk.ask_values)
                rows += walk.rows
                results[BOTH[side]] = walk
        finally:
            desk.close()
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
    for name in BOTH:
        if name in results:
            walk = results[name]
            told = (name.capitalize(), len(walk.rows), *walk.leaves, walk.proved, len(walk.contradicted))
            lines += ["", AS_SIDE % told]
            lines += ["- `%s`: the proof is wrong" % record for record in walk.contradicted]
    if "won" in results:
        lines += ["", "Games: %d won, %d drawn, %d lost." % tuple(results[name] for name in ("won", "drawn", "lost"))]
    names = ("ply", "positions", "won", "unknown", "kept", *SOURCES)
    lines += ["", "| " + " | ".join(names) + " |", "|" + "---:|" * len(names)]
    lines += ["| " + " | ".join(str(row[name]) for name in names) + " |" for row in table]
    lines += ["", NOTES % (UNKNOWN_NODES, sum(kept < 0 for _, _, _, _, kept in rows))]
    lines += [", ".join(SOURCES) + ": where the move came from.", ""]
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
    walks = [walk for walk in results.values() if isinstance(walk, Replies)]
    if args.json:
        told = {} if walks else results
        print(json.dumps({"audit": title(args), "plies": summary(rows), "games": told, "failures": failures(rows)}))
    else:
        print(text(args, rows, results), end="")
    if args.report:
        print("written: %s" % report(args, rows, results, args.report), file=sys.stderr)
    return 1 if failures(rows) or any(walk.contradicted for walk in walks) else 0
