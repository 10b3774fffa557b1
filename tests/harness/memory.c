/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Watcher: the stack that a call takes, and what it leaves behind.
 *
 * A row runs on a stack of its own that was painted before, with its working memory on that stack
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
 * Lines: "wipe none" leaves out the wiping of stack and registers, "wipe stack" that of registers
 * alone. "dit there": this processor has PSTATE.DIT, whatever the system (an emulator) says.
 *
 * The program is linked with --wrap for the functions that wipe the stack and the registers,
 * and for ckem_cpu_has_dit: on 64-bit Arm the program ends if PSTATE.DIT is not on while a row
 * runs, or not off after it.
 */
#define _GNU_SOURCE
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "base/wipe.h"
#include "registers.h"
#include "residue.h"
#include "watcher.h"

#define STACK_BYTES ((size_t)2 << 20)
#define CASES 3 /* runs of a row, each with other secrets */

static const uint8_t paint[8] = {0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5};

static bool wipes = true;
static bool wipes_registers = true;
static bool has_dit;

static alignas(64) uint8_t stack[STACK_BYTES];
static alignas(64) uint8_t registers[REGISTERS_BYTES];
static uint8_t first_stack[STACK_BYTES];
static uint8_t first_workspace[WORKSPACE_BYTES];
static uint8_t first_registers[REGISTERS_BYTES];
static const struct job *job;
static codekem_status result;
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
  return has_dit || __real_ckem_cpu_has_dit();
}

/* Ends the program unless PSTATE.DIT is what it should be, where the processor has it. */
static void require_dit(bool on) {
#if defined(__aarch64__)
  uint64_t state = 0;

  if (ckem_cpu_has_dit()) {
    __asm__ volatile("mrs %0, s3_3_c4_c2_5" : "=r"(state));
    if ((state != 0) != on) {
      fprintf(stderr, "%s %s: PSTATE.DIT is %s\n", job->subject, job->row->name, on ? "off" : "on");
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
  if (wipes) {
    __real_ckem_secure_wipe_stack();
  }
}

void __wrap_ckem_secure_wipe_registers(void) {
  if (wipes && wipes_registers) {
    __real_ckem_secure_wipe_registers();
  }
}

/* --- One job ---------------------------------------------------------------------------------- */

static void job_main(void) {
  stack_top = __builtin_frame_address(0);
  __real_ckem_secure_wipe_registers(); /* what this program used them for */
  result = job->row->run();
  registers_store(registers);
}

static size_t stated_workspace(void) {
  return job->row->workspace == NULL ? 0 : job->row->workspace();
}

/* The bytes of the workspace that are looked at: what is stated, and a piece behind it. */
static size_t watched_workspace(void) {
  const size_t bytes = stated_workspace() + 4096;

  return bytes < WORKSPACE_BYTES ? bytes : WORKSPACE_BYTES;
}

/* Runs the row on the painted stack. */
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
  memset(harness_workspace, paint[0], watched_workspace());
  memset(registers, 0, sizeof registers);
  depth_before_wipe = 0;
  heap_calls = 0;
  job_context.uc_stack.ss_sp = stack;
  job_context.uc_stack.ss_size = sizeof stack;
  job_context.uc_link = &main_context;
  makecontext(&job_context, job_main, 0);
  if (swapcontext(&main_context, &job_context) != 0 || result != CODEKEM_OK) {
    fprintf(stderr, "%s %s failed: %d\n", job->subject, job->row->name, (int)result);
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
      fprintf(stderr, "%s %s: the %s differs %zu bytes below its end\n", job->subject,
              job->row->name, where, length - i);
      return true;
    }
  }
  return false;
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

/* Returns whether a secret of the row is in memory[length]. */
static bool holds_secret(const uint8_t *memory, size_t length) {
  struct region regions[MOST_REGIONS];
  const size_t count = job->table->regions(job->row, regions);
  bool found = false;

  for (size_t i = 0; i < count && !found; i++) {
    const struct region *r = &regions[i];
    found = (r->kind == SECRET_INPUT || r->kind == SECRET_OUTPUT || r->kind == HIDDEN) &&
            residue_contains(memory, length, r->bytes, r->length);
  }
  return found;
}

/* Looks at the memory after a case. */
static void look(struct findings *findings, unsigned number) {
  const size_t job_heap_calls = heap_calls;
  uint8_t *lowest = lowest_touched();
  const size_t used = (size_t)(stack_top - lowest);
  const size_t start = (size_t)(lowest - stack);
  const size_t work = watched_workspace();

  findings->stack = larger(findings->stack, used);
  findings->heap_calls = larger(findings->heap_calls, job_heap_calls);
  if (holds_secret(lowest, used) || holds_secret(harness_workspace, work)) {
    findings->residue = "secret";
  }
  if (number == 0) {
    memcpy(first_stack, stack, sizeof stack);
    memcpy(first_workspace, harness_workspace, work);
    memcpy(first_registers, registers, sizeof registers);
    return;
  }
  if (strcmp(findings->residue, "none") == 0 &&
      differs("registers", first_registers, registers, sizeof registers)) {
    findings->residue = "registers";
  }
  if (strcmp(findings->residue, "secret") != 0 &&
      (differs("stack", first_stack + start, lowest, used) ||
       differs("workspace", first_workspace, harness_workspace, work))) {
    findings->residue = "traces";
  }
}

static void start(void) {
  printf("wiped %d\n", SECURE_WIPE_STACK_BYTES);
}

static bool option(const char *name, char *value) {
  if (strcmp(name, "wipe") == 0) {
    wipes_registers = false;
    wipes = strcmp(value, "none") != 0;
    return true;
  }
  has_dit = has_dit || strcmp(name, "dit") == 0;
  return strcmp(name, "dit") == 0;
}

/* Every other case decapsulates a ciphertext that is rejected. */
static void prepare(struct turn *turn, unsigned number) {
  const struct row *row = job->row;

  *turn = (struct turn){.number = number, .spoiled = number % 2 != 0 && row->refusal == CODEKEM_OK};
  job->table->prepare(row, turn);
  harness_require(row->before == NULL || row->before() == CODEKEM_OK, "the call before failed");
}

static void watch(const struct job *watched) {
  struct findings findings = {0, 0, 0, "none"};
  const bool wiping = wipes;
  struct turn turn;

  job = watched;
  harness_require(stated_workspace() <= WORKSPACE_BYTES, "WORKSPACE_BYTES is too small");
  wipes = false; /* or what one wipe writes would be the depth of the next */
  prepare(&turn, 0);
  run_job();
  wipes = wiping;
  findings.depth = depth_before_wipe;
  for (unsigned number = 0; number < CASES; number++) {
    prepare(&turn, number);
    run_job();
    look(&findings, number);
    harness_require(job_agrees(job, &turn), "another result");
  }
  printf("%s %s %s stack=%zu workspace=%zu depth=%zu heap=%zu residue=%s\n", job->subject,
         job->row->name, job->row->place == ON_STACK ? "stack" : "workspace", findings.stack,
         stated_workspace(), findings.depth, findings.heap_calls, findings.residue);
}

const struct watcher watcher = {.start = start, .option = option, .watch = watch};
