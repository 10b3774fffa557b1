// SPDX-License-Identifier: Apache-2.0 OR MIT
// Holds joint_gather_unit for the bench of gather_unit: as a unit for one of its two lengths, R.
module joint_gather_unit_bench #(
    parameter int R = 1213,  // R0, or with LONG R1
    parameter int R0 = 1213,
    parameter int R1 = 2200,
    parameter bit LONG = 0,
    parameter int WORD = 64,
    parameter int STRIDE = 32,
    parameter int LANES = 8,
    parameter int BITS = 5,
    parameter int LIST = 32,
    parameter int PARTS = 2,
    parameter int REGIONS = LONG ? 1 : 2,
    localparam int Bits = $clog2(R0 > R1 ? R0 : R1),
    localparam int WordBits = $clog2(((R0 > R1 ? R0 : R1) + WORD - 1) / WORD),
    localparam int ListBits = $clog2(LIST)
) (
    input  logic                     clk_i,
    input  logic                     clear_i,
    input  logic                     start_i,
    input  logic [WordBits-1:0]      last_word_i,
    input  logic [ListBits-1:0]      last_group_i,
    input  logic                     two_i,
    input  logic [1:0][ListBits-1:0] list_i,
    input  logic                     region_i,
    output logic                     initial_o,
    output logic [WordBits-1:0]      initial_word_o,
    input  logic [BITS*WORD-1:0]     initial_i,
    output logic                     sum_valid_o,
    output logic                     sum_second_o,
    output logic                     sum_last_o,
    output logic [WordBits-1:0]      sum_word_o,
    output logic [BITS*WORD-1:0]     sum_o,
    input  logic [PARTS-1:0]         feed_valid_i,
    input  logic                     feed_first_i,
    input  logic                     feed_last_i,
    input  logic                     feed_region_i,
    input  logic [WORD-1:0]          feed_word_i,
    input  logic [LANES-1:0]         list_we_i,
    input  logic [ListBits-1:0]      list_waddr_i,
    input  logic [$clog2(R)+1:0]     list_wdata_i,
    input  logic                     wipe_i,
    input  logic [15:0]              wipe_addr_i
);
  localparam int Index = $clog2(R);
  joint_gather_unit #(
      .R0(R0),
      .R1(R1),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .BITS(BITS),
      .LIST(LIST),
      .PARTS(PARTS)
  ) u_unit (
      .long_i(LONG),
      .region_i(region_i && REGIONS == 2),  // without regions what names one means nothing
      .feed_region_i(feed_region_i && REGIONS == 2),
      .list_wdata_i({list_wdata_i[Index+1], list_wdata_i[Index] && REGIONS == 2,
                     Bits'(list_wdata_i[Index-1:0])}),
      .*
  );
endmodule
