// SPDX-License-Identifier: Apache-2.0 OR MIT
// A core: control, the programs of its schemes, the sequencer and the units. bike_core, hqc_core
// and joint_core say what its ports mean. With both schemes an operation chooses one: bit 2 of op_i
// names HQC, but for OP_WIPE. abort_i ends what runs, wipe_after_i has everything wiped before
// done_o, and step_o says that the operation goes on: a step begins, or an address is wiped.
module kem_shell
  import kem_pkg::*;
#(
    parameter shell_pkg::core_t CORE = '0
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        start_i,
    input  logic [2:0]  op_i,
    input  logic        abort_i,
    input  logic        wipe_after_i,
    output logic        step_o,
    output logic        busy_o,
    output logic        done_o,
    output err_e        error_o,
    input  logic        in_valid_i,
    output logic        in_ready_o,
    input  logic [31:0] in_data_i,
    input  logic        in_last_i,
    output logic        out_valid_o,
    input  logic        out_ready_i,
    output logic [31:0] out_data_o,
    output logic        out_last_o
);
  localparam bit Both = CORE.bike && CORE.hqc;

  logic clear, wipe, accept, known, next, finished, drain;
  logic upset_sequencer, upset_units, upset_scheme;
  logic [1:0] upset_programs;
  logic [15:0] wipe_addr;
  logic [5:0] at;
  op_e op;
  units_t start, done;
  step_t step;
  err_e fault;

  // Sums of many registers: they wait for the next cycle. Two more pass before a unit that was
  // started could send a word.
  logic upset_q;
  always_ff @(posedge clk_i) begin
    upset_q <= !clear && (upset_sequencer || upset_units || upset_scheme || upset_programs != '0);
  end

  kem_control #(
      .WIPE_WORDS(CORE.wipe_words)
  ) u_control (
      .clk_i,
      .rst_ni,
      .start_i,
      .op_i(op),
      .known_i(known),
      .abort_i,
      .upset_i(upset_q),
      .wipe_after_i,
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
      .end_o(finished),
      .upset_o(upset_sequencer)
  );
  assign step_o = next || wipe;

  // --- Programs ----------------------------------------------------------------------------------
  logic hqc_q;  // whose operation is running
  logic [1:0] starts, nexts, knows;  // of BIKE's program at 0, of HQC's at 1
  step_t bike_step, hqc_step;
  if (Both) begin : gen_choice
    localparam logic [2:0] OpHqc = 3'd4;  // added to OP_KEYGEN, OP_ENCAPS, OP_DECAPS
    logic asks_hqc;
    assign asks_hqc = op_i[2] && op_i != OP_WIPE;
    assign op = asks_hqc ? op_e'(op_i & ~OpHqc) : op_e'(op_i);
    assign known = knows[asks_hqc];
    assign starts = {accept && asks_hqc, accept && !asks_hqc};
    assign nexts = {next && hqc_q, next && !hqc_q};
    assign step = hqc_q ? hqc_step : bike_step;
    logic bike_q;  // the opposite of hqc_q
    assign upset_scheme = hqc_q == bike_q;
    always_ff @(posedge clk_i) begin
      if (clear) {hqc_q, bike_q} <= 2'b01;
      else if (accept) {hqc_q, bike_q} <= {asks_hqc, !asks_hqc};
    end
  end else begin : gen_one
    assign hqc_q = CORE.hqc;
    assign upset_scheme = 1'b0;
    assign op = op_e'(op_i);
    assign known = knows[CORE.hqc];
    assign starts = {2{accept}};
    assign nexts = {2{next}};
    // verilator coverage_off
    assign step = CORE.hqc ? hqc_step : bike_step;
    // verilator coverage_on
  end
  if (CORE.bike) begin : gen_bike
    bike_program #(
        .BUILD(CORE.build),
        .OVERLAP(CORE.overlap)
    ) u_program (
        .clk_i,
        .clear_i(clear),
        .start_i(starts[0]),
        .op_i(op),
        .known_o(knows[0]),
        .next_i(nexts[0]),
        .at_i(at),
        .step_o(bike_step),
        .upset_o(upset_programs[0])
    );
  end else begin : gen_no_bike
    assign {knows[0], bike_step, upset_programs[0]} = '0;
  end
  if (CORE.hqc) begin : gen_hqc
    hqc_program #(
        .BUILD(CORE.build),
        .OVERLAP(CORE.overlap)
    ) u_program (
        .clk_i,
        .clear_i(clear),
        .start_i(starts[1]),
        .op_i(op),
        .known_o(knows[1]),
        .next_i(nexts[1]),
        .at_i(at),
        .step_o(hqc_step),
        .upset_o(upset_programs[1])
    );
  end else begin : gen_no_hqc
    assign {knows[1], hqc_step, upset_programs[1]} = '0;
  end

  // --- Units -------------------------------------------------------------------------------------
  // They are cleared one cycle after a reset begins; nothing comes or goes in that cycle.
  logic ready, valid;
  assign in_ready_o  = (ready && !clear) || drain;
  assign out_valid_o = valid && !clear;
  if (Both) begin : gen_units
    joint_units #(
        .LEVEL(CORE.level),
        .BUILD(CORE.build),
        .WORD(CORE.word),
        .STRIDE(CORE.stride),
        .LANES(CORE.lanes),
        .INV_WORD(CORE.inv_word),
        .INV_STEPS(CORE.inv_steps),
        .INV_STAGE(CORE.inv_stage),
        .INV_RATE(CORE.inv_rate),
        .RM_VALUES(CORE.rm_values),
        .BM_CELLS(CORE.bm_cells),
        .KECCAK_ROUNDS(CORE.keccak_rounds),
        .KECCAK_BUFFERED(CORE.keccak_buffered),
        .LOWER_FIRST_THRESHOLD(CORE.lower_first_threshold)
    ) u_units (
        .clear_i(clear),
        .wipe_i(wipe),
        .wipe_addr_i(wipe_addr),
        .hqc_i(hqc_q),
        .begin_i(accept),
        .op_i(op),
        .start_i(start),
        .operands_i(step.operands),
        .done_o(done),
        .fault_o(fault),
        .upset_o(upset_units),
        .in_ready_o(ready),
        .out_valid_o(valid),
        .*
    );
  end else if (CORE.hqc) begin : gen_units
    hqc_units #(
        .LEVEL(CORE.level),
        .BUILD(CORE.build),
        .WORD(CORE.word),
        .STRIDE(CORE.stride),
        .LANES(CORE.lanes),
        .RM_VALUES(CORE.rm_values),
        .BM_CELLS(CORE.bm_cells),
        .KECCAK_ROUNDS(CORE.keccak_rounds),
        .KECCAK_BUFFERED(CORE.keccak_buffered),
        .OVERLAP(CORE.overlap)
    ) u_units (
        .clear_i(clear),
        .wipe_i(wipe),
        .wipe_addr_i(wipe_addr),
        .begin_i(accept),
        .op_i(op),
        .start_i(start),
        .operands_i(step.operands),
        .done_o(done),
        .fault_o(fault),
        .upset_o(upset_units),
        .in_ready_o(ready),
        .out_valid_o(valid),
        .*
    );
  end else begin : gen_units
    bike_units #(
        .LEVEL(CORE.level),
        .BUILD(CORE.build),
        .WORD(CORE.word),
        .STRIDE(CORE.stride),
        .LANES(CORE.lanes),
        .INV_WORD(CORE.inv_word),
        .INV_STEPS(CORE.inv_steps),
        .INV_STAGE(CORE.inv_stage),
        .INV_RATE(CORE.inv_rate),
        .KECCAK_ROUNDS(CORE.keccak_rounds),
        .KECCAK_BUFFERED(CORE.keccak_buffered),
        .OVERLAP(CORE.overlap),
        .LOWER_FIRST_THRESHOLD(CORE.lower_first_threshold)
    ) u_units (
        .clear_i(clear),
        .wipe_i(wipe),
        .wipe_addr_i(wipe_addr),
        .begin_i(accept),
        .op_i(op),
        .start_i(start),
        .operands_i(step.operands),
        .done_o(done),
        .fault_o(fault),
        .upset_o(upset_units),
        .in_ready_o(ready),
        .out_valid_o(valid),
        .*
    );
  end

`ifdef FORMAL
  always_comb if (clear) quiet_in_reset : assert (!out_valid_o && (!in_ready_o || drain));
`endif
endmodule
