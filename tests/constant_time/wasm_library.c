/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The library as WebAssembly, for tests/harness: what its table of KEMs calls, by calls into the
 * module.
 *
 * The module was turned into C by wasm2c, in which a `select` is `?:`, so that valgrind watches
 * what engines are given, and reports a select as it reports a branch. Buffers are copied into the
 * module's memory and back; valgrind's marks go with them.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem.h"
#include "module.h" /* written by wasm2c */
#include "wasm-rt.h"

#include <valgrind/memcheck.h>

/* What the module imports: this function, by which ct_declassify reaches the checker. */
struct w2c_codekem__check {
  wasm_rt_memory_t *memory;
};

void w2c_codekem__check_declassify(struct w2c_codekem__check *check, u32 buffer, u32 length);

void w2c_codekem__check_declassify(struct w2c_codekem__check *check, u32 buffer, u32 length) {
  (void)VALGRIND_MAKE_MEM_DEFINED(check->memory->data + buffer, length);
}

#define MAX_KEMS 32
#define PAGE_BYTES 65536
#define BUFFER_PAGES 1

static struct w2c_codekem__check check;
static w2c_codekem module;
static codekem_kem kems[MAX_KEMS];
static u32 places[MAX_KEMS]; /* of the KEMs' descriptions in the module's memory */
static size_t count;

/* The part of the module's memory that is ours, and how much of it is in use. */
static u32 buffers, buffers_end, buffers_next;

static uint8_t *at(u32 place) {
  return check.memory->data + place;
}

static u32 read_u32(u32 place) {
  u32 value;

  memcpy(&value, at(place), sizeof value);
  return value;
}

/* Reads the description of a KEM (struct codekem_kem), whose pointers and lengths have 32 bits. */
static void read_kem(codekem_kem *kem, u32 place) {
  kem->method_name = (const char *)at(read_u32(place));
  kem->length_public_key = read_u32(place + 16);
  kem->length_secret_key = read_u32(place + 20);
  kem->length_ciphertext = read_u32(place + 24);
  kem->length_shared_secret = read_u32(place + 28);
  kem->length_keypair_seed = read_u32(place + 32);
  kem->length_encaps_seed = read_u32(place + 36);
  kem->length_keypair_workspace = read_u32(place + 40);
  kem->length_encaps_workspace = read_u32(place + 44);
  kem->length_decaps_workspace = read_u32(place + 48);
  kem->length_check_workspace = kem->length_decaps_workspace;
}

static void start(void) {
  if (count > 0) {
    return;
  }
  wasm_rt_init();
  check.memory = &module.w2c_memory;
  wasm2c_codekem_instantiate(&module, &check);
  buffers = (u32)wasm_rt_grow_memory(check.memory, BUFFER_PAGES) * PAGE_BYTES;
  buffers_end = buffers + BUFFER_PAGES * PAGE_BYTES;
  count = w2c_codekem_codekem_kem_count(&module);
  if (count == 0 || count > MAX_KEMS) {
    fprintf(stderr, "wasm_library: %zu KEMs\n", count);
    exit(2);
  }
  for (size_t i = 0; i < count; i++) {
    places[i] = w2c_codekem_codekem_kem_at(&module, (u32)i);
    read_kem(&kems[i], places[i]);
  }
}

static void begin_call(void) {
  buffers_next = buffers;
}

/* Reserves a buffer of the module and, unless in is NULL, copies in[length] there. */
static u32 put(const void *in, size_t length) {
  const u32 place = buffers_next;

  buffers_next += (u32)(length + 63) / 64 * 64;
  if (buffers_next > buffers_end) {
    fprintf(stderr, "wasm_library: the buffers are too large\n");
    exit(2);
  }
  if (in != NULL) {
    memcpy(at(place), in, length);
  }
  return place;
}

static void get(void *out, u32 place, size_t length) {
  memcpy(out, at(place), length);
}

