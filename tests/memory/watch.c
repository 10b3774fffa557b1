/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Watching calls of the library: their stack, the heap, and what they leave behind. */
#define _GNU_SOURCE
#include "watch.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "base/wipe.h"
#include "registers.h"

#define STACK_BYTES ((size_t)2 << 20)

static const uint8_t paint[8] = {0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5};

alignas(64) uint8_t watch_workspace[WATCH_WORKSPACE_BYTES];
bool watch_wipes = true;
bool watch_wipes_registers = true;
bool watch_has_dit;

static alignas(64) uint8_t stack[STACK_BYTES];
static alignas(64) uint8_t registers[REGISTERS_BYTES];
static uint8_t first_stack[STACK_BYTES];
static uint8_t first_workspace[WATCH_WORKSPACE_BYTES];
static uint8_t first_registers[REGISTERS_BYTES];
static const struct watch_job *job;
static int result;
static uint8_t *stack_top; /* the stack pointer when the job was called */
static size_t depth_before_wipe;
static ucontext_t main_context;
static ucontext_t job_context;
static size_t heap_calls;

/* --- The heap: these functions replace those of libc ------------------------------------------ */

#pragma GCC visibility push(default) /* so that libraries call them, too */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);

void *malloc(size_t size) {
  heap_calls += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  heap_calls += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  heap_calls += 1;
  return __libc_realloc(old, size);
}

void free(void *old) {
  heap_calls += 1;
  __libc_free(old);
}

#pragma GCC visibility pop

/* --- The stack -------------------------------------------------------------------------------- */

/* Returns the lowest byte of the stack that was written, rounded down to a multiple of 8. */
static uint8_t *lowest_touched(void) {
  size_t i = 0;

  while (i < STACK_BYTES && memcmp(stack + i, paint, sizeof paint) == 0) {
    i += sizeof paint;
  }
  return stack + i;
}

void __real_ckem_secure_wipe_stack(void);
void __wrap_ckem_secure_wipe_stack(void);
void __real_ckem_secure_wipe_registers(void);
void __wrap_ckem_secure_wipe_registers(void);

bool __real_ckem_cpu_has_dit(void);
bool __wrap_ckem_cpu_has_dit(void);

bool __wrap_ckem_cpu_has_dit(void) {
  return watch_has_dit || __real_ckem_cpu_has_dit();
}

/* Ends the program unless PSTATE.DIT is what it should be, where the processor has it. */
static void require_dit(bool on) {
#if defined(__aarch64__)
  uint64_t state = 0;

  if (ckem_cpu_has_dit()) {
    __asm__ volatile("mrs %0, s3_3_c4_c2_5" : "=r"(state));
    if ((state != 0) != on) {
      fprintf(stderr, "%s %s: PSTATE.DIT is %s\n", job->subject, job->name, on ? "off" : "on");
      exit(2);
    }
  }
#else
  (void)on;
#endif
}

/* Not inlined: what it has in registers must not come to the stack when that is wiped. */
static __attribute__((noinline)) void measure_depth(const uint8_t *here) {
  const uint8_t *lowest = lowest_touched();
  const size_t depth = here > lowest ? (size_t)(here - lowest) : 0;

  require_dit(true); /* until the last thing that an entry point does */
  /* Of several calls the deepest counts. */
  depth_before_wipe = depth > depth_before_wipe ? depth : depth_before_wipe;
}

void __wrap_ckem_secure_wipe_stack(void) {
  measure_depth(__builtin_frame_address(0));
  if (watch_wipes) {
    __real_ckem_secure_wipe_stack();
  }
}

void __wrap_ckem_secure_wipe_registers(void) {
  if (watch_wipes && watch_wipes_registers) {
    __real_ckem_secure_wipe_registers();
  }
}

/* --- One job ---------------------------------------------------------------------------------- */

static void job_main(void) {
  stack_top = __builtin_frame_address(0);
  __real_ckem_secure_wipe_registers(); /* what this program used them for */
  result = job->run();
  registers_store(registers);
}

