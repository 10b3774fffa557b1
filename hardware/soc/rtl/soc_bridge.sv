// SPDX-License-Identifier: Apache-2.0 OR MIT
// Wishbone (classic, one access at a time) to AXI4-Lite, for a core's registers. An access that the
// core answers by an error is one on this side. Latency: four to five cycles with the cores'
// kem_axi; independent of data.
module soc_bridge #(
    parameter int ADDR_BITS = 12
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 stb_i,
    input  logic                 we_i,
    input  logic [ADDR_BITS-3:0] adr_i,         // of a word
    input  logic [          3:0] sel_i,
    input  logic [         31:0] wdata_i,
    output logic                 ack_o,
    output logic                 err_o,
    output logic [         31:0] rdata_o,
    output logic [ADDR_BITS-1:0] m_axil_addr,   // of reads and of writes
    output logic                 m_axil_awvalid,
    input  logic                 m_axil_awready,
    output logic [         31:0] m_axil_wdata,
    output logic [          3:0] m_axil_wstrb,
    output logic                 m_axil_wvalid,
    input  logic                 m_axil_wready,
    input  logic [          1:0] m_axil_bresp,
    input  logic                 m_axil_bvalid,
    output logic                 m_axil_arvalid,
    input  logic                 m_axil_arready,
    input  logic [         31:0] m_axil_rdata,
    input  logic [          1:0] m_axil_rresp,
    input  logic                 m_axil_rvalid
);
  logic open_q;  // an access is on its way; answers are taken at once
  logic start;

  assign start = stb_i && !open_q && !ack_o && !err_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {open_q, ack_o, err_o, rdata_o, m_axil_addr, m_axil_wdata, m_axil_wstrb} <= '0;
      {m_axil_awvalid, m_axil_wvalid, m_axil_arvalid} <= '0;
    end else begin
      {ack_o, err_o} <= '0;
      if (m_axil_awready) m_axil_awvalid <= 1'b0;
      if (m_axil_wready) m_axil_wvalid <= 1'b0;
      if (m_axil_arready) m_axil_arvalid <= 1'b0;
      if (start) begin
        open_q <= 1'b1;
        m_axil_addr <= {adr_i, 2'b00};
        m_axil_wdata <= wdata_i;
        m_axil_wstrb <= sel_i;
        {m_axil_awvalid, m_axil_wvalid, m_axil_arvalid} <= {we_i, we_i, !we_i};
      end
      if (open_q && (m_axil_bvalid || m_axil_rvalid)) begin
        open_q <= 1'b0;
        ack_o <= !(m_axil_bvalid ? m_axil_bresp[1] : m_axil_rresp[1]);
        err_o <= m_axil_bvalid ? m_axil_bresp[1] : m_axil_rresp[1];
        rdata_o <= m_axil_rdata;
      end
    end
  end
endmodule
