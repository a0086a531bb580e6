# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Palettes, brightness and the current budget (firmware/lights.py), and the rhythms that tell things apart."""

import colorsys
import itertools
import random

import pytest
from coloraide import Color

from firmware.lights import LOWEST_FULL, PIXELS, Lights
from firmware.palettes import PALETTES, worst_ma
from firmware.scenes.diagnostics import current_ma
from firmware.scenes.scene import ARMED, BOTH, CUE, HINT, HURRY, LAST, REST, RHYTHMS, THOUGHT, TURN, WIN, beat
from hal.simulated import CHANNEL_MA, IDLE_MA

SIDES = (0, 1, 2)


class Board:
    """Pixels that only remember, wired straight."""

    def __init__(self):
        self.pixels = self
        self.wire = bytes(range(PIXELS))
        self.sent = [0] * PIXELS
        self.shows = 0
        self.sets = 0

    def __setitem__(self, i, rgb):
        self.sent[i] = rgb
        self.sets += 1

    def show(self):
        self.shows += 1


def channels(rgb):
    return (rgb >> 16, rgb >> 8 & 255, rgb & 255)


def model_ma(colours):
    return PIXELS * IDLE_MA + CHANNEL_MA * sum(sum(channels(rgb)) for rgb in colours) / 255


@pytest.mark.parametrize("budget_ma", [120, 150, 400, 900, 1500, 3300])
@pytest.mark.parametrize("palette", range(len(PALETTES)))
def test_no_frame_that_can_be_drawn_exceeds_the_budget(palette, budget_ma):
    lights = Lights(Board(), budget_ma, palette)
    for percent in range(1, 101):
        for dim in (1, 4):
            lights.set(palette, percent, dim)
            brightest = max((lights.colour(paint) for paint in range(176)), key=lambda rgb: sum(channels(rgb)))
            assert model_ma([brightest] * PIXELS) <= budget_ma


@pytest.mark.parametrize("palette", range(len(PALETTES)))
def test_the_budget_is_used_and_not_just_kept(palette):
    lights = Lights(Board(), 400, palette, 100)
    assert 360 < worst_ma(lights.colours, lights.level) <= 400


@pytest.mark.parametrize("palette", range(len(PALETTES)))
@pytest.mark.parametrize("percent", [1, 2, 5, 10, 40, 100])
def test_sides_are_lit_and_distinct_at_every_brightness_and_shade(palette, percent):
    lights = Lights(Board(), 120, palette, percent)
    for dim in (1, 4):
        lights.set(palette, percent, dim)
        for shades in itertools.product(range(1, 16), repeat=2):
            for one, other in itertools.combinations(SIDES, 2):
                a, b = lights.colour(16 * one | shades[0]), lights.colour(16 * other | shades[1])
                assert a and b and a != b
        assert all(lights.colour(16 * colour | shade) for colour in range(11) for shade in range(1, 16))
        assert lights.colour(0) == lights.colour(16) == 0


@pytest.mark.parametrize("palette", range(len(PALETTES)))
def test_pulses_can_be_seen_at_the_lowest_brightness(palette):
    lights = Lights(Board(), 120, palette, 1)
    assert lights.level >= LOWEST_FULL
    for colour in SIDES:
        assert len({lights.colour(16 * colour | shade) for shade in shades(TURN)}) >= 2


@pytest.mark.parametrize("palette", range(len(PALETTES)))
def test_dimming_shows_at_the_lowest_brightness(palette):
    lights = Lights(Board(), 120, palette, 1)
    resting = [lights.colour(16 * colour | REST) for colour in SIDES[:2]]
    lights.set(palette, 1, 4)
    assert all(sum(channels(lights.colour(16 * side | REST))) < sum(channels(resting[side])) for side in SIDES[:2])


@pytest.mark.parametrize("palette", range(len(PALETTES)))
def test_dimming_keeps_hues(palette):
    lights = Lights(Board(), 400, palette)
    for percent, dim in ((1, 4), (1, 1), (5, 1), (20, 1), (40, 4), (40, 1), (100, 1)):
        lights.set(palette, percent, dim)
        for colour in range(11):
            row = PALETTES[palette][1 + 3 * colour : 4 + 3 * colour] if colour < 3 else None
            if row is None:
                continue
            hue, _, saturation = colorsys.rgb_to_hls(*[c / 255 for c in row])
            for shade in range(1, 16):
                rgb = channels(lights.colour(16 * colour | shade))
                shown, _, shown_saturation = colorsys.rgb_to_hls(*[c / 255 for c in rgb])
                if saturation:
                    assert min(abs(hue - shown), 1 - abs(hue - shown)) * 360 <= 15, (row, rgb)
                else:
                    assert shown_saturation == 0


def seen(rgb, sight, space):
    colour = Color(space, [c / 255 for c in rgb])
    return colour if sight is None else colour.filter(sight, 1, method="machado")


