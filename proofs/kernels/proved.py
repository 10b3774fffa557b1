# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which proofs were made before: each has a file, named by a hash of all that it depends on.

That is the code that is proved; the call, with its parameters; every module of this folder, those
of the engine too, and what these import from the project; Python, the packages and the compiler. No
path is part of it: two checkouts of the same files have the same names.
"""

import ast
import functools
import hashlib
import importlib.metadata
import inspect
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGES = ("numpy",)  # besides those of requirements.txt
DYNAMIC = {"import_module", "__import__", "spec_from_file_location", "run_path", "exec", "eval"}


def name_of(call, code, asked=()):
    """Returns the name for a call, the texts of its code, and what else was asked of tools."""
    parts = (*environment(), *files_of(call), description(call), *asked, *sorted(code))
    return digest_of(parts)


def digest_of(parts):
    """Returns the digest of texts."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode()
        digest.update(b"%d\n" % len(raw) + raw)
    return digest.hexdigest()


def description(call):
    """Returns the name and the parameters of a call, also those that its repr leaves out."""
    simple = {name: value for name, value in vars(call).items() if is_plain(value)}
    return f"{type(call).__module__}.{type(call).__qualname__} {call!r} {sorted(simple.items())}"


def is_plain(value):
    """Tells whether a value says by its repr what it is."""
    if isinstance(value, (tuple, list)):
        return all(map(is_plain, value))
    return value is None or isinstance(value, (bool, int, str))


@functools.cache
def environment():
    """Returns the versions of what runs a proof."""
    text = (HERE / "engine" / "requirements.txt").read_text(encoding="utf-8")
    names = [*PACKAGES, *re.findall(r"^([-\w]+)==", text, re.MULTILINE)]
    versions = [f"{name} {importlib.metadata.version(name)}" for name in names]
    return [text, platform.python_implementation(), sys.version, *versions]


@functools.cache
def version_of(tool):
    """Returns what a compiler says of its version."""
    return subprocess.run([tool, "--version"], capture_output=True, check=True, text=True).stdout


def files_of(call):
    """Returns names and contents of the files of Python that a proof of a call may run."""
    more = [
        path
        for path in defining(call)
        if path.name.startswith("test_") or not path.is_relative_to(HERE)
    ]
    return contents(HERE, ROOT, tuple(more))


def defining(call):
    """Returns the files that define the class of a call and those above it, in order."""
    defined = {inspect.getfile(kind) for kind in type(call).__mro__ if kind is not object}
    return sorted(map(pathlib.Path, defined))


@functools.cache
def contents(here, root, more=()):
    """Returns names and contents of all modules of a folder but tests, of more files, and of those
    below root that they import."""
    start = [path for path in here.rglob("*.py") if not path.name.startswith("test_")]
    return texts_of([*start, *more], root)


def texts_of(paths, root):
    """Returns names and contents of files of Python, and of those below root that they import."""
    return [
        text
        for path in sorted(closure(paths, root))
        for text in (path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
    ]


def closure(paths, root):
    """Returns files of Python with all files below root that they import, wherever in the file."""
    found, left = set(), [path.resolve() for path in paths]
    while left:
        path = left.pop()
        if path not in found and path.is_relative_to(root):
            found.add(path)
            left += imported(path, root, path.read_text(encoding="utf-8"))
    return found


@functools.cache
def imported(path, root, text):
    """Returns the files below root that a file with this text imports."""
    folders = [pathlib.Path(entry).resolve() for entry in sys.path]
    folders = [root, *(entry for entry in folders if is_of_project(entry, root))]
    return [
        file
        for level, name in names_imported(text, path.name)
        for file in files_named([path.parents[level - 1]] if level else folders, name)
    ]


def names_imported(text, where):
    """Returns what a text imports: how many folders above it a name begins, or 0, and the name."""
    names = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", None))
            if called in DYNAMIC:
                raise ValueError(f"{where}:{node.lineno}: {called} hides what a proof runs")
        elif isinstance(node, ast.Import):
            names += [(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = [(node.module or "", alias.name) for alias in node.names]
            names += [(node.level, ".".join(filter(None, part))) for part in parts]
    return names


def is_of_project(folder, root):
    """Tells whether a folder holds files of the project, not packages that were installed."""
    return folder.is_relative_to(root) and not any(
        part.startswith(".") or part == "site-packages" for part in folder.relative_to(root).parts
    )


def files_named(folders, name):
    """Yields the files of a module, or of a name in a module, and of the packages around it."""
    parts = name.split(".")
    for folder in folders:
        for end in range(1, len(parts) + 1):
            place = folder.joinpath(*parts[:end])
            for path in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
                if path.is_file():
                    yield path.resolve()
