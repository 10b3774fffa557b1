# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs made by Hypothesis give in C and in simulation the same, in the cycles computed."""

import copy
import random
import re

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seed_with

from codekem_hls.errors import Refused
from codekem_hls.inputs import random_inputs
from codekem_hls.software import Software
from hls.tests.farm import Farm
from hls.tests.kernel_designs import read_design
from hls.tests.program_strategy import programs

# What a program may be refused for although it is in the subset: the compiler has removed a loop,
# or made a scalar of an array, and then the directive would have no effect.
NO_EFFECT = r"not there any more|no memory here|cannot be pipelined|is not called"


def compile_program(folder, name, text, data):
    """Returns the design; leaves out directives that would have no effect."""
    data = copy.deepcopy(data)
    for function in list(data.get("functions", {})):
        data["functions"][function.replace("NAME", name)] = data["functions"].pop(function)
    (folder / f"{name}.c").write_text(text.replace("NAME", name))
    while True:
        try:
            return read_design(folder / f"{name}.toml", data | {"kernel": f"{name}.c", "top": name})
        except Refused as refused:
            if not re.search(NO_EFFECT, refused.message):
                raise
            left = [
                (table, key)
                for table in ("pipeline", "bind", "functions", "unroll")
                for key in data.get(table, {})
                if re.search(rf"\b{key}\b", refused.message)
            ]
            if not left:
                raise
            del data[left[0][0]][left[0][1]]


def agree(built, folder, name, several, seed):
    """Compiles and runs programs; returns how many were accepted or had to be refused."""
    folder.mkdir(parents=True, exist_ok=True)
    designs, refused_rightly = [], 0
    for number, (text, data, *must_be_refused) in enumerate(several):
        try:
            designs.append(compile_program(folder, f"p{number}", text, data))
            assert not any(must_be_refused), text
        except Refused as refused:
            if any(must_be_refused) and re.search(must_be_refused[0], refused.message):
                refused_rightly += 1
                continue
            if "unrolled" not in refused.message:
                raise
    if not designs:
        return refused_rightly
    farm = Farm(designs, built / name)
    software = [Software(design, built / name) for design in designs]
    chosen = random.Random(seed)
    for turn in range(3):
        inputs = []
        for design in designs:
            small = ["in<4", "both<4", "x<4"] if chosen.random() < 0.5 else []
            inputs.append(random_inputs(design, seed + turn, small))
        found = farm.run(inputs, seed + turn)
        for design, program, values, core in zip(designs, software, inputs, found, strict=True):
            cycles, arrays, result = core
            wanted = program.run(values)
            assert arrays == wanted.arrays, design.directives.kernel.read_text()
            assert result == wanted.result, design.directives.kernel.read_text()
            public = {key: one for key, one in values.items() if isinstance(one, int)}
            assert cycles == design.latency(public)
    return len(designs) + refused_rightly


def made(count, number=None, strategy=programs):
    """Returns programs that Hypothesis makes: of a number the same ones, else always the same."""
    several = []

    @seed_with(0 if number is None else number)
    @settings(
        max_examples=count,
        deadline=None,
        derandomize=number is None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy())
    def collect(program):
        several.append(program)

    collect()
    return several


def test_programs(folder, tmp_path):
    several = made(10)
    # The strategy makes programs that are accepted, most of them.
    assert agree(folder, tmp_path, "programs", several, 1) >= len(several) * 2 // 3


def test_two_shifts(cores, tmp_path):
    """Verilator's optimiser of data flow gets this wrong, so simulate.py does without it."""
    text = """#include "hls.h"
uint32_t NAME(uint32_t a[static 1], uint32_t x) { return x << (x & 31) << (a[0] & 31); }
"""
    design = compile_program(tmp_path, "shifts", text, {})
    run = cores.build("shifts", [design])
    for x, second in [(0x89ABCDFB, 15), (3, 29), (31, 1), (16, 16), (1, 30)]:
        core, software = run(design, {"a": [second], "x": x})
        assert core.result == software.result == (x << (x & 31) << second) % 2**32


def test_constant_address_beside_counters(cores, tmp_path):
    """An element that a loop's other accesses never meet may be written after they are read."""
    text = """#include "hls.h"
uint32_t NAME(uint32_t out[static 8], uint32_t in[static 8]) {
  uint32_t s = 0;
  for (unsigned i = 0; i < 2; i++) {
    for (unsigned j = 0; j < 3; j++) {
      out[7] = in[j];
      s = (s ^ out[j + 3 * i]) * 3 + in[(j + i) & 7];
      out[6] = s;
    }
    s += out[7];
  }
  return s;
}
"""
    design = compile_program(tmp_path, "constant", text, {})
    run = cores.build("constant", [design])
    core, software = run(design, {"out": list(range(1, 9)), "in": list(range(11, 19))})
    assert core.result == software.result and core.arrays == software.arrays


@pytest.mark.long
@pytest.mark.parametrize("turn", range(10))
def test_many_programs(folder, tmp_path, turn):
    seed = random.SystemRandom().getrandbits(31)
    print(f"seed {seed}")
    several = made(40, seed)
    assert agree(folder, tmp_path, f"programs-{turn}", several, seed) >= len(several) // 2
