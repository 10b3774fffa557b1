// SPDX-License-Identifier: Apache-2.0 OR MIT
// HQC's code with its place for m: encoder and decoder of Reed-Muller and Reed-Solomon. Latency:
// that of rs_encoder and rs_decoder.
module hqc_code
  import kem_pkg::*;
  import hqc_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int LANES = 4,
    parameter int RM_VALUES = 4,
    parameter int BM_CELLS = 2,
    parameter bit CLIENT = 1  // has the decoder
) (
    input  logic            clk_i,
    input  logic            clear_i,
    input  logic            encode_i,
    output logic            encoded_o,
    input  logic            decode_i,
    output logic            decoded_o,
    output logic            read_o,         // a lane of m, here in the next cycle
    output logic [1:0]      lane_o,         // zero without read_o
    input  logic [63:0]     lane_i,
    output lane_write_t     str_write_o,
    input  logic            str_ready_i,    // no other unit writes
    // to and from the products
    input  logic            rm_upper_i,
    input  logic            symbol_next_i,
    output logic [WORD-1:0] rm_word_o,
    input  logic            code_valid_i,
    input  logic [WORD-1:0] code_word_i
);
  localparam int K = message_bytes(LEVEL);
  logic [7:0] symbol;
  rs_encoder #(
      .K(K),
      .DELTA(rs_delta(LEVEL)),
      .CELLS(BM_CELLS)
  ) u_encoder (
      .clk_i,
      .clear_i,
      .start_i(encode_i),
      .done_o(encoded_o),
      .read_o,
      .lane_o,
      .lane_i,
      .next_i(symbol_next_i),
      .symbol_o(symbol)
  );
  rm_encoder #(
      .WORD(WORD)
  ) u_rm_encoder (
      .symbol_i(symbol),
      .upper_i(rm_upper_i),
      .word_o(rm_word_o)
  );
  if (CLIENT) begin : gen_decoder
    logic symbol_valid, lane_valid;
    logic [7:0] received;
    logic [1:0] lane_number;
    logic [63:0] lane_data;
    localparam int SymbolGap = rm_copies(LEVEL) * 128 / WORD * groups_key(LEVEL, LANES);
    rm_decoder #(
        .COPIES(rm_copies(LEVEL)),
        .WORD(WORD),
        .VALUES(RM_VALUES),
        .GAP(groups_key(LEVEL, LANES))
    ) u_rm_decoder (
        .clk_i,
        .clear_i,
        .word_valid_i(code_valid_i),
        .word_i(code_word_i),
        .symbol_valid_o(symbol_valid),
        .symbol_o(received)
    );
    rs_decoder #(
        .K(K),
        .DELTA(rs_delta(LEVEL)),
        .CELLS(BM_CELLS),
        .RINGS(SymbolGap >= 2 * rs_delta(LEVEL) ? 1 : 2),
        .GAP(SymbolGap)
    ) u_rs_decoder (
        .clk_i,
        .clear_i,
        .start_i(decode_i),
        .symbol_valid_i(symbol_valid),
        .symbol_i(received),
        .lane_valid_o(lane_valid),
        .lane_o(lane_number),
        .lane_data_o(lane_data),
        .lane_ready_i(str_ready_i),
        .done_o(decoded_o)
    );
    always_comb begin
      str_write_o = '0;
      if (lane_valid && str_ready_i) begin
        str_write_o = '{valid: 1'b1, number: STR_M, lane: lane_number, data: lane_data};
      end
    end
  end else begin : gen_no_decoder
    assign decoded_o = 1'b0;
    assign str_write_o = '0;
    logic unused;
    assign unused = ^{code_valid_i, code_word_i, str_ready_i};
  end
endmodule
