# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The picture of the imports says what the files say, and the rooms keep apart."""

import argparse
import re

import pytest

from tools import architecture


@pytest.fixture(scope="module")
def graph():
    return architecture.imports()


def test_rooms_look_in_one_direction_only(graph):
    for name, others in graph.items():
        for other in others:
            rooms = architecture.room(name), architecture.room(other)
            assert rooms[0] == rooms[1] or rooms in (("firmware", "engine"), ("firmware", "hal")), (name, other)


def test_known_imports_are_found(graph):
    assert graph["firmware.code"]["firmware.app"] is False  # at once
    assert "hal.wiring" in graph["hal.opening"]
    assert "firmware.scenes.setup" in graph["firmware.overlays"]  # loaded by name
    assert "hal.simulated" not in graph and not any("hal.simulated" in others for others in graph.values())


def test_fewer_lines_say_the_same():
    graph = {"a": {"b": False, "c": False}, "b": {"c": False}, "c": {}}
    assert architecture.reduced(graph) == {"a": {"b": False}, "b": {"c": False}, "c": {}}
    circle = {"a": {"b": False, "c": False}, "b": {"a": True}, "c": {}}
    assert architecture.reduced(circle) == circle
    assert set(architecture.levels(circle)) == set(circle)  # and it ends


def test_every_module_has_a_box_of_its_own_in_the_picture(graph):
    text = architecture.svg(graph)
    for name in graph:
        assert re.search("<title>%s imports " % re.escape(name), text), name
    spots, panels, (width, height) = architecture.places(graph)
    boxes = list(spots.values())
    for at, (x, y) in enumerate(boxes):
        assert 0 < x < width and 0 < y < height
        for other_x, other_y in boxes[at + 1 :]:
            assert abs(x - other_x) >= architecture.BOX or abs(y - other_y) > architecture.BOX_HEIGHT


def test_a_place_that_cannot_be_written_is_told(tmp_path, capsys):
    parser = argparse.ArgumentParser()
    architecture.add_arguments(parser)
    assert architecture.run(parser.parse_args(["--out", str(tmp_path / "no" / "x.svg")])) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_what_runs_before_a_commit_is_the_pinned_ruff_and_the_tests():
    config = (architecture.ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    pinned = re.search(r'"(ruff==[\d.]+)"', (architecture.ROOT / "pyproject.toml").read_text(encoding="utf-8")).group(1)
    assert config.count(pinned) == 2 and config.count("ruff==") == 2
    assert "python3 -m tools test" in config
