// SPDX-License-Identifier: Apache-2.0 OR MIT
// BIKE v5.1 with plain ports: key generation, encapsulation, decapsulation.
//
// start_i with op_i begins an operation when busy_o is low. Input and output are packets of 32-bit
// words; docs/hardware.md lists their fields. done_o is high for one cycle at the end, together
// with error_o. Errors and OP_WIPE clear all memories and registers that hold data; so does reset,
// and busy_o stays high meanwhile. Cycle counts do not depend on data (on the streams' pauses
// only).
module bike_core
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int PRESET = PRESET_FAST,
    parameter int BUILD = BUILD_FULL,
    parameter int WORD = preset_word(PRESET),
    parameter int STRIDE = preset_stride(PRESET),
    parameter int LANES = preset_lanes(PRESET),
    parameter int INV_WORD = preset_inv_word(PRESET),
    parameter int INV_STEPS = preset_inv_steps(PRESET),
    parameter int INV_STAGE = 4,
    parameter int INV_RATE = preset_inv_rate(PRESET),
    parameter int KECCAK_ROUNDS = preset_keccak_rounds(PRESET),
    parameter bit KECCAK_BUFFERED = preset_keccak_buffered(PRESET),
    parameter bit OVERLAP = preset_overlap(PRESET),
    parameter int LOWER_FIRST_THRESHOLD = 0  // see bike_threshold
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        start_i,
    input  op_e         op_i,
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
      hqc: 0,
      level: LEVEL,
      build: BUILD,
      word: WORD,
      stride: STRIDE,
      lanes: LANES,
      inv_word: INV_WORD,
      inv_steps: INV_STEPS,
      inv_stage: INV_STAGE,
      inv_rate: INV_RATE,
      keccak_rounds: KECCAK_ROUNDS,
      keccak_buffered: KECCAK_BUFFERED,
      overlap: OVERLAP,
      lower_first_threshold: LOWER_FIRST_THRESHOLD,
      wipe_words: bike_wipe_words(LEVEL, WORD, STRIDE, INV_WORD, INV_STEPS),
      default: 0
  };
  kem_shell #(
      .CORE(Core)
  ) u_shell (
      .op_i(op_i),
      .*
  );
endmodule
