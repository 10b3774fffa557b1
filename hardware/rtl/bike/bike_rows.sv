// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reads slot C and feeds its words to the row writers of the gather unit. Coefficients from r on
// are folded, x^r = 1 [BIKE, S3.2]: the last word is read first, so that its surplus is at hand
// when the first word passes. Latency, from start_i to done_o: Words * WORD/STRIDE + WORD/STRIDE +
// 5 cycles, independent of data.
module bike_rows
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int EXTRA = 31,  // coefficients from r on that need not be zero
    localparam int R = r_bits(LEVEL),
    localparam int Words = words_of(LEVEL, WORD),
    localparam int WordAddrBits = $clog2(Words)
) (
    input  logic                    clk_i,
    input  logic                    clear_i,
    input  logic                    start_i,
    output logic                    done_o,
    output word_read_t              poly_read_o,
    input  logic [WORD-1:0]         poly_rdata_i,
    output logic                    feed_valid_o,
    output logic                    feed_first_o,
    output logic                    feed_last_o,
    output logic [WORD-1:0]         feed_word_o
);
  localparam int Rows = WORD / STRIDE;
  localparam int Tail = R % WORD;
  localparam int CountBits = $clog2(Rows + 4);
  typedef logic [WordAddrBits-1:0] word_t;
  typedef enum logic [2:0] {
    IDLE,
    SURPLUS,
    SAVE,
    WORDS,
    FINISH
  } state_e;

  state_e state_q;
  word_t word_q;
  logic asks_q;  // neither IDLE nor FINISH
  logic [CountBits-1:0] count_q;
  logic [EXTRA-1:0] surplus_q;
  logic valid_q, first_q, last_q;  // of the word that the memory gives
  logic here_q, here_first_q, here_last_q;  // of here_word_q
  logic [WORD-1:0] here_word_q;

  logic last_word;
  assign last_word = word_q == word_t'(Words - 1);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= IDLE;
      {word_q, count_q, surplus_q, valid_q, first_q, last_q} <= '0;
      {asks_q, here_q, here_first_q, here_last_q, here_word_q} <= '0;
    end else begin
      valid_q <= state_q == WORDS && count_q == 0;
      first_q <= state_q == WORDS && word_q == 0;
      last_q <= state_q == WORDS && word_q == word_t'(Words - 1);
      {here_q, here_first_q, here_last_q} <= {valid_q, first_q, last_q};
      if (valid_q) here_word_q <= poly_rdata_i;
      unique case (state_q)
        IDLE:
        if (start_i) begin
          state_q <= SURPLUS;
          asks_q <= 1'b1;
          word_q <= word_t'(Words - 1);
        end
        SURPLUS: state_q <= SAVE;
        SAVE: begin
          surplus_q <= poly_rdata_i[Tail +: EXTRA];
          state_q <= WORDS;
          {word_q, count_q} <= '0;
        end
        WORDS: begin
          count_q <= count_q == CountBits'(Rows - 1) ? '0 : count_q + 1'b1;
          if (count_q == CountBits'(Rows - 1)) begin
            word_q <= word_q + 1'b1;
            if (last_word) begin
              state_q <= FINISH;
              asks_q <= 1'b0;
            end
          end
        end
        FINISH: begin  // the rows of the last two words are being written
          asks_q  <= 1'b0;
          count_q <= count_q + 1'b1;
          surplus_q <= '0;
          if (count_q == CountBits'(Rows + 2)) state_q <= IDLE;
        end
        default: state_q <= IDLE;
      endcase
    end
  end
  assign done_o = state_q == FINISH && count_q == CountBits'(Rows + 2);
  always_comb begin
    poly_read_o = '0;
    if (asks_q) poly_read_o = '{slot: SLOT_C, word: 10'(word_q)};
  end

  assign feed_valid_o = here_q;
  assign feed_first_o = here_q && here_first_q;
  assign feed_last_o = here_q && here_last_q;
  always_comb begin
    feed_word_o = here_word_q;
    if (here_first_q) feed_word_o = feed_word_o ^ WORD'(surplus_q);
    if (here_last_q) feed_word_o[WORD-1:Tail] = '0;
  end

`ifdef FORMAL
  always_comb begin
    if (!(state_q inside {IDLE, FINISH})) in_range : assert (32'(word_q) < Words);
    known_state : assert (state_q <= FINISH);
    knows_what_it_asks : assert (asks_q == !(state_q inside {IDLE, FINISH}));
    poly_in_bounds : assert (32'(poly_read_o.word) < Words);
  end
`endif
endmodule
