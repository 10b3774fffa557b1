// SPDX-License-Identifier: Apache-2.0 OR MIT
// Syndromes of a Reed-Solomon word whose symbols come lowest first [HQC, S7.2 (a)]. Horner's rule
// needs the highest first, so it multiplies by powers of 1/alpha instead: of n symbols r[j] it
// gives the sums of r[j] alpha^(i (j - n + 1)), i = 1 .. 2 DELTA, those of a word turned by n - 1
// places.
//
// The sums go round in RINGS rings, each past one multiplier, once for each symbol: from one symbol
// to the next must be at least 2 * DELTA / RINGS cycles. Then next_i takes them one by one: the
// first one is at syndrome_o, after the last one the first again.
// Latency, from valid_i to idle: 2 * DELTA / RINGS cycles of busy_o. Independent of data.
module rs_syndromes
  import gf256_pkg::*;
#(
    parameter int DELTA = 15,
    parameter int RINGS = 1   // 1 or 2
) (
    input  logic       clk_i,
    input  logic       clear_i,
    input  logic       start_i,    // a new word; not while busy_o or next_i
    input  logic       valid_i,
    input  logic [7:0] symbol_i,
    output logic       busy_o,
    input  logic       next_i,     // not while busy_o
    output logic [7:0] syndrome_o
);
  localparam int Length = 2 * DELTA / RINGS;
  localparam int LeftBits = $clog2(Length + 1);
  initial begin
    assert (RINGS == 1 || RINGS == 2)
    else $fatal(1, "rs_syndromes: RINGS is 1 or 2");
  end

  logic [LeftBits-1:0] left_q;  // sums that this symbol is still to be added to
  logic turn_q;  // whose first sum is next
  gf256_t symbol_q;
  gf256_t [RINGS-1:0] heads;
  assign busy_o = left_q != '0;
  assign syndrome_o = heads[RINGS-1] & {8{RINGS == 1 || turn_q}} | heads[0] & {8{!turn_q}};
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {left_q, turn_q, symbol_q} <= '0;
    end else begin
      if (start_i) turn_q <= 1'b0;
      else if (next_i) turn_q <= RINGS == 2 && !turn_q;
      if (valid_i) begin
        left_q <= LeftBits'(Length);
        symbol_q <= symbol_i;
      end else if (busy_o) begin
        left_q <= left_q - 1'b1;
        if (left_q == LeftBits'(1)) symbol_q <= '0;
      end
    end
  end

  for (genvar r = 0; r < RINGS; r++) begin : gen_ring
    localparam gf256_t First = gf256_power(-(r + 1));
    localparam gf256_t Step = gf256_power(-RINGS);
    gf256_t power_q;  // 1 while sums are taken
    gf256_t [Length-1:0] sums_q;
    assign heads[r] = sums_q[0];
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        {power_q, sums_q} <= '0;
      end else begin
        if (valid_i) power_q <= First;
        else if (left_q <= LeftBits'(1)) power_q <= 8'h01;
        else power_q <= gf256_mul(power_q, Step);
        if (start_i) begin
          sums_q <= '0;
        end else if (busy_o || (next_i && (RINGS == 1 || turn_q == 1'(r)))) begin
          sums_q <= {gf256_mul(sums_q[0], power_q) ^ symbol_q, sums_q[Length-1:1]};
        end
      end
    end
  end

`ifdef FORMAL
  // A product by definition: the sum of a x^i for the ones i of b.
  gf256_t product, multiple;
  always_comb begin
    multiple = gen_ring[0].sums_q[0];
    product = '0;
    for (int i = 0; i < 8; i++) begin
      if (symbol_q[i]) product = product ^ multiple;
      multiple = {multiple[6:0], 1'b0} ^ {3'b0, {3{multiple[7]}}, 1'b0, multiple[7]};
    end
    as_defined : assert (gf256_mul(gen_ring[0].sums_q[0], symbol_q) == product);
    symbols_apart : assume (!valid_i || left_q <= LeftBits'(1));
    one_at_a_time : assume (!(start_i && busy_o) && !(next_i && (busy_o || start_i)));
    in_range : assert (32'(left_q) <= Length);
    if (left_q == '0) nothing_to_add : assert (symbol_q == '0);
  end
`endif
endmodule
