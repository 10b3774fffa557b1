// SPDX-License-Identifier: Apache-2.0 OR MIT
// The hash functions of both schemes over one sponge. A start for one scheme clears the messages of
// the other one, whose stream ends so.
module joint_hash
  import kem_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int ROUNDS = 1,
    parameter bit BUFFERED = 1'b0
) (
    input  logic              clk_i,
    input  logic              clear_i,
    input  logic              hqc_i,
    input  logic              start_i,
    input  logic [2:0]        kind_i,         // hash_e of the scheme
    input  logic [2:0]        string_i,       // where the digest goes (BIKE), the seed (HQC)
    input  logic              sigma_i,        // BIKE: K takes sigma
    output logic              done_o,
    // streams: words for either scheme's sampler, lanes for HQC
    output logic              bike_valid_o,
    input  logic              bike_next_i,
    output logic [31:0]       bike_word_o,
    output logic              hqc_valid_o,
    input  logic              hqc_next_i,
    output logic [31:0]       hqc_word_o,
    input  logic              lane_next_i,
    output logic [63:0]       lane_o,
    output word_read_t        poly_read_o,
    output logic              poly_hold_o,
    input  logic [WORD-1:0]   poly_rdata_i,
    output lane_read_t        str_read_o,
    output logic              str_hold_o,
    input  logic [63:0]       str_rdata_i,
    output lane_write_t       str_write_o
);
  word_read_t bike_poly, hqc_poly;
  lane_read_t bike_read, hqc_read;
  lane_write_t bike_write, hqc_write;
  logic [1:0] done;  // of BIKE at 0, of HQC at 1
  logic [1:0][1:0] hold;
  assign {poly_hold_o, str_hold_o} = hold[0] | hold[1];
  to_sponge_t bike_message, hqc_message, message;
  from_sponge_t answer;
  bike_hash #(
      .LEVEL (LEVEL),
      .WORD  (WORD),
      .SPONGE(0)
  ) u_bike (
      .clk_i,
      .clear_i(clear_i || (start_i && hqc_i)),
      .start_i(start_i && !hqc_i),
      .kind_i(bike_pkg::hash_e'(kind_i[1:0])),
      .target_i(bike_pkg::str_e'(string_i[1:0])),
      .sigma_i,
      .done_o(done[0]),
      .prf_valid_o(bike_valid_o),
      .prf_next_i(bike_next_i),
      .prf_word_o(bike_word_o),
      .poly_read_o(bike_poly),
      .poly_hold_o(hold[0][1]),
      .poly_rdata_i,
      .str_read_o(bike_read),
      .str_hold_o(hold[0][0]),
      .str_rdata_i,
      .str_write_o(bike_write),
      .to_sponge_o(bike_message),
      .from_sponge_i(answer)
  );
  hqc_hash #(
      .LEVEL (LEVEL),
      .WORD  (WORD),
      .SPONGE(0)
  ) u_hqc (
      .clk_i,
      .clear_i(clear_i || (start_i && !hqc_i)),
      .start_i(start_i && hqc_i),
      .kind_i(hqc_pkg::hash_e'(kind_i)),
      .string_i(hqc_pkg::str_e'(string_i)),
      .done_o(done[1]),
      .xof_valid_o(hqc_valid_o),
      .word_next_i(hqc_next_i),
      .word_o(hqc_word_o),
      .lane_next_i,
      .lane_o,
      .poly_read_o(hqc_poly),
      .poly_hold_o(hold[1][1]),
      .poly_rdata_i,
      .str_read_o(hqc_read),
      .str_hold_o(hold[1][0]),
      .str_rdata_i,
      .str_write_o(hqc_write),
      .to_sponge_o(hqc_message),
      .from_sponge_i(answer)
  );
  // BIKE's lane is zero while HQC works; that of HQC may be anything.
  assign message = '{
          rate: hqc_i ? hqc_message.rate : bike_message.rate,
          valid: bike_message.valid || hqc_message.valid,
          last: hqc_i ? hqc_message.last : bike_message.last,
          lane: bike_message.lane | (hqc_message.lane & {64{hqc_i}}),
          next: bike_message.next || hqc_message.next
      };
  keccak_sponge #(
      .ROUNDS  (ROUNDS),
      .BUFFERED(BUFFERED)
  ) u_sponge (
      .clk_i,
      .clear_i,
      .start_i,
      .rate_i(message.rate),
      .in_valid_i(message.valid),
      .in_ready_o(answer.ready),
      .in_lane_i(message.lane),
      .in_last_i(message.last),
      .out_valid_o(answer.valid),
      .out_next_i(message.next),
      .out_lane_o(answer.lane)
  );
  assign done_o = done != '0;
  assign poly_read_o = bike_poly | hqc_poly;
  assign str_read_o = bike_read | hqc_read;
  assign str_write_o = bike_write | hqc_write;
endmodule
