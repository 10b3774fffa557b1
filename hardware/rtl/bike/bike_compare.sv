// SPDX-License-Identifier: Apache-2.0 OR MIT
// Compares e (slots A0, A1) with H(m') (slots G0, G1) [BIKE, S6]. Latency, from start_i to done_o:
// 4 * Words + 3 cycles, whatever the data. The result is kept twice, in opposite polarity, with the
// number of words that were compared: with sure_o the two agree, and no word was left out.
module bike_compare
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    localparam int Words = words_of(LEVEL, WORD),
    localparam int WordAddrBits = $clog2(Words)
) (
    input  logic                    clk_i,
    input  logic                    clear_i,
    input  logic                    reset_i,  // take them as equal
    input  logic                    start_i,
    output logic                    done_o,
    output logic                    equal_o,
    output logic                    sure_o,
    output word_read_t              poly_read_o,
    input  logic [WORD-1:0]         poly_rdata_i
);
  localparam int Piece = 16;  // bits that are looked at at once
  localparam int CountBits = $clog2(2 * Words + 1);
  logic busy_q, half_q, second_q, equal_q, different_q;
  logic [CountBits-1:0] compared_q;  // words, since reset_i
  logic here_q, pair_q, last_q;  // a word has come; it is the second of a pair; of the last pair
  logic check_q, checked_q, done_q;
  logic [WordAddrBits-1:0] word_q;
  logic [WORD-1:0] sum_q;  // a word of e, then its sum with that of H(m')
  logic [WORD/Piece-1:0] differ_q, same_q;  // same_q: the opposite

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {busy_q, half_q, second_q, equal_q, here_q, pair_q, last_q} <= '0;
      {different_q, compared_q} <= '0;
      same_q <= '1;
      {check_q, checked_q, done_q, word_q, sum_q, differ_q} <= '0;
    end else begin
      here_q <= busy_q;
      pair_q <= busy_q && second_q;
      last_q <= busy_q && second_q && half_q && word_q == WordAddrBits'(Words - 1);
      if (here_q) sum_q <= poly_rdata_i ^ (pair_q ? sum_q : '0);
      check_q <= pair_q;
      checked_q <= last_q;
      done_q <= checked_q;
      for (int i = 0; i < WORD / Piece; i++) begin
        differ_q[i] <= check_q && sum_q[Piece*i +: Piece] != '0;
        same_q[i] <= !check_q || sum_q[Piece*i +: Piece] == '0;
      end
      if (reset_i) equal_q <= 1'b1;
      else if (differ_q != '0) equal_q <= 1'b0;
      if (reset_i) different_q <= 1'b0;
      else if (same_q != '1) different_q <= 1'b1;
      if (reset_i) compared_q <= '0;
      else if (check_q) compared_q <= compared_q + 1'b1;
      if (start_i) begin
        busy_q <= 1'b1;
        {half_q, second_q, word_q} <= '0;
      end else if (busy_q) begin
        second_q <= !second_q;
        if (second_q) begin
          word_q <= word_q + 1'b1;
          if (word_q == WordAddrBits'(Words - 1)) begin
            word_q <= '0;
            half_q <= 1'b1;
            busy_q <= !half_q;
          end
        end
      end
    end
  end
  assign done_o = done_q;
  assign equal_o = equal_q;  // final in the cycle after done_o
  assign sure_o = equal_q != different_q && compared_q == CountBits'(2 * Words);
  always_comb begin
    poly_read_o = '0;
    if (busy_q) begin
      poly_read_o.word = 10'(word_q);
      if (second_q) poly_read_o.slot = half_q ? SLOT_G1 : SLOT_G0;
      else poly_read_o.slot = half_q ? SLOT_A1 : SLOT_A0;
    end
  end

`ifdef FORMAL
  always_comb begin
    poly_in_bounds : assert (32'(word_q) < Words && 32'(poly_read_o.word) < Words);
    if (!busy_q) silent : assert (poly_read_o == '0);
  end
`endif
endmodule
