// SPDX-License-Identifier: Apache-2.0 OR MIT
// One share of Keccak's state: a ring of five planes, whose other slot is outside, before plane_i.
// It moves on by a plane, and may apply to the planes as they then are all of a round that is
// linear (keccak_linear). It sees no other share; its logic sees plane_i and all planes but the
// first one.
(* keep_hierarchy *)
module masked_ring (
    input  logic             clk_i,
    input  logic             clear_i,
    input  logic             shift_i,
    input  logic             linear_i,  // with shift_i
    input  logic [4:0][63:0] plane_i,   // comes in as the last one
    output logic [4:0][63:0] first_o,
    output logic [4:0][63:0] second_o
);
  logic [4:0][4:0][63:0] planes_q, moved, mixed;
  assign moved = {plane_i, planes_q[4:1]};
  keccak_linear u_linear (
      .state_i(moved),
      .state_o(mixed)
  );
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      planes_q <= '0;
    end else if (shift_i) begin
      planes_q <= linear_i ? mixed : moved;
    end
  end
  assign first_o  = planes_q[0];
  assign second_o = planes_q[1];
endmodule
