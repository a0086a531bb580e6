# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Wires the parts together and runs them for ever."""

import gc
import os

import board
import digitalio
from neopixel_write import neopixel_write

# The board compiles them one by one, which takes seconds: a faint pixel more for each shows that it is at work. The
# garbage of each is collected at once, so that what stays lies close together.
PARTS = (
    "engine.search",
    "engine.search_drop",
    "adafruit_debouncer",
    "neopixel",
    "hal.circuitpython",
    "hal.buttons",
    "engine.position",
    "engine.match",
    "firmware.store",
    "firmware.scenes.scene",
    "firmware.game",
    "firmware.scenes.play",
    "firmware.scenes.pause",
    "firmware.console",
    "firmware.app",
    "firmware.recall",
)


def show_part(number):
    """Light the first pixels; a wrong pin is told later, by open_board."""
    try:
        pin = digitalio.DigitalInOut(getattr(board, os.getenv("FIVE_PIXEL_PIN") or "GP0"))
    except (AttributeError, TypeError, ValueError):
        return
    pin.direction = digitalio.Direction.OUTPUT
    neopixel_write(pin, b"\x04\x04\x04" * (1 + number))  # the same in any order of colours
    pin.deinit()


try:
    show_part(0)
    from firmware import settings

    chosen = settings.load(os.getenv, "/settings.toml")
    del settings  # App.tidy() forgets the modules
    search = None
    for number, name in enumerate(PARTS):
        module = __import__(name, None, None, ("",))
        if search is None:  # its large blocks while the heap is still whole
            search = module.Search(1024 * chosen.table_kb)
        gc.collect()
        show_part(number)

    from firmware.app import App
    from hal.circuitpython import open_board

    app = App(open_board(chosen), chosen, search)
except (ImportError, SyntaxError, MemoryError) as fault:  # files that are missing or torn
    from firmware import incomplete

    incomplete.show(repr(fault))

del show_part, PARTS, module

while True:
    try:
        app.step()
    except Exception as fault:  # nobody is there to press a reset button: tell it, and take the game up again
        import time

        import microcontroller

        print("fault: %r; restarting" % fault)
        time.sleep(2)
        microcontroller.reset()
