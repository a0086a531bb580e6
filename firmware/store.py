# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What survives the power."""

# The game in play, settings, results and rating, as a journal in the chip's 4 KB. The flash under it only clears bits;
# setting them again takes the one erase of the whole sector (MCU.md). So the journal grows into bytes that are still
# 0xFF, and is rewritten only between games, when a whole game might find no room.
#
# Layout: an image (magic, version, IMAGE, the match so far, SEAL), then what has happened since, oldest first::
#
#     a move     one byte with four 1 bits of eight; with a clock two more: whether the turn was another's than the ply
#                says (1 bit), tenths of a second used (11 bits), how many of those bits are 0 (4 bits). Before the move
#                of a special kind a byte for each 16 in it. A take-back is one byte such as a drop's for each ply.
#     a record   kind (a byte with five 1 bits), its data, 16 bits of the running checksum. That of a SETUP holds the
#                moves that are given (a lot), so that they are there whole or not at all
#
# A byte whose writing the power cut short has too many 1 bits, never too few: a wrong count of 1 bits tells it for
# certain (constant weight; for the clock Berger's count of zeros, 1961). Which of eight rows of CODES the move's byte
# is from follows the checksum of all before it; bytes of one row differ in four bits, so up to three flipped bits are
# told as well (the places of the 1 bits sum to one value modulo 8: Graham and Sloane, 1980). Reading is in recall.py,
# making the image in rewrite.py, what a SETUP holds in setups.py; all three are forgotten after use (App.tidy).

# Words of 16 bits for get and put. 0 .. 9 are for settings that are changed on the board.
PALETTE, BRIGHTNESS, NIGHT, CONFIRM, CUE, CLOCK_SHOWN, PUZZLE = range(7)
RATING = 10
STATS = 8  # STATS + 3 * level + 0 lost, 1 drawn, 2 won: games against that level, 1 .. 6
LEVELS = 6
WORDS = 42  # the last 13: see firmware/puzzles.py
UNSET = 0xFFFF

MAGIC, VERSION = 0x35, 2
SIZE, SMALLEST = 4096, 1024
# Kinds of record. EVENT: code; RATED: code, rating; WORD: key, value; CLOCK: owner, tenths; RESYNC: where the damage
# begins that was there when it was written; IMAGE: all words; SETUP: its length, then see Store.begin.
SETUP, EVENT, RATED, WORD, CLOCK, RESYNC, IMAGE, SEAL = 0x1F, 0x37, 0x3B, 0x3D, 0x3E, 0x4F, 0x57, 0x5B
# Events are 4 * how + who: Match.ending has the first four kinds.
NEXT, HELPED, CLEAR = 16, 20, 24
RESTATED = 64  # told again in an image: its result has been counted before
SLACK = 128  # room beside a game's moves, for take-backs and changed settings ...
CLOSING = 32  # ... of which this much is for the records that end a game
LONGEST = 144  # bytes of a record, and of a move with its clock
START = 1  # of the checksum; a SETUP starts it anew, so that a match stands for itself
UNDO = 7  # a code in the place of a drop's 0 .. 6 and a pop's 8 .. 14
SPECIAL = 15  # such a code before a move's: its kind is 16 higher

# Row (checksum, plus 4 for a pop) modulo 8, then column: bytes with four 1 bits whose places sum to the row modulo 8.
CODES = (
    b"\x1b\x27\x6c\x72\x9c\xaa\xb1\xc6\x1d\x2b\x47\x74\xac\xb2\xca\xd1\x1e\x2d\x33\x4b\x78\x87\xb4\xcc"
    b"\x2e\x35\x4d\x53\x8b\xb8\xd4\xe2\x36\x39\x4e\x55\x63\x8d\x93\xd8\x3a\x56\x59\x65\x8e\x95\xa3\xe8"
    b"\x0f\x3c\x5a\x66\x69\x96\x99\xa5\x17\x5c\x6a\x71\x9a\xa6\xa9\xc5"
)


def mix(h, byte):
    """The running checksum: a polynomial in 16381 modulo the prime 65521; no product leaves 31 bits."""
    return (h * 16381 + byte + 1) % 65521


def zeros(bits):
    """How many of 12 bits are 0."""
    n = 12
    while bits:
        bits &= bits - 1
        n -= 1
    return n


