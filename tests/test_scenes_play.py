# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A game on the board: moves, refusals, animations, thought, the clock, the end, and the next game."""

import random

import pytest
from board_rig import POP, A, B, C, D, E, F, G, Rig

from engine.notation import record
from firmware.palettes import PALETTES

# Fills the grid of five without a five; Red then has a disc to pop in e.
FULL = ["ABCDEFG".index(column) for column in "DFEDFBCEACDGAFDEAGBAFCFDGCFCEBBDEEAGAGBGCB"]


def intervals(frames, begin_us, end_us):
    times = [t_us for t_us, _ in frames if begin_us <= t_us <= end_us]
    return [b - a for a, b in zip(times, times[1:])]


# Moves


def test_two_people_play_a_game_by_presses_and_the_console_tells_it():
    rig = Rig().begin("classic two single")
    rig.keys(D, E, D, E, D, E, D)
    rig.until_scene("result")
    assert rig.record == "[classic] d e d e d e d"
    told = [line for line in rig.sim.lines() if line[0].isdigit()]
    assert told == ["1. ● d", "2. ○ e", "3. ● d", "4. ○ e", "5. ● d", "6. ○ e", "7. ● d"]
    assert "Red wins" in rig.sim.lines()


def test_a_drop_falls_with_acceleration_and_settles():
    rig = Rig().begin()
    path = []  # (us, highest lit row of the column)
    count = len(rig.sim.frames)
    rig.press(D)
    rig.run(700)
    for t_us, frame in rig.sim.frames[count:]:
        lit = [row for row in range(6) if any(frame[3 * (24 + row) : 3 * (24 + row) + 3])]
        if lit and (not path or lit[-1] != path[-1][1]):
            path.append((t_us, lit[-1]))
    rows = [row for _, row in path]
    assert rows == [5, 4, 3, 2, 1, 0]
    stays = [b[0] - a[0] for a, b in zip(path, path[1:])]
    assert stays[0] > stays[-1] and all(a >= b - 21000 for a, b in zip(stays, stays[1:]))
    assert rig.app.ready_for_input


@pytest.mark.parametrize("text,keys", [("five two", (D,)), ("five pop two", (D, E, D, E, POP, D))])
def test_animations_run_at_50_frames_a_second(text, keys):
    rig = Rig(env={"FIVE_BRIGHTNESS": 100}).begin(text)  # dimmer, two shades may be the same: nothing is sent then
    rig.keys(*keys[:-1])
    rig.until_ready()
    rig.sim.press(keys[-1], rig.sim.now_ms() + 1)
    rig.until(lambda: rig.app.scenes["play"].moving >= 0)
    rig.run(10)
    begin_us = rig.sim.now_us
    rig.until(lambda: rig.app.scenes["play"].moving < 0)
    gaps = intervals(rig.sim.frames, begin_us, rig.sim.now_us - 20000)
    assert len(gaps) >= 5
    assert max(gaps) <= 26000 and 18000 <= sum(gaps) / len(gaps) <= 22000


def test_breathing_sends_at_most_15_frames_a_second_and_no_frame_twice():
    rig = Rig().begin()
    rig.keys(D)
    rig.run(1000)
    count = len(rig.sim.frames)
    rig.run(10000)
    frames = [frame for _, frame in rig.sim.frames[count:]]
    assert 80 <= len(frames) <= 152
    assert all(a != b for a, b in zip(frames, frames[1:]))


def test_nothing_is_sent_when_nothing_changes():
    rig = Rig().to_setup()
    rig.run(500)
    count = rig.sim.frame_count
    rig.run(5000)
    assert rig.sim.frame_count == count


def test_a_pop_sinks_its_column_by_one():
    rig = Rig().begin("five pop two")
    rig.keys(D, E, D, D, D, E)  # d: Red Red Yellow Red from below
    rig.until_ready()
    before = bytes(rig.app.game.cells[24:30])
    rig.keys(POP, D)
    rig.until_ready()
    assert bytes(rig.app.game.cells[24:30]) == before[1:] + b"\0"
    assert rig.record == "[five pop] d e d d d e d-"


def test_the_last_disc_pulses_and_no_other_does():
    rig = Rig().begin("classic two")
    rig.keys(D, C)
    rig.until_ready()
    seen = {cell: set() for cell in range(6, 48)}
    for _ in range(40):
        rig.run(50)
        for cell in seen:
            seen[cell].add(bytes(rig.sim.frame[3 * cell : 3 * cell + 3]))
    changing = [cell for cell in seen if len(seen[cell]) > 1]
    assert changing == [18]  # c1


