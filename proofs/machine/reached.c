/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Notes which instructions of x86-64 run: each has a trap in its first byte until it runs first. */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { TRAP = 0xCC, PAGE = 4096 };

static uint8_t *code;
static size_t code_size;
static const uint8_t *code_before;
static uint8_t *ran_first;

static void note(int number, siginfo_t *info, void *context) {
  greg_t *next = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
  const uint64_t at = (uint64_t)*next - 1 - (uint64_t)code;

  (void)number;
  (void)info;
  if (at >= code_size) {
    abort();
  }
  code[at] = code_before[at];
  ran_first[at] = 1;
  *next -= 1;
}

/* Watches instructions that start at places[count], offsets in start[size], in this process until
 * its end. before[size]: the code; ran[size]: gets 1 at the offset of what runs. Both must stay.
 * Returns 0, or -1 if the code cannot be changed. */
int ckem_reached_watch(uint8_t *start, size_t size, const uint64_t *places, size_t count,
                       const uint8_t *before, uint8_t *ran) {
  const uint64_t page = (uint64_t)start / PAGE * PAGE;
  struct sigaction action = {.sa_flags = SA_SIGINFO};

  code = start;
  code_size = size;
  code_before = before;
  ran_first = ran;
  action.sa_sigaction = note;
  if (sigaction(SIGTRAP, &action, NULL) != 0 ||
      mprotect((void *)page, (size_t)((uint64_t)start - page) + size,
               PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
    return -1;
  }
  for (size_t i = 0; i < count; i++) {
    start[places[i]] = TRAP;
  }
  return 0;
}
