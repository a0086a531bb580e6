# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The first plies by lot, fair to both sides (RULES.md, `random`)."""

from engine.lots import Lots
from engine.position import new_position

_PLIES = 5  # neither side may be able to force a win within so many


def draw(variation, search, accept=None):
    """Generator that draws ``variation.opening`` plies from its seed and yields between slices of work.

    Yields None while it works and at last the moves, a bytes. ``search``: a Search, which says whether a side could
    force a win within five plies; such an opening is drawn anew. ``accept(position)``: a further test, such as the
    exact value's being a draw where a solver is at hand. What is drawn depends on the seed and the rules alone.
    """
    from engine.search import SLICE_NODES

    lots = Lots(variation.seed)
    position = new_position(variation)
    while True:
        position.reset()
        while position.ply < variation.opening:
            move = variation.moves[lots.below(len(variation.moves))]
            if position.is_legal(move):
                position.play(move)
        yield None
        search.start(position, 6, 0, 1 << 20)
        while search.depth < _PLIES:
            if search.step(SLICE_NODES):
                break
            yield None
        if abs(search.score) < 1000 - _PLIES and (accept is None or accept(position)):
            yield bytes(position.moves[: position.ply])
            return
