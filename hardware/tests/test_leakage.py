# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Toggles of registers by module, fixed against random: what leakage/measure.py finds."""

import json
import re

import pytest

from hardware.leakage import measure
from hardware.tests import simulated
from tools.flow import areas

STORED = simulated.HARDWARE / "results" / "leakage.json"
# No secret comes near these; BIKE's rows keep the last bits of a polynomial.
PUBLIC = {
    "hqc": ("control", "program", "rows", "sequencer", "shell"),
    "bike": ("control", "program", "sequencer", "shell"),
}


def stored():
    return json.loads(STORED.read_text(encoding="ascii"))


def test_registers_of_a_header():
    header = """
        CData/*0:0*/ hqc_core__DOT__u_shell__DOT__u_control__DOT__wipe_q;
        VlWide<3>/*66:0*/ hqc_core__DOT__u_shell__DOT__gen_units__DOT__u_units__DOT__u_a__DOT__b_q;
        VlUnpacked<QData/*39:0*/, 5> hqc_core__DOT__u_shell__DOT__u_a__DOT__u_b__DOT__u_c__DOT__d_q;
        QData/*63:0*/ __Vdly__hqc_core__DOT__u_shell__DOT__u_a__DOT__e_q;
        IData/*31:0*/ hqc_core__DOT__u_shell__DOT__no_register;
    """
    found = measure.registers_in(header)
    assert [(one.bits, one.size) for one in found] == [(1, 1), (67, 12), (200, 40)]
    assert [measure.module_of(one.name) for one in found] == ["control", "a", "a.b"]
    text = measure.header_of(found)
    assert (
        '{"a", 67, 16},' in text and '{"a.b", 200, 56},' in text and '{"control", 1, 64},' in text
    )


def test_names_of_registers_end_in_q():
    """By which the model's header tells them from wires; the others are a memory's words."""
    others = set()
    for path in (simulated.HARDWARE / "rtl").glob("[!g]*/*.sv"):
        for left in re.findall(r"(\{[^{}]*\}|\b\w+)(?:\[[^\]]*\])* <= ", path.read_text("ascii")):
            others |= {(path.stem, name) for name in re.findall(r"\w+_o\b", left)}
    memories = ("kem_memory", "kem_slots", "kem_strings")
    assert others == {(memory, "rdata_o") for memory in memories}


def test_cases():
    assert len(measure.cases_of(["all"])) == len(measure.CASES) == 24
    assert [str(case) for case in measure.cases_of(["HQC-1 fast", "BIKE-L1 hp encaps"])] == [
        *(f"HQC-1 fast {operation}" for operation in measure.OPERATIONS),
        "BIKE-L1 hp encaps",
    ]
    with pytest.raises(KeyError):
        measure.cases_of(["HQC-1 fas"])


def test_inputs_differ_in_the_secret_alone(library):
    """Public parts of a set's packets are those of the other set; ciphertexts are honest."""
    for text in ("HQC-1 fast decaps", "BIKE-L1 fast decaps"):
        case = measure.CASES[text]
        inputs = measure.Inputs(case, 1, library)
        packets, kem = inputs.packets, inputs.kem
        fixed, again, other = inputs.packet(0), inputs.packet(0), inputs.packet(1)
        assert fixed != again and len(fixed) == len(other)
        secret = 8 if case.scheme == "hqc" else 2 * packets.weight  # words: the seed, or the lists
        first = (
            0
            if case.scheme == "hqc"
            else len(packets.words(bytes(packets.bytes + 32), packets.ciphertext))
        )
        assert fixed[first : first + secret] == again[first : first + secret]
        assert fixed[first : first + secret] != other[first : first + secret]
        assert inputs.packet(1)[first : first + secret] != other[first : first + secret]
        seed = bytes(kem.length_encaps_seed)
        ciphertext, shared = library.encaps(kem, inputs.public_key, seed)
        assert library.decaps(kem, ciphertext, inputs.fixed) == shared


def test_stored_rows_are_of_whole_cores():
    """Each operation of both `fast` at least; enough traces, most of the registers."""
    rows = {row["case"]: row for row in stored()}
    cores = ("BIKE-L1", "HQC-1")
    wanted = {f"{core} fast {operation}" for core in cores for operation in measure.OPERATIONS}
    assert wanted <= set(rows) <= set(measure.CASES)
    of_area = {
        (row["core"], row["preset"]): row["ff"]
        for row in areas.read(STORED.parent)
        if row["build"] == "full" and row["level"] == 1
    }
    for text, row in rows.items():
        case = measure.CASES[text]
        flip_flops = of_area[case.kem, case.preset]
        bits = sum(one["bits"] for one in row["modules"].values())
        assert 0.85 * flip_flops < bits < 1.1 * flip_flops, text
        assert sum(row["sets"]) + sum(row["other_lengths"]) == row["traces"] >= 40
        assert row["leaking"]["first"] > 0, text  # nothing is masked
        for module in PUBLIC[case.scheme]:
            assert row["modules"][module]["first"]["cycles"] == 0, (text, module)


@pytest.mark.long
def test_secrets_are_found_and_nothing_else(library, tmp_path):
    """Fixed against random finds modules that hold secrets; of two random sets nothing is told."""
    case = measure.CASES["HQC-1 fast decaps"]
    program = measure.build_traces(tmp_path / "core", case.scheme, case.parameters())
    found = measure.run_traces(program, measure.Inputs(case, 1, library), 80)
    modules = found["modules"]
    for name in ("sampler", "product", "product.unit", "code.rs_decoder", "hash.sponge"):
        assert modules[name]["first"]["cycles"] > 0, name
    assert all(modules[name]["first"]["cycles"] == 0 for name in PUBLIC["hqc"])
    same = measure.run_traces(program, measure.Inputs(case, 1, library, is_same=True), 80)
    assert max(same["leaking"].values()) <= 10  # of 6,681 cycles, by chance
    assert found["leaking"]["first"] > 100
