# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What the computer types while a program runs: Ctrl-C interrupts it, the rest waits for `sys.stdin.read`.

The program notices in `time.sleep`. A signal would be noticed anywhere, and MicroPython for the desktop can lock itself
up when one comes in the middle of an allocation; a board cannot.
"""

import select
import sys
import time as real_time

_stdin = sys.stdin.buffer
_poll = select.poll()
_poll.register(sys.stdin, select.POLLIN)
waiting = []  # characters


def look(timeout_ms):
    """Takes what was typed, for so long; raises KeyboardInterrupt at a Ctrl-C."""
    until = real_time.ticks_add(real_time.ticks_ms(), timeout_ms)
    while True:
        left = max(0, real_time.ticks_diff(until, real_time.ticks_ms()))
        if _poll.poll(left):
            byte = _stdin.read(1)
            if byte == b"\x03":
                del waiting[:]
                raise KeyboardInterrupt
            if byte:
                waiting.append(chr(byte[0]))
            else:
                real_time.sleep(0.01)  # the line is closed
        if not left:
            return


def sleep(seconds):
    """`time.sleep`."""
    look(int(seconds * 1000))


class Stdin:
    """`sys.stdin`."""

    @staticmethod
    def read(count):
        while len(waiting) < count:
            look(10)
        text = "".join(waiting[:count])
        del waiting[:count]
        return text
