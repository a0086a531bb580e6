# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Write mode: with button a held at power-on the board may write its own files, so that mpremote can copy to it.

Otherwise the drive is the computer's, as CircuitPython leaves it. In write mode the computer still sees the drive and
can read it: a button a that is stuck takes nothing away but the computer's writing, and mpremote can then write.
Nothing in here may raise.
"""

try:
    import os

    import board
    import digitalio
    import storage

    name = str(os.getenv("FIVE_BUTTON_PINS") or "").split() or ["GP2"]
    button = digitalio.DigitalInOut(getattr(board, name[0], None) or board.GP2)
    try:
        button.switch_to_input(digitalio.Pull.UP)
        readings = [button.value for _ in range(1000)]  # some milliseconds: the pull-up has to charge the wire
    finally:
        button.deinit()
    if not any(readings[500:]):
        storage.remount("/", readonly=False)
        print("write mode: the board writes, the computer reads")
except Exception as error:  # whatever it was: the drive stays with the computer, and code.py starts
    print("boot.py: no write mode (%s)" % error)
