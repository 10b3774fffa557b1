/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs instructions of AArch64 with all registers as the caller wants them.
 *
 * Standard output begins with the address of what an instruction may use as memory. Standard input
 * has requests: an instruction, a number and so many states. The instruction runs on each of them,
 * and the states come out again. The code between ckem_frame_begin and ckem_frame_end is copied to
 * memory that may be executed, with the instruction in its gap. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct state {
  uint64_t general[32]; /* x0 to x30, and the stack */
  uint64_t flags;
  uint64_t padding;
  uint8_t vectors[32][16];
  uint8_t memory[512];
};

__asm__(
    ".section .rodata\n"
    ".global ckem_frame_begin, ckem_frame_gap, ckem_frame_state, ckem_frame_end\n"
    ".balign 4096\n"
    "ckem_frame_begin:\n"
    "  stp x29, x30, [sp, #-160]!\n"
    "  stp x19, x20, [sp, #16]\n stp x21, x22, [sp, #32]\n stp x23, x24, [sp, #48]\n"
    "  stp x25, x26, [sp, #64]\n stp x27, x28, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n stp d10, d11, [sp, #112]\n"
    "  stp d12, d13, [sp, #128]\n stp d14, d15, [sp, #144]\n"
    "  adr x0, saved\n mov x1, sp\n mrs x2, tpidr_el0\n stp x1, x2, [x0]\n"
    "  adr x0, state\n add x1, x0, #272\n"
    "  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22\n"
    "  ldr q\\n, [x1], #16\n .endr\n"
    "  .irp n, 23, 24, 25, 26, 27, 28, 29, 30, 31\n ldr q\\n, [x1], #16\n .endr\n"
    "  ldr x1, [x0, #256]\n msr nzcv, x1\n"
    "  ldr x1, [x0, #248]\n mov sp, x1\n"
    "  .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23\n"
    "  ldr x\\n, [x0, #8*\\n]\n .endr\n"
    "  .irp n, 24, 25, 26, 27, 28, 29, 30, 1, 0\n ldr x\\n, [x0, #8*\\n]\n .endr\n"
    "ckem_frame_gap:\n"
    "  nop\n"
    "  msr tpidr_el0, x0\n adr x0, state\n" /* a register that no instruction here uses */
    "  .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22\n"
    "  str x\\n, [x0, #8*\\n]\n .endr\n"
    "  .irp n, 23, 24, 25, 26, 27, 28, 29, 30\n str x\\n, [x0, #8*\\n]\n .endr\n"
    "  mov x1, sp\n str x1, [x0, #248]\n mrs x1, nzcv\n str x1, [x0, #256]\n"
    "  mrs x1, tpidr_el0\n str x1, [x0]\n add x1, x0, #272\n"
    "  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22\n"
    "  str q\\n, [x1], #16\n .endr\n"
    "  .irp n, 23, 24, 25, 26, 27, 28, 29, 30, 31\n str q\\n, [x1], #16\n .endr\n"
    "  adr x0, saved\n ldp x1, x2, [x0]\n mov sp, x1\n msr tpidr_el0, x2\n"
    "  ldp x19, x20, [sp, #16]\n ldp x21, x22, [sp, #32]\n ldp x23, x24, [sp, #48]\n"
    "  ldp x25, x26, [sp, #64]\n ldp x27, x28, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n ldp d10, d11, [sp, #112]\n"
    "  ldp d12, d13, [sp, #128]\n ldp d14, d15, [sp, #144]\n"
    "  ldp x29, x30, [sp], #160\n"
    "  ret\n"
    "  .balign 4096\n" /* an emulator translates code anew when its page is written */
    "saved:\n .skip 16\n"
    "  .balign 64\n"
    "ckem_frame_state:\n"
    "state:\n .skip 272 + 16 * 32 + 512\n"
    "ckem_frame_end:\n"
    ".text\n");

extern const uint8_t ckem_frame_begin[], ckem_frame_gap[], ckem_frame_state[], ckem_frame_end[];

int main(void) {
  const size_t size = (size_t)(ckem_frame_end - ckem_frame_begin);
  uint8_t *frame =
      mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint32_t request[2]; /* an instruction, and how many states follow */
  void (*run)(void);

  if (frame == MAP_FAILED) {
    return 1;
  }
  memcpy(frame, ckem_frame_begin, size);
  memcpy(&run, &frame, sizeof run);
  uint8_t *gap = frame + (ckem_frame_gap - ckem_frame_begin);
  struct state *here = (struct state *)(frame + (ckem_frame_state - ckem_frame_begin));
  const uint64_t memory = (uint64_t)here->memory;
  if (fwrite(&memory, sizeof memory, 1, stdout) != 1 || fflush(stdout) != 0) {
    return 1;
  }
  while (fread(request, sizeof request, 1, stdin) == 1) {
    struct state *states = calloc(request[1], sizeof *states);
    if (states == NULL || fread(states, sizeof *states, request[1], stdin) != request[1]) {
      return 1;
    }
    memcpy(gap, request, sizeof request[0]);
    __builtin___clear_cache((char *)frame, (char *)frame + size);
    for (size_t i = 0; i < request[1]; i++) {
      *here = states[i];
      run();
      states[i] = *here;
    }
    if (fwrite(states, sizeof *states, request[1], stdout) != request[1] || fflush(stdout) != 0) {
      return 1;
    }
    free(states);
  }
  return 0;
}
