// SPDX-License-Identifier: Apache-2.0 OR MIT
// Sends one field of the output packet: a polynomial, a string of 32 bytes or a list of positions,
// in words of 32 bits; the last word of a polynomial is filled up with zeros. Latency, from start_i
// to
// done_o: Count + 1 cycles for Count words, while the receiver keeps up.
module kem_send
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    localparam int R = r_bits(LEVEL),
    localparam int IndexBits = $clog2(R),
    localparam int Words = (R + WORD - 1) / WORD,
    localparam int WordAddrBits = $clog2(Words),
    localparam int KeyBits = $clog2(weight_d(LEVEL)),
    localparam int AddrBits = $clog2(weight_t(LEVEL)) > KeyBits + 1 ? $clog2(weight_t(LEVEL))
                                                                   : KeyBits + 1
) (
    input  logic                    clk_i,
    input  logic                    clear_i,
    input  logic                    start_i,
    input  field_e                  kind_i,
    input  logic [2:0]              which_i,
    input  logic                    last_i,
    output logic                    done_o,
    output logic                    out_valid_o,
    input  logic                    out_ready_i,
    output logic [31:0]             out_data_o,
    output logic                    out_last_o,
    output slot_e                   poly_rslot_o,
    output logic [WordAddrBits-1:0] poly_raddr_o,
    input  logic [WORD-1:0]         poly_rdata_i,
    output logic [3:0]              str_raddr_o,
    input  logic [63:0]             str_rdata_i,
    output logic [AddrBits-1:0]     list_raddr_o,
    input  logic [IndexBits:0]      list_rdata_i
);
  localparam int PolyWords = ((R + 7) / 8 + 3) / 4;
  localparam int D = weight_d(LEVEL);
  localparam int CountBits = $clog2(PolyWords + 1);
  localparam int SubBits = $clog2(WORD / 32);

  logic busy_q, valid_q, last_field_q, is_last, beat;
  field_e kind_q;
  logic [2:0] which_q;
  logic [CountBits-1:0] count_q, count_n, count_last;

  always_comb begin
    unique case (kind_q)
      F_POLY: count_last = CountBits'(PolyWords - 1);
      F_STR: count_last = CountBits'(7);
      default: count_last = CountBits'(D - 1);
    endcase
  end
  assign is_last = count_q == count_last;
  assign beat = valid_q && out_ready_i;
  assign count_n = beat ? count_q + 1'b1 : count_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      kind_q <= F_POLY;
      {busy_q, valid_q, last_field_q, which_q, count_q} <= '0;
    end else if (start_i) begin
      busy_q <= 1'b1;
      kind_q <= kind_i;
      which_q <= which_i;
      last_field_q <= last_i;
      count_q <= '0;
    end else if (busy_q) begin
      valid_q <= !(beat && is_last);  // the memories answer one cycle after the first address
      count_q <= count_n;
      if (beat && is_last) busy_q <= 1'b0;
    end
  end

  assign done_o = beat && is_last;
  assign out_valid_o = valid_q;
  assign out_last_o = valid_q && is_last && last_field_q;
  logic poly, str;
  assign poly = busy_q && kind_q == F_POLY;
  assign str = busy_q && kind_q == F_STR;
  assign poly_rslot_o = poly ? slot_e'(which_q) : slot_e'(0);
  assign poly_raddr_o = poly ? WordAddrBits'(count_n >> SubBits) : '0;
  assign str_raddr_o = str ? {which_q[1:0], count_q[2:1]} : '0;
  assign list_raddr_o = busy_q && kind_q == F_LIST
      ? AddrBits'(count_n) | (which_q[0] ? AddrBits'(1 << KeyBits) : '0) : '0;
  always_comb begin
    out_data_o = '0;
    if (valid_q) begin
      unique case (kind_q)
        F_POLY: out_data_o = poly_rdata_i[32*count_q[SubBits-1:0] +: 32];
        F_STR: out_data_o = count_q[0] ? str_rdata_i[63:32] : str_rdata_i[31:0];
        default: out_data_o = 32'(list_rdata_i[IndexBits-1:0]);
      endcase
    end
  end

`ifdef FORMAL
  // The next word of the stream, if it waits, and the words and address of the field so far.
  logic waits_q, asked_q, was_last_q;
  logic [CountBits-1:0] taken_q;
  logic [31:0] was_data_q;
  logic [WordAddrBits-1:0] poly_asked_q;
  logic [AddrBits-1:0] list_asked_q;
  logic [WORD-1:0] poly_was_q;
  logic [63:0] str_was_q;
  logic [IndexBits:0] list_was_q;
  always_ff @(posedge clk_i) begin
    waits_q <= out_valid_o && !out_ready_i && !clear_i;
    {was_last_q, was_data_q} <= {out_last_o, out_data_o};
    taken_q <= clear_i || start_i ? '0 : taken_q + CountBits'(out_valid_o && out_ready_i);
    asked_q <= busy_q && !clear_i;
    {poly_asked_q, list_asked_q} <= {poly_raddr_o, list_raddr_o};
    {poly_was_q, str_was_q, list_was_q} <= {poly_rdata_i, str_rdata_i, list_rdata_i};
  end
  always_comb begin
    one_field_at_a_time : assume (!start_i || !busy_q);
    known_kind : assume (!start_i || kind_i inside {F_POLY, F_STR, F_LIST});
    // What is asked for again is the same again.
    if (waits_q)
      memories_keep :
      assume (poly_rdata_i == poly_was_q && str_rdata_i == str_was_q && list_rdata_i == list_was_q);
    kind_known : assert (kind_q inside {F_POLY, F_STR, F_LIST});
    if (busy_q) in_range : assert (count_q <= count_last && taken_q == count_q);
    if (valid_q) in_a_field : assert (busy_q && asked_q);
    if (waits_q)
      waits_unchanged :
      assert (out_valid_o && out_data_o == was_data_q && out_last_o == was_last_q);
    if (beat && kind_q == F_POLY)
      from_its_word : assert (poly_asked_q == WordAddrBits'(count_q >> SubBits));
    if (beat && kind_q == F_LIST)
      from_its_entry :
      assert (list_asked_q == (AddrBits'(count_q) | (which_q[0] ? AddrBits'(1 << KeyBits) : '0)));
    if (done_o) all_words : assert (taken_q == count_last && out_last_o == last_field_q);
    if (out_last_o) last_at_the_end : assert (taken_q == count_last);
    poly_in_bounds : assert (32'(poly_raddr_o) < Words || (beat && is_last));
    list_in_bounds : assert (32'(list_raddr_o[KeyBits-1:0]) < D || (beat && is_last));
  end
`endif
endmodule
