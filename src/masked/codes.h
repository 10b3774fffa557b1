/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The concatenated code of HQC in shares [HQC, 7 to 9]: nothing is opened, no place of an error and
 * no count of them. */
#ifndef CODEKEM_MASKED_CODES_H
#define CODEKEM_MASKED_CODES_H

#include "hqc/codes.h"
#include "hqc/hqc.h"
#include "masked/shares.h"

/* Planes of a value of the Hadamard transform, -64 copies to 64 copies. */
#define MASKED_SUM_PLANES(copies) ((copies) > 3 ? 10 : 9)

/* Memory of decoding, in words of all shares. */
#define MASKED_REED_MULLER_WORDS(length, copies)                                                \
  (MASKED_WORDS(length) *                                                                       \
       (128 * MASKED_SUM_PLANES(copies) + 32 * (copies) + 2 * MASKED_SUM_PLANES(copies) + 40) + \
   64)

/* Decodes received[2 * copies * length] to length symbols of 8 planes, each the nearest one, and of
 * several as near that with the smallest linear part. */
void ckem_masked_reed_muller_decode(struct masks *masks, struct shared symbols,
                                    struct shared_element received, size_t length, size_t copies,
                                    struct arena arena);

/* out = out + the code words of length symbols of 8 planes. */
void ckem_masked_reed_muller_add(struct masks *masks, struct shared_element out,
                                 struct shared symbols, size_t length, size_t copies);

/* Decodes a word of 8 planes of the outer code to message[message_bytes]. */
void ckem_masked_reed_solomon_decode(struct masks *masks, const struct reed_solomon *code,
                                     struct shared_bytes message, struct shared word,
                                     struct arena arena);

/* Encodes message[message_bytes] to length symbols of 8 planes. */
void ckem_masked_reed_solomon_encode(struct masks *masks, const struct reed_solomon *code,
                                     struct shared symbols, struct shared_bytes message,
                                     struct arena arena);

#endif
