// SPDX-License-Identifier: Apache-2.0 OR MIT
// Words of both shares beside the engine: what came in, what goes out, and what the sponge reads
// and writes. A memory for each share and half of a word. Latency: a word is there in the cycle
// after its address.
module masked_store #(
    parameter int DEPTH = 1024,
    localparam int AddrBits = $clog2(DEPTH)
) (
    input  logic                clk_i,
    input  logic [1:0]          we_i,     // halves
    input  logic [AddrBits-1:0] waddr_i,  // and words: zero without we_i
    input  logic [1:0][127:0]   wdata_i,  // shares
    input  logic [AddrBits-1:0] raddr_i,
    output logic [1:0][127:0]   rdata_o,  // shares
    input  logic                wipe_i,
    input  logic [15:0]         wipe_addr_i
);
  for (genvar share = 0; share < 2; share++) begin : gen_share
    for (genvar half = 0; half < 2; half++) begin : gen_half
      kem_memory #(
          .WIDTH(64),
          .DEPTH(DEPTH)
      ) u_words (
          .clk_i,
          .we_i(we_i[half]),
          .waddr_i,
          .wdata_i(wdata_i[share][64*half +: 64]),
          .raddr_i,
          .rdata_o(rdata_o[share][64*half +: 64]),
          .wipe_i,
          .wipe_addr_i
      );
    end
  end
endmodule
