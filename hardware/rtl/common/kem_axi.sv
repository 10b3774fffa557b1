// SPDX-License-Identifier: Apache-2.0 OR MIT
// AXI4-Lite registers and AXI4-Stream packets for a core with plain ports, of any scheme.
//
// The registers are those of hardware/registers/kem.rdl; docs/hardware-integration.md lists them.
// Data and secrets pass the streams only, never the registers.
//
// All outputs come from registers: no path goes from an input to an output.
// Writes: address and data may come in any order. The low two bits of an address are ignored; byte
// strobes are obeyed. What is not in the map, and a write to a register that can only be read,
// changes nothing and is answered by SLVERR, with zero as data; all other answers are OKAY. AxPROT
// is accepted and not looked at: who may use the core is decided in front of it. If a read and a
// write are waiting, they take turns.
// A start while the core is busy does not reach it; IRQ_STATUS tells. Abort always does; from then
// until the core has wiped itself no word is taken or given, and those in the buffers are dropped,
// also one that m_axis_tvalid has offered. The DMA must be stopped before. The watchdog does the
// same when no word has passed and step_i was low for WATCHDOG cycles of an operation. Latency,
// without pauses: a read is answered two cycles after its address is taken, a write two cycles
// after the later of address and data; a start reaches the core in the cycle of that answer.
// Streams are one cycle later on either side of the core. One access, or one word, in each cycle.
// `done` is set, and `busy` falls, two cycles after done_i, or later if output is waiting; irq
// follows in the next cycle. Independent of data.
module kem_axi
  import kem_pkg::*;
