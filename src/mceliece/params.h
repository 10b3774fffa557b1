/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parameter sets of Classic McEliece [MCE, 2]. */
#ifndef CODEKEM_MCELIECE_PARAMS_H
#define CODEKEM_MCELIECE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mceliece/mceliece_sets.h"

/* Sizes as constants, for static buffers and for the table of KEMs. n is a multiple of 16. */
#define MCELIECE_ROWS(m, t) ((m) * (t))
#define MCELIECE_ROW_BYTES(m, n, t) (((n) - MCELIECE_ROWS(m, t) + 7) / 8)
#define MCELIECE_PUBLIC_KEY_BYTES(m, n, t) (MCELIECE_ROWS(m, t) * MCELIECE_ROW_BYTES(m, n, t))
#define MCELIECE_SYNDROME_BYTES(m, t) ((MCELIECE_ROWS(m, t) + 7) / 8)
#define MCELIECE_CONTROL_BYTES(m) ((2 * (m) - 1) << ((m) - 4))
#define MCELIECE_SECRET_KEY_BYTES(m, n, t) (40 + 2 * (t) + MCELIECE_CONTROL_BYTES(m) + (n) / 8)

#define MCELIECE_SEED_BYTES 32
#define MCELIECE_SHORT_KEY_BYTES 40 /* delta and c, from which the rest follows [MCE, 9.3] */
#define MCELIECE_HASH_BYTES 32

/* The largest of any set. */
#define MCELIECE_MAX_M 13
#define MCELIECE_MAX_Q 8192
#define MCELIECE_MAX_N 8192
#define MCELIECE_MAX_T 128
#define MCELIECE_MAX_TAU 256
#define MCELIECE_MAX_ROWS 1664
#define MCELIECE_MAX_ROW_BYTES 816
#define MCELIECE_MAX_SYNDROME_BYTES 208

/* In semi-systematic form the last 32 pivots lie within 64 columns [MCE, 5.5]. */
#define MCELIECE_MU 32
#define MCELIECE_NU 64

/* A code: what keys, encapsulation and decapsulation of a set have in common. */
struct mceliece_params {
  uint32_t m;
  uint32_t n;
  uint32_t t;
  uint32_t tau;       /* 16-bit numbers of one attempt to draw an error */
  uint8_t terms;      /* F(y) = y^t + the sum of low_value[i] y^low[i], i < terms */
  uint8_t low[4];     /* exponents */
  uint8_t low_value[4];
};

/* A KEM: a code and the two options. */
struct mceliece_variant {
  const struct mceliece_params *params;
  bool semi_systematic; /* the sets with f */
  bool confirms;        /* the sets with pc: the ciphertext confirms the plaintext */
};

/* The sets: ckem_mceliece_params_348864 and so on. */
#define MCELIECE_DECLARE(size) extern const struct mceliece_params ckem_mceliece_params_##size;
MCELIECE_SETS(MCELIECE_DECLARE)
#undef MCELIECE_DECLARE

static inline uint32_t mceliece_field_size(const struct mceliece_params *params) {
  return UINT32_C(1) << params->m;
}

static inline size_t mceliece_rows(const struct mceliece_params *params) {
  return (size_t)params->m * params->t;
}

static inline size_t mceliece_columns(const struct mceliece_params *params) {
  return params->n - mceliece_rows(params);
}

static inline size_t mceliece_row_bytes(const struct mceliece_params *params) {
  return (mceliece_columns(params) + 7) / 8;
}

static inline size_t mceliece_public_key_bytes(const struct mceliece_params *params) {
  return mceliece_rows(params) * mceliece_row_bytes(params);
}

static inline size_t mceliece_syndrome_bytes(const struct mceliece_params *params) {
  return (mceliece_rows(params) + 7) / 8;
}

static inline size_t mceliece_control_bytes(const struct mceliece_params *params) {
  return (size_t)MCELIECE_CONTROL_BYTES(params->m);
}

static inline size_t mceliece_error_bytes(const struct mceliece_params *params) {
  return params->n / 8;
}

static inline size_t mceliece_ciphertext_bytes(const struct mceliece_variant *variant) {
  return mceliece_syndrome_bytes(variant->params) + (variant->confirms ? MCELIECE_HASH_BYTES : 0);
}

/* Bytes of PRG(delta): s, keys of the ordering, beta, the next delta [MCE, 5.1]. */
static inline size_t mceliece_expansion_bytes(const struct mceliece_params *params) {
  return mceliece_error_bytes(params) + 4 * (size_t)mceliece_field_size(params) + 2 * params->t +
         MCELIECE_SEED_BYTES;
}

/* Where the fields of a secret key start: delta, c, g, control bits, s [MCE, 9.3]. */
struct mceliece_secret_key_layout {
  size_t pivots;
  size_t goppa;
  size_t control;
  size_t rejection;
  size_t end;
};

static inline struct mceliece_secret_key_layout mceliece_lay_out_secret_key(
    const struct mceliece_params *params) {
  struct mceliece_secret_key_layout layout;

  layout.pivots = MCELIECE_SEED_BYTES;
  layout.goppa = MCELIECE_SHORT_KEY_BYTES;
  layout.control = layout.goppa + 2 * params->t;
  layout.rejection = layout.control + mceliece_control_bytes(params);
  layout.end = layout.rejection + mceliece_error_bytes(params);
  return layout;
}

#endif
