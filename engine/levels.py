# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The levels: one row of data each.

``nodes``: the budget for a move, in drops whose threats are worked out. ``depth``: how far it looks ahead, in plies.
``blur``: the largest lot added to a move's score, in the evaluation's units. ``blind``: 1 where it overlooks
slanting lines beyond the next move, as beginners do. Every level takes a win in one and stops one.
"""

# nodes, depth, blur, blind
LEVELS = (
    None,  # level 0: people only
    (20, 1, 60, 1),
    (60, 2, 10, 1),
    (160, 3, 6, 0),
    (400, 4, 3, 0),
    (1200, 5, 2, 0),
    (7500, 40, 0, 0),  # at most 500 us a node, a quarter of the time to buttons and pixels: 5 s
)
