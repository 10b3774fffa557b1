// SPDX-License-Identifier: Apache-2.0 OR MIT
// Expands h: takes the lanes of a stream, joins them to words of an n-bit vector, clears the bits
// that pad the last one, and feeds the words to the row writers of the gather unit [HQC, S5.1].
// Latency, from start_i to done_o: Words * WORD/64 + 2 * WORD/STRIDE + 1 cycles, and what the lanes
// are waited for, if WORD/STRIDE is not above WORD/64; independent of data.
module hqc_expand #(
    parameter int N = 17669,
    parameter int WORD = 128,
    parameter int STRIDE = 64
) (
    input  logic            clk_i,
    input  logic            clear_i,
    input  logic            start_i,
    output logic            done_o,        // the last row is written
    input  logic            lane_valid_i,
    output logic            lane_next_o,   // taken
    input  logic [63:0]     lane_i,
    output logic            feed_valid_o,
    output logic            feed_first_o,
    output logic            feed_last_o,
    output logic [WORD-1:0] feed_word_o    // means nothing without feed_valid_o
);
  localparam int Sub = WORD / 64;  // lanes in a word
  localparam int Words = (N + WORD - 1) / WORD;
  localparam int Pad = Sub * Words - (N + 63) / 64;  // lanes of zeros in the last word
  localparam int Rows = WORD / STRIDE;
  localparam int CountBits = $clog2(Sub * Words);
  localparam int GapBits = $clog2(2 * Rows + 1);

  logic busy_q, first_q, ending_q;
  logic [CountBits-1:0] left_q;  // lanes after this one
  logic [GapBits-1:0] gap_q;  // cycles until the row writers take a word; at the end, until done_o
  logic pad, whole, step;
  logic [63:0] lane;
  assign step = busy_q && (lane_valid_i || pad) && !(whole && gap_q != '0);
  assign lane_next_o = step && !pad;
  assign feed_valid_o = step && whole;
  assign feed_first_o = feed_valid_o && first_q;
  assign feed_last_o = feed_valid_o && left_q == '0;
  assign done_o = ending_q && gap_q == '0;
  always_comb begin
    lane = pad ? '0 : lane_i;
    if (left_q == CountBits'(Pad)) lane[63:N%64] = '0;
  end

  if (Sub == 1) begin : gen_lane
    assign pad = 1'b0;
    assign whole = 1'b1;
    assign feed_word_o = lane;
  end else begin : gen_word
    logic [WORD-65:0] lower_q;
    assign pad = left_q < CountBits'(Pad);
    assign whole = left_q[$clog2(Sub)-1:0] == '0;
    always_ff @(posedge clk_i) begin
      if (clear_i) lower_q <= '0;
      else if (step) lower_q <= (WORD - 64)'({lane, lower_q} >> 64);
    end
    assign feed_word_o = {lane, lower_q};
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {busy_q, first_q, ending_q, left_q, gap_q} <= '0;
    end else if (start_i) begin
      busy_q <= 1'b1;
      first_q <= 1'b1;
      left_q <= CountBits'(Sub * Words - 1);
      {ending_q, gap_q} <= '0;
    end else begin
      if (gap_q != '0) gap_q <= gap_q - 1'b1;
      if (step) left_q <= left_q - 1'b1;
      if (feed_valid_o) begin
        first_q <= 1'b0;
        gap_q <= feed_last_o ? GapBits'(2 * Rows) : GapBits'(Rows - 1);
      end
      if (feed_last_o) {busy_q, ending_q} <= 2'b01;
      if (done_o) ending_q <= 1'b0;
    end
  end

`ifdef FORMAL
  always_comb begin
    one_task : assert (!(busy_q && ending_q));
    if (busy_q) in_range : assert (32'(left_q) < Sub * Words && 32'(gap_q) < Rows);
    if (busy_q && first_q) no_gap_before : assert (gap_q == '0);
  end
`endif
endmodule
