// SPDX-License-Identifier: Apache-2.0 OR MIT
// The hash functions of HQC [HQC, S3]: hands the fields of a message to the sponge as lanes of 64
// bits, and stores the digest or gives the stream. Every message ends with a lane that has the
// byte of the domain and the first of the padding.
//   HASH_SEEDS  XOF(seed_kem): seed_pke, sigma     of STR_M: STR_K, STR_SIGMA
//   HASH_I      I(seed_pke): seed_dk, seed_ek      of STR_K: STR_SEED_DK, STR_SEED_EK
//   HASH_H      H(ek)                              of STR_SEED_EK, SLOT_S: STR_H_EK
//   HASH_G      G(H(ek), m, salt): K, theta        of STR_H_EK, STR_M, STR_SALT: STR_K, STR_THETA
//   HASH_J      J(H(ek), sigma, u, v, salt)        of STR_H_EK, STR_SIGMA, SLOT_U, SLOT_V,
//                                                  STR_SALT: STR_REJECTED
//   HASH_XOF    XOF(seed), a stream                of string_i
// s and u have all their bytes hashed, with the bits that pad the last one; only they have a number
// of bytes that is no multiple of 8, so what comes behind them is shifted by the bytes of their
// last lane. What the memory has above these bytes does not matter.
// A stream is given as words of 32 bits or lanes of 64, until the next start; each of its readers
// goes on where the one before it ended, but lanes only follow an even number of words.
// Latency, from start_i to done_o: sim/hqc_sampling.py gives the formula, independent of data.
module hqc_hash
  import kem_pkg::*;
  import hqc_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int ROUNDS = 1,
    parameter bit BUFFERED = 1'b0,
    parameter bit SPONGE = 1'b1     // 0: it is outside
) (
    input  logic            clk_i,
    input  logic            clear_i,
    input  logic            start_i,
    input  hash_e           kind_i,
    input  str_e            string_i,     // the seed of a stream
    output logic            done_o,       // the digest is stored; or the stream has begun
    output logic            xof_valid_o,
    input  logic            word_next_i,  // the word is taken; only with xof_valid_o, as the next
    output logic [31:0]     word_o,
    input  logic            lane_next_i,  // the lane is taken
    output logic [63:0]     lane_o,
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
  localparam int PolyBytes = u_bytes(LEVEL);
  localparam int PolyLanes = (PolyBytes + 7) / 8;
  localparam int CodeLanes = v_bytes(LEVEL) / 8;
  localparam int MessageLanes = message_bytes(LEVEL) / 8;
  localparam int Surplus = 8 * (PolyBytes % 8);  // bits in the last lane of s or u
  localparam int LaneBits = $clog2(PolyLanes);
  localparam int SubBits = $clog2(WORD / 64);
  localparam logic [4:0] RateLong = 5'd17;  // lanes: SHAKE256, SHA3-256
  localparam logic [4:0] RateShort = 5'd9;  // SHA3-512
  initial
    assert (Surplus > 0 && Surplus <= 48)
    else $fatal(1, "hqc_hash: the last lane of s and u must have room for two bytes");

  typedef enum logic [1:0] {
    IDLE,
    ABSORB,
    GIVE
  } state_e;
  typedef enum logic [2:0] {
    HEAD,     // a string of 32 bytes: every message begins with one
    MESSAGE,  // m or sigma
    RING,     // s or u
    CODE,     // v
    SALT,
    SUFFIX    // domain and padding
  } part_e;
  state_e state_q;
  hash_e kind_q;
  typedef struct packed {
    part_e               part;
    logic [LaneBits-1:0] lane;
  } place_t;

  // --- Fields: the lane that is here, and the one after it, which is asked for -------------------
  // Whether the sponge takes the lane is known late in a cycle: it does not change the address.
  place_t place_q, next_q, after_next;
  logic [LaneBits-1:0] last_number;  // of the part of next_q
  part_e part_after;
  logic here_q, move, tail, is_poly;
  always_comb begin
    unique case (next_q.part)
      HEAD: part_after = kind_q == HASH_H ? RING
                        : kind_q == HASH_G || kind_q == HASH_J ? MESSAGE : SUFFIX;
      MESSAGE: part_after = kind_q == HASH_G ? SALT : RING;
      RING: part_after = kind_q == HASH_H ? SUFFIX : CODE;
      CODE: part_after = SALT;
      default: part_after = SUFFIX;
    endcase
    unique case (next_q.part)
      HEAD: last_number = LaneBits'(3);
      MESSAGE: last_number = LaneBits'(MessageLanes - 1);
      RING: last_number = LaneBits'(PolyLanes - 1);
      CODE: last_number = LaneBits'(CodeLanes - 1);
      SALT: last_number = LaneBits'(1);
      default: last_number = '0;
    endcase
    after_next = '{part: next_q.part, lane: next_q.lane + 1'b1};
    if (next_q.lane == last_number) after_next = '{part: part_after, lane: '0};
  end
  function automatic word_read_t request(place_t place, hash_e kind);
    request = '0;
    if (place.part == RING) request.slot = kind == HASH_H ? SLOT_S : SLOT_U;
    if (place.part == CODE) request.slot = SLOT_V;
    if (place.part == RING || place.part == CODE) request.word = 10'(place.lane >> SubBits);
  endfunction
  assign is_poly = place_q.part == RING || place_q.part == CODE;
  assign poly_hold_o = here_q && is_poly && !move;
  assign str_hold_o = here_q && !is_poly && !move;
  assign poly_read_o = request(next_q, kind_q) & {13{state_q == ABSORB}};

  // --- Message: lanes, shifted by what the last lane of s or u left over -------------------------
  logic shifted_q, absorb_ready;
  logic [Surplus-1:0] carry_q;
  logic [63:0] poly_lane, lane;
  logic [15:0] suffix;
  if (SubBits == 0) begin : gen_lane
    assign poly_lane = poly_rdata_i;
  end else begin : gen_sub_lane
    assign poly_lane = poly_rdata_i[64*place_q.lane[SubBits-1:0] +: 64];
  end
  always_comb begin
    unique case (kind_q)
      HASH_G: suffix = 16'h0600;
      HASH_H: suffix = 16'h0601;
      HASH_I: suffix = 16'h0602;
      HASH_J: suffix = 16'h0603;
      default: suffix = 16'h1F01;
    endcase
    lane = is_poly ? poly_lane : place_q.part == SUFFIX ? 64'(suffix) : str_rdata_i;
  end
  assign tail = place_q.part == RING && next_q.part != RING;  // is not absorbed by itself
  assign move = here_q && (absorb_ready || tail);

  // --- Sponge ------------------------------------------------------------------------------------
  logic squeezed, squeeze_next;
  logic [63:0] squeezed_lane;
  to_sponge_t message;
  from_sponge_t answer;
  assign message = '{
          rate: kind_i == HASH_I || kind_i == HASH_G ? RateShort : RateLong,
          valid: here_q && !tail,
          last: place_q.part == SUFFIX,
          lane: shifted_q ? {lane[63-Surplus:0], carry_q} : lane,
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

  // --- What comes out ----------------------------------------------------------------------------
  logic gives_digest_q, gives_stream_q;  // GIVE
  logic half_q, began_q;  // of the stream: a word of the lane is taken; done_o was given
  logic [2:0] count_q, last_count;  // lanes of the digest
  logic write, last_write;
  always_comb begin
    unique case (kind_q)
      HASH_SEEDS: last_count = 3'(3 + MessageLanes);
      HASH_I, HASH_G: last_count = 3'd7;
      default: last_count = 3'd3;
    endcase
  end
  assign write = gives_digest_q && squeezed;
  assign last_write = write && count_q == last_count;
  assign squeeze_next = write || lane_next_i || (word_next_i && half_q);
  assign xof_valid_o = gives_stream_q && squeezed;
  assign lane_o = squeezed_lane;
  assign word_o = half_q ? squeezed_lane[63:32] : squeezed_lane[31:0];
  assign done_o = last_write || (xof_valid_o && !began_q);

  always_ff @(posedge clk_i) begin
    if (clear_i || start_i) begin
      state_q <= start_i && !clear_i ? ABSORB : IDLE;
      kind_q  <= clear_i ? HASH_SEEDS : kind_i;
      {gives_digest_q, gives_stream_q} <= '0;
      place_q <= '{part: HEAD, lane: '0};
      next_q <= '{part: HEAD, lane: LaneBits'(1)};
      here_q  <= start_i && !clear_i;
      {shifted_q, carry_q, half_q, began_q, count_q} <= '0;
    end else begin
      if (state_q == ABSORB) begin
        if (move) begin
          place_q <= next_q;
          next_q <= after_next;
          carry_q <= tail ? lane[Surplus-1:0] : lane[63-:Surplus];
          if (tail) shifted_q <= 1'b1;
          if (place_q.part == SUFFIX) begin
            here_q <= 1'b0;
            state_q <= GIVE;
            gives_digest_q <= kind_q != HASH_XOF;
            gives_stream_q <= kind_q == HASH_XOF;
          end
        end
      end
      if (write) count_q <= count_q + 1'b1;
      if (last_write) begin
        state_q <= IDLE;
        gives_digest_q <= 1'b0;
      end
      if (xof_valid_o) began_q <= 1'b1;
      if (word_next_i) half_q <= !half_q;
    end
  end

  // --- Strings: those of the message, and the digest ---------------------------------------------
  str_e first_string, second_string, head_q;
  function automatic str_e head_of(hash_e kind, str_e seed);
    unique case (kind)
      HASH_SEEDS: return STR_M;
      HASH_I: return STR_K;
      HASH_H: return STR_SEED_EK;
      HASH_XOF: return seed;
      default: return STR_H_EK;
    endcase
  endfunction
  always_ff @(posedge clk_i) begin
    if (clear_i) head_q <= STR_SEED_EK;
    else if (start_i) head_q <= head_of(kind_i, string_i);
  end
  always_comb begin
    str_read_o = '0;
    if (start_i) begin
      str_read_o.number = head_of(kind_i, string_i);
    end else if (state_q == ABSORB) begin
      unique case (next_q.part)
        HEAD: str_read_o = '{number: head_q, lane: next_q.lane[1:0]};
        MESSAGE: begin
          str_read_o = '{number: kind_q == HASH_G ? STR_M : STR_SIGMA, lane: next_q.lane[1:0]};
        end
        SALT: str_read_o = '{number: STR_SALT, lane: next_q.lane[1:0]};
        default: ;
      endcase
    end
    unique case (kind_q)
      HASH_SEEDS: {first_string, second_string} = {STR_K, STR_SIGMA};
      HASH_I: {first_string, second_string} = {STR_SEED_DK, STR_SEED_EK};
      HASH_G: {first_string, second_string} = {STR_K, STR_THETA};
      HASH_H: {first_string, second_string} = {STR_H_EK, STR_H_EK};
      default: {first_string, second_string} = {STR_REJECTED, STR_REJECTED};
    endcase
    str_write_o = '0;
    if (write) begin
      str_write_o.valid = 1'b1;
      str_write_o.number = count_q[2] ? second_string : first_string;
      str_write_o.lane = count_q[1:0];
      str_write_o.data = squeezed_lane;
    end
  end

