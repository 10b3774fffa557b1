// SPDX-License-Identifier: Apache-2.0 OR MIT
// Moves the lanes of one share of a word as masked_engine says; combinational. A lane of what comes
// out depends on all lanes that come in.
(* keep_hierarchy *)
module masked_turn #(
    parameter int WORD = 128,  // a power of two
    localparam int LaneBits = $clog2(WORD)
) (
    input  masked_engine_pkg::turn_e turn_i,
    input  logic [LaneBits-1:0]      lane_i,
    input  logic [WORD-1:0]          word_i,
    output logic [WORD-1:0]          word_o
);
  import masked_engine_pkg::*;
  localparam int Half = WORD / 2;
  // Level m: swapped by the lower 2 m bits of the lane, but for its highest bit. In steps of two
  // bits, a look-up table for each lane.
  localparam int Levels = LaneBits / 2;
  logic [Levels:0][WORD-1:0] level;
  assign level[0] = word_i;
  for (genvar m = 0; m < Levels; m++) begin : gen_level
    masked_swap #(
        .WORD (WORD),
        .FIRST(2 * m),
        .TWO  (2 * m + 1 < LaneBits - 1)
    ) u_swap (
        .lane_i({2 * m + 1 < LaneBits - 1 && lane_i[2*m+1], lane_i[2*m]}),
        .word_i(level[m]),
        .word_o(level[m+1])
    );
  end
  logic [1:0][Half-1:0] halves, swapped, next, out;
  logic [1:0] one, all;
  assign halves  = word_i;
  assign swapped = level[Levels];
  assign word_o  = out;
  for (genvar half = 0; half < 2; half++) begin : gen_half
    assign next[half] = {halves[half][0], halves[half][Half-1:1]};
    assign one[half] = halves[half][lane_i[LaneBits-2:0]];
    always_comb begin
      unique case (turn_i)
        ALL: all[half] = one[lane_i[LaneBits-1]];
        CROSSED: all[half] = one[1-half];
        default: all[half] = one[half];
      endcase
      unique case (turn_i)
        SWAP: out[half] = swapped[lane_i[LaneBits-1]^1'(half)];
        NEXT: out[half] = next[half];
        default: out[half] = {Half{all[half]}};
      endcase
    end
  end
endmodule
