// SPDX-License-Identifier: Apache-2.0 OR MIT
// The polynomial memory as kem_slots, with two ports of which each reads or writes in a cycle, as
// the two of a block RAM do: no copy is needed. What a port reads while it writes is anything. With
// hold_i, and nothing to write, it keeps the word that it read last. Latency: one cycle. With
// KEM_WRONG_ON_COLLISION, for simulation, a word that
// is read by one port while the other writes it, or by a port that writes, comes inverted.
module kem_slots_dual
  import kem_pkg::*;
#(
    parameter int SLOTS = 5,
    parameter int WORDS = 139,  // of a slot
    parameter int WORD = 128    // bits
) (
    input  logic                       clk_i,
    input  word_write_t [1:0]          write_i,
    input  logic        [1:0][WORD-1:0] wdata_i,
    input  word_read_t [1:0]           read_i,
    input  logic       [1:0]           hold_i,
    output logic       [1:0][WORD-1:0] rdata_o,
    input  logic                       wipe_i,
    input  logic       [15:0]          wipe_addr_i
);
  localparam int AddrBits = $clog2(SLOTS * WORDS);
  localparam int WordBits = $clog2(WORDS);
  function automatic logic [AddrBits-1:0] base(logic [2:0] slot);
    base = '0;
    for (int i = 1; i < SLOTS; i++) begin
      if (slot == 3'(i)) base = AddrBits'(i * WORDS);
    end
  endfunction
  // While memories are wiped, who writes drives zeros; else the address of wiping is zero. Wiping
  // goes on beyond the last word, to word 0, so that what the port reads beside is zero at the end.
  logic [1:0] we, on;
  logic [1:0][AddrBits-1:0] addr;
  logic [AddrBits-1:0] wipe_addr;
  logic [1:0][WORD-1:0] rdata;
  logic over_q;  // the last word has been wiped
  always_ff @(posedge clk_i) begin
    over_q <= wipe_i && (over_q || wipe_addr_i == 16'(SLOTS * WORDS - 1));
  end
  assign wipe_addr = over_q ? '0 : wipe_addr_i[AddrBits-1:0];
  always_comb begin
    for (int i = 0; i < 2; i++) begin
      we[i] = write_i[i].valid || (wipe_i && i == 0);
      on[i] = we[i] || !hold_i[i];
      addr[i] = base(write_i[i].valid ? write_i[i].slot : read_i[i].slot)
              + (AddrBits'(write_i[i].valid ? write_i[i].word[WordBits-1:0]
                                            : read_i[i].word[WordBits-1:0])
                 | (i == 0 ? wipe_addr : '0));
    end
  end

  (* no_rw_check *) logic [WORD-1:0] mem[0:SLOTS*WORDS-1];
  always @(posedge clk_i) begin
    if (on[0]) begin
      if (we[0]) mem[addr[0]] <= wdata_i[0];
      rdata[0] <= mem[addr[0]];
    end
  end
  always @(posedge clk_i) begin
    if (on[1]) begin
      if (we[1]) mem[addr[1]] <= wdata_i[1];
      rdata[1] <= mem[addr[1]];
    end
  end
`ifdef KEM_WRONG_ON_COLLISION
  logic [1:0] wrong_q;
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 2; i++) begin
      if (on[i]) wrong_q[i] <= we[i] || (we[1-i] && addr[0] == addr[1]);
    end
  end
  assign rdata_o = {rdata[1] ^ {WORD{wrong_q[1]}}, rdata[0] ^ {WORD{wrong_q[0]}}};
`else
  assign rdata_o = rdata;
`endif
endmodule
