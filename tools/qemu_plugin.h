/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What devices/trace_plugin.c and tests/platforms/trace_plugin.c use of QEMU's plugin interface,
 * version 1; Debian does not package its header.
 */
#ifndef CODEKEM_TOOLS_QEMU_PLUGIN_H
#define CODEKEM_TOOLS_QEMU_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { INLINE_ADD_U64 = 0, NO_REGISTERS = 0, READS_AND_WRITES = 3 };

typedef void block_translated(plugin_id id, struct qemu_plugin_tb *block);
typedef void instruction_runs(unsigned vcpu, void *data);
typedef void memory_accessed(unsigned vcpu, uint32_t info, uint64_t address, void *data);
typedef void system_call(plugin_id id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
                         uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
                         uint64_t a8);

extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, block_translated *callback);
extern void qemu_plugin_register_vcpu_syscall_cb(plugin_id id, system_call *callback);
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int operation,
                                                     void *counter, uint64_t value);
extern void qemu_plugin_register_vcpu_insn_exec_cb(
    struct qemu_plugin_insn *instruction, instruction_runs *callback, int flags, void *data);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *instruction,
                                             memory_accessed *callback, int flags, int accesses,
                                             void *data);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block,
                                                        size_t index);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
extern bool qemu_plugin_mem_is_store(uint32_t info);
extern void qemu_plugin_outs(const char *text);

EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);

#endif
