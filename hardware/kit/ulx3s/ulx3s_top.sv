// SPDX-License-Identifier: Apache-2.0 OR MIT
// The BIKE core on the ULX3S board (LFE5U-85F), with operations over its USB serial port: see
// uart_bridge for what host and board say to each other, and host.py. Not run on hardware by us.
//
// The clock is the board's oscillator; a PLL in front of it is all that a faster one takes.
// led: 0 busy, 1 the line is in use, 7:5 the error of the last operation. The button FIRE1 resets.
module ulx3s_top
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int PRESET = PRESET_LIGHT,
    parameter int BUILD = BUILD_FULL,
    parameter int CLOCK_HZ = 25_000_000,
    parameter int BAUD = 1_000_000
) (
    input  logic       clk_25mhz,
    input  logic       fire1,      // high while it is pressed
    input  logic       ftdi_txd,   // from the USB bridge
    output logic       ftdi_rxd,   // to the USB bridge
    output logic [7:0] led
);
  localparam int Words = LEVEL == 1 ? 2048 : LEVEL == 3 ? 4096 : 8192;

  // Reset after configuration, which sets the first value, and by the button.
  // verilator lint_off PROCASSINIT
  logic [4:0] reset_q = '0;
  // verilator lint_on PROCASSINIT
  logic rst_n;
  always_ff @(posedge clk_25mhz) reset_q <= {reset_q[3:0], !fire1};
  assign rst_n = reset_q[4];

  logic start, busy, done, in_valid, in_ready, in_last, out_valid, out_ready, out_last, step;
  logic [31:0] in_data, out_data;
  op_e op;
  err_e error, error_q;
  uart_bridge #(
      .DIVISOR(CLOCK_HZ / BAUD),
      .WORDS  (Words)
  ) u_bridge (
      .clk_i(clk_25mhz),
      .rst_ni(rst_n),
      .line_i(ftdi_txd),
      .line_o(ftdi_rxd),
      .start_o(start),
      .op_o(op),
      .busy_i(busy),
      .done_i(done),
      .error_i(error),
      .in_valid_o(in_valid),
      .in_ready_i(in_ready),
      .in_data_o(in_data),
      .in_last_o(in_last),
      .out_valid_i(out_valid),
      .out_ready_o(out_ready),
      .out_data_i(out_data)
  );
  bike_core #(
      .LEVEL (LEVEL),
      .PRESET(PRESET),
      .BUILD (BUILD)
  ) u_core (
      .clk_i(clk_25mhz),
      .rst_ni(rst_n),
      .start_i(start),
      .op_i(op),
      .abort_i(1'b0),
      .wipe_after_i(1'b0),
      .step_o(step),
      .busy_o(busy),
      .done_o(done),
      .error_o(error),
      .in_valid_i(in_valid),
      .in_ready_o(in_ready),
      .in_data_i(in_data),
      .in_last_i(in_last),
      .out_valid_o(out_valid),
      .out_ready_i(out_ready),
      .out_data_o(out_data),
      .out_last_o(out_last)
  );
  always_ff @(posedge clk_25mhz) begin
    if (!rst_n) error_q <= ERR_NONE;
    else if (done) error_q <= error;
  end
  assign led = {error_q, 3'd0, !(ftdi_txd && ftdi_rxd), busy};
endmodule
