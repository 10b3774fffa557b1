// SPDX-License-Identifier: Apache-2.0 OR MIT
// Decides the next STEPS division steps from the low coefficients of f and g [BY19], RATE in each
// cycle, in their order. The stages of a sweep take their decisions one after the other, so the
// sweep need not wait for the last of them: enough_o says when it may begin.
//
// Minus delta is kept as offset_q, inverted where flip_q: an exchange (delta' = 1 - delta) then
// only turns flip_q, any other step counts, and the signs that a cycle needs do not wait for its
// exchanges.
//
// Latency, whatever the data: decision i is there STEPS/RATE cycles after load_i at the latest,
// i/RATE + 2 (rounded down) after it. enough_o is high for one cycle; STAGE decisions from
// STAGE*i on are there i + 3 cycles after it.
module divstep_control #(
    parameter int STEPS = 32,
    parameter int STAGE = 4,        // steps in each pipeline stage
    parameter int RATE = 2,         // steps decided in each cycle
    parameter int DELTA_BITS = 17   // signed; |delta| is at most the number of steps
) (
    input  logic             clk_i,
    input  logic             clear_i,
    input  logic             restart_i,  // with load_i: delta = 1
    input  logic             load_i,
    input  logic [STEPS-1:0] f_i,
    input  logic [STEPS-1:0] g_i,
    output logic             enough_o,
    output logic [STEPS-1:0] swap_o,     // bit i: exchange in step i
    output logic [STEPS-1:0] add_o
);
  localparam int Slots = STEPS / RATE;
  typedef logic signed [DELTA_BITS-1:0] delta_t;

  // Cycles from load_i to enough_o.
  function automatic int wait_cycles();
    int late;
    wait_cycles = 0;
    for (int i = 0; i < STEPS / STAGE; i++) begin
      late = (STAGE * (i + 1) + RATE - 1) / RATE - i - 2;
      if (late > wait_cycles) wait_cycles = late;
    end
  endfunction
  localparam int Wait = wait_cycles();

  logic [STEPS-1:0] f_q, g_q, f, g, swap_q, add_q;
  logic [Slots-1:0] slot_q;  // one-hot: which decisions are taken in this cycle
  logic [Slots:0] slot;
  delta_t offset_q, count;  // count: what the steps of this cycle add to offset_q
  logic flip_q, flip;
  logic [2*RATE:0] negative;  // bit RATE + k: offset_q + k is below zero
  logic [RATE-1:0] swap, add;
  logic positive;  // delta is

  always_comb begin
    for (int k = -RATE; k <= RATE; k++) negative[RATE+k] = offset_q + delta_t'(k) < 0;
    f = f_q;
    g = g_q;
    flip = flip_q;
    count = '0;
    for (int i = 0; i < RATE; i++) begin
      positive = 1'b0;
      for (int k = -i; k <= i; k++) begin
        if (count == delta_t'(k)) positive = negative[RATE+k] ^ flip;
      end
      add[i] = g[0];
      swap[i] = g[0] && positive;
      if (!swap[i]) count = flip ? count + 1'b1 : count - 1'b1;
      flip = flip ^ swap[i];
      {f, g} = {swap[i] ? g : f, (g ^ (f & {STEPS{add[i]}})) >> 1};
    end
  end

  assign slot = {slot_q, load_i};
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {f_q, g_q, swap_q, add_q} <= '0;
      {offset_q, flip_q, slot_q} <= '0;
    end else begin
      f_q <= load_i ? f_i : f;
      g_q <= load_i ? g_i : g;
      slot_q <= slot[Slots-1:0];
      for (int j = 0; j < Slots; j++) begin
        if (slot_q[j]) begin
          swap_q[RATE*j +: RATE] <= swap;
          add_q[RATE*j +: RATE] <= add;
        end
      end
      if (load_i && restart_i) begin
        offset_q <= -delta_t'(1);
        flip_q <= 1'b0;
      end else if (slot_q != '0) begin
        offset_q <= offset_q + count;
        flip_q <= flip;
      end
    end
  end

  assign enough_o = slot[Wait];
  assign swap_o = swap_q;
  assign add_o = add_q;
endmodule
