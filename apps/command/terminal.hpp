// SPDX-License-Identifier: Apache-2.0 OR MIT
// What depends on whether a stream is a terminal: colour, progress; and columns of text.
#ifndef CODEKEM_CLI_TERMINAL_HPP
#define CODEKEM_CLI_TERMINAL_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace codekem {

// Colours text if the stream is a terminal that can and NO_COLOR is not set.
class style {
 public:
  explicit style(int descriptor);
  std::string bold(const std::string &text) const { return wrap("1", text); }
  std::string green(const std::string &text) const { return wrap("32", text); }
  std::string red(const std::string &text) const { return wrap("1;31", text); }

 private:
  std::string wrap(const char *code, const std::string &text) const;
  bool on_;
};

// Shows one line on standard error that the next one replaces; nothing if that is no terminal.
class progress_line {
 public:
  progress_line();
  ~progress_line() { clear(); }
  progress_line(const progress_line &) = delete;
  progress_line &operator=(const progress_line &) = delete;
  void show(const std::string &text);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

// Returns text and as many spaces as it takes to fill width columns, spaces first if right is set.
// Counts UTF-8 characters, and colours as nothing.
std::string padded(const std::string &text, std::size_t width, bool right);

// A table whose column widths are known before its rows.
class table {
 public:
  struct column {
    std::string title;
    std::size_t width;  // at least; the title may be wider
    bool right;         // aligned to the right, as numbers are
  };
  explicit table(std::vector<column> columns);
  std::string header(const style &colours) const;
  std::string row(const std::vector<std::string> &cells) const;

 private:
  std::vector<column> columns_;
};

}  // namespace codekem

#endif
