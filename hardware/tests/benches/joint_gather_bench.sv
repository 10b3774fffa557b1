// SPDX-License-Identifier: Apache-2.0 OR MIT
// Holds joint_gather for the benches of bike_gather and, with HQC, of hqc_product.
module joint_gather_bench
  import kem_pkg::*;
#(
    parameter bit HQC = 0,
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LANES = 8,
    parameter bit DECODER = 1,
    parameter bit CLIENT = DECODER,
    localparam int Own = $clog2(HQC ? hqc_pkg::n_bits(LEVEL) : bike_pkg::r_bits(LEVEL)),
    localparam int IndexBits = joint_pkg::index_bits(LEVEL),
    localparam int ListBits = joint_pkg::lane_list_bits(LEVEL, LANES),
    localparam int Padding = 8 * hqc_pkg::u_bytes(LEVEL) - hqc_pkg::n_bits(LEVEL)
) (
    input  logic                clk_i,
    input  logic                clear_i,
    input  logic                reset_i,
    input  logic                start_i,
    input  logic [2:0]          mode_i,
    output logic                done_o,
    output logic                equal_o,
    output logic                sure_o,
    output logic                upset_o,
    input  logic                feed_valid_i,
    input  logic                feed_first_i,
    input  logic                feed_last_i,
    input  logic [WORD-1:0]     feed_word_i,
    input  logic [LANES-1:0]    list_we_i,
    input  logic [ListBits-1:0] list_waddr_i,
    input  logic [Own+1:0]      list_wdata_i,
    input  logic [Padding-1:0]  padding_i,
    input  logic [Padding-2:0]  top_i,
    input  logic [WORD-1:0]     rm_i,
    output logic                rm_upper_o,
    output logic                symbol_next_o,
    output logic                code_valid_o,
    output logic [WORD-1:0]     code_word_o,
    output word_read_t          poly_read_o,
    input  logic [WORD-1:0]     poly_rdata_i,
    input  logic [WORD-1:0]     poly_late_i,
    output word_write_t         poly_write_o,
    output logic [WORD-1:0]     poly_wdata_o,
    input  logic                wipe_i,
    input  logic [15:0]         wipe_addr_i
);
  joint_gather #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .CLIENT(CLIENT && DECODER)
  ) u_gather (
      .hqc_i(HQC),
      .list_wdata_i({list_wdata_i[Own+1:Own], IndexBits'(list_wdata_i[Own-1:0])}),
      .*
  );
endmodule
