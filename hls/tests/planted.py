# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Plants a mistake of hls/mistakes.toml in codekem-hls, for the process that tests it."""

import __future__

import ast
import importlib
import inspect
import pathlib
import sys


def plant(mistake, monkeypatch):
    """Puts a function with a mistake in the place of the genuine one, wherever it is imported."""
    module = importlib.import_module(f"codekem_hls.{pathlib.Path(mistake.file).stem}")
    tree = ast.parse(mistake.changed(inspect.getsource(module)))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    (function,) = (node for node in functions if node.name == mistake.anchor)
    flags = __future__.annotations.compiler_flag
    names = dict(vars(module))
    exec(compile(ast.Module([function], []), mistake.file, "exec", flags), names)
    modules = [one for name, one in sys.modules.items() if name.startswith("codekem_hls.")]
    for holder in [*modules, *filter(inspect.isclass, vars(module).values())]:
        genuine = vars(holder).get(mistake.anchor)
        if inspect.isfunction(genuine) and genuine.__module__ == module.__name__:
            monkeypatch.setattr(holder, mistake.anchor, names[mistake.anchor])
