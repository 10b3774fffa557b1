// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reads files and standard input, never more than asked for.
#include "file_input.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "errors.hpp"
#include "system.hpp"

namespace codekem {
namespace {

// Closes a descriptor at the end of its scope.
class descriptor {
 public:
  explicit descriptor(int number, bool owned) : number_(number), owned_(owned) {}
  ~descriptor() {
    if (owned_) {
      close(number_);
    }
  }
  descriptor(const descriptor &) = delete;
  descriptor &operator=(const descriptor &) = delete;
  int number() const { return number_; }

 private:
  int number_;
  bool owned_;
};

[[noreturn]] void fail_reading(const std::string &path, int error_number) {
  throw failure(input_name(path) + ": cannot be read: " + std::strerror(error_number) +
                advice(error_number));
}

int open_for_reading(const std::string &path) {
  const int number = system::open_to_read(path);
  if (number < 0) {
    fail_reading(path, errno);
  }
  return number;
}

bool stat_input(const std::string &path, struct stat &status) {
  return (path == "-" ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status)) == 0;
}

}  // namespace

std::string input_name(const std::string &path) { return path == "-" ? "standard input" : path; }

std::string advice(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return "; check the name and the directory";
    case EACCES:
    case EPERM:
      return "; check the permissions";
    case EROFS:
      return "; choose a place that can be written to";
    case EISDIR:
      return "; name a file";
    case ENOSPC:
#ifdef EDQUOT
    case EDQUOT:
#endif
      return "; free some space or choose another place";
    case EFBIG:
      return "; raise the limit of file sizes (ulimit -f) or choose another place";
    case EPIPE:
      return "; keep the reader of the pipe open until codekem ends";
    case EBADF:
      return "; open the stream, or name a file";
    case ENAMETOOLONG:
      return "; choose a shorter name";
    default:
      return "; check the device or choose another file";
  }
}

namespace {

// Reads at most length bytes; returns 0 at the end of the input.
std::size_t read_next(const std::string &path, const descriptor &input, std::uint8_t *data,
                      std::size_t length) {
  for (;;) {
    const std::ptrdiff_t got = system::read_some(input.number(), data, length);
    if (got >= 0) {
      return static_cast<std::size_t>(got);
    }
    if (errno == EAGAIN) {
      system::wait_until_readable(input.number());
    } else if (errno != EINTR) {
      fail_reading(path, errno);
    }
  }
}

}  // namespace

bytes read_input(const std::string &path, std::size_t limit) {
  const bool is_stdin = path == "-";
  const descriptor input(is_stdin ? STDIN_FILENO : open_for_reading(path), !is_stdin);
  bytes data;
  std::size_t filled = 0;

  while (filled < limit) {
    data.resize(std::min(limit, std::max<std::size_t>(2 * filled, 4096)));
    const std::size_t got = read_next(path, input, data.data() + filled, data.size() - filled);
    if (got == 0) {
      break;
    }
    filled += got;
  }
  data.resize(filled);
  return data;
}

void read_in_parts(const std::string &path,
                   const std::function<void(const std::uint8_t *, std::size_t)> &take) {
  const bool is_stdin = path == "-";
  const descriptor input(is_stdin ? STDIN_FILENO : open_for_reading(path), !is_stdin);
  bytes data(65536);

  while (const std::size_t got = read_next(path, input, data.data(), data.size())) {
    take(data.data(), got);
  }
}

bool is_regular_file(const std::string &path) {
  struct stat status;
  return path != "-" && stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

void require_separate_inputs(const std::string &first_path, const std::string &second_path) {
  struct stat first, second;

  if (first_path == "-" && second_path == "-") {
    throw usage_failure("only one input can be standard input; give a file for the other");
  }
  if (stat_input(first_path, first) && stat_input(second_path, second) &&
      system::is_same_stream(first, second) && !S_ISREG(first.st_mode)) {
    throw usage_failure(input_name(first_path) + " and " + input_name(second_path) +
                        " are the same stream; give a file for one of them");
  }
}

}  // namespace codekem
