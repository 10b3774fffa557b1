// SPDX-License-Identifier: Apache-2.0 OR MIT
// Draws distinct positions from 32-bit words, as fixed-weight samplers do: from index weight - 1
// down to 0, the position is index + word * (length - index) / 2^32, and the index itself if that
// position was drawn before. Sets their bits in a slot of zeros, which also shows what was drawn,
// and writes a list of them. The length is POSITIONS, or with pair_i twice that, in two slots.
// With erase_i it sets the slots to zero instead, a word a cycle.
// Latency, from start_i to done_o: 4 Weight + 8 cycles, and what the words are waited for; from
// words to words are 4 cycles. Erasing: Words or 2 Words. Independent of data: the addresses of the
// memory depend on secrets, the time of a block RAM does not.
//
// Stages, of 4 cycles each, in which three positions are at work:
//   1  the word and the length; their products; the sum of these
//   2  the position; in which half it is; where there, in the last cycle
//   3  asks for the word of the position; asks for the word of the index, looks at the first one;
//      takes the second one instead if the first has the bit; writes
// A word is so never read in the cycle in which it is written, and not before what was written.
// What is written comes from registers: block RAM to block RAM would be the core's slowest path.
module kem_sampler
  import kem_pkg::*;
#(
    parameter int WORD = 128,  // at least 16
    parameter int POSITIONS = 12323,
    localparam int IndexBits = $clog2(POSITIONS)
) (
    input  logic            clk_i,
    input  logic            clear_i,
    input  logic            start_i,   // with what follows
    input  logic            erase_i,
    input  logic            pair_i,
    input  logic [2:0]      slot_i,    // the first slot; the second is the next one
    input  logic [8:0]      weight_i,  // 1 to POSITIONS
    input  logic [8:0]      list_i,    // first entry: a power of two at least as large as weight_i,
                                       // or a multiple of one
    output logic            done_o,
    input  logic            word_valid_i,
    output logic            word_next_o,  // taken
    input  logic [31:0]     word_i,
    output word_read_t      poly_read_o,
    input  logic [WORD-1:0] poly_rdata_i,
    output word_write_t     poly_write_o,
    output logic [WORD-1:0] poly_wdata_o,
    output entry_write_t    list_write_o  // {in the second slot, position in it}
);
  localparam int Words = (POSITIONS + WORD - 1) / WORD;
  localparam int BitBits = $clog2(WORD);
  localparam int LengthBits = $clog2(2 * POSITIONS + 1);
  typedef logic [BitBits-1:0] bit_t;
  typedef logic [LengthBits-1:0] length_t;

  logic erasing_q, drawing_q, pair_q;
  logic [2:0] slot_q;
  logic [8:0] list_q;
  logic [1:0] step_q;  // the cycle of a stage, 0 to 3
  logic more_q;  // words are to be taken
  logic two_q, three_q;  // stages 2 and 3 have a position
  logic hold, last_word;

  // --- Stage 1 and 2: arithmetic -----------------------------------------------------------------
  logic [8:0] index1_q, index2_q, index3_q, next_q;
  logic [31:0] word_q;
  length_t length_q, position_q;
  logic [16+LengthBits-1:0] low_q, high_q;
  length_t scaled_q;
  logic [16+LengthBits:0] sum;
  assign sum = (17+LengthBits)'(high_q) + (17+LengthBits)'(low_q[16 +: LengthBits]);
  assign hold = step_q == 2'd0 && more_q && !word_valid_i;
  assign word_next_o = drawing_q && step_q == 2'd0 && more_q && word_valid_i;

  logic second, second2_q, second3_q;
  logic [2:0] slot3_q;  // in which place3_q is
  logic [IndexBits-1:0] place3_q;
  assign second = position_q >= length_t'(POSITIONS);

  // --- Stage 3: look-up --------------------------------------------------------------------------
  logic [WORD-1:0] look_q, bit_of;
  logic found, write;
  function automatic logic [WORD-1:0] one_bit(bit_t at);
    logic [WORD/8-1:0] upper;
    logic [7:0] lower;
    upper = (WORD / 8)'(1) << at[BitBits-1:3];
    lower = 8'd1 << at[2:0];
    for (int i = 0; i < WORD; i++) one_bit[i] = upper[i/8] & lower[i%8];
  endfunction
  assign bit_of = one_bit(place3_q[BitBits-1:0]);
  assign found = look_q[place3_q[BitBits-1:0]];
  assign write = three_q && step_q == 2'd3;

  // --- Erasing -----------------------------------------------------------------------------------
  logic [9:0] word_addr_q;
  logic half_q;
  assign last_word = word_addr_q == 10'(Words - 1);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {erasing_q, drawing_q, pair_q, slot_q, list_q, step_q, more_q, two_q, three_q} <= '0;
      {index1_q, index2_q, index3_q, next_q, word_q, length_q, position_q} <= '0;
      {low_q, high_q, scaled_q, second2_q, second3_q, slot3_q, place3_q} <= '0;
      {look_q, word_addr_q, half_q} <= '0;
    end else if (start_i) begin
      erasing_q <= erase_i;
      drawing_q <= !erase_i;
      pair_q <= pair_i;
      slot_q <= slot_i;
      list_q <= list_i;
      next_q <= weight_i - 9'd1;
      more_q <= 1'b1;
      {step_q, two_q, three_q, word_addr_q, half_q} <= '0;
    end else begin
      if (erasing_q) begin
        word_addr_q <= last_word ? '0 : word_addr_q + 1'b1;
        if (last_word) half_q <= 1'b1;
      end
      if (drawing_q && !hold) begin
        step_q <= step_q + 2'd1;
        unique case (step_q)
          2'd0: begin
            word_q <= word_i;
            length_q <= (pair_q ? length_t'(2 * POSITIONS) : length_t'(POSITIONS))
                      - length_t'(next_q);
            index1_q <= next_q;
            next_q <= next_q - 9'd1;
            position_q <= scaled_q + length_t'(index1_q);
            index2_q <= index1_q;
          end
          2'd1: begin
            low_q <= (16+LengthBits)'(word_q[15:0]) * (16+LengthBits)'(length_q);
            high_q <= (16+LengthBits)'(word_q[31:16]) * (16+LengthBits)'(length_q);
            second2_q <= second;
            look_q <= poly_rdata_i;
          end
          2'd2: begin
            scaled_q <= sum[16 +: LengthBits];
            if (found) begin
              look_q <= poly_rdata_i;
              second3_q <= 1'b0;
              slot3_q <= slot_q;
              place3_q <= IndexBits'(index3_q);
            end
          end
          default: begin
            second3_q <= second2_q;
            slot3_q <= slot_q + 3'(second2_q);
            place3_q <= IndexBits'(position_q - (second2_q ? length_t'(POSITIONS) : '0));
            index3_q <= index2_q;
            more_q <= more_q && index1_q != 0;
            two_q <= more_q;
            three_q <= two_q;
          end
        endcase
      end
      if (done_o) {erasing_q, drawing_q} <= '0;
    end
  end

  assign done_o = (write && index3_q == 0) || (erasing_q && last_word && half_q == pair_q);

  // --- Memories ----------------------------------------------------------------------------------
  always_comb begin
    poly_read_o = '0;
    if (three_q && !step_q[0]) begin  // what is asked for in steps 2 and 3 is not taken
      poly_read_o = '{slot: slot3_q, word: 10'(place3_q[IndexBits-1:BitBits])};
    end else if (three_q) begin
      poly_read_o = '{slot: slot_q, word: 10'(index3_q >> BitBits)};
    end
    poly_write_o = '0;
    poly_wdata_o = '0;
    list_write_o = '0;
    if (erasing_q) begin
      poly_write_o.valid = 1'b1;
      poly_write_o.slot = slot_q + 3'(half_q);
      poly_write_o.word = word_addr_q;
    end else if (write) begin
      poly_write_o.valid = 1'b1;
      poly_write_o.slot = slot3_q;
      poly_write_o.word = 10'(place3_q[IndexBits-1:BitBits]);
      poly_wdata_o = look_q | bit_of;
      list_write_o.valid = 1'b1;
      list_write_o.entry = list_q | index3_q;
      list_write_o.data = {(17-IndexBits)'(second3_q), place3_q};
    end
  end

`ifdef FORMAL
  // The indices at work; those of stages 1 and 2 move on with step 0.
  logic [8:0] at1, at2;
  assign at1 = step_q == 2'd0 ? next_q : index1_q;
  assign at2 = step_q == 2'd0 ? index1_q : index2_q;
  always_comb begin
    some_weight : assume (!start_i || weight_i != 0);
    one_task : assert (!(erasing_q && drawing_q));
    erases_in_bounds : assert (32'(word_addr_q) < Words);
    if (!drawing_q) empty_when_idle : assert (!two_q && !three_q);
    if (drawing_q) begin
      works : assert (more_q || two_q || three_q);
      if (step_q != 2'd0) counts_down : assert (next_q == index1_q - 9'd1);
      if (more_q) below_the_weight_1 : assert (at1 <= 9'd510);
      if (two_q) below_the_weight_2 : assert (at2 <= 9'd510);
      if (two_q && three_q) in_order_3 : assert (index3_q == at2 + 9'd1);
      if (more_q && two_q) in_order_2 : assert (at2 == at1 + 9'd1);
      if (three_q && !two_q) no_hole : assert (!more_q && index3_q == 0);
      if (two_q && !more_q) ends_with_0 : assert (at2 == 0);
    end
    if (list_write_o.valid) writes_while_drawing : assert (drawing_q && poly_write_o.valid);
  end
`endif
endmodule
