/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A plugin for QEMU's user-mode emulators: counts the instructions between two marks, and with
 * trace=on also digests their addresses and those of their memory operands.
 *
 *   qemu-aarch64 -plugin ./libtrace_plugin.so,trace=on -d plugin PROGRAM ...
 *
 * PROGRAM makes the marks by a system call that no kernel has (platform_marks.h). For each pair of
 * marks the plugin prints a line: instructions, digest, bytes of stack below the one that the first
 * mark names. The last two are 0 without trace=on, which is many times slower.
 *
 * Every instruction of the guest is counted, a block of translated instructions at a time. Nothing
 * depends on time or on the host: the same program on the same input has the same count.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "platform_marks.h"
#include "qemu_plugin.h"

EXPORT int qemu_plugin_version = 1;

static bool tracing;
static bool between_marks;
static uint64_t executed;        /* since the start of the program */
static uint64_t executed_before; /* at the first mark */
static uint64_t digest;
static uint64_t stack_top;
static uint64_t stack_lowest;

/* More than any call takes, less than the distance to other memory. */
#define STACK_REACH (UINT64_C(4) << 20)

static void add_to_digest(uint64_t value) {
  digest = (digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  digest ^= digest >> 29;
}

static void run_instruction(unsigned vcpu, void *data) {
  (void)vcpu;
  if (between_marks) {
    add_to_digest((uint64_t)(uintptr_t)data);
  }
}

static void access_memory(unsigned vcpu, uint32_t info, uint64_t address, void *data) {
  (void)vcpu;
  (void)info;
  (void)data;
  if (between_marks) {
    add_to_digest(~address);
    if (address < stack_lowest && address + STACK_REACH > stack_top) {
      stack_lowest = address;
    }
  }
}

static void translate_block(plugin_id id, struct qemu_plugin_tb *block) {
  const size_t count = qemu_plugin_tb_n_insns(block);

  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, INLINE_ADD_U64, &executed, count);
  for (size_t i = 0; tracing && i < count; i++) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
    void *address = (void *)(uintptr_t)qemu_plugin_insn_vaddr(instruction);
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, run_instruction, NO_REGISTERS, address);
    qemu_plugin_register_vcpu_mem_cb(instruction, access_memory, NO_REGISTERS, READS_AND_WRITES,
                                     NULL);
  }
}

static void call_system(plugin_id id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
                        uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
                        uint64_t a8) {
  char line[96];

  (void)id, (void)vcpu, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
  if (number != PLATFORM_MARK) {
    return;
  }
  if (a1 == PLATFORM_MARK_BEGIN) {
    executed_before = executed;
    digest = 0;
    stack_top = a2;
    stack_lowest = a2;
    between_marks = true;
    return;
  }
  between_marks = false;
  snprintf(line, sizeof line, "%" PRIu64 " %016" PRIx64 " %" PRIu64 "\n",
           executed - executed_before, digest, stack_top - stack_lowest);
  qemu_plugin_outs(line);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
  (void)info;
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "trace=on") == 0) {
      tracing = true;
    } else {
      fprintf(stderr, "trace_plugin: unknown argument %s; there is trace=on\n", argv[i]);
      return 1;
    }
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate_block);
  qemu_plugin_register_vcpu_syscall_cb(id, call_system);
  return 0;
}