def test_in_five_the_side_discs_never_go_dark_and_those_of_the_side_to_move_breathe():
    rig = Rig().begin("five level 2")
    lots = random.Random(4)
    while rig.app.scene == "play":
        rig.until(lambda: rig.app.ready_for_input or rig.app.scene != "play")
        if rig.app.scene == "play":
            rig.press(lots.choice(rig.app.game.position.legal()), after_ms=20)
    rig.run(3000)
    begin = next(i for i, (t_us, _) in enumerate(rig.sim.frames) if t_us > 1000 * rig.scenes[-2][0] - 1)
    sides = [cell for cell in range(54) if cell < 6 or cell >= 48]
    for _, frame in rig.sim.frames[begin:]:
        assert all(any(frame[3 * cell : 3 * cell + 3]) for cell in sides)
    rig = Rig().begin()
    seen = [set(), set()]
    for _ in range(40):
        rig.run(60)
        for cell in sides:
            colour = (cell % 6 + cell // 48) % 2
            seen[colour].add(bytes(rig.sim.frame[3 * cell : 3 * cell + 3]))
    assert len(seen[0]) >= 5 and len(seen[1]) == 1  # Red is to move


def test_elsewhere_the_outer_columns_show_the_mover():
    rig = Rig().begin("classic two")
    rig.run(100)
    assert all(r and not b and not g for r, g, b in rig.column(0) + rig.column(8))
    rig.keys(D)
    rig.until_ready()
    rig.run(100)
    assert all(r and g and not b for r, g, b in rig.column(0) + rig.column(8))


def test_three_players_and_partners_are_told_apart_in_the_outer_columns():
    rig = Rig().begin("three two single")
    seen = []
    for key in (A, B, C):
        rig.until_ready()
        rig.run(100)
        seen.append(tuple(row for row in range(6) if any(rig.cell(0, row))))
        assert rig.column(0) == rig.column(8)
        rig.keys(key)
    assert seen == [(0, 1), (2, 3), (4, 5)]
    rig = Rig().begin("teams two single")
    seen = []
    for key in (A, B, C, D):
        rig.until_ready()
        rig.run(100)
        seen.append((max(rig.column(0)), [row for row in range(6) if any(rig.cell(0, row))]))
        rig.keys(key)
    assert seen[0][1] == seen[1][1] == [0, 1, 2] and seen[2][1] == seen[3][1] == [3, 4, 5]


def test_stones_stand_and_hold_discs():
    rig = Rig().begin("obstacles seed=5 two single")
    stones = rig.app.game.position.variation.stones
    rig.run(100)
    assert all(len(set(rig.cell(s // 6, s % 6))) == 1 and any(rig.cell(s // 6, s % 6)) for s in stones)
    column = stones[0] // 6 - 1
    rig.keys(column)
    rig.until_ready()
    rig.run(100)
    assert all(any(rig.cell(s // 6, s % 6)) for s in stones)


def test_the_cue_blinks_twice_on_one_sides_discs():
    rig = Rig(env={"FIVE_CUE": 1}).begin("classic two")
    rig.keys(D, C, E, F)
    rig.until_ready()
    own, other, times = [], [], []
    for _ in range(100):
        rig.run(20)
        own.append(rig.cell(4, 0))
        other.append(rig.cell(3, 0))
        times.append(rig.sim.now_ms())
    assert len(set(own)) == 1 and len(set(other)) == 2
    low = min(set(other), key=sum)
    blinks = sum(a != low and b == low for a, b in zip(other, other[1:]))
    assert blinks == 2 and any(other)


# Refusals


def flashes(rig, button):
    """Press ``button``; whether its column flashed white within the time and went back to what it was."""
    rig.run(400)
    column = 1 + button
    rig.press(button, after_ms=0)
    white = False
    for _ in range(40):
        rig.run(10)
        white = white or all(len(set(rgb)) == 1 and any(rgb) for rgb in rig.column(column))
    return white


def test_a_full_column_is_refused_with_a_flash_and_changes_nothing():
    rig = Rig().begin()
    rig.keys(D, D, D, D, D, D)
    rig.until_ready()
    assert flashes(rig, D)
    assert rig.record == "d d d d d d"
    assert not flashes(rig, E)


def test_refusals_in_quick_succession_are_each_seen():
    rig = Rig().begin("small two")
    for _ in range(4):
        latency_ms = rig.latency_ms(G, hold_ms=30)
        assert latency_ms is not None and latency_ms <= 35
    rig.press(G, hold_ms=30, after_ms=15)
    lit = len(set(rig.cell(7, 2))) == 1 and any(rig.cell(7, 2))
    rig.press(G, hold_ms=30, after_ms=15)
    assert lit != (len(set(rig.cell(7, 2))) == 1 and any(rig.cell(7, 2)))


def test_presses_refused_after_a_standstill_flash_together():
    rig = Rig().begin("five level 6 match")
    rig.keys(D)
    rig.until(lambda: rig.app.thinking and rig.app.scenes["play"].moving < 0)
    rig.sim.press(B, rig.sim.now_ms() + 50)
    rig.sim.press(F, rig.sim.now_ms() + 200)
    rig.app.board.busy(rig.sim.charge_us, 300000)
    rig.run(40)
    for column, refused in ((2, True), (6, True), (5, False)):
        assert (len(set(rig.cell(column, 5))) == 1 and any(rig.cell(column, 5))) == refused


def test_a_column_that_a_variation_has_not_is_refused():
    rig = Rig().begin("small two")
    assert flashes(rig, G)
    assert rig.app.game.position.ply == 0


def test_a_press_during_thought_is_refused_at_once_and_not_queued():
    rig = Rig().begin("five level 6 match")
    rig.keys(D)
    rig.until(lambda: rig.app.thinking and rig.app.scenes["play"].moving < 0)
    rig.run(200)
    assert rig.app.thinking and not rig.app.ready_for_input
    assert flashes(rig, E)
    assert rig.app.thinking
    rig.until_ready(limit_ms=30000)
    assert rig.app.game.position.ply == 2
    rig.run(2000)
    assert rig.app.game.position.ply == 2


# Pops


def test_armed_pop_blinks_what_can_be_popped_and_pops():
    rig = Rig().begin("five pop two")
    rig.keys(D, E, F, E)
    rig.until_ready()
    rig.run(100)
    rig.press(POP, after_ms=0)
    assert rig.app.scenes["play"].armed
    seen = {column: set() for column in range(1, 8)}
    for _ in range(40):
        rig.run(20)
        for column in seen:
            seen[column].add(rig.cell(column, 0))
    assert [column for column in seen if len(seen[column]) > 1] == [4, 6]  # Red's d1 and f1
    rig.keys(E)  # Yellow's: refused, still armed
    assert rig.app.scenes["play"].armed and rig.app.game.position.ply == 4
    rig.keys(F)
    assert rig.record == "[five pop] d e f e f-"
    assert not rig.app.scenes["play"].armed


def test_a_second_tap_or_five_seconds_disarm():
    rig = Rig().begin("five pop two")
    rig.keys(D, E)
    play = rig.app.scenes["play"]
    rig.keys(POP)
    assert play.armed
    rig.keys(POP)
    assert not play.armed
    rig.keys(POP)
    rig.run(4500)
    assert play.armed
    rig.run(600)
    assert not play.armed
    rig.keys(D)
    assert rig.record == "[five pop] d e d"


def test_pop_with_nothing_to_pop_is_refused():
    rig = Rig().begin("five pop two")
    rig.press(POP, after_ms=20)
    assert not rig.app.scenes["play"].armed
    white = [rig.cell(column, 0) for column in range(1, 8)]
    assert all(len(set(rgb)) == 1 and any(rgb) for rgb in white)


def test_the_hold_that_opens_the_pause_page_leaves_nothing_armed():
    rig = Rig().begin("five pop two")
    rig.keys(D, E)
    rig.hold(POP)
    assert rig.app.scene == "pause"
    rig.keys(A)
    assert not rig.app.scenes["play"].armed


def test_where_the_rules_have_no_pops_a_tap_gives_a_hint_but_a_hold_does_not():
    rig = Rig().begin("five level 2 match")
    rig.hold(POP)
    rig.keys(A)
    assert rig.app.game.match.rated and not any("hint" in line for line in rig.sim.lines())
    rig.keys(POP)
    rig.until(lambda: rig.app.scenes["play"].hint == 3, 20000)
    assert any(line.startswith("hint: ") for line in rig.sim.lines())
    rig.keys(D)  # a move ends the hint
    assert rig.app.game.position.moves[0] == 3


def test_taps_go_through_the_powers_of_power_up():
    rig = Rig().begin("powerup two")
    rig.keys(D, D, E)
    play = rig.app.scenes["play"]
    seen = []
    for _ in range(5):
        rig.keys(POP)
        rig.run(400)
        white = [len(set(rig.cell(0, row))) == 1 and any(rig.cell(0, row)) for row in range(6)]
        seen.append((play.armed, sum(white)))
    assert seen == [(16, 1), (32, 2), (48, 3), (64, 4), (0, 0)]  # anvil, bomb, wall, x2, none
    rig.keys(POP, POP, D)  # a bomb on Red's d1
    rig.until_ready()
    assert rig.record == "[powerup] d d e d*"
    assert rig.app.game.cells[24] >> 4 == 1 and not rig.app.game.cells[25]
    rig.keys(POP, D)  # an anvil: all below it is gone
    rig.until_ready()
    assert rig.app.game.cells[24] >> 4 == 0 and rig.app.game.cells[24] and not rig.app.game.cells[25]
    rig.hold(POP)
    rig.keys(B)
    assert rig.app.game.cells[24] >> 4 == 1


def turn_by_lot(rig, lots):
    """A legal drop or pop, by presses."""
    rig.until_ready()
    move = lots.choice(rig.app.game.position.legal())
    if move > 7:
        rig.press(POP)
    rig.press(move & 7)
    rig.run(400)


def test_pop_10_is_played_by_pops_and_the_disc_in_hand_goes_back_in():
    rig = Rig().begin("pop10 seed=3 two")
    position = rig.app.game.position
    lots = random.Random(2)
    for _ in range(12):
        turn_by_lot(rig, lots)
    assert position.ply == 12


def test_where_nothing_but_pops_can_be_played_a_column_button_pops():
    rig = Rig().begin("pop10 seed=3 two")
    position = rig.app.game.position
    for _ in range(12):
        rig.until_ready()
        legal = position.legal()
        rig.press(legal[-1] & 7)  # without the pop button
        rig.run(400)
        assert position.moves[position.ply - 1] == legal[-1]
    assert len({move & 8 for move in position.moves[: position.ply]}) == 2
    while position.legal()[0] < 8:  # the disc in hand goes back in
        rig.press(position.legal()[0], after_ms=400)
    ply, pops = position.ply, position.legal()
    rig.press(next(i for i in range(7) if 8 | i not in pops), after_ms=400)  # the other side's disc
    assert position.ply == ply
    rig.press(POP)
    assert rig.app.scenes["play"].armed  # which shows what can be popped
    rig.press(pops[0] & 7, after_ms=400)
    assert position.ply == ply + 1


def test_a_full_grid_with_a_disc_to_pop_takes_pops_by_a_column_button():
    rig = Rig(slow=False).begin("five pop two")
    rig.keys(*FULL)
    rig.until_ready()
    assert rig.app.game.position.ply == 42 and rig.app.game.position.result is None
    rig.press(E, after_ms=400)
    assert rig.record.endswith(" e-") and rig.app.game.position.ply == 43


def test_with_confirm_one_press_alone_never_pops():
    rig = Rig(env={"FIVE_CONFIRM": 1}).begin("pop10 seed=3 two")
    pops = rig.app.game.position.legal()
    rig.press(pops[0] & 7, after_ms=400)
    assert rig.app.game.position.ply == 0
    rig.keys(POP, pops[0] & 7)
    assert rig.app.game.position.ply == 1


def test_who_wins_by_what_was_collected_has_all_discs_blink():
    rig = Rig().begin("pop10 seed=3 two")
    position, game = rig.app.game.position, rig.app.game
    lots = random.Random(2)
    while position.result is None:
        turn_by_lot(rig, lots)
    rig.until(lambda: rig.app.scene == "result")
    mask = rig.app.current.mask
    winners = [cell for cell in range(54) if game.cells[cell] and game.cells[cell] >> 4 == game.result]
    assert winners and [cell for cell in range(54) if mask[cell]] == winners


# Animation and presses


def test_one_press_waits_for_the_moving_disc_and_no_more():
    rig = Rig().begin()
    rig.press(D, hold_ms=30, after_ms=10)
    assert rig.app.scenes["play"].moving >= 0
    rig.press(C, hold_ms=30, after_ms=10)
    rig.press(B, hold_ms=30, after_ms=10)
    assert rig.app.scenes["play"].moving >= 0 and rig.app.game.position.ply == 1
    rig.run(2000)
    assert rig.record == "d c"


def test_two_buttons_in_the_same_instant_are_two_presses():
    rig = Rig().begin()
    at_ms = rig.sim.now_ms() + 5
    rig.sim.press(C, at_ms)
    rig.sim.press(F, at_ms)
    rig.run(2000)
    assert rig.record in ("c f", "f c")


def test_a_button_that_is_stuck_is_told_and_the_others_work():
    rig = Rig(slow=False).begin("classic two")
    rig.sim.contact(A, True)
    rig.run(25000)
    assert any("stuck" in line for line in rig.sim.lines())
    assert rig.record == "[classic] a"
    rig.keys(D, E)
    assert rig.record == "[classic] a d e"


def test_buttons_that_are_held_at_power_on_press_nothing():
    rig = Rig(held=(A, D))
    rig.run(1500)
    assert rig.app.scene == "attract"
    rig.sim.contact(D, False)
    rig.run(500)
    assert rig.app.scene == "attract"
    rig.press(D)
    assert rig.app.scene == "setup"


def test_confirm_hovers_first():
    rig = Rig(env={"FIVE_CONFIRM": 1}).begin()
    rig.run(100)
    rig.press(D, after_ms=0)
    assert any(rig.cell(4, 5)) and rig.app.game.position.ply == 0
    rig.run(200)
    rig.keys(C)  # another column moves it
    assert rig.app.game.position.ply == 0 and not any(rig.cell(4, 5))
    rig.keys(C)
    assert rig.record == "c"


def test_short_presses_and_bounce():
    rig = Rig(bounce_ms=8).begin("classic two")
    keys = (D, F, B, A, C, G, D, E)
    for key in keys:
        rig.until_ready()
        rig.press(key, hold_ms=30)
    assert rig.record == "[classic] " + " ".join("abcdefg"[key] for key in keys)


def test_the_tick_counter_wraps_in_the_middle_of_a_game():
    rig = Rig(ticks_at_start=(1 << 29) - 2000).begin("five level 1 match clock 5+3")
    rig.keys(D, C, B)
    rig.until_ready()
    assert rig.app.game.position.ply == 6 and rig.sim.now_ms() > 3000


def test_time_that_jumps_ends_no_game():
    rig = Rig().begin("classic two clock 1")
    rig.keys(D)
    for jump_ms in (3600000, -3600000):
        rig.sim.jump_ms(jump_ms)
        rig.run(1000)
        rig.press(A)
        rig.until_ready()
    assert rig.app.game.is_open() and min(rig.app.game.clock.left_ms) > 50000


def test_take_backs_end_before_the_memory_would_have_to_be_erased_within_the_game():
    rig = Rig(slow=False).begin("five two single")
    rig.keys(D, C)
    game, erases = rig.app.game, rig.sim.nvm.erases
    now = rig.app.board.ticks_ms()
    taken_back = 0
    while game.take_back():
        game.play(B, now)
        taken_back += 1
    assert taken_back > 1000 and rig.sim.nvm.erases == erases and rig.record == "d b"
    assert rig.sim.lines()[-1] == "memory: no room to take back more in this game"
    rig.press(POP, hold_ms=1100)
    rig.press(1)  # take back, on the pause page
    rig.run(300)
    assert rig.record == "d b" and rig.app.scene == "pause"
    again = Rig(nvm=bytes(rig.sim.nvm.data))
    assert record(again.app.saved.position) == "d b"


@pytest.mark.parametrize("jump_ms", [-1000, (1 << 28) - 1, (1 << 28) + 1000, 400000000, (1 << 29) - 100])
def test_frames_and_time_outs_go_on_after_a_jump_of_days(jump_ms):
    rig = Rig().begin("five pop two")
    rig.keys(D, C)
    rig.press(POP)
    assert rig.app.scenes["play"].armed
    rig.sim.jump_ms(jump_ms)
    rig.run(400)
    frames = rig.sim.frame_count
    rig.run(1000)
    assert rig.sim.frame_count >= frames + 10  # it breathes, with no press
    rig.run(5000)
    assert not rig.app.scenes["play"].armed
    rig.sim.serial_in("e\n")
    rig.run(300)
    assert rig.record == "[five pop] d c e"


# The engine


def test_it_answers_and_its_thought_shows_without_hiding_a_disc():
    rig = Rig().begin("five level 6 match")
    rig.keys(D)
    rig.until(lambda: rig.app.thinking and rig.app.scenes["play"].moving < 0)
    lit = set()
    while rig.app.thinking and rig.app.game.position.ply == 1:
        rig.run(30)
        assert any(rig.cell(4, 0))
        lit.update(cell for cell in range(6, 48) if any(rig.sim.frame[3 * cell : 3 * cell + 3]))
    assert len(lit) >= 7  # the spark wandered over all columns
    rig.until_ready()
    assert rig.app.game.position.ply == 2


@pytest.mark.parametrize(
    "text", ["five", "five pop", "classic", "cylinder", "misere", "small", "obstacles", "teams", "powerup"]
)
def test_whole_matches_against_the_engine(text):
    rig = Rig(slow=False).begin(text + " level 1 match")
    lots = random.Random(len(text))
    app = rig.app
    while app.scene != "setup":
        rig.until(lambda: app.ready_for_input)
        if app.scene == "play":
            move = lots.choice(app.game.position.legal())
            while app.scenes["play"].armed != move & ~7:
                rig.press(POP, after_ms=10)
            rig.press(move & 7, after_ms=30)
        elif app.scene == "ready":
            rig.press(A, after_ms=10)
            rig.press(E, after_ms=10)
        elif app.scene == "score" and app.game.match.over:
            assert sum(app.game.match.points) == 4
            rig.press(B)
        else:
            rig.press(C)
    assert [name for _, name in rig.scenes].count("result") == 2


def test_a_match_against_the_engine_is_rated_and_a_single_game_is_not():
    from firmware.store import RATING, STATS

    rig = Rig(slow=False).begin("classic level 4 match")
    rig.hold(POP)
    rig.keys(E, E)  # the match resigned
    assert rig.app.store.get(RATING) < 1200
    assert rig.app.store.get(STATS + 12) == 1 or rig.app.store.get(STATS + 12, 0) >= 0
    rating = rig.app.store.get(RATING)
    rig = Rig(slow=False, nvm=bytes(rig.sim.nvm.data))
    rig.begin("classic level 4 single")
    rig.hold(POP)
    rig.keys(D, D)
    rig.until_scene("result")
    assert rig.app.store.get(RATING) == rating


@pytest.mark.parametrize("text", ["powerup two", "five two", "five pop two"])
def test_what_is_loaded_for_a_thought_takes_nothing_of_its_time(text):
    rig = Rig().begin(text)
    app, steps = rig.app, []
    rig.charge(app, "_go_on", 300000)

    def step(units):
        rig.sim.charge_us(5000)
        if not app.search.making:
            steps.append(rig.sim.now_ms())
            return False
        return slice_of(units)

    slice_of, app.search.step = app.search.step, step
    began = rig.sim.now_ms()
    rig.sim.serial_in("hint\n")
    rig.until(lambda: any("thought cut off" in line for line in rig.sim.lines()))
    assert steps[0] - began > 1000 and 4900 <= steps[-1] - steps[0] <= 5100


def test_a_heap_that_is_full_ends_no_game():
    rig = Rig(slow=False).begin("classic level 2 single")

    def start(*args):
        raise MemoryError("memory allocation failed, allocating 1016 bytes")

    rig.app.search.start = start
    rig.keys(D, D)
    rig.until(lambda: rig.app.game.position.ply == 4, 20000)
    assert rig.app.ready_for_input or rig.until_ready()
    assert [line for line in rig.sim.lines() if line.startswith("fault: no thought")]


# The end of a game


def test_every_line_that_wins_blinks_in_full_and_all_else_is_dim():
    rig = Rig().begin("classic two")
    rig.keys(A, A, B, B, C, C, E, E, F, F, G, G, D)  # seven in a row
    rig.until_scene("result")
    rig.run(100)
    seen = {cell: set() for cell in range(6, 48)}
    for _ in range(60):
        rig.run(20)
        for cell in seen:
            seen[cell].add(bytes(rig.sim.frame[3 * cell : 3 * cell + 3]))
    blinking = [cell for cell in seen if len(seen[cell]) > 1]
    assert blinking == [6 * column for column in range(1, 8)]
    low = max(max(rgb) for cell in seen if cell not in blinking for rgb in seen[cell])
    assert low < max(max(rgb) for rgb in seen[6])


def test_a_line_into_the_side_column_blinks_there_too():
    rig = Rig().begin("five two")
    rig.keys(A, A, B, B, C, C, D)  # with <1, Red's own
    rig.until_scene("result")
    seen = set()
    for _ in range(60):
        rig.run(20)
        seen.add(rig.cell(0, 0))
        assert any(rig.cell(0, 0))
    assert len(seen) > 1 and rig.app.game.result == 0


def test_in_misere_the_losers_line_blinks():
    rig = Rig().begin("misere two")
    rig.keys(A, G, B, G, C, F, D)
    rig.until_scene("result")
    assert rig.app.game.result == 1
    mask = rig.app.scenes["result"].mask
    assert [cell for cell in range(54) if mask[cell]] == [6, 12, 18, 24]


def test_a_draw_breathes_both_colours():
    rig = Rig(slow=False).begin("small two")
    lots = random.Random(9)
    for _ in range(200):  # a random game on 6 x 5 is drawn now and then
        rig.sim.serial_in("new small two single\n")
        rig.run(100)
        game = rig.app.game
        while game.is_open():
            game.play(lots.choice(game.position.legal()), rig.app.board.ticks_ms())
        if game.result == 3:
            break
    assert game.result == 3
    rig.until_scene("result")
    seen = {0: set(), 1: set()}
    for _ in range(60):
        rig.run(30)
        for cell in range(6, 42):
            if game.cells[cell]:
                seen[game.cells[cell] >> 4].add(bytes(rig.sim.frame[3 * cell : 3 * cell + 3]))
    assert len(seen[0]) >= 4 and len(seen[1]) >= 4


def test_result_score_ready_and_the_second_game_with_colours_swapped():
    rig = Rig().begin("classic two match")
    rig.keys(D, E, D, E, D, E, D)
    rig.until_scene("result")
    rig.keys(G)
    assert rig.app.scene == "score"
    heights = [sum(any(cell) for cell in rig.column(column)) for column in (1, 6)]
    assert heights == [2, 1]  # Red's point: two cells; Yellow's nothing: a faint one
    assert sum(map(sum, rig.column(1))) > sum(map(sum, rig.column(6)))
    rig.keys(G)
    assert rig.app.scene == "ready"
    rig.run(200)
    half = [rig.cell(column, 5) for column in (1, 5)]
    assert all(any(rgb) for rgb in half)
    assert rig.app.game.cells[24]  # the final position stays
    assert any(rig.cell(4, 0))
    rig.keys(D)  # nobody's
    rig.keys(F)
    assert rig.app.scene == "ready" and sum(rig.cell(5, 5)) > sum(half[1]) and rig.cell(1, 5) == half[0]
    rig.keys(F)  # has pressed already
    assert rig.app.scene == "ready"
    rig.keys(A)
    assert rig.app.scene == "play" and rig.app.game.position.ply == 0
    match = rig.app.game.match
    assert match.game == 1 and match.owner_of(0) == 1
    rig.keys(D, E, D, E, D, E, D)  # the other owner wins as Red
    rig.until_scene("score", limit_ms=20000)
    assert match.over and match.score_text() == "1:1" and match.winner() == 3
    rig.keys(B)
    assert rig.app.scene == "setup"


def test_result_and_score_go_on_by_themselves_to_ready_and_no_further():
    rig = Rig().begin("classic two match")
    rig.keys(D, E, D, E, D, E, D)
    rig.until_scene("ready", limit_ms=20000)
    rig.run(60000)
    assert rig.app.scene == "ready"


def test_a_press_that_was_meant_for_the_game_does_not_skip_the_result():
    rig = Rig().begin("classic two match")
    rig.keys(D, E, D, E, D, E, D)
    rig.until_scene("result")
    rig.press(E, after_ms=0)
    assert rig.app.scene == "result"


def test_the_engine_is_always_ready_and_the_persons_side_is_the_one_that_is_asked():
    rig = Rig().begin("classic level 1 match")
    rig.hold(POP)
    rig.keys(D, D)
    rig.until_scene("ready", limit_ms=30000)
    rig.keys(E)  # the engine's: refused
    assert rig.app.scene == "ready"
    rig.keys(C)
    assert rig.app.scene == "play"
    rig.until(lambda: rig.app.game.position.ply == 1, 20000)  # the engine begins game 2


def test_three_players_are_ready_with_any_three_presses_and_play_three_games():
    rig = Rig().begin("three two match")
    games = 0
    while not rig.app.game.match.over:
        games += 1
        rig.hold(POP)
        rig.keys(D, D)
        rig.until_scene("score", limit_ms=20000)
        if not rig.app.game.match.over:
            rig.until_scene("ready", limit_ms=20000)
            rig.keys(G, G)
            assert rig.app.scene == "ready"
            rig.keys(D)
            assert rig.app.scene == "play"
    assert games == 3


# The clock


def test_the_clock_runs_for_the_side_to_move_and_stands_while_a_disc_falls():
    rig = Rig().begin("classic two clock 5+3")
    clock = rig.app.game.clock
    rig.run(10000)
    assert clock.left_ms[1] == 300000 and 289000 <= clock.left_ms[0] <= 291000
    rig.press(D, after_ms=0)
    left = list(clock.left_ms)
    assert left[0] >= 292000  # three seconds more
    rig.until(lambda: rig.app.scenes["play"].moving < 0)
    assert clock.left_ms == left
    rig.run(5000)
    assert clock.left_ms[0] == left[0] and 294500 <= clock.left_ms[1] <= 295500


def test_the_clock_shows_for_a_second_after_a_move_and_on_the_pause_page_where_it_runs():
    rig = Rig().begin("classic two clock 1")
    rig.run(25000)
    rig.keys(D)
    rig.run(300)
    assert [sum(any(c) for c in rig.column(column)) for column in (0, 8)] == [4, 6]  # 35 s and 60 s of 60
    rig.run(1200)
    assert [sum(any(c) for c in rig.column(column)) for column in (0, 8)] == [6, 6]
    rig.hold(POP)
    assert [sum(any(c) for c in rig.column(column)) for column in (0, 8)] == [4, 6]
    left = rig.app.game.clock.left_ms[1]
    rig.run(12000)
    assert left - 12200 <= rig.app.game.clock.left_ms[1] <= left - 11800
    assert [sum(any(c) for c in rig.column(column)) for column in (0, 8)] == [4, 5]


def test_showing_the_clock_is_a_setting():
    rig = Rig(env={"FIVE_CLOCK_SHOWN": 0}).begin("classic two clock 1")
    rig.run(25000)
    rig.keys(D)
    rig.run(300)
    assert [sum(any(c) for c in rig.column(column)) for column in (0, 8)] == [6, 6]


def test_in_the_last_thirty_seconds_the_sides_discs_breathe_faster():
    rig = Rig().begin("five two clock 1")

    def turns():
        levels = []
        for _ in range(240):
            rig.run(20)
            level = sum(rig.cell(0, 0))
            if not levels or levels[-1] != level:
                levels.append(level)
        return sum((b - a) * (c - b) < 0 for a, b, c in zip(levels, levels[1:], levels[2:]))

    slow = turns()
    rig.run(26000)
    assert rig.app.game.clock.left_ms[0] < 30000
    assert turns() >= 3 * slow


@pytest.mark.parametrize("page", ["play", "pause", "lights"])
def test_a_flag_that_falls_loses_the_match(page):
    rig = Rig().begin("classic two match clock 1")
    rig.keys(D)
    if page != "play":
        rig.hold(POP)
    if page == "lights":
        rig.keys(G)
    assert rig.app.scene == page
    rig.until_scene("result", limit_ms=70000)
    match = rig.app.game.match
    assert match.over and match.loser_by == "flag" and match.winner() == 0
    assert "Yellow's time is up" in rig.sim.lines()
    rig.until_scene("score", limit_ms=20000)


def test_the_clock_stands_between_the_games_of_a_match():
    rig = Rig().begin("classic two match clock 5")
    rig.keys(D, E, D, E, D, E, D)
    rig.until_scene("ready", limit_ms=20000)
    left = list(rig.app.game.clock.left_ms)
    rig.run(60000)
    rig.keys(A, E)
    assert rig.app.scene == "play"
    rig.run(100)
    assert all(abs(a - b) <= 300 for a, b in zip(left, rig.app.game.clock.left_ms))


# Latency: press to the first changed frame


def scenes_to_press():
    """(name, a function that gives a Rig there, the buttons to press)."""

    def attract(**o):
        rig = Rig(**o)
        rig.until_scene("attract")
        rig.run(700)
        return rig

    def start(**o):
        rig = Rig(**o)
        rig.run(300)
        return rig

    def diagnostics(**o):
        rig = Rig(held=(G,), **o)
        rig.sim.contact(G, False, 10)
        rig.run(400)
        return rig

    def setup(**o):
        rig = Rig(**o).to_setup()
        rig.run(400)
        return rig

    def forms(**o):
        rig = setup(**o)
        rig.keys(A, A)
        return rig

    def play(text="five two", keys=(D, E), **o):
        rig = Rig(**o).begin(text)
        rig.keys(*keys)
        rig.until_ready()
        rig.run(300)
        return rig

    def thought(**o):
        rig = Rig(**o).begin("five level 6 engine red")
        rig.until(lambda: rig.app.thinking)
        rig.run(330)
        return rig

    def falling(**o):
        rig = Rig(**o).begin()
        rig.press(D, hold_ms=30, after_ms=10)
        return rig

    def pause(**o):
        rig = play(**o)
        rig.hold(POP)
        return rig

    def lights(**o):
        rig = pause(**o)
        rig.keys(G)
        return rig

    def ended(scene):
        def go(**o):
            rig = Rig(**o).begin("classic two match")
            rig.keys(D, E, D, E, D, E, D)
            rig.until_scene(scene, limit_ms=30000)
            rig.run(600)
            return rig

        return go

    def resume(**o):
        nvm = play(**o).sim.nvm.data
        rig = Rig(nvm=bytes(nvm), **o)
        rig.until_scene("resume")
        rig.run(300)
        return rig

    def dark(**o):
        rig = play(**dict(o, slow=False))
        rig.run(900000)
        assert not any(rig.sim.frame)
        return rig

    every = tuple(range(8))
    return (
        ("start", start, (D, POP)),
        ("attract", attract, (A, POP)),
        ("resume", resume, (D, POP)),
        ("setup", setup, every),
        ("forms", forms, every),
        ("play", play, every),
        ("play pop", lambda **o: play("five pop two", **o), every),
        ("thought", thought, every),
        ("falling", falling, (C, POP)),
        ("pause", pause, every),
        ("lights", lights, every),
        ("result", ended("result"), (A, POP)),
        ("score", ended("score"), (A, POP)),
        ("ready", ended("ready"), every),
        ("diagnostics", diagnostics, every),
        ("dark", dark, (A, POP)),
    )


@pytest.mark.parametrize("bounce_ms,limit_ms", [(2, 35), (8, 45)])
@pytest.mark.parametrize(
    "name,arrive,buttons", scenes_to_press(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_press_is_answered_in_time_in_every_scene(name, arrive, buttons, bounce_ms, limit_ms):
    for button in buttons:
        rig = arrive(late_bounce=True)
        latency_ms = rig.latency_ms(button, bounce_ms)
        assert latency_ms is not None and latency_ms <= limit_ms, (name, button, latency_ms)


def test_no_press_is_late_wherever_it_falls_in_a_level_6_thought():
    for offset_ms in range(0, 20, 7):
        rig = Rig().begin("five level 6 engine red match")
        rig.run(100 + offset_ms)
        for button in (0, 3, 6, 1, 4, 2, 5, 0, 6):
            assert rig.app.thinking
            assert rig.latency_ms(button, 2) <= 35
            rig.run(37)


def test_the_answer_can_be_seen_at_the_lowest_brightness_too():
    env = {"FIVE_BRIGHTNESS": 1, "FIVE_NIGHT_BRIGHTNESS": 1, "FIVE_BUDGET_MA": 120}
    for name, arrive, buttons in scenes_to_press():
        rig = arrive(env=env, late_bounce=True)
        latency_ms = rig.latency_ms(buttons[0], 2)
        assert latency_ms is not None and latency_ms <= 35, name


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_pressed_the_board_goes_on(seed):
    """Presses, holds, two at once, lines and noise on the console, at random; every press is answered."""
    lots = random.Random(seed)
    rig = Rig(env={"FIVE_CONFIRM": seed & 1, "FIVE_CUE": seed >> 1}, slow=False, bounce_ms=lots.choice((0, 2, 8)))
    visited = set()
    for _ in range(300):
        visited.add(rig.app.scene)
        lot = lots.random()
        before = len(rig.sim.frames)
        if lot < 0.7:
            rig.press(lots.randrange(8), hold_ms=lots.choice((30, 60, 200)), after_ms=lots.choice((20, 60, 500)))
            assert len(rig.sim.frames) > before, rig.app.scene
        elif lot < 0.8:
            rig.hold(lots.choice((POP, POP, lots.randrange(7))))
        elif lot < 0.9:
            rig.sim.press(lots.randrange(8), rig.sim.now_ms() + 1)
            rig.press(lots.randrange(8))
        else:
            line = lots.choice(
                ("d", "e-", "hint", "undo", "show", "resign", "new five pop level 2", "new three two", "?")
            )
            rig.sim.serial_in(line + "\n")
            rig.run(100)
        if lots.random() < 0.1:
            rig.run(lots.choice((2000, 6000, 15000)))
        rig.sim.frames[:-1] = []
    assert len(visited) >= 7
    assert rig.sim.peak_ma <= 400
    assert not [line for line in rig.sim.lines() if line.startswith("fault")]


# Current


@pytest.mark.parametrize("palette", [row[0] for row in PALETTES])
@pytest.mark.parametrize("brightness", [1, 40, 100])
def test_no_frame_of_a_whole_match_exceeds_the_budget(palette, brightness):
    rig = Rig(env={"FIVE_PALETTE": palette, "FIVE_BRIGHTNESS": brightness, "FIVE_BUDGET_MA": 300}, slow=False)
    rig.until_scene("attract")
    rig.run(3000)
    rig.press(A)
    rig.keys(A, B, A)
    lots = random.Random(brightness)
    while rig.app.scene != "setup":
        rig.until_ready()
        if rig.app.scene == "play":
            if rig.app.game.position.ply == 4:
                rig.hold(POP)
                rig.keys(G, POP, A)
                rig.until_ready()
            rig.press(lots.choice(rig.app.game.position.legal()), after_ms=20)
        elif rig.app.scene == "ready":
            rig.press(A, after_ms=20)
            rig.press(E, after_ms=20)
        else:
            rig.run(1000)
            rig.press(B)
    assert len(rig.sim.frames) > 300
    assert 54 < max(rig.sim.current_ma(frame) for _, frame in rig.sim.frames) <= 300
    assert rig.sim.peak_ma <= 300


# Polls


@pytest.mark.parametrize("text", ["five level 6 engine red match", "five pop two match clock 5+3"])
def test_polls_are_at_most_ten_ms_apart(text):
    rig = Rig().begin(text)
    polls = []
    poll = rig.app._poll

    def polled(now):
        polls.append(rig.sim.now_us)
        poll(now)

    rig.app._poll = polled
    for key in (D, C, D, D, E):
        rig.sim.press(key, rig.sim.now_ms() + 5, 40)
        rig.run(700)
    assert max(b - a for a, b in zip(polls, polls[1:])) <= 10500


def test_a_release_while_a_disc_falls_leaves_out_no_frame():
    rig = Rig().begin("five two single")
    for button in (3, 3, 3, 0, 1):
        rig.run(500)
        seen = len(rig.sim.frames)
        rig.press(button, hold_ms=45)
        rig.run(180)
        times_ms = [us / 1000 for us, _ in rig.sim.frames[seen:]]
        assert len(times_ms) > 10 and max(b - a for a, b in zip(times_ms, times_ms[1:])) < 23
