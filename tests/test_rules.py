# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The rules of play: every variation against the naive model, the known counts, and the cases people argue over."""

import random

import pytest
from naive import VARIATIONS, Naive, NaivePopTen, NaivePowerUp

from engine.catalogue import NAMES
from engine.lines import winning_lines
from engine.moves import ANVIL, BOMB, DOUBLE, POP, WALL
from engine.notation import RecordError, cell_name, parse_moves, parse_record, play_all, record, replay
from engine.position import Position, new_position
from engine.variation import DRAW, GREEN, RED, YELLOW, make

RESULTS = {None: None, "R": RED, "Y": YELLOW, "G": GREEN, "draw": DRAW}
GAMES = [
    # name, options, random games
    ("five", {}, 2000),
    ("five", {"pop": True}, 2000),
    ("classic", {}, 2000),
    ("classic", {"pop": True}, 2000),
    ("five", {"mirror": True}, 300),
    ("five", {"pop": True, "pop_both": "draw"}, 300),
    ("classic", {"pop": True, "pop_both": "other"}, 300),
    ("small", {}, 1000),
    ("small", {"pop": True}, 300),
    ("misere", {}, 1000),
    ("misere", {"pop": True}, 300),
    ("cylinder", {}, 1000),
    ("cylinder", {"pop": True}, 300),
    ("obstacles", {}, 1000),
    ("random", {}, 1000),
    ("three", {}, 1000),
    ("teams", {}, 1000),
    ("teams", {"pop": True}, 300),
    ("random", {"pop": True}, 300),
    ("popout", {}, 1000),
]


def as_naive(move):
    return (move & 7, bool(move & POP))


