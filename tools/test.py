# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``test``: the whole proof, by pytest over ``tests/``; further arguments go to pytest as they are."""

import os
import subprocess
import sys

from tools import node
from tools.environment import ROOT

HELP = "run the tests; further arguments go to pytest (such as: tests/test_rules.py -k pop)"
EXTRAS = ("solver",)  # small: what builds the exact solver, which is tested too
PASSES_ON = True
# pytest's options that choose another number of processes, or that make sense in one only
ALONE = ("-n", "--numprocesses", "--pdb", "-s", "--capture=no", "--co")
PROCESSES = 2  # in parallel, where the machine has them


def add_arguments(parser):
    parser.add_argument("rest", nargs="*", metavar="…", help="arguments for pytest")


def run(args):
    why_not = node.install()
    if why_not:
        print(why_not, file=sys.stderr)
    command = [sys.executable, "-m", "pytest", *spread(args.rest), *args.rest]
    return subprocess.call(command, cwd=str(ROOT))


def spread(arguments):
    """The options that run the tests in parallel, unless the person chose otherwise or wants one place to look at."""
    if any(item.startswith(ALONE) for item in arguments):
        return []
    count = min(PROCESSES, os.cpu_count() or 1)
    # worksteal: a few long tests must not leave the other process idle at the end
    return ["-n", str(count), "--dist", "worksteal"] if count > 1 else []
