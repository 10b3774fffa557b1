/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key encapsulation: inputs, and the operations that need nothing but the stack. */
#include "kem_rows.h"

#include <stdio.h>
#include <string.h>

#define EXCHANGES 8 /* kept at the same time; a row needs at most a batch */
#define SPOILED_BYTES 64

struct kem_data data;
const codekem_kem *kem;

static const struct kem_calls *calls;
static const uint8_t *first_public_key; /* of the turn */
static struct {
  bool made;
  unsigned number;
  uint8_t public_key[CODEKEM_MCELIECE_MAX_PUBLIC_KEY];
  uint8_t secret_key[MOST_SECRET_KEY];
} pairs[EXCHANGES];
static struct {
  bool made;
  unsigned key, number;
  uint8_t ciphertext[MOST_CIPHERTEXT];
  uint8_t shared_secret[CODEKEM_LEGACY_MAX_SHARED_SECRET];
} encapsulations[EXCHANGES];

/* --- The subject ------------------------------------------------------------------------------ */

static codekem_status make_keypair(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed) {
  return codekem_kem_keypair_with(kem, public_key, secret_key, CODEKEM_OPTIONS(.seed = seed));
}

static codekem_status make_ciphertext(uint8_t *ciphertext, uint8_t *shared_secret,
                                      const uint8_t *public_key, const uint8_t *seed) {
  return codekem_kem_encaps_with(kem, ciphertext, shared_secret, public_key,
                                 CODEKEM_OPTIONS(.seed = seed));
}

bool kem_use(const codekem_kem *found, const struct kem_calls *with) {
  if (found == NULL) {
    return false;
  }
  for (size_t i = 0; found != kem && i < EXCHANGES; i++) {
    pairs[i].made = encapsulations[i].made = false;
  }
  kem = found;
  calls = with;
  return true;
}

bool kem_choose(const char *name) {
  static const struct kem_calls on_stack = {make_keypair, make_ciphertext};

  return kem_use(harness_find_kem(name), &on_stack);
}

/* --- Inputs ----------------------------------------------------------------------------------- */

static void fill_keypair_seed(uint8_t *seed, unsigned number) {
  harness_fill(seed, kem->length_keypair_seed, 1000 + number);
}

static void fill_encaps_seed(uint8_t *seed, unsigned number) {
  harness_fill(seed, kem->length_encaps_seed, 2000 + number);
}

/* Returns the place of a key pair, which is made once. */
static size_t pair(unsigned number) {
  const size_t place = number % EXCHANGES;
  uint8_t seed[CODEKEM_LEGACY_MAX_KEYPAIR_SEED];

  if (!pairs[place].made || pairs[place].number != number) {
    fill_keypair_seed(seed, number);
    harness_require(calls->keypair(pairs[place].public_key, pairs[place].secret_key, seed) ==
                        CODEKEM_OK,
                    "no key pair");
    harness_made(pairs[place].public_key, kem->length_public_key);
    harness_made(pairs[place].secret_key, kem->length_secret_key);
    pairs[place].made = true;
    pairs[place].number = number;
  }
  return place;
}

const uint8_t *kem_secret_key(unsigned number) {
  return pairs[pair(number)].secret_key;
}

void kem_take_keys(void) {
  pairs[0].made = true;
  pairs[0].number = 0;
  harness_require(
      fread(pairs[0].public_key, 1, kem->length_public_key, stdin) == kem->length_public_key &&
          fread(pairs[0].secret_key, 1, kem->length_secret_key, stdin) == kem->length_secret_key,
      "a key is missing");
}

/* The same of an encapsulation to a key. */
static size_t encapsulation(unsigned key, unsigned number) {
  const size_t place = number % EXCHANGES;
  uint8_t seed[MOST_ENCAPS_SEED];

  if (!encapsulations[place].made || encapsulations[place].number != number ||
      encapsulations[place].key != key) {
    fill_encaps_seed(seed, number);
    harness_require(calls->encaps(encapsulations[place].ciphertext,
                                  encapsulations[place].shared_secret, pairs[pair(key)].public_key,
                                  seed) == CODEKEM_OK,
                    "no encapsulation");
    harness_made(encapsulations[place].ciphertext, kem->length_ciphertext);
    harness_made(encapsulations[place].shared_secret, kem->length_shared_secret);
    encapsulations[place].made = true;
    encapsulations[place].key = key;
    encapsulations[place].number = number;
  }
  return place;
}

static size_t items_of(const struct row *row) {
  return row->items > 0 ? row->items : 1;
}

static unsigned key_of(const struct row *row, const struct turn *turn, size_t item) {
  return (unsigned)(row->shares_key ? 0 : item) +
         (row->inputs == NEW_KEYS && !turn->fixed_key ? turn->number : 0);
}

static unsigned seed_of(const struct row *row, const struct turn *turn, size_t item) {
  return (unsigned)item + (row->inputs == ALL_THE_SAME ? 0 : turn->number);
}

