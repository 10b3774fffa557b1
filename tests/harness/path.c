/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Watcher: what the processor does is the same for different secrets, instruction by instruction.
 *
 * Runs a row several times, each time in a child process with other secrets at the same addresses,
 * single-stepped. The address of every instruction, the address of every memory operand and the
 * dividend of every division must be the same each time. This is the machine code as it is shipped,
 * on the processor itself, so it also covers instructions that no checker knows.
 *
 * The child steps itself: with the trap flag set the processor stops after each instruction, and
 * the handler of that signal looks at the registers. A debugger in another process would see the
 * same, but two changes of process for each instruction double the time.
 *
 * Needs a line "operands FILE" first: FILE tells the memory operands of the program's instructions;
 * memory_operands.py makes it from the disassembly. Words: fixed-key keeps the key and changes the
 * rest, for KEMs whose key generation shows the number of rejected draws; short leaves out the
 * second of the three runs. The last one decapsulates a ciphertext that is rejected. The exit
 * status is 1 if runs differ.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "watcher.h"

#define CASES 3
#define MOST_STEPS ((size_t)1 << 27)
#define HANDLER_STACK ((size_t)1 << 16)
#define TRAP_FLAG 0x100
#define LEAK 1 /* what a child returns */
#define FAILURE 2

/* What an instruction touches beside registers. */
struct operand {
  uint64_t instruction;
  /* 'm' base + index * scale + displacement; 's' a string; 'd' a division; 'g' a gather */
  char kind;
  unsigned base;
  unsigned index;
  uint64_t scale;
  uint64_t displacement;
};

static struct operand *operands;
static size_t operand_count;

/* What the children share: a digest of each step of the first run. */
static struct {
  size_t length;
  uint64_t digests[MOST_STEPS];
} *first;

static struct {
  unsigned number; /* of the case */
  bool begun;
  bool ended;
  size_t length;
} run;

/* --- The trace -------------------------------------------------------------------------------- */

/* Marks in the trace; the statement keeps calls to them where they are. */
__attribute__((noinline)) static void trace_begin(void) {
  __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void trace_end(void) {
  __asm__ volatile("" ::: "memory");
}

/* Returns the register of a number in the table; 0 for none. */
static uint64_t register_value(const greg_t *r, unsigned number) {
  static const int places[] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
                               REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                               REG_R12, REG_R13, REG_R14, REG_R15};
  return number < sizeof places / sizeof *places ? (uint64_t)r[places[number]] : 0;
}

static const struct operand *find_operand(uint64_t instruction) {
  size_t low = 0;
  size_t high = operand_count;

  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (operands[middle].instruction < instruction) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < operand_count && operands[low].instruction == instruction ? &operands[low] : NULL;
}

/* Mixes one more number into a digest; a bijection of either. */
static uint64_t mix(uint64_t digest, uint64_t number) {
  digest = (digest ^ number) * UINT64_C(0x9E3779B97F4A7C15);
  return digest ^ digest >> 29;
}

/* Returns a digest of what the next instruction shows. */
static uint64_t digest_step(const greg_t *r) {
  const uint64_t instruction = (uint64_t)r[REG_RIP];
  uint64_t digest = mix(1, instruction);

  for (const struct operand *o = find_operand(instruction);
       o != NULL && o < operands + operand_count && o->instruction == instruction; o++) {
    digest = mix(digest, register_value(r, o->base) + register_value(r, o->index) * o->scale +
                             o->displacement);
    if (o->kind == 's') {
      digest = mix(digest, (uint64_t)r[REG_RCX]);
    } else if (o->kind == 'd') {
      digest = mix(mix(digest, (uint64_t)r[REG_RAX]), (uint64_t)r[REG_RDX]);
    } else if (o->kind == 'g') {
      fprintf(stderr, "harness: gather or scatter at %#llx\n", (unsigned long long)instruction);
      _exit(LEAK);
    }
  }
  return digest;
}

static void stop_child(const char *what) {
  fprintf(stderr, "harness: %s\n", what);
  _exit(FAILURE);
}

/* Looks at a step between trace_begin and trace_end; ends the child if it leaves the path of the
 * first run. The signal comes from the processor after a known instruction, so printing is safe. */
