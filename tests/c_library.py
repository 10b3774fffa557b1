# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Libraries in C through cffi: what their functions take and return is read from their headers."""

import functools
import re
import subprocess
import sys

import cffi

from tools.source_folders import ROOT, include_options

FFI = cffi.FFI()
# How the names of shared libraries end here.
SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
# What cffi does not read: functions with a body, assertions, and that an object is constant.
LEFT_OUT = re.compile(
    r"^static inline [^;{]*\{\n.*?^\}$|^_Static_assert\(.*?\);|(?<=extern )const", re.M | re.S
)
known: set[str] = set()


def shared_library(name):
    """Returns what the file of a shared library is called here: libcodekem.so of codekem."""
    return f"lib{name}{SUFFIX}"


def declare(*headers, folders=()):
    """Reads headers, and those of this tree that they include."""
    command = ["cc", "-std=c11", "-E", "-D__attribute__(x)=", "-D_Alignas(x)="]
    done = subprocess.run(
        [*command, *include_options(ROOT, *folders), "-"],
        input="".join(f'#include "{header}"\n' for header in headers),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    parts = re.split(r'^# \d+ "(.*?)".*$', done.stdout, flags=re.M)[1:]
    files = {file for file in parts[::2] if file.startswith(str(ROOT))} - known
    texts = [text for file, text in zip(parts[::2], parts[1::2], strict=True) if file in files]
    FFI.cdef(LEFT_OUT.sub("", "\n".join(texts)))
    known.update(files)


def to_c(kind, value):
    """Returns what C gets for an argument: NULL for None, a callback for a function, a pointer to
    it for memory of Python, and to the structure for what has one in `pointer`."""
    if value is None:
        return FFI.NULL
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes | bytearray | memoryview):
        return FFI.from_buffer(kind, value)
    if callable(value) and not isinstance(value, FFI.CData):
        return FFI.callback(kind, value)
    return getattr(value, "pointer", value)


def text_of(value):
    """Returns a text in C as one of Python, None for NULL."""
    return FFI.string(value).decode() if value else None


def call(function, *arguments):
    """Calls a function in C; texts come back as those of Python."""
    kinds = FFI.typeof(function).args
    given = [to_c(kind, value) for kind, value in zip(kinds, arguments, strict=True)]
    result = function(*given)
    is_text = isinstance(result, FFI.CData) and FFI.typeof(result) is FFI.typeof("char *")
    return text_of(result) if is_text else result


class Everything:
    """The functions and objects of a library, those that it does not export, too."""

    def __init__(self, path):
        self._library = FFI.dlopen(str(path))
        command = ["nm", "--defined-only", path]
        listed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        self._places = {
            name.removeprefix("_"): int(place, 16)
            for place, _, name in map(str.split, listed.splitlines())
        }
        known = FFI.cast("uintptr_t", self._library.codekem_version)
        self._loaded_at = int(known) - self._places["codekem_version"]

    def pointer_to(self, name):
        """Returns a pointer to a function or an object that a header declares."""
        if name not in self._places:
            raise AttributeError(f"the library has no {name}")
        for kind, end in (("function", ""), ("variable", "*")):
            # cffi itself asks this table; its public calls ask the library, which hides the name.
            if found := FFI._parser._declarations.get(f"{kind} {name}"):
                with FFI._lock:
                    declared = FFI._get_cached_btype(found[0])
                place = self._loaded_at + self._places[name]
                return FFI.cast(FFI.getctype(declared, end), place)
        raise AttributeError(f"no header that was read declares {name}")

    def __getattr__(self, name):
        pointer = self.pointer_to(name)
        return pointer if FFI.typeof(pointer).kind == "function" else pointer[0]


class Calls(dict):
    """calls["name"] is the function prefix + name of a library that FFI has opened."""

    def __init__(self, library, prefix):
        super().__init__()
        self._library, self._prefix = library, prefix

    def __missing__(self, name):
        function = getattr(self._library, self._prefix + name)
        self[name] = functools.partial(call, function)
        return self[name]


def address_of(memory):
    """Returns where memory of Python lies, as a number."""
    return int(FFI.cast("uintptr_t", FFI.from_buffer(memory)))


def aligned(length, alignment=64, offset=0):
    """Returns zeroed memory of length bytes, offset bytes behind a multiple of alignment."""
    memory = bytearray(length + alignment + offset)
    skip = -address_of(memory) % alignment + offset
    return memoryview(memory)[skip : skip + length]


def source(draw):
    """Makes a codekem_random_function of draw(length), which may return None if it fails."""

    def fill(_, out, length):
        data = draw(length)
        if data is not None:
            FFI.memmove(out, data, length)
        return data is not None

    return fill
