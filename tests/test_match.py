# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Match, score, resignation, time and rating, as RULES.md has them."""

import pytest

from engine.clock import MAX_LEFT_MS, Clock
from engine.match import Match, Setup
from engine.rating import expected, new_rating
from engine.variation import DRAW, make

RED, YELLOW = 0, 1
FIVE = make("five")


def played(*results):
    match = Match(Setup(FIVE))
    for result in results:
        if match.finished:
            match.next_game()
        match.finish_game(result)
    return match


@pytest.mark.parametrize(
    "results, score, winner",
    [
        ((RED, YELLOW), "2:0", 0),
        ((YELLOW, RED), "0:2", 1),
        ((RED, RED), "1:1", DRAW),
        ((YELLOW, YELLOW), "1:1", DRAW),
        ((DRAW, DRAW), "1:1", DRAW),
        ((RED, DRAW), "1½:½", 0),
        ((DRAW, RED), "½:1½", 1),
        ((DRAW, YELLOW), "1½:½", 0),
    ],
)
def test_a_match_is_two_games_with_colours_swapped_and_the_result_is_the_sum(results, score, winner):
    match = played(*results)
    assert match.over and match.score_text() == score and match.winner() == winner


def test_the_first_player_of_the_second_game_is_the_owner_of_yellow_in_the_first():
    match = Match(Setup(FIVE, 3, engine=1))
    assert [match.owner_of(RED), match.owner_of(YELLOW)] == [0, 1]
    assert not match.is_engine(RED) and match.is_engine(YELLOW)
    match.finish_game(RED)
    assert match.finished and not match.over and match.winner() is None
    match.next_game()
    assert [match.owner_of(RED), match.owner_of(YELLOW)] == [1, 0]
    assert match.is_engine(RED) and match.colour_of(0) == YELLOW


def test_a_single_game_is_over_with_its_result_and_does_not_count():
    match = Match(Setup(FIVE, 3, 1, match=False))
    assert not match.rated
    match.finish_game(YELLOW)
    assert match.over and match.score_text() == "0:1" and match.winner() == 1
    with pytest.raises(ValueError, match="match is over"):
        match.next_game()


def test_resigning_a_game_loses_it_and_the_next_is_still_played():
    match = Match(Setup(FIVE))
    match.resign_game(0)
    assert match.score_text() == "0:1" and not match.over
    match.next_game()
    match.resign_game(1)
    assert match.score_text() == "1:1" and match.over and match.winner() == DRAW and match.loser_by is None


@pytest.mark.parametrize("how", ["resign", "flag"])
def test_resigning_the_match_or_a_flag_loses_the_match_whatever_the_score(how):
    match = played(RED)
    match.next_game()
    getattr(match, "flag" if how == "flag" else "resign_match")(0)
    assert match.over and match.winner() == 1 and match.loser_by == how and match.loser == 0
    assert match.points == [0, 4]
    with pytest.raises(ValueError):
        match.resign_match(1)


def test_a_match_may_be_resigned_between_its_games():
    match = played(RED)
    match.resign_match(0)
    assert match.over and match.winner() == 1 and match.score_text() == "0:2"


def test_with_three_players_the_others_share_what_a_resigned_match_has_left():
    match = Match(Setup(make("three")))
    match.finish_game(1)
    match.next_game()
    match.flag(1)
    assert match.score_text() == "1:0:1" and match.winner() == DRAW


def test_only_a_match_against_the_engine_without_help_is_rated():
    assert Match(Setup(FIVE, 3, 1)).rated and not Match(Setup(FIVE)).rated
    match = Match(Setup(FIVE, 3, 1))
    match.helped()
    assert not match.rated


def test_with_three_players_everybody_begins_once_and_a_resigned_game_is_shared():
    match = Match(Setup(make("three")))
    begins = [match.owner_of(RED)]
    match.finish_game(2)
    match.next_game()
    begins.append(match.owner_of(RED))
    match.resign_game(0)
    match.next_game()
    begins.append(match.owner_of(RED))
    match.finish_game(DRAW)
    assert begins == [0, 1, 2]
    assert match.over and match.score_text() == "½:1:2" and match.winner() == 2


def test_teams_share_a_colour_and_an_owner():
    match = Match(Setup(make("teams")))
    assert match.owners == 2 and match.games == 2


def test_a_game_cannot_end_twice_nor_the_next_begin_before():
    match = Match(Setup(FIVE))
    with pytest.raises(ValueError, match="still open"):
        match.next_game()
    match.finish_game(RED)
    with pytest.raises(ValueError, match="game is over"):
        match.finish_game(RED)
    assert match.score_text() == "1:0"


@pytest.mark.parametrize(
    "arguments",
    [
        dict(engine=2, level=3),
        dict(engine=-2),
        dict(engine=1),
        dict(engine=1, level=16),
        dict(bank_ms=-1000),
        dict(bank_ms=6001000),
        dict(bank_ms=1500),
        dict(bank_ms=60000, increment_ms=61000),
    ],
)
def test_a_setup_that_makes_no_sense_is_refused_in_one_line(arguments):
    with pytest.raises(ValueError) as refusal:
        Setup(FIVE, **arguments)
    assert "\n" not in str(refusal.value) and len(str(refusal.value)) < 80


def test_one_bank_for_the_match_and_an_increment_after_every_move():
    clock = Clock(60000, 2000)
    assert not clock.run(0, 1234)
    assert clock.left_ms == [58766, 60000]
    clock.moved(0)
    assert clock.left_ms == [60800, 60000]  # in whole tenths, for the player
    assert not clock.run(1, 59999)
    assert clock.run(1, 1) and clock.left_ms[1] == 0
    assert clock.run(1, 5) and clock.left_ms[1] == 0


def test_time_that_jumps_back_is_nobodys_gain_and_a_clock_never_outgrows_what_is_saved():
    clock = Clock(6000000, 60000)
    assert not clock.run(0, -5000)
    assert clock.left_ms[0] == 6000000
    for _ in range(20):
        clock.moved(0)
    assert clock.left_ms[0] == MAX_LEFT_MS


def test_expected_scores_follow_the_logistic_curve_and_add_up():
    for a in range(0, 4001, 173):
        for b in range(0, 4001, 167):
            d = max(-800, min(800, a - b))
            assert abs(expected(a, b) - 1000 / (1 + 10 ** (-d / 400))) < 3
            assert expected(a, b) + expected(b, a) == 1000


def test_ratings_move_by_what_was_not_expected():
    assert new_rating(1200, 1200, 2, 40, 2) == 1200  # 1:1 against an equal
    assert new_rating(1200, 1200, 4, 40, 2) == 1240
    assert new_rating(1200, 1200, 0, 40, 2) == 1160
    assert new_rating(1200, 1600, 2, 40, 2) == 1233  # expected 0.182 of 2
    assert new_rating(5, 800, 0, 40) == 5
    assert new_rating(4000, 800, 2, 40) == 4000
    rating = 1000
    for _ in range(200):  # two wins of three against 1500: 1500 + 120 by the curve
        for points in (2, 2, 0):
            rating = new_rating(rating, 1500, points, 16)
    assert 1600 <= rating <= 1640
