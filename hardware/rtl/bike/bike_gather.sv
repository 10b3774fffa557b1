// SPDX-License-Identifier: Apache-2.0 OR MIT
// The gather unit: products of a sparse and a dense polynomial, the counters of the decoder, and
// the update of the syndrome are all sums, for each word of WORD coefficients, of windows of a
// polynomial at the positions of a list; LANES positions a cycle [BIKE, S7; ZGF20].
//
// Rows are in two regions of the lanes: 0 holds the syndrome, 1 what is multiplied (after the
// counters: the flips, those of h0's half in the lower lanes, of h1's half in the upper ones).
//   G_KEY, G_ERR, G_SYN  region 1 times the listed positions -> slot C (G_ERR: with e0 added), or
//                        region 0 (G_SYN: the syndrome)
//   G_UPDATE             region 0 += flips times h0 and h1
//   others               counters from region 0 -> flips to region 1 and e; G_PLAIN1 notes the gray
// Lists (bike_positions): set i is at GroupsKey * i; the third one is for products and updates.
// Latency: docs/hardware.md gives the formula; it does not depend on data.
module bike_gather
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LANES = 8,
    parameter bit DECODER = 1,  // 0: products only
    localparam int R = r_bits(LEVEL),
    localparam int IndexBits = $clog2(R),
    localparam int Words = (R + WORD - 1) / WORD,
    localparam int WordAddrBits = $clog2(Words),
    localparam int RowBits = $clog2((R - 1) / STRIDE + 2),
    localparam int GroupsKey = (weight_d(LEVEL) + LANES - 1) / LANES,
    localparam int GroupsErr = (weight_t(LEVEL) + LANES - 1) / LANES,
    localparam int GroupsUpdate = (weight_d(LEVEL) + 1 + LANES / 2 - 1) / (LANES / 2),
    localparam int ListEntries =
        2 * GroupsKey + (GroupsErr > GroupsUpdate ? GroupsErr : GroupsUpdate),
    localparam int List = 2 ** $clog2(ListEntries),
    localparam int ListBits = $clog2(List)
) (
    input  logic                    clk_i,
    input  logic                    clear_i,
    input  logic                    start_i,
    input  gather_e                 mode_i,
    output logic                    done_o,
    // rows of a whole polynomial, from bike_rows, into region 1 of all lanes
    input  logic                    feed_valid_i,
    input  logic                    feed_first_i,
    input  logic                    feed_last_i,
    input  logic [WORD-1:0]         feed_word_i,
    // lists, from bike_positions
    input  logic [LANES-1:0]        list_we_i,
    input  logic [ListBits-1:0]     list_waddr_i,
    input  logic [IndexBits+1:0]    list_wdata_i,
    // polynomial memory
    output word_read_t              poly_read_o,
    input  logic [WORD-1:0]         poly_rdata_i,
    output word_write_t             poly_write_o,
    output logic [WORD-1:0]         poly_wdata_o,
    input  logic                    wipe_i,
    input  logic [15:0]             wipe_addr_i
);
  initial begin
    assert (GroupsKey >= 6)
    else $fatal(1, "bike_gather: too many LANES");
    assert (LANES % 2 == 0 && WORD % STRIDE == 0 && (1 << $clog2(WORD)) == WORD)
    else $fatal(1, "bike_gather: LANES is even, WORD a power of two, STRIDE divides WORD");
    assert (WORD / STRIDE <= 8 && WORD / STRIDE <= GroupsKey)
    else $fatal(1, "bike_gather: STRIDE is too small: WORD/STRIDE is at most 8 and d/LANES");
    assert (Words * (WORD / STRIDE) < 2 ** RowBits)
    else $fatal(1, "bike_gather: no row for zero");
  end

  localparam int Bits = DECODER ? counter_bits(LEVEL) : 1;
  localparam int Latency = 5;  // from a position's address to the sum that contains it
  localparam int Half = LANES / 2;
  localparam logic [WORD-1:0] LastMask = {WORD{1'b1}} >> (Words * WORD - R);
  typedef logic [WordAddrBits-1:0] word_t;

  // --- Issue: every group of every word ----------------------------------------------------------
  typedef struct packed {
    logic valid, first, last, block;
    word_t word;
  } tag_t;
  typedef enum logic [1:0] {
    IDLE,
    SETTLE,
    RUN,
    FLUSH
  } state_e;
  state_e state_q;
  gather_e mode_q;
  logic count;  // counters, not a sum
  tag_t tag, tag_q[Latency+1];
  word_t word_q;
  logic block_q, last_group;
  logic [ListBits-1:0] group_q, groups;
  logic [IndexBits-1:0] base_q;
  logic [4:0] wait_q;

  assign count = DECODER && mode_q >= G_PLAIN1;
  always_comb begin
    unique case (mode_q)
      G_ERR: groups = ListBits'(GroupsErr);
      G_UPDATE: groups = ListBits'(GroupsUpdate);
      default: groups = ListBits'(GroupsKey);
    endcase
  end
  assign last_group = group_q == groups - 1'b1;
  assign tag = '{valid: state_q == RUN, first: group_q == 0, last: last_group, block: block_q,
                 word: word_q};
  logic [ListBits-1:0] list_raddr;
  assign list_raddr = group_q + (!count ? ListBits'(2 * GroupsKey)
                                        : block_q ? ListBits'(GroupsKey) : '0);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= IDLE;
      mode_q <= G_KEY;
      {word_q, block_q, group_q, base_q, wait_q} <= '0;
    end else begin
      unique case (state_q)
        IDLE:
        if (start_i) begin
          state_q <= SETTLE;
          mode_q <= mode_i;
          {word_q, block_q, group_q, base_q, wait_q} <= '0;
        end
        SETTLE: begin  // the threshold becomes ready
          wait_q <= wait_q + 1'b1;
          if (wait_q == 5'd3) state_q <= RUN;
        end
        RUN: begin
          group_q <= last_group ? '0 : group_q + 1'b1;
          wait_q <= '0;
          if (last_group) begin
            block_q <= count && !block_q;
            if (!count || block_q) begin
              word_q <= word_q + 1'b1;
              base_q <= base_q + IndexBits'(WORD);
              if (word_q == word_t'(Words - 1)) state_q <= FLUSH;
            end
          end
        end
        FLUSH: begin
          wait_q <= wait_q + 1'b1;
          if (wait_q == 5'(Latency + 6 + 2 * (WORD / STRIDE))) state_q <= IDLE;
        end
        default: state_q <= IDLE;
      endcase
    end
  end
  assign done_o = state_q == FLUSH && wait_q == 5'(Latency + 6 + 2 * (WORD / STRIDE));

  always_ff @(posedge clk_i) begin
    tag_q[0] <= clear_i ? '0 : tag;
    for (int i = 0; i < Latency; i++) tag_q[i+1] <= clear_i ? '0 : tag_q[i];
  end

  // --- Lanes and sums ----------------------------------------------------------------------------
  logic [LANES*WORD-1:0] windows;
  logic [1:0] row_we;
  logic [RowBits-1:0] row [2];
  logic [WORD+STRIDE-1:0] row_data [2];
  logic row_region;
  for (genvar i = 0; i < LANES; i++) begin : gen_lane
    gather_lane #(
        .R(R),
        .WORD(WORD),
        .STRIDE(STRIDE),
        .LIST(List),
        .ROW_BITS(RowBits)
    ) u_lane (
        .clk_i,
        .clear_i,
        .list_we_i(list_we_i[i]),
        .list_waddr_i,
        .list_wdata_i,
        .row_we_i(row_we[i / Half]),
        .row_region_i(row_we[i / Half] && row_region),
        .row_i(row[i / Half]),
        .row_data_i(row_we[i / Half] ? row_data[i / Half] : '0),
        .list_raddr_i(list_raddr),
        .region_i(!count),
        .base_i(base_q),
        .window_o(windows[WORD*i +: WORD]),
        .wipe_i,
        .wipe_addr_i
    );
  end

  logic [Bits*WORD-1:0] counts;
  logic [Bits-1:0] threshold_start;
  gather_counters #(
      .WORD(WORD),
      .LANES(LANES),
      .BITS(Bits)
  ) u_counters (
      .clk_i,
      .clear_i,
      .add_i(tag_q[3].valid),
      .first_i(tag_q[3].first),
      .start_i(count ? threshold_start : '0),
      .windows_i(windows),
      .counts_o(counts)
  );

  // --- After the last group of a word: five cycles of follow-up ----------------------------------
  tag_t done_q;               // of the word in hand
  logic [4:1] step_q;
  logic result;               // the sum of a word is complete in this cycle
  logic [WORD-1:0] mask, sum_q, flips, keep_q;
  assign result = tag_q[4].valid && tag_q[4].last;
  assign mask = tag_q[4].word == word_t'(Words - 1) ? LastMask : '1;

  logic [WORD-1:0] at_least, gray;
  if (DECODER) begin : gen_compare
    assign at_least = counts[WORD*(Bits-1) +: WORD];
    always_comb begin  // counters are at most 3 below the top bit
      gray = ~at_least & (counts[0 +: WORD] | counts[WORD +: WORD]);
      for (int i = 2; i < Bits - 1; i++) gray = gray & counts[WORD*i +: WORD];
    end
  end else begin : gen_no_compare
    assign at_least = '0;
    assign gray = '0;
  end

  logic [WORD-1:0] gray_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {done_q, step_q} <= '0;
      {sum_q, gray_q, keep_q} <= '0;
    end else begin
      step_q <= {step_q[3:1], result};
      if (result) begin
        done_q <= tag_q[4];
        sum_q <= mask & (count ? at_least : counts[WORD-1:0]);
        gray_q <= mask & gray;
      end
      if (step_q[1])
        keep_q <= (mode_q == G_PLAIN1 || !(count || mode_q == G_ERR)) ? '0 : poly_rdata_i;
      if (step_q[2]) sum_q <= flips;
    end
  end
  assign flips = !count ? sum_q ^ keep_q  // G_ERR: e0
      : mode_q == G_BLACK ? sum_q & keep_q  // after G_PLAIN1 e is its flips
      : mode_q == G_GRAY ? sum_q & poly_rdata_i : sum_q;

  // Reads: e (or e0) with the result, the gray positions one cycle later.
  always_comb begin
    poly_read_o = '0;
    if (result) begin
      poly_read_o = '{slot: tag_q[4].block ? SLOT_A1 : SLOT_A0, word: 10'(tag_q[4].word)};
    end else if (step_q[1]) begin
      poly_read_o = '{slot: done_q.block ? SLOT_G1 : SLOT_G0, word: 10'(done_q.word)};
    end
  end
  // Writes: e or the product, then the gray positions.
  logic write_first, write_gray;
  assign write_first = step_q[3] && (count || mode_q == G_KEY || mode_q == G_ERR);
  assign write_gray = step_q[4] && mode_q == G_PLAIN1;
  always_comb begin
    poly_write_o = '0;
    if (write_first || write_gray) begin
      poly_write_o.valid = 1'b1;
      poly_write_o.word = 10'(done_q.word);
      if (write_gray) poly_write_o.slot = done_q.block ? SLOT_G1 : SLOT_G0;
      else poly_write_o.slot = !count ? SLOT_C : done_q.block ? SLOT_A1 : SLOT_A0;
    end
  end
  assign poly_wdata_o = write_gray ? gray_q : write_first ? (count ? sum_q ^ keep_q : sum_q) : '0;

  // --- Rows: flips or the syndrome go back into the lanes ----------------------------------------
  logic own_feed;
  assign own_feed = step_q[3] && (count || mode_q == G_SYN || mode_q == G_UPDATE);
  assign row_region = count || state_q == IDLE;
  for (genvar i = 0; i < 2; i++) begin : gen_rows
    logic own;
    assign own = own_feed && (!count || done_q.block == 1'(i));
    row_writer #(
        .R(R),
        .WORD(WORD),
        .STRIDE(STRIDE),
        .ROW_BITS(RowBits)
    ) u_rows (
        .clk_i,
        .clear_i,
        .valid_i(feed_valid_i || own),
        .first_i(own ? done_q.word == 0 : feed_first_i),
        .last_i(own ? done_q.word == word_t'(Words - 1) : feed_last_i),
        .word_i(own ? sum_q : feed_word_i),
        .we_o(row_we[i]),
        .row_o(row[i]),
        .data_o(row_data[i])
    );
  end

  // --- Weight of the syndrome, threshold ---------------------------------------------------------
  if (DECODER) begin : gen_threshold
    localparam int WeightBits = $clog2(R + 1);
    logic [WeightBits-1:0] weight_q;
    logic [$clog2(WORD+1)-1:0] ones, ones_q;
    logic add_q, masked;
    logic [Bits-1:0] threshold;
    weight_of #(
        .WIDTH(WORD)
    ) u_weight (
        .bits_i(sum_q),
        .weight_o(ones)
    );
    assign masked = mode_q == G_BLACK || mode_q == G_GRAY;
    bike_threshold #(
        .LEVEL(LEVEL)
    ) u_threshold (
        .clk_i,
        .clear_i,
        .weight_i(weight_q),
        .masked_i(masked),
        .threshold_o(threshold),
        .start_o(threshold_start)
    );
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        {weight_q, ones_q, add_q} <= '0;
      end else begin
        ones_q <= ones;
        add_q <= step_q[3] && !count;
        if (start_i && (mode_i == G_SYN || mode_i == G_UPDATE)) weight_q <= '0;
        else if (add_q) weight_q <= weight_q + WeightBits'(ones_q);
      end
    end
    logic unused;
    assign unused = &{1'b0, threshold};
  end else begin : gen_no_threshold
    assign threshold_start = '0;
  end
endmodule
