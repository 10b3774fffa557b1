/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Compares what the processor does for different secrets, instruction by instruction.
 *
 *   trace_compare TABLE BACKEND KEM keypair|encaps|decaps|check [--fixed-key] [--short]
 *   trace_sofia TABLE BACKEND SOFIA-4-128 keypair|rounds [--short]
 *   trace_mceliece TABLE BACKEND KEM keypair|encaps|decaps|expand|rows [--fixed-key] [--short]
 *
 * Runs the operation several times, each time in a child process with other secrets at the same
 * addresses, single-stepped. The address of every instruction, the address of every memory operand
 * and the dividend of every division must be the same each time. This is the machine code as it is
 * shipped, on the processor itself, so it also covers instructions that no checker knows.
 *
 * The child steps itself: with the trap flag set the processor stops after each instruction, and
 * the handler of that signal looks at the registers. A debugger in another process would see the
 * same, but two changes of process for each instruction double the time.
 *
 * TABLE tells the memory operands of the program's instructions; memory_operands.py makes it from
 * the disassembly. --fixed-key keeps the key and changes the rest, for KEMs whose key generation
 * shows the number of rejected draws. --short leaves out the second of the three runs. Returns 0 if
 * all runs agree, 1 if not, 2 if they could not be compared, 3 if the back end cannot run here.
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

#include "codekem.h"
#include "trace_operation.h"

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

static bool short_run;
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

static void stop(const char *what) {
  fprintf(stderr, "trace_compare: %s\n", what);
  exit(2);
}

static void require(bool condition, const char *what) {
  if (!condition) {
    stop(what);
  }
}

void trace_require(bool condition, const char *what) {
  require(condition, what);
}

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
      fprintf(stderr, "trace_compare: gather or scatter at %#llx\n",
              (unsigned long long)instruction);
      _exit(LEAK);
    }
  }
  return digest;
}

static void stop_child(const char *what) {
  fprintf(stderr, "trace_compare: %s\n", what);
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
    fprintf(stderr, "trace_compare: leak: case %u differs at step %zu, instruction %#llx\n",
            run.number, run.length, (unsigned long long)instruction);
    _exit(LEAK);
  }
  run.length += 1;
}

static void catch_steps(void) {
  static uint8_t stack[HANDLER_STACK];
  const stack_t place = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = look_at_step, .sa_flags = SA_SIGINFO | SA_ONSTACK};

  require(sigaltstack(&place, NULL) == 0 && sigaction(SIGTRAP, &action, NULL) == 0,
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

/* The child's part; returns its exit status. */
static int run_child(unsigned number) {
  run.number = number;
  catch_steps();
  begin_stepping();
  trace_begin();
  const bool succeeded = trace_operate();
  trace_end();
  if (!run.ended || !succeeded || (number != 0 && run.length != first->length)) {
    stop_child(run.ended ? "the operation failed, or ended early" : "there were no steps");
  }
  if (number == 0) {
    first->length = run.length;
  }
  return 0;
}

/* Returns 0, LEAK or FAILURE. */
static int run_case(unsigned number) {
  int status = 0;

  trace_prepare(number);
  const pid_t child = fork();
  if (child == 0) {
    _exit(run_child(number));
  }
  require(child > 0 && waitpid(child, &status, 0) == child, "cannot start the operation");
  require(WIFEXITED(status), "the operation was stopped by a signal");
  return WEXITSTATUS(status);
}

static void read_table(const char *path) {
  FILE *file = fopen(path, "r");
  struct operand o;
  unsigned long long instruction;
  unsigned long long scale;
  long long displacement;

  require(file != NULL, "cannot read the table");
  operands = calloc((size_t)1 << 20, sizeof *operands);
  require(operands != NULL, "no memory");
  while (fscanf(file, "%llx %c %u %u %llu %lld", &instruction, &o.kind, &o.base, &o.index, &scale,
                &displacement) == 6) {
    o.instruction = instruction;
    o.scale = scale;
    o.displacement = (uint64_t)displacement;
    operands[operand_count] = o;
    operand_count += 1;
    require(operand_count < (size_t)1 << 20, "the table is too long");
  }
  require(feof(file) && operand_count > 0, "the table is damaged");
  (void)fclose(file);
}

int main(int argc, char **argv) {
  bool fixed_key = false;

  if (argc < 5) {
    stop("usage: trace_compare TABLE BACKEND KEM OPERATION [--fixed-key] [--short]");
  }
  for (int i = 5; i < argc; i++) {
    if (strcmp(argv[i], "--fixed-key") == 0) {
      fixed_key = true;
    } else if (strcmp(argv[i], "--short") == 0) {
      short_run = true;
    } else {
      stop("there is no such option");
    }
  }
  read_table(argv[1]);
  if (codekem_backend_select(argv[2]) != CODEKEM_OK) {
    fprintf(stderr, "trace_compare: back end %s cannot run here\n", argv[2]);
    return 3;
  }
  require(trace_choose(argv[3], argv[4], fixed_key), "no such scheme or operation");
  first = mmap(NULL, sizeof *first, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(first != MAP_FAILED, "no memory");
  for (unsigned number = 0; number < TRACE_CASES; number += short_run ? TRACE_CASES - 1 : 1) {
    const int status = run_case(number);
    if (status != 0) {
      return status;
    }
  }
  printf("%s %s: %d runs of %zu instructions agree\n", argv[3], argv[4],
         short_run ? 2 : TRACE_CASES, first->length);
  return 0;
}
