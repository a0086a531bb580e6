# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What the installer raises. Every text is for the person at the keyboard: what is wrong, and the one remedy."""


class FlashError(Exception):
    """Nothing more can be done; the text says why and what to do. `status` is the command's exit status."""

    def __init__(self, text, status=1):
        super().__init__(text)
        self.status = status


class LinkLost(FlashError):
    """The connection to the board broke: the cable, the power, or the board restarted."""


class BoardFault(FlashError):
    """Code on the board raised. `errno` is the number of an OSError, else None; `last_line` is the exception's line."""

    def __init__(self, text, last_line, errno=None):
        super().__init__(text)
        self.last_line = last_line
        self.errno = errno
