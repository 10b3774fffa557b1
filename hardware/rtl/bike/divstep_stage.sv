// SPDX-License-Identifier: Apache-2.0 OR MIT
// One pipeline stage of a sweep: STEPS division steps on the words of f and g that pass through,
// lowest word first. Latency: one cycle, independent of data.
//
// f moves up by one coefficient a step, so a word needs the top STEPS coefficients of the word
// before it. Below the lowest word (first_i) f is 0 and g has a single 1, right below it; after a
// jump over words that are zero (jump_i) both are 0.
module divstep_stage #(
    parameter int WORD = 256,
    parameter int STEPS = 4  // even
) (
    input  logic             clk_i,
    input  logic             clear_i,
    input  logic             valid_i,
    input  logic             first_i,
    input  logic             jump_i,
    input  logic             set_i,    // the first word of a sweep comes in the next cycle
    input  logic [STEPS-1:0] swap_i,   // decisions of that sweep, taken when set_i
    input  logic [STEPS-1:0] add_i,
    input  logic [WORD-1:0]  f_i,
    input  logic [WORD-1:0]  g_i,
    output logic             valid_o,
    output logic             first_o,
    output logic             jump_o,
    output logic [WORD-1:0]  f_o,
    output logic [WORD-1:0]  g_o
);
  localparam int N = WORD + STEPS;

  logic [STEPS-1:0] swap_q, add_q, f_below_q, g_below_q, f_below, g_below;
  logic [N-1:0] f[STEPS/2+1], g[STEPS/2+1];

  assign f_below = (first_i || jump_i) ? '0 : f_below_q;
  assign g_below = first_i ? STEPS'(1) << (STEPS - 1) : jump_i ? '0 : g_below_q;
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
      {valid_o, first_o, jump_o} <= '0;
      f_o <= '0;
      g_o <= '0;
    end else begin
      if (set_i) begin
        swap_q <= swap_i;
        add_q <= add_i;
      end
      {valid_o, first_o, jump_o} <= {valid_i, first_i, jump_i};
      if (valid_i) begin
        f_below_q <= f_i[WORD-1 -: STEPS];
        g_below_q <= g_i[WORD-1 -: STEPS];
        f_o <= f[STEPS/2][N-1 -: WORD];
        g_o <= g[STEPS/2][N-1 -: WORD];
      end
    end
  end
endmodule
