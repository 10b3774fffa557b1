/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared libraries that the command loads when it needs them. */
#ifndef CODEKEM_CLI_SHARED_LIBRARY_H
#define CODEKEM_CLI_SHARED_LIBRARY_H

/* The prefix of external names (src/common/base/names.h says why): the provider has them, too. */
#define shared_library_open codekem_shared_library_open
#define shared_library_find codekem_shared_library_find
#define shared_library_close codekem_shared_library_close
#define shared_library_error codekem_shared_library_error

#ifdef __cplusplus
extern "C" {
#endif

/* Loads the library called name, from where the system has its libraries and never from the current
 * folder, or the one of that path, if it has separators of folders. Returns NULL if it cannot be
 * loaded: shared_library_error then says why. */
void *shared_library_open(const char *name);

/* Returns the address of a function of the library, or NULL if it has none of that name. */
void *shared_library_find(void *library, const char *name);

void shared_library_close(void *library);

/* Returns why the last shared_library_open failed; valid until the next call. */
const char *shared_library_error(void);

#ifdef __cplusplus
}
#endif

#endif
