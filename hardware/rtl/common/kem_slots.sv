// SPDX-License-Identifier: Apache-2.0 OR MIT
// The polynomial memory: SLOTS slots of as many words as a polynomial has. Each read port is a copy
// of the memory. With hold_i a port keeps the word that it read last. Latency: one cycle. With
// KEM_WRONG_ON_COLLISION, for simulation, a word that is read while it is written comes inverted.
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
    input  logic [READ_PORTS-1:0]           hold_i,
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
  // While memories are wiped, who writes drives zeros; else the address of wiping is zero: it can
  // come in before the sum, which is the end of the longest paths.
  logic [AddrBits-1:0] word, waddr;
  assign word = AddrBits'(write_i.word[WordBits-1:0]) | wipe_addr_i[AddrBits-1:0];
  assign waddr = base(write_i.slot) + word;
  for (genvar i = 0; i < READ_PORTS; i++) begin : gen_port
    (* no_rw_check *) logic [WORD-1:0] mem [0:SLOTS*WORDS-1];
    logic [AddrBits-1:0] raddr;
    logic we;
    assign raddr = base(read_i[i].slot) + AddrBits'(read_i[i].word[WordBits-1:0]);
    assign we = write_i.valid || wipe_i;
    always_ff @(posedge clk_i) begin
      if (we) mem[waddr] <= wdata_i;
      if (!hold_i[i]) begin
`ifdef KEM_WRONG_ON_COLLISION
        rdata_o[i] <= we && waddr == raddr ? ~mem[raddr] : mem[raddr];
`else
        rdata_o[i] <= mem[raddr];
`endif
      end
    end
  end
endmodule
