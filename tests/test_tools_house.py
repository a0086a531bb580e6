# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What holds for every file of the repository: licence lines, style, and a top with nothing but its rooms."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CODE = (".py", ".js", ".mjs", ".c", ".h", ".toml")
AT_THE_TOP = {
    "README.md", "LICENSE", "pyproject.toml", "engine", "hal", "firmware", "tools", "tests",
}  # fmt: skip


def tracked():
    """The files of the repository, as Git lists them; where there is no Git, the files that are there."""
    try:
        done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
        if done.returncode == 0 and done.stdout:
            return [ROOT / name for name in done.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
    except OSError:
        pass
    rooms = ("engine", "hal", "firmware", "tools", "tests")
    return [
        path
        for room in rooms
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "node_modules" not in path.parts
    ]


def test_code_says_whose_it_is_and_under_which_licence():
    for path in tracked():
        if path.suffix in CODE and path.name != "settings.toml" and path.stat().st_size:
            head = path.read_text(encoding="utf-8")[:300]
            assert "SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors" in head, path
            assert "SPDX-License-Identifier: MIT" in head, path


def test_the_licence_is_there():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License") and "The Five-in-a-row Board authors" in text


def test_nothing_else_stands_at_the_top():
    tops = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert {name for name in tops if not name.startswith(".")} <= AT_THE_TOP


def test_ruff_has_nothing_to_say():
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "."], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    if "No module named ruff" in done.stderr:
        pytest.skip("ruff is not installed")
    assert done.returncode == 0, done.stdout
