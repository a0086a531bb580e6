# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The loop."""

# Press -> scene -> frame -> lights, with a slice of thought wherever time is left.

from adafruit_ticks import ticks_diff
from micropython import const

from engine.search import SLICE_NODES, Search
from firmware import console
from firmware.game import Game
from firmware.lights import WHITE, Lights
from firmware.scenes.pause import Pause
from firmware.scenes.play import Play
from firmware.scenes.scene import ALL, ANIMATION_MS, BRIGHT, DARK, FAINT, PIXELS, POP_BUTTON, THOUGHT, UP, beat
from firmware.store import BRIGHTNESS, NIGHT, PALETTE, Store
from hal.drive import open_file

_TICKS_MASK = const((1 << 29) - 1)
_TOP = const(11)  # the top of column a; the next columns' are six cells on each
_FLASH_MS = const(240)  # a refused press: two flashes of a third of this each
_REST_MS = const(4)  # sleep between polls when there is nothing to do ...
_DARK_REST_MS = const(8)  # ... and while the board is dark
_MINUTE_MS = const(60000)
_GREETING_MS = const(3000)  # what is printed before a computer has found the USB port is lost
_CONSOLE_MS = const(20)
# Slices of thought in a round of the loop: so many at most, and none is begun later than so many ms after the round
# was. One alone takes no longer than the rest of the round, so half of the time for a thought would be lost.
_SLICES = const(8)
_SLICES_MS = const(3)
_THOUGHT_MS = const(5000)  # no level may think longer; one that does is a fault, told on the console
# What makes a search without pops, with pops; loaded for a moment.
_TABLES = (
    "engine.search_ends engine.search_tables engine.search_worths",
    "engine.search_pop engine.search_ends engine.search_pop_tables",
)
_DIAGNOSTICS_BUTTON = const(6)  # g held at power-on


