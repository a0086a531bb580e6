# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The case to print: its measures, and, where the CAD library is installed, that its parts fit."""

import argparse
import importlib.util

import pytest

from tools import case
from tools.case import measures

needs_cad = pytest.mark.skipif(
    importlib.util.find_spec("build123d") is None,
    reason="the CAD library is not installed (python3 -m tools case installs it, 900 MB)",
)


def run(*words):
    parser = argparse.ArgumentParser()
    case.add_arguments(parser)
    return case.run(parser.parse_args(words))


def wrong(*words):
    parser = argparse.ArgumentParser()
    case.add_arguments(parser)
    return case.wrong(parser.parse_args(words))


def test_lights_and_buttons_stand_where_the_matrix_has_them():
    m = measures.chosen()
    assert measures.light(m, 4, 0)[0] == 0
    first, last = measures.light(m, 0, 0), measures.light(m, 8, 5)
    assert last[0] - first[0] == pytest.approx(8 * m.pitch) and last[1] - first[1] == pytest.approx(5 * m.pitch)
    assert abs(first[0]) + m.pitch / 2 + m.margin == pytest.approx(m.width / 2)
    for number in range(7):  # each button under its own column
        assert measures.button(m, number)[0] == measures.light(m, 1 + number, 0)[0]
        assert measures.button(m, number)[1] < first[1] - m.pitch
    assert measures.button(m, 7)[0] == 0 and measures.button(m, 7)[1] < measures.button(m, 0)[1]
    assert max(m.width, m.height) <= measures.BED_MM


def test_every_measure_has_a_range_around_its_default():
    for name, (default, least, most, what) in measures.MEASURES.items():
        assert least <= default <= most and what, name


@pytest.mark.parametrize(
    "setting, complaint",
    [
        ("size=3", "'size=3' is no measure"),
        ("pitch", "'pitch' is no measure"),
        ("pitch=wide", "pitch=wide is not from 14 to 20 mm"),
        ("pitch=1000", "pitch=1000 is not from 14 to 20 mm"),
        ("opening=16", "opening=16 and seat=0.7 do not fit a pitch of 16.67 mm"),
        ("nut=18", "nut=18: two buttons side by side"),
        ("diffuser=2", "diffuser=2: at most 1.6 mm"),
        ("margin=8", "margin=8: at least 10.65 mm"),
        ("screw=4", "screw=4: a screw for it"),
        ("pitch=20", "more than a printer's 220"),
    ],
)
def test_measures_that_cannot_be_had_are_told_in_one_line(setting, complaint):
    more = ["--set", "margin=30"] if setting == "pitch=20" else []
    told = wrong("--set", setting, *more)
    assert complaint in told and len(told.splitlines()) == 1


@pytest.fixture(scope="module")
def made():
    from tools.case import model

    m = measures.chosen()
    return m, model.parts(m)


@needs_cad
@pytest.mark.slow
def test_everything_fits_and_a_part_out_of_place_is_told(made):
    from build123d import Pos

    from tools.case import fit

    m, parts = made
    assert fit.problems(parts, m) == []
    moved = dict(parts, back=Pos(0, 0, -1) * parts["back"])
    assert any("front and back overlap" in line for line in fit.between(moved, m, "front", "back"))
    moved = dict(parts, carrier=Pos(0, 0, -0.5) * parts["carrier"])
    assert fit.between(moved, m, "front", "carrier") == ["front and carrier are 0.30 mm apart, and 0.80 are needed"]


@needs_cad
@pytest.mark.slow
def test_the_front_lets_each_light_through_and_the_files_are_whole(made, tmp_path):
    from build123d import import_step

    from tools.case import model

    m, parts = made
    for x, y in model.lights(m):
        assert (parts["front"] & model.rod(m.opening / 2 - 0.1, m.face + m.baffle, x, y)) is None or (
            parts["front"] & model.rod(m.opening / 2 - 0.1, m.face + m.baffle, x, y)
        ).volume < 0.01
    case.write(parts, tmp_path)
    for name in model.PRINTED:
        assert (tmp_path / (name + ".stl")).stat().st_size > 1000
        again = import_step(str(tmp_path / (name + ".step")))
        assert again.volume == pytest.approx(parts[name].volume, rel=1e-3)
        assert again.bounding_box().min.Z == pytest.approx(0, abs=1e-3)  # it lies on the bed


@needs_cad
@pytest.mark.slow
def test_the_picture_shows_the_parts(made):
    from tools.case import model, picture

    m, parts = made
    image = picture.draw(model.exploded(parts, m), (160, 120))
    assert image.size == (160, 120)
    colours = {image.getpixel((x, y)) for x in range(0, 160, 2) for y in range(0, 120, 2)}
    assert any(red > 120 and green < 60 for red, green, blue in colours)  # a red light
    assert len(colours) > 50
