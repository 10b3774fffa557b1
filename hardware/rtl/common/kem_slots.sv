// SPDX-License-Identifier: Apache-2.0 OR MIT
// The polynomial memory: SLOTS slots of as many words as a polynomial has. Each read port is a copy
// of the memory. Latency: one cycle.
module kem_slots
  import kem_pkg::*;
#(
    parameter int SLOTS = 5,
    parameter int WORDS = 97,      // of a slot
    parameter int WORD = 128,      // bits
    parameter int READ_PORTS = 1
) (
    input  logic                            clk_i,
    input  word_write_t                     write_i,
    input  logic [WORD-1:0]                 wdata_i,
    input  word_read_t [READ_PORTS-1:0]     read_i,
    output logic [READ_PORTS-1:0][WORD-1:0] rdata_o,
    input  logic                            wipe_i,
    input  logic [15:0]                     wipe_addr_i
);
  localparam int AddrBits = $clog2(SLOTS * WORDS);
  localparam int WordBits = $clog2(WORDS);
  function automatic logic [AddrBits-1:0] base(logic [2:0] slot);
    base = '0;
    for (int i = 1; i < SLOTS; i++) begin
      if (slot == 3'(i)) base = AddrBits'(i * WORDS);
    end
  endfunction
  // Who writes drives zeros while memories are wiped, so the address of wiping can come in before
  // the sum, which is the end of the longest paths.
  logic [AddrBits-1:0] word, waddr;
  assign word = AddrBits'(write_i.word[WordBits-1:0])
              | (wipe_i ? wipe_addr_i[AddrBits-1:0] : '0);
  assign waddr = base(write_i.slot) + word;
  for (genvar i = 0; i < READ_PORTS; i++) begin : gen_port
    kem_memory #(
        .WIDTH(WORD),
        .DEPTH(SLOTS * WORDS)
    ) u_memory (
        .clk_i,
        .we_i(write_i.valid || wipe_i),
        .waddr_i(waddr),
        .wdata_i,
        .raddr_i(base(read_i[i].slot) + AddrBits'(read_i[i].word[WordBits-1:0])),
        .rdata_o(rdata_o[i]),
        .wipe_i(1'b0),
        .wipe_addr_i('0)
    );
  end
endmodule
