# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The engine on MicroPython: the same results as on CPython, move for move, within the chip's heap and words."""

import ast
import json
import random

import pytest

from engine.catalogue import NAMES
from engine.levels import LEVELS
from engine.lines import winning_lines
from engine.notation import cell_name, record, replay
from engine.position import Position
from engine.search import Search
from engine.variation import make
from tools.environment import ROOT

# Ten positions for the search: the start, quiet and sharp ones, the end near, pops, and other rules.
RECORDS = (
    "",
    "d",
    "5254252425",
    "442336634144",
    "d d d d e c c",
    "[five pop] d d d e d- c",
    "[classic] 4 4 3 3",
    "[classic pop] d d e e",
    "[misere] d c d c d c",
    "4444443333332222",
)
NODES = 400
KINDS = [(name, pop) for name in NAMES for pop in (False, True) if not pop or name in ("five", "classic", "small")]


def random_games(count):
    """(header, moves, expected) of games played at random on CPython; expected is one text a position."""
    rng = random.Random(5)
    games = []
    for number in range(count):
        name, pop = KINDS[number % len(KINDS)]
        draws = make(name).draws_lots
        position = Position(make(name, pop=pop, seed=number if draws else None))
        seen = []
        while position.result is None:
            position.play(rng.choice(position.legal()))
            seen.append(describe(position))
        games.append((position.variation.header(), list(position.moves[: position.ply]), seen))
    return games


def describe(position):
    """All that the rules say of a position, as text that is the same on every interpreter."""
    return "%s %s %s %s %s" % (
        position.result,
        position.to_move,
        position.legal(),
        list(position.key()),
        [[cell_name(cell) for cell in line] for line in winning_lines(position)],
    )


REPLAY = """
from engine.lines import winning_lines
from engine.notation import parse_record, cell_name
from engine.position import Position
for header, moves, seen in %s:
    position = Position(parse_record(header)[0])
    for move, text in zip(moves, seen):
        position.play(move)
        found = "%%s %%s %%s %%s %%s" %% (position.result, position.to_move, position.legal(), list(position.key()),
            [[cell_name(cell) for cell in line] for line in winning_lines(position)])
        assert found == text, (header, moves, position.ply, found, text)
    for move in reversed(moves):
        assert position.undo() == move
    assert position.key() == Position(position.variation).key()
print("played")
"""


def test_random_games_are_the_same_on_the_desktops_micropython(unix):
    for game in random_games(3 * len(KINDS)):
        assert unix.run(REPLAY % repr([game])) == "played\n"


def test_random_games_are_the_same_in_32_bit(wasm):
    parts = [REPLAY % repr([game]) for game in random_games(4 * len(KINDS))]
    assert set(wasm.run(*parts)) == {"played\n"}


def test_lots_are_the_same_everywhere(unix, wasm):
    code = (
        "from engine.lots import Lots\n"
        "print([Lots(seed).below(1000) for seed in (0, 1, 17, 30000, (1 << 30) - 1)])\n"
        "l = Lots(4711)\n"
        "print([l.below(7) for _ in range(200)])\n"
    )
    printed = []
    exec(code, {"print": lambda text: printed.append(str(text))})
    expected = "\n".join(printed) + "\n"
    assert unix.run(code) == expected
    assert wasm.run(code) == [expected]


THINK = """
from engine.notation import replay
from engine.search import Search
search = Search()
def think(text, level, nodes):
    search.start(replay(text), level, seed=3, nodes=nodes)
    while not search.step(50):
        pass
    print([search.move, search.score, search.depth, search.nodes, search.exact, list(search.pv())])
"""


def cpython_thinks(tasks):
    printed = []
    world = {"print": lambda line: printed.append(str(line))}
    exec(THINK, world)
    for task in tasks:
        world["think"](*task)
    return printed


TASKS = [(text, 6, NODES) for text in RECORDS] + [("5254252425", level, 0) for level in range(1, 5)]


def test_the_search_is_the_same_on_the_desktops_micropython(unix):
    out = unix.run(THINK + "\n".join("think(*%r)" % (task,) for task in TASKS))
    assert out.splitlines() == cpython_thinks(TASKS)


def test_the_search_is_the_same_in_32_bit(wasm):
    out = wasm.run(THINK, *["think(*%r)" % (task,) for task in TASKS])
    assert [text.strip() for text in out[1:]] == cpython_thinks(TASKS)


