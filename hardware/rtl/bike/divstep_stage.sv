// SPDX-License-Identifier: Apache-2.0 OR MIT
// One pipeline stage of a sweep: STEPS division steps on the words of f and g that pass through,
// upwards without a pause from the lowest word or from a gap. Without valid_i the words behind it
// are zero. Latency: one cycle, independent of data.
//
// f moves up by one coefficient a step, so a word needs the top STEPS coefficients of the word
// before it. Below the lowest word (lowest_i) f is 0 and g has a single 1, right below it; above a
// gap of words that are zero (gap_i) both are 0.
module divstep_stage #(
    parameter int WORD = 256,
    parameter int STEPS = 4  // even
) (
    input  logic             clk_i,
    input  logic             clear_i,
    input  logic             valid_i,
    input  logic             lowest_i,
    input  logic             gap_i,
    input  logic             set_i,    // the first word of a sweep comes in the next cycle
    input  logic [STEPS-1:0] swap_i,   // decisions of that sweep, taken when set_i
    input  logic [STEPS-1:0] add_i,
    input  logic [WORD-1:0]  f_i,
    input  logic [WORD-1:0]  g_i,
    output logic [WORD-1:0]  f_o,
    output logic [WORD-1:0]  g_o
);
  localparam int N = WORD + STEPS;

  logic [STEPS-1:0] swap_q, add_q, f_below_q, g_below_q, f_below, g_below;
  logic [N-1:0] f[STEPS/2+1], g[STEPS/2+1];
  logic [WORD-1:0] f_q, g_q;
  assign f_o = f_q;
  assign g_o = g_q;

  assign f_below = (lowest_i || gap_i) ? '0 : f_below_q;
  assign g_below = lowest_i ? STEPS'(1) << (STEPS - 1) : gap_i ? '0 : g_below_q;
  assign f[0] = {f_i, f_below};
  assign g[0] = {g_i, g_below};
  for (genvar i = 0; i < STEPS / 2; i++) begin : gen_pair
    divstep_pair #(
        .N(N)
    ) u_pair (
        .f_i(f[i]),
        .g_i(g[i]),
        .swap_i(swap_q[2*i +: 2]),
        .add_i(add_q[2*i +: 2]),
        .f_o(f[i+1]),
        .g_o(g[i+1])
    );
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {swap_q, add_q, f_below_q, g_below_q} <= '0;
    end else begin
      if (set_i) begin
        swap_q <= swap_i;
        add_q <= add_i;
      end
      f_below_q <= f_i[WORD-1 -: STEPS];
      g_below_q <= g_i[WORD-1 -: STEPS];
    end
    if (clear_i || !valid_i) begin
      f_q <= '0;
      g_q <= '0;
    end else begin
      f_q <= f[STEPS/2][N-1 -: WORD];
      g_q <= g[STEPS/2][N-1 -: WORD];
    end
  end
endmodule
