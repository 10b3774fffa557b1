# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Inputs of a kernel: random ones, and those of a file."""

from __future__ import annotations

import json
import pathlib
import random
import re
from collections.abc import Sequence

from .design import Design
from .errors import Refused
from .indices import bounds_of
from .ir import Array, Param
from .runs import public_scalars
from .simulate import Values


class Settings:
    """What --set says: values of scalars, and bounds below which random numbers are drawn."""

    def __init__(self, design: Design, texts: Sequence[str]) -> None:
        self.fixed: dict[str, int] = {}
        self.below: dict[str, int] = {}
        known = {argument.name: argument for argument in design.top.function.arguments}
        for text in texts:
            match = re.fullmatch(r"\s*(\w+)\s*([=<])\s*(-?\w+)\s*", text)
            try:
                name, sign, number = match.groups() if match else ("", "", "")
                value = int(number, 0)
            except ValueError:
                raise Refused(f"--set {text}: expected NAME=NUMBER or NAME<NUMBER") from None
            if name not in known:
                raise Refused(f"--set: {design.directives.top} has no argument {name}")
            self.take(known[name], sign, value)

    def take(self, argument: Array | Param, sign: str, value: int) -> None:
        name, end = argument.name, 1 << argument.width
        if sign == "<":
            if not 1 <= value <= end:
                raise Refused(f"--set {name}<{value}: expected a bound from 1 to {end}")
            self.below[name] = value
            return
        if isinstance(argument, Array):
            raise Refused(
                f"--set {name}={value}: {name} is an array; --inputs FILE gives its elements, and "
                f"--set '{name}<BOUND' the range of random ones"
            )
        if not -end // 2 <= value < end:
            raise Refused(f"--set {name}={value}: {name} has {argument.width} bits")
        self.fixed[name] = value % end

    def allow(self, name: str, value: int) -> bool:
        return value == self.fixed.get(name, value) and value < self.below.get(name, value + 1)


def listed_public(design: Design, settings: Settings, seed: int) -> dict[str, int]:
    """Returns values of the PUBLIC scalars that the directives list, or {} if they list none.

    Seeds that follow each other take one after the other.
    """
    names = [one.name for one in public_scalars(design.top.function)]
    fitting = [
        key
        for key in design.listed
        if all(settings.allow(name, value) for name, value in zip(names, key, strict=True))
    ]
    if fitting:
        return dict(zip(names, fitting[seed % len(fitting)], strict=True))
    if design.listed:
        raise Refused(f"--set: the directives list no such values of {', '.join(names)}")
    free = [name for name in names if name not in settings.fixed | settings.below]
    if free and design.top.latency is None:
        raise Refused(
            f"the latency depends on {', '.join(free)}: list values in [values], or give "
            f"{' '.join(f'--set {name}=VALUE' for name in free)}, or a range as --set 'NAME<BOUND'"
        )
    return {}


def random_inputs(design: Design, seed: int, texts: Sequence[str]) -> Values:
    """Returns random inputs that the directives allow; texts: those of --set.

    What is an index as it stands is one of an element that there is.
    """
    chosen = random.Random(seed)
    settings = Settings(design, texts)
    indices = bounds_of(design)
    values: Values = {}
    public = listed_public(design, settings, seed)
    for argument in design.top.function.arguments:
        name = argument.name
        boolean = isinstance(argument, Array) and argument.boolean
        most = 2 if boolean else 1 << argument.width
        bound = settings.below.get(name) or indices.get(argument) or most
        if isinstance(argument, Array):
            values[name] = [chosen.randrange(bound) for _ in range(argument.depth)]
        else:
            drawn = public.get(name, settings.fixed.get(name))
            values[name] = chosen.randrange(bound) if drawn is None else drawn
    return values


def read_inputs(design: Design, path: pathlib.Path) -> Values:
    """Reads a file {argument: number or list}."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused(f"cannot be read: {error.strerror}", str(path)) from error
    except ValueError as error:
        raise Refused(f"is not JSON: {error}", str(path)) from error
    if not isinstance(values, dict):
        raise Refused("expected {argument: number or list}", str(path))
    known = {argument.name for argument in design.top.function.arguments}
    for name in values:
        if name not in known:
            raise Refused(f"{design.directives.top} has no argument {name}", str(path))
    return values
