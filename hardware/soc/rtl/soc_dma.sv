// SPDX-License-Identifier: Apache-2.0 OR MIT
// Two channels between the RAM and the streams of the core that select_i names, 0 or 1. The channel
// from the core goes first to the RAM if both ask. abort_i drops all fields and what is on its way.
module soc_dma #(
    parameter int RAM_BYTES = 262144,
    localparam int WordBits = $clog2(RAM_BYTES / 4)
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                abort_i,
    input  logic                select_i,
    input  logic                in_push_i,
    input  logic [        31:0] in_address_i,
    input  logic [        23:0] in_bytes_i,
    input  logic                in_last_i,
    input  logic                out_push_i,
    input  logic [        31:0] out_address_i,
    input  logic [        23:0] out_bytes_i,
    input  logic                out_last_i,
    output logic                in_busy_o,
    output logic                out_busy_o,
    output logic                refused_o,
    output logic                mismatch_o,
    // The RAM, in a cycle in which grant_i is set; what is read comes in the next one.
    output logic                req_o,
    input  logic                grant_i,
    output logic [WordBits-1:0] addr_o,
    output logic                we_o,
    output logic [         3:0] be_o,
    output logic [        31:0] wdata_o,
    input  logic [        31:0] rdata_i,
    // The streams of both cores.
    output logic [         1:0] to_valid_o,
    input  logic [         1:0] to_ready_i,
    output logic [        31:0] to_data_o,
    output logic                to_last_o,
    input  logic [         1:0] from_valid_i,
    output logic [         1:0] from_ready_o,
    input  logic [   1:0][31:0] from_data_i,
    input  logic [         1:0] from_last_i
);
  localparam int AddrBits = $clog2(RAM_BYTES);
  typedef struct packed {
    logic valid, last;
    logic [AddrBits-1:0] address;
    logic [AddrBits:0] bytes;
  } field_t;
  field_t in_field, out_field;
  logic in_take, out_take, in_refused, out_refused;
  logic in_req, out_req, to_valid, from_ready;
  logic [WordBits-1:0] in_addr, out_addr;
  assign refused_o = in_refused || out_refused;

  soc_fields #(
      .RAM_BYTES(RAM_BYTES)
  ) u_in_fields (
      .clk_i,
      .rst_ni,
      .clear_i(abort_i),
      .push_i(in_push_i),
      .address_i(in_address_i),
      .bytes_i(in_bytes_i),
      .last_i(in_last_i),
      .refused_o(in_refused),
      .valid_o(in_field.valid),
      .take_i(in_take),
      .address_o(in_field.address),
      .bytes_o(in_field.bytes),
      .last_o(in_field.last)
  );
  soc_fields #(
      .RAM_BYTES(RAM_BYTES)
  ) u_out_fields (
      .clk_i,
      .rst_ni,
      .clear_i(abort_i),
      .push_i(out_push_i),
      .address_i(out_address_i),
      .bytes_i(out_bytes_i),
      .last_i(out_last_i),
      .refused_o(out_refused),
      .valid_o(out_field.valid),
      .take_i(out_take),
      .address_o(out_field.address),
      .bytes_o(out_field.bytes),
      .last_o(out_field.last)
  );
  soc_dma_in #(
      .RAM_BYTES(RAM_BYTES)
  ) u_in (
      .clk_i,
      .rst_ni,
      .abort_i,
      .busy_o(in_busy_o),
      .field_valid_i(in_field.valid),
      .field_take_o(in_take),
      .field_address_i(in_field.address),
      .field_bytes_i(in_field.bytes),
      .field_last_i(in_field.last),
      .req_o(in_req),
      .grant_i(grant_i && !out_req),
      .addr_o(in_addr),
      .rdata_i,
      .valid_o(to_valid),
      .ready_i(to_ready_i[select_i]),
      .data_o(to_data_o),
      .last_o(to_last_o)
  );
  soc_dma_out #(
      .RAM_BYTES(RAM_BYTES)
  ) u_out (
      .clk_i,
      .rst_ni,
      .abort_i,
      .busy_o(out_busy_o),
      .mismatch_o,
      .field_valid_i(out_field.valid),
      .field_take_o(out_take),
      .field_address_i(out_field.address),
      .field_bytes_i(out_field.bytes),
      .field_last_i(out_field.last),
      .req_o(out_req),
      .grant_i,
      .addr_o(out_addr),
      .be_o,
      .wdata_o,
      .valid_i(from_valid_i[select_i]),
      .ready_o(from_ready),
      .data_i(from_data_i[select_i]),
      .last_i(from_last_i[select_i])
  );
  assign req_o = in_req || out_req;
  assign we_o = out_req;
  assign addr_o = out_req ? out_addr : in_addr;
  assign to_valid_o = {to_valid && select_i, to_valid && !select_i};
  assign from_ready_o = {from_ready && select_i, from_ready && !select_i};
endmodule
