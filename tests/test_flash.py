# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""`flash` against a real interpreter: MicroPython behind a pseudo-terminal, with the real transport and snippets.

The board is tests/flash_board/rig.py; the repositories are small ones (repository.py) whose program says its version.
"""

import argparse
import shutil
import sys
import threading
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="a pseudo-terminal stands for the board's serial line")
if not Path(sys.executable).with_name("micropython").exists():
    pytest.skip("no MicroPython for this system", allow_module_level=True)

from tests.flash_board import repository  # noqa: E402
from tests.flash_board.rig import Rig  # noqa: E402
from tools import flash  # noqa: E402
from tools.flasher import board, install, link  # noqa: E402
from tools.flasher.files import board_files  # noqa: E402

GUARD = "FILES INCOMPLETE"
AMBER = bytes((10, 24, 0)) * 6  # the default order of colours is green, red, blue


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    monkeypatch.setattr(board, "NUDGE_AFTER_S", 0.6)


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """Makes a version of the repository and lets `flash` install that one."""

    def make(version, **options):
        monkeypatch.setattr(flash, "ROOT", repository.make(tmp_path / "repository", version, **options))
        return flash.ROOT

    return make


@pytest.fixture
def rig(tmp_path):
    made = Rig(tmp_path / "board")
    yield made
    made.power_off()


@pytest.fixture
def run(rig, capsys):
    """Runs the command against the rig; (exit status, what it said)."""

    def run(*words, port=None):
        parser = argparse.ArgumentParser()
        flash.add_arguments(parser)
        capsys.readouterr()
        status = flash.run(parser.parse_args([port or rig.port, "--wait", "8", *words]))
        said = capsys.readouterr()
        return status, said.out + said.err

    return run


def put_by_hand(rig, root):
    """What a person does who drags the files."""
    for source, path in board_files(root):
        (rig.drive / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, rig.drive / path)


def first_words(rig):
    """What the board's program says when it is plugged in."""
    rig.forget()
    rig.options.update(cut=0, snapshots="")
    return rig.first_words()


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def installed(rig, root):
    """True when every file of the repository is on the drive and no left-over of the installation is."""
    have = tree(rig.drive)
    return all(have.get(path) == source.read_bytes() for source, path in board_files(root)) and not [
        path for path in have if path.endswith(".new") or path == "main.py"
    ]


def test_a_new_board_gets_everything_and_says_so(rig, run, repo):
    root = repo("one")
    (rig.drive / "code.py").write_text('print("Hello World!")\n')
    (rig.drive / "settings.toml").write_text("")
    with rig:
        status, said = run()
        assert status == 0, said
        assert installed(rig, root)
        assert "The board says: one ready" in said
        assert "the board can write to its drive already" in said
        assert not (rig.drive / "code.py.saved").exists(), "CircuitPython's own first program is nobody's loss"
        assert "hal/simulated.py" not in tree(rig.drive)
        status, said = run("--check")
        assert status == 0, said


def test_an_update_writes_only_what_changed_and_removes_what_went(rig, run, repo):
    repo("one", extra=("firmware/old.py",))
    with rig:
        assert run()[0] == 0
        assert (rig.drive / "firmware/old.py").exists()
        (rig.drive / "firmware/mine.py").write_text("# a person's own\n")
        root = repo("one")
        (root / "engine/lots.py").write_text("VERSION = 'one'\n# another\n")
        status, said = run("--dry-run")
        assert status == 0 and "1 of 14 files to write" in said and "1 to remove" in said
        status, said = run("--check")
        assert status == 1 and "differs  engine/lots.py" in said and "stale    firmware/old.py" in said
        status, said = run()
        assert status == 0, said
        assert installed(rig, root)
        assert not (rig.drive / "firmware/old.py").exists()
        assert (rig.drive / "firmware/mine.py").exists()
        status, said = run()
        assert status == 0 and "all files are as they should be" in said


def test_check_and_dry_run_change_nothing(rig, run, repo):
    repo("one")
    (rig.drive / "code.py").write_text("import time\nwhile True:\n    time.sleep(0.01)\n")
    before = tree(rig.drive)
    with rig:
        for words in (("--check",), ("--dry-run",)):
            run(*words)
            assert tree(rig.drive) == before


