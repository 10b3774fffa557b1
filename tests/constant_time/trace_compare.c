/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Compares what the processor does for different secrets, instruction by instruction.
 *
 *   trace_compare TABLE BACKEND KEM keypair|encaps|decaps|check [--fixed-key]
 *
 * Runs the operation several times, each time in a child process with other secrets at the same
 * addresses, single-stepped (ptrace). The address of every instruction, the address of every memory
 * operand and the dividend of every division must be the same each time. This is the machine code as it
 * is shipped, on the processor itself, so it also covers instructions that no checker knows.
 *
 * TABLE tells the memory operands of the program's instructions; memory_operands.py makes it from
 * the disassembly. --fixed-key keeps the key and changes the rest, for KEMs whose key generation
 * shows the number of rejected draws. Returns 0 if all runs agree, 1 if not, 3 if the back end cannot
 * run here.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codekem.h"

#define CASES 3
#define MOST_STEPS ((size_t)1 << 27)
#define NO_REGISTER 16
#define RCX 2 /* in the order of register_value */
#define RAX 0
#define RDX 3

/* What an instruction touches beside registers. */
struct operand {
  uint64_t instruction;
  char kind; /* 'm' base + index * scale + displacement; 's' a string; 'd' a division; 'g' a gather */
  unsigned base;
  unsigned index;
  uint64_t scale;
  uint64_t displacement;
};

static struct {
  uint8_t keypair_seed[CODEKEM_MAX_KEYPAIR_SEED];
  uint8_t encaps_seed[CODEKEM_MAX_ENCAPS_SEED];
  uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY];
  uint8_t secret_key[CODEKEM_MAX_SECRET_KEY];
  uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];
  uint8_t shared_secret[CODEKEM_MAX_SHARED_SECRET];
} data;

static const codekem_kem *kem;
static const char *operation;
static bool fixed_key;
static struct operand *operands;
static size_t operand_count;
static uint64_t *first_trace; /* a digest of each step of the first run */
static size_t first_length;

static void stop(const char *what) {
  fprintf(stderr, "trace_compare: %s\n", what);
  exit(2);
}

static void require(bool condition, const char *what) {
  if (!condition) {
    stop(what);
  }
}

/* --- The operation ------------------------------------------------------------------------------ */

