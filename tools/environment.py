# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The virtual environment ``.venv`` of the repository: made, filled and checked with the standard library alone.

``ready(groups)`` is the whole interface. What is installed is written to ``.venv/five.json`` only after it succeeded: a
half-made environment is never believed, and a complete one is recognised by reading one small file, without a network.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STATE = VENV / "five.json"
LOCK = ROOT / ".venv.lock"
PROJECT = ROOT / "pyproject.toml"
BASE = "base"
# Installed with the base where it can be; where it cannot, the tests that need it say so and are skipped.
OPTIONAL_GROUP = "micropython"
OLDEST_PYTHON = (3, 10)
# pip's words for "the index was not reached"
NETWORK_SIGNS = ("Connection", "resolve", "timed out", "SSL", "from versions: none")


class SetupError(Exception):
    """The environment cannot be made; the text says what failed and what to do."""


def say(text):
    """One line for the person, on standard error: standard output belongs to the command."""
    print(text, file=sys.stderr, flush=True)


def read_groups(text):
    """The package lists of a pyproject.toml text: ``{"base": [...], group: [...]}``.

    Reads what this project writes, a list that opens with ``name = [`` and has one quoted package a line: ``tomllib``
    came with Python 3.11 only, and nothing is installed yet.
    """
    groups, table, current = {}, "", None
    for raw in text.splitlines():
        line = raw.strip()
        if current is not None:
            if line.startswith("]"):
                current = None
                continue
            found = re.match(r"(\"[^\"]*\"|'[^']*'),?\s*(#.*)?$", line)
            if found:
                current.append(found.group(1)[1:-1])
            continue
        if line.startswith("["):
            table = line.strip("[]")
            continue
        found = re.match(r"([A-Za-z0-9_-]+)\s*=\s*\[\s*(\]\s*)?$", line)
        if not found:
            continue
        if table == "project" and found.group(1) == "dependencies":
            name = BASE
        elif table == "project.optional-dependencies":
            name = found.group(1)
        else:
            continue
        groups[name] = []
        current = None if found.group(2) else groups[name]
    return groups


def fingerprint(packages):
    """A short text that changes when the list of packages does."""
    return hashlib.sha256("\n".join(packages).encode()).hexdigest()[:16]


def venv_python(venv=None):
    """The interpreter inside the environment (``Scripts`` on Windows, ``bin`` elsewhere)."""
    venv = venv or VENV
    return venv / "Scripts" / "python.exe" if os.name == "nt" else venv / "bin" / "python"


def inside():
    """True if this very process runs in the repository's environment."""
    try:
        return os.path.samefile(sys.prefix, VENV)
    except OSError:
        return False


