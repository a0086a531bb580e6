# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Positions of five in which one move alone wins, the shortest win first: records of the moves that lead there.

Found by chance games and the exact solver of tools/solver; the win is 3, 3, 5, 7, 9, 11 and 13 plies long.
"""

PUZZLE_LEVEL = 6
PUZZLES = (
    "gfabcabdcgdgbdadffded",
    "ebbgbgbdbgdggcabdegfefac",
    "ddgdcgfcdefbgcdbcecedgfb",
    "bdddcfggdgcebfa",
    "dddcfdeffdcbcbbgbebefecdfg",
    "dcbagagdfgddfgafggefdebfeadf",
    "abdgcccgbbbgbcadfaggagafbeee",
)
