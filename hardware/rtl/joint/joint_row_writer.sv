// SPDX-License-Identifier: Apache-2.0 OR MIT
// row_writer for polynomials of one of two lengths, which long_i chooses: R0, or R1 with long_i.
// Why a variant: there the length is a constant, and its remainder by WORD is a shift. Here the
// first word waits rotated, so that only the rotation is chosen, and one rotation serves the end of
// the last word and what follows it. Rows, latency and contract are those of row_writer.
module joint_row_writer #(
    parameter int R0 = 12323,
    parameter int R1 = 17669,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int ROW_BITS = 8   // bits of a row's number
) (
    input  logic                   clk_i,
    input  logic                   clear_i,
    input  logic                   long_i,   // until the last row is written
    input  logic                   valid_i,  // at most once in WORD/STRIDE cycles
    input  logic                   first_i,
    input  logic                   last_i,   // coefficients from r on must be 0
    input  logic [WORD-1:0]        word_i,
    output logic                   we_o,
    output logic [ROW_BITS-1:0]    row_o,
    output logic [WORD+STRIDE-1:0] data_o    // zero after a clear
);
  localparam int Rows = WORD / STRIDE;  // rows for each word
  localparam int Tail0 = R0 % WORD;  // coefficients in the last word
  localparam int Tail1 = R1 % WORD;
  localparam int CountBits = $clog2(Rows + 1);

  logic [WORD-1:0] previous_q, current_q, first_q;
  logic [ROW_BITS-1:0] row_q;
  logic [CountBits-1:0] left_q;
  logic tail_q;
  logic [2*WORD-1:0] pair;
  logic [WORD-1:0] turned, wraps;  // the word by the tail; which bits of it follow the last word
  assign turned = long_i ? {word_i[WORD-Tail1-1:0], word_i[WORD-1-:Tail1]}
                         : {word_i[WORD-Tail0-1:0], word_i[WORD-1-:Tail0]};
  assign wraps = {WORD{1'b1}} >> (long_i ? WORD - Tail1 : WORD - Tail0);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {previous_q, current_q, first_q, row_q, left_q, tail_q} <= '0;
    end else begin
      if (left_q != 0) begin
        row_q <= row_q + 1'b1;
        left_q <= left_q - 1'b1;
      end
      if (valid_i) begin
        previous_q <= current_q;
        current_q <= last_i ? word_i | (first_q & ~wraps) : word_i;
        tail_q <= last_i;
        left_q <= first_i ? '0 : CountBits'(Rows);
        if (first_i) begin
          first_q <= turned;
          row_q <= '0;
        end
      end else if (left_q == 1 && tail_q) begin
        previous_q <= current_q;
        current_q <= first_q & wraps;
        left_q <= CountBits'(Rows);
        tail_q <= 1'b0;
      end
    end
  end

  assign pair = {current_q, previous_q};
  always_comb begin
    data_o = pair[0 +: WORD+STRIDE];
    for (int i = 1; i < Rows; i++) begin
      if (left_q == CountBits'(Rows - i)) data_o = pair[STRIDE*i +: WORD+STRIDE];
    end
  end
  assign we_o = left_q != 0;
  assign row_o = we_o ? row_q : '0;

`ifdef FORMAL
  logic wrote_q, began_q;
  logic [ROW_BITS-1:0] row_before_q;
  always_ff @(posedge clk_i) begin
    wrote_q <= we_o && !clear_i;
    began_q <= valid_i && first_i && !clear_i;
    row_before_q <= row_o;
  end
  always_comb begin
    one_word_at_a_time : assume (!valid_i || left_q <= CountBits'(1));
    words_before_the_last : assume (!valid_i || !tail_q || first_i);
    in_range : assert (left_q <= CountBits'(Rows));
    if (!we_o) silent : assert (row_o == '0);
    if (wrote_q && we_o && !began_q) rows_in_order : assert (row_o == row_before_q + 1'b1);
    if (began_q) begins_at_row_0 : assert (!we_o && row_q == '0);
  end
`endif
endmodule
