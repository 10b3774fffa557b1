/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parts of HQC that back ends implement: the two codes. */
#ifndef CODEKEM_HQC_CODES_H
#define CODEKEM_HQC_CODES_H

#include <stddef.h>
#include <stdint.h>

#include "base/backend.h"
#include "hqc/reed_solomon.h"

/* One implementation. All contents are secret; timing depends on the code only, but for the
 * reference, which is not constant time. */
struct hqc_codes {
  const char *name;

  /* Decodes in[2 * copies * count] to symbols[count], each the nearest code word of the Reed-Muller
   * code; of several as near, the one with the smallest linear part [HQC, 8.2]. */
  void (*reed_muller_decode)(uint8_t *symbols, const uint64_t *in, size_t count, size_t copies);

  /* Encodes message[message_bytes] to codeword[length]: parity first, then the message. */
  void (*reed_solomon_encode)(const struct reed_solomon *code, uint8_t *codeword,
                              const uint8_t *message);

  /* Decodes received[length] to message[message_bytes]. With more than delta wrong bytes the
   * message is meaningless. */
  void (*reed_solomon_decode)(const struct reed_solomon *code, uint8_t *message,
                              const uint8_t *received);
};

/* As reed_muller_decode; in a file of its own. */
void ckem_reed_muller_decode_avx2(uint8_t *symbols, const uint64_t *in, size_t count,
                                  size_t copies);

/* Returns the implementation for a back end; the portable one where it has none of its own. */
const struct hqc_codes *ckem_hqc_codes_of(const struct backend *backend);

extern const struct hqc_codes ckem_hqc_codes_reference;
extern const struct hqc_codes ckem_hqc_codes_portable;
extern const struct hqc_codes ckem_hqc_codes_avx2;
extern const struct hqc_codes ckem_hqc_codes_gfni;
extern const struct hqc_codes ckem_hqc_codes_avx512;
extern const struct hqc_codes ckem_hqc_codes_neon;
extern const struct hqc_codes ckem_hqc_codes_wasm;
extern const struct hqc_codes ckem_hqc_codes_rvv;

#endif
