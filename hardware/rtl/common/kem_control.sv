// SPDX-License-Identifier: Apache-2.0 OR MIT
// Begins and ends operations: refuses what is unknown, discards the rest of a bad packet, clears
// everything after reset, on command, after an error, and before the end of an operation if
// wipe_after_i asks for it.
//
// abort_i ends whatever runs, waits for no stream, and clears everything: WIPE_WORDS + 3 cycles
// later comes done_o with ERR_ABORT, also if nothing ran. A wipe that has begun goes on and keeps
// its own end. upset_i says that a register of control was disturbed: it does the same with
// ERR_UPSET. Codes of the states differ in two bits, so a bit that flips here gives no state, which
// is an upset, too.
//
// Wiping takes WIPE_WORDS + 2 cycles: one in which all units are cleared, so that they drive zeros,
// and one for each address from 0 to WIPE_WORDS, to which zero goes in all memories. A start while
// busy is refused by error ERR_BUSY with the done_o of the running operation, which itself is not
// disturbed; if that one fails, its own error is told. A start in the cycle of done_o, or while the
// core wipes itself after reset, is not answered.
module kem_control
  import kem_pkg::*;
#(
    parameter int WIPE_WORDS = 512
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        start_i,
    input  op_e         op_i,
    input  logic        known_i,
    input  logic        abort_i,
    input  logic        upset_i,
    input  logic        wipe_after_i,
    output logic        accept_o,
    input  logic        finished_i,
    input  err_e        fault_i,
    input  logic        in_valid_i,
    input  logic        in_last_i,
    input  logic        in_taken_i,
    output logic        drain_o,
    output logic        busy_o,
    output logic        done_o,
    output err_e        error_o,
    output logic        clear_o,
    output logic        wipe_o,
    output logic [15:0] wipe_addr_o
);
  typedef enum logic [3:0] {
    IDLE  = 4'b0011,
    RUN   = 4'b0101,
    DRAIN = 4'b0110,
    WIPE  = 4'b1001,
    DONE  = 4'b1010
  } state_e;
  (* keep, fsm_encoding = "none" *) state_e state_q;
  state_e state_n;
  err_e error_q;
  logic report_q;  // a wipe after reset ends without done_o
  logic clear_q, wipe_q;  // decoded beforehand, for they reach every register and memory
  logic [15:0] addr_q;
  logic wiped, to_clear, upset, stop;

  assign wiped = addr_q == 16'(WIPE_WORDS);
  assign to_clear = state_q == WIPE || state_q == DRAIN;
  assign upset = upset_i || ^state_q || clear_q != to_clear || (wipe_q && state_q != WIPE);
  assign stop = abort_i || (upset && state_q != DONE);
  assign accept_o = state_q == IDLE && start_i && known_i && !stop;
  always_comb begin
    unique case (state_q)
      IDLE: state_n = !start_i ? IDLE : known_i ? RUN : op_i == OP_WIPE ? WIPE : DONE;
      RUN: begin
        state_n = !finished_i ? RUN : wipe_after_i ? WIPE : DONE;
        if (fault_i != ERR_NONE) state_n = in_taken_i && in_last_i ? WIPE : DRAIN;
      end
      DRAIN: state_n = in_valid_i && in_last_i ? WIPE : DRAIN;
      WIPE: state_n = !wiped ? WIPE : report_q ? DONE : IDLE;
      default: state_n = IDLE;
    endcase
    if (!rst_ni || (stop && state_q != WIPE)) state_n = WIPE;
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_n;
    clear_q <= state_n == WIPE || state_n == DRAIN;
    wipe_q <= rst_ni && state_q == WIPE && !wiped;
    addr_q <= rst_ni && wipe_q && !wiped ? addr_q + 1'b1 : '0;
    if (!rst_ni) begin
      error_q <= ERR_NONE;
      report_q <= 1'b0;
    end else if (stop && state_q != WIPE) begin
      error_q <= abort_i ? ERR_ABORT : ERR_UPSET;
      if (abort_i || start_i) report_q <= 1'b1;
    end else if (state_q == IDLE) begin
      if (start_i) begin
        error_q <= known_i || op_i == OP_WIPE ? ERR_NONE : ERR_OP;
        report_q <= 1'b1;
      end
    end else if (state_q == RUN && fault_i != ERR_NONE) begin
      error_q <= fault_i;
    end else if (start_i && error_q == ERR_NONE && state_q != DONE && report_q) begin
      error_q <= ERR_BUSY;
    end
  end
  assign busy_o = state_q != IDLE;
  assign done_o = state_q == DONE;
  assign error_o = error_q;
  assign clear_o = clear_q;
  assign wipe_o = wipe_q;
  assign wipe_addr_o = addr_q;
  assign drain_o = state_q == DRAIN;

