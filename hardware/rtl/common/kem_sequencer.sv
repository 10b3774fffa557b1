// SPDX-License-Identifier: Apache-2.0 OR MIT
// Runs an operation as a list of steps, which a core's program gives one at a time: starts the unit
// of a step as soon as that unit and those that the step needs have ended what was started before,
// and goes on to the next step at once. Steps begin in the order of the list, so whatever a step
// needed has ended for those after it, too. A program in which every step needs all units runs one
// unit at a time. The order and the times depend on the units' done_i only.
// Latency: 2 cycles from start_i to the first start_o, and between the done_i that a step waits for
// and its start_o; steps that wait for nothing begin one in every other cycle. The second cycle is
// a register before start_o, which goes to all units.
// guard_q is the parity of the other registers: a bit that flips is told by upset_o in that cycle.
module kem_sequencer #(
    parameter int UNITS = 9,
    parameter int STEP_BITS = 6
) (
    input  logic                 clk_i,
    input  logic                 clear_i,
    input  logic                 start_i,
    output logic                 next_o,    // with the next cycle comes the step
    output logic [STEP_BITS-1:0] at_o,      // from 1; step 0 comes with the cycle after start_i
    input  logic [UNITS-1:0]     target_i,  // unit of the step; none at the end of the list
    input  logic [UNITS-1:0]     needs_i,   // units that must have ended
    output logic [UNITS-1:0]     start_o,
    input  logic [UNITS-1:0]     done_i,
    output logic                 end_o,     // the operation is complete
    output logic                 upset_o    // a register was disturbed
);
  typedef struct packed {
    logic running, go;
    logic [UNITS-1:0] busy;
    logic [STEP_BITS-1:0] at;
  } state_t;
  state_t state_n;
  logic running_q, go_q, guard_q;
  logic [UNITS-1:0] busy_q;
  logic [STEP_BITS-1:0] at_q;

  always_comb begin
    state_n = '{running: running_q, go: 1'b0, busy: (busy_q | start_o) & ~done_i, at: at_q};
    state_n.go = running_q && !go_q && (busy_q & (needs_i | target_i)) == '0;
    if (start_i) begin
      state_n.running = 1'b1;
      state_n.at = STEP_BITS'(1);
    end else if (go_q) begin
      state_n.running = target_i != '0;
      state_n.at = at_q + 1'b1;
    end
    if (clear_i) state_n = '0;
  end
  always_ff @(posedge clk_i) begin
    {running_q, go_q, busy_q, at_q} <= state_n;
    guard_q <= ^state_n;
  end
  assign upset_o = ^{running_q, go_q, busy_q, at_q, guard_q};
  assign at_o = at_q;
  assign next_o = go_q;
  assign start_o = go_q ? target_i : '0;
  assign end_o = go_q && target_i == '0;

`ifdef FORMAL
  // Any one unit, whether it is at work; and whether an operation is.
  logic [UNITS-1:0] watched_q, all_q;
  logic at_work_q, operation_q;
  logic [STEP_BITS-1:0] begun_q;  // steps that have begun
  logic free_q;  // the step could begin in the cycle before
  // The step that waits, which the program keeps until next_o.
  logic waits_q;
  logic [UNITS-1:0] needed_q, aimed_q;
  always_ff @(posedge clk_i) begin
    watched_q <= watched_q;
    at_work_q <= !clear_i && ((start_o & watched_q) != '0 || at_work_q)
              && (done_i & watched_q) == '0;
    all_q <= clear_i ? '0 : (all_q | start_o) & ~done_i;
    operation_q <= !clear_i && (start_i || (operation_q && !end_o));
    free_q <= !clear_i && operation_q && !next_o && (all_q & (needs_i | target_i)) == '0;
    waits_q <= !clear_i && operation_q && !next_o;
    {needed_q, aimed_q} <= {needs_i, target_i};
    begun_q <= clear_i || start_i ? '0 : begun_q + STEP_BITS'(next_o);
  end
  always_comb begin
    one_unit_watched : assume ((watched_q & (watched_q - 1'b1)) == '0);
    one_target : assume ((target_i & (target_i - 1'b1)) == '0);
    one_operation_at_a_time : assume (!start_i || !running_q);
    step_is_kept : assume (!waits_q || (needs_i == needed_q && target_i == aimed_q));
    one_start : assert ((start_o & (start_o - 1'b1)) == '0);
    target_or_none : assert (start_o == '0 || start_o == target_i);
    knows_the_units : assert (all_q == busy_q && at_work_q == ((busy_q & watched_q) != '0));
    if (at_work_q) not_while_busy : assert ((start_o & watched_q) == '0);
    if (at_work_q && (needs_i & watched_q) != '0)
      waits : assert (start_o == '0 && !end_o && !next_o);
    if (!operation_q) nothing_starts : assert (start_o == '0 && !end_o && !next_o);
    knows_the_operation : assert (operation_q == running_q);
    if (free_q) at_once : assert (next_o);
    if (next_o) not_before : assert (free_q);
    if (operation_q) each_step_once : assert (at_o == begun_q + 1'b1);
    no_false_alarm : assert (!upset_o);
  end
`endif
endmodule
