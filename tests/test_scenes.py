# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Scripts of presses on the virtual clock -> scenes, frames and moves: everything a person can do but a game itself."""

import pytest
from board_rig import POP, A, B, C, D, E, F, G, Rig

from firmware.overlays import OVERLAYS
from firmware.palettes import PALETTES
from firmware.scenes.setup import FORMS, MORE, NAMES, OPPONENTS, OTHERS, PAGES, VARIATIONS


def saved_game(moves=(D, D, C), text="five two match"):
    """The store after a game was begun and the power went."""
    rig = Rig().begin(text)
    rig.keys(*moves)
    rig.run(1000)
    return bytes(rig.sim.nvm.data)


# Power-on


def test_without_a_saved_game_light_test_then_attract_then_setup():
    rig = Rig()
    assert rig.app.scene == "start"
    seen = set()
    while rig.app.scene == "start":
        rig.run(20)
        seen.add(tuple(rig.sim.frame[:3]))
        if rig.app.scene == "start":
            assert len({rig.cell(c, r) for c in range(9) for r in range(6)}) == 1  # all pixels alike
    assert len(seen) >= 3
    assert rig.app.scene == "attract"
    assert 500 <= rig.sim.now_ms() <= 1500
    rig.run(20000)
    assert rig.app.scene == "attract" and rig.app.game.position.ply >= 5
    assert not [line for line in rig.sim.lines() if "●" in line]  # a game that nobody plays is not told
    assert rig.app.lights.level < 20  # dim
    rig.press(C)
    assert rig.app.scene == "setup" and rig.app.lights.level == 16  # no longer dim: 40 % of what the budget allows


def test_attract_mode_plays_game_after_game():
    rig = Rig(slow=False)
    rig.until_scene("attract")
    rig.until_scene("result", limit_ms=300000)
    rig.until_scene("attract", limit_ms=20000)
    rig.run(5000)
    assert rig.app.game.position.ply >= 1
    rig.until_scene("result", limit_ms=300000)
    rig.run(1000)
    rig.press(A)
    assert rig.app.scene == "setup"


def test_attract_mode_leaves_the_store_alone():
    nvm = saved_game()
    rig = Rig(nvm=nvm)
    rig.until_scene("resume")
    rig.hold(POP)
    before = bytes(rig.sim.nvm.data)
    rig = Rig(nvm=before)
    rig.until_scene("attract")
    rig.run(20000)
    assert bytes(rig.sim.nvm.data) == before


@pytest.mark.parametrize("button", [A, D, G, POP])
def test_a_saved_game_comes_back_dimmed_and_any_press_goes_on(button):
    rig = Rig(nvm=saved_game())
    rig.until_scene("resume")
    rig.run(200)
    assert rig.record == "d d c"
    assert rig.cell(4, 0) != (0, 0, 0) and rig.cell(4, 1) != (0, 0, 0) and rig.cell(3, 0) != (0, 0, 0)
    dim = sum(rig.sim.frame)
    rig.press(button)
    assert rig.app.scene == "play" and rig.record == "d d c"
    rig.run(100)
    assert sum(rig.sim.frame) > dim
    rig.keys(E)
    assert rig.record == "d d c e"


def test_pop_held_drops_the_saved_game():
    rig = Rig(nvm=saved_game())
    rig.until_scene("resume")
    rig.hold(POP)
    assert rig.app.scene == "setup"
    again = Rig(nvm=bytes(rig.sim.nvm.data))
    again.run(2000)
    assert again.app.scene == "attract"


def test_wrong_settings_blink_amber_and_are_told():
    rig = Rig(env={"FIVE_BRIGHTNESS": "bright", "FIVE_PALETTE": "plaid"})
    rig.run(100)
    r, g, b = rig.cell(4, 3)
    assert r > g > b
    rig.run(4000)
    told = [line for line in rig.sim.lines() if "FIVE_" in line]
    assert len(told) == 2 and any("FIVE_BRIGHTNESS" in line for line in told)
    rig.press(A)
    assert rig.app.scene == "setup"


def test_power_on_code_is_forgotten_when_a_game_is_set_up():
    import sys

    rig = Rig()
    rig.until_scene("attract")
    assert "firmware.scenes.start" in sys.modules
    rig.press(A)
    assert "firmware.scenes.start" not in sys.modules and "attract" not in rig.app.scenes
    assert not hasattr(sys.modules["firmware.scenes"], "start")


# Setup


