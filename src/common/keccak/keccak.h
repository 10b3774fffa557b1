/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA-3 and SHAKE [FIPS 202] over the Keccak-f[1600] permutation of a back end. */
#ifndef CODEKEM_KECCAK_KECCAK_H
#define CODEKEM_KECCAK_KECCAK_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#include "base/isa.h"

#define KECCAK_LANES 25

/* The most states that a back end of the build permutes at once. */
#if defined(CODEKEM_HAVE_AVX512)
#define KECCAK_MAX_WIDTH 8
#elif defined(CODEKEM_HAVE_AVX2)
#define KECCAK_MAX_WIDTH 4
#else
#define KECCAK_MAX_WIDTH 2
#endif

/* One implementation of the permutation. A state is 25 lanes, lane x + 5 y; timing is constant. */
struct keccak_ops {
  const char *name;
  /* Applies Keccak-f[1600] to state. */
  void (*permute)(uint64_t state[KECCAK_LANES]);
  /* Applies Keccak-f[1600] to two states; vector back ends do both at once. */
  void (*permute_pair)(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]);
  /* How many states permute_many takes: 1, 2, 4 or 8, at most KECCAK_MAX_WIDTH. */
  size_t width;
  /* Applies Keccak-f[1600] to width states in about the time of one. Lane i of state j is
   * states[width * i + j]. */
  void (*permute_many)(uint64_t *states);
  /* Absorbs the whole blocks that data[length] has into state, with a permutation after each, and
   * returns their bytes. NULL where that is no faster than to add words and permute. */
  size_t (*absorb)(uint64_t state[KECCAK_LANES], const uint8_t *data, size_t length,
                   size_t rate_bytes);
};

extern const struct keccak_ops ckem_keccak_reference;
extern const struct keccak_ops ckem_keccak_portable;
extern const struct keccak_ops ckem_keccak_avx2;
extern const struct keccak_ops ckem_keccak_avx512;
extern const struct keccak_ops ckem_keccak_neon;
extern const struct keccak_ops ckem_keccak_neon32;
extern const struct keccak_ops ckem_keccak_neon_sha3;
extern const struct keccak_ops ckem_keccak_rvv;
extern const struct keccak_ops ckem_keccak_m4;

/* In files of their own. */
void ckem_keccak_permute_many_avx2(uint64_t *states);
void ckem_keccak_permute_many_avx512(uint64_t *states);
void ckem_keccak_permute_avx512(uint64_t state[KECCAK_LANES]);
size_t ckem_keccak_absorb_avx512(uint64_t state[KECCAK_LANES], const uint8_t *data, size_t length,
                                 size_t rate_bytes);

/* Rates in bytes, and the bits that end the message. */
#define SHAKE128_RATE_BYTES 168
#define SHAKE256_RATE_BYTES 136
#define SHA3_256_RATE_BYTES 136
#define SHA3_384_RATE_BYTES 104
#define SHA3_512_RATE_BYTES 72
#define KECCAK_SUFFIX_SHA3 0x06
#define KECCAK_SUFFIX_SHAKE 0x1F

/* A sponge that absorbs in pieces, then squeezes in pieces. */
struct keccak_sponge {
  uint64_t state[KECCAK_LANES];
  const struct keccak_ops *ops;
  size_t rate_bytes;
  size_t position; /* bytes of the current block absorbed or squeezed */
  uint8_t suffix;
};

/* Starts a sponge. rate_bytes: a multiple of 8 below 200. */
void ckem_keccak_init(struct keccak_sponge *sponge, const struct keccak_ops *ops, size_t rate_bytes,
                      uint8_t suffix);

/* Absorbs data[length]. Timing: depends on length and on what was absorbed before, both public. */
void ckem_keccak_absorb(struct keccak_sponge *sponge, const uint8_t *data, size_t length);

/* Absorbs into two sponges with the same ops; where both have whole blocks, they are permuted
 * together. */
