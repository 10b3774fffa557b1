// SPDX-License-Identifier: Apache-2.0 OR MIT
// Sends one field of the output packet: a polynomial, a string or a list of positions, in words of
// 32 bits; what follows a polynomial in its last word is zero in memory.
// Latency, from start_i to done_o: Count + 1 cycles for Count words, while the receiver keeps up.
// guard_q is the parity of busy_q and of the registers that say which field is sent: if a bit of
// them flips, no word leaves. end_guard_q is that of the number of words; with a check of the
// counts and of valid_q it tells a field that would have another number of words, or no end.
module kem_send
  import kem_pkg::*;
#(
    parameter int WORD = 128,           // bits of a word of a polynomial
    parameter int POSITION_BITS = 14,
    parameter int LIST_BASE = 128,      // the entry at which the second list begins
    parameter int COUNT_BITS = 9        // of the number of words in a field
) (
    input  logic                  clk_i,
    input  logic                  clear_i,
    input  logic                  start_i,
    input  field_e                kind_i,
    input  logic [2:0]            which_i,  // slot, string or list
    input  logic [COUNT_BITS-1:0] final_i,  // the number of the field's last word, from 0
    input  logic                  last_i,   // the packet ends with this field
    output logic                  done_o,
    output logic                  upset_o,  // a register was disturbed
    output logic                  out_valid_o,
    input  logic                  out_ready_i,
    output logic [31:0]           out_data_o,
    output logic                  out_last_o,
    output word_read_t            poly_read_o,
    input  logic [WORD-1:0]       poly_rdata_i,
    output lane_read_t            str_read_o,
    input  logic [63:0]           str_rdata_i,
    output entry_read_t           list_read_o,
    input  logic [16:0]           list_rdata_i
);
  localparam int SubBits = $clog2(WORD / 32);

  logic busy_q, valid_q, last_field_q, guard_q, end_guard_q, is_last, beat, disturbed;
  field_e kind_q;
  logic [2:0] which_q;
  logic [COUNT_BITS-1:0] count_q, count_n, next_q, final_q;  // next: count + 1

  // The memories' words come late in a cycle: what is sent is a sum of what is taken.
  logic more;
  logic [WORD/32-1:0] take_poly_q;
  logic [1:0] take_str_q;
  logic take_list_q;
  assign more = busy_q && !(beat && is_last);

  assign is_last = count_q == final_q;
  // A field that is disturbed goes on, though no word leaves: it is cleared with the next cycles.
  assign beat = valid_q && busy_q && out_ready_i;
  assign count_n = beat ? next_q : count_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      kind_q <= F_POLY;
      {take_poly_q, take_str_q, take_list_q} <= '0;
      {busy_q, valid_q, last_field_q, which_q, count_q, next_q, final_q} <= '0;
      {guard_q, end_guard_q} <= '0;
    end else if (start_i) begin
      busy_q <= 1'b1;
      kind_q <= kind_i;
      which_q <= which_i;
      final_q <= final_i;
      last_field_q <= last_i;
      guard_q <= ^{1'b1, kind_i, which_i, last_i};
      end_guard_q <= ^final_i;
      count_q <= '0;
      next_q <= COUNT_BITS'(1);
    end else if (busy_q) begin
      valid_q <= more;  // the memories answer one cycle after the first address
      count_q <= count_n;
      if (beat) next_q <= next_q + 1'b1;
      if (beat && is_last) {busy_q, guard_q} <= {1'b0, !guard_q};
      for (int i = 0; i < WORD / 32; i++) begin
        take_poly_q[i] <= more && kind_q == F_POLY && count_n[SubBits-1:0] == SubBits'(i);
      end
      for (int i = 0; i < 2; i++) begin
        take_str_q[i] <= more && kind_q == F_STR && count_n[0] == 1'(i);
      end
      take_list_q <= more && kind_q == F_LIST;
    end
  end

  assign done_o = beat && is_last;
  assign disturbed = ^{busy_q, kind_q, which_q, last_field_q, guard_q};
  assign upset_o = disturbed || ^{final_q, end_guard_q}
      || (busy_q ? next_q != count_q + 1'b1 : valid_q);
  assign out_valid_o = valid_q && busy_q && !disturbed;
  assign out_last_o = out_valid_o && is_last && last_field_q;
  always_comb begin
    {poly_read_o, str_read_o, list_read_o} = '0;
    if (busy_q) begin
      unique case (kind_q)
        F_POLY: poly_read_o = '{slot: which_q, word: 10'(count_n >> SubBits)};
        F_STR: str_read_o = '{number: which_q, lane: count_n[2:1]};
        default: list_read_o = 9'(count_n) | (which_q[0] ? 9'(LIST_BASE) : 9'd0);
      endcase
    end
  end
  always_comb begin
    out_data_o = 32'(list_rdata_i[POSITION_BITS-1:0]) & {32{take_list_q}};
    for (int i = 0; i < WORD / 32; i++) begin
      out_data_o |= poly_rdata_i[32*i +: 32] & {32{take_poly_q[i]}};
    end
    for (int i = 0; i < 2; i++) out_data_o |= str_rdata_i[32*i +: 32] & {32{take_str_q[i]}};
  end

`ifdef FORMAL
  // The next word of the stream, if it waits, and the words and address of the field so far.
  logic waits_q, asked_q, was_last_q;
  logic [COUNT_BITS-1:0] taken_q;
  logic [31:0] was_data_q;
  word_read_t poly_asked_q;
  entry_read_t list_asked_q;
  logic [WORD-1:0] poly_was_q;
  logic [63:0] str_was_q;
  logic [16:0] list_was_q;
  always_ff @(posedge clk_i) begin
    waits_q <= out_valid_o && !out_ready_i && !clear_i;
    {was_last_q, was_data_q} <= {out_last_o, out_data_o};
    taken_q <= clear_i || start_i ? '0 : taken_q + COUNT_BITS'(out_valid_o && out_ready_i);
    asked_q <= busy_q && !clear_i;
    {poly_asked_q, list_asked_q} <= {poly_read_o, list_read_o};
    {poly_was_q, str_was_q, list_was_q} <= {poly_rdata_i, str_rdata_i, list_rdata_i};
  end
  always_comb begin
    one_field_at_a_time : assume (!start_i || !busy_q);
    known_kind : assume (!start_i || kind_i inside {F_POLY, F_STR, F_LIST});
    words_have_addresses : assume (!start_i || 32'(final_i >> SubBits) < 1024);
    lists_fit : assume (!start_i || kind_i != F_LIST || 32'(final_i) < LIST_BASE);
    // What is asked for again is the same again.
    if (waits_q)
      memories_keep :
      assume (poly_rdata_i == poly_was_q && str_rdata_i == str_was_q && list_rdata_i == list_was_q);
    kind_known : assert (kind_q inside {F_POLY, F_STR, F_LIST});
    if (busy_q)
      in_range : assert (count_q <= final_q && taken_q == count_q && next_q == count_q + 1'b1);
    if (busy_q && kind_q == F_LIST) list_fits : assert (32'(final_q) < LIST_BASE);
    if (busy_q) word_has_address : assert (32'(final_q >> SubBits) < 1024);
    if (valid_q) in_a_field : assert (busy_q && asked_q);
    takes_the_word :
    assert (take_poly_q == (valid_q && kind_q == F_POLY ? (WORD / 32)'(1) << count_q[SubBits-1:0]
                                                        : '0)
            && take_str_q == (valid_q && kind_q == F_STR ? 2'd1 << count_q[0] : '0)
            && take_list_q == (valid_q && kind_q == F_LIST));
    if (waits_q)
      waits_unchanged :
      assert (out_valid_o && out_data_o == was_data_q && out_last_o == was_last_q);
    if (beat && kind_q == F_POLY)
      from_its_word :
      assert (poly_asked_q.slot == which_q && 32'(poly_asked_q.word) == 32'(count_q >> SubBits));
    if (beat && kind_q == F_LIST)
      from_its_entry : assert (32'(list_asked_q) == 32'(count_q) + (which_q[0] ? LIST_BASE : 0));
    if (done_o) all_words : assert (taken_q == final_q && out_last_o == last_field_q);
    no_false_alarm : assert (!upset_o);
    if (out_last_o) last_at_the_end : assert (taken_q == final_q);
    poly_in_bounds : assert (32'(poly_read_o.word) <= 32'(final_q >> SubBits) || (beat && is_last));
  end
`endif
endmodule