@pytest.mark.parametrize("choice", range(4))
def test_each_variation_begins_with_three_presses(choice):
    rig = Rig().to_setup()
    rig.keys(choice, A, A)
    assert rig.app.scene == "play"
    v = rig.app.game.position.variation
    assert (v.name, v.pop) == (("five", False), ("five", True), ("classic", False), ("classic", True))[choice]
    assert rig.app.game.setup.level == 0 and rig.app.game.match.games == 2


@pytest.mark.parametrize("choice", range(7))
def test_each_of_the_others_begins_with_four_presses(choice):
    rig = Rig().to_setup()
    rig.keys(F, choice, A, A)
    rig.until_scene("play")
    assert rig.app.game.position.variation.name == NAMES[2 + choice]


@pytest.mark.parametrize("choice", range(3))
def test_three_more_have_a_page_of_their_own(choice):
    rig = Rig(slow=False).to_setup()
    rig.keys(G, choice, B, A)
    rig.until_scene("play")
    v = rig.app.game.position.variation
    assert v.name == ("pop10", "powerup", "five")[choice]
    assert v.random == (choice == 2) and rig.app.game.first_ply == v.opening


def test_five_with_a_drawn_opening_has_pops_too():
    rig = Rig(slow=False).to_setup()
    rig.keys(G, C, POP)
    rig.keys(G, C, A, A)
    rig.until_scene("play", limit_ms=30000)
    assert rig.app.game.position.variation.header().startswith("[five pop random seed=")


def test_a_lot_is_drawn_once_for_both_games_and_can_be_given_up():
    rig = Rig(slow=False).to_setup()
    rig.keys(F, E, A, A)
    assert rig.app.scene == "lots"
    rig.until_scene("play")
    opening = rig.record
    assert rig.app.game.position.ply == 4
    rig.hold(POP)
    rig.keys(B)  # what was drawn is not taken back
    assert rig.app.scene == "pause" and rig.record == opening
    rig.keys(D, D)
    rig.until_scene("ready", limit_ms=20000)
    rig.keys(A, E)
    assert rig.app.scene == "play" and rig.record == opening and rig.app.game.match.game == 1
    again = Rig(nvm=bytes(rig.sim.nvm.data))
    again.until_scene("resume")
    assert again.record == opening and again.app.game.first_ply == 4
    rig = Rig().to_setup()
    rig.charge(rig.app.search, "step", 20000)  # a lot that takes long
    rig.keys(F, E, A, A)
    rig.hold(POP)
    assert rig.app.scene == "setup"


@pytest.mark.parametrize("choice", range(7))
def test_the_lit_variation_pressed_again_is_the_one_with_pops(choice):
    rig = Rig().to_setup()
    rig.keys(F, choice, POP)  # chosen, then back: pop leads to the first page
    rig.keys(F, choice, A, A)
    if NAMES[2 + choice] not in ("obstacles", "three"):
        rig.until_scene("play")
        assert rig.app.scene == "play" and rig.app.game.position.variation.pop
    else:  # refused in one line, nothing begun
        assert rig.app.scene == "setup" and rig.app.scenes["setup"].page == VARIATIONS
        assert "no pops" in rig.sim.lines()[-1]


@pytest.mark.parametrize("level", range(1, 7))
def test_the_engine_at_each_level_and_who_begins(level):
    rig = Rig().to_setup()
    rig.keys(A, level, A)
    setup = rig.app.game.setup
    assert setup.level == level and setup.engine == 1  # the person is Red
    assert rig.app.ready_for_input
    rig = Rig().to_setup()
    rig.keys(A, level, POP)  # back: the level is lit
    assert rig.app.scenes["setup"].lit == level
    rig.keys(level, A)
    assert rig.app.game.setup.engine == 0
    rig.until(lambda: rig.app.game.position.ply == 1, 20000)


def test_forms():
    presets = ((180000, 2000), (600000, 5000), (1800000, 10000))
    for choice in range(5):
        rig = Rig().to_setup()
        rig.keys(A, A, choice)
        setup = rig.app.game.setup
        assert setup.match == (choice != 1)
        clock = (setup.bank_ms, setup.increment_ms)
        assert clock == (presets[choice - 2] if choice >= 2 else (0, 0))
    rig = Rig().to_setup()
    rig.keys(A, A, F)
    assert rig.app.scene == "setup"  # there is no fourth preset: refused


