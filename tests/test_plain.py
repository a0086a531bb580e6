# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The plain search (three players, Pop 10, Power Up)."""

import random

import pytest

from engine.moves import DOUBLE
from engine.notation import replay
from engine.plain import Plain
from engine.position import new_position
from engine.variation import DRAW, make


def think(position, level, seed=0, nodes=0):
    search = Plain(position.variation)
    search.start(position, level, seed, nodes)
    while not search.step():
        assert position.is_legal(search.move)  # a best move so far, at any time
    assert position.is_legal(search.move)
    return search


def wins_in_one(position):
    """The moves with which the side to move wins now, or in the same turn by the drop that an x2 allows."""
    mover, found = position.to_move, []
    for move in position.legal():
        position.play(move)
        if position.result == mover or (move & ~7 == DOUBLE and position.to_move == mover and wins_in_one(position)):
            found.append(move)
        position.undo()
    return found


def safe_moves(position):
    """The moves that do not lose at once and leave the next side no win in one."""
    mover, found = position.to_move, []
    for move in position.legal():
        position.play(move)
        if position.result in (None, DRAW, mover) and (position.to_move == mover or not wins_in_one(position)):
            found.append(move)
        position.undo()
    return found


NAMES = ["three", "pop10", "powerup"]
MOST_NODES = (40, 60, 90, 130, 180, 250)  # of each level, by 12 ms of the chip's loop: three seconds at the most


@pytest.mark.parametrize("name", NAMES)
def test_every_level_keeps_its_budget(name):
    rng = random.Random(name)
    searched = 0
    for game in range(18):
        position = new_position(make(name, seed=game if name == "pop10" else None))
        level = 1 + game % 6
        while position.result is None:
            search = think(position, level, game)
            searched += 1
            assert search.nodes <= MOST_NODES[level - 1] + 80  # two plies, where one move after the other loses
            # Sharp play beside play by lot: where much is lost there is most to look at.
            position.play(search.move if rng.random() < 0.5 else rng.choice(position.legal()))
    assert searched > 250


@pytest.mark.parametrize("record", ["[powerup] c g a b f a+ b d g| a f", "[powerup] g f+ b g a| b d| e"])
def test_positions_with_one_way_out_or_none_take_no_longer(record):
    """Many moves, each refuted by another answer; a drop that wins is seen without looking for it."""
    position = replay(record)
    safe = safe_moves(position)
    assert len(position.legal()) >= 16 and len(safe) <= 1
    for level in range(1, 7):
        search = think(position, level)
        assert search.nodes <= MOST_NODES[level - 1] + 80 and (not safe or search.move in safe)


@pytest.mark.parametrize("name", NAMES)
def test_the_highest_level_thinks_by_short_steps(name):
    rng = random.Random(name)
    position = new_position(make(name, seed=7 if name == "pop10" else None))
    searched = 0
    while position.result is None:
        if position.ply % 4 == 0:
            search = Plain(position.variation)
            search.start(position, 6, 0, 0)
            steps = 1
            while not search.step():
                steps += 1
            assert search.exact or steps >= 2 * search.nodes  # none as long as a node
            searched += 1
        position.play(rng.choice(position.legal()))
    assert searched > 3


@pytest.mark.parametrize("name", NAMES)
def test_every_level_takes_a_win_and_stops_a_win_where_it_can(name):
    rng = random.Random(name)
    wins = stops = 0
    for game in range(90):
        position = new_position(make(name, seed=game if name == "pop10" else None))
        while position.result is None:
            level = 1 + game % 6
            winning = wins_in_one(position)
            if winning:
                wins += 1
                assert think(position, level, game).move in winning
            elif position.ply % 2 == 0:
                safe = safe_moves(position)
                if safe and len(safe) < len(position.legal()):
                    stops += 1
                    assert think(position, level, game).move in safe
            position.play(rng.choice(position.legal()))
    assert wins > 30 and (stops > 30 or name == "pop10")  # ten discs are no sudden thing to stop


@pytest.mark.parametrize("level", range(1, 7))
def test_with_three_players_both_others_are_stopped(level):
    for record in ("[three] a d g b d g a d f", "[three] a b d a c d b c d"):  # Yellow, or Green, has three in column d
        position = replay(record)
        assert position.to_move == 0 and think(position, level).move == 3


@pytest.mark.parametrize("level", range(1, 7))
def test_the_two_drops_of_an_x2_are_seen(level):
    position = replay("[powerup] c a d a")  # Red: c1 d1, with b1 and e1 free: x2 wins in one turn
    search = think(position, level)
    assert search.move & ~7 == DOUBLE and search.score > 900
    position.play(search.move)
    position.play(think(position, level).move)
    assert position.result == 0
    position = replay("[powerup] a c a d")  # the same for Yellow: Red has to stop it
    assert think(position, level).move in safe_moves(position)
    assert len(safe_moves(position)) < len(position.legal())


@pytest.mark.parametrize("name", NAMES)
def test_it_beats_random_players(name):
    points = games = 0
    for game in range(12):
        position = new_position(make(name, seed=game if name == "pop10" else None))
        rng, seat = random.Random(game), game % position.variation.colours
        while position.result is None:
            mine = position.to_move == seat
            position.play(think(position, 4, game).move if mine else rng.choice(position.legal()))
        points += position.result == seat
        games += 1
    assert points >= games * 0.75


def test_the_same_seed_gives_the_same_move():
    position = replay("[three] d d c c e b a")
    assert [think(position, 1, 7).move for _ in range(3)] == [think(position, 1, 7).move] * 3
    assert len({think(position, 1, seed).move for seed in range(20)}) > 1
