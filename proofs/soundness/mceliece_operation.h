/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The operations of Classic McEliece that are analysed over contracts: the KEM, its sizes, and the
 * specifications of steps that they share. M, N, T, PARAMS and KEM_OBJECT are those of a KEM;
 * CONFIRMS is 1 for the forms with pc. */
#ifndef CODEKEM_TESTS_MCELIECE_OPERATION_H
#define CODEKEM_TESTS_MCELIECE_OPERATION_H

#include "apart.h"
#include "base/backend.h"
#include "codekem.h"
#include "mceliece/mceliece.h"

#define PUBLIC_KEY_BYTES MCELIECE_PUBLIC_KEY_BYTES(M, N, T)
#define SECRET_KEY_BYTES MCELIECE_SECRET_KEY_BYTES(M, N, T)
#define CIPHERTEXT_BYTES (MCELIECE_SYNDROME_BYTES(M, T) + (CONFIRMS ? MCELIECE_HASH_BYTES : 0))

extern const codekem_kem KEM_OBJECT;
extern const struct mceliece_params PARAMS;

/* The back end of which all but Keccak is a contract. */
extern const struct backend contracts;

#define ENTRIES MCELIECE_COLUMN_ENTRIES(M)
#define ORDERING_WORDS MCELIECE_ORDER_WORDS(M)
#define MATRIX_WORDS MCELIECE_MATRIX_WORDS(M, T)

/* --- Steps that mceliece_operation.c proves alone; with -eva-use-spec EVA takes these --- */

/*@ predicate are_columns(struct mceliece_columns *c) =
      \valid(c->pi + (0 .. ENTRIES - 1)) && \initialized(c->pi + (0 .. ENTRIES - 1)) &&
      \valid(c->point + (0 .. ENTRIES - 1)) && \initialized(c->point + (0 .. ENTRIES - 1)) &&
      \valid(c->inverse + (0 .. ENTRIES - 1)) && \initialized(c->inverse + (0 .. ENTRIES - 1));
    predicate are_apart(struct mceliece_columns *c, uint64_t *words, integer count) =
      \separated(c->pi + (0 .. ENTRIES - 1), c->point + (0 .. ENTRIES - 1)) &&
      \separated(c->pi + (0 .. ENTRIES - 1), c->inverse + (0 .. ENTRIES - 1)) &&
      \separated(c->point + (0 .. ENTRIES - 1), c->inverse + (0 .. ENTRIES - 1)) &&
      \separated(c->pi + (0 .. ENTRIES - 1), words + (0 .. count - 1)) &&
      \separated(c->point + (0 .. ENTRIES - 1), words + (0 .. count - 1)) &&
      \separated(c->inverse + (0 .. ENTRIES - 1), words + (0 .. count - 1)); */

/*@ requires set: params == &PARAMS && backend == &contracts;
    requires columns: are_columns((struct mceliece_columns *)columns);
    requires ordering: \initialized(ordering + (0 .. 4 * (1 << M) - 1));
    requires goppa: \initialized(goppa + (0 .. T - 1));
    requires arena: arena.words_left >= ORDERING_WORDS &&
        \valid(arena.next + (0 .. ORDERING_WORDS - 1));
    requires apart: are_apart((struct mceliece_columns *)columns, arena.next, ORDERING_WORDS);
    requires inputs: \separated(arena.next + (0 .. ORDERING_WORDS - 1), goppa + (0 .. T - 1)) &&
        \separated(arena.next + (0 .. ORDERING_WORDS - 1), ordering + (0 .. 4 * (1 << M) - 1));
    assigns \result \from ordering[0 .. 4 * (1 << M) - 1];
    assigns columns->pi[0 .. (1 << M) - 1] \from ordering[0 .. 4 * (1 << M) - 1];
    assigns columns->point[0 .. (1 << M) - 1] \from ordering[0 .. 4 * (1 << M) - 1];
    assigns columns->inverse[0 .. (1 << M) - 1] \from ordering[0 .. 4 * (1 << M) - 1];
    assigns arena.next[0 .. ORDERING_WORDS - 1] \from ordering[0 .. 4 * (1 << M) - 1];
    ensures columns: are_columns((struct mceliece_columns *)columns);
    ensures result: \result == 0 || \result == 1; */
