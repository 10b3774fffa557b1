/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Packets of the cores, for their drivers: fields of bytes, each of which begins at a word. */
#ifndef CODEKEM_KEM_PACKET_H
#define CODEKEM_KEM_PACKET_H

#include "kem_device.h"

enum { KEM_OP_KEYGEN = 1, KEM_OP_ENCAPS = 2, KEM_OP_DECAPS = 3, KEM_OP_WIPE = 4 };

/* A packet that is being written or read, field by field. */
struct kem_packet {
  uint32_t *words;
  size_t count;
};

static inline void kem_wipe(void *data, size_t bytes) {
  volatile uint8_t *p = (volatile uint8_t *)data;
  while (bytes-- > 0) *p++ = 0;
}

static inline void kem_copy(uint8_t *restrict to, const uint8_t *restrict from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) to[i] = from[i];
}

static inline size_t kem_words_of(size_t bytes) {
  return (bytes + 3) / 4;
}

/* Appends a field of bytes; returns what follows it in the byte string. */
static inline const uint8_t *kem_put(struct kem_packet *packet, const uint8_t *bytes,
                                     size_t length) {
  for (size_t i = 0; i < kem_words_of(length); ++i) {
    uint32_t word = 0;
    for (size_t j = 0; j < 4 && 4 * i + j < length; ++j) {
      word |= (uint32_t)bytes[4 * i + j] << (8 * j);
    }
    packet->words[packet->count++] = word;
  }
  return bytes + length;
}

/* Takes a field out of a packet; returns where the next one goes. */
static inline uint8_t *kem_get(struct kem_packet *packet, uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    bytes[i] = (uint8_t)(packet->words[packet->count + i / 4] >> (8 * (i % 4)));
  }
  packet->count += kem_words_of(length);
  return bytes + length;
}

/* For what takes much stack: it must not become part of a function that often does without. */
#if defined(__GNUC__)
#define KEM_APART __attribute__((noinline))
#else
#define KEM_APART
#endif

/* Runs op with packets of these fields, made in in_words and out_words; both are wiped. */
static inline int kem_run_packed(const kem_device *device, unsigned op, const kem_in_field *in,
                                 size_t in_fields, uint32_t *in_words, const kem_out_field *out,
                                 size_t out_fields, uint32_t *out_words) {
  struct kem_packet given = {in_words, 0}, taken = {out_words, 0};
  size_t count = 0;
  for (size_t i = 0; i < in_fields; ++i) (void)kem_put(&given, in[i].bytes, in[i].length);
  for (size_t i = 0; i < out_fields; ++i) count += kem_words_of(out[i].length);
  const int status = device->run(device->context, op, in_words, given.count, out_words, count);
  for (size_t i = 0; i < out_fields && status == 0; ++i) {
    (void)kem_get(&taken, out[i].bytes, out[i].length);
  }
  kem_wipe(in_words, given.count * sizeof *in_words);
  kem_wipe(out_words, count * sizeof *out_words);
  return status;
}

/* Wipes what an operation that failed may have written. */
static inline void kem_wipe_fields(const kem_out_field *out, size_t out_fields) {
  for (size_t i = 0; i < out_fields; ++i) kem_wipe(out[i].bytes, out[i].length);
}

#define KEM_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
