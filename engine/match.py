# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Match and score (RULES.md, "Match, score, resignation, time")."""

# An *owner* is a person, a team or the engine, numbered 0 .. colours - 1. In game 1 owner 0 has Red, owner 1 Yellow
# (owner 2 Green); from game to game the colours move on by one, so that everybody begins once: with two owners that
# is the swap. Points are counted in halves, in ints: a win is 2, a draw 1, a loss 0.

from engine.variation import DRAW

MAX_BANK_MS = 6000000  # 100 minutes; what is left on a clock then fits 16 bits of tenths, increments included
MAX_INCREMENT_MS = 60000


class Setup:
    def __init__(self, variation, level=0, engine=-1, match=True, bank_ms=0, increment_ms=0):
        """What is agreed before a match: plain attributes, never changed afterwards.

        ``variation``: a Variation. ``level``: 0 for people alone, else the engine's. ``engine``: the owner that the
        engine plays, -1 for none. ``match``: a match (every owner begins once), or a single game. ``bank_ms``: each
        owner's time for the whole match, 0 for no clock; ``increment_ms``: added after every move. Both in whole
        seconds. Raises ValueError with one clear line.
        """
        if not -1 <= engine < variation.colours or engine >= 0 and not 1 <= level <= 15:
            raise ValueError("no such engine: side %d, level %d" % (engine, level))
        fits = 0 <= bank_ms <= MAX_BANK_MS and 0 <= increment_ms <= MAX_INCREMENT_MS
        if not fits or bank_ms % 1000 or increment_ms % 1000:
            raise ValueError("no such clock: %d + %d ms" % (bank_ms, increment_ms))
        self.variation = variation
        self.level = level if engine >= 0 else 0
        self.engine = engine
        self.match = bool(match)
        self.bank_ms = bank_ms
        self.increment_ms = increment_ms if bank_ms else 0


class Match:
    def __init__(self, setup):
        """A match, or a single game, of ``setup``.

        ``owners``: how many. ``games``: how many are played. ``game``: 0-based. ``points``: list of half points by
        owner, from finished games. ``finished``: the game is over (its final position stands until everybody is ready).
        ``ending``: how the last game ended, as one number: 4 * how + who; how 0 on the board (who: colour or DRAW), 1
        game resigned, 2 match resigned, 3 flag (who: owner). ``over``: the match is over. ``loser_by``: None, "resign"
        or "flag" when the whole match was lost so, by owner ``loser``. ``rated``: the match counts for the rating: a
        match, against the engine, without hint or take-back.
        """
        self.setup = setup
        self.owners = setup.variation.colours
        self.games = self.owners if setup.match else 1
        self.game = 0
        self.points = [0] * self.owners
        self.finished = self.over = False
        self.ending = -1
        self.loser_by = None
        self.loser = -1
        self.rated = setup.match and setup.engine >= 0

    def owner_of(self, colour):
        """Whose the discs of ``colour`` are in this game."""
        return (colour + self.game) % self.owners

    def colour_of(self, owner):
        """The colour that ``owner`` plays in this game."""
        return (owner - self.game) % self.owners

    def is_engine(self, colour):
        """Whether the engine moves for ``colour`` in this game."""
        return self.owner_of(colour) == self.setup.engine

    def helped(self):
        """A hint was shown or a move taken back: the match no longer counts for the rating."""
        self.rated = False

    def finish_game(self, result):
        """The game ended on the board: ``result`` is the winner's colour or DRAW."""
        self._close(result)
        for owner in range(self.owners):
            if result == DRAW:
                self.points[owner] += 1
            elif owner == self.owner_of(result):
                self.points[owner] += 2

    def resign_game(self, owner):
        """``owner`` gives up this game: it is lost; with three players the other two share it."""
        self._close(4 + owner)
        for other in range(self.owners):
            if other != owner:
                self.points[other] += 2 if self.owners == 2 else 1

    def resign_match(self, owner):
        """``owner`` gives up the match: it is lost, and counts as if every game of it were (ours). With three players
        the other two keep their points and share the games that are not played out."""
        self._lose(owner, "resign", 8)

    def flag(self, owner):
        """``owner``'s time is up: the match is lost, as by :meth:`resign_match`."""
        self._lose(owner, "flag", 12)

    def next_game(self):
        """Go on to the next game, colours moved on by one. ValueError while a game is open or after the last."""
        if not self.finished or self.over:
            raise ValueError("the match is over" if self.over else "the game is still open")
        self.game += 1
        self.finished = False

    def winner(self):
        """None while the match is open, then the winning owner, or DRAW: there is no tie-break."""
        if not self.over:
            return None
        best = DRAW
        most = -1
        for owner in range(self.owners):
            if owner != self.loser and self.points[owner] >= most:
                best = DRAW if self.points[owner] == most else owner
                most = self.points[owner]
        return best

    def score_text(self):
        """The sum so far, owner 0 first: ``2:0``, ``1½:½``."""
        return ":".join([("%d" % (p // 2) if p != 1 else "") + ("½" if p & 1 else "") for p in self.points])

    def _lose(self, owner, how, code):
        if self.over:
            raise ValueError("the match is over")
        left = self.games - self.game - (1 if self.finished else 0)
        self.finished = self.over = True
        self.loser = owner
        self.loser_by = how
        self.ending = code + owner
        for other in range(self.owners):
            points = 2 * self.games if self.owners == 2 else self.points[other] + left
            self.points[other] = 0 if other == owner else points

    def _close(self, ending):
        if self.finished:
            raise ValueError("the game is over")
        self.ending = ending
        self.finished = True
        self.over = self.game + 1 == self.games
