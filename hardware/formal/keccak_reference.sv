// SPDX-License-Identifier: Apache-2.0 OR MIT
// One round Rnd(A, ir) of Keccak-f[1600] as in the formulas of [FIPS 202, 3.2], for the proof of
// keccak (`ifdef FORMAL there); shares no line with it. Combinational.
//
// A lane A[x, y] is a word, whose bit z is A[x, y, z]; so A[x, y, (z - n) mod 64] for all z is the
// lane rotated by n to higher bits.
module keccak_reference (
    input  logic [1599:0] state_i,  // A[x, y, z] is bit 64 (5 y + x) + z [3.1.2]
    input  logic [4:0]    round_i,
    output logic [1599:0] state_o
);
  typedef logic [63:0] lane_t;

  // Algorithm 5. R grows by one bit at its front; R[i] is bit i.
  function automatic logic rc(int t);
    logic [8:0] r;
    if (t % 255 == 0) return 1'b1;
    r = 9'b0_0000_0001;
    for (int i = 1; i <= t % 255; i++) begin
      r = {r[7:0], 1'b0};
      r[0] = r[0] ^ r[8];
      r[4] = r[4] ^ r[8];
      r[5] = r[5] ^ r[8];
      r[6] = r[6] ^ r[8];
    end
    return r[0];
  endfunction
  function automatic lane_t round_constant(int round);
    round_constant = '0;
    for (int j = 0; j <= 6; j++) round_constant[2**j-1] = rc(j + 7 * round);
  endfunction

  function automatic lane_t rotated(lane_t lane, int n);
    return n % 64 == 0 ? lane : (lane << (n % 64)) | (lane >> (64 - n % 64));
  endfunction

  lane_t a[5][5], theta[5][5], rho[5][5], pi[5][5], chi[5][5];
  lane_t c[5], d[5], constants[24];

  for (genvar x = 0; x < 5; x++) begin : gen_x
    assign c[x] = a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4];
    assign d[x] = c[(x+4)%5] ^ rotated(c[(x+1)%5], 1);
    for (genvar y = 0; y < 5; y++) begin : gen_y
      assign a[x][y] = state_i[64*(5*y+x) +: 64];
      assign theta[x][y] = a[x][y] ^ d[x];  // Algorithm 1
      assign pi[x][y] = rho[(x+3*y)%5][x];  // Algorithm 3
      assign chi[x][y] = pi[x][y] ^ ((pi[(x+1)%5][y] ^ '1) & pi[(x+2)%5][y]);  // Algorithm 4
      if (x != 0 || y != 0) begin : gen_same
        assign state_o[64*(5*y+x) +: 64] = chi[x][y];
      end
    end
  end

  always_comb begin  // Algorithm 2
    int x, y, old;
    rho = theta;
    x = 1;
    y = 0;
    for (int t = 0; t < 24; t++) begin
      rho[x][y] = rotated(theta[x][y], (t + 1) * (t + 2) / 2);
      old = x;
      x = y;
      y = (2 * old + 3 * y) % 5;
    end
  end

  for (genvar round = 0; round < 24; round++) begin : gen_round
    localparam lane_t Constant = round_constant(round);
    assign constants[round] = Constant;
  end
  assign state_o[63:0] = chi[0][0] ^ (round_i < 5'd24 ? constants[round_i] : '0);  // Algorithm 6
endmodule
