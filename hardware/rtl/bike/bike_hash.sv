// SPDX-License-Identifier: Apache-2.0 OR MIT
// The functions L and K and the word stream PRF [BIKE, S4]: hands the fields of a message to the
// sponge as lanes of 64 bits, closes the gaps between byte strings whose length is no multiple of
// 8, and stores the digest.
//   HASH_L     L(e0, e1), added to c1 or m: the result is the other one
//   HASH_K     K(m or sigma, c0, c1)
//   HASH_SEED  PRF(m): words at prf_word_o from then on, until the next start
// A lane is ready in every cycle. It reads polynomials for L and K only, and nothing but the slots
// of their messages.
// Latency: docs/hardware.md gives the formula; independent of data. sigma_i says which string K
// takes and is secret: it only chooses an address.
module bike_hash
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int ROUNDS = 1,
    parameter bit BUFFERED = 1'b0,
    parameter bit SPONGE = 1'b1,    // 0: it is outside
    localparam int R = r_bits(LEVEL)
) (
    input  logic            clk_i,
    input  logic            clear_i,
    input  logic            start_i,
    input  hash_e           kind_i,
    input  str_e            target_i,
    input  logic            sigma_i,
    output logic            done_o,
    output logic            prf_valid_o,
    input  logic            prf_next_i,   // the word is taken; only with prf_valid_o
    output logic [31:0]     prf_word_o,
    output word_read_t      poly_read_o,
    output logic            poly_hold_o,  // the memory keeps the word that it gives
    input  logic [WORD-1:0] poly_rdata_i,
    output lane_read_t      str_read_o,
    output logic            str_hold_o,
    input  logic [63:0]     str_rdata_i,
    output lane_write_t     str_write_o,
    // Constant in a core of one scheme.
    // verilator coverage_off
    output to_sponge_t      to_sponge_o,   // with SPONGE = 0; else zero
    input  from_sponge_t    from_sponge_i
    // verilator coverage_on
);
  localparam int PolyBytes = (R + 7) / 8;
  localparam int PolyLanes = (PolyBytes + 7) / 8;
  localparam int Surplus = PolyBytes % 8;  // bytes in the last lane of a polynomial
  localparam int LaneBits = $clog2(PolyLanes);
  localparam int SubBits = $clog2(WORD / 64);
  localparam bit LFlush = 2 * Surplus >= 8;  // L ends with a lane of its own
  localparam int LEnd = (2 * Surplus) % 8;  // bytes in the last lane of L
  localparam logic [4:0] RateHash = 5'd13;  // lanes: SHA3-384
  localparam logic [4:0] RatePrf = 5'd17;  // SHAKE256
  initial
    assert (Surplus > 0)
    else $fatal(1, "bike_hash: needs a surplus of bytes");

  typedef enum logic [1:0] {
    IDLE,
    ABSORB,
    DIGEST,
    WORDS
  } state_e;
  state_e state_q;
  hash_e kind_q;
  str_e target_q;
  str_e string_q, string_n;  // that is read: of the message, or to be added to the digest of L

  // --- Fields: the lane that is here, and the one after it, which is asked for -------------------
  // Whether a lane is taken is known late in a cycle: it does not change the address.
  logic [1:0] field_q, asked_field_q;
  logic [LaneBits-1:0] lane_q, asked_q;
  logic last_of_field_q;  // of lane_q
  logic here_q;  // the lane of field_q and lane_q has come from the memory
  logic over_q;  // all lanes of all fields are taken
  logic go, move, hold, is_poly, asks_poly, asks_last, ends;
  logic [63:0] lane;

  assign is_poly = kind_q == HASH_L || (kind_q == HASH_K && field_q == 2'd1);
  assign asks_poly = kind_q == HASH_L || (kind_q == HASH_K && asked_field_q == 2'd1);
  assign asks_last = asked_q == (asks_poly ? LaneBits'(PolyLanes - 1) : LaneBits'(3));
  assign ends = last_of_field_q  // of the message
              && field_q == (kind_q == HASH_L ? 2'd1 : kind_q == HASH_K ? 2'd2 : 2'd0);
  assign move = here_q && go;
  assign hold = state_q == ABSORB && here_q && !move;
  assign poly_hold_o = hold && is_poly;
  assign str_hold_o = hold && !is_poly;
  assign string_n = kind_q == HASH_K && is_poly ? STR_C1 : string_q;  // for what follows

  logic asking;  // K asks during its strings, too
  assign asking = state_q == ABSORB && !over_q && (kind_q == HASH_L || kind_q == HASH_K);
  always_comb begin
    poly_read_o = '0;
    if (asking) begin
      poly_read_o.slot = kind_q == HASH_K ? SLOT_C : asked_field_q[0] ? SLOT_A1 : SLOT_A0;
      poly_read_o.word = 10'(asked_q >> SubBits);
    end
  end
  // The word of the memory comes late in a cycle: sums of what is taken, instead of choices.
  logic [WORD/64-1:0] take_poly;  // which lane of it
  logic take_string;
  logic [63:0] valid_bits;  // bits of a polynomial
  assign take_string = here_q && !is_poly;
  assign valid_bits = last_of_field_q ? {64{1'b1}} >> (64 - 8 * Surplus) : '1;
  always_comb begin
    lane = str_rdata_i & {64{take_string}};
    for (int i = 0; i < WORD / 64; i++) begin
      take_poly[i] = here_q && is_poly && 32'(lane_q) % (WORD / 64) == i;
      lane |= poly_rdata_i[64*i +: 64] & valid_bits & {64{take_poly[i]}};
    end
  end

  // --- Message: the lane in a register, and what the one before left over ------------------------
  logic valid_q, tail_q, final_q;  // tail: the last lane of a polynomial; final: with the padding
  logic shifted_q;  // lanes come behind a polynomial, shifted to its end
  logic [63:0] source_q, padding;
  logic [8*Surplus-1:0] carry_q;
  logic silent, taken, absorb_ready;
  logic [63:0] absorb_lane;

  assign silent = tail_q && !shifted_q && !final_q;
  assign taken = valid_q && (absorb_ready || silent);
  assign go = !valid_q || taken;
  always_comb begin
    unique case (kind_q)
      HASH_L: padding = 64'h06 << (8 * LEnd);
      HASH_K: padding = 64'h06 << (8 * Surplus);
      default: padding = 64'h1F;
    endcase
    absorb_lane = shifted_q ? {source_q[63-8*Surplus:0], carry_q} : source_q;
    if (final_q) absorb_lane |= padding;
  end

  // --- Sponge ------------------------------------------------------------------------------------
  logic half_q, squeezed, squeeze_next, digest_end;
  logic [63:0] squeezed_lane;
  assign squeeze_next = state_q == DIGEST || (state_q == WORDS && prf_next_i && half_q);
  to_sponge_t message;
  from_sponge_t answer;
  assign message = '{
          rate: kind_i == HASH_SEED ? RatePrf : RateHash,
          valid: valid_q && !silent,
          last: final_q,
          lane: absorb_lane,
          next: squeeze_next
      };
  assign {absorb_ready, squeezed, squeezed_lane} = answer;
  if (SPONGE) begin : gen_sponge
    assign to_sponge_o = '0;
    keccak_sponge #(
        .ROUNDS  (ROUNDS),
        .BUFFERED(BUFFERED)
    ) u_sponge (
        .clk_i,
        .clear_i,
        .start_i,
        .rate_i(message.rate),
        .in_valid_i(message.valid),
        .in_ready_o(answer.ready),
        .in_lane_i(message.lane),
        .in_last_i(message.last),
        .out_valid_o(answer.valid),
        .out_next_i(message.next),
        .out_lane_o(answer.lane)
    );
  end else begin : gen_no_sponge
    assign to_sponge_o = message;
    assign answer = from_sponge_i;
  end

  assign digest_end = state_q == DIGEST && lane_q[1:0] == 2'd3;
  always_ff @(posedge clk_i) begin
    if (clear_i || start_i) begin
      state_q <= start_i && !clear_i ? ABSORB : IDLE;
      kind_q <= clear_i ? HASH_L : kind_i;
      target_q <= clear_i ? STR_M : target_i;
      string_q <= STR_M;
      if (!clear_i && kind_i == HASH_K && sigma_i) string_q <= STR_SIGMA;
      if (!clear_i && kind_i == HASH_L && target_i != STR_C1) string_q <= STR_C1;
      {field_q, lane_q, last_of_field_q, asked_field_q, asked_q} <= '0;
      {here_q, over_q, half_q} <= '0;
      {valid_q, tail_q, final_q, shifted_q, source_q, carry_q} <= '0;
    end else begin
      unique case (state_q)
        ABSORB: begin
          here_q <= !over_q && !(move && ends);
          if (move) {field_q, lane_q, last_of_field_q} <= {asked_field_q, asked_q, asks_last};
          if ((move && !ends) || (!here_q && !over_q)) begin
            asked_field_q <= asks_last ? asked_field_q + 2'd1 : asked_field_q;
            asked_q <= asks_last ? '0 : asked_q + 1'b1;
          end
          string_q <= string_n;
          if (move && ends) over_q <= 1'b1;
          if (go) begin
            valid_q  <= here_q || (over_q && !final_q);
            source_q <= lane;
            tail_q   <= here_q && is_poly && last_of_field_q;
            if (over_q) final_q <= 1'b1;
            if (!LFlush && kind_q == HASH_L && here_q && ends) final_q <= 1'b1;
          end
          if (taken) begin
            carry_q <= silent ? source_q[8*Surplus-1:0] : source_q[63:64-8*Surplus];
            if (silent) shifted_q <= 1'b1;
          end
          if (squeezed) state_q <= kind_q == HASH_SEED ? WORDS : DIGEST;
        end
        DIGEST: begin
          lane_q <= lane_q + 1'b1;
          if (digest_end) state_q <= IDLE;
        end
        WORDS: if (prf_next_i) half_q <= !half_q;
        default: ;
      endcase
    end
  end

  assign done_o = digest_end
               || (state_q == ABSORB && squeezed && kind_q == HASH_SEED);
  assign prf_valid_o = state_q == WORDS && squeezed;
  assign prf_word_o = half_q ? squeezed_lane[63:32] : squeezed_lane[31:0];

  // --- Strings: those of the message, and what the digest is added to ----------------------------
  always_comb begin
    str_read_o = '0;
    if (state_q inside {ABSORB, DIGEST}) begin
      str_read_o.number = 3'(string_n);
      str_read_o.lane = state_q == DIGEST ? lane_q[1:0] + 1'b1 : asked_q[1:0];
    end
    str_write_o = '0;
    if (state_q == DIGEST) begin
      str_write_o.valid = 1'b1;
      str_write_o.number = 3'(target_q);
      str_write_o.lane = lane_q[1:0];
      str_write_o.data = squeezed_lane ^ (kind_q == HASH_L ? str_rdata_i : '0);
    end
  end
endmodule
