// SPDX-License-Identifier: Apache-2.0 OR MIT
// The DMA's channel to a core: fields of bytes anywhere in the RAM become the words of a packet.
// Each field begins at a word, its last one is filled up with zeros. What was read is overwritten
// by zero when it has left: data may be secret. Up to one word in each cycle; about five cycles
// between two fields. Independent of data.
module soc_dma_in #(
    parameter int RAM_BYTES = 262144,
    localparam int AddrBits = $clog2(RAM_BYTES)
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                abort_i,
    output logic                busy_o,
    // Fields.
    input  logic                field_valid_i,
    output logic                field_take_o,
    input  logic [AddrBits-1:0] field_address_i,
    input  logic [  AddrBits:0] field_bytes_i,
    input  logic                field_last_i,
    // The RAM; data come in the cycle after grant_i.
    output logic                req_o,
    input  logic                grant_i,
    output logic [AddrBits-3:0] addr_o,
    input  logic [        31:0] rdata_i,
    // The stream.
    output logic                valid_o,
    input  logic                ready_i,
    output logic [        31:0] data_o,
    output logic                last_o
);
  logic run_q, last_q, primed_q, coming_q;
  logic [1:0] offset_q;
  logic [AddrBits-3:0] addr_q;
  logic [AddrBits-1:0] reads_q;  // words that are not asked for yet
  logic [AddrBits:0] bytes_q;  // that have not left
  logic [31:0] held_q, first_q, second_q, third_q;  // the word before; words that have come
  logic [1:0] count_q;

  logic read_all, free, step, emit, pop, ends;
  logic [31:0] next, word, mask;
  assign req_o = run_q && reads_q != '0 && 3'(count_q) + 3'(coming_q) < 3'd3;
  assign addr_o = addr_q;
  assign read_all = reads_q == '0 && !coming_q && count_q == '0;
  assign free = !valid_o || ready_i;
  // A step looks at the next word, or after the last one at zeros.
  assign step = run_q && free && (count_q != '0 || read_all);
  assign emit = step && (offset_q == '0 || primed_q);
  assign pop = step && count_q != '0;
  assign next = count_q == '0 ? '0 : first_q;
  assign ends = bytes_q <= (AddrBits + 1)'(4);
  always_comb begin
    case (offset_q)
      2'd0: word = next;
      2'd1: word = {next[7:0], held_q[31:8]};
      2'd2: word = {next[15:0], held_q[31:16]};
      default: word = {next[23:0], held_q[31:24]};
    endcase
    case (bytes_q)
      (AddrBits + 1)'(1): mask = 32'h0000_00ff;
      (AddrBits + 1)'(2): mask = 32'h0000_ffff;
      (AddrBits + 1)'(3): mask = 32'h00ff_ffff;
      default: mask = '1;
    endcase
  end
  assign field_take_o = !run_q && field_valid_i;
  assign busy_o = run_q || field_valid_i || valid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || abort_i) begin
      {run_q, last_q, primed_q, coming_q, offset_q, addr_q, reads_q, bytes_q} <= '0;
      {held_q, first_q, second_q, third_q, count_q, valid_o, data_o, last_o} <= '0;
    end else begin
      coming_q <= req_o && grant_i;
      if (req_o && grant_i) begin
        addr_q <= addr_q + 1'b1;
        reads_q <= reads_q - 1'b1;
      end
      // Words that have come, in order; places that are empty hold zero.
      count_q <= count_q + 2'(coming_q) - 2'(pop);
      if (pop) {third_q, second_q, first_q} <= {32'd0, third_q, second_q};
      if (coming_q) begin
        case (count_q - 2'(pop))
          2'd0: first_q <= rdata_i;
          2'd1: second_q <= rdata_i;
          default: third_q <= rdata_i;
        endcase
      end
      if (step) begin
        held_q <= next;
        primed_q <= 1'b1;
      end
      if (free) begin
        valid_o <= emit;
        data_o <= emit ? word & mask : '0;
        last_o <= emit && ends && last_q;
      end
      if (emit) begin
        bytes_q <= bytes_q - (AddrBits + 1)'(4);
        if (ends) begin
          {run_q, primed_q, held_q, first_q, second_q, third_q, count_q} <= '0;
        end
      end
      if (field_take_o) begin
        run_q <= 1'b1;
        {addr_q, offset_q} <= field_address_i;
        reads_q <= AddrBits'((field_bytes_i + (AddrBits + 1)'(field_address_i[1:0])
                              + (AddrBits + 1)'(3)) >> 2);
        bytes_q <= field_bytes_i;
        last_q <= field_last_i;
      end
    end
  end
endmodule
