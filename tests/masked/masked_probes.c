/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Gadgets with every intermediate value recorded that passes a barrier: whether one of them depends
 * on a secret, at order 1.
 *
 * usage: masked_probes exact
 *        masked_probes values RUNS
 *        masked_probes orders RUNS
 *        masked_probes NAME RUNS
 *
 * exact: small gadgets with every secret, every sharing, every fresh bit. A value may depend on
 * shares and fresh bits, but its distribution on no secret; the result must be right, and a fresh
 * sharing where the gadget promises one. Prints for each gadget its name, the number of values, of
 * values that leak, of wrong results, and of sharings that are not uniform.
 *
 * values: random words through both decoders, RUNS for each level, with up to delta wrong symbols,
 * or noise alone, beside libcodekem's. Prints how many of each differ.
 *
 * orders: RUNS random orders of 16. Prints how many are none, and the largest distance of how often
 * a number came at a place from what chance gives, in standard deviations.
 *
 * NAME: RUNS runs with a fixed secret and as many with random ones, and Welch's t of the Hamming
 * weight and of the lowest bit of every value. Prints the number of points, the largest |t|, and
 * how many are above sqrt(2 ln(2000 points)), which one campaign in a thousand exceeds by chance.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem_masked.h"
#include "masked_probes.h"
#include "hqc/hqc.h"
#include "masked/codes.h"
#include "masked/field.h"
#include "masked/gadgets.h"
#include "masked/positions.h"
#include "masked/sponge.h"

#if MASKED_SHARES != 2
#error These tests are of order 1
#endif

_Noreturn void end_with(const char *what) {
  fprintf(stderr, "masked_probes: %s\n", what);
  exit(2);
}

void *memory_for(size_t count, size_t size) {
  void *memory = calloc(count, size);

  if (memory == NULL) {
    end_with("out of memory");
  }
  return memory;
}

/* --- Values and fresh bits -------------------------------------------------------------------- */

uint64_t *probed_values;
size_t value_count;
bool recording;
static size_t value_room;

uint64_t masked_probe(uint64_t value) {
  if (recording) {
    if (value_count == value_room) {
      value_room = 2 * value_room + 1024;
      probed_values = realloc(probed_values, value_room * sizeof *probed_values);
      if (probed_values == NULL) {
        end_with("out of memory");
      }
    }
    probed_values[value_count] = value;
    value_count += 1;
  }
  return value;
}

static uint64_t random_state = UINT64_C(88172645463325252);

uint64_t random_word(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state * UINT64_C(0x9E3779B97F4A7C15);
}

bool exact_run;
uint64_t fresh_bits;
size_t fresh_used;

uint64_t masked_probe_fresh(struct masks *masks, size_t lanes) {
  (void)masks;
  if (!exact_run) {
    return lanes < 64 ? random_word() >> (64 - lanes) : random_word();
  }
  const size_t count = lanes >= 32 ? 1 : lanes;
  const uint64_t fresh = fresh_bits & ((UINT64_C(1) << count) - 1);
  fresh_bits >>= count;
  fresh_used += count;
  return fresh;
}

/* --- Statistics ------------------------------------------------------------------------------- */

static uint64_t memory[32768];
static const struct arena whole = {memory, sizeof memory / sizeof memory[0]};
static struct masks no_masks; /* what gives fresh bits is above */

/* Random words of a value, or a fixed one, in fresh shares. */
static void share_words(struct shared x, size_t planes, size_t lanes, bool fixed) {
  const size_t words = MASKED_WORDS(lanes);

  for (size_t b = 0; b < planes; b++) {
    for (size_t i = 0; i < words; i++) {
      const masked_word ones = masked_ones(masked_lanes_of(lanes, i));
      const masked_word value =
          fixed ? (masked_word)(UINT64_C(0xA5C39B1E77D2048F) >> b % 8) : (masked_word)random_word();
      const masked_word mask = (masked_word)random_word() & ones;
      share_of(x, 0)[b * words + i] = (value & ones) ^ mask;
      share_of(x, 1)[b * words + i] = masked_turn(mask, 0, 1);
    }
  }
}

