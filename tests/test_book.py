# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The book's file: what the tools write, the board reads, move for move; what is no whole book is refused by name."""

import random

import pytest

from engine.book import BUCKETS, HEAD, NET, Book
from engine.notation import replay
from engine.position import new_position
from engine.search import Search
from engine.variation import make
from hal.drive import open_file
from tools.__main__ import main
from tools.book import BOOK, file, games

LATE = "d d d d d d c c c c c c e e e a e e g g g g"
NO_RULES = file.NO_RULE * file.RULES


def reading(data, reads=None):
    """``read_into`` over bytes; ``reads`` collects (offset, bytes asked for)."""

    def read_into(offset, buffer):
        part = data[offset : offset + len(buffer)]
        buffer[: len(part)] = part
        if reads is not None:
            reads.append((offset, len(buffer)))
        return len(part)

    return read_into


def looked_up(book, position):
    """(move, rule) of a position."""
    book.start(position)
    while not book.step():
        pass
    return book.move, book.rule


def codes_of(position, mirrored=False):
    codes = games.START
    for ply in range(position.ply):
        move = position.moves[ply]
        codes = games.after(codes, 6 - move if mirrored else move, ply & 1)
    return codes


def random_positions(count, seed, variation=None):
    lots = random.Random(seed)
    variation = variation or make("five")
    while count:
        position = new_position(variation)
        plies = lots.randrange(36)
        while position.result is None and position.ply < plies:
            position.play(lots.choice(position.legal()))
        if position.result is None:
            count -= 1
            yield position


def sample_entries(count, seed):
    lots = random.Random(seed)
    found = {}
    for position in random_positions(count, seed):
        found[codes_of(position)] = lots.choice(position.legal()) | lots.choice((0, NET))
    return found


def test_codes_count_the_discs_and_turn_into_the_solvers_and_the_searchs_positions():
    pytest.importorskip("cffi")
    from tools.solver import Solver

    solver, board = Solver("five", table_mb=16), games.Board()
    cells, others = bytearray(54), bytearray(54)
    for position in random_positions(200, 3):
        codes = codes_of(position)
        assert games.ply_of(codes) == position.ply
        assert tuple(solver.column_codes(*games.discs_of(codes, solver))) == codes
        assert games.position_of(codes, solver) == solver.position(list(position.moves[: position.ply]))
        board.set(codes)
        position.copy_cells(cells)
        board.copy_cells(others)
        assert cells == others and [board.is_legal(m) for m in range(7)] == [position.is_legal(m) for m in range(7)]


def test_a_book_gives_back_its_entries_and_nothing_else():
    entries = sample_entries(3000, 1)
    data = file.pack(entries, NO_RULES, 26)
    whole = file.BookFile(data)
    assert whole.entries == entries and whole.leave == 26 and whole.name == "five"
    book = Book(reading(data), make("five"))
    met = 0
    for seed in (1, 2):
        for position in random_positions(3000, seed):
            codes = codes_of(position)
            met += codes in entries
            assert looked_up(book, position) == (entries[codes] & 7 if codes in entries else -1, -1)
    assert met >= 3000


def test_a_full_book_takes_300_kb_and_a_look_up_at_most_twelve_short_reads():
    lots = random.Random(4)
    entries = {}
    while len(entries) < file.LARGEST_COUNT:
        codes = tuple(lots.randrange(1, 64) for _ in range(7))
        entries[codes] = lots.randrange(7) | lots.choice((0, NET))
    data = file.pack(entries, NO_RULES, 26)
    assert 299 * 1024 < len(data) <= 300 * 1024
    book = Book(reading(data), make("five"))
    worst = 0
    for position in random_positions(500, 6):
        reads = []
        book._read_into = reading(data, reads)
        looked_up(book, position)
        look_ups = 1  # without rules the game leaves the net with its first move
        worst = max(worst, len(reads))
        assert len(reads) <= 12 * (look_ups + 1) and all(size <= 200 for _, size in reads)
    assert worst >= 2
    with pytest.raises(file.BookError, match="entries"):
        file.pack({**entries, (64,) * 7: 0}, NO_RULES, 26)


