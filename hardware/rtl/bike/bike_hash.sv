// SPDX-License-Identifier: Apache-2.0 OR MIT
// The functions L and K and the word stream PRF [BIKE, S4]: takes the fields of a message as lanes
// of 64 bits, closes the gaps between byte strings whose length is no multiple of 8, and runs
//   Keccak.
//   HASH_L     L(e0, e1), added to c1 or m: the result is the other one
//   HASH_K     K(m or sigma, c0, c1)
//   HASH_SEED  PRF(m): words at prf_word_o from then on, until the next start
// Latency: docs/hardware.md gives the formula; independent of data. sigma_i says which string K
// takes and is secret: it only chooses an address.
module bike_hash
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int ROUNDS = 1,
    localparam int R = r_bits(LEVEL),
    localparam int Words = (R + WORD - 1) / WORD,
    localparam int WordAddrBits = $clog2(Words)
) (
    input  logic                    clk_i,
    input  logic                    clear_i,
    input  logic                    start_i,
    input  hash_e                   kind_i,
    input  str_e                    target_i,
    input  logic                    sigma_i,
    output logic                    done_o,
    output logic                    prf_valid_o,
    input  logic                    prf_next_i,
    output logic [31:0]             prf_word_o,
    output word_read_t              poly_read_o,
    input  logic [WORD-1:0]         poly_rdata_i,
    output lane_read_t              str_read_o,
    input  logic [63:0]             str_rdata_i,
    output lane_write_t             str_write_o
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

  typedef enum logic [2:0] {
    IDLE,
    PRIME,
    ABSORB,
    PERMUTE,
    DIGEST,
    WORDS,
    TURN
  } state_e;
  state_e state_q;
  hash_e kind_q;
  str_e target_q;

  // --- Message: the lane that comes next ---------------------------------------------------------
  logic [1:0] field_q, field_n;
  logic [LaneBits-1:0] lane_q, lane_n;
  logic over_q;  // all lanes of all fields are taken
  logic shifted_q, ended_q;  // ended: the padding's first byte is out
  logic [63:0] carry_q, source, packed_lane;
  logic is_poly, last_of_field, last_field, take, emit, finish;
  logic [4:0] ring_q, rate;  // the lane of the ring that is at lane 0

  assign rate = kind_q == HASH_SEED ? RatePrf : RateHash;
  assign is_poly = kind_q == HASH_L || (kind_q == HASH_K && field_q == 2'd1);
  assign last_of_field = lane_q == (is_poly ? LaneBits'(PolyLanes - 1) : LaneBits'(3));
  assign last_field = field_q == (kind_q == HASH_L ? 2'd1 : kind_q == HASH_K ? 2'd2 : 2'd0);
  logic in_message;
  assign in_message = state_q == ABSORB && ring_q < rate && !ended_q;
  assign take = in_message && !over_q;
  assign field_n = take && last_of_field ? field_q + 2'd1 : field_q;
  assign lane_n = !take ? lane_q : last_of_field ? '0 : lane_q + 1'b1;

  // The polynomial memory answers one cycle later, so it is asked for the next lane.
  slot_e slot_n;
  assign slot_n = kind_q == HASH_L ? (field_n == 2'd1 ? SLOT_A1 : SLOT_A0) : SLOT_C;
  logic asking;
  assign asking = state_q == PRIME || state_q == ABSORB || (state_q == PERMUTE && !ended_q);
  always_comb begin
    poly_read_o = '0;
    if (asking) poly_read_o = '{slot: slot_n, word: 10'(lane_n >> SubBits)};
  end

  str_e message_string;
  always_comb begin
    message_string = STR_M;
    if (kind_q == HASH_K && field_q == 2'd0 && sigma_i) message_string = STR_SIGMA;
    if (kind_q == HASH_K && field_q == 2'd2) message_string = STR_C1;
  end
  always_comb begin
    str_read_o = '0;
    if (state_q == DIGEST) begin
      str_read_o = '{number: target_q == STR_C1 ? 3'(STR_M) : 3'(STR_C1), lane: ring_q[1:0]};
    end else if (take) begin
      str_read_o = '{number: 3'(message_string), lane: lane_q[1:0]};
    end
  end

  logic [63:0] poly_lane;
  if (SubBits == 0) begin : gen_lane
    assign poly_lane = poly_rdata_i;
  end else begin : gen_sub_lane
    assign poly_lane = poly_rdata_i[64*lane_q[SubBits-1:0] +: 64];
  end
  always_comb begin
    source = is_poly ? poly_lane : str_rdata_i;
    if (is_poly && last_of_field) source[63:8*Surplus] = '0;
    if (over_q) source = '0;
  end
  logic [63:0] padding;
  always_comb begin
    padding = '0;
    finish = 1'b0;
    if (over_q) begin
      finish = 1'b1;
      unique case (kind_q)
        HASH_L: padding = 64'h06 << (8 * LEnd);
        HASH_K: padding = 64'h06 << (8 * Surplus);
        default: padding = 64'h1F;
      endcase
    end else if (!LFlush && kind_q == HASH_L && last_field && last_of_field) begin
      finish = 1'b1;
      padding = 64'h06 << (8 * LEnd);
    end
  end
  assign emit = in_message && !(is_poly && last_of_field && !shifted_q && !over_q);
  assign packed_lane = (shifted_q ? carry_q | (source << (8 * Surplus)) : source) | padding;

  // --- Keccak ------------------------------------------------------------------------------------
  logic rotate, permute, busy, half_q, refill_q;
  logic [63:0] lane, absorbed;
  always_comb begin
    absorbed = '0;
    if (emit) absorbed = packed_lane;
    if (state_q == ABSORB && ring_q == rate - 5'd1 && (ended_q || (emit && finish))) begin
      absorbed[63] = !absorbed[63];
    end
  end
  assign rotate = (state_q == ABSORB && (emit || ended_q || ring_q >= rate))
               || state_q == DIGEST || state_q == TURN
               || (state_q == WORDS && prf_next_i && half_q);
  assign permute = (state_q == ABSORB || state_q == TURN) && rotate && ring_q == 5'd24;
  keccak #(
      .ROUNDS(ROUNDS)
  ) u_keccak (
      .clk_i,
      .clear_i(clear_i || (start_i && state_q != ABSORB)),
      .rotate_i(rotate),
      .in_i(absorbed),
      .permute_i(permute),
      .busy_o(busy),
      .lane_o(lane)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= IDLE;
      kind_q <= HASH_L;
      target_q <= STR_M;
      {field_q, lane_q, over_q, shifted_q, ended_q, carry_q, ring_q, half_q, refill_q} <= '0;
    end else begin
      if (rotate) ring_q <= ring_q == 5'd24 ? '0 : ring_q + 5'd1;
      unique case (state_q)
        IDLE, WORDS: begin
          if (state_q == WORDS && prf_next_i) begin
            half_q <= !half_q;
            if (half_q && ring_q == RatePrf - 5'd1) state_q <= TURN;
          end
          if (start_i) begin
            state_q <= PRIME;
            kind_q <= kind_i;
            target_q <= target_i;
            {field_q, lane_q, over_q, shifted_q, ended_q, carry_q, ring_q, half_q, refill_q} <= '0;
          end
        end
        PRIME: state_q <= ABSORB;
        ABSORB: begin
          field_q <= field_n;
          lane_q <= lane_n;
          if (take && last_of_field && last_field) over_q <= 1'b1;
          if (take && is_poly && last_of_field) shifted_q <= 1'b1;
          if (take) begin
            carry_q <= is_poly && last_of_field && !shifted_q ? source
                                                             : source >> (64 - 8 * Surplus);
          end
          if (emit && finish) ended_q <= 1'b1;
          if (permute) state_q <= PERMUTE;
        end
        PERMUTE: if (!busy) begin
          state_q <= !ended_q ? ABSORB : kind_q == HASH_SEED ? WORDS : DIGEST;
        end
        DIGEST: if (ring_q == 5'd3) begin
          state_q <= IDLE;
          carry_q <= '0;
        end
        TURN: begin
          refill_q <= 1'b1;
          if (permute) state_q <= PERMUTE;
        end
        default: state_q <= IDLE;
      endcase
    end
  end

  assign done_o = (state_q == DIGEST && ring_q == 5'd3)
               || (state_q == PERMUTE && !busy && ended_q && kind_q == HASH_SEED && !refill_q);
  assign prf_valid_o = state_q == WORDS;
  assign prf_word_o = half_q ? lane[63:32] : lane[31:0];
  always_comb begin
    str_write_o = '0;
    if (state_q == DIGEST) begin
      str_write_o = '{
          valid: 1'b1,
          number: 3'(target_q),
          lane: ring_q[1:0],
          data: lane ^ (kind_q == HASH_L ? str_rdata_i : 64'd0)
      };
    end
  end
endmodule
