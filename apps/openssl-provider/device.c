/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Devices behind shared libraries: each has the functions of hardware/sim/simulated_device.hpp. */
#include "device.h"

#include <kem_device.h>
#include <openssl/crypto.h>
#include <shared_library.h>
#include <stdio.h>
#include <string.h>

#include "provider.h"
#include "settings.h"

/* The functions of a device's library. */
typedef const char *name_function(void);
typedef const kem_driver *driver_function(const char *kem);
typedef kem_device *open_function(unsigned level);
typedef void close_function(kem_device *opened);
typedef unsigned long long cycles_function(const kem_device *opened);

struct device {
  struct device *next;
  const struct provider *provider;
  const codekem_kem *kem;
  const char *log; /* of the configuration; NULL: none */
  void *library;
  CRYPTO_RWLOCK *lock;
  const kem_driver *driver;
  kem_device *opened;
  close_function *close;
  cycles_function *cycles;
};

/* --- Loading ---------------------------------------------------------------------------------- */

/* Finds a function of the library; a function and an object have different kinds of pointers. */
static bool find(const struct device *device, const char *path, const char *name, void *function,
                 size_t size) {
  void *const address = ckem_shared_library_find(device->library, name);

  if (address == NULL || size != sizeof address) {
    return RAISE(device->provider, REASON_BAD_CONFIGURATION,
                 "devices.%s = %s: it lacks %s, so it is no device; build one by "
                 "hardware/sim/build.py",
                 device->kem->method_name, path, name);
  }
  memcpy(function, &address, size);
  return true;
}

#define FIND(device, path, name, function) \
  find((device), (path), (name), (void *)&(function), sizeof(function))

static bool open_device(struct device *device, const char *path) {
  const char *const kem = device->kem->method_name;
  name_function *name = NULL;
  driver_function *driver_of = NULL;
  open_function *open = NULL;

  if (strpbrk(path, "/\\") == NULL) {
    return RAISE(device->provider, REASON_BAD_CONFIGURATION,
                 "devices.%s = %s: expected a path with a folder, such as ./%s", kem, path, path);
  }
  device->library = ckem_shared_library_open(path);
  if (device->library == NULL) {
    return RAISE(device->provider, REASON_BAD_CONFIGURATION, "devices.%s = %s: %s", kem, path,
                 ckem_shared_library_error());
  }
  if (!FIND(device, path, "kem_simulated_kem", name) ||
      !FIND(device, path, "kem_driver_of", driver_of) ||
      !FIND(device, path, "kem_simulated_open", open) ||
      !FIND(device, path, "kem_simulated_close", device->close) ||
      !FIND(device, path, "kem_simulated_cycles", device->cycles)) {
    return false;
  }
  if (strcmp(name(), kem) != 0) {
    return RAISE(device->provider, REASON_BAD_CONFIGURATION,
                 "devices.%s = %s: it is a device for %s; name it as devices.%s", kem, path, name(),
                 name());
  }
  device->driver = driver_of(kem);
  device->opened = device->driver == NULL ? NULL : open(device->driver->level);
  return device->opened != NULL || RAISE(device->provider, REASON_BAD_CONFIGURATION,
                                         "devices.%s = %s: it does not start", kem, path);
}

static void free_device(struct device *device) {
  if (device->opened != NULL) {
    device->close(device->opened);
  }
  if (device->library != NULL) {
    ckem_shared_library_close(device->library);
  }
  CRYPTO_THREAD_lock_free(device->lock);
  OPENSSL_free(device);
}

static bool load_device(struct provider *provider, const codekem_kem *kem, const char *path) {
  struct device *device = OPENSSL_zalloc(sizeof *device);

  if (device == NULL) {
    return RAISE(provider, REASON_NO_MEMORY, "a device");
  }
  device->provider = provider;
  device->kem = kem;
  device->log = ckem_settings_entry(provider, "devices", "log");
  device->lock = CRYPTO_THREAD_lock_new();
  if (device->lock == NULL || !open_device(device, path)) {
    free_device(device);
    return false;
  }
  device->next = provider->devices;
  provider->devices = device;
  return true;
}

bool ckem_devices_load(struct provider *provider) {
  for (size_t i = 0; i < ALGORITHMS; i++) {
    const struct algorithm *algorithm = &ckem_provider_algorithms[i];
    const codekem_kem *kem = provider->offers[i].kem;
    const char *path = kem == NULL || algorithm->classical != NULL
                           ? NULL
                           : ckem_settings_entry(provider, "devices", algorithm->kem);
    if (path != NULL && !load_device(provider, kem, path)) {
      return false;
    }
  }
  return true;
}

void ckem_devices_free(struct provider *provider) {
  while (provider->devices != NULL) {
    struct device *device = provider->devices;
    provider->devices = device->next;
    free_device(device);
  }
}

struct device *ckem_device_of(const struct provider *provider, const codekem_kem *kem) {
  struct device *device = provider->devices;

  while (device != NULL && device->kem != kem) {
    device = device->next;
  }
  return device;
}

/* --- Operations ------------------------------------------------------------------------------- */

/* Writes down how many cycles an operation took. A log that cannot be written stops nothing. */
static void write_log(const struct device *device, const char *operation) {
  FILE *file = device->log == NULL ? NULL : fopen(device->log, "a");

  if (file != NULL) {
    (void)fprintf(file, "%s %s %llu\n", device->kem->method_name, operation,
                  device->cycles(device->opened));
    (void)fclose(file);
  }
}

static bool begin(struct device *device) {
  return CRYPTO_THREAD_write_lock(device->lock) ||
         RAISE(device->provider, REASON_DEVICE_FAILURE, "%s: its lock", device->kem->method_name);
}

static bool end(struct device *device, const char *operation, int status) {
  if (status == 0) {
    write_log(device, operation);
  }
  (void)CRYPTO_THREAD_unlock(device->lock);
  return status == 0 || RAISE(device->provider, REASON_DEVICE_FAILURE,
                              "%s %s: status %d; docs/hardware-integration.md lists them",
                              device->kem->method_name, operation, status);
}

bool ckem_device_keypair(struct device *device, uint8_t *public_key, uint8_t *secret_key,
                         const uint8_t *seed) {
  return begin(device) &&
         end(device, "keygen",
             device->driver->keypair_derand(device->opened, public_key, secret_key, seed));
}

bool ckem_device_encaps(struct device *device, uint8_t *ciphertext, uint8_t *shared_secret,
                        const uint8_t *public_key, const uint8_t *seed) {
  return begin(device) && end(device, "encaps",
                              device->driver->encaps_derand(device->opened, ciphertext,
                                                            shared_secret, public_key, seed));
}

bool ckem_device_decaps(struct device *device, uint8_t *shared_secret, const uint8_t *ciphertext,
                        const uint8_t *secret_key) {
  return begin(device) &&
         end(device, "decaps",
             device->driver->decaps(device->opened, shared_secret, ciphertext, secret_key));
}
