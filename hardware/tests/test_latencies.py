# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The latencies in the headers of the modules and in docs/hardware.md are those of sim/cycles.py.

The benches and the whole core compare cycles.py with simulation, so all four say the same.
"""

import math
import re

import pytest

from hardware.tests import simulated

SETS = [(level, preset) for level in simulated.cycles.LEVELS for preset in simulated.cycles.PRESETS]
COUNT = 17  # words of a field

# Module: the names in its header's formula, and the formula of cycles.py.
HEADERS = {
    "bike_gather": (
        lambda c: {
            "Words": c.words,
            "Groups": c.groups("key"),
            "WORD": c.word,
            "STRIDE": c.stride,
        },
        lambda c: c.gather("key"),
    ),
    "bike_rows": (
        lambda c: {"Words": c.words, "WORD": c.word, "STRIDE": c.stride},
        lambda c: c.load_rows(),
    ),
    "bike_compare": (lambda c: {"Words": c.words}, lambda c: c.compare()),
    "bike_positions": (
        lambda c: {"Slots": c.groups("key") * c.lanes},
        lambda c: c.positions("key"),
    ),
    "inverter_load": (
        lambda c: {"DEPTH": c.inv_depth, "INV_WORD": c.inv_word, "WORD": c.word},
        lambda c: c.inverter_load(),
    ),
    "inverter_copy": (lambda c: {"Words": c.words}, lambda c: c.inverter_copy()),
    "kem_receive": (lambda c: {"Count": COUNT}, lambda c: c.receive(COUNT)),
    "kem_send": (lambda c: {"Count": COUNT}, lambda c: c.send(COUNT)),
    "kem_sampler": (lambda c: {"Weight": COUNT}, lambda c: c.sample(COUNT, 0)),
}
# Row of the table in docs/hardware.md: the same.
DOCUMENTED = {
    "product by d or t positions": lambda c: c.gather("key"),
    "counters of both halves": lambda c: c.gather("count"),
    "update of the syndrome": lambda c: c.gather("update"),
    "rows of a polynomial": lambda c: c.load_rows(),
    "positions for the lanes": lambda c: c.positions("key"),
    "comparison of two errors": lambda c: c.compare(),
    "slots to zero": lambda c: c.erase(1),
    "hash": lambda c: 25 + c.permutation(),
}


def value(formula, names):
    """Returns the value of a formula, in which 2 W K is a product; divisions are in ceil or
    exact."""
    assert re.fullmatch(r"[\w+\-*/() ]+", formula), formula
    tokens = []
    for token in re.findall(r"\d+|[A-Za-z_]\w*|\S", formula):
        if tokens and tokens[-1] not in ("ceil", *"(+-*/") and token not in (*")+-*/",):
            tokens.append("*")
        tokens.append(token)
    return eval(" ".join(tokens), names | {"ceil": math.ceil, "__builtins__": {}})


def header(module):
    (path,) = (simulated.HARDWARE / "rtl").rglob(f"{module}.sv")
    text = path.read_text(encoding="utf-8")
    return " ".join(
        line.removeprefix("//").strip() for line in text.splitlines() if line.startswith("//")
    )


def documented(root):
    """Returns {part: formula} of the table of cycles in docs/hardware.md."""
    text = (root / "docs" / "hardware.md").read_text(encoding="utf-8")
    table = text.split("| part | cycles |")[1].split("\n\n")[0]
    return dict(re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE))


@pytest.mark.parametrize("module", HEADERS)
@pytest.mark.parametrize(("level", "preset"), SETS)
def test_header_states_the_latency_of_the_formulas(module, level, preset):
    (formula,) = re.findall(r"Latency, from start_i to done_o: (.*?) cycles", header(module))
    cycles = simulated.cycles.Cycles(LEVEL=level, PRESET=preset)
    names, latency = HEADERS[module]
    assert value(formula, names(cycles)) == latency(cycles)


@pytest.mark.parametrize("part", DOCUMENTED)
@pytest.mark.parametrize(("level", "preset"), SETS)
def test_document_states_the_latency_of_the_formulas(part, level, preset, root):
    formula = documented(root)[part].split(",")[0].removeprefix("a block: ")
    cycles = simulated.cycles.Cycles(LEVEL=level, PRESET=preset)
    names = {
        "W": cycles.words,
        "K": cycles.rows,
        "LANES": cycles.lanes,
        "d": cycles.d,
        "t": cycles.t,
        "KECCAK_ROUNDS": cycles.rounds,
    }
    assert value(formula, names) == DOCUMENTED[part](cycles)


@pytest.mark.parametrize("blocks", [1, 2, 29])
def test_the_sponge_states_the_latency_of_the_formulas(blocks):
    formulas = re.search(
        r"sponge: (.*?) \(ROUNDS = 1\), or buffered (.*?)\.", header("keccak_sponge")
    )
    for buffered, formula in enumerate(formulas.groups()):
        cycles = simulated.cycles.Cycles(KECCAK_BUFFERED=buffered)
        assert value(formula, {"B": blocks}) == cycles.sponge(blocks)


def test_an_operation_takes_what_the_sequencer_says(root):
    latency = header("kem_sequencer").split("Latency: ")[1]
    first = int(re.match(r"(\d+) cycles from start_i to the first start_o", latency)[1])
    after, more = map(
        int,
        re.match(
            r"a step begins (\d+) cycles after the one before it, or after the last unit that it "
            r"waits for; (\d+) more for the whole",
            documented(root)["an operation"],
        ).groups(),
    )
    total = simulated.cycles.Cycles(OVERLAP=1).total
    assert first == after
    assert total(("recv", 10, "")) == first + 10 + more
    assert total(("recv", 10, ""), ("send", 20, "recv")) == first + 10 + after + 20 + more
    assert total(("recv", 30, ""), ("send", 20, "")) == first + 30 + more
    assert total(("recv", 10, ""), ("recv", 20, "")) == first + 10 + after + 20 + more
    one_port = simulated.cycles.Cycles(OVERLAP=0).total
    assert one_port(("rows", 30, "reads"), ("send", 20, "reads")) == first + 30 + after + 20 + more


def test_the_test_finds_another_latency():
    names = {"W": 97, "K": 2, "LANES": 8, "d": 71}
    assert value("W K + K + 5", names) == 201 and value("W K + K + 6", names) != 201
    assert value("4 + 2 W ceil(d / LANES) + 12 + 2K", names) == 4 + 2 * 97 * 9 + 12 + 4
    assert value("ceil((d + 1) / (LANES/2)) LANES", names) == 18 * 8


@pytest.mark.parametrize(("level", "preset"), SETS)
def test_gray_positions_are_zero_before_the_update_ends(level, preset):
    """The pass that follows waits for the update alone (BY_LATENCY in benches/bench_program.py)."""
    some = simulated.cycles.Cycles(LEVEL=level, PRESET=preset)
    begun_later = 4  # cycles: the sequencer's two, twice
    assert some.erase(2) + begun_later < some.gather("update")
