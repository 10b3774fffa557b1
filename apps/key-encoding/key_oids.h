/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The object identifiers of keys in files. */
#ifndef CODEKEM_KEY_ENCODING_KEY_OIDS_H
#define CODEKEM_KEY_ENCODING_KEY_OIDS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the object identifier of keys of the KEM called kem (exact, as in codekem.h), in numbers;
 * NULL if it has none. */
const char *ckem_key_oid_of_kem(const char *kem);

/* Returns the object identifier that others write for keys of the KEM; NULL if none is known. */
const char *ckem_key_read_oid_of_kem(const char *kem);

/* Returns the name of the KEM whose keys have the object identifier oid, ours or that of others, in
 * numbers without blanks or leading zeros; NULL if there is none. The library may still have been
 * built without it. */
const char *ckem_key_kem_of_oid(const char *oid);

/* Says whether the last bytes of a secret key of the KEM are the seed that makes all of it, as a
 * check of the secret key has found then. */
bool ckem_key_has_seed_at_end(const char *kem);

#ifdef __cplusplus
}
#endif

#endif
