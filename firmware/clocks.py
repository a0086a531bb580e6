# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The clocks of a match that has them; most have none."""

from adafruit_ticks import ticks_diff

from engine.clock import Clock
from firmware.game import SIDES
from firmware.scenes.scene import REST

JUMP_MS = 1000  # no round of the loop takes so long: such a step of the time was nobody's thought
BAR_MS = 10000  # a lit cell stands for a sixth of the bank, but at least for this


class Clocks(Clock):
    # ``at``: the time, in ms, up to which they have run.

    def go_on(self, game, now, runs):
        """Take note of ``now``; the clock of ``game``'s side to move runs if ``runs``. True when its flag falls."""
        elapsed_ms = ticks_diff(now, self.at)
        if elapsed_ms > JUMP_MS:
            elapsed_ms = 0
        self.at = now
        if runs and game.is_open():
            owner = game.match.owner_of(game.position.to_move)
            if self.run(owner, elapsed_ms):
                game.match.flag(owner)
                game.say("%s's time is up" % SIDES[game.position.to_move])
                game.ended(game.without(owner))
                return True
        return False

    def draw(self, scene, left, right):
        """What is left, as lit columns: LED column ``left`` for Red's, ``right`` for the last side's; three players
        have the middle one too."""
        match = scene.game.match
        cell_ms = max(BAR_MS, match.setup.bank_ms // 6)
        for colour in range(match.owners):
            column = left if colour == 0 else right if colour == match.owners - 1 else 4
            left_ms = self.left_ms[match.owner_of(colour)]
            scene.column(column, colour << 4 | REST, min(6, (left_ms + cell_ms - 1) // cell_ms))
