/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Gadgets with every intermediate value recorded that passes a barrier: whether one of them depends
 * on a secret, at order 1.
 *
 * usage: masked_probes exact
 *        masked_probes NAME RUNS
 *
 * exact: small gadgets with every secret, every sharing, every fresh bit. A value may depend on
 * shares and fresh bits, but its distribution on no secret; the result must be right, and a fresh
 * sharing where the gadget promises one. Prints for each gadget its name, the number of values, of
 * values that leak, of wrong results, and of sharings that are not uniform.
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
#include "masked/codes.h"
#include "masked/field.h"
#include "masked/gadgets.h"
#include "masked/positions.h"
#include "masked/sponge.h"

#if MASKED_SHARES != 2
#error These tests are of order 1
#endif

static _Noreturn void end_with(const char *what) {
  fprintf(stderr, "masked_probes: %s\n", what);
  exit(2);
}

static void *memory_for(size_t count, size_t size) {
  void *memory = calloc(count, size);

  if (memory == NULL) {
    end_with("out of memory");
  }
  return memory;
}

/* --- Values and fresh bits ---------------------------------------------------------------------- */

static uint64_t *values;
static size_t value_count, value_room;
static bool recording;

uint64_t masked_probe(uint64_t value) {
  if (recording) {
    if (value_count == value_room) {
      value_room = 2 * value_room + 1024;
      values = realloc(values, value_room * sizeof *values);
      if (values == NULL) {
        end_with("out of memory");
      }
    }
    values[value_count] = value;
    value_count += 1;
  }
  return value;
}

static uint64_t random_state = UINT64_C(88172645463325252);

static uint64_t random_word(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state * UINT64_C(0x9E3779B97F4A7C15);
}

static bool exact;
static uint64_t fresh_bits; /* of an exact run, the next one lowest */
static size_t fresh_used;

/* In an exact run a whole word has one fresh bit: chi's lanes, of which one is looked at. */
uint64_t masked_probe_fresh(struct masks *masks, size_t lanes) {
  (void)masks;
  if (!exact) {
    return lanes < 64 ? random_word() >> (64 - lanes) : random_word();
  }
  const size_t count = lanes >= 32 ? 1 : lanes;
  const uint64_t fresh = fresh_bits & ((UINT64_C(1) << count) - 1);
  fresh_bits >>= count;
  fresh_used += count;
  return fresh;
}

/* --- Exact -------------------------------------------------------------------------------------- */

#define MOST_BITS 6
#define MOST_VALUES 256

/* Words of two shares; a plane has one word here. */
struct planes {
  masked_word word[2][24];
};

static struct shared shared_planes(struct planes *planes, size_t first) {
  return (struct shared){planes->word[0] + first, 24};
}

/* Puts bits of both shares on planes, a bit each, or on the lanes of one. */
static void put_bits(struct planes *planes, const uint32_t shares[2], size_t bits, bool lanes) {
  memset(planes, 0, sizeof *planes);
  for (size_t s = 0; s < 2; s++) {
    for (size_t i = 0; i < bits; i++) {
      planes->word[s][lanes ? 0 : i] |= (masked_word)(shares[s] >> i & 1) << (lanes ? i : 0);
    }
  }
}

static void get_bits(uint32_t shares[2], const struct planes *planes, size_t first, size_t bits) {
  for (size_t s = 0; s < 2; s++) {
    shares[s] = 0;
    for (size_t i = 0; i < bits; i++) {
      shares[s] |= (uint32_t)(planes->word[s][first + i] & 1) << i;
    }
  }
}

static struct planes in, out;

#define X(i) shared_planes(&in, (i))
#define Z shared_planes(&out, 0)

static void run_and(void) {
  ckem_masked_and(NULL, Z, X(0), X(1), 1);
}

static uint32_t is_and(uint32_t x) {
  return x & x >> 1 & 1;
}

static void run_or(void) {
  ckem_masked_or(NULL, Z, X(0), X(1), 1);
}

static uint32_t is_or(uint32_t x) {
  return (x | x >> 1) & 1;
}

static void run_refresh(void) {
  out = in;
  ckem_masked_refresh(NULL, Z, 2, 1);
}

static uint32_t is_same(uint32_t x) {
  return x;
}

static void run_mux(void) {
  ckem_masked_mux(NULL, Z, X(0), X(1), X(2), 1, 1);
}

