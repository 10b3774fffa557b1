// SPDX-License-Identifier: Apache-2.0 OR MIT
// Encodes a message of K bytes to a Reed-Solomon codeword, parity first [HQC, S7.1], and gives its
// symbols one by one.
//
// It takes the message in the first K cycles, and divides by the generator polynomial, CELLS
// coefficients in each cycle: in front of the parity are places for whole groups, which stay zero.
// Symbol 0 is there from done_o on; after a next_i the following symbol is there in the next cycle,
// after the last one symbol 0 again. From one next_i to the next must be at least K cycles.
// Latency, from start_i to done_o: K * (ceil(2 * DELTA / CELLS) + 1) + 3 cycles. Independent of
// data.
module rs_encoder
  import gf256_pkg::*;
#(
    parameter int K = 16,
    parameter int DELTA = 15,
    parameter int CELLS = 1   // multipliers: 1, 2 or 4
) (
    input  logic        clk_i,
    input  logic        clear_i,
    input  logic        start_i,
    output logic        done_o,
    output logic        read_o,   // lane_o is asked for, for the next cycle
    output logic [1:0]  lane_o,   // zero without read_o
    input  logic [63:0] lane_i,   // 8 bytes of the message, the lowest first
    input  logic        next_i,   // only after done_o and before the next start_i
    output logic [7:0]  symbol_o
);
  localparam int Groups = (2 * DELTA + CELLS - 1) / CELLS;
  localparam int Unused = Groups * CELLS - 2 * DELTA;  // places
  localparam int IndexBits = $clog2(K);
  localparam int GroupBits = $clog2(Groups);
  localparam int CellBits = CELLS > 1 ? $clog2(CELLS) : 1;
  localparam int SymbolBits = $clog2(K + 2 * DELTA);
  initial begin
    assert (CELLS == 1 || CELLS == 2 || CELLS == 4)
    else $fatal(1, "rs_encoder: CELLS is 1, 2 or 4");
    assert (K % 8 == 0 && K <= 32 && 2 * DELTA < 64)
    else $fatal(1, "rs_encoder: no such code");
  end

  // The generator's coefficients by groups, the leading one left out.
  typedef gf256_t [CELLS-1:0] group_t;
  function automatic group_t [2**GroupBits-1:0] coefficients();
    rs_polynomial_t g;
    g = rs_generator(DELTA);
    coefficients = '0;
    for (int i = 0; i < 2 * DELTA; i++) begin
      coefficients[(i+Unused)/CELLS][(i+Unused)%CELLS] = g[i];
    end
  endfunction
  localparam group_t [2**GroupBits-1:0] Coefficients = coefficients();

  typedef enum logic [1:0] {
    IDLE,    // and giving symbols
    LOAD,    // index_q: the byte of the message that comes, downwards
    BEGIN,
    DIVIDE   // index_q: the byte of the message that is divided, downwards
  } state_e;
  state_e state_q;
  logic load, ending_q, turn;
  logic [IndexBits-1:0] index_q, turns_q;
  logic [GroupBits-1:0] group_q;
  logic last_group;
  gf256_t byte_in, feedback_q, parity_last, carry_q;
  gf256_t [K-1:0] message_q;  // goes round: the next byte to divide by, or the next to be given
  group_t [Groups-1:0] parity_q;  // goes round
  group_t inserted;

  assign last_group = group_q == GroupBits'(Groups - 1);
  assign load = state_q == LOAD;
  assign read_o = start_i || (load && index_q != '0);
  assign lane_o = start_i ? 2'((K - 1) >> 3) : read_o ? 2'((index_q - 1'b1) >> 3) : '0;
  assign byte_in = lane_i[8*index_q[2:0] +: 8];
  always_comb begin
    for (int i = 0; i < CELLS; i++) begin
      inserted[i] = gf256_mul(feedback_q, Coefficients[group_q][i]) ^
          (i == 0 ? carry_q : parity_q[0][(i+CELLS-1)%CELLS]);
    end
  end
  assign parity_last = state_q == DIVIDE ? inserted[CELLS-1] : '0;

  // --- Which symbol follows ----------------------------------------------------------------------
  logic give, in_parity;
  logic [SymbolBits-1:0] following_q;
  logic [CellBits-1:0] cell_q;
  logic last_cell;
  gf256_t symbol_q;
  assign give = ending_q || next_i;
  assign in_parity = following_q < SymbolBits'(2 * DELTA);
  assign last_cell = cell_q == CellBits'(CELLS - 1);

  // The message turns by one place towards lower bytes, or by K - 1 places towards higher ones.
  assign turn = state_q == BEGIN || (state_q == DIVIDE && last_group && index_q > 1)
                || turns_q != '0;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= IDLE;
      {ending_q, index_q, turns_q, group_q, feedback_q, carry_q, message_q, parity_q} <= '0;
      {following_q, cell_q, symbol_q} <= '0;
    end else begin
      ending_q <= state_q == DIVIDE && last_group && index_q == '0;
      if (load || turn) message_q <= {load ? byte_in : message_q[0], message_q[K-1:1]};
      carry_q <= state_q != DIVIDE || last_group ? '0 : parity_q[0][CELLS-1];
      if (state_q == BEGIN || last_group) feedback_q <= message_q[0] ^ parity_last;
      if (state_q == DIVIDE) group_q <= last_group ? '0 : group_q + 1'b1;
      if (start_i) begin
        parity_q <= '0;
      end else if (state_q == DIVIDE || (give && in_parity && last_cell)) begin
        parity_q <= {state_q == DIVIDE ? inserted : parity_q[0], parity_q[Groups-1:1]};
      end
      unique case (state_q)
        IDLE: begin
          if (start_i) begin
            state_q <= LOAD;
            index_q <= IndexBits'(K - 1);
          end
        end
        LOAD: begin
          index_q <= index_q == '0 ? IndexBits'(K - 1) : index_q - 1'b1;
          if (index_q == '0) state_q <= BEGIN;
        end
        BEGIN: state_q <= DIVIDE;
        DIVIDE: begin
          if (last_group) begin
            index_q <= index_q == '0 ? '0 : index_q - 1'b1;
            if (index_q == '0) state_q <= IDLE;
          end
        end
      endcase

      if (turns_q != '0) turns_q <= turns_q - 1'b1;
      if (start_i) begin
        following_q <= '0;
        cell_q <= CellBits'(Unused);
      end else if (give) begin
        symbol_q <= in_parity ? parity_q[0][cell_q] : message_q[0];
        following_q <= following_q + 1'b1;
        if (following_q == SymbolBits'(K + 2 * DELTA - 1)) begin
          following_q <= '0;
          cell_q <= CellBits'(Unused);
        end else if (in_parity) begin
          cell_q <= last_cell ? '0 : cell_q + 1'b1;
        end
        if (!in_parity) turns_q <= IndexBits'(K - 1);
      end
    end
  end
  logic done_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) done_q <= 1'b0;
    else done_q <= ending_q;
  end
  assign done_o = done_q;
  assign symbol_o = symbol_q;

`ifdef FORMAL
  always_comb begin
    in_turn : assume (!(start_i && state_q != IDLE) && !(next_i && (state_q != IDLE || ending_q)));
    settled : assume (!next_i || turns_q == '0);
    groups_in_range : assert (32'(group_q) < Groups);
    bytes_in_range : assert (32'(index_q) < K && 32'(lane_o) < K / 8);
    symbols_in_range : assert (32'(following_q) < K + 2 * DELTA && 32'(cell_q) < CELLS);
    if (state_q != DIVIDE) at_the_first_group : assert (group_q == '0);
  end
`endif
endmodule
