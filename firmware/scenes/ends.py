# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""After a game: the result, the score, the two players' "ready", and the end of the match."""

from adafruit_ticks import ticks_diff

from engine.variation import DRAW
from firmware.scenes.scene import (
    ALL,
    BRIGHT,
    DARK,
    DIM,
    FAINT,
    HOLD,
    PIXELS,
    POP_BUTTON,
    REST,
    RHYTHMS,
    Scene,
    beat,
)

GUARD_MS = 400  # a press meant for the game is not yet one for the score
RESULT_MS, SCORE_MS = 10000, 4000  # so long they stay by themselves
DEMO_MS = 4000


class Result(Scene):
    """The winner's lines blink, all else is dim; a draw breathes both colours. Any press, or time, leads on."""

    def __init__(self, app):
        Scene.__init__(self, app)
        self.mask = bytearray(PIXELS)  # 1: a cell of a line that ended the game

    def enter(self, now):
        self.since = now
        game = self.game
        self.app.dim_scene = game.demo
        self.ready = False
        mask, cells = self.mask, game.cells
        mask[ALL] = DARK
        position = game.position
        if position.result is not None and position.result != DRAW:
            variation = position.variation
            colour = 1 - position.result if variation.misere else position.result
            # Windows of the required length cover a longer line too. Two or three cells are looked at on average.
            for line in variation.lines:
                for cell in line:
                    if not cells[cell] or cells[cell] >> 4 != colour:
                        break
                else:
                    for cell in line:
                        mask[cell] = 1

    def press(self, event, now):
        if event == POP_BUTTON | HOLD:
            self.app.go("pause", now)
        elif event <= POP_BUTTON:
            if self.ready:
                self._onward(now)
            else:
                self.app.refuse(event, now)

    def tick(self, now):
        shown_ms = ticks_diff(now, self.since)
        self.ready = shown_ms >= GUARD_MS
        if shown_ms >= (DEMO_MS if self.game.demo else RESULT_MS):
            if self.game.demo:
                self.app.go("attract", now)
            else:
                self._onward(now)

    def _onward(self, now):
        self.app.go("setup" if self.game.demo else "end" if self.game.match.over else "score", now)

    def draw(self, now):
        game, frame, mask = self.game, self.frame, self.mask
        if game.result == DRAW:
            self.shaded(beat(RHYTHMS["draw"], now))
            return
        shade = beat(RHYTHMS["win"], now)
        cells = game.cells
        by_line = game.position.result is not None
        for cell in range(PIXELS):
            paint = cells[cell]
            if paint:
                # Resigned or out of time: there is no line, all the winner's discs blink.
                won = mask[cell] if by_line else paint >> 4 == game.result
                paint = paint & 240 | (shade if won else DIM)
            frame[cell] = paint


class Score(Scene):
    """The score: a lit cell is half a point, the columns stand in the order of the colours. Any press leads on."""

    def enter(self, now):
        self.since = now

    def press(self, event, now):
        if event == POP_BUTTON | HOLD:
            self.app.go("pause", now)
        elif event <= POP_BUTTON:
            self._onward(now)

    def tick(self, now):
        if ticks_diff(now, self.since) >= SCORE_MS:
            self._onward(now)

    def _onward(self, now):
        self.app.go("ready", now)

    def draw(self, now):
        self.frame[ALL] = DARK
        match = self.game.match
        best = match.winner()
        shade = beat(RHYTHMS["win"], now)
        for colour in range(match.owners):
            owner = match.owner_of(colour)
            points = match.points[owner]
            paint = colour << 4 | (shade if owner == best else REST)
            if not points:
                points = 1
                paint = colour << 4 | FAINT  # nothing yet: a faint cell
            column = 2 + 5 * colour if match.owners == 2 else 1 + 3 * colour
            self.column(column - 1, paint, points)
            self.column(column, paint, points)


class End(Score):
    """The end of the match: the score, the winner's blinking, until somebody presses; then a new game is set up."""

    def tick(self, now):
        pass

    def _onward(self, now):
        self.app.store.clear()
        self.app.go("setup", now)


class Ready(Scene):
    """The final position stays until every player has pressed: a to c Red's, e to g Yellow's, lit at half until then.

    With three players any three presses do. The engine is always ready.
    """

    def enter(self, now):
        self.done = 0  # mask of colours that are ready
        match = self.game.match
        for colour in range(match.owners):
            if match.is_engine(colour):
                self.done |= 1 << colour

    def press(self, event, now):
        if event == POP_BUTTON | HOLD:
            self.app.go("pause", now)
        elif event <= POP_BUTTON:
            colour = self._whose(event)
            if colour < 0 or self.done >> colour & 1:
                self.app.refuse(event, now)
                return
            self.done |= 1 << colour
            if self.done + 1 == 1 << self.game.match.owners:
                self.game.next_game(now)
                self.app.go("play", now)

    def _whose(self, button):
        """Colour of the player that ``button`` belongs to, -1 for none."""
        if button == POP_BUTTON:
            return -1
        if self.game.match.owners > 2:
            for colour in range(self.game.match.owners):
                if not self.done >> colour & 1:
                    return colour
        return -1 if button == 3 else 0 if button < 3 else 1

    def draw(self, now):
        self.shaded(DIM)
        frame = self.frame
        three = self.game.match.owners > 2
        for button in range(7):
            colour = button // 2 if three else 1 if button > 3 else 0
            if button != 3 and colour < 3 or three and button < 6:
                frame[6 * (1 + button) + 5] = colour << 4 | (BRIGHT if self.done >> colour & 1 else REST // 2)
