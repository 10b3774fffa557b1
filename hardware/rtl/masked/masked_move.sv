// SPDX-License-Identifier: Apache-2.0 OR MIT
// Moves words between the store, the engine's memory and the product; the engine does not run
// meanwhile, but for FEED and GO.
//
// LIST0 and LIST1 open p0 or p1 of positions, each of which alone is random (masked_product): 16
// words from `a` on have eight numbers of 16 bits each, position 4 i + q for i below 16 as number
// 2 q of word i, those from 64 on as numbers 2 q + 1. `b` of them are valid. The
// first lists are written before the others, and the registers are empty between, so no p0 meets
// its p1.
//
// Shares are joined behind registers that hold nothing else (positions), or by a flag that comes a
// cycle after the first word to be opened and goes before the last one does (SAVE with OPEN).
//
// Latency: from start_i to done_o count + 6 cycles, of GO 6; independent of data.
module masked_move
  import masked_hqc_pkg::*;
#(
    parameter int N = 17669,
    parameter int LANES = 4,
    parameter int LIST = 32,
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
    input  logic [9:0]               word_i,           // of the store, or how many are valid
    input  logic [9:0]               address_i,        // of the engine's memory
    output logic                     done_o,           // pulse
    // The store, which does at once what it asks.
    output logic                     store_read_o,
    output logic [9:0]               store_raddr_o,
    input  logic [1:0][127:0]        store_rdata_i,
    output logic                     store_we_o,
    output logic [9:0]               store_waddr_o,
    output logic [1:0][127:0]        store_wdata_o,
    output logic                     engine_we_o,
    output logic [9:0]               engine_addr_o,
    output logic [1:0][127:0]        engine_word_o,
    input  logic [1:0][127:0]        engine_word_i,
    output logic [$clog2(Words)-1:0] product_word_o,
    input  logic [1:0][127:0]        product_read_i,
    output logic                     feed_valid_o,
    output logic                     feed_first_o,
    output logic                     feed_last_o,
    output logic [127:0]             feed_word_o,
    output logic [LANES-1:0]         list0_we_o,
    output logic [LANES-1:0]         list1_we_o,
    output logic [ListBits-1:0]      list_addr_o,
    output logic [IndexBits:0]       list_data_o,
    output logic                     go_o,
    input  logic                     random_valid_i,
    output logic                     random_ready_o,
    input  logic [127:0]             random_i
);
  localparam int Tail = N % 128;
  localparam int Drain = 4;
  move_e op_q;
  logic busy_q, lead_q, done_q, open_q;
  logic [2:0] drain_q;
  logic [9:0] at_q, left_q, engine_q, engine_d1_q, store_q, store_d1_q;
  logic [1:0] third_q;
  logic [5:0] flags_q;
  logic there_q, first_q, last_q;  // a word that was asked for
  logic step, last, is_list;
  assign is_list = op_q == LIST0 || op_q == LIST1;
  assign step = busy_q && !lead_q && drain_q == '0 && (op_q != DRAW || random_valid_i);
  assign last = left_q == 10'd1;
  assign done_o = done_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {busy_q, lead_q, done_q, open_q, drain_q, at_q, left_q, engine_q, engine_d1_q} <= '0;
      {store_q, store_d1_q, third_q, flags_q, there_q, first_q, last_q} <= '0;
      op_q <= LOAD;
    end else begin
      lead_q <= start_i;
      done_q <= drain_q == 3'd1;
      there_q <= step;
      first_q <= at_q == '0;
      last_q <= last;
      engine_d1_q <= engine_q;
      store_d1_q <= store_q;
      if (step && last) drain_q <= 3'(Drain);
      else if (drain_q != '0) drain_q <= drain_q - 3'd1;
      open_q <= busy_q && !lead_q && op_q == SAVE && flags_q[OPEN] && drain_q == '0;
      if (start_i) begin
        busy_q <= 1'b1;
        op_q <= op_i;
        flags_q <= flags_i;
        at_q <= '0;
        left_q <= count_i;
        engine_q <= address_i;
        store_q <= word_i;
        third_q <= '0;
      end else begin
        if (drain_q == 3'd1) busy_q <= 1'b0;
        if (step) begin
          at_q <= at_q + 10'd1;
          left_q <= left_q - 10'd1;
        end
        if (step && !last) begin
          third_q <= third_q == 2'd2 ? '0 : third_q + 2'd1;
          if (!is_list) begin
            store_q <= store_q + 10'd1;
            engine_q <= engine_q + (flags_q[STRIDED] && third_q == 2'd2 ? 10'd18 : 10'd1);
          end
        end
      end
    end
  end

  // --- The store, the engine, the product's rows -------------------------------------------------
  logic loads, takes, takes_high, adds, saves, feeds, late;
  assign store_read_o = step && (op_q == LOAD || op_q == FEED || (op_q == TAKE && flags_q[ADDED]));
  assign store_raddr_o = store_read_o ? store_q : '0;
  assign product_word_o = $clog2(Words)'(at_q);
  assign loads = there_q && op_q == LOAD;
  assign takes = there_q && op_q == TAKE;
  assign adds = takes && flags_q[ADDED];
  assign takes_high = takes && !(last_q && flags_q[RING]);
  assign random_ready_o = step && op_q == DRAW;
  assign late = op_q == LOAD || op_q == TAKE;  // its words are there a cycle later
  assign engine_we_o = loads || takes || random_ready_o;
  always_comb begin
    engine_addr_o = late ? engine_d1_q : engine_q;
    if (is_list) engine_addr_o = engine_q + 10'(at_q[5:2]);
    if (!busy_q) engine_addr_o = '0;
  end
  for (genvar share = 0; share < 2; share++) begin : gen_word
    logic [127:0] drawn;
    assign drawn = share == 1 ? {128{random_ready_o}} & random_i : '0;
    assign engine_word_o[share] = ({128{loads || (share == 0 && adds)}} & store_rdata_i[share])
        ^ ({{(128 - Tail) {takes_high}}, {Tail{takes}}} & product_read_i[share]) ^ drawn;
  end
  assign saves = there_q && op_q == SAVE;
  assign store_we_o = saves;
  assign store_waddr_o = saves ? store_d1_q : '0;
  assign store_wdata_o[0] = {128{saves}} & (engine_word_i[0] ^ ({128{open_q}} & engine_word_i[1]));
  assign store_wdata_o[1] = {128{saves && !flags_q[OPEN]}} & engine_word_i[1];
  assign feeds = there_q && op_q == FEED;
  assign feed_valid_o = feeds;
  assign feed_first_o = feeds && first_q;
  assign feed_last_o = feeds && last_q;
  always_comb begin
    feed_word_o = {128{feeds && !flags_q[ONE]}} & store_rdata_i[0];
    if (last_q) feed_word_o[127:Tail] = '0;
    feed_word_o[0] |= feeds && first_q && flags_q[ONE];
  end
  assign go_o = busy_q && op_q == GO && drain_q == 3'd1;

  // --- Lists -------------------------------------------------------------------------------------
  logic [6:0] entry_q[3];  // number of a position, stage by stage
  logic [2:0] listed_q;
  logic [1:0][14:0] number, number_q;
  logic [IndexBits-1:0] opened_q;
  for (genvar share = 0; share < 2; share++) begin : gen_number
    always_comb begin
      number[share] = '0;
      for (int i = 0; i < 8; i++) begin
        if ({entry_q[0][1:0], entry_q[0][6]} == 3'(i)) begin
          number[share] = engine_word_i[share][16*i +: 15];
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (clear_i) number_q[share] <= '0;
      else number_q[share] <= {15{listed_q[0]}} & number[share];
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {listed_q, opened_q} <= '0;
      for (int i = 0; i < 3; i++) entry_q[i] <= '0;
    end else begin
      listed_q <= {listed_q[1:0], step && is_list};
      entry_q[0] <= at_q[6:0];
      for (int i = 0; i < 2; i++) entry_q[i+1] <= entry_q[i];
      opened_q <= number_q[0] ^ number_q[1];
    end
  end
  logic [LANES-1:0] lane;
  assign lane = LANES'(listed_q[2]) << entry_q[2][1:0];
  assign list0_we_o = op_q == LIST0 ? lane : '0;
  assign list1_we_o = op_q == LIST1 ? lane : '0;
  assign list_addr_o = listed_q[2] ? ListBits'(entry_q[2][6:2]) : '0;
  // -p modulo N is N - p; N does as 0 does.
  assign list_data_o = listed_q[2] ? {entry_q[2] < store_q[6:0], IndexBits'(N) - opened_q} : '0;
endmodule