/* Returns where the public key starts inside the secret key; its length if it is not there. */
static size_t find_public_key(const uint8_t *secret_key, const uint8_t *public_key) {
  const size_t length = kem->length_public_key;
  size_t start = 0;

  while (start + length <= kem->length_secret_key &&
         memcmp(secret_key + start, public_key, length) != 0) {
    start += 1;
  }
  return start + length <= kem->length_secret_key ? start : kem->length_secret_key;
}

/* Alters the ciphertext; or of a secret key the first byte that only the owner has: part of a list
 * (BIKE) or of a seed (HQC). */
static void spoil(const struct row *row, const struct turn *turn) {
  if ((row->reads & CIPHERTEXT) != 0) {
    harness_fill(data.ciphertext, SPOILED_BYTES, turn->number);
    return;
  }
  const size_t start = find_public_key(data.secret_key, first_public_key);

  data.secret_key[start > 0 ? 0 : kem->length_public_key] ^= 1;
}

static void prepare_item(const struct row *row, const struct turn *turn, size_t item) {
  const unsigned key = key_of(row, turn, item);
  const unsigned number = seed_of(row, turn, item);

  fill_keypair_seed(data.keypair_seed + item * kem->length_keypair_seed, key);
  fill_encaps_seed(data.encaps_seed + item * kem->length_encaps_seed, number);
  if ((row->reads & (PUBLIC_KEY | SECRET_KEY)) != 0) {
    const size_t place = pair(key);

    if (item == 0) {
      first_public_key = pairs[place].public_key;
    }
    memcpy(data.public_key + item * kem->length_public_key, pairs[place].public_key,
           kem->length_public_key);
    memcpy(data.secret_key + item * kem->length_secret_key, pairs[place].secret_key,
           kem->length_secret_key);
  }
  if ((row->reads & CIPHERTEXT) != 0) {
    memcpy(data.ciphertext + item * kem->length_ciphertext,
           encapsulations[encapsulation(key, number)].ciphertext, kem->length_ciphertext);
  }
}

/* Of a batch with ciphertexts, the second is wrong. */
static bool is_wrong(const struct row *row, const struct turn *turn, size_t item) {
  return item == 1 || (item == 0 && turn->spoiled && row->spoiled != NULL);
}

void kem_prepare(const struct row *row, const struct turn *turn) {
  for (size_t i = 0; i < items_of(row); i++) {
    prepare_item(row, turn, i);
  }
  if ((row->makes & PUBLIC_KEY) != 0) {
    memset(data.public_key, 0, items_of(row) * kem->length_public_key);
  }
  memset(data.shared_secret, 0, sizeof data.shared_secret);
  if (turn->spoiled && row->spoiled != NULL) {
    spoil(row, turn);
  }
  if (row->items > 1) {
    data.ciphertext[kem->length_ciphertext + 5] ^= 0x25;
  }
}

bool kem_agrees(const struct row *row, const struct turn *turn) {
  const size_t length = kem->length_shared_secret;

  for (size_t i = 0; i < items_of(row); i++) {
    const unsigned key = key_of(row, turn, i);

    if ((row->makes & SHARED_SECRET) != 0 && (row->reads & CIPHERTEXT) != 0) {
      const size_t place = encapsulation(key, seed_of(row, turn, i));
      const bool same =
          memcmp(data.shared_secret + i * length, encapsulations[place].shared_secret, length) == 0;
      if (same == is_wrong(row, turn, i)) {
        return false;
      }
    }
    if ((row->makes & PUBLIC_KEY) != 0 && (row->reads & SECRET_KEY) != 0 &&
        memcmp(data.public_key, pairs[pair(key)].public_key, kem->length_public_key) != 0) {
      return false;
    }
  }
  return true;
}

/* --- Regions ---------------------------------------------------------------------------------- */

/* The secret keys without the public keys inside. */
static size_t list_secret_keys(size_t items, struct region *regions) {
  const size_t start = find_public_key(data.secret_key, first_public_key);
  const size_t end = start + kem->length_public_key;
  size_t count = 0;

  for (size_t i = 0; i < items; i++) {
    uint8_t *key = data.secret_key + i * kem->length_secret_key;

    if (start > 0) {
      regions[count++] = (struct region){"secret key", key, start, SECRET_INPUT, 0};
    }
    if (end < kem->length_secret_key) {
      regions[count++] =
          (struct region){"secret key", key + end, kem->length_secret_key - end, SECRET_INPUT, 0};
    }
  }
  return count;
}

/* The inputs but for the keys. */
static size_t list_inputs(const struct row *row, struct region *regions) {
  const size_t n = items_of(row);
  const bool decapsulates = (row->reads & CIPHERTEXT) != 0 && (row->makes & SHARED_SECRET) != 0;
  size_t count = 0;

  if ((row->reads & (KEYPAIR_SEED | SECRET_KEY)) != 0) {
    regions[count++] =
        (struct region){"seed of keys", data.keypair_seed, n * kem->length_keypair_seed,
                        (row->reads & KEYPAIR_SEED) != 0 ? SECRET_INPUT : HIDDEN, 0};
  }
  if ((row->reads & ENCAPS_SEED) != 0 || decapsulates) {
    regions[count++] = (struct region){"seed", data.encaps_seed, n * kem->length_encaps_seed,
                                       (row->reads & ENCAPS_SEED) != 0 ? SECRET_INPUT : HIDDEN, 0};
  }
  return count;
}

