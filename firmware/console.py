# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The serial line: lines of text that come in at the board's USB console (DEVICE.md, "The serial line")."""

from engine.match import Setup
from engine.notation import SIGNS, parse_header, parse_move, record
from engine.variation import NAMES
from firmware.settings import ROWS, read

HELP = "moves: d, d- (pop); new five pop level 4; show, hint, undo, resign, resign match, record, help"
_NEW_HELP = (
    "new [%s] [pop] [random] [seed=17] [mirror=1] [pop_both=draw]" % "|".join(NAMES),
    "    [two | level 1-6] [engine red|yellow] [match | single] [clock 5+3]; new alone: the last setup again",
)
_CLOCKS = [row for row in ROWS if row[0] == "clock_presets"][0]
_LEVEL = 4  # of an engine that is named without one


def parse_new(text, settings):
    """The Setup that the words behind ``new`` name: those of a record's header, ``two`` or ``level 4`` with
    ``engine red|yellow`` (who begins; Yellow if not told), ``match`` or ``single``, ``clock 5+3`` (minutes for the
    match + seconds a move). ``settings`` gives what is not told. Raises ValueError with one clear line."""
    words = text.replace("[", " ").replace("]", " ").lower().split()
    header = []
    level = 0
    engine = -1
    is_match = True
    clock = (0, 0)
    at = 0
    while at < len(words):
        word = words[at]
        value = words[at + 1] if at + 1 < len(words) else ""
        at += 1
        if word == "level":
            if value not in ("1", "2", "3", "4", "5", "6"):
                raise ValueError("level '%s' is none of 1 to 6" % value[:20])
            level = int(value)
            at += 1
        elif word == "engine":
            if value not in ("red", "yellow"):
                raise ValueError("engine '%s' is neither red nor yellow" % value[:20])
            engine = 0 if value == "red" else 1
            at += 1
        elif word == "clock":
            clocks, wrong = read(_CLOCKS, value)
            if wrong or len(clocks) != 1:
                raise ValueError("clock '%s' is none such as 5+3: minutes + seconds a move" % value[:20])
            clock = clocks[0]
            at += 1
        elif word == "match" or word == "single":
            is_match = word == "match"
        elif word == "two":
            level = 0
            engine = -1
        else:
            header.append(word[:40])
    variation = parse_header(_with_defaults(header, settings))
    if level and engine < 0:
        engine = 1
    return Setup(variation, level or _LEVEL, engine, is_match, clock[0], clock[1])


def _with_defaults(header, settings):
    """The header's words with what the settings say where they say nothing."""
    text = " ".join(header)
    if not [word for word in header if word in NAMES]:
        text = "five " + text
    if settings.mirror and text.startswith("five") and "mirror=" not in text:
        text += " mirror=1"
    if settings.pop_both_lines != "mover" and " pop" in text + " " and "pop_both=" not in text:
        text += " pop_both=" + settings.pop_both_lines
    return text


def board_lines(position):
    """The position as lines of text, the top row first: ● Red, ○ Yellow, ▲ Green, # a stone, · an empty cell."""
    v = position.variation
    columns = range(v.left, v.left + v.width)
    lines = []
    for row in range(v.rows - 1, -1, -1):
        cells = [position.colour(6 * column + row) for column in columns]
        lines.append("%d  %s" % (row + 1, " ".join(["·" if c < 0 else "#" if c == 3 else SIGNS[c] for c in cells])))
    lines.append("   " + " ".join(["abcdefg"[c - 1] if 1 <= c <= v.free else " " for c in columns]).rstrip())
    return lines


class Console:
    """Takes lines from ``app.board`` and does what they say."""

    def __init__(self, app):
        self._app = app
        self._read_line = app.board.read_line
        self._write = app.board.write
        # word, what it does with the words behind it and the time
        self._commands = {
            "new": self._new,
            "show": self._show,
            "hint": self._hint,
            "undo": self._undo,
            "resign": self._resign,
            "record": self._record,
            "help": self._help,
        }

    def poll(self, now):
        """Take the next line, if one has come; never waits. ``now`` in ms."""
        line = self._read_line()
        if line:
            self.obey(line, now)

    def obey(self, line, now):
        """Do what ``line`` says; a refusal is answered in one line that says why."""
        word, _, rest = line.strip().partition(" ")
        if not word:
            return
        command = self._commands.get(word.lower())
        if command is not None:
            answer = command(rest.strip(), now)
        else:
            try:
                move = parse_move(line)
            except ValueError:
                answer = "'%s' is not understood. %s" % (line[:20], HELP)
            else:
                answer = self._app.serial("move", now, move)
        if answer:
            self._write(answer)

    def _new(self, text, now):
        app = self._app
        last = app.store.last_setup() if not text else None
        try:
            setup = last[0] if last else parse_new(text, app.settings)
        except ValueError as error:
            return str(error)
        app.begin(setup, now, now)

    def _show(self, text, now):
        game = self._app.game
        if game.position is None:
            return "no game has begun"
        for line in board_lines(game.position):
            self._write(line)
        match = game.match
        words = [game.setup.variation.header(), "score " + match.score_text()]
        if game.clock is not None:
            words.append("clock " + " ".join(["%d:%02d" % (ms // 60000, ms // 1000 % 60) for ms in game.clock.left_ms]))
        if game.is_open():
            colour = game.position.to_move
            words.append("%s to move%s" % (SIGNS[colour], " (engine)" if match.is_engine(colour) else ""))
        else:
            words.append("game over")
        self._write(", ".join(words))

    def _hint(self, text, now):
        return self._app.serial("hint", now)

    def _undo(self, text, now):
        return self._app.serial("undo", now)

    def _resign(self, text, now):
        if text not in ("", "game", "match"):
            return "write resign for this game, or resign match"
        return self._app.serial(("resign " + text).strip(), now)

    def _record(self, text, now):
        position = self._app.game.position
        return "no game has begun" if position is None else record(position) or position.variation.header()

    def _help(self, text, now):
        self._write(HELP)
        for line in _NEW_HELP:
            self._write(line)
