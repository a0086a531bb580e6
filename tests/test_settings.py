# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""settings.toml: whatever stands in it, the board goes on and says in one line what it made of it."""

import random
import re
from pathlib import Path

import pytest

from firmware.palettes import PALETTES
from firmware.settings import ROWS, load, parse_clock, read
from tools.settings_table import markdown

FILE = Path(__file__).resolve().parent.parent / "firmware" / "settings.toml"
DEFAULTS = load({}.get)


def complaint(key, value):
    """The one complaint about a wrong value, after checking that the default is used."""
    settings = load({key: value}.get)
    assert len(settings.complaints) == 1, settings.complaints
    text = settings.complaints[0]
    assert key in text and "using" in text and "\n" not in text and len(text) < 250
    name = key[5:].lower()
    assert getattr(settings, name) == getattr(DEFAULTS, name)
    return text


def test_without_a_file_everything_is_at_its_default_and_nothing_is_said():
    assert DEFAULTS.complaints == []
    for row in ROWS:
        value, wrong = read(row, row[2])
        assert wrong is None and getattr(DEFAULTS, row[0]) == value
    assert DEFAULTS.button_pins == ("GP2", "GP3", "GP4", "GP5", "GP6", "GP7", "GP8", "GP9")
    assert DEFAULTS.clock_presets == ((180000, 2000), (600000, 5000), (1800000, 10000))
    assert DEFAULTS.budget_ma == 400 and DEFAULTS.rotation == 0


def test_the_file_names_every_setting_with_its_default_and_what_it_means():
    text = FILE.read_text()
    found = re.findall(r"^# [^\n]+\n# (FIVE_\w+) = (.+)$", text, re.M)
    assert [(key, value.strip('"')) for key, value in found] == [
        ("FIVE_" + name.upper(), str(default)) for name, _, default, _ in ROWS
    ]
    for key, value in found:  # strings and whole numbers only, as CircuitPython 10 reads them
        assert re.fullmatch(r'"[^"]*"|\d+', value), key
        loaded = load({key: value.strip('"')}.get)
        assert loaded.complaints == [] and vars(loaded) == vars(DEFAULTS)


@pytest.mark.parametrize(
    "key, value, attribute",
    [
        ("FIVE_BRIGHTNESS", 100, 100),
        ("FIVE_BRIGHTNESS", " 7 ", 7),
        ("FIVE_PIXEL_ORDER", "rgbw", "RGBW"),
        ("FIVE_FIRST_CORNER", "Top   Right", "top right"),
        ("FIVE_ROTATION", "180", 180),
        ("FIVE_PALETTE", PALETTES[2][0], 2),
        ("FIVE_BUTTON_PINS", "A0 A1 A2 A3 A4 A5 D2 D3", ("A0", "A1", "A2", "A3", "A4", "A5", "D2", "D3")),
        ("FIVE_CLOCK_PRESETS", "5", ((300000, 0),)),
        ("FIVE_CLOCK_PRESETS", "", ()),
        ("FIVE_POP_BOTH_LINES", "DRAW", "draw"),
    ],
)
def test_values_are_typed(key, value, attribute):
    settings = load({key: value}.get)
    assert settings.complaints == [] and getattr(settings, key[5:].lower()) == attribute


