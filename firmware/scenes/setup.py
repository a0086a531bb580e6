# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Setting up a game: pages of one press each, all of them data."""

from engine import match
from firmware.lights import WHITE
from firmware.scenes.scene import ALL, BRIGHT, DARK, HOLD, POP_BUTTON, REST, THOUGHT, Page, Scene, beat
from firmware.variations import known, variation
from hal.drive import open_file

# What is chosen: the game (an index of NAMES, + WITH_POPS, + WITH_LOT: an opening by lot), the opponent (0 people, else
# the level), the form. Each has a second form, taken by pressing the choice that is lit once more: with pops or
# without, the engine begins or the person, a single game or a match.
GAME, OPPONENT, FORM = range(3)
NAMES = ("five", "classic", "small", "misere", "cylinder", "obstacles", "random", "three", "teams", "pop10", "powerup")
WITH_POPS = 16
WITH_LOT = 64
TO_PAGE = 32  # in a page's values: no choice but another page, or the puzzles
VARIATIONS, OTHERS, MORE, OPPONENTS, FORMS, BEGIN, PUZZLES = range(7)
PUZZLE_CHOICE = 4  # the choice of the first page that is dark where there are no puzzles
FIRST_CLOCK = 2  # choices of the page of forms from here on are the clock presets

# The page that follows; the one that "back" leads to (at VARIATIONS: the last setup again); the height of the mark at
# the left; the field, the value of each choice, the pictures of a to g (Page).
PAGES = (
    (OPPONENTS, VARIATIONS, 1, GAME, b"\x00\x10\x01\x11\x26\x21\x22",
     b"000001" b".00000" b"00001." b".0000." b"939..." b"456789" b"8:8:.."),
    (OPPONENTS, VARIATIONS, 1, GAME, b"\x02\x03\x04\x05\x06\x07\x08",
     b"1111.." b"::.::." b"001.00" b"3030.." b"0.1.01" b"001122" b"00.11."),
    (OPPONENTS, VARIATIONS, 1, GAME, b"\x09\x0a\x40",
     b"010101" b"7744.." b"0.1001" b"......" b"......" b"......" b"......"),
    (FORMS, VARIATIONS, 2, OPPONENT, b"\x00\x01\x02\x03\x04\x05\x06",
     b"00..11" b"8....." b"88...." b"888..." b"8888.." b"88888." b"888888"),
    (BEGIN, OPPONENTS, 3, FORM, b"\x00\x01\x02\x03\x04\x05\x06",
     b"33..33" b"33...." b"39...." b"399..." b"3999.." b"39999." b"399999"),
)  # fmt: skip


class Setup(Page):
    """The pages, one after the other. The outer columns show the page's number and, at the right, the person's colour
    in the first game, once the engine is chosen."""

    def enter(self, now):
        if not self.app.no_puzzles:
            self._look_for_puzzles()
        self.chosen = bytearray(b"\xff\xff\xff")
        self.other = bytearray(3)  # 1: the choice's second form
        self._turn(VARIATIONS)

    def _look_for_puzzles(self):
        from firmware.puzzles import check

        try:
            check(open_file("firmware/puzzles.bin"), bytearray(256))
        except (OSError, ValueError) as error:
            self.app.no_puzzles = True
            self.app.board.write("fault: puzzles.bin: %s: no puzzles; install the files again" % error)

    def _turn(self, page):
        self.page = page
        _, _, _, field, values, self.pictures = PAGES[page]
        if page == FORMS:
            clocks = len(self.app.settings.clock_presets)
            self.pictures = self.pictures[: 6 * (FIRST_CLOCK + clocks)] + b"." * (6 * (5 - clocks))
        elif page == VARIATIONS and self.app.no_puzzles:
            at = 6 * PUZZLE_CHOICE
            self.pictures = self.pictures[:at] + b"......" + self.pictures[at + 6 :]
        self.lit = values.find(self.chosen[field : field + 1])

    def choose(self, choice, now):
        app = self.app
        onward, _, _, field, values, _ = PAGES[self.page]
        value = values[choice]
        if value == TO_PAGE | PUZZLES:
            app.go("puzzles", now)
        elif value & TO_PAGE:
            self._turn(value & 15)
        else:
            if choice == self.lit:
                self.other[field] ^= 1
            else:
                self.other[field] = 0
            self.chosen[field] = value
            if onward != BEGIN:
                self._turn(onward)
            else:
                game = self.chosen[GAME]
                same = known(app, NAMES[game & 15], self.other[GAME] ^ game >> 4 & 1, game & WITH_LOT)
                app.later(self._begin, None, "" if same else "engine.lots engine.catalogue")

    def _begin(self, _, now):
        app = self.app
        game, opponent, form = self.chosen
        pops, engine_begins, single = self.other
        bank_ms, increment_ms = app.settings.clock_presets[form - FIRST_CLOCK] if form >= FIRST_CLOCK else (0, 0)
        try:
            v = variation(app, NAMES[game & 15], pops ^ game >> 4 & 1, now, game & WITH_LOT)
        except ValueError as error:  # no pops in this one
            app.board.write(str(error))
            self._turn(VARIATIONS)
            app.refuse(POP_BUTTON, now)
            return
        engine = 1 - engine_begins if opponent else -1
        app.begin(match.Setup(v, opponent, engine, form != 1 and not single, bank_ms, increment_ms), now, now)

    def back(self, now):
        app = self.app
        if self.page != VARIATIONS:
            self._turn(PAGES[self.page][1])
            return
        app.later(self._again, None, "engine.lots engine.catalogue engine.notation firmware.setups")

    def _again(self, _, now):
        """Begin the last setup again."""
        from firmware.setups import unpack

        app = self.app
        last = unpack(app.store)
        if last is None:
            app.refuse(POP_BUTTON, now)
            return
        setup = last[0]
        v = setup.variation
        # The present variation serves if it is the same; one that draws lots gets other lots.
        v = variation(app, v.name, v.pop, now, v.random)
        app.begin(match.Setup(v, setup.level, setup.engine, setup.match, setup.bank_ms, setup.increment_ms), now, now)

    def draw(self, now):
        Page.draw(self, now)
        self.column(0, WHITE << 4 | REST, PAGES[self.page][2])
        if self.page >= OPPONENTS and 1 <= self.chosen[OPPONENT] < 255:
            self.column(8, self.other[OPPONENT] << 4 | REST)


class Lots(Scene):
    """The first plies of ``app.beginning`` are drawn by lot, with a light that wanders until a fair opening is found;
    pop held gives up."""

    def enter(self, now):
        from engine.opening import draw

        self.ready = False
        self.app.searched = None
        self.work = draw(self.app.beginning[0].variation, self.app.search)
        next(self.work)
        next(self.work)  # this one takes from the search's modules what was loaded for it

    def press(self, event, now):
        if event == POP_BUTTON | HOLD:
            self.app.go("setup", now)
        elif event <= POP_BUTTON:
            self.app.refuse(event, now)

    def tick(self, now):
        moves = next(self.work)
        if moves is not None:
            setup, seed, _ = self.app.beginning
            self.app.begin(setup, now, seed, moves)

    def draw(self, now):
        self.frame[ALL] = DARK
        self.frame[6 + 6 * beat(THOUGHT, now)] = WHITE << 4 | BRIGHT
