// SPDX-License-Identifier: Apache-2.0 OR MIT
// HQC (version of 2025-08-22) in two shares: KeyGen, Encaps, Decaps; LEVEL is 1, 3 or 5. First
// order, with glitches; not against faults in both shares, two probes, or templates.
//
// As hqc_core: start_i with op_i, packets of the streams, done_o with error_o; abort_i, wipes. A
// lane of 64 bits comes and goes in two shares; what is public is in share 0. masked_schedule.py
// (hardware/sim) has the packets, the steps and the programs of the engine, which it writes to the
// files that the memories here read.
//
// Randomness: random_i has 128 bits for the engine, 64 for the sponge and 128 for the product, each
// taken with its random_valid_i and random_ready_o. A unit without them waits: nothing goes on
// unmasked. The generator is outside.
//
// Why it is secure. (1) Each unit is, by what its file says. (2) Between them words go by shares: a
// wire of one share meets no other one's but where a value is opened, in masked_move (positions'
// parts; u, v) and masked_hash (public hashes), behind a flag or registers that hold nothing else.
// (3) A sharing that a unit gets is fresh: the sponge masks first blocks anew, programs refresh
// what they get twice, the product's sums start from random words.
//
// A bit that flips in the registers of control, or in a word of the programs that was read, is told
// at once: the core wipes itself (error 7), and no lane leaves. The comparison is two computations.
//
// Latency: independent of data; masked_schedule.py and the bench have the cycles.
module masked_hqc
  import kem_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int LANES = 4,
    parameter string CODE_FILE = "masked_code.hex",
    parameter string CONSTANTS_FILE = "masked_constants.hex",
    parameter string STEPS_FILE = "masked_steps.hex"
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             start_i,
    input  op_e              op_i,
    input  logic             abort_i,
    input  logic             wipe_after_i,
    output logic             step_o,
    output logic             busy_o,
    output logic             done_o,
    output err_e             error_o,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [1:0][63:0] in_data_i,      // shares
    input  logic             in_last_i,
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [1:0][63:0] out_data_o,     // shares
    output logic             out_last_o,
    input  logic [2:0]       random_valid_i,
    output logic [2:0]       random_ready_o,
    input  logic [319:0]     random_i
);
  import masked_hqc_pkg::*;
  localparam int N = n_bits(LEVEL);
  localparam int Entries = (weight_error(LEVEL) + LANES - 1) / LANES;  // of a vector
  localparam int List = 1 << $clog2(2 * Entries);
  localparam int Depth = memory_words(LEVEL);
  localparam int AddrBits = $clog2(Depth);
  localparam int CodeBits = $clog2(code_depth(LEVEL));
  localparam int ConstantBits = $clog2(constants(LEVEL));
  localparam int CodeWidth = masked_engine_pkg::OTHER_BITS + 3 * AddrBits + ConstantBits;
  localparam int StepBits = 7;
  localparam int Words = (N + 127) / 128;
  localparam int WordBits = $clog2(Words);
  localparam int IndexBits = $clog2(N);
  localparam int ListBits = $clog2(List);
  typedef struct packed {
    masked_hqc_pkg::units_t target;  // one unit; none at the end
    masked_hqc_pkg::units_t needs;  // units that must have ended before
    logic [3:0] op;
    logic [5:0] flags;
    logic [9:0] count;  // of lanes, words or positions
    logic [AddrBits-1:0] b;  // word of the store
    logic [CodeBits-1:0] a;  // word of the engine's memory, or as masked_hqc_pkg says
  } step_t;

  // --- Control -----------------------------------------------------------------------------------
  logic clear, wipe, accept, next, finished, drain, receives, upset, stuck;
  logic sequencer_upset, step_upset;
  logic [15:0] wipe_addr;
  logic [StepBits-1:0] at;
  logic [1:0] op;
  logic [7:0] upsets;
  masked_hqc_pkg::units_t start, done;
  step_t step;
  err_e fault;
  logic known_step;
  kem_control #(
      .WIPE_WORDS(Depth)
  ) u_control (
      .clk_i,
      .rst_ni,
      .start_i,
      .op_i,
      .known_i(op_i == OP_KEYGEN || op_i == OP_ENCAPS || op_i == OP_DECAPS),
      .abort_i,
      .upset_i(upset || stuck),
      .wipe_after_i,
      .accept_o(accept),
      .finished_i(finished),
      .fault_i(fault),
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
  kem_sequencer #(
      .UNITS(masked_hqc_pkg::UNITS),
      .STEP_BITS(StepBits)
  ) u_sequencer (
      .clk_i,
      .clear_i(clear),
      .start_i(accept),
      .next_o(next),
      .at_o(at),
      .target_i(step.target),
      .needs_i(step.needs),
      .start_o(start),
      .done_i(done),
      .end_o(finished),
      .upset_o(sequencer_upset)
  );
  masked_guarded #(
      .WIDTH(3)
  ) u_operation (
      .clk_i,
      .next_i(clear ? '0 : accept ? {1'b1, op_i[1:0]} : {known_step, op}),
      .state_o({known_step, op}),
      .upset_o(upsets[0])
  );
  masked_rom #(
      .WIDTH($bits(step_t)),
      .DEPTH(4 << StepBits),
      .FILE(STEPS_FILE)
  ) u_steps (
      .clk_i,
      .read_i(accept || next),
      .addr_i(accept ? {op_i[1:0], {StepBits{1'b0}}} : {op, at}),
      .data_o(step),
      .upset_o(step_upset)
  );
  assign upsets[1] = known_step && step_upset;
  assign upset = sequencer_upset || upsets != '0;
  assign step_o = next || wipe;
  assign in_ready_o = receives || drain;

  // --- The store: what moves goes first, then the sponge, then the streams -----------------------
  logic [1:0][127:0] stored, move_wdata;
  logic move_read, move_we, hash_read, hash_we, hash_half, receive_we, receive_half;
  logic [AddrBits-1:0] move_raddr, move_waddr, hash_raddr, hash_waddr, receive_waddr, send_raddr;
  logic [1:0][63:0] hash_lane, receive_lane;
  logic hash_writes, receive_writes, upper;
  assign hash_writes = hash_we && !move_we;
  assign receive_writes = receive_we && !move_we && !hash_we;
  assign upper = (hash_writes && hash_half) || (receive_writes && receive_half);
  logic [1:0] store_we;
  logic [AddrBits-1:0] store_waddr, store_raddr;
  logic [1:0][127:0] store_wdata;
  // A lower lane clears the upper one.
  assign store_we[0] = move_we || ((hash_writes || receive_writes) && !upper);
  assign store_we[1] = move_we || hash_writes || receive_writes;
  assign store_waddr = move_waddr | (hash_writes ? hash_waddr : '0)
                     | (receive_writes ? receive_waddr : '0);
  assign store_raddr = move_read ? move_raddr : hash_read ? hash_raddr : send_raddr;
  for (genvar share = 0; share < 2; share++) begin : gen_store
    logic [63:0] lane;
    assign lane = ({64{hash_writes}} & hash_lane[share])
                | ({64{receive_writes}} & receive_lane[share]);
    assign store_wdata[share] = move_wdata[share] | {{64{upper}} & lane, lane};
  end
  masked_store #(
      .DEPTH(Depth)
  ) u_store (
      .clk_i,
      .we_i(store_we),
      .waddr_i(store_waddr),
      .wdata_i(store_wdata),
      .raddr_i(store_raddr),
      .rdata_o(stored),
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr)
  );

  // --- Streams -----------------------------------------------------------------------------------
  masked_receive #(
      .ADDR(AddrBits),
      .BYTES(tail_bytes(LEVEL))
  ) u_receive (
      .clk_i,
      .clear_i(clear),
      .start_i(start[RECEIVE]),
      .flags_i(step.flags[2:0]),
      .count_i(step.count),
      .word_i(step.b),
      .done_o(done[RECEIVE]),
      .upset_o(upsets[2]),
      .fault_o(fault),
      .in_valid_i,
      .in_ready_o(receives),
      .in_data_i,
      .in_last_i,
      .we_o(receive_we),
      .granted_i(!move_we && !hash_we),
      .waddr_o(receive_waddr),
      .half_o(receive_half),
      .lane_o(receive_lane)
  );
  masked_send #(
      .ADDR(AddrBits)
  ) u_send (
      .clk_i,
      .clear_i(clear),
      .start_i(start[SEND]),
      .last_i(step.flags[LAST]),
      .count_i(step.count),
      .word_i(step.b),
      .done_o(done[SEND]),
      .upset_o(upsets[3]),
      .raddr_o(send_raddr),
      .rdata_i(stored),
      .out_valid_o,
      .out_ready_i,
      .out_data_o,
      .out_last_o
  );

  // --- Units -------------------------------------------------------------------------------------
  masked_hash #(
      .ADDR(AddrBits),
      .BYTES(tail_bytes(LEVEL))
  ) u_hash (
      .clk_i,
      .clear_i(clear),
      .start_i(start[HASH]),
      .op_i(hash_e'(step.op)),
      .flags_i(step.flags[1:0]),
      .count_i(step.count),
      .word_i(step.b),
      .tail_i(step.a[12:0]),
      .done_o(done[HASH]),
      .read_o(hash_read),
      .read_granted_i(!move_read),
      .raddr_o(hash_raddr),
      .rdata_i(stored),
      .we_o(hash_we),
      .write_granted_i(!move_we),
      .waddr_o(hash_waddr),
      .half_o(hash_half),
      .lane_o(hash_lane),
      .random_valid_i(random_valid_i[1]),
      .random_ready_o(random_ready_o[1]),
      .random_i(random_i[191:128])
  );

  logic engine_we, engine_ready, move_ready;
  logic [AddrBits-1:0] engine_addr;
  logic [1:0][127:0] to_engine, from_engine;
  logic [CodeBits-1:0] code_addr;
  logic [ConstantBits-1:0] constant_addr;
  logic [CodeWidth-1:0] code;
  logic [127:0] constant;
  masked_rom #(
      .WIDTH(CodeWidth),
      .DEPTH(code_depth(LEVEL)),
      .FILE(CODE_FILE)
  ) u_code (
      .clk_i,
      .read_i(1'b1),
      .addr_i(code_addr),
      .data_o(code),
      .upset_o(upsets[4])
  );
  masked_rom #(
      .WIDTH(128),
      .DEPTH(constants(LEVEL)),
      .GUARDED(1'b0),  // the comparison takes one for one of its two computations
      .FILE(CONSTANTS_FILE)
  ) u_constants (
      .clk_i,
      .read_i(1'b1),
      .addr_i(constant_addr),
      .data_o(constant),
      .upset_o(upsets[7])  // never
  );
  masked_engine #(
      .DEPTH(Depth),
      .CODE(code_depth(LEVEL)),
      .CONSTANTS(constants(LEVEL))
  ) u_engine (
      .clk_i,
      .clear_i(clear),
      .start_i(start[ENGINE]),
      .start_pc_i(step.a),
      .done_o(done[ENGINE]),
      .upset_o(upsets[5]),
      .code_addr_o(code_addr),
      .code_i(code),
      .constant_addr_o(constant_addr),
      .constant_i(constant),
      .store_we_i(engine_we),
      .store_addr_i(engine_addr),
      .store_i(to_engine),
      .read_o(from_engine),
      .random_valid_i(random_valid_i[0]),
      .random_ready_o(engine_ready),
      .random_i(random_i[127:0]),
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr)
  );
  assign random_ready_o[0] = engine_ready || move_ready;

  logic feed_valid, feed_first, feed_other, feed_last, go, listed_q, starts_product;
  logic [127:0] feed_word;
  logic [LANES-1:0] list0_we, list1_we;
  logic [ListBits-1:0] list_addr, last_entry_q;
  logic [IndexBits+1:0] list_data;
  logic [WordBits-1:0] product_word;
  logic [1:0][127:0] product_read;
  assign starts_product = start[PRODUCT];
  always_ff @(posedge clk_i) begin
    if (clear) begin
      {listed_q, last_entry_q} <= '0;
    end else begin
      listed_q <= (listed_q || go) && !done[PRODUCT];
      if (starts_product) last_entry_q <= ListBits'(step.a);
    end
  end
  masked_product #(
      .N(N),
      .WORD(128),
      .LANES(LANES),
      .LIST(List)
  ) u_product (
      .clk_i,
      .clear_i(clear),
      .start_i(starts_product),
      .last_entry_i(last_entry_q),
      .listed_i(listed_q),
      .done_o(done[PRODUCT]),
      .feed_valid_i(feed_valid),
      .feed_first_i(feed_first),
      .feed_other_i(feed_other),
      .feed_last_i(feed_last),
      .feed_word_i(feed_word),
      .list0_we_i(list0_we),
      .list0_addr_i(list_addr),
      .list0_data_i(list_data),
      .list1_we_i(list1_we),
      .list1_addr_i(list_addr),
      .list1_data_i({list_data[IndexBits+1], list_data[IndexBits-1:0]}),
      .read_word_i(product_word),
      .read_o(product_read),
      .random_valid_i(random_valid_i[2]),
      .random_ready_o(random_ready_o[2]),
      .random_i(random_i[319:192]),
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr)
  );

  masked_move #(
      .N(N),
      .LANES(LANES),
      .LIST(List),
      .WEIGHT(weight_key(LEVEL)),
      .START(start_of_x(LEVEL)),
      .CANDIDATES(candidates(LEVEL)),
      .BEHIND(Entries),
      .COPIES(rm_copies(LEVEL)),
      .AREA(symbol_area(LEVEL)),
      .ADDR(AddrBits)
  ) u_move (
      .clk_i,
      .clear_i(clear),
      .start_i(start[MOVE]),
      .op_i(move_e'(step.op)),
      .flags_i(step.flags),
      .count_i(step.count),
      .word_i(step.b),
      .address_i(step.a[AddrBits-1:0]),
      .done_o(done[MOVE]),
      .upset_o(upsets[6]),
      .store_read_o(move_read),
      .store_raddr_o(move_raddr),
      .store_rdata_i(stored),
      .store_we_o(move_we),
      .store_waddr_o(move_waddr),
      .store_wdata_o(move_wdata),
      .engine_we_o(engine_we),
      .engine_addr_o(engine_addr),
      .engine_word_o(to_engine),
      .engine_word_i(from_engine),
      .product_word_o(product_word),
      .product_read_i(product_read),
      .feed_valid_o(feed_valid),
      .feed_first_o(feed_first),
      .feed_other_o(feed_other),
      .feed_last_o(feed_last),
      .feed_word_o(feed_word),
      .list0_we_o(list0_we),
      .list1_we_o(list1_we),
      .list_addr_o(list_addr),
      .list_data_o(list_data),
      .go_o(go),
      .stuck_o(stuck),
      .random_valid_i(random_valid_i[0]),
      .random_ready_o(move_ready),
      .random_i(random_i[127:0])
  );
endmodule
