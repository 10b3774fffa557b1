# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A space of designs: a file of directives, and for some of them several values to choose from.

hls/spaces/keccak_f.toml is an example; docs/hls.md explains it.
"""

from __future__ import annotations

import copy
import dataclasses
import itertools
import math
import pathlib
import tomllib
from collections.abc import Iterator
from typing import Any

from .directives import KEYS, TABLES, extended
from .errors import Refused

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "spaces"
ABSENT = "off"  # the choice that leaves a directive out
Point = tuple[int, ...]  # for each axis, the number of its choice


@dataclasses.dataclass(frozen=True)
class Axis:
    """One directive with its choices; the table is "" for those at the top of a file."""

    table: str
    key: str
    choices: list[Any]

    @property
    def name(self) -> str:
        return f"{self.table}.{self.key}" if self.table else self.key

    def shown(self, number: int) -> str:
        value = self.choices[number]
        return f"{self.name}={'/'.join(map(str, value)) if isinstance(value, list) else value}"


@dataclasses.dataclass
class Space:
    name: str
    file: pathlib.Path
    bases: list[tuple[pathlib.Path, dict[str, Any]]]
    axes: list[Axis]  # the first chooses the base, if there are several

    @property
    def size(self) -> int:
        return math.prod(len(axis.choices) for axis in self.axes)

    def points(self) -> Iterator[Point]:
        return itertools.product(*[range(len(axis.choices)) for axis in self.axes])

    def directives(self, point: Point) -> tuple[pathlib.Path, dict[str, Any]]:
        """Returns a point's directives as data, and the file that they would lie beside."""
        base = 0
        for axis, number in zip(self.axes, point, strict=True):
            if axis.name == "base":
                base = number
        file, data = self.bases[base][0], copy.deepcopy(self.bases[base][1])
        for axis, number in zip(self.axes, point, strict=True):
            if axis.name == "base":
                continue
            table = data.setdefault(axis.table, {}) if axis.table else data
            if axis.choices[number] == ABSENT:
                table.pop(axis.key, None)
            else:
                table[axis.key] = axis.choices[number]
        return file, {key: value for key, value in data.items() if value != {}}

    def shown(self, point: Point) -> str:
        pairs = zip(self.axes, point, strict=True)
        return " ".join(axis.shown(number) for axis, number in pairs)


def find(name: str) -> pathlib.Path:
    """Returns the file of a space: that of a kernel by its name, or a path."""
    path = pathlib.Path(name)
    if path.suffix == ".toml" or path.exists():
        return path
    known = sorted(one.stem for one in FOLDER.glob("*.toml"))
    if name not in known:
        raise Refused(f"no space {name}; there are {', '.join(known)}, or give a file .toml")
    return FOLDER / f"{name}.toml"


def load(path: pathlib.Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused(f"cannot be read: {error.strerror}", str(path)) from error
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"is not TOML: {error}", str(path)) from error


def load_base(path: pathlib.Path) -> dict[str, Any]:
    """Returns the directives of a file, with those of the one that it extends."""
    data = load(path)
    if "extends" not in data:
        return data
    base = load(path.parent / str(data.pop("extends")))
    return extended(base, data)


def axis_of(path: pathlib.Path, table: str, key: str, choices: Any) -> Axis:
    if not isinstance(choices, list) or not choices:
        raise Refused(f"{key}: expected a list of choices", str(path))
    return Axis(table, key, choices)


def read(path: pathlib.Path) -> Space:
    """Reads a file of a space."""
    data = load(path)
    names = data.pop("base", None)
    if isinstance(names, str):
        names = [names]
    if not isinstance(names, list) or not names:
        raise Refused('base = "FILE", or a list of files of directives, is missing', str(path))
    files = [path.parent / str(name) for name in names]
    axes = [Axis("", "base", [file.name.removesuffix(".toml") for file in files])]
    for key, value in data.items():
        if key not in KEYS or key in ("kernel", "top"):
            raise Refused(f"unknown directive {key}", str(path))
        if key in TABLES:
            if not isinstance(value, dict):
                raise Refused(f"{key} is a table: write [{key}] and NAME = [...]", str(path))
            axes += [axis_of(path, key, name, choices) for name, choices in value.items()]
        else:
            axes.append(axis_of(path, "", key, value))
    if len(files) == 1:
        axes = axes[1:]
    return Space(path.stem, path, [(file, load_base(file)) for file in files], axes)
