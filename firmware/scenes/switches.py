# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The page of lights and switches behind the pause page."""

from firmware.scenes.pause import Pause
from firmware.scenes.scene import REST
from firmware.store import BRIGHTNESS, CLOCK_SHOWN, CONFIRM, CUE, NIGHT, PALETTE


class Lights(Pause):
    """a darker, b brighter, c night, d next palette, e cue, f confirm, g clock; pop goes back.

    The outer columns show the palette's two sides; what is switched on stands full height.
    """

    pictures = b"3.....33333399....010101::....77....88...."
    # choice, key in the store, the setting that holds until it is set there
    switches = (
        (2, NIGHT, None),
        (4, CUE, "cue"),
        (5, CONFIRM, "confirm"),
        (6, CLOCK_SHOWN, "clock_shown"),
    )

    def _is_on(self, key, setting):
        return self.app.store.get(key, getattr(self.app.settings, setting) if setting else 0)

    def choose(self, choice, now):
        app = self.app
        store, lights = app.store, app.lights
        if choice < 2:
            # Go on until it can be seen. Setting the brightness ends the night.
            step = 10 * choice - 5
            level, percent = lights.level, lights.percent
            while lights.level == level and 0 < percent + step <= 100:
                percent += step
                lights.set(lights.palette, percent)
            if lights.level == level:
                app.refuse(choice, now)
            else:
                store.put(NIGHT, 0)
                store.put(BRIGHTNESS, percent)
        elif choice == 3:
            app.board.busy(lights.set, lights.palette + 1, lights.percent)
            app.board.forget("firmware.palettes")
            store.put(PALETTE, lights.palette)
        else:
            for switch, key, setting in self.switches:
                if switch == choice:
                    store.put(key, 1 - self._is_on(key, setting))
            app.relight()

    def back(self, now):
        self.app.go("pause", now)

    def outer(self):
        for switch, key, setting in self.switches:
            if self._is_on(key, setting):
                self.column(1 + switch, (self.pictures[6 * switch] & 15) << 4 | REST)
        self.column(0, REST)
        self.column(8, 1 << 4 | REST)
