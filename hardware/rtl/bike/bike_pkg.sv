// SPDX-License-Identifier: Apache-2.0 OR MIT
// Parameter sets of BIKE v5.1 [BIKE, S2], presets of the core, and the codes that its units share.
// Everything is a function of LEVEL or PRESET, so that one source serves all of them.
package bike_pkg;
  import kem_pkg::*;

  // --- Parameter sets; level is 1, 3 or 5 -------------------------------------------------------
  // levels: made by parameters/generate.py
  function automatic int r_bits(int level);
    return level == 1 ? 12323 : level == 3 ? 24659 : 40973;
  endfunction
  function automatic int weight_d(int level);  // weight of h0 and of h1
    return level == 1 ? 71 : level == 3 ? 103 : 137;
  endfunction
  function automatic int weight_t(int level);  // weight of the error
    return level == 1 ? 134 : level == 3 ? 199 : 264;
  endfunction
  // levels: end

  // Threshold T(S) = max((A + B S) >> K, Tmin): the smallest K for which this equals the
  // specification's rational for every S in 0..r; a test checks all of them.
  // thresholds: made by parameters/generate.py
  function automatic int threshold_a(int level);
    return level == 1 ? 113498000 : level == 3 ? 64000256 : 1199806000;
  endfunction
  function automatic int threshold_b(int level);
    return level == 1 ? 58487 : level == 3 ? 22083 : 269987;
  endfunction
  function automatic int threshold_shift(int level);
    return level == 1 ? 23 : level == 3 ? 22 : 26;
  endfunction
  function automatic int threshold_min(int level);
    return level == 1 ? 36 : level == 3 ? 52 : 69;
  endfunction
  // thresholds: end
  // By how much the first threshold may be lower at most, as in the library.
  function automatic int most_lower(int level);
    return level == 1 ? 6 : level == 3 ? 9 : 10;
  endfunction
  // A counter has one bit more than T and the weight need: its top bit says "at least T".
  // counters: made by parameters/generate.py
  function automatic int counter_bits(int level);
    return level == 1 ? 8 : 9;
  endfunction
  // counters: end

  // --- Presets ----------------------------------------------------------------------------------
  localparam int PRESET_LIGHT = 0;
  localparam int PRESET_MID = 1;
  localparam int PRESET_FAST = 2;
  localparam int PRESET_HP = 3;
  localparam int PRESET_MAX = 4;

  function automatic int preset_word(int preset);  // bits of a word of a polynomial
    return preset == PRESET_LIGHT ? 64 : preset >= PRESET_HP ? 256 : 128;
  endfunction
  function automatic int preset_stride(int preset);  // bits between two rows of a lane
    return 64;
  endfunction
  function automatic int preset_lanes(int preset);  // positions of a key in each cycle
    return preset == PRESET_LIGHT ? 2 : preset == PRESET_MID ? 4 : preset == PRESET_MAX ? 12 : 8;
  endfunction
  function automatic int preset_inv_word(int preset);  // bits of a word of the inverter
    return preset == PRESET_LIGHT ? 64 : preset == PRESET_MID ? 128
         : preset == PRESET_FAST ? 384 : preset == PRESET_HP ? 512 : 1024;
  endfunction
  function automatic int preset_inv_steps(int preset);  // division steps in each sweep
    return preset == PRESET_FAST ? 16 : 32;
  endfunction
  function automatic int preset_inv_rate(int preset);  // division steps decided in each cycle
    return preset == PRESET_MAX ? 4 : 2;
  endfunction
  function automatic int preset_keccak_rounds(int preset);  // rounds in each cycle
    return 1;
  endfunction
  function automatic bit preset_keccak_buffered(int preset);  // 17 lanes beside the state
    return preset >= PRESET_HP;
  endfunction
  function automatic bit preset_overlap(int preset);  // read ports for units side by side
    return preset >= PRESET_HP;
  endfunction

  // --- Builds: which operations the core has ----------------------------------------------------
  localparam int BUILD_FULL = 0;
  localparam int BUILD_CLIENT = 1;  // KeyGen and Decaps
  localparam int BUILD_SERVER = 2;  // Encaps

  // --- Slots of the polynomial memory -----------------------------------------------------------
  localparam int SLOTS = 5;
  typedef enum logic [2:0] {
    SLOT_A0 = 3'd0,
    SLOT_A1 = 3'd1,  // h0 h1 (KeyGen); e0 e1 (Encaps, Decaps)
    SLOT_C  = 3'd2,                  // inverse, then h (KeyGen); h, then c0 (Encaps); c0 (Decaps)
    SLOT_G0 = 3'd3,
    SLOT_G1 = 3'd4   // gray positions, then H(m') (Decaps)
  } slot_e;

  // --- Strings of 32 bytes ----------------------------------------------------------------------
  typedef enum logic [1:0] {
    STR_M = 2'd0,      // KeyGen: seed; Encaps: m; Decaps: m'
    STR_C1 = 2'd1,
    STR_SS = 2'd2,
    STR_SIGMA = 2'd3   // no bit that flips makes STR_M of it
  } str_e;

  // --- Units that the sequencer starts -----------------------------------------------------------
  localparam int U_RECV = 0;
  localparam int U_SEND = 1;
  localparam int U_HASH = 2;
  localparam int U_SAMPLE = 3;
  localparam int U_POS = 4;
  localparam int U_ROWS = 5;
  localparam int U_GATHER = 6;
  localparam int U_INVERT = 7;
  localparam int U_COMPARE = 8;

  // Messages of the hash unit.
  typedef enum logic [1:0] {
    HASH_L = 2'd0,
    HASH_K = 2'd1,
    HASH_SEED = 2'd2
  } hash_e;

  // What the sampler draws: t of 2r into A0/A1 or G0/G1, or d of r for h0 or h1, into slots that it
  // has set to zero before.
  typedef enum logic [2:0] {
    S_ERR_A = 3'd0,
    S_ERR_G = 3'd1,
    S_KEY0 = 3'd2,
    S_KEY1 = 3'd3,
    S_ERASE_A = 3'd4,
    S_ERASE_G = 3'd5
  } sample_e;

  // Sets of positions in the lanes.
  typedef enum logic [2:0] {
    P_COUNT0 = 3'd0,
    P_COUNT1 = 3'd1,  // counters of h0, of h1
    P_UPDATE0 = 3'd2,
    P_UPDATE1 = 3'd3,  // syndrome update: h0 in the lower, h1 in the upper lanes
    P_KEY0 = 3'd4,                     // product by h0
    P_KEY1 = 3'd5,                     // product by h1 and the inverter's power of x
    P_ERR = 3'd6                       // product by e1
  } pset_e;

  // What the gather unit computes.
  typedef enum logic [2:0] {
    G_KEY = 3'd0,     // C = rows * h1
    G_ERR = 3'd1,     // C = e0 + rows * e1
    G_SYN = 3'd2,     // s = rows * h0
    G_UPDATE = 3'd3,  // s = s + f0 * h0 + f1 * h1
    G_PLAIN1 = 3'd4,  // flips of the first iteration, which also notes the gray positions
    G_BLACK = 3'd5,
    G_GRAY = 3'd6,  // masked flips
    G_PLAIN = 3'd7
  } gather_e;

  // --- Fields of the packets --------------------------------------------------------------------
  function automatic int poly_bytes(int level);
    return (r_bits(level) + 7) / 8;
  endfunction
  function automatic int poly_words32(int level);
    return (poly_bytes(level) + 3) / 4;
  endfunction
  // The entry at which the second list of positions begins.
  function automatic int list_base(int level);
    return 2 ** $clog2(weight_d(level));
  endfunction
  function automatic int list_bits(int level);  // address bits of the lists
    return $clog2(weight_t(level)) > $clog2(weight_d(level)) + 1 ? $clog2(weight_t(level)) :
        $clog2(weight_d(level)) + 1;
  endfunction
  // The number of a field's last word of 32 bits. What is skipped is 32 bytes (0) or three
  // polynomials (1).
  function automatic int field_final(int level, field_e kind, logic [2:0] which);
    unique case (kind)
      F_POLY: return poly_words32(level) - 1;
      F_STR: return 7;
      F_LIST: return weight_d(level) - 1;
      default: return which[0] ? 3 * poly_words32(level) - 1 : 7;
    endcase
  endfunction

  // --- Memories ----------------------------------------------------------------------------------
  function automatic int words_of(int level, int word);  // of a polynomial
    return (r_bits(level) + word - 1) / word;
  endfunction
  function automatic int inverter_words(int level, int inv_word, int steps);  // of f and of g
    return (2 * r_bits(level) - 1 + steps) / inv_word + 1;
  endfunction
  // The deepest memory: how many addresses a wipe goes through.
  function automatic int bike_wipe_words(int level, int word, int stride, int inv_word, int steps);
    bike_wipe_words = 2 ** ($clog2((r_bits(level) - 1) / stride + 2) + 1);  // rows
    if (SLOTS * words_of(level, word) > bike_wipe_words) begin
      bike_wipe_words = SLOTS * words_of(level, word);
    end
    if (inverter_words(level, inv_word, steps) > bike_wipe_words) begin
      bike_wipe_words = inverter_words(level, inv_word, steps);
    end
  endfunction

  // --- Lists of positions in each lane of the gather unit ----------------------------------------
  // Those of the counters of h0 and of h1, then one for products and updates. A group is an entry
  // of a list in each lane.
  function automatic int groups_key(int level, int lanes);
    return (weight_d(level) + lanes - 1) / lanes;
  endfunction
  function automatic int groups_err(int level, int lanes);
    return (weight_t(level) + lanes - 1) / lanes;
  endfunction
  function automatic int groups_update(int level, int lanes);  // half the lanes for each half
    return (weight_d(level) + 1 + lanes / 2 - 1) / (lanes / 2);
  endfunction
  function automatic int lane_list_bits(int level, int lanes);  // of an address
    int err, update;
    err = groups_err(level, lanes);
    update = groups_update(level, lanes);
    return $clog2(2 * groups_key(level, lanes) + (err > update ? err : update));
  endfunction

endpackage
