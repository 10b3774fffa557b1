// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C library for Python: KEMs on bytes, and secret keys in memory that is wiped.
//
// Every call copies what another thread could change, lets other threads run while it computes, and
// takes its working memory from a block of its thread, so it needs little stack. bytes that it
// returns belong to Python, which does not wipe them.
#include <codekem.h>
#if defined(CODEKEM_HAVE_MCELIECE)  // an installed library may lack it
#include <codekem_mceliece.h>
#endif
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "_lock.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// Memory that is wiped before it is freed.
class SecretBytes {
 public:
  explicit SecretBytes(size_t length) : length_(length), data_(new uint8_t[length]) {}
  SecretBytes(SecretBytes &&) = default;
  SecretBytes(const SecretBytes &) = delete;
  SecretBytes &operator=(const SecretBytes &) = delete;
  SecretBytes &operator=(SecretBytes &&) = delete;
  ~SecretBytes() {
    if (data_) {
      codekem_wipe(data_.get(), length_);
    }
  }

  uint8_t *data() {
    return data_.get();
  }
  const uint8_t *data() const {
    return data_.get();
  }

 private:
  size_t length_;
  std::unique_ptr<uint8_t[]> data_;
};

// The working memory of this thread, as large as a call has wanted so far. The library leaves it
// wiped.
class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;
  ~Workspace() {
    release();
  }

  // Returns at least length bytes; throws std::bad_alloc.
  static void *of_thread(size_t length) {
    static thread_local Workspace workspace;
    if (workspace.length_ < length) {
      workspace.release();
      workspace.data_ = ::operator new(length, alignment);
      workspace.length_ = length;
    }
    return workspace.data_;
  }

 private:
  static constexpr std::align_val_t alignment{CODEKEM_WORKSPACE_ALIGNMENT};

  void release() {
    if (data_ != nullptr) {
      ::operator delete(data_, alignment);
      data_ = nullptr;
      length_ = 0;
    }
  }

  void *data_ = nullptr;
  size_t length_ = 0;
};

[[noreturn]] void fail(const std::string &text) {
  throw nb::value_error(text.c_str());
}

// Turns a status into an exception. The interpreter's lock must be held.
void check(codekem_status status) {
  switch (status) {
    case CODEKEM_OK:
      return;
    case CODEKEM_ERROR_PUBLIC_KEY:
    case CODEKEM_ERROR_SECRET_KEY:
    case CODEKEM_ERROR_CIPHERTEXT:
      fail(codekem_status_text(status));
    default:
      throw std::runtime_error(codekem_status_text(status));
  }
}

// Calls function(), which returns a status and throws nothing, while other threads may run Python.
template <typename Function>
void run(Function function) {
  PyThreadState *state = PyEval_SaveThread();
  const codekem_status status = function();
  take_lock(state);
  check(status);
}

// The bytes of an argument, any object with a buffer; a copy, unless they are bytes, which cannot
// change.
class Input {
 public:
  Input(nb::handle object, size_t length, const codekem_kem *kem, const char *what) {
    if (PyBytes_Check(object.ptr())) {
      check_length(static_cast<size_t>(PyBytes_Size(object.ptr())), length, kem, what);
      data_ = reinterpret_cast<const uint8_t *>(PyBytes_AsString(object.ptr()));
      return;
    }
    Py_buffer view;
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_FULL_RO) != 0) {
      nb::raise_python_error();
    }
    const std::unique_ptr<Py_buffer, decltype(&PyBuffer_Release)> released(&view, PyBuffer_Release);
    check_length(static_cast<size_t>(view.len), length, kem, what);
    copy_ = std::make_unique<SecretBytes>(length);
    watched_ = std::make_unique<Watched>(copy_->data(), length);
    if (PyBuffer_ToContiguous(copy_->data(), &view, view.len, 'C') != 0) {
      nb::raise_python_error();
    }
    data_ = copy_->data();
  }

  const uint8_t *data() const {
    return data_;
  }

 private:
  static void check_length(size_t given, size_t needed, const codekem_kem *kem, const char *what) {
    if (given != needed) {
      fail(std::string("a ") + what + " of " + kem->method_name + " has " + std::to_string(needed) +
           " bytes, not " + std::to_string(given));
    }
  }

  std::unique_ptr<SecretBytes> copy_;
  std::unique_ptr<Watched> watched_;
  const uint8_t *data_ = nullptr;
};

// New bytes that nobody else has seen yet, to be filled.
class Output {
 public:
  explicit Output(size_t length)
      : bytes_(nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr,
                                                              static_cast<Py_ssize_t>(length)))) {
    if (!bytes_.is_valid()) {
      nb::raise_python_error();
    }
  }

  uint8_t *data() {
    return reinterpret_cast<uint8_t *>(PyBytes_AsString(bytes_.ptr()));
  }
  nb::bytes &bytes() {
    return bytes_;
  }

 private:
  nb::bytes bytes_;
};

