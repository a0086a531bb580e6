# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The levels: one row of data each."""

# ``nodes``: the budget for a move, in drops whose threats are worked out and positions entered. ``depth``: how far it
# looks ahead, in plies. ``blur``: the largest lot added to a move's score, in the evaluation's units. ``blind``: 1
# where it overlooks slanting lines beyond the next move, as beginners do. Every level takes a win in one and stops one.

# nodes, depth, blur, blind
LEVELS = (
    None,  # level 0: people only
    (28, 1, 220, 1),
    (96, 1, 42, 1),
    (192, 2, 35, 0),
    (640, 3, 17, 0),
    (1500, 4, 6, 0),
    (10300, 40, 0, 0),  # 200 us a node in the opening, 360 where proofs are sought: 4 s, the rest of 5 s to the loop
)
