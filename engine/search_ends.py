# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Which columns of a run complete a line, the same for every run of a variation; made once for each one played."""

from engine.variation import FIRST


def fill_ends(v, ends):
    """A generator that fills the 511 bytes of ``ends``: by the LED columns in which a side has its discs in a run, a
    bit each, those in which one more completes a line. A window of columns after the other, and each of its columns as
    the one that is missing; in steps of at most 5 ms of the chip."""
    for start in range(v.width if v.wrap else v.width - v.need + 1):
        yield
        line = 0
        for j in range(start, start + v.need):
            line |= 1 << v.left + j % v.width
        beside = 511 & ~line
        for i in range(FIRST, FIRST + v.free):
            if line >> i & 1:
                x = line ^ 1 << i
                n = beside  # all of its subsets, downwards
                while n >= 0:
                    ends[x | n] |= 1 << i
                    n = n - 1 & beside if n else -1
