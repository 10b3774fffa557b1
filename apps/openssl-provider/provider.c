/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The entry point: loads the provider into a library context, and tells OpenSSL what it offers. */
#include "provider.h"

#include <codekem_provider.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <string.h>

#include "device.h"
#include "dispatch.h"
#include "settings.h"

#define PROPERTIES "provider=codekem"
#define ANY_PROVIDER "-provider" /* in a query: without what the defaults say of "provider" */

bool ckem_provider_random(const struct provider *provider, uint8_t *bytes, size_t length,
                          unsigned strength) {
  return RAND_priv_bytes_ex(provider->library_context, bytes, length, strength) > 0 ||
         RAISE(provider, REASON_NO_RANDOMNESS, "%zu bytes of strength %u", length, strength);
}

/* --- Pools of keys ---------------------------------------------------------------------------- */

struct pool_place *ckem_provider_pool(const struct provider *provider, const codekem_kem *kem) {
  for (size_t i = 0; i < provider->pool_count; i++) {
    if (provider->pools[i].kem == kem) {
      return &provider->pools[i];
    }
  }
  return NULL;
}

/* Opens the pools that the configuration asks for. Of BIKE: for HQC a batch saves a few
 * microseconds, which is not worth keys that wait. */
static bool open_pools(struct provider *provider) {
  if (provider->pool_size == 0) {
    return true;
  }
  provider->pools = OPENSSL_zalloc(ALGORITHMS * sizeof *provider->pools);
  if (provider->pools == NULL) {
    return RAISE(provider, REASON_NO_MEMORY, "pools of keys");
  }
  for (size_t i = 0; i < ALGORITHMS; i++) {
    const codekem_kem *kem = provider->offers[i].kem;
    if (kem != NULL && strcmp(kem->family, "BIKE") == 0 &&
        ckem_provider_pool(provider, kem) == NULL) {
      struct pool_place *place = &provider->pools[provider->pool_count];
      ckem_pool_open(place, kem, provider->pool_size, provider->pool_seconds);
      provider->pool_count += place->kem != NULL;
    }
  }
  return true;
}

static void close_pools(struct provider *provider) {
  for (size_t i = 0; i < provider->pool_count; i++) {
    ckem_pool_close(&provider->pools[i]);
  }
  OPENSSL_free(provider->pools);
}

/* --- What the provider offers ----------------------------------------------------------------- */

static OSSL_ALGORITHM algorithm_row(const char *names, const char *properties,
                                    const OSSL_DISPATCH *functions) {
  const OSSL_ALGORITHM row = {names, properties, functions, NULL};
  return row;
}

/* Fills the tables with what is offered: only what the library was built with, and encoders and
 * decoders only for keys that have an object identifier. */
static void fill_tables(struct provider *provider) {
  OSSL_ALGORITHM *key_management = provider->key_managements;
  OSSL_ALGORITHM *kem = provider->kems;
  OSSL_ALGORITHM *encoder = provider->encoders;
  OSSL_ALGORITHM *decoder = provider->decoders;

  for (size_t i = 0; i < ALGORITHMS; i++) {
    const struct offer *offer = &provider->offers[i];
    const char *names = offer->names;
    if (offer->kem == NULL) {
      continue;
    }
    *key_management++ = algorithm_row(names, PROPERTIES, ckem_key_management_functions[i]);
    *kem++ = algorithm_row(names, PROPERTIES, ckem_kem_functions);
    for (size_t j = 0; offer->oid != NULL && j < ENCODERS_OF_ALGORITHM; j++) {
      *encoder++ =
          algorithm_row(names, ckem_encoder_kinds[j].properties, ckem_encoder_kinds[j].functions);
    }
    for (size_t j = 0; offer->oid != NULL && j < DECODERS_OF_ALGORITHM; j++) {
      *decoder++ =
          algorithm_row(names, ckem_decoder_kinds[j].properties, ckem_decoder_kinds[j].functions);
    }
  }
}

static const OSSL_ALGORITHM *provider_query(void *data, int operation, int *no_cache) {
  const struct provider *provider = data;

  *no_cache = 0;
  switch (operation) {
    case OSSL_OP_KEYMGMT:
      return provider->key_managements;
    case OSSL_OP_KEM:
      return provider->kems;
    case OSSL_OP_ENCODER:
      return provider->encoders;
    case OSSL_OP_DECODER:
      return provider->decoders;
    default:
      return NULL;
  }
}

/* --- What the provider says of itself --------------------------------------------------------- */

static const OSSL_PARAM *provider_gettable(void *provider) {
  static const OSSL_PARAM gettable[] = {
      OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
      OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
      OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
      OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
      OSSL_PARAM_END,
  };
  (void)provider;
  return gettable;
}

static bool set_text(OSSL_PARAM params[], const char *name, const char *text) {
  OSSL_PARAM *param = OSSL_PARAM_locate(params, name);

  return param == NULL || OSSL_PARAM_set_utf8_ptr(param, text);
}

