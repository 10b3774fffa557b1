// SPDX-License-Identifier: Apache-2.0 OR MIT
// Draws distinct positions below n from a stream of 32-bit words [HQC, S5.2, S5.3]: sets their bits
// in a slot of zeros, which also shows what was drawn, and gives each as position_o.
//   DRAW_REJECT  WEIGHT_KEY positions from candidates of 3 bytes. A draw that follows another one
//                on the same stream begins at the byte behind its last candidate.
//   DRAW_FIXED   WEIGHT_ERROR positions from a word each: index + word * (n - index) / 2^32, or the
//                index itself if the position of a higher index is the same. Words come from index
//                0 up and repeats are settled from the last index down, so the positions wait in a
//                list for that. While they are settled, the words of the next draw are taken, until
//                those of three. Not on a stream from which something was drawn by DRAW_REJECT.
//   ERASE        sets the slot to zero, a word a cycle
// Latency, from start_i to done_o, and what the words are waited for besides: the first DRAW_FIXED
// on a stream 3 WEIGHT_ERROR + 9 + 2 Low cycles, with Low = ceil(WEIGHT_ERROR/WORD); the second and
// third 2 WEIGHT_ERROR + 7 + 2 Low, if their words have been taken. DRAW_REJECT 3 WEIGHT_KEY + 8
// cycles, a candidate each 3 cycles, and 3 cycles for each candidate that is rejected, or up to 9
// if it was one of the last. ERASE: Words. All but the number and the order of rejections, which
// [HQC, S15.2] allows to be known, is independent of data: the addresses of the memory depend on
// secrets, the time of a block RAM does not. A word that is read while it is written is not used.
//
// Stages of a candidate, of 3 cycles each, in which three candidates are at work:
//   1  the products by 2^32/n; their sum, which is the quotient by n or the one below it
//   2  the product of the quotient by n; the remainder; from which n is taken if it is not below
//   3  asks for the word of the position, which comes two cycles later (kem_late); looks at the bit
//      there, which is set if the position is a repeat; counts the candidate; writes the word with
//      the bit, of DRAW_FIXED a cycle later, when the word of the next position has been read: if
//      that is the same one, it gets what is written
// No candidate is asked for that could be one too many.
// A position of DRAW_FIXED goes through stage 1, a cycle each, and later through stage 3, which has
// 2 cycles for it. Which indices stand for a repeat is noted beside the slot: in marks, which are
// looked at where the slot is, and in a shift register, which goes into the Low first words of the
// slot at the end.
module hqc_sampler
  import kem_pkg::*;
  import hqc_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,  // at least 16
    localparam int N = n_bits(LEVEL),
    localparam int IndexBits = $clog2(N)
) (
    input  logic                 clk_i,
    input  logic                 clear_i,
    input  logic                 start_i,
    input  draw_e                draw_i,
    input  logic [2:0]           slot_i,
    output logic                 done_o,
    input  logic                 restart_i,         // another stream: nothing is left of the last
    input  logic                 word_valid_i,
    output logic                 word_next_o,       // taken
    input  logic [31:0]          word_i,
    output logic                 position_valid_o,
    output logic [IndexBits-1:0] position_o,        // zero without position_valid_o
    output word_read_t           poly_read_o,
    input  logic [WORD-1:0]      poly_late_i,
    output word_write_t          poly_write_o,
    output logic [WORD-1:0]      poly_wdata_o,
    output logic                 poly_merge_o,      // to write it ORed to poly_late_i
    output logic                 poly_forward_o,    // and to give it as the next poly_late_i
    input  logic                 wipe_i,
    input  logic [15:0]          wipe_addr_i
);
  localparam int Words = words_of(LEVEL, WORD);
  localparam int BitBits = $clog2(WORD);
  localparam int Key = weight_key(LEVEL);
  localparam int Error = weight_error(LEVEL);
  localparam int CountBits = $clog2(draws_depth(LEVEL));
  localparam int Low = (Error + WORD - 1) / WORD;
  localparam logic [23:0] RejectFrom = 24'(reject_from(LEVEL));
  localparam logic [17:0] Barrett = 18'(barrett_factor(LEVEL));
  initial begin
    assert (barrett_factor(LEVEL) < 2 ** 18)
    else $fatal(1, "hqc_sampler: n is too small for Barrett's factor of 18 bits");
  end
  typedef logic [CountBits-1:0] count_t;
  typedef logic [BitBits-1:0] bit_t;
  typedef logic [IndexBits-1:0] position_t;
  typedef logic [IndexBits:0] wide_t;  // below 2 n

  typedef enum logic [2:0] {
    IDLE,
    ERASING,
    WAITING,   // for the positions of a DRAW_FIXED
    SETTLING,  // their repeats
    MERGING,   // what was noted of them
    REJECTING
  } state_e;
  state_e state_q;
  logic busy_q;  // not IDLE
  logic [2:0] slot_q;
  logic [1:0] step_q;  // the cycle of a stage
  logic [9:0] word_addr_q;
  count_t left_q;  // draws that may still be asked for
  logic some_q, some;  // there are such; or the one in hand is rejected
  count_t entry_q;  // positions drawn; SETTLING: the entry of the list that is read

  // --- Words of DRAW_FIXED -----------------------------------------------------------------------
  logic drawing_q, full_q;  // words are taken; the positions of all of them are in the list
  logic half_q;  // of the list, in which the positions are
  logic [1:0] draws_q;  // that have begun on this stream; 3 for more
  logic first_q, second_q, third_q;  // factors, products, sum are those of a word
  count_t filled_q;  // positions in the list
  logic begins, list_full, settles;
  assign begins = start_i ? draw_i == DRAW_FIXED && !drawing_q && !full_q
                          : settles && draws_q != 2'd3;
  assign list_full = third_q && filled_q == count_t'(Error - 1);
  assign settles = state_q == WAITING && (full_q || list_full);

  // --- Candidates of 24 bits, from words of 32 and what is left of the word before ---------------
  logic [1:0] phase_q;  // bytes that are left, counted down: 0, 3, 2, 1
  logic [31:8] before_q;
  logic [23:0] candidate;
  logic rejecting, first_step, there, ask, hold;  // ask: a draw is taken; hold: the words are late
  always_comb begin
    unique case (phase_q)
      2'd0: candidate = word_i[23:0];
      2'd1: candidate = {word_i[15:0], before_q[31:24]};
      2'd2: candidate = {word_i[7:0], before_q[31:16]};
      default: candidate = before_q;
    endcase
  end
  assign rejecting = state_q == REJECTING;
  assign first_step = rejecting && step_q == 2'd0;
  assign there = word_valid_i || phase_q == 2'd3;
  assign hold = first_step && some && !there;
  // A word is taken if it is there and a draw may still be asked for, but not for what is left.
  logic takes;
  assign takes = some && (first_step ? phase_q != 2'd3 : drawing_q);
  assign ask = some && (first_step ? there : drawing_q && word_valid_i);
  assign word_next_o = takes && word_valid_i;

  // --- Stages 1 and 2: arithmetic ----------------------------------------------------------------
  logic [31:0] word_q;
  logic [17:0] factor_q;
  logic [33:16] low_q;
  logic [33:0] high_q;
  logic [15:0] scaled_q;
  position_t drawn;
  wide_t below_q, multiple_q, remainder_q, less;
  logic one_q, two_q, two_over_q;  // stages have a candidate; it is rejected
  assign drawn = position_t'(scaled_q) + position_t'(filled_q);
  assign less = remainder_q - wide_t'(N);  // its top bit: below zero

  // --- Stage 3: look-up --------------------------------------------------------------------------
  // The bit of a word is chosen by a register for each bit; none is set for a position that is
  // rejected anyway. When it is looked at, another position may be in stage 3 already.
  logic three_q, four_q, over_q;
  count_t index_q, index_d_q;
  position_t place_q, place_d_q;
  logic [9:0] written_q;  // the word in which bit_q is
  logic [WORD-1:0] bit_q;
  logic found, settle, last_step, looks, rejected, accept;
  logic counts_q, found_q;  // a candidate is counted; it is a repeat, or too large
  logic keep_q, write;  // bit_q is to be written
  logic marks[0:2**CountBits-1];  // of each index: it stands for a repeat
  word_read_t asked;
  // A place is not below its index. If it is the index, whose mark is still that of an earlier
  // draw, the position is the index with or without it.
  assign found = |(poly_late_i & bit_q)
              || (settle && marks[place_d_q[CountBits-1:0]] && place_d_q < position_t'(Error));
  assign settle = state_q == SETTLING;
  assign last_step = rejecting ? step_q == 2'd2 : step_q == 2'd1;
  assign looks = four_q && step_q == (rejecting ? 2'd2 : 2'd0);
  assign rejected = counts_q && rejecting && found_q;
  assign accept = counts_q && !rejected;
  assign some = some_q || rejected;

  // --- What is noted of repeats ------------------------------------------------------------------
  logic [Error-1:0] noted_q;
  logic [Low*WORD-1:0] noted;
  logic merging, last_merge, ended_q;
  always_ff @(posedge clk_i) begin
    if ((counts_q && settle) || wipe_i) begin
      marks[index_d_q | (wipe_i ? wipe_addr_i[CountBits-1:0] : '0)] <= found_q && !wipe_i;
    end
  end
  assign noted = (Low * WORD)'(noted_q);
  assign merging = state_q == MERGING;
  assign last_merge = merging && step_q == 2'd1 && word_addr_q == 10'(Low);

  // --- The list of positions whose repeats are not settled, and that of the next draw ------------
  position_t list_rdata;
  kem_memory #(
      .WIDTH(IndexBits),
      .DEPTH(2 ** (CountBits + 1))
  ) u_list (
      .clk_i,
      .we_i(third_q),
      .waddr_i({half_q, filled_q}),
      .wdata_i(drawn),  // zero after a clear
      .raddr_i({!half_q, entry_q}),
      .rdata_o(list_rdata),
      .wipe_i,
      .wipe_addr_i
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {word_q, factor_q, low_q, high_q, scaled_q, multiple_q} <= '0;
    end else begin
      // A product and a sum in each cycle; what is not used does no harm.
      if (drawing_q) word_q <= {word_i[31:24], candidate};  // phase_q is 0
      else if (first_step && !hold) word_q <= 32'(candidate);
      factor_q <= drawing_q ? 18'(N - Error) + 18'(left_q) : Barrett;
      low_q <= 18'((34'(word_q[15:0]) * 34'(factor_q)) >> 16);
      high_q <= 34'(word_q[31:16]) * 34'(factor_q);
      scaled_q <= 16'((35'(high_q) + 35'(low_q)) >> 16);
      multiple_q <= wide_t'(34'(scaled_q) * 34'(N));
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || restart_i) begin
      {drawing_q, full_q, half_q, draws_q, first_q, second_q, third_q, filled_q} <= '0;
      {phase_q, before_q} <= '0;
    end else begin
      {first_q, second_q, third_q} <= {drawing_q && ask, first_q, second_q};
      if (third_q) filled_q <= filled_q + 1'b1;
      if (list_full) drawing_q <= 1'b0;
      full_q <= (full_q || list_full) && !settles;
      if (settles) half_q <= !half_q;
      if (begins) begin
        drawing_q <= 1'b1;
        filled_q  <= '0;
        if (draws_q != 2'd3) draws_q <= draws_q + 1'b1;
      end
      if (rejecting && ask) begin
        phase_q <= phase_q + 2'd1;
        if (word_next_o) before_q <= word_i[31:8];
      end
    end
    if (clear_i) begin
      {left_q, some_q} <= '0;
    end else if (begins || (start_i && draw_i == DRAW_REJECT)) begin
      left_q <= begins ? count_t'(Error) : count_t'(Key);
      some_q <= 1'b1;
    end else if (ask && !rejected) begin
      left_q <= left_q - 1'b1;
      some_q <= left_q != count_t'(1);
    end else if (rejected && !ask) begin
      left_q <= left_q + 1'b1;
      some_q <= 1'b1;
    end
  end

  logic position_valid_q;
  position_t position_q;
  assign position_valid_o = position_valid_q;
  assign position_o = position_valid_q ? position_q : '0;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= IDLE;
      {slot_q, step_q, word_addr_q, entry_q, below_q, remainder_q} <= '0;
      {one_q, two_q, two_over_q, three_q, four_q, over_q, counts_q, found_q} <= '0;
      {index_q, index_d_q, place_q, place_d_q, written_q, noted_q} <= '0;
      {bit_q, keep_q, ended_q, position_valid_q, position_q} <= '0;
      busy_q <= 1'b0;
    end else if (start_i) begin
      state_q <= draw_i == ERASE ? ERASING : draw_i == DRAW_FIXED ? WAITING : REJECTING;
      slot_q <= slot_i;
      busy_q <= 1'b1;
      {step_q, word_addr_q, entry_q, one_q, two_q, three_q, four_q, keep_q} <= '0;
      counts_q <= 1'b0;
    end else begin
      position_valid_q <= accept;
      position_q <= settle && found_q ? position_t'(index_d_q) : place_d_q;
      counts_q <= looks;
      found_q <= found || (rejecting && over_q);
      ended_q <= rejecting && accept && entry_q == count_t'(Key - 1);
      if (state_q == ERASING || (merging && step_q == 2'd1)) word_addr_q <= word_addr_q + 1'b1;
      if (settles) begin
        state_q <= SETTLING;
        entry_q <= count_t'(Error - 1);
        two_q   <= 1'b1;
      end
      if ((settle || rejecting || merging) && !hold) begin
        step_q <= last_step ? 2'd0 : step_q + 2'd1;
        if (first_step) begin
          {one_q, two_q} <= {ask, one_q};
          below_q <= wide_t'(word_q);
          two_over_q <= word_q[23:0] >= RejectFrom;
        end
        if (step_q == 2'd1) begin
          remainder_q <= below_q - multiple_q;
          bit_q <= '0;
          for (int j = 0; j < Low; j++) begin
            if (merging && word_addr_q == 10'(j)) bit_q <= noted[WORD*j +: WORD];
          end
          if (three_q && !over_q) bit_q[place_q[BitBits-1:0]] <= 1'b1;
          keep_q <= three_q || (merging && word_addr_q != 10'(Low));
          written_q <= asked.word;
          place_d_q <= place_q;
          index_d_q <= index_q;
          four_q <= three_q;
        end
        if (last_step) begin
          place_q <= settle ? list_rdata
                   : less[IndexBits] ? position_t'(remainder_q) : position_t'(less);
          index_q <= entry_q;
          three_q <= two_q;
          over_q <= rejecting && two_over_q;
          if (settle) begin
            entry_q <= entry_q - 1'b1;
            if (entry_q == '0) two_q <= 1'b0;
          end
        end
      end
      if (rejecting && accept) entry_q <= entry_q + 1'b1;
      if (settle && counts_q) begin
        noted_q <= {noted_q[Error-2:0], found_q};
        if (index_d_q == '0) state_q <= MERGING;
      end
      if (done_o) begin
        state_q <= IDLE;
        busy_q <= 1'b0;
        {two_q, three_q, four_q, counts_q} <= '0;
        {bit_q, keep_q, ended_q, position_valid_q, position_q} <= '0;
      end
    end
  end

  assign done_o = ended_q || last_merge || (state_q == ERASING && word_addr_q == 10'(Words - 1));

  // --- The slot ----------------------------------------------------------------------------------
  // It is asked for a word in each cycle in which none is written, but the word is only taken where
  // a step says so.
  assign write = keep_q && step_q == (rejecting ? 2'd2 : 2'd1);
  always_comb begin
    asked = '0;
    if (busy_q) asked = '{slot: slot_q, word: three_q ? 10'(place_q >> BitBits) : word_addr_q};
    {poly_read_o, poly_write_o} = '0;
    if (write) poly_write_o = '{valid: 1'b1, slot: slot_q, word: written_q};
    else if (state_q == ERASING) poly_write_o = {1'b1, asked};
    else poly_read_o = asked;
    poly_wdata_o = write ? bit_q : '0;
    poly_merge_o = write;
    poly_forward_o = write && asked.word == written_q;
  end

`ifdef FORMAL
  always_comb begin
    starts_when_idle : assume (!start_i || state_q == IDLE);
    known_state : assert (state_q <= REJECTING);
    steps : assert (step_q <= (rejecting || state_q == IDLE ? 2'd2 : 2'd1));
    if (state_q inside {IDLE, ERASING, WAITING}) no_place : assert (!three_q && !four_q);
    if (state_q inside {WAITING, SETTLING}) from_word_0 : assert (word_addr_q == '0);
    if (counts_q && rejecting) counts : assert (step_q == 2'd0);
    if (ended_q) ends : assert (rejecting && step_q != 2'd2);
    if (state_q == ERASING) erases_in_bounds : assert (32'(word_addr_q) < Words);
    if (merging) merges_in_bounds : assert (32'(word_addr_q) <= Low);
    if (poly_write_o.valid) writes_at_work : assert (state_q != IDLE);
    one_address : assert (!poly_write_o.valid || poly_read_o == '0);
    knows_when_busy : assert (busy_q == (state_q != IDLE));
  end
`endif
endmodule
