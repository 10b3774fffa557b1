/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Gadgets of HQC in shares as functions without arguments, which devices/leakage.py runs on many
 * inputs at once: operands are in x, y and choice, share 1 ROOM words behind share 0; results are
 * in z or in place. Masks come from ChaCha8 with another seed in every lane.
 */
#include "board.h"
#include "backends.h"
#include "base/wipe.h"
#include "codekem_masked.h"
#include "hqc/hqc.h"
#include "hqc/reed_muller.h"
#include "masked/codes.h"
#include "masked/field.h"
#include "masked/gadgets.h"
#include "masked/positions.h"
#include "masked/products.h"
#include "masked/sponge.h"

enum {
  ROOM = 1280,
  LANES = 46,  /* symbols of a code word */
  SCALARS = 1, /* numbers of the key equation */
  PLANES = 10, /* of a value of the Hadamard transform */
  FEW = 6,     /* positions */
  ARENA_WORDS = 16384,
};

static uint8_t leak_seed[MASKS_SEED_BYTES];
/* What others than leak_start may set: of gadgets that take every number of planes and lanes. */
static volatile uint32_t leak_planes, leak_lanes;
static uint8_t *volatile leak_fresh; /* the next masks */
static masked_word leak_x[MASKED_SHARES * ROOM], leak_y[MASKED_SHARES * ROOM];
static masked_word leak_z[MASKED_SHARES * ROOM], leak_choice[MASKED_SHARES * ROOM];
static struct masked_sponge leak_sponge;
static uint64_t memory[ARENA_WORDS];

static struct masks masks;
static const struct shared x = {leak_x, ROOM}, y = {leak_y, ROOM}, z = {leak_z, ROOM};
static const struct shared choice = {leak_choice, ROOM};
static const struct arena whole = {memory, ARENA_WORDS};

/* Random orders are public to the program, and here the same in all lanes: the secrets of a class
 * are compared under one order, of which leak_order chooses another. The linker puts this in place
 * of the library's function. */
static volatile uint32_t leak_order;

uint32_t __real_ckem_masks_below(struct masks *source, uint32_t bound);
uint32_t __wrap_ckem_masks_below(struct masks *source, uint32_t bound);

uint32_t __wrap_ckem_masks_below(struct masks *source, uint32_t bound) {
  static struct masks orders;
  static bool started;

  (void)source;
  if (!started) {
    const uint8_t seed[MASKS_SEED_BYTES] = {(uint8_t)leak_order, (uint8_t)(leak_order >> 8)};
    ckem_masks_init(&orders, seed, NULL, NULL);
    started = true;
  }
  return __real_ckem_masks_below(&orders, bound);
}