static void sample_multiply(bool fixed) {
  struct arena arena = whole;
  const struct shared x = shared_take(&arena, 8);
  const struct shared y = shared_take(&arena, 8);

  share_words(x, 8, 8, fixed);
  share_words(y, 8, 8, fixed);
  recording = true;
  ckem_masked_field_mul(&no_masks, x, x, y, 8);
}

static void sample_invert(bool fixed) {
  struct arena arena = whole;
  const struct shared x = shared_take(&arena, 8);
  const struct shared work = shared_take(&arena, 32);

  share_words(x, 8, 8, fixed);
  recording = true;
  ckem_masked_field_invert(&no_masks, x, 8, work);
}

static void start_stream(struct masked_sponge *stream, bool fixed) {
  ckem_masked_sponge_init(stream, &no_masks, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    const uint64_t mask = random_word();
    ckem_masked_add_lane(stream->state[0], 0, i,
                         (fixed ? UINT64_C(0x0123456789ABCDEF) << i : random_word()) ^ mask);
    ckem_masked_add_lane(stream->state[1], 1, i, mask);
  }
}

static void sample_permute(bool fixed) {
  struct masked_sponge stream;

  start_stream(&stream, fixed);
  recording = true;
  ckem_masked_permute(&no_masks, stream.state, stream.rows);
}

#define FEW 6 /* positions */

static void sample_draw(bool fixed) {
  struct arena arena = whole;
  const struct shared positions = shared_take(&arena, 15);
  struct masked_sponge stream;

  start_stream(&stream, fixed);
  recording = true;
  ckem_masked_draw_fixed(&no_masks, 17669, FEW, &stream, positions, arena);
}

static void sample_place(bool fixed) {
  const struct gf2x_ring *ring = ckem_hqc_level1.ring;
  struct arena arena = whole;
  const struct shared positions = shared_take(&arena, 15);
  const struct shared_element element = {arena_take(&arena, 2 * ring->stride), ring->stride};

  share_words(positions, 14, FEW, fixed); /* below 2^14 */
  share_of(positions, 0)[14] = random_word() & 1;
  share_of(positions, 1)[14] = masked_turn(share_of(positions, 0)[14], 0, 1);
  recording = true;
  ckem_masked_place(&no_masks, ring, element, positions, FEW, arena);
}

static void sample_reed_muller(bool fixed) {
  const struct hqc_params *params = &ckem_hqc_level1;
  struct arena arena = whole;
  const struct shared symbols = shared_take(&arena, 8 * MASKED_WORDS(params->outer_code->length));
  const struct shared_element word = {arena_take(&arena, 2 * params->ring->stride),
                                      params->ring->stride};

  for (size_t i = 0; i < params->ring->stride; i++) {
    const uint64_t mask = random_word();
    word.at[i] = (fixed ? UINT64_C(0x9E3779B97F4A7C15) * (i + 1) : random_word()) ^ mask;
    word.at[word.gap + i] = mask;
  }
  recording = true;
  ckem_masked_reed_muller_decode(&no_masks, symbols, word, params->outer_code->length, 3, arena);
}

/* Shares of symbols. */
static void share_symbols(struct shared word, const uint8_t *symbols, size_t length) {
  const size_t words = MASKED_WORDS(length);
  const struct turn_order order = masks_turn_order(&no_masks);

  ckem_planes_from_bytes(word.at, 0, symbols, length, &order);
  for (size_t i = 0; i < 8 * words; i++) {
    const masked_word mask =
        (masked_word)random_word() & masked_ones(masked_lanes_of(length, i % words));
    word.at[i] ^= mask;
    share_of(word, 1)[i] = masked_turn(mask, 0, 1);
  }
}

