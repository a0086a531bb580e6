# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The levels: one row of data each.

``nodes``: the budget of positions searched for a move. ``depth``: the deepest look ahead, in plies.
``blur``: the largest lot that is added to a move's score at the root, in the evaluation's units.
"""

# nodes, depth, blur
LEVELS = (
    None,  # level 0: people only
    (16, 1, 60),
    (40, 2, 40),
    (120, 3, 24),
    (500, 5, 12),
    (2500, 8, 4),
    (12000, 42, 0),
)