/* Before every gadget; nobody looks at it. */
static void leak_start(void) {
  ckem_masks_init(&masks, leak_seed, NULL, NULL);
  ckem_masks_refill(&masks);
  ckem_masked_sponge_init(&leak_sponge, &masks, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  memset(memory, 0, sizeof memory);
  leak_planes = PLANES;
  leak_lanes = LANES;
  leak_fresh = masks.next;
}

/* After it, to know how many masks it took. */
static void leak_end(void) {
  leak_fresh = masks.next;
}

static void leak_and(void) {
  ckem_masked_and(&masks, z, x, y, leak_lanes);
}

static void leak_and_scalars(void) {
  ckem_masked_and(&masks, z, x, y, SCALARS);
}

static void leak_or(void) {
  ckem_masked_or(&masks, z, x, y, leak_lanes);
}

static void leak_not(void) {
  ckem_masked_not(x, leak_lanes);
}

static void leak_xor(void) {
  ckem_masked_xor(z, x, y, MASKED_WORDS(leak_lanes));
}

static void leak_xor_scalars(void) {
  ckem_masked_xor(z, x, y, 1);
}

static void leak_copy(void) {
  ckem_masked_copy(z, x, leak_planes * MASKED_WORDS(leak_lanes));
}

static void leak_refresh(void) {
  ckem_masked_refresh(&masks, x, leak_planes, leak_lanes);
}

static void leak_mux(void) {
  ckem_masked_mux(&masks, z, choice, x, y, leak_planes, leak_lanes);
}

static void leak_spread(void) {
  ckem_masked_spread(&masks, z, x, leak_lanes);
}

static void leak_add(void) {
  ckem_masked_add(&masks, x, y, leak_planes, leak_lanes, false, true);
}

static void leak_absolute(void) {
  ckem_masked_absolute(&masks, x, leak_planes, leak_lanes);
}

static void leak_less(void) {
  ckem_masked_less(&masks, z, x, y, leak_planes, leak_lanes);
}

static void leak_any(void) {
  ckem_masked_any(&masks, x, leak_planes, leak_lanes);
}

static void leak_all(void) {
  ckem_masked_all(&masks, x, leak_planes, leak_lanes);
}

static void leak_fold(void) {
  ckem_masked_fold(&masks, x, leak_lanes == LANES ? 32 * 12 : leak_lanes);
}

static void leak_bit_to_sum(void) {
  ckem_masked_bit_to_sum(&masks, z, x, leak_planes, leak_lanes, leak_choice);
}

static void leak_sum_to_bits(void) {
  ckem_masked_sum_to_bits(&masks, z, x, leak_planes, leak_lanes, y);
}

static void leak_multiply(void) {
  ckem_masked_field_mul(&masks, z, x, y, LANES);
}

static void leak_square(void) {
  ckem_masked_field_square(x, 2, LANES);
}

static void leak_invert(void) {
  ckem_masked_field_invert(&masks, x, 16, y);
}

static void leak_chi(void) {
  ckem_masked_chi(&masks, leak_sponge.state, leak_sponge.rows);
}

static void leak_permute(void) {
  ckem_masked_permute(&masks, leak_sponge.state, leak_sponge.rows);
}

static void leak_draw(void) {
  ckem_masked_draw_fixed(&masks, 17669, FEW, &leak_sponge, z, whole);
}

/* Positions below 2^14. */
static void leak_place(void) {
  struct arena arena = whole;
  const struct gf2x_ring *ring = ckem_hqc_level1.ring;
  const struct shared_element element = {arena_take(&arena, 2 * ring->stride), ring->stride};

  ckem_masked_place(&masks, ring, element, x, FEW, arena);
}

/* Received words of 46 symbols, dense in x. */
static void leak_reed_muller(void) {
  const struct shared_element word = {(uint64_t *)(void *)leak_x, ROOM / 2};

  ckem_masked_reed_muller_decode(&masks, z, word, LANES, 3, whole);
}

static void leak_reed_muller_encode(void) {
  const struct shared_element word = {(uint64_t *)(void *)leak_y, ROOM / 2};

  ckem_masked_reed_muller_add(&masks, word, x, LANES, 3);
}

static void leak_reed_solomon(void) {
  const struct shared_bytes message = {(uint8_t *)leak_z, sizeof leak_z / 2};

  ckem_masked_reed_solomon_decode(&masks, ckem_hqc_level1.outer_code, message, x, whole);
}

static void leak_refresh_element(void) {
  const struct shared_element element = {(uint64_t *)(void *)leak_x, ROOM / 2};

  ckem_masked_refresh_element(&masks, ckem_hqc_level1.ring, element);
}

static void leak_refresh_bytes(void) {
  const struct shared_bytes bytes = {(uint8_t *)leak_x, sizeof leak_x / 2};

  ckem_masked_refresh_bytes(&masks, bytes, 16);
}

/* Decapsulation at every level, of a ciphertext with a key in shares. */
static uint8_t leak_ciphertext[CODEKEM_MAX_CIPHERTEXT];
static uint8_t leak_key[CODEKEM_MASKED_MAX_SECRET_KEY];
static uint8_t leak_imported[CODEKEM_MASKED_MAX_SECRET_KEY];
static uint8_t leak_secret[CODEKEM_MASKED_MAX_SHARED_SECRET];

static bool give_seed(void *context, uint8_t *out, size_t length) {
  (void)context;
  memcpy(out, leak_seed, length);
  return true;
}

static void decapsulate(const char *name) {
  const codekem_masked_options options = {.size = sizeof options, .random = give_seed};

  if (codekem_masked_decaps(codekem_masked_find(name), leak_secret, leak_ciphertext, leak_key,
                            &options) != CODEKEM_OK) {
    memset(leak_secret, 0, sizeof leak_secret);
  }
}

static void import(const char *name) {
  static const codekem_masked_options options = {.size = sizeof options, .random = give_seed};

  if (codekem_masked_import_key(codekem_masked_find(name), leak_imported, leak_key, &options) !=
      CODEKEM_OK) {
    memset(leak_imported, 0, sizeof leak_imported);
  }
}

#define LEVEL(level)                      \
  static void leak_decaps_##level(void) { \
    decapsulate("HQC-" #level);           \
  }                                       \
  static void leak_import_##level(void) { \
    import("HQC-" #level);                \
  }
LEVEL(1)
LEVEL(3)
LEVEL(5)

/* u y for y in x: without shares by the function of libcodekem, and as decapsulation has it. */
static void leak_plain_product(void) {
  struct arena arena = whole;
  const struct gf2x_ring *ring = ckem_hqc_level1.ring;
  uint64_t *u = arena_take(&arena, ring->stride);
  uint64_t *product = arena_take(&arena, ring->stride);

  ckem_gf2x_decode(ring, u, leak_ciphertext);
  ckem_backend_in_use()->gf2x->mul(ring, product, u, (const uint64_t *)(const void *)leak_x,
                                   arena_take(&arena, GF2X_MUL_SCRATCH_WORDS(ring->r_bits)));
}

static void leak_shared_product(void) {
  struct arena arena = whole;
  const struct gf2x_ring *ring = ckem_hqc_level1.ring;
  const struct shared_element element = {(uint64_t *)(void *)leak_x, ROOM / 2};
  uint64_t *u = arena_take(&arena, ring->stride);

  ckem_gf2x_decode(ring, u, leak_ciphertext);
  ckem_masked_multiply(&masks, ckem_backend_in_use(), ring, element, false, u, element,
                       arena_take(&arena, MASKED_PRODUCT_WORDS(ring->r_bits)));
}

/* Bytes of both shares in x become planes there, as a gadget before has them. */
static void leak_prepare(void) {
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    const struct turn_order order = masks_turn_order(&masks);
    ckem_planes_from_bytes(share_of(z, s), s, (const uint8_t *)share_of(x, s), LANES, &order);
  }
  ckem_masked_copy(x, z, 8 * MASKED_WORDS(LANES));
  ckem_masked_set(z, NULL, 8 * MASKED_WORDS(LANES));
}