/* The fixed word has no errors: then nothing in the decoder happens that does with random ones. */
static void sample_reed_solomon(bool fixed) {
  const struct reed_solomon *code = ckem_hqc_level1.outer_code;
  struct arena arena = whole;
  const struct shared word = shared_take(&arena, 8 * MASKED_WORDS(code->length));
  static const uint8_t sent[HQC_MAX_MESSAGE_BYTES] = {3, 1, 4, 1, 5};
  uint8_t message[2 * HQC_MAX_MESSAGE_BYTES], symbols[REED_SOLOMON_MAX_LENGTH];
  const struct shared_bytes out_bytes = {message, HQC_MAX_MESSAGE_BYTES};

  ckem_hqc_codes_portable.reed_solomon_encode(code, symbols, sent);
  for (size_t i = 0; i < code->length && !fixed; i++) {
    symbols[i] = (uint8_t)random_word();
  }
  share_symbols(word, symbols, code->length);
  recording = true;
  ckem_masked_reed_solomon_decode(&no_masks, code, out_bytes, word, arena);
}

/* A decapsulation of one ciphertext with keys whose y and sigma differ. */
static void sample_decaps(bool fixed) {
  static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY], plain[CODEKEM_MAX_SECRET_KEY];
  static uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT], key[CODEKEM_MASKED_MAX_SECRET_KEY];
  static uint8_t fixed_y[2209 + 16];
  static bool prepared;
  const codekem_masked_kem *kem = codekem_masked_find("HQC-1");
  const size_t length = sizeof fixed_y;
  uint8_t secret[32], shares[CODEKEM_MASKED_MAX_SHARED_SECRET], y[sizeof fixed_y];
  uint8_t *at = key + kem->kem->length_public_key + 32;

  if (!prepared) {
    static const uint8_t pair_seed[32] = {1}, encaps_seed[CODEKEM_MAX_ENCAPS_SEED] = {2};
    prepared = true;
    if (codekem_kem_keypair_with(kem->kem, public_key, plain, CODEKEM_OPTIONS(.seed = pair_seed)) !=
            CODEKEM_OK ||
        codekem_kem_encaps_with(kem->kem, ciphertext, secret, public_key,
                                CODEKEM_OPTIONS(.seed = encaps_seed)) != CODEKEM_OK ||
        codekem_masked_import_key(kem, key, plain, NULL) != CODEKEM_OK) {
      end_with("no key pair");
    }
    codekem_masked_join(fixed_y, at, 2209);
    codekem_masked_join(fixed_y + 2209, at + 2 * 2209, 16);
  }
  memcpy(y, fixed_y, length);
  if (!fixed) {
    memset(y, 0, 2209);
    for (size_t ones = 0; ones < 66;) {
      const size_t place = random_word() % 17669;
      ones += (y[place / 8] >> place % 8 & 1) == 0;
      y[place / 8] |= (uint8_t)(1 << place % 8);
    }
    for (size_t i = 2209; i < length; i++) {
      y[i] = (uint8_t)random_word();
    }
  }
  for (size_t i = 0; i < length; i++) {
    const size_t first = i < 2209 ? i : 2 * 2209 + i - 2209;
    const uint8_t mask = (uint8_t)(random_word() & (i == 2208 ? 31 : 255));
    at[first] = y[i] ^ mask;
    at[first + (i < 2209 ? 2209 : 16)] = mask;
  }
  recording = true;
  if (codekem_masked_decaps(kem, shares, ciphertext, key, NULL) != CODEKEM_OK) {
    end_with("decapsulation failed");
  }
}

static const struct {
  const char *name;
  void (*run)(bool fixed);
} samples[] = {
    {"multiply", sample_multiply},
    {"invert", sample_invert},
    {"permute", sample_permute},
    {"draw", sample_draw},
    {"place", sample_place},
    {"reed_muller", sample_reed_muller},
    {"reed_solomon", sample_reed_solomon},
    {"decaps", sample_decaps},
};

static unsigned weight_of(uint64_t x) {
  unsigned weight = 0;

  for (; x != 0; x &= x - 1) {
    weight += 1;
  }
  return weight;
}

/* Sums of a point: Hamming weight and lowest bit, each for both classes. */
struct moments {
  float sum[2][2];
  float squares[2][2];
};

