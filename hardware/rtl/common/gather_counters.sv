// SPDX-License-Identifier: Apache-2.0 OR MIT
// WORD counters side by side, one bit plane for each power of two, that add LANES windows a cycle
// with full adders. The lowest plane alone is the sum in GF(2), so products need nothing else.
// Latency: one cycle. Independent of data.
module gather_counters #(
    parameter int WORD = 128,
    parameter int LANES = 8,
    parameter int BITS = 8  // of each counter; 1 for products only
) (
    input  logic                  clk_i,
    input  logic                  clear_i,
    input  logic                  add_i,
    input  logic                  first_i,  // with add_i: start from start_i
    input  logic [BITS-1:0]       start_i,
    input  logic [LANES*WORD-1:0] windows_i,
    output logic [BITS*WORD-1:0]  counts_o  // plane i at bits WORD*i
);
  logic [BITS*WORD-1:0] counts_q, sum;

  always_comb begin
    logic [WORD-1:0] carry[LANES];
    logic [WORD-1:0] s, a, b;
    int n, m;
    a = '0;
    b = '0;
    sum = '0;
    n = LANES;
    for (int i = 0; i < LANES; i++) carry[i] = windows_i[WORD*i +: WORD];
    for (int plane = 0; plane < BITS; plane++) begin
      s = first_i ? {WORD{start_i[plane]}} : counts_q[WORD*plane +: WORD];
      m = 0;
      for (int i = 0; i < LANES / 2; i++) begin
        if (2 * i + 1 < n) begin  // full adder
          a = carry[2*i];
          b = carry[2*i+1];
          carry[m] = (a & b) | (s & (a ^ b));
          s = s ^ a ^ b;
          m = m + 1;
        end
      end
      if (n % 2 == 1) begin  // half adder
        a = carry[n-1];
        carry[m] = s & a;
        s = s ^ a;
        m = m + 1;
      end
      sum[WORD*plane +: WORD] = s;
      n = m;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) counts_q <= '0;
    else if (add_i) counts_q <= sum;
  end
  assign counts_o = counts_q;

`ifdef FORMAL
  for (genvar j = 0; j < WORD; j++) begin : gen_formal
    logic [BITS-1:0] expected, found;
    always_comb begin
      expected = first_i ? start_i : '0;
      for (int i = 0; i < LANES; i++) expected = expected + BITS'(windows_i[WORD*i+j]);
      for (int i = 0; i < BITS; i++) begin
        if (!first_i) expected = expected + BITS'(counts_q[WORD*i+j] << i);
        found[i] = sum[WORD*i+j];
      end
      adds : assert (found == expected);
    end
  end
`endif
endmodule
