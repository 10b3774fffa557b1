// SPDX-License-Identifier: Apache-2.0 OR MIT
// Decides the next STEPS division steps from the low coefficients of f and g [BY19], RATE in each
// cycle, in their order. The stages of a sweep take their decisions one after the other, so the
// sweep need not wait for the last of them: enough_o says when it may begin.
//
// Minus delta is kept as offset_q + count_q, inverted where flip_q: an exchange (delta' = 1 -
// delta) then only turns flip_q, and any other step counts. The signs that a cycle needs are made
// in the cycle before, for every count that it may end with, and the sum follows a cycle later, so
// that no adder is behind the decisions. Decisions are made on the lowest RATE coefficients, which
// have registers of their own; those above follow a cycle later, so that a decision need not reach
// all of them at once.
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
  localparam int Signs = 2 * RATE - 1;  // what a cycle may add to see its signs: +-(RATE - 1)
  localparam int Below = 4 * RATE - 1;  // the same for the cycle after it: +-(2 RATE - 1)
  localparam int Low = $clog2(3 * RATE);  // bits in which a value near zero shows
  typedef logic signed [DELTA_BITS-1:0] delta_t;
  typedef logic signed [Low+1:0] near_t;

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

  logic [STEPS-1:0] swap_q, add_q;
  logic [RATE-1:0] f_low_q, g_low_q;
  logic [STEPS-1:RATE] f_q;            // without the steps of the cycle before
  logic [STEPS+RATE-1:RATE] g_q;
  logic [RATE-1:0] swap_last_q, add_last_q;  // these steps
  logic [STEPS-1:0] f;                 // with them; the lowest RATE are not used
  logic [STEPS+RATE-1:0] g;
  logic [2*RATE-1:0] f_low, g_low;  // what the lowest become
  logic [Slots-1:0] slot_q;  // one-hot: which decisions are taken in this cycle
  logic [Slots:0] slot;
  logic running_q;           // a slot is set
  delta_t offset_q;
  near_t count_q, count, near;
  logic flip_q, flip, zeros, ones;
  logic [2*RATE:0] at;  // one-hot: bit RATE + k if the steps until here count k
  logic [Signs-1:0] negative_q, negative;  // bit RATE - 1 + k: the sum + k is below zero
  logic [Below-1:0] below;  // bit 2 RATE - 1 + k: the same
  logic [RATE-1:0] swap, add;

  always_comb begin
    zeros = offset_q[DELTA_BITS-1:Low] == '0;
    ones = offset_q[DELTA_BITS-1:Low] == '1;
    near = near_t'({{2{ones}}, offset_q[Low-1:0]}) + count_q;
    for (int k = 0; k < Below; k++) begin
      below[k] = zeros || ones ? near < near_t'(2 * RATE - 1 - k) : offset_q[DELTA_BITS-1];
    end
  end

  always_comb begin
    f = {f_q, {RATE{1'b0}}};
    g = {g_q, {RATE{1'b0}}};
    for (int i = 0; i < RATE; i++) begin
      {f, g} = {
        swap_last_q[i] ? g[STEPS-1:0] : f,
        (g ^ ((STEPS + RATE)'(f) & {(STEPS + RATE) {add_last_q[i]}})) >> 1
      };
    end
    f_low = {f[RATE+:RATE], f_low_q};
    g_low = {g[RATE+:RATE], g_low_q};
    flip = flip_q;
    at = (2 * RATE + 1)'(1) << RATE;
    for (int i = 0; i < RATE; i++) begin
      add[i] = g_low[0];
      swap[i] = g_low[0] && (|(at[1+:Signs] & negative_q) ^ flip);  // delta is positive
      if (!swap[i]) at = flip ? at << 1 : at >> 1;
      flip = flip ^ swap[i];
      {f_low, g_low} = {swap[i] ? g_low : f_low, (g_low ^ (f_low & {(2*RATE){add[i]}})) >> 1};
    end
    count = '0;
    negative = '0;
    for (int k = 0; k <= 2 * RATE; k++) begin
      if (at[k]) begin
        count |= near_t'(k - RATE);
        negative |= below[k+:Signs];
      end
    end
  end

  assign slot = {slot_q, load_i};
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {f_q, g_q, f_low_q, g_low_q, swap_last_q, add_last_q, swap_q, add_q} <= '0;
      {offset_q, count_q, flip_q, slot_q, running_q, negative_q} <= '0;
    end else begin
      f_q <= load_i ? f_i[STEPS-1:RATE] : f[STEPS-1:RATE];
      g_q <= load_i ? g_i : STEPS'(g[STEPS-1:RATE]);
      f_low_q <= load_i ? f_i[RATE-1:0] : f_low[RATE-1:0];
      g_low_q <= load_i ? g_i[RATE-1:0] : g_low[RATE-1:0];
      swap_last_q <= load_i ? '0 : swap;
      add_last_q <= load_i ? '0 : add;
      slot_q <= slot[Slots-1:0];
      for (int j = 0; j < Slots; j++) begin
        if (slot_q[j]) begin
          swap_q[RATE*j +: RATE] <= swap;
          add_q[RATE*j +: RATE] <= add;
        end
      end
      running_q <= load_i || (running_q && !slot_q[Slots-1]);
      offset_q <= offset_q + delta_t'(count_q);
      count_q <= running_q ? count : '0;
      if (running_q) begin
        flip_q <= flip;
        negative_q <= negative;
      end
      if (load_i && restart_i) begin  // minus delta is -1
        offset_q <= '1;
        count_q <= '0;
        flip_q <= 1'b0;
        negative_q <= Signs'((1 << RATE) - 1);
      end
    end
  end

  assign enough_o = slot[Wait];
  assign swap_o = swap_q;
  assign add_o = add_q;
endmodule