static double welch(const struct moments *m, size_t what, double n) {
  const double a = m->sum[what][0] / n;
  const double b = m->sum[what][1] / n;
  const double variance = m->squares[what][0] / n - a * a + m->squares[what][1] / n - b * b;

  if (variance < 1e-9) {
    return fabs(a - b) < 1e-6 ? 0 : 1e6; /* both constant */
  }
  return fabs(a - b) / sqrt(variance / n);
}

/* Random orders, which are no secret, are all one here: a value is compared with itself in another
 * run, not with what has its turn then. The linker puts this in place of the library's. */
static bool sampling;

uint32_t __real_ckem_masks_below(struct masks *masks, uint32_t bound);
uint32_t __wrap_ckem_masks_below(struct masks *masks, uint32_t bound);

uint32_t __wrap_ckem_masks_below(struct masks *masks, uint32_t bound) {
  return sampling ? bound - 1 : __real_ckem_masks_below(masks, bound);
}

static int sample(void (*run)(bool fixed), size_t runs) {
  struct moments *moments = NULL;
  size_t points = 0;
  size_t high = 0;
  double largest = 0;

  sampling = true;
  for (size_t i = 0; i < 2 * runs; i++) {
    value_count = 0;
    run((i & 1) == 0);
    recording = false;
    if (moments == NULL) {
      points = value_count;
      moments = memory_for(points, sizeof *moments);
    }
    if (value_count != points) {
      end_with("the number of values differs from run to run");
    }
    for (size_t p = 0; p < points; p++) {
      const float each[2] = {(float)weight_of(probed_values[p]), (float)(probed_values[p] & 1)};
      for (size_t what = 0; what < 2; what++) {
        moments[p].sum[what][i & 1] += each[what];
        moments[p].squares[what][i & 1] += each[what] * each[what];
      }
    }
  }
  const double limit = sqrt(2 * log(2000.0 * 2.0 * (double)points));
  for (size_t p = 0; p < points; p++) {
    for (size_t what = 0; what < 2; what++) {
      const double t = welch(moments + p, what, (double)runs);
      largest = t > largest ? t : largest;
      high += t > limit;
    }
  }
  printf("%zu %.2f %zu %.2f\n", 2 * points, largest, high, limit);
  free(moments);
  return 0;
}

/* --- Values ----------------------------------------------------------------------------------- */

/* Whether a Reed-Solomon word with up to delta wrong symbols comes out as it does in libcodekem. */
static bool agrees_on_symbols(const struct reed_solomon *code) {
  struct arena arena = whole;
  const struct shared word = shared_take(&arena, 8 * MASKED_WORDS(code->length));
  uint8_t symbols[REED_SOLOMON_MAX_LENGTH], message[2 * HQC_MAX_MESSAGE_BYTES];
  uint8_t sent[HQC_MAX_MESSAGE_BYTES], expected[HQC_MAX_MESSAGE_BYTES];
  const struct shared_bytes out_bytes = {message, HQC_MAX_MESSAGE_BYTES};

  for (size_t i = 0; i < sizeof sent; i++) {
    sent[i] = (uint8_t)random_word();
  }
  ckem_hqc_codes_portable.reed_solomon_encode(code, symbols, sent);
  /* Mostly as many as can be corrected: fewer leave room for a locator that is too long. */
  size_t errors = random_word() % 4 == 0 ? random_word() % code->delta : code->delta;
  for (bool wrong[REED_SOLOMON_MAX_LENGTH] = {false}; errors > 0;) {
    const size_t at = random_word() % code->length;
    if (!wrong[at]) {
      symbols[at] ^= (uint8_t)(1 + random_word() % 255);
      wrong[at] = true;
      errors -= 1;
    }
  }
  ckem_hqc_codes_portable.reed_solomon_decode(code, expected, symbols);
  share_symbols(word, symbols, code->length);
  ckem_masked_reed_solomon_decode(&no_masks, code, out_bytes, word, arena);
  ckem_masked_join_bytes(message, out_bytes, code->message_bytes);
  return memcmp(message, expected, code->message_bytes) == 0;
}

