// SPDX-License-Identifier: Apache-2.0 OR MIT
// The four strings of 32 bytes, as 16 lanes of 64 bits in LUT RAM. Reading takes no cycle.
module kem_strings (
    input  logic        clk_i,
    input  logic        we_i,
    input  logic [3:0]  waddr_i,
    input  logic [63:0] wdata_i,
    input  logic [3:0]  raddr_i,
    output logic [63:0] rdata_o,
    input  logic        wipe_i,
    input  logic [15:0] wipe_addr_i
);
  logic [63:0] mem[0:15];
  always_ff @(posedge clk_i) begin
    if (we_i || wipe_i) mem[waddr_i | (wipe_i ? wipe_addr_i[3:0] : 4'd0)] <= wdata_i;
  end
  assign rdata_o = mem[raddr_i];
endmodule
