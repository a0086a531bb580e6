# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The serial line: lines of text that come in at the board's USB console (DEVICE.md, "The serial line")."""

import sys

from engine.notation import SIGNS, parse_move, record

HELP = "moves: d, d- (pop); new five pop level 4; show, hint, undo, resign, resign match, record, help"
HELP_LINES = (
    HELP,
    "new VARIATION [pop] [random] [seed=17] [mirror=1] [pop_both=draw] [two | level 1-6] [engine red|yellow]",
    "    [match | single] [clock 5+3]; new alone: the last setup again",
)


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
    """Takes lines from ``app.board`` and does what they say. A command is a method ``do_WORD`` that takes the words
    behind it and the time, and returns the answer, if any."""

    def __init__(self, app):
        self._app = app
        self._read_line = app.board.read_line
        self._write = app.board.write

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
        command = getattr(self, "do_" + word.lower(), None)
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

    def do_new(self, text, now):
        import firmware.words  # a game ends here anyway: the moment that it takes is nobody's

        app = self._app
        last = app.store.last_setup() if not text else None
        try:
            setup = last[0] if last else firmware.words.parse_new(text, app.settings, now)
        except (ValueError, MemoryError) as error:
            return str(error)
        finally:
            for name in ("words", "settings"):  # the latter is read for a clock
                if sys.modules.pop("firmware." + name, None):
                    delattr(firmware, name)
        app.begin(setup, now, now)

    def do_show(self, text, now):
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

    def do_hint(self, text, now):
        return self._app.serial("hint", now)

    def do_undo(self, text, now):
        return self._app.serial("undo", now)

    def do_resign(self, text, now):
        if text not in ("", "game", "match"):
            return "write resign for this game, or resign match"
        return self._app.serial(("resign " + text).strip(), now)

    def do_record(self, text, now):
        position = self._app.game.position
        return "no game has begun" if position is None else record(position) or position.variation.header()

    def do_help(self, text, now):
        for line in HELP_LINES:
            self._write(line)
