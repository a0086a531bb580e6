# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Level 6 in five, with the book and the net that ship: what they say, and that it never loses with them."""

import argparse
import random

import pytest

from engine.book import NET, Book
from engine.levels import LEVELS
from engine.notation import replay
from engine.position import new_position
from engine.search import Search
from engine.variation import DRAW, make
from firmware.variations import variation
from hal.drive import open_file
from tools.__main__ import main

pytest.importorskip("cffi", reason="the solver's packages come with its first use: python3 -m tools solve 4")
from tools import audit, audit_games  # noqa: E402
from tools.book import BOOK, build, file, games, rows  # noqa: E402
from tools.solver import BuildError, Solver  # noqa: E402
from tools.solver.strategy import shipped  # noqa: E402

try:
    SOLVER = Solver("five", table_mb=64)
except BuildError as error:
    pytest.skip("the solver can't be built here: %s" % error, allow_module_level=True)

TABLE_MB = 64


@pytest.fixture(scope="module")
def net():
    return games.Net(shipped(), SOLVER)


def book_of(variation=None):
    return Book(open_file("engine/five_book.bin"), variation or make("five"))


def asked(book, position):
    book.start(position)
    while not book.step():
        pass
    return book.move, book.rule


def think(search, position, level=6, seed=0):
    search.start(position, level, seed)
    while not search.step(1000):
        pass
    return search.move


def net_games(side, count, last_ply, seed, net):
    """Positions with ``side`` to move, in the net: every move of its own is the book's or the rule's."""
    lots = random.Random(seed)
    entries = file.read(BOOK).entries
    for _ in range(count):
        position, codes, last = new_position(make("five")), games.START, -1
        while position.result is None and position.ply <= last_ply:
            if position.to_move == side:
                entry = entries.get(codes, -1)
                yield position, codes, last
                if 0 <= entry < NET:
                    break  # a won position: the net is left
                move = net.rule(codes, last) if entry < 0 else entry - NET
            else:
                move = last = lots.choice(position.legal())
            codes = games.after(codes, move, position.to_move)
            position.play(move)


@pytest.mark.parametrize(("side", "last_ply"), [(0, 18), (1, 40)])
def test_the_boards_reader_says_what_the_sentences_say(side, last_ply, net):
    book, seen = book_of(), 0
    entries = file.read(BOOK).entries
    for position, codes, last in net_games(side, 60, last_ply, side, net):
        entry = entries.get(codes, -1)
        assert asked(book, position) == ((-1, net.rule(codes, last)) if entry < 0 else (entry & 7, -1))
        seen += 1
        # after one foreign move of its own the game has left the net; entries stay
        if position.ply > 3:
            other = new_position(make("five"))
            changed = [*position.moves[: position.ply - 2]]
            for foreign in range(7):
                other.reset()
                for one in changed:
                    other.play(one)
                if foreign != position.moves[position.ply - 2] and other.is_legal(foreign):
                    other.play(foreign)
                    if other.result is None and other.is_legal(position.moves[position.ply - 1]):
                        other.play(position.moves[position.ply - 1])
                        if other.result is None:
                            assert asked(book, other)[1] == -1
                            break
    assert seen > 300


def test_the_net_of_a_mirrored_game_is_the_mirrored_net(net):
    plain, mirrored = book_of(), book_of(make("five", mirror=True))
    other = new_position(make("five", mirror=True))
    for position, _, _ in net_games(1, 10, 30, 5, net):
        other.reset()
        for ply in range(position.ply):
            other.play(6 - position.moves[ply])
        assert [6 - one if one >= 0 else -1 for one in asked(plain, position)] == list(asked(mirrored, other))


