// SPDX-License-Identifier: Apache-2.0 OR MIT
// Writes the outputs of a command so that either all of them appear, complete, or none.
#include "file_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "errors.hpp"
#include "file_input.hpp"
#include "temporary_files.hpp"

namespace codekem {
namespace {

std::string output_name(const std::string &path) { return path == "-" ? "standard output" : path; }

[[noreturn]] void fail_writing(const std::string &path, int error_number) {
  throw failure(output_name(path) + ": cannot be written: " + std::strerror(error_number) +
                advice(error_number));
}

[[noreturn]] void fail_existing(const std::string &path) {
  throw failure(path + ": exists already; choose another name, or add --force to replace it");
}

void write_all(int descriptor, const std::uint8_t *data, std::size_t length,
               const std::string &path) {
  while (length > 0) {
    const ssize_t written = write(descriptor, data, length);
    if (written >= 0) {
      data += written;
      length -= static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {
      struct pollfd wait = {descriptor, POLLOUT, 0};
      poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      fail_writing(path, errno);
    }
  }
}

std::string directory_of(const std::string &path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) {
    return ".";
  }
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Returns the absolute path without symbolic links, or nothing if there is no such file.
std::string resolved(const std::string &path) {
  char *absolute = realpath(path.c_str(), nullptr);
  std::string result = absolute == nullptr ? "" : absolute;
  std::free(absolute);
  return result;
}

// Where a file called path is to appear, so that two spellings of one name are equal.
std::string resolved_place(const std::string &path) {
  const std::string existing = resolved(path);
  if (!existing.empty()) {
    return existing;
  }
  const std::string directory = resolved(directory_of(path));
  if (directory.empty()) {
    fail_writing(path, errno);
  }
  return directory + "/" + path.substr(path.rfind('/') + 1);
}

// Renames from to to, which must not exist. Returns 0 or an error number.
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

// Exchanges two files. Returns 0 or an error number; EINVAL or ENOSYS if the system cannot.
int exchange(const std::string &first, const std::string &second) {
#ifdef RENAME_EXCHANGE
  return renameat2(AT_FDCWD, first.c_str(), AT_FDCWD, second.c_str(), RENAME_EXCHANGE) == 0 ? 0
                                                                                            : errno;
#else
  return ENOSYS;
#endif
}

// Makes new names in directory survive a power failure, where the file system can.
void sync_directory(const std::string &directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    fsync(descriptor);
    close(descriptor);
  }
}

}  // namespace

struct output_set::target {
  std::string path;  // as the user gave it
  bool secret = false;
  int descriptor = -1;
  bool is_stream = false;  // standard output, a pipe or a device: written directly
  bool may_repeat = false; // a device such as /dev/null, which keeps nothing
  struct stat status = {};
  // Files only:
  std::string place;      // absolute path on which the file appears
  std::string temporary;  // where the new contents are until then; afterwards, an exchanged
                          // old file; empty once there is nothing to remove
  bool replaces = false;
  enum { hidden, appeared, exchanged, overwritten } state = hidden;

  ~target() { roll_back(); }
  void open_stream(bool force);
  void open_file();
  void write_out(const bytes &contents);
  int publish();
  void roll_back();
};

void output_set::target::open_stream(bool force) {
  is_stream = true;
  descriptor = path == "-" ? STDOUT_FILENO : open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    fail_writing(path, errno);
  }
  const bool terminal = isatty(descriptor) == 1;
  may_repeat = S_ISCHR(status.st_mode) && !terminal;
  if (terminal && !force) {
    throw failure(output_name(path) + ": is a terminal, and the output is " +
                  (secret ? "secret" : "binary") +
                  "; redirect it to a file or a pipe, or add --force");
  }
}

void output_set::target::open_file() {
  const signals_held hold;
  std::string name = directory_of(place) + "/.codekem-XXXXXX";
  descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) {
    fail_writing(path, errno);
  }
  temporary = name;
  note_temporary_file(temporary);
  if (!secret) {
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(descriptor, 0666 & ~mask) != 0) {
      fail_writing(path, errno);
    }
  }
}

void output_set::target::write_out(const bytes &contents) {
  write_all(descriptor, contents.data(), contents.size(), path);
  if (is_stream) {
    return;
  }
  // EINVAL: the file system has nothing to synchronise.
  if (fsync(descriptor) != 0 && errno != EINVAL) {
    fail_writing(path, errno);
  }
  const int closing = descriptor;
  descriptor = -1;
  if (close(closing) != 0) {
    fail_writing(path, errno);
  }
}

