# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Proves puzzles with the exact solver, by a walk of its own through each tree."""

from tools.puzzles import make, plain
from tools.puzzles.file import SOLVED, WRONG


def faults(puzzle, workshop):
    """What is wrong with ``puzzle``, a list of lines; empty if it is as it says. Raises NodeLimit."""
    try:
        return _faults(puzzle, workshop)
    except IndexError:
        return ["its tree leads nowhere"]


def _faults(puzzle, workshop):
    solver = workshop.solver
    try:
        position = solver.position(puzzle.moves)
    except ValueError as error:
        return [str(error)]
    values = solver.values(position)
    legal = [value for value in values if value is not None]
    told = []
    if not legal or solver.has_line(position.other):
        return ["the game is over"]
    if max(legal) != puzzle.goal or legal.count(puzzle.goal) != 1:
        told.append("not one move alone keeps the value %d: %s" % (puzzle.goal, values))
        return told
    difficulty = workshop.difficulty(position, values)
    if difficulty is None or make.grade(difficulty) != puzzle.grade:
        told.append("it is not of grade %d" % puzzle.grade)
    nodes = [(position, 0)]
    while nodes:
        position, at = nodes.pop()
        for column, value in enumerate(solver.values(position)):
            entry = puzzle.tree[at]
            at += 1
            if (entry < WRONG) != (value == puzzle.goal):
                told.append("%s at ply %d is worth %s" % ("abcdefg"[column], _plies(position), value))
                return told
            if entry < SOLVED:
                after = solver.after(position, column)
                reply = solver.values(after)[entry]
                if solver.has_line(after.other) or reply != -puzzle.goal:
                    told.append("the answer at ply %d is worth %s" % (_plies(after), reply))
                    return told
                nodes.append((solver.after(after, entry), at))
                pending = 7
                while pending:  # its node comes later
                    entry = puzzle.tree[at]
                    at += 1
                    pending += (7 if entry < SOLVED else 0) - 1
                    at += entry - WRONG if entry >= WRONG else 0
            elif entry >= WRONG:
                line = puzzle.tree[at : at + entry - WRONG]
                at += len(line)
                if value is None:
                    if line:
                        told.append("a full column has a refutation")
                    continue
                told += _refuted(solver, solver.after(position, column), value, line)
    return told


def _plies(position):
    return (position.me | position.other).bit_count() - 12  # the side columns stand from the start


def _refuted(solver, position, value, line):
    """What is wrong with the refutation ``line`` of a move that was worth ``value`` to the person."""
    if not line:
        # None is needed where the grid is full, or where the move itself loses at once: neither can be.
        return [] if not any(plain.disc(position.me | position.other, c) for c in range(7)) else ["no refutation"]
    best = -value
    for number, column in enumerate(line):
        values = solver.values(position)
        if values[column] != (best if number % 2 == 0 else -best):
            return ["ply %d of a refutation is worth %s" % (number + 1, values[column])]
        position = solver.after(position, column)
        if solver.has_line(position.other):
            return [] if number + 1 == len(line) and number % 2 == 0 else ["a refutation goes on behind its line"]
    return [] if len(line) == 1 else ["a refutation breaks off"]
