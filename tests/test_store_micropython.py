# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The memory of the game on MicroPython: the same bytes as on CPython, and no garbage while a game is played."""

import pytest

PLAY = """
from engine.clock import Clock
from engine.match import Match, Setup
from engine.position import new_position
from engine.variation import make
from firmware.recall import load
from firmware.store import Store

def play(nvm, clocked, games=4):
    store = Store(nvm, lambda text: None)
    load(store)
    lot = 1
    for game in range(games):
        setup = Setup(make("five", pop=game % 2 == 1), 3, 1, bank_ms=300000 if clocked else 0, increment_ms=3000)
        match = Match(setup)
        clock = Clock(setup.bank_ms, setup.increment_ms)
        store.begin(setup, 1000 + game)
        while not match.over:
            position = new_position(setup.variation)
            while position.result is None and position.ply < 60:
                legal = position.legal()
                lot = lot * 171 % 30269
                move = legal[lot % len(legal)]
                owner = match.owner_of(position.to_move)
                position.play(move)
                clock.run(owner, lot % 5000)
                clock.moved(owner)
                store.move(move, clock.left_ms[owner] // 100 if clocked else -1, owner)
                if lot % 17 == 0:
                    position.undo()
                    store.undo(1)
            match.finish_game(3 if position.result is None else position.result)
            store.end_game(match, 1300 if match.over and match.rated else -1)
            if game == games - 1:
                return store
            if not match.over:
                match.next_game()
                store.next_game()

def summary(nvm):
    h = 0
    for byte in nvm:
        h = (h * 31 + byte) % 1000003
    return h
"""


@pytest.fixture(params=["unix", "wasm"])
def guest(request):
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("clocked", [False, True], ids=["no clock", "clock"])
def test_the_journal_is_the_same_byte_for_byte_and_is_read_back(guest, clocked):
    end = (
        """
nvm = bytearray([255] * 4096)
store = play(nvm, %r)
saved = load(Store(nvm, print))
print(summary(nvm), saved.match.score_text(), saved.position.ply, saved.seed)
"""
        % clocked
    )
    printed = []
    exec(PLAY + end, {"__name__": "play", "print": lambda *words: printed.append(" ".join(map(str, words)))})
    out = guest.run(PLAY + end)
    assert (out if isinstance(out, str) else "".join(out)).split("\n")[0] == printed[0]


@pytest.mark.parametrize("clocked", [False, True], ids=["no clock", "clock"])
def test_a_move_that_is_saved_leaves_no_garbage(wasm, clocked):
    """Without a clock none; with one only what a write of three bytes by slice takes."""
    begin = """
import probe
nvm = bytearray([255] * 4096)
store = Store(nvm, print)
load(store)
setup = Setup(make("five"), bank_ms=%d)
store.begin(setup, 1)
store.move(3, 2990 if %r else -1)
def moves():
    for i in range(10):
        store.move(i %% 7, 2980 if %r else -1)
print("bytes", probe.allocated(moves))
""" % (300000 if clocked else 0, clocked, clocked)
    out = "".join(wasm.run(PLAY, begin))
    taken = int(out.split("bytes ")[1].split()[0])
    assert taken <= (10 * 48 if clocked else 0)


def test_damage_is_told_and_survived_on_micropython(guest):
    code = """
lot = 1
told = []
for turn in range(40):
    nvm = bytearray([255] * 4096)
    play(nvm, turn % 2 == 0, 2)
    for hits in range(turn % 4 + 1):
        lot = lot * 171 % 30269
        nvm[lot % 500] ^= 1 << lot % 8
    store = Store(nvm, told.append)
    saved = load(store)
    if saved and saved.position.legal():
        store.move(saved.position.legal()[0], -1)
print(len(told) > 20, [text for text in told if not text.startswith("memory: ")])
"""
    out = guest.run(PLAY + code)
    assert (out if isinstance(out, str) else "".join(out)).strip() == "True []"
