// SPDX-License-Identifier: Apache-2.0 OR MIT
// One share of masked_engine's sums: the factors A and B, what is written, and what a thread keeps.
// It sees no other share but in products that have got a mask.
(* keep_hierarchy *)
module masked_share #(
    parameter int WORD = 128
) (
    input  logic                     clk_i,
    input  logic                     clear_i,
    input  masked_engine_pkg::sums_t step_i,       // of the words that are there
    input  logic                     keep_i,       // two cycles later
    input  logic                     write_z_i,    // two cycles later
    input  logic [WORD-1:0]          a_i,
    input  logic [WORD-1:0]          b_i,
    input  logic [WORD-1:0]          constant_i,   // for share 0; zero for share 1
    input  logic [WORD-1:0]          sum_i,        // of products, two cycles later
    output logic [WORD-1:0]          factor_a_o,
    output logic [WORD-1:0]          factor_b_o,
    output logic [WORD-1:0]          write_o       // two cycles later
);
  logic [WORD-1:0] turned, kept, linear;
  logic [1:0][WORD-1:0] linear_q, kept_q;  // a cycle later, two cycles later
  logic [WORD-1:0] other_q;
  logic carry_q;
  masked_turn #(
      .WORD(WORD)
  ) u_turn (
      .turn_i(step_i.turn),
      .lane_i($clog2(WORD)'(step_i.lane)),
      .word_i(b_i),
      .word_o(turned)
  );
  assign kept = keep_i ? sum_i ^ other_q : kept_q[1];
  assign factor_a_o = ({WORD{step_i.product && step_i.in_a[0]}} & a_i)
                    ^ ({WORD{step_i.product && step_i.in_a[1]}} & constant_i)
                    ^ ({WORD{step_i.product && step_i.in_a[2]}} & kept);
  assign factor_b_o = ({WORD{step_i.product && step_i.in_b[0]}} & a_i)
                    ^ ({WORD{step_i.product && step_i.in_b[1]}} & turned)
                    ^ ({WORD{step_i.product && step_i.in_b[2]}} & kept);
  assign linear = ({WORD{step_i.add[0]}} & a_i) ^ ({WORD{step_i.add[1]}} & turned)
                ^ ({WORD{step_i.add[2]}} & kept) ^ ({WORD{step_i.add[3]}} & constant_i);
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {linear_q, kept_q, other_q, carry_q} <= '0;
    end else begin
      linear_q <= {linear_q[0], linear};
      kept_q <= {kept_q[0], kept};
      carry_q <= step_i.carry;
      other_q <= carry_q ? kept_q[0] : linear_q[0];
    end
  end
  assign write_o = linear_q[1] ^ ({WORD{write_z_i}} & sum_i);
endmodule
