/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A mistake in front of the decoder of Classic McEliece: it reads a byte behind a ciphertext that
 * does not decode. The fuzzer must find it. */
#include "mceliece/decoder.h"

uint64_t __wrap_ckem_mceliece_decode(const struct mceliece_params *params,
                                     const struct backend *backend, uint64_t *error,
                                     const uint64_t *prepared, const uint8_t *syndrome,
                                     struct arena arena);
uint64_t __real_ckem_mceliece_decode(const struct mceliece_params *params,
                                     const struct backend *backend, uint64_t *error,
                                     const uint64_t *prepared, const uint8_t *syndrome,
                                     struct arena arena);

uint64_t __wrap_ckem_mceliece_decode(const struct mceliece_params *params,
                                     const struct backend *backend, uint64_t *error,
                                     const uint64_t *prepared, const uint8_t *syndrome,
                                     struct arena arena) {
  static volatile uint8_t sink; /* or the compiler would leave the mistake out */
  const uint64_t genuine =
      __real_ckem_mceliece_decode(params, backend, error, prepared, syndrome, arena);

  if (genuine == 0) {
    sink = (uint8_t)(sink + syndrome[mceliece_syndrome_bytes(params)]);
  }
  return genuine;
}
