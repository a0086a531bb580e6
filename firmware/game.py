# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The one place where a move happens."""

# Position, match, clock, journal and the console's line, kept in step.

from engine.match import Match
from engine.moves import BOMB, COLUMN, POP, display_line, move_text
from engine.position import new_position
from engine.variation import DRAW, FIRST
from firmware.scenes.scene import PIXELS, REST
from firmware.store import RATING

SIDES = ("Red", "Yellow", "Green")
TAKES = (POP, BOMB)  # the kinds of move that take a disc away; all others drop one


class Game:
    def __init__(self, board, settings, store):
        """The match that is on, and its current game.

        ``setup``, ``match``, ``position``, ``clock`` (None: no clock): None before the first :meth:`start`. ``result``:
        None while the game is open, else the winner's colour or DRAW, by the board, resignation or flag. ``cells``:
        bytearray(54), the position as paints, for the scenes. ``event``: counts up with every change of the position.
        ``last_move``: -1 if none; ``last_cell``: the cell of the disc that it dropped, or -1. ``demo``: attract mode,
        (and puzzles) nothing is kept or printed.
        """
        self._rating = settings.rating  # of a person who has not played yet
        self._write = board.write
        self._collect = board.collect
        self.store = store
        self.setup = self.match = self.position = self.clock = self.result = None
        self.seed = 0
        self.demo = False
        self.cells = bytearray(PIXELS)
        self.event = 0
        self.last_move = self.last_cell = -1
        self.first_ply = 0  # moves below this one were given, by lot; they are not taken back

    def say(self, text):
        """A line on the console, but not in attract mode."""
        if not self.demo:
            self._write(text)

    # Beginning

    def start(self, setup, now, seed=0, moves=b"", demo=False):
        """Begin the match or single game of ``setup``; ``moves`` are given and played at once."""
        self.demo = demo
        self.setup = setup
        self.match = Match(setup)
        self.clock = None
        if setup.bank_ms:
            from firmware.clocks import Clocks

            self.clock = Clocks(setup.bank_ms, setup.increment_ms, setup.variation.colours)
        self._set_up(now, seed, moves)
        if not demo:
            self.store.begin(setup, seed, moves)
            self.say(setup.variation.header())

    def _set_up(self, now, seed, moves):
        variation = self.setup.variation
        if self.position is None or self.position.variation is not variation:
            self.position = None
            self._collect()
            self.position = new_position(variation)
        else:
            self.position.reset()
        self.seed = seed
        for move in moves:
            self.position.play(move)
        self.first_ply = len(moves)
        self.result = self.position.result
        if self.clock is not None:
            self.clock.at = now
        self.redraw()

    def next_game(self, now):
        """The second game of a match: colours and first move swapped, with the same opening if there was a lot. False
        if there is none, or not yet."""
        if self.match is None or self.match.over or self.result is None:
            return False
        self.match.next_game()
        given = bytes(self.position.moves[: self.first_ply])
        self._set_up(now, self.seed + 1, given)
        self.store.next_game()
        self.say("game %d" % (self.match.game + 1))
        return True

    # Playing

    def is_open(self):
        """Whether a game is on: begun and without a result."""
        return self.position is not None and self.result is None

    def engine_turn(self):
        """Whether the engine is to move in an open game."""
        return self.is_open() and self.match.is_engine(self.position.to_move)

    def play(self, move, now):
        """Play ``move`` for the side to move. False, and nothing changes, if it is not legal."""
        position = self.position
        if not self.is_open() or not position.is_legal(move):
            return False
        colour = position.to_move
        position.play(move)
        column = 6 * (FIRST + (move & COLUMN))
        self.redraw(column, column + 6)  # no move reaches beyond its column
        left = -1
        owner = self.match.owner_of(colour)
        if self.clock is not None:
            self.clock.moved(owner)
            left = self.clock.left_ms[owner] // 100
        if not self.demo:
            self.store.move(move, left, owner)
            self.say(display_line(position.ply, colour, move))
        if position.result is not None:
            self.match.finish_game(position.result)
            self.ended(position.result)
        return True

    def take_back(self):
        """Take a move back, against the engine a whole turn; how many plies it was, 0 if there is nothing to take."""
        if not self.is_open():
            return 0
        position, match = self.position, self.match
        plies = 0
        while position.ply > self.first_ply and (not plies or match.is_engine(position.to_move)):
            position.undo()
            plies += 1
        if not plies or match.is_engine(position.to_move):
            self._replay(plies)  # nothing of the person's was among them: as it was
            return 0
        if not self.store.can_undo(plies):
            self._replay(plies)
            self.say("memory: no room to take back more in this game")
            return 0
        match.helped()
        self.store.undo(plies)
        self.say("taken back: %d" % plies)
        self.redraw()
        return plies

    def _replay(self, plies):
        position = self.position
        for _ in range(plies):
            position.play(position.moves[position.ply])

    def hinted(self, move):
        """A hint was shown: it is printed, and the match no longer counts for the rating."""
        self.match.helped()
        self.store.helped()
        self.say("hint: " + move_text(move))

    # Ending

    def resign(self, whole_match=False):
        """The side to move (against the engine: the person) gives up the game or the match. False if none is open."""
        if not self.is_open():
            return False
        owner = self.match.owner_of(self.position.to_move)
        if owner == self.setup.engine:
            owner = (owner + 1) % self.match.owners
        self.say("%s resigns" % SIDES[self.match.colour_of(owner)])
        if whole_match:
            self.match.resign_match(owner)
        else:
            self.match.resign_game(owner)
        self.ended(self.without(owner))
        return True

    def without(self, owner):
        """The result when ``owner`` has given up or run out of time; with three players the others share the game."""
        loser = self.match.colour_of(owner)
        return 1 - loser if self.setup.variation.colours == 2 else DRAW

    def ended(self, result):
        self.result = result
        self.event += 1
        match = self.match
        if result != DRAW:
            self.say("%s wins" % SIDES[result])
        else:  # on the board, or a third player has given up or run out of time
            self.say("draw" if self.position.result == DRAW else "the others share it")
        self.say("%s %s" % ("match" if match.over and match.games > 1 else "score", match.score_text()))
        if self.demo:
            return
        store = self.store
        person = (self.setup.engine + 1) % match.owners
        rating = -1
        if match.over and match.rated and match.owners == 2:  # RULES.md: single games do not count
            from engine import rating as elo  # once in a match: no need of it before

            old = store.get(RATING, self._rating)
            rating = elo.new_rating(old, elo.STRENGTHS[self.setup.level], match.points[person], elo.K, match.games)
            self.say("rating %d, was %d" % (rating, old))
        store.end_game(match, rating)

    # The drawn copy

    def redraw(self, begin=0, end=PIXELS):
        """Bring ``cells`` from ``begin`` to before ``end`` up to the position: 70 us a cell."""
        position = self.position
        cells = self.cells
        for cell in range(begin, end):
            colour = position.colour(cell)
            cells[cell] = 0 if colour < 0 else colour << 4 | REST
        move = position.moves[position.ply - 1] if position.ply else -1
        self.last_move = move
        # Who drops a disc, with or without a power, leaves it on top of the column.
        i = move & COLUMN
        takes = move < 0 or move & ~COLUMN in TAKES
        self.last_cell = -1 if takes else 6 * (FIRST + i) + position.height(i) - 1
        self.event += 1
