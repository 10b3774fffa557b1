// SPDX-License-Identifier: Apache-2.0 OR MIT
// A system on a chip: a RISC-V processor (VexRiscv, rv32im, caches), RAM, a timer, bytes in and
// out, a DMA of two channels, and the BIKE and HQC cores. docs/hardware-soc.md has the block
// diagram and the memory map.
//
// The processor's data cache writes through, so the DMA reads what was written; before a program
// reads what the DMA wrote, it empties the cache. Addresses from 0x80000000 are not cached.
// Interrupts: 0 BIKE, 1 HQC, and the timer's own.
module soc #(
    parameter int RAM_BYTES = 262144,
    parameter string INIT_FILE = "",
    // Of the cores; level 0: none.
    parameter int BIKE_LEVEL = 1,
    parameter int BIKE_PRESET = 0,
    parameter int BIKE_BUILD = 0,
    parameter int HQC_LEVEL = 1,
    parameter int HQC_PRESET = 1,
    parameter int HQC_BUILD = 0,
    // Pieces by themselves: 1, there is one.
    parameter bit KECCAK = 1'b0,
    parameter bit PRODUCT = 1'b0
) (
    input  logic       clk_i,
    input  logic       rst_ni,
    // Bytes from and to the outside.
    input  logic       in_valid_i,
    output logic       in_ready_o,
    input  logic [7:0] in_data_i,
    input  logic       in_ended_i,
    output logic       out_valid_o,
    input  logic       out_ready_i,
    output logic [7:0] out_data_o,
    // For simulations.
    output logic       exit_o,
    output logic [7:0] exit_status_o
);
  localparam int WordBits = $clog2(RAM_BYTES / 4);
  localparam logic [2:0] Incrementing = 3'b010;  // Wishbone's cycle type: another word follows

  // --- The processor -----------------------------------------------------------------------------
  logic i_cyc, i_stb, i_ack_q, i_err_q, d_cyc, d_stb, d_ack, d_err, d_we, timer_irq;
  logic [29:0] i_adr, d_adr;
  logic [31:0] i_rdata, d_rdata, d_wdata;
  logic [3:0] d_sel;
  logic [2:0] i_cti, d_cti;
  logic [1:0] core_irq;
  VexRiscv u_cpu (
      .externalResetVector(32'd0),
      .timerInterrupt(timer_irq),
      .softwareInterrupt(1'b0),
      .externalInterruptArray(32'(core_irq)),
      .iBusWishbone_CYC(i_cyc),
      .iBusWishbone_STB(i_stb),
      .iBusWishbone_ACK(i_ack_q),
      .iBusWishbone_WE(),
      .iBusWishbone_ADR(i_adr),
      .iBusWishbone_DAT_MISO(i_rdata),
      .iBusWishbone_DAT_MOSI(),
      .iBusWishbone_SEL(),
      .iBusWishbone_ERR(i_err_q),
      .iBusWishbone_CTI(i_cti),
      .iBusWishbone_BTE(),
      .dBusWishbone_CYC(d_cyc),
      .dBusWishbone_STB(d_stb),
      .dBusWishbone_ACK(d_ack),
      .dBusWishbone_WE(d_we),
      .dBusWishbone_ADR(d_adr),
      .dBusWishbone_DAT_MISO(d_rdata),
      .dBusWishbone_DAT_MOSI(d_wdata),
      .dBusWishbone_SEL(d_sel),
      .dBusWishbone_ERR(d_err),
      .dBusWishbone_CTI(d_cti),
      .dBusWishbone_BTE(),
      .clk(clk_i),
      .reset(!rst_ni)
  );

  // --- Instructions ------------------------------------------------------------------------------
  // A word in each cycle of a burst: the next one is read while one is given.
  logic i_wanted, i_more;
  assign i_more = i_ack_q && i_cti == Incrementing;
  assign i_wanted = i_cyc && i_stb && (i_more || !i_ack_q) && !i_err_q;
  always_ff @(posedge clk_i) begin
    i_ack_q <= rst_ni && i_wanted && i_adr < 30'(RAM_BYTES / 4);
    i_err_q <= rst_ni && i_wanted && i_adr >= 30'(RAM_BYTES / 4);
  end

  // --- Data: who is meant ------------------------------------------------------------------------
  logic d_ram, d_read, d_read_ack_q, d_more, d_none_q, dma_req, dma_we;
  logic [WordBits-1:0] dma_addr;
  logic [3:0] dma_be;
  logic [31:0] dma_wdata, ram_rdata;
  logic [2:0] io_stb, io_ack, io_err;  // the system's registers, BIKE, HQC
  logic [2:0][31:0] io_rdata;
  assign d_ram = d_cyc && d_stb && d_adr < 30'(RAM_BYTES / 4);
  assign d_more = d_read_ack_q && d_cti == Incrementing;
  assign d_read = d_ram && !d_we && (d_more || !d_read_ack_q);
  for (genvar k = 0; k < 3; k++) begin : gen_select
    localparam logic [2:0][31:0] Bases = {
      soc_map_pkg::HqcBase, soc_map_pkg::BikeBase, soc_map_pkg::SocBase
    };
    assign io_stb[k] = d_cyc && d_stb && d_adr[29:10] == Bases[k][31:12];
  end
  always_ff @(posedge clk_i) begin
    d_read_ack_q <= rst_ni && d_read;
    d_none_q <= rst_ni && d_cyc && d_stb && !d_ram && io_stb == '0 && !d_none_q;
  end
  assign d_ack = (d_ram && d_we) || d_read_ack_q || io_ack != '0;
  assign d_err = d_none_q || io_err != '0;
  always_comb begin
    d_rdata = ram_rdata;
    for (int k = 0; k < 3; k++) if (io_stb[k]) d_rdata = io_rdata[k];
  end

  // The processor goes before the DMA: it never asks in all cycles for long.
  logic d_access;
  assign d_access = d_read || (d_ram && d_we);
  soc_ram #(
      .BYTES(RAM_BYTES),
      .INIT_FILE(INIT_FILE)
  ) u_ram (
      .clk_i,
      .a_addr_i(WordBits'(i_adr) + WordBits'(i_more)),
      .a_rdata_o(i_rdata),
      .b_addr_i(d_access ? WordBits'(d_adr) + WordBits'(d_more) : dma_addr),
      .b_we_i(d_access ? d_we : dma_req && dma_we),
      .b_be_i(d_access ? d_sel : dma_be),
      .b_wdata_i(d_access ? d_wdata : dma_wdata),
      .b_rdata_o(ram_rdata)
  );

  // --- The system's registers --------------------------------------------------------------------
  soc_registers_pkg::soc__in_t to_registers;
  soc_registers_pkg::soc__out_t from_registers;
  logic reg_stall_wr, reg_stall_rd, reg_rd_ack, reg_wr_ack, reg_rd_err, reg_wr_err, reg_req;
  logic [31:0] reg_rdata;
  assign reg_req = io_stb[0] && !io_ack[0] && !io_err[0];
  soc_registers u_registers (
      .clk(clk_i),
      .rst_n(rst_ni),
      .s_cpuif_req(reg_req),
      .s_cpuif_req_is_wr(d_we),
      .s_cpuif_addr({20'd0, d_adr[9:0], 2'b00}),
      .s_cpuif_wr_data(d_wdata),
      .s_cpuif_wr_biten({{8{d_sel[3]}}, {8{d_sel[2]}}, {8{d_sel[1]}}, {8{d_sel[0]}}}),
      .s_cpuif_req_stall_wr(reg_stall_wr),
      .s_cpuif_req_stall_rd(reg_stall_rd),
      .s_cpuif_rd_ack(reg_rd_ack),
      .s_cpuif_rd_err(reg_rd_err),
      .s_cpuif_rd_data(reg_rdata),
      .s_cpuif_wr_ack(reg_wr_ack),
      .s_cpuif_wr_err(reg_wr_err),
      .hwif_in(to_registers),
      .hwif_out(from_registers)
  );
  logic in_taken, abort_q, in_push_q, out_push_q;
  logic keccak_push_q, keccak_start_q, product_push_q, product_start_q, product_wipe_q;
  logic [63:0] time_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {io_ack[0], io_err[0], io_rdata[0], abort_q, in_push_q, out_push_q, time_q} <= '0;
      {out_valid_o, exit_o} <= '0;
      {keccak_push_q, keccak_start_q, product_push_q, product_start_q, product_wipe_q} <= '0;
    end else begin
      io_ack[0] <= reg_req && !(d_we ? reg_wr_err : reg_rd_err);
      io_err[0] <= reg_req && (d_we ? reg_wr_err : reg_rd_err);
      io_rdata[0] <= reg_rdata;
      time_q <= time_q + 64'd1;
      if (!out_valid_o || out_ready_i) out_valid_o <= from_registers.OUTPUT.data.swmod;
      exit_o <= from_registers.EXIT.status.swmod;
      // The value that was written is there in the next cycle.
      abort_q <= from_registers.DMA_CONTROL.abort.swmod;
      in_push_q <= from_registers.DMA_IN.bytes.swmod;
      out_push_q <= from_registers.DMA_OUT.bytes.swmod;
      keccak_push_q <= from_registers.KECCAK_IN.data.swmod;
      keccak_start_q <= from_registers.KECCAK_CONTROL.start.swmod;
      product_push_q <= from_registers.PRODUCT_IN.data.swmod;
      product_start_q <= from_registers.PRODUCT_CONTROL.start.swmod;
      product_wipe_q <= from_registers.PRODUCT_CONTROL.wipe.swmod;
    end
  end
  assign in_taken = from_registers.INPUT.data.swacc && !d_we;
  assign in_ready_o = in_taken;
  assign out_data_o = from_registers.OUTPUT.data.value;
  assign exit_status_o = from_registers.EXIT.status.value;
  logic [31:0] past_alarm;
  assign past_alarm = time_q[31:0] - from_registers.ALARM.value.value;
  assign timer_irq = from_registers.ALARM_CONTROL.enable.value && !past_alarm[31];
  assign to_registers.CORES.bike.next = BIKE_LEVEL != 0;
  assign to_registers.CORES.hqc.next = HQC_LEVEL != 0;
  assign to_registers.CORES.keccak.next = KECCAK;
  assign to_registers.CORES.products.next = PRODUCT;
  assign to_registers.RAM_BYTES.value.next = RAM_BYTES;
  assign to_registers.TIME.value.next = time_q[31:0];
  assign to_registers.TIME_HIGH.value.next = time_q[63:32];
  assign to_registers.OUTPUT_STATUS.room.next = !out_valid_o;
  assign to_registers.INPUT.data.next = in_data_i;
  assign to_registers.INPUT.valid.next = in_valid_i;
  assign to_registers.INPUT.ended.next = in_ended_i;

  // --- Pieces ------------------------------------------------------------------------------------
  soc_pieces #(
      .KECCAK (KECCAK),
      .PRODUCT(PRODUCT)
  ) u_pieces (
      .clk_i,
      .rst_ni,
      .keccak_push_i(keccak_push_q),
      .keccak_data_i(from_registers.KECCAK_IN.data.value),
      .keccak_pop_i(from_registers.KECCAK_OUT.data.swacc && !d_we),
      .keccak_start_i(keccak_start_q && from_registers.KECCAK_CONTROL.start.value),
      .keccak_busy_o(to_registers.PIECES_STATUS.keccak_busy.next),
      .keccak_data_o(to_registers.KECCAK_OUT.data.next),
      .product_words_i(from_registers.PRODUCT_WORDS.value.value),
      .product_push_i(product_push_q),
      .product_data_i(from_registers.PRODUCT_IN.data.value),
      .product_pop_i(from_registers.PRODUCT_OUT.data.swacc && !d_we),
      .product_start_i(product_start_q && from_registers.PRODUCT_CONTROL.start.value),
      .product_wipe_i(product_wipe_q && from_registers.PRODUCT_CONTROL.wipe.value),
      .product_busy_o(to_registers.PIECES_STATUS.product_busy.next),
      .product_data_o(to_registers.PRODUCT_OUT.data.next)
  );

  // --- DMA and cores -----------------------------------------------------------------------------
  logic [1:0] to_valid, to_ready, from_valid, from_ready, from_last;
  logic [31:0] to_data;
  logic to_last;
  logic [1:0][31:0] from_data;
  soc_dma #(
      .RAM_BYTES(RAM_BYTES)
  ) u_dma (
      .clk_i,
      .rst_ni,
      .abort_i(abort_q && from_registers.DMA_CONTROL.abort.value),
      .select_i(from_registers.DMA_CONTROL.core.value),
      .in_push_i(in_push_q),
      .in_address_i(from_registers.DMA_IN_ADDRESS.value.value),
      .in_bytes_i(from_registers.DMA_IN.bytes.value),
      .in_last_i(from_registers.DMA_IN.last.value),
      .out_push_i(out_push_q),
      .out_address_i(from_registers.DMA_OUT_ADDRESS.value.value),
      .out_bytes_i(from_registers.DMA_OUT.bytes.value),
      .out_last_i(from_registers.DMA_OUT.last.value),
      .in_busy_o(to_registers.DMA_STATUS.in_busy.next),
      .out_busy_o(to_registers.DMA_STATUS.out_busy.next),
      .refused_o(to_registers.DMA_STATUS.refused.next),
      .mismatch_o(to_registers.DMA_STATUS.mismatch.next),
      .req_o(dma_req),
      .grant_i(!d_access),
      .addr_o(dma_addr),
      .we_o(dma_we),
      .be_o(dma_be),
      .wdata_o(dma_wdata),
      .rdata_i(ram_rdata),
      .to_valid_o(to_valid),
      .to_ready_i(to_ready),
      .to_data_o(to_data),
      .to_last_o(to_last),
      .from_valid_i(from_valid),
      .from_ready_o(from_ready),
      .from_data_i(from_data),
      .from_last_i(from_last)
  );
  for (genvar k = 0; k < 2; k++) begin : gen_core
    soc_core #(
        .HQC(k == 1),
        .LEVEL(k == 1 ? HQC_LEVEL : BIKE_LEVEL),
        .PRESET(k == 1 ? HQC_PRESET : BIKE_PRESET),
        .BUILD(k == 1 ? HQC_BUILD : BIKE_BUILD)
    ) u_core (
        .clk_i,
        .rst_ni,
        .stb_i(io_stb[k+1]),
        .we_i(d_we),
        .adr_i(d_adr[9:0]),
        .sel_i(d_sel),
        .wdata_i(d_wdata),
        .ack_o(io_ack[k+1]),
        .err_o(io_err[k+1]),
        .rdata_o(io_rdata[k+1]),
        .in_valid_i(to_valid[k]),
        .in_ready_o(to_ready[k]),
        .in_data_i(to_data),
        .in_last_i(to_last),
        .out_valid_o(from_valid[k]),
        .out_ready_i(from_ready[k]),
        .out_data_o(from_data[k]),
        .out_last_o(from_last[k]),
        .irq_o(core_irq[k])
    );
  end
endmodule
