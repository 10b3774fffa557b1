/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of sorting within one vector, which AVX-512 runs for 32 and more numbers alone. */
#include "sort/sort_avx512.c"

ISA_BEGIN_AVX512

/* Two vectors, the second one downwards. */
void unit_sort_vectors(uint32_t *numbers) {
  const vector x = first_rounds_u32_avx512(_mm512_loadu_si512(numbers));
  const vector y = first_rounds_u32_avx512(_mm512_loadu_si512(numbers + 16));

  _mm512_storeu_si512(numbers, last_steps_u32_avx512(x, 0));
  _mm512_storeu_si512(numbers + 16, last_steps_u32_avx512(y, lanes_all));
}

ISA_END
