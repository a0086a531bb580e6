# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What a move is: an int, a column's index 0 .. 6 (a .. g) plus its kind: 0 for a drop, or one of those below."""

# The kinds are bits of their own and multiples of 8, so that ``move & COLUMN`` is the column and ``move & POP`` a pop.

COLUMN = 7
POP = 8  # takes a disc out of the bottom row
ANVIL, BOMB, WALL, DOUBLE = 16, 32, 48, 64  # the four powers of Power Up, see engine/extras.py
KINDS = (0, POP, ANVIL, BOMB, WALL, DOUBLE)
LETTERS = "abcdefg"
SIGNS = "●○▲"  # Red, Yellow, Green
MARKS = ("", "-", "=", "*", "|", "+")  # behind the column's letter, in the order of KINDS


def move_text(move):
    """``d`` for a drop, ``d-`` for a pop; ``?`` for a number that no column has."""
    kind = move & ~COLUMN
    if move & COLUMN == 7 or kind not in KINDS:
        return "?"
    return LETTERS[move & COLUMN] + MARKS[KINDS.index(kind)]


def display_line(number, colour, move):
    """A line of a numbered move list: ``7. ● d``."""
    return "%d. %s %s" % (number, SIGNS[colour], move_text(move))
