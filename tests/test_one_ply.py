# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""At every level of every game of two sides a win in one is taken, and none is given where that can be helped.

What a move brings is judged by the naive rules alone, one move and one answer ahead. ``FIVE_ONE_PLY=N`` looks at N
positions of each game at each level instead of a few.
"""

import copy
import os
import random

import pytest

from engine.moves import POP
from engine.position import new_position
from engine.search import SLICE_NODES, Search
from engine.variation import make
from tests.naive import Naive

POSITIONS = int(os.environ.get("FIVE_ONE_PLY", "12"))
GAMES = [
    *[(name, {}) for name in ("five", "classic", "popout", "small", "misere", "cylinder", "obstacles", "random")],
    *[(name, {"pop": True}) for name in ("five", "small", "misere", "cylinder", "random", "teams")],
    *[("five", {"pop": True, "pop_both": both}) for both in ("draw", "other")],
    *[("misere", {"pop": True, "pop_both": both}) for both in ("draw", "other")],
]
LOSES, GIVES, HOLDS, WINS = range(4)  # what a move brings: at once or by the answer


def after(naive, move):
    """The naive game one move on; ``naive`` itself stands."""
    one = copy.copy(naive)
    one.columns = [list(column) for column in naive.columns]
    one.seen = list(naive.seen)
    one.play(move)
    return one


def outcome(naive, move):
    mover = naive.colour()
    one = after(naive, move)
    if one.result == "draw":
        return HOLDS
    if one.result:
        return WINS if one.result == mover else LOSES
    for answer in one.moves():
        if after(one, answer).result not in (None, "draw", mover):
            return GIVES
    return HOLDS


def positions_at_stake(name, options, count, seed):
    """``count`` positions by lot in which moves differ in what they bring: (position, {move: outcome})."""
    lots = random.Random(seed)
    found = 0
    while found < count:
        draws = name in ("obstacles", "random")
        variation = make(name, seed=lots.randrange(1 << 30) if draws else None, **options)
        stones = [(cell // 6 - 1, cell % 6) for cell in variation.stones]
        naive = Naive(name, options.get("pop"), stones, options.get("pop_both", "mover"))
        position = new_position(variation)
        looks = 0
        while position.result is None and looks < 4:
            legal = position.legal()
            if lots.random() < (0.2 if position.ply > 8 else 0.02):
                outcomes = {move: outcome(naive, (move & 7, move >= POP)) for move in legal}
                if len(set(outcomes.values())) > 1:
                    found += 1
                    looks += 1
                    yield position, outcomes
                    if found == count:
                        return
            move = lots.choice(legal)
            if lots.random() < 0.6 and naive_ends(naive, move):  # games by lot are over too soon
                continue
            naive.play((move & 7, move >= POP))
            position.play(move)


def naive_ends(naive, move):
    return after(naive, (move & 7, move >= POP)).result is not None and len(naive.moves()) > 1


@pytest.mark.parametrize(("name", "options"), GAMES, ids=lambda x: x if isinstance(x, str) else "-".join(map(str, x)))
def test_a_win_in_one_is_taken_and_none_is_given(name, options):
    search = Search(2048)
    for number, (position, outcomes) in enumerate(positions_at_stake(name, options, POSITIONS, 1)):
        best = max(outcomes.values())
        for level in range(1, 7):
            for seed in (0, 7 * number + level):
                search.start(position, level, seed=seed, nodes=400 if level > 5 and seed else 0)
                while not search.step(SLICE_NODES):
                    pass
                told = "level %d, seed %d: %r" % (level, seed, (variation_text(position), outcomes))
                assert outcomes[search.move] >= min(best, HOLDS), told
                assert best < WINS or outcomes[search.move] == WINS, told


def variation_text(position):
    return position.variation.header(), list(position.moves[: position.ply])
