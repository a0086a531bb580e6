# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The loop: press -> scene -> frame -> lights, with a slice of thought wherever time is left."""

from adafruit_ticks import ticks_diff

from engine.search import SLICE_NODES, Search
from engine.variation import make
from firmware.console import Console
from firmware.game import Game
from firmware.lights import WHITE, Lights
from firmware.scenes.pause import Pause
from firmware.scenes.play import Play
from firmware.scenes.scene import ALL, ANIMATION_MS, BRIGHT, DARK, FAINT, PIXELS, POP_BUTTON
from firmware.store import BRIGHTNESS, NIGHT, PALETTE, Store
from hal.drive import open_file

TICKS_MASK = (1 << 29) - 1
HEARD_CELL = 29  # top of the middle column: lit when work begins that takes a while
FLASH_MS = 240  # a refused press: two flashes of a third of this each
REST_MS = 4  # sleep between polls when there is nothing to do ...
DARK_REST_MS = 8  # ... and while the board is dark
MINUTE_MS = 60000
GREETING_MS = 3000  # what is printed before a computer has found the USB port is lost
CONSOLE_MS = 20
# Slices of thought in a round of the loop: so many at most, and none is begun later than so many ms after the round
# was. One alone takes no longer than the rest of the round, so half of the time for a thought would be lost.
SLICES, SLICES_MS = 8, 3
THOUGHT_MS = 5000  # no level may think longer; one that does is a fault, told on the console
DIAGNOSTICS_BUTTON = 6  # g held at power-on
# Scenes that are loaded when they are shown and forgotten when another is, by the module that their class is in. The
# heap has no room for all; those of a game itself, play and pause, are always there.
OVERLAYS = {
    "start": "start",
    "resume": "start",
    "attract": "start",
    "setup": "setup",
    "lots": "setup",
    "puzzles": "puzzles",
    "lights": "switches",
    "result": "ends",
    "score": "ends",
    "ready": "ends",
    "diagnostics": "diagnostics",
}
# What serves for a moment, in work that lets no poll through anyway, and is forgotten after it.
PASSING = (
    "engine.catalogue engine.clock engine.lots engine.notation engine.opening engine.rating engine.search_tables "
    "engine.book engine.extras engine.plain engine.search_pop "  # these serve the game that is on until the next begins
    "engine.refusals firmware.palettes firmware.puzzles firmware.recall firmware.rewrite firmware.settings "
    "firmware.setups firmware.words"
)
DRAWS_LOTS = ("obstacles", "random", "pop10")


