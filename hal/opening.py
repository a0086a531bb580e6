# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Opens the real board: the pins that the settings name, or else the default ones. Forgotten once that is done."""

import gc

import board as chip
import keypad
import microcontroller
import neopixel

from hal.buttons import Buttons
from hal.circuitpython import input_pin
from hal.wiring import wire_map

PIXELS = 54

# setting -> default
_DEFAULTS = {
    "pixel_pin": "GP0",
    "button_pins": ("GP2", "GP3", "GP4", "GP5", "GP6", "GP7", "GP8", "GP9"),
    "pixel_order": "GRB",
    "first_corner": "bottom left",
    "wiring_order": "column",
    "serpentine": 0,
    "rotation": 0,
}


def setting(settings, name):
    """The value of a setting that this module reads, or its default."""
    return getattr(settings, name, _DEFAULTS[name])


def _claim(names, make, what, complaints):
    """Return make(pin) of the first name that works, or None. Any name before it is told, in one line."""
    wrong = ""
    tried = []
    for name in names:
        if name in tried:
            continue
        tried.append(name)
        pin = getattr(chip, name, None)
        try:
            if pin is not None:
                made = make(pin)
                if wrong:
                    complaints.append("settings.toml: %s: %s; using %s" % (what, wrong, name))
                return made
            why = name + " is not on this board"
        except (ValueError, RuntimeError) as error:
            why = str(error)
        wrong += ", " + why if wrong else why
    complaints.append("settings.toml: %s: %s; going on without" % (what, wrong))
    return None


def _wired(pin):
    return pin, input_pin(pin)


def open_parts(board, settings):
    """Give `board` (a hal.circuitpython.Board) its parts. `settings`: any object with the attributes that
    hal/__init__.py lists.

    A pin that this board has not, or that is taken, is told in `complaints`; the default pin is tried instead, and
    failing that the button stays dead. Raises RuntimeError only when there is no pin for the pixels at all.
    """
    board.complaints = complaints = []
    order = setting(settings, "pixel_order")

    def strip(pin):
        return neopixel.NeoPixel(pin, PIXELS, bpp=len(order), brightness=1.0, auto_write=False, pixel_order=order)

    names = (setting(settings, "pixel_pin"), _DEFAULTS["pixel_pin"], "NEOPIXEL")
    board.pixels = _claim(names, strip, "FIVE_PIXEL_PIN", complaints)
    if board.pixels is None:
        raise RuntimeError("no pin for the pixels: set FIVE_PIXEL_PIN to a name in dir(board)")
    pins = []
    for button in range(8):
        names = (setting(settings, "button_pins")[button], _DEFAULTS["button_pins"][button])
        what = "FIVE_BUTTON_PINS, %s" % "abcdefg^"[button]
        pins.append(_claim(names, _wired, what, complaints) or (None, None))
    board.wire = wire_map(
        setting(settings, "first_corner"),
        setting(settings, "wiring_order"),
        setting(settings, "serpentine"),
        setting(settings, "rotation"),
    )
    board.nvm = microcontroller.nvm
    if board.nvm is None:
        board.nvm = b""
        complaints.append("no non-volatile memory on this board: games are not kept")
    board.collect = gc.collect
    board.reset = microcontroller.reset
    board.pins = [pin for pin, _ in pins]
    board.wired = bytes([button for button in range(8) if board.pins[button] is not None])
    board.event = keypad.Event()
    board.buttons = Buttons([line for _, line in pins], board.ticks_ms(), board.write)
