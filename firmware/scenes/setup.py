# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Setting up a game: pages of one press each, all of them data."""

from engine.match import Setup
from engine.notation import parse_moves
from firmware.lights import WHITE
from firmware.scenes.puzzles import PUZZLE_LEVEL, PUZZLES
from firmware.scenes.scene import REST, Page, picture

# The fields of a choice: which game, who plays, in what form; each with a second form that is taken by pressing the
# choice that is lit once more: with pops or without, the engine begins or the person, a single game or a match.
GAME, OPPONENT, FORM = range(3)
VARIATIONS_PAGE, OTHERS_PAGE, PUZZLES_PAGE, OPPONENT_PAGE, FORM_PAGE, BEGIN = range(6)
NAMES = ("five", "classic", "small", "misere", "cylinder", "obstacles", "random", "three", "teams")
WITH_POPS = 16  # in a page's value: the game with pops
TO_PAGE = 32  # in a page's value: no choice but another page

# The page that follows, the one that "back" leads to (-1: the last setup again), the field, the value of each choice,
# the pictures from a to g, each from the bottom upwards. A picture of dots is no choice.
PAGES = (
    (
        OPPONENT_PAGE, -1, GAME,
        (0, 0 | WITH_POPS, 1, 1 | WITH_POPS, TO_PAGE | PUZZLES_PAGE, TO_PAGE | OTHERS_PAGE, 0),
        picture("rrrrry .rrrrr rrrry. .rrrr. BwB... ROYGCB ......"),
    ),
    (
        OPPONENT_PAGE, VARIATIONS_PAGE, GAME,
        (2, 3, 4, 5, 6, 7, 8),
        picture("yyyy.. MM.MM. rry.rr wrwr.. r.y.ry rryygg rr.yy."),
    ),
    (
        BEGIN, VARIATIONS_PAGE, GAME,
        (0, 1, 2, 3, 4, 5, 6),
        picture("B..... BB.... BBB... BBBB.. BBBBB. BBBBBB BwBwBw"),
    ),
    (
        FORM_PAGE, VARIATIONS_PAGE, OPPONENT,
        (0, 1, 2, 3, 4, 5, 6),
        picture("rr..yy C..... CC.... CCC... CCCC.. CCCCC. CCCCCC"),
    ),
    (
        BEGIN, OPPONENT_PAGE, FORM,
        (0, 1, 2, 3, 4, 5, 6),
        picture("ww..ww ww.... wB.... wBB... wBBB.. wBBBB. wBBBBB"),
    ),
)  # fmt: skip
FIRST_CLOCK = 2  # choices of the form page from here on are the clock presets


class SetupPages(Page):
    """The pages, one after the other. The outer columns show the page's number and, at the right, the person's colour
    in the first game, once the engine is chosen."""

    def __init__(self, app):
        Page.__init__(self, app)
        self.chosen = bytearray(3)
        self.other = bytearray(3)  # 1: the choice's second form

    def enter(self, now):
        for field in range(3):
            self.chosen[field] = 255
            self.other[field] = 0
        self._turn(VARIATIONS_PAGE)

    def _turn(self, page):
        self.page = page
        _, _, field, values, pictures = PAGES[page]
        self.pictures = pictures
        if page == FORM_PAGE:
            self.pictures = pictures[: 6 * (FIRST_CLOCK + len(self.app.settings.clock_presets))]
            self.pictures += bytes(42 - len(self.pictures))
        self.lit = -1
        for choice in range(7):
            if values[choice] == self.chosen[field] and page != PUZZLES_PAGE:
                self.lit = choice

    def choose(self, choice, now):
        onward, _, field, values, _ = PAGES[self.page]
        value = values[choice]
        if value & TO_PAGE:
            self._turn(value & 15)
            return
        self.other[field] ^= 1 if choice == self.lit else self.other[field]
        if self.page == PUZZLES_PAGE:
            self._puzzle(value, now)
            return
        self.chosen[field] = value
        if onward != BEGIN:
            self._turn(onward)
        else:
            self._begin(now)

    def back(self, now):
        page = PAGES[self.page][1]
        if page >= 0:
            self._turn(page)
            return
        last = self.app.store.last_setup()
        if last is None:
            self.app.refuse(7, now)
            return
        setup = last[0]
        v = setup.variation
        if v.draws_lots and not v.random:  # the same game, but other lots
            v = self.app.variation(v.name, v.pop, now)
            setup = Setup(v, setup.level, setup.engine, setup.match, setup.bank_ms, setup.increment_ms)
        self.app.begin(setup, now, now)

    def _begin(self, now):
        app = self.app
        game, opponent, form = self.chosen
        pops, engine_begins, single = self.other
        pops ^= game >> 4
        bank_ms, increment_ms = app.settings.clock_presets[form - FIRST_CLOCK] if form >= FIRST_CLOCK else (0, 0)
        is_match = form == 0 or form >= FIRST_CLOCK and not single
        try:
            variation = app.variation(NAMES[game & 15], pops, now)
            setup = Setup(
                variation, opponent, (0 if engine_begins else 1) if opponent else -1, is_match, bank_ms, increment_ms
            )
        except ValueError as error:
            app.board.write(str(error))
            self._turn(VARIATIONS_PAGE)
            app.refuse(7, now)
            return
        app.begin(setup, now, now)

    def _puzzle(self, number, now):
        moves = parse_moves(PUZZLES[number])
        variation = self.app.variation("five", 0, now)
        setup = Setup(variation, PUZZLE_LEVEL, 1 - len(moves) % 2, False)
        self.app.begin(setup, now, number, bytes(moves))

    def draw(self, now):
        Page.draw(self, now)
        self.column(0, WHITE << 4 | REST, (1, 1, 1, 2, 3)[self.page])
        if self.page >= OPPONENT_PAGE and self.chosen[OPPONENT] + 1 & 255 > 1:
            self.column(8, self.other[OPPONENT] << 4 | REST)
