// SPDX-License-Identifier: Apache-2.0 OR MIT
// Threshold of a decoder iteration from the weight of the syndrome [BIKE, S7.3]; with it the value
// from which the counters start so that their top bit says "at least the threshold".
// LOWER_FIRST_THRESHOLD is taken off that of the first iteration, down to the minimum; with 0, as
// specified, first_i counts for nothing.
// Latency: 4 cycles, of masked_i and first_i 2 cycles; independent of data.
module bike_threshold
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int LOWER_FIRST_THRESHOLD = 0,
    localparam int WeightBits = $clog2(r_bits(LEVEL) + 1),
    localparam int Bits = counter_bits(LEVEL)
) (
    input  logic                  clk_i,
    input  logic                  clear_i,
    input  logic [WeightBits-1:0] weight_i,
    input  logic                  masked_i,  // take the threshold of the masked steps
    input  logic                  first_i,   // take that of the first iteration
    output logic [Bits-1:0]       start_o    // 2^(Bits-1) - threshold
);
  localparam logic [Bits-1:0] Masked = Bits'((weight_d(LEVEL) + 1) / 2 + 1);
  localparam logic [Bits-1:0] Minimum = Bits'(threshold_min(LEVEL));
  localparam int Shift = threshold_shift(LEVEL);

  logic [47:0] product_q, sum_q;  // as registers of a multiplier block
  logic [Bits-1:0] computed, unmasked, threshold_q, start_q;
  assign start_o = start_q;
  assign computed = sum_q[Shift +: Bits];
  if (LOWER_FIRST_THRESHOLD == 0) begin : gen_specified
    assign unmasked = computed < Minimum ? Minimum : computed;
  end else begin : gen_lower
    logic [Bits-1:0] lower;
    assign lower = first_i ? Bits'(LOWER_FIRST_THRESHOLD) : '0;
    assign unmasked = computed < Minimum + lower ? Minimum : computed - lower;
  end
  initial begin
    assert (LOWER_FIRST_THRESHOLD >= 0 && LOWER_FIRST_THRESHOLD <= most_lower(LEVEL))
    else $fatal(1, "bike_threshold: LOWER_FIRST_THRESHOLD is 0 to 6, 9 or 10, by LEVEL");
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {product_q, sum_q, threshold_q, start_q} <= '0;
    end else begin
      product_q <= 48'(weight_i) * 48'(threshold_b(LEVEL));
      sum_q <= product_q + 48'(threshold_a(LEVEL));
      threshold_q <= masked_i ? Masked : unmasked;
      start_q <= {1'b1, {(Bits-1){1'b0}}} - threshold_q;
    end
  end
endmodule
