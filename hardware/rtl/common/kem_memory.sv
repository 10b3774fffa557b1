// SPDX-License-Identifier: Apache-2.0 OR MIT
// Memory with one write and one read port, which becomes block RAM (or LUT RAM where small).
// Latency: the word is there in the cycle after its address. Reading an address in the cycle in
// which it is written gives any word. Wiping: while wipe_i is set, zero goes to wipe_addr_i;
// the user holds we_i and wdata_i at zero then. With KEM_WRONG_ON_COLLISION, for simulation, a
// word that is read while it is written comes inverted, so that a test fails if the core uses it.
module kem_memory #(
    parameter int WIDTH = 64,
    parameter int DEPTH = 512,
    localparam int AddrBits = $clog2(DEPTH)
) (
    input  logic                clk_i,
    input  logic                we_i,
    input  logic [AddrBits-1:0] waddr_i,
    input  logic [WIDTH-1:0]    wdata_i,
    input  logic [AddrBits-1:0] raddr_i,
    output logic [WIDTH-1:0]    rdata_o,
    input  logic                wipe_i,
    input  logic [15:0]         wipe_addr_i
);
  (* no_rw_check *) logic [WIDTH-1:0] mem [0:DEPTH-1];
  logic [AddrBits-1:0] waddr;
  assign waddr = waddr_i | (wipe_i ? wipe_addr_i[AddrBits-1:0] : '0);

  always_ff @(posedge clk_i) begin
    if (we_i || wipe_i) mem[waddr] <= wdata_i;
`ifdef KEM_WRONG_ON_COLLISION
    rdata_o <= (we_i || wipe_i) && waddr == raddr_i ? ~mem[raddr_i] : mem[raddr_i];
`else
    rdata_o <= mem[raddr_i];
`endif
  end

`ifdef FORMAL
  // One address, any one, and what is in it.
  logic [AddrBits-1:0] watched_q;
  logic written_q, read_q;
  logic [WIDTH-1:0] before_q, data_q;
  always_ff @(posedge clk_i) begin
    watched_q <= watched_q;
    before_q <= mem[watched_q];
    data_q <= wipe_i ? '0 : wdata_i;
    written_q <= (wipe_i ? AddrBits'(wipe_addr_i) : waddr_i) == watched_q && (we_i || wipe_i);
    read_q <= raddr_i == watched_q;
  end
  always_comb begin
    held_at_zero : assume (!wipe_i || (!we_i && waddr_i == '0 && wdata_i == '0));
    keeps : assert (mem[watched_q] == (written_q ? data_q : before_q));
    if (read_q && !written_q) reads : assert (rdata_o == before_q);
  end
`endif
endmodule
