# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Level 6's own games: its choice in a position, and the walk through every reply to it.

A state of the walk is (column codes, column of the reply that led there, whether the game has followed the net, whether
it is known to be won): the search sees the position alone, the net's rules the reply before it as well.
"""

import random
from dataclasses import dataclass, field

from engine.book import NET
from engine.levels import LEVELS
from engine.search import Search
from engine.variation import make
from hal.drive import open_file

TOP_LEVEL = len(LEVELS) - 1
DISTANCE_NODES = 300_000
START = (1,) * 7
STEP_NODES = 1000


def after(codes, column, colour):
    """The codes when a disc of ``colour`` has fallen into ``column``, which has room."""
    code = codes[column]
    return (*codes[:column], code + (1 << code.bit_length() - 1 + colour), *codes[column + 1 :])


def ply_of(codes):
    """Discs in the free columns."""
    return sum(code.bit_length() - 1 for code in codes)


def room(codes):
    """The columns that take a disc."""
    return [column for column in range(7) if codes[column] < 64]


def discs_of(codes, solver):
    """[Red's, Yellow's] discs as the solver has them."""
    red, yellow = solver.start
    for column, code in enumerate(codes):
        shift = 7 * (1 + column)
        top = 1 << code.bit_length() - 1
        yellow |= (code ^ top) << shift
        red |= (top - 1 & ~code) << shift
    return [red, yellow]


def position_of(codes, solver):
    """The solver's Position."""
    from tools.solver import Position

    mover = ply_of(codes) & 1
    discs = discs_of(codes, solver)
    return Position(discs[mover], discs[mover ^ 1], mover)


class Board:
    """What the search needs to know of a position, from its codes; none of the games that lead there is replayed."""

    result = None

    def __init__(self):
        self.variation = make("five")
        self._codes = START

    def set(self, codes):
        """Take over a position; an open one."""
        self._codes = codes
        self.ply = ply_of(codes)

    def is_legal(self, move):
        return self._codes[move] < 64

    def copy_cells(self, cells):
        """As engine.position.Position.copy_cells."""
        v = self.variation
        for row in range(6):
            cells[row], cells[48 + row] = v.side_colour(row), v.side_colour(48 + row)
            for column, code in enumerate(self._codes):
                empty = row >= code.bit_length() - 1
                cells[6 + 6 * column + row] = 255 if empty else code >> row & 1


@dataclass
class Found:
    """What level 6 does in a position. ``entry``: the move that the book has to have, or -1; ``net``: it belongs to the
    net. ``choices``: {the net's move or -1: its own move}. ``proved``: its search proves the win by itself."""

    entry: int = -1
    net: bool = False
    choices: dict = field(default_factory=dict)
    proved: bool = False


