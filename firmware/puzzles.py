# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Which puzzles are solved, and whether their file is whole; forgotten at once."""

# What the file's bytes mean is told in tools/puzzles/file.py.

from binascii import crc32

from firmware.store import UNSET

SOLVED = 29  # 13 words of the store: one bit a puzzle, 0 .. 207. A word of sixteen solved ones reads as UNSET


def is_solved(store, puzzle):
    """Whether ``puzzle`` (0 .. 207) was solved."""
    return store.get(SOLVED + puzzle // 16, UNSET) >> puzzle % 16 & 1 == 1


def solve(store, puzzle):
    """``puzzle`` was solved."""
    key = SOLVED + puzzle // 16
    store.put(key, store.get(key, UNSET) | 1 << puzzle % 16)


def check(read_into, buffer):
    """Read the whole file through ``buffer`` (a bytearray of 256). Raises ValueError, in one line, if it is damaged."""
    n = at = read_into(0, buffer)
    if n < 16 or buffer[:4] != b"5PUZ":
        raise ValueError("it holds no puzzles")
    if buffer[4] != 1:
        raise ValueError("it is of version %d, not 1" % buffer[4])
    # The head: puzzles of each grade (at 5), the file's length (at 10), the CRC of all other bytes (at 12).
    end = buffer[10] | buffer[11] << 8
    right = bytes(buffer[12:16])
    h = crc32(memoryview(buffer)[16:n], crc32(memoryview(buffer)[:12]))
    while n == len(buffer):
        n = read_into(at, buffer)
        h = crc32(memoryview(buffer)[:n], h)
        at += n
    if at != end or h.to_bytes(4, "little") != right:
        raise ValueError("it is damaged")
