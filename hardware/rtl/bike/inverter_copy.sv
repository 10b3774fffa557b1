// SPDX-License-Identifier: Apache-2.0 OR MIT
// Writes v, the inverter's result, from the memory of f to slot C of the polynomial memory.
// Latency, from start_i to done_o: Words + 2 cycles for the Words of v, independent of data.
module inverter_copy
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int R = 12323,
    parameter int WORD = 128,      // of the polynomial memory
    parameter int INV_WORD = 256,  // of the inverter
    parameter int DEPTH = 97,      // words of f
    localparam int AddrBits = $clog2(DEPTH)
) (
    input  logic                clk_i,
    input  logic                clear_i,
    input  logic                start_i,
    output logic                done_o,        // with the last word
    output logic [AddrBits-1:0] raddr_o,       // zero when idle
    input  logic [INV_WORD-1:0] rdata_i,       // two cycles after its address
    output word_write_t         poly_write_o,
    output logic [WORD-1:0]     poly_wdata_o
);
  localparam int Words = (R + WORD - 1) / WORD;
  localparam int Ratio = INV_WORD / WORD;
  localparam int SubBits = Ratio == 1 ? 1 : $clog2(Ratio);

  logic [9:0] index_q, index_d1_q, index_d2_q;
  logic [SubBits-1:0] sub_q, sub_d1_q, sub_d2_q;
  logic [AddrBits-1:0] word_q;
  logic busy_q, busy_d1_q, busy_d2_q, last_sub;

  assign last_sub = sub_q == SubBits'(Ratio - 1);
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {index_q, index_d1_q, index_d2_q, sub_q, sub_d1_q, sub_d2_q, word_q} <= '0;
      {busy_q, busy_d1_q, busy_d2_q} <= '0;
    end else begin
      {busy_d1_q, busy_d2_q} <= {busy_q, busy_d1_q};
      {index_d1_q, index_d2_q} <= {index_q, index_d1_q};
      {sub_d1_q, sub_d2_q} <= {sub_q, sub_d1_q};
      if (busy_q) begin
        index_q <= index_q + 1'b1;
        sub_q <= last_sub ? '0 : sub_q + 1'b1;
        if (last_sub) word_q <= word_q + 1'b1;
        if (index_q == 10'(Words - 1)) begin
          busy_q <= 1'b0;
          {index_q, sub_q, word_q} <= '0;
        end
      end
      if (start_i) busy_q <= 1'b1;
    end
  end

  assign raddr_o = word_q;
  assign done_o = busy_d2_q && !busy_d1_q;
  assign poly_write_o = busy_d2_q ? '{valid: 1'b1, slot: SLOT_C, word: index_d2_q} : '0;
  assign poly_wdata_o = busy_d2_q ? rdata_i[WORD*sub_d2_q +: WORD] : '0;
endmodule
