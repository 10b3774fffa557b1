// SPDX-License-Identifier: Apache-2.0 OR MIT
// Compares e (slots A0, A1) with H(m') (slots G0, G1) [BIKE, S6]. Latency, from start_i to done_o:
// 4 * Words + 1 cycles, whatever the data.
module bike_compare
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    localparam int Words = (r_bits(LEVEL) + WORD - 1) / WORD,
    localparam int WordAddrBits = $clog2(Words)
) (
    input  logic                    clk_i,
    input  logic                    clear_i,
    input  logic                    reset_i,  // take them as equal
    input  logic                    start_i,
    output logic                    done_o,
    output logic                    equal_o,
    output slot_e                   poly_rslot_o,
    output logic [WordAddrBits-1:0] poly_raddr_o,
    input  logic [WORD-1:0]         poly_rdata_i
);
  logic busy_q, half_q, second_q, check_q, equal_q, done_q;
  logic [WordAddrBits-1:0] word_q;
  logic [WORD-1:0] first_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {busy_q, half_q, second_q, check_q, equal_q, done_q, word_q, first_q} <= '0;
    end else begin
      check_q <= busy_q && second_q;
      done_q <= busy_q && second_q && half_q && word_q == WordAddrBits'(Words - 1);
      if (reset_i) equal_q <= 1'b1;
      else if (check_q && first_q != poly_rdata_i) equal_q <= 1'b0;
      if (second_q) first_q <= poly_rdata_i;
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
  assign equal_o = equal_q;
  always_comb begin
    poly_rslot_o = slot_e'(0);
    if (busy_q) begin
      if (second_q) poly_rslot_o = half_q ? SLOT_G1 : SLOT_G0;
      else poly_rslot_o = half_q ? SLOT_A1 : SLOT_A0;
    end
  end
  assign poly_raddr_o = busy_q ? word_q : '0;

`ifdef FORMAL
  always_comb begin
    poly_in_bounds : assert (32'(word_q) < Words && 32'(poly_raddr_o) < Words);
    if (!busy_q) silent : assert (poly_raddr_o == '0 && poly_rslot_o == SLOT_A0);
  end
`endif
endmodule