def test_settings_are_never_overwritten_without_being_told_to(rig, run, repo):
    root = repo("one")
    own = b"# mine\nFIVE_BRIGHTNESS = 22\n"
    (rig.drive / "settings.toml").write_bytes(own)
    with rig:
        status, said = run()
        assert status == 0, said
        assert (rig.drive / "settings.toml").read_bytes() == own
        assert "new settings, at their defaults: FIVE_PIXEL_PIN" in said
        status, said = run("--reset-settings")
        assert status == 0, said
        assert (rig.drive / "settings.toml").read_bytes() == (root / "firmware/settings.toml").read_bytes()
        assert (rig.drive / "settings.toml.saved").read_bytes() == own


def test_board_settings_edits_one_line_and_keeps_the_rest(rig, run, repo):
    repo("one")
    with rig:
        assert run()[0] == 0
        (rig.drive / "settings.toml").write_text('# mine\nMY_KEY = "x"\n# FIVE_BRIGHTNESS = 40\n')
        status, said = run("--board-settings", "brightness=30", "FIVE_PALETTE=red yellow")
        assert status == 0, said
        text = (rig.drive / "settings.toml").read_text()
        assert text == '# mine\nMY_KEY = "x"\nFIVE_BRIGHTNESS = 30\nFIVE_PALETTE = "red yellow"\n'
        before = tree(rig.drive)
        for words, why in (
            (["brightness=300"], "whole number from 1 to 100"),
            (["brihtness=30"], "did you mean FIVE_BRIGHTNESS"),
            (["brightness"], "is not KEY=VALUE"),
            (["pixel_pin=GP2"], "names a pin of FIVE_BUTTON_PINS"),
        ):
            status, said = run("--board-settings", *words)
            assert status == 2 and why in said, said
            assert tree(rig.drive) == before
        assert run("--board-settings", "brightness=")[0] == 0
        assert "\nFIVE_BRIGHTNESS" not in (rig.drive / "settings.toml").read_text()


def test_a_persons_own_programs_are_kept_and_come_back(rig, run, repo):
    repo("one")
    own = {"code.py": "print('my own')\n", "boot.py": "# my boot\n", "main.py": "# my main\n", "code.txt": "# text\n"}
    for path, text in own.items():
        (rig.drive / path).write_text(text)
    with rig:
        status, said = run()
        assert status == 0 and "one ready" in said, said
        assert "your own code.py will be kept as code.py.saved" in said
        status, said = run("--uninstall")
        assert status == 0, said
        left = tree(rig.drive)
        assert {path: left[path].decode() for path in own} == own
        assert sorted(set(left) - set(own)) == [
            "lib/adafruit_debouncer.py", "lib/adafruit_ticks.py", "lib/neopixel.py", "settings.toml",
        ]  # fmt: skip


def test_uninstall_leaves_an_empty_drive(rig, run, repo):
    repo("one")
    with rig:
        assert run()[0] == 0
        status, said = run("--uninstall", "--reset-settings")
        assert status == 0, said
        assert tree(rig.drive) == {}


def test_libraries_that_circup_made_newer_stay(rig, run, repo):
    root = repo("one")
    put_by_hand(rig, root)
    (rig.drive / "lib/neopixel.py").write_text('__version__ = "99.1.0"\nPixelBuf = None\n')
    (rig.drive / "lib/adafruit_ticks.py").rename(rig.drive / "lib/adafruit_ticks.mpy")
    (rig.drive / "lib/adafruit_debouncer.py").write_text('__version__ = "1.0.0"\n')
    with rig:
        status, said = run()
        assert "lib/neopixel.py stays: version 99.1.0 there is newer" in said
        assert "lib/adafruit_ticks.mpy stays" in said
    assert b"99.1.0" in (rig.drive / "lib/neopixel.py").read_bytes()
    assert not (rig.drive / "lib/adafruit_ticks.py").exists()
    assert len((rig.drive / "lib/adafruit_debouncer.py").read_bytes()) > 1000


