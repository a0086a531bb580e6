# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Power-on: light test, the saved game, attract mode. The app forgets this module when the first game is set up."""

from adafruit_ticks import ticks_diff

from engine.match import Setup
from firmware.lights import ORANGE
from firmware.scenes.play import Play
from firmware.scenes.scene import ALL, HOLD, LAST, PIXELS, POP_BUTTON, REST, UP, Scene, beat

STAGE_MS = 250
DEMO_LEVEL = 3
DEMO_REPLY_MS = 1200


class Start(Scene):
    """The light test: all pixels in each side's colour. What is wrong with the settings blinks amber first."""

    def enter(self, now):
        self.since = now
        self.stages = [0, 1, 2] if self.app.saved is None else []
        if self.app.complaints:
            self.stages = [ORANGE, -1, ORANGE, -1] + self.stages

    def press(self, event, now):
        if event <= POP_BUTTON:
            self.app.go("setup" if self.app.saved is None else "resume", now)

    def tick(self, now):
        if ticks_diff(now, self.since) >= STAGE_MS * len(self.stages):
            self.app.go("attract" if self.app.saved is None else "resume", now)

    def draw(self, now):
        stage = max(0, ticks_diff(now, self.since)) // STAGE_MS
        colour = self.stages[stage] if stage < len(self.stages) else -1
        for cell in range(PIXELS):
            self.frame[cell] = colour << 4 | REST if colour >= 0 else 0


def restore(game, saved, now):
    """Take up in ``game`` what the store kept (firmware/recall.py, Saved)."""
    game.demo = False
    game.match = match = saved.match
    game.setup = match.setup
    game.clock = saved.clock
    game.position = saved.position
    game.seed = saved.seed
    game.first_ply = saved.given
    game.result = saved.position.result
    if match.finished and game.result is None:
        game.result = game.without(match.ending & 3)
    if game.clock is not None:
        game.clock.at = now
    game.redraw()
    if game.result is not None and not match.finished:  # the power went between the last move and its result
        match.finish_game(game.result)
        game.ended(game.result)


class Resume(Scene):
    """A saved game, dimmed: any press goes on with it, pop held drops it."""

    def enter(self, now):
        self.app.dim_scene = True
        self.down = False  # pop is down: it decides when it is released or held
        restore(self.game, self.app.saved, now)

    def press(self, event, now):
        if event == POP_BUTTON:
            self.down = True
            self.app.dim_scene = False
            self.app.relight()
        elif event < POP_BUTTON or event == POP_BUTTON | UP and self.down:
            self.app.go("play", now)
        elif event == POP_BUTTON | HOLD:
            self.app.store.clear()
            self.app.go("setup", now)

    def draw(self, now):
        self.frame[ALL] = self.game.cells
        cell = self.game.last_cell
        if cell >= 0:
            self.frame[cell] = self.frame[cell] & 240 | beat(LAST, now)


class Attract(Play):
    """Nobody plays: the engine plays itself, slowly and dimly. Any press sets up a game."""

    def enter(self, now):
        from firmware.variations import variation

        self.app.dim_scene = True
        self.clock_runs = False
        self.reply_ms = DEMO_REPLY_MS
        self.game.start(Setup(variation(self.app, "five", 0, 0), DEMO_LEVEL, 0, False), now, now, demo=True)
        self.app.prepare_search()
        Play.enter(self, now)

    def press(self, event, now):
        if event <= POP_BUTTON:
            self.app.go("setup", now)

    def tick(self, now):
        Play.tick(self, now)
        self.ready = True

    def whose_turn(self):
        self.mine = False
        self.theirs = self.game.is_open()
