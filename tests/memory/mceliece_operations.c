/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The entry points of codekem_mceliece alone, each by itself. */
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem_mceliece.h"
#include "kem_data.h"
#include "watch.h"

#define PAGE_BYTES 2048
#define ROWS 3

static codekem_mceliece_encapsulation encapsulation;
static uint32_t random_state;
static alignas(64) uint8_t kept[2 << 20]; /* a prepared key, or what rows are made of */

static void require(codekem_status status) {
  if (status != CODEKEM_OK) {
    fprintf(stderr, "memory_check: preparation failed: %s\n", codekem_status_text(status));
    exit(2);
  }
}

static size_t check_workspace(void) {
  return kem->length_check_workspace;
}

static size_t decaps_workspace(void) {
  return kem->length_decaps_workspace;
}

static size_t encaps_workspace(void) {
  return kem->length_encaps_workspace;
}

static size_t pages_workspace(void) {
  return codekem_mceliece_keypair_in_pages_workspace(kem, PAGE_BYTES);
}

static size_t no_workspace(void) {
  return 0;
}

static codekem_status expand(void) {
  return codekem_mceliece_expand_secret_key(kem, data.secret_key + MOST_SECRET_KEY, data.secret_key,
                                            watch_workspace, check_workspace());
}

static codekem_status prepare_key(void) {
  return codekem_mceliece_prepare_secret_key(kem, kept, sizeof kept, data.secret_key,
                                             watch_workspace, decaps_workspace());
}

static void before_prepared(void) {
  require(prepare_key());
}

static codekem_status decaps_prepared(void) {
  return codekem_mceliece_decaps_prepared(kem, data.shared_secret, data.ciphertext, kept,
                                          watch_workspace, decaps_workspace());
}

/* Bytes that follow from the seed of an encapsulation. */
static bool random_of_seed(void *context, uint8_t *out, size_t length) {
  uint32_t *state = context;

  for (size_t i = 0; i < length; i++) {
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    out[i] = (uint8_t)(*state >> 24);
  }
  return true;
}

static codekem_status encaps_random(void) {
  random_state = data.encaps_seed[0];
  return codekem_mceliece_encaps_random(kem, data.ciphertext, data.shared_secret, data.public_key,
                                        random_of_seed, &random_state, watch_workspace,
                                        encaps_workspace());
}

static codekem_status begin(void) {
  return codekem_mceliece_encaps_begin_derand(kem, &encapsulation, data.encaps_seed);
}

static codekem_status begin_random(void) {
  random_state = data.encaps_seed[0];
  return codekem_mceliece_encaps_begin(kem, &encapsulation, random_of_seed, &random_state);
}

static void before_absorb(void) {
  require(begin());
}

static codekem_status absorb(void) {
  return codekem_mceliece_encaps_absorb(&encapsulation, data.public_key, kem->length_public_key);
}

static void before_end(void) {
  require(begin());
  require(absorb());
}

static codekem_status end(void) {
  return codekem_mceliece_encaps_end(&encapsulation, data.ciphertext, data.shared_secret);
}

static codekem_status rows_begin(void) {
  return codekem_mceliece_rows_begin(kem, kept, sizeof kept, data.secret_key, watch_workspace,
                                     check_workspace());
}

static void before_rows(void) {
  require(rows_begin());
}

static codekem_status rows_make(void) {
  return codekem_mceliece_rows_make(kem, data.public_key, 5, ROWS, kept);
}

static bool take_page(void *context, size_t offset, const uint8_t *page, size_t length) {
  (void)context;
  memcpy(data.public_key + offset, page, length);
  return true;
}

static codekem_status in_pages(void) {
  return codekem_mceliece_keypair_in_pages(kem, data.secret_key, data.keypair_seed, PAGE_BYTES,
                                           take_page, NULL, watch_workspace, pages_workspace());
}

const struct kem_operation mceliece_operations[] = {
    {"expand", "workspace", expand, check_workspace, NEW_KEYS, NULL},
    {"prepare", "workspace", prepare_key, decaps_workspace, NEW_KEYS, NULL},
    {"decaps-prepared", "workspace", decaps_prepared, decaps_workspace, NEW_KEYS, before_prepared},
    {"encaps-random", "workspace", encaps_random, encaps_workspace, ONE_KEY, NULL},
    {"begin", "workspace", begin, no_workspace, ONE_KEY, NULL},
    {"begin-random", "workspace", begin_random, no_workspace, ONE_KEY, NULL},
    {"absorb", "workspace", absorb, no_workspace, ONE_KEY, before_absorb},
    {"end", "workspace", end, no_workspace, ONE_KEY, before_end},
    {"rows-begin", "workspace", rows_begin, check_workspace, NEW_KEYS, NULL},
    {"rows-make", "workspace", rows_make, no_workspace, NEW_KEYS, before_rows},
    {"in-pages", "workspace", in_pages, pages_workspace, NEW_KEYS, NULL}, /* the last */
};

const size_t mceliece_operation_count = sizeof mceliece_operations / sizeof mceliece_operations[0];

int mceliece_has(size_t i) {
  return codekem_mceliece_rows(kem) != 0 &&
         (i + 1 < mceliece_operation_count || pages_workspace() != 0);
}
