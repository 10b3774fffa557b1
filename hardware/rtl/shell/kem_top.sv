// SPDX-License-Identifier: Apache-2.0 OR MIT
// A core behind AXI4-Lite registers and AXI4-Stream packets of 32-bit words: see kem_axi for the
// bus, its latency and what it answers, and docs/hardware-integration.md for the registers.
module kem_top
  import kem_pkg::*;
#(
    parameter logic [31:0] ID = '0,
    parameter logic [31:0] PARAM2 = '0,
    parameter shell_pkg::core_t CORE = '0,
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
  logic start, busy, done, abort, wipe_after, step;
  op_e op;
  err_e error;
  logic in_valid, in_ready, in_last, out_valid, out_ready, out_last;
  logic [31:0] in_data, out_data;

  kem_axi #(
      .ID(ID),
      .PARAMS({
        PARAM2,
        {16'(CORE.lanes), 16'(CORE.word)},
        {8'(CORE.lower_first_threshold), 8'(CORE.keccak_rounds), 8'(CORE.build), 8'(CORE.level)}
      }),
      .ADDR_BITS(ADDR_BITS)
  ) u_bus (
      .start_o(start),
      .op_o(op),
      .abort_o(abort),
      .wipe_after_o(wipe_after),
      .step_i(step),
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
      .out_last_i(out_last),
      .*
  );
  kem_shell #(
      .CORE(CORE)
  ) u_core (
      .clk_i(aclk),
      .rst_ni(aresetn),
      .start_i(start),
      .op_i(op),
      .abort_i(abort),
      .wipe_after_i(wipe_after),
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
endmodule
