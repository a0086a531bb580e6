# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The puzzles' file as bytes: what firmware/puzzles.py reads in place on the board's drive.

::

    head     "5PUZ", VERSION, puzzles of each grade (4 bytes), goals not used (0), length of the file (2 bytes),
             CRC-32 of all other bytes (4 bytes); numbers are little-endian
    index    the place of each record in the file (2 bytes each), grade by grade, the easier first
    record   plies, goal (1: win, 0: save the draw), the moves' columns and then the tree, four bits each, the lower
             four bits of a byte first

The tree is what the person can do, and what the board answers. A node stands for a position with the person to move and
has an entry for each column a .. g::

    0 .. 6    this move keeps the value; the other side answers in that column; its node follows
    7         this move keeps the value and solves the puzzle
    8 + n     this move gives it away, or the column is full (n = 0); n columns follow, the refutation
"""

import binascii
import struct
from dataclasses import dataclass

MAGIC, VERSION = b"5PUZ", 1
GRADES = 4
HEAD = struct.Struct("<4sB4sBHI")
MOST = 208  # solved puzzles have a bit each in the board's memory (firmware/store.py)
LONGEST = 255  # bytes of a record: the board has one buffer for it
SOLVED, WRONG = 7, 8
LINE_MAX = 7  # plies of a refutation


class FileError(ValueError):
    """The file is damaged or of another kind; the text is one line."""


@dataclass(frozen=True)
class Puzzle:
    """A position, what is to be done in it, and the tree of answers (see above) as a tuple of numbers 0 .. 15.

    moves: columns 0 .. 6; goal: 1 win, 0 save; grade: 1 .. 4.
    """

    moves: tuple
    goal: int
    grade: int
    tree: tuple

    @property
    def record(self):
        """The moves as letters."""
        return "".join("abcdefg"[column] for column in self.moves)

    def key(self):
        """The column of the only move that keeps the value."""
        at = 0
        for column in range(7):
            if self.tree[at] < WRONG:
                return column
            at = skip(self.tree, at)
        raise FileError("%s: no move keeps the value" % self.record)


def skip(tree, at):
    """The place behind the entry at ``at``, with all that hangs on it."""
    pending = 1
    while pending:
        entry = tree[at]
        at += 1
        pending -= 1
        if entry < SOLVED:
            pending += 7
        elif entry >= WRONG:
            at += entry - WRONG
    return at


def encode(puzzles):
    """The file's bytes. Raises FileError where something does not fit."""
    if len(puzzles) > MOST:
        raise FileError("%d puzzles: the board remembers %d" % (len(puzzles), MOST))
    counts = bytes(sum(puzzle.grade == grade for puzzle in puzzles) for grade in range(1, GRADES + 1))
    index, records = [], []
    at = HEAD.size + 2 * len(puzzles)
    for puzzle in puzzles:
        numbers = list(puzzle.moves) + list(puzzle.tree)
        numbers += [15] * (len(numbers) % 2)
        packed = bytes(low | high << 4 for low, high in zip(numbers[::2], numbers[1::2]))
        record = bytes((len(puzzle.moves), puzzle.goal)) + packed
        if len(record) > LONGEST:
            raise FileError("%s: %d bytes, at most %d fit" % (puzzle.record, len(record), LONGEST))
        index.append(at)
        at += len(record)
        records.append(record)
    if at > 0xFFFF:
        raise FileError("%d bytes, at most %d fit" % (at, 0xFFFF))
    body = struct.pack("<%dH" % len(index), *index) + b"".join(records)
    head = HEAD.pack(MAGIC, VERSION, counts, 0, at, 0)
    crc = binascii.crc32(body, binascii.crc32(head[:-4]))
    return head[:-4] + struct.pack("<I", crc) + body


def decode(data):
    """The puzzles of a file's bytes, in its order. Raises FileError."""
    if len(data) < HEAD.size:
        raise FileError("%d bytes are too few" % len(data))
    magic, version, counts, _, size, crc = HEAD.unpack_from(data)
    if magic != MAGIC:
        raise FileError("it holds no puzzles")
    if version != VERSION:
        raise FileError("it is of version %d, not %d" % (version, VERSION))
    if size != len(data) or binascii.crc32(data[HEAD.size :], binascii.crc32(data[: HEAD.size - 4])) != crc:
        raise FileError("it is damaged")
    grades = [grade for grade, count in enumerate(counts, 1) for _ in range(count)]
    index = list(struct.unpack_from("<%dH" % len(grades), data, HEAD.size)) + [size]
    puzzles = []
    for number, grade in enumerate(grades):
        record = data[index[number] : index[number + 1]]
        numbers = [four for byte in record[2:] for four in (byte & 15, byte >> 4)]
        plies = record[0]
        tree = numbers[plies:]
        end = 0
        for _ in range(7):
            end = skip(tree, end)
        puzzles.append(Puzzle(tuple(numbers[:plies]), record[1], grade, tuple(tree[:end])))
    return puzzles
