# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``python3 -m tools``: the environment it makes, what it says when it cannot, and how it finds its commands."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools import environment, node
from tools.environment import SetupError, read_groups

ROOT = Path(__file__).resolve().parent.parent
BASE_PYTHON = getattr(sys, "_base_executable", None) or sys.executable
OFFLINE = dict(os.environ, PIP_NO_INDEX="1", PIP_FIND_LINKS="")

PROJECT = """\
[project]
name = "small"
dependencies = [
%s]

[project.optional-dependencies]
extra = [
    "a-package-that-is-nowhere==1.0",
]
"""
COMMANDS = {
    "hello": 'HELP = "says hello"\nEXTRAS = ()\n'
    'def add_arguments(parser):\n    parser.add_argument("name")\n'
    'def run(args):\n    import sys\n    print("hello", args.name, sys.prefix)\n    return 3\n',
    "heavy": 'HELP = "needs more"\nEXTRAS = ("extra",)\ndef add_arguments(parser):\n    pass\n'
    "def run(args):\n    pass\n",
    "raw": 'HELP = "passes on"\nEXTRAS = ()\nPASSES_ON = True\ndef add_arguments(parser):\n    pass\n'
    "def run(args):\n    print(args.rest)\n",
    "waits": 'HELP = "waits"\nEXTRAS = ()\ndef add_arguments(parser):\n    pass\n'
    "def run(args):\n    import time\n    print('waiting', flush=True)\n    time.sleep(60)\n",
    "talks": 'HELP = "talks"\nEXTRAS = ()\ndef add_arguments(parser):\n    pass\n'
    "def run(args):\n    for number in range(200000):\n        print(number)\n",
}


def make_clone(folder, dependencies=""):
    """A repository like this one, but with next to nothing to install."""
    (folder / "tools").mkdir(parents=True)
    for name in ("__init__.py", "__main__.py", "environment.py"):
        shutil.copy(ROOT / "tools" / name, folder / "tools" / name)
    for name, text in COMMANDS.items():
        (folder / "tools" / (name + ".py")).write_text(text, encoding="utf-8")
    (folder / "tools" / "helper.py").write_text("X = 1\n", encoding="utf-8")
    (folder / "pyproject.toml").write_text(PROJECT % dependencies, encoding="utf-8")
    return folder


