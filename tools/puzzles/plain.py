# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A plain search of five, as a person looks ahead: move by move, without a table and without the solver's theorems.

Puzzles are graded by its nodes, and the games that they come from are played with it, so that neither the grades nor
the puzzles change when the board's engine gets better. Discs are bits 7 * LED column + row, as in tools/solver.
"""

from engine.variation import make

COLUMN_BITS, ROWS, NEED = 7, 6, 5
ORDER = (3, 2, 4, 1, 5, 0, 6)  # the middle first
WEIGHTS = (0, 1, 4, 12, 40)  # of a line by the discs that one side has in it, the other having none
WIN = 100000
FLOOR = tuple(1 << COLUMN_BITS * (1 + i) for i in range(7))
COLUMNS = tuple(((1 << ROWS) - 1) * bit for bit in FLOOR)
LINES = tuple(sum(1 << COLUMN_BITS * (cell // 6) + cell % 6 for cell in line) for line in make("five").lines)


class TooMany(Exception):
    """The search has used up its nodes."""


def disc(filled, column):
    """The bit on which a disc in free column 0 .. 6 comes to lie; 0 where the column is full."""
    return (filled + FLOOR[column]) & COLUMNS[column]


def has_line(discs):
    """Whether these discs hold a line of five."""
    for step in (1, 6, 7, 8):
        run = discs
        for i in range(1, NEED):
            run &= discs >> step * i
        if run:
            return True
    return False


def evaluate(me, other):
    """Live lines, weighted: mine less the other's."""
    score = 0
    for line in LINES:
        mine, theirs = (me & line).bit_count(), (other & line).bit_count()
        if not theirs:
            score += WEIGHTS[mine] if mine < NEED else WIN
        elif not mine:
            score -= WEIGHTS[theirs] if theirs < NEED else WIN
    return score


def look_ahead(me, other, depth):
    """The score for the side to move after ``depth`` plies (at least 1); a line counts WIN, less a ply each."""
    best = -WIN
    filled = me | other
    for column in ORDER:
        bit = disc(filled, column)
        if not bit:
            continue
        if has_line(me | bit):
            return WIN
        score = -look_ahead(other, me | bit, depth - 1) if depth > 1 else evaluate(me | bit, other)
        best = max(best, score - (score > WIN // 2) + (score < -WIN // 2))
    return best if best > -WIN else 0


class Counter:
    """Proves forced wins and counts the positions that it enters; raises TooMany behind ``limit``."""

    def __init__(self, limit):
        self.limit = limit
        self.nodes = 0

    def wins(self, me, other, plies):
        """Whether the side to move makes a line within ``plies`` of its own and the other's moves, whatever comes."""
        self.nodes += 1
        if self.nodes > self.limit:
            raise TooMany
        filled = me | other
        for column in ORDER:
            bit = disc(filled, column)
            if bit and has_line(me | bit):
                return True
        if plies < 3:
            return False
        for column in ORDER:
            bit = disc(filled, column)
            if bit and self.loses(other, me | bit, plies - 1):
                return True
        return False

    def loses(self, me, other, plies):
        """Whether the side to move cannot keep the other from a line within ``plies``."""
        filled = me | other
        found = False
        for column in ORDER:
            bit = disc(filled, column)
            if not bit:
                continue
            if has_line(me | bit):
                return False
        for column in ORDER:
            bit = disc(filled, column)
            if bit:
                found = True
                if not self.wins(other, me | bit, plies - 1):
                    return False
        return found
