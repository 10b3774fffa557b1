/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Lists of positions and the codes of HQC, as in products.c: each operation alone, in the
 * least that its contract (contracts.c) grants.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "bike/bike.h"
#include "gf2x/gf2x.h"
#include "levels.h"
#include "sparse/sparse.h"
#if defined(HQC)
#include "hqc/hqc.h"
#include "hqc/codes.h"
#include "hqc/reed_muller.h"
#endif

#define STRIDE GF2X_STRIDE(R_BITS)

extern const uint32_t any_support[KEY_WEIGHT];
extern const uint32_t any_positions[ERROR_WEIGHT];

/* --- Positions --- */

#include "sparse/sparse_portable.c"

#define ROWS ((GF2X_WORDS(R_BITS) + ROW_WORDS - 1) / ROW_WORDS)

/*@ requires size: rows == ROWS && 1 <= count <= FEW;
    requires out: \valid(out + (0 .. STRIDE - 1)) && \initialized(out + (0 .. STRIDE - 1));
    requires row: \initialized(few->row + (0 .. count - 1));
    requires words: \initialized(&few->words[0 .. count - 1][0 .. ROW_WORDS - 1]);
    requires apart: \separated(out + (0 .. STRIDE - 1), few);
    assigns out[0 .. STRIDE - 1] \from out[0 .. STRIDE - 1], *few;
    ensures set: \initialized(out + (0 .. STRIDE - 1)); */
static void place_portable(uint64_t *out, uint32_t rows, const struct few_positions *few,
                           size_t count);

/* As many as there are in one go, or fewer in the last one of a list. */
static void place(size_t count) {
  struct few_positions few;
  uint64_t out[STRIDE];

  Frama_C_make_unknown((char *)out, sizeof out);
  Frama_C_make_unknown((char *)few.row, count * sizeof few.row[0]);
  Frama_C_make_unknown((char *)few.words, count * sizeof few.words[0]);
  place_portable(out, ROWS, &few, count);
}

void analyse_place(void) {
  place(FEW);
  place(KEY_WEIGHT % FEW);
  place(ERROR_WEIGHT % FEW);
  Frama_C_show_each_end();
}

static void set_positions(const uint32_t *positions, size_t count, uint32_t first) {
  uint64_t out[STRIDE];

  ckem_sparse_portable.set_positions(&RING, out, positions, count, first);
  //@ assert out: \initialized(out + (0 .. STRIDE - 1));
}

void analyse_set_positions(void) {
  set_positions(any_support, KEY_WEIGHT, 0);
  set_positions(any_positions, ERROR_WEIGHT, 0);
#if !defined(HQC)
  set_positions(any_positions, ERROR_WEIGHT, R_BITS);
#endif
  Frama_C_show_each_end();
}

/* What is not initialised at the start would be read: the lists are changed in place. */
void analyse_pick_distinct(void) {
  uint32_t of_key[KEY_WEIGHT], of_error[ERROR_WEIGHT];

  Frama_C_make_unknown((char *)of_key, sizeof of_key);
  Frama_C_make_unknown((char *)of_error, sizeof of_error);
  ckem_sparse_portable.pick_distinct(of_key, of_key, KEY_WEIGHT, R_BITS);
  ckem_sparse_portable.pick_distinct(of_error, of_error, ERROR_WEIGHT, ERROR_LENGTH);
  //@ assert of_key: \initialized(of_key + (0 .. KEY_WEIGHT - 1));
  //@ assert of_error: \initialized(of_error + (0 .. ERROR_WEIGHT - 1));
  Frama_C_show_each_end();
}

/* --- Codes --- */

#if defined(HQC)
extern const uint64_t any_received[2 * COPIES * CODE_LENGTH];
extern const uint8_t any_codeword[CODE_LENGTH];
extern const uint8_t any_message[MESSAGE];

void analyse_reed_muller(void) {
  uint8_t symbols[CODE_LENGTH];

  ckem_hqc_codes_portable.reed_muller_decode(symbols, any_received, CODE_LENGTH, COPIES);
  //@ assert symbols: \initialized(symbols + (0 .. CODE_LENGTH - 1));
  Frama_C_show_each_end();
}

void analyse_reed_solomon(void) {
  uint8_t message[MESSAGE], codeword[CODE_LENGTH];

  ckem_hqc_codes_portable.reed_solomon_decode(HQC_PARAMS.outer_code, message, any_codeword);
  //@ assert message: \initialized(message + (0 .. MESSAGE - 1));
  ckem_hqc_codes_portable.reed_solomon_encode(HQC_PARAMS.outer_code, codeword, any_message);
  //@ assert codeword: \initialized(codeword + (0 .. CODE_LENGTH - 1));
  Frama_C_show_each_end();
}
#endif
