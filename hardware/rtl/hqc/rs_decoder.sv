// SPDX-License-Identifier: Apache-2.0 OR MIT
// Decodes a Reed-Solomon word of K + 2 DELTA symbols to its message [HQC, S7.2]: syndromes while
// the symbols come, lowest first, then the error locator and evaluator, and at last the bytes of
// the message, the highest first, each less its error. Its lanes come from done_o on, the lowest
// first, each until it is taken. With more than DELTA wrong symbols the message is that of the
// software.
//
// From one symbol_valid_i to the next must be at least 2 * DELTA / RINGS cycles, GAP says how many
// there are.
// Latency, from the last symbol_valid_i to done_o: 2 * DELTA / RINGS
// + (3 * DELTA + 1) * (Groups + 1) + K * Groups + 4 cycles, Groups = ceil((DELTA + 1) / CELLS).
// Independent of data.
module rs_decoder
  import gf256_pkg::*;
#(
    parameter int K = 16,
    parameter int DELTA = 15,
    parameter int CELLS = 4,  // of rs_locator: 1, 2, 4 or 8
    parameter int RINGS = 2,  // of rs_syndromes: 1 or 2
    parameter int GAP = 27    // fewest cycles from one symbol to the next
) (
    input  logic        clk_i,
    input  logic        clear_i,
    input  logic        start_i,         // before the first symbol of a word
    output logic        done_o,          // with lane 0, for one cycle
    input  logic        symbol_valid_i,
    input  logic [7:0]  symbol_i,
    output logic        lane_valid_o,
    output logic [1:0]  lane_o,          // zero without lane_valid_o
    output logic [63:0] lane_data_o,     // 8 bytes, the lowest first; nothing without lane_valid_o
    input  logic        lane_ready_i     // taken
);
  localparam int Symbols = K + 2 * DELTA;
  localparam int SymbolBits = $clog2(Symbols + 1);
  localparam int IndexBits = $clog2(K);
  localparam gf256_table_t Inverses = gf256_inverses();
  initial begin
    assert (K % 8 == 0 && K <= 32)
    else $fatal(1, "rs_decoder: the message is 1 to 4 lanes");
    assert (GAP >= 2 * DELTA / RINGS)
    else $fatal(1, "rs_decoder: the symbols come too fast for RINGS");
  end

  // --- The symbols, and the message as received --------------------------------------------------
  logic busy, next, locate;
  gf256_t syndrome;
  logic [SymbolBits-1:0] count_q;
  gf256_t [K-1:0] message_q;  // goes round while it is corrected
  logic valid_q;
  gf256_t corrected;
  assign locate = count_q == SymbolBits'(Symbols) && !busy;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {count_q, message_q} <= '0;
    end else begin
      if (symbol_valid_i) message_q <= {symbol_i, message_q[K-1:1]};
      else if (valid_q) message_q <= {message_q[K-2:0], corrected};
      if (start_i || locate) count_q <= '0;
      else if (symbol_valid_i) count_q <= count_q + 1'b1;
    end
  end
  rs_syndromes #(
      .DELTA(DELTA),
      .RINGS(RINGS)
  ) u_syndromes (
      .clk_i,
      .clear_i,
      .start_i,
      .valid_i(symbol_valid_i),
      .symbol_i,
      .busy_o(busy),
      .next_i(next),
      .syndrome_o(syndrome)
  );

  // --- Errors ------------------------------------------------------------------------------------
  logic valid, wrong;
  gf256_t odd, value;
  rs_locator #(
      .K(K),
      .DELTA(DELTA),
      .CELLS(CELLS)
  ) u_locator (
      .clk_i,
      .clear_i,
      .start_i(locate),
      .syndrome_i(syndrome),
      .next_o(next),
      .valid_o(valid),
      .wrong_o(wrong),
      .odd_o(odd),
      .value_o(value)
  );

  // --- The message: an error is its value by the inverse of odd ----------------------------------
  logic sends_q, done_q, last_lane;
  logic [IndexBits-1:0] left_q;  // bytes after this one
  logic [1:0] lane_q;
  gf256_t inverse_q, value_q;
  assign corrected = message_q[K-1] ^ gf256_mul(value_q, inverse_q);
  assign last_lane = lane_q == 2'(K / 8 - 1);
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {valid_q, sends_q, done_q, left_q, lane_q, inverse_q, value_q} <= '0;
    end else begin
      valid_q <= valid;
      inverse_q <= Inverses[odd];
      value_q <= wrong ? value : '0;
      if (locate) left_q <= IndexBits'(K - 1);
      else if (valid_q && left_q != '0) left_q <= left_q - 1'b1;
      done_q <= valid_q && left_q == '0;
      if (valid_q && left_q == '0) sends_q <= 1'b1;
      else if (lane_ready_i && last_lane) sends_q <= 1'b0;
      if (sends_q && lane_ready_i) lane_q <= last_lane ? '0 : lane_q + 1'b1;
    end
  end
  assign lane_valid_o = sends_q;
  assign lane_o = lane_q;
  assign lane_data_o = message_q[8*lane_q +: 8];
  assign done_o = done_q;

`ifdef FORMAL
  always_comb begin
    no_more_symbols : assume (!symbol_valid_i || count_q != SymbolBits'(Symbols));
    inverse_as_defined : assert (gf256_mul(odd, Inverses[odd]) == 8'(odd != '0));
    counts_in_range : assert (32'(count_q) <= Symbols);
    bytes_in_range : assert (32'(left_q) < K && 32'(lane_q) < K / 8);
    if (!lane_valid_o) silent : assert (lane_o == '0 && !done_o);
  end
`endif
endmodule