def naive_cell(variation, cell):
    """(column, row) with column 0 at the left edge of the variation's grid."""
    return (cell // 6 - variation.left, cell % 6)


@pytest.mark.parametrize("name, options, games", GAMES, ids=[f"{n}-{'-'.join(o) or 'plain'}" for n, o, _ in GAMES])
def test_random_games_agree_with_the_naive_model(name, options, games):
    rng = random.Random(name + str(options))
    variation = make(name, **options)
    for number in range(games):
        if variation.draws_lots:
            variation = make(name, seed=number, **options)
        position = Position(variation)
        stones = [naive_cell(variation, cell) for cell in variation.stones]
        naive = Naive(name, options.get("pop"), stones, options.get("pop_both", "mover"), options.get("mirror", False))
        keys, lasting = [position.key()], rng.random() < 0.3
        while True:
            legal = position.legal()
            assert [as_naive(m) for m in legal] == naive.moves()
            assert position.result == RESULTS[naive.result]
            if not legal:
                break
            assert "RYG"[position.to_move] == naive.colour() and position.seat == naive.turn % naive.seats
            pops = [m for m in legal if m & POP]
            # Long games and repetitions need many pops; short ones need drops.
            move = rng.choice(pops if pops and lasting and rng.random() < 0.7 else legal)
            position.play(move)
            naive.play(as_naive(move))
            keys.append(position.key())
        for cell in range(54):
            column, row = naive_cell(variation, cell)
            inside = 0 <= column < variation.width and row < variation.rows
            expected = naive.columns[column][row] if inside and row < len(naive.columns[column]) else None
            assert position.colour(cell) == {None: -1, "R": 0, "Y": 1, "G": 2, "#": 3}[expected]
        windows = set()
        if position.result != DRAW:
            owner = 1 - position.result if variation.misere else position.result
            windows = naive.lines("RYG"[owner])
        runs = [[naive_cell(variation, cell) for cell in run] for run in winning_lines(position)]
        assert {cell for window in windows for cell in window} == {cell for run in runs for cell in run}
        text = record(position)
        again = replay(text) if number % 10 == 0 else play_all(Position(variation), parse_moves(text.split("]")[-1]))
        assert again.key() == position.key() and again.variation.header() == variation.header()
        while position.ply:  # and back to the start, exactly
            assert position.key() == keys[position.ply]
            position.undo()
        assert position.key() == keys[0] and position.result is None


def check_extra_game(position, naive, as_move, rng):
    """Play one random game on both; compare all that can be seen, then take everything back."""
    keys = [position.key()]
    shown = range(6, 48)
    while True:
        for cell in shown:
            column, row = cell // 6 - 1, cell % 6
            disc = naive.columns[column][row] if row < len(naive.columns[column]) else None
            assert position.colour(cell) == {None: -1, "R": 0, "Y": 1}[disc]
        legal = position.legal()
        assert sorted(map(as_move, legal)) == sorted(naive.moves())
        assert position.result == RESULTS[naive.result]
        if not legal and len(shown) == 42:
            break
        # After a move its column is compared, at the end the whole grid once more.
        if not legal:
            shown = range(6, 48)
            continue
        assert "RYG"[position.to_move] == naive.colour()
        move = rng.choice(legal)
        position.play(move)
        naive.play(as_move(move))
        keys.append(position.key())
        shown = range(6 * (move & 7) + 6, 6 * (move & 7) + 12)
    assert replay(record(position)).key() == position.key()
    while position.ply:
        assert position.key() == keys[position.ply]
        position.undo()
    assert position.key() == keys[0]


def test_pop_10_agrees_with_the_naive_model():
    rng = random.Random(10)
    results = []
    for seed in range(1000):
        position = new_position(make("pop10", seed=seed))
        filling = ["".join("RY"[position.colour(6 * (i + 1) + row)] for row in range(6)) for i in range(7)]
        assert "".join(filling).count("R") == 21
        naive = NaivePopTen(filling)
        check_extra_game(position, naive, as_naive, rng)
        results.append(naive.result)
    assert {"R", "Y"} <= set(results)


def test_power_up_agrees_with_the_naive_model():
    rng = random.Random(11)
    kinds = {0: "drop", ANVIL: "anvil", BOMB: "bomb", WALL: "wall", DOUBLE: "x2"}
    for _ in range(1000):
        check_extra_game(new_position(make("powerup")), NaivePowerUp(), lambda m: (m & 7, kinds[m & ~7]), rng)


@pytest.mark.parametrize(
    "record_text, why",
    [
        ("[powerup] a|a*", "plain drop"),
        ("[powerup] aabbcc d|", "the game is over"),
        ("[powerup] a= ", "nothing in column a"),
        ("[powerup] a+a b a+", "has been used"),
        ("[powerup] a a*", None),
        ("[powerup] a b*", "no disc of the other side"),
        ("[powerup] a|b c a c a c d", None),
        ("[pop10 seed=1] a", "no disc in hand"),
    ],
)
def test_powers_are_refused_with_the_reason(record_text, why):
    if why is None or why == "the game is over":
        assert replay(record_text)
        return
    with pytest.raises(RecordError, match=why):
        replay(record_text)


@pytest.mark.parametrize(
    "name, plies, sequences, positions",
    [
        ("five", 8, [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5744298],
         [1, 7, 49, 238, 1120, 4263, 16422, 54859, 186179]),
        ("classic", 8, [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234],
         [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]),
    ],
)  # fmt: skip
def test_sequences_and_positions_by_ply(name, plies, sequences, positions):
    position = Position(make(name))
    level = {position.key(): ([], 1)}
    for ply in range(plies + 1):
        assert len(level) == positions[ply]
        assert sum(count for _, count in level.values()) == sequences[ply]
        following = {}
        for moves, count in level.values() if ply < plies else ():
            # The next position shares most of its moves with the one before: back to where they part.
            while moves[: position.ply] != list(position.moves[: position.ply]):
                position.undo()
            for move in moves[position.ply :]:
                position.play(move)
            for move in position.legal():
                position.play(move)
                seen = following.get(position.key(), (moves + [move], 0))
                following[position.key()] = (seen[0], seen[1] + count)
                position.undo()
        level = following


def lay(position, red, yellow=()):
    """Discs straight onto a position, for tests of lines: cells of ``red`` and ``yellow``."""
    for colour, cells in ((RED, red), (YELLOW, yellow)):
        for cell in cells:
            position._put(cell, colour)


@pytest.mark.parametrize("name, count", [("five", 68), ("classic", 69), ("small", 39)])
def test_every_line_wins_and_no_other_set_of_cells_does(name, count):
    variation = make(name)
    assert len(set(variation.lines)) == variation.line_count == count == len(list(variation.lines))
    blank = Position(make("classic")) if name != "five" else None
    rng = random.Random(5)
    grid = [6 * c + r for c in range(variation.left, variation.left + variation.width) for r in range(variation.rows)]
    lines = set(map(frozenset, variation.lines))

    def has_line(cells):
        position = Position(variation)
        if blank is None:
            for i in range(3):  # the side discs go, so that exactly the cells of the test stand
                position._discs[i] = position._discs[3 + i] = position._full[i] = 0
        lay(position, cells)
        return any(position._line_through(c, RED) for c in cells)

    for line in variation.lines:
        assert has_line(line)
        for out in line:
            assert not has_line([c for c in line if c != out])
    for _ in range(3000):
        cells = rng.sample(grid, variation.need)
        assert has_line(cells) == (frozenset(cells) in lines)


def test_four_lines_of_five_lie_in_one_side_column_and_can_never_be_one_colour():
    variation = make("five")
    dead = [
        line
        for line in variation.lines
        if {0, 1} <= {variation.side_colour(c) for c in line if c // 6 in (0, 8)}
    ]  # fmt: skip
    assert len(dead) == 4 and all(len({c // 6 for c in line}) == 1 for line in dead)


def test_cylinder_lines_counted_by_sliding_a_window_over_the_doubled_grid():
    # Independent count: unroll the cylinder twice, list all windows of four, fold the columns back.
    windows = set()
    for column in range(14):
        for row in range(6):
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + k * dc, row + k * dr) for k in range(4)]
                if all(c < 14 and 0 <= r < 6 for c, r in cells):
                    windows.add(frozenset((c % 7, r) for c, r in cells))
    assert windows == {frozenset((c // 6 - 1, c % 6) for c in line) for line in make("cylinder").lines}
    assert len(windows) == 7 * 6 + 7 * 3 + 2 * 7 * 3  # horizontal, vertical, two diagonals


def names(lines):
    return [" ".join(cell_name(c) for c in line) for line in lines]


def test_a_line_may_end_in_a_side_column():
    # Row 1: the left side disc <1 is Red; Red adds a1 to d1.
    position = replay("a a b b c c d")
    assert position.result == RED
    assert names(winning_lines(position)) == ["<1 a1 b1 c1 d1"]


def test_a_longer_line_is_one_win_with_all_its_cells():
    # Mirrored, >1 is Red: c1 d1 f1 g1 and then e1 join it to six.
    position = replay("[five mirror=1] c c d d f f g g e")
    assert position.result == RED
    assert names(winning_lines(position)) == ["c1 d1 e1 f1 g1 >1"]


def test_a_vertical_line_does_not_wrap_into_the_next_column():
    # Two at the top of one column and three at the bottom of the next are five cells in a row of bits only.
    variation = make("five")
    for column in range(8):
        position = Position(variation)
        for i in range(3):
            position._discs[i] = position._discs[3 + i] = position._full[i] = 0
        lay(position, [6 * column + 3, 6 * column + 4, 6 * column + 5, 6 * column + 6, 6 * column + 7])
        assert not any(position._line_through(cell, RED) for cell in range(54) if position.colour(cell) == RED)


def test_a_line_completed_by_the_disc_that_fills_the_grid_is_a_win():
    found = 0
    for name, seed in (("five", 1), ("classic", 2)):
        rng = random.Random(seed)
        while True:  # play at random until the 42nd disc decides a game
            position = Position(make(name))
            while position.result is None and position.ply < 42:
                position.play(rng.choice(position.legal()))
            if position.ply == 42 and position.result != DRAW:
                found += 1
                assert position.result == YELLOW and not position.legal() and winning_lines(position)
                break
    assert found == 2


def popped(red, yellow, pop_both, move=POP | 0):
    """Classic + pop with these discs by name (``a1``), Red to pop ``a``."""
    position = Position(make("classic", pop=True, pop_both=pop_both))
    cells = [[6 * ("abcdefg".index(n[0]) + 1) + int(n[1]) - 1 for n in text.split()] for text in (red, yellow)]
    lay(position, *cells)
    for i in range(7):
        position._heights[i] = max([c % 6 + 1 for group in cells for c in group if c // 6 == i + 1] or [0])
    position._remember()
    position.play(move)
    return position


def test_lines_of_both_after_a_pop_follow_the_setting():
    # a: Red, Red, Yellow from below. The pop brings a2 beside Red's b1 c1 d1 and a3 beside Yellow's b2 c2 d2.
    for pop_both, winner in (("mover", RED), ("draw", DRAW), ("other", YELLOW)):
        position = popped("a1 a2 b1 c1 d1", "a3 b2 c2 d2", pop_both)
        assert position.result == winner
        assert bool(winning_lines(position)) == (winner != DRAW)


def test_a_pop_that_completes_only_the_other_sides_line_loses():
    position = popped("a1 b1 c1", "a2 b2 c2", "mover")
    assert position.result is None  # Yellow's a2 falls to row 1: nothing completed
    position = popped("a1 b1 c1 d1", "a2 a3 b2 c2 d2", "mover", POP | 0)
    assert position.result == YELLOW


def test_a_pop_that_completes_only_the_movers_line_wins():
    assert popped("a1 a2 b1 c1 d1", "b2 c2", "other").result == RED


def test_the_third_repetition_is_a_draw():
    # Red and Yellow drop and pop in turn: the start comes back after plies 4 and 8.
    position = replay("[classic pop] a b a- b- a b a- b-")
    assert position.ply == 8 and position.result == DRAW
    position.undo()
    assert position.result is None and position.is_legal(POP | 1)


def test_two_hundred_plies_end_a_game_and_a_win_on_the_last_of_them_counts():
    ends = set()
    for seed in range(5000):
        rng = random.Random(seed)
        position = Position(make("five", pop=True))
        while position.result is None:
            legal = position.legal()
            pops = [m for m in legal if m & POP]
            move = rng.choice(pops if pops and rng.random() < 0.5 else legal)
            if position.ply == 199:  # win with the last ply where that can be done
                mover = position.to_move
                for move in legal:
                    position.play(move)
                    won = position.result == mover
                    position.undo()
                    if won:
                        break
            position.play(move)
        assert position.ply <= 200
        if position.ply == 200:
            ends.add(position.result)
            assert position.result != DRAW or not winning_lines(position)
        if DRAW in ends and len(ends) > 1:
            break
    assert DRAW in ends and len(ends) > 1


def test_misere_the_disc_that_completes_a_line_loses_even_when_it_fills_the_grid():
    assert replay("[misere] a b a b a b a").result == YELLOW
    rng = random.Random(3)
    while True:
        position = Position(make("misere"))
        while position.result is None and position.ply < 42:
            position.play(rng.choice(position.legal()))
        if position.ply == 42 and position.result != DRAW:
            assert position.result == RED  # Yellow placed the last disc
            break


def test_obstacles_leave_every_free_cell_reachable_and_the_middle_column_free():
    seen = set()
    for seed in range(500):
        stones = make("obstacles", seed=seed).stones
        seen.add(tuple(sorted(stones)))
        assert len(set(stones)) == 3 and all(c // 6 != 4 for c in stones)
        assert all(c % 6 == 0 or c - 1 in stones for c in stones)
    assert len(seen) > 50  # of 56 ways to put three stones on six columns, nearly all turn up
    for stones in seen:  # and discs do reach every cell that is no stone
        position = Position(make("obstacles"))
        position.variation.stones = stones
        position.__init__(position.variation)
        for i in range(7):
            while position.height(i) < 6:
                position._drop(i)
        reached = {cell for cell in range(6, 48) if position.colour(cell) == RED}
        assert reached == set(range(6, 48)) - set(stones)


def test_an_illegal_move_names_the_move_and_why_and_changes_nothing():
    position = replay("a a a a a a")
    key = position.key()
    refused = ((0, "a: column a is full"), (POP | 3, "d-: five has no pops"), (7, "no such column"), (-1, "no such"))
    for move, why in refused:
        with pytest.raises(ValueError, match=why):
            position.play(move)
        assert position.key() == key and position.ply == 6
    over = replay("[classic] a b a b a b a")
    with pytest.raises(ValueError, match="the game is over"):
        over.play(1)
    with pytest.raises(ValueError, match="no disc of your own at the bottom of column b"):
        replay("[five pop] a b").play(POP | 1)
    with pytest.raises(ValueError, match="no move to take back"):
        Position(make("five")).undo()


@pytest.mark.parametrize(
    "text, moves",
    [
        ("5254252425", [4, 1, 4, 3, 1, 4, 1, 3, 1, 4]),
        ("d d e c- b", [3, 3, 4, 10, 1]),
        ("D4e3↓b", [3, 3, 4, 10, 1]),
        ("ddec-b", [3, 3, 4, 10, 1]),
        ("", []),
    ],
)
def test_records_are_read_in_letters_and_digits_with_and_without_blanks(text, moves):
    assert parse_record(text)[1] == moves


@pytest.mark.parametrize(
    "text, index, word",
    [
        ("d d x", 2, "'x'"),
        ("8", 0, "'8'"),
        ("-", 0, "'-'"),
        ("d -", 1, "'-'"),
        ("d--", 1, "'-'"),
        ("aaaaaaa", 6, "column a is full"),
        ("d d-", 1, "no pops"),
        ("[classic] a b a b a b a b", 7, "the game is over"),
        ("[nonsense] a", -1, "nonsense"),
        ("[five", -1, "]"),
        ("[five seed=x] a", -1, "seed"),
        ("[five seed=3] a", -1, "draws no lots"),
        ("[obstacles pop seed=3] a", -1, "no pops"),
        ("[obstacles seed=1073741824] a", -1, "seed"),
        ("[classic mirror=1] a", -1, "mirror"),
        ("[five pop_both=both] a", -1, "pop_both"),
        ("[five pop_both=draw] a", -1, "leave it out"),
        ("[three pop] a", -1, "play one of five, classic, small, misere, cylinder, random, teams"),
        ("[powerup pop] a", -1, "no pops"),
        ("[popout random] a", -1, "not with popout"),
        ("[cylinder seed=-1] a", -1, "seed"),
        ("[classic] d=", 0, "classic has no such move"),
        ("[pop10] d+", 0, "pop10 has no such move"),
        ("[small] g", 0, "no such column"),
    ],
)
def test_bad_records_name_the_fault_and_its_place(text, index, word):
    with pytest.raises(RecordError) as error:
        replay(text)
    assert error.value.index == index and word in str(error.value)


@pytest.mark.parametrize("name", NAMES)
def test_headers_are_read_back_as_they_were_written(name):
    seed = 17 if name in ("obstacles", "random") else None
    seed = seed if name != "pop10" else 3
    for options in ({}, {"pop": True, "pop_both": "draw"}, {"mirror": True}, {"random": True}):
        try:
            variation = make(name, seed=seed, **options)
        except ValueError:
            continue
        again, _ = parse_record(variation.header())
        assert again.header() == variation.header()
        assert again.stones == variation.stones and again.line_cells == variation.line_cells
    assert name in VARIATIONS  # the naive model knows every variation


def test_nothing_leaves_thirty_one_bits():
    rng = random.Random(9)
    for name in NAMES:
        position = Position(make(name))
        while position.result is None:
            position.play(rng.choice(position.legal()))
            assert max(position.key()) < 1 << 30


@pytest.mark.parametrize("name", NAMES)
def test_all_cells_at_once_are_what_each_cell_says(name):
    variation = make(name, seed=5 if name in ("obstacles", "random", "pop10") else None)
    position = new_position(variation)
    lots = random.Random(name)
    cells = bytearray(54)
    while True:
        position.copy_cells(cells)
        assert list(cells) == [position.colour(cell) & 255 for cell in range(54)]
        if position.result is not None or position.ply > 60:
            break
        position.play(lots.choice(position.legal()))
