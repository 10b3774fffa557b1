// SPDX-License-Identifier: Apache-2.0 OR MIT
// Whether a word in two shares is zero, as a bit in two shares: a tree of ANDs of its complemented
// bits. First order, with a random bit for each AND. Latency: log2(WIDTH) cycles, each cycle
// another word.
(* keep_hierarchy *)
module masked_zero #(
    parameter int WIDTH = 4  // a power of 2, at least 2
) (
    input  logic                  clk_i,
    input  logic [1:0][WIDTH-1:0] x_i,       // shares
    input  logic [WIDTH-2:0]      random_i,  // fresh in each cycle
    output logic [1:0]            zero_o     // shares
);
  localparam int Levels = $clog2(WIDTH);
  logic [1:0][WIDTH-1:0] level[Levels+1];  // level i has WIDTH >> i bits
  assign level[0] = {x_i[1], ~x_i[0]};
  for (genvar i = 0; i < Levels; i++) begin : gen_level
    localparam int Half = WIDTH >> (i + 1);
    logic [1:0][Half-1:0] a, b, both;
    for (genvar share = 0; share < 2; share++) begin : gen_share
      assign a[share] = level[i][share][Half-1:0];
      assign b[share] = level[i][share][2*Half-1:Half];
      assign level[i+1][share] = WIDTH'(both[share]);
    end
    masked_and #(
        .WIDTH(Half)
    ) u_and (
        .clk_i,
        .a_i(a),
        .b_i(b),
        .random_i(random_i[WIDTH-2*Half +: Half]),
        .and_o(both)
    );
  end
  for (genvar share = 0; share < 2; share++) begin : gen_zero
    assign zero_o[share] = level[Levels][share][0];
  end
endmodule
