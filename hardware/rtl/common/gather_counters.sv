// SPDX-License-Identifier: Apache-2.0 OR MIT
// WORD counters side by side, which add up to LANES windows a cycle. First the windows are counted
// for each coefficient: any output for six of them is one look-up table of six inputs. Then that
// number is added to the coefficient's counter, on a carry chain with the choice of the start. A
// counter of one bit is the sum in GF(2), for products.
// Latency: two cycles; start_i belongs to the second one. Independent of data.
module gather_counters #(
    parameter int WORD = 128,
    parameter int LANES = 8,  // even
    parameter int BITS = 8    // of each counter; 1 for products only
) (
    input  logic                  clk_i,
    input  logic                  clear_i,
    input  logic                  add_i,
    input  logic                  first_i,   // with add_i: start anew
    input  logic [LANES*WORD-1:0] windows_i,
    input  logic [BITS*WORD-1:0]  start_i,   // in the cycle after first_i; planes as in counts_o
    output logic [BITS*WORD-1:0]  counts_o   // plane i, with weight 2^i, at bits WORD*i
);
  logic add_q, first_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) {add_q, first_q} <= '0;
    else {add_q, first_q} <= {add_i, first_i};
  end

  if (BITS == 1) begin : gen_product
    // Two windows wait, so that the sum of the others, the start and they fit a table of six.
    logic [WORD-1:0] parity, parity_q, counts_q;
    logic [2*WORD-1:0] two_q;
    always_comb begin
      parity = '0;
      for (int i = 2; i < LANES; i++) parity ^= windows_i[WORD*i +: WORD];
    end
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        {parity_q, two_q, counts_q} <= '0;
      end else begin
        parity_q <= parity;
        two_q <= windows_i[2*WORD-1:0];
        if (add_q) begin
          counts_q <= (first_q ? start_i : counts_q) ^ parity_q ^ two_q[WORD-1:0]
              ^ two_q[2*WORD-1:WORD];
        end
      end
    end
    assign counts_o = counts_q;
  end else begin : gen_count
    localparam int Full = $clog2(LANES + 1);
    localparam int Planes = Full < BITS ? Full : BITS;

    logic [WORD-1:0] ones[Full];
    always_comb begin
      logic [WORD-1:0] few[3];
      logic [WORD-1:0] a, b, carry;
      for (int p = 0; p < Full; p++) ones[p] = '0;
      for (int i = 0; i < LANES; i += 6) begin
        for (int p = 0; p < 3; p++) few[p] = '0;
        for (int k = i; k < LANES && k < i + 6; k++) begin
          carry = windows_i[WORD*k +: WORD];
          for (int p = 0; p < 3; p++) begin
            a = few[p];
            few[p] = a ^ carry;
            carry = a & carry;
          end
        end
        carry = '0;
        for (int p = 0; p < Full; p++) begin
          a = ones[p];
          b = p < 3 ? few[p] : '0;
          ones[p] = a ^ b ^ carry;
          carry = (a & b) | (carry & (a ^ b));
        end
      end
    end

    logic [Planes*WORD-1:0] ones_q;
    always_ff @(posedge clk_i) begin
      for (int p = 0; p < Planes; p++) ones_q[WORD*p +: WORD] <= clear_i ? '0 : ones[p];
    end
    for (genvar j = 0; j < WORD; j++) begin : gen_counter
      logic [BITS-1:0] count_q, start;
      logic [Planes-1:0] more;
      for (genvar p = 0; p < Planes; p++) begin : gen_more
        assign more[p] = ones_q[WORD*p+j];
      end
      for (genvar p = 0; p < BITS; p++) begin : gen_plane
        assign start[p] = start_i[WORD*p+j];
        assign counts_o[WORD*p+j] = count_q[p];
      end
      always_ff @(posedge clk_i) begin
        if (clear_i) count_q <= '0;
        else if (add_q) count_q <= (first_q ? start : count_q) + BITS'(more);
      end
    end
  end

`ifdef FORMAL
  // By arithmetic, for each coefficient: the windows of the cycle before the last one.
  logic add_was_q, first_was_q;
  logic [LANES*WORD-1:0] windows_q, windows_was_q;
  logic [BITS*WORD-1:0] start_was_q, counts_was_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {add_was_q, first_was_q, windows_q, windows_was_q, start_was_q, counts_was_q} <= '0;
    end else begin
      {add_was_q, first_was_q} <= {add_q, first_q};
      {windows_q, windows_was_q} <= {windows_i, windows_q};
      {start_was_q, counts_was_q} <= {start_i, counts_o};
    end
  end
  for (genvar j = 0; j < WORD; j++) begin : gen_formal
    logic [BITS-1:0] expected, found;
    always_comb begin
      expected = '0;
      for (int i = 0; i < BITS; i++) begin
        expected = expected + (BITS'(first_was_q && add_was_q ? start_was_q[WORD*i+j]
                                                              : counts_was_q[WORD*i+j]) << i);
        found[i] = counts_o[WORD*i+j];
      end
      for (int i = 0; i < LANES; i++) begin
        expected = expected + BITS'(add_was_q && windows_was_q[WORD*i+j]);
      end
      adds : assert (found == expected);
    end
  end
`endif
endmodule