def test_clock_presets_are_the_settings():
    rig = Rig(env={"FIVE_CLOCK_PRESETS": "1+0 2+1 3+2 4+3 5+4"}).to_setup()
    rig.keys(A, A, G)
    assert (rig.app.game.setup.bank_ms, rig.app.game.setup.increment_ms) == (300000, 4000)


def test_pop_goes_back_a_page_and_on_the_first_begins_the_last_setup_again():
    rig = Rig().to_setup()
    page = rig.app.scenes["setup"]
    rig.keys(C, B)
    assert page.page == FORMS
    rig.keys(POP)
    assert page.page == OPPONENTS
    rig.keys(POP)
    assert page.page == VARIATIONS
    rig.keys(POP)
    assert rig.app.scene == "setup"  # refused: there was no last setup
    rig.keys(D, A, B)  # classic with pops, two people, single
    rig.keys(A)
    rig.hold(POP)
    rig.keys(F, F)  # new game, confirmed
    assert rig.app.scene == "setup"
    rig.keys(POP)
    game = rig.app.game
    assert rig.app.scene == "play" and game.position.ply == 0
    v = game.position.variation
    assert (v.name, v.pop, game.match.games) == ("classic", True, 1)


def test_every_page_shows_its_choices_and_only_those():
    rig = Rig().to_setup()
    page = rig.app.scenes["setup"]
    for number, way in (
        (VARIATIONS, ()),
        (OTHERS, (F,)),
        (MORE, (G,)),
        (OPPONENTS, (A,)),
        (FORMS, (A, A)),
    ):
        rig.app.go("setup", rig.app.board.ticks_ms())
        rig.keys(*way)
        assert page.page == number
        rig.run(500)
        columns = [rig.column(1 + i) for i in range(7)]
        shown = [any(any(cell) for cell in column) for column in columns]
        pictures = [column for column, lit in zip(columns, shown) if lit]
        assert len(set(pictures)) == len(pictures) >= 2  # told apart by form, not only by place
        for i in range(7):
            assert shown[i] == (page.pictures[6 * i : 6 * i + 2] != b"..")
        mark = sum(any(cell) for cell in rig.column(0))
        assert mark == PAGES[number][2]


# Pause page


def paused(text="five two match", moves=(D, D)):
    rig = Rig().begin(text)
    rig.keys(*moves)
    rig.until_ready()
    rig.hold(POP)
    assert rig.app.scene == "pause"
    return rig


def test_the_pause_page_comes_within_50_ms_of_its_hold():
    rig = Rig().begin()
    at_ms = rig.sim.now_ms() + 1
    rig.sim.press(POP, at_ms, 1300)
    rig.until_scene("pause")
    assert at_ms + 1000 <= rig.sim.now_ms() <= at_ms + 1000 + 35 + 50


def test_each_choice_of_the_pause_page_has_a_colour_and_a_form_of_its_own():
    rig = paused()
    rig.run(100)
    columns = [rig.column(1 + i) for i in range(7)]
    forms = {tuple(any(cell) for cell in column) for column in columns}
    hues = {max(column) for column in columns}
    assert len(forms) == 7 and len(hues) == 7


@pytest.mark.parametrize("button", [A, POP])
def test_resume(button):
    rig = paused()
    rig.keys(button)
    assert rig.app.scene == "play" and rig.record == "d d"


def test_take_back_against_a_person_is_one_move():
    rig = paused()
    rig.keys(B)
    assert rig.app.scene == "play" and rig.record == "d"
    rig.hold(POP)
    rig.keys(B)
    rig.hold(POP)
    rig.keys(B)  # nothing is left: refused
    assert rig.app.scene == "pause" and rig.app.game.position.ply == 0


def test_take_back_against_the_engine_is_a_turn():
    rig = paused("five level 1 match", (D,))
    assert rig.app.game.position.ply == 2 and rig.app.game.match.rated
    rig.keys(B)
    assert rig.app.game.position.ply == 0 and not rig.app.game.match.rated


def test_a_pop_is_taken_back_exactly():
    rig = Rig().begin("five pop two match")
    rig.keys(D, E, D, E)
    cells = bytes(rig.app.game.cells)
    rig.keys(POP, D)
    assert rig.record.endswith("d-")
    rig.until_ready()
    assert bytes(rig.app.game.cells) != cells
    rig.hold(POP)
    rig.keys(B)
    assert bytes(rig.app.game.cells) == cells and rig.record == "[five pop] d e d e"