static u32 place_of(const codekem_kem *kem) {
  return places[kem - kems];
}

size_t codekem_kem_count(void) {
  start();
  return count;
}

const codekem_kem *codekem_kem_at(size_t index) {
  start();
  return index < count ? &kems[index] : NULL;
}

codekem_status codekem_backend_select(const char *name) {
  start();
  begin_call();
  return (codekem_status)w2c_codekem_codekem_backend_select(&module, put(name, strlen(name) + 1));
}

const char *codekem_backend_current(void) {
  start();
  const u32 place = w2c_codekem_codekem_backend_current(&module);

  return place == 0 ? NULL : (const char *)at(place);
}

/* Writes options with a seed into the module, as it lays them out: all members have 32 bits. */
static u32 put_seed(const uint8_t *seed, size_t length) {
  const u32 options[7] = {sizeof options, put(seed, length)};

  return put(options, sizeof options);
}

/* Takes the seed out of the options, or draws it: a source of randomness is outside the module. */
static bool take_seed(const codekem_options *options, uint8_t *seed, size_t length) {
  if (options->random != NULL) {
    return options->random(options->random_context, seed, length);
  }
  memcpy(seed, options->seed, length);
  return true;
}

codekem_status codekem_kem_keypair_with(const codekem_kem *kem, uint8_t *public_key,
                                        uint8_t *secret_key, const codekem_options *options) {
  uint8_t seed[CODEKEM_MAX_KEYPAIR_SEED];

  if (!take_seed(options, seed, kem->length_keypair_seed)) {
    return CODEKEM_ERROR_RANDOM;
  }
  begin_call();
  const u32 pk = put(NULL, kem->length_public_key);
  const u32 sk = put(NULL, kem->length_secret_key);
  const u32 status = w2c_codekem_codekem_kem_keypair_with(&module, place_of(kem), pk, sk,
                                                          put_seed(seed, kem->length_keypair_seed));

  get(public_key, pk, kem->length_public_key);
  get(secret_key, sk, kem->length_secret_key);
  return (codekem_status)status;
}

codekem_status codekem_kem_encaps_with(const codekem_kem *kem, uint8_t *ciphertext,
                                       uint8_t *shared_secret, const uint8_t *public_key,
                                       const codekem_options *options) {
  uint8_t seed[CODEKEM_MAX_ENCAPS_SEED];

  if (!take_seed(options, seed, kem->length_encaps_seed)) {
    return CODEKEM_ERROR_RANDOM;
  }
  begin_call();
  const u32 ct = put(NULL, kem->length_ciphertext);
  const u32 ss = put(NULL, kem->length_shared_secret);
  const u32 pk = put(public_key, kem->length_public_key);
  const u32 status = w2c_codekem_codekem_kem_encaps_with(&module, place_of(kem), ct, ss, pk,
                                                         put_seed(seed, kem->length_encaps_seed));

  get(ciphertext, ct, kem->length_ciphertext);
  get(shared_secret, ss, kem->length_shared_secret);
  return (codekem_status)status;
}

codekem_status codekem_kem_decaps(const codekem_kem *kem, uint8_t *shared_secret,
                                  const uint8_t *ciphertext, const uint8_t *secret_key) {
  begin_call();
  const u32 ss = put(NULL, kem->length_shared_secret);
  const u32 status = w2c_codekem_codekem_kem_decaps(&module, place_of(kem), ss,
                                                    put(ciphertext, kem->length_ciphertext),
                                                    put(secret_key, kem->length_secret_key));

  get(shared_secret, ss, kem->length_shared_secret);
  return (codekem_status)status;
}

codekem_status codekem_kem_check_secret_key(const codekem_kem *kem, const uint8_t *secret_key) {
  begin_call();
  return (codekem_status)w2c_codekem_codekem_kem_check_secret_key(
      &module, place_of(kem), put(secret_key, kem->length_secret_key));
}
