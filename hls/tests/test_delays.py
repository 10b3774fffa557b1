# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The model of delays that is fitted to measurements, and what it changes."""

import json
import re

import pytest

from codekem_hls import calibrate, delays, results, routed
from codekem_hls.errors import Refused
from hls.tests.kernel_designs import KERNELS, read_design

KERNEL = """#include "hls.h"
uint32_t kernel(const uint32_t a[static 16], uint32_t x) {
  uint32_t sum = 0;
  words: for (int i = 0; i < 16; i++) sum ^= a[i] + x;
  return sum;
}
"""


def test_stored_measurements_are_of_these_circuits():
    stored = json.loads(delays.STORED.read_text())
    assert stored["made_from"] == calibrate.made_from(), "run codekem-hls calibrate"
    assert {row["kind"] for row in stored["operators"]} == {
        one.kind for one in calibrate.operators()
    }


@pytest.mark.parametrize(
    "name", [calibrate.PLACED[1], pytest.param(calibrate.PLACED[0], marks=pytest.mark.long)]
)
def test_stored_wires_are_of_these_sources(name):
    stored = json.loads(delays.STORED.read_text())
    (row,) = [row for row in stored["in_place"] if row["flavour"] == name]
    assert row["made_from"] == routed.made_from(calibrate.alone(name)), "run codekem-hls calibrate"
    assert stored["wires"] == max(row["wires"] for row in stored["in_place"]) > 1


def test_fit():
    """The model is within 1.2 ns of each sum and comparison that was measured."""
    stored = json.loads(delays.STORED.read_text())
    model = delays.fitted(stored)
    for row in stored["operators"]:
        start = {"add": model.total, "icmp": model.compare}.get(row["kind"])
        if start is not None:
            assert abs(start + model.carry * row["bits"] - row["operator_ns"]) < 1.2
    assert 0 < model.gate < model.logic < 2 and model.memory_out > 2
    straight = {"register_ns": 1.0, "operators": []}
    for kind, slope in [("add", 0.1), ("icmp", 0.2), ("mul", 0.3), ("shift", 0), ("chain", 0)]:
        straight["operators"] += [
            {"kind": kind, "bits": bits, "operator_ns": 2 + slope * bits} for bits in (8, 16)
        ]
    straight["operators"] += [{"kind": "ctpop", "bits": 16, "operator_ns": 5.0}]
    straight["operators"] += [{"kind": "memory", "bits": 16, "operator_ns": 3.0}]
    found = delays.fitted(straight)
    assert (found.total, found.compare, found.product, found.carry) == (2, 2, 2, 0.2)
    assert (found.ones, found.memory_out, found.ways) == (1.0, 3.0, 2)


LARGE = re.compile(r"inverse|^(bike|hqc)\.")  # whole cores, too
ROUTED = [
    pytest.param(name, marks=[pytest.mark.long] if LARGE.search(name) else [])
    for name in results.stored(routed.STORED)
]


@pytest.mark.parametrize("name", ROUTED)
def test_routed_clock_is_of_these_sources(name):
    row = results.stored(routed.STORED)[name]
    made_from = routed.made_from(read_design(KERNELS / f"{name}.toml"))
    assert row["made_from"] == made_from, "run codekem-hls route"


def test_tables_in_docs(root):
    text = (root / "docs" / "results" / "hls.md").read_text(encoding="utf-8")
    for line in routed.table(results.stored(routed.STORED)):
        assert line in text, "put the table that codekem-hls route prints into the page"


SHIFTS = """#include "hls.h"
uint64_t kernel(uint64_t x, uint8_t n) {
  return x << (n & 63) ^ (uint64_t)((int64_t)x >> (n & 63));
}
"""


def test_a_shift_that_is_too_long_takes_two_steps(compiled, cores):
    design = compiled(SHIFTS, delays="ecp5")
    assert design.latency() > compiled(SHIFTS).latency()
    run = cores.build("parted_shifts", [design])
    for distance in (0, 7, 8, 63, 0x95):
        core, software = run(design, {"x": 0x923456789ABCDEF1, "n": distance})
        assert core.result == software.result


def test_directive(compiled):
    """A slower block RAM takes steps; the choice is for one design only."""
    data = {"pipeline": {"words": 1}}
    generic = compiled(KERNEL, **data).latency()
    assert compiled(KERNEL, delays="ecp5", **data).latency() > generic
    assert compiled(KERNEL, **data).latency() == generic
    with pytest.raises(Refused, match="one of generic, ecp5"):
        compiled(KERNEL, delays="fast")


@pytest.mark.usefixtures("synthesis")
def test_measuring_an_operator(tmp_path, monkeypatch):
    """The whole way through Yosys and nextpnr, with two small operators."""
    chosen = [one for one in calibrate.operators() if one.name in ("register_16", "add_8")]
    monkeypatch.setattr(calibrate, "operators", lambda: chosen)
    monkeypatch.setattr(calibrate, "SEEDS", (1,))
    found = calibrate.operator_rows(tmp_path)
    register, total = found["operators"]
    assert register["operator_ns"] == 0 and 0.5 < found["register_ns"] < 4
    assert 0.2 < total["operator_ns"] < 4
