// SPDX-License-Identifier: Apache-2.0 OR MIT
// joint_core behind AXI4-Lite registers and AXI4-Stream packets of 32-bit words: see kem_axi for
// the bus, its latency and what it answers, and docs/hardware-integration.md for the registers.
// CONTROL takes joint_core's operations: 1 to 3 are those of BIKE, 5 to 7 those of HQC.
module joint_axi
  import kem_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int PRESET = bike_pkg::PRESET_FAST,
    parameter int BUILD = bike_pkg::BUILD_FULL,
    parameter int WORD = bike_pkg::preset_word(PRESET),
    parameter int STRIDE = bike_pkg::preset_stride(PRESET),
    parameter int LANES = bike_pkg::preset_lanes(PRESET),
    parameter int INV_WORD = bike_pkg::preset_inv_word(PRESET),
    parameter int INV_STEPS = bike_pkg::preset_inv_steps(PRESET),
    parameter int INV_STAGE = 4,
    parameter int INV_RATE = bike_pkg::preset_inv_rate(PRESET),
    parameter int RM_VALUES = hqc_pkg::preset_rm_values(PRESET),
    parameter int BM_CELLS = hqc_pkg::preset_bm_cells(PRESET),
    parameter int KECCAK_ROUNDS = bike_pkg::preset_keccak_rounds(PRESET),
    parameter bit KECCAK_BUFFERED = bike_pkg::preset_keccak_buffered(PRESET),
    parameter int ADDR_BITS = 12
) (
    input  logic                 aclk,
    input  logic                 aresetn,
    input  logic [ADDR_BITS-1:0] s_axil_awaddr,
    input  logic [          2:0] s_axil_awprot,
    input  logic                 s_axil_awvalid,
    output logic                 s_axil_awready,
    input  logic [         31:0] s_axil_wdata,
    input  logic [          3:0] s_axil_wstrb,
    input  logic                 s_axil_wvalid,
    output logic                 s_axil_wready,
    output logic [          1:0] s_axil_bresp,
    output logic                 s_axil_bvalid,
    input  logic                 s_axil_bready,
    input  logic [ADDR_BITS-1:0] s_axil_araddr,
    input  logic [          2:0] s_axil_arprot,
    input  logic                 s_axil_arvalid,
    output logic                 s_axil_arready,
    output logic [         31:0] s_axil_rdata,
    output logic [          1:0] s_axil_rresp,
    output logic                 s_axil_rvalid,
    input  logic                 s_axil_rready,
    input  logic [         31:0] s_axis_tdata,
    input  logic                 s_axis_tvalid,
    output logic                 s_axis_tready,
    input  logic                 s_axis_tlast,
    output logic [         31:0] m_axis_tdata,
    output logic                 m_axis_tvalid,
    input  logic                 m_axis_tready,
    output logic                 m_axis_tlast,
    output logic                 irq              // while an enabled event is not acknowledged
);
  logic start, busy, done;
  op_e op;
  err_e error;
  logic in_valid, in_ready, in_last, out_valid, out_ready, out_last;
  logic [31:0] in_data, out_data;

  kem_axi #(
      .ID(32'h4351_4842),  // "BHQC", the lowest byte first
      .PARAMS({
        {4'(BM_CELLS), 4'(RM_VALUES), 8'(INV_STEPS), 16'(INV_WORD)},
        {16'(LANES), 16'(WORD)},
        {8'd0, 8'(KECCAK_ROUNDS), 8'(BUILD), 8'(LEVEL)}
      }),
      .ADDR_BITS(ADDR_BITS)
  ) u_bus (
      .aclk,
      .aresetn,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .s_axis_tdata,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .m_axis_tdata,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast,
      .irq,
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
      .out_data_i(out_data),
      .out_last_i(out_last)
  );
  joint_core #(
      .LEVEL(LEVEL),
      .PRESET(PRESET),
      .BUILD(BUILD),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .INV_WORD(INV_WORD),
      .INV_STEPS(INV_STEPS),
      .INV_STAGE(INV_STAGE),
      .INV_RATE(INV_RATE),
      .RM_VALUES(RM_VALUES),
      .BM_CELLS(BM_CELLS),
      .KECCAK_ROUNDS(KECCAK_ROUNDS),
      .KECCAK_BUFFERED(KECCAK_BUFFERED)
  ) u_core (
      .clk_i(aclk),
      .rst_ni(aresetn),
      .start_i(start),
      .op_i(op),
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
endmodule