class App:
    def __init__(self, board, settings, search=None):
        """The whole program over a Board: :meth:`step` for ever. ``search``: a Search that was made before, if any.

        ``scene``: name of the scene on show, ``current`` the scene itself. ``frame``: the 54 paints on show.
        ``ready_for_input``: a press now is taken as a move or a choice. ``dirty``: draw at once instead of at the next
        frame's time. ``thinking``: the search is at work; ``thought``: it is done and waits to be used. ``power``: 0 as
        set, 1 dimmed, 2 dark. ``dim_scene``: the scene itself is dimmed (attract mode, a saved game). ``beginning``:
        (setup, seed, moves) of a game that is about to begin.
        """
        self.board = board
        self.settings = settings
        self.frame = bytearray(PIXELS)
        self.complaints = settings.complaints + board.complaints
        self.store = Store(board.nvm, board.write)
        self.saved = self.store.load()
        self.lights = Lights(board, settings.budget_ma)
        self.search = search or Search(1024 * settings.table_kb)
        self.search.open_file = open_file
        self.game = Game(board, settings, self.store)
        self.console = Console(self)
        self.power = 0
        self.dim_scene = self.thinking = self.thought = self.ready_for_input = self._greeted = self.no_puzzles = False
        self._flash = -1
        self._level = 0  # of a thought that has not started yet
        now = board.ticks_ms()
        self._pressed_at = self._due = self._console_at = self._started_at = self._flash_at = self._now = now
        self._skipped = 0  # ms that the ticks have jumped
        self._dim_ms = settings.dim_minutes * MINUTE_MS
        self._dark_ms = settings.sleep_minutes * MINUTE_MS
        self._ticks_ms, self._poll, self._next = board.ticks_ms, board.buttons.poll, board.buttons.next
        self._work = None  # what later() was given
        self._searched = None  # the variation that the search has its tables for
        self.scenes = {"play": Play(self), "pause": Pause(self)}
        self._busy = True
        self.relight()
        self.go("diagnostics" if board.buttons.held_at_start >> DIAGNOSTICS_BUTTON & 1 else "start", now)
        self._busy = False
        self.tidy()

    def later(self, work, what, now):
        """Call ``work(what, now)`` in the next round of the loop, because it lets no poll through for long: the board
        first answers that it has heard (everything dims but one white pixel), and presses meanwhile are kept."""
        self._work = work
        self._what = what
        self.dirty = True
        self.thinking = self.thought = False

    def _do(self, now):
        work, self._work = self._work, None
        self._busy = True
        self.board.collect()
        try:
            self.board.busy(work, self._what, now)
        except MemoryError as error:  # the scene on show stays
            self.board.collect()
            self.board.write("fault: %s" % error)
        self._busy = False
        self.dirty = True
        self.tidy()

    def tidy(self):
        """Forget the modules that have done their work."""
        self.board.forget(PASSING)

    def go(self, scene, now):
        """Show another scene; one that has to be loaded, in the next round."""
        if scene not in self.scenes and not self._busy:
            self.later(self.go, scene, now)
            return
        module = OVERLAYS.get(scene)
        for name in OVERLAYS:
            other = OVERLAYS[name]
            if other != module:
                if name in self.scenes:
                    del self.scenes[name]
                self.board.forget("firmware.scenes." + other)
        if scene not in self.scenes:
            self.board.collect()
            loaded = __import__("firmware.scenes." + module, None, None, ("",))
            self.scenes[scene] = getattr(loaded, scene[0].upper() + scene[1:])(self)
        was_dim = self.dim_scene
        self.scene = scene
        self.current = self.scenes[scene]
        self.dim_scene = self.thinking = self.thought = False
        self._flash = -1
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
            self.go("lots", now)
        elif self._busy:
            self.start(None, now)
        else:
            self.later(self.start, None, now)

    def start(self, _, now):
        """Begin what ``beginning`` says: its tables, and the search's, take some tenths of a second."""
        setup, seed, moves = self.beginning
        self.beginning = None
        self.game.start(setup, now, seed, moves)
        if setup.engine >= 0:
            self.prepare(setup.level, now)
        self.go("play", now)

    def variation(self, name, pop, seed, random=False):
        """The variation ``name`` with the settings' mirror and rule for pops; the present one if it is the same, or
        else the present game is given up.

        ``seed`` is for those that draw lots. Raises ValueError for pops where there are none.
        """
        settings = self.settings
        mirror = settings.mirror if name == "five" else 0
        pop_both = settings.pop_both_lines if pop else "mover"
        game = self.game
        if game.position is not None:
            v = game.position.variation
            if (v.name, v.pop, v.mirror, v.pop_both) == (name, bool(pop), mirror, pop_both):
                if not v.draws_lots and not random:
                    return v
        game.position = game.setup = game.match = v = None  # the heap has room for one
        self.board.collect()
        return make(name, bool(pop), seed if random or name in DRAWS_LOTS else None, mirror, pop_both, random)

    def relight(self):
        """Set the lights to the palette and brightness that hold now."""
        settings, get = self.settings, self.store.get
        percent = settings.night_brightness if get(NIGHT, 0) else get(BRIGHTNESS, settings.brightness)
        self.lights.set(get(PALETTE, settings.palette), percent, 4 if self.power or self.dim_scene else 1)
        self.dirty = True

    def refuse(self, button, now):
        """Answer a press that changes nothing: its column flashes; for the pop button the bottom row."""
        since_ms = ticks_diff(now, self._flash_at)
        if button == self._flash and since_ms * 3 // FLASH_MS != 1:  # lit already: the second answer begins dark
            now = (now - FLASH_MS // 3) & TICKS_MASK
        self._flash = button
        self._flash_at = now
        self.dirty = True

    def think(self, now, level):
        """Set the search to work on the game's position; see ``thinking`` and ``thought``."""
        self._level = level  # its start is a slice of its own: it takes as long as one
        self._thought_at = now
        self.thinking = True
        self.thought = False
        if self._searched is not self.game.position.variation:
            self.later(self.prepare, level, now)

    def prepare(self, level, now):
        """Start the search; for a variation that it has no tables for yet, this takes some tenths of a second."""
        position = self.game.position
        variation = position.variation
        self._level = 0
        self._thought_at = now
        self.thinking = True
        try:
            if self._searched is not variation:
                self._searched = None
                self.search.forget()
                self.board.collect()
            self.search.start(position, level, self.game.seed)
            if self._searched is not variation and self.search.fault:
                self.board.write(self.search.fault)
            self._searched = variation
        except MemoryError as error:  # the game goes on with a move, if not a good one
            self.board.write("fault: no thought: %s" % error)
            for move in variation.moves:
                if position.is_legal(move):
                    self.search.move = move
            self.thinking = False
            self.thought = True

    def wake(self, now):
        """Somebody is there: full brightness."""
        self._pressed_at = now
        if self.power:
            self.current.since = now  # ticks tell no time before more than three days
            self.power = 0
            self.relight()
        self.dirty = True

    # The loop

    def step(self):
        """One round of the loop, at most about 10 ms, but for what later() was given."""
        ticks = self._ticks_ms()
        self._poll(ticks)
        now = (ticks - self._skipped) & TICKS_MASK
        if ticks_diff(now, self._now) < 0:  # back, or days on: here it goes on from where it was
            self._skipped = (ticks - self._now) & TICKS_MASK
            now = self._now
        self._now = now
        if self._work and not self.dirty:
            self._do(now)
            return
        seen = self.game.event
        event = -1 if self._work else self._next()
        while event >= 0:
            was_dark = self.power == 2
            self.wake(now)
            if not was_dark:  # the press that wakes the board does no more
                self.current.press(event, now)
            event = -1 if self._work else self._next()
        if self.power < 2 and not self._work:
            self.current.tick(now)
        scene = self.current
        self.ready_for_input = scene.ready and self.power < 2 and not self._work
        self._save_power(now, scene)
        wait_ms = ticks_diff(self._due, now)
        if self.game.event != seen:  # playing a move takes as long as drawing it: the buttons are polled between them
            self._due = now  # the frames keep step with the animation, which began now
            self.dirty = False
            return
        if self.dirty or wait_ms <= 0:
            self._draw(now, scene)
            return
        if self.thinking:
            if self._level:
                self.prepare(self._level, now)
                return
            late = ticks_diff(now, self._thought_at) >= THOUGHT_MS
            done = late
            for _ in range(SLICES):
                done = done or self.search.step(SLICE_NODES)
                if done or ticks_diff(self._ticks_ms(), ticks) >= SLICES_MS:
                    break
            if done:
                self.thinking = False
                self.thought = True
                if late:
                    self.game.say("fault: thought cut off after %d ms" % THOUGHT_MS)
        elif not self._work and ticks_diff(now, self._console_at) >= 0:  # no move under a thought that is to begin
            self._console_at = (now + CONSOLE_MS) & TICKS_MASK
            if not self._greeted and ticks_diff(now, self._started_at) >= GREETING_MS:
                self._greeted = True
                self.board.write("five-in-a-row: type help")
                for complaint in self.complaints:
                    self.board.write(complaint)
            self.console.poll(now)
        else:
            rest_ms = REST_MS if self.power < 2 else DARK_REST_MS
            self.board.sleep_ms(wait_ms if 0 < wait_ms < rest_ms else rest_ms)

    def _draw(self, now, scene):
        """Draw a frame and send it if it differs."""
        frame = self.frame
        if self.dirty:
            self.dirty = False
            self._due = now
        period_ms = scene.period_ms
        if self.power == 2:
            frame[ALL] = DARK
        elif self._work:
            for cell in range(PIXELS):
                if frame[cell] & 15:
                    frame[cell] = frame[cell] & 240 | FAINT
            frame[HEARD_CELL] = WHITE << 4 | BRIGHT
        else:
            scene.draw(now)
            if self._flash >= 0:
                period_ms = ANIMATION_MS
                since_ms = ticks_diff(now, self._flash_at)
                if since_ms >= FLASH_MS:
                    self._flash = -1
                elif since_ms * 3 // FLASH_MS != 1:
                    row = self._flash == POP_BUTTON
                    for i in range(7 if row else 6):
                        frame[6 + 6 * i if row else 6 + 6 * self._flash + i] = WHITE << 4 | BRIGHT
        due = (self._due + period_ms) & TICKS_MASK
        self._due = due if ticks_diff(due, now) > 0 else (now + period_ms) & TICKS_MASK
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
        if self.scene != "play":
            self.go("play", now)
        if what == "hint":
            self.current.ask_hint(now)
        return ""
