# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Directives: what the C does not say, in a TOML file of its own (docs/hls.md has all of them)."""

from __future__ import annotations

import dataclasses
import pathlib
import re
import tomllib
from typing import Any

from . import delays
from .errors import Refused

BINDINGS = ("registers", "lutram", "block")
TABLES = ("define", "pipeline", "unroll", "turns", "bind", "ports", "functions", "values")
KEYS = ("extends", "kernel", "top", "clock", "delays", "partition", "together", *TABLES)


@dataclasses.dataclass
class Directives:
    file: str
    kernel: pathlib.Path
    top: str
    clock: float = 8.0  # ns
    delays: str = "generic"  # the model of delays
    define: dict[str, str] = dataclasses.field(default_factory=dict)
    pipeline: dict[str, int] = dataclasses.field(default_factory=dict)  # 0: smallest interval
    unroll: dict[str, int] = dataclasses.field(default_factory=dict)  # 0: wholly
    turns: dict[str, int] = dataclasses.field(default_factory=dict)  # of loops that data end
    bind: dict[str, str] = dataclasses.field(default_factory=dict)
    ports: dict[str, tuple[int, int]] = dataclasses.field(default_factory=dict)
    functions: dict[str, str] = dataclasses.field(default_factory=dict)
    together: list[list[str]] = dataclasses.field(default_factory=list)  # calls at the same time
    values: dict[str, list[int]] = dataclasses.field(default_factory=dict)  # of PUBLIC scalars
    lines: dict[str, int] = dataclasses.field(default_factory=dict)
    # What is in the file that this one extends: it may be about loops, arrays and functions that
    # this top does not have.
    inherited: set[str] = dataclasses.field(default_factory=set)

    def refuse(self, name: str, message: str) -> Refused:
        return Refused(message, self.file, self.lines.get(name, 0) or 1)


