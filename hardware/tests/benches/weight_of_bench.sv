// SPDX-License-Identifier: Apache-2.0 OR MIT
// Holds weight_of for its bench: Verilator leaves the inner instances out of a top that is
// recursive.
module weight_of_bench #(
    parameter int WIDTH = 128
) (
    input  logic [WIDTH-1:0]           bits_i,
    output logic [$clog2(WIDTH+1)-1:0] weight_o
);
  weight_of #(
      .WIDTH(WIDTH)
  ) u_weight (
      .bits_i,
      .weight_o
  );
endmodule
