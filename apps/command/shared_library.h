/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared libraries that the command loads when it needs them. */
#ifndef CODEKEM_CLI_SHARED_LIBRARY_H
#define CODEKEM_CLI_SHARED_LIBRARY_H

#ifdef __cplusplus
extern "C" {
#endif

/* Loads the library called name, from where the system has its libraries and never from the current
 * folder, or the one of that path, if it has separators of folders. Returns NULL if it cannot be
 * loaded: ckem_shared_library_error then says why. */
void *ckem_shared_library_open(const char *name);

/* Returns the address of a function of the library, or NULL if it has none of that name. */
void *ckem_shared_library_find(void *library, const char *name);

void ckem_shared_library_close(void *library);

/* Returns why the last ckem_shared_library_open failed; valid until the next call. */
const char *ckem_shared_library_error(void);

#ifdef __cplusplus
}
#endif

#endif
