// SPDX-License-Identifier: Apache-2.0 OR MIT
// Takes one field of the input packet into a core's memories: a polynomial, a string, a list of
// positions, or nothing (skipped). Fields begin at a word of 32 bits; the bytes of a polynomial's
// last word beyond its end are ignored. Checks that the packet ends where it must, and that
// positions are below LIMIT.
// Latency, from start_i to done_o: Count cycles for Count words, while the sender keeps up; for a
// polynomial, Count is rounded up to whole words of WORD bits.
module kem_receive
  import kem_pkg::*;
#(
    parameter int WORD = 128,        // bits of a word of a polynomial
    parameter int TAIL_BYTES = 1,    // bytes in the last 32 bits of a polynomial, 1 to 4
    parameter int LIMIT = 12323,     // of positions
    parameter int LIST_BASE = 128,   // the entry at which the second list begins
    parameter int COUNT_BITS = 9     // of the number of words in a field
) (
    input  logic                  clk_i,
    input  logic                  clear_i,
    input  logic                  start_i,
    input  field_e                kind_i,
    input  logic [2:0]            which_i,  // slot, string or list
    input  logic [COUNT_BITS-1:0] final_i,  // the number of the field's last word, from 0
    input  logic                  last_i,   // the packet ends with this field
    output logic                  done_o,
    output err_e                  error_o,  // in the cycle of the fault; the field is dropped
    input  logic                  in_valid_i,
    output logic                  in_ready_o,
    input  logic [31:0]           in_data_i,
    input  logic                  in_last_i,
    output word_write_t           poly_write_o,
    output logic [WORD-1:0]       poly_wdata_o,
    output lane_write_t           str_write_o,
    output entry_write_t          list_write_o
);
  localparam int SubBits = $clog2(WORD / 32);
  localparam int PositionBits = $clog2(LIMIT);
  localparam int TailEnd = TAIL_BYTES < 4 ? 8 * TAIL_BYTES : 31;

  logic busy_q, last_field_q, is_last, beat, wrong_end, bad_position;
  logic fill_q;  // the polynomial has ended; zeros fill its last word
  field_e kind_q;
  logic [2:0] which_q;
  logic [COUNT_BITS-1:0] count_q, final_q;
  // What comes moves down through the buffer: a word of the memory needs no multiplexers.
  logic [WORD-1:0] buffer;
  logic [WORD-33:0] buffer_q;  // without its lowest 32 bits, which leave with the next ones
  logic [31:0] data;

  assign is_last = count_q == final_q;
  assign in_ready_o = busy_q && !fill_q;
  assign beat = in_ready_o && in_valid_i;
  assign wrong_end = beat && in_last_i != (is_last && last_field_q);
  assign bad_position = beat && kind_q == F_LIST && in_data_i >= 32'(LIMIT);
  assign error_o = wrong_end ? (in_last_i ? ERR_SHORT : ERR_LONG)
                 : bad_position ? ERR_KEY : ERR_NONE;
  logic move, word_ends, ends;
  assign move = beat || fill_q;
  assign word_ends = count_q[SubBits-1:0] == '1;
  assign ends = fill_q ? word_ends : beat && is_last && (kind_q != F_POLY || word_ends);
  assign done_o = ends && error_o == ERR_NONE;

  always_comb begin
    data = fill_q ? '0 : in_data_i;
    if (TAIL_BYTES < 4 && kind_q == F_POLY && is_last) data[31:TailEnd] = '0;
    buffer = {data, buffer_q};
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      kind_q <= F_POLY;
      {busy_q, fill_q, last_field_q, which_q, count_q, final_q, buffer_q} <= '0;
    end else if (start_i) begin
      busy_q <= 1'b1;
      kind_q <= kind_i;
      which_q <= which_i;
      final_q <= final_i;
      last_field_q <= last_i;
      count_q <= '0;
    end else if (move) begin
      count_q <= count_q + 1'b1;
      buffer_q <= ends ? '0 : buffer[WORD-1:32];
      fill_q <= !ends && error_o == ERR_NONE && (fill_q || is_last);
      if (ends || error_o != ERR_NONE) busy_q <= 1'b0;
    end
  end

  logic write_poly, write_str, write_list;
  assign write_poly = move && kind_q == F_POLY && word_ends;
  assign write_str = beat && kind_q == F_STR && count_q[0];
  assign write_list = beat && kind_q == F_LIST;
  always_comb begin
    {poly_write_o, str_write_o, list_write_o} = '0;
    // Whether it is written is known late in a cycle: it does not change the address.
    if (busy_q && kind_q == F_POLY) begin
      poly_write_o = '{valid: write_poly, slot: which_q, word: 10'(count_q >> SubBits)};
    end
    if (write_str) begin
      str_write_o = '{
          valid: 1'b1,
          number: which_q,
          lane: count_q[2:1],
          data: {in_data_i, buffer_q[WORD-33 -: 32]}
      };
    end
    if (write_list) begin
      list_write_o = '{
          valid: 1'b1,
          entry: 9'(count_q) | (which_q[0] ? 9'(LIST_BASE) : 9'd0),
          data: 17'(in_data_i[PositionBits-1:0])
      };
    end
  end
  assign poly_wdata_o = write_poly ? buffer : '0;

