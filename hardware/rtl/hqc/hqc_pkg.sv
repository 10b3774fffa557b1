// SPDX-License-Identifier: Apache-2.0 OR MIT
// Parameter sets of HQC, version of 2025-08-22 [HQC, S2], presets of the core, and the codes that
// its units share. Everything is a function of LEVEL or PRESET, so that one source serves all of
// them.
package hqc_pkg;
  import kem_pkg::*;

  // --- Parameter sets; level is 1, 3 or 5 -------------------------------------------------------
  // levels: made by parameters/generate.py
  function automatic int n_bits(int level);
    return level == 1 ? 17669 : level == 3 ? 35851 : 57637;
  endfunction
  function automatic int n1_symbols(int level);  // of a Reed-Solomon codeword
    return level == 1 ? 46 : level == 3 ? 56 : 90;
  endfunction
  function automatic int rm_copies(int level);  // of a Reed-Muller word of 128 bits
    return level == 1 ? 3 : 5;
  endfunction
  function automatic int message_bytes(int level);  // k; of sigma, too
    return level == 1 ? 16 : level == 3 ? 24 : 32;
  endfunction
  // levels: end
  function automatic int rs_delta(int level);  // symbols that Reed-Solomon corrects
    return (n1_symbols(level) - message_bytes(level)) / 2;
  endfunction
  // weights: made by parameters/generate.py
  function automatic int weight_key(int level);  // of x and of y
    return level == 1 ? 66 : level == 3 ? 100 : 131;
  endfunction
  function automatic int weight_error(int level);  // of r1, of r2 and of e
    return level == 1 ? 75 : level == 3 ? 114 : 149;
  endfunction
  // weights: end
  // SampleReject: candidates from this on are rejected, and the factor of Barrett's reduction.
  function automatic int reject_from(int level);  // n * floor(2^24 / n)
    return n_bits(level) * (2 ** 24 / n_bits(level));
  endfunction
  // barrett: made by parameters/generate.py
  function automatic int barrett_factor(int level);  // floor(2^32 / n)
    return level == 1 ? 243079 : level == 3 ? 119800 : 74517;
  endfunction
  // barrett: end

  // --- Presets ----------------------------------------------------------------------------------
  localparam int PRESET_LIGHT = 0;
  localparam int PRESET_MID = 1;
  localparam int PRESET_FAST = 2;

  function automatic int preset_word(int preset);  // bits of a word of a polynomial: 64 or 128
    return preset == PRESET_LIGHT ? 64 : 128;
  endfunction
  function automatic int preset_stride(int preset);  // bits between two rows of a lane
    return 64;
  endfunction
  function automatic int preset_lanes(int preset);  // positions in each cycle
    return preset == PRESET_LIGHT ? 2 : preset == PRESET_MID ? 4 : 8;
  endfunction
  function automatic int preset_rm_values(int preset);  // of the Hadamard transform, in each cycle
    return preset == PRESET_LIGHT ? 2 : preset == PRESET_MID ? 4 : 8;
  endfunction
  function automatic int preset_bm_cells(int preset);  // of Berlekamp and Massey's algorithm
    return preset == PRESET_LIGHT ? 1 : preset == PRESET_MID ? 2 : 4;
  endfunction
  function automatic int preset_keccak_rounds(int preset);  // rounds in each cycle
    return 1;
  endfunction
  function automatic bit preset_keccak_buffered(int preset);  // 17 lanes beside the state
    return preset == PRESET_FAST;
  endfunction
  function automatic bit preset_overlap(int preset);  // units side by side (hqc_program)
    return preset == PRESET_FAST;
  endfunction

  // --- Builds: which operations the core has ----------------------------------------------------
  localparam int BUILD_FULL = 0;
  localparam int BUILD_CLIENT = 1;  // KeyGen and Decaps
  localparam int BUILD_SERVER = 2;  // Encaps

  // --- Slots of the polynomial memory, each of words_of() words ----------------------------------
  // A: x, which becomes s (KeyGen), or r1, which becomes u (Encaps) or is compared with u (Decaps,
  //    where r2 has been drawn there before).
  // B: y while it is drawn (KeyGen, Decaps); e, which becomes v (Encaps) or is compared with v.
  // S: s as received. U, V: the ciphertext as received, with u's padding bits (Decaps); U in
  //    Encaps: r2 while it is drawn.
  typedef enum logic [2:0] {
    SLOT_A = 3'd0,
    SLOT_B = 3'd1,
    SLOT_S = 3'd2,
    SLOT_U = 3'd3,
    SLOT_V = 3'd4
  } slot_e;
  function automatic int slots_of(int build);
    return build == BUILD_SERVER ? 4 : 5;
  endfunction

  // --- Strings: places of 32 bytes, lanes of 64 bits, the lowest byte first ----------------------
  localparam int STRINGS = 8;
  typedef enum logic [2:0] {
    STR_SEED_EK = 3'd0,  // 32 bytes
    STR_SEED_DK = 3'd1,  // 32 bytes; in Decaps at last the K of a rejection
    STR_SIGMA = 3'd2,    // k bytes
    STR_M = 3'd3,        // k bytes: m (Encaps), m' (Decaps); KeyGen: seed_kem, 32 bytes
    STR_SALT = 3'd4,     // 16 bytes
    STR_H_EK = 3'd5,     // 32 bytes: H(ek)
    STR_K = 3'd6,        // 32 bytes: K, or K' (Decaps); KeyGen: seed_pke
    STR_THETA = 3'd7     // 32 bytes
  } str_e;
  localparam str_e STR_REJECTED = STR_SEED_DK;

  // --- Units that the sequencer starts -----------------------------------------------------------
  localparam int U_RECV = 0;
  localparam int U_SEND = 1;
  localparam int U_HASH = 2;
  localparam int U_SAMPLE = 3;
  localparam int U_EXPAND = 4;  // h from the stream of the hash unit to the lanes' rows
  localparam int U_ROWS = 5;  // s or u from a slot to the lanes' rows
  localparam int U_PRODUCT = 6;
  localparam int U_ENCODE = 7;  // m or m' to the symbols of its Reed-Solomon codeword
  localparam int U_DECODE = 8;  // words of v + u y to m'

  // Messages of the hash unit [HQC, S3]. The last byte of each is its domain.
  typedef enum logic [2:0] {
    HASH_SEEDS = 3'd0,  // XOF(STR_M): seed_pke to STR_K, sigma to STR_SIGMA
    HASH_I = 3'd1,      // I(STR_K): STR_SEED_DK, STR_SEED_EK
    HASH_H = 3'd2,      // H(STR_SEED_EK, SLOT_S): STR_H_EK
    HASH_G = 3'd3,      // G(STR_H_EK, STR_M, STR_SALT): STR_K, STR_THETA
    HASH_J = 3'd4,      // J(STR_H_EK, STR_SIGMA, SLOT_U, SLOT_V, STR_SALT): STR_REJECTED
    HASH_XOF = 3'd5     // XOF(string b): lanes from then on, until the next start
  } hash_e;

  // What the sampler draws [HQC, S5.2, S5.3], into a slot that it has set to zero before.
  typedef enum logic [1:0] {
    DRAW_REJECT = 2'd0,  // weight_key positions by SampleReject
    DRAW_FIXED = 2'd1,   // weight_error positions by SampleFixed
    ERASE = 2'd2         // sets the slot to zero
  } draw_e;
  // The operand a of a step of the sampler: its positions go to the lanes, too; what it draws.
  typedef struct packed {
    logic  lanes;
    draw_e draw;
  } sample_t;

  // What the product unit computes, by the rows in the lanes and the positions there.
  typedef enum logic [2:0] {
    G_S = 3'd0,        // A = A + rows y
    G_U = 3'd1,        // A = A + rows r2
    G_V = 3'd2,        // B = B + rows r2 + the code word of m
    G_DECODE = 3'd3,   // V + rows y, word by word to the decoder
    G_CHECK_U = 3'd4,  // is A + rows r2 the received u?
    G_CHECK_V = 3'd5   // is B + rows r2 + the code word of m' the received v?
  } product_e;

  // --- Fields of the packets --------------------------------------------------------------------
  function automatic int u_bytes(int level);  // of u, of s
    return (n_bits(level) + 7) / 8;
  endfunction
  function automatic int v_bytes(int level);
    return 16 * rm_copies(level) * n1_symbols(level);
  endfunction
  function automatic int u_words32(int level);
    return (u_bytes(level) + 3) / 4;
  endfunction
  function automatic int string_bytes(int level, logic [2:0] number, bit whole);
    unique case (number)
      STR_SIGMA: return message_bytes(level);
      STR_M: return whole ? 32 : message_bytes(level);
      STR_SALT: return 16;
      default: return 32;
    endcase
  endfunction
  // The number of a field's last word of 32 bits. Slots V and B are received and sent as v, STR_M
  // whole (seed_kem) or as m.
  function automatic int field_final(int level, field_e kind, logic [2:0] which, bit whole);
    if (kind == F_POLY) begin
      return which == SLOT_V || which == SLOT_B ? v_bytes(level) / 4 - 1 : u_words32(level) - 1;
    end
    return string_bytes(level, which, whole) / 4 - 1;
  endfunction

  // --- Memories ----------------------------------------------------------------------------------
  function automatic int words_of(int level, int word);  // of a slot
    return (n_bits(level) + word - 1) / word;
  endfunction
  function automatic int v_words(int level, int word);
    return 8 * v_bytes(level) / word;
  endfunction
  function automatic int draws_depth(int level);  // of the sampler's own list
    return 2 ** $clog2(weight_error(level));
  endfunction
  // The deepest memory: how many addresses a wipe goes through.
  function automatic int hqc_wipe_words(int level, int build, int word, int stride);
    hqc_wipe_words = 2 ** $clog2((n_bits(level) - 1) / stride + 2);  // rows
    if (slots_of(build) * words_of(level, word) > hqc_wipe_words) begin
      hqc_wipe_words = slots_of(build) * words_of(level, word);
    end
    if (draws_depth(level) > hqc_wipe_words) hqc_wipe_words = draws_depth(level);
  endfunction

  // --- Positions in each lane of the gather unit: groups of an entry in each lane ----------------
  function automatic int groups_key(int level, int lanes);
    return (weight_key(level) + lanes - 1) / lanes;
  endfunction
  function automatic int groups_error(int level, int lanes);
    return (weight_error(level) + lanes - 1) / lanes;
  endfunction
  function automatic int lane_list_bits(int level, int lanes);  // of an address
    return $clog2(groups_error(level, lanes));
  endfunction

endpackage
