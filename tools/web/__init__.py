# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``web``: a page on which the board's own firmware plays, in MicroPython for WebAssembly.

The page is static: a few files of ``page/``, MicroPython, and one file with the firmware, the simulated board under it
and the board's libraries. Nothing is asked of any server once it is loaded.
"""

import base64
import functools
import http.server
import json
import shutil
import sys
import tempfile
import webbrowser
from pathlib import Path

from tools import node, options
from tools.environment import ROOT

HELP = "the board as a page in the browser: serve it here, or --build DIR as static files"
EXTRAS = ()

PAGE = Path(__file__).resolve().parent / "page"
GUEST = Path(__file__).resolve().parent / "guest.py"  # runs inside MicroPython, beside the firmware
MICROPYTHON = node.MODULES / "@micropython" / "micropython-webassembly-pyscript"
INTERPRETER = ("micropython.mjs", "micropython.wasm")
SUFFIXES = (".py", ".bin")
ROOMS = ("engine", "hal", "firmware")
PORT = 8000
NOTICE = """\
The five-in-a-row board, its page, and what runs in it, are all under the MIT licence, which follows:

- the five-in-a-row board, (c) 2026 The Five-in-a-row Board authors
- MicroPython (micropython.mjs, micropython.wasm), (c) 2013-2026 Damien P. George and the MicroPython contributors
- neopixel, adafruit_pixelbuf, adafruit_debouncer, adafruit_ticks (in files.json), (c) Adafruit Industries and others

"""


class WebError(Exception):
    """The page cannot be made or served; the text is one line."""


def add_arguments(parser):
    parser.add_argument("--build", metavar="DIR", help="write the page as static files instead of serving it")
    parser.add_argument(
        "--port", type=options.whole(0, 65535), default=PORT, help="serve here (default %d; 0: any that is free)" % PORT
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")


def run(args):
    try:
        if args.build:
            build(Path(args.build))
            total = sum(path.stat().st_size for path in Path(args.build).iterdir())
            print("%s: %d KB. Any web server can serve it; no file of it runs there." % (args.build, total // 1024))
            return 0
        with tempfile.TemporaryDirectory() as folder:
            build(Path(folder))
            serve(Path(folder), args.port, args.open)
        return 0
    except WebError as error:
        print(error, file=sys.stderr)
        return 1


def build(folder):
    """Write the page into a folder, which is made if it is not there. Raises WebError."""
    why_not = node.install()
    if why_not:
        raise WebError("no MicroPython for the page: " + why_not)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source in sorted(PAGE.iterdir()):
            if source.is_file():
                shutil.copyfile(source, folder / source.name)
        for name in INTERPRETER:
            shutil.copyfile(MICROPYTHON / name, folder / name)
        (folder / "files.json").write_text(json.dumps(guest_files()), encoding="ascii")
        licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
        (folder / "licences.txt").write_text(NOTICE + licence, encoding="utf-8")
    except OSError as error:
        raise WebError("%s cannot be written: %s" % (error.filename or folder, error.strerror)) from None


def guest_files():
    """What lies on the page's small file system: path -> content in base64; ``settings`` is the board's settings."""
    from tools.flasher.settings_file import values
    from tools.guest import library_files

    found = {}
    for room in ROOMS:
        for source in sorted((ROOT / room).rglob("*")):
            path = source.relative_to(ROOT)
            if source.suffix in (".py", ".bin") and not any(
                part.startswith((".", "__pycache__")) for part in path.parts
            ):
                found["/" + path.as_posix()] = source.read_bytes()
    for source in library_files():
        found["/lib/" + source.name] = source.read_bytes()
    found["/lib/guest.py"] = GUEST.read_bytes()
    settings = values((ROOT / "firmware" / "settings.toml").read_text(encoding="utf-8"))
    found["/settings.json"] = json.dumps(settings).encode()
    return {path: base64.b64encode(data).decode("ascii") for path, data in found.items()}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Static files of this computer alone, always fresh, with the types that browsers insist on."""

    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *words):
        pass


def server(folder, port):
    """An HTTP server of the folder on this computer's loopback address. Raises WebError where the port is taken."""
    try:
        return http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=str(folder)))
    except OSError as error:
        raise WebError(
            "port %d cannot be served: %s. Choose another with --port, or 0 for any." % (port, error.strerror)
        ) from None


def serve(folder, port, open_it):
    """Serve the folder until Ctrl-C. Raises WebError."""
    with server(folder, port) as running:
        address = "http://127.0.0.1:%d/" % running.server_address[1]
        print("The board is at %s (Ctrl-C ends it)" % address, flush=True)
        if open_it:
            webbrowser.open(address)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            print()