/* The same for Reed-Muller words of noise alone, in which many candidates are as near. */
static bool agrees_on_noise(const struct hqc_params *params) {
  const size_t length = params->outer_code->length;
  const size_t words = ckem_hqc_code_words(params);
  struct arena arena = whole;
  const struct shared symbols = shared_take(&arena, 8 * MASKED_WORDS(length));
  const struct shared_element word = {arena_take(&arena, 2 * params->ring->stride),
                                      params->ring->stride};
  uint64_t plain[1024];
  uint8_t expected[REED_SOLOMON_MAX_LENGTH], found[REED_SOLOMON_MAX_LENGTH];

  for (size_t i = 0; i < words; i++) {
    const uint64_t mask = random_word();
    plain[i] = random_word();
    word.at[i] = plain[i] ^ mask;
    word.at[word.gap + i] = mask;
  }
  ckem_hqc_codes_portable.reed_muller_decode(expected, plain, length, params->copies);
  ckem_masked_reed_muller_decode(&no_masks, symbols, word, length, params->copies, arena);
  for (size_t i = 0; i < 8 * MASKED_WORDS(length); i++) {
    symbols.at[i] ^= masked_turn(share_of(symbols, 1)[i], 1, 0);
  }
  const struct turn_order order = masks_turn_order(&no_masks);
  ckem_planes_to_bytes(found, symbols.at, 0, length, &order);
  return memcmp(found, expected, length) == 0;
}

static void compare_values(size_t runs) {
  const struct hqc_params *levels[] = {&ckem_hqc_level1, &ckem_hqc_level3, &ckem_hqc_level5};
  size_t symbols = 0;
  size_t noise = 0;

  for (size_t i = 0; i < 3 * runs; i++) {
    symbols += !agrees_on_symbols(levels[i % 3]->outer_code);
    noise += !agrees_on_noise(levels[i % 3]);
  }
  printf("%zu %zu\n", symbols, noise);
}

/* --- Random orders ---------------------------------------------------------------------------- */

static void examine_orders(size_t runs) {
  size_t seen[MASKED_PAIRS][MASKED_PAIRS] = {{0}};
  const double part = 1.0 / MASKED_PAIRS;
  size_t wrong = 0;
  double largest = 0;

  for (size_t i = 0; i < runs; i++) {
    const struct turn_order order = masks_turn_order(&no_masks);
    uint32_t found = 0;
    for (size_t k = 0; k < MASKED_PAIRS; k++) {
      if (order.pair[k] < MASKED_PAIRS) {
        found |= UINT32_C(1) << order.pair[k];
        seen[k][order.pair[k]] += 1;
      }
    }
    wrong += found != (UINT32_C(1) << MASKED_PAIRS) - 1;
  }
  for (size_t k = 0; k < MASKED_PAIRS; k++) {
    for (size_t v = 0; v < MASKED_PAIRS; v++) {
      const double far = fabs((double)seen[k][v] - part * (double)runs);
      largest = fmax(largest, far / sqrt(part * (1 - part) * (double)runs));
    }
  }
  printf("%zu %.2f\n", wrong, largest);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "exact") == 0) {
    exact_run = recording = true;
    examine_gadgets();
    return 0;
  }
  if (argc == 3 && strcmp(argv[1], "values") == 0) {
    compare_values(strtoul(argv[2], NULL, 10));
    return 0;
  }
  if (argc == 3 && strcmp(argv[1], "orders") == 0) {
    examine_orders(strtoul(argv[2], NULL, 10));
    return 0;
  }
  for (size_t i = 0; argc == 3 && i < sizeof samples / sizeof samples[0]; i++) {
    if (strcmp(argv[1], samples[i].name) == 0) {
      return sample(samples[i].run, strtoul(argv[2], NULL, 10));
    }
  }
  end_with("usage: masked_probes exact | values RUNS | orders RUNS | NAME RUNS");
}
