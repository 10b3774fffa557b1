// SPDX-License-Identifier: Apache-2.0 OR MIT
// Draws positions by the biased sampler of v5.1 [BIKE, S5.1] and sets them in the dense halves,
// which also show whether a position was drawn before. Constant number of cycles: 8 for each
// position, plus what the hash unit takes for its next block; memory addresses may depend on
// secrets, the time of a block RAM does not.
module bike_sampler
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    localparam int R = r_bits(LEVEL),
    localparam int IndexBits = $clog2(R),
    localparam int Words = (R + WORD - 1) / WORD,
    localparam int WordAddrBits = $clog2(Words),
    localparam int KeyBits = $clog2(weight_d(LEVEL)),
    localparam int AddrBits = $clog2(weight_t(LEVEL)) > KeyBits + 1 ? $clog2(weight_t(LEVEL))
                                                                   : KeyBits + 1
) (
    input  logic                    clk_i,
    input  logic                    clear_i,
    input  logic                    start_i,
    input  sample_e                 kind_i,
    output logic                    done_o,
    input  logic                    prf_valid_i,
    output logic                    prf_next_o,  // taken
    input  logic [31:0]             prf_word_i,
    output slot_e                   poly_rslot_o,
    output logic [WordAddrBits-1:0] poly_raddr_o,
    input  logic [WORD-1:0]         poly_rdata_i,
    output logic                    poly_we_o,
    output slot_e                   poly_wslot_o,
    output logic [WordAddrBits-1:0] poly_waddr_o,
    output logic [WORD-1:0]         poly_wdata_o,
    output logic                    list_we_o,
    output logic [AddrBits-1:0]     list_waddr_o,
    output logic [IndexBits:0]      list_wdata_o  // {second half, position in it}
);
  localparam int D = weight_d(LEVEL);
  localparam int T = weight_t(LEVEL);
  localparam int BitBits = $clog2(WORD);
  localparam int LengthBits = $clog2(2 * R + 1);

  typedef enum logic [3:0] {
    IDLE,
    CLEAR,
    DRAW,
    SCALE,
    PLACE,
    SPLIT,
    LOOK,
    TEST,
    AGAIN,
    SET
  } state_e;
  state_e state_q;
  sample_e kind_q;
  logic error, half_q;  // which half is cleared, or holds the position
  logic [WordAddrBits-1:0] word_q;
  logic [AddrBits-1:0] index_q;
  logic [LengthBits-1:0] length_q, position_q;  // length: len - i
  logic [31:0] word32_q;
  logic [32+LengthBits-1:0] product_q;
  logic [IndexBits-1:0] place_q;

  assign error = kind_q == S_ERR_A || kind_q == S_ERR_G;
  slot_e slot;
  always_comb begin
    unique case (kind_q)
      S_ERR_A: slot = half_q ? SLOT_A1 : SLOT_A0;
      S_ERR_G: slot = half_q ? SLOT_G1 : SLOT_G0;
      S_KEY0: slot = SLOT_A0;
      default: slot = SLOT_A1;
    endcase
  end
  logic found, last_clear;
  assign found = poly_rdata_i[place_q[BitBits-1:0]];
  assign last_clear = word_q == WordAddrBits'(Words - 1) && (half_q || !error);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= IDLE;
      kind_q <= S_ERR_A;
      {half_q, word_q, index_q, length_q, position_q, word32_q, product_q, place_q} <= '0;
    end else begin
      unique case (state_q)
        IDLE:
        if (start_i) begin
          state_q <= CLEAR;
          kind_q <= kind_i;
          {half_q, word_q} <= '0;
          if (kind_i == S_ERR_A || kind_i == S_ERR_G) begin
            index_q <= AddrBits'(T - 1);
            length_q <= LengthBits'(2 * R - T + 1);
          end else begin
            index_q <= AddrBits'(D - 1);
            length_q <= LengthBits'(R - D + 1);
          end
        end
        CLEAR: begin
          word_q <= word_q == WordAddrBits'(Words - 1) ? '0 : word_q + 1'b1;
          if (word_q == WordAddrBits'(Words - 1)) half_q <= 1'b1;
          if (last_clear) state_q <= DRAW;
        end
        DRAW: begin
          word32_q <= prf_word_i;
          if (prf_valid_i) state_q <= SCALE;
        end
        SCALE: begin
          product_q <= (32+LengthBits)'(word32_q) * (32+LengthBits)'(length_q);
          state_q <= PLACE;
        end
        PLACE: begin
          position_q <= product_q[32 +: LengthBits] + LengthBits'(index_q);
          state_q <= SPLIT;
        end
        SPLIT: begin
          half_q <= position_q >= LengthBits'(R);
          place_q <= IndexBits'(position_q >= LengthBits'(R) ? position_q - LengthBits'(R)
                                                             : position_q);
          state_q <= LOOK;
        end
        LOOK: state_q <= TEST;
        TEST: begin
          if (found) begin
            half_q <= 1'b0;
            place_q <= IndexBits'(index_q);
          end
          state_q <= AGAIN;
        end
        AGAIN: state_q <= SET;
        SET: begin
          index_q <= index_q - 1'b1;
          length_q <= length_q + 1'b1;
          state_q <= index_q == 0 ? IDLE : DRAW;
          if (index_q == 0) {word32_q, product_q, position_q, place_q} <= '0;
        end
        default: state_q <= IDLE;
      endcase
    end
  end

  assign done_o = state_q == SET && index_q == 0;
  assign prf_next_o = state_q == DRAW && prf_valid_i;
  logic set;
  assign set = state_q == SET;
  assign poly_rslot_o = state_q == LOOK || state_q == AGAIN ? slot : slot_e'(0);
  assign poly_raddr_o = state_q == LOOK || state_q == AGAIN
                      ? place_q[IndexBits-1:BitBits] : '0;
  assign poly_we_o = set || state_q == CLEAR;
  assign poly_wslot_o = poly_we_o ? slot : slot_e'(0);
  assign poly_waddr_o = set ? place_q[IndexBits-1:BitBits] : state_q == CLEAR ? word_q : '0;
  assign poly_wdata_o = set ? poly_rdata_i | (WORD'(1) << place_q[BitBits-1:0]) : '0;
  assign list_we_o = set;
  assign list_waddr_o = set ? index_q | (kind_q == S_KEY1 ? AddrBits'(1 << KeyBits) : '0) : '0;
  assign list_wdata_o = set ? {half_q, place_q} : '0;

`ifdef FORMAL
  // While memory is cleared, half_q counts; then it is part of a secret position.
  logic half_cleared;
  assign half_cleared = state_q == CLEAR && half_q;
`endif
endmodule
