# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The tuning of the search's weights: the positions are what they claim, weights reach the search, runs repeat."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.variation import make
from tools import tune
from tools.environment import ROOT
from tools.solver import Solver

FIVE = make("five")
NODES = 400


def test_the_positions_can_be_spoilt_and_their_moves_keep_the_value():
    solver = Solver("five", table_mb=64)
    for record, keeping in tune.solved_positions(FIVE, 6, 3):
        values = solver.values(record)
        best = solver.value(record)
        assert sorted(keeping) == [move for move in range(7) if values[move] == best]
        assert len(keeping) < sum(value is not None for value in values)


def test_weights_reach_the_search_and_are_put_back():
    positions = tune.solved_positions(FIVE, 60, 4)
    stands = tune.weights()
    turned = dict(stands, _THREATS=tuple(-value for value in stands["_THREATS"]), _COMMON=-stands["_COMMON"])
    assert tune.kept((stands, "five", positions, NODES)) > tune.kept((turned, "five", positions, NODES))
    assert tune.weights() == stands


def test_shares_add_up():
    positions = tune.solved_positions(FIVE, 7, 5)
    with ThreadPoolExecutor(1) as pool:
        whole = tune.count_kept(pool, 1, tune.weights(), "five", positions, NODES)
        assert whole == tune.count_kept(pool, 3, tune.weights(), "five", positions, NODES)


@pytest.mark.skipif(os.name == "nt", reason="there Ctrl-C is no signal to a group")
def test_ctrl_c_ends_it_and_its_processes_without_a_word():
    command = [sys.executable, "-m", "tools", "tune", "--positions", "20", "--nodes", "400", "--jobs", "2"]
    process = subprocess.Popen(
        [*command, "--tries", "100000"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    assert process.stdout.readline().startswith("as they stand")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: every process of the group gets it
    _, told = process.communicate(timeout=30)  # until all of them have closed it
    assert (process.returncode, told) == (130, "\n")
