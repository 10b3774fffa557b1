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
  logic [3:0][OUT-1:0] from;
  for (genvar n = 0; n < 4; n++) begin : gen_from
    assign from[n] = word_i[n*STEP+:OUT];
  end
  assign word_o = from[amount_i];
endmodule