def test_level_six_opens_by_its_list_and_is_a_function_of_the_record():
    first, second = Search(open_file=open_file), Search(open_file=open_file)
    assert think(first, replay("")) == 3  # the net's rule for an empty board: the list of openings, one long
    for text in ("", "d", "c", "d d d c", "d e e e e c", "5254252425", "d d d e d c c c b b d"):
        moves = {think(search, replay(text), 6, seed) for search in (first, second) for seed in (0, 7)}
        assert len(moves) == 1, text
    book = book_of()
    for column, answer in zip("abcdefg", (0, 1, 3, 2, 4, 5, 6)):
        assert asked(book, replay(column)) == (-1, answer)
    for level in range(1, len(LEVELS) - 1):  # the lower levels know no book, and vary
        texts = ("d", "d d", "d e c", "4 4 3 5 2 6")
        assert any(len({think(first, replay(text), level, seed) for seed in range(6)}) > 1 for text in texts), level


def test_a_proved_win_leaves_the_net_and_a_proved_draw_does_late(net):
    search = Search(open_file=open_file)
    position = replay("d a d a d a d a")  # Red has four in d's column: a win in one
    think(search, position)
    assert search.exact and search.score == 999 and audit_games.source(search) == "proof"
    search.move, search.exact, search.score = 2, True, 0
    search._ctl[0:1] = search._ctl[0:1]
    for ply, expected in ((24, 5), (26, search._ctl[8])):
        search._ctl[6] = ply  # PLY
        assert search.choice(5, 26) == expected
    search.exact = False
    assert search.choice(5, 26) == 5 and search.choice(-1, 26) == search._ctl[8]


@pytest.mark.parametrize("kind", ["random", "greedy", "spoiler"])
def test_level_six_never_loses(kind):
    """Whole games for both colours; the greedy player takes a win in one, stops one, and else plays by lot."""
    player = audit_games.Player(True, TABLE_MB)
    count = 1 if kind == "spoiler" else 2
    for number in range(2 * count):  # `audit --games` plays thousands
        if kind == "greedy":
            result = greedy_game(player.search, number, number & 1)
        else:
            result, moves = audit_games._game(player, number, number & 1, kind, 16)
            assert all(kept or before > 0 for _, _, _, before, kept in moves)  # a draw is never let go
        assert result >= 0, (kind, number)


def greedy_game(search, seed, side):
    lots = random.Random(seed)
    position = new_position(make("five"))
    while position.result is None:
        if position.to_move == side:
            move = think(search, position)
        else:
            move = think(search, position, 2, lots.randrange(1000))
        position.play(move)
    return 0 if position.result == DRAW else 1 if position.result == side else -1


