/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Shared libraries that the command loads when it needs them.
 *
 * A static command (CODEKEM_STATIC_COMMAND) loads none: it would bring a second C library with it.
 */
#include "shared_library.h"

#include <stddef.h>

#if defined(CODEKEM_STATIC_COMMAND)
void *ckem_shared_library_open(const char *name) {
  (void)name;
  return NULL;
}

void *ckem_shared_library_find(void *library, const char *name) {
  (void)library;
  (void)name;
  return NULL;
}

void ckem_shared_library_close(void *library) { (void)library; }

const char *ckem_shared_library_error(void) {
  return "this command is static and loads no libraries";
}

#elif defined(_WIN32)
#include <stdio.h>
#include <string.h>
#include <windows.h>

static char error[300];

/* A name is looked for beside the program and among the system's libraries, and so is what the
 * library needs: never in the current folder, or along PATH, where somebody else may have put it.
 * What a library needs that was given by its path may also be beside it. */
void *ckem_shared_library_open(const char *name) {
  DWORD folders = LOAD_LIBRARY_SEARCH_APPLICATION_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32;
  char path[1024];
  HMODULE library;

  if (strpbrk(name, "/\\:") != NULL) {
    const DWORD length = GetFullPathNameA(name, sizeof path, path, NULL);
    if (length == 0 || length >= sizeof path) {
      (void)snprintf(error, sizeof error, "%s: not a path that can be loaded", name);
      return NULL;
    }
    name = path;
    folders |= LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR;
  }
  library = LoadLibraryExA(name, NULL, folders);
  if (library == NULL) {
    (void)snprintf(error, sizeof error, "%s: Windows' error %lu", name, GetLastError());
  }
  return (void *)library;
}

void *ckem_shared_library_find(void *library, const char *name) {
  union {
    FARPROC function;
    void *address;
  } found;

  found.address = NULL;
  found.function = GetProcAddress((HMODULE)library, name);
  return found.address;
}

void ckem_shared_library_close(void *library) { FreeLibrary((HMODULE)library); }

const char *ckem_shared_library_error(void) { return error; }

#else
#include <dlfcn.h>

#if defined(__APPLE__)
#include <stdio.h>
#include <string.h>

/* The system would also look for a name in the current folder, where somebody else may have put
 * it. */
void *ckem_shared_library_open(const char *name) {
  static const char *const folders[] = {"@executable_path/../lib", "@rpath", "/opt/homebrew/lib",
                                        "/usr/local/lib", "/opt/local/lib"};
  char path[1024];
  void *library = NULL;

  if (strchr(name, '/') != NULL) {
    return dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  }
  for (size_t i = 0; library == NULL && i < sizeof folders / sizeof folders[0]; i++) {
    (void)snprintf(path, sizeof path, "%s/%s", folders[i], name);
    library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  }
  return library;
}
#else
void *ckem_shared_library_open(const char *name) { return dlopen(name, RTLD_LAZY | RTLD_LOCAL); }
#endif

void *ckem_shared_library_find(void *library, const char *name) { return dlsym(library, name); }

void ckem_shared_library_close(void *library) { dlclose(library); }

const char *ckem_shared_library_error(void) { return dlerror(); }
#endif
