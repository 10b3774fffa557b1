// SPDX-License-Identifier: Apache-2.0 OR MIT
// The system's clock on the ULX3S: 40 MHz from the board's 25 MHz (600 MHz inside), by the ECP5's
// PLL. In simulation the clock goes through as it is.
`ifdef SYNTHESIS
// What this file takes of the PLL.
(* blackbox *)
module EHXPLLL #(
    parameter string FEEDBK_PATH = "CLKOP",
    parameter string CLKOP_ENABLE = "ENABLED",
    parameter int CLKI_DIV = 1,
    parameter int CLKFB_DIV = 1,
    parameter int CLKOP_DIV = 8,
    parameter int CLKOP_CPHASE = 0
) (
    input  logic CLKI,
    input  logic CLKFB,
    input  logic RST,
    input  logic STDBY,
    input  logic PHASESEL0,
    input  logic PHASESEL1,
    input  logic PHASEDIR,
    input  logic PHASESTEP,
    input  logic PHASELOADREG,
    input  logic PLLWAKESYNC,
    input  logic ENCLKOP,
    output logic CLKOP,
    output logic LOCK
);
endmodule
`endif

module ulx3s_pll (
    input  logic clk_25mhz_i,
    output logic clk_o,
    output logic locked_o
);
`ifdef SYNTHESIS
  EHXPLLL #(
      .FEEDBK_PATH("CLKOP"),
      .CLKOP_ENABLE("ENABLED"),
      .CLKI_DIV(5),
      .CLKFB_DIV(8),
      .CLKOP_DIV(15),
      .CLKOP_CPHASE(7)
  ) u_pll (
      .CLKI(clk_25mhz_i),
      .CLKFB(clk_o),
      .RST(1'b0),
      .STDBY(1'b0),
      .PHASESEL0(1'b0),
      .PHASESEL1(1'b0),
      .PHASEDIR(1'b1),
      .PHASESTEP(1'b1),
      .PHASELOADREG(1'b1),
      .PLLWAKESYNC(1'b0),
      .ENCLKOP(1'b0),
      .CLKOP(clk_o),
      .LOCK(locked_o)
  );
`else
  assign clk_o = clk_25mhz_i;
  assign locked_o = 1'b1;
`endif
endmodule
