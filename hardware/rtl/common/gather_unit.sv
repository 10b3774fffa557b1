// SPDX-License-Identifier: Apache-2.0 OR MIT
// The gather unit: for each word of a polynomial, sums windows of other polynomials at the
// positions of a list, LANES of them a cycle [BIKE, S7; ZGF20]. Sums are counters of BITS bits for
// each coefficient; with BITS = 1 the product of a sparse and a dense polynomial modulo x^R - 1.
//
// Rows: feed_* takes a polynomial, word by word (row_writer), into one of two regions of the
// lanes, or the only one; with PARTS = 2 into those of the lower lanes, the upper ones, or both.
// Coefficients from R on must be zero. With LONG polynomials have one of two lengths, which long_i
// chooses: R in one of two regions, or LONG in the only one; long_i changes only while no pass runs
// and no rows are written. What is said of R is said of that length.
// Lists: list_we_i[i] writes a position k into lane i: {valid, other region, k}. The window of k
// begins at coefficient k for the first word: r - k is a product's position, k a counter's.
// A pass goes through words 0 to last_word_i. Each takes last_group_i + 1 cycles, or with two_i
// twice as many, for two sums: over the list at list_i[0], then over that at list_i[1]. A sum
// starts from initial_i, which is asked for three cycles before: a word of a slot, or constants.
// Sums come as one pulse each; coefficients from R on in the last word mean nothing.
// Latency, from start_i to sum_last_o: Words * Groups + 8 cycles, for Words * Groups positions
// from each lane. Independent of data.
//
// Beside a pass, lists that it does not read may be written, and rows of a region that it does not
// read. In the region that it reads, rows may only be written where it will not read again: with
// positions all over the polynomial nowhere, with the position 0 alone below the word in hand. A
// pass must not begin before the rows that it reads are complete, nor before sum_last_o of another.
module gather_unit #(
    parameter int R = 12323,
    parameter int LONG = 0,   // the other length, or 0
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LANES = 8,
    parameter int BITS = 8,   // of each counter
    parameter int LIST = 64,  // entries in a lane's memory of positions, a power of two
    parameter int PARTS = 2,  // of the lanes, with rows of their own
    parameter int REGIONS = 2,  // of rows; if 1, what names a region means nothing
    localparam int Longest = R > LONG ? R : LONG,
    localparam int IndexBits = $clog2(Longest),
    localparam int WordBits = $clog2((Longest + WORD - 1) / WORD),
    localparam int ListBits = $clog2(LIST)
) (
    input  logic                     clk_i,
    input  logic                     clear_i,
    input  logic                     long_i,
    // a pass; from start_i until sum_last_o all of these are stable
    input  logic                     start_i,
    input  logic [WordBits-1:0]      last_word_i,
    input  logic [ListBits-1:0]      last_group_i,
    input  logic                     two_i,
    input  logic [1:0][ListBits-1:0] list_i,
    input  logic                     region_i,
    // what a sum starts from
    output logic                     initial_o,
    output logic [WordBits-1:0]      initial_word_o,
    input  logic [BITS*WORD-1:0]     initial_i,      // three cycles later; plane i at bits WORD*i
    // sums; soon: a sum comes in the next cycle
    output logic                     sum_soon_o,
    output logic                     soon_second_o,
    output logic [WordBits-1:0]      soon_word_o,
    output logic                     sum_valid_o,
    output logic                     sum_second_o,
    output logic                     sum_last_o,
    output logic [WordBits-1:0]      sum_word_o,
    output logic [BITS*WORD-1:0]     sum_o,
    // rows
    input  logic [PARTS-1:0]         feed_valid_i,
    input  logic                     feed_first_i,
    input  logic                     feed_last_i,
    input  logic                     feed_region_i,  // until the last row is written
    input  logic [WORD-1:0]          feed_word_i,
    // lists
    input  logic [LANES-1:0]         list_we_i,
    input  logic [ListBits-1:0]      list_waddr_i,
    input  logic [IndexBits+1:0]     list_wdata_i,
    input  logic                     wipe_i,
    input  logic [15:0]              wipe_addr_i
);
  localparam int ShortBits = $clog2((R - 1) / STRIDE + 2);
  localparam int LongBits = LONG == 0 ? 0 : $clog2((LONG - 1) / STRIDE + 2);
  localparam int RowBits = ShortBits > LongBits ? ShortBits : LongBits;
  localparam int Part = LANES / PARTS;  // lanes
  initial begin
    assert (LANES % 2 == 0 && LANES % PARTS == 0 && (1 << $clog2(LIST)) == LIST)
    else $fatal(1, "gather_unit: LANES is even, a multiple of PARTS, LIST a power of two");
    assert (WORD % STRIDE == 0 && (1 << $clog2(WORD)) == WORD)
    else $fatal(1, "gather_unit: WORD is a power of two, STRIDE divides it");
    assert ((R + WORD - 1) / WORD * (WORD / STRIDE) < 2 ** ShortBits
            && (LONG == 0 || (LONG + WORD - 1) / WORD * (WORD / STRIDE) < 2 ** LongBits))
    else $fatal(1, "gather_unit: no row for zero");
  end

  // --- Issue: every group of every sum -----------------------------------------------------------
  localparam int Window = 6;  // cycles from a position's address to its window
  localparam int Latency = Window + 2;  // and to the sum that contains it
  typedef struct packed {
    logic valid, first, last, second, final_sum;
    logic [WordBits-1:0] word;
  } tag_t;
  tag_t tag, tag_q[Latency+1];
  logic run_q, first_q, second_q, last_group, last_sum;
  logic [WordBits-1:0] word_q;
  logic [ListBits-1:0] entry_q, group_q;
  logic [IndexBits-1:0] base_q;

  assign last_group = group_q == last_group_i;
  assign last_sum = last_group && (second_q || !two_i);
  assign tag = '{
          valid: run_q,
          first: run_q && first_q,
          last: run_q && last_group,
          second: second_q,
          final_sum: last_sum && word_q == last_word_i,
          word: word_q
      };
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {run_q, first_q, second_q, word_q, entry_q, group_q, base_q} <= '0;
    end else if (!run_q) begin
      run_q <= start_i;
      first_q <= 1'b1;
      entry_q <= list_i[0];
      {second_q, word_q, group_q, base_q} <= '0;
    end else begin
      first_q <= last_group;
      group_q <= last_group ? '0 : group_q + 1'b1;
      entry_q <= !last_group ? entry_q + 1'b1 : last_sum ? list_i[0] : list_i[1];
      if (last_group) second_q <= !last_sum;
      if (last_sum) begin
        word_q <= word_q + 1'b1;
        base_q <= base_q + IndexBits'(WORD);
        if (word_q == last_word_i) run_q <= 1'b0;
      end
    end
  end
  assign tag_q[0] = tag;
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Latency; i++) tag_q[i+1] <= clear_i ? '0 : tag_q[i];
  end

  // --- Rows --------------------------------------------------------------------------------------
  logic [PARTS-1:0] row_we;
  logic [RowBits-1:0] row[PARTS];
  logic [WORD+STRIDE-1:0] row_data[PARTS];
  for (genvar i = 0; i < PARTS; i++) begin : gen_part
    row_writer #(
        .R(R),
        .LONG(LONG),
        .WORD(WORD),
        .STRIDE(STRIDE),
        .ROW_BITS(RowBits)
    ) u_rows (
        .clk_i,
        .clear_i,
        .long_i,
        .valid_i(feed_valid_i[i]),
        .first_i(feed_first_i),
        .last_i(feed_last_i),
        .word_i(feed_word_i),
        .we_o(row_we[i]),
        .row_o(row[i]),
        .data_o(row_data[i])
    );
  end

  // --- Lanes and counters ------------------------------------------------------------------------
  logic [LANES*WORD-1:0] windows;
  for (genvar i = 0; i < LANES; i++) begin : gen_lane
    gather_lane #(
        .R(R),
        .LONG(LONG),
        .WORD(WORD),
        .STRIDE(STRIDE),
        .LIST(LIST),
        .ROW_BITS(RowBits),
        .REGIONS(REGIONS)
    ) u_lane (
        .clk_i,
        .clear_i,
        .long_i,
        .list_we_i(list_we_i[i]),
        .list_waddr_i,
        .list_wdata_i,
        .row_we_i(row_we[i/Part]),
        .row_region_i(row_we[i/Part] && feed_region_i),
        .row_i(row[i/Part]),
        .row_data_i(row_data[i/Part]),
        .list_raddr_i(entry_q),
        .region_i,
        .base_i(base_q),
        .window_o(windows[WORD*i+:WORD]),
        .wipe_i,
        .wipe_addr_i
    );
  end
  gather_counters #(
      .WORD(WORD),
      .LANES(LANES),
      .BITS(BITS)
  ) u_counters (
      .clk_i,
      .clear_i,
      .add_i(tag_q[Window].valid),
      .first_i(tag_q[Window].first),
      .windows_i(windows),
      .start_i(initial_i),
      .counts_o(sum_o)
  );
  assign initial_o = tag_q[Window-2].first;
  assign initial_word_o = initial_o ? tag_q[Window-2].word : '0;
  assign sum_soon_o = tag_q[Latency-1].last;
  assign soon_second_o = tag_q[Latency-1].second;
  assign soon_word_o = tag_q[Latency-1].word;
  assign sum_valid_o = tag_q[Latency].last;
  assign sum_second_o = tag_q[Latency].second;
  assign sum_last_o = tag_q[Latency].last && tag_q[Latency].final_sum;
  assign sum_word_o = tag_q[Latency].word;
endmodule