def test_a_mirrored_game_is_read_from_right_to_left():
    entries = sample_entries(200, 8)
    book = Book(reading(file.pack(entries, NO_RULES, 26)), make("five", mirror=True))
    for position in random_positions(200, 8, make("five", mirror=True)):
        found = entries.get(codes_of(position, mirrored=True), -1)
        assert looked_up(book, position)[0] == (found if found < 0 else 6 - (found & 7))


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda data: b"", "not a book"),
        (lambda data: b"FNET" + data[4:], "not a book"),
        (lambda data: data[:4] + b"\x02" + data[5:], "version 2, not 1"),
        (lambda data: data[:33] + b"?" + data[34:], "damaged"),
        (lambda data: data[:-1], "cut short"),
        (lambda data: data[:3000], "cut short"),
        (lambda data: data + b"\0", "too long"),
        (lambda data: file.pack({}, NO_RULES, 26, "classic"), "of another variation"),
    ],
)
def test_what_is_no_whole_book_is_refused_by_name_and_play_goes_on(damage, told):
    data = damage(file.pack(sample_entries(50, 2), NO_RULES, 26))
    search = Search(1024, lambda path: reading(data))
    search.start(replay("d d"), 6)
    assert search.fault.startswith("five_book.bin: ") and told in search.fault
    assert search.fault.endswith("; playing without it") and "\n" not in search.fault
    search.start(replay(LATE), 6)
    while not search.step(100):
        pass
    assert replay(LATE).is_legal(search.move)
    with pytest.raises(file.BookError):
        book = file.BookFile(data)
        if book.name != "five":
            raise file.BookError("the name")


def test_a_book_that_is_not_there_is_told_and_a_drive_that_goes_is_too():
    def absent(path):
        raise OSError(2, "No such file")

    search = Search(1024, absent)
    search.start(replay("d d"), 6)
    assert "five_book.bin" in search.fault and "playing without it" in search.fault
    data = file.pack(sample_entries(50, 2), NO_RULES, 26)
    search = Search(1024, lambda path: reading(data))
    search.start(replay(LATE), 6)
    assert search.fault == ""

    def gone(offset, buffer):
        raise OSError(5, "Input/output error")

    search._book._read_into = gone
    while not search.step(100):
        pass
    assert replay(LATE).is_legal(search.move) and "playing without it" in search.fault
    search.start(replay("[classic] d d"), 2)
    assert search.fault == ""  # classic has no book: nothing to say


def test_damage_behind_the_head_never_makes_an_illegal_move():
    """The board does not read the whole file: what it is told there must still be a move, or it is none."""
    entries = sample_entries(2000, 1)
    data = bytearray(file.pack(entries, NO_RULES, 26))
    lots = random.Random(7)
    begin = HEAD + 2 * BUCKETS + 2
    for at in range(begin + 4, len(data), 5):
        data[at] ^= lots.randrange(256) & 0xF0
    for at in range(HEAD, begin, 67):
        data[at] = lots.randrange(256)
    book = Book(reading(bytes(data)), make("five"))
    for position in random_positions(2000, 1):
        move, _ = looked_up(book, position)
        assert move < 0 or position.is_legal(move)
    with pytest.raises(file.BookError, match="damaged"):
        file.BookFile(bytes(data))


def test_the_command_tells_what_is_wrong_with_a_file(tmp_path, capsys):
    pytest.importorskip("cffi")
    bad = tmp_path / "x.bin"
    bad.write_bytes(b"BOOK" + bytes(200))
    assert main(["book", "info", str(bad)]) == 2
    assert "version 0" in capsys.readouterr().err
    assert main(["book", "check", str(tmp_path / "none.bin")]) == 2
    assert "none.bin" in capsys.readouterr().err


