/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs operations of a KEM core through its registers; see the header. */
#include "kem_bus.h"

#include "kem_packet.h"
#include "kem_registers.h"

enum {
  EVENTS = KEM__IRQ_STATUS__DONE_bm | KEM__IRQ_STATUS__REFUSED_bm | KEM__IRQ_STATUS__EXPIRED_bm,
  LOOKS = 1 << 16 /* in this time, of several cycles each, any core has wiped itself */
};

#define OFFSET(name) ((uint32_t)offsetof(kem_t, name))

static uint32_t get(const kem_bus *bus, uint32_t offset) {
  return bus->read32(bus->registers, offset);
}

static void set(const kem_bus *bus, uint32_t offset, uint32_t value) {
  bus->write32(bus->registers, offset, value);
}

/* Returns 0 when the core is done. */
static int wait_until_done(const kem_bus *bus) {
  for (uint32_t i = 0; bus->limit == 0 || i < bus->limit; ++i) {
    const int more = bus->progress != NULL ? bus->progress(bus->streams) : KEM_STREAMS_REST;
    if (more < 0) return KEM_BUS_TRANSPORT;
    if (more == KEM_STREAMS_REST && bus->wait != NULL && bus->wait(bus->interrupt) != 0) {
      return KEM_BUS_TIMEOUT;
    }
    if ((get(bus, OFFSET(IRQ_STATUS)) & KEM__IRQ_STATUS__DONE_bm) != 0) return 0;
  }
  return KEM_BUS_TIMEOUT;
}

/* Ends whatever the core does, and has it wipe itself. Returns 0, or KEM_BUS_STUCK. */
static int stop(const kem_bus *bus) {
  set(bus, OFFSET(CONTROL), KEM__CONTROL__ABORT_bm);
  for (uint32_t i = 0; i < LOOKS; ++i) {
    if ((get(bus, OFFSET(STATUS)) & KEM__STATUS__BUSY_bm) == 0) return 0;
  }
  return KEM_BUS_STUCK;
}

/* The packets of an operation: of words, or of fields. */
struct packets {
  const uint32_t *in;
  uint32_t *out;
  const kem_in_field *in_fields;
  const kem_out_field *out_fields;
  size_t in_count, out_count; /* of words or fields */
};

static int begin(const kem_bus *bus, const struct packets *p) {
  return p->in_fields != NULL ? bus->begin_fields(bus->streams, p->in_fields, p->in_count,
                                                  p->out_fields, p->out_count)
                              : bus->begin(bus->streams, p->in, p->in_count, p->out, p->out_count);
}

/* Moves the packets of an operation that has been started, until it is done. */
static int transfer(const kem_bus *bus, const struct packets *packets) {
  if (packets->in_count == 0 && packets->out_count == 0) return wait_until_done(bus);
  if (begin(bus, packets) != 0) {
    (void)bus->end(bus->streams);
    return KEM_BUS_TRANSPORT;
  }
  const int status = wait_until_done(bus);
  const int passed = bus->end(bus->streams);
  if (status != 0) return status;
  const uint32_t failed = get(bus, OFFSET(STATUS)) & KEM__STATUS__ERROR_bm;
  return failed == 0 && passed != 0 ? KEM_BUS_TRANSPORT : 0;
}