def least_difference(row, pairs):
    """Least CIEDE2000 of the pairs of a palette's sides under the four kinds of sight (Machado 2009, severity 1), the
    numbers taken as sRGB and as the linear light that a pixel gives."""
    least = 1000
    for sight in (None, "protan", "deutan", "tritan"):
        for space in ("srgb", "srgb-linear"):
            colours = [seen(row[1 + 3 * side : 4 + 3 * side], sight, space) for side in SIDES]
            for one, other in pairs:
                a, b = (colours[i].convert("srgb").clip() for i in (one, other))
                least = min(least, a.delta_e(b, method="2000"))
    return least


@pytest.mark.parametrize("row", PALETTES, ids=[row[0] for row in PALETTES])
def test_a_palette_parts_all_three_players_for_colour_blind_eyes_too(row):
    assert len(PALETTES) >= 3
    assert least_difference(row, list(itertools.combinations(SIDES, 2))) >= 20


def test_the_colours_are_what_the_players_are_called():
    """Red, Yellow and Green by the hue of the light that the pixels give; 180 degrees would be turquoise."""
    row = PALETTES[0]
    hues = [seen(row[1 + 3 * side : 4 + 3 * side], None, "srgb-linear").convert("hsv")["h"] for side in SIDES]
    assert min(hues[0], 360 - hues[0]) < 15 and 45 < hues[1] < 65 and 90 < hues[2] < 160


def test_the_measure_tells_colours_that_such_eyes_confuse():
    assert least_difference(("", 255, 0, 0, 0, 190, 40, 0, 0, 255), [(0, 1)]) < 20  # red and green
    assert least_difference(("", 255, 0, 0, 255, 150, 0, 0, 0, 255), [(0, 1)]) < 20  # a red and a yellow as bright


def test_only_what_changed_is_set_and_nothing_is_sent_twice():
    board = Board()
    lights = Lights(board, 400)
    frame = bytearray(PIXELS)
    assert lights.show(frame) and board.shows == 1 and board.sets == PIXELS
    assert not lights.show(frame)
    frame[5] = 15
    frame[7] = 16  # another paint of the same look: dark
    assert lights.show(frame) and board.shows == 2 and board.sets == PIXELS + 1
    frame[7] = 32
    assert not lights.show(frame)
    assert board.shows == 2
    lights.set(1, 40)
    assert lights.show(frame) and board.shows == 3


def test_cells_go_where_the_wire_says():
    board = Board()
    board.wire = bytes(range(PIXELS - 1, -1, -1))
    lights = Lights(board, 400)
    frame = bytearray(PIXELS)
    frame[3] = 15
    lights.show(frame)
    assert board.sent[PIXELS - 1 - 3] == lights.colour(15) and sum(map(bool, board.sent)) == 1


def test_the_estimate_of_the_supply_is_the_models():
    lights = Lights(Board(), 400)
    lots = random.Random(1)
    for _ in range(50):
        frame = bytes(lots.randrange(176) for _ in range(PIXELS))
        exact = model_ma([lights.colour(paint) for paint in frame])
        assert exact <= current_ma(lights, frame) < exact + 1


def shades(rhythm):
    """What follows each other in a period."""
    return RHYTHMS[rhythm + 2 : rhythm + 2 + RHYTHMS[rhythm + 1]]


def shape(rhythm):
    """A rhythm as what the eye gets: its period, how often it turns round, how deep it goes."""
    steps = shades(rhythm)
    turns = sum((steps[i] - steps[i - 1]) * (steps[(i + 1) % len(steps)] - steps[i]) < 0 for i in range(len(steps)))
    jumps = sum(abs(steps[i] - steps[i - 1]) >= 6 for i in range(len(steps)))
    return 20 * RHYTHMS[rhythm], turns, jumps, max(steps) - min(steps)


def test_rhythms_are_told_apart():
    told = {name: shape(name) for name in (TURN, LAST, CUE, ARMED, THOUGHT, HURRY, HINT)}
    for one, other in itertools.combinations(told, 2):
        slow, fast = sorted((told[one][0], told[other][0]))
        # At least a fifth faster, or another form: a jump instead of a swell, or blinks in a row and then rest.
        assert fast >= 1.2 * slow or told[one][2] != told[other][2], (one, other)
    assert told[TURN][2] == told[LAST][2] == 0 < told[CUE][2]  # two swell, the cue blinks
    assert told[ARMED][0] < told[LAST][0] / 3  # armed pop is urgent
    assert list(shades(THOUGHT)) != sorted(shades(THOUGHT))  # it wanders there and back


def test_the_side_to_move_never_goes_dark():
    assert min(shades(TURN)) > 0 and min(shades(HURRY)) > 0 and min(shades(LAST)) > 0


def test_the_cue_is_a_short_double_blink_every_two_seconds():
    period_ms = 20 * RHYTHMS[CUE]
    low = [ms for ms in range(period_ms) if beat(CUE, ms) != beat(CUE, period_ms - 1)]
    assert period_ms == 2000
    assert low == list(range(100)) + list(range(200, 300))


def test_a_beat_stays_within_its_row_at_every_time():
    for rhythm in (TURN, HURRY, LAST, CUE, ARMED, THOUGHT, HINT, WIN, BOTH):
        for now in list(range(0, 5000, 7)) + [(1 << 29) - 1, 1 << 28]:
            assert beat(rhythm, now) in shades(rhythm)
