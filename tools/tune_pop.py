# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``python3 -m tools tune_pop``: the weights of the search with pops (engine/search_pop.py), by games against itself.

A hill is climbed: some weights are changed by lot, and the change stays if it wins a match against what stood before
and then a second one over other openings. The same options give the same weights.
"""

import random
import sys

from engine import search_pop
from engine.position import new_position
from engine.search import Search
from engine.variation import make
from tools import options

HELP = "better weights for games with pops, by matches of the search against itself"
EXTRAS = ()
NAMES = ("_CELLS", "_THREAT", "_FUTILE", "_TEMPO", "_NEAR", "_FAR")
STEP_UNITS = 64
OPENING_PLIES = 6  # by lot: with fewer, few games differ


def add_arguments(parser):
    parser.add_argument("--variation", default="five", help="five, classic, small, misere or cylinder (default five)")
    parser.add_argument("--tries", type=options.whole(1, 100000), default=20, help="changes tried (default 20)")
    parser.add_argument("--games", type=options.whole(2, 100000), default=100, help="games a match (default 100)")
    parser.add_argument("--nodes", type=options.whole(1, 10**7), default=300, help="positions a move (default 300)")
    parser.add_argument("--seed", type=options.whole(0, 2**30 - 1), default=1)


def weights():
    """The weights as they stand: {name: int or tuple of ints}."""
    return {name: getattr(search_pop, name) for name in NAMES}


def searcher(values, variation):
    """A Search whose weights are ``values``, for ``variation`` (with pops)."""
    kept = weights()
    search = Search()
    try:
        for name in values:
            setattr(search_pop, name, values[name])
        search.start(new_position(variation), nodes=1)
        while search.making:
            search.step(STEP_UNITS)
    finally:
        for name in kept:
            setattr(search_pop, name, kept[name])
    return search


def match(first, second, variation, games, nodes, seed):
    """The share of the points, 0 .. 1, that weights ``first`` win against ``second``; each opening is played twice."""
    sides = (searcher(first, variation), searcher(second, variation))
    half_points = 0
    for number in range(games):
        lots = random.Random(seed * 100003 + number // 2)
        position = new_position(variation)
        while position.result is None and position.ply < OPENING_PLIES:
            position.play(lots.choice(position.legal()))
        colour = number & 1  # of the first side
        while position.result is None:
            search = sides[position.to_move ^ colour]
            search.start(position, nodes=nodes)
            while not search.step(STEP_UNITS):
                pass
            position.play(search.move)
        half_points += 1 if position.result > 1 else 2 if position.result == colour else 0
    return half_points / (2 * games)


def changed(values, lots):
    """``values`` with about a third of them up or down by up to a quarter."""

    def other(n):
        return n + lots.choice((-1, 1)) * lots.randint(1, 2 + abs(n) // 4) if lots.random() < 0.35 else n

    found = {}
    for name in values:
        old = values[name]
        found[name] = tuple([other(n) for n in old]) if isinstance(old, tuple) else other(old)
    return found


def climb(values, variation, tries, games, nodes, seed, report):
    """The best weights found from ``values`` on; ``report(line)`` is called for each try."""
    lots = random.Random(seed)
    for number in range(tries):
        tried = changed(values, lots)
        share = match(tried, values, variation, games, nodes, lots.randrange(1 << 20))
        again = match(tried, values, variation, games, nodes, lots.randrange(1 << 20)) if share > 0.53 else 0
        better = share + again > 1.08
        report("%4d  %5.1f %%%s" % (number + 1, 100 * share, "  %5.1f %%  kept" % (100 * again) if better else ""))
        if better:
            values = tried
    return values


def run(args):
    try:
        variation = make(args.variation, pop=True)
        if variation.extra:
            raise ValueError("%s is not searched by engine/search_pop.py: choose another" % args.variation)
    except ValueError as error:
        print("tune_pop: %s" % error, file=sys.stderr)
        return 2

    def report(line):
        print(line, flush=True)

    found = climb(weights(), variation, args.tries, args.games, args.nodes, args.seed, report)
    share = match(found, weights(), variation, args.games, args.nodes, args.seed + 1)
    for name in NAMES:
        print("%s = %r" % (name, found[name]))
    print("against those in the engine, other openings: %.1f %%" % (100 * share))
    return 0
