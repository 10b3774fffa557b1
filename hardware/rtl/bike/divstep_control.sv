// SPDX-License-Identifier: Apache-2.0 OR MIT
// Decides the next STEPS division steps from the low coefficients of f and g [BY19].
// Latency: STEPS/RATE cycles after load_i, whatever the data.
module divstep_control #(
    parameter int STEPS = 32,
    parameter int RATE = 2,         // steps decided in each cycle
    parameter int DELTA_BITS = 17   // signed; |delta| is at most the number of steps
) (
    input  logic             clk_i,
    input  logic             clear_i,
    input  logic             restart_i,  // with load_i: delta = 1
    input  logic             load_i,
    input  logic [STEPS-1:0] f_i,
    input  logic [STEPS-1:0] g_i,
    output logic             ready_o,    // low from load_i until the decisions are there
    output logic [STEPS-1:0] swap_o,     // bit i: exchange in step i
    output logic [STEPS-1:0] add_o
);
  localparam int CountBits = $clog2(STEPS / RATE + 1);

  logic [STEPS-1:0] f_q, g_q, swap_q, add_q;
  logic [STEPS-1:0] f[RATE+1], g[RATE+1];
  logic signed [DELTA_BITS-1:0] delta_q, delta[RATE+1];
  logic [RATE-1:0] swap, add;
  logic [CountBits-1:0] left_q;

  assign f[0] = f_q;
  assign g[0] = g_q;
  assign delta[0] = delta_q;
  for (genvar i = 0; i < RATE; i++) begin : gen_step
    assign add[i] = g[i][0];
    assign swap[i] = g[i][0] && delta[i] > 0;
    assign f[i+1] = swap[i] ? g[i] : f[i];
    assign g[i+1] = (g[i] ^ (f[i] & {STEPS{add[i]}})) >> 1;
    assign delta[i+1] = (swap[i] ? -delta[i] : delta[i]) + DELTA_BITS'(1);
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      f_q <= '0;
      g_q <= '0;
      swap_q <= '0;
      add_q <= '0;
      delta_q <= '0;
      left_q <= '0;
    end else if (load_i) begin
      f_q <= f_i;
      g_q <= g_i;
      left_q <= CountBits'(STEPS / RATE);
      if (restart_i) delta_q <= DELTA_BITS'(1);
    end else if (left_q != 0) begin
      f_q <= f[RATE];
      g_q <= g[RATE];
      swap_q <= {swap, swap_q[STEPS-1:RATE]};
      add_q <= {add, add_q[STEPS-1:RATE]};
      delta_q <= delta[RATE];
      left_q <= left_q - 1'b1;
    end
  end

  assign ready_o = left_q == 0;
  assign swap_o = swap_q;
  assign add_o = add_q;
endmodule