#(
    parameter logic [31:0] ID = '0,
    parameter logic [2:0][31:0] PARAMS = '0,  // of the registers PARAM2, PARAM1, PARAM0
    parameter int ADDR_BITS = 12  // of the offset in the core's region, at least 6
) (
    input  logic                 aclk,
    input  logic                 aresetn,
    // --- The bus ---
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
    output logic                 irq,             // while an enabled event is not acknowledged
    // --- The core ---
    output logic                 start_o,
    output op_e                  op_o,
    output logic                 abort_o,
    output logic                 wipe_after_o,
    input  logic                 step_i,         // a step of the operation begins
    input  logic                 busy_i,
    input  logic                 done_i,
    input  err_e                 error_i,
    output logic                 in_valid_o,
    input  logic                 in_ready_i,
    output logic [         31:0] in_data_o,
    output logic                 in_last_o,
    input  logic                 out_valid_i,
    output logic                 out_ready_o,
    input  logic [         31:0] out_data_i,
    input  logic                 out_last_i
);
  localparam int WordBits = ADDR_BITS - 2;
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SlvErr = 2'b10;

  // --- Requests ----------------------------------------------------------------------------------
  logic aw_valid, w_valid, ar_valid, do_write, do_read, can_write, can_read, write_first_q;
  logic [WordBits-1:0] aw_word, ar_word;
  logic [31:0] w_data, w_bits;
  logic [3:0] w_strb;
  kem_skid #(
      .WIDTH(WordBits)
  ) u_aw (
      .clk_i(aclk),
      .rst_ni(aresetn),
      .in_valid_i(s_axil_awvalid),
      .in_ready_o(s_axil_awready),
      .in_data_i(s_axil_awaddr[ADDR_BITS-1:2]),
      .out_valid_o(aw_valid),
      .out_ready_i(do_write),
      .out_data_o(aw_word)
  );
  kem_skid #(
      .WIDTH(36)
  ) u_w (
      .clk_i(aclk),
      .rst_ni(aresetn),
      .in_valid_i(s_axil_wvalid),
      .in_ready_o(s_axil_wready),
      .in_data_i({s_axil_wstrb, s_axil_wdata}),
      .out_valid_o(w_valid),
      .out_ready_i(do_write),
      .out_data_o({w_strb, w_data})
  );
  kem_skid #(
      .WIDTH(WordBits)
  ) u_ar (
      .clk_i(aclk),
      .rst_ni(aresetn),
      .in_valid_i(s_axil_arvalid),
      .in_ready_o(s_axil_arready),
      .in_data_i(s_axil_araddr[ADDR_BITS-1:2]),
      .out_valid_o(ar_valid),
      .out_ready_i(do_read),
      .out_data_o(ar_word)
  );
  assign can_write = aw_valid && w_valid && (!s_axil_bvalid || s_axil_bready);
  assign can_read = ar_valid && (!s_axil_rvalid || s_axil_rready);
  assign do_write = can_write && (write_first_q || !can_read);
  assign do_read = can_read && !do_write;
  assign w_bits = {{8{w_strb[3]}}, {8{w_strb[2]}}, {8{w_strb[1]}}, {8{w_strb[0]}}};

  // --- Registers and answers ---------------------------------------------------------------------
  kem_registers_pkg::kem__in_t to_registers;
  kem_registers_pkg::kem__out_t from_registers;
  logic read_error, write_error, read_stall, write_stall, read_ack, write_ack;  // never a stall
  logic [31:0] read_data;
  kem_registers u_registers (
      .clk(aclk),
      .rst_n(aresetn),
      .s_cpuif_req(do_write || do_read),
      .s_cpuif_req_is_wr(do_write),
      .s_cpuif_addr(32'({do_write ? aw_word : ar_word, 2'b00})),
      .s_cpuif_wr_data(w_data),
      .s_cpuif_wr_biten(w_bits),
      .s_cpuif_req_stall_wr(write_stall),
      .s_cpuif_req_stall_rd(read_stall),
      .s_cpuif_rd_ack(read_ack),
      .s_cpuif_rd_err(read_error),
      .s_cpuif_rd_data(read_data),
      .s_cpuif_wr_ack(write_ack),
      .s_cpuif_wr_err(write_error),
      .hwif_in(to_registers),
      .hwif_out(from_registers)
  );
  always_ff @(posedge aclk) begin
    if (!aresetn) begin
      {s_axil_bvalid, s_axil_bresp, s_axil_rvalid, s_axil_rresp, s_axil_rdata} <= '0;
      {write_first_q, irq} <= '0;
    end else begin
      if (do_write) begin
        s_axil_bvalid <= 1'b1;
        s_axil_bresp <= write_error ? SlvErr : Okay;
      end else if (s_axil_bready) begin
        s_axil_bvalid <= 1'b0;
      end
      if (do_read) begin
        s_axil_rvalid <= 1'b1;
        s_axil_rresp <= read_error ? SlvErr : Okay;
        s_axil_rdata <= read_data;
      end else if (s_axil_rready) begin
        s_axil_rvalid <= 1'b0;
      end
      if (do_write || do_read) write_first_q <= do_read;
      irq <= from_registers.IRQ_STATUS.intr;
    end
  end

  // --- Operations --------------------------------------------------------------------------------
  logic busy, wrote_q, was_busy_q, start, ending_q, ended, aborting_q, expired_q, moves;
  err_e error_q;
  logic [31:0] cycles_q, left_q;  // left: before the watchdog expires
  assign start = wrote_q && !was_busy_q && !from_registers.CONTROL.abort.value;
  assign busy = start || abort_o || busy_i || ending_q || aborting_q;
  assign ended = ending_q && !m_axis_tvalid;
  assign moves = step_i || (in_valid_o && in_ready_i) || (m_axis_tvalid && m_axis_tready);
  always_ff @(posedge aclk) begin
    if (!aresetn) begin
      {wrote_q, was_busy_q, ending_q, cycles_q, aborting_q, expired_q, left_q} <= '0;
      error_q <= ERR_NONE;
    end else begin
      wrote_q <= from_registers.CONTROL.op.swmod;  // the value is there in the next cycle
      was_busy_q <= busy;
      if (abort_o) ending_q <= 1'b0;
      else if (done_i) ending_q <= 1'b1;
      else if (ended) ending_q <= 1'b0;
      if (abort_o) aborting_q <= 1'b1;
      else if (done_i || !busy_i) aborting_q <= 1'b0;
      if (start) error_q <= ERR_NONE;
      else if (done_i) error_q <= error_i;
      if (!busy || moves || aborting_q) left_q <= from_registers.WATCHDOG.cycles.value;
      else if (left_q != 0) left_q <= left_q - 32'd1;
      expired_q <= busy && !moves && !aborting_q && left_q == 32'd1;
      if (start) cycles_q <= 32'd1;
      else if ((busy_i && !done_i) || (ending_q && !ended)) cycles_q <= cycles_q + 32'd1;
    end
  end
  assign start_o = start;
  assign abort_o = (wrote_q && from_registers.CONTROL.abort.value) || expired_q;
  assign wipe_after_o = from_registers.CONTROL.wipe_after.value;
  assign op_o = op_e'(from_registers.CONTROL.op.value);
  assign to_registers.ID.value.next = ID;
  assign to_registers.PARAM0.value.next = PARAMS[0];
  assign to_registers.PARAM1.value.next = PARAMS[1];
  assign to_registers.PARAM2.value.next = PARAMS[2];
  assign to_registers.STATUS.busy.next = busy;
  assign to_registers.STATUS.error.next = error_q;
  assign to_registers.CYCLES.value.next = cycles_q;
  assign to_registers.IRQ_STATUS.done.hwset = ended;
  assign to_registers.IRQ_STATUS.refused.hwset = wrote_q && was_busy_q
                                               && !from_registers.CONTROL.abort.value;
  assign to_registers.IRQ_STATUS.expired.hwset = expired_q;

  // --- Streams -----------------------------------------------------------------------------------
  logic keep, in_room;  // 0: words are dropped
  assign keep = aresetn && !abort_o && !aborting_q;
  assign s_axis_tready = in_room && !aborting_q;
  kem_skid #(
      .WIDTH(33)
  ) u_in (
      .clk_i(aclk),
      .rst_ni(keep),
      .in_valid_i(s_axis_tvalid),
      .in_ready_o(in_room),
      .in_data_i({s_axis_tlast, s_axis_tdata}),
      .out_valid_o(in_valid_o),
      .out_ready_i(in_ready_i),
      .out_data_o({in_last_o, in_data_o})
  );
  kem_skid #(
      .WIDTH(33)
  ) u_out (
      .clk_i(aclk),
      .rst_ni(keep),
      .in_valid_i(out_valid_i),
      .in_ready_o(out_ready_o),
      .in_data_i({out_last_i, out_data_i}),
      .out_valid_o(m_axis_tvalid),
      .out_ready_i(m_axis_tready),
      .out_data_o({m_axis_tlast, m_axis_tdata})
  );

