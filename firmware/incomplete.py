# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Says on the pixels and on the console that the files on the board are incomplete.

Needs nothing but what is in the board's own firmware: no library and no other file of this project can be trusted here.
code.py calls `show` when an import fails. While files are being installed, a copy of this file is the drive's main.py,
which CircuitPython runs when code.py is not there.
"""

import os
import time

import board
import digitalio
from neopixel_write import neopixel_write

AMBER = {"R": 24, "G": 10, "B": 0, "W": 0}  # channel values of 0..255: dim, a few milliamperes a pixel
PIXELS = 6  # enough to be seen, and on every wiring the first column or part of the first row


def show(why="The installation was broken off."):
    """Blinks amber and repeats `why` on the console until the board is reset or Ctrl-C reaches the REPL."""
    pin = digitalio.DigitalInOut(getattr(board, os.getenv("FIVE_PIXEL_PIN") or "GP0"))
    pin.direction = digitalio.Direction.OUTPUT
    on = bytearray()
    for channel in (os.getenv("FIVE_PIXEL_ORDER") or "GRB").upper():
        on.append(AMBER.get(channel, 0))
    on = bytes(on) * PIXELS
    beat = 0
    try:
        while True:
            neopixel_write(pin, bytes(len(on)) if beat & 1 else on)
            if beat % 10 == 0:
                print("FILES INCOMPLETE: %s Run `python3 -m tools flash` to finish." % why)
            beat += 1
            time.sleep(0.5)
    finally:
        pin.deinit()


if __name__ == "__main__":
    show()
