# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What is to be installed, with its version, and the manifest that tells what was."""

import hashlib
import re
from pathlib import Path

from tools.flasher.errors import FlashError
from tools.flasher.files import FilesError, board_files

MANIFEST = "firmware/manifest.txt"
SETTINGS = "settings.toml"
GUARD_SOURCE = "firmware/incomplete.py"  # its copy is the drive's main.py while code.py is away
HEAD = "# Five-in-a-row board: what `python3 -m tools flash` installed. SHA-256, bytes, path."


class Package:
    """The files of one version: `files` path -> bytes, `version` as `0.1.0+3f2a9c01`, `guard` the bytes of main.py."""

    def __init__(self, root, pixelbuf=False):
        try:
            self.files = {path: source.read_bytes() for source, path in board_files(root, pixelbuf)}
            self.guard = (Path(root) / GUARD_SOURCE).read_bytes()
        except FilesError as error:
            raise FlashError(str(error)) from None
        except OSError as error:
            raise FlashError("%s cannot be read: %s" % (error.filename, error.strerror)) from None
        self.version = project_version(root) + "+" + self._content_hash()

    def _content_hash(self):
        # two versions with the same number and other files must not look alike; settings are each board's own
        whole = hashlib.sha256()
        for path, data in sorted(self.files.items()):
            if path != SETTINGS:
                whole.update(b"%s\n%d\n" % (path.encode(), len(data)))
                whole.update(data)
        return whole.hexdigest()[:8]

    def manifest(self):
        """The manifest's bytes: a heading, the version, and a line for each file but the settings."""
        lines = [HEAD, "version " + self.version]
        for path, data in sorted(self.files.items()):
            if path != SETTINGS:
                lines.append("%s %d %s" % (hashlib.sha256(data).hexdigest(), len(data), path))
        return ("\n".join(lines) + "\n").encode()


def project_version(root):
    """The version in pyproject.toml."""
    try:
        found = re.search(r'(?m)^version\s*=\s*"([^"]+)"', (Path(root) / "pyproject.toml").read_text(encoding="utf-8"))
    except OSError:
        found = None
    return found.group(1) if found else "0"


def read_manifest(data):
    """(version, {path: (bytes, sha256 as hex)}) of a manifest's bytes; (None, {}) when there is none or it is damaged.

    A path that leads out of the drive, or to the settings, is not believed: files are removed by this list.
    """
    if not data:
        return None, {}
    version, files = None, {}
    for line in data.decode("utf-8", "replace").splitlines():
        words = line.split(" ", 2)
        if line.startswith("version "):
            version = line[8:].strip()
        elif len(words) == 3 and re.fullmatch("[0-9a-f]{64}", words[0]) and words[1].isdigit():
            path = words[2]
            if ".." not in path.split("/") and not path.startswith("/") and path != SETTINGS:
                files[path] = (int(words[1]), words[0])
    return version, files