def test_files_that_were_dragged_by_hand_are_believed_by_their_hashes(rig, run, repo):
    root = repo("one")
    put_by_hand(rig, root)
    with rig:
        status, said = run()
        assert status == 0 and "0 of 14 files to write" in said, said
        assert (rig.drive / "firmware/manifest.txt").exists()


@pytest.mark.parametrize("misses", (1, 2))
def test_first_contact_is_retried_while_a_program_loops(rig, run, repo, misses):
    repo("one")
    (rig.drive / "code.py").write_text(
        "import time\nfor missed in range(%d):\n    try:\n        while True:\n            time.sleep(0.01)\n"
        "    except KeyboardInterrupt:\n        pass\nwhile True:\n    time.sleep(0.01)\n" % misses
    )
    with rig:
        status, said = run("--check")
        assert status == 1 and "missing  lib/neopixel.py" in said, said


@pytest.mark.parametrize("size", (0, 1))
def test_a_bad_reply_at_first_contact_is_retried(rig, run, repo, size):
    repo("one")
    left = [1 + size]

    def garble(data, inward):
        if not inward and b"raw REPL" in data and left[0]:
            left[0] -= 1
            return data.replace(b"raw REPL", b"r\x00w REP\xff")
        return data

    rig.faults = garble
    with rig:
        status, said = run("--check")
        assert status == 1 and "missing  lib/neopixel.py" in said, said
        assert left == [0]


def test_a_board_that_answers_nonsense_is_named(rig, run, repo, monkeypatch):
    repo("one")
    monkeypatch.setattr(link, "CONTACT_TRIES", 2)
    rig.faults = lambda data, inward: data if inward else bytes(byte ^ 0x2A for byte in data)
    with rig:
        status, said = run()
        assert status == 1 and "does not answer as CircuitPython's REPL does" in said, said
        assert said.count("\n") == 1, "one clear line"


@pytest.mark.parametrize(
    "options, why",
    (
        ({"version": "circuitpython 9.1.4"}, "CircuitPython 9.1.4 on the board is too old, 9.2 or newer"),
        ({"version": "micropython 1.28.0"}, "The board runs MicroPython 1.2"),
        ({"heap": 98000}, "The board has 98 KB of heap, the game needs"),
        ({"size": 20480}, "KB more are needed"),
    ),
)
def test_what_cannot_work_is_refused_with_the_one_thing_to_do(rig, run, repo, options, why):
    repo("one", table_bytes=40000)
    rig.power_on(**options)
    status, said = run()
    assert status == 1 and why in said, said
    assert tree(rig.drive) == {}


def test_a_slow_drive_is_waited_for(rig, run, repo):
    root = repo("one", table_bytes=100)
    put_by_hand(rig, root)
    (rig.drive / "engine/lots.py").unlink()
    rig.power_on(slow_ms=250)
    status, said = run()
    assert status == 0 and installed(rig, root), said


def test_a_drive_that_fills_up_meanwhile_keeps_the_old_version(rig, run, repo, monkeypatch):
    put_by_hand(rig, repo("one", table_bytes=20000))
    root = repo("two", table_bytes=20000)
    monkeypatch.setattr(install, "RESERVE_BYTES", -20000)  # believes that there is room where there is none
    rig.power_on(size=70000)
    status, said = run()
    assert status == 1 and "drive is full. What was there still starts" in said, said
    rig.power_off()
    assert first_words(rig) == "one ready"
    monkeypatch.undo()
    rig.power_on(size=0)
    monkeypatch.setattr(flash, "ROOT", root)
    monkeypatch.setattr(board, "NUDGE_AFTER_S", 0.6)
    assert run()[0] == 0 and installed(rig, root)


@pytest.mark.parametrize("size, way", ((76000, "tables"), (62000, "in place")))
def test_without_room_for_both_copies_the_old_one_goes_first(rig, run, repo, size, way, monkeypatch):
    put_by_hand(rig, repo("one", table_bytes=20000, extra=["firmware/page%d.py" % i for i in range(9)]))
    root = repo("two", table_bytes=20000, extra=["firmware/page%d.py" % i for i in range(9)])
    ways = []
    real = install.Installer._room
    monkeypatch.setattr(install.Installer, "_room", lambda self: ways.append(real(self)) or ways[-1])
    rig.power_on(size=size)
    status, said = run()
    assert status == 0 and "two ready" in said, said
    assert installed(rig, root) and ways == [way]


