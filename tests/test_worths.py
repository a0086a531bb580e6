# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What positions are worth to the search: by the lines, by the file, along the search's own path, mirrored, damaged."""

import random
from pathlib import Path

import pytest

from engine import search_worths
from engine.catalogue import NAMES
from engine.position import new_position
from engine.search import Search
from engine.search_drop import LIMIT, state
from engine.search_tables import Tables, words
from engine.variation import FIRST, make
from hal.drive import open_file

ENGINE = Path(search_worths.__file__).parent
DROPS = [name for name in NAMES if name not in ("popout", "three", "pop10", "powerup")]
FILES = [name for name in DROPS if make(name).worths]


def tables_of(v, opened=None):
    tables = Tables(v, opened)
    for _ in tables.make():
        pass
    return tables


def board_of(position):
    cells = bytearray(54)
    position.copy_cells(cells)
    return cells


def by_places(tables, cells):
    """The sum of the table of worths for a board."""
    places = list(tables.base)
    for cell in range(54):
        if cells[cell] < 2 and tables.cell_bits[cell]:
            drop = tables.drops[tables.cell_bits[cell]]
            for i in (17, 18, 19):
                places[drop[i]] += -drop[i + 3] if cells[cell] else drop[i + 3]
    return sum(tables.worths[place] for place in places)


def by_lines(v, cells):
    """The same from the lines, one by one, by the words of search_worths._LINES."""
    totals = {}
    runs = tracks(v)
    for line in v.lines:
        if line[0] // 6 == line[1] // 6:
            continue
        colours = [cells[cell] for cell in line]
        missing = [cell & 1 for cell in line if cells[cell] == 255]
        for side in (0, 1):
            if not missing or 1 - side in colours:
                continue
            own = all(row == side for row in missing)
            other = all(row != side for row in missing)
            worth = search_worths._LINES[5 - v.need + colours.count(side) + (0 if own else 10 if other else 5)]
            run = runs[line]
            totals[run] = totals.get(run, 0) + (-worth if side else worth)
    most = search_worths.LIMIT
    return sum(max(-most, min(most, total)) for total in totals.values()) * (-1 if v.misere else 1)


