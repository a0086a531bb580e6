# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The wiring diagram shows the pins that the firmware uses."""

import argparse
import re
import xml.etree.ElementTree as ElementTree

import pytest

from firmware import settings
from tools import pins, wiring

SVG = "{http://www.w3.org/2000/svg}"


def wires(text):
    """What the diagram's lines join: title -> list of (x, y)."""
    found = {}
    for path in ElementTree.fromstring(text).iter(SVG + "path"):
        title = path.find(SVG + "title")
        if title is not None:
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", path.get("d"))]
            found[title.text] = list(zip(numbers[::2], numbers[1::2]))
    return found


def run(*words):
    parser = argparse.ArgumentParser()
    wiring.add_arguments(parser)
    return wiring.run(parser.parse_args(words))


def test_the_diagram_in_the_repository_is_what_the_settings_say():
    """Changed a pin? ``python3 -m tools wiring`` draws it anew."""
    assert wiring.PICTURE.read_text(encoding="utf-8") == wiring.svg(pins.read())


def test_every_wire_ends_at_the_pin_that_the_firmware_reads():
    chosen = settings.load(lambda key: None)
    drawn = wires(wiring.svg(pins.read()))
    for name, pin in zip(pins.BUTTONS, chosen.button_pins):
        assert drawn["button %s to %s" % (name, pin)][-1] == wiring.pin_at(pin)
        assert "button %s to ground" % name in drawn
    assert drawn["%s to 74AHCT125 pin 2, 1A" % chosen.pixel_pin][0] == wiring.pin_at(chosen.pixel_pin)


def test_no_two_button_wires_cross():
    drawn = wires(wiring.svg(pins.read()))
    lines = [points for title, points in drawn.items() if re.match("button .* to GP", title)]
    assert len(lines) == 8

    def stretches(points):
        return list(zip(points, points[1:]))

    def meet(first, second):
        (ax, ay), (bx, by) = first
        (cx, cy), (dx, dy) = second
        return max(min(ax, bx), min(cx, dx)) <= min(max(ax, bx), max(cx, dx)) and max(min(ay, by), min(cy, dy)) <= min(
            max(ay, by), max(cy, dy)
        )

    for at, one in enumerate(lines):
        for other in lines[at + 1 :]:
            assert not any(meet(a, b) for a in stretches(one) for b in stretches(other))


def test_pins_are_numbered_as_on_the_board():
    assert pins.place("GP0") == (0, 0, 1) and pins.place("GP15") == (0, 19, 20)
    assert pins.place("VBUS") == (1, 0, 40) and pins.place("GP16") == (1, 19, 21)
    assert pins.place("GP9")[2] == 12 and pins.place("GP22")[2] == 29 and pins.place("GP26")[2] == 31
    assert pins.place("D5") is None
    assert len(set(pins.PICO_LEFT + pins.PICO_RIGHT) - {"GND"}) == 40 - 7


@pytest.mark.parametrize(
    "line, words",
    [
        ('FIVE_BUTTON_PINS = "GP16 GP17 GP18 GP19 GP20 GP21 GP22 GP26"', "button a to GP16"),
        ('FIVE_BUTTON_PINS = "D2 D3 D4 D5 D6 D7 D8 D9"', "button pop to D9"),
        ('FIVE_PIXEL_PIN = "GP28"', "GP28 to 74AHCT125 pin 2, 1A"),
        ('FIVE_FIRST_CORNER = "top right"', "330 Ω to DIN"),
    ],
)
def test_other_settings_give_another_diagram(line, words, tmp_path):
    (tmp_path / "settings.toml").write_text(line + "\n")
    out = tmp_path / "wiring.svg"
    assert run("--settings", str(tmp_path / "settings.toml"), "--out", str(out)) == 0
    text = out.read_text(encoding="utf-8")
    assert words in wires(text) and text != wiring.PICTURE.read_text(encoding="utf-8")


def test_wrong_settings_and_places_are_told_in_one_line(tmp_path, capsys):
    (tmp_path / "settings.toml").write_text('FIVE_PIXEL_PIN = "GP2"\n')
    assert run("--settings", str(tmp_path / "settings.toml"), "--out", str(tmp_path / "x.svg")) == 2
    assert run("--settings", str(tmp_path / "none.toml")) == 2
    assert run("--out", str(tmp_path / "no" / "x.svg")) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 3
    assert (
        "names a pin of FIVE_BUTTON_PINS" in told[0] and "cannot be read" in told[1] and "cannot be written" in told[2]
    )
