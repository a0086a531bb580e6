# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Compiles kernel.c on first use (cffi in API mode over setuptools) and imports the result.

The compiled module lies in a folder beside this file, or in the user's cache where that one cannot be written. Its name
carries a digest of the sources, the interpreter and the processor, so a change of any of them builds a new one and a
copied folder never runs code for another processor.
"""

import hashlib
import importlib.util
import os
import pathlib
import platform
import sys
import sysconfig
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = ("kernel.h", "kernel.c", "kernel_search.h")


class BuildError(RuntimeError):
    """The kernel could not be built; the text is one line with the remedy."""


def _processor():
    """A text that tells processors with different instruction sets apart, as far as the system says."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
            for line in lines:
                if line.startswith(("flags", "Features")):
                    return line
    except OSError:
        pass
    return platform.processor()


def _digest():
    digest = hashlib.sha256()
    for name in SOURCES + (pathlib.Path(__file__).name,):
        digest.update((HERE / name).read_bytes())
    for text in (sys.version, sysconfig.get_platform(), _processor()):
        digest.update(text.encode())
    return digest.hexdigest()[:16]


def _folders():
    yield HERE / "_build"
    yield pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "five-in-a-row" / "solver"


def _import(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _compile(name, folder):
    """Build `name` in `folder`; the finished file appears there in one step. Returns its path."""
    try:
        from cffi import FFI
        from setuptools.errors import CompileError
    except ImportError as missing:
        raise BuildError(
            f"the solver needs the package {missing.name}: run it as `python3 -m tools solve`, which installs it"
        ) from None
    ffi = FFI()
    header = (HERE / "kernel.h").read_text("ascii")
    ffi.cdef(header[header.index("#define") :])
    ffi.cdef('extern "Python" int five_keep_going(uint64_t);')
    # On an unknown compiler "-march=native" may not exist; MSVC is told nothing and takes its defaults.
    options = [] if os.name == "nt" else ["-O3", "-march=native"]
    ffi.set_source(
        name,
        '#include "kernel.c"\n',
        include_dirs=[str(HERE)],
        extra_compile_args=options,
    )
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix="tmp-") as work:
        try:
            built = ffi.compile(tmpdir=work, verbose=False)
        except CompileError as error:
            raise BuildError(
                f"the solver's C source did not compile ({str(error).splitlines()[0]}): install a C compiler"
                " (Debian: apt install gcc libc6-dev; macOS: xcode-select --install;"
                " Windows: Build Tools for Visual Studio)"
                " and the interpreter's headers (Debian: apt install python3-dev)"
            ) from None
        built = pathlib.Path(built)
        final = folder / built.name
        os.replace(built, final)
    return final


def load_kernel():
    """The compiled module (`.ffi` and `.lib`), built first where that has not been done. Raises BuildError."""
    name = "_kernel_" + _digest()
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    for folder in _folders():
        path = folder / (name + suffix)
        if path.exists():
            return _import(name, path)
    problem = None
    for folder in _folders():
        try:
            return _import(name, _compile(name, folder))
        except OSError as error:
            problem = error
    raise BuildError(f"no folder to build the solver in: {problem}; make {HERE / '_build'} writable")
