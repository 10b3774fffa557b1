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
    parameter int LOWER_FIRST_THRESHOLD = 0,  // see bike_threshold
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
  localparam shell_pkg::core_t Core = '{
      bike: 1,
      hqc: 1,
      level: LEVEL,
      build: BUILD,
      word: WORD,
      stride: STRIDE,
      lanes: LANES,
      inv_word: INV_WORD,
      inv_steps: INV_STEPS,
      inv_stage: INV_STAGE,
      inv_rate: INV_RATE,
      rm_values: RM_VALUES,
      bm_cells: BM_CELLS,
      keccak_rounds: KECCAK_ROUNDS,
      keccak_buffered: KECCAK_BUFFERED,
      lower_first_threshold: LOWER_FIRST_THRESHOLD,
      wipe_words: joint_pkg::wipe_words(LEVEL, BUILD, WORD, STRIDE, INV_WORD, INV_STEPS),
      default: 0
  };
  kem_top #(
      .ID(32'h4351_4842),  // "BHQC", the lowest byte first
      .PARAM2({4'(BM_CELLS), 4'(RM_VALUES), 8'(INV_STEPS), 16'(INV_WORD)}),
      .CORE(Core),
      .ADDR_BITS(ADDR_BITS)
  ) u_top (
      .*
  );
endmodule
