// SPDX-License-Identifier: Apache-2.0 OR MIT
// Remembers temporary files, so that a signal that ends the command removes them first.
#include "temporary_files.hpp"

#include <limits.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

namespace codekem {
namespace {

// Signals that end no process, or not by default, and those that nobody can catch.
constexpr int other_signals[] = {
    SIGKILL, SIGSTOP, SIGTSTP,  SIGTTIN, SIGTTOU, SIGCONT,
    SIGCHLD, SIGURG,  SIGWINCH, SIGPIPE, SIGXFSZ,  // errors of the write that causes them
#ifdef SIGINFO
    SIGINFO,
#endif
#if defined(SIGIO) && !defined(__linux__)
    SIGIO,
#endif
};

// Plain memory, because a signal handler may touch nothing else. used is set after the path is
// complete, and cleared before the path changes.
struct slot {
  volatile sig_atomic_t used;
  char path[PATH_MAX];
};
slot slots[2];

// What was blocked outside the outermost signals_held.
sigset_t before;
int held = 0;

extern "C" void remove_files_and_end(int signal_number) {
  for (slot &s : slots) {
    if (s.used) {
      unlink(s.path);
    }
  }
  // The handler was installed with SA_RESETHAND: this ends the process as the signal would have.
  raise(signal_number);
}

// Every signal that ends a process by default, those without a name, too.
sigset_t ending_set() {
  sigset_t set;
  sigfillset(&set);
  for (int number : other_signals) {
    sigdelset(&set, number);
  }
  return set;
}

}  // namespace

void install_signal_handlers() {
  const sigset_t ending = ending_set();
  for (int number = 1; number < NSIG; number++) {
    struct sigaction action = {};
    if (sigismember(&ending, number) != 1 || sigaction(number, nullptr, &action) != 0 ||
        action.sa_handler != SIG_DFL) {
      continue;  // ignored, as under nohup, or somebody else's
    }
    action = {};
    action.sa_handler = remove_files_and_end;
    action.sa_mask = ending;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(number, &action, nullptr);
  }
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

void note_temporary_file(const std::string &path) {
  if (path.size() >= PATH_MAX) {
    throw std::length_error("the path is too long");
  }
  for (slot &s : slots) {
    if (!s.used) {
      std::memcpy(s.path, path.c_str(), path.size() + 1);
      s.used = 1;
      return;
    }
  }
  throw std::logic_error("more temporary files than a command may have");
}

void forget_temporary_file(const std::string &path) {
  for (slot &s : slots) {
    if (s.used && path == s.path) {
      s.used = 0;
    }
  }
}

signals_held::signals_held() {
  const sigset_t set = ending_set();
  sigset_t now;
  sigprocmask(SIG_BLOCK, &set, &now);
  if (held++ == 0) {
    before = now;
  }
}

signals_held::~signals_held() {
  if (--held == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
  }
}

}  // namespace codekem
