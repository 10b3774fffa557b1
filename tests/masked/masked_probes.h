/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What masked_probes records, and what gives it fresh bits. */
#ifndef CODEKEM_TESTS_MASKED_PROBES_PROGRAM_H
#define CODEKEM_TESTS_MASKED_PROBES_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values that passed a barrier since value_count was 0, while recording is true. */
extern uint64_t *probed_values;
extern size_t value_count;
extern bool recording;

/* In an exact run fresh bits come from fresh_bits, the next one lowest, and are counted; otherwise
 * they are random. A whole word then has one: chi's lanes, of which one is looked at. */
extern bool exact_run;
extern uint64_t fresh_bits;
extern size_t fresh_used;

_Noreturn void end_with(const char *what);
void *memory_for(size_t count, size_t size);
uint64_t random_word(void);

/* Every case of small gadgets: the command `exact`. */
void examine_gadgets(void);

#endif
