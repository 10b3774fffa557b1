// SPDX-License-Identifier: Apache-2.0 OR MIT
// Bytes from a serial line: one start bit, eight data bits, one stop bit. Each bit is looked at in
// its middle; a byte whose stop bit is low is dropped. valid_o is high for one cycle.
module uart_receive #(
    parameter int DIVISOR = 25  // clock cycles of a bit, at least 4
) (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       line_i,
    output logic       valid_o,
    output logic [7:0] data_o
);
  localparam int CountBits = $clog2(DIVISOR);
  logic [2:0] line_q;  // the first two make it synchronous
  logic busy_q;
  logic [CountBits-1:0] count_q;
  logic [3:0] bit_q;
  logic [7:0] shift_q;
  logic at_bit;

  assign at_bit = busy_q && count_q == '0;
  always_ff @(posedge clk_i) begin
    line_q <= {line_q[1:0], line_i};
    if (!rst_ni) begin
      line_q <= '1;
      {busy_q, count_q, bit_q, shift_q} <= '0;
    end else if (!busy_q) begin
      busy_q <= !line_q[1] && line_q[2];
      count_q <= CountBits'(DIVISOR / 2);
      bit_q <= '0;
    end else if (at_bit) begin
      count_q <= CountBits'(DIVISOR - 1);
      bit_q <= bit_q + 1'b1;
      shift_q <= {line_q[2], shift_q[7:1]};
      if (bit_q == 4'd9 || (bit_q == '0 && line_q[2])) busy_q <= 1'b0;
    end else begin
      count_q <= count_q - 1'b1;
    end
  end
  assign valid_o = at_bit && bit_q == 4'd9 && line_q[2];
  assign data_o = shift_q;
endmodule
