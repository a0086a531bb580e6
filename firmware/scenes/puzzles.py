# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Positions of five with a single winning move, the easiest first: records of the moves that lead there."""

PUZZLE_LEVEL = 6
PUZZLES = (
    "4444",
    "4444",
    "4444",
    "4444",
    "4444",
    "4444",
    "4444",
)
