// SPDX-License-Identifier: Apache-2.0 OR MIT
// Loads the inverter: f = x^r + 1, and g = h0 from slot A0 of the polynomial memory.
//
// It writes all words of f and of g, those above h0 as zeros, the lowest first. Outputs are zero
// while no word is written.
// Latency, from start_i to done_o: 1 + DEPTH INV_WORD/WORD cycles, independent of data. Then the
// slot is read; the last word comes in the next cycle, from a register, and the first one
// 2 + INV_WORD/WORD cycles after start_i.
module inverter_load
  import kem_pkg::*;
#(
    parameter int R = 12323,
    parameter int WORD = 128,      // of the polynomial memory
    parameter int INV_WORD = 256,  // of the inverter
    parameter int DEPTH = 97,      // words of f and of g
    localparam int AddrBits = $clog2(DEPTH)
) (
    input  logic                clk_i,
    input  logic                clear_i,
    input  logic                start_i,
    output logic                done_o,
    output word_read_t          poly_read_o,
    input  logic [WORD-1:0]     poly_rdata_i,
    output logic                we_o,
    output logic [AddrBits-1:0] waddr_o,
    output logic [INV_WORD-1:0] f_o,
    output logic [INV_WORD-1:0] g_o
);
  localparam int Words = (R + WORD - 1) / WORD;
  localparam int Ratio = INV_WORD / WORD;
  localparam int All = DEPTH * Ratio;  // words of the polynomial memory that would fill g
  localparam int IndexBits = $clog2(All + 1);
  localparam int SubBits = Ratio == 1 ? 1 : $clog2(Ratio);

  logic busy_q, last_q;  // a word is asked for; it is the last
  logic asks_q;  // it is one that there is
  logic here_q, there_q;  // the word asked for in the cycle before is here; there is such a word
  logic full_q, end_q;  // it completes a word of g; the last one
  logic we_q;
  logic [INV_WORD-1:0] g_q;
  logic [IndexBits-1:0] index_q;
  logic [SubBits-1:0] sub_q;
  logic [AddrBits-1:0] word_q, at_q, waddr_q;
  logic last_sub;
  logic [WORD-1:0] part;
  logic [INV_WORD-1:0] gathered;

  assign last_sub = sub_q == SubBits'(Ratio - 1);
  assign poly_read_o = '{slot: '0, word: asks_q ? 10'(index_q) : '0};
  assign part = there_q ? poly_rdata_i : '0;
  if (Ratio == 1) begin : gen_one
    assign gathered = part;
  end else begin : gen_gather
    logic [INV_WORD-WORD-1:0] lower_q;
    always_ff @(posedge clk_i) begin
      if (clear_i || !here_q || full_q) lower_q <= '0;
      else lower_q <= (INV_WORD - WORD)'({part, lower_q} >> WORD);
    end
    assign gathered = full_q ? {part, lower_q} : '0;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {busy_q, asks_q, last_q, here_q, there_q, full_q, end_q, we_q} <= '0;
      {index_q, sub_q, word_q, at_q, waddr_q, g_q} <= '0;
    end else begin
      here_q <= busy_q;
      there_q <= asks_q;
      full_q <= busy_q && last_sub;
      end_q <= busy_q && last_q;
      at_q <= busy_q && last_sub ? word_q : '0;
      {we_q, waddr_q, g_q} <= {full_q, at_q, gathered};
      last_q <= index_q == IndexBits'(All - 2);
      if (busy_q) begin
        index_q <= index_q + 1'b1;
        sub_q <= last_sub ? '0 : sub_q + 1'b1;
        if (last_sub) word_q <= word_q + 1'b1;
        if (last_q) busy_q <= 1'b0;
      end
      if (index_q == IndexBits'(Words - 1)) asks_q <= 1'b0;
      if (start_i) begin
        busy_q <= 1'b1;
        asks_q <= 1'b1;
        {index_q, sub_q, word_q} <= '0;
      end
    end
  end

  assign done_o = end_q;
  assign we_o = we_q;
  assign waddr_o = waddr_q;
  assign g_o = g_q;
  always_comb begin
    f_o = '0;
    f_o[0] = we_q && waddr_q == '0;
    if (we_q && waddr_q == AddrBits'(R / INV_WORD)) f_o[R % INV_WORD] = 1'b1;
  end
endmodule