`ifdef FORMAL
  // Requests taken and answers given; what waited in the cycle before.
  logic [7:0] aw_q, w_q, b_q, ar_q, r_q;
  logic b_waits_q, r_waits_q, m_waits_q, in_waits_q, started_q;
  logic [1:0] was_bresp_q, was_rresp_q;
  logic [31:0] was_rdata_q;
  logic [32:0] was_m_q, was_in_q;
  always_ff @(posedge aclk) begin
    aw_q <= aresetn ? aw_q + 8'(s_axil_awvalid && s_axil_awready) : '0;
    w_q <= aresetn ? w_q + 8'(s_axil_wvalid && s_axil_wready) : '0;
    b_q <= aresetn ? b_q + 8'(s_axil_bvalid && s_axil_bready) : '0;
    ar_q <= aresetn ? ar_q + 8'(s_axil_arvalid && s_axil_arready) : '0;
    r_q <= aresetn ? r_q + 8'(s_axil_rvalid && s_axil_rready) : '0;
    b_waits_q <= aresetn && s_axil_bvalid && !s_axil_bready;
    r_waits_q <= aresetn && s_axil_rvalid && !s_axil_rready;
    m_waits_q <= keep && m_axis_tvalid && !m_axis_tready;
    in_waits_q <= keep && in_valid_o && !in_ready_i;
    started_q <= aresetn && start_o;
    {was_bresp_q, was_rresp_q, was_rdata_q} <= {s_axil_bresp, s_axil_rresp, s_axil_rdata};
    was_m_q <= {m_axis_tlast, m_axis_tdata};
    was_in_q <= {in_last_o, in_data_o};
  end
  always_comb begin
    // Taken and not answered yet: two in the skid buffer, one whose answer waits.
    aw_answered_once :
    assert (aw_q - b_q == 8'(aw_valid) + 8'(!s_axil_awready) + 8'(s_axil_bvalid));
    w_answered_once : assert (w_q - b_q == 8'(w_valid) + 8'(!s_axil_wready) + 8'(s_axil_bvalid));
    ar_answered_once :
    assert (ar_q - r_q == 8'(ar_valid) + 8'(!s_axil_arready) + 8'(s_axil_rvalid));
    requests_in_order :
    assert ((s_axil_awready || aw_valid) && (s_axil_wready || w_valid)
            && (s_axil_arready || ar_valid));
    one_access : assert (!(do_read && do_write));
    if (b_waits_q) b_unchanged : assert (s_axil_bvalid && s_axil_bresp == was_bresp_q);
    if (r_waits_q)
      r_unchanged :
      assert (s_axil_rvalid && s_axil_rresp == was_rresp_q && s_axil_rdata == was_rdata_q);
    if (m_waits_q) m_unchanged : assert (m_axis_tvalid && {m_axis_tlast, m_axis_tdata} == was_m_q);
    if (in_waits_q) in_unchanged : assert (in_valid_o && {in_last_o, in_data_o} == was_in_q);
    if (started_q) start_for_one_cycle : assert (!start_o);
    if (aborting_q) drops_all : assert (!in_valid_o && !m_axis_tvalid && !s_axis_tready);
  end
`endif
endmodule
