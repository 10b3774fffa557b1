// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keccak's chi [FIPS 202, 3.2.4] on rows in two shares: x[i] ^ (~x[i+1] & x[i+2]). First order,
// with one random bit for each bit. Latency: one cycle, each cycle other rows.
(* keep_hierarchy *)
module masked_chi #(
    parameter int ROWS = 1
) (
    input  logic                      clk_i,
    input  logic [1:0][4:0][ROWS-1:0] x_i,       // shares; bit i of each row in x_i[share][i]
    input  logic [4:0][ROWS-1:0]      random_i,  // fresh in each cycle
    output logic [1:0][4:0][ROWS-1:0] chi_o      // shares
);
  (* keep *) logic [1:0][4:0][ROWS-1:0] x_q;
  always_ff @(posedge clk_i) x_q <= x_i;
  for (genvar i = 0; i < 5; i++) begin : gen_bit
    logic [1:0][ROWS-1:0] product;
    masked_and #(
        .WIDTH(ROWS)
    ) u_and (
        .clk_i,
        .a_i({x_i[1][(i+1)%5], ~x_i[0][(i+1)%5]}),
        .b_i({x_i[1][(i+2)%5], x_i[0][(i+2)%5]}),
        .random_i(random_i[i]),
        .and_o(product)
    );
    for (genvar share = 0; share < 2; share++) begin : gen_share
      assign chi_o[share][i] = x_q[share][i] ^ product[share];
    end
  end
endmodule
