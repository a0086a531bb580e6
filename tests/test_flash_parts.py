# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The installer's parts that need no board: files, ports, drives, settings, manifest, texts of faults."""

import argparse
import errno
import os
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import console, flash
from tools.flasher import drives, install, link, ports
from tools.flasher.errors import FlashError
from tools.flasher.files import FilesError, board_files
from tools.flasher.package import HEAD, Package, read_manifest
from tools.flasher.settings_file import edit, parse_pairs, values
from tools.flasher.target import DriveTarget

ROOT = Path(__file__).resolve().parent.parent
PICO_NOTE = (
    "Adafruit CircuitPython 10.2.1 on 2026-05-12; Raspberry Pi Pico with rp2040\r\nBoard ID:x\r\nUID:E66001AB\r\n"
)


# files


def test_the_board_gets_its_rooms_and_libraries_and_no_desktop_module():
    paths = [path for _, path in board_files(ROOT)]
    assert paths == sorted(set(paths))
    for path in (
        "boot.py",
        "code.py",
        "settings.toml",
        "engine/position.py",
        "hal/circuitpython.py",
        "lib/neopixel.py",
    ):
        assert path in paths
    assert "lib/adafruit_pixelbuf.py" not in paths, "the reference board has it in C"
    assert "lib/adafruit_pixelbuf.py" in [path for _, path in board_files(ROOT, pixelbuf=True)]
    for path in paths:
        assert not path.startswith(("hal/simulated", "hal/terminal", "tools/", "tests/", "firmware/code.py"))
        assert not path.endswith((".txt", ".pyc", ".md"))


def test_every_import_of_a_board_file_is_on_the_board():
    """What the files import from the rooms and libraries is itself in the list."""
    files = {path: source for source, path in board_files(ROOT)}
    modules = {path[:-3].replace("/", ".") for path in files if path.endswith(".py")}
    modules |= {module.rpartition(".")[0] for module in modules}  # a folder is a package, with __init__.py or without
    for path, source in files.items():
        if path.endswith(".py") and not path.startswith("lib/"):
            for name in re.findall(r"(?m)^\s*(?:from|import) ((?:engine|hal|firmware)[.\w]*)", source.read_text()):
                assert name in modules, "%s imports %s, which is not on the board" % (path, name)


def test_a_repository_without_a_root_file_is_named(tmp_path):
    (tmp_path / "firmware").mkdir()
    with pytest.raises(FilesError, match=r"firmware/boot\.py is missing"):
        board_files(tmp_path)


def test_requirements_pin_what_is_installed_here():
    """circup and pip read the same file; it names the versions that the package list pins."""
    pinned = re.findall(r'"(adafruit-circuitpython-[a-z]+)==([\d.]+)"', (ROOT / "pyproject.toml").read_text())
    lines = [
        line
        for line in (ROOT / "firmware/requirements.txt").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    assert len(lines) == 3
    for line in lines:
        assert tuple(line.split("==")) in pinned


# ports


def usb(device, serial_number="E661", vid=0x239A, product="Pico", interface="CircuitPython CDC control"):
    return SimpleNamespace(
        device=device,
        vid=vid,
        serial_number=serial_number,
        product=product,
        description=product,
        interface=interface,
        manufacturer="Raspberry Pi",
    )


PLAIN = SimpleNamespace(device="/dev/ttyS0", vid=None, serial_number=None, product=None)


def test_one_board_needs_no_port():
    second = usb("/dev/ttyACM1", interface="CircuitPython CDC2 data")
    assert ports.choose(None, [PLAIN, usb("/dev/ttyACM0"), second]).device == "/dev/ttyACM0"
    modem = usb("/dev/ttyUSB0", vid=0x10C4, product="CP2102", interface=None)
    assert ports.choose(None, [modem, usb("/dev/ttyACM0")]).device == "/dev/ttyACM0", "a sure board wins"
    assert ports.choose(None, [modem]).device == "/dev/ttyUSB0"


def test_several_boards_are_listed_with_their_names():
    with pytest.raises(FlashError) as caught:
        ports.choose(None, [usb("/dev/ttyACM0", "AA"), usb("/dev/ttyACM1", "BB", product="Feather")])
    assert caught.value.status == 2
    text = str(caught.value)
    assert "/dev/ttyACM0" in text and "serial number AA" in text and "Feather" in text and "/dev/ttyACM1" in text


def test_no_board_says_what_to_check_step_by_step():
    with pytest.raises(FlashError, match="No board found") as caught:
        ports.choose(None, [PLAIN])
    assert str(caught.value).count("\n  ") == 6


# drives


def test_mounted_drives_are_found_on_linux(tmp_path):
    root = tmp_path / "my CIRCUITPY"
    root.mkdir()
    (root / "boot_out.txt").write_text(PICO_NOTE)
    other = tmp_path / "stick"
    other.mkdir()
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "proc /proc proc rw 0 0\n/dev/sda1 %s vfat rw 0 0\n/dev/sdb1 %s vfat rw 0 0\n/dev/sdc1 / ext4 rw 0 0\n"
        % (str(root).replace(" ", "\\040"), other)
    )
    found = drives.mounted("linux", mounts=mounts)
    assert [drive.root for drive in found] == [root]
    assert (found[0].version, found[0].name, found[0].uid) == ((10, 2, 1), "Raspberry Pi Pico", "e66001ab")
    assert drives.mounted("linux", mounts=tmp_path / "none") == []


