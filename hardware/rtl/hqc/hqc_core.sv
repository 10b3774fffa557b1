// SPDX-License-Identifier: Apache-2.0 OR MIT
// HQC (version of 2025-08-22) with plain ports: key generation, encapsulation, decapsulation.
//
// start_i with op_i begins an operation when busy_o is low. Input and output are packets of 32-bit
// words; docs/hardware-hqc.md lists their fields. done_o is high for one cycle at the end, together
// with error_o. Errors and OP_WIPE clear all memories and registers that hold data; so does reset,
// and busy_o stays high meanwhile. Cycle counts do not depend on data, but for the rejections when
// x and y are drawn from the key's seed [HQC, S15.2], and on the streams' pauses.
module hqc_core
  import kem_pkg::*;
  import hqc_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int PRESET = PRESET_FAST,
    parameter int BUILD = BUILD_FULL,
    parameter int WORD = preset_word(PRESET),
    parameter int STRIDE = preset_stride(PRESET),
    parameter int LANES = preset_lanes(PRESET),
    parameter int RM_VALUES = preset_rm_values(PRESET),
    parameter int BM_CELLS = preset_bm_cells(PRESET),
    parameter int KECCAK_ROUNDS = preset_keccak_rounds(PRESET),
    parameter bit KECCAK_BUFFERED = preset_keccak_buffered(PRESET),
    parameter bit OVERLAP = preset_overlap(PRESET)
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        start_i,
    input  op_e         op_i,
    output logic        busy_o,
    output logic        done_o,
    output err_e        error_o,   // with done_o
    input  logic        in_valid_i,
    output logic        in_ready_o,
    input  logic [31:0] in_data_i,
    input  logic        in_last_i,
    output logic        out_valid_o,
    input  logic        out_ready_i,
    output logic [31:0] out_data_o,
    output logic        out_last_o
);
  logic clear, wipe, accept, known, next, finished, drain;
  logic [15:0] wipe_addr;
  logic [5:0] at;
  units_t start, done;
  step_t step;
  err_e fault;
  kem_control #(
      .WIPE_WORDS(hqc_wipe_words(LEVEL, BUILD, WORD, STRIDE))
  ) u_control (
      .clk_i,
      .rst_ni,
      .start_i,
      .op_i,
      .known_i(known),
      .accept_o(accept),
      .finished_i(finished),
      .fault_i(fault),
      .in_valid_i,
      .in_last_i,
      .in_taken_i(in_valid_i && in_ready_o),
      .drain_o(drain),
      .busy_o,
      .done_o,
      .error_o,
      .clear_o(clear),
      .wipe_o(wipe),
      .wipe_addr_o(wipe_addr)
  );
  hqc_program #(
      .BUILD(BUILD),
      .OVERLAP(OVERLAP)
  ) u_program (
      .clk_i,
      .clear_i(clear),
      .start_i(accept),
      .op_i,
      .known_o(known),
      .next_i(next),
      .at_i(at),
      .step_o(step)
  );
  kem_sequencer #(
      .UNITS(UNITS)
  ) u_sequencer (
      .clk_i,
      .clear_i(clear),
      .start_i(accept),
      .next_o(next),
      .at_o(at),
      .target_i(step.target),
      .needs_i(step.needs),
      .start_o(start),
      .done_i(done),
      .end_o(finished)
  );

  // Units are cleared one cycle after a reset begins; nothing comes or goes in that cycle.
  logic ready, valid;
  assign in_ready_o  = (ready && !clear) || drain;
  assign out_valid_o = valid && !clear;
  hqc_units #(
      .LEVEL(LEVEL),
      .BUILD(BUILD),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .RM_VALUES(RM_VALUES),
      .BM_CELLS(BM_CELLS),
      .KECCAK_ROUNDS(KECCAK_ROUNDS),
      .KECCAK_BUFFERED(KECCAK_BUFFERED),
      .OVERLAP(OVERLAP)
  ) u_units (
      .clk_i,
      .clear_i(clear),
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr),
      .begin_i(accept),
      .start_i(start),
      .operands_i(step.operands),
      .done_o(done),
      .fault_o(fault),
      .in_valid_i,
      .in_ready_o(ready),
      .in_data_i,
      .in_last_i,
      .out_valid_o(valid),
      .out_ready_i,
      .out_data_o,
      .out_last_o
  );

`ifdef FORMAL
  always_comb if (clear) quiet_in_reset : assert (!out_valid_o && (!in_ready_o || drain));
`endif
endmodule
