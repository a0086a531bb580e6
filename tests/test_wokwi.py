# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The Wokwi project is the board that the firmware expects, made of parts and pins that Wokwi has."""

import argparse
import json

import pytest

from firmware import settings
from hal.wiring import wire_map
from tools import pins, wokwi
from tools.emulator import drive, firmware
from tools.flasher.files import board_files


def parts_and_wires(table=None):
    diagram = wokwi.diagram(table or pins.read())
    return {part["id"]: part for part in diagram["parts"]}, diagram["connections"]


def write_settings(tmp_path, *lines):
    path = tmp_path / "settings.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_project_in_the_repository_is_what_the_settings_say():
    """Changed a pin? ``python3 -m tools wokwi`` writes it anew."""
    for name, data in wokwi.project_files(pins.read()).items():
        assert (wokwi.PROJECT / name).read_bytes() == data, name
    assert {path.name for path in wokwi.PROJECT.iterdir()} == set(wokwi.project_files(pins.read()))


def test_every_part_pin_and_attribute_is_one_that_wokwi_has():
    parts, wires = parts_and_wires()
    for part in parts.values():
        assert set(part["attrs"]) <= wokwi.PARTS[part["type"]][1]
        assert all(isinstance(value, str) for value in part["attrs"].values())  # Wokwi takes texts only
    for start, end, *_ in wires:
        for where in (start, end):
            name, _, pin = where.partition(":")
            assert pin in wokwi.PARTS[parts[name]["type"]][0], where


def test_the_wires_go_where_the_firmware_looks():
    _, wires = parts_and_wires()
    joined = {frozenset(wire[:2]) for wire in wires}
    chosen = settings.load(lambda key: None)
    assert frozenset(("pico:" + chosen.pixel_pin, "matrix:DIN")) in joined
    for name, pin in zip("abcdefg", chosen.button_pins):
        assert frozenset(("pico:" + pin, "button_%s:1.l" % name)) in joined
    assert frozenset(("pico:" + chosen.button_pins[7], "button_pop:1.l")) in joined
    grounds = [wire for wire in wires if wire[0].endswith(":2.l")]
    assert len(grounds) == 8 and all(wire[1].startswith("pico:GND.") for wire in grounds)


def seen_from_the_front(part, index):
    """(LED column, row from the bottom) of a pixel of Wokwi's matrix: rows from the top left, the part then turned."""
    rows, columns = int(part["attrs"]["rows"]), int(part["attrs"]["cols"])
    row, column = divmod(index, columns)
    if part["attrs"].get("layout") == "serpentine" and row & 1:
        column = columns - 1 - column
    x, y, height = column, row, rows  # y downwards
    for _ in range(part.get("rotate", 0) // 90):  # clockwise
        x, y, height = height - 1 - y, x, columns if height == rows else rows
    return x, height - 1 - y


@pytest.mark.parametrize("serpentine", [0, 1])
@pytest.mark.parametrize("corner, direction", wokwi.TURNS)
def test_the_matrix_lies_as_the_settings_say(corner, direction, serpentine):
    parts, _ = parts_and_wires(pins.read()._replace(corner=corner, direction=direction, serpentine=serpentine))
    wire = wire_map(corner, direction, serpentine)
    for cell in range(54):
        assert seen_from_the_front(parts["matrix"], wire[cell]) == divmod(cell, 6)


def run(*words):
    parser = argparse.ArgumentParser()
    wokwi.add_arguments(parser)
    return wokwi.run(parser.parse_args(words))


def test_a_build_has_every_file_of_the_board(tmp_path):
    assert run("--build", str(tmp_path / "project")) == 0
    for source, path in board_files(wokwi.ROOT):
        if not path.startswith("lib/"):
            assert (tmp_path / "project" / path).read_bytes() == source.read_bytes(), path
    wanted = (tmp_path / "project" / "requirements.txt").read_text().split("\n")
    libraries = {path[4:-3] for _, path in board_files(wokwi.ROOT) if path.startswith("lib/")}
    assert libraries == {line for line in wanted if line and not line.startswith("#")}
    json.loads((tmp_path / "project" / "diagram.json").read_text(encoding="utf-8"))


def stand_in_uf2(path):
    """A UF2 that looks like CircuitPython for the Pico, so that no real one is needed."""
    program = b"Adafruit CircuitPython 10.2.1 on 2026-01-01; Raspberry Pi Pico\0Board ID:raspberry_pi_pico\0"
    path.write_bytes(wokwi.to_uf2(program.ljust(4096, b"\1")))


def test_circuitpython_and_the_drive_in_one_file(tmp_path):
    stand_in_uf2(tmp_path / "cp.uf2")
    assert run("--build", str(tmp_path / "project"), "--uf2", str(tmp_path / "cp.uf2")) == 0
    whole = (tmp_path / "project" / wokwi.IMAGE).read_bytes()
    flash = bytearray(b"\xff" * firmware.FLASH_BYTES)
    for at in range(0, len(whole), 512):
        magic, _, _, address, size, number, blocks, family = firmware.BLOCK.unpack_from(whole, at)
        assert (magic, number, blocks, family) == (
            firmware.MAGIC_START, at // 512, len(whole) // 512, firmware.FAMILY_RP2040,
        )  # fmt: skip
        start = address - firmware.FLASH_ADDRESS
        flash[start : start + size] = whole[at + 32 : at + 32 + size]
    assert flash[:22] == b"Adafruit CircuitPython"
    on_drive = drive.read_drive(bytes(flash[firmware.DRIVE_START :]))
    for source, path in board_files(wokwi.ROOT):
        assert on_drive[path] == source.read_bytes(), path


@pytest.mark.parametrize(
    "lines, complaint",
    [
        (['FIVE_FIRST_CORNER = "top left"'], "cannot begin at the top left and run along columns"),
        (['FIVE_PIXEL_ORDER = "RGB"'], "GRB, not RGB"),
        (['FIVE_PIXEL_PIN = "D5"'], "no pin D5"),
        (["FIVE_ROTATION = 90"], "FIVE_ROTATION = 90 is none of: 0, 180"),
    ],
)
def test_settings_that_wokwi_cannot_show_are_told(lines, complaint, tmp_path, capsys):
    path = write_settings(tmp_path, *lines)
    assert run("--settings", str(path), "--build", str(tmp_path / "x")) == 2
    told = capsys.readouterr().err
    assert complaint in told and len(told.splitlines()) == 1
    assert not (tmp_path / "x").exists()


def test_files_that_are_not_there_are_told(tmp_path, capsys):
    assert run("--settings", str(tmp_path / "no.toml")) == 2
    assert run("--uf2", "x.uf2") == 2
    (tmp_path / "bad.uf2").write_bytes(b"nothing" * 100)
    assert run("--build", str(tmp_path / "y"), "--uf2", str(tmp_path / "bad.uf2")) == 2
    told = capsys.readouterr().err
    assert "cannot be read" in told and "add --build" in told and "no UF2 file" in told
    assert not (tmp_path / "y").exists()
