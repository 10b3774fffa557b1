// SPDX-License-Identifier: Apache-2.0 OR MIT
// The place of a KEM core in the system: its registers behind a bridge, its streams and interrupt.
// HQC chooses the scheme; with LEVEL 0 the place is empty and every access to it is an error.
module soc_core #(
    parameter bit HQC = 1'b0,
    parameter int LEVEL = 1,
    parameter int PRESET = 0,
    parameter int BUILD = 0,
    localparam int AddrBits = 12
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    // --- The bus ---
    input  logic                stb_i,
    input  logic                we_i,
    input  logic [AddrBits-3:0] adr_i,
    input  logic [         3:0] sel_i,
    input  logic [        31:0] wdata_i,
    output logic                ack_o,
    output logic                err_o,
    output logic [        31:0] rdata_o,
    // --- Streams ---
    input  logic                in_valid_i,
    output logic                in_ready_o,
    input  logic [        31:0] in_data_i,
    input  logic                in_last_i,
    output logic                out_valid_o,
    input  logic                out_ready_i,
    output logic [        31:0] out_data_o,
    output logic                out_last_o,
    output logic                irq_o
);
  if (LEVEL == 0) begin : gen_none
    assign {in_ready_o, out_valid_o, out_data_o, out_last_o, irq_o} = '0;
    assign {ack_o, rdata_o} = '0;
    always_ff @(posedge clk_i) err_o <= rst_ni && stb_i && !err_o;
  end else begin : gen_core
    // Signals have the names of the core's ports.
    logic aclk, aresetn, irq;
    logic [AddrBits-1:0] s_axil_awaddr, s_axil_araddr;
    logic [2:0] s_axil_awprot, s_axil_arprot;
    logic [31:0] s_axil_wdata, s_axil_rdata, s_axis_tdata, m_axis_tdata;
    logic [3:0] s_axil_wstrb;
    logic [1:0] s_axil_bresp, s_axil_rresp;
    logic s_axil_awvalid, s_axil_awready, s_axil_wvalid, s_axil_wready, s_axil_bvalid;
    logic s_axil_bready, s_axil_arvalid, s_axil_arready, s_axil_rvalid, s_axil_rready;
    logic s_axis_tvalid, s_axis_tready, s_axis_tlast, m_axis_tvalid, m_axis_tready, m_axis_tlast;
    assign {aclk, aresetn, irq_o} = {clk_i, rst_ni, irq};
    assign {s_axil_awprot, s_axil_arprot, s_axil_bready, s_axil_rready} = 8'b00000011;
    assign s_axil_araddr = s_axil_awaddr;
    assign {s_axis_tvalid, s_axis_tdata, s_axis_tlast} = {in_valid_i, in_data_i, in_last_i};
    assign {in_ready_o, m_axis_tready} = {s_axis_tready, out_ready_i};
    assign {out_valid_o, out_data_o, out_last_o} = {m_axis_tvalid, m_axis_tdata, m_axis_tlast};
    soc_bridge #(
        .ADDR_BITS(AddrBits)
    ) u_bridge (
        .clk_i,
        .rst_ni,
        .stb_i,
        .we_i,
        .adr_i,
        .sel_i,
        .wdata_i,
        .ack_o,
        .err_o,
        .rdata_o,
        .m_axil_addr(s_axil_awaddr),
        .m_axil_awvalid(s_axil_awvalid),
        .m_axil_awready(s_axil_awready),
        .m_axil_wdata(s_axil_wdata),
        .m_axil_wstrb(s_axil_wstrb),
        .m_axil_wvalid(s_axil_wvalid),
        .m_axil_wready(s_axil_wready),
        .m_axil_bresp(s_axil_bresp),
        .m_axil_bvalid(s_axil_bvalid),
        .m_axil_arvalid(s_axil_arvalid),
        .m_axil_arready(s_axil_arready),
        .m_axil_rdata(s_axil_rdata),
        .m_axil_rresp(s_axil_rresp),
        .m_axil_rvalid(s_axil_rvalid)
    );
    if (HQC) begin : gen_hqc
      hqc_axi #(
          .LEVEL(LEVEL),
          .PRESET(PRESET),
          .BUILD(BUILD)
      ) u_axi (
          .*
      );
    end else begin : gen_bike
      bike_axi #(
          .LEVEL(LEVEL),
          .PRESET(PRESET),
          .BUILD(BUILD)
      ) u_axi (
          .*
      );
    end
  end
endmodule
