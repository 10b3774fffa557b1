# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Mistakes that are planted in the modules, to show that the benches find them.

A model is built once, with all mistakes of its module in it, and each run of it chooses one by the
argument +mistake=NUMBER; 0, or none, is the module as it is.
"""

import collections

import simulated
from hardware import hqc_modules, joint_modules

# Source, a text in it and the mistaken one that takes its place: expressions, or whole statements,
# which end with a semicolon. The key is the module whose bench finds them.
MISTAKES = {
    "uart_receive": [
        ("uart_receive", "CountBits'(DIVISOR / 2)", "CountBits'(DIVISOR - 1)"),
        ("uart_receive", "bit_q == 4'd9 && line_q[2]", "bit_q == 4'd9"),
    ],
    "uart_send": [("uart_send", "left_q <= 4'd10;", "left_q <= 4'd9;")],
    "keccak": [
        ("keccak", "busy_q || load_i", "busy_q"),
        ("keccak", "round_q == 5'(k)", "round_q == 5'(k) + 5'd1"),
    ],
    "gather_counters": [
        ("gather_counters", "carry & (a ^ b)", "carry & a & b"),
        ("gather_counters", "first_q ? start : count_q", "first_i ? start : count_q"),
    ],
    "gather_unit": [
        ("gather_unit", "last_group && (second_q || !two_i)", "last_group && !(second_q || two_i)"),
        ("gather_unit", "base_q + IndexBits'(WORD)", "base_q + IndexBits'(WORD - 1)"),
    ],
    "row_writer": [("row_writer", "first_q >> (WORD - Tail)", "first_q >> (WORD - Tail - 1)")],
    "gather_lane": [
        (
            "gather_lane",
            "{1'b0, base_q} - (IndexBits+1)'(R)",
            "{1'b0, base_q} - (IndexBits+1)'(R - 1)",
        )
    ],
    "bike_threshold": [
        (
            "bike_threshold",
            "computed < Minimum ? Minimum : computed",
            "computed <= Minimum + 1 ? Minimum : computed",
        )
    ],
    "divstep_control": [
        (
            "divstep_control",
            "near < near_t'(2 * RATE - 1 - k)",
            "near <= near_t'(2 * RATE - 1 - k)",
        ),
        ("divstep_control", "slot[Wait]", "slot[Wait-1]"),
    ],
    "divstep_pair": [("divstep_pair", "f_one & {N{add_i[1]}}", "f_i & {N{add_i[1]}}")],
    "divstep_stage": [("divstep_stage", "gap_i ? '0 : g_below_q", "g_below_q")],
    "weight_of": [("weight_of", "Bits'(low) + Bits'(high)", "Bits'(low) | Bits'(high)")],
    "kem_memory": [("kem_memory", "wipe_addr_i[AddrBits-1:0]", "wipe_addr_i[AddrBits-1:0] | 1")],
    "kem_strings": [("kem_strings", "wipe_addr_i[AddrBits-1:0]", "wipe_addr_i[AddrBits-1:0] & 7")],
    "kem_slots": [("kem_slots", "AddrBits'(i * WORDS)", "AddrBits'(i * WORDS - 1)")],
    "keccak_sponge": [
        ("keccak_sponge", "step && last_lane && (ended_q || in_last_i)", "step && last_lane"),
        ("keccak_sponge", "if (turned && ended_q) added_q <= 1'b1;", "added_q <= ended_q;"),
    ],
    "kem_sampler": [
        ("kem_sampler", "second3_q <= 1'b0;", ""),
        # Writes to a word that the next position may read at the same time.
        ("kem_sampler", "two_q <= more_q;", "two_q <= 1'b1;"),
    ],
    "bike_sampler": [("bike_sampler", "kind_i == S_KEY1 ? 9'(list_base(LEVEL)) : 9'd0", "9'd0")],
    "bike_hash": [("bike_hash", "valid_bits & {64{take_poly[i]}}", "{64{take_poly[i]}}")],
    "bike_compare": [
        (
            "bike_compare",
            "sum_q[Piece*i +: Piece] != '0",
            "sum_q[Piece*i +: Piece-1] != '0",
        )
    ],
    "bike_rows": [("bike_rows", "if (last_q) feed_word_o[WORD-1:Tail] = '0;", "")],
    "bike_positions": [
        (
            "bike_positions",
            "set_q == P_UPDATE0 && index_d2_q == AddrBits'(D)",
            "set_q == P_UPDATE1 && index_d2_q == AddrBits'(D)",
        )
    ],
    "kem_receive": [("kem_receive", "in_data_i >= 32'(LIMIT)", "in_data_i > 32'(LIMIT)")],
    "kem_send": [("kem_send", "beat ? next_q : count_q", "valid_q ? next_q : count_q")],
    "kem_sequencer": [("kem_sequencer", "busy_q & (needs_i | target_i)", "busy_q & needs_i")],
    "bike_program": [("bike_program", "receive(F_SKIP, 1, 1'b0)", "receive(F_SKIP, 0, 1'b0)")],
    "kem_control": [("kem_control", "addr_q == 16'(WIPE_WORDS)", "addr_q == 16'(WIPE_WORDS - 1)")],
    "bike_gather": [
        ("bike_gather", "(sum[0 +: WORD] | sum[WORD +: WORD])", "sum[WORD +: WORD]"),
        ("bike_gather", "count_q || !busy_q", "count_q"),
        ("bike_gather", "ones + $bits(ones)'(pieces_q[i])", "ones | $bits(ones)'(pieces_q[i])"),
    ],
    "inverter_load": [("inverter_load", "there_q ? poly_rdata_i : '0", "poly_rdata_i")],
    "inverter_order": [
        ("inverter_order", "addr_t'(VTop + 1)", "addr_t'(VTop)"),
        (
            "inverter_order",
            "known_q && (waiting_q || (valid_q && last && !final_q))",
            "waiting_q || (valid_q && last && !final_q)",
        ),
    ],
    "inverter_sweep": [("inverter_sweep", "visit_q[i+1].gap", "1'b0")],
    "inverter_copy": [("inverter_copy", "10'(Words - 1)", "10'(Words - 2)")],
    "bike_inverter": [("bike_inverter", "load_addr == '0", "load_addr == AddrBits'(1)")],
    "kem_skid": [
        ("kem_skid", "!spare_valid_q", "!valid_q || out_ready_i"),
        ("kem_skid", "in_valid_i ? in_data_i : '0", "in_data_i"),
    ],
    "kem_axi": [
        ("kem_axi", "from_registers.CONTROL.op.swmod && !busy", "from_registers.CONTROL.op.swmod"),
        ("kem_axi", "start_q || busy_i || ending_q", "busy_i || ending_q"),
        ("kem_axi", "ending_q && !m_axis_tvalid", "ending_q"),
        (
            "kem_axi",
            "aw_valid && w_valid && (!s_axil_bvalid || s_axil_bready)",
            "aw_valid && w_valid",
        ),
        ("kem_axi", "write_first_q || !can_read", "1'b1"),
        # The register's own rule, that an event goes before its acknowledgement.
        (
            "kem_registers",
            "hwif_in.IRQ_STATUS.done.hwset",
            "hwif_in.IRQ_STATUS.done.hwset && !decoded_reg_strb.IRQ_STATUS",
        ),
    ],
    "bike_axi": [
        ("kem_axi", "error_q <= error_i;", "error_q <= ERR_NONE;"),
        # Found only because the first value of a register is random.
        ("kem_axi", "{start_q, ending_q, cycles_q} <= '0;", "{start_q, ending_q} <= '0;"),
    ],
    # A register without reset, and a word that is read while it is written.
    "open_values": [
        (
            "open_values_bench",
            "if (clear_i) {second_q, count_q} <= '0;",
            "if (clear_i) second_q <= '0;",
        ),
        ("open_values_bench", "second_q && !start_i", "start_i"),
    ],
    **hqc_modules.MISTAKES,
    **joint_modules.MISTAKES,
}
PACKAGE = """// Which mistake is planted.
package planted;
  function automatic int chosen();
    if ($value$plusargs("mistake=%d", chosen) == 0) chosen = 0;
  endfunction
  int mistake = chosen();