/* Most of an output comes out secret. Not all: the upper halves of positions are known to be zero,
 * and the seed in a public key of HQC is declassified inside. */
static struct region output(const char *name, uint8_t *bytes, size_t length, bool published) {
  return (struct region){name, bytes, length, published ? PUBLISHED_OUTPUT : SECRET_OUTPUT,
                         length - length / 4 * 3};
}

size_t kem_regions(const struct row *row, struct region *regions) {
  const size_t n = items_of(row);
  const bool keys_are_made = (row->makes & SECRET_KEY) != 0;
  size_t count = list_inputs(row, regions);

  if ((row->reads & SECRET_KEY) != 0) {
    count += list_secret_keys(n, regions + count);
  }
  if ((row->reads & CIPHERTEXT) != 0 && (row->makes & SHARED_SECRET) != 0) {
    /* Whether it decrypts must not show; but nobody searches memory for it. */
    regions[count++] = (struct region){"ciphertext", data.ciphertext, n * kem->length_ciphertext,
                                       WATCHED_INPUT, 0};
  }
  if ((row->makes & PUBLIC_KEY) != 0) {
    regions[count] = output("public key", data.public_key, n * kem->length_public_key, true);
    regions[count].kind = keys_are_made ? PUBLISHED_OUTPUT : PUBLIC_OUTPUT;
    count += 1;
  }
  if (keys_are_made) {
    regions[count++] = output("secret key", data.secret_key, n * kem->length_secret_key, false);
  }
  if ((row->makes & CIPHERTEXT) != 0) {
    regions[count++] = output("ciphertext", data.ciphertext, n * kem->length_ciphertext, true);
  }
  if ((row->makes & SHARED_SECRET) != 0) {
    regions[count++] =
        output("shared secret", data.shared_secret, n * kem->length_shared_secret, false);
  }
  return count;
}

/* --- Calls ------------------------------------------------------------------------------------ */

bool kem_random_keypair(void *context, uint8_t *out, size_t length) {
  const uint8_t **next = context;

  memset(out, 0, length);
  memcpy(out, *next, kem->length_keypair_seed);
  *next += kem->length_keypair_seed;
  return true;
}

bool kem_random_encaps(void *context, uint8_t *out, size_t length) {
  const uint8_t **next = context;

  memset(out, 0, length);
  memcpy(out, *next, kem->length_encaps_seed);
  *next += kem->length_encaps_seed;
  return true;
}

size_t kem_keypair_workspace(void) {
  return kem->length_keypair_workspace;
}

size_t kem_encaps_workspace(void) {
  return kem->length_encaps_workspace;
}

size_t kem_decaps_workspace(void) {
  return kem->length_decaps_workspace;
}

size_t kem_check_workspace(void) {
  return kem->length_check_workspace;
}

static codekem_status keypair(void) {
  const uint8_t *seeds = data.keypair_seed;

  return codekem_kem_keypair_with(kem, data.public_key, data.secret_key,
                                  CODEKEM_OPTIONS(.random = kem_random_keypair,
                                                  .random_context = &seeds));
}

static codekem_status encaps(void) {
  const uint8_t *seeds = data.encaps_seed;

  return codekem_kem_encaps_with(kem, data.ciphertext, data.shared_secret, data.public_key,
                                 CODEKEM_OPTIONS(.random = kem_random_encaps,
                                                 .random_context = &seeds));
}

static codekem_status decaps(void) {
  return codekem_kem_decaps(kem, data.shared_secret, data.ciphertext, data.secret_key);
}

/* What calls cost without a source of randomness. */

static codekem_status keypair_derand(void) {
  return codekem_kem_keypair_with(kem, data.public_key, data.secret_key,
                                  CODEKEM_OPTIONS(.seed = data.keypair_seed));
}

static codekem_status encaps_derand(void) {
  return codekem_kem_encaps_with(kem, data.ciphertext, data.shared_secret, data.public_key,
                                 CODEKEM_OPTIONS(.seed = data.encaps_seed));
}

static codekem_status check(void) {
  return codekem_kem_check_secret_key(kem, data.secret_key);
}

/* With a source of randomness, which is one step more than with a seed. */
const struct row kem_rows[KEM_ROWS] = {
    {"keypair", ON_STACK, keypair, KEM_KEYPAIR},
    {"encaps", ON_STACK, encaps, KEM_ENCAPS},
    {"decaps", ON_STACK, decaps, KEM_DECAPS},
    {"check", ON_STACK, check, KEM_CHECK},
    {"keypair-derand", FUNCTION, keypair_derand, KEM_KEYPAIR},
    {"encaps-derand", FUNCTION, encaps_derand, KEM_ENCAPS},
};

const struct table kem_table = {
    .lists = {ROWS(kem_rows)},
    .choose = kem_choose,
    .prepare = kem_prepare,
    .regions = kem_regions,
    .agrees = kem_agrees,
    .take_keys = kem_take_keys,
};
