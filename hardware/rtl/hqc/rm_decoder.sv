// SPDX-License-Identifier: Apache-2.0 OR MIT
// Decodes words of the duplicated Reed-Muller code as they come [HQC, S8.2]: adds up the copies,
// transforms (rm_transform) and finds the entry of largest absolute value (rm_peak).
//
// A copy is 128 bits: a word, or two, lower half first. The words of a symbol come one after the
// other, symbol after symbol; there is no start, a clear makes it wait for a first word. Between
// two words must be at least 64/VALUES cycles, GAP says how many there are. Each copy is added
// during that many cycles, VALUES positions j and as many positions 64 + j in each, so that the
// last copy's sums go to the transform's first step at once.
// Latency, from the last word of a symbol to symbol_valid_o: 3 * (64 / VALUES) + 7 + Lanes cycles,
// VALUES = 2^Lanes. Independent of data.
module rm_decoder #(
    parameter int COPIES = 3,  // 3 or 5
    parameter int WORD = 128,  // 64 or 128
    parameter int VALUES = 8,  // of the transform, in each cycle: 2, 4 or 8
    parameter int GAP = 9      // fewest cycles from one word to the next
) (
    input  logic            clk_i,
    input  logic            clear_i,
    input  logic            word_valid_i,
    input  logic [WORD-1:0] word_i,
    output logic            symbol_valid_o,
    output logic [7:0]      symbol_o         // means nothing without symbol_valid_o
);
  localparam int Half = 64 / VALUES;
  localparam int HalfBits = $clog2(Half);
  localparam int CountBits = $clog2(COPIES + 1);
  localparam int CopyBits = $clog2(COPIES);
  localparam int Bits = CountBits + 1;  // of what goes to the transform
  initial begin
    assert (WORD == 64 || WORD == 128)
    else $fatal(1, "rm_decoder: WORD is 64 or 128");
    assert (VALUES == 2 || VALUES == 4 || VALUES == 8)
    else $fatal(1, "rm_decoder: VALUES is 2, 4 or 8");
    assert (COPIES == 3 || COPIES == 5)  // odd: then some entry is not zero
    else $fatal(1, "rm_decoder: COPIES is 3 or 5");
    assert (GAP >= Half)
    else $fatal(1, "rm_decoder: the words come too fast for VALUES");
  end

  // --- A copy, as it is until it was added -------------------------------------------------------
  // The halves move down as they are added; the next word may come in the last cycle of that.
  logic whole, busy_q;  // whole: the copy's last word comes
  logic [1:0] load;
  logic [1:0][63:0] copy_q, words;
  if (WORD == 128) begin : gen_one_word
    assign load = {2{word_valid_i}};
    assign words = word_i;
  end else begin : gen_two_words
    logic upper_q;
    assign load = {word_valid_i && upper_q, word_valid_i && !upper_q};
    assign words = {2{word_i}};
    always_ff @(posedge clk_i) begin
      if (clear_i) upper_q <= 1'b0;
      else if (word_valid_i) upper_q <= !upper_q;
    end
  end
  assign whole = load[1];
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 2; i++) begin
      if (clear_i) copy_q[i] <= '0;
      else if (load[i]) copy_q[i] <= words[i];
      else if (busy_q) copy_q[i] <= copy_q[i] >> VALUES;
    end
  end

  // --- Counts: for each position how many copies have a one there --------------------------------
  logic first, last;
  logic [HalfBits-1:0] at_q;
  logic [CopyBits-1:0] number_q;
  logic [Half-1:0][2*VALUES-1:0][CountBits-1:0] counts_q;  // places go round
  logic [2*VALUES-1:0][CountBits-1:0] sums;
  assign first = number_q == '0;
  assign last = number_q == CopyBits'(COPIES - 1);
  always_comb begin
    for (int i = 0; i < VALUES; i++) begin
      sums[i] = CountBits'(copy_q[0][i]);
      sums[VALUES+i] = CountBits'(copy_q[1][i]);
    end
    if (!first) for (int i = 0; i < 2 * VALUES; i++) sums[i] = sums[i] + counts_q[0][i];
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {busy_q, at_q, number_q, counts_q} <= '0;
    end else begin
      if (busy_q) begin
        counts_q <= {sums, counts_q[Half-1:1]};
        at_q <= at_q + 1'b1;
        if (at_q == HalfBits'(Half - 1)) begin
          number_q <= last ? '0 : number_q + 1'b1;
          busy_q <= 1'b0;
        end
      end
      if (whole) busy_q <= 1'b1;
    end
  end

  // --- The transform's first step: position j with 64 + j ----------------------------------------
  // Sums, about zero, pass at once; the differences wait until all sums have passed.
  logic summing, begin_q;
  logic [VALUES-1:0][Bits-1:0] sum, difference, item_q;
  logic [Half-1:0][VALUES-1:0][Bits-1:0] differences_q;
  assign summing = busy_q && last;
  always_comb begin
    for (int i = 0; i < VALUES; i++) begin
      sum[i] = Bits'(sums[i]) + Bits'(sums[VALUES+i]) - Bits'(COPIES);
      difference[i] = Bits'(sums[i]) - Bits'(sums[VALUES+i]);
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {begin_q, item_q, differences_q} <= '0;
    end else begin
      begin_q <= summing && at_q == '0;
      item_q <= summing ? sum : differences_q[0];
      differences_q <= {difference, differences_q[Half-1:1]};
    end
  end

  // --- The other steps, and the peak -------------------------------------------------------------
  localparam int PairBits = Bits + 5;  // of what goes to the last step
  logic pairs_begin;
  logic [VALUES-1:0][PairBits-1:0] pairs;
  rm_transform #(
      .VALUES(VALUES),
      .BITS(Bits)
  ) u_transform (
      .clk_i,
      .clear_i,
      .begin_i(begin_q),
      .values_i(item_q),
      .begin_o(pairs_begin),
      .values_o(pairs)
  );
  rm_peak #(
      .VALUES(VALUES),
      .BITS(PairBits)
  ) u_peak (
      .clk_i,
      .clear_i,
      .begin_i(pairs_begin),
      .values_i(pairs),
      .symbol_valid_o,
      .symbol_o
  );

`ifdef FORMAL
  always_comb begin
    words_apart : assume (!word_valid_i || !busy_q || at_q == HalfBits'(Half - 1));
    in_range : assert (32'(number_q) < COPIES);
    if (!busy_q) waits : assert (at_q == '0);
  end
`endif
endmodule
