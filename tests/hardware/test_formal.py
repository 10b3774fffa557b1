# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proofs of hardware/formal: each holds, and each finds a mistake that is planted."""

import dataclasses
import importlib
import shutil
import sys

import pytest

import simulated
from hardware import hqc_formal
from hardware.mistakes import with_replacement

sys.path.insert(0, str(simulated.HARDWARE / "formal"))
model, proofs, prove = map(importlib.import_module, ["model", "proofs", "prove"])

# Module and method: source, a text in it and the mistaken one that takes its place, and what then
# fails. The first proof of that module and method finds it.
MISTAKES = {
    ("keccak", "invariants"): [
        ("keccak_theta", "column[(x+4)%5] ^", "column[(x+3)%5] ^", "round_of_the_standard"),
        ("keccak", "8'h71", "8'h61", "round_of_the_standard"),
        (
            "keccak",
            "busy_q && round_q == 5'(24 / ROUNDS - 1)",
            "busy_q && round_q == 5'(24 / ROUNDS - 2)",
            "all_rounds",
        ),
        ("keccak", "busy_q || load_i", "load_i", "takes_the_rounds"),
    ],
    ("keccak", "same-control"): [
        ("keccak", "(24 / ROUNDS - 1);", "(24 / ROUNDS - 1) && state_q != '0;", "busy_o"),
    ],
    ("keccak_sponge", "invariants"): [
        ("keccak_sponge", "turned = last;", "turned = 1'b1;", "keccak_is_idle"),
        ("keccak_sponge", "at_q == rate_q - 5'd1", "at_q == rate_q", "inside_the_rate"),
    ],
    ("keccak_sponge", "same-control"): [
        (
            "keccak_sponge",
            "if (step && last_move) state_q",
            "if (step && last_move && !lane_q[0]) state_q",
            "in_ready_o can differ",
        ),
    ],
    ("kem_control", "invariants"): [
        (
            "kem_control",
            "addr_q == 16'(WIPE_WORDS)",
            "addr_q == 16'(WIPE_WORDS - 1)",
            "all_address",
        ),
        (
            "kem_control",
            "default: state_n = IDLE;",
            "default: state_n = start_i ? DONE : IDLE;",
            "one_cycle",
        ),
        ("kem_control", "rst_ni && state_q == WIPE", "rst_ni && state_n == WIPE", "before"),
    ],
    ("kem_memory", "invariants"): [("kem_memory", "if (we_i || wipe_i)", "if (we_i)", "keeps")],
    ("gather_counters", "invariants"): [
        ("gather_counters", "carry = a & carry;", "carry = a | carry;", "adds"),
        ("gather_counters", "(first_q ? start : count_q) +", "count_q +", "adds"),
    ],
    ("row_writer", "invariants"): [
        ("row_writer", "row_q <= row_q + 1'b1;", "row_q <= row_q + 2'd2;", "rows_in_order"),
    ],
    ("row_writer", "same-control"): [
        (
            "row_writer",
            "left_q <= left_q - 1'b1;",
            "left_q <= word_i[0] ? '0 : left_q - 1'b1;",
            "we_o",
        ),
    ],
    ("divstep_pair", "invariants"): [
        ("divstep_pair", "f_one & {N{add_i[1]}}", "f_i & {N{add_i[1]}}", "two_steps"),
    ],
    ("kem_sequencer", "invariants"): [
        (
            "kem_sequencer",
            "start_o = go_q ? target_i : '0",
            "start_o = go_q ? target_i | (target_i << 1) : '0",
            "one_start",
        ),
        (
            "kem_sequencer",
            "(busy_q & (needs_i | target_i))",
            "(busy_q & needs_i)",
            "not_while_busy",
        ),
        (
            "kem_sequencer",
            "(busy_q & (needs_i | target_i))",
            "(busy_q & target_i)",
            "waits can fail",
        ),
        ("kem_sequencer", "running_q && !go_q", "!go_q", "nothing_starts"),
        ("kem_sequencer", "(busy_q | start_o) &", "busy_q &", "knows_the_units"),
    ],
    ("kem_skid", "invariants"): [
        ("kem_skid", "in_ready_o = !spare_valid_q", "in_ready_o = 1'b1", "none_lost_or_doubled"),
        ("kem_skid", "? spare_q : in_valid_i", "? in_data_i : in_valid_i", "in_order"),
        ("kem_skid", "!valid_q || out_ready_i", "!valid_q || in_ready_o", "waits_unchanged"),
        ("kem_skid", "{spare_valid_q, spare_q} <=", "spare_valid_q <=", "spare_overwritten"),
    ],
    ("kem_axi", "invariants"): [
        ("kem_axi", "ar_valid && (!s_axil_rvalid || s_axil_rready)", "ar_valid", "r_unchanged"),
        (
            "kem_axi",
            "aw_valid && w_valid && (",
            "aw_valid && (",
            "w_answered_once",
        ),
        ("kem_axi", "swmod && !busy;", "swmod;", "start_for_one_cycle"),
    ],
    ("kem_axi", "same-control"): [
        (
            "kem_axi",
            "IRQ_STATUS.done.hwset = ended",
            "IRQ_STATUS.done.hwset = ended && !m_axis_tdata[0]",
            "irq can differ",
        ),
    ],
    ("kem_receive", "invariants"): [
        ("kem_receive", "in_data_i >= 32'(LIMIT)", "in_data_i > 32'(LIMIT)", "valid_position"),
        ("kem_receive", "in_last_i != (is_last", "in_last_i && !(is_last", "wrong_end_is_told"),
    ],
    ("kem_receive", "silent"): [
        (
            "kem_receive",
            "poly_wdata_o = write_poly ? buffer : '0",
            "poly_wdata_o = buffer",
            "poly_wdata_o is not zero",
        ),
    ],
    ("kem_receive", "same-control"): [
        (
            "kem_receive",
            "in_ready_o = busy_q && !fill_q;",
            "in_ready_o = busy_q && !fill_q && !buffer_q[0];",
            "in_ready_o",
        ),
    ],
    ("kem_send", "invariants"): [
        ("kem_send", "beat ? next_q", "valid_q ? next_q", "in_range"),
        ("kem_send", "valid_q <= more;", "valid_q <= !valid_q;", "waits_unchanged"),
        ("kem_send", "valid_q && is_last && last_field_q", "valid_q && last_field_q", "at_the_end"),
    ],
    ("kem_send", "silent"): [
        (
            "kem_send",
            "if (busy_q) begin\n      unique case",
            "begin\n      unique case",
            "str_read_o is not zero",
        ),
    ],
    ("kem_send", "same-control"): [
        (
            "kem_send",
            "out_valid_o = valid_q;",
            "out_valid_o = valid_q && !poly_rdata_i[0];",
            "valid_o",
        ),
    ],
    ("bike_compare", "invariants"): [("bike_compare", "word_q <= '0;", "", "poly_in_bounds")],
    ("bike_compare", "silent"): [
        (
            "bike_compare",
            "    if (busy_q) begin\n      poly",
            "    begin\n      poly",
            "poly_read_o",
        )
    ],
    ("bike_compare", "same-control"): [
        (
            "bike_compare",
            "busy_q <= !half_q;",
            "busy_q <= !half_q && equal_q;",
            "done_o can differ",
        ),
    ],
    ("bike_rows", "invariants"): [
        ("bike_rows", "if (last_word) state_q <= FINISH;", "", "in_range"),
    ],
    ("bike_rows", "silent"): [
        (
            "bike_rows",
            "if (state_q != IDLE && state_q",
            "if (state_q",
            "poly_read_o",
        ),
    ],
    ("bike_rows", "same-control"): [
        ("bike_rows", "SURPLUS: state_q", "SURPLUS: if (poly_rdata_i[0]) state_q", "done_o"),
    ],
    ("bike_positions", "silent"): [
        (
            "bike_positions",
            "lane_wdata_o = place_q[3].busy ? entry_q : '0",
            "lane_wdata_o = entry_q",
            "lane_wdata_o is not zero",
        ),
    ],
    ("bike_positions", "same-control"): [
        (
            "bike_positions",
            "end else if (busy_q) begin",
            "end else if (busy_q && !list_rdata_i[0]) begin",
            "done_o",
        ),
    ],
    ("kem_sampler", "invariants"): [
        ("kem_sampler", "more_q && index1_q != 0", "more_q && index1_q != 1", "ends_with_0"),
    ],
    ("kem_sampler", "silent"): [
        ("kem_sampler", "if (three_q && step_q == 2'd0)", "if (step_q == 2'd0)", "poly_read_o"),
    ],
    ("kem_sampler", "same-control"): [
        ("kem_sampler", "more_q && index1_q != 0", "more_q && word_q != 0", "done_o can differ"),
        (
            "kem_sampler",
            "list_q | index3_q",
            "list_q | (found ? index3_q : '0)",
            "list_write_o can differ",
        ),
    ],
    ("bike_hash", "silent"): [
        ("bike_hash", "if (asking) begin", "begin", "poly_read_o is not zero"),
    ],
    ("bike_hash", "same-control"): [
        (
            "bike_hash",
            "if (over_q) final_q",
            "if (over_q && !sigma_i) final_q",
            "done_o can differ",
        ),
    ],
    ("bike_gather", "silent"): [
        (
            "bike_gather",
            "else if (step_q[1]) poly_read_o",
            "else poly_read_o",
            "poly_read_o is not",
        ),
    ],
    ("bike_gather", "same-control"): [
        (
            "bike_gather",
            "sum_last ? 5'd1",
            "sum_last && feed_word_i[0] ? 5'd1",
            "done_o can differ",
        ),
    ],
    ("inverter_load", "silent"): [
        ("inverter_load", "asks_q ? 10'(index_q) : '0", "10'(index_q)", "poly_read_o is not zero"),
    ],
    ("inverter_copy", "silent"): [
        (
            "inverter_copy",
            "poly_wdata_o = busy_d2_q ? rdata_i",
            "poly_wdata_o = busy_d1_q || !busy_q ? rdata_i",
            "poly_wdata_o is not zero",
        ),
    ],
    ("bike_inverter", "same-control"): [
        (
            "bike_inverter",
            "if (swept) swept_q",
            "if (swept && !f_word[0]) swept_q",
            "done_o can differ",
        ),
    ],
    ("rm_encoder", "invariants"): [
        ("rm_encoder", "low[j%16] ^ high[j/16]", "low[j%16] ^ high[j/32]", "as_specified"),
    ],
    ("rm_decoder", "invariants"): [
        ("rm_decoder", "last ? '0 : number_q + 1'b1", "number_q + 1'b1", "in_range"),
    ],
    ("rm_decoder", "same-control"): [
        ("rm_peak", "done_q <= busy_q &&", "done_q <= busy_q && better &&", "symbol_valid_o"),
    ],
    ("rs_encoder", "invariants"): [
        ("rs_encoder", "GroupBits'(Groups - 1);", "GroupBits'(Groups);", "groups_in_range"),
        ("rs_encoder", "SymbolBits'(K + 2 * DELTA - 1))", "SymbolBits'(63))", "symbols_in_range"),
    ],
    ("rs_encoder", "silent"): [
        ("rs_encoder", "read_o ? 2'(index_q >> 3) : '0", "{1'b0, start_i}", "lane_o is not zero"),
    ],
    ("rs_encoder", "same-control"): [
        (
            "rs_encoder",
            "BEGIN: state_q <= DIVIDE",
            "BEGIN: if (lane_i[0]) state_q <= DIVIDE",
            "done",
        ),
    ],
    ("rs_syndromes", "invariants"): [
        ("gf256_pkg", "power = 8'h1D", "power = 8'h1B", " as_defined"),
    ],
    ("rs_locator", "invariants"): [
        ("rs_locator", "StepBits'(Groups - 1);", "StepBits'(Groups);", "steps_in_range"),
        ("rs_locator", "          round_q <= '0;\n", "", "no_round"),
    ],
    ("rs_locator", "same-control"): [
        (
            "rs_locator",
            "if (start_i) solve_q",
            "if (start_i && syndrome_i != 0) solve_q",
            "valid_o",
        ),
    ],
    ("rs_decoder", "invariants"): [
        ("gf256_pkg", "8'h0E : 8'h00", "8'h8E : 8'h00", "inverse_as_defined"),
    ],
    ("rs_decoder", "same-control"): [
        ("rs_decoder", "valid_q <= valid;", "valid_q <= valid && wrong;", "lane_valid_o"),
    ],
    ("bike_core", "same-control"): [
        (
            "kem_sampler",
            "more_q && index1_q != 0",
            "more_q && word_q != 0",
            "busy_o can differ",
        ),
    ],
    ("bike_core", "invariants"): [
        ("bike_core", "valid && !clear", "valid", "quiet_in_reset"),
        ("bike_core", "ready && !clear", "ready", "quiet_in_reset"),
    ],
    ("bike_axi", "same-control"): [
        ("bike_hash", "if (over_q) final_q", "if (over_q && !sigma_i) final_q", "irq can differ"),
    ],
    **hqc_formal.MISTAKES,
}


