# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Lots that fall the same on every interpreter."""

# Wichmann and Hill's generator AS 183 (Applied Statistics 31, 1982): three small congruential generators whose
# products stay below 2**23, so no step leaves the chip's 31-bit small ints.

SEED_MAX = (1 << 30) - 1  # the largest small int of the chip


class Lots:
    """A stream of lots from ``seed`` (int, 0 .. 2**30 - 1). Raises ValueError on any other seed."""

    def __init__(self, seed):
        if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed <= SEED_MAX:
            raise ValueError("seed %r is not a whole number from 0 to %d" % (seed, SEED_MAX))
        self._x = 1 + seed % 30268
        self._y = 1 + seed // 30268 % 30306
        self._z = 1 + seed % 30322
        for _ in range(8):  # neighbouring seeds start alike; a few steps part them
            self.below(2)

    def below(self, n):
        """The next lot, 0 .. n - 1 (n at most a few thousand: the sum of the three parts is about 90,000 wide)."""
        self._x = 171 * self._x % 30269
        self._y = 172 * self._y % 30307
        self._z = 170 * self._z % 30323
        return (self._x + self._y + self._z) % n
