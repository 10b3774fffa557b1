// SPDX-License-Identifier: Apache-2.0 OR MIT
// The two uses that the RacingBIKE core makes of the multiplier block of Xilinx 7-series, for
// simulation; for synthesis its ports alone. Without multiplier: P = A:B + C; with it: P = A * B +
// C.
// Latency: one cycle. Independent of data. Not part of our core.
// Names and parameters are those of Xilinx, laid out to be compared with its manual.
// verilog_format: off
// verilog_lint: waive-start explicit-parameter-storage-type
// verilog_lint: waive-start module-filename
module DSP48E1 #(
    parameter A_INPUT = "DIRECT", B_INPUT = "DIRECT", USE_DPORT = "FALSE", USE_MULT = "MULTIPLY",
    parameter USE_SIMD = "ONE48", AUTORESET_PATDET = "NO_RESET", SEL_MASK = "MASK",
    parameter SEL_PATTERN = "PATTERN", USE_PATTERN_DETECT = "NO_PATDET",
    parameter [47:0] MASK = 48'h3fffffffffff, PATTERN = 48'h0,
    parameter ACASCREG = 1, ADREG = 1, ALUMODEREG = 1, AREG = 1, BCASCREG = 1, BREG = 1,
    parameter CARRYINREG = 1, CARRYINSELREG = 1, CREG = 1, DREG = 1, INMODEREG = 1, MREG = 1,
    parameter OPMODEREG = 1, PREG = 1
) (
    output [29:0] ACOUT,
    output [17:0] BCOUT,
    output CARRYCASCOUT, MULTSIGNOUT, OVERFLOW, PATTERNBDETECT, PATTERNDETECT, UNDERFLOW,
    output [47:0] PCOUT,
    output [3:0] CARRYOUT,
    output logic [47:0] P,
    input [29:0] ACIN, A,
    input [17:0] BCIN, B,
    input [47:0] PCIN, C,
    input [24:0] D,
    input [6:0] OPMODE,
    input [4:0] INMODE,
    input [3:0] ALUMODE,
    input [2:0] CARRYINSEL,
    input CARRYCASCIN, MULTSIGNIN, CLK, CARRYIN, CEA1, CEA2, CEAD, CEALUMODE, CEB1, CEB2, CEC,
    input CECARRYIN, CECTRL, CED, CEINMODE, CEM, CEP, RSTA, RSTALLCARRYIN, RSTALUMODE, RSTB, RSTC,
    input RSTCTRL, RSTD, RSTINMODE, RSTM, RSTP
);
  initial begin
    assert (AREG + BREG + CREG + MREG == 0 && PREG == 1 && ALUMODE == 0
            && OPMODE == (USE_MULT == "MULTIPLY" ? 7'b0110101 : 7'b0001111))
    else $fatal(1, "DSP48E1: this model has two modes, and the instance wants another one");
  end

  always_ff @(posedge CLK) begin
    if (RSTP) P <= '0;
    else if (CEP)
      P <= C + (USE_MULT == "MULTIPLY" ? 48'($signed(A[24:0])) * 48'($signed(B)) : {A, B});
  end
  assign {ACOUT, BCOUT, CARRYCASCOUT, MULTSIGNOUT, OVERFLOW, PATTERNBDETECT} = '0;
  assign {PATTERNDETECT, UNDERFLOW, PCOUT, CARRYOUT} = '0;
endmodule
