# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What the serial line can be asked beside moves (firmware/console.py); loaded when such a line comes."""

from engine.catalogue import NAMES
from engine.match import Setup
from engine.moves import SIGNS
from engine.notation import parse_header, parse_move, record

HELP = "moves: d, d- (pop); new five pop level 4; show, hint, undo, resign, resign match, record, help"
_HELP_LINES = (
    HELP,
    "new VARIATION [pop] [random] [seed=17] [mirror=1] [pop_both=draw] [two | level 1-6] [engine red|yellow]",
    "    [match | single] [clock 5+3]; new alone: the last setup again",
)
_SIDES = ("red", "yellow", "green")
_LEVEL = 4  # of an engine that is named without one


def parse_new(text, settings, seed=0):
    """The Setup that the words behind ``new`` name: those of a record's header, ``two`` or ``level 4`` with
    ``engine red|yellow|green`` (its side in the first game; Yellow if not told), ``match`` or ``single``, ``clock 5+3``
    (minutes for the match + seconds a move). ``settings`` and, for a variation that draws lots, ``seed`` give what is
    not told. Raises ValueError with one clear line."""
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
            if len(value) != 1 or value not in "123456":
                raise ValueError("level '%s' is none of 1 to 6" % value[:20])
            level = int(value)
            at += 1
        elif word == "engine":
            if value not in _SIDES:
                raise ValueError("engine '%s' is none of %s" % (value[:20], ", ".join(_SIDES)))
            engine = _SIDES.index(value)
            at += 1
        elif word == "clock":
            from firmware.settings import parse_clock

            clock = parse_clock(value)
            at += 1
        elif word == "match" or word == "single":
            is_match = word == "match"
        elif word == "two":
            level = 0
            engine = -1
        else:
            header.append(word[:40])
    if "two" in words and ("level" in words or "engine" in words):
        raise ValueError("two is two people: leave out level and engine")
    header = _with_defaults(header, settings)
    variation = parse_header(header)
    if variation.draws_lots and "seed=" not in header:
        variation = parse_header("%s seed=%d" % (header, seed))
    if level and engine < 0:
        engine = 1
    if engine >= variation.colours:
        raise ValueError("%s has no %s side for the engine" % (variation.name, _SIDES[engine]))
    return Setup(variation, level or _LEVEL, engine, is_match, clock[0], clock[1])


def _with_defaults(words, settings):
    """A header of these words, the variation first, with what the settings say where they say nothing."""
    name = options = ""
    for word in words:
        if word in NAMES and not name:  # "random" may follow as an option
            name = word
        elif word in ("pop", "random") or "=" in word:
            options += " " + word
        else:
            raise ValueError("'%s' is not understood; help lists the words behind new" % word)
    name = name or "five"
    if name == "five" and settings.mirror and "mirror=" not in options:
        options += " mirror=1"
    if " pop" in options and settings.pop_both_lines != "mover" and "pop_both=" not in options:
        options += " pop_both=" + settings.pop_both_lines
    return name + options


def obey(app, line, now):
    """Do what ``line`` says; the answer, if any."""
    word, _, rest = line.strip().partition(" ")
    word = word.lower()
    rest = rest.strip()
    position = app.game.position
    if word == "new":
        return _new(app, rest, now)
    if word == "resign":
        return "write resign for this game, or resign match"
    if word == "help" and not rest:
        for text in _HELP_LINES:
            app.board.write(text)
        return None
    if word in ("show", "record") and not rest:
        if position is None or app.game.demo:
            return "no game has begun"
        return _show(app) if word == "show" else record(position) or position.variation.header()
    try:
        move = parse_move(line)
    except ValueError:
        return "'%s' is not understood. %s" % (line[:20], HELP)
    return app.serial("move", now, move)


def _new(app, text, now):
    last = None
    if not text:
        from firmware.setups import unpack

        last = unpack(app.store)
    try:
        setup = last[0] if last else parse_new(text, app.settings, now)
    except ValueError as error:
        return str(error)
    app.begin(setup, now, now)
    return None


def _show(app):
    game = app.game
    for line in board_lines(game.position):
        app.board.write(line)
    words = [game.setup.variation.header(), "score " + game.match.score_text()]
    if game.position.variation.collect:
        words.append("collected %d:%d" % tuple(game.position.points))
    if game.clock is not None:
        words.append("clock " + " ".join(["%d:%02d" % (ms // 60000, ms // 1000 % 60) for ms in game.clock.left_ms]))
    if game.is_open():
        colour = game.position.to_move
        words.append("%s to move%s" % (SIGNS[colour], " (engine)" if game.match.is_engine(colour) else ""))
    else:
        words.append("game over")
    return ", ".join(words)


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
