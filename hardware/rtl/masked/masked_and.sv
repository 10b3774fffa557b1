// SPDX-License-Identifier: Apache-2.0 OR MIT
// AND of bits in two shares, each with a random bit of its own: domain-oriented masking (Gross,
// Mangard, Korak: TIS 2016). A product across the shares gets the random bit and then a register,
// so that no glitch joins it with the other share. First order; the shares of a and those of b must
// be independent of each other. Latency: one cycle, each cycle another operation.
(* keep_hierarchy *)
module masked_and #(
    parameter int WIDTH = 1
) (
    input  logic                  clk_i,
    input  logic [1:0][WIDTH-1:0] a_i,       // shares
    input  logic [1:0][WIDTH-1:0] b_i,       // shares
    input  logic [WIDTH-1:0]      random_i,  // fresh in each cycle
    output logic [1:0][WIDTH-1:0] and_o      // shares
);
  (* keep *) logic [1:0][WIDTH-1:0] inner_q, cross_q;
  for (genvar i = 0; i < 2; i++) begin : gen_share
    always_ff @(posedge clk_i) begin
      inner_q[i] <= a_i[i] & b_i[i];
      cross_q[i] <= (a_i[i] & b_i[1-i]) ^ random_i;
    end
    assign and_o[i] = inner_q[i] ^ cross_q[i];
  end
endmodule