static int provider_get_params(void *provider, OSSL_PARAM params[]) {
  const char *backend = codekem_backend_current();
  OSSL_PARAM *status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);

  (void)provider;
  return set_text(params, OSSL_PROV_PARAM_NAME, "codekem: BIKE and HQC") &&
         set_text(params, OSSL_PROV_PARAM_VERSION, codekem_version()) &&
         set_text(params, OSSL_PROV_PARAM_BUILDINFO,
                  backend != NULL ? backend : "no back end: CODEKEM_CPU names none that can run") &&
         (status == NULL || OSSL_PARAM_set_int(status, backend != NULL));
}

static const OSSL_ITEM *provider_reasons(void *provider) {
  (void)provider;
  return ckem_reason_strings;
}

/* --- Two libcryptos --------------------------------------------------------------------------- */

/* A program may have a libcrypto of its own, linked statically or under another name, while this
 * module needs the shared one. Each cleans itself up when the process exits, the shared one first,
 * as the one that was started later: then the program's unloads the provider, whose context is in
 * a library that is not there any more. So the shared one does not clean itself up if nobody has
 * started it before; and if somebody has, the context is left to the end of the process. */

/* Says whether the core that calls is in another libcrypto than the one that this code calls. */
static bool is_other_libcrypto(const OSSL_DISPATCH *in) {
  for (; in->function_id != 0; in++) {
    if (in->function_id == OSSL_FUNC_CRYPTO_FREE) {
      return OSSL_FUNC_CRYPTO_free(in) != CRYPTO_free;
    }
  }
  return true;
}

/* Says whether libcrypto has cleaned itself up. With one libcrypto it is at it while the provider
 * is unloaded, and the context must be freed. */
static bool is_gone(const struct provider *provider) {
  return provider->is_other_libcrypto && OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL) != 1;
}

/* --- Loading and unloading -------------------------------------------------------------------- */

static void provider_teardown(void *data) {
  struct provider *provider = data;

  if (provider != NULL) {
    close_pools(provider);
    ckem_devices_free(provider);
    ckem_settings_free(provider);
    if (!is_gone(provider)) {
      OSSL_LIB_CTX_free(provider->library_context);
    }
    OPENSSL_free(provider);
  }
}

static const OSSL_DISPATCH provider_functions[] = {
    DISPATCH(OSSL_FUNC_PROVIDER_TEARDOWN, provider_teardown),
    DISPATCH(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, provider_gettable),
    DISPATCH(OSSL_FUNC_PROVIDER_GET_PARAMS, provider_get_params),
    DISPATCH(OSSL_FUNC_PROVIDER_QUERY_OPERATION, provider_query),
    DISPATCH(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, provider_reasons),
    DISPATCH(OSSL_FUNC_PROVIDER_GET_CAPABILITIES, ckem_provider_get_capabilities),
    DISPATCH_END,
};

/* Remembers the functions of the core that the provider calls; all are optional. */
static void take_core_functions(struct provider *provider, const OSSL_DISPATCH *in) {
  for (; in->function_id != 0; in++) {
    switch (in->function_id) {
      case OSSL_FUNC_CORE_GET_PARAMS:
        provider->get_params = OSSL_FUNC_core_get_params(in);
        break;
      case OSSL_FUNC_CORE_NEW_ERROR:
        provider->new_error = OSSL_FUNC_core_new_error(in);
        break;
      case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
        provider->set_error_debug = OSSL_FUNC_core_set_error_debug(in);
        break;
      case OSSL_FUNC_CORE_VSET_ERROR:
        provider->vset_error = OSSL_FUNC_core_vset_error(in);
        break;
      default:
        break;
    }
  }
}

/* The child context takes over the application's default properties. With "provider=codekem" among
 * them, which says where to take KEMs from, it would find no generator: that one may come from any
 * provider. Other properties, such as "fips=yes", still hold. */
static bool take_any_generator(OSSL_LIB_CTX *context) {
  return RAND_set_DRBG_type(context, NULL, ANY_PROVIDER, NULL, NULL) > 0 &&
         RAND_set_seed_source_type(context, NULL, ANY_PROVIDER) > 0;
}

int codekem_ossl_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                               const OSSL_DISPATCH **out, void **context) {
  const bool other = is_other_libcrypto(in);
  struct provider *provider = NULL;

  /* Before any other call of libcrypto that might start it. */
  if (!other || OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL) == 1) {
    provider = OPENSSL_zalloc(sizeof *provider);
  }
  if (provider == NULL) {
    return 0;
  }
  provider->handle = handle;
  provider->is_other_libcrypto = other;
  take_core_functions(provider, in);
  if (!ckem_settings_load(provider) || !open_pools(provider) || !ckem_devices_load(provider)) {
    provider_teardown(provider);
    return 0;
  }
  provider->library_context = OSSL_LIB_CTX_new_child(handle, in);
  if (provider->library_context == NULL || !take_any_generator(provider->library_context)) {
    (void)RAISE(provider, REASON_NO_MEMORY, "a library context");
    provider_teardown(provider);
    return 0;
  }
  fill_tables(provider);
  *out = provider_functions;
  *context = provider;
  return 1;
}