static uint32_t is_mux(uint32_t x) {
  return ((x & 1) != 0 ? x >> 1 : x >> 2) & 1;
}

static void run_add(void) {
  out = in;
  ckem_masked_add(NULL, Z, X(3), 3, 1, false, false);
}

static uint32_t is_add(uint32_t x) {
  return ((x & 7) + (x >> 3)) & 7;
}

static void run_less(void) {
  ckem_masked_less(NULL, Z, X(0), X(3), 3, 1);
}

static uint32_t is_less(uint32_t x) {
  return (x & 7) < x >> 3;
}

static void run_absolute(void) {
  out = in;
  ckem_masked_absolute(NULL, Z, 4, 1);
}

static uint32_t is_absolute(uint32_t x) {
  return x < 8 ? x : (16 - x) % 8 | 8; /* of -8 nothing is promised: 0 */
}

static void run_any(void) {
  out = in;
  ckem_masked_any(NULL, Z, 4, 1);
}

static uint32_t is_any(uint32_t x) {
  return x != 0;
}

static void run_all(void) {
  out = in;
  ckem_masked_all(NULL, Z, 4, 1);
}

static uint32_t is_all(uint32_t x) {
  return x == 15;
}

static void run_fold(void) {
  out = in;
  ckem_masked_fold(NULL, Z, 4);
}

static void run_bit_to_sum(void) {
  masked_word work[4];

  ckem_masked_bit_to_sum(NULL, Z, X(0), 4, 1, work);
}

static void run_sum_to_bits(void) {
  ckem_masked_sum_to_bits(NULL, Z, X(0), 3, 1, shared_planes(&out, 12));
}

/* One row; in the others all is zero, and their fresh bits are not looked at. */
static void run_chi(void) {
  uint64_t rows[2][KECCAK_LANES] = {{0}};
  uint64_t state[2][KECCAK_LANES];

  for (size_t i = 0; i < 5; i++) {
    rows[0][i] = in.word[0][i];
    rows[1][i] = in.word[1][i];
  }
  ckem_masked_chi(NULL, state, rows);
  for (size_t i = 0; i < 5; i++) {
    out.word[0][i] = (masked_word)state[0][i] & 1;
    out.word[1][i] = (masked_word)state[1][i] & 1;
  }
}

static uint32_t is_chi(uint32_t x) {
  uint32_t z = 0;

  for (unsigned i = 0; i < 5; i++) {
    z |= ((x >> i ^ (~(x >> (i + 1) % 5) & x >> (i + 2) % 5)) & 1) << i;
  }
  return z;
}

/* A gadget for exact runs: bits of its secrets, and of its result. */
struct gadget {
  const char *name;
  void (*run)(void);
  uint32_t (*expected)(uint32_t secrets);
  size_t bits, results;
  bool lanes;    /* secrets are on lanes, not on planes */
  bool uniform;  /* the result is a fresh sharing */
  bool sum_in;   /* the shares add up to the secret */
  bool sum_out;  /* those of the result do */
};

static const struct gadget gadgets[] = {
    {.name = "and", run_and, is_and, 2, 1, .uniform = true},
    {.name = "or", run_or, is_or, 2, 1, .uniform = true},
    {.name = "refresh", run_refresh, is_same, 2, 2, .uniform = true},
    {.name = "mux", run_mux, is_mux, 3, 1, .uniform = true},
    {.name = "add", run_add, is_add, 6, 3},
    {.name = "less", run_less, is_less, 6, 1},
    {.name = "absolute", run_absolute, is_absolute, 4, 4},
    {.name = "any", run_any, is_any, 4, 1, .uniform = true},
    {.name = "all", run_all, is_all, 4, 1, .uniform = true},
    {.name = "fold", run_fold, is_any, 4, 1, .lanes = true, .uniform = true},
    {.name = "bit_to_sum", run_bit_to_sum, is_same, 1, 4, .uniform = true, .sum_out = true},
    {.name = "sum_to_bits", run_sum_to_bits, is_same, 3, 3, .sum_in = true},
    {.name = "chi", run_chi, is_chi, 5, 5, .uniform = true},
};

