# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What stands in settings.toml and sets nothing; looked for once, at power-on."""

# CircuitPython passes over every line that it is not asked for. Keys of other programs are theirs.

from firmware.settings import ROWS

# Few names: the board keeps each of them for good.


def look(path, getenv, complaints):
    """Add a line to ``complaints`` for each line of the settings.toml at ``path`` that sets nothing of ours and seems
    to be meant to, with the remedy; for five at most, and how many more there are. ``getenv`` as for settings.load.
    Never raises."""
    count = 0
    try:
        with open(path, "rb") as file:
            for text in strays(file, getenv):
                count += 1
                if count <= 5:
                    complaints.append("settings.toml, " + text)
    except OSError:  # there is none
        pass
    except Exception as error:
        complaints.append("settings.toml: can't be read to its end (%s)" % error)
    if count > 5:
        complaints.append("settings.toml: %d more lines set nothing" % (count - 5))


def strays(lines, getenv):
    """Yield what is wrong, for lines in bytes: a key of ours that is misspelt, set twice, below a [table] or without a
    value that can be read, and what is no KEY = VALUE at all."""
    keys = ["FIVE_" + row[0].upper() for row in ROWS]
    seen = []
    number = table = 0
    theirs = False  # within somebody else's value over several lines
    for line in lines:
        number += 1
        text = str(line.strip())[2:-1]  # what is not ASCII comes escaped
        if number == 1 and text.startswith("\\xef\\xbb\\xbf"):  # with which some editors begin a file
            text = text[12:]
        if not text or text[0] == "#":
            continue
        if text[0] == "[":
            table = table or number  # here CircuitPython stops reading
            continue
        key, equals, value = text.partition("=")
        key = key.strip()
        best = nearest(key.upper()[:40], keys) if equals and key not in keys else (0, "")
        wrong = None
        if not equals or not key:
            if not theirs and not table:
                wrong = '"%s" is no KEY = VALUE; a remark begins with #' % text[:40]
        elif key in keys:
            if table:
                wrong = "%s is not read below a [table]: move it above line %d" % (key, table)
            elif key in seen:
                wrong = "%s is set again: the first one counts" % key
            else:
                try:
                    if getenv(key) is None:
                        wrong = "%s is not read: the value is to be a whole number or a text in quotes" % key
                except Exception:  # settings.load has told it
                    pass
            seen.append(key)
        elif best[0] > 75 or key.upper().startswith("FIVE_"):  # so like one of ours that it is meant for it
            wrong = "%s is no setting: did you mean %s?" % (key[:40], best[1])
        elif " " in key and not theirs and not table:
            wrong = '"%s" is no KEY = VALUE; a remark begins with #' % text[:40]
        else:
            theirs = value.strip()[:1] in ("[", "{", "'") or '"""' in value
        if wrong:
            yield "line %d: %s" % (number, wrong)


def nearest(key, keys):
    """(How like ``key`` it is, by the pairs of letters they share, in percent; and which it is) of the most similar of
    ``keys``."""
    best = (0, "")
    for known in keys:
        if known == "FIVE_" + key:
            return 100, known
        same = 0
        for text, other in ((key, known), (known, key)):
            for i in range(len(text) - 1):
                if text[i : i + 2] in other:
                    same += 1
        best = max(best, (100 * same // (len(known) + len(key) - 2), known))
    return best
