// SPDX-License-Identifier: Apache-2.0 OR MIT
// Exchanges words of a memory, and counts: the least that can use what hardware leaves open. Reads
// in the cycle of start_i and writes in the next one; address_i and word_i stay.
module open_values_bench (
    input  logic       clk_i,
    input  logic       clear_i,
    input  logic       start_i,
    input  logic [3:0] address_i,
    input  logic [7:0] word_i,
    output logic       done_o,
    output logic [7:0] old_o,   // with done_o
    output logic [7:0] count_o
);
  logic second_q, write;
  assign write = second_q && !start_i;
  logic [7:0] count_q;
  kem_memory #(
      .WIDTH(8),
      .DEPTH(16)
  ) u_memory (
      .clk_i,
      .we_i(write),
      .waddr_i(address_i),
      .wdata_i(word_i),
      .raddr_i(address_i),
      .rdata_o(old_o),
      .wipe_i(1'b0),
      .wipe_addr_i(16'd0)
  );
  always_ff @(posedge clk_i) begin
    second_q <= start_i;
    count_q <= count_q + 8'(start_i);
    if (clear_i) {second_q, count_q} <= '0;
  end
  assign done_o = second_q;
  assign count_o = count_q;
endmodule
