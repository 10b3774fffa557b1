// SPDX-License-Identifier: Apache-2.0 OR MIT
// Gathers five lanes of one share to a plane, each with a random lane, which the other share gets,
// too. It sees no other share.
(* keep_hierarchy *)
module masked_buffer (
    input  logic             clk_i,
    input  logic             clear_i,   // first of all
    input  logic             step_i,    // takes a lane
    input  logic [63:0]      lane_i,
    input  logic [63:0]      random_i,
    output logic [4:0][63:0] plane_o
);
  logic [4:0][63:0] plane_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      plane_q <= '0;
    end else if (step_i) begin
      plane_q <= {lane_i ^ random_i, plane_q[4:1]};
    end
  end
  assign plane_o = plane_q;
endmodule
