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
    parameter bit KECCAK_BUFFERED = bike_pkg::preset_keccak_buffered(PRESET),
    parameter int LOWER_FIRST_THRESHOLD = 0  // see bike_threshold
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        start_i,
    input  logic [2:0]  op_i,
    input  logic        abort_i,       // ends what runs, and wipes
    input  logic        wipe_after_i,  // wipe before done_o; steady from start_i to done_o
    output logic        step_o,        // it goes on: for a watchdog
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
  localparam shell_pkg::core_t Core = '{
      bike: 1,
      hqc: 1,
      level: LEVEL,
      build: BUILD,
      word: WORD,
      stride: STRIDE,
      lanes: LANES,
      inv_word: INV_WORD,
      inv_steps: INV_STEPS,
      inv_stage: INV_STAGE,
      inv_rate: INV_RATE,
      rm_values: RM_VALUES,
      bm_cells: BM_CELLS,
      keccak_rounds: KECCAK_ROUNDS,
      keccak_buffered: KECCAK_BUFFERED,
      lower_first_threshold: LOWER_FIRST_THRESHOLD,
      wipe_words: joint_pkg::wipe_words(LEVEL, BUILD, WORD, STRIDE, INV_WORD, INV_STEPS),
      default: 0
  };
  kem_shell #(
      .CORE(Core)
  ) u_shell (
      .op_i(op_i),
      .*
  );
endmodule
