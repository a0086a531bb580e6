# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""settings.toml: whatever stands in it, the board goes on and says in one line what it made of it."""

import random
import re
from pathlib import Path

import pytest

from firmware.palettes import PALETTES
from firmware.settings import ROWS, load, parse_clock, read
from tools.flasher.settings_file import values
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


# Lines that set nothing


def told(tmp_path, text):
    """What is said about a settings.toml with this text, or these bytes, without the file's name."""
    file = tmp_path / "settings.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    complaints = load(values(file.read_bytes().decode(errors="replace")).get, file).complaints
    assert all(line.isprintable() and len(line) < 250 for line in complaints)
    return [line.replace("settings.toml, ", "").replace("settings.toml: ", "") for line in complaints]


def test_the_file_as_it_ships_and_other_programs_keys_are_passed_over(tmp_path):
    shipped = FILE.read_text(encoding="utf-8")
    assert told(tmp_path, shipped) == []
    assert told(tmp_path, shipped.replace("# FIVE_", "FIVE_")) == []
    assert told(tmp_path, shipped.replace("\n", "\r\n")) == []
    others = (
        'CIRCUITPY_PYSTACK_SIZE = 4000\nCIRCUITPY_WIFI_SSID="home"\nWIFI_PASSWORD = "a=b"\nLED_BRIGHTNESS = 3\n'
        "hosts = [\n  1,\n]\nFIVE_CUE = 1\n"
    )
    assert told(tmp_path, others.replace("hosts = [\n  1,\n]\n", "")) == []
    assert told(tmp_path, 'names = [\n  "a",\n]\n') == []
    assert told(tmp_path, "FIVE_CUE = 1\n[other]\nwhatever\nbrightness_of_sun = 3\n") == []
    assert told(tmp_path, "") == [] and load({}.get, tmp_path / "nowhere.toml").complaints == []
    assert told(tmp_path, b"\xef\xbb\xbf# a remark\n  # \xc3\xa4\nFIVE_CUE = 1 # on\n") == []


@pytest.mark.parametrize(
    "line, key",
    [
        ("FIVE_BRIGTHNESS = 30", "FIVE_BRIGHTNESS"),
        ("five_brightness = 30", "FIVE_BRIGHTNESS"),
        ("brightness = 30", "FIVE_BRIGHTNESS"),
        ("FVE_BRIGHTNESS = 30", "FIVE_BRIGHTNESS"),
        ("night_brightnes = 3", "FIVE_NIGHT_BRIGHTNESS"),
        ('FIVE_PALLETE = "red cyan"', "FIVE_PALETTE"),
        ('FIVE-PALETTE = "red cyan"', "FIVE_PALETTE"),
        ("FIVE_BUDGET = 900", "FIVE_BUDGET_MA"),
        ("FIVE_NIGHT = 3", "FIVE_NIGHT_BRIGHTNESS"),
        ('FIVE_CLOCKPRESETS = "5+3"', "FIVE_CLOCK_PRESETS"),
        ("FIVE_BUTTONPINS = 3", "FIVE_BUTTON_PINS"),
        ('"FIVE_ROTATION" = 180', "FIVE_ROTATION"),
        ("FIVE ROTATION = 180", "FIVE_ROTATION"),
        *[(row[0] + " = 1", "FIVE_" + row[0].upper()) for row in ROWS],
        *[("FIVE_" + row[0][:-1].upper() + " = 1", "FIVE_" + row[0].upper()) for row in ROWS],
    ],
)
def test_a_misspelt_key_is_told_with_the_one_that_is_meant(line, key, tmp_path):
    (text,) = told(tmp_path, "# one\n" + line + "\nFIVE_SERPENTINE = 1\n")
    assert text == "line 2: %s is no setting: did you mean %s?" % (line.partition(" = ")[0], key)


