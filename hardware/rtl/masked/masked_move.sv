// SPDX-License-Identifier: Apache-2.0 OR MIT
// Moves words between the store, the engine's memory and the product; the engine does not run
// meanwhile, but for FEED.
//
// LIST0 and LIST1 open p0 or p1 of positions, each of which alone is random (masked_product): 16
// words from `a` on have eight numbers of 16 bits each, position 4 i + q for i below 16 as number 2
// q of word i, those from 64 on as numbers 2 q + 1. `b` of them are valid; or, MASKED, those that a
// word of the store says, WEIGHT of them, side by side in the lists. The first lists are written
// before the others, and the registers are empty between, so no p0 meets its p1. With MORE than 128
// positions, or candidates, those behind are a second group, with words of their own.
//
// SCAN opens, one after the other, whether candidates for a key's positions are accepted, lane 0 of
// words from `a` on, and none behind the one with which there are WEIGHT: the next ones are another
// vector's, which begins at candidate START and leaves out those that were used (WINDOW). stuck_o
// says that there are too few, here or in a word with MASKED.
//
// Shares are joined behind registers that hold nothing else (positions), or by a flag that comes a
// cycle after the first word to be opened and goes before the last one does (SAVE with OPEN).
//
// Latency: from start_i to done_o count + 6 cycles; independent of data.
module masked_move
  import masked_hqc_pkg::*;
