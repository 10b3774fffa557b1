// SPDX-License-Identifier: Apache-2.0 OR MIT
// What masked_engine does with words: both shares, and the products in which they meet. Latency:
// two cycles, each cycle another step.
module masked_alu #(
    parameter int WORD = 128,
    parameter int ADDR = 10  // bits of an address
) (
    input  logic                     clk_i,
    input  logic                     clear_i,
    input  logic                     odd_i,       // changes in each cycle
    input  masked_engine_pkg::sums_t step_i,      // of the words
    input  logic                     accumulate_i,
    input  masked_engine_pkg::result_t result_i,
    input  logic [ADDR-1:0]          addr_i,      // to which it goes
    input  logic [1:0][WORD-1:0]     a_i,         // shares
    input  logic [1:0][WORD-1:0]     b_i,         // shares
    input  logic [WORD-1:0]          constant_i,
    input  logic [WORD-1:0]          random_i,    // fresh with step_i.product, else zero
    output logic                     write_o,
    output logic [ADDR-1:0]          addr_o,
    output logic [1:0][WORD-1:0]     word_o       // shares
);
  masked_engine_pkg::result_t [1:0] result_q;
  logic [1:0][ADDR-1:0] addr_q;
  logic enable_q, accumulate_q;
  logic [1:0][WORD-1:0] a, b, sum;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {result_q, addr_q, enable_q, accumulate_q} <= '0;
    end else begin
      result_q <= {result_q[0], result_i};
      addr_q <= {addr_q[0], addr_i};
      enable_q <= step_i.product || result_i.write || result_i.keep;
      accumulate_q <= accumulate_i;
    end
  end
  assign write_o = result_q[1].write;
  assign addr_o  = addr_q[1];
  for (genvar share = 0; share < 2; share++) begin : gen_share
    masked_share #(
        .WORD(WORD)
    ) u_share (
        .clk_i,
        .clear_i,
        .step_i,
        .keep_i(result_q[1].keep),
        .write_z_i(result_q[1].write_z),
        .a_i(a_i[share]),
        .b_i(b_i[share]),
        .constant_i(share == 0 ? constant_i : '0),
        .sum_i(sum[share]),
        .factor_a_o(a[share]),
        .factor_b_o(b[share]),
        .write_o(word_o[share])
    );
  end
  masked_multiply #(
      .WIDTH(WORD)
  ) u_multiply (
      .clk_i,
      .clear_i,
      .odd_i,
      .a_i(a),
      .b_i(b),
      .random_i,
      .enable_i(enable_q),
      .accumulate_i(accumulate_q),
      .sum_o(sum)
  );
endmodule
