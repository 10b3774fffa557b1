// SPDX-License-Identifier: Apache-2.0 OR MIT
// What theta adds to each lane of a column [FIPS 202, 3.2.1]; combinational, the same for all data.
// It keeps its boundary, or else synthesis repeats these XORs in front of each bit of the state to
// save a level, and the core grows by about 500 cells.
(* keep_hierarchy *)
module keccak_theta (
    input  logic [1599:0] state_i,
    output logic [319:0]  theta_o  // the lane for column x at bit 64 x
);
  logic [63:0] column[5];
  for (genvar x = 0; x < 5; x++) begin : gen_column
    assign column[x] = state_i[64*x +: 64] ^ state_i[64*(x+5) +: 64] ^ state_i[64*(x+10) +: 64]
                     ^ state_i[64*(x+15) +: 64] ^ state_i[64*(x+20) +: 64];
    assign theta_o[64*x +: 64] = column[(x+4)%5] ^ {column[(x+1)%5][62:0], column[(x+1)%5][63]};
  end
endmodule
