/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A plugin for QEMU's board: digests the addresses of the instructions that run between the start
 * and the reading of the timer (devices/cortex-m4/board.c), and those of their memory operands.
 *
 *   qemu-system-arm ... -d plugin -plugin ./libtrace.so[,profile=on]
 *
 * For each pair it prints a line, "trace INSTRUCTIONS DIGEST". Two calls with the same line have
 * taken the same path through the code and through the memory. With a profile, lines "at ADDRESS
 * COUNT" come before it: how often each instruction ran.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "qemu_plugin.h"

EXPORT int qemu_plugin_version = 1;

#define TIMER_CONTROL 0x40000000
#define TIMER_VALUE 0x40000004

#define FLASH_BYTES 0x400000

static bool profiling;
static uint64_t runs[FLASH_BYTES / 2]; /* of the instruction at each address, with a profile */

static bool tracing;
static uint64_t instructions;
static uint64_t digest;

/* FNV-1a on whole words [Fowler, Noll, Vo], with the high half folded in. */
static void add(uint64_t value) {
  digest = (digest ^ value) * UINT64_C(0x100000001B3);
  digest ^= digest >> 29;
}

static void run_instruction(unsigned vcpu, void *data) {
  const uintptr_t address = (uintptr_t)data;

  (void)vcpu;
  if (tracing) {
    instructions += 1;
    add((uint64_t)address);
    if (profiling && address < FLASH_BYTES) {
      runs[address / 2] += 1;
    }
  }
}

static void print_profile(void) {
  char line[64];

  for (size_t i = 0; i < FLASH_BYTES / 2; i++) {
    if (runs[i] != 0) {
      snprintf(line, sizeof line, "at %zx %" PRIu64 "\n", 2 * i, runs[i]);
      qemu_plugin_outs(line);
      runs[i] = 0;
    }
  }
}

static void access_memory(unsigned vcpu, uint32_t info, uint64_t address, void *data) {
  char line[64];

  (void)vcpu;
  (void)data;
  if (address == TIMER_CONTROL && qemu_plugin_mem_is_store(info)) {
    tracing = true; /* of the two stores the last one starts the timer */
    instructions = 0;
    digest = 0;
  } else if (address == TIMER_VALUE && !qemu_plugin_mem_is_store(info) && tracing) {
    tracing = false;
    if (profiling) {
      print_profile();
    }
    snprintf(line, sizeof line, "trace %" PRIu64 " %016" PRIx64 "\n", instructions, digest);
    qemu_plugin_outs(line);
  } else if (tracing) {
    add(address << 1 | qemu_plugin_mem_is_store(info));
  }
}

static void translate_block(plugin_id id, struct qemu_plugin_tb *block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, run_instruction, NO_REGISTERS,
                                           (void *)(uintptr_t)qemu_plugin_insn_vaddr(instruction));
    qemu_plugin_register_vcpu_mem_cb(instruction, access_memory, NO_REGISTERS, READS_AND_WRITES,
                                     NULL);
  }
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
  (void)info;
  for (int i = 0; i < argc; i++) {
    profiling |= strcmp(argv[i], "profile=on") == 0;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate_block);
  return 0;
}