def line_of(text: str, word: str) -> int:
    """Returns the first line that has a word, outside comments."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(rf"(?<![\w]){re.escape(word)}(?![\w])", line.split("#")[0]):
            return number
    return 1


def whole(directives: Directives, name: str, value: Any, least: int | None = None) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise directives.refuse(name, f"{name}: expected a whole number")
    if least is not None and value < least:
        raise directives.refuse(name, f"{name}: expected a whole number from {least}")
    return value


def count_of(directives: Directives, name: str, value: Any) -> int:
    """Returns a number from 1, which may be that of a macro of [define]."""
    if isinstance(value, str):
        if not directives.define.get(value, "").isdecimal():
            raise directives.refuse(name, f"{name}: [define] has no number {value}")
        value = int(directives.define[value])
    return whole(directives, name, value, 1)


def check_kinds(directives: Directives, data: dict[str, Any]) -> None:
    for key in data:
        if key not in KEYS:
            raise directives.refuse(key, f"unknown directive {key}; there are: {', '.join(KEYS)}")
    for key in TABLES:
        if not isinstance(data.get(key, {}), dict):
            raise directives.refuse(key, f"{key} is a table: write [{key}] and NAME = VALUE below")


def read(path: pathlib.Path) -> Directives:
    """Reads a file of directives."""
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise Refused(f"cannot be read: {error.strerror}", str(path)) from error
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"is not TOML: {error}", str(path)) from error
    if "extends" not in data:
        return from_data(data, str(path), path.parent, text)
    base = data.pop("extends")
    if not isinstance(base, str) or not (path.parent / base).is_file():
        raise Refused(f"extends: there is no file {base}", str(path), line_of(text, "extends"))
    other = tomllib.loads((path.parent / base).read_text(encoding="utf-8"))
    if "extends" in other:
        raise Refused(f"extends: {base} extends a file itself", str(path), line_of(text, "extends"))
    result = from_data(extended(other, data), str(path), path.parent, text)
    result.inherited = words_of(other) - words_of(data)
    return result


def words_of(data: dict[str, Any]) -> set[str]:
    """Returns the names of loops, arrays and functions that directives are about."""
    names = {name for key in TABLES if isinstance(data.get(key), dict) for name in data[key]}
    names |= {str(name) for group in data.get("together", []) for name in group}
    return names | {str(name) for name in data.get("partition", [])}


def extended(base: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """Returns the directives of a file and those of the one that it extends.

    A value "none" takes a directive away.
    """
    whole = dict(base)
    for key, value in data.items():
        if key in TABLES and isinstance(value, dict) and isinstance(base.get(key), dict):
            both = base[key] | value
            whole[key] = {name: one for name, one in both.items() if one != "none"}
        else:
            whole[key] = value
    return whole


def from_data(data: dict[str, Any], file: str, folder: pathlib.Path, text: str = "") -> Directives:
    result = Directives(file, folder / str(data.get("kernel", "")), str(data.get("top", "")))
    words = list(data)
    for key in TABLES:
        if isinstance(data.get(key), dict):
            words += list(data[key])
    if isinstance(data.get("partition"), list):
        words += [str(name) for name in data["partition"]]
    result.lines = {word: line_of(text, word) for word in words}
    check_kinds(result, data)
    read_top(result, data)
    read_loops(result, data)
    read_arrays(result, data)
    for name, value in data.get("functions", {}).items():
        if value not in ("inline", "share", "instantiate"):
            raise result.refuse(name, f'{name}: expected "inline", "share" or "instantiate"')
        result.functions[name] = value
    read_together(result, data.get("together", []))
    for name, numbers in data.get("values", {}).items():
        if not isinstance(numbers, list) or not numbers:
            raise result.refuse(name, f"{name}: expected a list of numbers, as [0, 1, 2]")
        result.values[name] = [whole(result, name, number) for number in numbers]
    return result


def read_together(result: Directives, groups: Any) -> None:
    names = [groups] if not isinstance(groups, list) else groups
    for group in names:
        if (
            not isinstance(group, list)
            or len(group) < 2
            or any(not isinstance(name, str) for name in group)
            or len(set(group)) < len(group)
        ):
            raise result.refuse(
                "together", 'together: expected lists of functions, as [["first", "second"]]'
            )
        for name in group:
            result.lines[name] = result.lines["together"]
        result.together.append(group)


def read_top(result: Directives, data: dict[str, Any]) -> None:
    for key in ("kernel", "top"):
        if not isinstance(data.get(key), str):
            raise result.refuse(key, f'{key} = "..." is missing')
    clock = data.get("clock", result.clock)
    if not isinstance(clock, int | float) or not 2 <= clock <= 1000:
        raise result.refuse("clock", "clock: nanoseconds from 2 to 1000 are wanted")
    result.clock = float(clock)
    result.delays = data.get("delays", result.delays)
    if result.delays not in delays.MODELS:
        raise result.refuse("delays", f"delays: expected one of {', '.join(delays.MODELS)}")
    result.define = {name: str(value) for name, value in data.get("define", {}).items()}


def read_loops(result: Directives, data: dict[str, Any]) -> None:
    for name, value in data.get("pipeline", {}).items():
        result.pipeline[name] = 0 if value == "auto" else whole(result, name, value, 1)
    for name, value in data.get("unroll", {}).items():
        if name in result.pipeline and value == "full":
            raise result.refuse(name, f"{name} is unrolled wholly: nothing is left to pipeline")
        result.unroll[name] = 0 if value == "full" else whole(result, name, value, 2)
    for name, value in data.get("turns", {}).items():
        result.turns[name] = count_of(result, name, value)


def read_arrays(result: Directives, data: dict[str, Any]) -> None:
    for name, value in data.get("bind", {}).items():
        if value not in BINDINGS:
            raise result.refuse(name, f"{name}: expected one of {', '.join(BINDINGS)}")
        result.bind[name] = value
    partition = data.get("partition", [])
    if not isinstance(partition, list):
        raise result.refuse("partition", 'partition: expected a list of arrays, as ["a", "b"]')
    for name in partition:
        if name in result.bind:
            raise result.refuse(name, f"{name} is in bind, too; partition means registers")
        result.bind[str(name)] = "registers"
    for name, value in data.get("ports", {}).items():
        if not (isinstance(value, list) and len(value) == 2):
            raise result.refuse(name, f"{name}: expected [read ports, write ports]")
        reads, writes = (count_of(result, name, one) for one in value)
        result.ports[name] = (reads, writes)
