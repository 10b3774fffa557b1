// SPDX-License-Identifier: Apache-2.0 OR MIT
// The permutation of Keccak as a piece of its own: a program moves the state in and out, 32 bits in
// each access, lanes in order with the lower half first. Taking a word moves zeros in, so that a
// state that has been read is wiped. Latency: 24 cycles from the one after start_i. Independent of
// data.
module soc_keccak (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        push_i,   // these three not while busy
    input  logic [31:0] data_i,
    input  logic        pop_i,
    input  logic        start_i,
    output logic        busy_o,
    output logic [31:0] data_o
);
  logic [1599:0] state;
  logic last;

  keccak u_keccak (
      .clk_i,
      .clear_i(!rst_ni),
      .load_i((push_i || pop_i) && !busy_o),
      .next_i({push_i ? data_i : 32'd0, state[1599:32]}),
      .permute_i(start_i && !busy_o),
      .busy_o,
      .last_o(last),
      .state_o(state)
  );
  assign data_o = busy_o ? '0 : state[31:0];
endmodule
