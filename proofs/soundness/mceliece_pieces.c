/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Encapsulation to a public key that comes in pieces: a step of absorbing, with any bytes in any
 * state, and whole keys in pieces of some lengths, over the sum of a part (-eva-use-spec). With the
 * back end of mceliece_operation.c.
 */
#include <__fc_builtin.h>

#include "codekem_mceliece.h"
#include "mceliece_operation.h"

#include "mceliece/encoder.c"

#define ROWS (M * T)
#define ROW_BYTES MCELIECE_ROW_BYTES(M, N, T)

extern const uint8_t any_public_key[PUBLIC_KEY_BYTES];
extern const uint8_t any_partner[MCELIECE_PARTNER_BYTES];
extern const uint8_t any_seed[MCELIECE_SEED_BYTES];

/*@ requires length: 1 <= length <= ROW_BYTES;
    requires data: \initialized(data + (0 .. length - 1));
    requires partner: \initialized(partner + (0 .. length - 1));
    assigns \result \from data[0 .. length - 1], partner[0 .. length - 1]; */
static uint64_t fold_part(const uint8_t *data, const uint8_t *partner, size_t length);

/* A part of any length, at the end of its array; the partner is from anywhere in a row. */
void analyse_fold_part(void) {
  for (size_t length = 1; length <= ROW_BYTES; length++) {
    const size_t offset = (size_t)Frama_C_unsigned_long_interval(0, ROW_BYTES - length);
    const uint64_t sum =
        fold_part(any_public_key + (PUBLIC_KEY_BYTES - length), any_partner + offset, length);

    Frama_C_show_each_sum(sum);
  }
  Frama_C_show_each_end();
}

static void set_state(struct mceliece_encoder *encoder, uint32_t row, uint32_t offset) {
  Frama_C_make_unknown((char *)encoder, sizeof *encoder);
  encoder->row = row;
  encoder->offset = offset;
}

/* Bytes that do not end a row, after any others of it. */
static void absorb_inside(size_t length) {
  struct mceliece_encoder encoder;
  size_t taken;

  set_state(&encoder, (uint32_t)Frama_C_unsigned_int_interval(0, ROWS - 1),
            (uint32_t)Frama_C_unsigned_int_interval(0, (unsigned)(ROW_BYTES - 1 - length)));
  taken = absorb_part(&encoder, &PARAMS, any_public_key + (PUBLIC_KEY_BYTES - length), length);
  //@ assert taken: taken == length;
  //@ assert inside: encoder.offset < ROW_BYTES && encoder.row < ROWS;
}

/* At least as many bytes as are left of a row; no others are looked at. */
static void absorb_end(size_t offset) {
  const size_t room = ROW_BYTES - offset;
  struct mceliece_encoder encoder;
  size_t taken;

  set_state(&encoder, (uint32_t)Frama_C_unsigned_int_interval(0, ROWS - 1), (uint32_t)offset);
  taken = absorb_part(&encoder, &PARAMS, any_public_key + (PUBLIC_KEY_BYTES - room),
                      Frama_C_unsigned_long_interval(room, UINT64_MAX));
  //@ assert taken: taken == room;
  //@ assert next: encoder.offset == 0 && 1 <= encoder.row <= ROWS;
}

/* Whole rows, as many as are taken at once, after any rows before them. */
static void absorb_whole(size_t count) {
  struct mceliece_encoder encoder;

  set_state(&encoder, 8 * (uint32_t)Frama_C_unsigned_int_interval(0, (unsigned)(ROWS - count) / 8),
            0);
  absorb_rows(&encoder, &PARAMS, ckem_mceliece_ops_of(&contracts),
              any_public_key + (PUBLIC_KEY_BYTES - count * ROW_BYTES), count);
  //@ assert rows: encoder.row <= ROWS && encoder.row % 8 == 0;
}

void analyse_absorb(void) {
  for (size_t i = 0; i < ROW_BYTES; i++) {
    absorb_end(i);
    if (i > 0) {
      absorb_inside(i);
    }
  }
  for (size_t count = 8; count <= ROWS_AT_ONCE; count += 8) {
    absorb_whole(count);
  }
  Frama_C_show_each_end();
}

