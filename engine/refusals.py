# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Why a move may not be played; loaded when somebody asks."""

from engine.moves import COLUMN, LETTERS, POP


def why_not(position, move):
    """One line that says why ``move`` may not be played in ``position``, or an empty text when it may."""
    if position.is_legal(move):
        return ""
    if position.result is not None:
        return "the game is over"
    i = move & COLUMN
    v = position.variation
    if i >= v.free:
        return "there is no such column"
    if move not in v.moves:
        return "%s has no pops here" % v.name if move & POP else "%s has no such move" % v.name
    reason = position.own_reason(move) if v.extra else ""
    if reason:
        return reason
    if move & POP:
        return "there is no disc of your own at the bottom of column %s" % LETTERS[i]
    return "column %s is full" % LETTERS[i]