def test_mounted_drives_are_found_on_macos(tmp_path):
    for name in ("CIRCUITPY", "Macintosh HD", "CIRCUITPY 1"):
        (tmp_path / name).mkdir()
    (tmp_path / "CIRCUITPY 1" / "boot_out.txt").write_text(PICO_NOTE)
    found = drives.mounted("darwin", volumes=tmp_path)
    assert [drive.root.name for drive in found] == ["CIRCUITPY", "CIRCUITPY 1"]
    assert drives.of_board("E66001AB", found).root.name == "CIRCUITPY 1"
    assert drives.of_board("ffff", found) is None, "another board's drive is never written"


def test_mounted_drives_are_found_on_windows(tmp_path, monkeypatch):
    labels = {"C:\\": (3, "Windows"), "D:\\": (2, "CIRCUITPY"), "E:\\": (2, "STICK"), "Z:\\": (4, "share")}
    import ctypes

    def label(root, buffer, *_):
        buffer.value = labels[root][1]
        return 1

    letters = sum(1 << (ord(root[0]) - 65) for root in labels)
    kernel = SimpleNamespace(
        GetLogicalDrives=lambda: letters,
        GetDriveTypeW=lambda root: labels[root][0],
        GetVolumeInformationW=label,
    )
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    assert [str(drive.root) for drive in drives.mounted("win32")] == ["D:\\"]


def test_a_folder_that_is_no_boards_drive_is_refused(tmp_path, capsys):
    assert flash_with(str(tmp_path)) == 1
    assert "is not the drive of a CircuitPython board: it has no boot_out.txt" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def flash_with(*words):
    parser = argparse.ArgumentParser()
    flash.add_arguments(parser)
    return flash.run(parser.parse_args(list(words)))


def test_a_drive_without_its_serial_line_is_installed_and_checked(tmp_path, capsys):
    (tmp_path / "boot_out.txt").write_text(PICO_NOTE)
    assert flash_with(str(tmp_path), "--check") == 1
    assert flash_with(str(tmp_path)) == 0
    for source, path in board_files(ROOT):
        assert (tmp_path / path).read_bytes() == source.read_bytes()
    assert flash_with(str(tmp_path), "--check") == 0
    (tmp_path / "engine/position.py").write_text("broken")
    assert flash_with(str(tmp_path), "--check") == 1
    assert "differs  engine/position.py" in capsys.readouterr().out
    assert flash_with(str(tmp_path), "--board-settings", "brightness=11") == 0
    assert "\nFIVE_BRIGHTNESS = 11\n" in (tmp_path / "settings.toml").read_text()
    assert flash_with(str(tmp_path)) == 0
    assert flash_with(str(tmp_path), "--check") == 0, "a setting of one's own is no difference"
    (tmp_path / "boot_out.txt").write_text(PICO_NOTE.replace("10.2.1", "8.2.0"))
    assert flash_with(str(tmp_path)) == 1
    assert "CircuitPython 8.2.0 on the board is too old" in capsys.readouterr().err


# manifest


def test_a_manifest_is_believed_line_by_line_and_never_leads_out_of_the_drive():
    version, listed = read_manifest(Package(ROOT).manifest())
    assert version == Package(ROOT).version and "code.py" in listed and "settings.toml" not in listed
    bad = [HEAD, "version 1", "0" * 64 + " 5 ../etc/passwd", "0" * 64 + " 5 settings.toml", "xyz 5 a.py", "0" * 64]
    assert read_manifest("\n".join(bad + ["f" * 64 + " 5 a b.py"]).encode()) == ("1", {"a b.py": (5, "f" * 64)})
    assert read_manifest(b"\xff\xfe\x00") == (None, {})


