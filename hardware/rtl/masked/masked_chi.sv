// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keccak's chi [FIPS 202, 3.2.4] on rows in two shares: x[i] ^ (~x[i+1] & x[i+2]), and what is
// added to it. One random bit for each row of five; first order. Latency: one cycle, each cycle
// other rows.
//
// A product across the shares goes to x[i], which is not in it: the mask under which it meets a
// register. The random bit makes the sharing of the result uniform, which that of a row of ones
// would else not be. Three rules for whoever uses it:
// - The shares of the rows, with all that comes with them, are uniform and independent.
// - Nothing sees x_i and chi_o of the same row at once, with what it saw a cycle before: together
//   they tell x[i+2], though each alone tells nothing.
// - Logic behind chi_o sees at most two neighbours of a row, i and i+1, of one share. For that, the
//   two products of a share are 1 for disjoint values of its own x[i+1]. Else put a register there.
(* keep_hierarchy *)
module masked_chi #(
    parameter int ROWS = 1
) (
    input  logic                      clk_i,
    input  logic                      clear_i,
    input  logic                      enable_i,  // else all registers keep what they hold
    input  logic                      chi_i,     // else the rows go on as they are
    input  logic [1:0][4:0][ROWS-1:0] x_i,       // shares; bit i of each row in x_i[share][i]
    input  logic [1:0][4:0][ROWS-1:0] add_i,     // shares
    input  logic [ROWS-1:0]           random_i,  // fresh in each cycle with chi_i and enable_i
    output logic [1:0][4:0][ROWS-1:0] chi_o      // shares
);
  (* keep *) logic [1:0][4:0][ROWS-1:0] cross_q, inner_q;
  for (genvar i = 0; i < 5; i++) begin : gen_bit
    localparam int Next = (i + 1) % 5;
    localparam int Third = (i + 2) % 5;
    logic [1:0][ROWS-1:0] factor, other, own;
    // The sum of the four products is ~x[i+1] & x[i+2], with either complement in share 1.
    assign factor = {x_i[1][Next], ~x_i[0][Next]};
    assign other = {~x_i[0][Third], x_i[1][Third]};
    assign own = {~x_i[1][Third], x_i[0][Third]};
    for (genvar share = 0; share < 2; share++) begin : gen_share
      always_ff @(posedge clk_i) begin
        if (clear_i) begin
          cross_q[share][i] <= '0;
          inner_q[share][i] <= '0;
        end else if (enable_i) begin
          cross_q[share][i] <= x_i[share][i] ^ add_i[share][i]
                             ^ ({ROWS{chi_i}} & factor[share] & other[share])
                             ^ (i == 0 ? {ROWS{chi_i}} & random_i : '0);
          inner_q[share][i] <= {ROWS{chi_i}} & factor[share] & own[share];
        end
      end
      assign chi_o[share][i] = cross_q[share][i] ^ inner_q[share][i];
    end
  end
endmodule
