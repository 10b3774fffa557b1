# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Mistakes that are planted in the modules, to show that the benches find them.

A model is built once, with all mistakes of its module in it, and each run of it chooses one by the
argument +mistake=NUMBER; 0, or none, is the module as it is.
"""

import collections

import simulated

# Source, a text in it and the mistaken one that takes its place: expressions, or whole statements,
# which end with a semicolon. The key is the module whose bench finds them.
MISTAKES = {
    "keccak": [
        ("keccak", "state_q[63:0] ^ in_i", "state_q[63:0] | in_i"),
        ("keccak", "round_q == 5'(k)", "round_q == 5'(k) + 5'd1"),
    ],
    "gather_counters": [("gather_counters", "carry[m] = s & a;", "carry[m] = s | a;")],
    "row_writer": [("row_writer", "first_q >> (WORD - Tail)", "first_q >> (WORD - Tail - 1)")],
    "gather_lane": [("gather_lane", "sum - (IndexBits+1)'(R)", "sum - (IndexBits+1)'(R - 1)")],
    "bike_threshold": [
        (
            "bike_threshold",
            "{1'b1, {(Bits-1){1'b0}}} - threshold",
            "{1'b1, {(Bits-1){1'b0}}} - threshold_o",
        )
    ],
    "divstep_control": [("divstep_control", "delta[i] > 0", "delta[i] >= 0")],
    "divstep_pair": [("divstep_pair", "f_one & {N{add_i[1]}}", "f_i & {N{add_i[1]}}")],
    "divstep_stage": [("divstep_stage", "jump_i ? '0 : g_below_q", "g_below_q")],
    "weight_of": [("weight_of", "Bits'(low) + Bits'(high)", "Bits'(low) | Bits'(high)")],
    "kem_memory": [("kem_memory", "wipe_addr_i[AddrBits-1:0]", "wipe_addr_i[AddrBits-1:0] | 1")],
    "kem_strings": [("kem_strings", "wipe_addr_i[3:0]", "wipe_addr_i[3:0] & 4'd7")],
    "kem_slots": [("kem_slots", "AddrBits'(i * Words)", "AddrBits'(i * Words - 1)")],
    "bike_sampler": [("bike_sampler", "half_q <= 1'b0;", "")],
    "bike_hash": [("bike_hash", "if (is_poly && last_of_field) source[63:8*Surplus] = '0;", "")],
    "bike_compare": [
        ("bike_compare", "first_q != poly_rdata_i", "first_q[WORD-2:0] != poly_rdata_i[WORD-2:0]")
    ],
    "bike_rows": [("bike_rows", "if (last_q) feed_word_o[WORD-1:Tail] = '0;", "")],
    "bike_positions": [
        (
            "bike_positions",
            "set_q == P_UPDATE0 && index_d1_q == AddrBits'(D)",
            "set_q == P_UPDATE1 && index_d1_q == AddrBits'(D)",
        )
    ],
    "kem_receive": [("kem_receive", "in_data_i >= 32'(R)", "in_data_i > 32'(R)")],
    "kem_send": [
        ("kem_send", "beat ? count_q + 1'b1 : count_q", "valid_q ? count_q + 1'b1 : count_q")
    ],
    "bike_sequencer": [("bike_sequencer", "receive(F_SKIP, 1, 1'b0)", "receive(F_SKIP, 0, 1'b0)")],
    "kem_control": [("kem_control", "addr_q == 16'(WIPE_WORDS)", "addr_q == 16'(WIPE_WORDS - 1)")],
    "bike_gather": [
        ("bike_gather", "(counts[0 +: WORD] | counts[WORD +: WORD])", "counts[WORD +: WORD]")
    ],
    "bike_inverter": [("bike_inverter", "load_f[0] = word_d1_q == 0;", "load_f[0] = 1'b0;")],
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


def planted_core(folder, source, text, mistaken):
    """Returns the sources of the core with a mistake, always there, in a copy in the folder."""
    files = simulated.build.rtl_files()
    (path,) = [path for path in files if path.stem == source]
    code = with_replacement(path.read_text(encoding="utf-8"), text, mistaken, path.name)
    (folder / path.name).write_text(code, encoding="utf-8")
    return [folder / path.name if file == path else file for file in files]
