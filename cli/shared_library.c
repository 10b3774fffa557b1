/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Shared libraries that the command loads when it needs them.
 *
 * A static command (CODEKEM_STATIC_COMMAND) loads none: it would bring a second C library with it.
 */
#include "shared_library.h"

#include <stddef.h>

#if defined(CODEKEM_STATIC_COMMAND)
void *shared_library_open(const char *name) {
  (void)name;
  return NULL;
}

void *shared_library_find(void *library, const char *name) {
  (void)library;
  (void)name;
  return NULL;
}

void shared_library_close(void *library) { (void)library; }

const char *shared_library_error(void) { return "this command is static and loads no libraries"; }

#elif defined(_WIN32)
#include <stdio.h>
#include <windows.h>

static char error[300];

void *shared_library_open(const char *name) {
  HMODULE library = LoadLibraryA(name);
  if (library == NULL) {
    (void)snprintf(error, sizeof error, "%s: Windows' error %lu", name, GetLastError());
  }
  return (void *)library;
}

void *shared_library_find(void *library, const char *name) {
  union {
    FARPROC function;
    void *address;
  } found;

  found.address = NULL;
  found.function = GetProcAddress((HMODULE)library, name);
  return found.address;
}

void shared_library_close(void *library) { FreeLibrary((HMODULE)library); }

const char *shared_library_error(void) { return error; }

#else
#include <dlfcn.h>

void *shared_library_open(const char *name) { return dlopen(name, RTLD_LAZY | RTLD_LOCAL); }

void *shared_library_find(void *library, const char *name) { return dlsym(library, name); }

void shared_library_close(void *library) { dlclose(library); }

const char *shared_library_error(void) { return dlerror(); }
#endif
