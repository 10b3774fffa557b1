/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs one instruction of x86-64 on the processor, with all registers as the caller wants them.
 *
 * The code between ckem_frame_begin and ckem_frame_end is copied to memory that may be executed,
 * with the instruction in its gap. It loads all registers from the state behind it, and stores them
 * there again. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

struct state {
  uint64_t general[16]; /* in the order of their numbers: rax, rcx, rdx, rbx, rsp, rbp, ... */
  uint64_t flags;
  uint64_t masks[8];
  uint64_t padding[7];
  uint8_t vectors[32][64];
  uint8_t memory[512];
};

enum { GAP = 15 };

__asm__(
    ".altmacro\n"
    ".macro vector instruction, n, store\n"
    "  .if \\store\n vmovdqu64 %zmm\\n, state+256+64*\\n(%rip)\n"
    "  .else\n vmovdqu64 state+256+64*\\n(%rip), %zmm\\n\n .endif\n"
    ".endm\n"
    ".macro vectors store\n"
    "  n = 0\n .rept 32\n vector move, %n, \\store\n n = n + 1\n .endr\n"
    ".endm\n"
    ".section .rodata\n"
    ".global ckem_frame_begin, ckem_frame_gap, ckem_frame_state, ckem_frame_end\n"
    ".balign 4096\n"
    "ckem_frame_begin:\n"
    "  push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
    "  mov %rsp, stack(%rip)\n"
    "  vectors 0\n"
    "  .irp n, 0, 1, 2, 3, 4, 5, 6, 7\n kmovq state+136+8*\\n(%rip), %k\\n\n .endr\n"
    "  push state+128(%rip)\n popfq\n"
    "  mov state(%rip), %rax\n mov state+8(%rip), %rcx\n mov state+16(%rip), %rdx\n"
    "  mov state+24(%rip), %rbx\n mov state+32(%rip), %rsp\n mov state+40(%rip), %rbp\n"
    "  mov state+48(%rip), %rsi\n mov state+56(%rip), %rdi\n"
    "  .irp n, 8, 9, 10, 11, 12, 13, 14, 15\n mov state+8*\\n(%rip), %r\\n\n .endr\n"
    "ckem_frame_gap:\n"
    "  .skip 15, 0x90\n"
    "  mov %rax, state(%rip)\n mov %rcx, state+8(%rip)\n mov %rdx, state+16(%rip)\n"
    "  mov %rbx, state+24(%rip)\n mov %rsp, state+32(%rip)\n mov %rbp, state+40(%rip)\n"
    "  mov %rsi, state+48(%rip)\n mov %rdi, state+56(%rip)\n"
    "  .irp n, 8, 9, 10, 11, 12, 13, 14, 15\n mov %r\\n, state+8*\\n(%rip)\n .endr\n"
    "  mov stack(%rip), %rsp\n"
    "  pushfq\n pop state+128(%rip)\n cld\n"
    "  vectors 1\n"
    "  .irp n, 0, 1, 2, 3, 4, 5, 6, 7\n kmovq %k\\n, state+136+8*\\n(%rip)\n .endr\n"
    "  vzeroupper\n"
    "  pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n"
    "  ret\n"
    "  .balign 8\n"
    "stack:\n .skip 8\n"
    "  .balign 64\n"
    "ckem_frame_state:\n"
    "state:\n .skip 256 + 64 * 32 + 512\n"
    "ckem_frame_end:\n"
    ".text\n");

extern const uint8_t ckem_frame_begin[], ckem_frame_gap[], ckem_frame_state[], ckem_frame_end[];

/* Returns memory with the frame, or NULL, and sets the address of the gap, and of what an
 * instruction may use as memory: 512 bytes at a multiple of 64. */
void *ckem_frame_open(uint64_t *gap, uint64_t *memory) {
  const size_t size = (size_t)(ckem_frame_end - ckem_frame_begin);
  uint8_t *frame =
      mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (frame == MAP_FAILED) {
    return NULL;
  }
  memcpy(frame, ckem_frame_begin, size);
  *gap = (uint64_t)(frame + (ckem_frame_gap - ckem_frame_begin));
  *memory =
      (uint64_t)(frame + (ckem_frame_state - ckem_frame_begin)) + offsetof(struct state, memory);
  return frame;
}

/* Runs an instruction of at most 15 bytes on each of some states. */
void ckem_frame_run(void *frame, const uint8_t *code, size_t size, struct state *states,
                    size_t count) {
  uint8_t *gap = (uint8_t *)frame + (ckem_frame_gap - ckem_frame_begin);
  struct state *here = (struct state *)((uint8_t *)frame + (ckem_frame_state - ckem_frame_begin));
  void (*run)(void);

  memset(gap, 0x90, GAP);
  memcpy(gap, code, size);
  memcpy(&run, &frame, sizeof run);
  for (size_t i = 0; i < count; i++) {
    *here = states[i];
    run();
    states[i] = *here;
  }
}
