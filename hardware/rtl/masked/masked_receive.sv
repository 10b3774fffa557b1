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
  logic busy_q, done_q;
  logic [9:0] at_q, left_q;
  logic [ADDR-1:0] base_q;
  logic [2:0] flags_q;
  logic take, last, cut;
  assign in_ready_o = busy_q && granted_i;
  assign take = in_valid_i && in_ready_o;
  assign last = left_q == 10'd1;
  assign cut = last && flags_q[BYTE];
  assign done_o = done_q;
  always_comb begin
    fault_o = kem_pkg::ERR_NONE;
    if (take && in_last_i && !(last && flags_q[LAST])) fault_o = kem_pkg::ERR_SHORT;
    if (take && !in_last_i && last && flags_q[LAST]) fault_o = kem_pkg::ERR_LONG;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {busy_q, done_q, at_q, left_q, base_q, flags_q} <= '0;
    end else begin
      done_q <= take && last;
      if (start_i) begin
        busy_q <= 1'b1;
        at_q <= '0;
        left_q <= count_i;
        base_q <= word_i;
        flags_q <= flags_i;
      end else if (take) begin
        busy_q <= !last;
        at_q <= at_q + 10'd1;
        left_q <= left_q - 10'd1;
      end
    end
  end
  assign we_o = busy_q && in_valid_i;
  assign waddr_o = we_o ? base_q + ADDR'(at_q[9:1]) : '0;
  assign half_o = at_q[0];
  assign lane_o[0] = {
      {(64 - 8 * BYTES) {we_o && !cut}} & in_data_i[0][63:8*BYTES],
      {8 * BYTES{we_o}} & in_data_i[0][8*BYTES-1:0]};
  assign lane_o[1] = {64{we_o && !flags_q[PUBLIC]}} & in_data_i[1];
endmodule
