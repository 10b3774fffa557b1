// SPDX-License-Identifier: Apache-2.0 OR MIT
// Draws distinct positions below n from a stream of 32-bit words [HQC, S5.2, S5.3]: sets their bits
// in a slot of zeros, which also shows what was drawn, and gives each as position_o.
//   DRAW_REJECT  WEIGHT_KEY positions from candidates of 3 bytes. A draw that follows another one
//                on the same stream begins at the byte behind its last candidate.
//   DRAW_FIXED   WEIGHT_ERROR positions from a word each: index + word * (n - index) / 2^32, or the
//                index itself if the position of a higher index is the same. Words come from index
//                0 up and repeats are settled from the last index down, so the positions wait in a
//                list for that. Only on a stream from which nothing was drawn by DRAW_REJECT.
//   ERASE        sets the slot to zero, a word a cycle
// Latency, from start_i to done_o, and what the words are waited for besides: DRAW_FIXED
// 5 WEIGHT_ERROR + 5 cycles, a word in each cycle from the first on. DRAW_REJECT 3 WEIGHT_KEY + 6
// cycles, a candidate each 3 cycles, and 3 cycles for each candidate that is rejected, or up to 9
// if it was one of the last. ERASE: Words. All but the number and the order of rejections, which
// [HQC, S15.2] allows to be known, is independent of data: the addresses of the memory depend on
// secrets, the time of a block RAM does not.
//
// Stages of a candidate, of 3 cycles each, in which three candidates are at work:
//   1  the products by 2^32/n; their sum, which is the quotient by n or the one below it
//   2  the product of the quotient by n; the remainder; from which n is taken if it is not below
//   3  asks for the word of the position; sets the bit there, which was set before if the position
//      is a repeat; counts the candidate
// A position of DRAW_FIXED goes through stage 1, a cycle each, and later through stage 3, which
// takes 4 cycles then: it asks for the word of the index, too, and sets the bit there for a repeat.
// A word is so never read in the cycle in which it is written. No candidate is asked for that could
// be one too many.
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
    input  logic                 restart_i,         // another stream: no bytes are left of a word
    input  logic                 word_valid_i,
    output logic                 word_next_o,       // taken
    input  logic [31:0]          word_i,
    output logic                 position_valid_o,
    output logic [IndexBits-1:0] position_o,        // zero without position_valid_o
    output word_read_t           poly_read_o,
    input  logic [WORD-1:0]      poly_rdata_i,
    output word_write_t          poly_write_o,
    output logic [WORD-1:0]      poly_wdata_o,
    input  logic                 wipe_i,
    input  logic [15:0]          wipe_addr_i
);
  localparam int Words = words_of(LEVEL, WORD);
  localparam int BitBits = $clog2(WORD);
  localparam int CountBits = $clog2(draws_depth(LEVEL));
  localparam logic [23:0] RejectFrom = 24'(reject_from(LEVEL));
  localparam logic [17:0] Barrett = 18'(barrett_factor(LEVEL));
  typedef logic [CountBits-1:0] count_t;
  typedef logic [BitBits-1:0] bit_t;
  typedef logic [IndexBits-1:0] position_t;
  typedef logic [IndexBits:0] wide_t;  // below 2 n

  typedef enum logic [2:0] {
    IDLE,
    ERASING,
    DRAWING,   // DRAW_FIXED: positions into the list
    SETTLING,  // DRAW_FIXED: repeats
    REJECTING
  } state_e;
  state_e state_q;
  logic [2:0] slot_q;
  logic [1:0] step_q;  // the cycle of a stage
  logic [9:0] word_addr_q;
  count_t left_q;  // draws that may still be asked for
  count_t entry_q;  // positions drawn, or the entry of the list that is written or read
  logic some_q;  // draws are left

  // --- Candidates of 24 bits, from words of 32 and what is left of the word before ---------------
  logic [1:0] phase_q;  // bytes that are left, counted down: 0, 3, 2, 1
  logic [31:8] before_q;
  logic [23:0] candidate;
  logic ask, hold;  // a draw is taken; the words are late
  always_comb begin
    unique case (phase_q)
      2'd0: candidate = word_i[23:0];
      2'd1: candidate = {word_i[15:0], before_q[31:24]};
      2'd2: candidate = {word_i[7:0], before_q[31:16]};
      default: candidate = before_q;
    endcase
  end
  logic first_step, there;
  assign first_step = state_q == REJECTING && step_q == 2'd0;
  assign there = word_valid_i || phase_q == 2'd3;
  assign hold = first_step && some_q && !there;
  assign ask = some_q && (first_step ? there : state_q == DRAWING && word_valid_i);
  assign word_next_o = ask && (state_q == DRAWING || phase_q != 2'd3);

  // --- Stages 1 and 2: arithmetic ----------------------------------------------------------------
  logic [31:0] word_q;
  logic [17:0] factor_q;
  logic [33:16] low_q;
  logic [33:0] high_q;
  logic [15:0] scaled_q;
  logic first_q, second_q, third_q;  // DRAWING: the factors, products, sum are those of a word
  position_t drawn;
  wide_t below_q, multiple_q, remainder_q, less;
  logic one_q, two_q, two_over_q;  // stages have a candidate; it is rejected
  assign drawn = position_t'(scaled_q) + position_t'(entry_q);
  assign less = remainder_q - wide_t'(N);  // its top bit: below zero

  // --- Stage 3: look-up --------------------------------------------------------------------------
  // The bit of a word is looked for in two steps, in groups of 8 and then in one of each group.
  logic three_q, three_over_q;
  count_t index_q;
  position_t place_q;
  logic [WORD/8-1:0] group_q, upper;
  logic [WORD/8-1:0][7:0] groups;
  logic [7:0] lower;
  bit_t at;
  logic found, settle, last_step, counts, accept, write, set, last;
  assign groups = poly_rdata_i;
  assign found = group_q[place_q[BitBits-1:3]];
  assign settle = state_q == SETTLING;
  assign last_step = step_q == (settle ? 2'd3 : 2'd2);
  assign counts = three_q && last_step;
  assign accept = counts && (settle || !(found || three_over_q));
  assign write = three_q && step_q[0];
  assign set = write && (step_q[1] ? found : !three_over_q);
  assign at = step_q[1] ? bit_t'(index_q) : place_q[BitBits-1:0];
  assign last = settle ? index_q == '0 : entry_q == count_t'(weight_key(LEVEL) - 1);

  // --- The list of positions whose repeats are not settled ---------------------------------------
  logic list_write, list_full;
  position_t list_rdata;
  assign list_write = state_q == DRAWING && third_q;
  assign list_full = list_write && entry_q == count_t'(weight_error(LEVEL) - 1);
  kem_memory #(
      .WIDTH(IndexBits),
      .DEPTH(2 ** CountBits)
  ) u_list (
      .clk_i,
      .we_i(list_write),
      .waddr_i(entry_q),
      .wdata_i(drawn),  // zero after a clear
      .raddr_i(entry_q),
      .rdata_o(list_rdata),
      .wipe_i,
      .wipe_addr_i
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= IDLE;
      {slot_q, step_q, word_addr_q, left_q, entry_q, some_q} <= '0;
      {word_q, factor_q, low_q, high_q, scaled_q, first_q, second_q, third_q} <= '0;
      {below_q, multiple_q, remainder_q, one_q, two_q, two_over_q} <= '0;
      {three_q, three_over_q, index_q, place_q, group_q} <= '0;
    end else if (start_i) begin
      state_q <= draw_i == ERASE ? ERASING : draw_i == DRAW_FIXED ? DRAWING : REJECTING;
      slot_q <= slot_i;
      left_q <= draw_i == DRAW_FIXED ? count_t'(weight_error(LEVEL))
                                     : count_t'(weight_key(LEVEL));
      some_q <= 1'b1;
      {step_q, word_addr_q, entry_q, first_q, second_q, third_q} <= '0;
      {one_q, two_q, three_q} <= '0;
    end else begin
      if (state_q == ERASING) word_addr_q <= word_addr_q + 1'b1;
      if (ask) begin
        left_q <= left_q - 1'b1;
        some_q <= left_q != count_t'(1);
      end
      // A product and a sum in each cycle; what is not used does no harm.
      low_q <= 18'((34'(word_q[15:0]) * 34'(factor_q)) >> 16);
      high_q <= 34'(word_q[31:16]) * 34'(factor_q);
      scaled_q <= 16'((35'(high_q) + 35'(low_q)) >> 16);
      multiple_q <= wide_t'(34'(scaled_q) * 34'(N));
      factor_q <= state_q == DRAWING ? 18'(N - weight_error(LEVEL)) + 18'(left_q) : Barrett;
      if (state_q == DRAWING) begin
        word_q <= {word_i[31:24], candidate};  // phase_q is 0
        {first_q, second_q, third_q} <= {ask, first_q, second_q};
        if (list_write && !list_full) entry_q <= entry_q + 1'b1;
        if (list_full) begin
          state_q <= SETTLING;
          step_q <= 2'd2;
          two_q <= 1'b1;
        end
      end
      if ((settle || state_q == REJECTING) && !hold) begin
        step_q <= last_step ? 2'd0 : step_q + 2'd1;
        unique case (step_q)
          2'd0: begin
            word_q <= 32'(candidate);
            below_q <= wide_t'(word_q);
            two_over_q <= word_q[23:0] >= RejectFrom;
            if (!settle) {one_q, two_q} <= {ask, one_q};
          end
          2'd1: begin
            remainder_q <= below_q - multiple_q;
            for (int i = 0; i < WORD / 8; i++) group_q[i] <= groups[i][place_q[2:0]];
          end
          default: ;
        endcase
        if (last_step) begin
          place_q <= settle ? list_rdata
                     : less[IndexBits] ? position_t'(remainder_q) : position_t'(less);
          index_q <= entry_q;
          three_q <= two_q;
          three_over_q <= two_over_q && !settle;
          if (settle) begin
            entry_q <= entry_q - 1'b1;
            if (entry_q == '0) two_q <= 1'b0;
          end else if (accept) begin
            entry_q <= entry_q + 1'b1;
          end else if (counts) begin
            left_q <= left_q + 1'b1;
            some_q <= 1'b1;
          end
        end
      end
      if (done_o) begin
        state_q <= IDLE;
        three_q <= 1'b0;
      end
    end
    if (clear_i || restart_i) begin
      {phase_q, before_q} <= '0;
    end else if (ask && state_q == REJECTING) begin
      phase_q <= phase_q + 2'd1;
      if (word_next_o) before_q <= word_i[31:8];
    end
  end

  assign done_o = (accept && last)
               || (state_q == ERASING && word_addr_q == 10'(Words - 1));
  assign position_valid_o = accept;
  assign position_o = !accept ? '0 : settle && found ? position_t'(index_q) : place_q;

  // --- The slot ----------------------------------------------------------------------------------
  always_comb begin
    poly_read_o = '0;
    if (three_q && !step_q[0]) begin
      poly_read_o.slot = slot_q;
      poly_read_o.word = step_q[1] ? 10'(index_q >> BitBits) : 10'(place_q >> BitBits);
    end
    poly_write_o = '0;
    if (state_q == ERASING) begin
      poly_write_o = '{valid: 1'b1, slot: slot_q, word: word_addr_q};
    end else if (write) begin
      poly_write_o.valid = 1'b1;
      poly_write_o.slot = slot_q;
      poly_write_o.word = step_q[1] ? 10'(index_q >> BitBits) : 10'(place_q >> BitBits);
    end
    upper = set ? (WORD / 8)'(1) << at[BitBits-1:3] : '0;
    lower = 8'd1 << at[2:0];
    for (int i = 0; i < WORD; i++) begin
      poly_wdata_o[i] = (write && poly_rdata_i[i]) || (upper[i/8] && lower[i%8]);
    end
  end

`ifdef FORMAL
  always_comb begin
    known_state : assert (state_q inside {IDLE, ERASING, DRAWING, SETTLING, REJECTING});
    steps : assert (settle || step_q <= 2'd2);
    left : assert (some_q || left_q == '0);
    if (state_q == IDLE) idle : assert (!three_q);
    if (state_q == ERASING) erases_in_bounds : assert (32'(word_addr_q) < Words);
    if (poly_write_o.valid) writes_at_work : assert (state_q != IDLE);
  end
`endif
endmodule