`ifdef FORMAL
  logic was_reset_q, was_busy_q, was_done_q, was_told_q, was_clear_q, was_stop_q;
  logic [15:0] wiped_q, wiping_q;  // addresses, and cycles, of the present wipe
  logic [15:0] aborted_q;  // cycles since an abort, 0: none, or it has ended
  always_ff @(posedge clk_i) begin
    was_reset_q <= !rst_ni;
    was_busy_q <= busy_o && rst_ni;
    was_done_q <= done_o && rst_ni;
    was_told_q <= report_q;
    was_clear_q <= clear_o;
    was_stop_q <= stop && rst_ni;
    if (!rst_ni) aborted_q <= '0;
    else if (abort_i) aborted_q <= 16'd1;
    else aborted_q <= aborted_q != 0 && busy_o ? aborted_q + 16'd1 : '0;
    wiped_q <= wipe_o && rst_ni ? wiped_q + 16'd1 : '0;
    wiping_q <= state_q == WIPE && rst_ni ? wiping_q + 16'd1 : '0;
  end
  always_comb begin
    known_state : assert (state_q inside {IDLE, RUN, DRAIN, WIPE, DONE});
    if (accept_o) accepts_when_idle : assert (!busy_o && known_i);
    if (was_done_q) done_for_one_cycle : assert (!done_o && (!busy_o || was_stop_q));
    if (aborted_q != 0 && busy_o)
      abort_wipes :
      assert (state_q == WIPE ? aborted_q <= wiping_q + 16'd1
              : state_q == DONE && aborted_q <= 16'(WIPE_WORDS + 3));
    if (aborted_q != 0) abort_ends : assert (aborted_q <= 16'(WIPE_WORDS + 4));
    if (aborted_q != 0 && !busy_o)
      as_after_reset : assert (state_q == IDLE && !clear_o && !wipe_o && addr_q == '0);
    if (was_busy_q && !busy_o) ends_by_done : assert (was_done_q || !was_told_q);
    if (was_reset_q) wipes_after_reset : assert (state_q == WIPE && clear_o && !report_q);
    if (state_q == RUN || state_q == DRAIN) begins_at_zero : assert (addr_q == '0 && report_q);
    clears : assert (clear_o == (state_q == WIPE || state_q == DRAIN));
    if (wipe_o) cleared_before : assert (state_q == WIPE && clear_o && was_clear_q);
    if (wipe_o) each_address : assert (wipe_addr_o == wiped_q);
    if (wipe_o) in_time : assert (wiped_q <= 16'(WIPE_WORDS));
    if (!wipe_o && wiped_q != 0) all_addresses : assert (wiped_q == 16'(WIPE_WORDS + 1));
    if (state_q == WIPE) wipes_at_once : assert (wiping_q == wiped_q + 16'(wipe_o));
    if (state_q == WIPE && !wipe_o) first_cycle : assert (wiping_q == '0);
    if (state_q != WIPE && wiping_q != 0) latency : assert (wiping_q == 16'(WIPE_WORDS + 2));
    if (!wipe_o) silent : assert (wipe_addr_o == '0);
  end
`endif
endmodule