def test_hint_is_shown_for_two_seconds_and_the_match_is_unrated():
    rig = paused("five level 2 match", (D,))
    assert rig.app.game.match.rated
    rig.keys(C)
    assert rig.app.scene == "play"
    rig.until(lambda: any(line.startswith("hint: ") for line in rig.sim.lines()), 20000)
    told = [line for line in rig.sim.lines() if line.startswith("hint: ")]
    move = "abcdefg".index(told[-1][6])
    landing = (1 + move, rig.app.game.position.height(move))
    seen = set()
    began = rig.sim.now_ms()
    while rig.app.scenes["play"].hint:
        rig.run(20)
        seen.add(rig.cell(*landing))
    assert len(seen) >= 2 and 1900 <= rig.sim.now_ms() - began <= 2100
    assert not rig.app.game.match.rated
    rig.run(100)
    assert rig.cell(*landing) == (0, 0, 0)


def test_resigning_asks_for_a_second_press_of_the_same_button():
    rig = paused()
    rig.keys(D)
    assert rig.app.scene == "pause" and rig.app.game.is_open()
    rig.keys(E)
    assert rig.app.game.is_open()  # another button: asked anew
    rig.keys(D)
    assert rig.app.game.is_open()
    rig.keys(D)
    rig.until_scene("result")
    assert rig.app.game.result == 1 and rig.app.game.match.points == [0, 2]  # Red was to move
    assert not rig.app.game.match.over


def test_resigning_the_match_ends_it():
    rig = paused()
    rig.keys(E, E)
    rig.until_scene("score", limit_ms=20000)
    assert rig.app.game.match.over and rig.app.game.match.winner() == 1
    rig.run(20000)
    assert rig.app.scene == "score"  # until somebody presses
    rig.press(A)
    assert rig.app.scene == "setup"


def test_against_the_engine_the_person_resigns_even_while_it_thinks():
    rig = Rig().begin("five level 6 engine red match")
    rig.run(200)
    assert rig.app.thinking
    rig.hold(POP)
    assert rig.app.scene == "pause" and not rig.app.thinking
    rig.keys(D, D)
    rig.until_scene("result")
    assert rig.app.game.match.points == [2, 0]


def test_new_game_asks_first_and_drops_the_saved_one():
    rig = paused()
    rig.keys(F)
    assert rig.app.scene == "pause"
    rig.keys(F)
    assert rig.app.scene == "setup"
    again = Rig(nvm=bytes(rig.sim.nvm.data))
    again.run(2000)
    assert again.app.scene == "attract"


# Lights page


def lights_page():
    rig = paused()
    rig.keys(G)
    assert rig.app.scene == "lights"
    return rig


def test_brighter_and_darker_can_be_seen_at_every_press_until_the_end_of_the_scale():
    rig = lights_page()
    for button in (B, A):
        levels = [rig.app.lights.level]
        for _ in range(30):
            rig.keys(button)
            levels.append(rig.app.lights.level)
        steps = [b - a for a, b in zip(levels, levels[1:])]
        sign = 1 if button == B else -1
        moving = [step for step in steps if step]
        assert len(moving) >= 4 and all(step * sign > 0 for step in moving)
        assert not any(steps[len(moving) :])  # then refused, to the end
    rig.keys(POP, POP)
    assert rig.app.scene == "play"


def test_brightness_palette_and_switches_are_kept():
    rig = lights_page()
    rig.keys(B, D, D, E, F, G)
    level, palette = rig.app.lights.level, rig.app.lights.palette
    assert palette == 2
    again = Rig(nvm=bytes(rig.sim.nvm.data))
    again.until_scene("resume")
    again.press(A)
    again.run(50)
    assert (again.app.lights.level, again.app.lights.palette) == (level, palette)
    play = again.app.scenes["play"]
    assert (play.cue, play.confirm, play.show_clock) == (1, 1, 0)


def test_the_palette_goes_round():
    rig = lights_page()
    seen = set()
    for _ in PALETTES:
        rig.keys(D)
        seen.add((rig.cell(0, 0), rig.cell(8, 0)))
    assert len(seen) == len(PALETTES) and rig.app.lights.palette == 0


def test_night_brightness_is_toggled_by_hand():
    rig = Rig(env={"FIVE_BRIGHTNESS": 100, "FIVE_NIGHT_BRIGHTNESS": 20}).begin()
    rig.hold(POP)
    rig.keys(G)
    day = rig.app.lights.level
    rig.keys(C)
    assert rig.app.lights.level == day // 5
    rig.keys(C)
    assert rig.app.lights.level == day


# Power saving


