# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What nobody should do: closed streams, full disks, nonsense for numbers, presses without sense, power that goes.

Expected of every command: one line that names the thing, an exit status, nothing half-written, never a traceback. Of
the board: it goes on, and comes back with the position that it had.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.notation import RecordError, parse_record
from firmware.settings import load, parse_clock

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
    ["play --level 9", "play --serial ²", "web --port x", "match --pair 1 9", "bench --parts x", "analyse"],
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


@pytest.mark.parametrize("revision", ["-o/tmp/x", "--help", "--remote=x"])
def test_a_revision_is_no_option_of_git(revision, tmp_path):
    from tools import match

    with pytest.raises(ValueError, match="is no git revision"):
        match.extract(revision, tmp_path)


# Numbers that are none


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
