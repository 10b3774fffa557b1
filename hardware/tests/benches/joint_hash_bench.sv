// SPDX-License-Identifier: Apache-2.0 OR MIT
// Holds joint_hash for the benches of bike_hash and, with HQC, of hqc_hash.
module joint_hash_bench
  import kem_pkg::*;
#(
    parameter bit HQC = 0,
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int ROUNDS = 1,
    parameter bit BUFFERED = 0
) (
    input  logic            clk_i,
    input  logic            clear_i,
    input  logic            start_i,
    input  logic [2:0]      kind_i,
    input  logic [1:0]      target_i,
    input  logic [2:0]      string_i,
    input  logic            sigma_i,
    output logic            done_o,
    output logic            prf_valid_o,
    input  logic            prf_next_i,
    output logic [31:0]     prf_word_o,
    output logic            xof_valid_o,
    input  logic            word_next_i,
    output logic [31:0]     word_o,
    input  logic            lane_next_i,
    output logic [63:0]     lane_o,
    output word_read_t      poly_read_o,
    output logic            poly_hold_o,
    input  logic [WORD-1:0] poly_rdata_i,
    output lane_read_t      str_read_o,
    output logic            str_hold_o,
    input  logic [63:0]     str_rdata_i,
    output lane_write_t     str_write_o
);
  joint_hash #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .ROUNDS(ROUNDS),
      .BUFFERED(BUFFERED)
  ) u_hash (
      .hqc_i(HQC),
      .string_i(HQC ? string_i : 3'(target_i)),
      .bike_valid_o(prf_valid_o),
      .bike_next_i(prf_next_i && !HQC),
      .bike_word_o(prf_word_o),
      .hqc_valid_o(xof_valid_o),
      .hqc_next_i(word_next_i && HQC),
      .hqc_word_o(word_o),
      .lane_next_i(lane_next_i && HQC),
      .*
  );
endmodule