def test_it_dims_after_five_minutes_goes_dark_after_fifteen_and_wakes_with_the_position():
    rig = Rig(slow=False).begin()
    rig.keys(D, C)
    rig.until_ready()
    level = rig.app.lights.level
    rig.run(298000)
    assert rig.app.lights.level == level
    rig.run(4000)
    assert 0 < rig.app.lights.level < level and any(rig.sim.frame)
    rig.run(600000)
    assert not any(rig.sim.frame)
    count = rig.sim.frame_count
    rig.run(100000)
    assert rig.sim.frame_count == count  # nothing is sent in the dark
    rig.press(G)
    assert any(rig.sim.frame) and rig.app.lights.level == level
    rig.run(1000)
    assert rig.record == "d c"  # the press only woke it
    rig.keys(G)
    assert rig.record == "d c g"


def test_a_press_while_dimmed_is_a_move():
    rig = Rig(slow=False).begin()
    rig.run(310000)
    rig.keys(D)
    assert rig.record == "d"


def test_it_does_not_sleep_while_a_clock_runs():
    rig = Rig(slow=False).begin("five two match clock 30")
    level = rig.app.lights.level
    rig.run(1000000)
    assert rig.app.lights.level == level and any(rig.sim.frame)


def test_it_goes_dark_on_other_pages_too():
    rig = Rig(slow=False).to_setup()
    rig.run(910000)
    assert not any(rig.sim.frame)
    rig.press(A)
    assert rig.app.scenes["setup"].page == VARIATIONS and any(rig.sim.frame)


def test_the_engine_is_not_left_thinking_in_the_dark():
    rig = Rig(slow=False)
    rig.until_scene("attract")
    rig.run(910000)
    assert not any(rig.sim.frame)
    ply = rig.app.game.position.ply
    rig.run(60000)
    assert rig.app.game.position.ply == ply and not rig.app.thinking


# Diagnostics and write mode


def test_diagnostics_show_each_pixel_and_each_button():
    rig = Rig(held=(G,))
    assert rig.app.scene == "diagnostics"
    rig.sim.contact(G, False, 500)
    seen = {}
    while rig.sim.now_ms() < 24000:
        rig.run(60)
        lit = [cell for cell in range(54) if any(rig.sim.frame[3 * cell : 3 * cell + 3])]
        assert len(lit) == 1
        rgb = tuple(rig.sim.frame[3 * lit[0] : 3 * lit[0] + 3])
        seen.setdefault(lit[0], set()).add(rgb.index(max(rgb)))
    assert len(seen) == 54 and all(colours == {0, 1, 2} for colours in seen.values())
    for button in range(7):
        rig.sim.press(button, rig.sim.now_ms() + 1, 100)
        rig.run(60)
        assert all(any(cell) for cell in rig.column(1 + button))
        rig.run(150)
    lines = rig.sim.lines()
    assert "button g" in lines and any(line.startswith("supply: ") for line in lines)
    assert any(line.startswith("budget_ma = 400") for line in lines)
    rig.hold(POP)
    assert rig.app.scene == "start"


def test_every_screen_can_be_left_and_every_one_is_reached():
    """Walk the scenes by presses alone, as a person would; none holds on to anybody."""
    rig = Rig(held=(G,))
    rig.sim.contact(G, False, 300)
    rig.run(500)
    rig.hold(POP)  # diagnostics -> start
    rig.until_scene("attract")
    rig.press(A)  # -> setup
    rig.keys(F, E, A, A)  # -> lots -> play
    rig.until_scene("play")
    rig.hold(POP)  # -> pause
    rig.keys(G)  # -> lights
    rig.keys(POP, D, D)  # -> pause, resign -> result
    rig.until_scene("result")
    rig.keys(A)  # -> score
    rig.keys(A)  # -> ready
    assert rig.app.scene == "ready"
    rig.keys(D, POP)  # refused
    rig.hold(POP)  # -> pause, from which the game can be dropped
    assert rig.app.scene == "pause"
    rig.keys(F)
    assert rig.app.scene == "setup"
    rig.keys(POP)  # -> lots -> play
    rig.until_scene("play")
    nvm = bytes(rig.sim.nvm.data)
    again = Rig(nvm=nvm)
    again.until_scene("resume")
    again.hold(POP)
    assert again.app.scene == "setup"
    again.keys(E)
    again.until_scene("puzzles")
    again.keys(POP)
    again.until_scene("setup")
    reached = {name for _, name in rig.scenes + again.scenes}
    assert reached == {"play", "pause"} | set(OVERLAYS)
