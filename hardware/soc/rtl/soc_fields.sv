// SPDX-License-Identifier: Apache-2.0 OR MIT
// The fields of a packet that wait for a channel of the DMA: address and length in bytes, and
// whether the packet ends with it. Eight can wait. A field that is empty, does not lie in the RAM
// or finds no room is dropped, and refused_o stays until clear_i. Latency: one cycle.
module soc_fields #(
    parameter int RAM_BYTES = 262144,
    localparam int AddrBits = $clog2(RAM_BYTES)
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                clear_i,
    input  logic                push_i,
    input  logic [        31:0] address_i,
    input  logic [        23:0] bytes_i,
    input  logic                last_i,
    output logic                refused_o,
    // The first of them.
    output logic                valid_o,
    input  logic                take_i,
    output logic [AddrBits-1:0] address_o,
    output logic [  AddrBits:0] bytes_o,
    output logic                last_o
);
  localparam int Depth = 8;
  localparam int IndexBits = $clog2(Depth);
  localparam int Width = 2 * AddrBits + 2;
  logic [Width-1:0] fields_q[Depth];
  logic [IndexBits-1:0] first_q, next_q;
  logic [IndexBits:0] count_q;
  logic fits, put;

  assign fits = bytes_i != '0 && 33'(address_i) + 33'(bytes_i) <= 33'(RAM_BYTES);
  assign put = push_i && fits && count_q != (IndexBits + 1)'(Depth);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      {first_q, next_q, count_q, refused_o} <= '0;
    end else begin
      if (put) next_q <= next_q + 1'b1;
      if (take_i) first_q <= first_q + 1'b1;
      count_q <= count_q + (IndexBits + 1)'(put) - (IndexBits + 1)'(take_i);
      if (push_i && !put) refused_o <= 1'b1;
    end
    if (put) fields_q[next_q] <= {last_i, bytes_i[AddrBits:0], address_i[AddrBits-1:0]};
  end
  assign valid_o = count_q != '0;
  assign {last_o, bytes_o, address_o} = fields_q[first_q];
endmodule
