// SPDX-License-Identifier: Apache-2.0 OR MIT
// Strings of 32 bytes, as lanes of 64 bits in LUT RAM; each read port is a copy. With hold_i a port
// keeps the lane that it read last. Latency: one cycle. With KEM_WRONG_ON_COLLISION, for
// simulation, a lane that is read while it is written comes inverted.
module kem_strings
  import kem_pkg::*;
#(
    parameter int STRINGS = 4,
    parameter int READ_PORTS = 1
) (
    input  logic                          clk_i,
    input  lane_write_t                   write_i,
    input  lane_read_t [READ_PORTS-1:0]   read_i,
    input  logic [READ_PORTS-1:0]         hold_i,
    output logic [READ_PORTS-1:0][63:0]   rdata_o,
    input  logic                          wipe_i,
    input  logic [15:0]                   wipe_addr_i
);
  localparam int AddrBits = $clog2(4 * STRINGS);
  logic [AddrBits-1:0] waddr;
  // The address of wiping is zero while nothing is wiped.
  assign waddr = AddrBits'({write_i.number, write_i.lane}) | wipe_addr_i[AddrBits-1:0];
  for (genvar i = 0; i < READ_PORTS; i++) begin : gen_port
    (* no_rw_check, ram_style = "distributed" *) logic [63:0] mem[0:4*STRINGS-1];
    logic [AddrBits-1:0] raddr;
    logic we;
    assign raddr = AddrBits'({read_i[i].number, read_i[i].lane});
    assign we = write_i.valid || wipe_i;
    always_ff @(posedge clk_i) begin
      if (we) mem[waddr] <= write_i.data;
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
