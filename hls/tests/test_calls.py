# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Functions that are modules: one for all callers or one for each, with PUBLIC scalars, and what is
refused about them."""

import contextlib
import random
import re

import pytest

from codekem_hls.errors import Refused, ToolFailed
from hls.tests.call_strategy import call_programs
from hls.tests.kernel_designs import read_design
from hls.tests.planted import plant
from hls.tests.test_programs import agree, made
from tools import mistakes

HEAD = '#include "hls.h"\n'
TWO = """void leaf(uint32_t v[static 4], PUBLIC uint8_t count) {
  each: for (unsigned i = 0; i < count; i++) v[i] = v[i] * 3 + count;
}
void first(uint32_t v[static 4]) { leaf(v, 2); leaf(v, 4); }
void second(uint32_t v[static 8]) { leaf(v, 3); }
void kernel(uint32_t v[static 8], PUBLIC uint8_t how) {
  uint32_t own[4];
  fill: for (int i = 0; i < 4; i++) own[i] = v[i + 4];
  if (how == 0) first(own);
  if (how == 1) second(v);
  leaf(v, 1);
  give: for (int i = 0; i < 4; i++) v[i + 4] = own[i];
}
"""
SHARED = {"leaf": "share", "first": "share", "second": "share"}


def count(design, module):
    return len(re.findall(rf"^  {module} u_\w+ \($", design.text, re.M))


def test_one_module_for_all_callers(compiled, cores):
    design = compiled(HEAD + TWO, functions=SHARED, values={"how": [0, 1]})
    assert count(design, "leaf") == 1
    assert set(design.parts["leaf"].latencies) == {(1,), (2,), (3,), (4,)}
    run = cores.build("shared_leaf", [design])
    for how in (0, 1):
        values = {"v": [random.Random(how).getrandbits(32) for _ in range(8)], "how": how}
        core, software = run(design, values)
        assert core.arrays == software.arrays
        assert core.cycles == design.latency({"how": how})


def test_a_module_for_each_caller(compiled):
    shared = compiled(HEAD + TWO, functions=SHARED, values={"how": [0, 1]})
    design = compiled(
        HEAD + TWO, functions=SHARED | {"leaf": "instantiate"}, values={"how": [0, 1]}
    )
    assert count(design, "leaf") == 3
    assert design.latency({"how": 1}) == shared.latency({"how": 1})


@pytest.mark.parametrize("mistake", mistakes.cases("hls/calls"))
def test_planted_mistake(mistake, compiled, cores, monkeypatch):
    plant(mistake, monkeypatch)
    name = mistake.anchor
    text = TWO.replace("kernel(", "wrong(").replace("leaf", f"leaf_{name}")
    functions = {f"leaf_{name}": "share", "first": "share", "second": "share"}
    try:
        design = compiled(HEAD + text, top="wrong", functions=functions, values={"how": [0, 1]})
    except KeyError:
        return  # it does not even come to a core
    run = cores.build(f"wrong_{name}", [design])
    values = {"v": [random.Random(5).getrandbits(32) for _ in range(8)], "how": 0}
    with contextlib.suppress(ToolFailed):  # it may not end
        core, software = run(design, values)
        assert core.arrays != software.arrays


def test_values_are_needed(compiled):
    text = TWO.replace("leaf(v, 1)", "leaf(v, how)")
    with pytest.raises(Refused, match=r"list those of kernel in \[values\], or inline"):
        compiled(HEAD + text, functions=SHARED)


def test_values_of_nothing(compiled):
    with pytest.raises(Refused, match="kernel has no PUBLIC scalar which"):
        compiled(HEAD + TWO, functions=SHARED, values={"which": [0]})
    with pytest.raises(Refused, match="a list of numbers"):
        compiled(HEAD + TWO, functions=SHARED, values={"how": 3})


def test_value_that_is_not_listed(compiled):
    design = compiled(HEAD + TWO, functions=SHARED, values={"how": [0, 1]})
    with pytest.raises(Refused, match="is not among the values"):
        design.latency({"how": 2})


def test_data_as_public_scalar(compiled):
    text = TWO.replace("leaf(v, 1)", "leaf(v, (uint8_t)v[0])")
    with pytest.raises(Refused, match="count of leaf is PUBLIC, but it depends on what line 12"):
        compiled(HEAD + text, functions=SHARED, values={"how": [0, 1]})


def test_name_of_a_port(compiled):
    with pytest.raises(Refused, match="an argument start, as a port"):
        compiled(HEAD + "void kernel(uint8_t v[static 2], uint8_t start) { v[0] = start; }\n")


def test_switch_on_a_public_scalar(compiled, cores):
    text = """uint32_t kernel(uint32_t v[static 4], PUBLIC uint8_t how) {
  uint32_t sum = 0;
  switch (how) {
    case 0: first: for (int i = 0; i < 4; i++) sum += v[i]; break;
    case 1: second: for (int i = 0; i < 3; i++) sum ^= v[i] * sum + 1; break;
    default: v[0] = 9;
  }
  return sum;
}
"""
    design = compiled(HEAD + text, values={"how": [0, 1, 2]})
    run = cores.build("switch", [design])
    for how in range(3):
        core, software = run(design, {"v": [5, 7, 11, 13], "how": how})
        assert (core.arrays, core.result) == (software.arrays, software.result)
        assert core.cycles == design.latency({"how": how})


def test_several_files(tmp_path, cores):
    """A message names the file; loops of the same name are called by function."""
    (tmp_path / "part.c").write_text(
        HEAD + "static void twice(uint8_t v[static 4]) {\n  each: for (int i = 0; i < 4; i++)\n"
        "    v[i] *= 2;\n}\n"
    )
    kernel = HEAD + '#include "part.c"\n#include "part.c"\nvoid kernel(uint8_t v[static 4]) {\n'
    kernel += "  twice(v);\n  each: for (int i = 0; i < 4; i++) v[i] += 1;\n}\n"
    (tmp_path / "kernel.c").write_text(kernel.replace('#include "part.c"\n', "", 1))
    data = {"kernel": "kernel.c", "top": "kernel", "pipeline": {"twice.each": 1}}
    design = read_design(tmp_path / "kernel.toml", data)
    run = cores.build("several_files", [design])
    core, software = run(design, {"v": [1, 2, 3, 4]})
    assert core.arrays == software.arrays == {"v": [3, 5, 7, 9]}
    with pytest.raises(Refused, match=r'one loop each: "twice\.each", "kernel\.each"'):
        read_design(tmp_path / "kernel.toml", data | {"pipeline": {"each": 1}})
    (tmp_path / "part.c").write_text((tmp_path / "part.c").read_text().replace("*= 2", "*= 0.5f"))
    with pytest.raises(Refused, match="floating point") as refused:
        read_design(tmp_path / "kernel.toml", data)
    assert refused.value.file.endswith("part.c")
    assert refused.value.line == 4


def test_extends(tmp_path):
    (tmp_path / "kernel.c").write_text(HEAD + TWO)
    (tmp_path / "all.toml").write_text(
        'kernel = "kernel.c"\ntop = "kernel"\n[values]\nhow = [0, 1]\n[pipeline]\nfill = 1\n'
        '[functions]\nleaf = "share"\nfirst = "share"\nsecond = "share"\n'
    )
    path = tmp_path / "one.toml"
    path.write_text('extends = "all.toml"\ntop = "second"\n[functions]\nleaf = "inline"\n')
    assert set(read_design(path).parts) == {"second"}
    path.write_text('extends = "all.toml"\ntop = "second"\n[pipeline]\nfill = 1\n')
    with pytest.raises(Refused, match="fill is not there any more"):
        read_design(path)
    path.write_text('extends = "none.toml"\n')
    with pytest.raises(Refused, match=r"extends: there is no file none\.toml"):
        read_design(path)


DOT = """uint32_t dot(uint32_t a[static 4], uint32_t b[static 4]) {
  uint32_t s = 0;
  for (int i = 0; i < 4; i++) { s += a[i] * b[3 - i]; b[i] = s; }
  return s;
}
uint32_t middle(uint32_t p[static 4], uint32_t q[static 4]) { return dot(p, q) + p[0]; }
uint32_t first(uint32_t p[static 4], const uint32_t q[static 4]) { return p[0] + p[3]; }
"""
SHARE = {"dot": "share"}
# By name: the body of a kernel, its functions, and what is said.
ALIASES = {
    "one array": ("return dot(x, x);", SHARE, "x goes to the shared function dot twice, as a and"),
    "by its first element": ("return dot(x, &x[0]);", SHARE, "dot twice"),
    "a module of its own": ("return dot(x, x);", {"dot": "instantiate"}, "dot twice"),
    "one of two calls": ("return dot(x, y) + dot(y, y);", SHARE, "y goes to .* dot twice"),
    "through an inlined function": ("return middle(x, x);", SHARE, "x goes to .* dot twice"),
    "through a module": ("return middle(x, x);", SHARE | {"middle": "share"}, "middle twice"),
    "a row of itself": (
        "uint32_t m[2][4]; for (int i = 0; i < 8; i++) m[i / 4][i & 3] = x[i];"
        " return dot(m[0], (uint32_t *)m);",
        SHARE,
        "m goes to .* dot twice",
    ),
    "a part of itself": ("return dot(x, x + 4);", SHARE, "a part of an array"),
    "a table": (
        "static const uint32_t t[4] = {1, 2}; return dot((uint32_t *)t, (uint32_t *)t);",
        SHARE,
        "the constants .*t as an argument of dot",
    ),
}


@pytest.mark.parametrize("name", ALIASES)
def test_one_memory_as_two_arrays(name, compiled):
    """A module would put both addresses on one port."""
    body, functions, message = ALIASES[name]
    text = f"uint32_t kernel(uint32_t x[static 8], uint32_t y[static 4]) {{ {body} }}\n"
    with pytest.raises(Refused, match=message) as refused:
        compiled(HEAD + DOT + text, functions=functions)
    assert refused.value.line in (7, 9)


def test_one_memory_that_may_be_two(compiled, cores):
    """Inlined, or where the function does not access the second array."""
    body = "{ return dot(x, x) + middle(y, y) + first(x, x); }\n"
    text = f"uint32_t kernel(uint32_t x[static 4], uint32_t y[static 4]) {body}"
    design = compiled(HEAD + DOT + text, functions={"first": "share"})
    run = cores.build("one_memory", [design])
    core, software = run(design, {"x": [3, 5, 7, 11], "y": [2, 9, 4, 8]})
    assert (core.arrays, core.result) == (software.arrays, software.result)


@pytest.mark.long
def test_programs_with_calls(folder, tmp_path):
    several = made(6, strategy=call_programs)
    assert agree(folder, tmp_path, "calls", several, 1) >= len(several) * 2 // 3


@pytest.mark.long
@pytest.mark.parametrize("turn", range(5))
def test_many_programs_with_calls(folder, tmp_path, turn):
    seed = random.SystemRandom().getrandbits(31)
    print(f"seed {seed}")
    several = made(30, seed, call_programs)
    assert agree(folder, tmp_path, f"calls-{turn}", several, seed) >= len(several) // 2
