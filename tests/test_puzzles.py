# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Puzzles: what a person sees and can do, the file in place on the drive, and the proof of it by the exact solver."""

import random
import subprocess
import sys

import pytest
from board_rig import POP, A, B, D, E, F, G, Rig

from engine.notation import replay
from firmware import recall
from firmware.puzzles import is_solved
from firmware.puzzles import solve as keep_solved
from firmware.scenes import puzzles as scenes
from firmware.store import Store
from hal.simulated import Flash, PowerCut
from tools import puzzles as command
from tools.environment import ROOT
from tools.puzzles import file, make, plain

ALL = file.decode(command.FILE.read_bytes())
WINS = [number for number, puzzle in enumerate(ALL) if puzzle.goal == 1]
SAVES = [number for number, puzzle in enumerate(ALL) if puzzle.goal == 0]
FIRST = [next(number for number, puzzle in enumerate(ALL) if puzzle.grade == grade) for grade in range(1, 5)]


class NoTime:
    off = False

    def charge_us(self, us):
        pass


def puzzle_rig(number=0, **options):
    """A rig in which the puzzle of that number waits for the person's move."""
    rig = Rig(slow=False, **options).to_setup()
    grade = ALL[number].grade
    for other in range(FIRST[grade - 1], number):  # the earlier ones of the grade are solved
        keep_solved(rig.app.store, other)
    rig.keys(E)
    rig.until_scene("puzzles")
    rig.keys(grade - 1)
    scene = rig.app.current
    rig.until(lambda: scene.state == scenes.ASK)
    assert scene.puzzle == number
    return rig, scene


def wrong_move(scene):
    """A move that gives the value away, with a refutation."""
    for column in range(7):
        if scene.file.number(scene.file.entry(scene.node, column)) > file.WRONG:
            return column
    raise AssertionError("every move keeps the value")


def solve(rig, scene):
    """Play the right moves until the puzzle is solved."""
    while scene.state == scenes.ASK:
        rig.press(scene.file.key(scene.node))
        rig.until(lambda: scene.state not in (scenes.LINE,))


def blues_and_greens(rig, column):
    """How many cells of LED ``column`` are blue, and how many green."""
    cells = [cell for cell in rig.column(column) if any(cell)]
    return sum(b > g for _, g, b in cells), sum(g > b for _, g, b in cells)


# The page of grades