def test_the_drive_is_taken_from_the_computer_where_the_firmware_can(rig, run, repo):
    root = repo("one")
    rig.power_on(readonly=1, unsafe=1)
    status, said = run("--dry-run")
    assert "taken from the computer for the time of the installation" in said
    assert not (rig.state / "unsafe").exists()
    status, said = run()
    assert "the drive was taken from the computer" in said and status == 0, said
    assert installed(rig, root)


def test_a_drive_that_the_computer_let_go_of_is_taken_without_force(rig, run, repo):
    root = repo("one")
    (rig.state / "ejected").touch()
    rig.power_on(readonly=1, unsafe=1)
    status, said = run()
    assert "the computer had let go of the drive" in said and status == 0, said
    assert installed(rig, root) and not (rig.state / "unsafe").exists()


def test_the_button_at_power_on_gives_access(rig, run, repo):
    put_by_hand(rig, repo("one"))
    root = repo("two")
    rig.power_on(readonly=1)
    hand = threading.Thread(target=rig.replug, kwargs={"readonly": 0})
    asked = []

    def watch(data, inward):
        if inward and b"take('remount')" in data:
            asked.append(data)
            if len(asked) == 2:
                hand.start()  # the person has read what is asked, and does it
        return data

    rig.faults = watch
    status, said = run()
    hand.join()
    assert "hold button a" in said and "given by the button at power-on" in said and status == 0, said
    assert installed(rig, root)


def test_ejecting_the_drive_gives_access_too(rig, run, repo):
    put_by_hand(rig, repo("one"))
    root = repo("two")
    rig.power_on(readonly=1)
    asked = []

    def eject(data, inward):
        if inward and b"take('remount')" in data:
            asked.append(data)
            if len(asked) == 2:
                (rig.state / "ejected").touch()  # the person finds the file manager
        return data

    rig.faults = eject
    status, said = run()
    assert "or eject the drive" in said and "the computer let go of the drive" in said and status == 0, said
    assert installed(rig, root)


def test_else_the_mounted_drive_is_written(rig, run, repo, monkeypatch):
    from tools.flasher import drives

    root = repo("one")
    (rig.drive / "boot_out.txt").write_text(
        "Adafruit CircuitPython 10.2.1 on 2026-05-12; Raspberry Pi Pico with rp2040\r\nUID:E660010203040506\r\n"
    )
    drive = drives.Drive(rig.drive)
    monkeypatch.setattr(drives, "mounted", lambda: [drive])
    rig.power_on(readonly=1)
    status, said = run()
    assert "copying to the mounted drive" in said and status == 0 and "one ready" in said, said
    assert installed(rig, root)


def test_without_any_way_it_says_what_to_do(rig, run, repo, monkeypatch):
    from tools.flasher import drives

    repo("one")
    monkeypatch.setattr(drives, "mounted", list)
    rig.power_on(readonly=1)
    status, said = run()
    assert status == 1 and "no CIRCUITPY drive is mounted here" in said, said
    assert tree(rig.drive) == {}


def test_a_program_that_stops_is_shown_with_its_traceback(rig, run, repo):
    root = repo("one")
    (root / "firmware/app.py").write_text("VERSION = missing_name\n")
    with rig:
        status, said = run()
        assert status == 1 and "its program stopped" in said and "NameError" in said, said


def test_a_cable_that_is_pulled_is_reported_and_nothing_is_lost(rig, run, repo):
    put_by_hand(rig, repo("one"))
    root = repo("two")
    seen = [0]

    def pull(data, inward):
        seen[0] += len(data) * inward
        rig.off = seen[0] > 12000
        return data

    rig.faults = pull
    rig.power_on()
    status, said = run()
    rig.faults = None
    assert status == 1 and "The connection to the board" in said and "finish" in said, said
    rig.power_off()
    assert first_words(rig) == "one ready"
    rig.power_on()
    assert run()[0] == 0 and installed(rig, root)


