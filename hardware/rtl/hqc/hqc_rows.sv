// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reads s or u from its slot and feeds its words to the row writer of the gather unit. Padding
// bits, which honest keys do not have, are folded, x^n = 1: the last word is read first, so that
// they are at hand when the first word passes; padding_o keeps them until the next start. What a
// slot holds beyond its bytes does not count.
// Latency, from start_i to done_o: Words * WORD/STRIDE + WORD/STRIDE + 6 cycles, independent of
// data.
module hqc_rows
  import kem_pkg::*;
  import hqc_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    localparam int N = n_bits(LEVEL),
    localparam int Words = words_of(LEVEL, WORD),
    localparam int WordAddrBits = $clog2(Words),
    localparam int Padding = 8 * u_bytes(LEVEL) - N
) (
    input  logic               clk_i,
    input  logic               clear_i,
    input  logic               start_i,
    input  slot_e              slot_i,
    output logic               done_o,
    output word_read_t         poly_read_o,
    input  logic [WORD-1:0]    poly_late_i,   // two cycles after its address
    output logic               feed_valid_o,
    output logic               feed_first_o,
    output logic               feed_last_o,
    output logic [WORD-1:0]    feed_word_o,   // zero when not valid
    output logic [Padding-1:0] padding_o
);
  localparam int Rows = WORD / STRIDE;
  localparam int Tail = N % WORD;
  localparam int CountBits = $clog2(Rows + 5);
  typedef logic [WordAddrBits-1:0] word_t;
  typedef enum logic [2:0] {
    IDLE,
    LAST,
    WAIT,
    WORDS,
    FINISH
  } state_e;

  state_e state_q;
  slot_e slot_q;
  word_t word_q;
  logic asks_q;  // neither IDLE nor FINISH
  logic [CountBits-1:0] count_q;
  logic [Padding-1:0] padding_q;
  logic save_q;  // the last word is here
  logic valid_q, first_q, last_q;  // of the word that comes next
  logic here_q, here_first_q, here_last_q, last_word;
  assign last_word = word_q == word_t'(Words - 1);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= IDLE;
      slot_q <= SLOT_A;
      {word_q, count_q, padding_q, save_q, valid_q, first_q, last_q} <= '0;
      asks_q <= 1'b0;
      {here_q, here_first_q, here_last_q} <= '0;
    end else begin
      valid_q <= state_q == WORDS && count_q == 0;
      first_q <= state_q == WORDS && word_q == 0;
      last_q <= state_q == WORDS && last_word;
      {here_q, here_first_q, here_last_q} <= {valid_q, first_q, last_q};
      save_q <= state_q == WAIT;
      if (save_q) padding_q <= poly_late_i[Tail +: Padding];
      unique case (state_q)
        IDLE:
        if (start_i) begin
          state_q <= LAST;
          asks_q <= 1'b1;
          slot_q <= slot_i;
          word_q <= word_t'(Words - 1);
        end
        LAST: state_q <= WAIT;
        WAIT: begin
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
          if (count_q == CountBits'(Rows + 3)) state_q <= IDLE;
        end
        default: state_q <= IDLE;
      endcase
    end
  end
  assign done_o = state_q == FINISH && count_q == CountBits'(Rows + 3);
  assign padding_o = padding_q;
  always_comb begin
    poly_read_o = '0;
    if (asks_q) poly_read_o = '{slot: slot_q, word: 10'(word_q)};
  end

  assign feed_valid_o = here_q;
  assign feed_first_o = here_q && here_first_q;
  assign feed_last_o = here_q && here_last_q;
  always_comb begin
    feed_word_o = here_q ? poly_late_i : '0;
    if (feed_first_o) feed_word_o = feed_word_o ^ WORD'(padding_q);
    if (here_last_q) feed_word_o[WORD-1:Tail] = '0;
  end

`ifdef FORMAL
  always_comb begin
    if (!(state_q inside {IDLE, FINISH})) in_range : assert (32'(word_q) < Words);
    known_state : assert (state_q <= FINISH);
    knows_what_it_asks : assert (asks_q == !(state_q inside {IDLE, FINISH}));
    poly_in_bounds : assert (32'(poly_read_o.word) < Words);
    if (!feed_valid_o) silent : assert (feed_word_o == '0);
  end
`endif
endmodule
