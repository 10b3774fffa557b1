/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Key pairs for TLS, made in batches: most of a BIKE key pair is an inversion, which a batch does
 * once. A pool belongs to one KEM of one library context.
 *
 * A key leaves the pool once, and is wiped there. Its memory is wiped in the child of a fork, which
 * so never sees a key of its parent; where the system cannot do that, there are no pools. Keys
 * older than the limit are wiped at the next look at the pool, not used.
 *
 * Batches grow from one key to the size of the pool, twice as many each time, and begin anew after
 * keys were wiped for their age: a program with few connections makes few keys that it does not
 * need. Nobody waits for a pool: a thread that finds another one in it makes a single key.
 */
#ifndef CODEKEM_PROVIDER_POOL_H
#define CODEKEM_PROVIDER_POOL_H

#include <codekem.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct provider;

#define POOL_MAX_SIZE 256
#define POOL_DEFAULT_SECONDS 60
#define POOL_MAX_SECONDS 3600

/* The pool's own memory: zero in the child of a fork, and so an empty pool that nobody is in. */
struct pool {
  atomic_int entered;     /* 1 while a thread is in the pool */
  long process;           /* that made the keys */
  size_t ready;           /* keys that have not been taken: the first ones */
  size_t next_batch;      /* keys to make when there are none; 0: one */
  time_t made;            /* when, in seconds of a clock that nobody sets */
};

/* What a pool was opened with; it never changes. */
struct pool_place {
  const codekem_kem *kem; /* NULL: there is no pool */
  size_t size;            /* keys of the largest batch */
  time_t seconds;         /* that a key may wait */
  void *memory;           /* of the system: what follows is in it */
  size_t length;
  struct pool *pool;
  uint8_t *public_keys;
  uint8_t *secret_keys;
  uint8_t *seeds;
  uint8_t *workspace;
};

/* Opens a pool of at most size keys that wait at most seconds. Without memory that a fork wipes
 * place->kem stays NULL: there is no pool. */
void ckem_pool_open(struct pool_place *place, const codekem_kem *kem, size_t size,
                    unsigned seconds);

/* Wipes the pool and gives its memory back. */
void ckem_pool_close(struct pool_place *place);

/* Takes a key pair, and makes more if there is none. Returns false if there is no pool, if another
 * thread is in it, or if random bytes failed, which adds an error: the caller makes a key then.
 * strength: of the random bytes, in bits. */
bool ckem_pool_take(struct pool_place *place, const struct provider *provider, unsigned strength,
                    uint8_t *public_key, uint8_t *secret_key, uint8_t *seed);

/* Wipes keys that are too old; for calls that come by. */
void ckem_pool_expire(struct pool_place *place);

#endif
