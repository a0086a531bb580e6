# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``python3 -m tools NAME …`` from the repository's root: makes ``.venv`` on the first run, then runs NAME in it.

A command is a module ``tools/NAME.py`` with ``HELP`` (one line, a literal), ``EXTRAS`` (a literal tuple of the groups
of packages in pyproject.toml that it needs beyond the base), ``add_arguments(parser)`` and ``run(args)``, which returns
the exit status (None is 0). HELP and EXTRAS are read without importing the module: nothing may be installed yet. A
module with ``PASSES_ON = True`` gets its arguments unparsed as ``args.rest``. ``wrong(args)``, where a module has it,
gives one line on arguments that cannot be obeyed, or None, before the packages of its groups are installed.
"""

import argparse
import ast
import errno
import importlib
import os
import subprocess
import sys
from pathlib import Path

from tools import environment

FOLDER = Path(__file__).resolve().parent
INTERRUPTED = 130  # the shells' status of a command that Ctrl-C ended
# What standard output's writes fail with when it is a file, and its disk or device is at fault.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)


class Parser(argparse.ArgumentParser):
    """Wrong arguments are one line, without the list of all others."""

    def error(self, message):
        self.exit(2, "%s: %s (--help lists the options)\n" % (self.prog, message))


def literals(path):
    """The literal HELP and EXTRAS of a command's source file; None if the file is no command."""
    found = {}
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name in ("HELP", "EXTRAS"):
                try:
                    found[name] = ast.literal_eval(node.value)
                except ValueError:
                    return None
    return found if "HELP" in found else None


def commands():
    """All commands: name -> {"HELP": text, "EXTRAS": tuple}."""
    table = {}
    for path in sorted(FOLDER.iterdir()):
        source = path / "__init__.py" if path.is_dir() else path
        if source.suffix != ".py" or path.name.startswith(("_", ".")) or not source.is_file():
            continue
        found = literals(source)
        if found:
            table.setdefault(path.stem, found)
    return table


def listing(table):
    """The commands, one a line."""
    width = max(len(name) for name in table)
    return "\n".join("  %-*s  %s" % (width, name, table[name]["HELP"]) for name in table)


def enter(python, argv):
    """Run the same command with the environment's Python; the exit status (POSIX: does not return)."""
    command = [str(python), "-m", "tools", *argv]
    if os.name != "nt":
        try:
            os.execv(command[0], command)
        except OSError as error:  # another user's environment, or one from another machine
            print(
                "%s cannot be started (%s): delete %s and run again" % (python, error.strerror, python.parents[1]),
                file=sys.stderr,
            )
            return 1
    # Windows has no exec that keeps the console and the exit status: wait for a child, which gets Ctrl-C as well.
    child = subprocess.Popen(command, env=dict(os.environ, PYTHONUTF8="1"))
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue


def open_streams():
    """Give standard streams that the caller has closed to the null device, and let none refuse a character."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a console that has no ● must not end the command


def drop_output():
    """What standard output still holds goes nowhere, so that the interpreter's last flush does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def dispatch(name, argv, groups=()):
    """Parse the command's own arguments, see that the packages of its groups are there, and run it; the exit status.

    Its module and its options need the base packages alone: nobody waits for an installation to read --help.
    """
    module = importlib.import_module("tools." + name)
    parser = Parser(prog="python3 -m tools " + name, description=module.HELP)
    module.add_arguments(parser)
    if getattr(module, "PASSES_ON", False) and not {"-h", "--help"} & set(argv[:1]):
        args = argparse.Namespace(rest=argv)
    else:
        args = parser.parse_args(argv)
    wrong = module.wrong(args) if hasattr(module, "wrong") else None
    if wrong:
        parser.error(wrong)
    if groups:
        environment.ready(groups)
        importlib.invalidate_caches()
    return module.run(args) or 0


def main(argv):
    """The exit status of ``python3 -m tools`` with these arguments."""
    open_streams()
    try:
        try:
            return obey(argv)
        finally:  # --help ends in SystemExit
            sys.stdout.flush()
    except BrokenPipeError:
        drop_output()  # the reader, such as head, has seen enough: nobody is left to be told
        return 0
    except OSError as error:
        if error.errno not in NO_ROOM or error.filename is not None:
            raise
        drop_output()
        print("The output cannot be written: %s." % error.strerror, file=sys.stderr)
        return 1


def obey(argv):
    """Do what the arguments say; the exit status."""
    table = commands()
    if not argv or argv[0] in ("-h", "--help", "help"):
        print("python3 -m tools NAME …   (each has --help)\n\n" + listing(table))
        return 0 if argv else 2
    name = argv[0]
    if name not in table:
        print("There is no command '%s'. There are:\n%s" % (name, listing(table)), file=sys.stderr)
        return 2
    try:
        python = environment.ready()
        if not environment.inside():
            return enter(python, argv)
        return dispatch(name, argv[1:], table[name].get("EXTRAS", ()))
    except environment.SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
