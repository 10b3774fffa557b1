// SPDX-License-Identifier: Apache-2.0 OR MIT
// A step of masked_lane's shift: by amount_i times STEP bits down; combinational. It is a module so
// that each bit becomes one look-up table of six inputs in synthesis, not two.
(* keep_hierarchy *)
module masked_shift #(
    parameter int OUT = 129,  // bits that are needed
    parameter int STEP = 2
) (
    input  logic [1:0]            amount_i,
    input  logic [OUT+3*STEP-1:0] word_i,
    output logic [OUT-1:0]        word_o
);
  always_comb begin
    unique case (amount_i)
      2'd0: word_o = word_i[0+:OUT];
      2'd1: word_o = word_i[STEP+:OUT];
      2'd2: word_o = word_i[2*STEP+:OUT];
      default: word_o = word_i[3*STEP+:OUT];
    endcase
  end
endmodule
