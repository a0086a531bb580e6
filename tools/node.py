# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Node.js and the pinned npm packages of ``tools/package.json``: the 32-bit MicroPython and the emulated chip."""

import json
import shutil
import subprocess
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
MODULES = FOLDER / "node_modules"
OLDEST_NODE = 18


def pinned():
    """Package name -> version, as tools/package.json pins them."""
    return json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["dependencies"]


def installed(name):
    """The version of an npm package in tools/node_modules, or None."""
    try:
        return json.loads((MODULES / name / "package.json").read_text(encoding="utf-8"))["version"]
    except (OSError, ValueError, KeyError):
        return None


def missing():
    """The pinned packages that are not installed in their version."""
    return [name for name, version in pinned().items() if installed(name) != version]


def why_no_node():
    """None where a Node.js that is new enough can be started, else one line that says what is missing."""
    program = shutil.which("node")
    if not program:
        return "Node.js is not installed (version %d or newer; nodejs.org or the system's packages)." % OLDEST_NODE
    try:
        text = subprocess.run([program, "--version"], stdout=subprocess.PIPE, timeout=30).stdout.decode().strip()
        version = int(text.lstrip("v").split(".")[0])
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return "Node.js (%s) does not answer to --version." % program
    if version < OLDEST_NODE:
        return "Node.js %s is too old: version %d or newer is needed." % (text, OLDEST_NODE)
    return None


def install():
    """Install the pinned npm packages if they are not there; None on success, else one line with what is missing."""
    problem = why_no_node()
    if problem:
        return problem
    if not missing():
        return None
    npm = shutil.which("npm")
    if not npm:
        return "npm is not installed: it comes with Node.js (Debian: apt install npm)."
    print("Installing %s into tools/node_modules (once) …" % ", ".join(missing()), flush=True)
    locked = (FOLDER / "package-lock.json").is_file()
    command = [npm, "ci" if locked else "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    try:
        done = subprocess.run(command, cwd=str(FOLDER), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError as error:
        return "npm could not be started: %s." % error
    if done.returncode:
        lines = done.stdout.decode("utf-8", "replace").strip().splitlines() or ["no message"]
        wanted = ", ".join(missing())
        return "npm could not install %s: %s. Check the connection, then run the command again." % (wanted, lines[-1])
    return None