/* The bytes of the workspace that are looked at: what is stated, and a piece behind it. */
static size_t watched_workspace(void) {
  const size_t bytes = job->workspace + 4096;

  return bytes < WATCH_WORKSPACE_BYTES ? bytes : WATCH_WORKSPACE_BYTES;
}

/* Runs the job on the painted stack. */
static void run_job(void) {
  /* Every run starts with the same registers: the operation saves them on its stack. */
  static ucontext_t start;
  static bool have_start;

  if (!have_start && getcontext(&start) != 0) {
    abort();
  }
  have_start = true;
  job_context = start;
  memset(stack, paint[0], sizeof stack);
  memset(watch_workspace, paint[0], watched_workspace());
  memset(registers, 0, sizeof registers);
  depth_before_wipe = 0;
  heap_calls = 0;
  job_context.uc_stack.ss_sp = stack;
  job_context.uc_stack.ss_size = sizeof stack;
  job_context.uc_link = &main_context;
  makecontext(&job_context, job_main, 0);
  if (swapcontext(&main_context, &job_context) != 0 || result != 0) {
    fprintf(stderr, "%s %s failed: %d\n", job->subject, job->name, result);
    exit(2);
  }
  require_dit(false);
}

/* --- What is left ----------------------------------------------------------------------------- */

/* What the runs of a job showed. */
struct findings {
  size_t stack;
  size_t depth;
  size_t heap_calls;
  const char *residue;
};

/* Compares memory with what the first case left; tells where they differ on standard error. */
static bool differs(const char *where, const uint8_t *first, const uint8_t *now, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (first[i] != now[i]) {
      fprintf(stderr, "%s %s: the %s differs %zu bytes below its end\n", job->subject, job->name,
              where, length - i);
      return true;
    }
  }
  return false;
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

/* Looks at the memory after the job of a case. */
static void look(struct findings *findings, unsigned number) {
  const size_t job_heap_calls = heap_calls;
  uint8_t *lowest = lowest_touched();
  const size_t used = (size_t)(stack_top - lowest);
  const size_t start = (size_t)(lowest - stack);
  const size_t work = watched_workspace();

  findings->stack = larger(findings->stack, used);
  findings->heap_calls = larger(findings->heap_calls, job_heap_calls);
  if (job->holds_secret(lowest, used) || job->holds_secret(watch_workspace, work)) {
    findings->residue = "secret";
  }
  if (number == 0) {
    memcpy(first_stack, stack, sizeof stack);
    memcpy(first_workspace, watch_workspace, work);
    memcpy(first_registers, registers, sizeof registers);
    return;
  }
  if (strcmp(findings->residue, "none") == 0 &&
      differs("registers", first_registers, registers, sizeof registers)) {
    findings->residue = "registers";
  }
  if (strcmp(findings->residue, "secret") != 0 &&
      (differs("stack", first_stack + start, lowest, used) ||
       differs("workspace", first_workspace, watch_workspace, work))) {
    findings->residue = "traces";
  }
}

void watch(const struct watch_job *watched) {
  struct findings findings = {0, 0, 0, "none"};
  const bool wipes = watch_wipes;

  job = watched;
  if (job->workspace > WATCH_WORKSPACE_BYTES) {
    fprintf(stderr, "%s %s: WATCH_WORKSPACE_BYTES is too small\n", job->subject, job->name);
    exit(2);
  }
  watch_wipes = false; /* or what one wipe writes would be the depth of the next */
  job->prepare(0);
  run_job();
  watch_wipes = wipes;
  findings.depth = depth_before_wipe;
  for (unsigned number = 0; number < WATCH_CASES; number++) {
    job->prepare(number);
    run_job();
    look(&findings, number);
  }
  printf("%s %s %s stack=%zu workspace=%zu depth=%zu heap=%zu residue=%s\n", job->subject,
         job->name, job->place, findings.stack, job->workspace, findings.depth, findings.heap_calls,
         findings.residue);
}
