# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem-hls simulate: inputs that directives and arrays allow, and a kernel that dies."""

import itertools
import json

import pytest

from codekem_hls import cli
from codekem_hls.errors import Refused, ToolFailed
from codekem_hls.inputs import random_inputs, read_inputs
from codekem_hls.software import Software
from hls.tests.kernel_designs import KERNELS, read_design

HEAD = '#include "hls.h"\n'
COUNT = """uint32_t kernel(PUBLIC uint32_t n, PUBLIC uint8_t step, const uint32_t a[static 8]) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < n; i += step) s += a[i];
  return s;
}
"""
INDICES = """static const uint8_t LOG[100] = {1, 2, 3};
uint32_t far(uint32_t h[static 16], const uint16_t z[static 4], uint16_t last) {
  uint32_t s = h[last];
  for (int i = 0; i < 4; i++) s += h[z[i]];
  return s;
}
uint32_t kernel(uint32_t h[static 64], const uint32_t x[static 16], const int8_t y[static 8],
                const uint16_t z[static 4], uint16_t last, uint8_t log, uint32_t other) {
  uint32_t wide[200];
  for (int i = 0; i < 200; i++) wide[i] = other;
  for (int i = 0; i < 16; i++) h[x[i]] += wide[x[i]];
  for (int i = 0; i < 8; i++) h[0] += wide[y[i]] + h[other & 63];
  return far(h, z, last) + LOG[log];
}
"""


def drawn(design, *settings, runs=12):
    return [random_inputs(design, seed, settings) for seed in range(runs)]


def test_public_scalars_are_listed_ones(compiled):
    design = compiled(HEAD + COUNT, values={"n": [3, 8], "step": [1, 2, 5]})
    found = {(values["n"], values["step"]) for values in drawn(design)}
    assert found == {(n, step) for n in (3, 8) for step in (1, 2, 5)}
    assert {values["n"] for values in drawn(design, "n<8", "step=5")} == {3}
    with pytest.raises(Refused, match="list no such values of n, step"):
        drawn(design, "n=4")


def test_one_listed_value(compiled):
    """The latency does not depend on n then, but the core is right for the listed value only."""
    design = compiled(HEAD + COUNT, values={"n": [5], "step": [1]})
    assert {values["n"] for values in drawn(design)} == {5}
    with pytest.raises(Refused, match="'n': 6, 'step': 1} is not among the values"):
        design.latency({"n": 6, "step": 1})


def test_a_value_that_is_too_large(compiled):
    with pytest.raises(Refused, match=r"values: step is from 0 to 2\^8 - 1, which 256 is not"):
        compiled(HEAD + COUNT, values={"n": [5], "step": [1, 256]})


def test_negative_values(compiled, cores):
    """Scalars with a sign, listed, set and drawn; bool arrays have two values."""
    text = """int32_t kernel(PUBLIC int8_t k, int16_t x, int8_t y, const bool b[static 8]) {
  int32_t s = x;
  for (int i = k; i < 3; i++) s = s * 3 + y + b[i & 7];
  return s >> 1;
}
"""
    design = compiled("#include <stdbool.h>\n" + HEAD + text, values={"k": [-1, 3, -128]})
    assert {values["k"] for values in drawn(design)} == {255, 3, 128}
    assert {one for values in drawn(design) for one in values["b"]} == {0, 1}
    run = cores.build("negative", [design])
    for k, x, y in ((-1, -7, -8), (3, -32768, 1), (-128, 77, -1), (255, -1, -128)):
        values = {"k": k, "x": x, "y": y, "b": [1, 0] * 4}
        core, software = run(design, values)
        s = x
        for i in range(k - 256 if k == 255 else k, 3):
            s = s * 3 + y + (i + 1) % 2
        s = (s + 2**31) % 2**32 - 2**31
        assert core.result == software.result == (s >> 1) % 2**32
        assert core.cycles == design.latency(values)
    with pytest.raises(Refused, match=r"k is from -128 to 2\^8 - 1, which -129 is not"):
        compiled("#include <stdbool.h>\n" + HEAD + text, values={"k": [-129]})


@pytest.mark.parametrize(
    ("flavour", "names"),
    [
        ("sample_fixed.perf", ["first", "to"]),
        pytest.param("hqc.perf", ["operation"], marks=pytest.mark.long),
    ],
)
def test_public_scalars_of_the_kernels(flavour, names):
    design = read_design(KERNELS / f"{flavour}.toml")
    found = {tuple(values[name] for name in names) for values in drawn(design)}
    assert found == set(itertools.product(*(design.directives.values[name] for name in names)))


def test_public_scalars_that_are_not_listed(compiled):
    design = compiled(HEAD + COUNT)
    with pytest.raises(Refused, match=r"depends on step: list values in \[values\], or give --set"):
        drawn(design, "n<9")
    found = drawn(design, "n<9", "step=3")
    assert all(values["n"] < 9 and values["step"] == 3 for values in found)