/* Runs a gadget once; returns whether the result is right, and its share 0. */
static bool run_once(const struct gadget *gadget, uint32_t secret, uint32_t mask, uint64_t fresh,
                     uint32_t *first) {
  const uint32_t ones = (UINT32_C(1) << gadget->bits) - 1;
  const uint32_t result_ones = (UINT32_C(1) << gadget->results) - 1;
  const uint32_t shares[2] = {gadget->sum_in ? (secret - mask) & ones : secret ^ mask, mask};
  uint32_t results[2];

  put_bits(&in, shares, gadget->bits, gadget->lanes);
  memset(&out, 0, sizeof out);
  fresh_bits = fresh;
  fresh_used = 0;
  value_count = 0;
  gadget->run();
  get_bits(results, &out, 0, gadget->results);
  *first = results[0];
  const uint32_t result =
      gadget->sum_out ? (results[0] + results[1]) & result_ones : results[0] ^ results[1];
  return result == (gadget->expected(secret) & result_ones);
}

static void examine(const struct gadget *gadget) {
  const uint32_t secrets = UINT32_C(1) << gadget->bits;
  const uint32_t shapes = UINT32_C(1) << gadget->results;
  uint32_t first;
  size_t wrong = 0;
  size_t leaks = 0;
  size_t uneven = 0;

  run_once(gadget, 0, 0, 0, &first);
  const size_t points = value_count;
  const uint64_t all_fresh = UINT64_C(1) << fresh_used;
  /* How often point p had the value v (its lowest four bits) for each secret. */
  uint32_t *seen = memory_for(points * 16 * secrets, sizeof *seen);
  uint32_t *sharings = memory_for((size_t)shapes * secrets, sizeof *sharings);
  if (points > MOST_VALUES || gadget->bits > MOST_BITS || fresh_used > 16) {
    end_with("this gadget is too large for every case");
  }
  for (uint32_t secret = 0; secret < secrets; secret++) {
    for (uint32_t mask = 0; mask < secrets; mask++) {
      for (uint64_t fresh = 0; fresh < all_fresh; fresh++) {
        wrong += !run_once(gadget, secret, mask, fresh, &first);
        for (size_t p = 0; p < points; p++) {
          seen[(p * 16 + (values[p] & 15)) * secrets + secret] += 1;
        }
        sharings[(size_t)first * secrets + secret] += 1;
      }
    }
  }
  for (size_t p = 0; p < points; p++) {
    bool leaks_here = false;
    for (size_t v = 0; v < 16; v++) {
      const uint32_t *row = seen + (p * 16 + v) * secrets;
      for (uint32_t secret = 1; secret < secrets; secret++) {
        leaks_here = leaks_here || row[secret] != row[0];
      }
    }
    leaks += leaks_here;
  }
  for (size_t i = 0; gadget->uniform && i < (size_t)shapes * secrets; i++) {
    uneven += sharings[i] != all_fresh * secrets / shapes;
  }
  printf("%s %zu %zu %zu %zu\n", gadget->name, points, leaks, wrong, uneven);
  free(seen);
  free(sharings);
}

/* --- Statistics --------------------------------------------------------------------------------- */

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
      share_of(x, 1)[b * words + i] = mask;
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
    stream->state[0][i] = (fixed ? UINT64_C(0x0123456789ABCDEF) << i : random_word()) ^ mask;
    stream->state[1][i] = mask;
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
  share_of(positions, 0)[14] = share_of(positions, 1)[14] = random_word() & 1;
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

static void sample_reed_solomon(bool fixed) {
  const struct reed_solomon *code = ckem_hqc_level1.outer_code;
  struct arena arena = whole;
  const struct shared word = shared_take(&arena, 8 * MASKED_WORDS(code->length));
  uint8_t message[2 * HQC_MAX_MESSAGE_BYTES];
  const struct shared_bytes out_bytes = {message, HQC_MAX_MESSAGE_BYTES};

  share_words(word, 8, code->length, fixed);
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

static int sample(void (*run)(bool fixed), size_t runs) {
  struct moments *moments = NULL;
  size_t points = 0;
  size_t high = 0;
  double largest = 0;

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
      const float each[2] = {(float)weight_of(values[p]), (float)(values[p] & 1)};
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

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "exact") == 0) {
    exact = recording = true;
    for (size_t i = 0; i < sizeof gadgets / sizeof gadgets[0]; i++) {
      examine(gadgets + i);
    }
    return 0;
  }
  for (size_t i = 0; argc == 3 && i < sizeof samples / sizeof samples[0]; i++) {
    if (strcmp(argv[1], samples[i].name) == 0) {
      return sample(samples[i].run, strtoul(argv[2], NULL, 10));
    }
  }
  end_with("usage: masked_probes exact | NAME RUNS");
}