class Judge:
    """The board's search and the exact solver in one process; ``table_mb``: the solver's table."""

    def __init__(self, table_mb):
        from tools.solver import Solver

        self.solver = Solver("five", table_mb=table_mb)
        self.search = Search(open_file=open_file, book=False)
        self.board = Board()

    def think(self, codes, held):
        """The search of level 6 to its end, without a book; ``held``: it is told that it has a draw at least."""
        self.board.set(codes)
        search = self.search
        search.start(self.board, TOP_LEVEL)
        search.hold(held)
        while not search.step(STEP_NODES):
            pass
        return search

    def wins(self, codes, side):
        """Whether ``side`` (0 Red, 1 Yellow) has a line or can force one."""
        solver = self.solver
        mover = ply_of(codes) & 1
        position = position_of(codes, solver)
        if solver.has_line(position.other):
            return mover != side
        return solver.can_force(position, side)

    def keeps(self, codes, column, value):
        """Whether the mover's drop into ``column`` keeps a ``value`` of 1 (won) or 0 (at least drawn)."""
        side = ply_of(codes) & 1
        following = after(codes, column, side)
        return self.wins(following, side) if value else not self.wins(following, side ^ 1)

    def won(self, codes, node_limit=0):
        """Whether the side to move can force a win: 1 or 0, or -1 where neither ``node_limit`` nodes nor the board's
        own search tell."""
        from tools.solver import NodeLimit

        self.solver.node_limit = node_limit
        try:
            return int(self.wins(codes, ply_of(codes) & 1))
        except NodeLimit:
            search = self.think(codes, False)
            return 1 if search.exact and search.score > 0 else -1
        finally:
            self.solver.node_limit = 0

    def examine(self, codes, rules, value, leave):
        """The Found of a position that is won (``value`` 1) or at least drawn (0). ``rules``: the net's moves (-1:
        none) that the games which lead there give; ``leave``: as in engine/book.py. Raises ValueError for a lost
        position.

        A won position in the net whose win the search does not prove gets an entry even where the rule keeps the win:
        at the next moves the rule would keep it in every second position only, what the search likes best in nine of
        ten (165 positions of 12 to 19 discs), and a win that is pursued is soon proved: fewer entries in all."""
        found = Found()
        held = search = None
        for rule in sorted(rules):
            if held != (rule >= 0):  # what the search is told; all else is the same for every rule
                held = rule >= 0
                search = self.think(codes, held)
            found.proved = search.exact and search.score > 0
            liked, choice = search.choice(-1, leave), search.choice(rule, leave)
            stays = held and value and not found.proved
            if stays or not self.keeps(codes, choice, value):
                keeps = (stays or choice != liked) and self.keeps(codes, liked, value)
                found.entry = liked if keeps else self.best(codes, value)
                found.choices = {}
                break
            found.choices[rule] = choice
        return found

    def best(self, codes, value):
        """The move of an entry: the shortest win, or, where the lengths take too long and in a drawn position, the move
        that keeps the value and is nearest to the centre. Raises ValueError if none keeps it."""
        from tools.solver import NodeLimit

        side = ply_of(codes) & 1
        solver = self.solver
        best = None
        for column in sorted(room(codes), key=lambda one: (abs(one - 3), one)):
            if not self.keeps(codes, column, value):
                continue
            if not value:
                return column
            following = after(codes, column, side)
            if solver.has_line(discs_of(following, solver)[side]):
                return column
            solver.node_limit = DISTANCE_NODES
            try:
                price = 0, solver.distance(position_of(following, solver))
            except NodeLimit:
                price = 1, 0  # the first of these, from the centre outwards
            finally:
                solver.node_limit = 0
            if best is None or price < best[0]:
                best = price, column
        if best is None:
            raise ValueError("no move keeps the value of %s" % (codes,))
        return best[1]


_judge = None


def judge(table_mb):
    """The Judge of this process; the solver and its table stay for the next call."""
    global _judge
    if _judge is None:
        _judge = Judge(table_mb)
    return _judge


def won_many(tasks, node_limit, table_mb):
    """[1, 0 or -1] for column codes."""
    return [judge(table_mb).won(codes, node_limit) for codes in tasks]


def examine_many(tasks, leave, table_mb):
    """[Found] for (codes, rules, value) tasks."""
    return [judge(table_mb).examine(codes, rules, value, leave) for codes, rules, value in tasks]


class Net:
    """The two sentences of the net, as tools.solver.strategy has them, with their exceptions."""

    def __init__(self, strategies, solver):
        self.solver = solver
        self.by_side = {strategy.side: strategy for strategy in strategies}

    def last_ply(self, side):
        """The last ply at which the sentence of ``side`` gives a move."""
        exact_from = self.by_side[side].exact_from
        return 41 if exact_from is None else exact_from - 2

    def rule(self, codes, last):
        """The rule's move, -1 if there is none. last: column of the reply before, -1 at the start."""
        ply = ply_of(codes)
        if ply > self.last_ply(ply & 1):
            return -1
        strategy = self.by_side[ply & 1]
        red, yellow = discs_of(codes, self.solver)
        place = None if last < 0 else (last, codes[last].bit_length() - 2)
        return strategy.by_rows(ply, place, red | yellow)

    def exception(self, codes):
        """The move where the rule does not hold the draw, or -1."""
        strategy = self.by_side[ply_of(codes) & 1]
        return -1 if strategy.net is None else strategy.net.column(codes, ply_of(codes))