def found_by(top, method):
    return next(proof for proof in prove.PROOFS if (proof.top, proof.method) == (top, method))


def marked(proof):
    return pytest.param(proof, id=proof.name, marks=[] if proof.quick else [pytest.mark.long])


@pytest.mark.parametrize("proof", [marked(proof) for proof in prove.PROOFS])
def test_property_holds(proof):
    failed, _ = prove.run(proof)
    assert failed == []


QUICK = {"bike_core": 0}  # so many mistakes of a module and method in `make test`, else one
NUMBERED = [
    pytest.param(
        found_by(*key),
        number,
        id=f"{key[0]}-{key[1]}-{number}",
        marks=[] if found_by(*key).quick and number < QUICK.get(key[0], 1) else [pytest.mark.long],
    )
    for key, mistakes in MISTAKES.items()
    for number in range(len(mistakes))
]


def with_mistake(folder, top, source, text, mistaken):
    """Returns a module's sources with a mistake, in a copy in a new folder below hardware/."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = model.sources(top)
    (path,) = [path for path in files if path.stem == source]
    code = path.read_text(encoding="utf-8")
    planted = folder / path.name
    planted.write_text(with_replacement(code, text, mistaken, path.name), encoding="utf-8")
    return [planted if file == path else file for file in files]


@pytest.mark.parametrize(("proof", "number"), NUMBERED)
def test_mistake_is_found(proof, number):
    *mistake, failing = MISTAKES[proof.top, proof.method][number]
    folder = simulated.HARDWARE / f"{proof.folder}-mistake-{number}"
    failed, _ = prove.run(proof, with_mistake(folder, proof.top, *mistake), folder)
    assert any(failing in line for line in failed), failed


def test_contradictory_assumption_is_refused():
    """From a contradiction all would follow."""
    proof = found_by("row_writer", "invariants")
    folder = simulated.HARDWARE / f"{proof.folder}-contradiction"
    text = "(!valid_i || left_q <= CountBits'(1))"
    files = with_mistake(folder, "row_writer", "row_writer", text, "(left_q > CountBits'(Rows))")
    with pytest.raises(model.ProofError, match="nothing satisfies the assumptions"):
        prove.run(proof, files, folder)


@pytest.mark.parametrize(
    "change", [{"secret": ("no",)}, {"may_differ": ("no",)}, {"told": ("no",)}], ids=str
)
def test_unknown_name_is_refused(change):
    proof = dataclasses.replace(found_by("row_writer", "same-control"), **change)
    with pytest.raises(model.ProofError, match=r"has no (input|output|signal) no"):
        prove.run(proof, folder=f"{proof.folder}-unknown-{'-'.join(change)}")


@pytest.mark.parametrize("arguments", [["no-such-proof"], ["--no-such-option"]])
def test_wrong_usage(arguments, capsys):
    assert prove.main(arguments) == 2
    assert capsys.readouterr().out == ""


def test_every_method_of_a_module_is_shown_to_fail():
    assert all(MISTAKES.values())
    assert set(MISTAKES) == {(proof.top, proof.method) for proof in prove.PROOFS}
