// SPDX-License-Identifier: Apache-2.0 OR MIT
// bike_core behind AXI4-Lite registers and AXI4-Stream packets of 32-bit words.
//
// Registers (byte address; reads of others give 0, writes to others are ignored, all answer OKAY):
//   0x00 ID       read   "BIKE" (lowest byte "B")
//   0x04 VERSION  read   1
//   0x08 PARAM0   read   {BUILD[7:0], LEVEL[7:0]} in bits 15:0, KECCAK_ROUNDS in 23:16
//   0x0c PARAM1   read   {LANES[15:0], WORD[15:0]}
//   0x10 PARAM2   read   {INV_STEPS[15:0], INV_WORD[15:0]}
//   0x14 CONTROL  write  bits 2:0: start this operation (op_e of bike_pkg.sv)
//   0x18 STATUS   read   bit 0 busy, bit 1 done (until the next start), bits 6:4 error
//   0x1c CYCLES   read   of the operation in hand or the last one
// Data and secrets pass the streams only, never these registers. Latency: a write takes effect one
// cycle after its address and data are both there; a read answers one cycle after its address.
module bike_axi
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int PRESET = PRESET_FAST,
    parameter int BUILD = BUILD_FULL,
    parameter int WORD = preset_word(PRESET),
    parameter int STRIDE = preset_stride(PRESET),
    parameter int LANES = preset_lanes(PRESET),
    parameter int INV_WORD = preset_inv_word(PRESET),
    parameter int INV_STEPS = preset_inv_steps(PRESET),
    parameter int INV_STAGE = 4,
    parameter int INV_RATE = preset_inv_rate(PRESET),
    parameter int KECCAK_ROUNDS = preset_keccak_rounds(PRESET)
) (
    input  logic        aclk,
    input  logic        aresetn,
    input  logic [4:0]  s_axil_awaddr,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [3:0]  s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [1:0]  s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [4:0]  s_axil_araddr,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [1:0]  s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    input  logic [31:0] s_axis_tdata,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    output logic [31:0] m_axis_tdata,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    // high while an operation is done and not yet followed by another
    output logic        irq
);
  localparam logic [2:0] Control = 3'd5;

  logic write, start, busy, done, done_q, bvalid_q, rvalid_q;
  err_e error, error_q;
  logic [31:0] cycles_q, rdata_q, read_value;

  // --- Writes: address and data are taken together -----------------------------------------------
  assign write = s_axil_awvalid && s_axil_wvalid && (!bvalid_q || s_axil_bready);
  assign s_axil_awready = write;
  assign s_axil_wready = write;
  assign s_axil_bvalid = bvalid_q;
  assign s_axil_bresp = 2'b00;
  assign start = write && s_axil_awaddr[4:2] == Control && s_axil_wstrb[0];

  // --- Reads -------------------------------------------------------------------------------------
  assign s_axil_arready = !rvalid_q || s_axil_rready;
  assign s_axil_rvalid = rvalid_q;
  assign s_axil_rdata = rdata_q;
  assign s_axil_rresp = 2'b00;
  always_comb begin
    unique case (s_axil_araddr[4:2])
      3'd0: read_value = 32'h454b_4942;
      3'd1: read_value = 32'd1;
      3'd2: read_value = {8'd0, 8'(KECCAK_ROUNDS), 8'(BUILD), 8'(LEVEL)};
      3'd3: read_value = {16'(LANES), 16'(WORD)};
      3'd4: read_value = {16'(INV_STEPS), 16'(INV_WORD)};
      3'd6: read_value = {25'd0, error_q, 2'b00, done_q, busy};
      3'd7: read_value = cycles_q;
      default: read_value = '0;
    endcase
  end

  always_ff @(posedge aclk) begin
    if (!aresetn) begin
      {bvalid_q, rvalid_q, done_q, cycles_q, rdata_q} <= '0;
      error_q <= ERR_NONE;
    end else begin
      if (write) bvalid_q <= 1'b1;
      else if (s_axil_bready) bvalid_q <= 1'b0;
      if (s_axil_arvalid && s_axil_arready) begin
        rvalid_q <= 1'b1;
        rdata_q <= read_value;
      end else if (s_axil_rready) begin
        rvalid_q <= 1'b0;
      end
      if (start && !busy) begin
        done_q <= 1'b0;
        error_q <= ERR_NONE;
        cycles_q <= '0;
      end else if (done) begin
        done_q <= 1'b1;
        error_q <= error;
      end else if (busy && !done_q) begin
        cycles_q <= cycles_q + 32'd1;
      end
    end
  end
  assign irq = done_q;

  bike_core #(
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
      .KECCAK_ROUNDS(KECCAK_ROUNDS)
  ) u_core (
      .clk_i(aclk),
      .rst_ni(aresetn),
      .start_i(start),
      .op_i(op_e'(s_axil_wdata[2:0])),
      .busy_o(busy),
      .done_o(done),
      .error_o(error),
      .in_valid_i(s_axis_tvalid),
      .in_ready_o(s_axis_tready),
      .in_data_i(s_axis_tdata),
      .in_last_i(s_axis_tlast),
      .out_valid_o(m_axis_tvalid),
      .out_ready_i(m_axis_tready),
      .out_data_o(m_axis_tdata),
      .out_last_o(m_axis_tlast)
  );
endmodule
