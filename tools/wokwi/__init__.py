# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``wokwi``: the board as a project of the Wokwi simulator, made from the settings that the firmware reads.

``tools/wokwi/project/`` holds the diagram and what goes with it; ``--build DIR`` adds all the files of the board. The
parts, their pins and attributes are those of Wokwi's reference pages (wokwi-pi-pico, wokwi-led-matrix,
wokwi-pushbutton); PARTS below is the part of them that is used, and the tests hold the diagram to it.
"""

import json
import sys
from pathlib import Path

from tools import pins
from tools.environment import ROOT

HELP = "the board as a Wokwi project, to run the real firmware in a browser (--build DIR: with all its files)"
EXTRAS = ()

PROJECT = ROOT / "tools" / "wokwi" / "project"
IMAGE = "five-in-a-row.uf2"  # CircuitPython and the board's drive in one file

# part -> its pins, its attributes
PARTS = {
    "wokwi-pi-pico": (
        {"GP%d" % number for number in (*range(23), 26, 27, 28)}
        | {"GND.%d" % number for number in range(1, 9)}
        | {"VBUS", "VSYS", "3V3"},
        {"env"},
    ),
    "wokwi-led-matrix": (
        {"DIN", "VDD", "VSS", "DOUT"},
        {"rows", "cols", "layout", "brightness", "pixelShape", "pixelSize"},
    ),
    "wokwi-pushbutton": ({"1.l", "1.r", "2.l", "2.r"}, {"color", "label", "key", "bounce"}),
}
# Wokwi's matrix begins at the top left and runs along rows; turned, its other beginnings are these two, each with the
# direction of the first stretch. The mirror images of the four cannot be had.
TURNS = {
    ("top left", "row"): 0,
    ("top right", "column"): 90,
    ("bottom right", "row"): 180,
    ("bottom left", "column"): 270,
}
COLOURS = ("red", "orange", "yellow", "green", "cyan", "blue", "magenta", "white")
KEYS = "1234567p"
# The newest that Wokwi is known to bring itself, older than the board wants; IMAGE, when it is loaded, takes its place.
ENVIRONMENT = "circuitpython-8.2.7"
LIBRARIES = ("neopixel", "adafruit_debouncer", "adafruit_ticks")

TOML = """\
# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
#
# For the simulator's plug-in of an editor. %s is CircuitPython and this board's files in one:
#   python3 -m tools wokwi --build . --uf2 CIRCUITPYTHON.uf2
[wokwi]
version = 1
firmware = '%s'
rfc2217ServerPort = 4000
""" % (IMAGE, IMAGE)


def add_arguments(parser):
    parser.add_argument("--build", metavar="DIR", help="write the whole project, files of the board included")
    parser.add_argument("--uf2", metavar="FILE", help="with --build: CircuitPython for the Pico; adds %s" % IMAGE)
    parser.add_argument("--settings", metavar="FILE", help="the board's settings (default firmware/settings.toml)")


def run(args):
    try:
        if args.uf2 and not args.build:
            raise pins.PinError("--uf2 is for --build: add --build DIR")
        table = pins.read(args.settings)
        files = project_files(table)
        if args.build:
            files.update(board_files(args.settings))
            if args.uf2:
                files[IMAGE] = image(args.uf2, files)
        folder = Path(args.build) if args.build else PROJECT
        write(folder, files)
    except pins.PinError as error:
        print(error, file=sys.stderr)
        return 2
    print("%d files in %s" % (len(files), folder))
    return 0


def write(folder, files):
    """Write files, path -> bytes, under a folder. Raises PinError."""
    for path, data in files.items():
        target = folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        except OSError as error:
            raise pins.PinError("%s cannot be written: %s" % (target, error.strerror)) from None


def project_files(table):
    """The project without the board's own files: path -> bytes."""
    text = json.dumps(diagram(table), indent=2, ensure_ascii=False)
    return {
        "diagram.json": (text + "\n").encode(),
        "requirements.txt": ("# libraries of the board\n" + "\n".join(LIBRARIES) + "\n").encode(),
        "wokwi.toml": TOML.encode(),
    }