def test_rows_of_the_book_that_ships_keep_the_value():
    entries = sorted(file.read(BOOK).entries.items())
    late = [row for row in entries if games.ply_of(row[0]) >= 14]
    judge = games.judge(TABLE_MB)
    for codes, value in late[:: max(1, len(late) // 60)]:
        assert rows.fault(judge, codes, value & 7, value & NET) == "", rows.text(codes)
    codes = late[0][0]
    assert rows.fault(judge, codes, 7) and rows.fault(judge, (127,) * 7, 0) == "the column is full"
    wrong = [c for c in games.room(codes) if not judge.keeps(codes, c, judge.won(codes))]
    assert all(rows.fault(judge, codes, c) in ("the win is let go", "it loses") for c in wrong)


def test_a_walk_keeps_what_the_search_lets_go_and_a_second_walk_finds_nothing_left(net):
    """From a position of 22 discs on, with every reply: after the entries nothing is let go."""
    judge = games.judge(TABLE_MB)

    class Blind(games.Judge):
        def think(self, codes, held):
            search = super().think(codes, held)
            search.exact = False  # as if it proved nothing: the net's move, else the first that is legal
            search._ctl[8] = games.room(codes)[0]
            return search

    blind = Blind(TABLE_MB)

    def walked(start, entries):
        def choose(ply, questions):
            found = {}
            for codes, (rules, value) in questions.items():
                if codes in entries:
                    found[codes] = games.Found(entries[codes] & 7)
                else:
                    found[codes] = blind.examine(codes, rules, value, 99)
            return found

        walk = games.Walk(0, net, lambda ply, some: {c: judge.won(c) for c in some}, choose, 99, 40, 0, 1)
        walk.first = {(start, 3, False, False): ""}
        for _ in walk.plies(games.ply_of(start) + 4):
            pass
        return walk

    start = next(codes for position, codes, _ in net_games(0, 40, 18, 3, net)
                 if position.ply == 18 and judge.won(codes))  # fmt: skip
    first = walked(start, {})
    assert first.entries
    second = walked(start, first.entries)
    assert second.entries == first.entries


def test_the_command_audits_games_and_writes_a_report(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(audit_games, "plot", lambda path, args, rows: path.write_bytes(b"plot"))
    monkeypatch.setattr(audit, "own_games", audit_games.main)
    status = main(["audit", "--games", "random", "--count", "2", "--jobs", "1", "--table-mb", "64", "--report",
                   str(tmp_path)])  # fmt: skip
    out = capsys.readouterr().out
    assert status in (0, 1) and "Games: " in out and " 0 lost." in out
    text = (tmp_path / "random.md").read_text()
    assert text.startswith("# Audit of level 6's own games") and "| ply | positions |" in text
    for wrong in (["--games", "random", "x.csv"], [], ["--enumerate", "--nodes", "5"], ["x.csv", "--report"]):
        with pytest.raises(SystemExit):
            main(["audit", *wrong])
        assert "audit" in capsys.readouterr().err


def test_a_walk_judges_like_the_solver_alone(net):
    """Every reply from positions of 14 discs to ply 20: what the replies tell is what the solver says of each."""
    player = audit_games.Player(True, TABLE_MB)
    entries = file.read(BOOK).entries
    start = next(at.moves[: at.ply] for at, codes, _ in net_games(0, 30, 14, 5, net)
                 if at.ply == 14 and not player.judge.won(codes))  # fmt: skip

    def ask_moves(ply, records):
        answers = {}
        for key, record in records.items():
            if ply < 14:  # one game alone
                answers[key] = start[ply], "search", None
                continue
            player.go_to(record)
            move, source = player.move()
            answers[key] = move, source, None
        return answers

    asked = []

    def ask_values(ply, tasks):
        asked.extend(tasks)
        return {task[:2]: player.judged(task[0], task[1], -1, *task[2:]) for task in tasks}

    walk = audit_games.Replies(0, 20, 0, 18, 1, net, entries)
    following = walk._replies

    def replies(level, ply):  # the replies of that game alone
        found = following(level, ply)
        wanted = "".join("abcdefg"[move] for move in start[: ply + 2])
        if ply + 2 <= 14:
            found = {key: state for key, state in found.items() if state.record == wanted}
            for state in level.values():
                state.after = None
        return found

    walk._replies = replies
    walk.walk(ask_moves, ask_values)
    judged = [row for row in walk.rows if len(row[0]) >= 14]
    assert len(judged) > 40 and len(asked) < len(judged) + 7 and walk.leaves[0] > 30
    for record, move, _, before, kept in judged:
        assert (before, kept) == player.judged(codes_of(record), move), record


def test_a_wrong_move_and_a_wrong_proof_are_found(net):
    """Red plays the first column with room: it loses, and claims to have proved a win."""
    judge = audit_games.Player(False, TABLE_MB)

    def ask_moves(ply, records):
        return {key: (games.room(key[0])[0], "search", 1) for key in records}

    def ask_values(ply, tasks):
        return {task[:2]: judge.judged(task[0], task[1], -1, *task[2:]) for task in tasks}

    walk = audit_games.Replies(0, 2, 2, 16, 1, net, {})
    walk.walk(ask_moves, ask_values)
    lost = [row for row in walk.rows if not row[4] and row[3] < 1]
    assert lost and all(not row[4] or row[3] for row in walk.rows if row[0] in {one[0] for one in lost})
    late = [row for row in walk.rows if len(row[0]) >= 12 and row[3] == 0]
    assert {row[0] for row in late} - {row[0] for row in lost if row[3] == 0} <= set(walk.contradicted)


def test_moves_of_before_hold_but_where_the_books_entry_is_another(tmp_path):
    first, second = games.after(games.START, 0, 0), games.after(games.START, 1, 0)
    records = {(first, 0, True): "a", (second, 1, True): "b"}

    def asked(entries, rules=b""):
        book = argparse.Namespace(entries=entries, rules=rules, leave=26)
        desk, tasks = audit_games.Desk(None, tmp_path, (True, TABLE_MB, None), book, False), []

        def answer(function, some, name, chunk):
            tasks.extend(some)
            codes = {"a": first, "b": second}
            return [(r, (entries[codes[r]], "book", None) if codes[r] in entries else (6, "net", None)) for r in some]

        desk._asked = answer
        assert set(desk.ask_moves(1, records)) == set(records)
        desk.close()
        return tasks

    assert asked({}) == ["a", "b"] and asked({}) == []
    assert asked({first: 3}) == ["a"] and asked({first: 3}) == []
    assert asked({first: 4}) == ["a"] and asked({}) == ["a"]
    assert asked({}, b"other") == ["a", "b"]


def test_what_an_audit_found_is_mended_in_the_book(tmp_path, capsys):
    """`5254252425` keeps the draw by b alone, `442336634144` wins by g alone."""
    report, out = tmp_path / "report.md", tmp_path / "book.bin"
    report.write_text("# x\n\n- `ebedbebdbe`: played a (net), the draw was let go\n"
                      "- `ddbccffcdadd`: played a (net), a win was let go\n- `dd`: the proof is wrong\n")  # fmt: skip
    status = main(["book", "mend", str(report), "--out", str(out), "--jobs", "1", "--table-mb", "64"])
    assert status == 0 and "2 entries new or other" in capsys.readouterr().out
    codes = [codes_of(record) for record in ("ebedbebdbe", "ddbccffcdadd")]
    mended, before = file.read(out), file.read(BOOK)
    assert [mended.entries[one] & 7 for one in codes] == [1, 6] and mended.rules == before.rules
    assert {**before.entries, **{one: mended.entries[one] for one in codes}} == mended.entries
    report.write_text("nothing was given away\n")
    assert main(["book", "mend", str(report), "--out", str(out)]) == 0 and "0 entries" in capsys.readouterr().out


def codes_of(record):
    codes = games.START
    for ply, sign in enumerate(record):
        codes = games.after(codes, "abcdefg".index(sign), ply & 1)
    return codes


def test_a_failure_is_in_the_report_with_its_record():
    args = argparse.Namespace(enumerate=False, games="random", count=1, side=None, no_book=False)
    found = [("", 3, "net", -1, -1), ("ddccb", 2, "search", 1, 0), ("ddccbb", 1, "proof", 1, 1)]
    text = audit_games.text(args, found, {"won": 0, "drawn": 1, "lost": 0})
    assert "- `ddccb`: played c (search), a win was let go" in text
    assert "3 positions with level 6 to move, value kept in 2" in text
    assert [row["kept"] for row in audit_games.summary(found)] == [1, 0, 1]


def test_answers_are_taken_up_and_another_engines_are_put_aside(tmp_path):
    path = tmp_path / "answers.jsonl"
    answers = build.Answers(path, {"engine": "a"})
    answers.add(((1, 2), (3,)), (1, [2, 3]))
    answers.close()
    path.write_text(path.read_text() + "[[[9,9],[", "utf-8")  # cut short
    assert build.Answers(path, {"engine": "a"}).known == {((1, 2), (3,)): [1, [2, 3]]}
    assert build.Answers(path, {"engine": "b"}).known == {}
    assert path.with_name("answers.jsonl.old").exists()


def test_the_builders_choice_is_what_level_six_plays(net):
    """The builder asks search and rule apart; the board goes through its book and its record. They must agree."""
    judge, lots = games.judge(TABLE_MB), random.Random(11)
    shipped_book = file.read(BOOK)
    sample = []
    for side, low, high in ((0, 12, 18), (1, 13, 27)):
        states = net_games(side, 20, high, 21 + side, net)
        sample += lots.sample([(at.moves[: at.ply], codes, last) for at, codes, last in states if at.ply >= low], 40)
    seen = set()
    for moves, codes, last in sample:
        rule, value = net.rule(codes, last), judge.won(codes)
        if codes in shipped_book.entries or not value and len(moves) < 26:
            continue
        found = judge.examine(codes, (rule,), value, shipped_book.leave)
        entries = dict(shipped_book.entries)
        if found.entry >= 0:
            entries[codes] = found.entry
        data = file.pack(entries, shipped_book.rules, shipped_book.leave)

        def read_into(offset, buffer, data=data):
            part = data[offset : offset + len(buffer)]
            buffer[: len(part)] = part
            return len(part)

        search = Search(
            open_file=lambda path, read_into=read_into: read_into if path.endswith("_book.bin") else open_file(path)
        )
        position = new_position(make("five"))
        for move in moves:
            position.play(move)
        expected = found.entry if found.entry >= 0 else found.choices[rule]
        assert think(search, position) == expected
        assert judge.keeps(codes, expected, value)
        seen.add(audit_games.source(search))
    assert len(seen) >= 2, seen


def test_the_command_builds_checks_and_describes_a_book(tmp_path, capsys):
    out = tmp_path / "book.bin"
    build_it = ["book", "build", "--net-only", "--side", "red", "--to-ply", "10", "--jobs", "1", "--table-mb", "64"]
    assert main([*build_it, "--state", str(tmp_path / "state"), "--out", str(out)]) == 0
    assert "47 entries" in capsys.readouterr().out
    assert main(["book", "check", str(out), "--every", "8", "--jobs", "1", "--table-mb", "64"]) in (0, 1)
    told = capsys.readouterr().out  # the net alone looks for no win
    assert "6 rows, " in told and "it loses" not in told and "full" not in told
    assert main(["book", "info", str(out)]) == 0
    assert "ply 10:     34 entries for Red" in capsys.readouterr().out
    entries = file.read(out).entries
    shorter = [*build_it[:6], "6", *build_it[7:], "--state", str(tmp_path / "state"), "--add", str(out)]
    assert main([*shorter, "--out", str(tmp_path / "more.bin")]) == 0  # what the book had stays
    assert file.read(tmp_path / "more.bin").entries == entries
    assert main([*shorter[:-1], str(tmp_path / "none.bin"), "--out", str(out)]) == 2
    assert "none.bin" in capsys.readouterr().err
    full = dict.fromkeys(entries, 7)
    out.write_bytes(file.pack(full, file.read(out).rules, build.LEAVE))
    assert main(["book", "check", str(out), "--jobs", "1", "--table-mb", "64"]) == 1
    assert "47 rows, 47 wrong" in capsys.readouterr().out
    out.write_bytes(file.pack(entries, file.NO_RULE * 8, build.LEAVE))
    assert main(["book", "check", str(out)]) == 2
    assert "its net is not that of tools/solver" in capsys.readouterr().err


def at_console(monkeypatch, opener):
    """The console of a board that begins a game at level 6, Red's first move being the engine's."""
    from engine.match import Setup
    from firmware import app
    from tests.board_rig import Rig

    monkeypatch.setattr(app, "open_file", opener)
    rig = Rig()
    rig.app.begin(Setup(variation(rig.app, "five", 0, 0), 6, 0, False), rig.sim.now_ms(), 0)
    rig.until(lambda: rig.app.game.position is not None and rig.app.game.position.ply > 0)
    return rig.sim.lines(), rig.app.game.position.moves[0]


def test_the_board_plays_from_its_book_and_without_one_it_says_so_and_plays_on(monkeypatch):
    lines, move = at_console(monkeypatch, open_file)
    assert move == 3 and not any("five_book" in line for line in lines)

    def torn(path):
        read_into = open_file(path)

        def shorter(offset, buffer):
            return min(read_into(offset, buffer), max(0, 2000 - offset))

        return shorter

    lines, _ = at_console(monkeypatch, torn)
    assert [line for line in lines if "five_book" in line] == [
        "five_book.bin: cut short, or too long; playing without it"
    ]

    def absent(path):
        raise OSError(2, "No such file")

    lines, _ = at_console(monkeypatch, absent)
    assert len([line for line in lines if "five_book.bin: " in line]) == 1
