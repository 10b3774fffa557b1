// SPDX-License-Identifier: Apache-2.0 OR MIT
// Counts the ones of a vector by halving it; combinational.
module weight_of #(
    parameter int WIDTH = 128,
    localparam int Bits = $clog2(WIDTH + 1)
) (
    input  logic [WIDTH-1:0] bits_i,
    output logic [Bits-1:0]  weight_o
);
  if (WIDTH <= 6) begin : gen_leaf  // one look-up table of six inputs for each bit
    always_comb begin
      weight_o = '0;
      for (int i = 0; i < WIDTH; i++) weight_o = weight_o + Bits'(bits_i[i]);
    end
  end else begin : gen_halves
    localparam int Low = WIDTH / 2;
    localparam int High = WIDTH - Low;
    logic [$clog2(Low+1)-1:0] low;
    logic [$clog2(High+1)-1:0] high;
    weight_of #(
        .WIDTH(Low)
    ) u_low (
        .bits_i(bits_i[Low-1:0]),
        .weight_o(low)
    );
    weight_of #(
        .WIDTH(High)
    ) u_high (
        .bits_i(bits_i[WIDTH-1:Low]),
        .weight_o(high)
    );
    assign weight_o = Bits'(low) + Bits'(high);
  end
endmodule