nb::bytes bytes_of(const uint8_t *data, size_t length) {
  return nb::bytes(reinterpret_cast<const char *>(data), length);
}

// Options with working memory of this thread, and with a seed unless it is null.
codekem_options options_of(size_t workspace_length, const uint8_t *seed = nullptr) {
  codekem_options options = {};
  options.size = sizeof options;
  options.seed = seed;
  options.workspace = Workspace::of_thread(workspace_length);
  options.workspace_length = workspace_length;
  return options;
}

void make_keypair(const codekem_kem *kem, uint8_t *public_key, uint8_t *secret_key,
                  const uint8_t *seed) {
  const Watched watched(secret_key, kem->length_secret_key);
  const codekem_options options = options_of(kem->length_keypair_workspace, seed);
  run([&] { return codekem_kem_keypair_with(kem, public_key, secret_key, &options); });
}

nb::bytes recover(const codekem_kem *kem, const uint8_t *secret_key, nb::handle ciphertext) {
  const Input input(ciphertext, kem->length_ciphertext, kem, "ciphertext");
  Output shared(kem->length_shared_secret);
  uint8_t *out = shared.data();
  const Watched watched(out, kem->length_shared_secret);
  const codekem_options options = options_of(kem->length_decaps_workspace);
  run([&] { return codekem_kem_decaps_with(kem, out, input.data(), secret_key, &options); });
  return std::move(shared.bytes());
}

void derive_public(const codekem_kem *kem, uint8_t *public_key, const uint8_t *secret_key) {
  const codekem_options options = options_of(kem->length_check_workspace);
  run([&] { return codekem_kem_derive_public_key_with(kem, public_key, secret_key, &options); });
}

void check_secret(const codekem_kem *kem, const uint8_t *secret_key) {
  const codekem_options options = options_of(kem->length_check_workspace);
  run([&] { return codekem_kem_check_secret_key_with(kem, secret_key, &options); });
}

#if defined(CODEKEM_HAVE_MCELIECE)
const auto mceliece_find = codekem_mceliece_kem_find;
const auto mceliece_at = codekem_mceliece_kem_at;
const auto mceliece_warning = codekem_mceliece_warning;
#else
const codekem_kem *mceliece_find(const char *) {
  return nullptr;
}
const codekem_kem *mceliece_at(size_t) {
  return nullptr;
}
const char *mceliece_warning() {
  return "";
}
#endif

// Returns a name for the library, whose texts end at the first zero byte: one that holds such a
// byte is no name, not even its beginning.
const char *name_for_library(const std::string &name) {
  return name.find('\0') == std::string::npos ? name.c_str() : "";
}

// One KEM, on bytes.
class Kem {
 public:
  explicit Kem(const std::string &name) : kem(codekem_kem_find(name_for_library(name))) {
    if (kem == nullptr) {
      fail("there is no KEM of this name; codekem.KEM_NAMES has all names");
    }
  }

  // One of Classic McEliece.
  static Kem mceliece(const std::string &name) {
    const Kem found(mceliece_find(name_for_library(name)));
    if (found.kem == nullptr) {
      fail("there is no KEM of this name; codekem.mceliece.KEM_NAMES has all names");
    }
    return found;
  }

  nb::tuple keypair(nb::handle seed) const {
    Output public_key(kem->length_public_key);
    Output secret_key(kem->length_secret_key);
    if (seed.is_none()) {
      make_keypair(kem, public_key.data(), secret_key.data(), nullptr);
    } else {
      const Input input(seed, kem->length_keypair_seed, kem, "seed for keys");
      make_keypair(kem, public_key.data(), secret_key.data(), input.data());
    }
    return nb::make_tuple(std::move(public_key.bytes()), std::move(secret_key.bytes()));
  }

  nb::tuple encapsulate(nb::handle public_key, nb::handle seed) const {
    const Input input(public_key, kem->length_public_key, kem, "public key");
    check(codekem_kem_check_public_key(kem, input.data()));
    if (seed.is_none()) {
      return encapsulate_to(input.data(), nullptr);
    }
    const Input seed_input(seed, kem->length_encaps_seed, kem, "seed for encapsulation");
    return encapsulate_to(input.data(), seed_input.data());
  }

  nb::bytes decapsulate(nb::handle secret_key, nb::handle ciphertext) const {
    const Input input(secret_key, kem->length_secret_key, kem, "secret key");
    return recover(kem, input.data(), ciphertext);
  }

