# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The search compiled for audits: answer for answer what the search says."""

import random
import subprocess
import sys

import pytest

from engine.position import new_position
from engine.search import Search
from engine.variation import make
from hal.drive import open_file
from tools import compiled
from tools.environment import ROOT


def answers(count):
    """(move, score, exact, depth, nodes) of level 6 in ``count`` positions by lot."""
    lots, position, search, found = random.Random(7), new_position(make("five")), Search(open_file=open_file), []
    while len(found) < count:
        plies = lots.randrange(36)
        position.reset()
        while position.ply < plies and position.result is None:
            position.play(lots.choice(position.legal()))
        if position.result is None:
            search.start(position)
            while not search.step(lots.choice((4, 1000))):
                pass
            found.append((search.move, search.score, search.exact, search.depth, search.nodes))
    return found


def test_only_names_of_one_kind_get_a_type_and_the_source_stays_as_it_is():
    types = compiled.local_types()
    assert types["d"] == "cython.longlong" and types["SA"] == "list" and types["ctl"] == "cython.int[:]"
    assert "v" not in types and len(types) > 100
    path = ROOT / "engine" / "search_drop.py"
    lines = compiled.source(path, types).splitlines()
    assert [line for line in lines if "cython" not in line] == path.read_text("utf-8").splitlines()


GUEST = """
import sys
from tests import test_compiled
from tools import compiled
compiled.use(sys.argv[1])
print(test_compiled.answers(80))
"""


@pytest.mark.slow
def test_it_says_what_the_search_says():
    pytest.importorskip("Cython", reason="comes with the first use of audit --compiled")
    done = subprocess.run([sys.executable, "-c", GUEST, compiled.make()], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == str(answers(80)) + "\n", done.stderr


def test_an_audit_stops_where_the_two_differ():
    pytest.importorskip("cffi", reason="the solver's packages come with its first use: python3 -m tools solve 4")
    from tools import audit_games
    from tools.book.build import BuildFault

    player = audit_games.Player(True, 16)
    player.plain = Search(open_file=open_file)
    player.go_to("dd")
    assert player.move()[0] == player.search.move
    player._asked = 0
    player.plain.start = lambda position, level: Search.start(player.plain, position, 2)
    with pytest.raises(BuildFault, match="without --compiled"):
        player.move()
