// SPDX-License-Identifier: Apache-2.0 OR MIT
// Takes the positions of y or r2 from the sampler, as they come, into the lanes of the gather unit:
// the i-th goes to lane i mod LANES. Position k of a factor reads the other one from n - k on. The
// entries of the last group are first marked as not valid, for it may not be full.
// top_o[j] says that position n - 1 - j is among them (hqc_product needs that for keys with padding
// bits). Latency: an entry is written in the cycle after its position. Independent of data.
module hqc_positions
  import hqc_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int LANES = 8,
    localparam int N = n_bits(LEVEL),
    localparam int IndexBits = $clog2(N),
    localparam int ListBits = lane_list_bits(LEVEL, LANES),
    localparam int Padding = 8 * u_bytes(LEVEL) - N
) (
    input  logic                 clk_i,
    input  logic                 clear_i,
    input  logic                 start_i,        // of a draw whose positions the lanes take
    input  logic                 stop_i,         // of any other
    input  logic                 key_i,          // with start_i: weight_key positions
    input  logic                 place_valid_i,
    input  logic [IndexBits-1:0] place_i,
    output logic [LANES-1:0]     lane_we_o,
    output logic [ListBits-1:0]  lane_waddr_o,
    output logic [IndexBits+1:0] lane_wdata_o,   // {valid, other region, n - k}
    output logic [Padding-2:0]   top_o
);
  localparam int LaneBits = $clog2(LANES);
  logic on_q, take;
  logic [LaneBits-1:0] lane_q;
  logic [ListBits-1:0] group_q;
  logic [IndexBits-1:0] from;
  logic [LANES-1:0] lane_we_q;
  logic [ListBits-1:0] lane_waddr_q;
  logic [IndexBits+1:0] lane_wdata_q;
  logic [Padding-2:0] top_q;

  assign take = on_q && place_valid_i && !start_i && !stop_i;
  assign from = place_i == '0 ? '0 : IndexBits'(N) - place_i;
  assign {lane_we_o, lane_waddr_o, lane_wdata_o} = {lane_we_q, lane_waddr_q, lane_wdata_q};
  assign top_o = top_q;
  always_ff @(posedge clk_i) begin
    {lane_we_q, lane_waddr_q, lane_wdata_q} <= '0;
    if (clear_i) begin
      {on_q, lane_q, group_q, top_q} <= '0;
    end else if (start_i || stop_i) begin
      on_q <= start_i;
      if (start_i) begin
        {lane_q, group_q, top_q} <= '0;
        lane_we_q <= '1;
        lane_waddr_q <= key_i ? ListBits'(groups_key(LEVEL, LANES) - 1)
                              : ListBits'(groups_error(LEVEL, LANES) - 1);
      end
    end else if (take) begin
      lane_we_q <= LANES'(1) << lane_q;
      lane_waddr_q <= group_q;
      lane_wdata_q <= {2'b10, from};
      lane_q <= lane_q == LaneBits'(LANES - 1) ? '0 : lane_q + 1'b1;
      if (lane_q == LaneBits'(LANES - 1)) group_q <= group_q + 1'b1;
      for (int j = 0; j < Padding - 1; j++) begin
        if (place_i == IndexBits'(N - 1 - j)) top_q[j] <= 1'b1;
      end
    end
  end
endmodule
