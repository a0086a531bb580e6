# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The fitting of worths: positions are what they claim, terms add up, a fit finds what made the values, files load."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from engine import search_worths
from engine.search_tables import Tables
from engine.variation import make
from tests import test_worths as worths
from tools import tune
from tools.environment import ROOT
from tools.solver import Solver


@pytest.fixture(scope="module")
def collected():
    """Lines of five searches."""
    return [line for number in range(5) for line in tune.collected(("five", number))]


def test_collected_positions_have_their_values_and_repeat(collected):
    solver = Solver("five", table_mb=64)
    assert len(collected) > 20
    for line in collected:
        number, text, value = line.split()
        record = [int(digit) - 1 for digit in text]
        assert len(record) >= tune.EARLIEST
        assert 0 <= int(number) < 5
        assert solver.value(record) == int(value)
    again = tune.collected(("five", 3))
    assert again == [line for line in collected if line.startswith("3 ")]


@pytest.mark.parametrize("name", ["five", "classic", "small"])
def test_terms_add_up_to_what_the_lines_say(name):
    """And none are given where a line could be completed at once."""
    v, lots = make(name), random.Random(2)
    judge, values = tune.Judge(name, None), worths.tables_of(make(name)).values
    quiet = loud = 0
    while quiet < 30 or loud < 30:
        position = worths.random_position(v, lots)
        cells = worths.board_of(position)
        terms = judge.terms(record_of(position))
        found = worths.threats(v, cells)
        next_cells = {min(c for c in range(6 * i + 6, 6 * i + 12) if cells[c] == 255) for i in position.legal()}
        if terms is None:
            assert next_cells & (found[0] | found[1])
            loud += 1
            continue
        assert not next_cells & (found[0] | found[1])
        mover = 1 - (position.ply & 1)  # who has moved
        state = worths.state_by_columns(found[mover], found[1 - mover])
        told = worths.by_lines(v, cells) + (-values[16 + state] if mover else values[state])
        assert judge.worth(terms) * search_worths.WIN == pytest.approx(told)
        quiet += 1


def record_of(position):
    return list(position.moves[: position.ply])


def test_a_fit_finds_the_numbers_that_made_the_values():
    """Values that are themselves a sum over the terms are found again, and better than from the lines alone."""
    pytest.importorskip("scipy", reason="the fit's packages come with the first `tools tune`")
    v, lots = make("five"), random.Random(3)
    judge = tune.Judge("five", None)
    hidden = [lots.gauss(0, 0.05) for _ in judge.numbers]
    rows = []
    while len(rows) < 1500:
        terms = judge.terms(record_of(worths.random_position(v, lots)))
        if terms is not None:
            rows.append(terms)
    values = [judge.worth(row) + sum(hidden[place] for place in row) for row in rows]
    numbers = tune.fitted(judge, rows[:1000], values[:1000], 1)
    told = [sum(numbers[place] for place in row) for row in rows[1000:]]
    before = [judge.worth(row) for row in rows[1000:]]
    assert tune.explained(told, values[1000:]) > tune.explained(before, values[1000:]) + 0.05
    # what was seen is explained nearly whole
    seen = [sum(numbers[place] for place in row) for row in rows[:1000]]
    assert tune.explained(seen, values[:1000]) > 0.9


def test_a_file_that_is_made_is_read_on_the_board():
    judge = tune.Judge("five", None)
    lots = random.Random(4)
    table = [lots.randrange(-31, 32) for _ in range(judge.size)]
    states = [lots.randrange(-64, 65) for _ in range(32)]
    data = tune.file_of("five", table, states)

    def read_into(offset, buffer):
        piece = data[offset : offset + len(buffer)]
        memoryview(buffer).cast("B")[: len(piece)] = piece
        return len(piece)

    tables = Tables(make("five"), lambda path: read_into)
    for _ in tables.make():
        pass
    assert tables.fault == ""
    assert list(tables.worths) == table
    assert tables.values[:16] == states[16:]


def test_too_little_is_told_in_a_line(tmp_path, capsys):
    class Options:
        what, variation, state, damping, out = "fit", "five", tmp_path, 80, tmp_path / "out.bin"

    assert tune.run(Options) == 1
    assert "nothing is collected" in capsys.readouterr().err
    (tmp_path / "five.txt").write_text("0 44 0\n1 4435 0\nnonsense\n")
    assert tune.run(Options) == 1
    assert "2 quiet positions" in capsys.readouterr().err
    assert not Options.out.exists()


@pytest.mark.skipif(os.name == "nt", reason="there Ctrl-C is no signal to a group")
def test_ctrl_c_ends_it_and_it_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "five.txt"
    command = [sys.executable, "-m", "tools", "tune", "collect", "--jobs", "1", "--state", str(tmp_path)]
    last = -1
    for _ in range(2):
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True
        )
        before = path.read_text() if path.exists() else ""
        for _ in range(600):
            if path.exists() and len(path.read_text()) > len(before):
                break
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: every process of the group gets it
        process.communicate(timeout=30)
        assert process.returncode == 130
        text = path.read_text()
        assert text.startswith(before) and len(text) > len(before)
        numbers = [int(line.split()[0]) for line in text[len(before) :].splitlines()]
        assert min(numbers) > last
        assert numbers == sorted(numbers)
        last = max(numbers)
