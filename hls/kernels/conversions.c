/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Vectors of HQC: sums, comparisons, and the byte strings of keys and ciphertexts, as words of 64
 * bits, little-endian. What is in a byte string behind a polynomial lies TAIL_BYTES bytes after the
 * beginning of a word.
 */
#include "hls.h"
#include "hqc_layout.h"

enum { KEY_STRING = KEY_FULL + 1, TEXT_STRING = TEXT_FULL + 1 };

void vect_add(uint64_t sum[static WORD_COUNT], const uint64_t a[static WORD_COUNT],
              const uint64_t b[static WORD_COUNT]) {
terms:
  for (int i = 0; i < WORD_COUNT; i++) sum[i] = a[i] ^ b[i];
}

/* 1 if two polynomials are different, else 0. */
uint8_t compare(const uint64_t a[static WORD_COUNT], const uint64_t b[static WORD_COUNT]) {
  uint64_t different = 0;

words:
  for (int i = 0; i < WORD_COUNT; i++) different |= a[i] ^ b[i];
  return different != 0;
}

/* The same for 64 bytes. */
uint8_t compare_64(const uint64_t a[static 8], const uint64_t b[static 8]) {
  uint64_t different = 0;

words:
  for (int i = 0; i < 8; i++) different |= a[i] ^ b[i];
  return different != 0;
}

void ciphertext_to_string(uint64_t text[static TEXT_STRING], const uint64_t u[static WORD_COUNT],
                          const uint64_t v[static CODE_WORDS], const uint64_t salt[static 2]) {
  uint64_t before = 0;

first:
  for (int i = 0; i < WORD_COUNT; i++) {
    before = u[i];
    text[i] = before;
  }
second:
  for (int i = 0; i < CODE_WORDS; i++) {
    uint64_t word = v[i];
    text[WORD_COUNT - 1 + i] = before | word << TAIL;
    before = word >> (64 - TAIL);
  }
third:
  for (int i = 0; i < 2; i++) {
    uint64_t word = salt[i];
    text[WORD_COUNT - 1 + CODE_WORDS + i] = before | word << TAIL;
    before = word >> (64 - TAIL);
  }
  text[TEXT_FULL] = before;
}

void ciphertext_from_string(uint64_t u[static WORD_COUNT], uint64_t v[static CODE_WORDS],
                            uint64_t salt[static 2], const uint64_t text[static TEXT_STRING]) {
  uint64_t before = 0;

first:
  for (int i = 0; i < WORD_COUNT; i++) {
    before = text[i];
    u[i] = i == WORD_COUNT - 1 ? before & (((uint64_t)1 << TAIL) - 1) : before;
  }
  before >>= TAIL;
second:
  for (int i = 0; i < CODE_WORDS; i++) {
    uint64_t word = text[WORD_COUNT + i];
    v[i] = before | word << (64 - TAIL);
    before = word >> TAIL;
  }
third:
  for (int i = 0; i < 2; i++) {
    uint64_t word = text[WORD_COUNT + CODE_WORDS + i];
    salt[i] = before | word << (64 - TAIL);
    before = word >> TAIL;
  }
}

void public_key_from_string(uint64_t seed[static 4], uint64_t s[static WORD_COUNT],
                            const uint64_t key[static KEY_STRING]) {
first:
  for (int i = 0; i < 4; i++) seed[i] = key[i];
second:
  for (int i = 0; i < WORD_COUNT; i++) s[i] = key[4 + i];
}
