// SPDX-License-Identifier: Apache-2.0 OR MIT
// The RAM, 32 bits wide: one port that reads, for instructions, and one that reads or writes. It
// becomes block RAM with two ports. Latency: data come in the cycle after the address; bytes are
// written where be_i is set. A word that one port reads while the other writes it is any word.
module soc_ram #(
    parameter int BYTES = 262144,
    parameter string INIT_FILE = "",  // words in hexadecimal, for a bitstream
    localparam int AddrBits = $clog2(BYTES / 4)
) (
    input  logic                clk_i,
    input  logic [AddrBits-1:0] a_addr_i,
    output logic [        31:0] a_rdata_o,
    input  logic [AddrBits-1:0] b_addr_i,
    input  logic                b_we_i,
    input  logic [         3:0] b_be_i,
    input  logic [        31:0] b_wdata_i,
    output logic [        31:0] b_rdata_o
);
  (* no_rw_check *) logic [31:0] mem[BYTES/4];

  if (INIT_FILE != "") begin : gen_init
    initial $readmemh(INIT_FILE, mem);
  end

  always_ff @(posedge clk_i) a_rdata_o <= mem[a_addr_i];

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 4; i++) begin
      if (b_we_i && b_be_i[i]) mem[b_addr_i][8*i+:8] <= b_wdata_i[8*i+:8];
    end
    if (!b_we_i) b_rdata_o <= mem[b_addr_i];
  end
endmodule