  nb::bytes derive_public_key(nb::handle secret_key) const {
    const Input input(secret_key, kem->length_secret_key, kem, "secret key");
    Output public_key(kem->length_public_key);
    derive_public(kem, public_key.data(), input.data());
    return std::move(public_key.bytes());
  }

  void check_public_key(nb::handle public_key) const {
    const Input input(public_key, kem->length_public_key, kem, "public key");
    check(codekem_kem_check_public_key(kem, input.data()));
  }

  void check_secret_key(nb::handle secret_key) const {
    const Input input(secret_key, kem->length_secret_key, kem, "secret key");
    check_secret(kem, input.data());
  }

  void check_ciphertext(nb::handle ciphertext) const {
    const Input input(ciphertext, kem->length_ciphertext, kem, "ciphertext");
    check(codekem_kem_check_ciphertext(kem, input.data()));
  }

  const codekem_kem *kem;

 private:
  explicit Kem(const codekem_kem *found) : kem(found) {}

  nb::tuple encapsulate_to(const uint8_t *public_key, const uint8_t *seed) const {
    Output shared(kem->length_shared_secret);
    Output ciphertext(kem->length_ciphertext);
    uint8_t *ss = shared.data();
    uint8_t *ct = ciphertext.data();
    const Watched watched(ss, kem->length_shared_secret);
    const codekem_options options = options_of(kem->length_encaps_workspace, seed);
    run([&] { return codekem_kem_encaps_with(kem, ct, ss, public_key, &options); });
    return nb::make_tuple(std::move(shared.bytes()), std::move(ciphertext.bytes()));
  }
};

// A key pair whose secret key lies in memory of its own, which is wiped when the object goes. It
// does not change once it is made.
class SecretKey {
 public:
  static SecretKey generate(const Kem &kem) {
    SecretKey made(kem.kem);
    const size_t length = kem.kem->length_keypair_seed;
    made.seed_ = std::make_unique<SecretBytes>(length);
    const Watched watched(made.seed_->data(), length);
    if (!codekem_random_system(nullptr, made.seed_->data(), length)) {
      check(CODEKEM_ERROR_RANDOM);
    }
    make_keypair(kem.kem, made.public_.data(), made.secret_.data(), made.seed_->data());
    return made;
  }

  static SecretKey from_seed(const Kem &kem, nb::handle seed) {
    const Input input(seed, kem.kem->length_keypair_seed, kem.kem, "seed for keys");
    SecretKey made(kem.kem);
    const Watched watched(made.keep_seed(input.data()), kem.kem->length_keypair_seed);
    make_keypair(kem.kem, made.public_.data(), made.secret_.data(), input.data());
    return made;
  }

  static SecretKey from_bytes(const Kem &kem, nb::handle data) {
    const Input input(data, kem.kem->length_secret_key, kem.kem, "secret key");
    check_secret(kem.kem, input.data());
    SecretKey made(kem.kem);
    const size_t length = kem.kem->length_secret_key;
    std::copy_n(input.data(), length, made.secret_.data());
    if (std::string_view(kem.kem->family) == "HQC") {  // whose secret keys end in their seed
      made.keep_seed(input.data() + length - kem.kem->length_keypair_seed);
    }
    const Watched watched(made.secret_.data(), kem.kem->length_secret_key);
    derive_public(kem.kem, made.public_.data(), made.secret_.data());
    return made;
  }

  nb::bytes decapsulate(nb::handle ciphertext) const {
    return recover(kem_, secret_.data(), ciphertext);
  }
  nb::bytes public_bytes() const {
    return bytes_of(public_.data(), kem_->length_public_key);
  }
  nb::bytes secret_bytes() const {
    return bytes_of(secret_.data(), kem_->length_secret_key);
  }
  // None for a key whose seed is not known.
  nb::object seed_bytes() const {
    return seed_ ? nb::object(bytes_of(seed_->data(), kem_->length_keypair_seed)) : nb::none();
  }

  // Takes the same time for all keys of a KEM.
  bool equals(const SecretKey &other) const {
    if (kem_ != other.kem_) {
      return false;
    }
    volatile uint8_t difference = 0;
    for (size_t i = 0; i < kem_->length_secret_key; i++) {
      difference = difference | (secret_.data()[i] ^ other.secret_.data()[i]);
    }
    return difference == 0;
  }

 private:
  explicit SecretKey(const codekem_kem *kem)
      : kem_(kem), secret_(kem->length_secret_key), public_(kem->length_public_key) {}

  uint8_t *keep_seed(const uint8_t *seed) {
    seed_ = std::make_unique<SecretBytes>(kem_->length_keypair_seed);
    std::copy_n(seed, kem_->length_keypair_seed, seed_->data());
    return seed_->data();
  }

