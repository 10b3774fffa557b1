/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Classic McEliece: the operations of KEMs that a stack can hold, and its own. */
#include <stdalign.h>
#include <string.h>

#include "kem_rows.h"

#define PAGE_BYTES 2048
#define PIECE_BYTES 10007
#define FIRST_ROW 5
#define ROWS_MADE 20
#define MOST_POSITIONS 128
#define SMALLEST_N 3488
/* Of a ciphertext only so much is secret here: unused bits at the end are public. */
#define WATCHED_BYTES 90

static codekem_mceliece_encapsulation encapsulation;
static alignas(64) uint8_t kept[4 << 20]; /* a prepared key, or what rows are made of */
static uint8_t positions[2 * 2 * MOST_POSITIONS]; /* two bytes each, all of them in range */
static uint8_t expanded[CODEKEM_MCELIECE_MAX_SECRET_KEY];
static uint8_t row_bytes[ROWS_MADE * 1000];

/* --- The subject ------------------------------------------------------------------------------ */

static codekem_status make_keypair(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed) {
  return codekem_kem_keypair_with(kem, public_key, secret_key,
                                  CODEKEM_OPTIONS(.seed = seed,
                                                  IN_HARNESS(kem_keypair_workspace())));
}

static codekem_status make_ciphertext(uint8_t *ciphertext, uint8_t *shared_secret,
                                      const uint8_t *public_key, const uint8_t *seed) {
  return codekem_kem_encaps_with(kem, ciphertext, shared_secret, public_key,
                                 CODEKEM_OPTIONS(.seed = seed, IN_HARNESS(kem_encaps_workspace())));
}

static bool choose(const char *name) {
  static const struct kem_calls in_workspace = {make_keypair, make_ciphertext};

  return kem_use(codekem_mceliece_kem_find(name), &in_workspace);
}

/* --- Inputs and outputs ----------------------------------------------------------------------- */

/* Distinct positions that are in range for every set, so that they need no second attempt. */
static void draw_positions(unsigned number) {
  uint8_t taken[SMALLEST_N] = {0};
  uint8_t bytes[2];
  uint32_t state = 1000 * number;

  for (size_t i = 0; i < sizeof positions / 2;) {
    harness_fill(bytes, sizeof bytes, state++);
    const unsigned position = (bytes[0] | (unsigned)bytes[1] << 8) % SMALLEST_N;
    if (!taken[position]) {
      taken[position] = 1;
      positions[2 * i] = (uint8_t)position;
      positions[2 * i + 1] = (uint8_t)(position >> 8);
      i++;
    }
  }
}

static void prepare(const struct row *row, const struct turn *turn) {
  kem_prepare(row, turn);
  if ((row->reads & KEYPAIR_SEED) != 0 && turn->first_attempts) {
    /* A secret key begins with the seed of the attempt that succeeded. */
    memcpy(data.keypair_seed, kem_secret_key(turn->number), kem->length_keypair_seed);
  }
  if ((row->reads & OTHER_DATA) != 0) {
    draw_positions(turn->number);
  }
  memset(expanded, 0, sizeof expanded);
  memset(row_bytes, 0, sizeof row_bytes);
}

static size_t length_of_rows(size_t count) {
  return count * (kem->length_public_key / codekem_mceliece_rows(kem));
}

static codekem_status expand(void);
static codekem_status rows_make(void);
static codekem_status in_pages(void);

static size_t regions(const struct row *row, struct region *list) {
  size_t count = kem_regions(row, list);

  for (size_t i = 0; i < count; i++) {
    if (list[i].kind == WATCHED_INPUT) {
      list[i].length = WATCHED_BYTES;
    } else if (list[i].bytes == data.public_key) {
      list[i].kind = PUBLIC_OUTPUT;
    } else if (list[i].bytes == data.secret_key && row->run == in_pages) {
      /* MemorySanitizer loses carries, and with them the order of what is sorted. */
      list[i].known = list[i].length - CODEKEM_MCELIECE_SHORT_SECRET_KEY;
    }
  }
  if ((row->reads & OTHER_DATA) != 0) {
    list[count++] = (struct region){"positions", positions, sizeof positions, SECRET_INPUT, 0};
  }
  if (row->run == expand) {
    const size_t length = kem->length_secret_key;
    list[count++] = (struct region){"secret key", expanded, length, SECRET_OUTPUT, length / 4};
  } else if (row->run == rows_make) {
    list[count++] = (struct region){"rows", row_bytes, length_of_rows(ROWS_MADE), PUBLIC_OUTPUT, 0};
  }
  return count;
}

static bool agrees(const struct row *row, const struct turn *turn) {
  if (row->run == expand) {
    return memcmp(expanded, data.secret_key, kem->length_secret_key) == 0;
  }
  if (row->run == rows_make) {
    return memcmp(row_bytes, data.public_key + length_of_rows(FIRST_ROW),
                  length_of_rows(ROWS_MADE)) == 0;
  }
  return kem_agrees(row, turn);
}

/* --- Calls ------------------------------------------------------------------------------------ */

static size_t pages_workspace(void) {
  return codekem_mceliece_keypair_in_pages_workspace(kem, PAGE_BYTES);
}

