// SPDX-License-Identifier: Apache-2.0 OR MIT
// BIKE v5.1 and HQC (version of 2025-08-22) in one core with plain ports; the scheme is chosen with
// each operation. op_i: 1 to 3 are BIKE's KeyGen, Encaps and Decaps, 5 to 7 those of HQC, 4 wipes.
//
// Packets, errors, timing and wiping are those of bike_core and hqc_core, whose headers and pages
// say them. No result and no time depends on what the operation before it has left in the memories.
module joint_core
  import kem_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int PRESET = bike_pkg::PRESET_FAST,
    parameter int BUILD = bike_pkg::BUILD_FULL,
    parameter int WORD = bike_pkg::preset_word(PRESET),
    parameter int STRIDE = bike_pkg::preset_stride(PRESET),
    parameter int LANES = bike_pkg::preset_lanes(PRESET),
    parameter int INV_WORD = bike_pkg::preset_inv_word(PRESET),
    parameter int INV_STEPS = bike_pkg::preset_inv_steps(PRESET),
    parameter int INV_STAGE = 4,
    parameter int INV_RATE = bike_pkg::preset_inv_rate(PRESET),
    parameter int RM_VALUES = hqc_pkg::preset_rm_values(PRESET),
    parameter int BM_CELLS = hqc_pkg::preset_bm_cells(PRESET),
    parameter int KECCAK_ROUNDS = bike_pkg::preset_keccak_rounds(PRESET),
    parameter bit KECCAK_BUFFERED = bike_pkg::preset_keccak_buffered(PRESET)
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        start_i,
    input  logic [2:0]  op_i,
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
  localparam int Units = bike_pkg::UNITS;
  initial
    assert (bike_pkg::UNITS == hqc_pkg::UNITS)
    else $fatal(1, "joint_core: the sequencer is made for as many units in both schemes");

  logic clear, wipe, accept, next, finished, drain, asks_hqc, hqc_q;
  logic [1:0] known;
  logic [15:0] wipe_addr;
  logic [5:0] at;
  op_e op;
  bike_pkg::units_t start, done;
  bike_pkg::step_t bike_step, step;
  hqc_pkg::step_t hqc_step;
  err_e fault;
  assign asks_hqc = op_i[2] && op_i != OP_WIPE;
  assign op = asks_hqc ? op_e'(op_i & ~joint_pkg::OP_HQC) : op_e'(op_i);
  always_ff @(posedge clk_i) begin
    if (clear) hqc_q <= 1'b0;
    else if (accept) hqc_q <= asks_hqc;
  end

  kem_control #(
      .WIPE_WORDS(joint_pkg::wipe_words(LEVEL, BUILD, WORD, STRIDE, INV_WORD, INV_STEPS))
  ) u_control (
      .clk_i,
      .rst_ni,
      .start_i,
      .op_i(op),
      .known_i(known[asks_hqc]),
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
  bike_program #(
      .BUILD(BUILD)
  ) u_bike_program (
      .clk_i,
      .clear_i(clear),
      .start_i(accept && !asks_hqc),
      .op_i(op),
      .known_o(known[0]),
      .next_i(next && !hqc_q),
      .at_i(at),
      .step_o(bike_step)
  );
  hqc_program #(
      .BUILD(BUILD)
  ) u_hqc_program (
      .clk_i,
      .clear_i(clear),
      .start_i(accept && asks_hqc),
      .op_i(op),
      .known_o(known[1]),
      .next_i(next && hqc_q),
      .at_i(at),
      .step_o(hqc_step)
  );
  assign step = hqc_q ? bike_pkg::step_t'(hqc_step) : bike_step;
  kem_sequencer #(
      .UNITS(Units)
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
  joint_units #(
      .LEVEL(LEVEL),
      .BUILD(BUILD),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .INV_WORD(INV_WORD),
      .INV_STEPS(INV_STEPS),
      .INV_STAGE(INV_STAGE),
      .INV_RATE(INV_RATE),
      .RM_VALUES(RM_VALUES),
      .BM_CELLS(BM_CELLS),
      .KECCAK_ROUNDS(KECCAK_ROUNDS),
      .KECCAK_BUFFERED(KECCAK_BUFFERED)
  ) u_units (
      .clk_i,
      .clear_i(clear),
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr),
      .hqc_i(hqc_q),
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
