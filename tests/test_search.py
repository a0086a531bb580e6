# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The search as its users see it: it starts, steps, is dropped, proves; and its tables against plain lines."""

import random

import pytest

from engine.catalogue import NAMES
from engine.notation import replay
from engine.position import new_position
from engine.search import SLICE_NODES, Search
from engine.search_drop import has_five, has_four
from engine.search_tables import Tables, bits, words
from engine.variation import DRAW, make


def think(search, position, **effort):
    search.start(position, **effort)
    while not search.step(SLICE_NODES):
        pass
    return search.move


def solve(position):
    """The value for the side to move by going through every game, no bound and no order."""
    memory = {}

    def value():
        if position.result is not None:
            return 0 if position.result == DRAW else 1 if position.result == position.to_move else -1
        key = position.key()
        if key not in memory:
            best = -1
            for move in position.legal():
                position.play(move)
                best = max(best, -value())
                position.undo()
                if best == 1:
                    break
            memory[key] = best
        return memory[key]

    return value()


def late_positions(variation, count, plies, seed):
    """``count`` open positions after ``plies`` moves by lot."""
    lots = random.Random(seed)
    found = []
    while len(found) < count:
        position = new_position(variation)
        while position.result is None and position.ply < plies:
            position.play(lots.choice(position.legal()))
        if position.result is None:
            found.append(position)
    return found


@pytest.mark.parametrize(
    ("name", "plies", "count"),
    [("five", 31, 120), ("classic", 31, 60), ("small", 19, 80), ("misere", 31, 60), ("cylinder", 31, 60),
     ("obstacles", 29, 60)],
)  # fmt: skip
def test_what_is_called_exact_is_what_going_through_every_game_gives(name, plies, count):
    search = Search()
    variation = make(name, seed=5) if name == "obstacles" else make(name)
    proved = 0
    for early in (0, 1):  # both colours to move
        for position in late_positions(variation, count // 2, plies + early, 11 + early):
            move = think(search, position, nodes=60000)
            truth = solve(position)
            if search.exact:
                proved += 1
                assert (search.score > 0) - (search.score < 0) == truth, position.moves[: position.ply]
            position.play(move)
            assert -solve(position) == truth or not search.exact
            position.undo()
    assert proved > 0.9 * count


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("three", "pop10", "powerup")])
@pytest.mark.parametrize("pop", [False, True])
def test_every_level_takes_a_win_in_one_and_stops_one(name, pop):
    try:
        variation = make(name, pop=pop)
    except ValueError:
        pytest.skip("%s has no pops" % name)
    search = Search(2048)
    lots = random.Random(4)
    seen = 0
    for _ in range(400):
        position = new_position(variation)
        while position.result is None and position.ply < 24:
            legal = position.legal()
            outcomes = {}
            for move in legal:
                position.play(move)
                mover = (position.ply - 1) & 1
                if position.result is None:
                    answers = []
                    for answer in position.legal():
                        position.play(answer)
                        answers.append(position.result == 1 - mover)
                        position.undo()
                    outcomes[move] = 0 if any(answers) else 1
                else:
                    outcomes[move] = 2 if position.result == mover else 0 if position.result == 1 - mover else 1
                position.undo()
            if seen < 40 and len(set(outcomes.values())) > 1:
                seen += 1
                level = 1 + seen % 6
                move = think(search, position, level=level, seed=seen, nodes=400 if level > 4 else 0)
                assert outcomes[move] == max(outcomes.values()), (level, bytes(position.moves[: position.ply]))
            position.play(lots.choice(legal))
        if seen >= 40:
            break
    assert seen == 40


def test_a_search_that_is_dropped_leaves_nothing_behind():
    search, fresh = Search(), Search()
    for text in ("5254252425", "442336634144", "[five pop] d d d e d- c", "[classic] 4 4 3 5"):
        position = replay(text)
        search.start(replay("d d"), nodes=5000)
        for _ in range(40):  # the second half of them search
            search.step(SLICE_NODES)
        search.start(position, nodes=1500)
        while search.making:
            assert not search.step(1)
            assert position.is_legal(search.move)
        for _ in range(3):
            assert not search.step(1)
            assert position.is_legal(search.move)
        while not search.step(SLICE_NODES):
            pass
        think(fresh, position, nodes=1500)
        assert (search.move, search.score, search.depth, search.exact) == (
            fresh.move, fresh.score, fresh.depth, fresh.exact)  # fmt: skip


