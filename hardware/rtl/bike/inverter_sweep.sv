// SPDX-License-Identifier: Apache-2.0 OR MIT
// The sweeps of an inversion: memories of f and g, and the pipeline through which their words go,
// STAGE division steps in each of its stages, and back to where they came from.
//
// Latency, independent of data: a word whose address comes in one cycle is read in the next, goes
// into the first stage in the one after, and is written STEPS/STAGE cycles later. A sweep may begin
// when the word with its decisions has been written, so no word is read too early.
module inverter_sweep #(
    parameter int WORD = 256,
    parameter int STEPS = 32,
    parameter int STAGE = 4,   // even
    parameter int DEPTH = 97,
    localparam int AddrBits = $clog2(DEPTH),
    localparam int PartBits = WORD == STEPS ? 1 : $clog2(WORD / STEPS)
) (
    input  logic                clk_i,
    input  logic                clear_i,
    // Loading; zero at other times, and the pipeline is empty then
    input  logic                we_i,
    input  logic [AddrBits-1:0] waddr_i,
    input  logic [WORD-1:0]     f_i,
    input  logic [WORD-1:0]     g_i,
    // The word that is visited, as inverter_order gives it
    input  logic                valid_i,
    input  logic                set_i,
    input  logic [AddrBits-1:0] address_i,
    input  logic                lowest_i,
    input  logic                gap_i,
    input  logic                decide_i,
    input  logic [PartBits-1:0] part_i,
    input  logic                last_i,
    // Decisions: stage i takes its own i + 1 cycles after set_i
    input  logic [STEPS-1:0]    swap_i,
    input  logic [STEPS-1:0]    add_i,
    // What decides the next sweep
    output logic                decide_o,
    output logic [STEPS-1:0]    f_part_o,
    output logic [STEPS-1:0]    g_part_o,
    output logic                done_o,     // the last word is written
    // Reading f; raddr_i is zero at other times, and address_i is zero then
    input  logic [AddrBits-1:0] raddr_i,
    output logic [WORD-1:0]     f_word_o,   // two cycles later
    input  logic                wipe_i,
    input  logic [15:0]         wipe_addr_i
);
  localparam int Stages = STEPS / STAGE;

  typedef struct packed {
    logic valid;
    logic set;
    logic lowest;
    logic gap;
    logic decide;
    logic last;
    logic [AddrBits-1:0] address;
  } visit_t;
  // Of the word that the memories give, of the one at the first stage, ..., of the one written.
  visit_t visit_q[Stages+2];
  visit_t leaving;
  logic [WORD-1:0] f_word[Stages+1], g_word[Stages+1];
  logic [WORD-1:0] f_read, g_read, f_q, g_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      for (int i = 0; i < Stages + 2; i++) visit_q[i] <= '0;
      f_q <= '0;
      g_q <= '0;
    end else begin
      visit_q[0] <= '{valid_i, set_i, lowest_i, gap_i, decide_i, last_i, address_i};
      for (int i = 0; i < Stages + 1; i++) visit_q[i+1] <= visit_q[i];
      f_q <= f_read;
      g_q <= g_read;
    end
  end

  assign f_word[0] = f_q;
  assign g_word[0] = g_q;
  for (genvar i = 0; i < Stages; i++) begin : gen_stage
    divstep_stage #(
        .WORD(WORD),
        .STEPS(STAGE)
    ) u_stage (
        .clk_i,
        .clear_i,
        .valid_i(visit_q[i+1].valid),
        .lowest_i(visit_q[i+1].lowest),
        .gap_i(visit_q[i+1].gap),
        .set_i(visit_q[i].set),
        .swap_i(swap_i[STAGE*i +: STAGE]),
        .add_i(add_i[STAGE*i +: STAGE]),
        .f_i(f_word[i]),
        .g_i(g_word[i]),
        .f_o(f_word[i+1]),
        .g_o(g_word[i+1])
    );
  end

  assign leaving = visit_q[Stages+1];
  assign decide_o = leaving.decide;
  assign f_part_o = f_word[Stages][STEPS*part_i +: STEPS];
  assign g_part_o = g_word[Stages][STEPS*part_i +: STEPS];
  assign done_o = leaving.last;
  assign f_word_o = f_q;

  // When no word leaves the last stage, all is zero there, so OR joins the two that write.
  kem_memory #(
      .WIDTH(WORD),
      .DEPTH(DEPTH)
  ) u_f (
      .clk_i,
      .we_i(leaving.valid || we_i),
      .waddr_i(leaving.address | waddr_i),
      .wdata_i(f_word[Stages] | f_i),
      .raddr_i(address_i | raddr_i),
      .rdata_o(f_read),
      .wipe_i,
      .wipe_addr_i
  );
  kem_memory #(
      .WIDTH(WORD),
      .DEPTH(DEPTH)
  ) u_g (
      .clk_i,
      .we_i(leaving.valid || we_i),
      .waddr_i(leaving.address | waddr_i),
      .wdata_i(g_word[Stages] | g_i),
      .raddr_i(address_i | raddr_i),
      .rdata_o(g_read),
      .wipe_i,
      .wipe_addr_i
  );
endmodule