GUEST = """
from engine.book import Book
from engine.notation import replay
from engine.variation import make
from hal.drive import open_file
data = %r
def read_into(offset, buffer):
    part = data[offset:offset + len(buffer)]
    buffer[:len(part)] = part
    return len(part)
book = Book(read_into, make("five"))
found = []
def look():
    book.start(position)
    while not book.step():
        pass
for text, move, rule in %r:
    position = replay(text)
    look()
    assert (book.move, book.rule) == (move, rule), (text, book.move, book.rule)
for damaged in (b"", data[:-1], b"FNET" + data[4:], data[:33] + b"?" + data[34:]):
    def other(offset, buffer):
        part = damaged[offset:offset + len(buffer)]
        buffer[:len(part)] = part
        return len(part)
    try:
        Book(other, make("five"))
        print("believed")
    except ValueError as error:
        print(error)
print("read")
"""
TOLD = "not a book\ncut short, or too long\nnot a book\ndamaged\nread\n"


def guest_code():
    """A small book with a rule, and what it says, for a MicroPython."""
    rule = bytes((1, 0, 41, 127, 0, 7, 0, 7))  # Yellow answers in the same column
    entries = dict(list(sample_entries(120, 9).items())[:100])
    data = file.pack(entries, rule + NO_RULES[8:], 26)
    book = Book(reading(data), make("five"))
    tasks = [(text, *looked_up(book, replay(text))) for text in ("", *"abcdefg", "d d e", "d d e d c", "a a b b c")]
    for position in list(random_positions(120, 9))[::5]:
        text = "".join("abcdefg"[move] for move in position.moves[: position.ply])
        tasks.append((text, *looked_up(book, position)))
    assert len({move for _, move, _ in tasks}) > 3 and {rule for _, _, rule in tasks} > {-1}
    return GUEST % (data, tasks)


def test_the_desktops_micropython_reads_the_same(unix):
    assert unix.run(guest_code()) == TOLD


def test_a_32_bit_micropython_reads_the_same_and_a_look_up_allocates_nothing(wasm):
    silent = """
import probe
from hal.drive import open_file
from engine.search import Search
read_into = open_file("engine/five_book.bin")
buffer = bytearray(200)
def reads():
    for offset in range(0, 8000, 1000):
        read_into(offset, buffer)
reads()
print(probe.allocated(reads))
book = Book(read_into, make("five"))
position = replay("d d d e e c c b")
look()
print(probe.allocated(look), book.move >= 0 or book.rule >= 0)
search = Search(1024, open_file)
def begin():
    search.start(position, 6)
def looks():
    while search._looks:
        search.step(2)
begin()
while search.making:
    search.step(2)
print(search.fault, probe.allocated(begin), probe.allocated(looks), search.move)
"""
    if not BOOK.exists():
        pytest.skip("engine/five_book.bin is not there: python3 -m tools book build")
    outputs = wasm.run(guest_code(), silent)
    assert outputs[0] == TOLD
    position = replay("d d d e e c c b")
    search = Search(1024, open_file)
    search.start(position, 6)
    while search.making or search._looks:
        search.step(2)
    assert outputs[1] == "0\n0 True\n 0 0 %d\n" % search.move


def test_the_net_is_followed_by_its_rules_and_its_own_entries_alone():
    """Yellow answers in the same column; the book has c after `a`, for a win, and d after `b`, for the net."""
    rule = bytes((1, 0, 41, 127, 0, 7, 0, 7))
    won, held = games.after(games.START, 0, 0), games.after(games.START, 1, 0)
    data = file.pack({won: 2, held: 3 | NET}, rule + NO_RULES[8:], 26)
    book = Book(reading(data), make("five"))
    assert looked_up(book, replay("a")) == (2, -1) and looked_up(book, replay("b")) == (3, -1)
    assert looked_up(book, replay("a c e")) == (-1, -1)  # a win has left the net
    assert looked_up(book, replay("a a e")) == (-1, -1)  # and the rule was not what belonged there either
    assert looked_up(book, replay("b d e")) == (-1, 4)  # an exception of the net has not
    assert looked_up(book, replay("b b e")) == (-1, -1)
    assert looked_up(book, replay("c c e")) == (-1, 4) and looked_up(book, replay("c d e")) == (-1, -1)
    assert looked_up(book, replay("c c e e a a c")) == (-1, 2)
