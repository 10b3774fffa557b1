// SPDX-License-Identifier: Apache-2.0 OR MIT
// BIKE v5.1 with plain ports: key generation, encapsulation, decapsulation.
//
// start_i with op_i begins an operation when busy_o is low. Input and output are packets of 32-bit
// words; docs/hardware.md lists their fields. done_o is high for one cycle at the end, together
// with error_o. Errors and OP_WIPE clear all memories and registers that hold data; so does reset,
// and busy_o stays high meanwhile. Cycle counts do not depend on data (on the streams' pauses
// only).
module bike_core
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
    parameter int INV_RATE = 2,
    parameter int KECCAK_ROUNDS = preset_keccak_rounds(PRESET)
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        start_i,
    input  op_e         op_i,
    output logic        busy_o,
    output logic        done_o,
    output err_e        error_o,   // with done_o
    input  logic        in_valid_i,
    output logic        in_ready_o,
    input  logic [31:0] in_data_i,
    input  logic        in_last_i,
    output logic        out_valid_o,
    input  logic        out_ready_i,
    output logic [31:0] out_data_o,
    output logic        out_last_o
);
  localparam int R = r_bits(LEVEL);
  localparam int IndexBits = $clog2(R);
  localparam int Words = (R + WORD - 1) / WORD;
  localparam int WordAddrBits = $clog2(Words);
  localparam int KeyBits = $clog2(weight_d(LEVEL));
  localparam int ErrBits = $clog2(weight_t(LEVEL));
  localparam int ListAddrBits = ErrBits > KeyBits + 1 ? ErrBits : KeyBits + 1;
  localparam int LaneListBits = lane_list_bits(LEVEL, LANES);
  localparam int Sweeps = (2 * R - 1 + INV_STEPS - 1) / INV_STEPS;
  localparam int Surplus = Sweeps * INV_STEPS - (2 * R - 1);  // steps beyond those needed
  localparam bit Client = BUILD != BUILD_SERVER;
  typedef logic [WordAddrBits-1:0] word_t;

  // --- Control -----------------------------------------------------------------------------------
  logic clear, wipe, accept, known, finished;
  logic [15:0] wipe_addr;
  logic [UNITS-1:0] start, done;
  instr_t instr;
  err_e receive_error;
  logic drain;
  kem_control #(
      .WIPE_WORDS(bike_wipe_words(LEVEL, WORD, STRIDE, INV_WORD, INV_STEPS))
  ) u_control (
      .clk_i,
      .rst_ni,
      .start_i,
      .op_i,
      .known_i(known),
      .accept_o(accept),
      .finished_i(finished),
      .fault_i(receive_error),
      .in_valid_i,
      .in_last_i,
      .in_taken_i(in_valid_i && in_ready_o),
      .drain_o(drain),
      .busy_o,
      .done_o,
      .error_o,
      .clear_o(clear),
      .wipe_o(wipe),
      .wipe_addr_o(wipe_addr)
  );
  bike_sequencer #(
      .BUILD(BUILD)
  ) u_sequencer (
      .clk_i,
      .clear_i(clear),
      .start_i(accept),
      .op_i,
      .known_o(known),
      .start_o(start),
      .instr_o(instr),
      .done_i(|done),
      .end_o(finished)
  );
  assign done[U_END] = 1'b0;

  // --- Memories; units that are idle drive zeros -------------------------------------------------
  slot_e [UNITS-1:0] rslot, wslot;
  word_t [UNITS-1:0] raddr, waddr;
  logic [UNITS-1:0] we;
  logic [UNITS-1:0][WORD-1:0] wdata;
  logic [WORD-1:0] rdata, wdata_or;
  logic [2:0] rslot_or, wslot_or;
  word_t raddr_or, waddr_or;
  always_comb begin
    {rslot_or, wslot_or, raddr_or, waddr_or, wdata_or} = '0;
    for (int i = 0; i < UNITS; i++) begin
      rslot_or |= rslot[i];
      wslot_or |= wslot[i];
      raddr_or |= raddr[i];
      waddr_or |= waddr[i];
      wdata_or |= wdata[i];
    end
  end
  kem_slots #(
      .LEVEL(LEVEL),
      .WORD(WORD)
  ) u_polynomials (
      .clk_i,
      .we_i(|we),
      .wslot_i(slot_e'(wslot_or)),
      .waddr_i(waddr_or),
      .wdata_i(wdata_or),
      .rslot_i(slot_e'(rslot_or)),
      .raddr_i(raddr_or),
      .rdata_o(rdata),
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr)
  );

  logic str_we_hash, str_we_receive;
  logic [3:0] str_waddr_hash, str_waddr_receive, str_raddr_hash, str_raddr_send;
  logic [63:0] str_wdata_hash, str_wdata_receive, str_rdata;
  kem_strings u_strings (
      .clk_i,
      .we_i(str_we_hash || str_we_receive),
      .waddr_i(str_waddr_hash | str_waddr_receive),
      .wdata_i(str_wdata_hash | str_wdata_receive),
      .raddr_i(str_raddr_hash | str_raddr_send),
      .rdata_o(str_rdata),
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr)
  );

  logic list_we_sample, list_we_receive;
  logic [ListAddrBits-1:0] list_waddr_sample, list_waddr_receive, list_raddr_send, list_raddr_pos;
  logic [IndexBits:0] list_wdata_sample, list_wdata_receive, list_rdata;
  kem_memory #(
      .WIDTH(IndexBits + 1),
      .DEPTH(2 ** ListAddrBits)
  ) u_lists (
      .clk_i,
      .we_i(list_we_sample || list_we_receive),
      .waddr_i(list_waddr_sample | list_waddr_receive),
      .wdata_i(list_wdata_sample | list_wdata_receive),
      .raddr_i(list_raddr_send | list_raddr_pos),
      .rdata_o(list_rdata),
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr)
  );

  // --- Units -------------------------------------------------------------------------------------
  logic receive_ready;
  assign in_ready_o = receive_ready || drain;
  assign {rslot[U_RECV], raddr[U_RECV]} = '0;
  kem_receive #(
      .LEVEL(LEVEL),
      .WORD(WORD)
  ) u_receive (
      .clk_i,
      .clear_i(clear),
      .start_i(start[U_RECV]),
      .kind_i(field_e'(instr.a[1:0])),
      .which_i(instr.b),
      .last_i(instr.last),
      .done_o(done[U_RECV]),
      .error_o(receive_error),
      .in_valid_i,
      .in_ready_o(receive_ready),
      .in_data_i,
      .in_last_i,
      .poly_we_o(we[U_RECV]),
      .poly_wslot_o(wslot[U_RECV]),
      .poly_waddr_o(waddr[U_RECV]),
      .poly_wdata_o(wdata[U_RECV]),
      .str_we_o(str_we_receive),
      .str_waddr_o(str_waddr_receive),
      .str_wdata_o(str_wdata_receive),
      .list_we_o(list_we_receive),
      .list_waddr_o(list_waddr_receive),
      .list_wdata_o(list_wdata_receive)
  );
  assign {we[U_SEND], wslot[U_SEND], waddr[U_SEND], wdata[U_SEND]} = '0;
  kem_send #(
      .LEVEL(LEVEL),
      .WORD(WORD)
  ) u_send (
      .clk_i,
      .clear_i(clear),
      .start_i(start[U_SEND]),
      .kind_i(field_e'(instr.a[1:0])),
      .which_i(instr.b),
      .last_i(instr.last),
      .done_o(done[U_SEND]),
      .out_valid_o,
      .out_ready_i,
      .out_data_o,
      .out_last_o,
      .poly_rslot_o(rslot[U_SEND]),
      .poly_raddr_o(raddr[U_SEND]),
      .poly_rdata_i(rdata),
      .str_raddr_o(str_raddr_send),
      .str_rdata_i(str_rdata),
      .list_raddr_o(list_raddr_send),
      .list_rdata_i(list_rdata)
  );

  logic prf_valid, prf_next, equal;
  logic [31:0] prf_word;
  assign {we[U_HASH], wslot[U_HASH], waddr[U_HASH], wdata[U_HASH]} = '0;
  bike_hash #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .ROUNDS(KECCAK_ROUNDS)
  ) u_hash (
      .clk_i,
      .clear_i(clear),
      .start_i(start[U_HASH]),
      .kind_i(hash_e'(instr.a[1:0])),
      .target_i(str_e'(instr.b[1:0])),
      .sigma_i(!equal),
      .done_o(done[U_HASH]),
      .prf_valid_o(prf_valid),
      .prf_next_i(prf_next),
      .prf_word_o(prf_word),
      .poly_rslot_o(rslot[U_HASH]),
      .poly_raddr_o(raddr[U_HASH]),
      .poly_rdata_i(rdata),
      .str_raddr_o(str_raddr_hash),
      .str_rdata_i(str_rdata),
      .str_we_o(str_we_hash),
      .str_waddr_o(str_waddr_hash),
      .str_wdata_o(str_wdata_hash)
  );
  bike_sampler #(
      .LEVEL(LEVEL),
      .WORD(WORD)
  ) u_sampler (
      .clk_i,
      .clear_i(clear),
      .start_i(start[U_SAMPLE]),
      .kind_i(sample_e'(instr.a[1:0])),
      .done_o(done[U_SAMPLE]),
      .prf_valid_i(prf_valid),
      .prf_next_o(prf_next),
      .prf_word_i(prf_word),
      .poly_rslot_o(rslot[U_SAMPLE]),
      .poly_raddr_o(raddr[U_SAMPLE]),
      .poly_rdata_i(rdata),
      .poly_we_o(we[U_SAMPLE]),
      .poly_wslot_o(wslot[U_SAMPLE]),
      .poly_waddr_o(waddr[U_SAMPLE]),
      .poly_wdata_o(wdata[U_SAMPLE]),
      .list_we_o(list_we_sample),
      .list_waddr_o(list_waddr_sample),
      .list_wdata_o(list_wdata_sample)
  );

  logic [LANES-1:0] lane_we;
  logic [LaneListBits-1:0] lane_waddr;
  logic [IndexBits+1:0] lane_wdata;
  assign {rslot[U_POS], raddr[U_POS], we[U_POS], wslot[U_POS], waddr[U_POS], wdata[U_POS]} = '0;
  bike_positions #(
      .LEVEL(LEVEL),
      .LANES(LANES),
      .SHIFT(Surplus - 2),
      .LIST_BITS(LaneListBits)
  ) u_positions (
      .clk_i,
      .clear_i(clear),
      .start_i(start[U_POS]),
      .set_i(pset_e'(instr.a)),
      .done_o(done[U_POS]),
      .list_raddr_o(list_raddr_pos),
      .list_rdata_i(list_rdata),
      .lane_we_o(lane_we),
      .lane_waddr_o(lane_waddr),
      .lane_wdata_o(lane_wdata)
  );

  logic feed_valid, feed_first, feed_last;
  logic [WORD-1:0] feed_word;
  assign {we[U_ROWS], wslot[U_ROWS], waddr[U_ROWS], wdata[U_ROWS]} = '0;
  bike_rows #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .STRIDE(STRIDE)
  ) u_rows (
      .clk_i,
      .clear_i(clear),
      .start_i(start[U_ROWS]),
      .done_o(done[U_ROWS]),
      .poly_rslot_o(rslot[U_ROWS]),
      .poly_raddr_o(raddr[U_ROWS]),
      .poly_rdata_i(rdata),
      .feed_valid_o(feed_valid),
      .feed_first_o(feed_first),
      .feed_last_o(feed_last),
      .feed_word_o(feed_word)
  );
  word_read_t gather_read;
  word_write_t gather_write;
  assign rslot[U_GATHER] = slot_e'(gather_read.slot);
  assign raddr[U_GATHER] = word_t'(gather_read.word);
  assign we[U_GATHER] = gather_write.valid;
  assign wslot[U_GATHER] = slot_e'(gather_write.slot);
  assign waddr[U_GATHER] = word_t'(gather_write.word);
  bike_gather #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .DECODER(Client)
  ) u_gather (
      .clk_i,
      .clear_i(clear),
      .start_i(start[U_GATHER]),
      .mode_i(gather_e'(instr.a)),
      .done_o(done[U_GATHER]),
      .feed_valid_i(feed_valid),
      .feed_first_i(feed_first),
      .feed_last_i(feed_last),
      .feed_word_i(feed_word),
      .list_we_i(lane_we),
      .list_waddr_i(lane_waddr),
      .list_wdata_i(lane_wdata),
      .poly_read_o(gather_read),
      .poly_rdata_i(rdata),
      .poly_write_o(gather_write),
      .poly_wdata_o(wdata[U_GATHER]),
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr)
  );

  assign {rslot[U_END], raddr[U_END], we[U_END], wslot[U_END], waddr[U_END], wdata[U_END]} = '0;
  assign {we[U_COMPARE], wslot[U_COMPARE], waddr[U_COMPARE], wdata[U_COMPARE]} = '0;
  if (Client) begin : gen_client
    assign rslot[U_INVERT] = slot_e'(0);  // slot A0 is h0's
    assign wslot[U_INVERT] = we[U_INVERT] ? SLOT_C : slot_e'(0);
    bike_inverter #(
        .LEVEL(LEVEL),
        .WORD(WORD),
        .INV_WORD(INV_WORD),
        .STEPS(INV_STEPS),
        .STAGE(INV_STAGE),
        .RATE(INV_RATE)
    ) u_inverter (
        .clk_i,
        .clear_i(clear),
        .start_i(start[U_INVERT]),
        .done_o(done[U_INVERT]),
        .poly_raddr_o(raddr[U_INVERT]),
        .poly_rdata_i(rdata),
        .poly_we_o(we[U_INVERT]),
        .poly_waddr_o(waddr[U_INVERT]),
        .poly_wdata_o(wdata[U_INVERT]),
        .wipe_i(wipe),
        .wipe_addr_i(wipe_addr)
    );
    bike_compare #(
        .LEVEL(LEVEL),
        .WORD(WORD)
    ) u_compare (
        .clk_i,
        .clear_i(clear),
        .reset_i(accept),
        .start_i(start[U_COMPARE]),
        .done_o(done[U_COMPARE]),
        .equal_o(equal),
        .poly_rslot_o(rslot[U_COMPARE]),
        .poly_raddr_o(raddr[U_COMPARE]),
        .poly_rdata_i(rdata)
    );
  end else begin : gen_server
    assign equal = 1'b1;
    assign {done[U_INVERT], done[U_COMPARE]} = '0;
    assign {rslot[U_INVERT], raddr[U_INVERT], we[U_INVERT], wslot[U_INVERT]} = '0;
    assign {waddr[U_INVERT], wdata[U_INVERT], rslot[U_COMPARE], raddr[U_COMPARE]} = '0;
  end
endmodule
