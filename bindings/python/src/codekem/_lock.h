// SPDX-License-Identifier: Apache-2.0 OR MIT
// The lock of the interpreter: how a thread takes it back, and what becomes of it if it cannot.
#ifndef CODEKEM_PYTHON_LOCK_H
#define CODEKEM_PYTHON_LOCK_H

#include <Python.h>
#include <codekem.h>

#include <cstddef>
#include <cstdint>

#ifndef _WIN32
#include <pthread.h>
#include <unistd.h>
#endif

namespace {

// Secret memory of the call that this thread is in. It is a local variable: the latest one of a
// thread goes first.
class Watched {
 public:
  Watched(uint8_t *data, size_t length) : data_(data), length_(length), before_(last) {
    last = this;
  }
  Watched(const Watched &) = delete;
  Watched &operator=(const Watched &) = delete;
  ~Watched() {
    last = before_;
  }

  static void wipe_all() {
    for (const Watched *watched = last; watched != nullptr; watched = watched->before_) {
      codekem_wipe(watched->data_, watched->length_);
    }
  }

 private:
  static inline thread_local Watched *last = nullptr;

  uint8_t *data_;
  size_t length_;
  Watched *before_;
};

#ifndef _WIN32
// Is where a thread goes for good that comes back when Python has ended: as Python 3.14 does it
// itself.
inline void stay(void * /*unused*/) {
  Watched::wipe_all();
  for (;;) {
    pause();
  }
}
#endif

// Takes the interpreter's lock back. While Python ends, it lets no other thread have it, and
// versions before 3.14 end such a thread by pthread_exit, which would unwind the frames above:
// those of nanobind must not be unwound, and ours would touch objects without the lock. So the
// thread stops here instead.
inline void take_lock(PyThreadState *state) {
#ifdef _WIN32
  PyEval_RestoreThread(state);  // it ends the thread without unwinding
#else
  pthread_cleanup_push(stay, nullptr);
  PyEval_RestoreThread(state);
  pthread_cleanup_pop(0);
#endif
}

}  // namespace

#endif
