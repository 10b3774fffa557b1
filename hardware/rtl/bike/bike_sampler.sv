// SPDX-License-Identifier: Apache-2.0 OR MIT
// The sampler with BIKE's numbers [BIKE, S5.1]: t positions of 2r into A0/A1 or G0/G1, d of r into
// A0 or A1, which must be zero before; or makes A0/A1 or G0/G1 zero. Latency: that of kem_sampler;
// independent of data.
module bike_sampler
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128
) (
    input  logic            clk_i,
    input  logic            clear_i,
    input  logic            start_i,
    input  sample_e         kind_i,
    output logic            done_o,
    input  logic            prf_valid_i,
    output logic            prf_next_o,   // taken
    input  logic [31:0]     prf_word_i,
    output word_read_t      poly_read_o,
    input  logic [WORD-1:0] poly_rdata_i,
    output word_write_t     poly_write_o,
    output logic [WORD-1:0] poly_wdata_o,
    output entry_write_t    list_write_o  // {second half, position in it}
);
  localparam int D = weight_d(LEVEL);
  localparam int T = weight_t(LEVEL);

  logic key;
  slot_e slot;
  assign key = kind_i == S_KEY0 || kind_i == S_KEY1;
  always_comb begin
    unique case (kind_i)
      S_KEY1: slot = SLOT_A1;
      S_ERR_G, S_ERASE_G: slot = SLOT_G0;
      default: slot = SLOT_A0;
    endcase
  end
  kem_sampler #(
      .WORD(WORD),
      .POSITIONS(r_bits(LEVEL))
  ) u_sampler (
      .clk_i,
      .clear_i,
      .start_i,
      .erase_i(kind_i == S_ERASE_A || kind_i == S_ERASE_G),
      .pair_i(!key),
      .slot_i(slot),
      .weight_i(key ? 9'(D) : 9'(T)),
      .list_i(kind_i == S_KEY1 ? 9'(list_base(LEVEL)) : 9'd0),
      .done_o,
      .word_valid_i(prf_valid_i),
      .word_next_o(prf_next_o),
      .word_i(prf_word_i),
      .poly_read_o,
      .poly_rdata_i,
      .poly_write_o,
      .poly_wdata_o,
      .list_write_o
  );
endmodule
