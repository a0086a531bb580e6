# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Levels differ in what they see; the lower ones vary by seed, the highest never does."""

from engine.levels import LEVELS
from engine.notation import replay
from engine.search import SLICE_NODES, Search

RECORDS = ("", "d", "d d", "d e c", "4 4 3 5 2 6", "5254252425")


def moves_of(level, nodes=0):
    search = Search(4096)
    chosen = []
    for text in RECORDS:
        seen = set()
        for seed in range(6):
            search.start(replay(text), level, seed=seed, nodes=nodes)
            while not search.step(SLICE_NODES):
                pass
            seen.add(search.move)
        chosen.append(seen)
    return chosen


def test_there_are_six_levels_each_with_more_to_spend():
    assert len(LEVELS) == 7
    for lower, higher in zip(LEVELS[1:-1], LEVELS[2:]):
        assert lower[0] < higher[0] and lower[1] <= higher[1] and lower[2] >= higher[2]


def test_levels_one_to_five_vary_where_moves_are_about_equal():
    for level in range(1, 6):
        assert any(len(seen) > 1 for seen in moves_of(level)), level


def test_level_six_is_a_function_of_the_position():
    assert all(len(seen) == 1 for seen in moves_of(6, nodes=1500))


def test_a_level_plays_the_same_again_for_the_same_seed():
    first, second = Search(4096), Search()
    for level in range(1, 4):
        for seed in range(4):
            moves = []
            for search in (first, second, first):
                search.start(replay("d e"), level, seed=seed)
                while not search.step(1 + seed):
                    pass
                moves.append(search.move)
            assert moves[0] == moves[2]
