// SPDX-License-Identifier: Apache-2.0 OR MIT
// Writes the outputs of a command so that either all of them appear, complete, or none.
#include "file_output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "errors.hpp"
#include "file_input.hpp"
#include "system.hpp"
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
    const std::ptrdiff_t written = system::write_some(descriptor, data, length);
    if (written >= 0) {
      data += written;
      length -= static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {
      system::wait_until_writable(descriptor);
    } else if (errno != EINTR) {
      fail_writing(path, errno);
    }
  }
}

std::string directory_of(const std::string &path) {
  const std::size_t separator = system::last_separator(path);
  if (separator == std::string::npos) {
    return ".";
  }
  // The root keeps its separator, and so does the drive of a path without a directory.
  const bool keep = separator == 0 || path[separator] == ':';
  return path.substr(0, separator + (keep ? 1 : 0));
}

// Where a file called path is to appear, so that two spellings of one name are equal.
std::string resolved_place(const std::string &path) {
  const std::string existing = system::absolute_path(path);
  if (!existing.empty()) {
    return existing;
  }
  const std::string directory = system::absolute_path(directory_of(path));
  if (directory.empty()) {
    fail_writing(path, errno);
  }
  return directory + "/" + path.substr(system::last_separator(path) + 1);
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
  std::string place;  // absolute path on which the file appears
  // Where the new contents are until then; afterwards, an exchanged old file. Empty while the file
  // has no name, and once there is nothing to remove.
  std::string temporary;
  const bytes *written = nullptr;  // the contents, once they are in the file
  bool replaces = false;
  enum { hidden, appeared, exchanged, overwritten } state = hidden;

  ~target() { roll_back(); }
  void open_stream(bool force);
  void open_file();
  void open_named();
  void write_out(const bytes &contents);
  void write_named();
  int give_temporary_name();
  int publish(bool is_last);
  int replace(bool is_last);
  void roll_back();
};

void output_set::target::open_stream(bool force) {
  is_stream = true;
  descriptor = path == "-" ? STDOUT_FILENO : system::open_to_write(path);
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
  descriptor = system::create_unnamed(directory_of(place), secret);
  if (descriptor < 0) {
    open_named();
  }
}

void output_set::target::open_named() {
  const signals_held hold;
  std::string name;
  descriptor = system::create_temporary(directory_of(place), secret, name);
  if (descriptor < 0) {
    fail_writing(path, errno);
  }
  temporary = name;
  note_temporary_file(temporary);
}

void output_set::target::write_out(const bytes &contents) {
  write_all(descriptor, contents.data(), contents.size(), path);
  if (is_stream) {
    return;
  }
  const int error = system::synchronise(descriptor);
  if (error != 0) {
    fail_writing(path, error);
  }
  written = &contents;
  if (temporary.empty()) {
    return;  // the descriptor is all there is of the file
  }
  const int closing = descriptor;
  descriptor = -1;
  if (close(closing) != 0) {
    fail_writing(path, errno);
  }
}

// Writes a file again that has no name and can get none: links may be forbidden.
void output_set::target::write_named() {
  close(descriptor);
  open_named();
  write_out(*written);
}

// Gives a file without a name a temporary one. Returns 0 or an error number.
int output_set::target::give_temporary_name() {
  std::string name;
  const int error = system::link_temporary(descriptor, directory_of(place), name);
  if (error == 0) {
    temporary = name;
    note_temporary_file(temporary);
  }
  return error;
}

// Takes the place of another file, which gets the temporary name if something may still fail.
int output_set::target::replace(bool is_last) {
  if (!is_last) {
    const int error = system::exchange(temporary, place);
    if (error != EINVAL && error != ENOSYS) {
      state = error == 0 ? exchanged : hidden;
      return error;
    }
  }
  const int error = system::rename_replacing(temporary, place);
  state = error == 0 ? overwritten : hidden;
  return error;
}

// Makes the file appear. Returns 0 or an error number.
int output_set::target::publish(bool is_last) {
  if (temporary.empty()) {
    const int error = replaces ? give_temporary_name() : system::link_unnamed(descriptor, place);
    if (error == 0 && !replaces) {
      state = appeared;
    }
    if (error == EEXIST || state == appeared) {
      return error;
    }
    if (error != 0) {
      write_named();
    }
  }
  int error = ENOENT;
  if (replaces) {
    error = replace(is_last);
  }
  if (error == ENOENT) {
    error = system::rename_new(temporary, place);
    state = error == 0 ? appeared : hidden;
  }
  return error;
}

void output_set::target::roll_back() {
  if (state == appeared) {
    unlink(place.c_str());
  } else if (state == exchanged) {
    system::exchange(temporary, place);
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
    const bool same_stream =
        other->is_stream && !added.may_repeat &&
        (added.path == other->path || system::is_same_stream(added.status, other->status));
    const bool same_file = !other->is_stream && system::is_same_place(added.place, other->place);
    const bool same = added.is_stream ? same_stream : same_file;
    if (same) {
      throw usage_failure(output_name(added.path) + ": is named for two outputs; " +
                          "give each output its own");
    }
  }
  for (const std::string &input : inputs_) {
    if (!added.is_stream && system::is_same_place(system::absolute_path(input), added.place)) {
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

  if (!exists && (path.empty() || system::last_separator(path) == path.size() - 1)) {
    throw failure("'" + path + "': is not the name of a file; name a file");
  }
  if (!exists && system::is_link_to_nothing(path)) {
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
    prepare_stream(*added, system::is_disk(status));
  } else {
    prepare_file(*added, exists);
  }
  targets_.push_back(std::move(added));
}

void output_set::publish_all() {
  const signals_held hold;
  const std::unique_ptr<target> *last = nullptr;
  for (const std::unique_ptr<target> &t : targets_) {
    last = t->is_stream ? last : &t;
  }
  for (const std::unique_ptr<target> &t : targets_) {
    const int error = t->is_stream ? 0 : t->publish(&t == last);
    if (error != 0) {
      roll_back();  // while signals wait: an exchanged temporary file is the user's old file
      error == EEXIST ? fail_existing(t->path) : fail_writing(t->path, error);
    }
  }
  finish_all();
}

// Removes the old files, which now have the temporary names. Nothing can fail from here on.
void output_set::finish_all() {
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
    system::synchronise_directory(directory_of(t->place));
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
