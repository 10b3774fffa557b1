// SPDX-License-Identifier: Apache-2.0 OR MIT
// Pieces of a KEM that a program may use by themselves: the permutation of Keccak, and products of
// polynomials. Each is there or not; one that is not does nothing, and gives zeros.
module soc_pieces #(
    parameter bit KECCAK = 1'b0,
    parameter bit PRODUCT = 1'b0,
    localparam int Words = 1024  // of 64 bits, of the multiplier's factors
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   keccak_push_i,
    input  logic [           31:0] keccak_data_i,
    input  logic                   keccak_pop_i,
    input  logic                   keccak_start_i,
    output logic                   keccak_busy_o,
    output logic [           31:0] keccak_data_o,
    input  logic [$clog2(Words):0] product_words_i,
    input  logic                   product_push_i,
    input  logic [           31:0] product_data_i,
    input  logic                   product_pop_i,
    input  logic                   product_start_i,
    input  logic                   product_wipe_i,
    output logic                   product_busy_o,
    output logic [           31:0] product_data_o
);
  if (KECCAK) begin : gen_keccak
    soc_keccak u_keccak (
        .clk_i,
        .rst_ni,
        .push_i(keccak_push_i),
        .data_i(keccak_data_i),
        .pop_i(keccak_pop_i),
        .start_i(keccak_start_i),
        .busy_o(keccak_busy_o),
        .data_o(keccak_data_o)
    );
  end else begin : gen_no_keccak
    assign {keccak_busy_o, keccak_data_o} = '0;
  end
  if (PRODUCT) begin : gen_product
    soc_product #(
        .WORDS(Words)
    ) u_product (
        .clk_i,
        .rst_ni,
        .words_i(product_words_i),
        .push_i(product_push_i),
        .data_i(product_data_i),
        .pop_i(product_pop_i),
        .start_i(product_start_i),
        .wipe_i(product_wipe_i),
        .busy_o(product_busy_o),
        .data_o(product_data_o)
    );
  end else begin : gen_no_product
    assign {product_busy_o, product_data_o} = '0;
  end
endmodule
