# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What survives the power: the game in play, settings, results and rating, as a journal in the chip's 4 KB.

The flash under it only clears bits; setting them again takes the one erase of the whole sector (MCU.md). So the
journal grows into bytes that are still 0xFF, and is rewritten only between games when a whole game might find no room.

Layout: an image (magic, version, WORDS, the match so far, SEAL), then what has happened since, oldest first::

    a move     one byte with four 1 bits of eight; with a clock two more: tenths of a second used (12 bits), how many
               of those bits are 0 (4 bits). A take-back is one byte of the same kind for each ply.
    a record   kind (a byte with five 1 bits), its data, 16 bits of the running checksum

A byte whose writing the power cut short has too many 1 bits, never too few: a wrong count of 1 bits tells it for
certain (constant weight, and Berger's count of zeros, 1961). Which of eight sets the move's byte is from follows the
checksum of all before it; bytes of one set differ in four bits, so up to three flipped bits are told as well (the
positions of the 1 bits sum to one value modulo 8: Graham and Sloane 1980). Nothing behind a byte that fails its check
is believed, but for a later match, or a RESYNC that was written in the knowledge of the damage.
"""

from engine.match import Clock, Match, Setup
from engine.position import Position
from engine.variation import NAMES, POP_BOTH, make

# Words of 16 bits for get and put. 0 .. 15 are for settings that are changed on the board.
PALETTE, BRIGHTNESS, NIGHT, CONFIRM, CUE, CLOCK_SHOWN, PUZZLE = range(7)
RATING, RATED_MATCHES = 16, 17
STATS = 18  # STATS + 3 * level + 0 lost, 1 drawn, 2 won: games against that level, levels 0 .. 7
SOLVED = 42  # 13 words: one bit a puzzle, 0 .. 207
_WORDS = 55
UNSET = 0xFFFF

_MAGIC, _VERSION = 0x35, 1
_SIZE, _SMALLEST = 4096, 1024
_SETUP, _AGAIN, _EVENT, _RATED, _WORD, _CLOCK, _RESYNC, _IMAGE, _SEAL = 0x1F, 0x2F, 0x37, 0x3B, 0x3D, 0x3E, 0x4F, 0x57, 0x5B
_LENGTH = {_SETUP: 11, _AGAIN: 4, _EVENT: 1, _RATED: 3, _WORD: 3, _CLOCK: 3, _RESYNC: 2, _IMAGE: 2 * _WORDS, _SEAL: 0}
_UNDO = 7  # in the place of a move
_SLACK = 96  # room beside a game's moves: its records, some take-backs and changed settings
# Events are kind * 4 + who; Match.ending has the first four.
_NEXT, _HELPED, _CLEAR = 16, 20, 24
_RESTATED = 64  # told again in an image: its result has been counted before
_START = 1


def _mix(h, byte):
    """The running checksum: a polynomial in 16381 modulo the prime 65521; no product leaves 31 bits."""
    return (h * 16381 + byte + 1) % 65521


def _zeros(bits):
    """How many of 12 bits are 0."""
    n = 12
    while bits:
        bits &= bits - 1
        n -= 1
    return n


class Saved:
    """A game that was saved: ``match`` (Match), ``position`` (Position, all moves legal), ``clock`` (Clock or None),
    ``seed`` and ``given`` as :meth:`Store.begin` got them."""


class Store:
    """The journal in ``nvm`` (bytes-like; may raise). Never raises itself: a fault is one line to ``report(text)``,
    told once until writing works again, and the game plays on."""

    def __init__(self, nvm, report):
        self._nvm = nvm
        self._report = report
        self._told = None
        self._buffer = bytearray(2 * _WORDS + 8)
        self._three = memoryview(self._buffer)[:3]
        self._encode = bytearray(64)  # set * 8 + code -> byte
        self._decode = bytearray(256)  # byte -> set * 8 + code, 255 if it has not four 1 bits
        count = bytearray(8)
        for byte in range(256):
            self._decode[byte] = 255
            places = [i for i in range(8) if byte >> i & 1]
            if len(places) == 4:
                k = sum(places) & 7
                if count[k] < 8:
                    self._encode[8 * k + count[k]] = byte
                    self._decode[byte] = 8 * k + count[k]
                    count[k] += 1
        self._words = bytearray(2 * _WORDS)
        self._setup = bytearray(_LENGTH[_SETUP])
        self._events = bytearray(12)
        self._moves = bytearray(200)
        self._clocks = [0, 0, 0]  # tenths of a second by owner
        try:
            self._size = min(len(nvm), _SIZE)
        except Exception:
            self._size = 0
        self._image = None
        self._forget()

    def _forget(self):
        """Nothing is known and nothing can be appended: the next write makes a new image."""
        for i in range(_WORDS):
            self._set(i, UNSET if i < STATS else 0)
        self._has_setup = self._active = self._sealed = self._broken = self._blank = self._dirty = False
        self._helped = False
        self._open = False  # a game is on: moves may follow
        self._at = self._game = self._ply = self._event_count = self._room = 0
        self._resync = -1
        self._h = _START

    # Words: settings, rating, statistics, solved puzzles

    def get(self, key, default=-1):
        """The word ``key``, or ``default`` if it was never put."""
        value = self._words[2 * key] | self._words[2 * key + 1] << 8
        return default if value == UNSET else value

    def put(self, key, value):
        """Keep ``value`` (0 .. 65534) as the word ``key``."""
        if self.get(key) != value:
            self._set(key, value)
            if self._open and self._at + 6 > self._limit():
                self._dirty = True  # the rest of the game needs the room; this is kept when it is over
            elif self._ready(6):
                self._record(_WORD, bytes((key, value & 255, value >> 8)))

    def _set(self, key, value):
        self._words[2 * key] = value & 255
        self._words[2 * key + 1] = value >> 8

    def is_solved(self, puzzle):
        """Whether ``puzzle`` (0 .. 207) was solved."""
        return self.get(SOLVED + puzzle // 16, 0) >> puzzle % 16 & 1 == 1

    def solve(self, puzzle):
        """``puzzle`` was solved."""
        key = SOLVED + puzzle // 16
        self.put(key, self.get(key, 0) | 1 << puzzle % 16)

    # The game in play

    def begin(self, setup, seed=0, given=0):
        """A match or single game of ``setup`` begins. ``seed``: 0 .. 2**30 - 1 (a variation with a seed of its own
        keeps that one); ``given``: how many plies of each game are given and not to be taken back."""
        v = setup.variation
        if v.seed is not None:
            seed = v.seed
        data = bytearray(_LENGTH[_SETUP])
        data[0] = NAMES.index(v.name) | v.pop << 4 | v.mirror << 5 | v.random << 6 | (v.seed is not None) << 7
        data[1] = POP_BOTH.index(v.pop_both) | setup.match << 2 | setup.engine + 1 << 3 | v.colours << 5
        data[2] = setup.level
        data[3:5] = (setup.bank_ms // 1000).to_bytes(2, "little")
        data[5] = setup.increment_ms // 1000
        data[6] = given
        same = self._has_setup and data[:7] == self._setup[:7]
        data[7:11] = seed.to_bytes(4, "little")
        plies = v.max_plies or v.capacity
        self._room = plies * (3 if setup.bank_ms else 1) + _SLACK
        self._take_setup(data)
        if self._between_games():
            self._record(_AGAIN if same else _SETUP, data[7:] if same else data)

    def move(self, move, tenths=-1):
        """``move`` was played; ``tenths``: what its owner's clock shows now, in tenths of a second; -1: no clock.
        Allocates nothing but what the memory's own write takes."""
        if not self._open:
            return
        if self._ready(9) or self._ready(9):  # again: an image has been made that holds all but this move
            self._put_move(move, tenths)
        if self._ply < len(self._moves):
            self._moves[self._ply] = move
            self._ply += 1

    def _put_move(self, move, tenths):
        h = self._h
        buffer = self._buffer
        if not self._bank():
            buffer[0] = self._encode[(h + (move & 8) // 2 & 7) * 8 + (move & 7)]
            self._emit(1)
            return
        owner = self._owner()
        if tenths < 0:  # a given move: the clock stands
            tenths = self._clocks[owner]
        used = self._clocks[owner] + self._increment() - tenths
        if not 0 <= used < 4096:  # more than 6.8 minutes: the clock is told first
            self._put_clock(owner, max(0, tenths - self._increment()))
            h = self._h
            used = self._clocks[owner] + self._increment() - tenths
        self._clocks[owner] = tenths
        buffer[0] = self._encode[(h + (move & 8) // 2 & 7) * 8 + (move & 7)]
        buffer[1] = used >> 4
        buffer[2] = (used & 15) << 4 | _zeros(used)
        self._emit(3)

    def _put_clock(self, owner, tenths):
        self._clocks[owner] = tenths
        self._record(_CLOCK, bytes((owner, tenths & 255, tenths >> 8)))

    def undo(self, plies):
        """The last ``plies`` moves were taken back (clocks stay as they are); the match no longer counts."""
        self.helped()
        for _ in range(min(plies, self._ply)):
            self._ply -= 1
            if self._at + 1 > self._limit():  # only after some hundred take-backs in one game
                self._compact()
            elif self._ready(1):
                self._buffer[0] = self._encode[(self._h & 7) * 8 + _UNDO]
                self._emit(1)

    def helped(self):
        """A hint was shown: the match no longer counts for the rating."""
        if self._active and self._engine() >= 0 and not self._helped:
            self._put_event(_HELPED)

    def end_game(self, match, rating=-1):
        """The game, or the match, has just ended as ``match.ending`` says; ``rating``: the person's new rating, kept
        in the same stroke, -1 if it does not change."""
        if self._open:
            self._put_event(match.ending, rating)

    def next_game(self):
        """Everybody is ready: the next game of the match begins."""
        if self._active and not self._open:
            self._take_event(_NEXT)
            if self._between_games():
                self._record(_EVENT, bytes((_NEXT,)))

    def clear(self):
        """There is no game to come back to any more."""
        if self._active:
            self._put_event(_CLEAR)

    def last_setup(self):
        """(Setup, seed) of the last match or game that was begun, or None."""
        if not self._has_setup:
            return None
        d = self._setup
        seed = int.from_bytes(d[7:11], "little")
        try:
            variation = make(
                NAMES[d[0] & 15],
                pop=d[0] & 16 > 0 and NAMES[d[0] & 15] != "popout",
                seed=seed if d[0] & 128 else None,
                mirror=d[0] & 32 > 0,
                pop_both=POP_BOTH[d[1] & 3],
                random=d[0] & 64 > 0,
            )
            return Setup(variation, d[2], (d[1] >> 3 & 3) - 1, d[1] & 4 > 0, self._bank() * 100, d[5] * 1000), seed
        except Exception as error:  # written by another version of the rules
            self._fault("the last game is not understood (%s)" % error)
            return None

    # What the setup says

    def _bank(self):
        return 10 * (self._setup[3] | self._setup[4] << 8)

    def _increment(self):
        return 10 * self._setup[5]

    def _colours(self):
        return self._setup[1] >> 5

    def _engine(self):
        return (self._setup[1] >> 3 & 3) - 1

    def _owner(self):
        return (self._ply % self._colours() + self._game) % self._colours()

    # What happens, the same when it is played and when it is read back

    def _take_setup(self, data):
        self._setup[:] = data
        self._has_setup = self._active = self._open = True
        self._helped = False
        self._game = self._ply = self._event_count = 0
        for owner in range(3):
            self._clocks[owner] = self._bank()

    def _take_event(self, code):
        if not code & _RESTATED:
            self._count(code)
        code &= ~_RESTATED
        if self._event_count < len(self._events):
            self._events[self._event_count] = code
            self._event_count += 1
        if code == _NEXT:
            self._game += 1
            self._ply = 0
        elif code == _CLEAR:
            self._active = False
        elif code == _HELPED:
            self._helped = True
        if code != _HELPED:
            self._open = code == _NEXT

    def _count(self, code):
        """Count the result of a game against the engine: for the person lost, drawn or won."""
        engine = self._engine()
        if engine < 0 or code >= _NEXT or not self._open:
            return
        who = code & 3
        if code > 3:
            outcome = 2 if who == engine else 0  # ``who`` lost it
        else:
            outcome = 1 if who == 3 else 0 if (who + self._game) % self._colours() == engine else 2
        key = STATS + 3 * (self._setup[2] & 7) + outcome
        self._set(key, min(self.get(key, 0) + 1, UNSET - 1))

    # Writing

    def _put_event(self, code, rating=-1):
        self._take_event(code)
        if rating >= 0:
            self._set(RATING, rating)
        if self._ready(7):
            if rating < 0:
                self._record(_EVENT, bytes((code,)))
            else:
                self._record(_RATED, bytes((code, rating & 255, rating >> 8)))

    def _limit(self):
        """How far the journal may grow with what the game does not need."""
        return self._size - max(0, self._room - _SLACK // 2 - self._ply * (3 if self._bank() else 1))

    def _between_games(self):
        """Before a game: make room for the whole of it. Whether its record is still to be written."""
        broken = self._broken
        self._broken = False  # a store that failed in the last game gets another chance
        if broken or self._dirty or not self._sealed or self._at + self._room > self._size:
            self._compact()
            return False
        return self._ready(0)

    def _ready(self, need):
        """Whether ``need`` bytes can be appended now; rewrites the sector where there is no other way (the image has
        then what was to be appended)."""
        if self._broken or not self._size:
            return False
        if not self._sealed or self._at + need > self._size:
            self._compact()
            return False
        if self._resync >= 0:
            at = self._resync
            self._resync = -1
            self._record(_RESYNC, bytes((at & 255, at >> 8)))
        return True

    def _record(self, kind, data):
        h = self._chain(kind)
        buffer = self._buffer
        buffer[0] = kind
        h = _mix(h, kind)
        n = 1
        for byte in data:
            buffer[n] = byte
            h = _mix(h, byte)
            n += 1
        buffer[n] = h & 255
        buffer[n + 1] = h >> 8
        self._h = -1  # _emit takes no move's bytes into account then
        self._emit(n + 2)
        self._h = h

    def _chain(self, kind):
        """The checksum that a record of ``kind`` goes on from: a match stands for itself."""
        h = _START if kind == _SETUP or kind == _AGAIN else self._h
        if kind == _AGAIN:
            for i in range(7):
                h = _mix(h, self._setup[i])
        return h

    def _emit(self, n):
        """Append the buffer's first ``n`` bytes to the image or the flash."""
        at = self._at
        buffer = self._buffer
        self._at = at + n
        if self._h >= 0:
            for i in range(n):
                self._h = _mix(self._h, buffer[i])
        if self._image is not None:
            self._image[at : at + n] = buffer[:n]
            return
        try:
            if n == 1:
                self._nvm[at] = buffer[0]
            else:
                self._nvm[at : at + n] = self._three if n == 3 else memoryview(buffer)[:n]
            for i in range(n):
                if self._nvm[at + i] != buffer[i]:
                    raise OSError("it reads back changed")
            self._told = None
        except Exception as error:
            self._fail("the game is not saved from here on", error)

    def _compact(self):
        """Write everything that matters as a new image: the one erase, unless the flash is blank."""
        if not self._size:
            return
        try:
            self._image = bytearray(b"\xff") * self._size
            self._h = _mix(_mix(_START, _MAGIC), _VERSION)
            self._image[0] = _MAGIC
            self._image[1] = _VERSION
            self._at = 2
            self._resync = -1
            self._restate()
            self._record(_SEAL, b"")
            n = self._at if self._blank else self._size
            self._nvm[0:n] = memoryview(self._image)[:n]
            self._blank = self._dirty = False
            self._sealed = True
            self._told = None
        except Exception as error:
            self._sealed = False
            self._fail("nothing is saved", error)
        self._image = None

    def _restate(self):
        self._record(_IMAGE, self._words)
        if not self._has_setup:
            return
        clocks = self._clocks[:]
        plies = self._ply
        game = self._game
        self._record(_SETUP, self._setup)
        for i in range(self._event_count):
            self._record(_EVENT, bytes((self._events[i] | _RESTATED,)))
        if self._bank():
            for owner in range(self._colours()):
                self._put_clock(owner, clocks[owner])
        self._game = game
        for self._ply in range(plies):
            owner = self._owner()
            # Exactly the increment was used: the clocks stay as they were just told.
            self._put_move(self._moves[self._ply], self._clocks[owner])
        self._ply = plies

    # Reading

    def load(self):
        """The Saved game, or None. Call once, at power-on."""
        self._forget()
        if self._size < _SMALLEST:
            self._size = 0
            return None
        try:
            data = bytes(self._nvm[0 : self._size])
        except Exception as error:
            self._fault("it can't be read (%s): starting with defaults" % error)
            return None
        end = len(data.rstrip(b"\xff"))
        self._blank = end == 0
        if not end:
            self._fault("it is empty: starting with defaults")
        elif data[0] != _MAGIC:
            self._fault("it holds nothing of ours: starting with defaults")
        elif data[1] != _VERSION:
            self._fault("it is of version %d, not %d: starting with defaults" % (data[1], _VERSION))
        else:
            self._read(data, end)
            return self._saved()
        return None

    def _read(self, data, end):
        self._h = _mix(_mix(_START, data[0]), data[1])
        at = 2
        lost = 0
        while at < end:
            after = self._read_move(data, at) or self._read_record(data, at, -1)
            if not after:
                if not self._sealed:
                    break
                after = at + 1
                while after < end and not self._read_record(data, after, at):
                    after += 1
                lost += after - at
                if after == end:
                    self._resync = at
            at = after
        if not self._sealed:
            self._forget()
            self._fault("it was cut off while it was rewritten, or damaged: starting with defaults")
        elif self._resync >= 0:
            self._fault("%d bytes are damaged: what came before them is kept" % lost)
        self._at = end

    def _read_move(self, data, at):
        """Take the move at ``at``; the place behind it, 0 if there is none to be believed."""
        code = self._decode[data[at]]
        if not self._open or code == 255:
            return 0
        k = code >> 3 ^ self._h & 7
        code &= 7
        h = _mix(self._h, data[at])
        after = at + 1
        if k & 3:
            return 0
        if code == _UNDO:
            if k or not self._ply:
                return 0
            self._ply -= 1
        else:
            if self._ply == len(self._moves):
                return 0
            if self._bank():
                pair = data[at + 1 : at + 3]
                if len(pair) < 2:
                    return 0
                used = pair[0] << 4 | pair[1] >> 4
                owner = self._owner()
                left = self._clocks[owner] + self._increment() - used
                if pair[1] & 15 != _zeros(used) or left < 0:
                    return 0
                self._clocks[owner] = left
                h = _mix(_mix(h, pair[0]), pair[1])
                after = at + 3
            self._moves[self._ply] = code | k << 1
            self._ply += 1
        self._h = h
        return after

    def _read_record(self, data, at, damage):
        """Take the record at ``at``; the place behind it, 0 if there is none to be believed. ``damage``: where the
        reading broke off, then only a record that may follow it is taken; -1: it did not."""
        kind = data[at]
        n = _LENGTH.get(kind, -1)
        if n < 0 or damage >= 0 and kind not in (_SETUP, _AGAIN, _RESYNC) or at + n + 3 > len(data):
            return 0
        h = self._chain(kind)
        for i in range(at, at + n + 1):
            h = _mix(h, data[i])
        body = data[at + 1 : at + n + 1]
        if h != data[at + n + 1] | data[at + n + 2] << 8:
            return 0
        if kind == _SETUP:
            self._take_setup(body)
        elif kind == _AGAIN:
            self._take_setup(bytes(self._setup[:7]) + body)
        elif kind == _EVENT or kind == _RATED:
            self._take_event(body[0])
            if kind == _RATED:
                self._set(RATING, body[1] | body[2] << 8)
        elif kind == _WORD:
            self._set(body[0], body[1] | body[2] << 8)
        elif kind == _CLOCK:
            self._clocks[body[0]] = body[1] | body[2] << 8
        elif kind == _IMAGE:
            self._words[:] = body
        elif kind == _SEAL:
            self._sealed = True
        elif damage != body[0] | body[1] << 8:
            return 0
        self._h = h
        return at + n + 3

    def _saved(self):
        last = self.last_setup() if self._active else None
        if not last:
            return None
        saved = Saved()
        setup, seed = last
        match = Match(setup)
        ends = (match.finish_game, match.resign_game, match.resign_match, match.flag)
        try:
            for code in self._events[: self._event_count]:
                if code < _NEXT:
                    ends[code >> 2](code & 3)
                elif code == _NEXT:
                    match.next_game()
                else:
                    match.helped()
        except ValueError:
            self._fault("the match is damaged and left out")
            return None
        if match.over:
            return None
        position = Position(setup.variation)
        self._room = len(position.moves) * (3 if setup.bank_ms else 1) + _SLACK
        for i in range(self._ply):
            if not position.is_legal(self._moves[i]):
                self._fault("a move is damaged: the game goes on from before it")
                self.undo(self._ply - i)
                break
            position.play(self._moves[i])
        saved.match = match
        saved.position = position
        saved.seed = seed + match.game
        saved.given = self._setup[6]
        saved.clock = None
        if setup.bank_ms:
            saved.clock = Clock(setup.bank_ms, setup.increment_ms, match.owners)
            for owner in range(match.owners):
                saved.clock.left_ms[owner] = 100 * self._clocks[owner]
        return saved

    def _fail(self, what, error):
        self._broken = True
        self._fault("%s (%s)" % (what, error))

    def _fault(self, text):
        if text != self._told:
            self._told = text
            self._report("memory: " + text)
