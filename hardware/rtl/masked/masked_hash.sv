// SPDX-License-Identifier: Apache-2.0 OR MIT
// Brings messages from the store to masked_sponge, and what it gives back to the store. Public
// lanes may be shifted by bytes, for parts of a message that end within a lane. Where the store is
// busy it waits. What it opens are public hashes, of which nothing is secret; the flag that joins
// shares comes after the last secret message has left the sponge, and goes before the next one
// begins.
module masked_hash
  import masked_hqc_pkg::*;
#(
    parameter int ADDR = 10,  // bits of an address
    parameter int BYTES = 1    // by which lanes are shifted
) (
    input  logic              clk_i,
    input  logic              clear_i,
    input  logic              start_i,
    input  hash_e             op_i,            // these with start_i
    input  logic [1:0]        flags_i,
    input  logic [9:0]        count_i,         // lanes
    input  logic [ADDR-1:0]   word_i,          // of the store
    input  logic [12:0]       tail_i,
    output logic              done_o,          // pulse
    output logic              read_o,
    input  logic              read_granted_i,  // else rdata_i is not its own in the next cycle
    output logic [ADDR-1:0]   raddr_o,
    input  logic [1:0][127:0] rdata_i,
    output logic              we_o,
    input  logic              write_granted_i,
    output logic [ADDR-1:0]   waddr_o,
    output logic              half_o,          // the upper one
    output logic [1:0][63:0]  lane_o,
    input  logic              random_valid_i,
    output logic              random_ready_o,
    input  logic [63:0]       random_i
);
  logic busy_q, there_q, done_q, shifted_q, open_q, squeezes_q;
  hash_e op_q;
  localparam int Carried = 8 * BYTES;
  logic [9:0] at_q, left_q, next;
  logic [ADDR-1:0] base_q;
  logic [12:0] tail_q;
  logic [Carried-1:0] carry_q;
  logic reads, take, last, begins;
  logic in_valid, in_ready, out_valid;
  logic [1:0][63:0] lane, in_lane, out_lane;
  logic [63:0] first;

  assign begins = start_i && op_i == BEGIN;
  assign reads = op_q == ABSORB || op_q == CARRY;
  assign last = left_q == 10'd1;
  assign in_valid = busy_q && ((op_q == ABSORB && there_q) || op_q == TAIL);
  always_comb begin
    unique case (op_q)
      ABSORB: take = busy_q && there_q && in_ready;
      CARRY: take = busy_q && there_q;
      TAIL: take = busy_q && in_ready;
      SQUEEZE: take = busy_q && out_valid && write_granted_i;
      default: take = busy_q;
    endcase
  end
  assign next = take ? at_q + 10'd1 : at_q;
  assign read_o = busy_q && reads && !(take && last);
  assign raddr_o = read_o ? base_q + ADDR'(next[9:1]) : '0;
  assign done_o = done_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {busy_q, there_q, done_q, shifted_q, open_q, squeezes_q} <= '0;
      {at_q, left_q, base_q, tail_q, carry_q} <= '0;
      op_q <= BEGIN;
    end else begin
      done_q  <= take && last;
      there_q <= read_o && read_granted_i;
      if (start_i) begin
        busy_q <= 1'b1;
        op_q <= op_i;
        at_q <= '0;
        left_q <= count_i;
        base_q <= word_i;
        tail_q <= tail_i;
        shifted_q <= flags_i[SHIFTED];
        open_q <= op_i == SQUEEZE && flags_i[OPEN];
        squeezes_q <= op_i == SQUEEZE;
      end else begin
        at_q <= next;
        if (take) left_q <= left_q - 10'd1;
        if (take && last) {busy_q, open_q, squeezes_q} <= '0;
      end
      if (begins) carry_q <= '0;
      else if (take && op_q == CARRY) carry_q <= first[Carried-1:0];
      else if (take && shifted_q) carry_q <= first[63-:Carried];
    end
  end

  for (genvar share = 0; share < 2; share++) begin : gen_share
    assign lane[share] = {64{there_q}} & (at_q[0] ? rdata_i[share][127:64] : rdata_i[share][63:0]);
  end
  assign first = op_q == TAIL ? 64'(tail_q) : lane[0];
  assign in_lane = {lane[1], shifted_q ? {first[63-Carried:0], carry_q} : first};
  masked_sponge u_sponge (
      .clk_i,
      .clear_i,
      .start_i(begins),
      .rate_i(flags_i[0] ? 5'd9 : 5'd17),
      .in_valid_i(in_valid),
      .in_ready_o(in_ready),
      .in_lane_i(in_lane),
      .in_last_i(op_q == TAIL),
      .out_valid_o(out_valid),
      .out_next_i(take && op_q == SQUEEZE),
      .out_lane_o(out_lane),
      .random_valid_i,
      .random_ready_o,
      .random_i
  );
  assign we_o = squeezes_q && out_valid;
  assign waddr_o = we_o ? base_q + ADDR'(at_q[9:1]) : '0;
  assign half_o = at_q[0];
  assign lane_o[0] = {64{we_o}} & (out_lane[0] ^ ({64{open_q}} & out_lane[1]));
  assign lane_o[1] = {64{we_o && !open_q}} & out_lane[1];
endmodule
