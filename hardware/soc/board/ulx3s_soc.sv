// SPDX-License-Identifier: Apache-2.0 OR MIT
// The system on a chip on the ULX3S board (LFE5U-85F): its bytes in and out are the USB serial
// port's. The program is in the RAM's first contents. Not run on hardware by us.
//
// led: 7 the program has ended, then 6:0 its status; before that, 0 the line is in use. The button
// FIRE1 resets the processor, not the RAM: a program that must begin anew keeps no state in its
// data, or is loaded again.
module ulx3s_soc #(
    parameter int RAM_BYTES = 262144,
    parameter string INIT_FILE = "",
    parameter int BIKE_LEVEL = 1,
    parameter int BIKE_PRESET = 0,
    parameter int HQC_LEVEL = 1,
    parameter int HQC_PRESET = 0,
    parameter int CLOCK_HZ = 40_000_000,  // what ulx3s_pll gives
    parameter int BAUD = 1_000_000
) (
    input  logic       clk_25mhz,
    input  logic       fire1,      // high while it is pressed
    input  logic       ftdi_txd,   // from the USB bridge
    output logic       ftdi_rxd,   // to the USB bridge
    output logic [7:0] led
);
  logic clk, locked, rst_n;
  ulx3s_pll u_pll (
      .clk_25mhz_i(clk_25mhz),
      .clk_o(clk),
      .locked_o(locked)
  );
  // Reset after configuration, which sets the first value, until the clock is there, and by the
  // button.
  // verilator lint_off PROCASSINIT
  logic [7:0] reset_q = '0;
  // verilator lint_on PROCASSINIT
  always_ff @(posedge clk) reset_q <= {reset_q[6:0], locked && !fire1};
  assign rst_n = reset_q[7];

  // --- Bytes -------------------------------------------------------------------------------------
  logic got, in_valid_q, in_ready, out_valid, out_ready, exited, exited_q;
  logic [7:0] byte_in, in_data_q, out_data, status, status_q;
  uart_receive #(
      .DIVISOR(CLOCK_HZ / BAUD)
  ) u_receive (
      .clk_i(clk),
      .rst_ni(rst_n),
      .line_i(ftdi_txd),
      .valid_o(got),
      .data_o(byte_in)
  );
  uart_send #(
      .DIVISOR(CLOCK_HZ / BAUD)
  ) u_send (
      .clk_i(clk),
      .rst_ni(rst_n),
      .line_o(ftdi_rxd),
      .valid_i(out_valid),
      .ready_o(out_ready),
      .data_i(out_data)
  );
  // A byte waits until the program takes it, or the next one comes: ten bits later.
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      {in_valid_q, in_data_q, exited_q, status_q} <= '0;
    end else begin
      if (in_ready) {in_valid_q, in_data_q} <= '0;
      if (got) {in_valid_q, in_data_q} <= {1'b1, byte_in};
      if (exited) {exited_q, status_q} <= {1'b1, status};
    end
  end
  assign led = exited_q ? {1'b1, status_q[6:0]} : {7'd0, !(ftdi_txd && ftdi_rxd)};

  soc #(
      .RAM_BYTES(RAM_BYTES),
      .INIT_FILE(INIT_FILE),
      .BIKE_LEVEL(BIKE_LEVEL),
      .BIKE_PRESET(BIKE_PRESET),
      .HQC_LEVEL(HQC_LEVEL),
      .HQC_PRESET(HQC_PRESET)
  ) u_soc (
      .clk_i(clk),
      .rst_ni(rst_n),
      .in_valid_i(in_valid_q),
      .in_ready_o(in_ready),
      .in_data_i(in_data_q),
      .in_ended_i(1'b0),
      .out_valid_o(out_valid),
      .out_ready_i(out_ready),
      .out_data_o(out_data),
      .exit_o(exited),
      .exit_status_o(status)
  );
endmodule