static codekem_status expand(void) {
  return codekem_mceliece_expand_secret_key(kem, expanded, data.secret_key, harness_workspace,
                                            kem_check_workspace());
}

static codekem_status prepare_key(void) {
  return codekem_mceliece_prepare_secret_key(kem, kept, sizeof kept, data.secret_key,
                                             harness_workspace, kem_decaps_workspace());
}

static codekem_status decaps_prepared(void) {
  return codekem_mceliece_decaps_prepared(kem, data.shared_secret, data.ciphertext, kept,
                                          harness_workspace, kem_decaps_workspace());
}

static bool give_positions(void *context, uint8_t *out, size_t length) {
  (void)context;
  memcpy(out, positions, length);
  return true;
}

static codekem_status encaps_random(void) {
  return codekem_mceliece_encaps_random(kem, data.ciphertext, data.shared_secret, data.public_key,
                                        give_positions, NULL, harness_workspace,
                                        kem_encaps_workspace());
}

static codekem_status begin(void) {
  return codekem_mceliece_encaps_begin_derand(kem, &encapsulation, data.encaps_seed);
}

static codekem_status begin_random(void) {
  return codekem_mceliece_encaps_begin(kem, &encapsulation, give_positions, NULL);
}

static codekem_status absorb(void) {
  codekem_status status = CODEKEM_OK;

  for (size_t done = 0; done < kem->length_public_key && status == CODEKEM_OK;) {
    const size_t left = kem->length_public_key - done;
    const size_t piece = left < PIECE_BYTES ? left : PIECE_BYTES;

    status = codekem_mceliece_encaps_absorb(&encapsulation, data.public_key + done, piece);
    done += piece;
  }
  return status;
}

static codekem_status begin_and_absorb(void) {
  const codekem_status status = begin();

  return status == CODEKEM_OK ? absorb() : status;
}

static codekem_status end(void) {
  return codekem_mceliece_encaps_end(&encapsulation, data.ciphertext, data.shared_secret);
}

static codekem_status rows_begin(void) {
  return codekem_mceliece_rows_begin(kem, kept, sizeof kept, data.secret_key, harness_workspace,
                                     kem_check_workspace());
}

static codekem_status rows_make(void) {
  return codekem_mceliece_rows_make(kem, row_bytes, FIRST_ROW, ROWS_MADE, kept);
}

static bool take_page(void *context, size_t offset, const uint8_t *page, size_t length) {
  size_t *taken = context;

  memcpy(data.public_key + offset, page, length);
  *taken += length;
  return true;
}

static codekem_status in_pages(void) {
  size_t taken = 0;
  const codekem_status status =
      codekem_mceliece_keypair_in_pages(kem, data.secret_key, data.keypair_seed, PAGE_BYTES,
                                        take_page, &taken, harness_workspace, pages_workspace());

  return status == CODEKEM_OK && taken != kem->length_public_key ? CODEKEM_ERROR_INTERNAL : status;
}

/* --- Rows ------------------------------------------------------------------------------------- */

#define ENCAPS .makes = CIPHERTEXT | SHARED_SECRET, .inputs = ONE_KEY
#define OF_KEYS .workspace = kem_check_workspace, .reads = SECRET_KEY
#define OF_CIPHERTEXTS .reads = CIPHERTEXT | SECRET_KEY, .makes = SHARED_SECRET

static const struct row operations[] = {
    {"expand", IN_WORKSPACE, expand, OF_KEYS},
    {"prepare", IN_WORKSPACE, prepare_key, kem_decaps_workspace, .reads = SECRET_KEY},
    {"decaps-prepared", IN_WORKSPACE, decaps_prepared, kem_decaps_workspace, OF_CIPHERTEXTS,
     .before = prepare_key},
    {"encaps-random", IN_WORKSPACE, encaps_random, kem_encaps_workspace, OTHER_DATA | PUBLIC_KEY,
     ENCAPS},
    {"begin", IN_WORKSPACE, begin, .reads = ENCAPS_SEED, .inputs = ONE_KEY},
    {"begin-random", IN_WORKSPACE, begin_random, .reads = OTHER_DATA, .inputs = ONE_KEY},
    {"absorb", IN_WORKSPACE, absorb, .reads = ENCAPS_SEED | PUBLIC_KEY, .inputs = ONE_KEY,
     .before = begin},
    {"end", IN_WORKSPACE, end, .reads = ENCAPS_SEED | PUBLIC_KEY, ENCAPS,
     .before = begin_and_absorb},
    {"rows-begin", IN_WORKSPACE, rows_begin, OF_KEYS},
    {"rows-make", IN_WORKSPACE, rows_make, .reads = SECRET_KEY, .before = rows_begin},
    {"in-pages", IN_WORKSPACE, in_pages, pages_workspace, KEYPAIR_SEED,
     .makes = PUBLIC_KEY | SECRET_KEY},
};

const struct table mceliece_table = {
    .lists = {ROWS(kem_rows), ROWS(kem_workspace_rows), ROWS(operations), ROWS(kem_batches)},
    .most_stack = CODEKEM_MAX_STACK,
    .choose = choose,
    .prepare = prepare,
    .regions = regions,
    .agrees = agrees,
    .take_keys = kem_take_keys,
};
