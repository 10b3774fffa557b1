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
    output logic [ADDR-1:0]   raddr_o,
    input  logic [1:0][127:0] rdata_i,
    output logic              out_valid_o,
    input  logic              out_ready_i,
    output logic [1:0][63:0]  out_data_o,
    output logic              out_last_o
);
  logic busy_q, there_q, done_q, packet_ends_q;
  logic [9:0] at_q, left_q, next;
  logic [ADDR-1:0] base_q;
  logic take, last, reads;
  assign take = there_q && out_ready_i;
  assign last = left_q == 10'd1;
  assign next = take ? at_q + 10'd1 : at_q;
  assign reads = busy_q && !(take && last);
  assign raddr_o = reads ? base_q + ADDR'(next[9:1]) : '0;
  assign done_o = done_q;
  assign out_valid_o = there_q;
  assign out_last_o = there_q && last && packet_ends_q;
  for (genvar share = 0; share < 2; share++) begin : gen_share
    assign out_data_o[share] = {64{there_q}}
                             & (at_q[0] ? rdata_i[share][127:64] : rdata_i[share][63:0]);
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {busy_q, there_q, done_q, packet_ends_q, at_q, left_q, base_q} <= '0;
    end else begin
      done_q  <= take && last;
      there_q <= reads;
      if (start_i) begin
        busy_q <= 1'b1;
        at_q <= '0;
        left_q <= count_i;
        base_q <= word_i;
        packet_ends_q <= last_i;
      end else begin
        at_q <= next;
        if (take) left_q <= left_q - 10'd1;
        if (take && last) busy_q <= 1'b0;
      end
    end
  end
endmodule