class Walk:
    """Level 6 as ``side`` against every reply for ``full_plies`` plies and, beyond, every reply in the net where it is
    not won yet, and a sample of at most ``width`` positions a ply of what is won or outside of the net.

    ask_won: [codes] -> {codes: 1, 0, -1}; ask: {codes: (rules, value)} -> {codes: Found}; leave: as in engine/book.py.
    ``entries``: {codes: column and NET}, so far. ``table``: a dict for each ply that is done.
    """

    def __init__(self, side, net, ask_won, ask, leave, width, full_plies, seed):
        self.side, self.net, self.leave, self.width, self.full_plies = side, net, leave, width, full_plies
        self._ask_won, self._ask = ask_won, ask
        self._lots = random.Random(seed)
        self.entries, self.table = {}, []
        self.first = {(START, -1, True, False): ""}
        if side:  # every first move of Red
            self.first = {(after(START, column, 0), column, True, False): "abcdefg"[column] for column in range(7)}

    def plies(self, last_ply):
        """A generator that walks; yields {state: (record, choice)} for each ply with level 6 to move."""
        level = self.first
        for ply in range(ply_of(next(iter(level))[0]), last_ply + 1, 2):
            if not level:
                return
            chosen = self._choose(ply, level)
            yield chosen
            level = self._replies(chosen, ply + 2)

    def _choose(self, ply, level):
        net = self.net
        value = {codes: 1 for codes, _, _, won in level if won}
        unknown = sorted({codes for codes, _, _, won in level if codes not in value})
        value.update(self._ask_won(ply, unknown))
        rules = {state: net.rule(*state[:2]) if state[2] else -1 for state in level}
        given, questions = {}, {}
        for codes, last, follows, won in level:
            exception = net.exception(codes) if follows and value[codes] < 1 else -1
            if exception >= 0:
                given[codes] = Found(exception, True)
                continue
            # In the net a position that is not won needs no search: it can prove nothing that would count.
            rule = rules[codes, last, follows, won]
            if value[codes] == 1 or rule < 0 or ply >= self.leave:
                questions.setdefault(codes, set()).add(rule)
        tasks = {
            codes: (tuple(sorted(some)), max(value[codes], 0))
            for codes, some in questions.items()
            if codes not in given
        }
        found = self._ask(ply, tasks)
        found.update(given)
        chosen = {}
        for state, record in level.items():
            codes, last, follows, _ = state
            one = found.get(codes)
            if one is None:
                choice = rules[state]
            else:
                choice = one.entry if one.entry >= 0 else one.choices.get(rules[state], rules[state])
                if one.entry >= 0:
                    self.entries[codes] = one.entry | (NET if one.net else 0)
            follows = follows and (choice == rules[state] if one is None or one.entry < 0 else one.net)
            chosen[codes, last, follows, value[codes] == 1] = record, choice
        self.table.append(
            {
                "side": ("red", "yellow")[self.side],
                "ply": ply,
                "games": len(level),
                "positions": len(value),
                "in_net": sum(state[2] for state in level),
                "won": sum(one == 1 for one in value.values()),
                "unknown": sum(one < 0 for one in value.values()),
                "proved": sum(one.proved for one in found.values()),
                "entries": sum(one.entry >= 0 for one in found.values()),
            }
        )
        return chosen

    def _replies(self, chosen, ply):
        """The states after every reply, thinned."""
        side, solver = self.side, self.net.solver
        following = {}
        for (codes, _, follows, won), (record, choice) in chosen.items():
            moved = after(codes, choice, side)
            if solver.has_line(discs_of(moved, solver)[side]):
                continue
            for reply in room(moved):
                answered = after(moved, reply, side ^ 1)
                longer = record + "abcdefg"[choice] + "abcdefg"[reply]
                if solver.has_line(discs_of(answered, solver)[side ^ 1]):
                    raise ValueError("level 6 loses after %s" % longer)
                if ply < 42:
                    following.setdefault((answered, reply, follows, won), longer)
        sampled = [state for state in following if state[3] or not state[2]]
        if ply <= self.full_plies or len(sampled) <= self.width:
            return following
        kept = set(self._lots.sample(sampled, self.width))
        return {state: record for state, record in following.items() if state[2] and not state[3] or state in kept}
