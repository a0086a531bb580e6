# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The check of a book's rows by the exact solver, and rows for what an audit has found, over processes."""

import re

from engine.book import NET
from tools.book import games
from tools.book.build import executor, spread


def text(codes):
    """A position as text: the discs of each column from the bottom up, R and Y."""
    columns = []
    for code in codes:
        columns.append("".join("RY"[code >> row & 1] for row in range(code.bit_length() - 1)))
    return "|".join(columns)


def fault(judge, codes, column, net=0):
    """What is wrong with a row, "" if nothing is. An entry of the net has to hold the draw, any other one the value."""
    if len(codes) != 7 or not all(1 <= code < 128 for code in codes):
        return "no position"
    if column > 6 or codes[column] >= 64:
        return "the column is full"
    solver, side = judge.solver, games.ply_of(codes) & 1
    if any(solver.has_line(discs) for discs in games.discs_of(codes, solver)):
        return "the game is over"
    if judge.keeps(codes, column, 1):
        return ""
    if not judge.keeps(codes, column, 0):
        return "it loses"
    return "the win is let go" if not net and judge.wins(codes, side) else ""


def check_many(tasks, table_mb):
    """[fault] for (codes, column) tasks, in this process; a column may have NET beside it."""
    judge = games.judge(table_mb)
    return [fault(judge, codes, value & 7, value & NET) for codes, value in tasks]


def checked(tasks, jobs, table_mb):
    """(codes, column, fault or "") for (codes, column) tasks, in any order."""
    with executor(jobs) as pool:
        for (codes, column), found in spread(pool, check_many, tasks, table_mb):
            yield codes, column, found


def given_away(text):
    """{codes: 1 or 0} of a report of `audit`: positions in which a win (1) or the draw (0) was let go."""
    found = {}
    for record, what in re.findall(r"^- `([a-g]*)`: played [a-g] .*, (a win|the draw) was let go$", text, re.MULTILINE):
        codes = games.START
        for ply, letter in enumerate(record):
            codes = games.after(codes, "abcdefg".index(letter), ply & 1)
        found[codes] = int(what == "a win")
    return found


def mend_many(tasks, table_mb):
    """[column to play, -1 where the position is lost] for (codes, value) tasks, in this process."""
    found = []
    for codes, value in tasks:
        try:
            found.append(games.judge(table_mb).best(codes, value))
        except ValueError:
            found.append(-1)
    return found


def mended(wanted, jobs, table_mb):
    """(codes, column) for each of {codes: value} that is not lost, in any order."""
    with executor(jobs) as pool:
        for (codes, _), column in spread(pool, mend_many, sorted(wanted.items()), table_mb):
            if column >= 0:
                yield codes, column
