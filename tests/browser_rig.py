# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A real browser for tests: Chromium without a window, driven through tests/browser_rig.mjs."""

import json
import shutil
import subprocess
from pathlib import Path

from tools import node

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DRIVER = "playwright-core"
OLDEST_NODE = 20  # that the driver runs on


def program():
    """Path of a Chromium on this computer, or None."""
    return next((found for found in map(shutil.which, PROGRAMS) if found), None)


def why_not():
    """None where a browser can be driven, else the reason in one line."""
    if not program():
        return "no Chromium on this computer (Debian: apt install chromium)"
    if node.why_no_node():
        return node.why_no_node()
    if node.installed(DRIVER) is None:
        return "%s is not in tools/node_modules (python3 -m tools test installs it)" % DRIVER
    told = subprocess.run(["node", "--version"], capture_output=True, encoding="utf-8").stdout
    if int(told.strip().lstrip("v").split(".")[0]) < OLDEST_NODE:
        return "Node.js %s cannot drive a browser: version %d or newer is needed" % (told.strip(), OLDEST_NODE)
    return None


class Browser:
    """A running Chromium; each method is one of browser_rig.mjs by that name, such as click(selector).

    Raises AssertionError with the browser's words where something is not done within a minute.
    """

    def __init__(self):
        rig = Path(__file__).with_name("browser_rig.mjs")
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(["node", str(rig), program()], stdin=pipe, stdout=pipe, encoding="utf-8")
        self.version = self._answer()

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError("the browser has ended")
        answer = json.loads(line)
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer["value"]

    def __getattr__(self, what):
        def do(*given):
            self._process.stdin.write(json.dumps([what, *given]) + "\n")
            self._process.stdin.flush()
            return self._answer()

        return do

    def close(self):
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
