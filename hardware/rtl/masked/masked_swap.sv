// SPDX-License-Identifier: Apache-2.0 OR MIT
// Two bits of masked_turn's swaps: lane i becomes lane i ^ (lane_i << FIRST); combinational. It is
// a module so that each lane becomes one look-up table of six inputs in synthesis, not two.
(* keep_hierarchy *)
module masked_swap #(
    parameter int WORD = 128,
    parameter int FIRST = 0,
    parameter bit TWO = 1      // else one bit alone
) (
    input  logic [1:0]      lane_i,
    input  logic [WORD-1:0] word_i,
    output logic [WORD-1:0] word_o
);
  for (genvar i = 0; i < WORD; i++) begin : gen_lane
    logic [3:0] from;
    for (genvar n = 0; n < 4; n++) begin : gen_from
      assign from[n] = word_i[i^((TWO ? n : n % 2)<<FIRST)];
    end
    assign word_o[i] = from[lane_i];
  end
endmodule
