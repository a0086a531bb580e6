# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The players' clocks (RULES.md, "Match, score, resignation, time"); loaded only for a match that has them."""

MAX_LEFT_MS = 6553500
TICK_MS = 100  # clocks are saved in tenths of a second


class Clock:
    """One bank of ``bank_ms`` for each of ``owners`` owners, and ``increment_ms`` after every move.

    ``left_ms``: list by owner. It stands still unless :meth:`run` is called.
    """

    def __init__(self, bank_ms, increment_ms, owners=2):
        self.increment_ms = increment_ms
        self.left_ms = [bank_ms] * owners

    def run(self, owner, elapsed_ms):
        """``owner`` has thought for ``elapsed_ms`` more (a jump backwards counts as nothing). True: the flag falls."""
        if elapsed_ms > 0:
            left = self.left_ms[owner] - elapsed_ms
            self.left_ms[owner] = left if left > 0 else 0
        return self.left_ms[owner] == 0

    def moved(self, owner):
        """``owner`` has moved: adds the increment. What is left is rounded up to whole tenths of a second, which is
        what a saved game keeps: so a restored clock shows exactly what it showed."""
        left = (self.left_ms[owner] + self.increment_ms + TICK_MS - 1) // TICK_MS * TICK_MS
        self.left_ms[owner] = left if left < MAX_LEFT_MS else MAX_LEFT_MS
