# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The stand-in board's start, run by MicroPython: gives it what CircuitPython has, takes away what it has not, runs the
drive's program as CircuitPython does, and leaves the REPL to the serial line."""

import builtins
import sys

import drive
import serial_in


class _Module:
    pass


def _copy(module):
    made = _Module()
    for name in dir(module):
        if not name.startswith("__"):
            setattr(made, name, getattr(module, name))
    return made


def _become_circuitpython():
    import gc
    import hashlib

    real = _copy(sys)
    implementation = _Module()
    words = (drive.real_os.getenv("BOARD_VERSION") or "circuitpython 10.2.1").split()
    implementation.name = words[0]
    implementation.version = tuple([int(part) for part in words[1].split(".")])
    real.implementation = implementation
    real.stdin = serial_in.Stdin
    sys.modules["sys"] = real

    time = _copy(serial_in.real_time)
    time.sleep = serial_in.sleep
    sys.modules["time"] = time

    sys.modules["os"] = drive.Os
    builtins.open = drive.open
    builtins.OSError = drive.OSError

    hashes = _Module()

    def new(name, data=b""):
        if name not in ("sha1", "sha256"):
            raise ValueError("Unsupported hash algorithm")
        return getattr(hashlib, name)(data)

    hashes.new = new
    sys.modules["hashlib"] = hashes

    heap = drive.real_os.getenv("BOARD_HEAP")
    if heap:
        small = _copy(gc)
        small.mem_free = lambda: int(heap)
        small.mem_alloc = lambda: 0
        sys.modules["gc"] = small

    pixelbuf = _Module()  # in C on the board: no __file__
    sys.modules["adafruit_pixelbuf"] = pixelbuf


def _run_program():
    for name in ("code.txt", "code.py", "main.py", "main.txt"):
        try:
            with drive.real_open(drive.mapped(name)) as file:
                source = file.read()
        except builtins.OSError:
            continue
        print("%s output:" % name)
        try:
            exec(compile(source, name, "exec"), {"__name__": "__main__"})
        except KeyboardInterrupt:
            print("Traceback (most recent call last):\r\nKeyboardInterrupt: ")
        except Exception as error:
            sys.print_exception(error)
        break
    print("\r\nCode done running.\r\n\r\nPress any key to enter the REPL. Use CTRL-D to reload.")


sys.path[:] = ["", drive.ROOT, drive.ROOT + "/lib", drive.real_os.getenv("BOARD_MODULES")]
if (drive.real_os.getenv("BOARD_VERSION") or "circuitpython").startswith("circuitpython"):
    _become_circuitpython()
else:
    sys.modules["storage"] = None
print("Auto-reload is on. Simply save files over USB to run them or enter REPL to disable.")
_run_program()
