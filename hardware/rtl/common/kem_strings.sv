// SPDX-License-Identifier: Apache-2.0 OR MIT
// Strings of 32 bytes, as lanes of 64 bits in LUT RAM; each read port is a copy. Reading takes no
// cycle.
module kem_strings
  import kem_pkg::*;
#(
    parameter int STRINGS = 4,
    parameter int READ_PORTS = 1
) (
    input  logic                          clk_i,
    input  lane_write_t                   write_i,
    input  lane_read_t [READ_PORTS-1:0]   read_i,
    output logic [READ_PORTS-1:0][63:0]   rdata_o,
    input  logic                          wipe_i,
    input  logic [15:0]                   wipe_addr_i
);
  localparam int AddrBits = $clog2(4 * STRINGS);
  logic [AddrBits-1:0] waddr;
  assign waddr = AddrBits'({write_i.number, write_i.lane})
               | (wipe_i ? wipe_addr_i[AddrBits-1:0] : '0);
  for (genvar i = 0; i < READ_PORTS; i++) begin : gen_port
    logic [63:0] mem[0:4*STRINGS-1];
    always_ff @(posedge clk_i) begin
      if (write_i.valid || wipe_i) mem[waddr] <= write_i.data;
    end
    assign rdata_o[i] = mem[AddrBits'({read_i[i].number, read_i[i].lane})];
  end
endmodule
