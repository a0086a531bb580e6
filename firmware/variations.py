# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The variation of a game that is about to begin."""

from engine.variation import make

DRAWS_LOTS = ("obstacles", "random", "pop10")


def known(app, name, pop, random):
    """The present game's variation if it is this one and draws no lots, else None."""
    settings, position = app.settings, app.game.position
    if position is not None and not random:
        v = position.variation
        both = settings.pop_both_lines if pop else "mover"
        mirror = settings.mirror if name == "five" else 0
        if (v.name, v.pop, v.mirror, v.pop_both) == (name, bool(pop), mirror, both) and not v.draws_lots:
            return v
    return None


def variation(app, name, pop, seed, random=False):
    """The variation ``name`` with the settings' mirror and rule for pops; the present one if it is the same, or
    else the present game is given up.

    ``seed`` is for those that draw lots. Raises ValueError for pops where there are none.
    """
    v = known(app, name, pop, random)
    if v is None:
        settings, game = app.settings, app.game
        game.position = game.setup = game.match = None  # the heap has room for one
        app.board.collect()
        mirror = settings.mirror if name == "five" else 0
        both = settings.pop_both_lines if pop else "mover"
        v = make(name, bool(pop), seed if random or name in DRAWS_LOTS else None, mirror, both, random)
    return v