def test_ctrl_c_leaves_the_old_version_running(rig, run, repo, monkeypatch):
    put_by_hand(rig, repo("one"))
    root = repo("two")
    real, left = install.Installer._stage, [3]

    def stop(self, *arguments, **named):
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return real(self, *arguments, **named)

    monkeypatch.setattr(install.Installer, "_stage", stop)
    rig.power_on()
    status, said = run()
    assert status == 130 and "the same command finishes the job" in said
    left[0] = 1000
    status, said = run()
    assert status == 0 and installed(rig, root), said


def outcome(rig):
    """Whether it is "old", "new" or "told" (on pixels and console) for the drive as it is; anything else fails."""
    words = first_words(rig)
    if words.startswith(GUARD):
        assert ("GP0", AMBER) in rig.pixels()
        return "told"
    assert words in ("one ready", "two ready"), words
    return "old" if words == "one ready" else "new"


def drives_of_an_update(rig, run, repo, table_bytes, **options):
    """The drive as the power cut of each moment would leave it, while version one becomes two: a list of trees."""
    put_by_hand(rig, repo("one", table_bytes=table_bytes))
    rig.power_on()
    assert run()[0] == 0
    rig.power_off()
    root = repo("two", table_bytes=table_bytes)
    snapshots = rig.folder / "snapshots"
    snapshots.mkdir()
    rig.power_on(snapshots=snapshots, **options)
    status, said = run()
    assert status == 0 and installed(rig, root), said
    rig.power_off()
    rig.options["snapshots"] = ""
    return root, sorted(snapshots.iterdir())


def becomes(rig, snapshot):
    shutil.rmtree(rig.drive)
    shutil.copytree(snapshot, rig.drive)


@pytest.mark.slow
@pytest.mark.parametrize("size", (0, 54000), ids=("beside the old", "in place of the old"))
def test_broken_off_at_every_change_of_the_drive(rig, run, repo, size):
    """Old, new, or told on pixels and console, never a mixture; and the next run finishes the job."""
    root, snapshots = drives_of_an_update(rig, run, repo, 9000, size=size)
    rig.options["size"] = 0
    outcomes = []
    for number, snapshot in enumerate(snapshots):
        becomes(rig, snapshot)
        outcomes.append(outcome(rig))
        if number % 6 == 0:
            rig.power_on()
            status, said = run()
            rig.power_off()
            assert status == 0 and installed(rig, root), "cut at change %d: %s" % (number, said)
    assert [kind for i, kind in enumerate(outcomes) if not i or outcomes[i - 1] != kind] == ["old", "told", "new"]
    assert outcomes.count("told") > 10


@pytest.mark.parametrize("cut", (7, 45))
def test_a_power_cut_is_reported_and_the_next_run_finishes(rig, run, repo, cut):
    put_by_hand(rig, repo("one"))
    root = repo("two")
    rig.power_on(cut=cut)
    status, said = run()
    assert status == 1 and rig.was_cut(), said
    assert "The connection to the board" in said and "the same command to finish" in said
    rig.power_off()
    assert outcome(rig) == ("old" if cut == 7 else "told")
    rig.power_on(cut=0)
    status, said = run()
    assert status == 0 and installed(rig, root), said


def test_settings_survive_a_cut_at_every_change_of_an_edit(rig, run, repo):
    repo("one")
    with rig:
        assert run()[0] == 0
    own = "FIVE_BRIGHTNESS = 22\n"
    (rig.drive / "settings.toml").write_text(own)
    snapshots = rig.folder / "snapshots"
    snapshots.mkdir()
    rig.power_on(snapshots=snapshots)
    assert run("--board-settings", "confirm=1")[0] == 0
    rig.power_off()
    rig.options["snapshots"] = ""
    for snapshot in sorted(snapshots.iterdir()):
        becomes(rig, snapshot)
        rig.power_on()
        assert run()[0] == 0
        rig.power_off()
        assert (rig.drive / "settings.toml").read_text() in (own, own + "FIVE_CONFIRM = 1\n")
        assert not (rig.drive / "settings.toml.new").exists()
