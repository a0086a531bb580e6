# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What goes wrong with the emulated board."""


class EmulatorError(Exception):
    """The emulated board cannot be had, or has failed; the text is one line that says what and what to do.

    status: the exit status of a command that ends with it, 2 for what the person gave, else 1.
    """

    def __init__(self, text, status=1):
        super().__init__(text)
        self.status = status


class NotHere(EmulatorError):
    """Something that the person supplies is not here: firmware, boot ROM, Node.js. Tests are skipped for it."""
