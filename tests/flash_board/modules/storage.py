# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Stand-in of CircuitPython's `storage`. BOARD_UNSAFE=1 gives it what 10.3 has."""

import drive


class _Mount:
    def __getattr__(self, name):
        if name == "readonly":
            return drive.readonly
        raise AttributeError(name)


def getmount(path):
    return _Mount()


def remount(path, readonly=False):
    if drive.readonly and "ejected" not in drive.real_os.listdir(drive.STATE):
        raise RuntimeError("Cannot remount path when visible via USB.")
    drive.readonly = readonly


if drive.real_os.getenv("BOARD_UNSAFE") == "1":

    def unsafe_disable_usb_drive():
        drive.note("unsafe", "x")
        drive.readonly = False