def test_elements_that_are_indices(compiled):
    """The least array counts; a sign leaves one bit less; `other` is an index after a mask only."""
    design = compiled(HEAD + INDICES, functions={"far": "share"})
    bounds = {"x": 64, "y": 128, "z": 16, "last": 16, "log": 100}
    for values in drawn(design):
        for name, bound in bounds.items():
            several = values[name] if isinstance(values[name], list) else [values[name]]
            assert all(value < bound for value in several), name
    assert max(values["other"] for values in drawn(design)) > 1 << 28
    assert max(max(values["x"]) for values in drawn(design, "x<1000")) > 500


# By name: the C, inputs with which it reads or writes outside an array, and what to set.
DEATHS = {
    "far behind": (
        "void kernel(uint32_t h[static 64], const uint32_t x[static 1]) {h[x[0]]++;}",
        {"x": [0xFFFFFFF0]},
        "'x<64'",
    ),
    "one behind": (
        "void kernel(uint8_t h[static 3], const uint8_t x[static 1]) {h[x[0]] += 1;}",
        {"x": [3]},
        "'x<3'",
    ),
    "one before": (
        "void kernel(uint8_t h[static 3], const uint8_t x[static 1]) {h[x[0] - 1]++;}",
        {"x": [0]},
        "'x<BOUND'",
    ),
    "local": (
        "uint32_t kernel(const uint32_t x[static 9]) {\n  uint32_t t[8];\n"
        "  for (int i = 0; i < 8; i++) t[i] = x[i];\n  return t[x[8]];\n}",
        {"x": [8] * 9},
        "'x<8'",
    ),
    "table": (
        "uint32_t kernel(uint8_t y) {static const uint16_t t[5] = {1, 9}; return t[y];}",
        {"y": 5},
        "'y<5'",
    ),
    "trips": (
        "uint32_t kernel(PUBLIC uint16_t n, const uint32_t a[static 8]) {\n  uint32_t s = 0;\n"
        "  for (int i = 0; i < n; i++) s += a[i];\n  return s;\n}",
        {"n": 9},
        "'n<BOUND'",
    ),
}


@pytest.mark.parametrize("name", DEATHS)
def test_kernel_that_dies(name, compiled, tmp_path):
    """This process goes on, and the message says what to do."""
    text, values, told = DEATHS[name]
    software = Software(compiled(HEAD + text + "\n"), tmp_path / "software")
    with pytest.raises(ToolFailed, match=rf"accesses elements outside an array.*--set {told}"):
        software.run(values)


def test_names_of_the_c_library(compiled, tmp_path):
    text = "uint32_t write(uint32_t x) { return x * 3; }\nint abs(int x) { return x + 1; }\n"
    text += "uint32_t kernel(uint32_t x) { return write(x) + (uint32_t)abs(-7); }\n"
    assert Software(compiled(HEAD + text), tmp_path / "software").run({"x": 5}).result == 9


@pytest.fixture
def simulate(tmp_path, folder, capsys):
    """simulate(c, directives, *words) runs the command on a kernel."""

    def run(text, directives, *words):
        (tmp_path / "kernel.c").write_text(HEAD + text)
        file = tmp_path / "simulate_command.toml"
        file.write_text(f'kernel = "kernel.c"\ntop = "kernel"\n{directives}')
        status = cli.main(["simulate", str(file), *words, "--build", str(folder)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def test_command(simulate):
    text = (
        "uint32_t kernel(PUBLIC uint32_t n, uint32_t h[static 8], const uint32_t x[static 8]) {\n"
    )
    text += "  for (uint32_t i = 0; i < n; i++) h[x[i]]++;\n  return h[0];\n}\n"
    status, said, _ = simulate(text, "[values]\nn = [5, 8]\n", "--runs", "4")
    assert status == 0 and said.count("the results are those of the C") == 4
    status, _, said = simulate(text, "[values]\nn = [5]\n", "--set", "x<1000000")
    assert status == 1 and "accesses elements outside an array" in said and "'x<8'" in said


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("n", "NAME=NUMBER or NAME<NUMBER"),
        ("n=many", "NAME=NUMBER or NAME<NUMBER"),
        ("n<0", "a bound from 1 to 4294967296"),
        ("m=3", "kernel has no argument m"),
        ("a=3", "a is an array; --inputs FILE"),
        ("step=256", "step has 8 bits"),
    ],
)
def test_wrong_settings(setting, message, compiled):
    with pytest.raises(Refused, match=message):
        random_inputs(compiled(HEAD + COUNT), 1, [setting])


def test_wrong_files(compiled, tmp_path):
    design = compiled(HEAD + COUNT, values={"n": [3], "step": [1]})
    path = tmp_path / "inputs.json"
    with pytest.raises(Refused, match="cannot be read"):
        read_inputs(design, path)
    for text, message in (
        ("{", "not JSON"),
        ("[]", "expected {argument"),
        ('{"m": 1}', "no argument m"),
    ):
        path.write_text(text)
        with pytest.raises(Refused, match=message):
            read_inputs(design, path)
    path.write_text(json.dumps({"n": 3, "a": [1] * 8}))
    assert read_inputs(design, path) == {"n": 3, "a": [1] * 8}
