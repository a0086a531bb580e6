# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The puzzles' file, read in place: never more than one record is in memory.

What its bytes mean is told in tools/puzzles/file.py. Puzzles are numbered 0 .. as they stand in it, grade by grade.
"""

from binascii import crc32

from hal.drive import open_file

PATH = "firmware/puzzles.bin"
GRADES = 4
HEAD = 16
MOST = 208  # the store has a bit for each
BLOCK = 256  # bytes read at once; a record is shorter
SOLVED, WRONG = 7, 8  # entries of a tree; below 7 the other side's answer, above 7 + n a refutation of n plies


class PuzzleFile:
    """``counts``: how many puzzles each grade has. ``plies`` and ``goal`` (1: win, 0: save the draw) of the puzzle that
    was read last, whose moves and tree :meth:`number` gives. Raises OSError where there is no file, ValueError in one
    line where it is damaged."""

    def __init__(self, path=PATH):
        self.read_into = read_into = open_file(path)
        self.buffer = buffer = bytearray(BLOCK)
        view = memoryview(buffer)
        size = length = read_into(0, buffer)
        if size < HEAD or buffer[:4] != b"5PUZ":
            raise ValueError("it holds no puzzles")
        if buffer[4] != 1:
            raise ValueError("it is of version %d, not 1" % buffer[4])
        self.counts = bytes(buffer[5:9])
        wanted = buffer[10] | buffer[11] << 8
        check = bytes(buffer[12:HEAD])
        crc = crc32(view[HEAD:size], crc32(view[: HEAD - 4]))
        while size == BLOCK:
            size = read_into(length, buffer)
            crc = crc32(view[:size], crc)
            length += size
        if length != wanted or crc.to_bytes(4, "little") != check or not 0 < sum(self.counts) <= MOST:
            raise ValueError("it is damaged")

    def read(self, puzzle):
        """Take up the puzzle of that number."""
        buffer = self.buffer
        self.read_into(HEAD + 2 * puzzle, buffer)
        self.read_into(buffer[0] | buffer[1] << 8, buffer)
        self.plies = buffer[0]
        self.goal = buffer[1]

    def number(self, at):
        """The four bits at place ``at``: the moves first, from ``plies`` on the tree."""
        return self.buffer[2 + (at >> 1)] >> 4 * (at & 1) & 15

    def entry(self, node, column):
        """The place of ``column``'s entry in the node at ``node``."""
        pending = column
        while pending:
            number = self.number(node)
            node += 1
            pending -= 1
            if number < SOLVED:
                pending += 7
            elif number >= WRONG:
                node += number - WRONG
        return node

    def key(self, node):
        """The first column of the node at ``node`` that keeps the value."""
        column = 0
        while column < 6 and self.number(self.entry(node, column)) >= WRONG:
            column += 1
        return column
