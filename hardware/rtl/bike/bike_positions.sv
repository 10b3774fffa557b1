// SPDX-License-Identifier: Apache-2.0 OR MIT
// Fills a set of positions in the lanes of the gather unit from the list memory: entry i goes to
// lane i mod N, N lanes (updates: the lower or the upper half). A window that starts at base + k
// counts with k itself and multiplies with r - k. Slots beyond the list are marked as not valid;
// the one after h0's list of an update stands for the syndrome itself. Independent of data.
// Latency, from start_i to done_o: Slots + 4 cycles.
module bike_positions
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int LANES = 8,
    parameter int SHIFT = 25,      // the inverter's result is x^SHIFT times the inverse
    parameter int LIST_BITS = 6,   // address bits of a lane's list
    localparam int R = r_bits(LEVEL),
    localparam int IndexBits = $clog2(R),
    localparam int AddrBits = list_bits(LEVEL)
) (
    input  logic                 clk_i,
    input  logic                 clear_i,
    input  logic                 start_i,
    input  pset_e                set_i,
    output logic                 done_o,
    output entry_read_t          list_read_o,
    input  logic [16:0]          list_rdata_i,  // {second half, position in it}
    output logic [LANES-1:0]     lane_we_o,
    output logic [LIST_BITS-1:0] lane_waddr_o,
    output logic [IndexBits+1:0] lane_wdata_o
);
  localparam int D = weight_d(LEVEL);
  localparam int T = weight_t(LEVEL);
  localparam int Half = LANES / 2;
  localparam int GroupsKey = groups_key(LEVEL, LANES);
  localparam int GroupsErr = groups_err(LEVEL, LANES);
  localparam int GroupsUpdate = groups_update(LEVEL, LANES);
  localparam int LaneBits = $clog2(LANES);
  localparam int Add = (SHIFT % R + R) % R;

  logic busy_q;
  pset_e set_q;
  logic update, upper;
  logic [LaneBits-1:0] lane_q, last_lane, first_lane;
  logic [LIST_BITS-1:0] group_q, base, groups;
  logic [AddrBits-1:0] index_q;

  assign update = set_q == P_UPDATE0 || set_q == P_UPDATE1;
  assign upper = set_q == P_UPDATE1;
  assign first_lane = upper ? LaneBits'(Half) : '0;
  assign last_lane = set_q == P_UPDATE0 ? LaneBits'(Half - 1) : LaneBits'(LANES - 1);
  assign groups = update ? LIST_BITS'(GroupsUpdate)
                : set_q == P_ERR ? LIST_BITS'(GroupsErr) : LIST_BITS'(GroupsKey);
  assign base = set_q == P_COUNT0 ? '0 : set_q == P_COUNT1 ? LIST_BITS'(GroupsKey)
                                                          : LIST_BITS'(2 * GroupsKey);
  logic list1;  // h1's list is in the upper half of the memory
  assign list1 = set_q == P_COUNT1 || set_q == P_UPDATE1 || set_q == P_KEY1;
  assign list_read_o = busy_q ? 9'(index_q) | (list1 ? 9'(list_base(LEVEL)) : 9'd0) : '0;

  // What goes along with a position, from the request to the lane.
  typedef struct packed {
    logic                 busy;
    logic [LaneBits-1:0]  lane;
    logic [LIST_BITS-1:0] group;
  } place_t;
  place_t place_q[4];
  logic [AddrBits-1:0] index_d1_q, index_d2_q;

  // The position for the lane: k or r - k, then plus a constant, modulo r; a step in each cycle.
  logic count, valid, other, valid_q, other_q;
  logic [IndexBits:0] word_q, moved_q, less;
  logic [IndexBits+1:0] entry_q;
  assign count = set_q == P_COUNT0 || set_q == P_COUNT1;
  assign valid = set_q == P_ERR ? index_d2_q < AddrBits'(T) && word_q[IndexBits]
                                : index_d2_q < AddrBits'(D);
  assign other = set_q == P_UPDATE0 && index_d2_q == AddrBits'(D);
  assign less = moved_q - (IndexBits+1)'(R);  // its top bit: below zero, for moved_q < 2 r

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      set_q <= P_COUNT0;
      {busy_q, lane_q, group_q, index_q, index_d1_q, index_d2_q} <= '0;
      {valid_q, other_q, word_q, moved_q, entry_q} <= '0;
      for (int i = 0; i < 4; i++) place_q[i] <= '0;
    end else begin
      place_q[0] <= '{busy: busy_q, lane: lane_q, group: group_q};
      for (int i = 0; i < 3; i++) place_q[i+1] <= place_q[i];
      {index_d1_q, index_d2_q} <= {index_q, index_d1_q};
      word_q <= list_rdata_i[IndexBits:0];
      {valid_q, other_q} <= {valid, other};
      if (count) moved_q <= {1'b0, word_q[IndexBits-1:0]};
      else begin
        moved_q <= (set_q == P_KEY1 ? (IndexBits+1)'(R + Add) : (IndexBits+1)'(R))
                 - {1'b0, word_q[IndexBits-1:0]};
      end
      entry_q <= '0;
      if (other_q) entry_q[IndexBits+1-:2] <= 2'b11;
      else if (valid_q) begin
        entry_q <= {2'b10, less[IndexBits] ? moved_q[IndexBits-1:0] : less[IndexBits-1:0]};
      end
      if (start_i) begin
        busy_q <= 1'b1;
        set_q <= set_i;
        {group_q, index_q} <= '0;
        lane_q <= set_i == P_UPDATE1 ? LaneBits'(Half) : '0;
      end else if (busy_q) begin
        index_q <= index_q + 1'b1;
        lane_q <= lane_q == last_lane ? first_lane : lane_q + 1'b1;
        if (lane_q == last_lane) begin
          group_q <= group_q + 1'b1;
          if (group_q == groups - 1'b1) busy_q <= 1'b0;
        end
      end
    end
  end

  assign lane_we_o = place_q[3].busy ? LANES'(1) << place_q[3].lane : '0;
  assign lane_waddr_o = place_q[3].busy ? place_q[3].group + base : '0;
  assign lane_wdata_o = place_q[3].busy ? entry_q : '0;
  assign done_o = place_q[3].busy && !place_q[2].busy;
endmodule