  const codekem_kem *kem_;
  SecretBytes secret_;
  std::unique_ptr<SecretBytes> seed_;  // null if it is not known
  std::vector<uint8_t> public_;
};

std::vector<std::string> kem_names() {
  std::vector<std::string> names;
  for (size_t i = 0; i < codekem_kem_count(); i++) {
    names.emplace_back(codekem_kem_at(i)->method_name);
  }
  return names;
}

std::vector<std::string> mceliece_names() {
  std::vector<std::string> names;
  for (size_t i = 0; mceliece_at(i) != nullptr; i++) {
    names.emplace_back(mceliece_at(i)->method_name);
  }
  return names;
}

std::vector<std::string> backends() {
  std::vector<std::string> names;
  for (size_t i = 0; i < codekem_backend_count(); i++) {
    if (codekem_backend_supported(i)) {
      names.emplace_back(codekem_backend_name(i));
    }
  }
  return names;
}

std::string backend() {
  const char *name = codekem_backend_current();
  if (name == nullptr) {
    throw std::runtime_error(codekem_status_text(CODEKEM_ERROR_BACKEND));
  }
  return name;
}

void select_backend(const std::string &name) {
  if (codekem_backend_select(name_for_library(name)) != CODEKEM_OK) {
    fail(std::string(codekem_status_text(CODEKEM_ERROR_BACKEND)) +
         "; codekem.backends() has the names");
  }
}

void bind_kem(nb::module_ &module) {
  nb::class_<Kem>(module, "Kem", nb::is_final())
      .def(nb::init<const std::string &>(), "name"_a)
      .def_static("mceliece", &Kem::mceliece, "name"_a)
      .def_prop_ro("name", [](const Kem &k) { return k.kem->method_name; })
      .def_prop_ro("version", [](const Kem &k) { return k.kem->alg_version; })
      .def_prop_ro("family", [](const Kem &k) { return k.kem->family; })
      .def_prop_ro("security", [](const Kem &k) { return k.kem->security; })
      .def_prop_ro("nist_level", [](const Kem &k) { return int{k.kem->claimed_nist_level}; })
      .def_prop_ro("is_ind_cca", [](const Kem &k) { return k.kem->ind_cca; })
      .def_prop_ro("superseded", [](const Kem &k) { return k.kem->superseded; })
      .def_prop_ro("length_public_key", [](const Kem &k) { return k.kem->length_public_key; })
      .def_prop_ro("length_secret_key", [](const Kem &k) { return k.kem->length_secret_key; })
      .def_prop_ro("length_ciphertext", [](const Kem &k) { return k.kem->length_ciphertext; })
      .def_prop_ro("length_shared_secret", [](const Kem &k) { return k.kem->length_shared_secret; })
      .def_prop_ro("length_keypair_seed", [](const Kem &k) { return k.kem->length_keypair_seed; })
      .def_prop_ro("length_encaps_seed", [](const Kem &k) { return k.kem->length_encaps_seed; })
      .def("keypair", &Kem::keypair, "seed"_a.none() = nb::none())
      .def("encapsulate", &Kem::encapsulate, "public_key"_a, "seed"_a.none() = nb::none())
      .def("decapsulate", &Kem::decapsulate, "secret_key"_a, "ciphertext"_a)
      .def("derive_public_key", &Kem::derive_public_key, "secret_key"_a)
      .def("check_public_key", &Kem::check_public_key, "public_key"_a)
      .def("check_secret_key", &Kem::check_secret_key, "secret_key"_a)
      .def("check_ciphertext", &Kem::check_ciphertext, "ciphertext"_a);
}

}  // namespace

NB_MODULE(_native, module) {
  nb::set_leak_warnings(false);  // objects of threads that end in stay() are no mistake
  bind_kem(module);
  nb::class_<SecretKey>(module, "SecretKey", nb::is_final())
      .def_static("generate", &SecretKey::generate, "kem"_a)
      .def_static("from_seed", &SecretKey::from_seed, "kem"_a, "seed"_a)
      .def_static("from_bytes", &SecretKey::from_bytes, "kem"_a, "data"_a)
      .def("decapsulate", &SecretKey::decapsulate, "ciphertext"_a)
      .def("public_bytes", &SecretKey::public_bytes)
      .def("secret_bytes", &SecretKey::secret_bytes)
      .def("seed_bytes", &SecretKey::seed_bytes)
      .def("equals", &SecretKey::equals, "other"_a);
  module.def("kem_names", &kem_names);
  module.def("mceliece_names", &mceliece_names);
  module.def("mceliece_warning", [] { return std::string(mceliece_warning()); });
  module.def("version", [] { return std::string(codekem_version()); });
  module.def("backend", &backend);
  module.def("backends", &backends);
  module.def("select_backend", &select_backend, "name"_a);
}
