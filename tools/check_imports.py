#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks who imports whom in Python, and prints what should not be.

A room that can be deleted (tools/house.py) imports itself, parameters/, tests/ and tools/; all else
imports no such room. No module imports itself by way of others, within functions neither. Modules
are found by their names alone: what changes sys.path, or loads a file by its path, has its reason
in BY_PATH.

usage: check_imports.py [ROOT]    exit status 1 if something is wrong
"""

import ast
import pathlib
import re
import subprocess
import sys

from tools.house import ROOMS

# Beside the top folder, where packages begin.
PACKAGES = ("evaluation/src", "hls/src", "lab/src", "bindings/python/src", "tools/base/src")
SHARED = ("parameters", "tests", "tools")
LOADERS = ["SourceFileLoader", "SourcelessFileLoader", "spec_from_file_location"]
LOADERS += ["addsitedir", "syspath_prepend"]
CHANGES = ("append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort")
# A file with none of these words has its imports in statements alone.
TELLING = re.compile("|".join([*LOADERS, "run_path", r"sys\.path", "import_module"]))
BY_PATH = {
    "bindings/python/codekem_build.py": "pip runs it where the project is no workspace",
    "bindings/tests/test_python.py": "imports the package from where it was installed",
    "evaluation/src/codekem_evaluation/packages.py": "what bindings/ measures, if it is there",
    "proofs/soundness/test_names.py": "imports copies of a conftest.py, each in its own tree",
    "devices/tests/test_leakage.py": "runs a prover with a planted mistake",
    "tools/packaging/tests/test_build_packages.py": "makes packers up, in a folder of the test",
}


class Modules:
    """The modules of the project; git says which files there are."""

    def __init__(self, root):
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.py*"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
        names = [name for name in done.stdout.split("\0") if name.endswith((".py", ".pyi"))]
        self.root = root
        self.files = {name_of(name): name for name in names if (root / name).is_file()}
        self.nodes = {one: list(nodes_of(root / name)) for one, name in self.files.items()}

    def imported(self, module):
        """Yields the modules of the project that a module imports, wherever in the file, with the
        line."""
        is_package = self.files[module].endswith("/__init__.py")
        for node in self.nodes[module]:
            for name in names_in(node, module, is_package):
                found = next((one for one in (name, parent(name)) if one in self.files), None)
                if found not in (None, module):
                    yield found, node.lineno

    def circles(self):
        """Returns the sets of modules that import each other."""
        graph = {one: {other for other, _ in self.imported(one)} for one in self.files}
        reach = {one: reached(graph, one) for one in graph}
        circles = {
            frozenset(other for other in reach[one] if one in reach[other])
            for one in graph
            if one in reach[one]
        }
        return sorted(sorted(circle) for circle in circles)


def nodes_of(path):
    """Yields the statements of a file, and of one that may find modules otherwise, all nodes."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text, path.name)
    if TELLING.search(text):
        yield from ast.walk(tree)
        return
    left = list(tree.body)
    while left:
        node = left.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            left += getattr(node, part, ())


def name_of(file):
    """Returns the name by which a file is imported."""
    for folder in PACKAGES:
        file = file.removeprefix(f"{folder}/")
    return file.rpartition(".")[0].replace("/", ".").removesuffix(".__init__")


def parent(name):
    return name.rpartition(".")[0]


def names_in(node, module, is_package):
    """Returns what a statement or a call imports, each thing by all of its name."""
    match node:
        case ast.Import(names=names):
            return [one.name for one in names]
        case ast.ImportFrom(module=base, names=names, level=level):
            for _ in range(level - is_package):
                module = parent(module)
            start = ".".join(filter(None, [module if level else None, base]))
            return [f"{start}.{one.name}" for one in names]
        case ast.Call(
            func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=name), *_]
        ):
            return [name]
    return []


def reached(graph, start):
    """Returns what is reached from a node, itself only if in a circle."""
    found, left = set(), list(graph[start])
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left += graph[one]
    return found


def is_sys_path(node):
    match node:
        case ast.Attribute(value=ast.Name(id="sys"), attr="path"):
            return True
    return False


def is_by_path(node):
    """Says whether a piece of a program changes where modules are found, or loads one by path."""
    match node:
        case ast.Attribute(value=value, attr=name) if is_sys_path(value):
            return name in CHANGES
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            return is_sys_path(value)
        case ast.Attribute(attr="path", ctx=ast.Store()):
            return is_sys_path(node)
        case ast.Attribute(attr="run_path", value=value):
            return getattr(value, "id", None) == "runpy"
    named = (getattr(node, part, None) for part in ("attr", "id", "name"))
    return any(name in LOADERS for name in named)


def beside(node, folders):
    """Returns the imported name that is found only if one of the folders is on sys.path, or
    None."""
    names = names_in(node, "", is_package=False) if not getattr(node, "level", 0) else []
    firsts = {name.partition(".")[0] for name in names} - sys.stdlib_module_names
    beside_it = (one for one in sorted(firsts) for top in folders if (top / f"{one}.py").exists())
    return next(beside_it, None)


def may_import(importer, imported):
    """Says whether a file may import another: by their top folders."""
    mine, other = (name.partition("/")[0] for name in (importer, imported))
    if mine in ROOMS:
        return other == mine or other in SHARED
    return other not in ROOMS


def problems(modules):
    """Returns a line for each import that should not be there, and for each circle."""
    root, found = modules.root, []
    for module, file in sorted(modules.files.items()):
        for other, line in modules.imported(module):
            if not may_import(file, modules.files[other]):
                found.append(f"{file}:{line}: may not import {modules.files[other]}")
        folders = [folder for folder in (root / file).parents if folder.is_relative_to(root)]
        for node in modules.nodes[module]:
            if is_by_path(node) and file not in BY_PATH:
                found.append(f"{file}:{node.lineno}: changes sys.path or loads a module by path")
            neighbour = beside(node, folders)
            if neighbour and neighbour not in modules.files:
                found.append(f"{file}:{node.lineno}: {neighbour} lies beside it: say from where")
    circles = [[modules.files[one] for one in circle] for circle in modules.circles()]
    return [*found, *(f"import each other: {', '.join(circle)}" for circle in circles)]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = problems(Modules(root.resolve()))
    print("\n".join(found) if found else "imports: nothing wrong")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
