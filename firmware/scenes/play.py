# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A game on show: whose turn, falling and sinking discs, the last disc, armed pop, hint and thought."""

from adafruit_ticks import ticks_diff

from engine.position import POP
from engine.variation import FIRST
from firmware.lights import WHITE
from firmware.scenes.scene import (
    ALL,
    ANIMATION_MS,
    BREATH_MS,
    BRIGHT,
    DIM,
    HOLD,
    PIXELS,
    POP_BUTTON,
    REST,
    RHYTHMS,
    UP,
    Scene,
    beat,
)
from firmware.store import CLOCK_SHOWN, CONFIRM, CUE

ARMED_MS = 5000
HINT_MS = 2000
HINT_LEVEL = 5
REPLY_MS = 300  # the engine's disc waits so long after the person's has settled
CLOCK_MS = 1000  # the clock stands on the board so long after a move
HURRY_MS = 30000
BAR_MS = 10000  # a clock's lit cell stands for a sixth of its bank, but at least for this
SINK_FRAMES = 12
SETTLE = b"\x0f\x0c\x0a\x0c\x0f"  # shades of a disc that has just landed, a frame each
UNHINTED, ASKED, HINTED = 0, 1, 2

# Rows of the outer columns that are lit for a seat, as masks, by the number of seats: three players and the partners
# of a team are told apart by height as well. Where the outer columns are part of the grid they breathe instead.
OUTER = {2: b"\x3f\x3f", 3: b"\x03\x0c\x30", 4: b"\x07\x07\x38\x38"}