/* Marks in the trace; the statement keeps calls to them where they are. */
__attribute__((noinline)) static void trace_begin(void) {
  __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void trace_end(void) {
  __asm__ volatile("" ::: "memory");
}

static codekem_status run_operation(void) {
  switch (operation[0]) {
    case 'k':
      return codekem_kem_keypair_derand(kem, data.public_key, data.secret_key, data.keypair_seed);
    case 'e':
      return codekem_kem_encaps_derand(kem, data.ciphertext, data.shared_secret, data.public_key,
                                       data.encaps_seed);
    case 'd':
      return codekem_kem_decaps(kem, data.shared_secret, data.ciphertext, data.secret_key);
    default:
      return codekem_kem_check_secret_key(kem, data.secret_key);
  }
}

/* Fills out with bytes that differ from case to case. */
static void fill(uint8_t *out, size_t length, uint32_t state) {
  for (size_t i = 0; i < length; i++) {
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    out[i] = (uint8_t)(state >> 24);
  }
}

/* Makes the inputs of a case. The last one decapsulates a ciphertext that is rejected. */
static void prepare(unsigned number) {
  const bool one_key = fixed_key || operation[0] == 'e';

  fill(data.keypair_seed, sizeof data.keypair_seed, 100 + (one_key ? 0 : number));
  fill(data.encaps_seed, sizeof data.encaps_seed, 200 + number);
  require(codekem_kem_keypair_derand(kem, data.public_key, data.secret_key, data.keypair_seed) ==
                  CODEKEM_OK &&
              codekem_kem_encaps_derand(kem, data.ciphertext, data.shared_secret,
                                        data.public_key, data.encaps_seed) == CODEKEM_OK,
          "preparation failed");
  if (number == CASES - 1) {
    fill(data.ciphertext, 64, number);
  }
}

/* --- The trace ---------------------------------------------------------------------------------- */

static uint64_t register_value(const struct user_regs_struct *r, unsigned number) {
  const unsigned long long values[NO_REGISTER] = {r->rax, r->rbx, r->rcx, r->rdx, r->rsi, r->rdi,
                                                  r->rbp, r->rsp, r->r8,  r->r9,  r->r10, r->r11,
                                                  r->r12, r->r13, r->r14, r->r15};
  return number < NO_REGISTER ? values[number] : 0;
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
static uint64_t digest_step(const struct user_regs_struct *r) {
  uint64_t digest = mix(1, r->rip);

  for (const struct operand *o = find_operand(r->rip);
       o != NULL && o < operands + operand_count && o->instruction == r->rip; o++) {
    digest = mix(digest, register_value(r, o->base) + register_value(r, o->index) * o->scale +
                             o->displacement);
    if (o->kind == 's') {
      digest = mix(digest, register_value(r, RCX));
    } else if (o->kind == 'd') {
      digest = mix(mix(digest, register_value(r, RAX)), register_value(r, RDX));
    } else if (o->kind == 'g') {
      fprintf(stderr, "trace_compare: gather or scatter at %#llx\n", r->rip);
      exit(1);
    }
  }
  return digest;
}

/* Executes one instruction of the child; returns its state. */
static struct user_regs_struct step(pid_t child) {
  struct user_regs_struct registers;
  int status;

  require(ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) == 0, "cannot step");
  require(waitpid(child, &status, 0) == child && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP,
          "the operation stopped");
  require(ptrace(PTRACE_GETREGS, child, NULL, &registers) == 0, "cannot read registers");
  return registers;
}

/* Follows the child from trace_begin to trace_end. Returns false, after a message, if it leaves the
 * path of the first run. */
static bool follow(pid_t child, unsigned number) {
  struct user_regs_struct registers = step(child);
  size_t length = 0;

  while (registers.rip != (uintptr_t)trace_begin) {
    registers = step(child);
  }
  while (registers.rip != (uintptr_t)trace_end) {
    const uint64_t digest = digest_step(&registers);
    require(length < MOST_STEPS, "the operation is too long");
    if (number == 0) {
      first_trace[length] = digest;
    } else if (length >= first_length || first_trace[length] != digest) {
      fprintf(stderr, "trace_compare: leak: case %u differs at step %zu, instruction %#llx\n",
              number, length, registers.rip);
      return false;
    }
    length += 1;
    registers = step(child);
  }
  if (number == 0) {
    first_length = length;
  }
  return true;
}

static bool run_case(unsigned number) {
  int status;

  prepare(number);
  const pid_t child = fork();
  if (child == 0) {
    require(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0, "tracing is not allowed here");
    raise(SIGSTOP);
    trace_begin();
    const codekem_status result = run_operation();
    trace_end();
    _exit(result == CODEKEM_OK ? 0 : 1);
  }
  require(child > 0 && waitpid(child, &status, 0) == child && WIFSTOPPED(status),
          "cannot start the operation");
  const bool agrees = follow(child, number);
  if (!agrees) {
    (void)kill(child, SIGKILL);
    (void)waitpid(child, &status, 0);
    return false;
  }
  require(ptrace(PTRACE_CONT, child, NULL, NULL) == 0 && waitpid(child, &status, 0) == child &&
              WIFEXITED(status) && WEXITSTATUS(status) == 0,
          "the operation failed");
  return true;
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
  if (argc < 5 || argc > 6 || (argc == 6 && strcmp(argv[5], "--fixed-key") != 0)) {
    stop("usage: trace_compare TABLE BACKEND KEM OPERATION [--fixed-key]");
  }
  fixed_key = argc == 6;
  read_table(argv[1]);
  if (codekem_backend_select(argv[2]) != CODEKEM_OK) {
    fprintf(stderr, "trace_compare: back end %s cannot run here\n", argv[2]);
    return 3;
  }
  kem = codekem_kem_find(argv[3]);
  operation = argv[4];
  require(kem != NULL && strchr("kedc", operation[0]) != NULL, "no such KEM or operation");
  first_trace = mmap(NULL, MOST_STEPS * sizeof *first_trace, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(first_trace != MAP_FAILED, "no memory");
  for (unsigned number = 0; number < CASES; number++) {
    if (!run_case(number)) {
      return 1;
    }
  }
  printf("%s %s: %d runs of %zu instructions agree\n", kem->method_name, operation, CASES,
         first_length);
  return 0;
}
