# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What a move is: an int, 0 .. 6 for a drop into column a .. g, ``POP`` + 0 .. 6 for a pop from it."""

POP = 8  # move & POP tells a pop
COLUMN = 7  # move & COLUMN is the column's index
LETTERS = "abcdefg"


def move_text(move):
    """``d`` for a drop, ``d-`` for a pop; ``?`` for a number that no column has."""
    i = move & COLUMN
    letter = LETTERS[i] if 0 <= move < 16 and i < 7 else "?"
    return letter + "-" if move & POP else letter
