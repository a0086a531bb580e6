# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A game on show."""

# Whose turn, falling and sinking discs, the last disc, armed pop, hint and thought.

from adafruit_ticks import ticks_diff
from micropython import const

from engine.moves import COLUMN, POP
from engine.variation import FIRST
from firmware.game import TAKES
from firmware.lights import WHITE
from firmware.scenes.scene import (
    ALL,
    ANIMATION_MS,
    ARMED,
    BREATH_MS,
    BRIGHT,
    CUE,
    DIM,
    HINT,
    HOLD,
    HURRY,
    LAST,
    PIXELS,
    POP_BUTTON,
    REST,
    THOUGHT,
    TURN,
    UP,
    Scene,
    beat,
)
from firmware.store import CLOCK_SHOWN, CONFIRM
from firmware.store import CUE as CUE_ON

_ARMED_MS = const(5000)
_HINT_MS = const(2000)
_HINT_LEVEL = const(6)
_REPLY_MS = const(300)  # the engine's disc waits so long after the person's has settled
_CLOCK_MS = const(1000)  # the clock stands on the board so long after a move
_HURRY_MS = const(30000)
_SINK_FRAMES = const(12)
_SETTLE = b"\x0f\x0c\x0a\x0c\x0f"  # shades of a disc that has just landed, a frame each
_HELD = const(1)  # a hint: the pop button is still down,
_ASKED = const(2)  # it is being thought of,
_SHOWN = const(3)  # it is on show

# Rows of the outer columns that are lit for a seat, as masks, by the number of seats: three players and the partners
# of a team are told apart by height as well. Where the outer columns are part of the grid they breathe instead.
_OUTER = b"\x3f\x3f\x00\x00\x03\x0c\x30\x00\x07\x07\x38\x38"  # four bytes for two seats, for three, for four