void ckem_keccak_absorb_pair(struct keccak_sponge *first, const uint8_t *first_data,
                             size_t first_length, struct keccak_sponge *second,
                             const uint8_t *second_data, size_t second_length);

/* Ends the message; call it once, before ckem_keccak_squeeze. */
void ckem_keccak_finish(struct keccak_sponge *sponge);

/* Squeezes out[length]; the stream continues from call to call. */
void ckem_keccak_squeeze(struct keccak_sponge *sponge, uint8_t *out, size_t length);

/* What another sponge with the same ops has to do meanwhile: to absorb in[length], or, if in is
 * NULL, to squeeze out[length]. */
struct keccak_task {
  struct keccak_sponge *sponge;
  const uint8_t *in;
  uint8_t *out;
  size_t length; /* of what is left */
};

/* As ckem_keccak_squeeze; where the task wants a permutation, too, both are done together. task may
 * be NULL. */
void ckem_keccak_squeeze_beside(struct keccak_sponge *sponge, uint8_t *out, size_t length,
                                struct keccak_task *task);

/* Does what is left of a task. */
void ckem_keccak_end_task(struct keccak_task *task);

/* The hash functions on one message. out: 32, 48 or 64 bytes. */
void ckem_sha3_256(const struct keccak_ops *ops, uint8_t out[32], const uint8_t *data,
                   size_t length);
void ckem_sha3_384(const struct keccak_ops *ops, uint8_t out[48], const uint8_t *data,
                   size_t length);
void ckem_sha3_512(const struct keccak_ops *ops, uint8_t out[64], const uint8_t *data,
                   size_t length);

/* The extendable-output functions on one message. */
void ckem_shake128(const struct keccak_ops *ops, uint8_t *out, size_t out_length,
                   const uint8_t *data, size_t length);
void ckem_shake256(const struct keccak_ops *ops, uint8_t *out, size_t out_length,
                   const uint8_t *data, size_t length);

/* --- Independent strings side by side ------------------------------------------------------------
 * As many sponges as the back end permutes at once, which absorb and squeeze the same number of
 * bytes at the same time. */
struct keccak_many {
  alignas(64) uint64_t states[KECCAK_LANES * KECCAK_MAX_WIDTH]; /* as permute_many has them */
  const struct keccak_ops *ops;
  size_t count;      /* sponges in use; the others hold nothing of meaning */
  size_t rate_bytes;
  size_t position;   /* as in keccak_sponge */
  uint8_t suffix;
};

/* Starts count sponges, 1 <= count <= ops->width. */
void ckem_keccak_many_init(struct keccak_many *many, const struct keccak_ops *ops, size_t count,
                           size_t rate_bytes, uint8_t suffix);

/* Sponge j absorbs data[j][length]. The arrays have as many pointers as there are sponges, here and
 * below. Timing: as ckem_keccak_absorb. */
void ckem_keccak_many_absorb(struct keccak_many *many, const uint8_t *const data[], size_t length);

/* Ends all messages; call it once, before ckem_keccak_many_squeeze. */
void ckem_keccak_many_finish(struct keccak_many *many);

/* Squeezes out[j][length] from sponge j; the streams continue from call to call. */
void ckem_keccak_many_squeeze(struct keccak_many *many, uint8_t *const out[], size_t length);

/* Copies sponge j, which then goes on alone. */
void ckem_keccak_many_copy_one(const struct keccak_many *many, size_t j,
                               struct keccak_sponge *sponge);

/* Hashes data[j][length] to out[j][out_length] for every j below count, which may be any number:
 * messages of the same length, as many at once as the back end permutes. */
void ckem_keccak_hash_many(const struct keccak_ops *ops, size_t rate_bytes, uint8_t suffix,
                           uint8_t *const out[], size_t out_length, const uint8_t *const data[],
                           size_t length, size_t count);

#endif
