// SPDX-License-Identifier: Apache-2.0 OR MIT
// The polynomial memory: five slots of as many words as a polynomial has. Latency: one cycle.
module kem_slots
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    localparam int Words = (r_bits(LEVEL) + WORD - 1) / WORD,
    localparam int WordAddrBits = $clog2(Words)
) (
    input  logic                    clk_i,
    input  logic                    we_i,
    input  slot_e                   wslot_i,
    input  logic [WordAddrBits-1:0] waddr_i,
    input  logic [WORD-1:0]         wdata_i,
    input  slot_e                   rslot_i,
    input  logic [WordAddrBits-1:0] raddr_i,
    output logic [WORD-1:0]         rdata_o,
    input  logic                    wipe_i,
    input  logic [15:0]             wipe_addr_i
);
  localparam int AddrBits = $clog2(SLOTS * Words);
  function automatic logic [AddrBits-1:0] address(slot_e slot, logic [WordAddrBits-1:0] word);
    address = AddrBits'(word);
    for (int i = 1; i < SLOTS; i++) begin
      if (slot == 3'(i)) address = AddrBits'(word) + AddrBits'(i * Words);
    end
  endfunction
  logic [AddrBits-1:0] waddr;
  assign waddr = we_i ? address(wslot_i, waddr_i) : '0;
  kem_memory #(
      .WIDTH(WORD),
      .DEPTH(SLOTS * Words)
  ) u_memory (
      .clk_i,
      .we_i,
      .waddr_i(waddr),
      .wdata_i,
      .raddr_i(address(rslot_i, raddr_i)),
      .rdata_o,
      .wipe_i,
      .wipe_addr_i
  );
endmodule
