# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``python3 -m tools tune``: the weights of the search without pops (engine/search_drop.py), against exact values.

Positions are drawn by lot and solved. A hill is climbed over one half of them: some weights are changed by lot, and
the change stays if the search then keeps the value in more positions than before. The other half, that the climb has
not seen, tells what it was worth. The same options give the same weights. (Games with pops: ``tune_pop``.)
"""

import os
import random
import sys

from engine import search_drop
from engine.position import new_position
from engine.search import Search
from engine.variation import make
from tools import options, processes, tune_pop

HELP = "better weights for games without pops, against exact values"
EXTRAS = ("solver",)
NAMES = ("_LINES", "_COMMON", "_THREATS")
PLIES = range(12, 23)  # of the positions: the search is exact later, and earlier ones are dear to solve
STEP_UNITS = 1000


def add_arguments(parser):
    parser.add_argument("--variation", choices=("five", "classic", "small"), default="five")
    parser.add_argument("--positions", type=options.whole(2, 1000000), default=1600, help="drawn (default 1600)")
    parser.add_argument("--tries", type=options.whole(0, 100000), default=20, help="changes tried (default 20)")
    parser.add_argument("--nodes", type=options.whole(1, 10**7), default=11000, help="nodes a move (default 11000)")
    parser.add_argument("--jobs", type=options.whole(1, 256), default=None, help="processes (default: one a core)")
    parser.add_argument("--seed", type=options.whole(0, 2**30 - 1), default=1)


def weights():
    """The weights as they stand: {name: int or tuple of ints}."""
    return {name: getattr(search_drop, name) for name in NAMES}


def solved_positions(variation, count, seed):
    """``count`` pairs (record, columns that keep the value) by lot; only where a column gives it away."""
    from tools.solver import Solver

    solver, lots, found = Solver(variation.name, table_mb=256), random.Random(seed), []
    while len(found) < count:
        position = new_position(variation)
        plies = lots.choice(PLIES)
        while position.result is None and position.ply < plies:
            position.play(lots.choice(position.legal()))
        if position.result is not None:
            continue
        record = list(position.moves[: position.ply])
        values = {move: value for move, value in enumerate(solver.values(record)) if value is not None}
        best = max(values.values())
        keeping = [move for move in values if values[move] == best]
        if len(keeping) < len(values):
            found.append((record, keeping))
    return found


def kept(task):
    """In how many of the positions the search with these weights keeps the value."""
    values, name, positions, nodes = task
    before = weights()
    variation, search, right = make(name), Search(), 0
    try:
        for weight in values:
            setattr(search_drop, weight, values[weight])
        for record, keeping in positions:
            position = new_position(variation)
            for move in record:
                position.play(move)
            search.start(position, nodes=nodes)
            while not search.step(STEP_UNITS):
                pass
            right += search.move in keeping
    finally:
        for weight in before:
            setattr(search_drop, weight, before[weight])
    return right


def count_kept(pool, jobs, values, name, positions, nodes):
    """The same, shared out over the processes of ``pool``."""
    return sum(pool.map(kept, [(values, name, positions[i::jobs], nodes) for i in range(jobs)]))


def run(args):
    from tools.solver import BuildError

    lots = random.Random(args.seed)
    try:
        positions = solved_positions(make(args.variation), args.positions, args.seed)
    except (BuildError, MemoryError) as error:
        print("tune: %s" % error, file=sys.stderr)
        return 1
    half = len(positions) // 2
    seen, unseen = positions[:half], positions[half:]
    values = weights()
    jobs = args.jobs or os.cpu_count() or 1
    with processes.pool(jobs) as pool:
        best = count_kept(pool, jobs, values, args.variation, seen, args.nodes)
        print("as they stand: %d of %d" % (best, len(seen)), flush=True)
        for number in range(args.tries):
            tried = tune_pop.changed(values, lots)
            right = count_kept(pool, jobs, tried, args.variation, seen, args.nodes)
            print("%4d  %d%s" % (number + 1, right, "  kept" if right > best else ""), flush=True)
            if right > best:
                best, values = right, tried
        before = count_kept(pool, jobs, weights(), args.variation, unseen, args.nodes)
        after = count_kept(pool, jobs, values, args.variation, unseen, args.nodes)
    for name in NAMES:
        print("%s = %r" % (name, values[name]))
    print("on the half that was not seen: %d of %d, before %d" % (after, len(unseen), before))
    return 0
