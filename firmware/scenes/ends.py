# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""After a game: the result, the score (which is also the end of the match), and the two players' "ready"."""

from adafruit_ticks import ticks_diff

from engine.variation import DRAW
from firmware.scenes.scene import (
    ALL,
    BOTH,
    BRIGHT,
    DARK,
    DIM,
    FAINT,
    HOLD,
    PIXELS,
    POP_BUTTON,
    REST,
    WIN,
    Scene,
    beat,
)

GUARD_MS = 400  # a press that was meant for the game is not yet one for the score
RESULT_MS, SCORE_MS, DEMO_MS = 10000, 4000, 4000  # so long they stay by themselves


class Result(Scene):
    """The winner's lines blink, all else is dim; a draw breathes both colours. Any press, or time, leads on."""

    def __init__(self, app):
        Scene.__init__(self, app)
        self.mask = bytearray(PIXELS)  # 1: a cell that blinks

    def enter(self, now):
        self.since = now
        self.ready = False
        game, mask = self.game, self.mask
        cells = game.cells
        self.app.dim_scene = game.demo
        mask[ALL] = DARK
        result = game.result
        if result == DRAW:
            return
        if game.position.result is None or game.position.variation.collect:
            # resigned, out of time or won by what was collected: no line, all the winner's discs blink
            for cell in range(PIXELS):
                mask[cell] = 1 if cells[cell] and cells[cell] >> 4 == result else 0
            return
        variation = game.position.variation
        colour = 1 - result if variation.misere else result
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
                self.onward(now)
            else:
                self.app.refuse(event, now)

    def tick(self, now):
        shown_ms = ticks_diff(now, self.since)
        self.ready = shown_ms >= GUARD_MS
        if self.game.demo:
            if shown_ms >= DEMO_MS:
                self.app.go("attract", now)
        elif shown_ms >= RESULT_MS:
            self.onward(now)

    def onward(self, now):
        self.app.go("setup" if self.game.demo else "score", now)

    def draw(self, now):
        frame, mask = self.frame, self.mask
        cells = self.game.cells
        lit, rest = beat(WIN, now), DIM
        if self.game.result == DRAW:
            rest = beat(BOTH, now)
        for cell in range(PIXELS):
            paint = cells[cell]
            frame[cell] = paint and paint & 240 | (lit if mask[cell] else rest)


class Score(Result):
    """The score: a lit cell is half a point, the columns stand in the order of the colours. A press leads on, or time;
    at the end of the match the winner's blinks until a press sets up a new game."""

    def enter(self, now):
        self.since = now

    def tick(self, now):
        if not self.game.match.over and ticks_diff(now, self.since) >= SCORE_MS:
            self.onward(now)

    def onward(self, now):
        if self.game.match.over:
            self.app.store.clear()
            self.app.go("setup", now)
        else:
            self.app.go("ready", now)

    def draw(self, now):
        self.frame[ALL] = DARK
        match = self.game.match
        best = match.winner()
        lit = beat(WIN, now)
        for colour in range(match.owners):
            owner = match.owner_of(colour)
            points = match.points[owner]
            paint = colour << 4 | (FAINT if not points else lit if owner == best else REST)
            column = 1 + (5 if match.owners == 2 else 3) * colour
            self.column(column, paint, points or 1)
            self.column(column + 1, paint, points or 1)


class Ready(Result):
    """The final position stays until every player has pressed: a to c Red's, e to g Yellow's, lit at half until then.

    With three players any three presses do. The engine is always ready.
    """

    def enter(self, now):
        self.done = 0  # mask of the colours that are ready
        match = self.game.match
        for colour in range(match.owners):
            if match.is_engine(colour):
                self.done |= 1 << colour

    def tick(self, now):
        pass

    def press(self, event, now):
        if event >= POP_BUTTON:
            Result.press(self, event, now)
            return
        owners = self.game.match.owners
        colour = -1 if event == 3 else event // 4
        if owners > 2:
            colour = 0
            while self.done >> colour & 1:
                colour += 1
        if colour < 0 or self.done >> colour & 1:
            self.app.refuse(event, now)
            return
        self.done |= 1 << colour
        if self.done + 1 == 1 << owners:
            self.game.next_game(now)
            self.app.go("play", now)

    def onward(self, now):  # the pop button is nobody's
        self.app.refuse(POP_BUTTON, now)

    def draw(self, now):
        Result.draw(self, now)
        two = self.game.match.owners == 2
        for button in range(7):
            colour = button // 4 if two else button // 2
            if button != 3 and two or button < 6 and not two:
                self.frame[11 + 6 * button] = colour << 4 | (BRIGHT if self.done >> colour & 1 else REST // 2)
