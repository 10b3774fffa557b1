// SPDX-License-Identifier: Apache-2.0 OR MIT
// Products by the gather unit, and what becomes of their words: they go to a slot, to the decoder,
// or are compared with what was received [HQC, S10, S11]. product_e in hqc_pkg names the modes.
//
// The dense factor is in the rows of the lanes (feed_*), the sparse one in their lists (list_*,
// from hqc_positions). A word starts from that of slot A, B or V. In G_V and G_CHECK_V it gets the
// Reed-Muller word of the symbol that is at rm_i, which symbol_next_o exchanges; and word 0 gets
// what the specification leaves out of a product by an s with padding bits [HQC, S13]: the
// positions of r2 in the padding that padding_i and top_i tell. A v ends where the code does.
// Latency, from start_i to done_o: Words * Groups + 11 cycles, for Words * Groups positions from
// each lane. Independent of data.
//
// The polynomial memory is read or written in a cycle, never both: the word that a sum starts from
// is read two cycles before a sum comes, the one to compare with in the cycle in which it comes;
// the sum is written in the next one, or compared in the one after that. Requests come from a
// register. Rows must be complete before a start, and stay
// until done_o.
// The result of the comparison is kept twice, in opposite polarity, with the number of words that
// were compared: with sure_o the two agree, and no word was left out. upset_o tells a bit of the
// sum that flips, which could hide a difference.
module hqc_product
  import kem_pkg::*;
  import hqc_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LANES = 8,
    parameter bit CLIENT = 1,  // 0: G_U and G_V only
    localparam int N = n_bits(LEVEL),
    localparam int IndexBits = $clog2(N),
    localparam int ListBits = lane_list_bits(LEVEL, LANES),
    localparam int Padding = 8 * u_bytes(LEVEL) - N
) (
    input  logic                 clk_i,
    input  logic                 clear_i,
    input  logic                 reset_i,        // take u and v as equal
    input  logic                 start_i,
    input  product_e             mode_i,
    output logic                 done_o,
    output logic                 equal_o,        // final in the cycle after done_o, as sure_o
    output logic                 sure_o,
    output logic                 upset_o,
    // rows and lists of the lanes
    input  logic                 feed_valid_i,
    input  logic                 feed_first_i,
    input  logic                 feed_last_i,
    input  logic [WORD-1:0]      feed_word_i,
    input  logic [LANES-1:0]     list_we_i,
    input  logic [ListBits-1:0]  list_waddr_i,
    input  logic [IndexBits+1:0] list_wdata_i,
    input  logic [Padding-1:0]   padding_i,      // of the polynomial in the rows
    input  logic [Padding-2:0]   top_i,          // positions n - 1, n - 2, ... are in the lists
    // the code word that is added, and the words for the decoder
    input  logic [WORD-1:0]      rm_i,
    output logic                 rm_upper_o,     // WORD 64: the upper half of a symbol's word
    output logic                 symbol_next_o,
    output logic                 code_valid_o,
    output logic [WORD-1:0]      code_word_o,
    // polynomial memory
    output word_read_t           poly_read_o,
    input  logic [WORD-1:0]      poly_late_i,    // two cycles after its address
    output word_write_t          poly_write_o,
    output logic [WORD-1:0]      poly_wdata_o,
    input  logic                 wipe_i,
    input  logic [15:0]          wipe_addr_i
);
  localparam int Words = words_of(LEVEL, WORD);
  localparam int CodeWords = v_words(LEVEL, WORD);
  localparam int WordBits = $clog2(Words);
  localparam int SymbolWords = rm_copies(LEVEL) * (128 / WORD);  // words of a symbol
  localparam int SymbolBits = $clog2(SymbolWords);
  localparam logic [WORD-1:0] LastMask = {WORD{1'b1}} >> (Words * WORD - N);
  localparam logic [WORD-1:0] LastBytes = {WORD{1'b1}} >> (Words * WORD - 8 * u_bytes(LEVEL));
  initial begin
    assert (WORD == 64 || WORD == 128)
    else $fatal(1, "hqc_product: WORD is 64 or 128");
    assert (groups_key(LEVEL, LANES) >= 6)  // a word's steps end before the next one begins
    else $fatal(1, "hqc_product: too many LANES");
  end

  // --- What is asked of the gather unit ----------------------------------------------------------
  product_e mode, mode_q;
  logic key, code, check_q, code_q, store_q;
  slot_e initial_slot_q, received_slot_q, stored_slot_q;
  logic sum_soon, soon_second, sum_valid, second, sum_last, initial_asked;
  logic [1:0] flush_q;  // cycles since the last sum
  logic [WordBits-1:0] soon_word, sum_word, initial_word, word_q;
  logic [WORD-1:0] sum, sum_q;

  assign mode = start_i ? mode_i : mode_q;
  assign key = CLIENT && (mode == G_S || mode == G_DECODE);
  assign code = mode == G_V || (CLIENT && (mode == G_DECODE || mode == G_CHECK_V));
  // What the mode means, from its first cycle on.
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {code_q, check_q, store_q} <= '0;
      {initial_slot_q, received_slot_q, stored_slot_q} <= {SLOT_A, SLOT_A, SLOT_A};
    end else begin
      code_q <= mode == G_V || (CLIENT && mode == G_CHECK_V);
      check_q <= CLIENT && (mode == G_CHECK_U || mode == G_CHECK_V);
      store_q <= mode == G_U || mode == G_V || (CLIENT && mode == G_S);
      initial_slot_q <= mode == G_V || (CLIENT && mode == G_CHECK_V) ? SLOT_B
                      : CLIENT && mode == G_DECODE ? SLOT_V : SLOT_A;
      received_slot_q <= mode == G_CHECK_V ? SLOT_V : SLOT_U;
      stored_slot_q <= mode == G_V ? SLOT_B : SLOT_A;
    end
  end
  gather_unit #(
      .R(N),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .BITS(1),
      .LIST(2 ** ListBits),
      .PARTS(1),
      .REGIONS(1)
  ) u_unit (
      .clk_i,
      .clear_i,
      .long_i(1'b0),
      .start_i,
      .last_word_i(code ? WordBits'(CodeWords - 1) : WordBits'(Words - 1)),
      .last_group_i(key ? ListBits'(groups_key(LEVEL, LANES) - 1)
                        : ListBits'(groups_error(LEVEL, LANES) - 1)),
      .two_i(1'b0),
      .list_i('0),
      .region_i(1'b0),
      .initial_o(initial_asked),
      .initial_word_o(initial_word),
      .initial_i(poly_late_i),
      .sum_soon_o(sum_soon),
      .soon_second_o(soon_second),
      .soon_word_o(soon_word),
      .sum_valid_o(sum_valid),
      .sum_second_o(second),
      .sum_last_o(sum_last),
      .sum_word_o(sum_word),
      .sum_o(sum),
      .feed_valid_i,
      .feed_first_i,
      .feed_last_i,
      .feed_region_i(1'b0),
      .feed_word_i,
      .list_we_i,
      .list_waddr_i,
      .list_wdata_i,
      .wipe_i,
      .wipe_addr_i
  );

  // --- What a word gets besides ------------------------------------------------------------------
  // A bit i of the padding and the position n - 1 - j meet at n + i - 1 - j of the next power of
  // x^n, which the specification drops; folding has put them at i - 1 - j.
  logic [WORD-1:0] more;
  logic [Padding-2:0] dropped;
  logic [SymbolBits-1:0] part_q;  // words of the symbol that have passed
  always_comb begin
    dropped = '0;
    for (int i = 1; i < Padding; i++) begin
      for (int j = 0; j < i; j++) dropped[i-1-j] = dropped[i-1-j] ^ (padding_i[i] & top_i[j]);
    end
    more = '0;
    if (code_q) begin
      more = rm_i;
      if (sum_word == '0) more = more ^ WORD'(dropped);
    end
  end
  assign rm_upper_o = WORD == 64 && part_q[0];
  assign symbol_next_o = sum_valid && code_q && part_q == SymbolBits'(SymbolWords - 1);

  localparam int CountBits = $clog2(Words + CodeWords + 1);
  logic valid_q, valid_d_q, compare_q, equal_q, different_q, cut;
  // The parity of sum_q, by groups of bits: what comes from the memory comes late in a cycle.
  localparam int Group = 4;
  logic [WORD/Group-1:0] guard_q, guards;
  logic [CountBits-1:0] compared_q;  // words, since reset_i
  logic [WORD-1:0] received, whole;
  assign received = poly_late_i & (word_q == WordBits'(Words - 1) ? LastBytes : '1);
  assign whole = sum_valid ? sum ^ more : sum_q ^ received;  // the sum, or the difference
  assign cut = sum_valid && sum_word == WordBits'(Words - 1);
  assign upset_o = ^{sum_q, guard_q};
  always_comb begin
    logic [WORD-1:0] added;
    added = (sum ^ more) & (cut ? LastMask : '1);
    for (int i = 0; i < WORD / Group; i++) begin
      guards[i] = sum_valid ? ^added[Group*i +: Group]
                            : ^sum_q[Group*i +: Group] ^ ^received[Group*i +: Group];
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      mode_q <= G_S;
      {flush_q, part_q, valid_q, word_q, sum_q, compare_q, equal_q} <= '0;
      {valid_d_q, guard_q, different_q, compared_q} <= '0;
    end else begin
      mode_q <= mode;
      flush_q <= sum_last ? 2'd1 : flush_q == 0 || done_o ? '0 : flush_q + 1'b1;
      {valid_q, valid_d_q} <= {sum_valid, valid_q};
      if (start_i) part_q <= '0;
      else if (sum_valid) part_q <= symbol_next_o ? '0 : part_q + 1'b1;
      if (sum_valid) word_q <= sum_word;
      if (sum_valid || (valid_d_q && check_q)) begin
        sum_q <= whole & (cut ? LastMask : '1);
        guard_q <= guards;
      end
      compare_q <= valid_d_q && check_q;
      if (reset_i) equal_q <= 1'b1;
      else if (compare_q && sum_q != '0) equal_q <= 1'b0;
      if (reset_i) {different_q, compared_q} <= '0;
      else if (compare_q) begin
        different_q <= different_q || sum_q != '0;
        compared_q <= compared_q + 1'b1;
      end
    end
  end
  assign done_o = flush_q == 2'd3;
  assign equal_o = equal_q;
  assign sure_o = equal_q != different_q && compared_q == CountBits'(Words + CodeWords);
  assign code_valid_o = CLIENT && valid_q && mode_q == G_DECODE;
  assign code_word_o = code_valid_o ? sum_q : '0;

  logic write;
  word_read_t read_q, read_n;
  assign write = valid_q && store_q;
  always_comb begin
    read_n = '0;
    if (initial_asked) read_n = '{slot: initial_slot_q, word: 10'(initial_word)};
    else if (sum_soon && check_q) read_n = '{slot: received_slot_q, word: 10'(soon_word)};
    poly_write_o = '0;
    if (write) poly_write_o = '{valid: 1'b1, slot: stored_slot_q, word: 10'(word_q)};
  end
  always_ff @(posedge clk_i) read_q <= clear_i ? '0 : read_n;
  assign poly_read_o = read_q;
  assign poly_wdata_o = write ? sum_q : '0;
endmodule
