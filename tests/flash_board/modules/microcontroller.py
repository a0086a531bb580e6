# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Stand-in of CircuitPython's `microcontroller`."""

import drive


class cpu:
    uid = bytes((0xE6, 0x60, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06))


def reset():
    drive.die("reset")
