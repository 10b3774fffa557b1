// SPDX-License-Identifier: Apache-2.0 OR MIT
// Turns the words of a polynomial, lowest first, into the overlapping rows that the lanes read: row
// i holds the WORD + STRIDE coefficients from i * STRIDE on, cyclically modulo r, so that any WORD
// consecutive coefficients lie in one row. Latency: the rows of a word come during WORD/STRIDE
// cycles after the next word; those of the last word follow by themselves. Independent of data.
// With LONG polynomials have one of two lengths, R or LONG, which long_i chooses.
module row_writer #(
    parameter int R = 12323,
    parameter int LONG = 0,      // the other length, or 0
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
  localparam int Tail = R % WORD;  // coefficients in the last word
  localparam int CountBits = $clog2(Rows + 1);

  logic [WORD-1:0] previous_q, current_q, first_q;
  logic [ROW_BITS-1:0] row_q;
  logic [CountBits-1:0] left_q;
  logic tail_q;
  logic [2*WORD-1:0] pair;

  // The first word as it waits, and what it gives behind the last one: the rest of that word, and
  // the word that follows.
  logic [WORD-1:0] waiting, rest, follows;
  if (LONG == 0) begin : gen_one_length
    assign waiting = word_i;
    assign rest = first_q << Tail;
    assign follows = first_q >> (WORD - Tail);
  end else begin : gen_two_lengths
    // It waits rotated, so that nothing but the rotation is chosen, and one serves both.
    localparam int LongTail = LONG % WORD;
    logic [WORD-1:0] wraps;
    assign waiting = long_i ? {word_i[WORD-LongTail-1:0], word_i[WORD-1-:LongTail]}
                            : {word_i[WORD-Tail-1:0], word_i[WORD-1-:Tail]};
    assign wraps = {WORD{1'b1}} >> (long_i ? WORD - LongTail : WORD - Tail);
    assign rest = first_q & ~wraps;
    assign follows = first_q & wraps;
  end

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
        current_q <= last_i ? word_i | rest : word_i;
        tail_q <= last_i;
        left_q <= first_i ? '0 : CountBits'(Rows);
        if (first_i) begin
          first_q <= waiting;
          row_q <= '0;
        end
      end else if (left_q == 1 && tail_q) begin
        previous_q <= current_q;
        current_q <= follows;
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
