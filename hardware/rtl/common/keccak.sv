// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keccak-f[1600]: the state and its permutation [FIPS 202]. What else comes into the state is up to
// the user: its lanes moved on, or a block added to them. Latency: a permutation takes 24/ROUNDS
// cycles, which begin after permute_i. Independent of data.
module keccak #(
    parameter int ROUNDS = 1  // rounds in each cycle: 1, 2, 3, 4, 6
) (
    input  logic          clk_i,
    input  logic          clear_i,    // state = 0; stops a permutation
    input  logic          load_i,     // state = next_i; not while busy
    input  logic [1599:0] next_i,
    input  logic          permute_i,  // pulse, also together with load_i; not while busy
    output logic          busy_o,
    output logic          last_o,     // the permutation is complete after this cycle
    output logic [1599:0] state_o
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

  assign last_o = busy_q && round_q == 5'(24 / ROUNDS - 1);
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= '0;
    end else if (busy_q || load_i) begin
      state_q <= busy_q ? chain[ROUNDS] : next_i;
    end
    if (clear_i) begin
      busy_q  <= 1'b0;
      round_q <= '0;
    end else if (busy_q) begin
      busy_q  <= !last_o;
      round_q <= round_q + 5'd1;
    end else if (permute_i) begin
      busy_q  <= 1'b1;
      round_q <= '0;
    end
  end

  assign busy_o  = busy_q;
  assign state_o = state_q;

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
  logic asked_q, was_last_q;  // the cycle before this one asked for a permutation; told its end
  logic [1599:0] next_q;
  always_ff @(posedge clk_i) begin
    taken_q <= clear_i || !busy_q ? '0 : taken_q + 5'd1;
    asked_q <= permute_i && !busy_q && !clear_i;
    was_last_q <= last_o && !clear_i;
    next_q <= clear_i ? '0 : busy_q ? gen_formal[ROUNDS-1].expected : load_i ? next_i : state_o;
  end
  always_comb begin
    not_while_busy : assume (!busy_q || (!load_i && !permute_i));
    takes_the_rounds : assert (state_o == next_q);
    if (busy_q) rounds_in_order : assert (round_q == taken_q && taken_q < 5'(24 / ROUNDS));
    if (!busy_q && taken_q != 0) all_rounds : assert (taken_q == 5'(24 / ROUNDS) && was_last_q);
    if (was_last_q) told_at_the_end : assert (!busy_o);
    if (asked_q) begins : assert (busy_q && taken_q == 0);
  end
`endif
endmodule
