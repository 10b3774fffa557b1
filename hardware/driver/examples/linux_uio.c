/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The driver in Linux user space, as an example: registers of the core and of a stream FIFO through
   two UIO devices (generic-uio in the device tree), the core's interrupt through the first.

   The FIFO is an AXI4-Stream FIFO with the registers of the one in Vivado's catalogue, in
   store-and-forward, its transmit side deep enough for a packet. Not run on hardware by us.

   usage: linux_uio /dev/uio0 /dev/uio1     encapsulates to a public key from standard input and
                                            writes ciphertext and shared secret */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bike_bus.h"

enum { MAP_BYTES = 4096, INTERRUPT_MS = 1000, MAX_POLY = 5122 };
/* The FIFO's registers, as indices of words. */
enum { TX_ROOM = 0x0c / 4, TX_DATA = 0x10 / 4, TX_LENGTH = 0x14 / 4 };
enum { RX_WORDS = 0x1c / 4, RX_DATA = 0x20 / 4, RX_LENGTH = 0x24 / 4 };

struct region {
  volatile uint32_t *words;
  int file;
  uint32_t sent; /* words of the packet in hand, for the FIFO */
  uint32_t ready; /* words of a packet that may be read, for the FIFO */
};

static uint32_t read32(void *context, uint32_t offset) {
  const struct region *core = context;
  return core->words[offset / 4];
}

static void write32(void *context, uint32_t offset, uint32_t value) {
  const struct region *core = context;
  core->words[offset / 4] = value;
}

static bool put(void *context, uint32_t word, bool last) {
  struct region *fifo = context;
  if (fifo->words[TX_ROOM] == 0) return false;
  fifo->words[TX_DATA] = word;
  ++fifo->sent;
  if (last) { /* the length in bytes sends the packet */
    fifo->words[TX_LENGTH] = 4 * fifo->sent;
    fifo->sent = 0;
  }
  return true;
}

static bool take(void *context, uint32_t *word) {
  struct region *fifo = context;
  if (fifo->ready == 0) {
    if (fifo->words[RX_WORDS] == 0) return false;
    fifo->ready = fifo->words[RX_LENGTH] / 4;
    if (fifo->ready == 0) return false;
  }
  *word = fifo->words[RX_DATA];
  --fifo->ready;
  return true;
}

static int wait_for_irq(void *context) {
  const struct region *core = context;
  const uint32_t unmask = 1;
  if (write(core->file, &unmask, sizeof unmask) != (ssize_t)sizeof unmask) return -1;
  struct pollfd one = {core->file, POLLIN, 0};
  if (poll(&one, 1, INTERRUPT_MS) != 1) return -1;
  uint32_t count;
  return read(core->file, &count, sizeof count) == (ssize_t)sizeof count ? 0 : -1;
}

static bool map(struct region *region, const char *path) {
  region->file = open(path, O_RDWR | O_SYNC);
  if (region->file < 0) return false;
  void *words = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, region->file, 0);
  region->words = words;
  return words != MAP_FAILED;
}

/* Clears data that the compiler may not leave where it is. */
static void wipe(void *data, size_t bytes) {
  volatile uint8_t *p = data;
  while (bytes-- > 0) *p++ = 0;
}

int main(int argc, char **argv) {
  static struct region core, stream;
  if (argc != 3 || !map(&core, argv[1]) || !map(&stream, argv[2])) {
    fprintf(stderr, "usage: linux_uio CORE FIFO, two UIO devices\n");
    return 2;
  }
  kem_fifo fifo = {.put = put, .take = take, .context = &stream};
  kem_bus bus = {
      .read32 = read32,
      .write32 = write32,
      .registers = &core,
      .begin = kem_fifo_begin,
      .progress = kem_fifo_progress,
      .end = kem_fifo_end,
      .streams = &fifo,
      .wait = wait_for_irq,
      .interrupt = &core,
      .limit = 100000000,
  };
  bike_device device;
  if (!bike_bus_open(&device, &bus)) {
    fprintf(stderr, "linux_uio: there is no BIKE core at %s\n", argv[1]);
    return 1;
  }
  static uint8_t public_key[MAX_POLY], ciphertext[MAX_POLY + 32], seed[32], shared[32];
  const size_t poly = device.level == 1 ? 1541 : device.level == 3 ? 3083 : 5122;
  FILE *random = fopen("/dev/urandom", "rb");
  if (random == NULL || fread(seed, sizeof seed, 1, random) != 1 ||
      fread(public_key, poly, 1, stdin) != 1) {
    fprintf(stderr, "linux_uio: no public key of %zu bytes, or no randomness\n", poly);
    return 1;
  }
  fclose(random);
  const int status = bike_device_encaps_derand(&device, ciphertext, shared, public_key, seed);
  wipe(seed, sizeof seed);
  bool good = status == 0 && fwrite(ciphertext, poly + 32, 1, stdout) == 1;
  good = good && fwrite(shared, sizeof shared, 1, stdout) == 1 && fflush(stdout) == 0;
  wipe(shared, sizeof shared);
  if (status != 0) fprintf(stderr, "linux_uio: the core answers %d\n", status);
  return good ? 0 : 1;
}
