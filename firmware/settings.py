# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What can be set in settings.toml."""

# One row of data each. A key is ``FIVE_`` and the row's name in capitals. What each one means stands above it in
# settings.toml itself, which costs the board no memory; tests hold the two together, and the README's table is made of
# both.

from engine.match import MAX_BANK_MS, MAX_INCREMENT_MS
from firmware.palettes import PALETTES

# How a value is read: a whole number low .. high, a switch, one of some words, a place in a list of words, a pin,
# the eight buttons' pins, the order of a pixel's colours, clocks such as "5+3 10+5" (minutes + seconds a move).
INT, CHOICE, INDEX, PIN, PINS, ORDER, CLOCKS = range(7)
SWITCH = (0, 1)
MAX_CLOCKS = 5  # as many as the setup's page of forms can show

# name, kind, default, what is allowed
ROWS = (
    ("pixel_pin", PIN, "GP0", None),
    ("button_pins", PINS, "GP2 GP3 GP4 GP5 GP6 GP7 GP8 GP9", None),
    ("pixel_order", ORDER, "GRB", None),
    ("first_corner", CHOICE, "bottom left", ("bottom left", "bottom right", "top left", "top right")),
    ("wiring_order", CHOICE, "column", ("column", "row")),
    ("serpentine", INT, 0, SWITCH),
    ("rotation", CHOICE, 0, (0, 180)),
    ("mirror", INT, 0, SWITCH),
    ("budget_ma", INT, 400, (120, 3300)),
    ("brightness", INT, 40, (1, 100)),
    ("night_brightness", INT, 8, (1, 100)),
    ("palette", INDEX, PALETTES[0][0], tuple([row[0] for row in PALETTES])),
    ("cue", INT, 0, SWITCH),
    ("confirm", INT, 0, SWITCH),
    ("clock_presets", CLOCKS, "3+2 10+5 30+10", None),
    ("clock_shown", INT, 1, SWITCH),
    ("pop_both_lines", CHOICE, "mover", ("mover", "draw", "other")),
    ("rating", INT, 1200, (0, 4000)),
    ("dim_minutes", INT, 5, (1, 240)),
    ("sleep_minutes", INT, 15, (1, 240)),
    ("table_kb", INT, 4, (1, 64)),
)


class Settings:
    # The settings as plain attributes, by the rows' names: ints, words, ``palette`` an index, ``button_pins`` a tuple
    # of eight names, ``clock_presets`` a tuple of (bank_ms, increment_ms). ``complaints``: list of one-line texts.
    pass


def load(getenv, path=None):
    """The Settings that ``getenv(key)`` (os.getenv: a str, an int or None) gives. Never raises: a wrong value leaves
    a line in ``complaints`` that names the key, why, and what is used instead. So do lines of the settings.toml at
    ``path``, if one is given, that set nothing (firmware/strays.py)."""
    settings = Settings()
    settings.complaints = []
    for row in ROWS:
        name, _, default, _ = row
        value = wrong = None
        key = "FIVE_" + name.upper()
        try:
            value = getenv(key)
            if value is not None:
                value, wrong = read(row, value)
        except Exception as error:  # whatever a damaged file makes of it, the board goes on
            wrong = "can't be read (%s)" % error
        if value is None or wrong:
            value = read(row, default)[0]
        if wrong:
            _complain(settings, key, wrong, default)
        setattr(settings, name, value)
    if settings.pixel_pin in settings.button_pins:
        _complain(settings, "FIVE_PIXEL_PIN", "names a pin of FIVE_BUTTON_PINS", "the default pins for both")
        for row in ROWS[:2]:
            setattr(settings, row[0], read(row, row[2])[0])
    if settings.sleep_minutes < settings.dim_minutes:
        settings.dim_minutes = settings.sleep_minutes
    if path:
        from firmware import strays

        strays.look(path, getenv, settings.complaints)
    return settings


def _complain(settings, key, wrong, used):
    settings.complaints.append("settings.toml: %s %s; using %s" % (key, wrong, used))


def read(row, value):
    """(value as the program uses it, None), or (None, what is wrong with it) for ``row`` of ROWS."""
    _, kind, _, allowed = row
    shown = '"%s"' % _plain(value[:40]) if isinstance(value, str) else str(value)[:12]
    if kind == INT or kind == CHOICE and isinstance(allowed[0], int):
        number = _whole(value)
        if kind == INT:
            if number is not None and allowed[0] <= number <= allowed[1]:
                return number, None
            if allowed == SWITCH:
                return None, "= %s is not 0 or 1" % shown
            return None, "= %s is not a whole number from %d to %d" % (shown, allowed[0], allowed[1])
        value = number
    text = " ".join(value.split()) if isinstance(value, str) else value
    if kind == CHOICE or kind == INDEX:
        if isinstance(text, str):
            text = text.lower()
        if text in allowed:
            return (allowed.index(text) if kind == INDEX else text), None
        return None, "= %s is none of: %s" % (shown, ", ".join([str(word) for word in allowed]))
    if not isinstance(text, str):
        return None, "= %s is a number where a text in quotes is wanted" % shown
    if kind == ORDER:
        text = text.upper()
        if "".join(sorted(text)) in ("BGR", "BGRW"):
            return text, None
        return None, "= %s is no order of R, G, B or of R, G, B, W" % shown
    words = text.split()
    if kind == PIN:
        return (
            (text, None)
            if len(words) == 1 and _plain(text) == text
            else (None, "= %s is not the name of one pin" % shown)
        )
    if kind == PINS:
        if len(words) == 8 and len(set(words)) == 8 and _plain(text) == text:
            return tuple(words), None
        return None, "= %s is not eight different pins with blanks between" % shown
    if len(words) > MAX_CLOCKS:
        return None, "= %s is more than %d clocks" % (shown, MAX_CLOCKS)
    try:
        return tuple([parse_clock(word) for word in words]), None
    except ValueError as error:
        return None, "= %s: %s" % (shown, error)


def _plain(text):
    """``text`` on one line, its control characters escaped."""
    return repr(text)[1:-1]


def _whole(value):
    """``value`` as an int of at most nine digits, or None."""
    if isinstance(value, str):
        text = value.strip()
        if not text or text.strip("0123456789") or len(text) > 9:
            return None
        return int(text)
    return value if isinstance(value, int) else None


def parse_clock(text):
    """(bank_ms, increment_ms) of ``5+3``, minutes for the match + seconds a move, or ``5``. ValueError otherwise."""
    minutes, plus, seconds = text.partition("+")
    if not plus:
        seconds = "0"
    if not (0 < len(minutes) < 4 and 0 < len(seconds) < 3) or (minutes + seconds).strip("0123456789"):
        raise ValueError("clock '%s' is none such as 5+3: minutes for the match + seconds a move" % _plain(text[:20]))
    minutes, seconds = int(minutes), int(seconds)
    if not 1 <= minutes <= MAX_BANK_MS // 60000 or seconds > MAX_INCREMENT_MS // 1000:
        raise ValueError("clock '%s' is out of bounds: 1 to 100 minutes + 0 to 60 seconds a move" % _plain(text[:20]))
    return minutes * 60000, seconds * 1000
