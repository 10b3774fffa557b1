// SPDX-License-Identifier: Apache-2.0 OR MIT
// Sends lanes of the store, in two shares. The store is its own meanwhile.
module masked_send #(
    parameter int ADDR = 10  // bits of an address
) (
    input  logic              clk_i,
    input  logic              clear_i,
    input  logic              start_i,
    input  logic              last_i,       // these with start_i: the packet ends
    input  logic [9:0]        count_i,      // lanes
    input  logic [ADDR-1:0]   word_i,       // of the store
    output logic              done_o,       // pulse
    output logic              upset_o,      // a register was disturbed; no lane leaves
    output logic [ADDR-1:0]   raddr_o,
    input  logic [1:0][127:0] rdata_i,
    output logic              out_valid_o,
    input  logic              out_ready_i,
    output logic [1:0][63:0]  out_data_o,
    output logic              out_last_o
);
  typedef struct packed {
    logic busy, there, done, packet_ends;
    logic [9:0] at, left;
    logic [ADDR-1:0] base;
  } control_t;
  control_t now, next;
  logic take, last, reads;
  masked_guarded #(
      .WIDTH($bits(control_t))
  ) u_control (
      .clk_i,
      .next_i(clear_i ? '0 : next),
      .state_o(now),
      .upset_o
  );
  assign take = now.there && out_ready_i;
  assign last = now.left == 10'd1;
  assign reads = now.busy && !(take && last);
  assign raddr_o = reads ? now.base + ADDR'(next.at[9:1]) : '0;
  assign done_o = now.done;
  assign out_valid_o = now.there && !upset_o;
  assign out_last_o = out_valid_o && last && now.packet_ends;
  for (genvar share = 0; share < 2; share++) begin : gen_share
    assign out_data_o[share] = {64{out_valid_o}}
                             & (now.at[0] ? rdata_i[share][127:64] : rdata_i[share][63:0]);
  end
  always_comb begin
    next = now;
    next.done = take && last;
    next.there = reads;
    if (start_i) begin
      next.busy = 1'b1;
      next.at = '0;
      next.left = count_i;
      next.base = word_i;
      next.packet_ends = last_i;
    end else if (take) begin
      next.at = now.at + 10'd1;
      next.left = now.left - 10'd1;
      next.busy = !last;
    end
  end
endmodule