def tools(folder, *arguments, python=BASE_PYTHON, **options):
    options.setdefault("env", OFFLINE)
    return subprocess.run(
        [python, "-m", "tools", *arguments], cwd=folder, capture_output=True, encoding="utf-8", **options
    )


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A small repository whose environment has been made by its first command."""
    folder = make_clone(tmp_path_factory.mktemp("clone") / "with a blank")
    done = tools(folder, "hello", "you")
    assert done.returncode == 3, done.stderr
    assert "Making the virtual environment .venv" in done.stderr
    return folder


def test_the_first_run_makes_the_environment_and_runs_the_command_in_it(clone):
    done = tools(clone, "hello", "you")
    assert done.returncode == 3
    assert done.stdout.split()[:2] == ["hello", "you"]
    assert Path(done.stdout.split(None, 2)[2].strip()).samefile(clone / ".venv")


def test_later_runs_are_quick_and_silent(clone):
    best = 9.0
    for _ in range(3):
        began = time.monotonic()
        done = tools(clone, "hello", "again")
        best = min(best, time.monotonic() - began)
        assert done.stderr == ""
    assert best < 2


def test_without_a_command_the_commands_are_listed(clone):
    done = tools(clone)
    assert done.returncode == 2
    assert "hello  says hello" in done.stdout and "helper" not in done.stdout
    assert tools(clone, "--help").returncode == 0


def test_an_unknown_command_is_told_in_a_line(clone):
    done = tools(clone, "helo")
    assert done.returncode == 2
    assert done.stderr.startswith("There is no command 'helo'.")
    assert "hello" in done.stderr and "Traceback" not in done.stderr


def test_wrong_options_of_a_command_end_with_status_2(clone):
    done = tools(clone, "hello")
    assert done.returncode == 2 and "name" in done.stderr and "Traceback" not in done.stderr


def test_arguments_are_passed_on_unread_where_a_command_says_so(clone):
    assert tools(clone, "raw", "-k", "pop", "--", "-x").stdout.strip() == "['-k', 'pop', '--', '-x']"


def test_a_group_that_cannot_be_installed_is_told_and_the_rest_still_works(clone):
    done = tools(clone, "heavy")
    assert done.returncode == 1
    assert "Installing the packages of 'extra'" in done.stderr
    last = done.stderr.strip().splitlines()[-2:]
    assert "a-package-that-is-nowhere" in last[0] and "run the same command again" in last[1]
    assert tools(clone, "hello", "still").returncode == 3


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_a_command_quietly(clone):
    import signal

    child = subprocess.Popen(
        [BASE_PYTHON, "-m", "tools", "waits"],
        cwd=clone,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert child.stdout.readline() == "waiting\n"
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=20)
    assert child.returncode == 130 and "Traceback" not in errors


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_that_has_seen_enough_is_no_error(clone):
    child = subprocess.Popen(
        [BASE_PYTHON, "-m", "tools", "talks"], cwd=clone, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    child.stdout.readline()
    child.stdout.close()
    errors = child.stderr.read()
    assert child.wait(timeout=20) == 0 and errors == b""


def test_a_failed_installation_leaves_no_environment_that_is_believed(tmp_path):
    folder = make_clone(tmp_path / "r", '    "a-package-that-is-nowhere==1.0",\n')
    done = tools(folder, "hello", "you")
    assert done.returncode == 1
    assert "Installing the packages failed" in done.stderr and "Check the connection" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / ".venv").exists()


def test_an_environment_that_was_broken_off_is_made_anew(tmp_path):
    folder = make_clone(tmp_path / "r")
    (folder / ".venv").mkdir()
    (folder / ".venv" / "five.json").write_text('{"building": true, "groups": {}}', encoding="utf-8")
    (folder / ".venv" / "rubbish").write_text("", encoding="utf-8")
    assert tools(folder, "hello", "you").returncode == 3
    assert not (folder / ".venv" / "rubbish").exists()


def test_somebody_elses_environment_is_never_deleted(tmp_path):
    folder = make_clone(tmp_path / "r")
    (folder / ".venv").mkdir()
    (folder / ".venv" / "theirs").write_text("keep", encoding="utf-8")
    done = tools(folder, "hello", "you")
    assert done.returncode == 1 and "Rename or delete it" in done.stderr
    assert (folder / ".venv" / "theirs").read_text(encoding="utf-8") == "keep"


def test_a_changed_list_of_packages_is_installed_anew(clone):
    project = clone / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    try:
        project.write_text(PROJECT % '    "a-package-that-is-nowhere==1.0",\n', encoding="utf-8")
        assert tools(clone, "hello", "you").returncode == 1
        assert (clone / ".venv").exists()  # what worked before is not thrown away for a failed addition
    finally:
        project.write_text(text, encoding="utf-8")
    assert tools(clone, "hello", "you").returncode == 3


def test_a_python_without_venv_is_told_its_remedy(monkeypatch):
    monkeypatch.setattr(environment, "can_import", lambda name: name != "ensurepip")
    monkeypatch.setattr(environment.shutil, "which", lambda name: "/usr/bin/" + name if name == "apt-get" else None)
    monkeypatch.setattr(environment.sys, "platform", "linux")
    with pytest.raises(SetupError, match="no module ensurepip.*apt install python3-venv"):
        environment.check_interpreter()


def test_a_python_that_is_too_old_is_told(monkeypatch):
    monkeypatch.setattr(environment.sys, "version_info", (3, 9, 1))
    with pytest.raises(SetupError, match="needs CPython 3.10 or newer and was started with 3.9"):
        environment.check_interpreter()


def test_the_package_lists_are_read_as_the_standard_reader_reads_them():
    tomllib = pytest.importorskip("tomllib")
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    groups = read_groups(text)
    assert groups.pop("base") == project["dependencies"]
    assert groups == project["optional-dependencies"]


def test_every_package_is_pinned():
    for packages in read_groups((ROOT / "pyproject.toml").read_text(encoding="utf-8")).values():
        for package in packages:
            assert re.match(r"[A-Za-z0-9_.\[\]-]+==[0-9][0-9a-z.]*(;|$)", package), package
    for name, version in node.pinned().items():
        assert re.match(r"\d+\.\d+\.\d+(-\d+)?$", version), name


def test_the_locked_npm_packages_name_no_place_to_fetch_them_from():
    lock = json.loads((ROOT / "tools" / "package-lock.json").read_text(encoding="utf-8"))
    for name, entry in lock["packages"].items():
        assert "resolved" not in entry, name
        if name:
            assert entry["version"] == node.pinned()[name.removeprefix("node_modules/")]


def test_a_missing_node_is_told(monkeypatch):
    monkeypatch.setattr(node.shutil, "which", lambda name: None)
    assert "Node.js is not installed" in node.install()