SILENT = (
    """
import probe
from engine.notation import replay
from engine.search import Search
search = Search()
def steps():
    while not search.step(50):
        pass
def begin():
    search.start(position, 6, seed=3, nodes=%d)
def taken(text):
    global position
    position = replay(text)
    begin()
    while search.making:  # what belongs to a variation, once
        search.step(50)
    return probe.allocated(begin), probe.allocated(steps), search.nodes > 0
"""
    % NODES
)


def test_the_search_allocates_nothing(wasm):
    outputs = wasm.run(SILENT, *["print(*taken(%r))" % text for text in RECORDS])
    assert outputs[1:] == ["0 0 True\n"] * len(RECORDS)


PLAIN = """
import probe
from engine.notation import replay
from engine.plain import Plain
def steps():
    while not plain.step():
        pass
def taken(text, nodes):
    global plain
    position = replay(text)
    plain = Plain(position.variation)
    plain.start(position, 6, 0, nodes)
    return probe.allocated(steps), plain.nodes
"""


def test_the_plain_search_allocates_nothing_by_the_node(wasm):
    """What a thought takes, such as its generators, does not grow with its nodes."""
    records = ("[three] d d c c e b a", "[powerup] d d+ c c b", "[pop10 seed=7] c- c")
    calls = ["print(*taken(%r, %d))" % (text, nodes) for text in records for nodes in (60, 60, 300)]
    found = [[int(word) for word in out.split()] for out in wasm.run(PLAIN, *calls)[1:]]
    for at in range(0, len(found), 3):  # the first one meets words that are kept for good
        assert found[at + 1][0] == found[at + 2][0] < 2000 and found[at + 2][1] >= 300


def test_hot_loops_make_no_tuples():
    """CircuitPython's compiler, unlike the other two, makes a tuple of `a, b, c = d, e, f`: with a heap that is nearly
    full that took nine tenths of the plain search's time."""
    for name in ("plain", "extras", "search_drop", "search_pop"):
        tree = ast.parse((ROOT / "engine" / (name + ".py")).read_text(encoding="utf-8"))
        loops = [node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.While))]
        for node in [inner for loop in loops for inner in ast.walk(loop)]:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
                assert len(node.value.elts) < 3, "%s.py, line %d" % (name, node.lineno)


def test_the_probe_sees_an_int_beyond_31_bits_and_an_object(wasm):
    code = (
        "import probe\n"
        "a = [(1 << 30) - 1, 0]\n"
        "def inside():\n    a[1] = a[0]\n"
        "def beyond():\n    a[1] = a[0] + 1\n"
        "def thing():\n    a[1] = [a]\n"
        "print(probe.allocated(inside), probe.allocated(beyond) > 0, probe.allocated(thing) > 0)"
    )
    assert wasm.run(code) == ["0 True True\n"]


def test_playing_and_undoing_allocate_nothing(wasm):
    code = """
import probe
from engine.notation import parse_record
from engine.position import Position
variation, moves = parse_record(%r)
position = Position(variation)
def game():
    for move in moves:
        position.is_legal(move)
        position.play(move)
    for move in moves:
        position.undo()
print(probe.allocated(game))
"""
    for text in ("4444443333332222", "[five pop] d d d e d- e- c d c- d", "[classic pop] d e d e d- e- d"):
        assert wasm.run(code % text) == ["0\n"]


def test_an_illegal_move_raises_the_same_line_everywhere(unix, wasm):
    code = (
        "from engine.notation import replay\n"
        "for text in ('d d d d d d d', 'd d-', '[five pop] d c d d-', 'x', '[nonsense] d', '[obstacles pop] d'):\n"
        "    try:\n        replay(text)\n"
        "    except ValueError as error:\n        print(error, error.index)\n"
    )
    printed = []
    exec(code, {"print": lambda *words: printed.append(" ".join(map(str, words)))})
    expected = "\n".join(printed) + "\n"
    assert len(printed) >= 5
    assert unix.run(code) == expected
    assert wasm.run(code) == [expected]


def test_the_deepest_search_stays_within_the_default_stack_and_heap(unix):
    games = "think('', 6, 3000)\nthink('[five pop] d d d e d- c', 6, 3000)\n"
    code = THINK + games + "import gc\ngc.collect()\nprint(gc.mem_alloc())"
    assert int(unix.run(code).splitlines()[-1]) < 160 * 1024


@pytest.mark.parametrize("text", RECORDS)
def test_records_used_here_are_open_games(text):
    position = replay(text)
    assert position.result is None
    assert replay(record(position)).key() == position.key()
    json.dumps(list(position.key()))
    assert Search and LEVELS
