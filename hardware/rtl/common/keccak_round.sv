// SPDX-License-Identifier: Apache-2.0 OR MIT
// One round of Keccak-f[1600] [FIPS 202, 3.2]; combinational, the same for all data.
// The lane (x, y) is at bits 64*(5*y+x) of the state.
module keccak_round (
    input  logic [1599:0] state_i,
    input  logic [63:0]   constant_i,  // iota
    output logic [1599:0] state_o
);
  logic [24:0][63:0] pi;
  keccak_linear u_linear (
      .state_i,
      .state_o(pi)
  );
  for (genvar y = 0; y < 5; y++) begin : gen_y
    for (genvar x = 0; x < 5; x++) begin : gen_x
      assign state_o[64*(5*y+x) +: 64] = pi[5*y+x] ^ (~pi[5*y+(x+1)%5] & pi[5*y+(x+2)%5])
                                       ^ ((x == 0 && y == 0) ? constant_i : 64'd0);
    end
  end
endmodule