def test_settings_of_the_board_are_no_part_of_the_version(tmp_path):
    import shutil

    for room in ("engine", "hal", "firmware"):
        shutil.copytree(ROOT / room, tmp_path / room)
    before = Package(tmp_path).version
    (tmp_path / "firmware/settings.toml").write_text("# other\n")
    assert Package(tmp_path).version == before
    (tmp_path / "engine/position.py").write_text("# other\n")
    assert Package(tmp_path).version != before


# settings.toml


def test_an_edit_keeps_comments_order_and_line_ends():
    template = (ROOT / "firmware/settings.toml").read_bytes()
    data, said = edit(None, parse_pairs(["budget_ma=500", "FIVE_CLOCK_PRESETS=5+3"]), template)
    assert said == ["FIVE_BUDGET_MA: default -> 500", 'FIVE_CLOCK_PRESETS: default -> "5+3"']
    assert values(data.decode()) == {"FIVE_BUDGET_MA": 500, "FIVE_CLOCK_PRESETS": "5+3"}
    assert len(data.splitlines()) == len(template.splitlines())
    windows = b'# x\r\nOTHER = "a # b"\r\nFIVE_BUDGET_MA = 300 # weak supply\r\nFIVE_BUDGET_MA = 310\r\n'
    data, said = edit(windows, parse_pairs(["budget_ma=320"]), template)
    assert data == b'# x\r\nOTHER = "a # b"\r\nFIVE_BUDGET_MA = 320\r\n'
    data, said = edit(data, parse_pairs(["budget_ma="]), template)
    assert data == b'# x\r\nOTHER = "a # b"\r\n# FIVE_BUDGET_MA = 320\r\n'
    assert said == ["FIVE_BUDGET_MA: 320 -> default"]


@pytest.mark.parametrize(
    "pair, why",
    [
        ("brightness=300", "is not a whole number from 1 to 100"),
        ("palette=mud", "is none of: red yellow"),
        ("clock_presets=5+3 fast", "clock 'fast' is none such as 5+3"),
        ("brihtness=30", "did you mean FIVE_BRIGHTNESS?"),
    ],
)
def test_a_wrong_setting_is_refused_without_a_board(pair, why, monkeypatch, capsys):
    monkeypatch.setattr(ports, "candidates", lambda comports=None: [])
    assert flash_with("--board-settings", "cue=1", pair) == 2  # before a board is looked for
    assert why in capsys.readouterr().err
    assert flash_with("--board-settings", "cue=1") == 1  # that would be right, but there is no board
    assert "No board found" in capsys.readouterr().err


def test_a_key_that_begins_like_another_is_another():
    data, _ = edit(b"FIVE_CLOCK_PRESETS_OLD = 1\n", parse_pairs(["clock_presets=5+3"]), b"")
    assert data == b'FIVE_CLOCK_PRESETS_OLD = 1\nFIVE_CLOCK_PRESETS = "5+3"\n'


def test_a_setting_is_written_above_any_table_where_the_board_reads_it():
    data, _ = edit(b"# x\n[other]\na = 1\nFIVE_CUE = 0\n", parse_pairs(["cue=1"]), b"")
    assert data == b"# x\nFIVE_CUE = 1\n[other]\na = 1\nFIVE_CUE = 0\n"
    assert values(data.decode()) == {"FIVE_CUE": 1}


def test_circuitpythons_own_keys_can_be_set():
    data, _ = edit(b"# x\n", parse_pairs(["CIRCUITPY_PYSTACK_SIZE=4000", 'CIRCUITPY_WIFI_SSID=a"b\\c']), b"")
    assert data == b'# x\nCIRCUITPY_PYSTACK_SIZE = 4000\nCIRCUITPY_WIFI_SSID = "a\\"b\\\\c"\n'
    assert values(data.decode())["CIRCUITPY_WIFI_SSID"] == 'a"b\\c'


def test_settings_that_are_no_text_are_not_touched():
    with pytest.raises(FlashError, match="no UTF-8 text"):
        edit(b"\xff\xfe", parse_pairs(["budget_ma=500"]), b"")


# faults


@pytest.mark.parametrize(
    "traceback, number, why",
    (
        ("OSError: [Errno 28] No space left on device", errno.ENOSPC, "drive is full"),
        ("OSError: [Errno 30] Read-only filesystem", errno.EROFS, "read-only for the board"),
        ("OSError: [Errno 2] No such file/directory: x", errno.ENOENT, "The board reported"),
        ("OSError: [Errno 2] ENOENT", errno.ENOENT, "The board reported"),
        ("OSError: 28", errno.ENOSPC, "drive is full"),
        ("MemoryError: memory allocation failed, allocating 2048 bytes", None, "not enough free memory"),
        ("RuntimeError: pystack exhausted", None, "pystack exhausted"),
    ),
)
def test_faults_are_read_by_their_number_not_their_words(traceback, number, why):
    fault = link.board_fault('Traceback (most recent call last):\r\n  File "<stdin>", line 1\r\n%s\r\n' % traceback)
    assert fault.errno == number and why in str(fault)


