# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Moves, cells and whole games as text (RULES.md, "Board and notation")."""

from engine.lots import SEED_MAX
from engine.moves import COLUMN, KINDS, LETTERS, MARKS, SIGNS, display_line, move_text  # noqa: F401
from engine.position import new_position
from engine.variation import FIRST, make


class RecordError(ValueError):
    """A record that can't be read or played. ``index``: 0-based number of the offending move (-1: the header)."""

    def __init__(self, text, index):
        super().__init__(text)
        self.text = text
        self.index = index

    def __str__(self):
        return self.text


def parse_move(text):
    """The move that ``text`` names: a letter a .. g or digit 1 .. 7, ``-`` or ``↓`` behind it for a pop.

    Raises ValueError on anything else, two moves included."""
    moves = parse_moves(text)
    if len(moves) != 1:
        raise ValueError("'%s' is not one move: write a to g, with - behind it for a pop" % text)
    return moves[0]


def parse_moves(text):
    """List of the moves in ``text``, blanks between them or not. RecordError names what is none."""
    moves = []
    blank = False
    for c in text:
        i = LETTERS.find(c.lower())
        if i < 0:
            i = "1234567".find(c)
        kind = MARKS.index(c) if c in MARKS else 1 if c == "↓" else 0
        if i >= 0:
            moves.append(i)
        elif kind and moves and moves[-1] <= COLUMN and not blank:
            moves[-1] += KINDS[kind]
        elif c not in " \t\r\n":
            why = "move %d: '%s' is no move: write a to g, with - behind it for a pop" % (len(moves) + 1, c)
            raise RecordError(why, len(moves))
        blank = i < 0 and not kind
    return moves


def parse_header(text):
    """The Variation that a header's words name: ``obstacles seed=17 mirror=1 pop_both=draw``. ValueError otherwise."""
    name = None
    options = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if key in options:
            raise ValueError("header word '%s' is there twice" % key)
        if word in ("pop", "random") and name:
            options[word] = True
        elif key in ("seed", "mirror"):
            limit = 1 if key == "mirror" else SEED_MAX
            if not value or value.strip("0123456789") or len(value) > 10 or int(value) > limit:
                raise ValueError("%s: '%s' is not a whole number from 0 to %d" % (key, value, limit))
            options[key] = int(value)
        elif key == "pop_both":
            options[key] = value
        elif name is None and not equals:
            name = word
        else:
            raise ValueError("header word '%s' is unknown" % word)
    return make(name or "five", **options)


def parse_record(text, variation=None):
    """(Variation, list of moves) of a record: an optional ``[header]``, then moves. ``variation`` serves where there
    is no header (five, if None). RecordError (index -1 for the header) names what is wrong; nothing is played yet."""
    text = text.strip()
    if text.startswith("["):
        header, bracket, text = text[1:].partition("]")
        try:
            if not bracket:
                raise ValueError("the header's closing ] is missing")
            variation = parse_header(header)
        except ValueError as error:
            raise RecordError(str(error), -1)
    return variation or make("five"), parse_moves(text)


def replay(text, variation=None):
    """The Position at the end of a record. RecordError names the first move that can't be played, and why."""
    variation, moves = parse_record(text, variation)
    return play_all(new_position(variation), moves)


def play_all(position, moves):
    """Play ``moves`` on ``position`` and return it. RecordError names the first that can't be played, and why."""
    for index, move in enumerate(moves):
        if not position.is_legal(move):
            raise RecordError("move %d, %s: %s" % (index + 1, move_text(move), position.why_not(move)), index)
        position.play(move)
    return position


def record(position):
    """The game so far as a replayable record; plain five needs no header."""
    moves = " ".join([move_text(position.moves[i]) for i in range(position.ply)])
    header = position.variation.header()
    return moves if header == "[five]" else (header + " " + moves).strip()


def cell_name(cell):
    """``d1`` for the middle of the bottom row, ``<1`` .. ``<6`` and ``>1`` .. ``>6`` in the side columns."""
    return ("<" + LETTERS + ">")[cell // 6 - FIRST + 1] + "123456"[cell % 6]
