# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A board made of MicroPython for the desktop behind a pseudo-terminal, with a folder as its drive.

It restarts itself as a board does: `microcontroller.reset()` and Ctrl-D start the program again, a reset makes the port
vanish and come back under another device. A power cut (`cut_at`) leaves it off until `power_on`.
"""

import fcntl
import os
import pty
import select
import shutil
import subprocess
import sys
import termios
import threading
import time
import tty
from pathlib import Path

HERE = Path(__file__).resolve().parent
INTERPRETER = Path(sys.executable).with_name("micropython")


class Rig:
    """folder: a scratch folder; options: the environment of modules/drive.py and start.py without `BOARD_`."""

    def __init__(self, folder, **options):
        self.folder = Path(folder)
        self.drive = self.folder / "drive"
        self.state = self.folder / "state"
        self.port = str(self.folder / "port")
        self.options = options
        self.drive.mkdir(parents=True, exist_ok=True)
        self.state.mkdir(exist_ok=True)
        self.process = None
        self.faults = None  # (bytes, True when they come from the computer) -> the bytes that arrive
        self.off = True
        self._thread = None

    # power

    def power_on(self, **options):
        """Plugs the board in; options change those given before. The port appears."""
        self.options.update(options)
        self.off = False
        self._plug()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def power_off(self):
        """Pulls the cable."""
        self.off = True
        if self._thread:
            self._thread.join()
            self._thread = None

    def replug(self, **options):
        """Pulls the cable and plugs it in again."""
        self.power_off()
        time.sleep(0.3)
        self.power_on(**options)

    def __enter__(self):
        return self.power_on()

    def __exit__(self, *_):
        self.power_off()

    def was_cut(self):
        """True once the power went at the change that `cut` names."""
        return (self.state / "cut").exists()

    def pixels(self):
        """The frames that were sent by `neopixel_write`, as (pin, bytes)."""
        try:
            lines = (self.state / "pixels").read_text().splitlines()
        except OSError:
            return []
        return [(line.split()[0], bytes.fromhex(line.split()[1])) for line in lines]

    def forget(self):
        """Empties the rig's own notes."""
        shutil.rmtree(self.state)
        self.state.mkdir()

    # insides

    def _plug(self):
        self._outer = pty.openpty()  # the computer opens its slave by name
        self._inner = pty.openpty()  # the interpreter sits on its slave
        for _, slave in (self._outer, self._inner):
            tty.setraw(slave)
        os.set_blocking(self._outer[0], False)
        os.set_blocking(self._inner[0], False)
        self._start()
        link = Path(self.port)
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(self._outer[1]))

    def _unplug(self):
        Path(self.port).unlink(missing_ok=True)
        for descriptor in self._outer + self._inner:
            os.close(descriptor)

    def _environment(self):
        return dict(
            os.environ,
            BOARD_DRIVE=str(self.drive),
            BOARD_STATE=str(self.state),
            BOARD_MODULES=str(HERE / "modules"),
            MICROPYPATH=str(HERE / "modules"),
            **{"BOARD_" + name.upper(): str(value) for name, value in self.options.items()},
        )

    def first_words(self):
        """What the drive's program says first when the board is plugged in, without any line to a computer."""
        process = subprocess.Popen(
            [str(INTERPRETER), str(HERE / "start.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self._environment(),
            cwd=self.drive,
            text=True,
        )
        said = ""
        for line in process.stdout:
            said = line.strip()
            if said and not said.startswith("Auto-reload") and not said.endswith(" output:"):
                break
        process.kill()
        process.communicate()
        return said

    def _start(self):
        self._up = False
        slave = self._inner[1]

        def become_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [str(INTERPRETER), "-i", str(HERE / "start.py")],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=self._environment(),
            cwd=self.drive,
            preexec_fn=become_terminal,
        )

    def _watch(self):
        """Carries bytes between the two lines, and starts the interpreter again when it ended."""
        while True:
            outer, inner = self._outer[0], self._inner[0]
            while self.process.poll() is None:
                if self.off:
                    self.process.kill()
                # what is typed while the interpreter itself starts waits, as in a board's USB buffer
                ready = select.select([outer, inner] if self._up else [inner], [], [], 0.05)[0]
                if outer in ready:
                    self._carry(outer, inner, inward=True)
                if inner in ready:
                    self._carry(inner, outer, inward=False)
            if not self.off and not self.was_cut():
                self._carry(inner, outer, inward=False)
            if self.off or self.was_cut():
                self._unplug()
                return
            if (self.state / "reset").exists():
                (self.state / "reset").unlink()
                self._unplug()
                time.sleep(0.2)
                self._plug()
            else:
                self._start()

    def _carry(self, source, sink, inward):
        try:
            data = os.read(source, 1024)
        except OSError:
            return
        self._up = True
        if self.faults:
            data = self.faults(data, inward)
        while data:
            if not select.select([], [sink], [], 1)[1]:
                return  # nobody reads: lost, as on a USB line
            data = data[os.write(sink, data) :]
