# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The memory of the game: what was saved comes back exactly, whenever the power goes, and damage is never believed.

All of it runs on the simulated chip's flash (hal.simulated.Flash): programming clears bits, an erase is counted, and
the power can go at every byte, with any of that byte's bits not yet cleared.
"""

import functools
import importlib
import random
import sys

import pytest

from engine import notation
from engine.catalogue import NAMES
from engine.clock import Clock
from engine.match import Match, Setup
from engine.position import new_position
from engine.variation import DRAW, make
from firmware import puzzles, recall, settings, setups
from firmware import store as journal
from firmware.app import App
from firmware.overlays import PASSING
from firmware.puzzles import SOLVED
from firmware.store import RATING, STATS, Store
from hal.simulated import Flash, PowerCut, Simulation


@pytest.fixture(autouse=True)
def variations_made_once(monkeypatch):
    """The tests read the journal thousands of times; the variation in it need not be derived each time."""
    monkeypatch.setattr(notation, "parse_header", functools.lru_cache(notation.parse_header))


class NoTime:
    """What Flash wants of a simulation: somewhere to charge its time, and a power that can go."""

    off = False

    def charge_us(self, us):
        pass


def flash(content=None):
    return Flash(NoTime(), content)


class Player:
    """Plays a match as firmware/game.py does, with every call that it makes of the store."""

    def __init__(self, nvm, setup=None, seed=7):
        self.reports = []
        self.store = Store(nvm, self.reports.append)
        self.saved = recall.load(self.store)
        self.match = None
        if self.saved:
            self.match, self.position, self.clock = self.saved.match, self.saved.position, self.saved.clock
        self.setup, self.seed = setup, seed

    def begin(self):
        self.match = Match(self.setup)
        self.position = new_position(self.setup.variation)
        bank_ms = self.setup.bank_ms
        self.clock = Clock(bank_ms, self.setup.increment_ms, self.match.owners) if bank_ms else None
        self.store.begin(self.setup, self.seed)

    def play(self, move, thought_ms=0):
        owner = self.match.owner_of(self.position.to_move)
        self.position.play(move)
        tenths = -1
        if self.clock:
            self.clock.run(owner, thought_ms)
            self.clock.moved(owner)
            tenths = self.clock.left_ms[owner] // 100
        self.store.move(move, tenths, owner)

    def ended(self, result):
        self.match.finish_game(result)
        self.store.end_game(self.match, 1300 + self.match.points[0] if self.match.over and self.match.rated else -1)

    def next_game(self):
        self.match.next_game()
        self.position = new_position(self.setup.variation)
        self.store.next_game()

    def undo(self, plies):
        for _ in range(plies):
            self.position.undo()
        self.match.helped()
        self.store.undo(plies)

    def state(self):
        """Everything that must come back."""
        words = bytes(self.store.words)
        match = self.match
        if match is None or match.over:
            return None, words
        moves = bytes(self.position.moves[: self.position.ply])
        clocks = tuple(self.clock.left_ms) if self.clock else None
        header = match.setup.variation.header()
        form = (match.setup.level, match.setup.engine, match.setup.match, match.setup.bank_ms, match.setup.increment_ms)
        return (header, form, match.game, tuple(match.points), match.finished, match.rated, moves, clocks), words


def script(setup, seed, plies=200):
    """A whole match as a list of steps (name, arguments) for a Player; some moves are taken back."""
    lots = random.Random(seed)
    steps = [("begin",)]
    match = Match(setup)
    clock = Clock(setup.bank_ms, setup.increment_ms, match.owners) if setup.bank_ms else None
    while not match.over:
        position = new_position(setup.variation)
        while position.result is None and position.ply < plies:
            owner = match.owner_of(position.to_move)
            if position.ply > 4 and lots.random() < 0.05 and not setup.variation.extra:
                steps.append(("undo", 2))
                position.undo()
                position.undo()
                continue
            move = lots.choice(position.legal())
            thought_ms = lots.choice([300, 2500, 20000])
            if clock:
                thought_ms = min(thought_ms, clock.left_ms[owner] - 1)
                clock.run(owner, thought_ms)
                clock.moved(owner)
            steps.append(("play", move, thought_ms))
            position.play(move)
        result = DRAW if position.result is None else position.result
        steps.append(("ended", result))
        match.finish_game(result)
        if lots.random() < 0.2:
            steps.append(("put", journal.PALETTE, lots.randrange(5)))
        if not match.over:
            steps.append(("next_game",))
            match.next_game()
    return steps


def run(player, step):
    name = step[0]
    if name == "put":
        player.store.put(*step[1:])
    else:
        getattr(player, name)(*step[1:])


def after_power_on(nvm, setup=None):
    return Player(flash(bytes(nvm.data)), setup)


FIVE = Setup(make("five"), 3, 1)
CLOCKED = Setup(make("five"), 3, 1, bank_ms=300000, increment_ms=3000)
SETUPS = [
    FIVE,
    CLOCKED,
    Setup(make("five", pop=True, mirror=True, pop_both="draw"), 6, 0, bank_ms=6000000, increment_ms=60000),
    Setup(make("classic", random=True, seed=2**30 - 1), 1, 1),
    Setup(make("obstacles", seed=17), match=False),
    Setup(make("three"), bank_ms=60000),
    Setup(make("teams", pop=True)),
    Setup(make("popout"), 2, 0, bank_ms=600000, increment_ms=5000),
    Setup(make("small")),
    Setup(make("misere", pop=True)),
    Setup(make("cylinder")),
    Setup(make("random", seed=0)),
    Setup(make("powerup"), bank_ms=300000, increment_ms=1000),
    Setup(make("powerup")),
    Setup(make("pop10", seed=3), bank_ms=600000),
]


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.variation.header())
def test_after_every_step_of_a_match_the_saved_game_comes_back_exactly(setup):
    nvm = flash()
    player = Player(nvm, setup)
    for number, step in enumerate(script(setup, 1)):
        run(player, step)
        if number % 3 == 0 or step[0] != "play":
            assert after_power_on(nvm).state() == player.state(), (number, step)
    again = after_power_on(nvm)
    assert again.saved is None and not again.reports
    last, seed = setups.unpack(again.store)
    assert last.variation.header() == setup.variation.header()
    assert (last.level, last.engine, last.match) == (setup.level, setup.engine, setup.match)
    assert (last.bank_ms, last.increment_ms) == (setup.bank_ms, setup.increment_ms)
    assert seed == 7


def test_every_variation_is_covered():
    assert {setup.variation.name for setup in SETUPS} == set(NAMES)


def test_a_move_is_one_byte_and_with_a_clock_three():
    for setup, size in ((FIVE, 1), (CLOCKED, 3)):
        nvm = flash()
        player = Player(nvm, setup)
        player.begin()
        written = nvm.bytes_written
        for ply in range(30):
            player.play(player.position.legal()[0], 100 * ply)
            if player.position.result is not None:
                break
        assert nvm.bytes_written - written == size * player.position.ply
        assert nvm.erases == 0


def test_a_long_think_of_many_minutes_comes_back_exactly():
    setup = Setup(make("five"), bank_ms=6000000, increment_ms=60000)
    nvm = flash()
    player = Player(nvm, setup)
    player.begin()
    for move, minutes in ((3, 7), (3, 60), (2, 93), (3, 40), (0, 0)):
        player.play(move, 60000 * minutes + 40)
        assert after_power_on(nvm).state() == player.state()


def nearly_full(room, setup=FIVE):
    """Flash in which `room` bytes or little more are left before the store has to be rewritten."""
    nvm = flash()
    player = Player(nvm, setup)
    player.seed = 1
    while player.store.at + 400 < len(nvm):
        for step in script(setup, player.seed, plies=14):
            run(player, step)
        player.seed += 1
    for i in range((len(nvm) - player.store.at - room) // 6):
        player.store.put(journal.PUZZLE, i)
    assert nvm.erases == 0
    return bytes(nvm.data)


def next_erase(content, setup, steps):
    """How many bytes are written before the first erase."""
    nvm = flash(content)
    player = Player(nvm, setup)
    if nvm.erases:  # at power-on
        return 0
    for step in steps:
        written = nvm.bytes_written
        run(player, step)
        if nvm.erases:
            return written


def cut_everywhere(content, setup, steps, torn_mask):
    """Cut the power at each byte that `steps` write; yields (player after power-on, its flash, step, states before,
    states that are right afterwards, whether the erase was cut)."""
    whole = flash(content)
    player = Player(whole, setup)
    states = [player.state()]
    for step in steps:
        run(player, step)
        states.append(player.state())
    total = whole.bytes_written + whole.erases
    cuts = list(range(total))
    if whole.erases:  # of the empty end of a rewritten sector every 61st byte will do
        start = next_erase(content, setup, steps)
        cuts = [cut for cut in cuts if not 250 < cut - start < 4097 or cut % 61 == 0]
    for cut in cuts:
        nvm = flash(content)
        nvm.cut_after = cut
        nvm.torn_mask = torn_mask
        right = []
        for number, step in enumerate([("power-on",)] + steps, -1):
            erases = nvm.erases
            try:
                if number < 0:
                    player = Player(nvm, setup)
                else:
                    run(player, step)
            except PowerCut:
                if number < 0:
                    right = [states[0]]
                    break
                right = [states[number], states[number + 1]]
                if step[0] == "undo":
                    # A whole turn is taken back ply by ply.
                    before, words = states[number]
                    after = states[number + 1][0]
                    for plies in range(step[1] + 1):
                        moves = before[6][: len(before[6]) - plies]
                        right.append((after[:6] + (moves,) + after[7:], words))
                break
        else:
            raise AssertionError("the power was never cut")
        yield after_power_on(nvm, setup), step, right, nvm.erases > erases, number


@pytest.mark.parametrize("torn_mask", [0xFF, 0x00, 0x55, 0xAA, 0x81, 0x3C])
@pytest.mark.parametrize("setup", [FIVE, CLOCKED], ids=["no clock", "clock"])
def test_a_power_cut_at_any_byte_loses_at_most_what_was_being_written(setup, torn_mask):
    steps = script(setup, 3, plies=24)
    cuts = 0
    for player, step, right, _, _ in cut_everywhere(None, setup, steps, torn_mask):
        if step[0] == "begin":
            assert player.saved is None or player.state() in right
        else:
            assert player.state() in right, (cuts, step)
        cuts += 1
    assert cuts > 60


@pytest.mark.parametrize("torn_mask", [0xFF, 0x55, 0xAA])
@pytest.mark.parametrize("room", [0, 40, 75])
def test_a_power_cut_in_a_nearly_full_store_loses_at_most_what_was_being_written_unless_it_hits_the_erase(
    room, torn_mask
):
    content = nearly_full(room)
    steps = script(FIVE, 4, plies=16)
    erases_cut = lost = 0
    for player, step, right, in_erase, _ in cut_everywhere(content, FIVE, steps, torn_mask):
        if in_erase:
            erases_cut += 1
            if player.state() not in right:
                lost += 1
                assert player.saved is None and player.reports, (step, player.saved)
        else:
            assert player.state() in right, step
    assert erases_cut > 100
    assert lost > 0  # the one place where the store may be lost


@pytest.mark.parametrize("setup", [FIVE, CLOCKED], ids=["no clock", "clock"])
def test_play_goes_on_after_a_power_cut_and_after_a_second_one(setup):
    steps = script(setup, 5, plies=20)
    ends = 0
    for player, step, right, _, number in cut_everywhere(None, setup, steps, 0xF0):
        if player.saved is None or step[0] == "undo":
            continue
        if player.state() == right[0]:  # it was lost: it is done again
            run(player, step)
        assert player.state() == right[1]
        nvm = player.store.nvm
        for later in steps[number + 1 : number + 4]:
            run(player, later)
            assert after_power_on(nvm).state() == player.state()
        if number + 4 < len(steps):
            before = player.state()
            nvm.cut_after = 0
            nvm.torn_mask = 0xC3
            with pytest.raises(PowerCut):
                run(player, steps[number + 4])
            player = after_power_on(nvm, setup)
            if before[0] is not None or steps[number + 4][0] != "put":
                assert player.state() == before
            if player.match is None:
                continue
            for later in steps[number + 4 :]:
                run(player, later)
            assert player.match.over
            assert after_power_on(player.store.nvm).state() == player.state()
            ends += 1
    assert ends > 50


def test_no_torn_byte_of_a_move_is_ever_taken_for_a_move():
    """All 64 bytes that stand for moves, with every set of their zeros not yet written."""
    assert len(set(journal.CODES)) == 64
    for byte in journal.CODES:
        for late in range(1, 256):
            assert late & byte or byte | late not in journal.CODES
    for used in range(4096):
        pair = used << 4 | journal.zeros(used)
        for late in range(1, 1 << 16, 37):
            assert late & pair or journal.zeros((pair | late) >> 4) != (pair | late) & 15


def test_two_moves_that_may_stand_in_one_place_differ_in_four_bits():
    for k in range(8):
        row = journal.CODES[8 * k : 8 * k + 8]
        for a in row:
            assert sum(i for i in range(8) if a >> i & 1) % 8 == k
            for b in row:
                assert a == b or bin(a ^ b).count("1") >= 4


@pytest.mark.parametrize("clocked, least", [(False, 2000), (True, 900)])
def test_one_erase_serves_two_thousand_moves_and_nine_hundred_with_a_clock(clocked, least):
    lots = random.Random(9)
    nvm = flash()
    player = Player(nvm)
    moves = 0
    counted = []
    erases = 0
    while nvm.erases < 4:
        # Short games, of 24 plies at most, against levels that change every other match, with take-backs and settings.
        bank_ms = 300000 if clocked else 0
        if player.setup is None or lots.random() < 0.5:
            player.setup = Setup(make(lots.choice(["five", "classic"])), lots.randrange(1, 7), 1, bank_ms=bank_ms)
        player.seed = lots.randrange(2**30)
        for step in script(player.setup, lots.random(), plies=24):
            run(player, step)
            moves += step[0] == "play"
            if nvm.erases > erases:
                assert step[0] in ("begin", "next_game"), "the stall comes between games only"
                erases = nvm.erases
                counted.append(moves)
                moves = 0
    assert min(counted[1:]) >= least, counted


@pytest.mark.parametrize("setup", [FIVE, CLOCKED], ids=["no clock", "clock"])
@pytest.mark.parametrize("room", [None, 190, 280, 400])
def test_take_backs_without_end_lose_nothing_and_cause_no_erase_within_the_game(setup, room):
    nvm = flash() if room is None else flash(nearly_full(room, setup))
    player = Player(nvm, setup)
    player.begin()
    for move in (3, 3, 2):
        player.play(move, 100)
    erases, taken_back = nvm.erases, 0
    while player.store.can_undo(1):
        player.undo(1)
        player.play(2, 100)
        taken_back += 1
    assert taken_back >= 20 and nvm.erases == erases
    assert after_power_on(flash(bytes(nvm.data))).state() == player.state()
    while player.position.result is None:
        player.play(player.position.legal()[0], 100)
    assert nvm.erases == erases
    player.ended(player.position.result)
    player.next_game()
    assert after_power_on(nvm).state() == player.state()


@pytest.mark.parametrize("setup", [FIVE, CLOCKED], ids=["no clock", "clock"])
def test_what_is_rewritten_between_the_games_of_a_match_comes_back(setup):
    nvm = flash()
    player = Player(nvm, setup)
    for number, step in enumerate(script(setup, 8, plies=42)):
        run(player, step)
        if step[0] == "ended":  # settings until all is written anew, with the last position still on show
            erases, i = nvm.erases, 0
            while nvm.erases == erases:
                player.store.put(journal.PUZZLE, i % 1000)
                i += 1
            assert after_power_on(nvm).state() == player.state(), number
    assert nvm.erases == 2


@pytest.mark.parametrize("setup", [FIVE, CLOCKED], ids=["no clock", "clock"])
def test_the_erase_that_the_next_game_needs_falls_at_power_on(setup):
    content = nearly_full(100, setup)
    nvm = flash(content)
    player = Player(nvm, setup)
    assert nvm.erases == 1 and player.state() == Player(flash(bytes(nvm.data)), setup).state()
    for step in script(setup, 8, plies=42):
        run(player, step)
    assert nvm.erases == 1
    assert player.store.get(journal.PUZZLE) >= 0


def test_a_game_that_is_on_at_power_on_is_not_interrupted_by_an_erase():
    nvm = flash(nearly_full(190))
    player = Player(nvm, FIVE)
    player.begin()
    player.play(3)
    erases = nvm.erases
    for _ in range(5):
        player = after_power_on(nvm)
        player.play(player.position.legal()[0])
    assert nvm.erases == erases


def test_settings_changed_without_end_in_a_game_leave_room_for_its_moves():
    nvm = flash()
    player = Player(nvm, CLOCKED)
    player.begin()
    for i in range(2000):
        player.store.put(journal.BRIGHTNESS, i % 100)
    erases = nvm.erases
    while player.position.result is None:
        player.play(player.position.legal()[0], 1000)
        assert nvm.erases == erases
    player.ended(player.position.result)
    player.next_game()
    again = after_power_on(nvm)
    assert again.store.get(journal.BRIGHTNESS) == 99
    assert again.state() == player.state()


def test_what_served_for_a_moment_is_unloaded_after_power_on(monkeypatch):
    nvm = flash()
    player = Player(nvm, FIVE)
    player.begin()
    player.play(3)
    for name in PASSING.split():  # as they are, for the tests after this one
        module = importlib.import_module(name)
        monkeypatch.setitem(sys.modules, name, module)
        package, _, leaf = name.rpartition(".")
        monkeypatch.setattr(sys.modules[package], leaf, module)
    sim = Simulation(nvm=bytes(nvm.data), record=False)
    chosen = settings.load(sim.getenv)
    app = App(sim.open_board(chosen), chosen)
    assert app.saved.position.ply == 1
    assert not [name for name in PASSING.split() if name in sys.modules]


def test_results_by_level_rating_and_solved_puzzles_are_kept():
    nvm = flash()
    player = Player(nvm, FIVE)
    store = player.store
    puzzles.solve(store, 0)
    puzzles.solve(store, 199)
    assert store.get(RATING, 1200) == 1200
    player.begin()
    player.ended(0)  # owner 0, the person, wins as Red
    player.next_game()
    player.ended(DRAW)
    again = after_power_on(nvm)
    assert again.store.get(RATING) == 1303
    assert [again.store.get(STATS + 3 * 3 + i) for i in range(3)] == [0, 1, 1]
    assert [i for i in range(208) if puzzles.is_solved(again.store, i)] == [0, 199]
    assert again.store.get(SOLVED) == 1
    player.begin()
    player.match.resign_match(0)
    player.store.end_game(player.match)
    assert [after_power_on(nvm).store.get(STATS + 9 + i) for i in range(3)] == [1, 1, 1]


@pytest.mark.parametrize(
    "content, says",
    [
        (b"\xff" * 4096, "empty"),
        (b"\x00" * 4096, "nothing of ours"),
        (bytes([0x35, 0]) + b"\x1f" * 4094, "version 0"),
        (bytes([0x35, journal.VERSION]) + b"\xff" * 4094, "damaged"),
        (random.Random(1).randbytes(4096), "nothing of ours"),
        (bytes([0x35, journal.VERSION]) + random.Random(2).randbytes(4094), "damaged"),
    ],
)
def test_a_store_that_is_none_is_told_in_one_line_and_play_goes_on(content, says):
    nvm = flash(content)
    player = Player(nvm, FIVE)
    assert player.saved is None
    assert len(player.reports) == 1 and says in player.reports[0]
    for step in script(FIVE, 1, plies=20)[:12]:
        run(player, step)
    again = after_power_on(nvm)
    assert again.state() == player.state() and not again.reports


def test_a_store_whose_reads_and_writes_raise_is_told_once_and_play_goes_on():
    for reads, writes in ((True, False), (False, True), (True, True)):
        nvm = flash()
        nvm.fail_reads, nvm.fail_writes = reads, writes
        player = Player(nvm, CLOCKED)
        for step in script(CLOCKED, 1):
            run(player, step)
            player.store.put(journal.CONFIRM, 1)
        assert player.match.over
        assert 1 <= len(player.reports) <= 3, player.reports
        assert player.store.get(journal.CONFIRM) == 1


def test_a_write_that_fails_in_the_middle_of_a_game_leaves_an_earlier_position_and_the_next_game_is_saved():
    nvm = flash()
    player = Player(nvm, FIVE)
    player.begin()
    for move in (3, 3, 2):
        player.play(move)
    nvm.fail_writes = True
    player.play(4)
    nvm.fail_writes = False
    player.play(5)
    assert after_power_on(nvm).state()[0][6] == bytes((3, 3, 2))
    assert "not saved" in player.reports[-1]
    player.ended(0)
    player.next_game()
    player.play(1)
    assert after_power_on(nvm).state() == player.state()


@pytest.mark.parametrize("size", [0, 256, 512])
def test_a_board_without_enough_memory_plays_on_without_saving(size):
    nvm = Flash(NoTime(), None, size)
    player = Player(nvm, FIVE)
    for step in script(FIVE, 1):
        run(player, step)
    assert player.match.over and nvm.bytes_written == 0
    assert len(player.reports) == (1 if size else 0)  # that there is none at all is told by the board


def corrupted(content, lots):
    """`content` with one kind of damage: a byte overwritten, bytes lost, a stretch of noise or of one value."""
    data = bytearray(content)
    end = len(content.rstrip(b"\xff"))
    at = lots.randrange(end + 4)
    kind = lots.randrange(4)
    if kind == 0:
        data[at] = lots.randrange(256)
    elif kind == 1:
        n = lots.randrange(2, 40)
        data[at : at + n] = lots.randbytes(n)
    elif kind == 2:
        n = lots.randrange(1, 60)
        data[at : at + n] = bytes([lots.choice([0, 255])]) * n
    else:
        n = lots.randrange(1, 9)
        del data[at : at + n]
        data.extend(b"\xff" * n)
    return bytes(data[: len(content)])


def played(setup):
    """(flash content with some matches and one that is on, states of the whole history)."""
    nvm = flash()
    player = Player(nvm, setup)
    histories = set()
    for seed in range(3):
        player.seed = seed
        steps = script(setup, seed, plies=20)
        for step in steps[:20] if seed == 2 else steps:
            if step[0] == "undo":  # told ply by ply
                for _ in range(step[1]):
                    player.undo(1)
                    histories.add(position_of(player))
            else:
                run(player, step)
            histories.add(position_of(player))
    return bytes(nvm.data), histories


def position_of(player):
    """What is to be seen of a saved game; that it is no longer rated may come of damage."""
    state = player.state()[0]
    return state and state[:5] + state[6:]


@pytest.mark.parametrize("setup", [FIVE, CLOCKED, SETUPS[2]], ids=["no clock", "clock", "pops"])
def test_thousands_of_corruptions_never_bring_an_illegal_position_and_hardly_ever_a_wrong_one(setup):
    """One checked byte a move can't tell all noise, but for one in a hundred; then the moves are legal all the same."""
    lots = random.Random(11)
    content, histories = played(setup)
    wrong = 0
    rounds = 1500
    for _ in range(rounds):
        again = Player(flash(corrupted(content, lots)))
        if again.saved is None:
            continue
        position = new_position(again.match.setup.variation)
        for move in again.position.moves[: again.position.ply]:
            position.play(move)  # raises if it is not legal
        wrong += position_of(again) not in histories
        if position.result is None and not again.match.finished:
            run(again, ("play", again.position.legal()[0], 100))
            assert after_power_on(again.store.nvm).state() == again.state()
    assert wrong <= rounds // 100


@pytest.mark.parametrize("setup, bits", [(FIVE, 3), (CLOCKED, 1), (SETUPS[2], 1)], ids=["no clock", "clock", "pops"])
def test_flipped_bits_of_a_byte_are_never_believed(setup, bits):
    """Up to three of a byte in a game without pops or clock, a single one anywhere."""
    content, histories = played(setup)
    for at in range(len(content.rstrip(b"\xff")) + 1):
        for mask in range(1, 256):
            if bin(mask).count("1") > bits or bits > 1 and (at + mask) % 7:
                continue
            data = bytearray(content)
            data[at] ^= mask
            assert position_of(Player(flash(bytes(data)))) in histories


def test_pure_noise_is_never_believed():
    lots = random.Random(5)
    for _ in range(300):
        head = lots.choice([b"", bytes([0x35, 1]), bytes([0x35, 1, journal.IMAGE]), bytes([0x35, 1, journal.SETUP])])
        again = Player(flash(head + lots.randbytes(4096 - len(head))))
        assert again.saved is None and len(again.reports) == 1