class Play(Scene):
    """The game on show. A press is a move, a refusal, or waits for the disc that is moving (one press, no more)."""

    def __init__(self, app):
        Scene.__init__(self, app)
        self.clock_runs = True
        self.reply_ms = REPLY_MS
        self.shown = bytearray(PIXELS)  # the position as it was before the disc that is moving
        self.seen = -1  # game.event that is drawn
        self.ply = 0
        self.moving = -1  # LED column of the disc that is moving
        self.moved_at = self.armed_at = self.hint_at = self.clock_at = 0
        self.armed = self.hint_held = self.clock_shown = self.cue = self.mine = self.theirs = False
        self.queued = self.hover = self.hint_move = -1
        self.hint = UNHINTED

    def enter(self, now):
        get, settings = self.app.store.get, self.app.settings
        self.confirm = get(CONFIRM, settings.confirm)
        self.cue = get(CUE, settings.cue)
        self.show_clock = get(CLOCK_SHOWN, settings.clock_shown)
        self.armed = False
        self.clock_shown = False
        self.queued = self.hover = -1
        self.hint = UNHINTED
        self._settle(now)

    def _settle(self, now):
        """Draw the position as it is, nothing moving."""
        self.moving = -1
        self.moved_at = now
        self.shown[ALL] = self.game.cells
        self.seen = self.game.event
        self.ply = self.game.position.ply
        self.period_ms = BREATH_MS
        self._turn()

    def _turn(self):
        """Who is to move: looked up at each change of the position, and not in every round of the loop."""
        self.theirs = self.game.engine_turn()
        self.mine = self.game.is_open() and not self.theirs

    # Presses

    def press(self, event, now):
        if event < POP_BUTTON:
            self._column(event, now)
        elif event == POP_BUTTON:
            self._pop_button(now)
        elif event == POP_BUTTON | UP:
            self.hint_held = False
        elif event == POP_BUTTON | HOLD:
            self.app.go("pause", now)

    def _column(self, column, now):
        move = column | POP if self.armed else column
        if not self.mine or self.queued >= 0 or not self.game.position.is_legal(move):
            self.app.refuse(column, now)
            return
        self._drop_hint()
        if self.confirm and not self.armed and self.hover != column:
            self.hover = column
            return
        self.hover = -1
        self.armed = False
        if self.moving >= 0:
            self.queued = move
        else:
            self.game.play(move, now)

    def _pop_button(self, now):
        position = self.game.position
        if not self.mine or self.queued >= 0:
            self.app.refuse(POP_BUTTON, now)
        elif not position.variation.pop:
            if self.hint:
                self._drop_hint()
            else:
                self.ask_hint(now, True)
        elif self.armed:
            self.armed = False
        else:
            self.hover = -1
            for i in range(position.variation.free):
                if position.is_legal(POP | i):
                    self.armed = True
                    self.armed_at = now
                    return
            self.app.refuse(POP_BUTTON, now)

    def ask_hint(self, now, held=False):
        """Think of a move to show; ``held``: not before the pop button is up, for it may become the pause page."""
        self._drop_hint()
        self.hint = ASKED
        self.hint_held = held
        self.app.think(now, HINT_LEVEL)

    def _drop_hint(self):
        if self.hint == ASKED:
            self.app.stop_thinking()
        self.hint = UNHINTED

    # Time

    def tick(self, now):
        game, app = self.game, self.app
        if game.clock is not None:
            game.run_clock(now, self.moving < 0)
        if game.event != self.seen:
            self._follow(now)
        if self.moving >= 0:
            if self._frames(now) < self.last_frame:
                self.ready = False
                if self.theirs and not app.thinking and not app.thought:
                    app.think(now, game.setup.level)
                return
            self._settle(now)
            app.dirty = True
        if game.result is not None:
            app.go("result", now)
            return
        if self.queued >= 0:
            move = self.queued
            self.queued = -1
            game.play(move, now)
            self._follow(now)
            return
        self.ready = self.mine
        if self.theirs:
            if app.thought:
                if ticks_diff(now, self.moved_at) >= self.reply_ms:
                    app.thought = False
                    game.play(app.search.move, now)
                    self._follow(now)
            elif not app.thinking:
                app.think(now, game.setup.level)
        elif self.hint:
            self._hint(now)
        if self.armed and ticks_diff(now, self.armed_at) >= ARMED_MS:
            self.armed = False
            app.dirty = True

    def _hint(self, now):
        app = self.app
        if self.hint == HINTED:
            if ticks_diff(now, self.hint_at) >= HINT_MS:
                self.hint = UNHINTED
                app.dirty = True
        elif app.thought and not self.hint_held:
            app.thought = False
            self.hint = HINTED
            self.hint_at = now
            self.hint_move = app.search.move
            app.hint_found(self.hint_move)

    def _follow(self, now):
        """The position has changed: start the animation of a move, or show the new position at once."""
        game = self.game
        position = game.position
        move = game.last_move
        self._drop_hint()
        self.armed = False
        self.queued = self.hover = -1
        column = FIRST + (move & 7)
        if position.ply != self.ply + 1 or self.moving == column:
            self._settle(now)
        else:
            if self.moving >= 0:  # a second move from the serial line: the first has arrived
                for cell in range(PIXELS):
                    if cell // 6 != column:
                        self.shown[cell] = game.cells[cell]
            self.moving = column
            self.sinking = move & POP
            self.landing = position.height(move & 7) - 1
            self.top = position.variation.rows - 1
            self.last_frame = SINK_FRAMES if self.sinking else self._fall_frames()
            self.moved_at = now
            self.seen = game.event
            self.ply = position.ply
            self.period_ms = ANIMATION_MS
            self._turn()
        self.clock_at = now
        self.clock_shown = game.clock is not None and self.show_clock
        self.app.dirty = True

    def _frames(self, now):
        return ticks_diff(now, self.moved_at) // ANIMATION_MS

    def _fall_frames(self):
        """Frames until a falling disc has landed and settled."""
        frame = 0
        while self._fallen(frame) < 16 * (self.top - self.landing):
            frame += 1
        self.landed = frame
        return frame + len(SETTLE)

    def _fallen(self, frame):
        """How far a disc has fallen, in sixteenths of a cell: a start that shows at once, then acceleration."""
        return 2 * frame + 3 * frame * frame // 16

    # Drawing; from the back to the front

    def draw(self, now):
        frame, game = self.frame, self.game
        position = game.position
        colour = position.to_move
        frame[ALL] = self.shown
        if self.moving >= 0:
            if self.sinking:
                self._draw_sinking(self._frames(now))
            else:
                self._draw_falling(self._frames(now))
        elif game.last_move >= 0 and not game.last_move & POP:
            cell = game.last_cell()
            frame[cell] = frame[cell] & 240 | beat(RHYTHMS["last"], now)
        self._draw_turn(position, colour, now)
        if self.cue:
            self._draw_cue(now)
        if self.armed:
            self._draw_armed(position, now)
        if self.hover >= 0:
            frame[6 * (FIRST + self.hover) + position.variation.rows - 1] = colour << 4 | beat(RHYTHMS["armed"], now)
        if self.queued >= 0:
            self._draw_queued(position, colour)
        if self.hint == HINTED:
            self._draw_hint(position, colour, now)
        if self.app.thinking and self.moving < 0:
            self._draw_thought(position, now)
        if self.clock_shown:
            if ticks_diff(now, self.clock_at) >= CLOCK_MS:
                self.clock_shown = False
            else:
                sides = position.variation.sides
                self.draw_clocks(1 if sides else 0, 7 if sides else 8)

    def _draw_falling(self, n):
        frame = self.frame
        base = 6 * self.moving
        cell = base + self.landing
        paint = self.game.cells[cell] & 240
        if n >= self.landed:
            n -= self.landed
            frame[cell] = paint | (SETTLE[n] if n < len(SETTLE) else BRIGHT)
        else:
            fallen = self._fallen(n)
            cell = base + self.top - (fallen >> 4)
            frame[cell] = paint | BRIGHT - (fallen & 15)
            if fallen & 15:
                frame[cell - 1] = paint | (fallen & 15)

    def _draw_sinking(self, n):
        frame, shown = self.frame, self.shown
        sunk = min(16, 16 * n * n // (SINK_FRAMES * SINK_FRAMES) + n // 2)
        base = 6 * self.moving
        for row in range(6):
            if sunk < 8:
                paint = shown[base + row]
                shade = REST - sunk
            else:
                paint = shown[base + row + 1] if row < 5 else 0
                shade = sunk - 5
            frame[base + row] = paint and paint & 240 | shade

    def _draw_turn(self, position, colour, now):
        frame, clock = self.frame, self.game.clock
        rhythm = RHYTHMS["turn"]
        if clock is not None and clock.left_ms[self.game.match.owner_of(colour)] < HURRY_MS:
            rhythm = RHYTHMS["hurry"]
        shade = beat(rhythm, now)
        if position.variation.sides:
            for row in range(6):
                if frame[row] >> 4 == colour:
                    frame[row] = colour << 4 | shade
                if frame[48 + row] >> 4 == colour:
                    frame[48 + row] = colour << 4 | shade
        else:
            mask = OUTER[position.variation.seats][position.seat]
            for row in range(6):
                if mask >> row & 1:
                    frame[row] = frame[48 + row] = colour << 4 | shade

    def _draw_cue(self, now):
        shade = beat(RHYTHMS["cue"], now)
        if shade != REST:
            frame = self.frame
            for cell in range(PIXELS):
                if frame[cell] & 240 == 16 and frame[cell] & 15:
                    frame[cell] = 16 | shade

    def _draw_armed(self, position, now):
        shade = beat(RHYTHMS["armed"], now)
        for i in range(position.variation.free):
            cell = 6 * (FIRST + i)
            if position.is_legal(POP | i):
                self.frame[cell] = self.frame[cell] & 240 | shade

    def _draw_queued(self, position, colour):
        """The press that waits: its disc at the top of the column, or the disc to be popped, bright."""
        cell = 6 * (FIRST + (self.queued & 7))
        if not self.queued & POP:
            cell += position.variation.rows - 1
        self.frame[cell] = colour << 4 | BRIGHT

    def _draw_hint(self, position, colour, now):
        i = self.hint_move & 7
        cell = 6 * (FIRST + i)
        if not self.hint_move & POP:
            cell += position.height(i)
        shade = beat(RHYTHMS["hint"], now)
        self.frame[cell] = colour << 4 | shade if shade else WHITE << 4 | BRIGHT

    def _draw_thought(self, position, now):
        """A spark over the lowest empty cells; in a full column its top disc dims instead of being hidden."""
        variation = position.variation
        i = min(beat(RHYTHMS["thought"], now), variation.free - 1)
        height = position.height(i)
        cell = 6 * (FIRST + i) + height
        if height < variation.rows and not self.frame[cell]:
            self.frame[cell] = WHITE << 4 | DIM
        else:
            self.frame[cell - 1] = self.frame[cell - 1] & 240 | DIM

    def draw_clocks(self, left, right):
        """What is left on the clocks, as lit columns: LED column ``left`` for Red's, ``right`` for the last side's;
        three players have the middle one too."""
        clock, match = self.game.clock, self.game.match
        colours = self.game.position.variation.colours
        cell_ms = max(BAR_MS, self.game.setup.bank_ms // 6)
        for colour in range(colours):
            column = left if colour == 0 else right if colour == colours - 1 else 4
            left_ms = clock.left_ms[match.owner_of(colour)]
            self.column(column, colour << 4 | REST, min(6, (left_ms + cell_ms - 1) // cell_ms))
