# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The pause page."""

from firmware.scenes.scene import REST, Page

TAKE_BACK, HINT, RESIGN_GAME, RESIGN_MATCH, NEW_GAME, LIGHTS = range(1, 7)


class Pause(Page):
    pictures = b"7777776.666.8.888844....::..::999...3.3.3."

    def __init__(self, app):
        """a resume, b take back, c hint, d resign the game, e resign the match, f new game, g lights; pop resumes.

        What ends a game asks for a second press of the same button. The outer columns show the clocks, or who is to
        move.
        """
        Page.__init__(self, app)
        self.clock_runs = True

    def tick(self, now):
        if self.game.clock is not None and self.game.clock.go_on(self.game, now, True):
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
            game.clock.draw(self, 0, 8)
        else:
            self.column(0, game.position.to_move << 4 | REST)
            self.column(8, game.position.to_move << 4 | REST)