@pytest.mark.parametrize(
    "text, says",
    [
        ("FIVE_CUE 1", 'line 1: "FIVE_CUE 1" is no KEY = VALUE; a remark begins with #'),
        ("FIVE_CUE: 1\nFIVE_MIRROR = 1", 'line 1: "FIVE_CUE: 1" is no KEY = VALUE; a remark begins with #'),
        ("= 3", 'line 1: "= 3" is no KEY = VALUE; a remark begins with #'),
        ("a remark = without its mark", '"a remark = without its mark" is no KEY = VALUE'),
        (b"\xff\xfe\x00\x1b[31m", r'"\xff\xfe\x00\x1b[31m" is no KEY = VALUE'),
        ("x" * 3000, '"%s" is no KEY' % ("x" * 40)),
        ("FIVE_CUE = 1\nFIVE_CUE = 0", "line 2: FIVE_CUE is set again: the first one counts"),
        ("[game]\nFIVE_CUE = 1", "line 2: FIVE_CUE is not read below a [table]: move it above line 1"),
        ("FIVE_CUE =\nFIVE_MIRROR = 1", "line 1: FIVE_CUE is not read: the value is to be a whole number or a text in"),
        ("FIVE_PALETTE = 'red cyan'", "line 1: FIVE_PALETTE is not read"),
        ("FIVE_BUDGET_MA = 400 mA", "line 1: FIVE_BUDGET_MA is not read"),
    ],
)
def test_a_line_that_sets_nothing_is_told_with_its_number_and_the_remedy(text, says, tmp_path):
    (line,) = told(tmp_path, text)
    assert says in line


def test_what_stands_beside_a_stray_line_holds_and_many_are_counted(tmp_path):
    text = "nonsense\n" * 20 + "FIVE_BRIGHTNESS = 30\nFIVE_CUE = 1\n"
    lines = told(tmp_path, text)
    assert len(lines) == 6 and lines[-1] == "15 more lines set nothing"
    settings = load(values(text).get, tmp_path / "settings.toml")
    assert settings.brightness == 30 and settings.cue == 1


def test_a_wrong_value_is_told_once(tmp_path):
    assert told(tmp_path, "FIVE_BRIGHTNESS = 3000\n") == [
        "FIVE_BRIGHTNESS = 3000 is not a whole number from 1 to 100; using 40"
    ]

    def getenv(key):
        raise ValueError("Invalid byte '\\n'")  # as CircuitPython of some versions answers to a value that is none

    (tmp_path / "settings.toml").write_text("FIVE_CUE = \n")
    lines = load(lambda key: getenv(key) if key == "FIVE_CUE" else None, tmp_path / "settings.toml").complaints
    assert len(lines) == 1 and "FIVE_CUE can't be read" in lines[0]


def test_noise_in_the_file_never_stops_the_board(tmp_path):
    lots = random.Random(5)
    words = [b"FIVE_CUE", b"=", b"\n", b'"', b"[", b"#", b" ", b"1", b"\xff", b"\x00", b"FIVE_", b"\\"]
    for _ in range(300):
        text = b"".join(lots.choice(words) for _ in range(lots.randrange(30)))
        assert len(told(tmp_path, text)) <= 7
    (tmp_path / "folder").mkdir()
    load({}.get, tmp_path / "folder")


def test_micropython_tells_the_same(unix, tmp_path):
    file = tmp_path / "settings.toml"
    file.write_bytes(b"\xef\xbb\xbf# one\nFIVE_BRIGTHNESS = 30\nhouse \xc3\xa4\n\xff\xfe\nFIVE_CUE = 1\nFIVE_CUE = 1\n")
    code = "from firmware.settings import load\nprint('\\n'.join(load({'FIVE_CUE': 1}.get, %r).complaints))"
    assert unix.run(code % str(file)).splitlines() == load({"FIVE_CUE": 1}.get, file).complaints
    assert len(load({"FIVE_CUE": 1}.get, file).complaints) == 4
