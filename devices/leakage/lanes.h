/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A Cortex-M4 that runs the same instructions on many inputs at once, a *lane* each, and tests at
 * every instruction whether what the processor shows depends on the class of the lane. The first
 * half of the lanes is one class (fixed secrets), the second the other (random ones).
 *
 * This is possible because the path through the code and the addresses are the same in all lanes:
 * a branch or an address that differs between lanes is an error. What is the same in all lanes is
 * held once.
 */
#ifndef LANES_H
#define LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is looked at. Of all but the first it is the number of bits that change. */
enum leak_kind {
  LEAK_VALUE,     /* a result, or a word loaded: its Hamming weight */
  LEAK_REGISTER,  /* the result over what was in its register */
  LEAK_OPERAND_1, /* an operand over the one before it at the same input */
  LEAK_OPERAND_2,
  LEAK_BUS,    /* a word loaded or stored over the one before it */
  LEAK_MEMORY, /* a word stored over what was there */
  LEAK_KINDS
};

/* A point with a large t. */
struct leak_point {
  uint64_t step; /* instructions before it */
  uint32_t address;
  uint32_t kind;
  double t;
};

struct leak_report {
  uint64_t instructions;
  uint64_t points; /* that are not the same in all lanes */
  double largest;  /* |t| of the first order */
  double largest_second;
  uint64_t second_points;
  uint64_t high; /* points above threshold; the first of them are in points_at */
  uint64_t high_second;
  uint64_t recorded; /* points */
};

struct lanes;

/* Returns NULL where there is no memory. A power of two of lanes is not needed, but an even number
 * is. */
struct lanes *lanes_new(size_t count);
void lanes_free(struct lanes *m);

/* Writes bytes that are the same in all lanes, or length bytes of each lane, one lane behind the
 * other; and back. Return false outside of memory. */
bool lanes_write(struct lanes *m, uint32_t address, const uint8_t *bytes, size_t length);
bool lanes_write_each(struct lanes *m, uint32_t address, const uint8_t *bytes, size_t length);
bool lanes_read_each(struct lanes *m, uint32_t address, uint8_t *bytes, size_t length);

/* How to look: points with |t| above threshold are kept, as many as fit into kept; the largest |t|
 * of each stride instructions goes to curve[curve_length]. second: also the second order. Bits of
 * kinds: 1 << a leak_kind. */
struct leak_options {
  double threshold;
  uint64_t stride;
  float *curve;
  float *second_curve;
  size_t curve_length;
  struct leak_point *kept;
  size_t kept_length;
  uint32_t kinds;
  bool second;
  /* The weights of all lanes at the points of instructions first_step on, one point behind the
   * other, also where they are the same in all; or NULL. The call ends when there is no more room,
   * and nothing is tested. */
  uint8_t *recorded;
  size_t recorded_points;
  uint64_t first_step;
  /* Not 0: the lanes are so many classes of one size, one behind the other, each with all cases of
   * masks. A point is high if some bit of it is not one as often in every class, whatever
   * threshold says; t is then the largest part of a class by which two of them differ. */
  size_t classes;
};

/* Calls a function with four arguments; the stack begins at stack. Returns NULL, or what stopped
 * it. options may be NULL: then nothing is looked at. */
const char *lanes_call(struct lanes *m, uint32_t function, uint32_t stack,
                       const uint32_t *arguments, const struct leak_options *options,
                       struct leak_report *report);

/* Where it stopped. */
uint32_t lanes_address(const struct lanes *m);

/* --- Inside ----------------------------------------------------------------------------------- */

/* A word of every lane. many has memory even while one is what counts. */
struct word {
  uint32_t *many;
  uint32_t one;
  bool varied;
};

/* Tests a point: the weight of x XOR y. */
struct leak_test {
  size_t lanes;
  const struct leak_options *options;
  struct leak_report *report;
  uint64_t step;
  uint32_t address;
  uint8_t *weights;
};
void leak_examine(struct leak_test *test, enum leak_kind kind, const struct word *x,
                  const struct word *y);

#endif
