# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The emulated board without a firmware: drive, UF2, script, WS2812 decoder, instructions, bad input."""

import io
import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tools import node
from tools.emulator import board, drive, firmware, script
from tools.emulator.errors import EmulatorError, NotHere
from tools.environment import ROOT

EMULATOR = ROOT / "tools" / "emulator"


@pytest.fixture
def nothing_supplied(monkeypatch):
    """Neither firmware nor boot ROM is named in the environment."""
    monkeypatch.delenv(firmware.UF2_VARIABLE, raising=False)
    monkeypatch.delenv(firmware.BOOTROM_VARIABLE, raising=False)


# The drive


FILES = {
    "code.py": b"print(1)\n",
    "settings.toml": b"",
    "lib/adafruit_debouncer.py": bytes(range(256)) * 5,
    "firmware/scenes/a name that is much longer than twenty-six characters.py": b"x" * 512,
    "firmware/scenes/a name that is much longer than twenty-six others.py": b"y" * 513,
    "firmware/README": b"z",
}


def test_a_drive_holds_its_files():
    image = drive.write_drive(FILES)
    assert len(image) == 1024 * 1024
    assert drive.read_drive(image) == FILES


def test_a_drive_is_formatted_as_circuitpython_formats_it():
    image = drive.write_drive({})
    # what CircuitPython 10.2.1 has written in these fields when it formatted the Pico's drive itself
    assert image[:36] == bytes.fromhex(
        "ebfe904d53444f53352e30000201010001000200 08f807003f00ff000000000000000000".replace(" ", "")
    )
    assert image[38] == 0x29 and image[510:512] == b"\x55\xaa"
    assert image[512:515] == b"\xf8\xff\xff"  # the table begins with the medium's byte
    assert image[0x1000:0x100C] == b"CIRCUITPY  \x08"  # the label is the root's first entry
    assert drive.read_drive(image) == {}


