# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The serial line."""

# Lines of text that come in at the board's USB console (DEVICE.md, "The serial line"). A move, hint, undo and resign
# are done at once; whatever else is written loads firmware/words.py for a moment.

from engine.moves import KINDS, LETTERS, MARKS


def poll(app, now):
    """Take the next line from ``app.board``, if one has come; never waits. ``now`` in ms."""
    line = app.board.read_line()
    if line:
        obey(app, line, now)


def obey(app, line, now):
    """Do what ``line`` says; a refusal is answered in one line that says why."""
    text = " ".join(line.lower().split())
    if text in ("hint", "undo", "resign", "resign game", "resign match"):
        answer = app.serial(text, now)
    elif text:
        column = (LETTERS + "1234567").find(text[0])
        if column >= 0 and text[1:] in MARKS:
            answer = app.serial("move", now, column % 7 | KINDS[MARKS.index(text[1:])])
        else:
            try:
                answer = app.board.busy(_look_up, app, line, now)
            except MemoryError as error:
                answer = "fault: %s" % error
            app.tidy()
    else:
        return
    if answer:
        app.board.write(answer)


def _look_up(app, line, now):
    from firmware import words

    return words.obey(app, line, now)
