// SPDX-License-Identifier: Apache-2.0 OR MIT
// Theta, rho and pi of Keccak-f[1600] [FIPS 202, 3.2]: all of a round that is linear;
// combinational. The lane (x, y) is at bits 64*(5*y+x) of the state.
module keccak_linear (
    input  logic [1599:0] state_i,
    output logic [1599:0] state_o
);
  function automatic int rotation(int x, int y);  // rho, by the walk that defines it
    int a, b, t;
    a = 1;
    b = 0;
    rotation = 0;
    for (int i = 0; i < 24; i++) begin
      if (a == x && b == y) rotation = ((i + 1) * (i + 2) / 2) % 64;
      t = b;
      b = (2 * a + 3 * b) % 5;
      a = t;
    end
  endfunction

  logic [319:0] theta;
  keccak_theta u_theta (
      .state_i,
      .theta_o(theta)
  );
  for (genvar y = 0; y < 5; y++) begin : gen_y
    for (genvar x = 0; x < 5; x++) begin : gen_x
      localparam int Rot = rotation(x, y);
      localparam int To = 5 * ((2 * x + 3 * y) % 5) + y;
      logic [63:0] lane;
      assign lane = state_i[64*(5*y+x) +: 64] ^ theta[64*x +: 64];
      if (Rot == 0) begin : gen_still
        assign state_o[64*To +: 64] = lane;
      end else begin : gen_rotated
        assign state_o[64*To +: 64] = {lane[63-Rot:0], lane[63:64-Rot]};
      end
    end
  end
endmodule
