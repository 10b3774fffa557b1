// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keccak-f[1600] with its state as a ring of 25 lanes, so that absorbing and reading need no
// multiplexers [FIPS 202]. Latency: rotate_i moves the ring by one lane a cycle (lane 0, with in_i
// added, becomes lane 24); a permutation takes 24/ROUNDS cycles. Independent of data.
module keccak #(
    parameter int ROUNDS = 1  // rounds in each cycle: 1, 2, 3, 4, 6
) (
    input  logic        clk_i,
    input  logic        clear_i,    // state = 0; stops a permutation
    input  logic        rotate_i,   // not while busy
    input  logic [63:0] in_i,
    input  logic        permute_i,  // pulse; not while busy
    output logic        busy_o,
    output logic [63:0] lane_o      // lane 0 of the ring
);
  initial
    assert (24 % ROUNDS == 0)
    else $fatal(1, "keccak: ROUNDS must divide 24");

  function automatic logic [24*64-1:0] all_constants();  // iota, by its LFSR [FIPS 202, 3.2.5]
    logic [7:0] lfsr;
    lfsr = 8'd1;
    all_constants = '0;
    for (int i = 0; i < 24; i++) begin
      for (int j = 0; j < 7; j++) begin
        if (lfsr[0]) all_constants[64*i + (1 << j) - 1] = 1'b1;
        lfsr = {lfsr[6:0], 1'b0} ^ (lfsr[7] ? 8'h71 : 8'h00);
      end
    end
  endfunction
  // The LFSR's output is its bit 0 before each step; in this form bit 7 feeds back.
  localparam logic [24*64-1:0] Constants = all_constants();

  logic [1599:0] state_q, chain[ROUNDS+1];
  logic [4:0] round_q;
  logic busy_q;

  assign chain[0] = state_q;
  for (genvar i = 0; i < ROUNDS; i++) begin : gen_round
    logic [63:0] constant;
    always_comb begin
      constant = '0;
      for (int k = 0; k < 24 / ROUNDS; k++) begin
        if (round_q == 5'(k)) constant = Constants[64*(ROUNDS*k+i) +: 64];
      end
    end
    keccak_round u_round (
        .state_i(chain[i]),
        .constant_i(constant),
        .state_o(chain[i+1])
    );
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= '0;
    end else if (busy_q) begin
      state_q <= chain[ROUNDS];
    end else if (rotate_i) begin
      state_q <= {state_q[63:0] ^ in_i, state_q[1599:64]};
    end
    if (clear_i) begin
      busy_q  <= 1'b0;
      round_q <= '0;
    end else if (busy_q) begin
      busy_q  <= round_q != 5'(24 / ROUNDS - 1);
      round_q <= round_q + 5'd1;
    end else if (permute_i) begin
      busy_q  <= 1'b1;
      round_q <= '0;
    end
  end

  assign busy_o = busy_q;
  assign lane_o = state_q[63:0];

`ifdef FORMAL
  for (genvar i = 0; i < ROUNDS; i++) begin : gen_formal
    logic [1599:0] expected;
    keccak_reference u_reference (
        .state_i(chain[i]),
        .round_i(5'(ROUNDS * round_q + i)),
        .state_o(expected)
    );
    always_comb if (busy_q) round_of_the_standard : assert (chain[i+1] == expected);
  end
  logic [4:0] taken_q;  // cycles that the permutation has taken
  logic asked_q;  // the cycle before this one asked for a permutation
  always_ff @(posedge clk_i) begin
    taken_q <= clear_i || !busy_q ? '0 : taken_q + 5'd1;
    asked_q <= permute_i && !busy_q && !clear_i;
  end
  always_comb begin
    if (busy_q) rounds_in_order : assert (round_q == taken_q && taken_q < 5'(24 / ROUNDS));
    if (!busy_q && taken_q != 0) all_rounds : assert (taken_q == 5'(24 / ROUNDS));
    if (asked_q) begins : assert (busy_q && taken_q == 0);
  end
`endif
endmodule
