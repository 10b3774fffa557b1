// SPDX-License-Identifier: Apache-2.0 OR MIT
// Remembers temporary files, so that Ctrl+C and a closed window remove them first.
#include <windows.h>

#include <mutex>
#include <vector>

#include "temporary_files.hpp"

namespace codekem {
namespace {

// Windows calls the handler in a thread of its own. The lock is held where signals wait elsewhere.
std::recursive_mutex lock;
std::vector<std::string> files;

BOOL WINAPI remove_files(DWORD) {
  const std::lock_guard<std::recursive_mutex> hold(lock);
  for (const std::string &path : files) {
    DeleteFileA(path.c_str());
  }
  return FALSE;  // the next handler ends the process
}

}  // namespace

void install_signal_handlers() { SetConsoleCtrlHandler(remove_files, TRUE); }

void note_temporary_file(const std::string &path) {
  const std::lock_guard<std::recursive_mutex> hold(lock);
  files.push_back(path);
}

void forget_temporary_file(const std::string &path) {
  const std::lock_guard<std::recursive_mutex> hold(lock);
  for (std::size_t i = 0; i < files.size(); i++) {
    if (files[i] == path) {
      files.erase(files.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }
}

signals_held::signals_held() { lock.lock(); }

signals_held::~signals_held() { lock.unlock(); }

}  // namespace codekem
