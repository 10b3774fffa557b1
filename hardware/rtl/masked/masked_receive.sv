// SPDX-License-Identifier: Apache-2.0 OR MIT
// Writes a field of the input packet, lanes in two shares, to the store. Of what is public share 1
// becomes zero, whatever comes. A packet that ends too early or too late is a fault.
module masked_receive
  import masked_hqc_pkg::*;
#(
    parameter int ADDR = 10,  // bits of an address
    parameter int BYTES = 1    // that count of a last lane with BYTE
) (
    input  logic             clk_i,
    input  logic             clear_i,
    input  logic             start_i,
    input  logic [2:0]       flags_i,    // these with start_i
    input  logic [9:0]       count_i,    // lanes
    input  logic [ADDR-1:0]  word_i,     // of the store
    output logic             done_o,     // pulse
    output logic             upset_o,    // a register was disturbed
    output kem_pkg::err_e    fault_o,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [1:0][63:0] in_data_i,  // shares
    input  logic             in_last_i,
    output logic             we_o,
    input  logic             granted_i,  // else the store takes nothing
    output logic [ADDR-1:0]  waddr_o,
    output logic             half_o,     // the upper one
    output logic [1:0][63:0] lane_o
);
  typedef struct packed {
    logic busy, done;
    logic [9:0] at, left;
    logic [ADDR-1:0] base;
    logic [2:0] flags;
  } control_t;
  control_t now, next;
  logic take, last, cut;
  masked_guarded #(
      .WIDTH($bits(control_t))
  ) u_control (
      .clk_i,
      .next_i(clear_i ? '0 : next),
      .state_o(now),
      .upset_o
  );
  assign in_ready_o = now.busy && granted_i;
  assign take = in_valid_i && in_ready_o;
  assign last = now.left == 10'd1;
  assign cut = last && now.flags[BYTE];
  assign done_o = now.done;
  always_comb begin
    fault_o = kem_pkg::ERR_NONE;
    if (take && in_last_i && !(last && now.flags[LAST])) fault_o = kem_pkg::ERR_SHORT;
    if (take && !in_last_i && last && now.flags[LAST]) fault_o = kem_pkg::ERR_LONG;
  end
  always_comb begin
    next = now;
    next.done = take && last;
    if (start_i) begin
      next.busy = 1'b1;
      next.at = '0;
      next.left = count_i;
      next.base = word_i;
      next.flags = flags_i;
    end else if (take) begin
      next.busy = !last;
      next.at = now.at + 10'd1;
      next.left = now.left - 10'd1;
    end
  end
  assign we_o = now.busy && in_valid_i;
  assign waddr_o = we_o ? now.base + ADDR'(now.at[9:1]) : '0;
  assign half_o = now.at[0];
  assign lane_o[0] = {
      {(64 - 8 * BYTES) {we_o && !cut}} & in_data_i[0][63:8*BYTES],
      {8 * BYTES{we_o}} & in_data_i[0][8*BYTES-1:0]};
  assign lane_o[1] = {64{we_o && !now.flags[PUBLIC]}} & in_data_i[1];
endmodule