@pytest.mark.parametrize(
    "key, value, says",
    [
        ("FIVE_BRIGHTNESS", 0, "1 to 100; using 40"),
        ("FIVE_BRIGHTNESS", 101, "= 101 is not a whole number from 1 to 100"),
        ("FIVE_BRIGHTNESS", "bright", '"bright"'),
        ("FIVE_BRIGHTNESS", "9" * 5000, "from 1 to 100"),
        ("FIVE_BRIGHTNESS", "²", "using 40"),
        ("FIVE_BRIGHTNESS", 4.5, "from 1 to 100"),
        ("FIVE_CUE", 2, "is not 0 or 1"),
        ("FIVE_ROTATION", 90, "is none of: 0, 180"),
        ("FIVE_PALETTE", "blue", "is none of: " + PALETTES[0][0]),
        ("FIVE_PIXEL_ORDER", "RGG", "no order"),
        ("FIVE_PIXEL_ORDER", 3, "text in quotes"),
        ("FIVE_FIRST_CORNER", "left", "bottom left"),
        ("FIVE_PIXEL_PIN", "", "one pin"),
        ("FIVE_BUTTON_PINS", "GP2", "eight different pins"),
        ("FIVE_BUTTON_PINS", "GP2 GP2 GP4 GP5 GP6 GP7 GP8 GP9", "eight different pins"),
        ("FIVE_BUTTON_PINS", "GP0 GP3 GP4 GP5 GP6 GP7 GP8 GP9", None),
        ("FIVE_CLOCK_PRESETS", "5+3 x", "clock 'x'"),
        ("FIVE_CLOCK_PRESETS", "0+3", "out of bounds"),
        ("FIVE_CLOCK_PRESETS", "101", "out of bounds"),
        ("FIVE_CLOCK_PRESETS", "5+61", "out of bounds"),
        ("FIVE_CLOCK_PRESETS", "1 2 3 4 5 6", "more than 5 clocks"),
        ("FIVE_RATING", -1, "0 to 4000"),
    ],
)
def test_a_wrong_value_is_named_with_the_reason_and_what_is_used_instead(key, value, says):
    if says is None:  # each may be right by itself: both are at their defaults then
        settings = load({key: value}.get)
        assert settings.pixel_pin == "GP0" and settings.button_pins == DEFAULTS.button_pins
        assert "FIVE_PIXEL_PIN" in settings.complaints[0]
    else:
        assert says in complaint(key, value)


def test_a_file_that_cannot_be_read_leaves_the_defaults():
    def getenv(key):
        raise OSError(5, "Input/output error")

    settings = load(getenv)
    assert len(settings.complaints) == len(ROWS)
    settings.complaints = []
    assert vars(settings) == vars(DEFAULTS)


def test_noise_in_every_value_never_stops_the_board():
    lots = random.Random(3)
    for _ in range(300):
        env = {}
        for name, *_ in ROWS:
            env["FIVE_" + name.upper()] = lots.choice(
                [
                    None,
                    lots.randrange(-(10**6), 10**6),
                    "".join(chr(lots.randrange(32, 900)) for _ in range(9)),
                    "",
                    True,
                ]
            )
        settings = load(env.get)
        for row in ROWS:
            assert read(row, row[2])[0] is not None and hasattr(settings, row[0])
        assert 1 <= settings.brightness <= 100 and settings.pixel_pin not in settings.button_pins
        assert settings.dim_minutes <= settings.sleep_minutes


@pytest.mark.parametrize("text", ["", "+", "5+", "+3", "5+3+2", "-5", "5 3", "five", "1000", "5+100", "5.5"])
def test_a_clock_that_is_none_raises_in_one_line(text):
    with pytest.raises(ValueError) as refusal:
        parse_clock(text)
    assert "\n" not in str(refusal.value)


def test_the_readme_holds_the_table_of_settings():
    readme = FILE.parent.parent / "README.md"
    table = markdown()
    assert len(table.split("\n")) == len(ROWS) + 2 and "| `FIVE_BUDGET_MA` | `400` | 120 to 3300 |" in table
    if not readme.exists():
        pytest.skip("there is no README.md")
    assert table in readme.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "key", ["FIVE_PALETTE", "FIVE_PIXEL_ORDER", "FIVE_PIXEL_PIN", "FIVE_BUTTON_PINS", "FIVE_MIRROR"]
)
@pytest.mark.parametrize("value", ["a\nb\x1b[31m", "GP1\x1b[2J", "GP2 GP3 GP4 GP5 GP6 GP7 GP8 GP9\x07", "\x9b1m"])
def test_control_characters_are_told_escaped_on_one_line(key, value):
    assert complaint(key, value).isprintable()


def test_a_clock_is_told_escaped():
    assert r"\x1b" in complaint("FIVE_CLOCK_PRESETS", "3+2 \x1b[31m")