#(
    parameter int N = 17669,
    parameter int LANES = 4,
    parameter int LIST = 64,
    parameter int WEIGHT = 66,  // of a key's vectors
    parameter int START = 64,
    parameter int CANDIDATES = 88,
    parameter int BEHIND = 19,  // the entry at which a second vector's positions begin
    parameter int COPIES = 3,  // words of a symbol, STRIDED
    parameter int AREA = 20,  // from one symbol to the next
    parameter int ADDR = 10,  // bits of an address
    localparam int Words = (N + 127) / 128,
    localparam int IndexBits = $clog2(N),
    localparam int ListBits = $clog2(LIST)
) (
    input  logic                     clk_i,
    input  logic                     clear_i,
    input  logic                     start_i,
    input  move_e                    op_i,             // these with start_i
    input  logic [5:0]               flags_i,
    input  logic [9:0]               count_i,          // words or positions
    input  logic [ADDR-1:0]          word_i,           // of the store, or how many are valid
    input  logic [ADDR-1:0]          address_i,        // of the engine's memory
    output logic                     done_o,           // pulse
    output logic                     upset_o,          // a register of control was disturbed
    // The store, which does at once what it asks.
    output logic                     store_read_o,
    output logic [ADDR-1:0]          store_raddr_o,
    input  logic [1:0][127:0]        store_rdata_i,
    output logic                     store_we_o,
    output logic [ADDR-1:0]          store_waddr_o,
    output logic [1:0][127:0]        store_wdata_o,
    output logic                     engine_we_o,
    output logic [ADDR-1:0]          engine_addr_o,
    output logic [1:0][127:0]        engine_word_o,
    input  logic [1:0][127:0]        engine_word_i,
    output logic [$clog2(Words)-1:0] product_word_o,
    input  logic [1:0][127:0]        product_read_i,
    output logic                     feed_valid_o,
    output logic                     feed_first_o,
    output logic                     feed_other_o,
    output logic                     feed_last_o,
    output logic [127:0]             feed_word_o,
    output logic [LANES-1:0]         list0_we_o,
    output logic [LANES-1:0]         list1_we_o,
    output logic [ListBits-1:0]      list_addr_o,
    output logic [IndexBits+1:0]     list_data_o,
    output logic                     go_o,  // the lists are there
    output logic                     stuck_o,  // pulse
    input  logic                     random_valid_i,
    output logic                     random_ready_o,
    input  logic [127:0]             random_i
);
  localparam int Tail = N % 128;
  localparam int Drain = 4;
  localparam int First = CANDIDATES > 128 ? 128 : CANDIDATES;  // in the first group
  localparam int Second = CANDIDATES - First;
  localparam int CopyBits = $clog2(COPIES);
  localparam int ValidBits = Second == 0 ? 7 : 8;
  localparam int SlotBits = $clog2(CANDIDATES + LANES);
  localparam int FoundBits = $clog2(WEIGHT + 1);
  localparam int WindowBits = $clog2(CANDIDATES - START + 1);
  typedef struct packed {
    move_e op;
    logic busy, lead, done, open;
    logic [2:0] drain;
    logic [9:0] at, left;
    logic [ADDR-1:0] engine, engine_d1, store, store_d1;
    logic [CopyBits-1:0] copy;
    logic [5:0] flags;
    logic there, first, last;  // a word that was asked for
  } control_t;
  control_t now, next;
  logic step, last, last_copy, is_list, goes_on;
  masked_guarded #(
      .WIDTH($bits(control_t))
  ) u_control (
      .clk_i,
      .next_i(clear_i ? '0 : next),
      .state_o(now),
      .upset_o
  );
  assign is_list = now.op == LIST0 || now.op == LIST1;
  assign step = now.busy && !now.lead && now.drain == '0 && (now.op != DRAW || random_valid_i);
  assign last = now.left == 10'd1;
  assign last_copy = now.copy == CopyBits'(COPIES - 1);
  assign goes_on = Second != 0 && now.flags[MORE];
  assign done_o = now.done;
  always_comb begin
    next = now;
    next.lead = start_i;
    next.done = now.drain == 3'd1;
    next.there = step;
    next.first = now.at == '0;
    next.last = last;
    next.engine_d1 = now.engine;
    next.store_d1 = now.store;
    if (step && last) next.drain = 3'(Drain);
    else if (now.drain != '0) next.drain = now.drain - 3'd1;
    next.open = now.busy && !now.lead && now.op == SAVE && now.flags[OPEN] && now.drain == '0;
    if (start_i) begin
      next.busy = 1'b1;
      next.op = op_i;
      next.flags = flags_i;
      next.at = '0;
      next.left = count_i;
      next.engine = address_i;
      next.store = word_i;
      next.copy = '0;
    end else begin
      if (now.drain == 3'd1) next.busy = 1'b0;
      if (step) begin
        next.at = now.at + 10'd1;
        next.left = now.left - 10'd1;
      end
      if (step && !last) begin
        next.copy = last_copy ? '0 : now.copy + 1'b1;
        if (!is_list && now.op != SCAN) next.store = now.store + 1'b1;
        if (!is_list) begin
          next.engine = now.engine + ADDR'(now.flags[STRIDED] && last_copy ? AREA - COPIES + 1 : 1);
        end
      end
    end
  end

  // --- The store, the engine, the product's rows -------------------------------------------------
  logic loads, takes, takes_high, adds, saves, feeds, late, masked, scans, opens_window;
  assign masked = is_list && now.flags[MASKED];
  assign store_read_o = step && (now.op == LOAD || now.op == FEED
                                 || (now.op == TAKE && now.flags[ADDED]) || masked);
  assign store_raddr_o = store_read_o ? now.store : '0;
  assign product_word_o = $clog2(Words)'(now.at);
  assign loads = now.there && now.op == LOAD;
  assign takes = now.there && now.op == TAKE;
  assign adds = takes && now.flags[ADDED];
  assign takes_high = takes && !(now.last && now.flags[RING]);
  assign random_ready_o = step && now.op == DRAW;
  assign late = now.op == LOAD || now.op == TAKE;  // its words are there a cycle later
  assign opens_window = step && now.op == WINDOW;
  assign engine_we_o = loads || takes || random_ready_o || opens_window;
  always_comb begin
    engine_addr_o = late ? now.engine_d1 : now.engine;
    if (is_list) engine_addr_o = now.engine + ADDR'(now.at[5:2]);
    if (!now.busy) engine_addr_o = '0;
  end
  logic [127:0] window;
  logic [First-1:0] accepted, accepted_q;
  logic [WindowBits-1:0] window_q;
  assign accepted = goes_on ? accepted_q >> (First - Second) : accepted_q;
  always_comb begin
    window = '0;
    for (int i = 0; i < CANDIDATES - START; i++) begin
      window[32*(i%4)+i/4] = opens_window && now.flags[ONE] && WindowBits'(i) < window_q;
    end
  end
  for (genvar share = 0; share < 2; share++) begin : gen_word
    logic [127:0] drawn;
    assign drawn = share == 1 ? {128{random_ready_o}} & random_i : window;
    assign engine_word_o[share] = ({128{loads || (share == 0 && adds)}} & store_rdata_i[share])
        ^ ({{(128 - Tail) {takes_high}}, {Tail{takes}}} & product_read_i[share]) ^ drawn;
  end
  assign saves = now.there && now.op == SAVE;
  assign scans = now.op == SCAN && now.drain == 3'd1;  // its end
  assign store_we_o = saves || scans;
  assign store_waddr_o = store_we_o ? now.store_d1 : '0;
  assign store_wdata_o[0] = ({128{saves}} & engine_word_i[0])
                          ^ ({128{saves && now.open}} & engine_word_i[1])
                          | 128'({First{scans}} & accepted);
  assign store_wdata_o[1] = {128{saves && !now.flags[OPEN]}} & engine_word_i[1];
  assign feeds = now.there && now.op == FEED;
  assign feed_valid_o = feeds;
  assign feed_first_o = feeds && now.first;
  assign feed_last_o = feeds && now.last;
  assign feed_other_o = feeds && now.flags[ONE];
  always_comb begin
    feed_word_o = {128{feeds && !now.flags[ONE]}} & store_rdata_i[0];
    if (now.last) feed_word_o[127:Tail] = '0;
    feed_word_o[0] |= feeds && now.first && now.flags[ONE];
  end
  assign go_o = now.busy && is_list && now.flags[GO] && now.drain == 3'd1;

  // --- Lists -------------------------------------------------------------------------------------
  logic [6:0] entry_q[2];  // number of a position, stage by stage
  logic [SlotBits-1:0] slot_q;  // of the lists
  logic [2:0] listed_q;
  logic [1:0] valid_q;
  logic valid, first_ones, moves_on, is_scanned_q, is_accepted, allowed;
  logic [1:0] bit_q;
  logic [FoundBits-1:0] found_q, found;
  logic [1:0][IndexBits-1:0] number, number_q;
  logic [IndexBits-1:0] opened_q;
  for (genvar share = 0; share < 2; share++) begin : gen_number
    always_comb begin
      number[share] = '0;
      for (int i = 0; i < 8; i++) begin
        if ({entry_q[0][1:0], entry_q[0][6]} == 3'(i)) begin
          number[share] = engine_word_i[share][16*i +: IndexBits];
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (clear_i) number_q[share] <= '0;
      else number_q[share] <= {IndexBits{listed_q[0]}} & number[share];
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {listed_q, opened_q, valid_q, slot_q} <= '0;
      for (int i = 0; i < 2; i++) entry_q[i] <= '0;
    end else begin
      listed_q <= {listed_q[1:0], step && is_list};
      entry_q  <= '{now.at[6:0], entry_q[0]};
      valid_q  <= {valid_q[0], masked ? store_rdata_i[0][entry_q[0]] : first_ones};
      opened_q <= number_q[0] ^ number_q[1];
      if (start_i && !(Second != 0 && flags_i[MORE])) slot_q <= '0;
      else if (listed_q[2] && moves_on) slot_q <= slot_q + 1'b1;
    end
  end
  assign first_ones = ValidBits'(entry_q[0]) < now.store[ValidBits-1:0];
  // Behind the last one that counts come some that do not, for entries that are not full.
  assign valid = valid_q[1] && (!masked || slot_q < SlotBits'(WEIGHT));
  assign moves_on = !masked || valid_q[1] || slot_q >= SlotBits'(WEIGHT);
  logic [LANES-1:0] lane;
  assign lane = LANES'(listed_q[2]) << slot_q[1:0];
  assign list0_we_o = now.op == LIST0 ? lane : '0;
  assign list1_we_o = now.op == LIST1 ? lane : '0;
  always_comb begin
    list_addr_o = '0;
    if (listed_q[2]) begin
      list_addr_o = ListBits'(slot_q[SlotBits-1:2]) + (now.flags[ADDED] ? ListBits'(BEHIND) : '0);
    end
  end
  // -p modulo N is N - p; N does as 0 does.
  assign list_data_o = listed_q[2] ? {
      valid, now.flags[ONE], IndexBits'(N) - opened_q} : '0;

  // --- Which candidates are accepted -------------------------------------------------------------
  assign is_accepted = bit_q[0] ^ bit_q[1];
  assign found = found_q + FoundBits'(is_accepted);
  assign allowed = now.there && now.op == SCAN && found != FoundBits'(WEIGHT);
  for (genvar share = 0; share < 2; share++) begin : gen_bit
    always_ff @(posedge clk_i) begin
      if (clear_i) bit_q[share] <= '0;
      else bit_q[share] <= allowed && engine_word_i[share][0];
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {is_scanned_q, found_q, accepted_q, window_q} <= '0;
    end else begin
      is_scanned_q <= now.there && now.op == SCAN;
      if (start_i && op_i == SCAN && !(Second != 0 && flags_i[MORE])) found_q <= '0;
      else found_q <= found;
      if (is_scanned_q) accepted_q <= {is_accepted, accepted_q[First-1:1]};
      if (is_accepted) window_q <= WindowBits'(entry_q[1]) + WindowBits'(1 - START);
    end
  end
  assign stuck_o = now.drain == 3'd1 && (Second == 0 || goes_on)
                && ((now.op == SCAN && found_q != FoundBits'(WEIGHT))
                    || (masked && slot_q < SlotBits'(WEIGHT)));
endmodule
