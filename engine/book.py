# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The book on the drive: moves for positions that the search would spoil, and the net, rules that never lose."""

# One file for a variation, made by ``python3 -m tools book build`` and read in place, two short reads a look-up; whole
# numbers are little-endian::
#
#     offset  bytes
#     0       4     "BOOK"
#     4       1     version, 1
#     5       1     discs from which a proved draw is played on by the search, not by the net
#     6       2     number of entries n
#     8       8     name of the variation, zeros behind it
#     16      4     CRC-32 of everything from offset 96 on (not read on the board)
#     20      2     Fletcher's checksum (modulo 255, both sums from 1) of these 96 bytes with 0 in its own place
#     22      10    0
#     32      64    the net, eight rules of eight bytes; the first that applies gives the move:
#                     side it is for (255: no rule), lowest and highest number of discs at which it applies,
#                     mask of the columns where the other side has just played (127: any or none),
#                     row of its disc + 1 (0: any), column with room below a certain row (7: none), that row,
#                     column to play (7: the column of the move before). A full column is no move.
#     96     16386  for each bucket 0 .. 8192, the number of the first entry that is not before it
#     16482   5 n   entries, by bucket: what the bucket leaves open of the position's key (36 bits), the column to play
#                   (3 bits), and 1 where the entry belongs to the net: after any other one the game has left it
#
# A key is exact: 7 bits a free column, Yellow's discs from the lowest up and a 1 above the top disc, so no position is
# ever taken for another. A position's bucket is 13 of its bits mixed with the others, which the entry holds.

HEAD, BUCKETS, ENTRY = 96, 8192, 5
NET = 8  # beside an entry's column
VERSION = 1
_RULES = 32
_AT_ONCE = 40  # entries in a read


class Book:
    def __init__(self, read_into, variation):
        """A book that ``read_into(offset, buffer)`` -> bytes read gives access to, for positions of ``variation``.

        :meth:`start` a position, then :meth:`step` until True. ``move`` is then the book's, or -1; ``rule`` the net's
        where the game so far has followed the net, or -1. ``leave``: see offset 5. Nothing is allocated in between.
        Raises ValueError for what is no whole book of this variation.
        """
        head = bytearray(HEAD)
        if read_into(0, head) < HEAD or head[:4] != b"BOOK":
            raise ValueError("not a book")
        if head[4] != VERSION:
            raise ValueError("version %d, not %d" % (head[4], VERSION))
        told = head[20], head[21]
        head[20] = head[21] = 0
        if fletcher(head) != told:
            raise ValueError("damaged")
        if bytes(head[8:16]).rstrip(b"\0") != variation.name.encode():
            raise ValueError("of another variation")
        self._buffer = bytearray(ENTRY * _AT_ONCE)
        self._two = bytearray(4)
        size = HEAD + 2 * BUCKETS + 2 + ENTRY * (head[6] | head[7] << 8)
        if read_into(size - 1, self._two) != 1:
            raise ValueError("cut short, or too long")
        self.leave = head[5]
        self._rules = bytes(head[_RULES:])
        self._read_into = read_into
        self._flip = 6 if variation.mirror else 0  # the mirrored game is the same with its columns from right to left
        self._codes = bytearray(7)
        self._heights = bytearray(7)
        self._needle = bytearray(ENTRY)
        self.move = self.rule = -1
        self._position = None  # named here: an attribute more later is an allocation
        self._ply = 0
        self._follows = True

    def start(self, position):
        """Begin on ``position``, which stays as it is until the last step."""
        self._position = position
        self._ply = 0
        self._follows = True
        self.move = self.rule = -1
        for i in range(7):
            self._codes[i] = 1
            self._heights[i] = 0

    def step(self):
        """Go on through the game up to the next position with the same side to move; True at the last one."""
        position, flip = self._position, self._flip
        codes, heights = self._codes, self._heights
        moves, end = position.moves, position.ply
        looked = False
        while True:
            ply = self._ply
            if not (ply ^ end) & 1 and (self._follows or ply == end):
                if looked:
                    return False
                looked = True
                entry = self._entry()
                rule = -1
                if self._follows and entry < 0:
                    rule = self._by_rules(ply, abs(moves[ply - 1] - flip) if ply else -1)
                if ply == end:
                    self.move = entry if entry < 0 else abs((entry & 7) - flip)
                    self.rule = rule if rule < 0 else abs(rule - flip)
                    return True
                if abs(moves[ply] - flip) != (rule if entry < 0 else entry - NET):
                    self._follows = False
            column = abs(moves[ply] - flip)
            codes[column] += (1 << heights[column]) << (ply & 1)
            heights[column] += 1
            self._ply = ply + 1

    def _by_rules(self, ply, last):
        """The net's move, -1 if it has none; ``last``: the column of the move before, -1 at the start."""
        rules, heights = self._rules, self._heights
        for i in range(0, len(rules), 8):
            if rules[i] != ply & 1 or not rules[i + 1] <= ply <= rules[i + 2]:
                continue
            if rules[i + 3] != 127 and (last < 0 or not rules[i + 3] >> last & 1):
                continue
            if rules[i + 4] and heights[last] != rules[i + 4]:
                continue
            if rules[i + 5] < 7 and heights[rules[i + 5]] > rules[i + 6]:
                continue
            column = rules[i + 7]
            if column == 7:
                column = last
            if column >= 0 and heights[column] < 6:
                return column
        return -1

    def _entry(self):
        """The position's entry, its column and NET or 0; -1 if it has none."""
        needle, two = self._needle, self._two
        buffer, read_into = self._buffer, self._read_into
        bucket = place(self._codes, needle)
        if read_into(HEAD + 2 * bucket, two) < 4:
            return -1
        at = two[0] | two[1] << 8
        end = two[2] | two[3] << 8
        first, second = needle[0], needle[1]
        while at < end:
            count = read_into(HEAD + 2 * BUCKETS + 2 + ENTRY * at, buffer) // ENTRY
            if not count:
                break
            for i in range(0, ENTRY * min(count, end - at), 5):  # 5, not its name: else a range is allocated
                if buffer[i] == first and buffer[i + 1] == second:
                    if buffer[i + 2] == needle[2] and buffer[i + 3] == needle[3] and buffer[i + 4] & 15 == needle[4]:
                        i = buffer[i + 4] >> 4
                        return i if i & 7 < 7 and self._heights[i & 7] < 6 else -1  # damaged: no move
            at += count
        return -1


def place(codes, needle):
    """The bucket of seven column codes; what it leaves open is put into the five bytes of ``needle``."""
    a = codes[0] | codes[1] << 7 | codes[2] << 14 | codes[3] << 21
    b = codes[4] | codes[5] << 7 | codes[6] << 14
    high = b >> 13
    needle[0] = a & 255
    needle[1] = a >> 8 & 255
    needle[2] = a >> 16 & 255
    needle[3] = a >> 24 | (high & 15) << 4
    needle[4] = high >> 4
    mixed = (a & 8191) * 1103 + (a >> 13) * 2011 + high * 733
    return (b ^ mixed ^ mixed >> 9) & BUCKETS - 1


def fletcher(head):
    """Fletcher's checksum of bytes: two sums modulo 255, both from 1."""
    a = b = 1
    for byte in head:
        a = (a + byte) % 255
        b = (b + a) % 255
    return a, b
