// SPDX-License-Identifier: Apache-2.0 OR MIT
// Product of a dense public polynomial and a sparse secret one modulo x^N - 1, in two shares, with
// no secret address. Each position is p = p0 + p1 modulo N, p0 and p1 random. It takes two
// rotations of the dense polynomial d and a mask m of N random bits:
//   t = d x^p0 + m;  z0 += t x^p1;  z1 += m x^p1
// so each address is one share. The product is z0 + z1. First order.
//
// Lists: k0 and k1 are -p0 and -p1 modulo N, LANES of them in an entry: list0_* writes {valid,
// other, k0} into the lanes that read d, list1_* {valid, k1} into those that read t and m. Whoever
// writes them gives k0 and k1 of a position not in the same cycle. Rows: feed_* takes d word by
// word (row_writer), or, with feed_other_i, another d, by which positions with `other` are
// multiplied: two products become one sum. An operation takes entries 0 to last_entry_i of the
// lists. Then read_word_i gives a word of both shares in the next cycle; coefficients from N on in
// the last word mean nothing. After power-up the memories are wiped first, for entries that are not
// valid read a row of zeros.
//
// Randomness: random_i is taken with random_valid_i and random_ready_o: 3 Words words (417 for
// HQC-1) at the beginning, for two masks and for what both sums start from. Without a word the unit
// waits. In each pass t is made of one entry, and added from the entry before.
//
// Why it is secure. What sees p0 (rows of d, its windows) sees no p1, and meets a mask before a
// register. Masks take turns from entry to entry, so what a pass reads and what it writes, and
// words that follow each other in a register, have other mask bits. z0 and z1 have a start of their
// own, the same for both, without which equal p1 would cancel masks. The lanes' windows come to a
// sum one after the other, each with a register, for they have the same mask: none meets another
// one's. Logic of z0 sees no window of m, that of z1 none of t. The last step of a shift, by a bit
// that is one share, is where a window meets its mask, or its sum, which is random by itself: two
// neighbours of one share are seen there. The word behind the last one, which is for rows alone,
// meets sums with a start that is neither that of the word before nor that of the one after.
//
// Latency: with Words = ceil(N/WORD) and E entries, from start_i to done_o, if random words come at
// once: 3 Words + (E + 1) (Words + LANES + 11) + 13. Independent of data. Random words may be taken
// while lists are still made: passes wait for listed_i.
module masked_product #(
    parameter int N = 17669,
    parameter int WORD = 128,
    parameter int LANES = 4,
    parameter int LIST = 32,   // entries, a power of two
    localparam int IndexBits = $clog2(N),
    localparam int Words = (N + WORD - 1) / WORD,
    localparam int WordBits = $clog2(Words),
    localparam int ListBits = $clog2(LIST)
) (
    input  logic                     clk_i,
    input  logic                     clear_i,
    input  logic                     start_i,       // not while it runs
    input  logic [ListBits-1:0]      last_entry_i,  // stable until done_o
    input  logic                     listed_i,      // all entries are there: passes may begin
    output logic                     done_o,        // pulse
    input  logic                     feed_valid_i,
    input  logic                     feed_first_i,
    input  logic                     feed_other_i,
    input  logic                     feed_last_i,   // coefficients from N on are zero
    input  logic [WORD-1:0]          feed_word_i,
    input  logic [LANES-1:0]         list0_we_i,
    input  logic [ListBits-1:0]      list0_addr_i,
    input  logic [IndexBits+1:0]     list0_data_i,
    input  logic [LANES-1:0]         list1_we_i,
    input  logic [ListBits-1:0]      list1_addr_i,
    input  logic [IndexBits:0]       list1_data_i,
    input  logic [WordBits-1:0]      read_word_i,   // while it does not run
    output logic [1:0][WORD-1:0]     read_o,
    input  logic                     random_valid_i,
    output logic                     random_ready_o,
    input  logic [WORD-1:0]          random_i,
    input  logic                     wipe_i,
    input  logic [15:0]              wipe_addr_i
);
  localparam int RowBits = $clog2(Words + 2);
  localparam int Tail = N % WORD;  // coefficients in the last word
  localparam logic [WORD-1:0] LastMask = {WORD{1'b1}} >> (WORD - Tail);
  localparam logic [WordBits-1:0] Other = 1;  // whose sums the word behind the last one meets
  localparam int Window = 6;  // cycles from a word's number to its windows
  localparam int Stages = Window + LANES;  // and to its sums
  localparam int Gap = 4;  // cycles in which row_writer writes what is left
  initial
    assert (N % WORD != 0 && (1 << ListBits) == LIST)
    else $fatal(1, "masked_product: WORD is a divisor of N, or LIST no power of two");

  typedef enum logic [1:0] {
    IDLE,
    FILL,  // masks, then what the sums start from
    PASS,
    DRAIN
  } state_e;
  typedef struct packed {
    logic valid;
    logic behind;  // the word behind the last one, with what row Words - 1 needs of it
    logic [WordBits-1:0] word;
  } tag_t;
  state_e state_q;
  logic [WordBits-1:0] word_q;
  logic [IndexBits-1:0] base_q;
  logic [ListBits:0] pass_q;
  logic [1:0] kind_q;  // of what is filled: a mask, the other one, the sums
  logic [4:0] wait_q;
  logic behind_q, done_q;
  logic last_word, makes, adds, filled;
  logic [WORD-1:0] fresh;
  tag_t tag_q[Stages+1];

  assign done_o = done_q;
  assign last_word = word_q == WordBits'(Words - 1);
  assign makes = pass_q <= {1'b0, last_entry_i};  // t of this entry
  assign adds = pass_q != '0;  // t of the entry before
  assign random_ready_o = state_q == FILL && wait_q == '0 && random_valid_i;
  assign filled = random_ready_o;
  assign fresh = random_i;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= IDLE;
      {word_q, base_q, pass_q, kind_q, wait_q, behind_q, done_q} <= '0;
    end else begin
      done_q <= 1'b0;
      if (wait_q != '0 && (listed_i || state_q != PASS)) wait_q <= wait_q - 5'd1;
      unique case (state_q)
        IDLE: if (start_i) state_q <= FILL;
        FILL: begin
          if (filled) word_q <= last_word ? '0 : word_q + 1'b1;
          if (filled && last_word) begin
            kind_q <= kind_q == 2'd2 ? '0 : kind_q + 2'd1;
            wait_q <= 5'(Gap);
            if (kind_q == 2'd2) state_q <= PASS;
          end
        end
        PASS:
        if (wait_q == '0) begin
          word_q <= last_word ? Other : behind_q ? '0 : word_q + 1'b1;
          base_q <= behind_q ? '0 : last_word ? IndexBits'(WORD - Tail) : base_q + IndexBits'(WORD);
          behind_q <= last_word;
          if (behind_q) begin
            state_q <= DRAIN;
            wait_q  <= 5'(Stages + Gap - 1);
          end
        end
        DRAIN:
        if (wait_q == '0) begin
          state_q <= makes ? PASS : IDLE;
          pass_q <= makes ? pass_q + 1'b1 : '0;
          done_q <= !makes;
        end
        default: ;
      endcase
    end
  end
  assign tag_q[0] = '{valid: state_q == PASS && wait_q == '0, behind: behind_q, word: word_q};
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Stages; i++) tag_q[i+1] <= clear_i ? '0 : tag_q[i];
  end

  // --- Rows of d and of m, and the words of m that t meets ---------------------------------------
  logic d_we, m_we, m_region_q, d_region_q, is_mask, other;
  logic [RowBits-1:0] d_row, m_row;
  logic [2*WORD-1:0] d_data, m_data;
  logic [WORD-1:0] fresh_mask, mask;
  assign is_mask = filled && kind_q != 2'd2;
  assign fresh_mask = fresh & (last_word ? LastMask : '1);
  assign other = pass_q[0];
  row_writer #(
      .R(N),
      .WORD(WORD),
      .STRIDE(WORD),
      .ROW_BITS(RowBits)
  ) u_d_rows (
      .clk_i,
      .clear_i,
      .long_i(1'b0),
      .valid_i(feed_valid_i),
      .first_i(feed_first_i),
      .last_i(feed_last_i),
      .word_i(feed_word_i),
      .we_o(d_we),
      .row_o(d_row),
      .data_o(d_data)
  );
  row_writer #(
      .R(N),
      .WORD(WORD),
      .STRIDE(WORD),
      .ROW_BITS(RowBits)
  ) u_m_rows (
      .clk_i,
      .clear_i,
      .long_i(1'b0),
      .valid_i(is_mask),
      .first_i(is_mask && word_q == '0),
      .last_i(is_mask && last_word),
      .word_i(fresh_mask),
      .we_o(m_we),
      .row_o(m_row),
      .data_o(m_data)
  );
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {d_region_q, m_region_q} <= '0;
    end else begin
      if (feed_valid_i) d_region_q <= feed_other_i;
      if (is_mask) m_region_q <= kind_q[0];
    end
  end
  // Row i begins with word i, the last one cyclic.
  kem_memory #(
      .WIDTH(WORD),
      .DEPTH(2 ** (WordBits + 1))
  ) u_masks (
      .clk_i,
      .we_i(m_we),
      .waddr_i(m_we ? {m_region_q, m_row[WordBits-1:0]} : '0),
      .wdata_i(m_data[WORD-1:0]),
      .raddr_i({other, tag_q[Window-1].behind ? '0 : tag_q[Window-1].word}),
      .rdata_o(mask),
      .wipe_i,
      .wipe_addr_i
  );

  // --- Lanes, and the sums that go past them -----------------------------------------------------
  logic makes_now, behind_now, t_we;
  logic [RowBits-1:0] t_row;
  logic [WORD-1:0] t_mask;
  assign makes_now = tag_q[Window].valid && makes;
  assign behind_now = tag_q[Window].behind;
  assign t_mask = {mask[WORD-1:Tail], behind_now ? mask[WORD-1-:Tail] : mask[Tail-1:0]};
  // A row of t is there when its second word is.
  assign t_we = tag_q[Window+2].valid && !tag_q[Window+2].behind && makes;
  assign t_row = t_we ? RowBits'(tag_q[Window+2].word) : '0;
  logic [ListBits-1:0] entry_d[LANES+1];
  logic [IndexBits-1:0] base_d[LANES+1];
  assign entry_d[0] = ListBits'(pass_q - 1'b1);
  assign base_d[0] = base_q;
  logic [1:0][WORD-1:0] sum_q[LANES+1], stored;
  assign sum_q[0] = stored;
  for (genvar lane = 0; lane < LANES; lane++) begin : gen_lane
    logic [WORD:0] d_window;
    logic [1:0][WORD:0] window;
    logic d_odd, odd;
    logic [WORD-1:0] t_word, t_q, t_d1_q;
    masked_lane #(
        .N(N),
        .WORD(WORD),
        .LIST(LIST),
        .ROW_BITS(RowBits)
    ) u_d (
        .clk_i,
        .clear_i,
        .list_we_i(list0_we_i[lane]),
        .list_waddr_i(list0_addr_i),
        .list_wdata_i(list0_data_i),
        .row_we_i(d_we),
        .row_region_i(d_we && d_region_q),
        .row_i(d_row),
        .row_data_i(d_data),
        .list_raddr_i(ListBits'(pass_q)),
        .region_i(1'b0),
        .base_i(base_q),
        .odd_o(d_odd),
        .window_o(d_window),
        .wipe_i,
        .wipe_addr_i
    );
    // The windows of d are cyclic, and so are the masks: the last word goes on with the first one,
    // of which Tail coefficients are in the word behind it, and else none, for they have no mask.
    assign t_word = (d_odd ? d_window[WORD:1] : d_window[WORD-1:0]) ^ t_mask;
    always_ff @(posedge clk_i) begin
      if (clear_i || !makes_now) t_q[Tail-1:0] <= '0;
      else t_q[Tail-1:0] <= t_word[Tail-1:0];
      if (clear_i || !makes_now || behind_now) t_q[WORD-1:Tail] <= '0;
      else t_q[WORD-1:Tail] <= t_word[WORD-1:Tail];
    end
    masked_lane #(
        .N(N),
        .WORD(WORD),
        .LIST(LIST),
        .ROW_BITS(RowBits),
        .SETS(2)
    ) u_sum (
        .clk_i,
        .clear_i,
        .list_we_i(list1_we_i[lane]),
        .list_waddr_i(list1_addr_i),
        .list_wdata_i({list1_data_i[IndexBits], 1'b0, list1_data_i[IndexBits-1:0]}),
        .row_we_i({m_we, t_we}),
        .row_region_i({m_we && m_region_q, t_we && other}),
        .row_i({m_row, t_row}),
        .row_data_i({m_data, t_q, t_d1_q}),
        .list_raddr_i(entry_d[lane]),
        .region_i(!other),
        .base_i(base_d[lane]),
        .odd_o(odd),
        .window_o(window),
        .wipe_i,
        .wipe_addr_i
    );
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        {t_d1_q, entry_d[lane+1], base_d[lane+1]} <= '0;
      end else begin
        t_d1_q <= t_q;
        entry_d[lane+1] <= entry_d[lane];
        base_d[lane+1] <= base_d[lane];
      end
    end
    for (genvar share = 0; share < 2; share++) begin : gen_share
      always_ff @(posedge clk_i) begin
        if (clear_i) sum_q[lane+1][share] <= '0;
        else
          sum_q[lane+1][share] <= sum_q[lane][share]
            ^ (odd ? window[share][WORD:1] : window[share][WORD-1:0]);
      end
    end
  end

  logic start_sums, add_sums;
  assign start_sums = filled && kind_q == 2'd2;
  assign add_sums = tag_q[Stages].valid && !tag_q[Stages].behind && adds;
  for (genvar share = 0; share < 2; share++) begin : gen_sum
    kem_memory #(
        .WIDTH(WORD),
        .DEPTH(2 ** WordBits)
    ) u_sums (
        .clk_i,
        .we_i(start_sums || add_sums),
        .waddr_i(start_sums ? word_q : add_sums ? tag_q[Stages].word : '0),
        .wdata_i(start_sums ? fresh : add_sums ? sum_q[LANES][share] : '0),
        .raddr_i(state_q == IDLE ? read_word_i : tag_q[Window-1].word),
        .rdata_o(stored[share]),
        .wipe_i,
        .wipe_addr_i
    );
  end
  assign read_o = stored;
endmodule
