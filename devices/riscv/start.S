/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Start-up code: the processor begins at address 0, with the program in the RAM. */
  .option arch, +zicsr
  .section .start, "ax"
  .globl _start
_start:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, stack_top
  la t0, trap
  csrw mtvec, t0
  la t0, bss_start
  la t1, bss_end
1:
  bgeu t0, t1, 2f
  sw zero, 0(t0)
  addi t0, t0, 4
  j 1b
2:
  call main
  call board_exit

  .text
  .balign 4
/* Exceptions alone come here: interrupts are waited for, never taken. */
trap:
  csrr a0, mcause
  csrr a1, mepc
  j board_trapped
