# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Frames of the board as text: to read, to compare line by line, and to make pictures of again.

A frame is a line with its time, then the six rows from the top; a light is its red, green and blue in hexadecimal as
they went out on the wire, a dark one six dots::

    1240 ms
    0f0000 ...... ...... ...... 1a1000 ...... ...... ...... 0f0900
    …
"""

from tools.picture import COLUMNS, FRAME_BYTES, ROWS

DARK = "......"


def to_text(frames):
    """The text of frames: an iterable of (time in us, 162 bytes)."""
    lines = []
    for time_us, frame in frames:
        lines.append("%d ms" % (time_us // 1000))
        for row in range(ROWS - 1, -1, -1):
            cells = [frame[at : at + 3] for at in range(3 * row, FRAME_BYTES, 3 * ROWS)]
            lines.append(" ".join(bytes(cell).hex() if any(cell) else DARK for cell in cells))
    return "".join(line + "\n" for line in lines)


def from_text(text):
    """The list of (time in us, 162 bytes) of a text. Raises ValueError with the number of the line that is wrong."""
    frames = []
    row = 0  # still to come of the frame that is being read
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            if row == 0:
                if len(words) != 2 or words[1] != "ms":
                    raise ValueError("'%s' is no time such as '1240 ms'" % line[:40])
                frame = bytearray(FRAME_BYTES)
                frames.append((1000 * int(words[0]), frame))
                row = ROWS
                continue
            if len(words) != COLUMNS:
                raise ValueError("a row has %d lights, not %d" % (COLUMNS, len(words)))
            row -= 1
            for column, word in enumerate(words):
                at = 3 * (ROWS * column + row)
                light = bytes(3) if word == DARK else bytes.fromhex(word)
                if len(light) != 3:
                    raise ValueError("'%s' is no light such as 1a1000" % word[:40])
                frame[at : at + 3] = light
        except ValueError as error:
            raise ValueError("line %d: %s" % (number, error)) from None
    if row:
        raise ValueError("the last frame has %d rows, not %d" % (ROWS - row, ROWS))
    if not frames:
        raise ValueError("there is no frame in it")
    return [(time_us, bytes(frame)) for time_us, frame in frames]
