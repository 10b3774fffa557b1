// SPDX-License-Identifier: Apache-2.0 OR MIT
// Threshold of a decoder iteration from the weight of the syndrome [BIKE, S7.3]; with it the value
// from which the counters start so that their top bit says "at least the threshold".
// Latency: 4 cycles, of masked_i 2 cycles; independent of data.
module bike_threshold
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    localparam int WeightBits = $clog2(r_bits(LEVEL) + 1),
    localparam int Bits = counter_bits(LEVEL)
) (
    input  logic                  clk_i,
    input  logic                  clear_i,
    input  logic [WeightBits-1:0] weight_i,
    input  logic                  masked_i,  // take the threshold of the masked steps
    output logic [Bits-1:0]       start_o    // 2^(Bits-1) - threshold
);
  localparam logic [Bits-1:0] Masked = Bits'((weight_d(LEVEL) + 1) / 2 + 1);
  localparam logic [Bits-1:0] Minimum = Bits'(threshold_min(LEVEL));
  localparam int Shift = threshold_shift(LEVEL);

  logic [47:0] product_q, sum_q;  // as registers of a multiplier block
  logic [Bits-1:0] computed, threshold_q;
  assign computed = sum_q[Shift +: Bits];

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {product_q, sum_q, threshold_q, start_o} <= '0;
    end else begin
      product_q <= 48'(weight_i) * 48'(threshold_b(LEVEL));
      sum_q <= product_q + 48'(threshold_a(LEVEL));
      threshold_q <= masked_i ? Masked : computed < Minimum ? Minimum : computed;
      start_o <= {1'b1, {(Bits-1){1'b0}}} - threshold_q;
    end
  end
endmodule
