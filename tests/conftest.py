# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Fixtures for all rooms: ``unix`` and ``wasm`` run the product's files in two MicroPythons.

    def test_search_allocates_nothing(wasm):
        setup = "from engine.search import Search\\n…"
        out = wasm.run(setup, "import probe\\nprint(probe.allocated(think))")
        assert int(out[-1]) == 0

Where one of them is not to be had, the tests that ask for it are reported as skipped, with the reason. Their options
and what each can show stand in tools/guest/__init__.py.
"""

import signal

import pytest

from tools.guest import Unix, Wasm, copy_libraries

# A shell's background job is deaf to Ctrl-C, and so is all that it starts: here it is what the tests are about.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def board_libraries(tmp_path_factory):
    """A folder with the board's libraries as CircuitPython's bundle has them, and nothing else."""
    folder = tmp_path_factory.mktemp("libraries")
    copy_libraries(folder)
    return folder


@pytest.fixture(scope="session")
def unix(board_libraries, tmp_path_factory):
    """MicroPython for the desktop, heap of 320 KB (tools.guest.Unix)."""
    if Unix.why_not():
        pytest.skip(Unix.why_not())
    return Unix(board_libraries, tmp_path_factory.mktemp("unix"))


@pytest.fixture(scope="session")
def wasm(board_libraries):
    """The 32-bit MicroPython (tools.guest.Wasm)."""
    if Wasm.why_not():
        pytest.skip(Wasm.why_not())
    return Wasm(board_libraries)