@pytest.mark.skipif(not shutil.which("fsck.fat"), reason="fsck.fat (dosfstools) is not installed")
def test_a_drive_passes_the_file_system_check(tmp_path):
    path = tmp_path / "drive.img"
    path.write_bytes(drive.write_drive({**FILES, **board.product_files()}))
    done = subprocess.run(["fsck.fat", "-n", str(path)], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout


def test_long_names_have_the_checksum_of_their_short_ones():
    # three that CircuitPython has written
    assert [drive.checksum(short) for short in (b"SETTIN~1TOM", b"~1      FSE", b"~1      TRA")] == [0x19, 0x80, 0x7F]


def test_many_files_in_a_folder_need_several_clusters():
    files = {"engine/module number %d.py" % number: b"%d" % number for number in range(200)}
    assert drive.read_drive(drive.write_drive(files)) == files


def test_files_that_do_not_fit_are_refused():
    with pytest.raises(drive.DriveError, match="do not fit the drive of 1024 KB"):
        drive.write_drive({"a.bin": bytes(600 * 1024), "b.bin": bytes(600 * 1024)})


@pytest.mark.parametrize("name", ["a:b", "a?", "dot.", "", "a\tb"])
def test_names_that_fat_has_not_are_refused(name):
    with pytest.raises(drive.DriveError, match="cannot be a file's name"):
        drive.write_drive({"lib/" + name: b""})


def test_a_file_cannot_be_a_folder_as_well():
    with pytest.raises(drive.DriveError, match="both a file and a folder"):
        drive.write_drive({"lib": b"", "lib/neopixel.py": b""})


def test_what_is_no_drive_is_refused():
    for image in (b"", bytes(1024), bytes(510) + b"\x55\xaa" + bytes(512)):
        with pytest.raises(drive.DriveError):
            drive.read_drive(image)


# The firmware


def uf2(payload, family=firmware.FAMILY_RP2040, blocks=None, first=0):
    """A UF2 of `payload` at the start of the flash."""
    pieces = [payload[at : at + 256] for at in range(0, len(payload), 256)]
    made = []
    for number, piece in enumerate(pieces):
        head = firmware.BLOCK.pack(
            firmware.MAGIC_START, firmware.MAGIC_SECOND, firmware.FLAG_FAMILY, firmware.FLASH_ADDRESS + 256 * number,
            len(piece), number, blocks or len(pieces), family,
        )  # fmt: skip
        made.append((head + piece).ljust(508, b"\0") + struct.pack("<I", firmware.MAGIC_END))
    return b"".join(made[first:])


GOOD = b"Adafruit CircuitPython 10.2.1 on 2026-01-01; Raspberry Pi Pico with rp2040\0raspberry_pi_pico\0" + bytes(400)


def test_a_firmware_comes_out_of_its_uf2():
    image = firmware.uf2_image(uf2(GOOD))
    assert image.startswith(GOOD) and len(image) == 1020 * 1024 and image.endswith(b"\xff")
    assert firmware.version(image) == "10.2.1"
    flash = firmware.flash_image(image, drive.write_drive(FILES), bytes(4096))
    assert len(flash) == 2 * 1024 * 1024
    assert flash[0xFF000:0x100000] == bytes(4096)
    assert drive.read_drive(flash[0x100000:]) == FILES


@pytest.mark.parametrize(
    "data, told",
    [
        (b"", "is no UF2 file"),
        (b"hello" * 1000, "is no UF2 file"),
        (uf2(GOOD, family=0xE48BFF59), "is for the RP2350"),
        (uf2(GOOD, family=0x12345678), "is for another chip .family 0x12345678."),
        (uf2(GOOD)[:600], "is cut short"),
        (uf2(GOOD)[:512] + b"\0" * 512, "is damaged at byte 512"),
        (uf2(b"MicroPython v1.29" + bytes(300)), "is MicroPython"),
        (uf2(bytes(300)), "is no CircuitPython"),
        (uf2(GOOD.replace(b"raspberry_pi_pico", b"adafruit_feather_")), "is CircuitPython for another board"),
    ],
)
def test_a_wrong_uf2_is_told_in_one_line_with_the_remedy(data, told):
    with pytest.raises(EmulatorError, match=told) as caught:
        firmware.uf2_image(data, "it.uf2")
    text = str(caught.value)
    assert "\n" not in text and text.startswith("it.uf2") and caught.value.status == 2
    assert "circuitpython.org/board/raspberry_pi_pico" in text or "download it once more" in text


def test_a_bootrom_is_checked(tmp_path):
    good = tmp_path / "b2.bin"
    good.write_bytes(bytes(16) + b"Mu\x01" + bytes(16384 - 19))
    assert firmware.find_bootrom(str(good)) == good
    for content in (b"", bytes(16384), good.read_bytes() + b"\0"):
        bad = tmp_path / "bad.bin"
        bad.write_bytes(content)
        with pytest.raises(EmulatorError, match="bad.bin is no boot ROM of the RP2040"):
            firmware.find_bootrom(str(bad))


def test_what_the_person_supplies_is_asked_for(nothing_supplied, monkeypatch):
    with pytest.raises(NotHere, match="no CircuitPython firmware: name it with --uf2 FILE or in FIVE_UF2"):
        firmware.read_uf2()
    with pytest.raises(NotHere, match="no boot ROM of the RP2040: name it with --bootrom FILE or in FIVE_BOOTROM"):
        firmware.find_bootrom()
    monkeypatch.setenv("FIVE_UF2", "not/there.uf2")
    with pytest.raises(NotHere, match="not/there.uf2, the CircuitPython firmware, is not there"):
        firmware.read_uf2()
    assert "is not there" in board.why_not()


# Scripts


def test_a_script_is_read():
    steps = script.parse(
        """
        # a game
        d down 7000          # the middle
        d up +60
        p press +500 1200
        type +0 new five level 3   # stays
        wait 2. ○
        end +3000
        """
    )
    assert [(step.kind, step.ms, step.relative) for step in steps] == [
        ("contact", 7000, False),
        ("contact", 60, True),
        ("press", 500, True),
        ("type", 0, True),
        ("wait", 0, True),
        ("end", 3000, True),
    ]
    assert [steps[0].down, steps[1].down, steps[0].button, steps[2].button] == [True, False, 3, 7]
    assert steps[2].hold_ms == 1200
    assert steps[3].text == "new five level 3 # stays" and steps[4].text == "2. ○"


@pytest.mark.parametrize(
    "line, told",
    [
        ("h down 5", "'h' is no button a to g or p, nor type, wait or end"),
        ("d sideways 5", "a button's line is"),
        ("d down", "a button's line is"),
        ("d down soon", "'soon' is no time in milliseconds"),
        ("d down -5", "'-5' is no time in milliseconds"),
        ("d down nan", "'nan' is no time in milliseconds"),
        ("type +0", "type needs a time and a line"),
        ("wait", "wait needs the text"),
        ("end", "end needs a time"),
    ],
)
def test_a_wrong_line_of_a_script_is_named(line, told):
    with pytest.raises(EmulatorError) as caught:
        script.parse("d down 1\n" + line)
    assert str(caught.value).startswith("script, line 2: ") and told in str(caught.value)
    assert caught.value.status == 2


class Stub:
    """As much of a board as a script needs; it prints an answer 250 ms after each line that it is sent."""

    def __init__(self):
        self.ms = 0.0
        self.lines = []
        self.contacts = []
        self.on_frame = self.on_line = None

    def now_ms(self):
        return self.ms

    def run(self, ms):
        self.ms = max(self.ms, ms)

    def run_for(self, ms):
        self.ms += ms

    def contact(self, button, down):
        self.contacts.append((button, down, self.ms))

    def serial_in(self, text):
        self.lines.append(board.Line(self.ms + 250, "answer to " + text.strip()))
        self.on_line(self.lines[-1])

    def wait_for_line(self, text, limit_ms, after):
        found = next(line for line in self.lines[after:] if text in line.text)
        self.ms = max(self.ms, found.ms)
        return found


def test_times_of_a_script_count_from_the_line_before_or_from_what_was_awaited():
    stub, out = Stub(), io.StringIO()
    steps = script.parse("type 1000 new\nwait answer\nd down +50\nd up +60\na press +100 30\nend +500")
    script.play(stub, steps, script.Log(stub, out))
    assert stub.contacts == [(3, True, 1300), (3, False, 1360), (0, True, 1460), (0, False, 1490)]
    assert stub.ms == 1990
    lines = [line.split(None, 2) for line in out.getvalue().splitlines()]
    assert ["1000.0", "typed", "new"] in lines and ["1250.0", "printed", "answer to new"] in lines
    assert ["1300.0", "button", "d down"] in lines and ["1490.0", "button", "a up"] in lines


def test_a_script_without_an_end_runs_on_for_a_second_and_a_time_that_has_passed_is_named():
    stub = Stub()
    script.play(stub, script.parse("d down 100\nd up 160"))
    assert stub.ms == 1160
    with pytest.raises(EmulatorError, match="script, line 2: 50 ms has passed: it is 100"):
        script.play(Stub(), script.parse("d down 100\nd up 50"))


def test_the_log_tells_frames_when_their_letters_change_and_as_json_all_of_them():
    dark = bytes(162)
    lit = bytes(3 * 10) + b"\x20\0\0" + bytes(162 - 33)  # row 4 of column 1 (button a), counted from 0
    dimmer = bytes(3 * 10) + b"\x1f\0\0" + bytes(162 - 33)
    for as_json, count in ((False, 2), (True, 3)):
        stub, out = Stub(), io.StringIO()
        script.Log(stub, out, as_json)
        for ms, rgb in enumerate((dark, lit, dimmer)):
            stub.on_frame(board.Frame(ms, ms + 1.62, rgb))
        lines = out.getvalue().splitlines()
        assert len(lines) == count
    told = json.loads(lines[1])
    assert told["ms"] == 1 and told["lit"][1] == ".R......." and bytes.fromhex(told["rgb"]) == lit
    assert told["lit"][0] == told["lit"][2] == "........."


def test_terminal_escapes_are_no_part_of_a_line():
    text = "\x1b]0;🐍code.py | 10.2.1\x1b\\ready\x1b[2K\x1b[0G."
    assert board.clean(text) == "ready."


# JavaScript


def run_node(*arguments, script_text=None):
    problem = node.why_no_node()
    if problem:
        pytest.skip(problem)
    done = subprocess.run(
        ["node", *arguments], input=script_text, capture_output=True, encoding="utf-8", cwd=EMULATOR, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


DECODE = """
import { Ws2812Decoder } from './ws2812.mjs';
const frames = [];
const decoder = new Ws2812Decoder((frame) => frames.push({ ...frame, bytes: [...frame.bytes] }));
let now = 1000;
function send(bytes, bits = 8 * bytes.length, [zero, one, period] = [312, 704, 1250]) {
  for (let i = 0; i < bits; i++) {
    decoder.edge(now, 1);
    decoder.edge(now + ((bytes[i >> 3] >> (7 - (i & 7))) & 1 ? one : zero), 0);
    now += period;
  }
}
send([0x00, 0xff, 0xa5, 0x01]);
decoder.check(now + 30000);
const early = frames.length;
decoder.check(now + 60000);
now += 300000;
decoder.edge(now - 100, 0); // no change
send([0x80, 0x7f]);
now += 9000; // shorter than the latch: the same frame
send([0x12], 5);
now += 60000; // longer: the next edge ends the frame before it
send([0xc3], 8, [400, 800, 1250]);
decoder.check(now + 60000);
console.log(JSON.stringify({ early, frames }));
"""


def test_the_wires_levels_are_decoded():
    told = json.loads(run_node("--input-type=module", script_text=DECODE))
    assert told["early"] == 0  # a frame is over when the wire has been low for the latch time
    first, second, third = told["frames"]
    assert first["bytes"] == [0x00, 0xFF, 0xA5, 0x01] and first["looseBits"] == 0
    assert (first["startNs"], first["endNs"]) == (1000, 1000 + 31 * 1250 + 704)
    assert (first["shortNs"], first["longNs"]) == (312, 704)
    assert second["bytes"] == [0x80, 0x7F] and second["looseBits"] == 5
    assert third["bytes"] == [0xC3] and (third["shortNs"], third["longNs"]) == (400, 800)


def test_a_frame_of_the_matrix_takes_the_time_that_it_takes_on_the_wire():
    text = (
        DECODE.split("send([0x00")[0]
        + "send(new Array(162).fill(0x55));decoder.check(now+1e6);console.log(JSON.stringify(frames));"
    )
    (frame,) = json.loads(run_node("--input-type=module", script_text=text))
    assert frame["bytes"] == [0x55] * 162
    assert (frame["endNs"] - frame["startNs"]) / 1e6 == pytest.approx(1.62, abs=0.01)


def test_instructions_do_what_rp2040js_does():
    if node.missing():
        pytest.skip("npm's rp2040js is not installed")
    told = run_node(str(ROOT / "tests" / "emulator_cpu.mjs"), "60000", "20260101").splitlines()
    assert told[-1].startswith("instructions: 60000 wrong: 0 left to rp2040js: "), "\n".join(told)
    assert int(told[-1].split()[-1]) < 6000  # the test would show nothing if they were all left to it


# The command


def command(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", "tools", "emulate", *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


def test_the_command_tells_in_one_line_what_is_wrong(tmp_path, nothing_supplied):
    bad = tmp_path / "bad.uf2"
    bad.write_bytes(uf2(GOOD, family=0xE48BFF59))
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("x down 5\n")
    steps = tmp_path / "steps.txt"
    steps.write_text("d down 5\n")
    state = tmp_path / "state.nvm"
    state.write_bytes(b"short")
    for arguments, status, told in (
        ((), 1, "no CircuitPython firmware"),
        (("--uf2", str(bad)), 2, "bad.uf2 is for the RP2350"),
        (("--script", str(wrong)), 2, "script, line 1"),
        (("--script", "not there"), 2, "not there cannot be read"),
        (("--settings", "brightness"), 2, "is not KEY=VALUE"),
        (("--settings", "brightness=3000"), 2, "FIVE_BRIGHTNESS"),
        (("--settings", "colour=3"), 2, "There is no setting FIVE_COLOUR"),
        (("--state", str(state)), 2, "is no board's memory"),
        (("--serial", "0", "--script", str(steps)), 2, "leave out --serial"),
        (("--no-view",), 2, "--no-view is for"),
        (("--json",), 2, "--json is for --script"),
        (("--bounce", "100"), 2, "--bounce 100"),
    ):
        code, out, error = command(*arguments)
        assert code == status and told in error and error.count("\n") == 1, (arguments, error)
        assert not out
    assert state.read_bytes() == b"short"


def test_settings_reach_the_drive():
    files = board.product_files((("FIVE_BRIGHTNESS", "30"),), {"extra.txt": b"1", "boot.py": None})
    assert b"\nFIVE_BRIGHTNESS = 30\n" in files["settings.toml"]
    assert files["extra.txt"] == b"1" and "boot.py" not in files and "lib/neopixel.py" in files


def test_nothing_of_the_firmware_is_in_the_repository():
    tracked = subprocess.run(["git", "ls-files"], capture_output=True, encoding="utf-8", cwd=ROOT).stdout.split()
    assert not [name for name in tracked if name.endswith((".uf2", ".elf")) or "bootrom" in Path(name).name]