class App:
    def __init__(self, board, settings, search=None):
        """The whole program over a Board: :meth:`step` for ever. ``search``: a Search that was made before, if any.

        ``scene``: name of the scene on show, ``current`` the scene itself. ``frame``: the 54 paints on show.
        ``ready_for_input``: a press now is taken as a move or a choice. ``dirty``: draw at once instead of at the next
        frame's time. ``thinking``: the search is at work; ``thought``: it is done and waits to be used. ``power``: 0 as
        set, 1 dimmed, 2 dark. ``dim_scene``: the scene itself is dimmed (attract mode, a saved game). ``beginning``:
        (setup, seed, moves) of a game that is about to begin. ``searched``: the variation that the search is for.
        """
        from firmware import recall  # forgotten at once

        self.board = board
        self.settings = settings
        self.frame = bytearray(PIXELS)
        self.complaints = settings.complaints + board.complaints
        self.store = Store(board.nvm, board.write)
        self.saved = recall.load(self.store)
        self.lights = Lights(board, settings.budget_ma)
        self.search = search or Search(1024 * settings.table_kb)
        self.search.open_file = open_file
        self.game = Game(board, settings, self.store)
        self.power = 0
        self.dim_scene = self.thinking = self.thought = self.ready_for_input = self._greeted = self.no_puzzles = False
        self._flash = 0  # mask of the buttons whose refused press is being answered
        self._level = 0  # of a thought that has not started yet
        now = board.ticks_ms()
        self._pressed_at = self._due = self._console_at = self._started_at = self._flash_at = self._now = now
        self._skipped = 0  # ms that the ticks have jumped
        self._dim_ms = settings.dim_minutes * _MINUTE_MS
        self._dark_ms = settings.sleep_minutes * _MINUTE_MS
        self._ticks_ms = board.ticks_ms
        self._poll, self._next = board.buttons.poll, board.buttons.next
        self._work = self._what = self._pieces = None  # what later() was given
        self._heard = self._lent = self._pressed = False
        self.searched = None
        self.scenes = {"play": Play(self), "pause": Pause(self)}
        self._busy = True
        self.relight()
        self.go("diagnostics" if board.buttons.held_at_start >> _DIAGNOSTICS_BUTTON & 1 else "start", now)
        self._busy = False
        self.tidy()

    def later(self, work, what, names, heard=True):
        """Load the modules ``names``, and those of the scene ``what`` if it is one (firmware/overlays.py), a piece in
        each of the next rounds, and then call ``work(what, now)``.

        ``heard``: a press has asked for it. The board answers at once (everything dims but a white pixel, which
        wanders) and refuses presses until it is done. Otherwise the scene on show goes on.
        """
        if self._work and self._what is None:
            self.searched = None  # had it been _prepare, it has to come again
        self._work = work
        self._what = what
        self._names = names
        self._heard = heard
        self._pieces = None
        if heard:
            self.dirty = True
            self.thinking = self.thought = False

    def _go_on(self, now):
        """The next piece of what later() was given."""
        board = self.board
        if not self._lent:
            self._lent = True
            board.lend()
            self._poll = board.scan
        board.collect()  # each time, so that what stays lies close together
        try:
            if self._pieces is None:  # a round for each of these two
                from firmware.overlays import OVERLAYS

                self._pieces = "%s %s" % (self._names, OVERLAYS.get(self._what, ""))
                return
            if isinstance(self._pieces, str):
                from hal.pieces import load

                self._pieces = load(self._pieces)
            for _ in self._pieces:
                return
            work, self._work = self._work, None
            self._busy = True
            work(self._what, now)
        except MemoryError as error:  # the scene on show stays
            self._work = self._pieces = None
            board.collect()
            if self._heard:
                board.write("fault: %s" % error)
            else:
                self._no_thought(error)
        self._busy = False
        self.dirty = True
        if not self._work:
            self._lent = False
            board.take_back()
            self._poll = board.buttons.poll
            self._pieces = None
            self.tidy()

    def tidy(self):
        """Forget the modules that have done their work."""
        try:
            from firmware.overlays import OVERLAYS, PASSING
        except MemoryError:  # they go the next time
            return
        for names in OVERLAYS.values():
            name = names.split(" ")[-1]
            if name != self.current.__module__:
                self.board.forget(name)
        self.board.forget(PASSING)

    def go(self, scene, now):
        """Show another scene; one that has to be loaded, in some rounds."""
        shown = self.scenes.get(scene)
        if shown is None:
            if not self._busy:
                if not self._work or self._what != scene:
                    self.later(self.go, scene, "", self._pressed)
                return
            from firmware.overlays import OVERLAYS

            module = __import__(OVERLAYS[scene].split(" ")[-1], None, None, ("",))
            shown = getattr(module, scene[0].upper() + scene[1:])(self)
        for name in list(self.scenes):
            other = self.scenes[name].__module__
            if other != shown.__module__ and name not in ("play", "pause"):
                del self.scenes[name]
                self.board.forget(other)
        self.scenes[scene] = self.current = shown
        was_dim = self.dim_scene
        self.scene = scene
        self.dim_scene = self.thinking = self.thought = False
        self._flash = 0
        self.dirty = True
        self.current.enter(now)
        if was_dim != self.dim_scene:
            self.relight()

    def begin(self, setup, now, seed=0, moves=b""):
        """Begin the match or single game of ``setup`` and show it, after its lot if it draws one and has no moves."""
        position = self.game.position
        if position is not None and position.variation.header() == setup.variation.header():
            setup.variation = position.variation  # the same once more: its tables are there
        self.beginning = (setup, seed, moves)
        if setup.variation.opening and not moves:
            self.later(self.go, "lots", _TABLES[setup.variation.pop])
        else:
            names = "firmware.setups engine.clock firmware.clocks" if setup.bank_ms else "firmware.setups"
            self.later(self.start, None, names)

    def start(self, _, now):
        """Begin what ``beginning`` says."""
        setup, seed, moves = self.beginning
        self.beginning = None
        self.game.start(setup, now, seed, moves)
        self.go("play", now)
        if setup.engine >= 0:
            self.tidy()  # first, so that what stays of the search lies close together
            self.prepare_search()

    def relight(self):
        """Set the lights to the palette and brightness that hold now."""
        settings, get = self.settings, self.store.get
        percent = settings.night_brightness if get(NIGHT, 0) else get(BRIGHTNESS, settings.brightness)
        self.lights.set(get(PALETTE, settings.palette), percent, 4 if self.power or self.dim_scene else 1)
        self.dirty = True

    def refuse(self, button, now):
        """Answer a press that changes nothing: its column flashes; for the pop button the bottom row. Several that
        are refused at once, after a standstill, flash together."""
        since_ms = ticks_diff(now, self._flash_at)
        if since_ms and self._flash >> button & 1 and since_ms * 3 // _FLASH_MS != 1:
            now = (now - _FLASH_MS // 3) & _TICKS_MASK  # lit already: the second answer begins dark
        self._flash |= 1 << button
        self._flash_at = now
        self.dirty = True

    def think(self, now, level):
        """Set the search to work on the game's position; see ``thinking`` and ``thought``."""
        self._level = level  # its start is a slice of its own: it takes as long as one
        self.thinking = True
        self.thought = False
        self.prepare_search()

    def prepare_search(self):
        """Load and make what the search needs for the game's variation, unless that is done; the game goes on."""
        v = self.game.position.variation
        if self.searched is not v:
            self.search.forget()
            names = "engine.lots " + ("engine.plain" if v.colours > 2 or v.extra else _TABLES[v.pop])
            if v.book:  # first, because it stays
                names = "engine.book " + names
            self.later(self._prepare, None, names, False)
            self.searched = v

    def _prepare(self, _, now):
        if self.game.is_open():  # the level of a thought is told by _start, once its tables are made
            self._start(1)
            if self.search.making:
                self.search.step(1)  # the first one takes what has been loaded
            if self.search.fault:
                self.board.write(self.search.fault)
        else:
            self.searched = None

    def _start(self, level):
        """Start the search."""
        self.search.start(self.game.position, level, self.game.seed)

    def _no_thought(self, error):
        """The game goes on with a move, if not a good one."""
        self.searched = None
        self.board.collect()
        self.board.write("fault: no thought: %s" % error)
        position = self.game.position
        for move in position.variation.moves:
            if position.is_legal(move):
                self.search.move = move
        self.thought = self.thinking
        self.thinking = False

    def wake(self, now):
        """Somebody is there: full brightness."""
        self._pressed_at = now
        if self.power:
            self.current.since = now  # ticks tell no time before more than three days
            self.power = 0
            self.relight()

    # The loop

    def step(self):
        """One round of the loop, at most about 10 ms, but for what later() was given."""
        ticks = self._ticks_ms()
        self._poll(ticks)
        now = (ticks - self._skipped) & _TICKS_MASK
        if ticks_diff(now, self._now) < 0:  # back, or days on: here it goes on from where it was
            self._skipped = (ticks - self._now) & _TICKS_MASK
            now = self._now
        self._now = now
        seen = self.game.event
        event = self._next()
        while event >= 0:
            was_dark = self.power == 2
            self.wake(now)
            if not event & UP:  # a release shows nothing: what is moving keeps its step
                self.dirty = True
            if self._work and self._heard:
                if event <= POP_BUTTON:
                    self.refuse(event, now)
            elif not was_dark:  # the press that wakes the board does no more
                self._pressed = True
                self.current.press(event, now)
                self._pressed = False
            event = self._next()
        waits = self._work and self._heard
        if self.power < 2 and not waits:
            self.current.tick(now)
        scene = self.current
        self.ready_for_input = scene.ready and self.power < 2 and not waits
        self._save_power(now, scene)
        wait_ms = ticks_diff(self._due, now)
        if self.game.event != seen:  # playing a move takes as long as drawing it: the buttons are polled between them
            self._due = now  # the frames keep step with the animation, which began now
            self.dirty = False
            return
        if self.dirty or wait_ms <= 0:
            self._draw(now, scene)
            return
        if self._work:
            self._go_on(now)
        elif self.thinking or self.searched and self.search.making:
            self._search(now, ticks)
        elif ticks_diff(now, self._console_at) >= 0:  # no move under a thought that is to begin
            self._console_at = (now + _CONSOLE_MS) & _TICKS_MASK
            if not self._greeted and ticks_diff(now, self._started_at) >= _GREETING_MS:
                self._greeted = True
                self.board.write("five-in-a-row: type help")
                for complaint in self.complaints:
                    self.board.write(complaint)
            console.poll(self, now)
        else:
            rest_ms = _REST_MS if self.power < 2 else _DARK_REST_MS
            self.board.sleep_ms(wait_ms if 0 < wait_ms < rest_ms else rest_ms)

    def _search(self, now, ticks):
        """Slices of the search: its tables first, then the thought."""
        search = self.search
        making = search.making
        if making or self._level:  # what is loaded and made first is no thought
            self._thought_at = now
        late = ticks_diff(now, self._thought_at) >= _THOUGHT_MS
        done = late
        try:
            if self._level and not making:
                self._start(self._level)
                self._level = 0
                return
            for _ in range(_SLICES):
                done = done or search.step(SLICE_NODES)
                if done or search.making != making or ticks_diff(self._ticks_ms(), ticks) >= _SLICES_MS:
                    break
        except MemoryError as error:
            self._no_thought(error)
            return
        if done:
            self.thinking = False
            self.thought = True
            if late:
                self.game.say("fault: thought cut off after %d ms" % _THOUGHT_MS)

    def _draw(self, now, scene):
        """Draw a frame and send it if it differs."""
        frame = self.frame
        if self.dirty:
            self.dirty = False
            self._due = now
        period_ms = scene.period_ms
        if self.power == 2:
            frame[ALL] = DARK
        else:
            scene.draw(now)
            if self._work and self._heard:
                for cell in range(PIXELS):
                    if frame[cell] & 15:
                        frame[cell] = frame[cell] & 240 | FAINT
                frame[_TOP + 6 * beat(THOUGHT, now)] = WHITE << 4 | BRIGHT
            if self._flash:
                period_ms = ANIMATION_MS
                since_ms = ticks_diff(now, self._flash_at)
                if since_ms >= _FLASH_MS:
                    self._flash = 0
                elif since_ms * 3 // _FLASH_MS != 1:
                    for button in range(8):
                        row = button == POP_BUTTON
                        if self._flash >> button & 1:
                            for i in range(7 if row else 6):
                                frame[6 + 6 * i if row else 6 + 6 * button + i] = WHITE << 4 | BRIGHT
        due = (self._due + period_ms) & _TICKS_MASK
        self._due = due if ticks_diff(due, now) > 0 else (now + period_ms) & _TICKS_MASK
        self.lights.show(frame)

    def _save_power(self, now, scene):
        """Dim and then go dark when nobody presses; never while a clock runs."""
        if self.power == 2:
            return
        if scene.clock_runs and self.game.clock is not None and self.game.is_open():
            self._pressed_at = now
            return
        idle_ms = ticks_diff(now, self._pressed_at)
        if idle_ms >= self._dark_ms:
            self.power = 2
            self.thinking = self.thought = False
            self.dirty = True
        elif idle_ms >= self._dim_ms and not self.power:
            self.power = 1
            self.relight()

    def serial(self, what, now, move=-1):
        """What the serial line asks for (firmware/console.py): ``what`` is move, undo, hint, resign or resign match.

        "" or, in one line, why not. A move is shown like a pressed one; a hint is shown and printed when it is found.
        """
        game = self.game
        if not game.is_open() or game.demo:
            return "no game is open"
        if what in ("move", "hint") and game.engine_turn():
            return "not your turn"
        if what == "move":
            if not game.play(move, now):
                return self.board.busy(game.position.why_not, move)
        elif what == "undo":
            if not game.take_back():
                return "there is no move to take back"
        elif what != "hint":
            game.resign(what == "resign match")
        self.wake(now)
        self.dirty = True
        if self.scene != "play":
            self.go("play", now)
        if what == "hint":
            self.current.ask_hint(now)
        return ""
