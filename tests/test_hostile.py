# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What nobody should do: closed streams, full disks, nonsense for numbers, presses without sense, power that goes.

Expected of every command: one line that names the thing, an exit status, nothing half-written, never a traceback. Of
the board: it goes on, and comes back with the position that it had.
"""

import argparse
import os
import random
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from board_rig import POP, Rig

from engine.notation import RecordError, parse_record, record, replay
from firmware import recall, store
from firmware.settings import load, parse_clock
from firmware.store import Store
from hal.simulated import Flash, Simulation
from hal.simulated_port import TcpPort

ROOT = Path(__file__).resolve().parent.parent
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell and its devices")
NOT_DIGITS = ("²", "١", "１", "1²", "", "-1", "+1", "1_0", "0x1", " ")


def shell(text, cwd=None):
    """(exit status, standard output, standard error) of a shell line; in it ``tools`` is ``python -m tools``."""
    command = text.replace("tools ", '"%s" -m tools ' % sys.executable)
    environ = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONUTF8="1")
    done = subprocess.run(["/bin/sh", "-c", command], cwd=cwd or ROOT, env=environ, capture_output=True, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


# Streams


@POSIX
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_the_caller_has_closed_ends_no_command(closed):
    status, _, err = shell("tools analyse d - --nodes 0 %s" % closed + (" </dev/null" if "<" not in closed else ""))
    assert (status, err) == (0, "")


@POSIX
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "command", ["analyse d --nodes 0", "play --two --headless --keys q", "play --help", "render --list", "--help"]
)
def test_an_output_without_room_is_one_line(command):
    status, _, err = shell("tools %s > /dev/full" % command)
    if command == "play --help":  # argparse itself keeps silent
        assert "Traceback" not in err
        return
    assert (status, err) == (1, "The output cannot be written: No space left on device.\n")


@POSIX
def test_a_reader_that_has_seen_enough_is_no_fault():
    status, out, err = shell("tools analyse d d d d d d --nodes 0 | head -n 1")
    assert (status, out.count("\n"), err) == (0, 1, "")


# Arguments


@pytest.mark.parametrize(
    "words",
    ["play --level 9", "play --serial ²", "web --port x", "match --pair 1 9", "bench --parts x", "analyse"]
    + ["bench --uf2 x.uf2", "bench --bootrom x", "bench --quick", "bench --parts game", "bench --emulated --heap"]
    + ["bench --heap --depth 8", "bench --variations --mcu"]
    + ["monitor socket://", "monitor socket://127.0.0.1:99999", "monitor socket://:5", "monitor foo://x"],
)
def test_wrong_arguments_are_one_line_that_names_the_command(words):
    done = subprocess.run([sys.executable, "-m", "tools", *words.split()], cwd=ROOT, capture_output=True)
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 2 and not done.stdout
    assert len(lines) == 1 and lines[0].startswith("python3 -m tools %s: " % words.split()[0])


def test_help_installs_nothing(tmp_path):
    """A command with packages of its own explains itself before it installs them."""
    from tools import __main__ as tools
    from tools import environment

    asked = []
    kept, environment.ready = environment.ready, asked.append
    try:
        with pytest.raises(SystemExit) as end:
            tools.dispatch("case", ["--help"], ("case",))
    finally:
        environment.ready = kept
    assert end.value.code == 0 and not asked


@pytest.mark.parametrize("measure", ["nope=3", "face", "face=900", "opening=16"])
def test_a_wrong_measure_installs_nothing(measure, capsys):
    from tools import __main__ as tools
    from tools import environment

    asked = []
    kept, environment.ready = environment.ready, asked.append
    try:
        with pytest.raises(SystemExit) as end:
            tools.dispatch("case", ["--set", measure], ("case",))
    finally:
        environment.ready = kept
    assert end.value.code == 2 and not asked
    assert measure.partition("=")[0] in capsys.readouterr().err


@pytest.mark.parametrize("revision", ["-o/tmp/x", "--help", "--remote=x"])
def test_a_revision_is_no_option_of_git(revision, tmp_path):
    from tools import match

    with pytest.raises(ValueError, match="is no git revision"):
        match.extract(revision, tmp_path)


# Numbers that are none


@pytest.mark.parametrize("text", [*NOT_DIGITS, " 7", "7.0", "9" * 5000])
def test_a_number_of_an_option_is_ascii_digits(text):
    from tools import serialport
    from tools.options import whole

    assert whole(0, 100)("07") == 7
    with pytest.raises(argparse.ArgumentTypeError, match="neither pty nor a TCP port"):
        serialport.checked(text)
    with pytest.raises(argparse.ArgumentTypeError, match="is not a whole number from 0 to 100"):
        whole(0, 100)(text)


@pytest.mark.parametrize("text", NOT_DIGITS)
def test_a_number_is_ascii_digits_everywhere(text):
    with pytest.raises(RecordError, match="^(seed: .* is not a whole number|header word)"):
        parse_record("[obstacles seed=%s] d" % text)
    for clock in ("%s+3" % text, "3+%s" % text):
        with pytest.raises(ValueError, match="^clock '"):
            parse_clock(clock)
    settings = load({"FIVE_BRIGHTNESS": text}.get)
    assert settings.brightness == 40
    assert settings.complaints == [
        'settings.toml: FIVE_BRIGHTNESS = "%s" is not a whole number from 1 to 100; using 40' % text
    ]


# The simulated board's memory


def play(*arguments, cwd=None):
    done = subprocess.run(
        [sys.executable, "-m", "tools", "play", "--two", "--headless", "--keys", "4 q", *map(str, arguments)],
        cwd=cwd or ROOT,
        env=dict(os.environ, PYTHONPATH=str(ROOT), PYTHONUTF8="1"),
        capture_output=True,
        timeout=60,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_a_memory_that_cannot_be_kept_is_refused_before_the_game(tmp_path):
    status, out, err = play("--state", tmp_path / "nowhere" / "board.nvm")
    assert (status, out) == (2, "") and err.endswith("cannot be written: name another file with --state\n")


@POSIX
@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "", "/"])
def test_what_is_no_file_is_never_taken_for_a_memory(path):
    status, out, err = play("--state", path)
    assert (status, out) == (2, "") and "is no file" in err and err.count("\n") == 1
    assert not Path("/dev/zero").is_file() and not Path("/dev/null").is_file()


@POSIX
def test_a_link_to_a_memory_stays_a_link(tmp_path):
    link, real = tmp_path / "link.nvm", tmp_path / "real.nvm"
    link.symlink_to(real)
    assert play("--state", link)[0] == 0
    assert link.is_symlink() and real.stat().st_size == 4096
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.nvm", "real.nvm"]


# The terminal


@POSIX
@pytest.mark.parametrize("end", ["HUP", "QUIT", "TERM", "gone"])
def test_a_terminal_that_is_killed_or_gone_leaves_the_game_saved_and_no_traceback(end, tmp_path):
    import pty
    import signal
    import termios
    import threading

    state = tmp_path / "board.nvm"
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    shown = []

    def read():
        try:
            while data := os.read(ours, 65536):
                shown.append(data)
        except OSError:
            pass

    command = [sys.executable, "-c", PLAY_SIZED, "--two", "--state", str(state)]
    environ = dict(os.environ, PYTHONPATH=str(ROOT), TERM="xterm")
    player = subprocess.Popen(
        command, cwd=ROOT, env=environ, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, start_new_session=True
    )
    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    until = time.monotonic() + 20
    while b"[five]" not in b"".join(shown) and time.monotonic() < until:
        time.sleep(0.05)
    os.write(ours, b"4")
    while "1. ● d" not in b"".join(shown).decode("utf-8", "replace") and time.monotonic() < until:
        time.sleep(0.05)
    if end == "gone":
        os.close(theirs)
        os.kill(player.pid, signal.SIGSTOP)
        os.close(ours)
        os.kill(player.pid, signal.SIGCONT)
        player.wait(10)
    else:
        os.kill(player.pid, getattr(signal, "SIG" + end))
        assert player.wait(10) == 128 + getattr(signal, "SIG" + end)
        assert termios.tcgetattr(theirs) == before
        os.close(theirs)
        reader.join(2)
        assert b"".join(shown).endswith(b"\x1b[?1049l")
    assert b"Traceback" not in player.stderr.read()
    saved = recall.load(Store(Flash(NoTime(), state.read_bytes()), lambda line: None))
    assert record(saved.position) == "d"


# The pseudo-terminal of a test has no size of its own before Python 3.11.
PLAY_SIZED = """
import fcntl, struct, sys, termios
fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 80, 0, 0))
from tools.__main__ import main
sys.exit(main(["play", *sys.argv[1:]]))
"""


# The serial line


def test_a_flood_waits_in_the_sender_and_not_in_the_boards_memory():
    sim = Simulation(realtime=True)
    port = TcpPort(sim, 0)
    try:
        with socket.create_connection(("127.0.0.1", port.number)) as peer:
            peer.setblocking(False)
            sent = 0
            end = time.monotonic() + 5
            while time.monotonic() < end:  # until the system takes no more
                try:
                    sent += peer.send(b"show\n" * 2000)
                except BlockingIOError:
                    before = len(sim.serial_pending)
                    port.pump()
                    if len(sim.serial_pending) == before:
                        break
            assert port.AHEAD <= len(sim.serial_pending) < 2 * port.AHEAD < sent
            sim.serial_pending = bytearray()  # the board has read: more comes
            port.pump()
            assert sim.serial_pending
    finally:
        port.close()


# The board under hostile hands


def test_presses_of_one_round_do_not_overtake_the_first_ones_disc():
    """Several buttons in one poll: one move, one that waits, the others refused; nothing is asked of a game that is
    over (a hint for it ended the program)."""
    rig = Rig().begin("classic two single")
    rig.keys(0, 1, 0, 1, 0, 1)
    rig.until_ready()
    for button in (0, 2, POP):  # a wins; all three come out of one poll
        rig.sim.press(button, rig.sim.now_ms() + 1, 60, bounce_ms=0)
    rig.run(3000)
    assert rig.record == "[classic] a b a b a b a"
    assert rig.app.game.result == 0 and rig.app.scene in ("result", "score")


def test_a_line_that_ends_the_game_right_before_a_press_for_a_hint():
    rig = Rig().begin("classic two single")
    rig.keys(0, 1, 0, 1, 0, 1)
    rig.until_ready()
    rig.app.serial("move", rig.app.board.ticks_ms(), 0)
    rig.app.current.press(POP, rig.app.board.ticks_ms())
    rig.run(3000)
    assert rig.app.game.result == 0 and not rig.app.thinking


@pytest.mark.parametrize("jump_ms", [1, 100000, 1 << 27, (1 << 28) + 5, (1 << 29) - 1])
@pytest.mark.parametrize("scene", ["start", "falling", "sinking", "result"])
def test_a_jump_of_the_time_ends_no_scene_in_a_fault(scene, jump_ms):
    rig = Rig()
    if scene != "start":
        rig.begin("classic pop two single")
        rig.keys(0, 1, 0, 1, 0, 1)
        rig.until_ready()
        if scene == "sinking":
            rig.press(POP)
        rig.press(0, after_ms=1)
        rig.run(2000 if scene == "result" else 60)
    before = rig.record if scene != "start" else None
    rig.sim.jump_ms(jump_ms)
    rig.run(300)
    rig.press(3)
    rig.run(500)
    if before is not None:
        assert rig.record.startswith(before)


@pytest.mark.parametrize("seed", range(6))
def test_the_board_is_right_after_random_presses_lines_and_power_cuts(seed):
    """All of it at once; what is on the board is always what its record says, and comes back after the power."""
    lots = random.Random(seed)
    nvm, expected = None, None
    for text in lots.sample(["five pop level 1", "powerup two", "three two clock 5+2", "misere two", "pop10 two"], 3):
        rig = Rig(nvm=nvm, slow=False, bounce_ms=8, late_bounce=seed == 5, seed=seed + 1, record=False)
        if expected is not None:
            assert record(rig.app.saved.position) == expected
        rig.begin(text)
        for _ in range(60):
            kind = lots.random()
            if kind < 0.1:
                for button in range(8):
                    rig.sim.press(button, hold_ms=lots.choice((40, 1100)))
            elif kind < 0.8:
                rig.sim.press(lots.randrange(8), hold_ms=lots.choice((10, 30, 60, 999, 1001)))
            else:
                rig.sim.serial_in(
                    lots.choice(("d\n", "a-\n", "c+\n", "undo\n", "hint\n", "zz\n", "show\n", "record\n"))
                )
            rig.run(lots.choice((0, 5, 40, 400)))
            position = rig.app.game.position
            if not rig.app.game.demo:
                again = replay(record(position))
                assert [again.colour(cell) for cell in range(54)] == [position.colour(cell) for cell in range(54)]
            assert rig.sim.peak_ma <= rig.app.settings.budget_ma
        game = rig.app.game
        expected = None if game.demo or game.match.over else record(game.position)
        if rig.app.store.active != (expected is not None):
            expected = None  # between two matches there is nothing to come back to
        nvm = bytes(rig.sim.nvm.data)


# The memory


class NoTime:
    off = False

    def charge_us(self, us):
        pass


def journal(*records):
    """A journal of records (kind, data) whose checks all hold, whatever they say."""
    out, h = bytearray((store.MAGIC, store.VERSION)), store.START
    for kind, data in ((store.IMAGE, b"\xff" * (2 * store.WORDS)), (store.SEAL, b""), *records):
        h = store.mix(store.START if kind == store.SETUP else h, kind)
        for byte in data:
            h = store.mix(h, byte)
        out += bytes((kind,)) + data + bytes((h & 255, h >> 8))
    return bytes(out)


def setup_data(level_byte=0x12, plies_byte=0x80, seed=5, text=b"five"):
    return bytes((len(text) + 10, level_byte, plies_byte, 0, 0, 0)) + seed.to_bytes(4, "little") + text


@pytest.mark.parametrize(
    "records",
    [
        [(store.WORD, bytes((200, 1, 2)))],
        [(store.CLOCK, bytes((9, 1, 2)))],
        [(store.EVENT, b"\x00")],
        [(store.SETUP, b"\x01")],
        [(store.SETUP, setup_data(level_byte=0x1F))],
        [(store.SETUP, setup_data(seed=1 << 31))],
        [(store.SETUP, setup_data(plies_byte=0))],
        [(store.SETUP, setup_data(text=b"\xff\xfe"))],
        [(store.SETUP, setup_data(plies_byte=0x84, text=b"five random seed=5"))],
    ],
    ids=["word", "clock", "event", "short setup", "level", "seed", "sides", "variation", "half a lot"],
)
def test_a_memory_that_makes_no_sense_is_told_in_a_line_and_the_board_starts(records):
    """Records of another firmware, with checks that hold; and a start of which the given moves are missing."""
    content = journal(*records)
    reports = []
    flash = Flash(NoTime(), content)
    kept = Store(flash, reports.append)
    assert recall.load(kept) is None
    assert len(reports) <= 1 and all("\n" not in line for line in reports)
    kept.put(store.BRIGHTNESS, 17)
    again = Store(flash, reports.append)
    recall.load(again)
    assert again.get(store.BRIGHTNESS) == 17
    rig = Rig(nvm=content)
    rig.begin("five level 1")
    rig.keys(3)
    rig.until_ready()
    assert rig.record.startswith("d ")


def test_a_lot_whose_rest_the_power_cut_does_not_come_back_as_another():
    """The journal only grows: what a power cut leaves of it is its beginning."""
    rig = Rig(slow=False)
    rig.to_setup()
    began = rig.app.store.at
    rig.begin("five random seed=17 two")
    rig.run(500)
    lot, content, ended = rig.record, bytes(rig.sim.nvm.data), rig.app.store.at
    assert len(lot.partition("] ")[2].split()) == 4 and ended - began > 10
    for cut in range(began, ended + 1):
        saved = recall.load(Store(Flash(NoTime(), content[:cut]), lambda line: None))
        assert (saved is None) == (cut < ended)
        assert saved is None or record(saved.position) == lot


@pytest.mark.parametrize("rewritten", [False, True])
def test_the_second_game_of_a_match_keeps_its_lot_whenever_the_power_goes(rewritten):
    rig = Rig(slow=False)
    rig.to_setup()
    rig.begin("five random seed=17 two")
    rig.run(500)
    lot, game, store = rig.record, rig.app.game, rig.app.store
    game.resign()
    if rewritten:
        store.dirty = True  # something waits for the next game to be written with it
    began = store.at
    erases = rig.sim.nvm.erases
    game.next_game(rig.app.board.ticks_ms())
    assert rig.record == lot and rig.sim.nvm.erases == erases + rewritten
    content = bytes(rig.sim.nvm.data)
    for cut in range(store.at if rewritten else began, store.at + 1):
        saved = recall.load(Store(Flash(NoTime(), content[:cut]), lambda line: None))
        assert record(saved.position) == lot and saved.match.points == [0, 2]
        assert saved.match.game == (1 if cut == store.at else 0)
