// SPDX-License-Identifier: Apache-2.0 OR MIT
// Takes one field of the input packet into the core's memories: a polynomial, a string of 32 bytes,
// a list of positions, or nothing (skipped). Fields begin at a word of 32 bits; the bytes of a
// polynomial's last word beyond its end are ignored. Checks that the packet ends where it must.
// Latency, from start_i to done_o: Count cycles for Count words, while the sender
// keeps up.
module kem_receive
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
    input  logic [2:0]              which_i,  // slot, string, or half of the list; F_SKIP: 0 is
                                              // 32 bytes, 1 a polynomial
    input  logic                    last_i,   // the packet ends with this field
    output logic                    done_o,
    output err_e                    error_o,  // in the cycle of the fault; the field is dropped
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [31:0]             in_data_i,
    input  logic                    in_last_i,
    output logic                    poly_we_o,
    output slot_e                   poly_wslot_o,
    output logic [WordAddrBits-1:0] poly_waddr_o,
    output logic [WORD-1:0]         poly_wdata_o,
    output logic                    str_we_o,
    output logic [3:0]              str_waddr_o,
    output logic [63:0]             str_wdata_o,
    output logic                    list_we_o,
    output logic [AddrBits-1:0]     list_waddr_o,
    output logic [IndexBits:0]      list_wdata_o
);
  localparam int PolyBytes = (R + 7) / 8;
  localparam int PolyWords = (PolyBytes + 3) / 4;
  localparam int Surplus = PolyBytes % 4;
  localparam int D = weight_d(LEVEL);
  localparam int CountBits = $clog2(PolyWords);
  localparam int SubBits = $clog2(WORD / 32);

  logic busy_q, last_field_q, is_last, beat, wrong_end, bad_position;
  field_e kind_q;
  logic [2:0] which_q;
  logic [CountBits-1:0] count_q, count_last;
  logic [WORD-1:0] buffer_q, buffer;
  logic [31:0] data;

  always_comb begin
    unique case (kind_q)
      F_POLY: count_last = CountBits'(PolyWords - 1);
      F_STR: count_last = CountBits'(7);
      F_LIST: count_last = CountBits'(D - 1);
      default: count_last = which_q[0] ? CountBits'(PolyWords - 1) : CountBits'(7);
    endcase
  end
  assign is_last = count_q == count_last;
  assign in_ready_o = busy_q;
  assign beat = busy_q && in_valid_i;
  assign wrong_end = beat && in_last_i != (is_last && last_field_q);
  assign bad_position = beat && kind_q == F_LIST && in_data_i >= 32'(R);
  assign error_o = wrong_end ? (in_last_i ? ERR_SHORT : ERR_LONG)
                 : bad_position ? ERR_KEY : ERR_NONE;
  assign done_o = beat && is_last && error_o == ERR_NONE;

  logic [SubBits-1:0] place;  // strings are written two words at a time
  assign place = kind_q == F_STR ? SubBits'(count_q[0]) : count_q[SubBits-1:0];
  always_comb begin
    data = in_data_i;
    if (Surplus != 0 && kind_q == F_POLY && is_last) data[31:8*Surplus] = '0;
    buffer = buffer_q | (WORD'(data) << {place, 5'd0});
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      kind_q <= F_POLY;
      {busy_q, last_field_q, which_q, count_q, buffer_q} <= '0;
    end else if (start_i) begin
      busy_q <= 1'b1;
      kind_q <= kind_i;
      which_q <= which_i;
      last_field_q <= last_i;
      {count_q, buffer_q} <= '0;
    end else if (beat) begin
      count_q <= count_q + 1'b1;
      buffer_q <= poly_we_o || str_we_o || is_last ? '0 : buffer;
      if (is_last || error_o != ERR_NONE) busy_q <= 1'b0;
    end
  end

  assign poly_we_o = beat && kind_q == F_POLY && (is_last || count_q[SubBits-1:0] == '1);
  assign poly_wslot_o = poly_we_o ? slot_e'(which_q) : slot_e'(0);
  assign poly_waddr_o = poly_we_o ? WordAddrBits'(count_q >> SubBits) : '0;
  assign poly_wdata_o = poly_we_o ? buffer : '0;
  assign str_we_o = beat && kind_q == F_STR && count_q[0];
  assign str_waddr_o = str_we_o ? {which_q[1:0], count_q[2:1]} : '0;
  assign str_wdata_o = str_we_o ? {in_data_i, buffer_q[31:0]} : '0;
  assign list_we_o = beat && kind_q == F_LIST;
  assign list_waddr_o = list_we_o ? AddrBits'(count_q) | (which_q[0] ? AddrBits'(1 << KeyBits) : '0)
                                  : '0;
  assign list_wdata_o = list_we_o ? {1'b0, in_data_i[IndexBits-1:0]} : '0;

`ifdef FORMAL
  logic [CountBits-1:0] taken_q, poly_next_q;  // beats of the field; the word to be written next
  logic begun_q;
  always_ff @(posedge clk_i) begin
    begun_q <= start_i && !clear_i;
    taken_q <= clear_i || start_i ? '0 : taken_q + CountBits'(in_valid_i && in_ready_o);
    poly_next_q <= clear_i || start_i ? '0 : poly_next_q + CountBits'(poly_we_o);
  end
  always_comb begin
    one_field_at_a_time : assume (!start_i || !busy_q);
    if (begun_q) begins : assert (in_ready_o && taken_q == '0);
    if (busy_q) in_range : assert (count_q <= count_last && taken_q == count_q);
    if (busy_q && kind_q == F_POLY) next_word : assert (poly_next_q == count_q >> SubBits);
    if (done_o) all_words : assert (taken_q == count_last && in_last_i == last_field_q);
    if (beat && in_last_i != (taken_q == count_last && last_field_q))
      wrong_end_is_told : assert (error_o == (in_last_i ? ERR_SHORT : ERR_LONG));
    if (list_we_o && error_o == ERR_NONE) valid_position : assert (32'(list_wdata_o) < R);
    if (poly_we_o) words_in_order : assert (CountBits'(poly_waddr_o) == poly_next_q);
    poly_in_bounds : assert (32'(poly_waddr_o) < Words);
    list_in_bounds : assert (32'(list_waddr_o[KeyBits-1:0]) < D);
    one_write : assert (32'(poly_we_o) + 32'(str_we_o) + 32'(list_we_o) <= 1);
  end
`endif
endmodule
