// SPDX-License-Identifier: Apache-2.0 OR MIT
// Products and the steps of the decoder by the gather unit: what is asked of it in each mode, and
// what becomes of its sums.
//
// Rows are in two regions of the lanes: 0 holds the syndrome, 1 what is multiplied (after the
// counters: the flips, those of h0's half in the lower lanes, of h1's half in the upper ones).
//   G_KEY, G_ERR, G_SYN  region 1 times the listed positions -> slot C (G_ERR: with e0 added), or
//                        region 0 (G_SYN: the syndrome)
//   G_UPDATE             region 0 += flips times h0 and h1
//   others               counters from region 0 -> flips to region 1 and e; G_PLAIN1 notes the gray
// Lists: lane_list_bits in bike_pkg says where they are; bike_positions writes them.
// Latency, from start_i to done_o: Words * Groups + 11 + 2 * WORD/STRIDE cycles, for Words * Groups
// positions from each lane; docs/hardware.md has it by mode. Independent of data.
//
// Beside a pass, bike_positions may write lists that the pass does not read. Nothing may be fed
// (bike_rows). The ports to the polynomial memory never wait: no other unit may use the same port
// in a cycle in which this one does, no slot that a pass writes may be read beside it, and none
// that it reads may be written.
module bike_gather
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LANES = 8,
    parameter bit DECODER = 1,  // 0: products only
    parameter int LOWER_FIRST_THRESHOLD = 0,  // see bike_threshold
    localparam int R = r_bits(LEVEL),
    localparam int IndexBits = $clog2(R),
    localparam int ListBits = lane_list_bits(LEVEL, LANES)
) (
    input  logic                 clk_i,
    input  logic                 clear_i,
    input  logic                 start_i,
    input  gather_e              mode_i,
    output logic                 done_o,
    // rows of a whole polynomial, from bike_rows, into region 1 of all lanes
    input  logic                 feed_valid_i,
    input  logic                 feed_first_i,
    input  logic                 feed_last_i,
    input  logic [WORD-1:0]      feed_word_i,
    // lists, from bike_positions
    input  logic [LANES-1:0]     list_we_i,
    input  logic [ListBits-1:0]  list_waddr_i,
    input  logic [IndexBits+1:0] list_wdata_i,
    // polynomial memory
    output word_read_t           poly_read_o,
    input  logic [WORD-1:0]      poly_rdata_i,
    output word_write_t          poly_write_o,
    output logic [WORD-1:0]      poly_wdata_o,
    input  logic                 wipe_i,
    input  logic [15:0]          wipe_addr_i
);
  localparam int Words = words_of(LEVEL, WORD);
  localparam int WordBits = $clog2(Words);
  localparam int GroupsKey = groups_key(LEVEL, LANES);
  localparam int Bits = DECODER ? counter_bits(LEVEL) : 1;
  localparam int LastStep = 3 + 2 * (WORD / STRIDE);  // the rows of the last words are complete
  localparam logic [WORD-1:0] LastMask = {WORD{1'b1}} >> (Words * WORD - R);
  initial begin
    assert (GroupsKey >= 4)  // the steps after a sum end before those of the next begin
    else $fatal(1, "bike_gather: too many LANES");
    assert (WORD / STRIDE <= 8 && WORD / STRIDE <= GroupsKey)
    else $fatal(1, "bike_gather: STRIDE is too small: WORD/STRIDE is at most 8 and d/LANES");
  end

  // --- What is asked of the gather unit ----------------------------------------------------------
  gather_e mode, mode_q;
  logic busy_q, count, count_q;  // counters, not a sum
  logic [4:0] flush_q;           // cycles since the last sum
  logic [ListBits-1:0] last_group;
  logic sum_soon, soon_second, sum_valid, sum_second, sum_last;
  logic [WordBits-1:0] soon_word, sum_word;

  assign mode = start_i ? mode_i : mode_q;
  assign count = DECODER && mode >= G_PLAIN1;
  assign count_q = DECODER && mode_q >= G_PLAIN1;
  always_comb begin
    unique case (mode)
      G_ERR: last_group = ListBits'(groups_err(LEVEL, LANES) - 1);
      G_UPDATE: last_group = ListBits'(groups_update(LEVEL, LANES) - 1);
      default: last_group = ListBits'(GroupsKey - 1);
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      mode_q <= G_KEY;
      {busy_q, flush_q} <= '0;
    end else begin
      mode_q <= mode;
      busy_q <= start_i || (busy_q && !done_o);
      flush_q <= sum_last ? 5'd1 : flush_q == 0 || done_o ? '0 : flush_q + 1'b1;
    end
  end
  assign done_o = flush_q == 5'(LastStep);

  logic [Bits*WORD-1:0] initial_planes, sum;
  logic initial_asked;  // the start is the same for all words
  logic [WordBits-1:0] initial_word;
  logic [Bits-1:0] threshold_start;
  for (genvar i = 0; i < Bits; i++) begin : gen_initial  // the top bit is what counting sets
    localparam bit Top = DECODER && i == Bits - 1;
    assign initial_planes[WORD*i +: WORD] = Top ? '0 : {WORD{count_q && threshold_start[i]}};
  end
  logic own_feed, second_q;
  logic [WordBits-1:0] word_q;
  logic [WORD-1:0] sum_q;
  gather_unit #(
      .R(R),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .BITS(Bits),
      .LIST(2 ** ListBits),
      .PARTS(2)
  ) u_unit (
      .clk_i,
      .clear_i,
      .long_i(1'b0),
      .start_i,
      .last_word_i(WordBits'(Words - 1)),
      .last_group_i(last_group),
      .two_i(count),
      .list_i({ListBits'(GroupsKey), count ? ListBits'(0) : ListBits'(2 * GroupsKey)}),
      .region_i(!count),
      .initial_o(initial_asked),
      .initial_word_o(initial_word),
      .initial_i(initial_planes),
      .sum_soon_o(sum_soon),
      .soon_second_o(soon_second),
      .soon_word_o(soon_word),
      .sum_valid_o(sum_valid),
      .sum_second_o(sum_second),
      .sum_last_o(sum_last),
      .sum_word_o(sum_word),
      .sum_o(sum),
      .feed_valid_i({feed_valid_i || (own_feed && (!count_q || second_q)),
                     feed_valid_i || (own_feed && (!count_q || !second_q))}),
      .feed_first_i(own_feed ? word_q == 0 : feed_first_i),
      .feed_last_i(own_feed ? word_q == WordBits'(Words - 1) : feed_last_i),
      .feed_region_i(count_q || !busy_q),
      .feed_word_i(own_feed ? sum_q : feed_word_i),
      .list_we_i,
      .list_waddr_i,
      .list_wdata_i,
      .wipe_i,
      .wipe_addr_i
  );

  // --- After each sum: four steps ----------------------------------------------------------------
  // sum_valid  e (or e0) is read; sum_q is the sum, or what is at least the threshold
  //         1  and with e (G_BLACK), plus e0 (G_ERR); the gray positions are read
  //         2  and with the gray (G_GRAY): the flips
  //         3  e and the flips, or the product, is written; flips or the syndrome become rows
  //         4  the gray positions are written
  logic [3:1] step_q;
  logic [WORD-1:0] mask, at_least, gray, gray_q, keep_q;
  typedef enum logic [1:0] {
    SUM,
    ADD,
    AND
  } take_e;
  take_e take;
  logic change;
  assign mask = sum_word == WordBits'(Words - 1) ? LastMask : '1;
  if (DECODER) begin : gen_compare
    assign at_least = sum[WORD*(Bits-1) +: WORD];
    always_comb begin  // counters are at most 3 below the top bit
      gray = ~at_least & (sum[0 +: WORD] | sum[WORD +: WORD]);
      for (int i = 2; i < Bits - 1; i++) gray = gray & sum[WORD*i +: WORD];
    end
  end else begin : gen_no_compare
    assign at_least = '0;
    assign gray = '0;
  end

  always_comb begin
    take = AND;
    change = (step_q[1] && mode_q == G_BLACK) || (step_q[2] && mode_q == G_GRAY);
    if (step_q[1] && mode_q == G_ERR) {take, change} = {ADD, 1'b1};
    if (sum_valid) {take, change} = {SUM, 1'b1};
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {step_q, second_q, word_q, sum_q, gray_q, keep_q} <= '0;
    end else begin
      step_q <= {step_q[2:1], sum_valid};
      if (sum_valid) {second_q, word_q} <= {sum_second, sum_word};
      if (sum_valid) gray_q <= mask & gray;
      if (step_q[1]) keep_q <= !count_q || mode_q == G_PLAIN1 ? '0 : poly_rdata_i;
      if (change) begin
        unique case (take)
          SUM: sum_q <= mask & (count_q ? at_least : sum[WORD-1:0]);
          ADD: sum_q <= sum_q ^ poly_rdata_i;
          default: sum_q <= sum_q & poly_rdata_i;  // after G_PLAIN1 e is its flips
        endcase
      end
    end
  end
  assign own_feed = step_q[3] && (count_q || mode_q == G_SYN || mode_q == G_UPDATE);

  // Requests come from registers.
  logic write_sum, write_gray, write_sum_q, write_gray_q;  // in the next cycle; in this one
  word_read_t read_q;
  word_write_t write_n, write_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) {write_sum_q, write_gray_q, write_q} <= '0;
    else {write_sum_q, write_gray_q, write_q} <= {write_sum, write_gray, write_n};
    if (clear_i) read_q <= '0;
    else if (sum_soon) read_q <= '{slot: soon_second ? SLOT_A1 : SLOT_A0, word: 10'(soon_word)};
    else if (sum_valid) read_q <= '{slot: sum_second ? SLOT_G1 : SLOT_G0, word: 10'(sum_word)};
    else read_q <= '0;
  end
  assign poly_read_o = read_q;
  assign poly_write_o = write_q;
  assign write_sum = step_q[2] && (count_q || mode_q == G_KEY || mode_q == G_ERR);
  assign write_gray = step_q[3] && mode_q == G_PLAIN1;
  always_comb begin
    write_n = '0;
    if (write_sum || write_gray) write_n = '{valid: 1'b1, slot: SLOT_C, word: 10'(word_q)};
    if (write_gray) write_n.slot = second_q ? SLOT_G1 : SLOT_G0;
    else if (write_sum && count_q) write_n.slot = second_q ? SLOT_A1 : SLOT_A0;
  end
  assign poly_wdata_o = write_gray_q ? gray_q : write_sum_q ? sum_q ^ keep_q : '0;

  // --- Weight of the syndrome, threshold: there 7 cycles after step 3 of the last word, which is -
  // --- before the next pass needs it -------------------------------------------------------------
  if (DECODER) begin : gen_threshold
    localparam int WeightBits = $clog2(R + 1);
    localparam int Piece = WORD <= 128 ? 16 : 32;  // bits that are counted in one cycle
    logic [WORD/Piece-1:0][$clog2(Piece+1)-1:0] pieces, pieces_q;
    logic [$clog2(WORD+1)-1:0] ones, ones_q;
    logic [WeightBits-1:0] weight_q;
    logic counted_q, add_q;
    for (genvar i = 0; i < WORD / Piece; i++) begin : gen_piece
      weight_of #(
          .WIDTH(Piece)
      ) u_weight (
          .bits_i(sum_q[Piece*i +: Piece]),
          .weight_o(pieces[i])
      );
    end
    always_comb begin
      ones = '0;
      for (int i = 0; i < WORD / Piece; i++) ones = ones + $bits(ones)'(pieces_q[i]);
    end
    bike_threshold #(
        .LEVEL(LEVEL),
        .LOWER_FIRST_THRESHOLD(LOWER_FIRST_THRESHOLD)
    ) u_threshold (
        .clk_i,
        .clear_i,
        .weight_i(weight_q),
        .masked_i(mode_q == G_BLACK || mode_q == G_GRAY),
        .first_i(mode_q == G_PLAIN1),
        .start_o(threshold_start)
    );
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        {weight_q, pieces_q, ones_q, counted_q, add_q} <= '0;
      end else begin
        pieces_q <= pieces;
        ones_q <= ones;
        {counted_q, add_q} <= {step_q[3] && !count_q, counted_q};
        if (start_i && (mode_i == G_SYN || mode_i == G_UPDATE)) weight_q <= '0;
        else if (add_q) weight_q <= weight_q + WeightBits'(ones_q);
      end
    end
  end else begin : gen_no_threshold
    assign threshold_start = '0;
  end
endmodule