def test_a_move_stands_from_the_start():
    search = Search()
    position = replay("d d d d d d")
    search.start(position)
    assert position.is_legal(search.move)


def test_bad_efforts_and_finished_games_are_refused():
    search = Search()
    with pytest.raises(ValueError, match="the game is over"):
        search.start(replay("[classic] 1 2 1 2 1 2 1"))
    with pytest.raises(ValueError, match="budget of -1"):
        search.start(replay("d"), nodes=-1)
    with pytest.raises(ValueError, match="level 7"):
        search.start(replay("d"), level=7)
    with pytest.raises(ValueError, match="too small"):
        Search(16)


def test_a_third_repetition_and_the_last_ply_are_draws():
    search = Search()
    position = replay("[five pop] d d")
    while position.result is None:
        think(search, position, nodes=150)
        position.play(search.move)
    assert position.ply <= 200
    lots = random.Random(8)
    position = new_position(make("small", pop=True))
    while position.result is None and position.ply < 198:
        legal = []
        for move in position.legal():
            position.play(move)
            if position.result is None:
                legal.append(move)
            position.undo()
        if not legal:
            break
        position.play(lots.choice(legal))
    if position.result is None:
        think(search, position, nodes=4000)
        assert search.depth >= 2  # it sees the end of the game


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("three", "pop10", "powerup")])
def test_the_tables_find_the_cells_that_complete_a_line(name):
    variation = make(name)
    tables = Tables(variation, None)
    for _ in tables.make():
        pass
    lines = list(variation.lines)
    lots = random.Random(2)
    free = [cell for cell in range(54) if tables.cell_bits[cell]]
    for _ in range(60):
        side = lots.randrange(2)
        own = {cell for cell in free if lots.random() < 0.4}
        if variation.sides:
            own |= {c for c in range(54) if c // 6 in (0, 8) and variation.side_colour(c) == side}
        a, b = words(own)
        completing = {}
        for line in lines:
            missing = [cell for cell in line if cell not in own]
            if len(missing) == 1 and tables.cell_bits[missing[0]]:
                for cell in line:
                    completing.setdefault(cell, set()).add(missing[0])
        for cell in own & set(free):
            drop = tables.drops[tables.cell_bits[cell]]
            found = set()
            for i in (7, 9, 11):
                ma, mb = drop[i], drop[i + 1]
                hit = tables.ends[(a & ma | b & mb) % 511] * (1 | 1 << 9 | 1 << 18)
                found |= {c for c in free if bits(c)[0] & hit & ma or bits(c)[1] & hit & mb}
            slanting = {c for c in completing.get(cell, ()) if c // 6 != cell // 6}
            assert slanting <= found
            assert found - own <= set().union(*completing.values())


def test_a_search_ends_alike_in_slices_of_any_size():
    search, five = Search(), make("five")
    for position in late_positions(five, 12, 16, 7):
        found = set()
        for units in (2, 7, 1000):
            search.start(position)
            while not search.step(units):
                pass
            found.add((search.move, search.score, search.exact, search.nodes))
        assert len(found) == 1, found


@pytest.mark.parametrize("table_bytes", [512, 1024, 4096, 16384])
def test_few_live_lines_make_no_false_hit_in_the_table(table_bytes):
    # Only d wins; keys of words with few bits took another position for this one and called f a proved draw.
    position = replay("11111122222243445555556677776", variation=make("five"))
    search = Search(table_bytes)
    assert think(search, position) == 3
    assert search.exact and search.score > 900


@pytest.mark.parametrize("name", ["five", "classic", "small", "misere"])
def test_has_line_agrees_with_the_lines(name):
    variation = make(name)
    has_line = has_five if variation.need == 5 else has_four
    lines = [set(line) for line in variation.lines]
    cells = sorted(set().union(*lines))
    lots = random.Random(3)
    seen = [0, 0]
    for _ in range(3000):
        own = set(lots.sample(cells, lots.randrange(4, 24)))
        if lots.random() < 0.5:
            own |= set(lots.choice(lines))
            if lots.random() < 0.5:
                own.discard(lots.choice(sorted(own)))
        truth = any(line <= own for line in lines)
        seen[truth] += 1
        assert has_line(*words(own)) == truth
    assert min(seen) > 300