bool ckem_mceliece_order_columns(const struct mceliece_params *params,
                                 const struct backend *backend,
                                 const struct mceliece_columns *columns, const uint8_t *ordering,
                                 const uint16_t *goppa, struct arena arena);

/*@ requires set: params == &PARAMS && backend == &contracts;
    requires columns: are_columns((struct mceliece_columns *)columns);
    requires goppa: \initialized(goppa + (0 .. T - 1));
    requires arena: arena.words_left >= ORDERING_WORDS &&
        \valid(arena.next + (0 .. ORDERING_WORDS - 1));
    requires apart: are_apart((struct mceliece_columns *)columns, arena.next, ORDERING_WORDS);
    requires inputs: \separated(arena.next + (0 .. ORDERING_WORDS - 1), goppa + (0 .. T - 1));
    assigns columns->point[0 .. (1 << M) - 1] \from columns->pi[0 .. (1 << M) - 1];
    assigns columns->inverse[0 .. (1 << M) - 1] \from columns->pi[0 .. (1 << M) - 1];
    assigns arena.next[0 .. ORDERING_WORDS - 1] \from columns->pi[0 .. (1 << M) - 1];
    ensures columns: are_columns((struct mceliece_columns *)columns); */
void ckem_mceliece_fill_columns(const struct mceliece_params *params, const struct backend *backend,
                                const struct mceliece_columns *columns, const uint16_t *goppa,
                                struct arena arena);

/*@ requires set: params == &PARAMS && backend == &contracts;
    requires form: semi_systematic == 0 || semi_systematic == 1;
    requires columns: are_columns((struct mceliece_columns *)columns);
    requires key: \valid(public_key + (0 .. PUBLIC_KEY_BYTES - 1));
    requires pivots: \valid(pivots);
    requires arena: arena.words_left >= MATRIX_WORDS &&
        \valid(arena.next + (0 .. MATRIX_WORDS - 1));
    requires apart: are_apart((struct mceliece_columns *)columns, arena.next, MATRIX_WORDS);
    requires outputs:
        \separated(public_key + (0 .. PUBLIC_KEY_BYTES - 1),
                   arena.next + (0 .. MATRIX_WORDS - 1)) &&
        \separated(public_key + (0 .. PUBLIC_KEY_BYTES - 1),
                   columns->point + (0 .. ENTRIES - 1)) &&
        \separated(public_key + (0 .. PUBLIC_KEY_BYTES - 1),
                   columns->inverse + (0 .. ENTRIES - 1)) &&
        \separated(pivots, arena.next + (0 .. MATRIX_WORDS - 1));
    assigns \result \from columns->point[0 .. ENTRIES - 1], columns->inverse[0 .. ENTRIES - 1];
    assigns public_key[0 .. PUBLIC_KEY_BYTES - 1]
        \from columns->point[0 .. ENTRIES - 1], columns->inverse[0 .. ENTRIES - 1];
    assigns *pivots \from columns->point[0 .. ENTRIES - 1], columns->inverse[0 .. ENTRIES - 1];
    assigns arena.next[0 .. MATRIX_WORDS - 1]
        \from columns->point[0 .. ENTRIES - 1], columns->inverse[0 .. ENTRIES - 1];
    ensures pivots: \initialized(pivots);
    ensures made: \result == 0 ||
        \result == 1 && \initialized(public_key + (0 .. PUBLIC_KEY_BYTES - 1)); */
bool ckem_mceliece_make_public_key(const struct mceliece_params *params,
                                   const struct backend *backend, bool semi_systematic,
                                   uint8_t *public_key, uint64_t *pivots,
                                   const struct mceliece_columns *columns, struct arena arena);

#endif
