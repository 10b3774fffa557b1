// SPDX-License-Identifier: Apache-2.0 OR MIT
// What the command asks of Linux, macOS and the BSDs.
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <codekem.h>

#include <cerrno>
#include <cstdint>

#include "system.hpp"

namespace codekem::system {

void prepare_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) == -1) {
      // The lowest free number is this one. Using it fails, as using a closed one does.
      (void)!open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

void forbid_strange_libraries() {}  // nothing here looks there (shared_library.c)

void forbid_core_files() {
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

int open_to_read(const std::string &path) {
  return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

int open_to_write(const std::string &path) {
  return open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

std::ptrdiff_t read_some(int descriptor, void *data, std::size_t length) {
  return read(descriptor, data, length);
}

std::ptrdiff_t write_some(int descriptor, const void *data, std::size_t length) {
  return write(descriptor, data, length);
}

void wait_until_readable(int descriptor) {
  struct pollfd wait = {descriptor, POLLIN, 0};
  poll(&wait, 1, -1);
}

void wait_until_writable(int descriptor) {
  struct pollfd wait = {descriptor, POLLOUT, 0};
  poll(&wait, 1, -1);
}

bool is_same_stream(const struct stat &first, const struct stat &second) {
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

std::size_t last_separator(const std::string &path) { return path.rfind('/'); }

std::string absolute_path(const std::string &path) {
  char *absolute = realpath(path.c_str(), nullptr);
  std::string result = absolute == nullptr ? "" : absolute;
  std::free(absolute);
  return result;
}

bool is_same_place(const std::string &first, const std::string &second) { return first == second; }

bool is_link_to_nothing(const std::string &path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0 && stat(path.c_str(), &status) != 0;
}

bool is_disk(const struct stat &status) { return S_ISBLK(status.st_mode); }

#ifdef O_TMPFILE
namespace {

// The file of a descriptor, as a path.
std::string path_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

}  // namespace

int create_unnamed(const std::string &directory, bool secret) {
  const int descriptor =
      open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, secret ? 0600 : 0666);
  if (descriptor >= 0 && access(path_of(descriptor).c_str(), F_OK) != 0) {
    close(descriptor);  // without /proc it could get no name
    return -1;
  }
  return descriptor;
}

int link_unnamed(int descriptor, const std::string &to) {
  return linkat(AT_FDCWD, path_of(descriptor).c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0
             ? 0
             : errno;
}

int link_temporary(int descriptor, const std::string &directory, std::string &name) {
  int error = EEXIST;
  for (int tries = 0; error == EEXIST && tries < 100; tries++) {
    std::uint64_t random;
    if (!codekem_random_system(nullptr, reinterpret_cast<std::uint8_t *>(&random), sizeof random)) {
      return EIO;
    }
    name = directory + "/.codekem-" + std::to_string(random);
    error = link_unnamed(descriptor, name);
  }
  return error;
}
#else
int create_unnamed(const std::string &, bool) { return -1; }
int link_unnamed(int, const std::string &) { return ENOSYS; }
int link_temporary(int, const std::string &, std::string &) { return ENOSYS; }
#endif

int create_temporary(const std::string &directory, bool secret, std::string &name) {
  name = directory + "/.codekem-XXXXXX";
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0 && !secret) {
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(descriptor, 0666 & ~mask) != 0) {
      const int error_number = errno;
      close(descriptor);
      unlink(name.c_str());
      errno = error_number;
      return -1;
    }
  }
  return descriptor;
}

int rename_new(const std::string &from, const std::string &to) {
#ifdef RENAME_NOREPLACE
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
    return 0;
  }
  if (errno != EINVAL && errno != ENOSYS) {
    return errno;
  }
#endif
  if (link(from.c_str(), to.c_str()) != 0) {
    return errno;
  }
  unlink(from.c_str());
  return 0;
}

int rename_replacing(const std::string &from, const std::string &to) {
  return rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

int exchange(const std::string &first, const std::string &second) {
#ifdef RENAME_EXCHANGE
  return renameat2(AT_FDCWD, first.c_str(), AT_FDCWD, second.c_str(), RENAME_EXCHANGE) == 0 ? 0
                                                                                            : errno;
#else
  (void)first;
  (void)second;
  return ENOSYS;
#endif
}

int synchronise(int descriptor) {
  // EINVAL: the file system has nothing to synchronise.
  return fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
}

void synchronise_directory(const std::string &directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    fsync(descriptor);
    close(descriptor);
  }
}

bool understands_escapes(int descriptor) {
  const char *terminal = std::getenv("TERM");
  return isatty(descriptor) == 1 && terminal != nullptr && std::string(terminal) != "dumb";
}

const char *trusted_environment(const char *variable) {
#ifdef __linux__
  return secure_getenv(variable);
#else
  return issetugid() ? nullptr : std::getenv(variable);
#endif
}

description describe() {
  struct utsname system = {};
  uname(&system);
  return {system.sysname, system.release, system.machine};
}

}  // namespace codekem::system
