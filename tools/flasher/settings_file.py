# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Edits a board's settings.toml line by line: comments and order stay, and no wrong value gets in."""

import difflib
import re

from firmware.settings import ROWS, load, read
from tools.flasher.errors import FlashError

PREFIX = "FIVE_"
OTHERS = "CIRCUITPY_"  # CircuitPython's own keys, such as CIRCUITPY_PYSTACK_SIZE
LINE = r"^(\s*%s\s*)%s\s*=.*$"


def parse_pairs(pairs):
    """[(key, text)] of `KEY=VALUE` words; the prefix FIVE_ and capitals may be left out. Raises FlashError, for a value
    that is wrong by itself as well: no board is needed to tell.

    An empty value takes the setting back to its default.
    """
    rows = {PREFIX + row[0].upper() for row in ROWS}
    parsed = []
    for pair in pairs:
        key, equals, text = pair.partition("=")
        name = key.strip().upper()
        if not equals:
            raise FlashError("'%s' is not KEY=VALUE: for example brightness=30" % pair, status=2)
        if not name.startswith(OTHERS):
            name = name if name.startswith(PREFIX) else PREFIX + name
            if name not in rows:
                near = difflib.get_close_matches(name, rows, 1)
                hint = "did you mean %s?" % near[0] if near else "there are: %s" % ", ".join(sorted(rows))
                raise FlashError("There is no setting %s; %s" % (name, hint), status=2)
        if any(ord(c) < 32 for c in text):
            raise FlashError("The value of %s has a line end or another control character in it" % name, status=2)
        text = text.strip()
        if text:
            typed(name, text)
        parsed.append((name, text))
    return parsed


def typed(key, text):
    """The value of a setting from the words of a command line: an int where the setting takes one, else a str.

    Raises FlashError with the reason that the board itself would give.
    """
    whole = int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else None
    if key.startswith(OTHERS):
        return text if whole is None else whole
    row = next(row for row in ROWS if PREFIX + row[0].upper() == key)
    wrong = None
    for value in [text] if whole is None else [whole, text]:
        _, wrong = read(row, value)
        if not wrong:
            return value
    raise FlashError("%s %s; nothing was changed" % (key, wrong), status=2)


def literal(value):
    """The value as settings.toml writes it: a whole number, or a text in quotes."""
    if isinstance(value, int):
        return str(value)
    return '"%s"' % value.replace("\\", "\\\\").replace('"', '\\"')


def values(text):
    """All keys that a settings.toml sets, as CircuitPython reads them: key -> int or str; the first of doubles, and
    nothing below a [table]."""
    found = {}
    text = re.split(r"(?m)^\s*\[", text)[0]
    value = r'(?:"((?:[^"\\\n]|\\.)*)"|(-?\w+))[^\S\n]*(?:#.*)?$'
    for key, quoted, number in re.findall(r"(?m)^\s*([A-Za-z]\w*)[^\S\n]*=[^\S\n]*" + value, text):
        if number:
            try:
                found.setdefault(key, int(number, 0))
            except ValueError:
                continue
        else:
            found.setdefault(key, re.sub(r"\\(.)", r"\1", quoted))
    return found


def edit(data, pairs, template):
    """The new bytes of a settings.toml, and lines that say what changed.

    data: its present bytes, None or blank for none (then the template is edited); pairs: as of `parse_pairs`.
    Raises FlashError when a value is wrong, alone or together with the others; nothing was changed then.
    """
    if not data or not data.strip():
        data = template
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise FlashError(
            "settings.toml on the board is no UTF-8 text and cannot be edited: --reset-settings replaces it "
            "(the old file is kept as settings.toml.saved)"
        ) from None
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    end_of_keys = next((i for i, old in enumerate(lines) if old.lstrip().startswith("[")), len(lines))
    lines, tables = lines[:end_of_keys], lines[end_of_keys:]  # below a [table] CircuitPython reads no key
    said = []
    before = values(text)
    for key, word in pairs:
        value = typed(key, word) if word else None
        line = "# %s = (default)" % key if value is None else "%s = %s" % (key, literal(value))
        active = [i for i, old in enumerate(lines) if re.match(LINE % ("", key), old)]
        asleep = [i for i, old in enumerate(lines) if re.match(LINE % ("#", key), old)]
        if value is None:
            for i in active:
                lines[i] = "# " + lines[i].lstrip()
        elif active:
            lines[active[0]] = line
            for i in reversed(active[1:]):
                del lines[i]
        elif asleep:
            lines[asleep[0]] = line
        else:
            lines.append(line)
        old = before.get(key)
        said.append(
            "%s: %s -> %s"
            % (key, "default" if old is None else literal(old), "default" if value is None else literal(value))
        )
    new = "\n".join(lines + tables) + "\n"
    edited = [key for key, _ in pairs]
    for complaint in load(values(new).get).complaints:
        if any(key in complaint for key in edited):
            raise FlashError("%s; nothing was changed" % complaint.partition("; using")[0], status=2)
    return new.replace("\n", end).encode("utf-8"), said
