// SPDX-License-Identifier: Apache-2.0 OR MIT
// The DMA's channel from a core: the words of a packet become fields of bytes anywhere in the RAM.
// Each field begins at a word; bytes that fill up its last one are dropped. If the core's packet is
// shorter or longer than the fields, mismatch_o is set until abort_i; the rest of it is dropped.
// Up to one word in each cycle; two or three cycles between two fields. Independent of data.
module soc_dma_out #(
    parameter int RAM_BYTES = 262144,
    localparam int AddrBits = $clog2(RAM_BYTES)
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                abort_i,
    output logic                busy_o,
    output logic                mismatch_o,
    // Fields.
    input  logic                field_valid_i,
    output logic                field_take_o,
    input  logic [AddrBits-1:0] field_address_i,
    input  logic [  AddrBits:0] field_bytes_i,
    input  logic                field_last_i,
    // The RAM, which writes in the cycle of grant_i.
    output logic                req_o,
    input  logic                grant_i,
    output logic [AddrBits-3:0] addr_o,
    output logic [         3:0] be_o,
    output logic [        31:0] wdata_o,
    // The stream.
    input  logic                valid_i,
    output logic                ready_o,
    input  logic [        31:0] data_i,
    input  logic                last_i
);
  logic run_q, last_q, flush_q, drop_q;
  logic [1:0] offset_q;
  logic [AddrBits-3:0] addr_q;
  logic [AddrBits:0] bytes_q;  // that have not come
  logic [23:0] carry_q;  // bytes for the word at addr_q, from its first byte on
  logic [3:0] carried_q;  // which

  logic take, ends;
  logic [3:0] in_bytes;
  logic [55:0] data;
  logic [6:0] enables;
  assign ends = bytes_q <= (AddrBits + 1)'(4);
  always_comb begin
    case (bytes_q)
      (AddrBits + 1)'(1): in_bytes = 4'b0001;
      (AddrBits + 1)'(2): in_bytes = 4'b0011;
      (AddrBits + 1)'(3): in_bytes = 4'b0111;
      default: in_bytes = 4'b1111;
    endcase
    data = 56'(data_i) << {offset_q, 3'b000};
    enables = 7'(in_bytes) << offset_q;
  end
  assign req_o = (run_q && valid_i) || flush_q;
  assign ready_o = (run_q && grant_i) || drop_q;
  assign take = run_q && valid_i && grant_i;
  assign addr_o = addr_q;
  assign wdata_o = (flush_q ? '0 : data[31:0]) | 32'(carry_q);
  assign be_o = (flush_q ? '0 : enables[3:0]) | carried_q;
  assign field_take_o = !run_q && !flush_q && !drop_q && field_valid_i;
  assign busy_o = run_q || flush_q || field_valid_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || abort_i) begin
      {run_q, last_q, flush_q, drop_q, mismatch_o, offset_q, addr_q, bytes_q} <= '0;
      {carry_q, carried_q} <= '0;
    end else begin
      if (take) begin
        addr_q <= addr_q + 1'b1;
        bytes_q <= bytes_q - (AddrBits + 1)'(4);
        carry_q <= data[55:32];
        carried_q <= {1'b0, enables[6:4]};
        if (ends || last_i) begin
          run_q <= 1'b0;
          flush_q <= enables[6:4] != '0;
        end
        if (last_i != (ends && last_q)) begin
          mismatch_o <= 1'b1;
          drop_q <= !last_i;
        end
      end
      if (flush_q && grant_i) {flush_q, carry_q, carried_q} <= '0;
      if (drop_q && valid_i && last_i) drop_q <= 1'b0;
      if (field_take_o) begin
        run_q <= 1'b1;
        {addr_q, offset_q} <= field_address_i;
        bytes_q <= field_bytes_i;
        last_q <= field_last_i;
        {carry_q, carried_q} <= '0;
      end
    end
  end
endmodule