static int run(const kem_bus *bus, unsigned op, const struct packets *packets) {
  if ((get(bus, OFFSET(STATUS)) & KEM__STATUS__BUSY_bm) != 0) {
    return op == KEM_OP_WIPE ? stop(bus) : KEM_BUS_BUSY;
  }
  set(bus, OFFSET(IRQ_STATUS), EVENTS);
  set(bus, OFFSET(WATCHDOG), bus->watchdog);
  set(bus, OFFSET(IRQ_ENABLE), bus->wait != NULL ? KEM__IRQ_ENABLE__DONE_bm : 0);
  set(bus, OFFSET(CONTROL), (uint32_t)op | (bus->wipe_after ? KEM__CONTROL__WIPE_AFTER_bm : 0));
  /* An operation that the core does not have takes no packet: it would be the next one's. Such an
     operation has ended when the second of these reads arrives. */
  (void)get(bus, OFFSET(STATUS));
  const uint32_t events = get(bus, OFFSET(IRQ_STATUS));
  int status = 0;
  if ((events & KEM__IRQ_STATUS__REFUSED_bm) != 0) {
    status = KEM_BUS_BUSY; /* somebody else was faster */
  } else if ((events & KEM__IRQ_STATUS__DONE_bm) == 0) {
    status = transfer(bus, packets);
  } else if (packets->out_count != 0) {
    status = KEM_BUS_TRANSPORT; /* done without a word; the core's error goes before this one */
  }
  const uint32_t state = get(bus, OFFSET(STATUS));
  const uint32_t error = (state & KEM__STATUS__ERROR_bm) >> KEM__STATUS__ERROR_bp;
  set(bus, OFFSET(IRQ_ENABLE), 0);
  if (status == KEM_BUS_BUSY) {
    set(bus, OFFSET(IRQ_STATUS), KEM__IRQ_STATUS__REFUSED_bm);
    return status;
  }
  /* What was given up may wait for its streams for ever; an error of the core's has ended it. */
  const bool runs = (state & KEM__STATUS__BUSY_bm) != 0;
  if (status != 0 && (runs || error == 0) && stop(bus) != 0) status = KEM_BUS_STUCK;
  set(bus, OFFSET(IRQ_STATUS), EVENTS);
  return error != 0 && !runs ? (int)error : status;
}

int kem_bus_run(void *context, unsigned op, const uint32_t *in, size_t in_words, uint32_t *out,
                size_t out_words) {
  const struct packets packets = {
      .in = in, .in_count = in_words, .out = out, .out_count = out_words};
  const int status = run(context, op, &packets);
  if (status != 0) kem_wipe(out, out_words * sizeof *out);
  return status;
}

int kem_bus_run_fields(void *context, unsigned op, const kem_in_field *in, size_t in_fields,
                       const kem_out_field *out, size_t out_fields) {
  const struct packets packets = {
      .in_fields = in, .in_count = in_fields, .out_fields = out, .out_count = out_fields};
  return run(context, op, &packets);
}

void kem_bus_device(kem_device *device, kem_bus *bus) {
  device->level = get(bus, OFFSET(PARAM0)) & 0xffU;
  device->run = kem_bus_run;
  device->run_fields = bus->begin_fields != NULL ? kem_bus_run_fields : NULL;
  device->context = bus;
}

bool kem_bus_has(const kem_bus *bus, uint32_t id) {
  return get(bus, OFFSET(ID)) == id && get(bus, OFFSET(VERSION)) == KEM__VERSION__VALUE_reset;
}

uint32_t kem_bus_cycles(const kem_bus *bus) {
  return get(bus, OFFSET(CYCLES));
}

int kem_fifo_begin(void *context, const uint32_t *in, size_t in_words, uint32_t *out,
                   size_t out_words) {
  kem_fifo *fifo = context;
  fifo->in = in;
  fifo->in_words = in_words;
  fifo->out = out;
  fifo->out_words = out_words;
  fifo->surplus = false;
  return 0;
}

/* Takes all words that are there. */
static void take_words(kem_fifo *fifo) {
  for (uint32_t word; fifo->take(fifo->context, &word);) {
    if (fifo->out_words == 0) {
      fifo->surplus = true;
      continue;
    }
    *fifo->out++ = word;
    --fifo->out_words;
  }
}

int kem_fifo_progress(void *context) {
  kem_fifo *fifo = context;
  while (fifo->in_words > 0 && fifo->put(fifo->context, *fifo->in, fifo->in_words == 1)) {
    ++fifo->in;
    --fifo->in_words;
  }
  take_words(fifo);
  return fifo->in_words == 0 && fifo->out_words == 0 ? KEM_STREAMS_REST : KEM_STREAMS_CALL;
}

int kem_fifo_end(void *context) {
  kem_fifo *fifo = context;
  take_words(fifo);
  return fifo->in_words == 0 && fifo->out_words == 0 && !fifo->surplus ? 0 : -1;
}
