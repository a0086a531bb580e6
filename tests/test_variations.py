# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What a variation costs on the board: the time to choose it, and its memory, which is given back when it is left."""

import pytest

from engine.catalogue import NAMES
from engine.notation import parse_header
from engine.variation import make
from tools import bench, variations_table
from tools.heap import SHIFTS

BUDGET_MS = 300  # of the board's time, for lines, position and the search's tables
BY_LINES_MS = 500  # where the worths come from the lines and not from a file; in steps, while the game goes on


def test_choosing_a_variation_takes_a_moment():
    problem = bench.mcu_missing()
    if problem:
        pytest.skip(problem)
    rows = bench.choosing(["five", "cylinder", "five pop"])  # those with the most lines and tables
    assert [row["lines"] for row in rows] == [68, 105, 68]
    for row in rows:
        v = parse_header(row["variation"])
        assert 20 < row["mcu_ms"] <= (BUDGET_MS if v.pop or v.worths else BY_LINES_MS), row


def test_every_variation_and_its_pops_are_measured():
    headers = bench.variation_headers()
    assert {header.split()[0] for header in headers} == set(NAMES)
    assert {"five pop", "cylinder pop", "teams pop"} < set(headers) and "three pop" not in headers


CHOOSE = """
def choose(text):
    global position
    position = None
    position = new_position(parse_header(text))
    search.start(position, 6, nodes=1)
    while search.making:
        search.step(5)
    search.step(5)
"""


def test_the_memory_of_a_variation_is_given_back_when_it_is_left(wasm):
    imports = (
        "import gc\n"
        "import engine.catalogue, engine.extras, engine.plain, engine.search_drop, engine.search_pop\n"
        "import engine.search_ends, engine.search_pop_tables, engine.search_tables, engine.search_worths\n"
        "from engine.notation import parse_header\n"
        "from engine.position import new_position\n"
        "from engine.search import Search\n"
        "search = Search()\n"
        "position = None\n"
    )
    collect, read = "gc.collect()", "print(gc.mem_alloc())"
    parts = [imports + CHOOSE]
    headers = bench.variation_headers()
    for header in headers:
        # Twice five: the collector finds what is dead one call later than it died.
        for text in (header, "five", "five"):
            parts += ["choose(%r)" % text, collect]
        parts += [collect, read]
    parts += ["position = None\nsearch = Search()", collect, collect, read]
    # Numbers that look like addresses keep garbage alive, by chance: the least of runs with other addresses counts.
    runs = []
    for shift in SHIFTS[:3]:
        shifted = ["shift = bytearray(%d)\n" % shift + parts[0], *parts[1:]]
        runs.append([int(text) - shift for text in wasm.run(*shifted) if text.strip()])
    *held, without = [min(found) for found in zip(*runs)]
    assert len(held) == len(headers)
    assert held[0] - without > 15000  # what five holds
    # A word that is seen for the first time is kept for good; nothing else is.
    assert max(held) - min(held) <= 1024, dict(zip(headers, held))


def test_the_table_of_variations_is_made_of_their_rows():
    text = variations_table.markdown()
    rows = {line.split("|")[1].strip(): line for line in text.splitlines()[2:]}
    assert list(rows) == ["`%s`" % name for name in NAMES]
    assert "9×6" in rows["`five`"] and "| 5 |" in rows["`five`"] and str(make("five").line_count) in rows["`five`"]
    assert "6×5" in rows["`small`"] and "a-f" in rows["`small`"]
    assert "loses" in rows["`misere`"] and "105" in rows["`cylinder`"]
    assert "three" in rows["`three`"] and "seed" in rows["`obstacles`"] and "seed" not in rows["`teams`"]
    for name in ("obstacles", "three", "powerup"):
        assert "| no |" in rows["`%s`" % name]
    assert "always" in rows["`pop10`"] and "always" in rows["`popout`"] and "| option |" in rows["`five`"]
