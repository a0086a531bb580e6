# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Processes that work for a command: their answers, and how they end with it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools import processes
from tools.environment import ROOT


def double(number):
    return 2 * number


def number_of(_):
    return os.getpid()


def refuse(number):
    raise LookupError("no %d" % number)


def end_hard(number):
    os._exit(3)


def begin_badly(text):
    raise ValueError(text)


def test_answers_come_in_order_or_as_they_are_ready():
    with processes.pool(2) as pool:
        assert pool.map(double, range(50), 7) == list(range(0, 100, 2))
        assert sorted(pool.imap_unordered(double, range(9))) == list(range(0, 18, 2))
        assert list(pool.imap(double, [])) == []
        assert len(set(pool.map(number_of, range(40)))) <= 2


def test_what_is_raised_in_a_process_is_raised_here_and_the_pool_goes_on_ending():
    with processes.pool(2) as pool, pytest.raises(LookupError, match="no 1"):
        pool.map(refuse, [1])
    with processes.pool(1, begin_badly, ("no table",)) as pool, pytest.raises(ValueError, match="no table"):
        pool.map(double, [1])
    with processes.pool(2) as pool, pytest.raises(processes.ProcessLost, match="ended from outside"):
        pool.map(end_hard, [1, 2, 3])


def alive(pid):
    try:
        return Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


SLEEPER = """
import time
from tools import processes
if __name__ == "__main__":
    with processes.pool(2) as pool:
        print(*set(pool.map(%s, range(20))), flush=True)
        pool.map(time.sleep, [600] * 9)
"""


def started(tmp_path, group=True):
    script = tmp_path / "sleeper.py"
    script.write_text(SLEEPER % "__import__('tests.test_processes').test_processes.number_of")
    process = subprocess.Popen(
        [sys.executable, script], cwd=ROOT, env=dict(os.environ, PYTHONPATH=str(ROOT)),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=group,
    )  # fmt: skip
    return process, [int(word) for word in process.stdout.readline().split()]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at Linux's list of processes")
@pytest.mark.parametrize(("number", "to_group", "status"), [
    (signal.SIGTERM, False, 143), (signal.SIGTERM, True, 143), (signal.SIGKILL, False, -9), (signal.SIGINT, True, None),
])  # fmt: skip
def test_all_of_them_end_with_the_command_however_it_ends(tmp_path, number, to_group, status):
    process, others = started(tmp_path)
    assert others and all(alive(pid) for pid in others)
    began = time.monotonic()
    (os.killpg if to_group else os.kill)(process.pid, number)
    _, told = process.communicate(timeout=20)
    assert time.monotonic() - began < 5
    if status is None:
        assert process.returncode and told.count("Traceback") == 1  # its own: no command catches it here
    else:
        assert (process.returncode, told) == (status, "")
    until = time.monotonic() + 5
    while any(alive(pid) for pid in others) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(alive(pid) for pid in others)


AUDIT = ["audit", "--enumerate", "--side", "red", "--depth", "4", "--jobs", "2", "--table-mb", "16"]
IN_FOLDER = """
import sys
from pathlib import Path
from tools import audit_games
from tools.__main__ import main
audit_games.STATE, audit_games.UNKNOWN_NODES = Path(sys.argv[1]), 1000
if __name__ == "__main__":
    sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGTERM")
def test_an_audit_that_is_ended_takes_up_where_it_was(tmp_path):
    """kill -9, SIGTERM, Ctrl-C in its middle: every answer is kept, none is asked twice, and the end is the same."""
    pytest.importorskip("cffi", reason="the solver's packages come with its first use: python3 -m tools solve 4")
    script, state = tmp_path / "audit_in.py", tmp_path / "state"
    script.write_text(IN_FOLDER)

    def run(folder):
        return subprocess.Popen(
            [sys.executable, script, folder, *AUDIT], cwd=ROOT, env=dict(os.environ, PYTHONPATH=str(ROOT)),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True,
        )  # fmt: skip

    def lines(name):
        path = state / name
        return [line for line in path.read_text().splitlines()[1:] if line] if path.exists() else []

    for number, status, name in (
        (signal.SIGKILL, -9, "moves.jsonl"),
        (signal.SIGTERM, 143, "moves.jsonl"),
        (signal.SIGTERM, 143, "values.jsonl"),
        (signal.SIGINT, 130, "values.jsonl"),
    ):
        process, before = run(state), len(lines(name))
        until = time.monotonic() + 60
        while len(lines(name)) <= before and time.monotonic() < until and process.poll() is None:
            time.sleep(0.01)
        os.killpg(process.pid, number)
        _, told = process.communicate(timeout=20)
        if process.returncode != 0:  # it may have been quicker
            assert (process.returncode, told.strip()) == (status, "")
    taken_up, _ = run(state).communicate(timeout=100)
    at_once, _ = run(tmp_path / "other").communicate(timeout=100)
    assert taken_up == at_once and "57 positions with level 6 to move, value kept in 57" in taken_up
    for name in ("moves.jsonl", "values.jsonl"):
        whole = [json.dumps(json.loads(line)[0]) for line in lines(name) if line.endswith("]]")]
        assert len(whole) == len(set(whole)) and len(whole) == 57, name
