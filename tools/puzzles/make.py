# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Puzzles from games: positions in which one move alone keeps the value, by the exact solver; graded, with answers.

Nothing here draws on the board's engine; the same seed gives the same puzzles.
"""

import random
from collections import namedtuple

from tools.puzzles import plain
from tools.puzzles.file import GRADES, LINE_MAX, SOLVED, WRONG, Puzzle
from tools.solver import NodeLimit

FIRST_PLY, LAST_PLY = 8, 30
OPENING_PLIES = (2, 7)  # at random, before the players begin to think
PLAYERS = ((1, 0.25), (1, 0.1), (2, 0.15), (2, 0.05), (3, 0.05))  # plies seen, share of moves made at random
LEAST_LEGAL = 4
WIN_PLIES = (3, 15)  # to the end: shorter is no puzzle, longer nobody sees
SAVE_PLIES = (3, 15)  # so many plies the most stubborn wrong move lasts, itself included
NODE_LIMIT = 300000  # of the solver for a question: a position that takes more is passed over
PLAIN_LIMIT = 20000  # nodes of the plain search
TREE_NODES = 10  # positions of a tree in which the person is to move
SAVE_TURNS = 3
SAVES, SHARE = 9, 25  # of SHARE puzzles of a grade so many are to save the draw
LATER_LINE = 3  # plies of a refutation behind the first move
# The score: plies to be seen, plus half a point for each doubling of the plain search's nodes, plus a point for each
# wrong move that looks at least as good as the right one (plain.look_ahead of two plies).
Difficulty = namedtuple("Difficulty", "plies nodes tempting")
GRADE_LIMITS = (13, 17, 21)  # scores of grade 1, 2 and 3 stay below these


def score(difficulty):
    """Difficulty as one number, in halves of a point exact."""
    return difficulty.plies + difficulty.nodes.bit_length() / 2 + difficulty.tempting


def grade(difficulty):
    """1 .. 4."""
    return 1 + sum(score(difficulty) >= limit for limit in GRADE_LIMITS)


def games(seed):
    """Moves of games without end, as lists of columns, by players that look one to three plies ahead and err."""
    lots = random.Random(seed)

    def below(n):  # random() alone is the same in every version of Python
        return int(lots.random() * n)

    while True:
        players = [PLAYERS[below(len(PLAYERS))] for _ in range(2)]
        opening = OPENING_PLIES[0] + below(OPENING_PLIES[1] - OPENING_PLIES[0])
        me, other = START
        moves = []
        while len(moves) < LAST_PLY:
            legal = [column for column in range(7) if plain.disc(me | other, column)]
            depth, errs = players[len(moves) % 2]
            if len(moves) < opening or lots.random() < errs:
                column = legal[below(len(legal))]
            else:
                column = _choose(me, other, legal, depth, below)
            me |= plain.disc(me | other, column)
            moves.append(column)
            if plain.has_line(me):
                break
            me, other = other, me
        yield moves


def _start():
    """(Red's, Yellow's) discs in the side columns at the start."""
    sides = [0, 0]
    for row in range(plain.ROWS):
        sides[row & 1] |= 1 << row
        sides[row + 1 & 1] |= 1 << 8 * plain.COLUMN_BITS + row
    return tuple(sides)


START = _start()


def _choose(me, other, legal, depth, below):
    """The best move by the plain search, lots among those that are as good or nearly."""
    scored = []
    for column in legal:
        bit = plain.disc(me | other, column)
        if plain.has_line(me | bit):
            return column
        after = plain.evaluate(me | bit, other) if depth < 2 else -plain.look_ahead(other, me | bit, depth - 1)
        scored.append((after + below(4), column))
    best = max(scored)[0]
    good = [column for value, column in scored if value == best]
    return good[below(len(good))]


class Workshop:
    """Makes puzzles of positions with a Solver of five, whose node_limit it obeys."""

    def __init__(self, solver):
        self.solver = solver

    def puzzle(self, moves):
        """(Puzzle, score) of the position that ``moves`` (list of columns) leads to, or None if it is none. Raises
        NodeLimit."""
        solver = self.solver
        position = solver.position(moves)
        filled = position.me | position.other
        if solver.has_line(position.other):
            return None
        for column in range(7):  # a line to make or to stop at once is no puzzle
            bit = plain.disc(filled, column)
            if plain.has_line(position.me | bit) or plain.has_line(position.other | bit):
                return None
        values = solver.values(position)
        legal = [value for value in values if value is not None]
        best = max(legal)
        if len(legal) < LEAST_LEGAL or best < 0 or legal.count(best) != 1:
            return None
        difficulty = self.difficulty(position, values)
        if difficulty is None:
            return None
        tree = self.tree(position, best)
        return Puzzle(tuple(moves), best, grade(difficulty), tuple(tree)), score(difficulty)

    # How hard

    def difficulty(self, position, values):
        """The Difficulty of a position with one keeping move, or None if it is out of bounds."""
        solver = self.solver
        best = max(value for value in values if value is not None)
        key = values.index(best)
        if best > 0:
            plies = solver.distance(position)
            low, high = WIN_PLIES
        else:
            wrong = [column for column, value in enumerate(values) if value == -1]
            plies = max(1 + solver.distance(solver.after(position, column)) for column in wrong)
            low, high = SAVE_PLIES
        if not low <= plies <= high:
            return None
        return Difficulty(plies, self.plain_nodes(position, values, best, plies), self.tempting(position, key))

    def plain_nodes(self, position, values, best, plies):
        """Nodes in which the plain search, going deeper by two plies at a time, sees that the key wins, or that every
        other move loses; PLAIN_LIMIT if it does not."""
        counter = plain.Counter(PLAIN_LIMIT)
        me, other, _ = position
        try:
            if best > 0:
                for depth in range(3, plies + 1, 2):
                    if counter.wins(me, other, depth):
                        break
            else:
                for column, value in enumerate(values):
                    if value == -1:
                        bit = plain.disc(me | other, column)
                        for depth in range(1, plies, 2):
                            if counter.wins(other, me | bit, depth):
                                break
        except plain.TooMany:
            return PLAIN_LIMIT
        return counter.nodes

    @staticmethod
    def tempting(position, key):
        """How many wrong moves look at least as good as the key, two plies ahead."""
        me, other, _ = position
        looks = {}
        for column in range(7):
            bit = plain.disc(me | other, column)
            if bit:
                looks[column] = -plain.look_ahead(other, me | bit, 1)
        return sum(look >= looks[key] for column, look in looks.items() if column != key)

    # What the board answers

    def tree(self, position, goal):
        """The tree of answers: wins are played until the line is on the board, where TREE_NODES are enough for it."""
        turns = 9 if goal else SAVE_TURNS
        while True:
            self.nodes = 0
            tree = self._node(position, goal, turns, LINE_MAX)
            if self.nodes <= TREE_NODES or turns == 1:
                return tree
            turns -= 1

    def _node(self, position, goal, turns, line_max):
        self.nodes += 1
        if self.nodes > TREE_NODES:
            return [WRONG] * 7  # it is thrown away
        entries = []
        for column, value in enumerate(self.solver.values(position)):
            if value is None:
                entries.append(WRONG)
            elif value == goal:
                entries += self._kept(self.solver.after(position, column), goal, turns)
            else:
                line = self._refutation(self.solver.after(position, column), line_max)
                entries += [WRONG + len(line)] + line
        return entries

    def _kept(self, position, goal, turns):
        """The entry for a right move; the other side is to move in ``position``."""
        solver = self.solver
        replies = [] if turns == 1 or solver.has_line(position.other) else self._replies(position)
        best = None
        for column in replies:
            after = solver.after(position, column)
            values = [value for value in solver.values(after) if value is not None]
            if not values:
                return [SOLVED]  # the grid is full
            keeping = values.count(goal)
            if not goal and (keeping > 1 or len(values) < 2):
                continue  # the danger is over
            rank = (-(solver.distance(after) or 0), keeping, plain.ORDER.index(column))
            if best is None or rank < best[0]:
                best = rank, column, after
        if best is None:
            return [SOLVED]
        return [best[1]] + self._node(best[2], goal, turns - 1, LATER_LINE)

    def _replies(self, position):
        """The moves that keep the value for the side to move."""
        values = self.solver.values(position)
        best = max([-2] + [value for value in values if value is not None])
        return [column for column, value in enumerate(values) if value == best]

    def _refutation(self, position, most):
        """What the side to move answers to a wrong move: up to its line if that takes at most ``most`` plies, else the
        first ply."""
        solver = self.solver
        line = []
        while len(line) < most:
            column = self._best(position)
            if column is None:
                break
            line.append(column)
            position = solver.after(position, column)
            if solver.has_line(position.other):
                return line
        return line[:1]

    def _best(self, position):
        """The move that wins soonest, holds the draw, or loses latest; None in a full grid."""
        solver = self.solver
        best = None
        wins = max([-2] + [value for value in solver.values(position) if value is not None]) > 0
        for column in self._replies(position):
            plies = solver.distance(solver.after(position, column)) or 0  # of a draw: none
            rank = plies if wins else -plies, plain.ORDER.index(column)
            if best is None or rank < best[0]:
                best = rank, column
        return None if best is None else best[1]


def collect(seed, each, workshop, progress=None):
    """``each`` puzzles of every grade, SAVES of SHARE of them to save, the rest to win: in the order of the file.

    At most one of each goal comes from a game, and no position twice. ``progress(found)`` is called after each game.
    """
    room = {}
    for number in range(1, GRADES + 1):
        room[number, 0] = each * SAVES // SHARE
        room[number, 1] = each - room[number, 0]
    seen, kept = set(), []
    for moves in games(seed):
        found = []
        for ply in range(min(len(moves) - 1, LAST_PLY), FIRST_PLY - 1, -1):
            try:
                one = workshop.puzzle(moves[:ply])
            except NodeLimit:
                break  # earlier positions take longer still
            if one and room[one[0].grade, one[0].goal]:
                found.append(one)
        # Of what is lacking most, or half as much, the earliest position: late ones are many.
        most = max([room[one.grade, one.goal] for one, _ in found], default=0)
        found.sort(key=lambda one: (2 * room[one[0].grade, one[0].goal] < most, len(one[0].moves)))
        goals = set()
        for puzzle, points in found:
            position = workshop.solver.position(puzzle.moves)
            if puzzle.goal not in goals and position not in seen:
                goals.add(puzzle.goal)
                seen.add(position)
                room[puzzle.grade, puzzle.goal] -= 1
                kept.append((puzzle.grade, points, puzzle))
        if progress:
            progress(len(kept))
        if not any(room.values()):
            return [puzzle for _, _, puzzle in sorted(kept, key=lambda one: one[:2])]
