// SPDX-License-Identifier: Apache-2.0 OR MIT
// Operations of a core with plain ports over a serial line, for a host that sends
//   the operation (one byte), the number of words of its packet (two bytes), the words
// and gets
//   the error (one byte), the cycles (four bytes), the number of words (two bytes), the words,
// lowest byte first in all of them. The input packet is stored as a whole before the core starts,
// and the output packet before it is sent, so the cycles are those of a core whose streams never
// wait. A word is overwritten by zero when it has left. Of a packet that is longer than the memory
// the end is dropped; the core then says that it is too short, or too long. If the line rests for
// 2^TIMEOUT_BITS cycles in the middle of a packet, the bridge waits for the next operation.
module uart_bridge
  import kem_pkg::*;
#(
    parameter int DIVISOR = 25,
    parameter int WORDS = 2048,  // of the longest packet; a power of two
    parameter int TIMEOUT_BITS = 23
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        line_i,
    output logic        line_o,
    output logic        start_o,
    output op_e         op_o,
    input  logic        busy_i,
    input  logic        done_i,
    input  err_e        error_i,
    output logic        in_valid_o,
    input  logic        in_ready_i,
    output logic [31:0] in_data_o,
    output logic        in_last_o,
    input  logic        out_valid_i,
    output logic        out_ready_o,
    input  logic [31:0] out_data_i
);
  localparam int AddrBits = $clog2(WORDS);
  typedef enum logic [2:0] {
    OP,
    COUNT,
    FILL,
    START,
    RUN,
    HEAD,
    SEND
  } state_e;
  state_e state_q;
  logic [15:0] asked_q;  // words that the host sends
  logic [15:0] index_q;  // the word in hand
  logic [2:0] byte_q;  // the byte in hand
  logic [23:0] bytes_q;  // of the word in hand, while it comes
  logic [15:0] received_q;  // words of the output packet
  logic [31:0] cycles_q;
  logic [TIMEOUT_BITS:0] rest_q;
  op_e op_q;
  err_e error_q;

  // --- Serial line -------------------------------------------------------------------------------
  logic got, sent, send_ready;
  logic [7:0] byte_in, byte_out;
  uart_receive #(
      .DIVISOR(DIVISOR)
  ) u_receive (
      .clk_i,
      .rst_ni,
      .line_i,
      .valid_o(got),
      .data_o(byte_in)
  );
  uart_send #(
      .DIVISOR(DIVISOR)
  ) u_send (
      .clk_i,
      .rst_ni,
      .line_o,
      .valid_i(sent),
      .ready_o(send_ready),
      .data_i(byte_out)
  );

  // --- Packets -----------------------------------------------------------------------------------
  logic store, fed, emptied, ready_q;
  logic [15:0] next;
  logic [31:0] in_word, out_word;
  assign store = state_q == FILL && got && byte_q == 3'd3 && index_q < 16'(WORDS);
  assign fed = in_valid_o && in_ready_i;
  assign emptied = state_q == SEND && send_ready && ready_q && byte_q == 3'd3;
  assign next = index_q + 16'd1;
  kem_memory #(
      .WIDTH(32),
      .DEPTH(WORDS)
  ) u_in (
      .clk_i,
      .we_i(store || fed),
      .waddr_i(index_q[AddrBits-1:0]),
      .wdata_i(store ? {byte_in, bytes_q} : '0),
      .raddr_i(fed ? next[AddrBits-1:0] : index_q[AddrBits-1:0]),
      .rdata_o(in_word),
      .wipe_i(1'b0),
      .wipe_addr_i('0)
  );
  kem_memory #(
      .WIDTH(32),
      .DEPTH(WORDS)
  ) u_out (
      .clk_i,
      .we_i((out_valid_i && out_ready_o) || emptied),
      .waddr_i(emptied ? index_q[AddrBits-1:0] : received_q[AddrBits-1:0]),
      .wdata_i(emptied ? '0 : out_data_i),
      .raddr_i(emptied ? next[AddrBits-1:0] : index_q[AddrBits-1:0]),
      .rdata_o(out_word),
      .wipe_i(1'b0),
      .wipe_addr_i('0)
  );
  assign start_o = state_q == START && !busy_i;
  assign op_o = op_q;
  assign in_valid_o = state_q == RUN && ready_q && index_q != asked_q;
  assign in_data_o = in_word;
  assign in_last_o = next == asked_q;
  assign out_ready_o = state_q == RUN && received_q != 16'(WORDS);

  // --- Answer ------------------------------------------------------------------------------------
  assign sent = send_ready && (state_q == HEAD || (state_q == SEND && ready_q));
  always_comb begin
    byte_out = out_word[{byte_q[1:0], 3'd0}+:8];
    if (state_q == HEAD) begin
      unique case (byte_q)
        3'd0: byte_out = {5'd0, error_q};
        3'd5: byte_out = received_q[7:0];
        3'd6: byte_out = received_q[15:8];
        default: byte_out = cycles_q[{byte_q[1:0]-2'd1, 3'd0}+:8];
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= OP;
      op_q <= OP_NONE;
      error_q <= ERR_NONE;
      {asked_q, index_q, byte_q, bytes_q, received_q, cycles_q, rest_q, ready_q} <= '0;
    end else begin
      ready_q <= 1'b1;  // the memory's word is there
      rest_q <= got ? '0 : rest_q + 1'b1;
      unique case (state_q)
        OP: begin
          {index_q, byte_q, received_q} <= '0;
          rest_q <= '0;
          if (got) begin
            op_q <= op_e'(byte_in[2:0]);
            state_q <= COUNT;
          end
        end
        COUNT:
        if (got) begin
          asked_q <= {byte_in, asked_q[15:8]};
          byte_q <= byte_q[0] ? 3'd0 : 3'd1;
          if (byte_q[0]) state_q <= {byte_in, asked_q[15:8]} == '0 ? START : FILL;
        end
        FILL:
        if (got) begin
          bytes_q <= {byte_in, bytes_q[23:8]};
          byte_q <= byte_q == 3'd3 ? 3'd0 : byte_q + 3'd1;
          if (byte_q == 3'd3) begin
            bytes_q <= '0;
            index_q <= next;
            if (next == asked_q) begin
              index_q <= '0;
              if (asked_q > 16'(WORDS)) asked_q <= 16'(WORDS);
              state_q <= START;
            end
          end
        end
        START:
        if (!busy_i) begin
          cycles_q <= '0;
          ready_q <= 1'b0;
          state_q <= RUN;
        end
        RUN: begin
          cycles_q <= cycles_q + 32'd1;
          if (fed) index_q <= next;
          if (out_valid_i && out_ready_o) received_q <= received_q + 16'd1;
          if (done_i) begin
            error_q <= error_i;
            index_q <= '0;
            byte_q <= '0;
            state_q <= HEAD;
          end
        end
        HEAD:
        if (send_ready) begin
          byte_q <= byte_q + 3'd1;
          ready_q <= 1'b0;
          if (byte_q == 3'd6) begin
            byte_q <= '0;
            state_q <= received_q == '0 ? OP : SEND;
          end
        end
        default:
        if (sent) begin
          byte_q <= byte_q == 3'd3 ? 3'd0 : byte_q + 3'd1;
          ready_q <= byte_q != 3'd3;
          if (emptied) begin
            index_q <= next;
            if (next == received_q) state_q <= OP;
          end
        end
      endcase
      if (rest_q[TIMEOUT_BITS] && (state_q == COUNT || state_q == FILL)) state_q <= OP;
    end
  end
endmodule