// Makes the file appear. Returns 0 or an error number.
int output_set::target::publish() {
  int error = ENOENT;
  if (replaces) {
    error = exchange(temporary, place);
    if (error == 0) {
      state = exchanged;
      return 0;
    }
    if (error == EINVAL || error == ENOSYS) {
      if (rename(temporary.c_str(), place.c_str()) != 0) {
        return errno;
      }
      state = overwritten;
      return 0;
    }
  }
  if (error == ENOENT) {
    error = rename_new(temporary, place);
    state = error == 0 ? appeared : hidden;
  }
  return error;
}

void output_set::target::roll_back() {
  if (state == appeared) {
    unlink(place.c_str());
  } else if (state == exchanged) {
    exchange(temporary, place);
  }
  if (descriptor >= 0 && !(is_stream && path == "-")) {
    close(descriptor);
    descriptor = -1;
  }
  if (!temporary.empty()) {
    unlink(temporary.c_str());
    forget_temporary_file(temporary);
    temporary.clear();
  }
  state = hidden;
}

output_set::output_set(bool force) : force_(force) {}

output_set::~output_set() { roll_back(); }

void output_set::roll_back() {
  const signals_held hold;
  for (const std::unique_ptr<target> &t : targets_) {
    t->roll_back();
  }
}

void output_set::protect_input(const std::string &path) {
  if (path != "-") {
    inputs_.push_back(path);
  }
}

void output_set::require_distinct(const target &added) const {
  for (const std::unique_ptr<target> &other : targets_) {
    const bool same = added.is_stream ? other->is_stream && !added.may_repeat &&
                                            added.status.st_dev == other->status.st_dev &&
                                            added.status.st_ino == other->status.st_ino
                                      : !other->is_stream && added.place == other->place;
    if (same) {
      throw usage_failure(output_name(added.path) + ": is named for two outputs; " +
                          "give each output its own");
    }
  }
  for (const std::string &input : inputs_) {
    if (!added.is_stream && resolved(input) == added.place) {
      throw usage_failure(added.path + ": is both an input and an output; " +
                          "give the output another name");
    }
  }
}

void output_set::prepare_stream(target &added, bool is_block_device) {
  if (is_block_device && !force_) {
    throw failure(added.path + ": is a disk; name a file, or add --force to overwrite the disk");
  }
  added.open_stream(force_);
  require_distinct(added);
}

void output_set::prepare_file(target &added, bool exists) {
  const std::string &path = added.path;
  struct stat status;

  if (!exists && (path.empty() || path.back() == '/')) {
    throw failure("'" + path + "': is not the name of a file; name a file");
  }
  if (!exists && lstat(path.c_str(), &status) == 0) {
    throw failure(path + ": is a symbolic link to nothing; remove it or choose another name");
  }
  added.replaces = exists;
  added.place = resolved_place(path);
  require_distinct(added);
  if (exists && !force_) {
    fail_existing(path);
  }
  added.open_file();
}

void output_set::add(const std::string &path, bool secret) {
  targets_.reserve(targets_.size() + 1);
  std::unique_ptr<target> added = std::make_unique<target>();
  struct stat status = {};
  added->path = path;
  added->secret = secret;

  const bool is_stdout = path == "-";
  const bool exists = is_stdout || stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) {
    fail_writing(path, errno);
  }
  if (S_ISDIR(status.st_mode)) {
    throw failure(path + ": is a directory; name a file");
  }
  if (is_stdout || (exists && !S_ISREG(status.st_mode))) {
    prepare_stream(*added, S_ISBLK(status.st_mode));
  } else {
    prepare_file(*added, exists);
  }
  targets_.push_back(std::move(added));
}

void output_set::publish_all() {
  const signals_held hold;
  for (const std::unique_ptr<target> &t : targets_) {
    const int error = t->is_stream ? 0 : t->publish();
    if (error != 0) {
      roll_back();  // while signals wait: an exchanged temporary file is the user's old file
      error == EEXIST ? fail_existing(t->path) : fail_writing(t->path, error);
    }
  }
  // Nothing can fail from here on, so the old files, which now have the temporary names, can be
  // removed.
  for (const std::unique_ptr<target> &t : targets_) {
    if (t->is_stream) {
      continue;
    }
    if (t->state == target::exchanged) {
      unlink(t->temporary.c_str());
    }
    forget_temporary_file(t->temporary);
    t->temporary.clear();
    t->state = target::hidden;
    sync_directory(directory_of(t->place));
  }
}

void output_set::commit(const std::vector<const bytes *> &contents) {
  // Files before streams, because what the reader of a pipe has received cannot be taken back.
  for (const bool streams : {false, true}) {
    for (std::size_t i = 0; i < targets_.size(); i++) {
      if (targets_[i]->is_stream == streams) {
        targets_[i]->write_out(*contents[i]);
      }
    }
  }
  publish_all();
}

void write_stdout(std::string_view text) {
  write_all(STDOUT_FILENO, reinterpret_cast<const std::uint8_t *>(text.data()), text.size(), "-");
}

}  // namespace codekem