class Play(Scene):
    def __init__(self, app):
        """A press is a move, a refusal, or waits for the disc that is moving (one press, no more)."""
        Scene.__init__(self, app)
        self.clock_runs = True
        self.reply_ms = _REPLY_MS
        self.shown = bytearray(PIXELS)  # the position as it was before the disc that is moving
        self.moving = -1  # LED column of the disc that is moving

    def enter(self, now):
        get, settings = self.app.store.get, self.app.settings
        self.confirm = get(CONFIRM, settings.confirm)
        self.cue = get(CUE_ON, settings.cue)
        self.show_clock = get(CLOCK_SHOWN, settings.clock_shown)
        self.clock_shown = False
        self._forget()
        self._settle(now)

    def _forget(self):
        """Nothing is armed, waiting, hovering or thought of."""
        self.app.thinking = self.app.thought = False
        self.queued = self.hover = -1
        self.armed = self.hint = 0  # armed: the kind of move, such as POP, that the next column press makes

    def _settle(self, now):
        """Draw the position as it is, nothing moving."""
        self.moving = -1
        self.since = now
        self.shown[ALL] = self.game.cells
        self.seen = self.game.event
        self.ply = self.game.position.ply
        self.period_ms = BREATH_MS
        self.whose_turn()

    def whose_turn(self):
        """Looked up at each change of the position, and not in every round of the loop."""
        self.theirs = self.game.engine_turn()
        self.mine = self.game.is_open() and not self.theirs

    # Presses

    def press(self, event, now):
        app, position = self.app, self.game.position
        if self.game.event != self.seen:  # two presses in one round, or a move from the serial line before this one
            self._follow(now)
        if event == POP_BUTTON | HOLD:
            app.go("pause", now)
        elif event == POP_BUTTON | UP:
            if self.hint == _HELD:
                self.hint = _ASKED
        elif event > POP_BUTTON:
            pass
        elif not self.mine or self.queued >= 0:
            app.refuse(event, now)
        elif event < POP_BUTTON:
            move = event | self.armed
            if not (self.armed or self.confirm or position.is_legal(move)) and position.legal()[0] & POP:
                move |= POP  # nothing but pops can be played: no need to arm one
            if not position.is_legal(move):
                app.refuse(event, now)
                return
            hovers = self.confirm and not self.armed and self.hover != event
            self._forget()
            if hovers:
                self.hover = event
            elif self.moving >= 0:
                self.queued = move
            else:
                self.game.play(move, now)
        elif self.hint:
            self._forget()
        elif position.variation.moves[-1] <= COLUMN:  # there is nothing but drops
            self.ask_hint(now)
            self.hint = _HELD
        else:
            # The next kind that has a move: the moves are in the order of their kinds. None is left: disarmed.
            kind = 0
            for move in position.variation.moves:
                if not kind and move & ~COLUMN > self.armed and position.is_legal(move):
                    kind = move & ~COLUMN
            if not kind and not self.armed:
                app.refuse(event, now)
            self.hover = -1
            self.armed = kind
            self.since_armed = now

    def ask_hint(self, now):
        """Think of a move to show. Asked for by the pop button, it waits for the release: it may become the pause."""
        self.hint = _ASKED
        self.app.think(now, _HINT_LEVEL)

    # Time

    def tick(self, now):
        game, app = self.game, self.app
        if game.clock is not None:
            game.clock.go_on(game, now, self.moving < 0)
        if game.event != self.seen:
            self._follow(now)
        if self.theirs and not app.thinking and not app.thought:
            app.think(now, game.setup.level)
        self.ready = False
        if self.moving >= 0:
            if 0 <= ticks_diff(now, self.since) < self.last_frame * ANIMATION_MS:
                return
            self._settle(now)
            app.dirty = True
        move = self.queued
        if game.result is not None:
            app.go("result", now)
            return
        if self.theirs and app.thought and ticks_diff(now, self.since) >= self.reply_ms:
            move = app.search.move
        if move >= 0:
            game.play(move, now)
            self._follow(now)
            return
        self.ready = self.mine
        if self.hint == _SHOWN:
            if ticks_diff(now, self.since_hint) >= _HINT_MS:
                self.hint = 0
        elif self.hint == _ASKED and app.thought:
            app.thought = False
            self.hint = _SHOWN
            self.since_hint = now
            game.hinted(app.search.move)
        if self.armed and ticks_diff(now, self.since_armed) >= _ARMED_MS:
            self.armed = 0

    def _follow(self, now):
        """The position has changed: start the animation of a move, or show the new position at once."""
        game = self.game
        position = game.position
        move = game.last_move
        column = FIRST + (move & COLUMN)
        self._forget()
        self.app.dirty = True
        self.since_move = now
        self.clock_shown = game.clock is not None and self.show_clock
        if position.ply != self.ply + 1 or self.moving == column:
            self._settle(now)
            return
        if self.moving >= 0:  # a second move from the serial line: the first has arrived
            for cell in range(PIXELS):
                if cell // 6 != column:
                    self.shown[cell] = game.cells[cell]
        self.moving = column
        self.sinking = move & ~COLUMN in TAKES
        self.landing = 6 * column + position.height(move & COLUMN) - 1
        self.top = 6 * column + position.variation.rows - 1
        self.landed = 0  # frames until the disc lands
        while not self.sinking and self._fallen(self.landed) < 16 * (self.top - self.landing):
            self.landed += 1
        self.last_frame = _SINK_FRAMES if self.sinking else self.landed + len(_SETTLE)
        self.since = now
        self.seen = game.event
        self.ply = position.ply
        self.period_ms = ANIMATION_MS
        self.whose_turn()

    def _fallen(self, frame):
        """How far a disc has fallen, in sixteenths of a cell: a start that shows at once, then acceleration."""
        return 2 * frame + 3 * frame * frame // 16

    # Drawing; from the back to the front

    def draw(self, now):
        frame, game = self.frame, self.game
        position = game.position
        variation = position.variation
        free = variation.free
        own = position.to_move << 4
        frame[ALL] = self.shown
        if self.moving >= 0:
            self._draw_moving(max(0, ticks_diff(now, self.since)) // ANIMATION_MS)
        elif game.last_cell >= 0:
            frame[game.last_cell] = frame[game.last_cell] & 240 | beat(LAST, now)
        self._draw_turn(position, variation, own, now)
        if self.cue and beat(CUE, now) != REST:
            for cell in range(PIXELS):
                if frame[cell] > 16 and frame[cell] < 32:
                    frame[cell] = 16 | beat(CUE, now)
        top = 5 + variation.rows
        if self.armed:
            self._draw_armed(position, variation, own | beat(ARMED, now))
        if self.hover >= 0:
            frame[top + 6 * self.hover] = own | beat(ARMED, now)
        if self.queued >= 0:  # the press that waits: its disc at the top, or the one that is to be popped, bright
            frame[self._place(position, self.queued)] = own | BRIGHT
        if self.hint == _SHOWN:
            move = self.app.search.move
            shade = beat(HINT, now)
            frame[self._place(position, move)] = own | shade if shade else WHITE << 4 | BRIGHT
        elif self.app.thinking and self.moving < 0:
            # A spark over the lowest empty cells; in a full column the top disc dims instead of being hidden.
            i = min(beat(THOUGHT, now), free - 1)
            cell = 6 + 6 * i + position.height(i)
            if position.height(i) < variation.rows and not frame[cell]:
                frame[cell] = WHITE << 4 | DIM
            else:
                frame[cell - 1] = frame[cell - 1] & 240 | DIM
        if self.clock_shown:
            self.clock_shown = ticks_diff(now, self.since_move) < _CLOCK_MS
            game.clock.draw(self, variation.sides, 8 - variation.sides)

    def _place(self, position, move):
        """The cell that ``move`` is about: the disc that leaves, or where one would come to lie."""
        i = move & COLUMN
        return 6 + 6 * i + (0 if move & ~COLUMN in TAKES else min(5, position.height(i)))

    def _draw_armed(self, position, variation, paint):
        """The discs that can be popped blink, or the cells that a power can be used on. Of powers there are four: as
        many cells of the outer columns as the armed one's number are white."""
        frame = self.frame
        for i in range(variation.free):
            if position.is_legal(self.armed | i):
                cell = self._place(position, self.armed | i)
                frame[cell] = (frame[cell] or paint) & 240 | paint & 15
        if self.armed > POP:
            for row in range(self.armed >> 4):
                frame[row] = frame[48 + row] = WHITE << 4 | BRIGHT

    def _draw_moving(self, n):
        """Frame ``n`` of the animation."""
        frame, shown = self.frame, self.shown
        if self.sinking:
            sunk = min(16, 16 * n * n // (_SINK_FRAMES * _SINK_FRAMES) + n // 2)
            base = 6 * self.moving
            for row in range(6):
                if sunk < 8:
                    paint = shown[base + row]
                    shade = REST - sunk
                else:
                    paint = shown[base + row + 1] if row < 5 else 0
                    shade = REST - 16 + sunk
                frame[base + row] = paint and paint & 240 | shade
            return
        own = self.game.cells[self.landing] & 240
        if n >= self.landed:
            n -= self.landed
            frame[self.landing] = own | (_SETTLE[n] if n < len(_SETTLE) else BRIGHT)
        else:
            fallen = self._fallen(n)
            cell = self.top - (fallen >> 4)
            frame[cell] = own | BRIGHT - (fallen & 15)
            if fallen & 15:
                frame[cell - 1] = own | fallen & 15

    def _draw_turn(self, position, variation, own, now):
        frame, clock = self.frame, self.game.clock
        hurries = clock is not None and clock.left_ms[self.game.match.owner_of(own >> 4)] < _HURRY_MS
        paint = own | beat(HURRY if hurries else TURN, now)
        mask = _OUTER[4 * variation.seats - 8 + position.seat]
        for row in range(6):
            if variation.sides:
                if frame[row] & 240 == own:
                    frame[row] = paint
                if frame[48 + row] & 240 == own:
                    frame[48 + row] = paint
            elif mask >> row & 1:
                frame[row] = frame[48 + row] = paint
