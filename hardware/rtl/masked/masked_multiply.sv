// SPDX-License-Identifier: Apache-2.0 OR MIT
// Sums of products of bits in two shares, with a random bit for each product: domain-oriented
// masking as in masked_and, with registers before the products. First order, with glitches and
// transitions, whatever factors follow each other; the two of a product are independent. One random
// bit for a sum would not do: what it gains in a cycle is seen, a_i b_i and a_i b_j without a mask.
//
// Factors of odd cycles and those of even ones have registers and products of their own, which in
// the cycles between are empty: so share 0 of a factor never follows its share 1 in a product, as
// it would where a factor comes as a_i and then as b_i. Latency: two cycles.
(* keep_hierarchy *)
module masked_multiply #(
    parameter int WIDTH = 1
) (
    input  logic                  clk_i,
    input  logic                  clear_i,
    input  logic                  odd_i,         // changes in each cycle
    input  logic [1:0][WIDTH-1:0] a_i,           // shares
    input  logic [1:0][WIDTH-1:0] b_i,           // shares
    input  logic [WIDTH-1:0]      random_i,      // fresh in each cycle with factors
    input  logic                  enable_i,      // a cycle later: what is there is taken
    input  logic                  accumulate_i,  // a cycle later: it is added to what was there
    output logic [1:0][WIDTH-1:0] sum_o          // shares
);
  // By parity, then by share.
  (* keep *) logic [1:0][1:0][WIDTH-1:0] a_q, b_q, cross_q;
  (* keep *) logic [1:0][WIDTH-1:0] random_q;
  (* keep *) logic [1:0][WIDTH-1:0] inner_q;
  for (genvar odd = 0; odd < 2; odd++) begin : gen_parity
    always_ff @(posedge clk_i) begin
      if (clear_i || odd_i != 1'(odd)) begin
        {a_q[odd], b_q[odd], random_q[odd]} <= '0;
      end else begin
        {a_q[odd], b_q[odd], random_q[odd]} <= {a_i, b_i, random_i};
      end
    end
  end
  for (genvar i = 0; i < 2; i++) begin : gen_share
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        inner_q[i] <= '0;
      end else if (enable_i) begin
        inner_q[i] <= ({WIDTH{accumulate_i}} & inner_q[i])
                    ^ ((a_q[0][i] | a_q[1][i]) & (b_q[0][i] | b_q[1][i]));
      end
    end
    for (genvar odd = 0; odd < 2; odd++) begin : gen_cross
      always_ff @(posedge clk_i) begin
        if (clear_i) begin
          cross_q[odd][i] <= '0;
        end else if (enable_i) begin
          cross_q[odd][i] <= ({WIDTH{accumulate_i}} & cross_q[odd][i])
                           ^ (a_q[odd][i] & b_q[odd][1-i]) ^ random_q[odd];
        end
      end
    end
    assign sum_o[i] = inner_q[i] ^ cross_q[0][i] ^ cross_q[1][i];
  end
endmodule
