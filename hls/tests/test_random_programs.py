# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random programs of the whole subset: the simulated core does what gcc -O0 does."""

import copy
import ctypes
import random
import re
import subprocess

import pytest

from codekem_hls.errors import Refused
from codekem_hls.frontend import KERNELS
from hls.tests.farm import Farm
from hls.tests.kernel_designs import read_design
from hls.tests.random_expressions import TYPES
from hls.tests.random_programs import program

HEAD = '#include <stdbool.h>\n#include <stddef.h>\n#include <string.h>\n#include "hls.h"\n'
# The compiler has left nothing of what a directive is about, or has joined or parted loops.
NO_EFFECT = (
    r"not there any more|cannot be (pipelined|unrolled)|is not called|no memory|no such array"
    r"|must be a memory|has no schedule"
)
# LLVM may thread two branches on data so that their sides do not meet.
BRANCH = r"a branch or trip count depends"


def drop(data, message):
    """Takes away the directive that a message is about."""
    for table in ("pipeline", "bind", "functions", "unroll"):
        for name in data[table]:
            if re.search(rf"\b{re.escape(name)}\b", message):
                del data[table][name]
                return True
    return False


def compiled(folder, one):
    """Returns a design; without directives that would have no effect."""
    data = copy.deepcopy(one.directives)
    name = data["top"]
    (folder / f"{name}.c").write_text(HEAD + one.text)
    while True:
        try:
            return read_design(folder / f"{name}.toml", data | {"kernel": f"{name}.c"})
        except Refused as refused:
            if not re.search(NO_EFFECT, refused.message) or not drop(data, refused.message):
                raise


class Software:
    """All programs, compiled by gcc without optimisation."""

    def __init__(self, folder, programs):
        text = folder / "all.c"
        text.write_text(HEAD + "".join(one.text for one in programs))
        library = folder / "all.so"
        options = ["-std=gnu2x", "-O0", "-w", "-fPIC", "-shared", f"-I{KERNELS}"]
        subprocess.run(["gcc", *options, text, "-o", library], check=True)
        self.library = ctypes.CDLL(str(library))

    def run(self, one, values):
        """Returns (arrays, result), as numbers that are not negative."""
        call = getattr(self.library, one.directives["top"])
        back = one.back
        call.restype = None if back == "void" else c_type(back)
        given, arrays = [], {}
        for name, kind, length, *_ in one.arguments:
            if length:
                arrays[name] = (c_type(kind) * length)(*values[name])
                given.append(arrays[name])
            else:
                given.append(c_type(kind)(values[name]))
        result = call(*given)
        found = {
            name: [n % (1 << bits_of(kind)) for n in arrays[name]]
            for name, kind, length, *_ in one.arguments
            if length
        }
        return found, None if back == "void" else int(result) % (1 << bits_of(back))


def bits_of(kind):
    return 1 if kind == "bool" else TYPES.get(kind, (32, False))[0]


def c_type(kind):
    if kind == "bool":
        return ctypes.c_bool
    return getattr(ctypes, f"c_{kind.removesuffix('_t')}" if kind in TYPES else "c_uint32")


def drawn(one, rng):
    """Returns inputs: large and small ones, negative ones as their C has them."""
    values = {}
    for name, kind, length, *_ in one.arguments:
        bits = bits_of(kind)
        small = rng.random() < 0.3
        numbers = [
            rng.randrange(4 if small and bits > 1 else 1 << bits) for _ in range(length or 1)
        ]
        values[name] = numbers if length else numbers[0]
        if name in one.public:
            values[name] = rng.choice(one.public[name])
    return values


def differences(folder, seed, count, turns=3):
    """Runs programs; returns (how many were simulated, what was refused, what was wrong)."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)
    programs = [program(rng, f"q{number}") for number in range(count)]
    software = Software(folder, programs)
    designs, kept, refused = [], [], []
    for one in programs:
        try:
            designs.append(compiled(folder, one))
            kept.append(one)
        except Refused as found:
            refused.append((str(found), one))
    farm = Farm(designs, folder)
    wrong = []
    for turn in range(turns):
        inputs = [drawn(one, rng) for one in kept]
        cores = farm.run(inputs, seed + turn)
        for design, one, values, core in zip(designs, kept, inputs, cores, strict=True):
            cycles, arrays, result = core
            computed = design.latency({k: v for k, v in values.items() if isinstance(v, int)})
            if (arrays, result) != software.run(one, values) or cycles != computed:
                wrong.append((one, values, cycles, computed))
    return len(kept), refused, wrong


def told(found):
    return "\n".join(f"{one.directives}\n{HEAD}{one.text}" for one, *_ in found[:2])


def test_programs(folder):
    simulated, refused, wrong = differences(folder / "random", 1, 8)
    assert not wrong, told(wrong)
    assert not refused and simulated == 8


@pytest.mark.long
@pytest.mark.parametrize("turn", range(20))
def test_many_programs(folder, turn):
    seed = random.SystemRandom().getrandbits(31)
    print(f"seed {seed}")
    simulated, refused, wrong = differences(folder / f"random-{turn}", seed, 100)
    assert not wrong, told(wrong)
    assert all(re.search(BRANCH, text) for text, _ in refused), refused
    assert simulated >= 95
