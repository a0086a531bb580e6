# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Stand-in of CircuitPython's `neopixel_write`: every frame is a line in the rig's file `pixels`."""

import binascii

import drive


def neopixel_write(pin, data):
    assert pin.direction == "output"
    drive.note("pixels", "%s %s\n" % (pin.pin, binascii.hexlify(data).decode()))