/* The codes of libcodekem for bytes in x. */
static void leak_plain_encoder(void) {
  ckem_reed_muller_encode((uint64_t *)(void *)leak_y, (const uint8_t *)leak_x, LANES, 3);
}

static void leak_plain_outer_encoder(void) {
  ckem_hqc_codes_of(ckem_backend_in_use())
      ->reed_solomon_encode(ckem_hqc_level1.outer_code, (uint8_t *)leak_y, (const uint8_t *)leak_x);
}

static void leak_plain_outer_decoder(void) {
  ckem_hqc_codes_of(ckem_backend_in_use())
      ->reed_solomon_decode(ckem_hqc_level1.outer_code, (uint8_t *)leak_y, (const uint8_t *)leak_x);
}

/* The outer encoder for bytes in both shares of x. */
static void leak_reed_solomon_encode(void) {
  const struct shared_bytes message = {(uint8_t *)leak_x, sizeof leak_x / 2};

  ckem_masked_reed_solomon_encode(&masks, ckem_hqc_level1.outer_code, z, message, whole);
}

/* Keeps them all. */
int main(void) {
  static void (*const gadgets[])(void) = {leak_start,
                                          leak_end,
                                          leak_and,
                                          leak_and_scalars,
                                          leak_or,
                                          leak_not,
                                          leak_xor,
                                          leak_xor_scalars,
                                          leak_copy,
                                          leak_refresh,
                                          leak_mux,
                                          leak_spread,
                                          leak_add,
                                          leak_absolute,
                                          leak_less,
                                          leak_any,
                                          leak_all,
                                          leak_fold,
                                          leak_bit_to_sum,
                                          leak_sum_to_bits,
                                          leak_multiply,
                                          leak_square,
                                          leak_invert,
                                          leak_chi,
                                          leak_permute,
                                          leak_draw,
                                          leak_place,
                                          leak_reed_muller,
                                          leak_reed_muller_encode,
                                          leak_reed_solomon,
                                          leak_refresh_element,
                                          leak_refresh_bytes,
                                          leak_plain_product,
                                          leak_shared_product,
                                          leak_prepare,
                                          leak_plain_encoder,
                                          leak_plain_outer_encoder,
                                          leak_plain_outer_decoder,
                                          leak_reed_solomon_encode,
                                          leak_decaps_1,
                                          leak_decaps_3,
                                          leak_decaps_5,
                                          leak_import_1,
                                          leak_import_3,
                                          leak_import_5};

  for (size_t i = 0; i < sizeof gadgets / sizeof gadgets[0]; i++) {
    void (*const volatile gadget)(void) = gadgets[i];
    gadget();
  }
  return 0;
}
