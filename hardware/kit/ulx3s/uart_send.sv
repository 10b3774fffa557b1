// SPDX-License-Identifier: Apache-2.0 OR MIT
// Bytes to a serial line: one start bit, eight data bits, one stop bit. A byte is taken when
// valid_i and ready_o are high; ready_o is low for the ten bits that follow.
module uart_send #(
    parameter int DIVISOR = 25  // clock cycles of a bit
) (
    input  logic       clk_i,
    input  logic       rst_ni,
    output logic       line_o,
    input  logic       valid_i,
    output logic       ready_o,
    input  logic [7:0] data_i
);
  localparam int CountBits = $clog2(DIVISOR);
  logic [CountBits-1:0] count_q;
  logic [3:0] left_q;  // bits
  logic [8:0] shift_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {count_q, left_q} <= '0;
      shift_q <= '1;
    end else if (left_q == '0) begin
      if (valid_i) begin
        shift_q <= {data_i, 1'b0};
        left_q <= 4'd10;
        count_q <= CountBits'(DIVISOR - 1);
      end
    end else if (count_q == '0) begin
      shift_q <= {1'b1, shift_q[8:1]};
      left_q <= left_q - 1'b1;
      count_q <= CountBits'(DIVISOR - 1);
    end else begin
      count_q <= count_q - 1'b1;
    end
  end
  assign line_o = shift_q[0];
  assign ready_o = left_q == '0;
endmodule
