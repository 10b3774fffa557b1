/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Hashing of what lies in the memory of an HQC core: the sponge around Keccak-f. */
#include "hls.h"
#include "hqc_layout.h"
#include "keccak.c"

enum { XOF_RATE = 17, HASH_RATE = 17, WIDE_RATE = 9 }; /* SHAKE256, SHA3-256, SHA3-512 */
/* What follows a message: the byte of the domain, and the first byte of the padding. */
#define XOF_END(domain) (0x1F00 | (domain))
#define HASH_END(domain) (0x0600 | (domain))

/*
 * Absorbs count words from data[from] on, the first of them as word `at` of a block; with at == 0,
 * the sponge begins anew. If end is not 0, the message ends: with the first TAIL_BYTES bytes of the
 * next word if tail is set, and end after them.
 */
void absorb(uint64_t sponge[static LANES], const uint64_t data[static DATA], PUBLIC uint16_t from,
            PUBLIC uint16_t count, PUBLIC uint8_t at, PUBLIC uint8_t rate, PUBLIC uint8_t tail,
            PUBLIC uint16_t end) {
  unsigned place = at, next = from, left = count;

  if (at == 0) {
  begin:
    for (int i = 0; i < LANES; i++) sponge[i] = 0;
  }
blocks_in:
  while (left > 0) {
    unsigned run = rate - place < left ? rate - place : left;
  words_in:
    for (unsigned i = 0; i < run; i++) sponge[place + i] ^= data[next + i];
    next += run;
    left -= run;
    place += run;
    if (place == rate) {
      keccak_f(sponge);
      place = 0;
    }
  }
  if (end) {
    uint64_t last = data[next] & (((uint64_t)1 << TAIL) - 1);
    last |= (uint64_t)end << TAIL;
    sponge[place] ^= tail ? last : end;
    sponge[rate - 1] ^= (uint64_t)1 << 63;
    keccak_f(sponge);
  }
}

/* Gives the next count words of output; the sponge has absorbed its message. */
void squeeze(uint64_t data[static DATA], uint64_t sponge[static LANES], PUBLIC uint16_t to,
             PUBLIC uint16_t count) {
  unsigned next = to, left = count;

blocks_out:
  while (left > 0) {
    unsigned run = left < XOF_RATE ? left : XOF_RATE;
  words_out:
    for (unsigned i = 0; i < run; i++) data[next + i] = sponge[i];
    next += run;
    left -= run;
    if (left > 0) keccak_f(sponge);
  }
}