def tracks(v):
    """{line: the run that it lies in}: lines of one direction that share a cell lie in one run."""
    run_of = {}
    for line in v.lines:
        rise = (line[1] % 6 - line[0] % 6, line[0] // 6 == line[1] // 6)
        same = [run for run in run_of.values() if run[0] == rise and run[1] & set(line)]
        cells = set(line).union(*[run[1] for run in same])
        joined = (rise, frozenset(cells))
        for other in [one for one in run_of if run_of[one] in same]:
            run_of[other] = joined
        run_of[line] = joined
    return run_of


def threats(v, cells):
    """Two sets of cells that complete a line for Red, for Yellow."""
    found = [set(), set()]
    for line in v.lines:
        colours = [cells[cell] for cell in line]
        for side in (0, 1):
            if colours.count(side) == v.need - 1 and colours.count(255) == 1:
                found[side].add(line[colours.index(255)])
    return found


def state_by_columns(first, second):
    """A state from two sets of cells, column by column."""
    found = 0
    for mine, others, rows in ((first, second, (8, 4)), (second, first, (2, 1))):
        for cell in mine:
            if not any(below in others for below in range(cell - cell % 6, cell)):
                found |= rows[cell & 1]
    return found


def random_position(v, lots):
    while True:
        position = new_position(v)
        plies = lots.randrange(v.capacity)
        while position.result is None and position.ply < plies:
            position.play(lots.choice(position.legal()))
        if position.result is None:
            return position


def variation(name, seed):
    v = make(name)
    return make(name, seed=seed) if v.draws_lots else v


@pytest.mark.parametrize("name", DROPS)
def test_the_table_without_a_file_says_what_the_lines_say(name):
    lots = random.Random(1)
    for seed in range(3):
        v = variation(name, seed)
        tables = tables_of(v)
        for _ in range(30):
            cells = board_of(random_position(v, lots))
            assert by_places(tables, cells) == by_lines(v, cells)


@pytest.mark.parametrize("name", DROPS)
def test_no_position_is_worth_as_much_as_a_win(name):
    for opened in (None, open_file):
        tables = tables_of(variation(name, 1), opened)
        largest = {}
        for number, start in enumerate(tables.base):
            reach = sum(drop[i + 3] for drop in tables.drops.values() for i in (17, 18, 19) if drop[i] == number)
            values = tables.worths[start - reach : start + reach + 1]
            assert start >= reach
            assert len(values) == 2 * reach + 1
            largest[number] = max(abs(value) for value in values)
        assert sum(largest.values()) + max(abs(value) for value in tables.values) <= LIMIT


def test_threats_are_counted_where_no_other_stands_below():
    lots = random.Random(3)
    free = range(6 * FIRST, 6 * (FIRST + 7))
    seen = set()
    for _ in range(400):
        first = {cell for cell in free if lots.random() < 0.06}
        second = {cell for cell in free if lots.random() < 0.06}
        expected = state_by_columns(first, second)
        assert state(*words(first), *words(second)) == expected
        seen.add(expected)
    assert len(seen) == 16


@pytest.mark.parametrize("name", DROPS)
def test_the_search_knows_on_its_way_what_each_position_is_worth(name):
    lots = random.Random(4)
    for seed in range(2):
        v = variation(name, seed)
        search = Search(1024, open_file)
        tables = tables_of(v, open_file)
        looked = 0
        while looked < 60:
            root = random_position(v, lots)
            search.start(root, nodes=400)
            while not search.step(1 + lots.randrange(20)):
                at = not search.making and search.nodes and search._worker.gi_frame.f_locals
                if not at or not at["d"]:
                    continue
                position = new_position(v)
                for move in root.moves[: root.ply]:
                    position.play(move)
                for bit in at["MV"][: at["d"]]:
                    position.play(at["drops"][bit][0])
                cells = board_of(position)
                assert at["points"] == by_places(tables, cells)
                found = threats(v, cells)
                mine, others = found[position.ply & 1], found[1 - (position.ply & 1)]
                assert at["kind"] == state_by_columns(mine, others)
                mover = 1 - (position.ply & 1)  # who has moved
                worth = (-at["points"] if mover else at["points"]) + tables.values[
                    16 * mover + state_by_columns(others, mine)
                ]
                assert at["sc"] == -worth
                looked += 1


def test_a_misere_position_is_worth_the_opposite():
    plain, misere = tables_of(make("classic")), tables_of(make("misere"))
    assert list(misere.worths) == [-worth for worth in plain.worths]
    assert misere.values == [-worth for worth in plain.values]


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_whole_and_says_more_than_the_lines(name):
    lines, file = tables_of(make(name)), tables_of(make(name), open_file)
    assert file.fault == ""
    assert len(file.worths) == len(lines.worths)
    assert list(file.worths) != list(lines.worths)


def test_the_mirrored_game_is_worth_the_same():
    lots = random.Random(5)
    v, mirrored = make("five"), make("five", mirror=True)
    tables, turned = tables_of(v, open_file), tables_of(mirrored, open_file)
    assert turned.values == tables.values
    for _ in range(100):
        position = random_position(v, lots)
        other = new_position(mirrored)
        for move in position.moves[: position.ply]:
            other.play(6 - move)
        assert by_places(turned, board_of(other)) == by_places(tables, board_of(position))


def reading(data):
    def read_into(offset, buffer):
        piece = data[offset : offset + len(buffer)]
        memoryview(buffer).cast("B")[: len(piece)] = piece
        return len(piece)

    return read_into


def damaged(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


WHOLE = (ENGINE / "five_worths.bin").read_bytes()


@pytest.mark.parametrize(
    "data, told",
    [
        (b"", "not a file of worths"),
        (WHOLE[:40], "not a file of worths"),
        (b"BOOK" + WHOLE[4:], "not a file of worths"),
        (WHOLE[:4] + b"\2" + WHOLE[5:], "version 2, not 1"),
        (WHOLE[:8] + b"classic\0" + WHOLE[16:], "of another variation"),
        (WHOLE[:-1], "cut short, or too long"),
        (WHOLE + b"\0", "cut short, or too long"),
        (damaged(WHOLE, 17), "damaged"),
        (damaged(WHOLE, 30), "damaged"),
        (damaged(WHOLE, len(WHOLE) - 1), "damaged"),
    ],
)
def test_a_file_that_is_none_is_named_and_the_lines_serve(data, told):
    position = new_position(make("five"))
    for move in (3, 3, 2, 4):
        position.play(move)
    search, plain = Search(1024, lambda path: reading(data), book=False), Search(1024)
    for one in (search, plain):
        one.start(position, nodes=600)
        while not one.step(50):
            pass
    assert search.fault == "five_worths.bin: %s; playing without it" % told
    assert (search.move, search.score, search.nodes) == (plain.move, plain.score, plain.nodes)
    assert tables_of(make("five"), lambda path: reading(data)).worths == tables_of(make("five")).worths


def test_a_file_that_is_absent_is_named():
    def absent(path):
        raise OSError(2, "no such file")

    assert tables_of(make("five"), absent).fault.startswith("five_worths.bin: ")
