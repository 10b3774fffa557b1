// SPDX-License-Identifier: Apache-2.0 OR MIT
// Counts the ones of a vector: of six bits by look-up tables, of more by adding two parts;
// combinational.
module weight_of #(
    parameter int WIDTH = 128,
    localparam int Bits = $clog2(WIDTH + 1)
) (
    input  logic [WIDTH-1:0] bits_i,
    output logic [Bits-1:0]  weight_o
);
  if (WIDTH <= 6) begin : gen_leaf  // one look-up table of six inputs for each bit
    always_comb begin
      logic carry;
      logic [2:0] ones;
      ones = '0;
      for (int i = 0; i < WIDTH; i++) begin
        carry = bits_i[i];
        for (int k = 0; k < 3; k++) {carry, ones[k]} = {ones[k] & carry, ones[k] ^ carry};
      end
      weight_o = ones[Bits-1:0];
    end
  end else begin : gen_parts
    localparam int Low = 6 * 2 ** ($clog2((WIDTH + 5) / 6) - 1);  // whole leaves
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
