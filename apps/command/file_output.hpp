// SPDX-License-Identifier: Apache-2.0 OR MIT
// Writes the outputs of a command so that either all of them appear, complete, or none.
#ifndef CODEKEM_CLI_FILE_OUTPUT_HPP
#define CODEKEM_CLI_FILE_OUTPUT_HPP

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.hpp"

namespace codekem {

// Collects the outputs of one command. A file is written without a name, where the file system can
// (O_TMPFILE), else under a temporary name in its directory, and takes its own name when every
// output has been written; until then a failure, an exception or a signal leaves nothing behind and
// no file changed. Even SIGKILL leaves nothing of a file without a name; but to replace a file, one
// must have a temporary name for a moment. Standard output, pipes and devices are written directly,
// before any file appears.
class output_set {
 public:
  // Replaces existing files and writes to terminals only if force is set.
  explicit output_set(bool force);
  ~output_set();
  output_set(const output_set &) = delete;
  output_set &operator=(const output_set &) = delete;

  // Says that path is read by the same command, so that no output may replace it.
  void protect_input(const std::string &path);

  // Prepares output path ("-": standard output), and fails now for what can be known now.
  // Secret files get mode 0600 at creation.
  void add(const std::string &path, bool secret);

  // Writes contents[i] to the i-th output added, and makes the files appear.
  void commit(const std::vector<const bytes *> &contents);

 private:
  struct target;
  void prepare_stream(target &added, bool is_block_device);
  void prepare_file(target &added, bool exists);
  void require_distinct(const target &added) const;
  void publish_all();
  void finish_all();
  void roll_back();

  bool force_;
  std::vector<std::string> inputs_;
  std::vector<std::unique_ptr<target>> targets_;
};

// Writes text to standard output, or fails with a message that says why it cannot.
void write_stdout(std::string_view text);

}  // namespace codekem

#endif
