# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Which pin goes where: what the firmware reads from its settings, and where that pin is on a Raspberry Pi Pico."""

from collections import namedtuple
from pathlib import Path

from firmware import settings
from tools.environment import ROOT

SETTINGS = ROOT / "firmware" / "settings.toml"
BUTTONS = ("a", "b", "c", "d", "e", "f", "g", "pop")

# Raspberry Pi Pico data sheet, "Pinout and design files": the names of pins 1 to 20 downwards at the left, the USB
# socket up, then 40 to 21 downwards at the right.
PICO_LEFT = "GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15".split()
PICO_RIGHT = (
    "VBUS VSYS GND 3V3_EN 3V3 ADC_VREF GP28 AGND GP27 GP26 RUN GP22 GND GP21 GP20 GP19 GP18 GND GP17 GP16".split()
)

# pixels: the name of the data pin; buttons: the eight names, a to g and pop; order, corner, direction, serpentine: how
# the strip of pixels lies (hal/wiring.py), rotation included in the corner.
Pins = namedtuple("Pins", "pixels buttons order corner direction serpentine")

OPPOSITE = {
    "bottom left": "top right",
    "top right": "bottom left",
    "bottom right": "top left",
    "top left": "bottom right",
}


class PinError(Exception):
    """The settings cannot be had; the text is one line."""


def read(path=None):
    """The Pins of a settings.toml (None: the repository's own). Raises PinError for a file or a value that is wrong."""
    from tools.flasher.settings_file import values

    path = Path(path or SETTINGS)
    try:
        given = values(path.read_bytes().decode("utf-8", "replace"))
    except OSError as error:
        raise PinError("%s cannot be read: %s" % (path, error.strerror)) from None
    chosen = settings.load(given.get)
    if chosen.complaints:
        raise PinError("%s: %s" % (path.name, chosen.complaints[0].removeprefix("settings.toml: ")))
    corner = chosen.first_corner if chosen.rotation == 0 else OPPOSITE[chosen.first_corner]
    return Pins(
        chosen.pixel_pin, chosen.button_pins, chosen.pixel_order, corner, chosen.wiring_order, chosen.serpentine
    )


def place(name):
    """(side, row, number) of a pin on the Pico: side 0 left or 1 right, row 0 .. 19 from the top, number as printed on
    the board; None if the Pico has no pin of that name."""
    if name in PICO_LEFT:
        return 0, PICO_LEFT.index(name), PICO_LEFT.index(name) + 1
    if name in PICO_RIGHT:
        return 1, PICO_RIGHT.index(name), 40 - PICO_RIGHT.index(name)
    return None
