# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random inputs for a kernel."""

from __future__ import annotations

import random

from . import simulate
from .design import Design
from .errors import Refused
from .ir import Array


def random_inputs(design: Design, seed: int, settings: list[str]) -> simulate.Values:
    chosen = random.Random(seed)
    ranges = dict(text.split("<", 1) for text in settings if "<" in text)
    fixed = dict(text.split("=", 1) for text in settings if "=" in text)
    values: simulate.Values = {}
    names = {argument.name for argument in design.top.function.arguments}
    for name in [*ranges, *fixed]:
        if name not in names:
            raise Refused(f"--set: {design.directives.top} has no argument {name}")
    for argument in design.top.function.arguments:
        bound = 1 << argument.width
        if argument.name in ranges:
            bound = int(ranges[argument.name], 0)
        if isinstance(argument, Array):
            values[argument.name] = [chosen.randrange(bound) for _ in range(argument.depth)]
        elif argument.name in fixed:
            values[argument.name] = int(fixed[argument.name], 0)
        else:
            values[argument.name] = chosen.randrange(bound)
    return values
