// SPDX-License-Identifier: Apache-2.0 OR MIT
// The last step of the Hadamard transform, for bit 0 of the index, and the entry of largest
// absolute value, the first of several [HQC, S8.2]: the symbol is its index t, plus 128 if it is
// positive.
//
// The larger one of |a + b| and |a - b| is |a| + |b|, and the signs of a and b tell which one it
// is, so a pair takes one addition. Signs as rm_transform leaves them.
// Latency, from begin_i to symbol_valid_o: 128 / VALUES + Lanes + 1 cycles, VALUES = 2^Lanes.
// Independent of data.
module rm_peak #(
    parameter int VALUES = 8,  // 2, 4 or 8
    parameter int BITS = 8     // of a value, signed
) (
    input  logic                        clk_i,
    input  logic                        clear_i,
    input  logic                        begin_i,   // with the first of 128/VALUES cycles
    input  logic [VALUES-1:0][BITS-1:0] values_i,
    output logic                        symbol_valid_o,
    output logic [7:0]                  symbol_o   // means nothing without symbol_valid_o
);
  localparam int Pairs = VALUES / 2;
  localparam int Lanes = $clog2(VALUES);
  localparam int TimeBits = 7 - Lanes;
  localparam int Delay = Lanes + 1;  // of the candidates behind the values

  // The best of some entries.
  typedef struct packed {
    logic [BITS-1:0]  size;  // |W|
    logic             negative;
    logic [Lanes-1:0] index;  // t modulo VALUES
  } entry_t;

  // --- The pairs' better halves ------------------------------------------------------------------
  logic [Pairs-1:0][BITS:0] total_q;
  logic [Pairs-1:0] second_q, turned_q;
  entry_t [Pairs-1:0] pairs_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {total_q, second_q, turned_q, pairs_q} <= '0;
    end else begin
      for (int i = 0; i < Pairs; i++) begin
        automatic logic [BITS-1:0] a = values_i[2*i];
        automatic logic [BITS-1:0] b = values_i[2*i+1];
        automatic logic differ = a[BITS-1] ^ b[BITS-1];
        // a + b, or a - b, with the sign of a
        total_q[i] <= {a[BITS-1], a} + ({b[BITS-1], b} ^ {BITS+1{differ}}) + (BITS+1)'(differ);
        second_q[i] <= differ && a != '0 && b != '0;  // a tie is for the first one
        turned_q[i] <= differ && a == '0;  // it was a - b, and a + b = b is meant
        pairs_q[i].size <= BITS'((total_q[i] ^ {BITS+1{total_q[i][BITS]}})
                                 + (BITS+1)'(total_q[i][BITS]));
        pairs_q[i].negative <= total_q[i][BITS] ^ turned_q[i];
        pairs_q[i].index <= Lanes'(2 * i) | Lanes'(second_q[i]);
      end
    end
  end

  // --- The best of a cycle: of neighbours the second one if it is greater ------------------------
  entry_t best_of_cycle;
  if (Pairs == 1) begin : gen_one_pair
    assign best_of_cycle = pairs_q[0];
  end else begin : gen_tree
    entry_t [Pairs-2:0] node_q;  // the level with two inputs last
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        node_q <= '0;
      end else begin
        for (int i = 0; i < Pairs - 1; i++) begin
          automatic entry_t first = 2 * i < Pairs ? pairs_q[(2*i)%Pairs]
                                                  : node_q[(2*i-Pairs)%Pairs];
          automatic entry_t second = 2 * i < Pairs ? pairs_q[(2*i+1)%Pairs]
                                                   : node_q[(2*i+1-Pairs)%Pairs];
          node_q[i] <= second.size > first.size ? second : first;
        end
      end
    end
    assign best_of_cycle = node_q[Pairs-2];
  end

  // --- The best of all ---------------------------------------------------------------------------
  logic [Delay-1:0] begin_q;
  logic busy_q, done_q, begins, better, sign;
  logic [TimeBits-1:0] at, next_q;
  entry_t best_q;
  logic [TimeBits-1:0] best_at_q;
  assign begins = begin_q[Delay-1];
  assign at = begins ? '0 : next_q;
  assign better = begins || best_of_cycle.size > best_q.size;
  assign sign = best_of_cycle.negative ^ (^at[TimeBits-2:0]);
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {begin_q, busy_q, done_q, next_q, best_q, best_at_q} <= '0;
    end else begin
      begin_q <= {begin_q[Delay-2:0], begin_i};
      next_q <= at + 1'b1;
      done_q <= busy_q && next_q == '1;
      if (begins) busy_q <= 1'b1;
      else if (next_q == '1) busy_q <= 1'b0;
      if (better) begin
        best_q <= best_of_cycle;
        best_q.negative <= sign;
        best_at_q <= at;
      end
    end
  end
  assign symbol_valid_o = done_q;
  assign symbol_o = {!best_q.negative, best_at_q, best_q.index};
endmodule
