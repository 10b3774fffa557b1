// SPDX-License-Identifier: Apache-2.0 OR MIT
// Products and the decoder's counters by one gather unit: bike_gather and, with hqc_i, hqc_product
// in one module. Modes, slots and what is done with a sum are those of these two, which say it; the
// register of a sum, the pass and its end are shared.
// Latency, from start_i to done_o: that of bike_gather or of hqc_product, independent of data.
// hqc_i changes between operations only.
module joint_gather
  import kem_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LANES = 8,
    parameter bit CLIENT = 1,  // 0: what Encaps needs only
    parameter int LOWER_FIRST_THRESHOLD = 0,  // see bike_threshold
    localparam int IndexBits = joint_pkg::index_bits(LEVEL),
    localparam int ListBits = joint_pkg::lane_list_bits(LEVEL, LANES),
    localparam int Padding = 8 * hqc_pkg::u_bytes(LEVEL) - hqc_pkg::n_bits(LEVEL)
) (
    input  logic                 clk_i,
    input  logic                 clear_i,
    input  logic                 hqc_i,
    input  logic                 reset_i,        // take u and v as equal
    input  logic                 start_i,
    input  logic [2:0]           mode_i,         // gather_e or product_e
    output logic                 done_o,
    output logic                 equal_o,        // u and v, as in hqc_product
    output logic                 sure_o,         // as in hqc_product, and the next one
    output logic                 upset_o,
    // rows and lists of the lanes
    input  logic                 feed_valid_i,
    input  logic                 feed_first_i,
    input  logic                 feed_last_i,
    input  logic [WORD-1:0]      feed_word_i,
    input  logic [LANES-1:0]     list_we_i,
    input  logic [ListBits-1:0]  list_waddr_i,
    input  logic [IndexBits+1:0] list_wdata_i,
    // HQC: as the ports of hqc_product
    input  logic [Padding-1:0]   padding_i,
    input  logic [Padding-2:0]   top_i,
    input  logic [WORD-1:0]      rm_i,
    output logic                 rm_upper_o,
    output logic                 symbol_next_o,
    output logic                 code_valid_o,
    output logic [WORD-1:0]      code_word_o,
    // polynomial memory
    output word_read_t           poly_read_o,
    input  logic [WORD-1:0]      poly_rdata_i,
    input  logic [WORD-1:0]      poly_late_i,    // HQC: two cycles after its address
    output word_write_t          poly_write_o,
    output logic [WORD-1:0]      poly_wdata_o,
    input  logic                 wipe_i,
    input  logic [15:0]          wipe_addr_i
);
  localparam int R = bike_pkg::r_bits(LEVEL);
  localparam int N = hqc_pkg::n_bits(LEVEL);
  localparam int BikeWords = bike_pkg::words_of(LEVEL, WORD);
  localparam int HqcWords = hqc_pkg::words_of(LEVEL, WORD);
  localparam int CodeWords = hqc_pkg::v_words(LEVEL, WORD);
  localparam int WordBits = $clog2(joint_pkg::words_of(LEVEL, WORD));
  localparam int GroupsKey = bike_pkg::groups_key(LEVEL, LANES);
  localparam int Bits = CLIENT ? bike_pkg::counter_bits(LEVEL) : 1;
  localparam int BikeLastStep = 3 + 2 * (WORD / STRIDE);  // the rows of the last words are complete
  localparam int HqcLastStep = 3;
  localparam logic [WORD-1:0] BikeMask = {WORD{1'b1}} >> (BikeWords * WORD - R);
  localparam logic [WORD-1:0] HqcMask = {WORD{1'b1}} >> (HqcWords * WORD - N);
  localparam logic [WORD-1:0] HqcBytes = {WORD{1'b1}} >> (HqcWords * WORD - 8 * hqc_pkg::u_bytes(
      LEVEL
  ));
  initial begin
    assert (GroupsKey >= 4 && hqc_pkg::groups_key(LEVEL, LANES) >= 6)
    else $fatal(1, "joint_gather: too many LANES");
    assert (WORD / STRIDE <= 8 && WORD / STRIDE <= GroupsKey)
    else $fatal(1, "joint_gather: STRIDE is too small: WORD/STRIDE is at most 8 and d/LANES");
  end

  // --- Modes, one signal each; all of a scheme are zero while the other one works ----------------
  typedef struct packed {
    logic err, syn, update, plain1, black, gray, count;  // BIKE; count: counters, not a sum
    logic key, code, add_code, check, decode, check_v, store;  // HQC
  } mode_t;
  function automatic mode_t mode_of(logic hqc, logic [2:0] code);
    bike_pkg::gather_e gather;
    hqc_pkg::product_e product;
    gather = bike_pkg::gather_e'(code);
    product = hqc_pkg::product_e'(code);
    mode_of = '0;
    if (!hqc) begin
      mode_of.err = gather == bike_pkg::G_ERR;
      mode_of.syn = CLIENT && gather == bike_pkg::G_SYN;
      mode_of.update = CLIENT && gather == bike_pkg::G_UPDATE;
      mode_of.plain1 = CLIENT && gather == bike_pkg::G_PLAIN1;
      mode_of.black = CLIENT && gather == bike_pkg::G_BLACK;
      mode_of.gray = CLIENT && gather == bike_pkg::G_GRAY;
      mode_of.count = CLIENT && gather >= bike_pkg::G_PLAIN1;
    end else begin
      mode_of.key = CLIENT && (product == hqc_pkg::G_S || product == hqc_pkg::G_DECODE);
      mode_of.decode = CLIENT && product == hqc_pkg::G_DECODE;
      mode_of.check_v = CLIENT && product == hqc_pkg::G_CHECK_V;
      mode_of.check = CLIENT && product >= hqc_pkg::G_CHECK_U;
      mode_of.add_code = product == hqc_pkg::G_V || mode_of.check_v;
      mode_of.code = mode_of.add_code || mode_of.decode;
      mode_of.store = product == hqc_pkg::G_U || product == hqc_pkg::G_V
                   || (CLIENT && product == hqc_pkg::G_S);
    end
  endfunction
  logic [2:0] code, code_q;
  mode_t mode, now;  // in the cycle of the start, too; from the cycle after it
  assign code = start_i ? mode_i : code_q;
  assign mode = mode_of(hqc_i, code);
  assign now = mode_of(hqc_i, code_q);

  // --- What is asked of the gather unit ----------------------------------------------------------
  logic busy_q;
  logic [4:0] flush_q;  // cycles since the last sum
  logic [ListBits-1:0] last_group;
  logic [WordBits-1:0] last_word;
  logic sum_soon, soon_second, sum_valid, sum_second, sum_last, initial_asked;
  logic [WordBits-1:0] soon_word, sum_word, initial_word, word_q;
  assign last_word = !hqc_i ? WordBits'(BikeWords - 1)
                   : mode.code ? WordBits'(CodeWords - 1) : WordBits'(HqcWords - 1);
  always_comb begin
    last_group = hqc_i ? ListBits'(hqc_pkg::groups_error(LEVEL, LANES) - 1) :
        ListBits'(GroupsKey - 1);
    if (mode.key) last_group = ListBits'(hqc_pkg::groups_key(LEVEL, LANES) - 1);
    if (mode.err) last_group = ListBits'(bike_pkg::groups_err(LEVEL, LANES) - 1);
    if (mode.update) last_group = ListBits'(bike_pkg::groups_update(LEVEL, LANES) - 1);
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {code_q, busy_q, flush_q} <= '0;
    end else begin
      code_q <= code;
      busy_q <= start_i || (busy_q && !done_o);
      flush_q <= sum_last ? 5'd1 : flush_q == 0 || done_o ? '0 : flush_q + 1'b1;
    end
  end
  assign done_o = flush_q == (hqc_i ? 5'(HqcLastStep) : 5'(BikeLastStep));

  // Counters start from the threshold's distance to their top bit, sums of HQC from a slot's word.
  logic [Bits*WORD-1:0] initial_planes, sum;
  logic [Bits-1:0] threshold_start;
  for (genvar i = 0; i < Bits; i++) begin : gen_initial  // the top bit is what counting sets
    localparam bit Top = CLIENT && i == Bits - 1;
    if (i == 0) begin : gen_low
      assign initial_planes[WORD-1:0] = (poly_late_i & {WORD{hqc_i}})
                                      | {WORD{now.count && threshold_start[0]}};
    end else begin : gen_high
      assign initial_planes[WORD*i +: WORD] = Top ? '0 : {WORD{now.count && threshold_start[i]}};
    end
  end
  logic own_feed, second_q;
  logic [WORD-1:0] sum_q, whole;
  logic guard_q;  // the parity of sum_q
  gather_unit #(
      .R(R),
      .LONG(N),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .BITS(Bits),
      .LIST(2 ** ListBits),
      .PARTS(2)
  ) u_unit (
      .clk_i,
      .clear_i,
      .long_i(hqc_i),
      .start_i,
      .last_word_i(last_word),
      .last_group_i(last_group),
      .two_i(mode.count),
      .list_i({ListBits'(GroupsKey),
               mode.count || hqc_i ? ListBits'(0) : ListBits'(2 * GroupsKey)}),
      .region_i(!mode.count && !hqc_i),
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
      .feed_valid_i({feed_valid_i || (own_feed && (!now.count || second_q)),
                     feed_valid_i || (own_feed && (!now.count || !second_q))}),
      .feed_first_i(own_feed ? word_q == 0 : feed_first_i),
      .feed_last_i(own_feed ? word_q == WordBits'(BikeWords - 1) : feed_last_i),
      .feed_region_i(!hqc_i && (now.count || !busy_q)),
      .feed_word_i(own_feed ? sum_q : feed_word_i),
      .list_we_i,
      .list_waddr_i,
      .list_wdata_i,
      .wipe_i,
      .wipe_addr_i
  );

  // --- What a word gets besides: HQC's code word, and what hqc_product says of padding -----------
  localparam int SymbolWords = hqc_pkg::rm_copies(LEVEL) * (128 / WORD);  // words of a symbol
  localparam int SymbolBits = $clog2(SymbolWords);
  logic cut_bike, cut_hqc;  // this sum is the last one, of which bits are left out
  logic [WORD-1:0] more, mask;
  logic [Padding-2:0] dropped;
  logic [SymbolBits-1:0] part_q;  // words of the symbol that have passed
  always_comb begin
    dropped = '0;
    for (int i = 1; i < Padding; i++) begin
      for (int j = 0; j < i; j++) dropped[i-1-j] = dropped[i-1-j] ^ (padding_i[i] & top_i[j]);
    end
    more = '0;
    if (now.add_code) begin
      more = rm_i;
      if (sum_word == '0) more = more ^ WORD'(dropped);
    end
    cut_bike = sum_valid && !hqc_i && sum_word == WordBits'(BikeWords - 1);
    cut_hqc = sum_valid && hqc_i && sum_word == WordBits'(HqcWords - 1);
    mask = cut_bike ? BikeMask : cut_hqc ? HqcMask : '1;
  end
  assign rm_upper_o = WORD == 64 && part_q[0];
  assign symbol_next_o = sum_valid && now.add_code && part_q == SymbolBits'(SymbolWords - 1);

  // --- After each sum: four steps ----------------------------------------------------------------
  // BIKE:
  // sum_valid  e (or e0) is read; sum_q is the sum, or what is at least the threshold
  //         1  and with e (black), plus e0 (err); the gray positions are read
  //         2  and with the gray (gray): the flips
  //         3  e and the flips, or the product, is written; flips or the syndrome become rows
  //         4  the gray positions are written
  // HQC:
  // sum_valid  the received word is read; sum_q is the sum
  //         1  it is written or decoded
  //         2  it is compared
  logic [4:1] step_q;
  logic [WORD-1:0] at_least, gray, gray_q, keep_q;
  typedef enum logic [1:0] {
    SUM,
    ADD,
    AND
  } take_e;
  take_e take;
  logic change;
  if (CLIENT) begin : gen_compare
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
    change = (step_q[1] && now.black) || (step_q[2] && now.gray);
    if (step_q[1] && now.err) {take, change} = {ADD, 1'b1};
    if (sum_valid) {take, change} = {SUM, 1'b1};
    unique case (take)
      SUM: whole = now.count ? at_least : sum[WORD-1:0] ^ more;
      ADD: whole = sum_q ^ poly_rdata_i;
      default: whole = sum_q & poly_rdata_i;  // after G_PLAIN1 e is its flips
    endcase
  end
  assign upset_o = ^{sum_q, guard_q};
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {step_q, second_q, word_q, sum_q, guard_q, gray_q, part_q} <= '0;
    end else begin
      step_q <= {step_q[3:1], sum_valid};
      if (start_i) part_q <= '0;
      else if (sum_valid) part_q <= symbol_next_o ? '0 : part_q + 1'b1;
      if (sum_valid) {second_q, word_q} <= {sum_second, sum_word};
      if (sum_valid) gray_q <= mask & gray;
      if (change) begin
        sum_q <= whole & mask;
        guard_q <= ^(whole & BikeMask & HqcMask) ^ (!cut_bike && ^(whole & ~BikeMask & HqcMask))
                 ^ (!cut_hqc && ^(whole & BikeMask & ~HqcMask))
                 ^ (!cut_bike && !cut_hqc && ^(whole & ~BikeMask & ~HqcMask));
      end
    end
    if (clear_i || start_i) keep_q <= '0;  // HQC writes before a word is kept
    else if (step_q[1]) keep_q <= !now.count || now.plain1 ? '0 : poly_rdata_i;
  end
  assign own_feed = step_q[3] && (now.count || now.syn || now.update);

  logic write_product, write_sum, write_gray;
  word_read_t read_q, read_n;
  always_ff @(posedge clk_i) read_q <= clear_i ? '0 : read_n;
  assign poly_read_o = read_q;
  assign write_product = step_q[1] && now.store;
  assign write_sum = step_q[3] && !hqc_i && !now.syn && !now.update;
  assign write_gray = step_q[4] && now.plain1;
  always_comb begin
    read_n = '0;
    if (hqc_i) begin
      if (initial_asked) begin
        read_n.slot = now.add_code ? hqc_pkg::SLOT_B
                    : now.decode ? hqc_pkg::SLOT_V : hqc_pkg::SLOT_A;
        read_n.word = 10'(initial_word);
      end else if (sum_soon && now.check) begin
        read_n.slot = now.check_v ? hqc_pkg::SLOT_V : hqc_pkg::SLOT_U;
        read_n.word = 10'(soon_word);
      end
    end else if (sum_soon) begin
      read_n.slot = soon_second ? bike_pkg::SLOT_A1 : bike_pkg::SLOT_A0;
      read_n.word = 10'(soon_word);
    end else if (sum_valid) begin
      read_n.slot = sum_second ? bike_pkg::SLOT_G1 : bike_pkg::SLOT_G0;
      read_n.word = 10'(sum_word);
    end
    poly_write_o = '0;
    if (write_product || write_sum || write_gray) begin
      poly_write_o = '{valid: 1'b1, slot: bike_pkg::SLOT_C, word: 10'(word_q)};
    end
    if (write_product) poly_write_o.slot = now.add_code ? hqc_pkg::SLOT_B : hqc_pkg::SLOT_A;
    else if (write_gray) poly_write_o.slot = second_q ? bike_pkg::SLOT_G1 : bike_pkg::SLOT_G0;
    else if (write_sum && now.count) begin
      poly_write_o.slot = second_q ? bike_pkg::SLOT_A1 : bike_pkg::SLOT_A0;
    end
  end
  assign poly_wdata_o = write_gray ? gray_q : write_sum || write_product ? sum_q ^ keep_q : '0;

  // --- HQC: the decoder's words, the comparison --------------------------------------------------
  localparam int Piece = 16;  // bits that are compared at once
  localparam int CountBits = $clog2(HqcWords + CodeWords + 1);
  logic compare_q, equal_q, different_q;
  logic [CountBits-1:0] compared_q;  // words, since reset_i
  logic [WORD-1:0] received;
  logic [WORD/Piece-1:0] differ_q, same_q;  // same_q: the opposite
  assign received = poly_late_i & (word_q == WordBits'(HqcWords - 1) ? HqcBytes : '1);
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {compare_q, differ_q, equal_q, different_q, compared_q} <= '0;
      same_q <= '1;
    end else begin
      compare_q <= step_q[2] && now.check;
      for (int i = 0; i < WORD / Piece; i++) begin
        differ_q[i] <= sum_q[Piece*i +: Piece] != received[Piece*i +: Piece];
        same_q[i] <= sum_q[Piece*i +: Piece] == received[Piece*i +: Piece];
      end
      if (reset_i) equal_q <= 1'b1;
      else if (compare_q && differ_q != '0) equal_q <= 1'b0;
      if (reset_i) {different_q, compared_q} <= '0;
      else if (compare_q) begin
        different_q <= different_q || same_q != '1;
        compared_q <= compared_q + 1'b1;
      end
    end
  end
  assign equal_o = equal_q;
  assign sure_o = equal_q != different_q && compared_q == CountBits'(HqcWords + CodeWords);
  assign code_valid_o = step_q[1] && now.decode;
  assign code_word_o = code_valid_o ? sum_q : '0;

  // --- BIKE: weight of the syndrome, threshold, as in bike_gather --------------------------------
  if (CLIENT) begin : gen_threshold
    localparam int WeightBits = $clog2(R + 1);
    localparam int CountPiece = WORD <= 128 ? 16 : 32;  // bits that are counted in one cycle
    logic [WORD/CountPiece-1:0][$clog2(CountPiece+1)-1:0] pieces, pieces_q;
    logic [$clog2(WORD+1)-1:0] ones, ones_q;
    logic [WeightBits-1:0] weight_q;
    logic counted_q, add_q;
    for (genvar i = 0; i < WORD / CountPiece; i++) begin : gen_piece
      weight_of #(
          .WIDTH(CountPiece)
      ) u_weight (
          .bits_i(sum_q[CountPiece*i +: CountPiece]),
          .weight_o(pieces[i])
      );
    end
    always_comb begin
      ones = '0;
      for (int i = 0; i < WORD / CountPiece; i++) ones = ones + $bits(ones)'(pieces_q[i]);
    end
    bike_threshold #(
        .LEVEL(LEVEL),
        .LOWER_FIRST_THRESHOLD(LOWER_FIRST_THRESHOLD)
    ) u_threshold (
        .clk_i,
        .clear_i,
        .weight_i(weight_q),
        .masked_i(now.black || now.gray),
        .first_i(now.plain1),
        .start_o(threshold_start)
    );
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        {weight_q, pieces_q, ones_q, counted_q, add_q} <= '0;
      end else begin
        pieces_q <= pieces;
        ones_q <= ones;
        {counted_q, add_q} <= {step_q[3] && (now.syn || now.update), counted_q};
        if (start_i && (mode.syn || mode.update)) weight_q <= '0;
        else if (add_q) weight_q <= weight_q + WeightBits'(ones_q);
      end
    end
  end else begin : gen_no_threshold
    assign threshold_start = '0;
  end
endmodule