/* A whole key in pieces, the last of which may be shorter; `more` bytes are too many. */
static void encapsulate(size_t piece, size_t more) {
  codekem_mceliece_encapsulation encapsulation;
  uint8_t ciphertext[CIPHERTEXT_BYTES];
  uint8_t shared_secret[MCELIECE_HASH_BYTES];
  codekem_status status =
      codekem_mceliece_encaps_begin_derand(&KEM_OBJECT, &encapsulation, any_seed);

  //@ assert begun: status == CODEKEM_OK;
  for (size_t start = 0; start < PUBLIC_KEY_BYTES; start += piece) {
    const size_t left = PUBLIC_KEY_BYTES - start;

    status = codekem_mceliece_encaps_absorb(&encapsulation, any_public_key + start,
                                            left < piece ? left : piece);
    //@ assert absorbed: status == CODEKEM_OK;
  }
  status = codekem_mceliece_encaps_absorb(&encapsulation, any_public_key, more);
  //@ assert absorbed: status == CODEKEM_OK;
  status = codekem_mceliece_encaps_end(&encapsulation, ciphertext, shared_secret);
  //@ assert status: status == CODEKEM_OK || status == CODEKEM_ERROR_PUBLIC_KEY;
  //@ assert refused: more == 0 || status == CODEKEM_ERROR_PUBLIC_KEY;
  //@ assert ciphertext: \initialized(ciphertext + (0 .. CIPHERTEXT_BYTES - 1));
  //@ assert shared_secret: \initialized(shared_secret + (0 .. MCELIECE_HASH_BYTES - 1));
  status = codekem_mceliece_encaps_end(&encapsulation, ciphertext, shared_secret);
  //@ assert ended: status == CODEKEM_ERROR_NULL;
}

/* Whether the source has randomness, or fails, and no public key. */
static bool any_source(void *context, uint8_t *out, size_t length) {
  (void)context;
  Frama_C_make_unknown((char *)out, length);
  return Frama_C_interval(0, 1) != 0;
}

static void begin_and_end(void) {
  codekem_mceliece_encapsulation encapsulation;
  uint8_t ciphertext[CIPHERTEXT_BYTES];
  uint8_t shared_secret[MCELIECE_HASH_BYTES];
  codekem_status status =
      codekem_mceliece_encaps_begin(&KEM_OBJECT, &encapsulation, any_source, NULL);

  //@ assert begun: status == CODEKEM_OK || status == CODEKEM_ERROR_RANDOM;
  status = codekem_mceliece_encaps_end(&encapsulation, ciphertext, shared_secret);
  //@ assert ended: status == CODEKEM_ERROR_NULL || status == CODEKEM_ERROR_PUBLIC_KEY;
}

/* Each argument may be NULL, but for the source's context. */
static void refuse_null(void) {
  codekem_mceliece_encapsulation encapsulation;
  const codekem_kem *kem = Frama_C_interval(0, 1) ? &KEM_OBJECT : NULL;
  codekem_random_function random = Frama_C_interval(0, 1) ? any_source : NULL;
  codekem_status status = codekem_mceliece_encaps_begin(kem, NULL, random, NULL);

  //@ assert no_memory: status == CODEKEM_ERROR_NULL;
  status = codekem_mceliece_encaps_begin(NULL, &encapsulation, random, NULL);
  //@ assert no_kem: status == CODEKEM_ERROR_NULL;
  status = codekem_mceliece_encaps_begin(kem, &encapsulation, NULL, NULL);
  //@ assert no_source: status == CODEKEM_ERROR_NULL;
  status = codekem_mceliece_encaps_begin_derand(kem, &encapsulation, NULL);
  //@ assert no_seed: status == CODEKEM_ERROR_NULL;
  status = codekem_mceliece_encaps_absorb(NULL, any_public_key, 1);
  //@ assert not_begun: status == CODEKEM_ERROR_NULL;
  status = codekem_mceliece_encaps_end(NULL, NULL, NULL);
  //@ assert not_ended: status == CODEKEM_ERROR_NULL;
}

/* A piece, or an output, is missing; the other output is set to zero. */
static void miss_argument(bool ciphertext_missing) {
  codekem_mceliece_encapsulation encapsulation;
  uint8_t ciphertext[CIPHERTEXT_BYTES];
  uint8_t shared_secret[MCELIECE_HASH_BYTES];
  codekem_status status =
      codekem_mceliece_encaps_begin_derand(&KEM_OBJECT, &encapsulation, any_seed);

  status = codekem_mceliece_encaps_absorb(&encapsulation, NULL, 1);
  //@ assert no_piece: status == CODEKEM_ERROR_NULL;
  status = codekem_mceliece_encaps_absorb(&encapsulation, NULL, 0);
  //@ assert no_bytes: status == CODEKEM_OK;
  if (ciphertext_missing) {
    status = codekem_mceliece_encaps_end(&encapsulation, NULL, shared_secret);
    //@ assert secret: \initialized(shared_secret + (0 .. MCELIECE_HASH_BYTES - 1));
  } else {
    status = codekem_mceliece_encaps_end(&encapsulation, ciphertext, NULL);
    //@ assert ciphertext: \initialized(ciphertext + (0 .. CIPHERTEXT_BYTES - 1));
  }
  //@ assert no_output: status == CODEKEM_ERROR_NULL;
}

void analyse_pieces(void) {
  refuse_null();
  miss_argument(false);
  miss_argument(true);
  encapsulate(500, 0);
  encapsulate(4097, 0);
  encapsulate(8 * ROW_BYTES, 1);
  encapsulate(PUBLIC_KEY_BYTES, 0);
  begin_and_end();
  Frama_C_show_each_end();
}