def test_the_boards_own_first_line_is_told_from_what_surrounds_it():
    lines = [
        b"\x1b]0;\xf0\x9f\x90\x8dWi-Fi: off | code.py | 10.2.1\x1b\\\r",
        b"Auto-reload is on. Simply save files over USB to run them or enter REPL to disable.\r",
        b"code.py output:\r",
        b"\r",
    ]
    assert all(link.is_banner(link.plain(line)) for line in lines)
    assert link.plain(b"\x1b]0;x\x07\x1b[1m7. \xe2\x97\x8f d\x1b[0m\r") == "7. ● d"
    assert not link.is_banner("7. ● d")


def test_a_wrong_port_says_so_and_status_is_not_zero(capsys):
    assert flash_with("/dev/ttyNONE77") == 1
    assert capsys.readouterr().err == (
        "flash: There is no port /dev/ttyNONE77: look at the list that `python3 -m tools flash --list` prints.\n"
    )
    assert flash_with("nonsense://x") == 2
    assert "is no port: name a serial port" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="POSIX terminals")
def test_a_port_in_use_says_so(capsys):
    import pty

    import serial

    master, slave = pty.openpty()
    with serial.Serial(os.ttyname(slave), exclusive=True):
        assert flash_with(os.ttyname(slave)) == 1
    assert "is in use by another program" in capsys.readouterr().err
    os.close(master)
    os.close(slave)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="groups of /dev on Linux")
def test_without_permission_the_group_is_named(monkeypatch, tmp_path):
    import grp

    import serial

    port = tmp_path / "ttyACM0"
    port.touch()

    def refuse(*_, **__):
        raise serial.SerialException(errno.EACCES, "could not open port: Permission denied")

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    group = next(entry for entry in grp.getgrall() if entry.gr_name == "dialout")
    monkeypatch.setattr(os, "stat", lambda path, real=os.stat: SimpleNamespace(st_gid=group.gr_gid))
    assert "sudo usermod -aG dialout $USER" in link.why_not_opened(str(port))


def test_a_mounted_drive_that_fills_up_says_so(tmp_path, monkeypatch):
    target = DriveTarget(tmp_path)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FlashError, match="drive is full"):
        target.put("a.py", b"x")


def test_library_versions_are_compared_as_numbers():
    assert install.library_version(b'import x\n__version__ = "6.10.2"\n') > install.library_version(
        b'__version__ = "6.4.2"'
    )
    assert install.library_version(b"nothing") == ()


# the console


@pytest.fixture
def echo_board():
    """A board on a TCP port that answers each line with `got ● LINE`, byte by byte."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        peer, _ = server.accept()
        with peer, peer.makefile("rwb") as lines:
            for line in lines:
                if not line.strip():  # the board has no answer to an empty line either
                    continue
                for byte in "got ● ".encode() + line.strip() + b"\r\n":
                    lines.write(bytes((byte,)))
                    lines.flush()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield "socket://127.0.0.1:%d" % server.getsockname()[1]
    server.close()


def test_the_console_takes_lines_from_a_pipe(echo_board):
    done = subprocess.run(
        [sys.executable, "-m", "tools", "console", echo_board],
        input="show\nd\n",
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        cwd=ROOT,
    )
    assert (done.returncode, done.stdout) == (0, "got ● show\ngot ● d\n"), done.stderr


@pytest.mark.skipif(os.name == "nt", reason="POSIX terminals")
def test_the_console_carries_keys_until_it_is_left(echo_board):
    import pty

    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "tools", "console", echo_board], stdin=slave, stdout=slave, stderr=slave, cwd=ROOT
    )
    seen = b""
    while b"Ctrl-] leaves" not in seen:
        seen += os.read(master, 1000)
    os.write(master, b"help\n")
    while "got ● help".encode() not in seen:
        seen += os.read(master, 1000)
    os.write(master, console.LEAVE[0])
    assert process.wait(timeout=20) == 0
    os.close(master)
    os.close(slave)


def test_the_console_names_a_wrong_port(capsys):
    parser = argparse.ArgumentParser()
    console.add_arguments(parser)
    assert console.run(parser.parse_args(["/dev/ttyNONE77"])) == 1
    assert "There is no port /dev/ttyNONE77" in capsys.readouterr().err
