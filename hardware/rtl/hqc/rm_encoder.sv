// SPDX-License-Identifier: Apache-2.0 OR MIT
// The word of the first-order Reed-Muller code for a symbol [HQC, S8.1], the same for each of its
// copies: bit j is symbol_7 plus the sum of symbol_i j_i. Latency: combinational; independent of
// data. An output bit is one XOR of two signals, which a synthesiser merges with what uses it.
module rm_encoder #(
    parameter int WORD = 128  // 128, or 64: a half at a time
) (
    input  logic [7:0]      symbol_i,
    input  logic            upper_i,  // WORD 64: the half of the bits from 64 on; else 0
    output logic [WORD-1:0] word_o
);
  initial begin
    assert (WORD == 64 || WORD == 128)
    else $fatal(1, "rm_encoder: WORD is 64 or 128");
  end
  logic [15:0] low;  // by the lower four bits of j
  logic [WORD/16-1:0] high;
  always_comb begin
    for (int j = 0; j < 16; j++) low[j] = ^(symbol_i[3:0] & 4'(j));
    for (int j = 0; j < WORD / 16; j++) begin
      high[j] = symbol_i[7] ^ (upper_i & symbol_i[6]) ^ (^(symbol_i[6:4] & 3'(j)));
    end
    for (int j = 0; j < WORD; j++) word_o[j] = low[j%16] ^ high[j/16];
  end

`ifdef FORMAL
  logic [127:0] whole;
  always_comb begin
    for (int j = 0; j < 128; j++) begin
      whole[j] = symbol_i[7];
      for (int i = 0; i < 7; i++) if (((j >> i) & 1) != 0) whole[j] = whole[j] ^ symbol_i[i];
    end
    one_word : assume (WORD == 64 || !upper_i);
    as_specified : assert (word_o == (upper_i ? whole[127 -: WORD] : whole[WORD-1:0]));
  end
`endif
endmodule
