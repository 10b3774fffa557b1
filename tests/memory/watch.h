/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Watches calls of the library: the stack that they take, and what they leave behind.
 *
 * A job runs on a stack of its own that was painted before, with its working memory on that stack
 * or in a painted workspace, several times, with other secrets at the same addresses. A line tells,
 * in bytes: the stack that it touched; the workspace that is stated; how deep the functions below
 * the entry point went before the stack was wiped; how often the heap was used; and what was left:
 *
 *   secret     some 16 bytes in a row of a secret, on the stack or in the workspace
 *   traces     memory that is not the same after a call with other secrets; so it depends on a
 *              secret, on whichever (errors, inverses, counters, ...)
 *   registers  the same of vector registers that a function may change
 *   none       nothing of these
 *
 * The program is linked with --wrap for the functions that wipe the stack and the registers,
 * and for ckem_cpu_has_dit: on 64-bit Arm the program ends if PSTATE.DIT is not on while a job
 * runs, or not off after it.
 */
#ifndef CODEKEM_TESTS_MEMORY_WATCH_H
#define CODEKEM_TESTS_MEMORY_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WATCH_WORKSPACE_BYTES ((size_t)6 << 20)
#define WATCH_CASES 3 /* runs of a job, each with other secrets */

struct watch_job {
  const char *subject; /* a KEM */
  const char *name;
  const char *place; /* "stack" or "workspace" */
  size_t workspace;  /* the bytes that are stated */
  void (*prepare)(unsigned number);
  int (*run)(void); /* returns 0 if all went well */
  bool (*holds_secret)(const uint8_t *memory, size_t length);
};

extern uint8_t watch_workspace[WATCH_WORKSPACE_BYTES];

/* false: nothing is wiped, to show that the search finds something then. */
extern bool watch_wipes;
extern bool watch_wipes_registers; /* the same of registers alone */

/* The processor has PSTATE.DIT, although the system (an emulator) does not say so. */
extern bool watch_has_dit;

/* Runs a job and prints its line. Ends the program if it fails. */
void watch(const struct watch_job *job);

#endif
