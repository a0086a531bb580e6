# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The file of a book: written here, read whole here, read in place by engine/book.py, where its form is described."""

import struct
import zlib
from pathlib import Path

from engine.book import BUCKETS, ENTRY, HEAD, VERSION, fletcher, place

HEADER = struct.Struct("<4sBBH8sIH10x64s")
INDEX = struct.Struct("<%dH" % (BUCKETS + 1))
LARGEST_BYTES = 300 * 1024
LARGEST_COUNT = min(0xFFFF, (LARGEST_BYTES - HEAD - INDEX.size) // ENTRY)
LARGEST_BUCKET = 360  # entries: nine reads
RULES, NO_RULE = 8, bytes([255]) * 8


class BookError(ValueError):
    """The bytes are no book; the text is one line."""


def rule_bytes(strategies):
    """The net's 64 bytes for strategies as tools.solver.strategy reads them."""
    made = []
    for strategy in strategies:
        last = 41 if strategy.exact_from is None else strategy.exact_from - 2
        for row in strategy.rows:
            first, until = (0, last) if row.ply is None else (row.ply, row.ply)
            mask, height = 127, 0
            if row.after_cell is not None:
                mask, height = 1 << row.after_cell[0], row.after_cell[1] + 1
            elif row.after_columns is not None:
                mask = sum(1 << column for column in row.after_columns)
            column, cell_row = row.empty or (7, 0)
            play = 7 if row.play < 0 else row.play
            made.append(bytes((strategy.side, first, until, mask, height, column, cell_row, play)))
    if len(made) > RULES:
        raise BookError("%d rules: a book has room for %d" % (len(made), RULES))
    return b"".join(made + [NO_RULE] * (RULES - len(made)))


def pack(entries, rules, leave, name="five"):
    """The bytes of a book. entries: {seven column codes: column, and NET where the entry belongs to the net}. Raises
    BookError where they are too many."""
    if len(entries) > LARGEST_COUNT:
        raise BookError("%d entries: %d are what %d KB hold" % (len(entries), LARGEST_COUNT, LARGEST_BYTES // 1024))
    buckets = [[] for _ in range(BUCKETS)]
    needle = bytearray(ENTRY)
    for codes, value in entries.items():
        bucket = place(codes, needle)
        buckets[bucket].append(bytes(needle[:4]) + bytes([needle[4] | value << 4]))
    index = [0]
    for one in buckets:
        if len(one) > LARGEST_BUCKET:
            raise BookError("a bucket of %d entries: %d are what a look-up may read" % (len(one), LARGEST_BUCKET))
        index.append(index[-1] + len(one))
    body = INDEX.pack(*index) + b"".join(entry for one in buckets for entry in sorted(one))

    def head(check):
        return HEADER.pack(b"BOOK", VERSION, leave, len(entries), name.encode(), zlib.crc32(body), check, rules)

    a, b = fletcher(head(0))
    return head(a | b << 8) + body


class BookFile:
    """A whole book in memory. ``entries`` as for pack; ``rules``, ``leave``, ``name`` as in the
    head; ``largest``: entries of the largest bucket. Raises BookError for bytes that are none or are damaged."""

    def __init__(self, data):
        if len(data) < HEAD or data[:4] != b"BOOK":
            raise BookError("not a book: it does not begin with BOOK")
        _, version, self.leave, count, name, crc, check, self.rules = HEADER.unpack_from(data)
        if version != VERSION:
            raise BookError("a book of version %d; this reads version %d" % (version, VERSION))
        a, b = fletcher(data[:20] + b"\0\0" + data[22:HEAD])
        if a | b << 8 != check:
            raise BookError("the head is damaged: build the book anew")
        whole = HEAD + INDEX.size + ENTRY * count
        if len(data) != whole:
            raise BookError("%d bytes where %d belong: copy the file again" % (len(data), whole))
        if zlib.crc32(data[HEAD:]) != crc:
            raise BookError("damaged behind its head: copy the file again, or build it anew")
        self.name = name.rstrip(b"\0").decode("ascii", "replace")
        self.entries = {}
        index = INDEX.unpack_from(data, HEAD)
        self.largest = max(end - begin for begin, end in zip(index, index[1:]))
        for bucket in range(BUCKETS):
            for i in range(index[bucket], index[bucket + 1]):
                entry = data[HEAD + INDEX.size + ENTRY * i :][:ENTRY]
                self.entries[codes_of(bucket, entry)] = entry[4] >> 4


def codes_of(bucket, entry):
    """The seven column codes of an entry of five bytes in its bucket."""
    a = entry[0] | entry[1] << 8 | entry[2] << 16 | (entry[3] & 15) << 24
    high = entry[3] >> 4 | (entry[4] & 15) << 4
    base = bytes((a & 127, a >> 7 & 127, a >> 14 & 127, a >> 21, 0, high << 13 >> 7 & 127, high << 13 >> 14))
    low = bucket ^ place(base, bytearray(ENTRY))  # what the thirteen open bits are mixed with
    b = high << 13 | low
    return (*base[:4], b & 127, b >> 7 & 127, b >> 14)


def read(path):
    """The BookFile at a path. Raises BookError, OSError."""
    return BookFile(Path(path).read_bytes())
