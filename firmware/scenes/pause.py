# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The pause page, and the page of lights and switches behind it."""

from firmware.scenes.scene import REST, Page
from firmware.store import BRIGHTNESS, CLOCK_SHOWN, CONFIRM, CUE, NIGHT, PALETTE

TAKE_BACK, HINT, RESIGN_GAME, RESIGN_MATCH, NEW_GAME, LIGHTS = range(1, 7)


class Pause(Page):
    """a resume, b take back, c hint, d resign the game, e resign the match, f new game, g lights; pop resumes.

    What ends a game asks for a second press of the same button. The outer columns show the clocks, or who is to move.
    """

    pictures = b"7777776.666.8.888844....::..::999...3.3.3."

    def __init__(self, app):
        Page.__init__(self, app)
        self.clock_runs = True

    def tick(self, now):
        if self.game.run_clock(now, True):
            self.app.go("play", now)

    def choose(self, choice, now):
        game, app = self.game, self.app
        is_open = game.is_open()
        if RESIGN_GAME <= choice <= NEW_GAME and is_open and choice != self.lit:
            self.lit = choice
            return
        self.lit = -1
        if choice == LIGHTS:
            app.go("lights", now)
        elif choice == NEW_GAME:
            app.store.clear()
            app.go("setup", now)
        elif choice and (
            not is_open or choice == TAKE_BACK and not game.take_back() or choice == HINT and game.engine_turn()
        ):
            app.refuse(choice, now)
        else:
            if choice >= RESIGN_GAME:
                game.resign(choice == RESIGN_MATCH)
            app.go("play", now)
            if choice == HINT:
                app.current.ask_hint(now)

    def back(self, now):
        self.app.go("play", now)

    def draw(self, now):
        Page.draw(self, now)
        self.outer()

    def outer(self):
        """The outer columns."""
        game = self.game
        if game.clock is not None:
            self.app.scenes["play"].draw_clocks(0, 8)
        else:
            self.column(0, game.position.to_move << 4 | REST)
            self.column(8, game.position.to_move << 4 | REST)


class LightsPage(Pause):
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
            lights.set(lights.palette + 1, lights.percent)
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
