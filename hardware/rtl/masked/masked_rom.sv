// SPDX-License-Identifier: Apache-2.0 OR MIT
// A memory whose words come from a file of hexadecimal numbers, one a line. Latency: the word is
// there in the cycle after its address with read_i, and stays. GUARDED words have their parity as
// another bit, the highest one: upset_o says that a bit of what was read has flipped.
module masked_rom #(
    parameter int WIDTH = 64,
    parameter int DEPTH = 512,
    parameter bit GUARDED = 1'b1,
    parameter string FILE = ""
) (
    input  logic                     clk_i,
    input  logic                     read_i,
    input  logic [$clog2(DEPTH)-1:0] addr_i,
    output logic [WIDTH-1:0]         data_o,
    output logic                     upset_o
);
  logic [WIDTH-1+GUARDED:0] data_q;
  logic [WIDTH-1+GUARDED:0] mem[0:DEPTH-1];
  initial $readmemh(FILE, mem);
  always_ff @(posedge clk_i) begin
    if (read_i) data_q <= mem[addr_i];
  end
  assign data_o  = data_q[WIDTH-1:0];
  assign upset_o = GUARDED && ^data_q;
endmodule