endpackage
"""


def planted(number, text, mistaken):
    """Returns the code that is the text, or the mistaken one if that mistake is chosen."""
    chosen = f"planted::mistake == {number}"
    if text.endswith(";"):  # a statement
        return f"if ({chosen}) begin {mistaken} end else begin {text} end"
    return f"(({chosen}) ? ({mistaken}) : ({text}))"


def with_replacement(code, text, other, where):
    assert code.count(text) == 1, f"{where} has changed: plant {text} elsewhere"
    return code.replace(text, other)


def sources_with_mistakes(folder, top, files):
    """Returns the files, with the mistakes of a module in copies in the folder."""
    by_source = collections.defaultdict(list)
    for number, (source, text, mistaken) in enumerate(MISTAKES[top], 1):
        by_source[source].append((text, planted(number, text, mistaken)))
    folder.mkdir(parents=True, exist_ok=True)
    package = folder / "planted.sv"
    package.write_text(PACKAGE, encoding="utf-8")
    copies = [package]
    for path in files:
        if replacements := by_source.pop(path.stem, None):
            code = path.read_text(encoding="utf-8")
            for text, other in replacements:
                code = with_replacement(code, text, other, path.name)
            path = folder / path.name
            path.write_text(code, encoding="utf-8")
        copies.append(path)
    assert not by_source
    return copies


def planted_core(folder, source, text, mistaken, scheme="bike"):
    """Returns the sources of a core with a mistake, always there, in a copy in the folder."""
    files = simulated.build.rtl_files(scheme)
    (path,) = [path for path in files if path.stem == source]
    code = with_replacement(path.read_text(encoding="utf-8"), text, mistaken, path.name)
    (folder / path.name).write_text(code, encoding="utf-8")
    return [folder / path.name if file == path else file for file in files]
