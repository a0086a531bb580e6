# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Scripts that drive the emulated board, and the log of what it answered.

A script has one thing a line; times are virtual milliseconds since power-on, and with a plus since the line before:

    # a comment
    d down 7000             the contact of button d closes; buttons are a to g and p (pop)
    d up +60
    p press +500 1200       down, and up 1,200 ms later (60 if not told)
    type +0 new five level 3    a line to the console
    wait 2. ○               until a line with this text is printed (60 s at most); then is "the line before" for a plus
    end +3000               the board runs until then; without it one second beyond the last line
"""

import json
from collections import namedtuple

from hal.terminal import COLUMNS, ROWS, letter
from tools.emulator.errors import EmulatorError

BUTTONS = "abcdefgp"
PRESS_MS = 60
WAIT_MS = 60000
TAIL_MS = 1000

#: kind: "contact", "press", "type", "wait", "end"; relative: ms counts from the step before; number: of the line.
Step = namedtuple("Step", "number kind ms relative button down hold_ms text")


def parse(text):
    """The list of Steps of a script. Raises EmulatorError that names the line."""
    steps = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#")[0].split() if not line.lstrip().startswith(("type", "wait")) else line.split()
        if words:
            steps.append(_step(number, words))
    return steps


def _step(number, words):
    step = Step(number, words[0], 0, False, None, None, None, "")
    if words[0] == "wait":
        if len(words) < 2:
            raise _wrong(number, "wait needs the text of a line to wait for: wait 2. ○")
        return step._replace(text=" ".join(words[1:]), relative=True)
    if words[0] == "type":
        if len(words) < 3:
            raise _wrong(number, "type needs a time and a line: type +0 new five level 3")
        ms, relative = _time(number, words[1])
        return step._replace(ms=ms, relative=relative, text=" ".join(words[2:]))
    if words[0] == "end":
        if len(words) != 2:
            raise _wrong(number, "end needs a time: end +3000")
        ms, relative = _time(number, words[1])
        return step._replace(ms=ms, relative=relative)
    if words[0] not in BUTTONS or len(words[0]) != 1:
        raise _wrong(number, "'%s' is no button a to g or p, nor type, wait or end" % words[0])
    step = step._replace(button=BUTTONS.index(words[0]))
    if len(words) >= 3:
        ms, relative = _time(number, words[2])
        step = step._replace(ms=ms, relative=relative)
        if words[1] in ("down", "up") and len(words) == 3:
            return step._replace(kind="contact", down=words[1] == "down")
        if words[1] == "press" and len(words) <= 4:
            hold_ms = _time(number, words[3])[0] if len(words) == 4 else PRESS_MS
            return step._replace(kind="press", hold_ms=hold_ms)
    raise _wrong(number, "a button's line is 'd down 7000', 'd up +60' or 'd press +500 60'")


def _time(number, word):
    relative = word.startswith("+")
    try:
        ms = float(word[relative:])
    except ValueError:
        ms = -1.0
    if not 0 <= ms < 1e9:
        raise _wrong(number, "'%s' is no time in milliseconds" % word)
    return ms, relative


def _wrong(number, text):
    return EmulatorError("script, line %d: %s" % (number, text), 2)


def play(board, steps, log=None):
    """Do the steps on an EmulatedBoard. Raises EmulatorError when a time has passed or an awaited line does not come.

    log: a Log that is told of each contact, or None.
    """
    last_ms = 0
    seen = len(board.lines)
    ended = False
    for step in steps:
        ms = last_ms + step.ms if step.relative else step.ms
        if step.kind == "wait":
            last_ms = board.wait_for_line(step.text, WAIT_MS, after=seen).ms
            seen = next(i for i, line in enumerate(board.lines) if i >= seen and step.text in line.text) + 1
            continue
        if ms < board.now_ms() - 1 and not step.relative:
            raise _wrong(step.number, "%g ms has passed: it is %.0f" % (ms, board.now_ms()))
        ms = max(ms, board.now_ms())
        board.run(ms)
        if step.kind == "contact":
            _contact(board, step.button, step.down, ms, log)
        elif step.kind == "press":
            _contact(board, step.button, True, ms, log)
            board.run(ms + step.hold_ms)
            _contact(board, step.button, False, ms + step.hold_ms, log)
            ms += step.hold_ms
        elif step.kind == "type":
            board.serial_in(step.text + "\n")
            if log:
                log.typed(ms, step.text)
        last_ms = ms
        ended = step.kind == "end"
    if not ended:
        board.run_for(TAIL_MS)


def _contact(board, button, down, ms, log):
    board.contact(button, down)
    if log:
        log.contact(ms, button, down)


def grid(rgb):
    """A frame as text: six rows of nine letters, the top row first (hal.terminal.letter); a dot is a dark pixel."""
    full = max(max(rgb), 1)
    rows = []
    for row in range(ROWS - 1, -1, -1):
        pixels = [rgb[at : at + 3] for at in range(3 * row, 3 * ROWS * COLUMNS, 3 * ROWS)]
        rows.append("".join(letter(*pixel, full) if any(pixel) else "." for pixel in pixels))
    return rows


class Log:
    """Writes down what a board shows, prints and is told, with times, as text or as JSON lines.

    As text a frame is written when its letters differ from those of the last; as JSON every frame is, with its bytes.
    """

    def __init__(self, board, out, as_json=False):
        self._out = out
        self._json = as_json
        self._grid = None
        board.on_frame = self._frame
        board.on_line = self._line

    def _put(self, ms, kind, value, **more):
        if self._json:
            print(json.dumps({"ms": round(ms, 3), kind: value, **more}, ensure_ascii=False), file=self._out)
        else:
            print("%10.1f  %-7s %s" % (ms, kind, value), file=self._out)

    def _frame(self, frame):
        rows = grid(frame.rgb)
        if self._json:
            self._put(frame.start_ms, "lit", rows, until_ms=round(frame.end_ms, 3), rgb=frame.rgb.hex())
        elif rows != self._grid:
            self._put(frame.start_ms, "lit", " ".join(rows))
        self._grid = rows

    def _line(self, line):
        self._put(line.ms, "printed", line.text)

    def contact(self, ms, button, down):
        """A contact has closed or opened."""
        if self._json:
            self._put(ms, "button", BUTTONS[button], down=down)
        else:
            self._put(ms, "button", "%s %s" % (BUTTONS[button], "down" if down else "up"))

    def typed(self, ms, text):
        """A line has gone to the console."""
        self._put(ms, "typed", text)