static void look_at_step(int signal, siginfo_t *information, void *context) {
  greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
  const uint64_t instruction = (uint64_t)r[REG_RIP];

  (void)signal;
  (void)information;
  run.begun = run.begun || instruction == (uintptr_t)trace_begin;
  if (!run.begun) {
    return;
  }
  if (instruction == (uintptr_t)trace_end) {
    run.ended = true;
    r[REG_EFL] &= ~TRAP_FLAG;
    return;
  }
  const uint64_t digest = digest_step(r);
  if (run.length == MOST_STEPS) {
    stop_child("the operation is too long");
  }
  if (run.number == 0) {
    first->digests[run.length] = digest;
  } else if (run.length >= first->length || first->digests[run.length] != digest) {
    fprintf(stderr, "harness: leak: case %u differs at step %zu, instruction %#llx\n", run.number,
            run.length, (unsigned long long)instruction);
    _exit(LEAK);
  }
  run.length += 1;
}

static void catch_steps(void) {
  static uint8_t stack[HANDLER_STACK];
  const stack_t place = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = look_at_step, .sa_flags = SA_SIGINFO | SA_ONSTACK};

  harness_require(sigaltstack(&place, NULL) == 0 && sigaction(SIGTRAP, &action, NULL) == 0,
                  "cannot catch steps");
}

/* Sets the trap flag; below the red zone, which the function that calls it may use. */
static inline void begin_stepping(void) {
  __asm__ volatile(
      "lea -128(%%rsp), %%rsp\n\t"
      "pushfq\n\t"
      "orq %0, (%%rsp)\n\t"
      "popfq\n\t"
      "lea 128(%%rsp), %%rsp" ::"i"(TRAP_FLAG)
      : "memory", "cc");
}

/* What comes before the call is traced, too. */
static bool operate(const struct row *row) {
  return (row->before == NULL || row->before() == CODEKEM_OK) && row->run() == CODEKEM_OK;
}

/* The child's part; returns its exit status. */
static int run_child(const struct row *row, unsigned number) {
  run.number = number;
  catch_steps();
  begin_stepping();
  trace_begin();
  const bool succeeded = operate(row);
  trace_end();
  if (!run.ended || !succeeded || (number != 0 && run.length != first->length)) {
    stop_child(run.ended ? "the operation failed, or ended early" : "there were no steps");
  }
  if (number == 0) {
    first->length = run.length;
  }
  return 0;
}

/* Runs a case; ends the program if the child does not end well. */
static void run_case(const struct job *job, unsigned number) {
  const struct turn turn = {.number = number,
                            .spoiled = number + 1 == CASES && job->row->refusal == CODEKEM_OK,
                            .fixed_key = job_has(job, "fixed-key"),
                            .first_attempts = true};
  int status = 0;

  job->table->prepare(job->row, &turn);
  const pid_t child = fork();
  if (child == 0) {
    _exit(run_child(job->row, number));
  }
  harness_require(child > 0 && waitpid(child, &status, 0) == child, "cannot start the operation");
  harness_require(WIFEXITED(status), "the operation was stopped by a signal");
  if (WEXITSTATUS(status) != 0) {
    exit(WEXITSTATUS(status));
  }
}

static void read_table(const char *path) {
  FILE *file = fopen(path, "r");
  struct operand o;
  unsigned long long instruction;
  unsigned long long scale;
  long long displacement;

  harness_require(file != NULL, "cannot read the table");
  operands = calloc((size_t)1 << 20, sizeof *operands);
  harness_require(operands != NULL, "no memory");
  while (fscanf(file, "%llx %c %u %u %llu %lld", &instruction, &o.kind, &o.base, &o.index, &scale,
                &displacement) == 6) {
    o.instruction = instruction;
    o.scale = scale;
    o.displacement = (uint64_t)displacement;
    operands[operand_count] = o;
    operand_count += 1;
    harness_require(operand_count < (size_t)1 << 20, "the table is too long");
  }
  harness_require(feof(file) && operand_count > 0, "the table is damaged");
  (void)fclose(file);
}

static void start(void) {
  first = mmap(NULL, sizeof *first, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  harness_require(first != MAP_FAILED, "no memory");
}

static bool option(const char *name, char *value) {
  if (strcmp(name, "operands") != 0) {
    return false;
  }
  read_table(value);
  return true;
}

static void watch(const struct job *job) {
  const bool is_short = job_has(job, "short");

  harness_require(operand_count > 0, "say which operands first");
  for (unsigned number = 0; number < CASES; number += is_short ? CASES - 1 : 1) {
    run_case(job, number);
  }
  printf("%s %s: %d runs of %zu instructions agree\n", job->subject, job->row->name,
         is_short ? 2 : CASES, first->length);
}

const struct watcher watcher = {.start = start, .option = option, .watch = watch};