def read_state():
    """What ``five.json`` records, or None if it is not there or not readable."""
    try:
        state = json.loads(STATE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return state if isinstance(state, dict) and isinstance(state.get("groups"), dict) else None


def write_state(state):
    """Replace ``five.json`` in one step."""
    draft = STATE.with_suffix(".new")
    draft.write_text(json.dumps(state, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    os.replace(draft, STATE)


def check_interpreter():
    """Raise SetupError where this Python cannot make an environment; names the remedy for the system."""
    if sys.version_info < OLDEST_PYTHON:
        raise SetupError(
            "This needs CPython 3.10 or newer and was started with %d.%d (%s). Install a newer one from python.org or "
            "the system's packages and start it by name, such as: python3.12 -m tools"
            % (*sys.version_info[:2], sys.executable)
        )
    missing = [name for name in ("venv", "ensurepip") if not can_import(name)]
    if missing:
        raise SetupError(
            "This Python (%s) has no module %s. %s" % (sys.executable, " and no module ".join(missing), venv_remedy())
        )


def can_import(name):
    """True if a module of the standard library is really there (some systems ship it apart)."""
    try:
        __import__(name)
    except ImportError:
        return False
    return True


def venv_remedy():
    """What to do about a missing ``venv`` or ``ensurepip`` on this system."""
    again = ", then run the same command again."
    if os.name == "nt" or sys.platform == "darwin":
        return "Install Python from python.org, whose installer brings it" + again
    if shutil.which("apt-get"):
        return "On Debian and Ubuntu: sudo apt install python3-venv" + again
    if shutil.which("dnf"):
        return "On Fedora: sudo dnf install python3-libs python3-pip" + again
    if shutil.which("apk"):
        return "On Alpine: apk add python3 py3-pip" + again
    return "Install the system's package for Python's venv module" + again


class _Lock:
    """One process at a time makes the environment; the system frees the lock if that process dies."""

    def __enter__(self):
        self.file = open(LOCK, "a+b")
        try:
            import fcntl

            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                say("Waiting for another command that is installing into .venv …")
                fcntl.flock(self.file, fcntl.LOCK_EX)
        except ImportError:
            import msvcrt
            import time

            waited = False
            while True:
                self.file.seek(0)
                try:
                    msvcrt.locking(self.file.fileno(), msvcrt.LK_NBLCK, 1)
                    break
                except OSError:
                    if not waited:
                        say("Waiting for another command that is installing into .venv …")
                        waited = True
                    time.sleep(0.5)
        return self

    def __exit__(self, *unused):
        self.file.close()


def missing_groups(state, wanted, lists):
    """The wanted groups that the environment does not have as pyproject.toml lists them now."""
    if not state or state.get("building"):
        return list(wanted)
    return [name for name in wanted if state["groups"].get(name) != fingerprint(lists[name])]


def ready(groups=()):
    """Make sure that .venv holds the base packages and the named groups; the path of its Python.

    Raises SetupError with one clear text; then no environment is left that a later run would take for complete.
    """
    try:
        lists = read_groups(PROJECT.read_text(encoding="utf-8"))
    except OSError as error:
        raise SetupError(
            "pyproject.toml cannot be read (%s): start from a complete copy of the repository." % error
        ) from None
    unknown = [name for name in groups if name not in lists]
    if unknown:
        raise SetupError("pyproject.toml has no group of packages named %s." % ", ".join(unknown))
    wanted = [BASE] + ([OPTIONAL_GROUP] if OPTIONAL_GROUP in lists else [])
    wanted += [name for name in groups if name not in wanted]
    python = venv_python()
    if python.exists() and not missing_groups(read_state(), wanted, lists) and same_python(read_state()):
        return python
    check_interpreter()
    try:
        with _Lock():
            return _install(python, wanted, lists)
    except OSError as error:
        raise SetupError(
            "Cannot write the environment %s: %s. Make the folder writable, with room for 200 MB." % (VENV, error)
        ) from None


def same_python(state):
    """False if the environment's interpreter has been replaced by another version since (a system upgrade)."""
    return not inside() or state.get("python") == "%d.%d" % sys.version_info[:2]


def _install(python, wanted, lists):
    state = read_state()
    if python.exists() and state and not state.get("building") and same_python(state):
        made_here = False
    elif state or not VENV.exists():
        state = _make(python)
        made_here = True
    else:
        # Somebody's own environment of the same name: use it if it works, never delete it.
        if not _works(python):
            raise SetupError(
                "The folder .venv was not made by this command and holds no working Python 3.10 or newer with pip. "
                "Rename or delete it, then run the same command again."
            )
        state, made_here = {"groups": {}, "python": _version(python)}, False
    for name in missing_groups(state, wanted, lists):
        optional = name == OPTIONAL_GROUP
        if name == BASE:
            say("Installing the pinned packages into .venv (once; about a minute) …")
        elif not optional:
            say("Installing the packages of '%s' into .venv (once) …" % name)
        try:
            _pip(python, lists[name])
        except (SetupError, KeyboardInterrupt) as error:
            if optional and isinstance(error, SetupError):
                say(
                    "Without the package %s: the tests that need it will be skipped."
                    % ", ".join(lists[name]).split(";")[0]
                )
            else:
                if made_here and name == BASE and not inside():
                    shutil.rmtree(VENV, ignore_errors=True)
                raise
        state["groups"][name] = fingerprint(lists[name])
        state.pop("building", None)
        write_state(state)
    return python


def _make(python):
    """A new, empty environment, marked as being built; its state."""
    if inside() and os.name == "nt":
        raise SetupError(
            "The environment .venv must be made anew: run the command with py -m tools, not from inside .venv."
        )
    base = getattr(sys, "_base_executable", None) or sys.executable
    say("Making the virtual environment .venv …")
    shutil.rmtree(VENV, ignore_errors=True)
    VENV.mkdir()
    state = {"building": True, "groups": {}, "python": "%d.%d" % sys.version_info[:2]}
    write_state(state)
    done = subprocess.run([base, "-m", "venv", str(VENV)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0 or not python.exists():
        shutil.rmtree(VENV, ignore_errors=True)
        raise SetupError("Making the virtual environment failed: %s\n%s" % (_last_line(done.stdout), venv_remedy()))
    return state


def _works(python):
    if not python.exists():
        return False
    test = "import sys, pip; sys.exit(sys.version_info < (3, 10))"
    quiet = subprocess.DEVNULL
    return subprocess.run([str(python), "-c", test], stdout=quiet, stderr=quiet).returncode == 0


def _version(python):
    test = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run([str(python), "-c", test], stdout=subprocess.PIPE).stdout.decode().strip()


def _last_line(output):
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("ERROR", "error"))]
    return (errors or lines or ["no message"])[-1]


def _pip(python, packages):
    """Install; SetupError with pip's own last error and a remedy."""
    if not packages:
        return
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", *packages]
    pipe = subprocess.PIPE
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=subprocess.STDOUT, cwd=str(ROOT))
    if done.returncode == 0:
        return
    output = done.stdout.decode("utf-8", "replace")
    say(output.rstrip())
    if "No space left" in output:
        remedy = "Free some disk space"
    elif any(sign in output for sign in NETWORK_SIGNS):
        remedy = "Check the connection to the Python package index (a proxy is set with HTTPS_PROXY)"
    elif "No matching distribution" in output:
        remedy = "This Python may be too new or too rare for a pinned package: try CPython 3.10 to 3.14"
    else:
        remedy = "See pip's message above"
    raise SetupError(
        "Installing the packages failed: %s\n%s, then run the same command again." % (_last_line(done.stdout), remedy)
    )