class Store:
    def __init__(self, nvm, report):
        """The journal in ``nvm`` (bytes-like; may raise). Never raises itself: a fault is one line to ``report(text)``,
        told once until writing works again, and the game plays on. Attributes are for those two files."""
        self.nvm = nvm
        self.report = report
        self.told = None
        self.buffer = bytearray(LONGEST)
        self.three = memoryview(self.buffer)[:3]
        self.words = bytearray(2 * WORDS)
        self.events = bytearray(8)  # how the match's games ended
        self.moves = bytearray(200)
        self.clocks = [0, 0, 0]  # tenths of a second by owner
        self.image = None
        self.size = 0
        self.forget()

    def forget(self):
        """Nothing is known, and the next write makes a new image."""
        for i in range(WORDS):
            self.set(i, UNSET if i <= RATING else 0)
        self.setup = b""  # data of the last SETUP
        self.active = False  # there is a match to come back to,
        self.open = False  # and a game of it is on
        self.sealed = self.broken = self.blank = self.dirty = self.assisted = False
        self.at = self.game = self.ply = self.event_count = self.room = self.bank = 0
        self.resync = -1
        self.h = START

    # Words: settings, rating, statistics, solved puzzles

    def get(self, key, default=-1):
        """The word ``key``, or ``default`` if it was never put."""
        value = self.words[2 * key] | self.words[2 * key + 1] << 8
        return default if value == UNSET else value

    def put(self, key, value):
        """Keep ``value`` (0 .. 65534) as the word ``key``."""
        if self.get(key) != value:
            self.set(key, value)
            if self.open and self.at + 6 > self.limit(self.ply):
                self.dirty = True  # the rest of the game needs the room: kept when it is over
            elif self.ready(6):
                self.record(WORD, bytes((key, value & 255, value >> 8)))

    def set(self, key, value):
        self.words[2 * key] = value & 255
        self.words[2 * key + 1] = value >> 8

    # The game in play

    def begin(self, setup, seed=0, given=b""):
        """A match or single game of ``setup`` begins. ``seed``: 0 .. 2**30 - 1; ``given``: the moves that each of its
        games begins with, at most 63, which are not to be taken back."""
        from firmware import setups

        self.take_setup(setups.pack(setup, seed, given))
        self.room = setups.room(setup)
        if self.make_room():
            self.record(SETUP, self.setup)

    def move(self, move, tenths=-1, owner=-1):
        """``move`` was played; ``tenths``: what ``owner``'s clock shows now, in tenths of a second; -1: no clock.
        ``owner``: who moved, needed where turns are not simply in turn (-1: they are). Allocates nothing but what the
        memory's own write takes."""
        if not self.open:
            return
        if self.ready(12) or self.ready(12):  # again: an image was made, which holds all but this move
            self.put_move(move, tenths, owner)
        if self.ply < len(self.moves):
            self.moves[self.ply] = move
            self.ply += 1

    def put_move(self, move, tenths, owner):
        n = move >> 4
        buffer = self.buffer
        if self.bank:
            expected = self.owner()
            if owner < 0:
                owner = expected
            clocks = self.clocks
            if tenths < 0:
                tenths = clocks[owner]
            used = clocks[owner] + self.increment - tenths
            if not 0 <= used < 2048:  # more than 3.4 minutes: the clock is told first
                self.put_clock(owner, max(0, tenths - self.increment))
                used = clocks[owner] + self.increment - tenths
            clocks[owner] = tenths
            if owner != expected:
                used |= 2048
            buffer[n + 1] = used >> 4
            buffer[n + 2] = (used & 15) << 4 | zeros(used)
        h = self.h
        for i in range(n):
            h = self.code(i, SPECIAL, h)
        if self.bank:
            h = self.code(n, move & 15, mix(mix(h, buffer[n + 1]), buffer[n + 2]))
            n += 2
        else:
            h = self.code(n, move & 15, h)
        self.emit(n + 1, h)

    def code(self, at, code, h):
        """Put ``code``'s byte into the buffer; the checksum ``h`` behind it."""
        byte = CODES[(h + (code >> 1 & 4) & 7) * 8 + (code & 7)]
        self.buffer[at] = byte
        return mix(h, byte)

    def put_clock(self, owner, tenths):
        self.clocks[owner] = tenths
        self.record(CLOCK, bytes((owner, tenths & 255, tenths >> 8)))

    def can_undo(self, plies):
        """Whether that many moves can be taken back: with all that may follow it must fit in without an erase, which
        has no place within a game. Not so after some dozens in a nearly full store."""
        return self.broken or not self.sealed or self.at + plies <= self.limit(self.ply - plies)

    def undo(self, plies):
        """The last ``plies`` moves were taken back (clocks stay as they are); the match no longer counts."""
        for _ in range(plies):
            self.assisted = True
            self.ply -= 1
            if self.ready(1):
                self.emit(1, self.code(0, UNDO, self.h))

    def helped(self):
        """A hint was shown: the match no longer counts for the rating."""
        if self.active and self.engine >= 0 and not self.assisted:
            self.put_event(HELPED)

    def end_game(self, match, rating=-1):
        """The game, or the match, has just ended as ``match.ending`` says; ``rating``: the person's new rating, kept
        in the same stroke, -1 if it does not change."""
        if self.open:
            self.put_event(match.ending, rating)

    def next_game(self):
        """Everybody is ready: the next game of the match begins."""
        if self.active and not self.open:
            self.take_event(NEXT)
            if self.make_room():
                self.record(EVENT, bytes((NEXT,)))

    def clear(self):
        """There is no game to come back to any more."""
        if self.active:
            self.put_event(CLEAR)

    def owner(self):
        return (self.ply % self.colours + self.game) % self.colours

    # What happens, the same when it is played and when it is read back

    def take_setup(self, data):
        self.setup = data
        self.engine = (data[1] >> 4 & 3) - 1
        self.colours = data[2] >> 6
        self.increment = 10 * data[3]
        self.bank = 10 * (data[4] | data[5] << 8)
        self.active = self.open = True
        self.assisted = False
        self.game = self.event_count = 0
        self.start_game()
        for owner in range(3):
            self.clocks[owner] = self.bank

    def start_game(self):
        """The moves that are given stand; all games of a match begin with the same."""
        self.ply = self.setup[2] & 63
        self.moves[: self.ply] = self.setup[10 : 10 + self.ply]

    def take_event(self, code):
        if code & RESTATED:
            code &= ~RESTATED
        elif code < NEXT and self.open and self.engine >= 0:
            # The result counts by level: the person's loss 0, draw 1, win 2. ``who`` won; behind 3, lost.
            who = code & 3
            outcome = 1
            if code > 3:
                outcome = 2 if who == self.engine else 0
            elif who < 3:
                outcome = 0 if (who + self.game) % self.colours == self.engine else 2
            key = STATS + 3 * min(self.setup[1] & 15, LEVELS) + outcome
            self.set(key, min(self.get(key) + 1, UNSET - 1))
        if code == HELPED:
            self.assisted = True
            return
        if self.event_count < len(self.events):
            self.events[self.event_count] = code
            self.event_count += 1
        if code == NEXT:
            self.game += 1
            self.start_game()
        self.open = code == NEXT
        self.active = code != CLEAR

    # Writing

    def put_event(self, code, rating=-1):
        self.take_event(code)
        if rating >= 0:
            self.set(RATING, rating)
        if self.ready(6):
            if rating < 0:
                self.record(EVENT, bytes((code,)))
            else:
                self.record(RATED, bytes((code, rating & 255, rating >> 8)))

    def limit(self, ply):
        """How far the journal may grow with what the game does not need from ``ply`` on."""
        return self.size - max(0, self.room - SLACK + CLOSING - ply * (3 if self.bank else 1))

    def make_room(self):
        """Before a game: room for the whole of it. Whether its record is still to be written."""
        broken = self.broken
        self.broken = False  # a store that failed in the last game gets another chance
        if broken or self.dirty or self.at + self.room > self.size:
            self.compact()
            return False
        return self.ready(0)

    def ready(self, need):
        """Whether ``need`` bytes can be appended now; if there is no other way, all is written anew (and False, as
        that has then what was to be appended)."""
        if self.broken or not self.sealed or self.at + need > self.size:
            if not self.broken:
                self.compact()
            return False
        if self.resync >= 0:
            at = self.resync
            self.resync = -1
            self.record(RESYNC, bytes((at & 255, at >> 8)))
        return True

    def record(self, kind, data):
        h = mix(START if kind == SETUP else self.h, kind)
        buffer = self.buffer
        buffer[0] = kind
        n = 1
        for byte in data:
            buffer[n] = byte
            h = mix(h, byte)
            n += 1
        buffer[n] = h & 255
        buffer[n + 1] = h >> 8
        self.emit(n + 2, h)

    def emit(self, n, h):
        """Append the buffer's first ``n`` bytes to the image or the flash; the checksum is ``h`` then."""
        at = self.at
        buffer = self.buffer
        self.at = at + n
        self.h = h
        if self.image is not None:
            self.image[at : at + n] = buffer[:n]
            return
        try:
            if n == 1:
                self.nvm[at] = buffer[0]
            else:
                self.nvm[at : at + n] = self.three if n == 3 else memoryview(buffer)[:n]
            for i in range(n):
                if self.nvm[at + i] != buffer[i]:
                    raise OSError("it reads back changed")
            self.told = None
        except Exception as error:
            self.broken = True
            self.fault("the game is not saved from here on (%s)" % error)

    def compact(self):
        """Write everything that matters as a new image: the one erase, unless the flash is blank."""
        if self.size:
            try:
                from firmware import rewrite

                rewrite.rewrite(self)
                self.blank = self.dirty = False
                self.sealed = True
                self.told = None
            except Exception as error:
                self.sealed = False
                self.broken = True
                self.fault("nothing is saved (%s)" % error)
            self.image = None

    def fault(self, text):
        if text != self.told:
            self.told = text
            self.report("memory: " + text)
