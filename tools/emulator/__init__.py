# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The real CircuitPython firmware in an emulated RP2040, with this repository's files on its drive.

runner.mjs (Node.js) runs the chip in virtual time: cpu.mjs its instructions, chip.mjs what is around them, usb_host.mjs
the computer at the other end of the cable, ws2812.mjs the pixels at the end of the wire. On the Python side firmware.py
puts a flash image together, drive.py the file system in it, and board.py is the whole as an object, EmulatedBoard, for
the command `emulate`, for `bench --emulated` and for tests. The firmware and the chip's boot ROM are the person's own.
"""
