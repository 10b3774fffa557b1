// SPDX-License-Identifier: Apache-2.0 OR MIT
// A register in a stream with valid and ready: all outputs come from registers, so no path goes
// from one side to the other. It holds two words, for the ready that the sender sees is a cycle
// old. Words that have left are overwritten by zero: data may be secret. Latency: one cycle;
// one word in each cycle. Independent of data.
module kem_skid #(
    parameter int WIDTH = 32
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [WIDTH-1:0] in_data_i,
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [WIDTH-1:0] out_data_o
);
  logic valid_q, spare_valid_q;
  logic [WIDTH-1:0] data_q, spare_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {valid_q, spare_valid_q, data_q, spare_q} <= '0;
    end else if (!valid_q || out_ready_i) begin
      valid_q <= spare_valid_q || in_valid_i;
      data_q <= spare_valid_q ? spare_q : in_valid_i ? in_data_i : '0;
      {spare_valid_q, spare_q} <= '0;
    end else if (in_valid_i && in_ready_o) begin
      spare_valid_q <= 1'b1;
      spare_q <= in_data_i;
    end
  end
  assign in_ready_o = !spare_valid_q;
  assign out_valid_o = valid_q;
  assign out_data_o = data_q;

`ifdef FORMAL
  // Any one word by its number, and what it was when it came.
  logic [7:0] watched_q, came_q, went_q;
  logic [WIDTH-1:0] word_q, was_data_q;
  logic waits_q;
  always_ff @(posedge clk_i) begin
    watched_q <= watched_q;
    came_q <= rst_ni ? came_q + 8'(in_valid_i && in_ready_o) : '0;
    went_q <= rst_ni ? went_q + 8'(out_valid_o && out_ready_i) : '0;
    if (in_valid_i && in_ready_o && came_q == watched_q) word_q <= in_data_i;
    waits_q <= rst_ni && out_valid_o && !out_ready_i;
    was_data_q <= out_data_o;
  end
  logic data_top, spare_top;  // the end of a packet, where data is secret
  assign data_top = data_q[WIDTH-1];
  assign spare_top = spare_q[WIDTH-1];
  always_comb begin
    none_lost_or_doubled : assert (came_q - went_q == 8'(out_valid_o) + 8'(!in_ready_o));
    if (!in_ready_o) spare_behind_a_word : assert (out_valid_o);
    if (out_valid_o && went_q == watched_q) in_order : assert (out_data_o == word_q);
    if (spare_valid_q && went_q + 8'd1 == watched_q) spare_next : assert (spare_q == word_q);
    if (waits_q) waits_unchanged : assert (out_valid_o && out_data_o == was_data_q);
    if (!out_valid_o) overwritten : assert (out_data_o == '0);
    if (in_ready_o) spare_overwritten : assert (spare_q == '0);
  end
`endif
endmodule