def board_files(settings=None):
    """The files that go on the board's drive: path -> bytes, without the libraries, which Wokwi brings itself."""
    from tools.flasher.files import board_files as listed

    found = {path: source.read_bytes() for source, path in listed(ROOT) if not path.startswith("lib/")}
    if settings:
        found["settings.toml"] = Path(settings).read_bytes()
    return found


def diagram(table):
    """The diagram as a dict, for a tools.pins.Pins. Raises PinError for what Wokwi has no part for."""
    turn = TURNS.get((table.corner, table.direction))
    if turn is None:
        raise pins.PinError(
            "Wokwi's matrix cannot begin at the %s and run along %ss: it can begin at the %s"
            % (table.corner, table.direction, ", or at the ".join("%s and run along %ss" % known for known in TURNS))
        )
    if table.order != "GRB":
        raise pins.PinError("Wokwi's matrix takes its colours as GRB, not %s: set FIVE_PIXEL_ORDER" % table.order)
    for name in (table.pixels, *table.buttons):
        if name not in PARTS["wokwi-pi-pico"][0]:
            raise pins.PinError("Wokwi's Pico has no pin %s" % name)
    rows, columns = (6, 9) if turn in (0, 180) else (9, 6)
    matrix = {"rows": str(rows), "cols": str(columns), "brightness": "3", "pixelShape": "circle"}
    if table.serpentine:
        matrix["layout"] = "serpentine"
    parts = [
        part("wokwi-pi-pico", "pico", 300, 0, env=ENVIRONMENT),
        # turned about its middle: the corner that is given is the one of the unturned matrix
        part("wokwi-led-matrix", "matrix", *((0, 0) if turn in (0, 180) else (-45, 45)), turn, **matrix),
    ]
    wires = [
        ["pico:" + table.pixels, "matrix:DIN", "green", []],
        ["pico:VBUS", "matrix:VDD", "red", []],
        ["pico:GND.8", "matrix:VSS", "black", []],
    ]
    for number, (name, pin) in enumerate(zip(pins.BUTTONS, table.buttons)):
        button = "button_" + name
        parts.append(
            part(
                "wokwi-pushbutton",
                button,
                210,
                -180 + 76 * number,
                color=COLOURS[number],
                label=name,
                key=KEYS[number],
            )  # fmt: skip
        )
        wires.append(["%s:1.l" % button, "pico:" + pin, COLOURS[number], []])
        wires.append(["%s:2.l" % button, "pico:GND.%d" % (1 + number % 4), "black", []])
    return {"version": 1, "author": "Five-in-a-row Board", "editor": "wokwi", "parts": parts, "connections": wires}


def part(kind, name, top, left, rotate=0, **attributes):
    """One part of a diagram."""
    made = {"type": kind, "id": name, "top": top, "left": left}
    if rotate:
        made["rotate"] = rotate
    made["attrs"] = attributes
    return made


def image(path, files):
    """A UF2 of CircuitPython (from its UF2 at ``path``) with the board's files on its drive. Raises PinError."""
    from tools.emulator import drive, firmware
    from tools.emulator.errors import EmulatorError
    from tools.flasher.files import board_files as listed

    own = (*project_files(pins.read()), IMAGE)
    on_drive = {name: data for name, data in files.items() if name not in own}
    on_drive.update({name: source.read_bytes() for source, name in listed(ROOT) if name.startswith("lib/")})
    try:
        flash = firmware.flash_image(firmware.read_uf2(path), drive.write_drive(on_drive))
    except (EmulatorError, drive.DriveError) as error:
        raise pins.PinError(str(error)) from None
    return to_uf2(flash)


def to_uf2(flash):
    """A UF2 (Microsoft's "USB Flashing Format") of the flash's contents; pages that were never written are left out."""
    from tools.emulator import firmware as format

    page = 256
    empty = b"\xff" * page
    pages = [at for at in range(0, len(flash), page) if flash[at : at + page] != empty]
    blocks = []
    for number, at in enumerate(pages):
        head = format.BLOCK.pack(
            format.MAGIC_START, format.MAGIC_SECOND, format.FLAG_FAMILY, format.FLASH_ADDRESS + at,
            page, number, len(pages), format.FAMILY_RP2040,
        )  # fmt: skip
        body = head + flash[at : at + page]
        blocks.append(body.ljust(508, b"\0") + format.MAGIC_END.to_bytes(4, "little"))
    return b"".join(blocks)
