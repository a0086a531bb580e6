# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The pause page, and the page of lights behind it."""

from firmware.scenes.scene import REST, Page, picture
from firmware.store import BRIGHTNESS, CLOCK_SHOWN, CONFIRM, CUE, NIGHT, PALETTE

TAKE_BACK, HINT, RESIGN_GAME, RESIGN_MATCH, NEW_GAME, LIGHTS = range(1, 7)


class Pause(Page):
    """a resume, b take back, c hint, d resign the game, e resign the match, f new game, g lights; pop resumes.

    What ends a game asks for a second press of the same button. The outer columns show the clocks, or who is to move.
    """

    def __init__(self, app):
        Page.__init__(self, app)
        self.clock_runs = True
        self.pictures = picture("GGGGGG Y.YYY. C.CCCC RR.... MM..MM BBB... w.w.w.")

    def enter(self, now):
        self.lit = -1

    def tick(self, now):
        if self.game.run_clock(now, True):
            self.app.go("play", now)

    def choose(self, choice, now):
        game, app = self.game, self.app
        asks = RESIGN_GAME <= choice <= NEW_GAME and game.is_open()
        if asks and choice != self.lit:
            self.lit = choice
            return
        self.lit = -1
        if choice == LIGHTS:
            app.go("bright", now)
        elif choice == NEW_GAME:
            app.store.clear()
            app.go("setup", now)
        elif (
            not game.is_open()
            and choice
            or choice == TAKE_BACK
            and not game.take_back(now)
            or choice == HINT
            and game.engine_turn()
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
        game = self.game
        if game.clock is not None:
            self.app.scenes["play"].draw_clocks(0, 8)
        else:
            for column in (0, 8):
                self.column(column, game.position.to_move << 4 | REST)


class Bright(Page):
    """a darker, b brighter, c night, d next palette, e cue, f confirm, g clock; pop goes back.

    The outer columns show the palette's two sides; what is switched on stands full height.
    """

    def __init__(self, app):
        Page.__init__(self, app)
        self.clock_runs = True
        self.pictures = picture("w..... wwwwww BB.... ryryry MM.... GG.... CC....")
        settings = app.settings
        # choice, key in the store, what holds until it is set there
        self.switches = (
            (2, NIGHT, 0),
            (4, CUE, settings.cue),
            (5, CONFIRM, settings.confirm),
            (6, CLOCK_SHOWN, settings.clock_shown),
        )

    def tick(self, now):
        if self.game.run_clock(now, True):
            self.app.go("play", now)

    def choose(self, choice, now):
        app = self.app
        store, lights = app.store, app.lights
        if choice < 2:
            self._step(10 * choice - 5, now)
        elif choice == 3:
            lights.set_palette(lights.palette + 1)
            store.put(PALETTE, lights.palette)
        else:
            for switch, key, default in self.switches:
                if switch == choice:
                    store.put(key, 1 - store.get(key, default))
            app.relight()

    def _step(self, step, now):
        """Go on by ``step`` percent until it can be seen; the brightness by night is the settings' own."""
        app = self.app
        store, lights = app.store, app.lights
        level, percent = lights.level, lights.percent
        if store.get(NIGHT, 0):
            store.put(NIGHT, 0)
        while lights.level == level and 0 < percent + step <= 100:
            percent += step
            lights.set_brightness(percent)
        if lights.level == level:
            app.refuse(0 if step < 0 else 1, now)
        else:
            store.put(BRIGHTNESS, percent)

    def back(self, now):
        self.app.go("pause", now)

    def draw(self, now):
        Page.draw(self, now)
        store = self.app.store
        for switch, key, default in self.switches:
            if store.get(key, default):
                self.column(1 + switch, self.pictures[6 * switch])
        self.column(0, 0 << 4 | REST)
        self.column(8, 1 << 4 | REST)