`ifdef FORMAL
  logic [LaneBits-1:0] last_of_part;
  always_comb begin
    unique case (place_q.part)
      HEAD: last_of_part = LaneBits'(3);
      MESSAGE: last_of_part = LaneBits'(MessageLanes - 1);
      RING: last_of_part = LaneBits'(PolyLanes - 1);
      CODE: last_of_part = LaneBits'(CodeLanes - 1);
      SALT: last_of_part = LaneBits'(1);
      default: last_of_part = '0;
    endcase
    known_state : assert (state_q inside {IDLE, ABSORB, GIVE});
    known_field : assert (place_q.part <= SUFFIX && next_q.part <= SUFFIX);
    absorbs : assert (!here_q || state_q == ABSORB);
    gives :
    assert ({gives_digest_q, gives_stream_q}
                    == (state_q != GIVE ? 2'b00 : kind_q == HASH_XOF ? 2'b01 : 2'b10));
    lane_in_range : assert (place_q.lane <= last_of_part && next_q.lane <= last_number);
    if (state_q == ABSORB)
      in_order :
      assert (place_q.lane == last_of_part
              ? (place_q.part == SUFFIX) == (next_q.part == place_q.part) && next_q.lane == '0
              : next_q.part == place_q.part && next_q.lane == place_q.lane + 1'b1);
    if (!start_i && (state_q != ABSORB || next_q.part inside {RING, CODE, SUFFIX}))
      no_string : assert (str_read_o == '0);
    poly_in_bounds : assert (32'(poly_read_o.word) < (PolyLanes + 2 ** SubBits - 1) / 2 ** SubBits);
    one_task : assert (start_i || !str_write_o.valid || str_read_o == '0);
  end
`endif
endmodule