`ifdef FORMAL
  logic [COUNT_BITS-1:0] taken_q, poly_next_q;  // beats of the field; the word to be written next
  logic begun_q;
  always_ff @(posedge clk_i) begin
    begun_q <= start_i && !clear_i;
    taken_q <= clear_i || start_i ? '0 : taken_q + COUNT_BITS'(in_valid_i && in_ready_o);
    poly_next_q <= clear_i || start_i ? '0 : poly_next_q + COUNT_BITS'(poly_write_o.valid);
  end
  always_comb begin
    one_field_at_a_time : assume (!start_i || !busy_q);
    lists_fit : assume (!start_i || kind_i != F_LIST || 32'(final_i) < LIST_BASE);
    if (begun_q) begins : assert (in_ready_o && taken_q == '0);
    room_to_fill : assume (!start_i || 32'(final_i) + WORD / 32 < 2 ** COUNT_BITS);
    if (busy_q && !fill_q) in_range : assert (count_q <= final_q && taken_q == count_q);
    if (busy_q) room : assert (32'(final_q) + WORD / 32 < 2 ** COUNT_BITS);
    if (fill_q)
      fills_the_last_word :
      assert (busy_q && kind_q == F_POLY && taken_q == final_q + 1'b1 && count_q > final_q
              && count_q >> SubBits == final_q >> SubBits);
    if (busy_q && kind_q == F_POLY) next_word : assert (poly_next_q == count_q >> SubBits);
    if (busy_q && kind_q == F_LIST) list_fits : assert (32'(final_q) < LIST_BASE);
    if (done_o)
      all_words :
      assert (fill_q ? taken_q == final_q + 1'b1 : taken_q == final_q && in_last_i == last_field_q);
    if (beat && in_last_i != (taken_q == final_q && last_field_q))
      wrong_end_is_told : assert (error_o == (in_last_i ? ERR_SHORT : ERR_LONG));
    if (error_o == ERR_SHORT || error_o == ERR_LONG)
      right_end_is_not_refused : assert (in_last_i != (taken_q == final_q && last_field_q));
    if (list_write_o.valid && error_o == ERR_NONE)
      valid_position : assert (32'(list_write_o.data) < LIMIT);
    if (poly_write_o.valid) words_in_order : assert (COUNT_BITS'(poly_write_o.word) == poly_next_q);
    if (!busy_q) silent : assert (poly_write_o == '0);
    poly_in_bounds : assert (32'(poly_write_o.word) <= 32'(final_q >> SubBits));
    if (list_write_o.valid)
      entries_in_order :
      assert (32'(list_write_o.entry) == 32'(taken_q) + (which_q[0] ? LIST_BASE : 0));
    one_write :
    assert (32'(poly_write_o.valid) + 32'(str_write_o.valid) + 32'(list_write_o.valid) <= 1);
  end
`endif
endmodule
