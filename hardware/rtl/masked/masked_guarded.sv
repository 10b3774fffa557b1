// SPDX-License-Identifier: Apache-2.0 OR MIT
// Registers of control and their parity: a bit that flips is told by upset_o in that cycle.
// Latency: one cycle.
module masked_guarded #(
    parameter int WIDTH = 8
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] next_i,
    output logic [WIDTH-1:0] state_o,
    output logic             upset_o
);
  logic [WIDTH-1:0] state_q;
  logic guard_q;
  always_ff @(posedge clk_i) begin
    state_q <= next_i;
    guard_q <= ^next_i;
  end
  assign state_o = state_q;
  assign upset_o = ^{state_q, guard_q};
endmodule
