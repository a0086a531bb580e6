# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The levels: one row of data each."""

# ``nodes``: the budget for a move, in drops whose threats are worked out and positions entered. ``depth``: how far it
# looks ahead, in plies. ``blur``: the largest lot added to a move's score, in the evaluation's units. ``blind``: 1
# where it overlooks slanting lines beyond the next move, as beginners do, 2 where it overlooks flat ones as well. Every
# level takes a win in one and stops one.

# nodes, depth, blur, blind
LEVELS = (
    None,  # level 0: people only
    (8, 1, 220, 2),
    (56, 1, 95, 1),
    (176, 2, 54, 0),
    (600, 3, 32, 0),
    (1600, 5, 8, 0),
    (8000, 40, 0, 0),  # 420 us a node where proofs are sought: 3.7 s, and 0.7 s of the loop
)
