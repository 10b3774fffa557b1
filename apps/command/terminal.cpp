// SPDX-License-Identifier: Apache-2.0 OR MIT
// What depends on whether a stream is a terminal: colour, progress; and columns of text.
#include "terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "system.hpp"

namespace codekem {
namespace {

bool is_set(const char *variable) {
  const char *value = std::getenv(variable);
  return value != nullptr && value[0] != '\0';
}

// Counts the characters that a terminal shows: escape sequences take no room, and every byte
// but the continuation bytes of UTF-8 starts a character.
std::size_t character_count(const std::string &text) {
  std::size_t count = 0;
  bool in_escape = false;
  for (const char c : text) {
    if (in_escape) {
      in_escape = c != 'm';
    } else if (c == '\033') {
      in_escape = true;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      count++;
    }
  }
  return count;
}

}  // namespace

style::style(int descriptor) {
  on_ = system::understands_escapes(descriptor) && !is_set("NO_COLOR");
}

std::string style::wrap(const char *code, const std::string &text) const {
  return on_ ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
}

progress_line::progress_line() : terminal_(system::understands_escapes(STDERR_FILENO)) {}

void progress_line::show(const std::string &text) {
  if (terminal_) {
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    shown_ = true;
  }
}

void progress_line::clear() {
  if (shown_) {
    std::fputs("\r\033[K", stderr);
    shown_ = false;
  }
}

std::string padded(const std::string &text, std::size_t width, bool right) {
  const std::size_t used = character_count(text);
  const std::string space(used < width ? width - used : 0, ' ');
  return right ? space + text : text + space;
}

table::table(std::vector<column> columns) : columns_(std::move(columns)) {
  for (column &c : columns_) {
    c.width = std::max(c.width, character_count(c.title));
  }
}

std::string table::header(const style &colours) const {
  std::vector<std::string> titles;
  for (const column &c : columns_) {
    titles.push_back(c.title);
  }
  const std::string line = row(titles);
  return colours.bold(line.substr(0, line.size() - 1)) + "\n";
}

std::string table::row(const std::vector<std::string> &cells) const {
  std::string line;
  for (std::size_t i = 0; i < columns_.size(); i++) {
    const std::string cell = padded(cells[i], columns_[i].width, columns_[i].right);
    line += (i == 0 ? "" : "  ") + cell;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace codekem
