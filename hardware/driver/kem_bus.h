/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs operations of a KEM core through its registers (kem_registers.h), of any scheme.

   What differs from system to system is in the functions of struct kem_bus: how a register is
   reached, how packets get to the streams, and how to wait for the interrupt. Nothing is allocated
   and no library is needed; a compiler without a system (-ffreestanding) is enough. */
#ifndef CODEKEM_KEM_BUS_H
#define CODEKEM_KEM_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kem_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What progress() answers, besides negative numbers for a failure. */
#define KEM_STREAMS_REST 0 /* nothing to do until the core is done: the driver may sleep */
#define KEM_STREAMS_CALL 1 /* words are left to move: call again */

typedef struct kem_bus {
  /* Registers, by their offset in bytes. Accesses must stay in order, and complete before the
     function returns (volatile, uncached, or what the system has for it). */
  uint32_t (*read32)(void *registers, uint32_t offset);
  void (*write32)(void *registers, uint32_t offset, uint32_t value);
  void *registers;

  /* Streams. begin() hands over both packets, after the start: with DMA, it makes `in` visible to
     the device and starts both channels. progress(), which may be null, is called until the core
     is done. end() is called once after each begin(): it stops what still runs, makes `out`
     visible and wipes copies of either packet. It returns 0 if all words of both have passed. */
  int (*begin)(void *streams, const uint32_t *in, size_t in_words, uint32_t *out, size_t out_words);
  int (*progress)(void *streams);
  int (*end)(void *streams);
  void *streams;

  /* Waits for the interrupt; returns other than 0 if it gave up. Null: registers are polled. */
  int (*wait)(void *interrupt);
  void *interrupt;

  uint32_t limit; /* how often `done` is looked at before giving up; 0: for ever */

  /* In the place of begin() if it is not null: packets by their fields, where the caller has them.
     The caller's memory must not be touched until end(). */
  int (*begin_fields)(void *streams, const kem_in_field *in, size_t in_fields,
                      const kem_out_field *out, size_t out_fields);

  /* The core gives an operation up by itself (KEM_BUS_ABORTED) after so many cycles in which no
     word passes and no step begins; 0: never. More than the longest step of the core takes, which
     is below the cycles of the operation. */
  uint32_t watchdog;
  bool wipe_after; /* each operation wipes the core before it is done */
} kem_bus;

/* 0 is success; 1 to 4, 6 and 7 are the core's errors (err_e of kem_pkg.sv). After an error but
   BUSY and STUCK the core is idle, and wiped if it had begun: the next operation may follow. */
#define KEM_BUS_BUSY 5 /* the core is busy with something else; nothing was disturbed */
#define KEM_BUS_ABORTED 6 /* the watchdog, or somebody else, has stopped it */
#define KEM_BUS_UPSET 7 /* the core has found that a register of it was disturbed */
#define KEM_BUS_TRANSPORT 16 /* a stream failed, or has passed another number of words */
#define KEM_BUS_TIMEOUT 18 /* it took longer than the limit */
#define KEM_BUS_STUCK 19 /* it does not answer an abort: reset the core before going on */

/* Gives a packet to the core, starts op and takes the output packet of exactly out_words words,
   which is zeroed after an error. An operation that is given up is aborted; so is one that runs
   when op is Wipe. Of the form of `run` in struct kem_device, with a kem_bus as its context. */
int kem_bus_run(void *bus, unsigned op, const uint32_t *in, size_t in_words, uint32_t *out,
                size_t out_words);
/* The same with packets by their fields, on a bus that has begin_fields(); of the form of
   `run_fields` in struct kem_device. */
int kem_bus_run_fields(void *bus, unsigned op, const kem_in_field *in, size_t in_fields,
                       const kem_out_field *out, size_t out_fields);
/* Fills a device on this bus for a core of this level. */
void kem_bus_device(kem_device *device, kem_bus *bus);
/* Says whether a core of this scheme (register ID) with this map of registers is there. */
bool kem_bus_has(const kem_bus *bus, uint32_t id);
/* Clock cycles of the last operation. */
uint32_t kem_bus_cycles(const kem_bus *bus);

/* Streams behind FIFOs that the processor fills and empties, in the place of DMA: set begin to
   kem_fifo_begin, progress to kem_fifo_progress, end to kem_fifo_end, streams to a kem_fifo. */
typedef struct kem_fifo {
  bool (*put)(void *context, uint32_t word, bool last); /* false: there is no room now */
  bool (*take)(void *context, uint32_t *word); /* false: there is nothing now */
  void *context;
  /* The packets in hand; of the driver. */
  const uint32_t *in;
  uint32_t *out;
  size_t in_words, out_words;
  bool surplus;
} kem_fifo;

int kem_fifo_begin(void *fifo, const uint32_t *in, size_t in_words, uint32_t *out,
                   size_t out_words);
int kem_fifo_progress(void *fifo);
int kem_fifo_end(void *fifo);

#ifdef __cplusplus
}
#endif

#endif