def test_the_setup_leads_to_four_grades_the_higher_the_harder():
    rig = Rig(slow=False).to_setup()
    rig.keys(E)
    rig.until_scene("puzzles")
    rig.run(200)
    assert [blues_and_greens(rig, column) for column in range(9)] == [
        (0, 0), (3, 0), (4, 0), (5, 0), (6, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    ]  # fmt: skip
    for button in (E, F, G):
        count = len(rig.sim.frames)
        rig.press(button)
        assert rig.app.scene == "puzzles" and len(rig.sim.frames) > count  # refused, and seen to be
    rig.keys(POP)
    rig.until_scene("setup")
    assert rig.app.scenes["setup"].page == 0


def test_as_much_of_a_grade_is_green_as_is_solved():
    rig = Rig(slow=False).to_setup()
    of_grade = [[n for n, puzzle in enumerate(ALL) if puzzle.grade == grade] for grade in range(1, 5)]
    for number in of_grade[0] + of_grade[1][:1] + of_grade[2][:-1]:
        keep_solved(rig.app.store, number)
    rig.keys(E)
    rig.until_scene("puzzles")
    rig.run(200)
    assert [blues_and_greens(rig, column) for column in range(1, 5)] == [(0, 3), (3, 1), (1, 4), (6, 0)]


def test_the_map_shows_each_puzzle_of_the_grade_and_the_goal_follows():
    rig, scene = puzzle_rig(SAVES[0])
    rig.hold(POP)
    rig.run(100)
    rig.press(ALL[SAVES[0]].grade - 1)
    rig.until(lambda: scene.state == scenes.MAP)
    rig.run(200)
    lit = [any(rig.cell(n // 6, n % 6)) for n in range(54)]
    count = sum(puzzle.grade == ALL[SAVES[0]].grade for puzzle in ALL)
    assert lit == [n < count for n in range(54)]
    rig.until(lambda: scene.state == scenes.GOAL)
    rig.run(100)
    seen = {rig.cell(2 + i, 2) for i in range(4)}
    assert len(seen) == 1 and rig.cell(6, 2) not in seen  # four of the other's, and one's own that stops them


def test_a_press_skips_map_and_goal():
    rig = Rig(slow=False).to_setup()
    rig.keys(E)
    rig.until_scene("puzzles")
    rig.keys(A)
    scene = rig.app.current
    rig.until(lambda: scene.state == scenes.MAP)
    rig.run(500)
    rig.press(D)
    assert scene.state == scenes.GOAL
    rig.run(500)
    rig.press(POP)
    assert scene.state == scenes.ASK and rig.record == " ".join(ALL[0].record)


# Solving


@pytest.mark.parametrize("number", [FIRST[0], FIRST[1], WINS[-1], SAVES[0], SAVES[-1]])
def test_right_moves_are_answered_until_it_is_solved_and_the_next_comes(number):
    rig, scene = puzzle_rig(number)
    assert rig.record == " ".join(ALL[number].record)
    assert not is_solved(rig.app.store, number)
    solve(rig, scene)
    assert scene.state == scenes.SHOWN
    if rig.app.game.result is not None and ALL[number].goal:
        winner = len(ALL[number].moves) % 2
        assert rig.app.game.result == winner and sum(scene.mask) >= 5
    rig.until(lambda: scene.state == scenes.TICK)
    rig.run(100)
    assert {n for n in range(54) if any(rig.cell(n // 6, n % 6))} == set(scenes.MARKS[scenes.TICK])
    assert is_solved(rig.app.store, number)
    last = number + 1 == len(ALL) or ALL[number + 1].grade > ALL[number].grade
    rig.until(lambda: scene.state in (scenes.MAP, scenes.PAGE))
    assert scene.state == (scenes.PAGE if last else scenes.MAP)
    assert last or scene.puzzle == number + 1
    assert any(line.startswith("right; ") for line in rig.sim.lines())


@pytest.mark.parametrize("number", [FIRST[0], FIRST[3], SAVES[1]])
def test_a_wrong_move_is_refuted_and_taken_back(number):
    rig, scene = puzzle_rig(number)
    before = rig.record
    button = wrong_move(scene)
    entry = scene.file.entry(scene.node, button)
    plies = scene.file.number(entry) - file.WRONG
    rig.press(button)
    rig.until(lambda: scene.state == scenes.FAILED)
    line = [scene.file.number(entry + 1 + i) for i in range(plies)]
    assert rig.record.split() == before.split() + ["abcdefg"[c] for c in [button] + line]
    rig.until(lambda: scene.state == scenes.CROSS)
    rig.run(100)
    assert {n for n in range(54) if any(rig.cell(n // 6, n % 6))} == set(scenes.MARKS[scenes.CROSS])
    rig.until(lambda: scene.state == scenes.ASK)
    assert rig.record == before and rig.app.game.is_open() and not is_solved(rig.app.store, number)
    solve(rig, scene)
    rig.until(lambda: scene.state == scenes.TICK)
    assert is_solved(rig.app.store, number)


def test_a_press_skips_the_refutation():
    rig, scene = puzzle_rig(FIRST[0])
    before = rig.record
    rig.press(wrong_move(scene))
    rig.run(500)
    rig.press(A)
    assert scene.state == scenes.ASK and rig.record == before


def test_a_hint_blinks_the_move_and_the_puzzle_stays_unsolved():
    rig, scene = puzzle_rig(FIRST[0])
    column = 1 + scene.file.key(scene.node)
    dark = rig.column(column)
    rig.press(POP)
    rig.until(lambda: rig.column(column) != dark, 600)
    rig.run(2500)
    assert scene.state == scenes.ASK and scene.hint_at < 0
    solve(rig, scene)
    rig.until(lambda: scene.state == scenes.TICK)
    assert not is_solved(rig.app.store, FIRST[0])
    rig.until(lambda: scene.state == scenes.MAP)
    assert scene.puzzle == FIRST[0] + 1  # on to the next all the same


@pytest.mark.parametrize("state", ["MAP", "GOAL", "ASK", "LINE", "SHOWN", "TICK", "FAILED", "CROSS"])
def test_the_pop_button_held_leads_out_of_everything(state):
    rig, scene = puzzle_rig(FIRST[0])
    if state in ("LINE", "FAILED", "CROSS"):
        rig.press(wrong_move(scene))
    elif state in ("SHOWN", "TICK", "MAP", "GOAL"):
        solve(rig, scene)
    rig.until(lambda: scene.state == getattr(scenes, state))
    event = POP | 16  # the hold as the buttons tell it; pressing it for a second would outlast the state
    scene.press(event, rig.app.board.ticks_ms())
    assert scene.state == scenes.PAGE
    rig.keys(POP)
    rig.until_scene("setup")
    rig.keys(A, A, B)
    rig.until_scene("play")
    assert rig.app.game.position.ply == 0 and not rig.app.game.demo


def test_a_puzzle_that_is_left_comes_back_after_the_others():
    rig, scene = puzzle_rig(FIRST[1])
    rig.hold(POP)
    rig.run(300)
    rig.press(B)
    rig.until(lambda: scene.state == scenes.ASK)
    assert scene.puzzle == FIRST[1] + 1
    for number in range(FIRST[1] + 1, FIRST[2]):
        keep_solved(rig.app.store, number)
    rig.hold(POP)
    rig.run(300)
    rig.press(B)
    rig.until(lambda: scene.state == scenes.ASK)
    assert scene.puzzle == FIRST[1]


def test_a_grade_that_is_solved_can_be_played_again():
    rig = Rig(slow=False).to_setup()
    for number in range(FIRST[1]):
        keep_solved(rig.app.store, number)
    rig.keys(E)
    rig.until_scene("puzzles")
    rig.keys(A)
    scene = rig.app.current
    rig.until(lambda: scene.state == scenes.ASK)
    assert scene.puzzle == 0
    solve(rig, scene)
    rig.until(lambda: scene.state == scenes.PAGE)


def test_with_mirrored_side_columns_the_puzzles_are_mirrored():
    rig, scene = puzzle_rig(FIRST[0], env={"FIVE_MIRROR": "1"})
    moves = [6 - column for column in ALL[FIRST[0]].moves]
    assert rig.record == "[five mirror=1] " + " ".join("abcdefg"[column] for column in moves)
    rig.press(6 - scene.file.key(scene.node))
    rig.until(lambda: scene.state not in (scenes.LINE,))
    assert scene.state in (scenes.ASK, scenes.SHOWN)


def test_with_confirm_a_first_press_only_hovers():
    rig, scene = puzzle_rig(FIRST[0], env={"FIVE_CONFIRM": "1"})
    key = scene.file.key(scene.node)
    rig.press(key)
    rig.run(200)
    assert scene.state == scenes.ASK and rig.app.game.position.ply == scene.base
    rig.press(key)
    assert scene.state == scenes.LINE


def test_a_puzzle_is_no_game_for_the_serial_line_or_the_memory():
    rig, scene = puzzle_rig(FIRST[0])
    kept = bytes(rig.sim.nvm.data)
    rig.sim.serial_in("a\n")
    rig.run(300)
    assert scene.state == scenes.ASK and rig.app.game.position.ply == scene.base
    assert any("no game is open" in line for line in rig.sim.lines())
    rig.press(wrong_move(scene))
    rig.until(lambda: scene.state == scenes.ASK)
    assert bytes(rig.sim.nvm.data) == kept
    rig.sim.serial_in("new classic two\n")
    rig.until_scene("play")
    assert rig.app.game.position.variation.name == "classic"


def test_presses_are_answered_in_time():
    rig, scene = puzzle_rig(FIRST[0])
    for button in (wrong_move(scene), A, scene.file.key(scene.node)):
        latency_ms = rig.latency_ms(button)
        assert latency_ms is not None and latency_ms <= 35
        rig.until(lambda: scene.state in (scenes.ASK, scenes.SHOWN))


def test_its_code_is_forgotten_afterwards():
    rig, _ = puzzle_rig(FIRST[0])
    assert "firmware.scenes.puzzles" in sys.modules
    rig.hold(POP)
    rig.keys(POP)
    rig.until_scene("setup")
    rig.keys(A, A, B)
    rig.until_scene("play")
    assert "firmware.scenes.puzzles" not in sys.modules and "firmware.puzzles" not in sys.modules
    assert "puzzles" not in rig.app.scenes


# Memory


def test_solved_puzzles_outlive_the_power_wherever_it_goes():
    """The power goes at every byte that the solving of three puzzles writes: none that was kept is lost, and none is
    there that was not solved."""

    def power_on(content=None):
        flash = Flash(NoTime(), content)
        store = Store(flash, lambda line: None)
        recall.load(store)
        return flash, store

    numbers = (0, 17, 207)
    flash, store = power_on()
    for number in numbers:
        keep_solved(store, number)
    assert flash.erases == 0
    total = flash.bytes_written
    for cut in range(total):
        flash, store = power_on()
        flash.cut_after = cut
        flash.torn_mask = (0xFF, 0x0F, 0xF0, 0x55)[cut % 4]
        kept = []
        with pytest.raises(PowerCut):
            for number in numbers:
                keep_solved(store, number)
                kept.append(number)
        _, again = power_on(bytes(flash.data))
        solved = [number for number in range(208) if is_solved(again, number)]
        assert solved in (kept, list(numbers[: len(kept) + 1]))


def test_all_puzzles_solved_cost_no_erase():
    flash = Flash(NoTime())
    store = Store(flash, lambda line: None)
    recall.load(store)
    for number in range(len(ALL)):
        keep_solved(store, number)
    assert flash.erases == 0
    again = Store(Flash(NoTime(), bytes(flash.data)), lambda line: None)
    recall.load(again)
    assert [n for n in range(208) if is_solved(again, n)] == list(range(len(ALL)))


# The file


@pytest.fixture
def other_file(tmp_path, monkeypatch):
    """A function that puts bytes (None: nothing) in place of the puzzles' file."""
    from hal import drive

    def put(content):
        (tmp_path / "firmware").mkdir(exist_ok=True)
        if content is not None:
            (tmp_path / "firmware" / "puzzles.bin").write_bytes(content)
        monkeypatch.setattr(drive, "_ROOT", str(tmp_path) + "/")

    return put


GOOD = command.FILE.read_bytes()
FLIPPED = GOOD[:500] + bytes([GOOD[500] ^ 4]) + GOOD[501:]


@pytest.mark.parametrize(
    "content",
    [None, b"", b"5PUZ", GOOD[:-1], GOOD[:4] + b"\x02" + GOOD[5:], FLIPPED, GOOD + b"\x00"],
    ids=["missing", "empty", "head", "short", "version", "a byte", "long"],
)
def test_a_damaged_file_is_one_line_and_puzzles_are_not_offered(other_file, content):
    other_file(content)
    rig = Rig(slow=False).to_setup()
    told = [line for line in rig.sim.lines() if "puzzles" in line]
    assert len(told) == 1 and told[0].startswith("fault: puzzles.bin: ")
    rig.run(200)
    assert not any(any(cell) for cell in rig.column(5))
    rig.keys(E)
    assert rig.app.scene == "setup"  # refused
    rig.keys(A, A, B)
    rig.until_scene("play")
    rig.hold(POP)
    rig.keys(F, F)
    rig.until_scene("setup")
    assert len([line for line in rig.sim.lines() if "puzzles" in line]) == 1


def test_a_file_that_fails_while_it_is_used_leads_back_to_the_setup(other_file):
    other_file(GOOD)
    rig, scene = puzzle_rig(0)
    del scene.file.counts
    broken = bytearray(GOOD)
    broken[16:18] = b"\x04\x00"  # the first record lies in the head
    scene.file.counts = GOOD[5:9]
    scene.file.read_into = lambda at, buffer: (_ for _ in ()).throw(OSError(5, "I/O error"))
    rig.hold(POP)
    rig.keys(A)
    rig.until_scene("setup")
    assert any(line.startswith("fault: puzzles") for line in rig.sim.lines())
    rig.run(200)
    assert not any(any(cell) for cell in rig.column(5))


@pytest.mark.parametrize("seed", range(30))
def test_bytes_at_random_are_never_believed(other_file, seed):
    lots = random.Random(seed)
    content = bytearray(GOOD)
    for _ in range(lots.randrange(1, 4)):
        content[lots.randrange(len(content))] ^= 1 << lots.randrange(8)
    other_file(bytes(content))
    with pytest.raises(ValueError):
        scenes.PuzzleFile()
    with pytest.raises(file.FileError):
        file.decode(bytes(content))


def test_the_board_reads_what_the_tool_wrote():
    opened = scenes.PuzzleFile()
    assert sum(opened.counts) == len(ALL)
    for number, puzzle in enumerate(ALL):
        opened.read(number)
        assert opened.goal == puzzle.goal and opened.plies == len(puzzle.moves)
        assert tuple(opened.number(at) for at in range(opened.plies)) == puzzle.moves
        tree = tuple(opened.number(opened.plies + at) for at in range(len(puzzle.tree)))
        assert tree == puzzle.tree
        assert opened.key(opened.plies) == puzzle.key()
    assert file.encode(ALL) == GOOD


def test_there_are_some_two_hundred_in_a_few_kb_and_every_grade_has_both_goals():
    assert 190 <= len(ALL) <= file.MOST and len(GOOD) < 12000
    for grade in range(1, 5):
        goals = [puzzle.goal for puzzle in ALL if puzzle.grade == grade]
        assert len(goals) >= 40 and 10 <= sum(goals) <= len(goals) - 10
    assert [puzzle.grade for puzzle in ALL] == sorted(puzzle.grade for puzzle in ALL)
    assert all(8 <= len(puzzle.moves) <= 30 for puzzle in ALL)
    assert len({puzzle.moves for puzzle in ALL}) == len(ALL)
    for puzzle in ALL:
        assert replay(puzzle.record).result is None


# The proof; the solver is compiled on first use


@pytest.fixture(scope="module")
def bench():
    pytest.importorskip("cffi", reason="cffi is not installed: python3 -m tools solve installs it")
    from tools.solver import BuildError

    try:
        return command.workshop(64, 0)
    except BuildError as error:
        pytest.skip(str(error))


def test_a_sample_of_the_puzzles_is_proved(bench):
    from tools.puzzles import proof

    for number in range(0, len(ALL), 9):
        if len(ALL[number].moves) >= 16:
            assert proof.faults(ALL[number], bench) == []


def altered(puzzle, **changes):
    return file.Puzzle(**{**vars(puzzle), **changes})


def test_the_proof_finds_what_is_wrong(bench):
    from tools.puzzles import proof

    puzzle = next(p for p in ALL if p.goal == 1 and len(p.moves) > 20 and p.tree[0] >= file.WRONG)
    key = next(at for at in range(len(puzzle.tree)) if puzzle.tree[at] < file.WRONG)
    assert proof.faults(puzzle, bench) == []
    assert proof.faults(altered(puzzle, goal=0), bench)
    assert proof.faults(altered(puzzle, grade=1 + puzzle.grade % 4), bench)
    assert proof.faults(altered(puzzle, moves=puzzle.moves[:-1]), bench)
    assert proof.faults(altered(puzzle, moves=puzzle.moves + (puzzle.key(),)), bench)
    wrong_way_round = puzzle.tree[:key] + (file.WRONG,) + puzzle.tree[key + 1 :]
    assert proof.faults(altered(puzzle, tree=wrong_way_round), bench)
    assert proof.faults(altered(puzzle, tree=(file.SOLVED,) * len(puzzle.tree)), bench)


def test_build_is_reproducible_and_check_proves_it(bench, tmp_path, capsys):
    paths = [tmp_path / "1.bin", tmp_path / "2.bin"]
    for path in paths:
        small = subprocess.run(
            [sys.executable, "-m", "tools", "puzzles", "build", "--each", "1", "--table-mb", "64", "--file", str(path)],
            cwd=ROOT, capture_output=True, text=True,
        )  # fmt: skip
        assert small.returncode == 0, small.stderr
    assert paths[0].read_bytes() == paths[1].read_bytes()
    checked = subprocess.run(
        [sys.executable, "-m", "tools", "puzzles", "check", "--file", str(paths[0])],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert (checked.returncode, checked.stdout) == (0, "4 puzzles, 0 wrong\n")


@pytest.mark.parametrize("content", [None, b"no puzzles", GOOD[:-1]], ids=["missing", "foreign", "short"])
def test_check_refuses_a_bad_file_in_one_line(tmp_path, content):
    path = tmp_path / "x.bin"
    if content is not None:
        path.write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-m", "tools", "puzzles", "check", "--file", str(path)],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "x.bin" in done.stderr


def test_the_plain_search_knows_the_rules():
    position = replay("d e d e d e d")
    red = yellow = 0
    for cell in range(54):
        bit = 1 << plain.COLUMN_BITS * (cell // 6) + cell % 6
        red |= bit if position.colour(cell) == 0 else 0
        yellow |= bit if position.colour(cell) == 1 else 0
    assert make.START == tuple(
        sum(1 << 7 * (cell // 6) + cell % 6 for cell in (*range(6), *range(48, 54)) if position.colour(cell) == side)
        for side in (0, 1)
    )
    assert not plain.has_line(red) and plain.disc(red | yellow, 3) == 1 << 7 * 4 + 4
    assert plain.has_line(red | plain.disc(red | yellow, 3))
    counter = plain.Counter(100)
    assert counter.wins(red, yellow, 1) and counter.nodes == 1
    assert not plain.Counter(100).wins(yellow, red, 1)
    assert plain.look_ahead(red, yellow, 1) == plain.WIN
    with pytest.raises(plain.TooMany):
        plain.Counter(3).wins(*make.START, 9)


def test_games_are_the_same_for_a_seed_and_legal():
    first, again = make.games(3), make.games(3)
    for _ in range(5):
        moves = next(first)
        assert moves == next(again)
        assert replay("".join("abcdefg"[c] for c in moves)).ply == len(moves)
