// SPDX-License-Identifier: Apache-2.0 OR MIT
// The KEMs and back ends that the command knows: the library's, and those of the other libraries
// that are built in.
#include "kems.hpp"

#ifdef CODEKEM_HAVE_LEGACY
#include <codekem_legacy.h>
#endif

#ifdef CODEKEM_HAVE_MCELIECE
#include <codekem_mceliece.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "errors.hpp"
#include "libcrypto_on_demand.h"
#include "suggest.hpp"

namespace codekem {
namespace {

// For comparison: not constant time, so that the library does not take it from the environment.
constexpr const char *reference_backend = "reference";

constexpr kem_facts facts[] = {
#define FACTS(name, scheme_name, core, level, parts) \
  {name, scheme::scheme_name, core, level, parts},
#include "kem_facts.def"
#undef FACTS
};

constexpr kem_facts unknown = {nullptr, scheme::other, false, 0, false};

}  // namespace

const kem_facts &facts_of(const codekem_kem &kem) {
  for (const kem_facts &one : facts) {
    if (std::strcmp(one.name, kem.method_name) == 0) {
      return one;
    }
  }
  return unknown;
}

std::vector<const kem_facts *> kems_with_core() {
  std::vector<const kem_facts *> found;
  for (const kem_facts &one : facts) {
    if (one.has_core) {
      found.push_back(&one);
    }
  }
  return found;
}

std::vector<const codekem_kem *> all_kems() {
  std::vector<const codekem_kem *> kems;
  for (std::size_t i = 0; i < codekem_kem_count(); i++) {
    kems.push_back(codekem_kem_at(i));
  }
#ifdef CODEKEM_HAVE_MCELIECE
  for (std::size_t i = 0; i < codekem_mceliece_kem_count(); i++) {
    kems.push_back(codekem_mceliece_kem_at(i));
  }
#endif
#ifdef CODEKEM_HAVE_LEGACY
  for (std::size_t i = 0; i < codekem_legacy_kem_count(); i++) {
    kems.push_back(codekem_legacy_kem_at(i));
  }
#endif
  std::stable_partition(kems.begin(), kems.end(),
                        [](const codekem_kem *kem) { return !kem->superseded; });
  return kems;
}

const char *warning_of(const codekem_kem &kem) {
#ifdef CODEKEM_HAVE_MCELIECE
  if (facts_of(kem).of == scheme::mceliece) {
    return codekem_mceliece_warning();
  }
#endif
  (void)kem;
  return nullptr;
}

const codekem_kem &find_kem(const std::string &name) {
  std::vector<std::string> names;
  for (const codekem_kem *kem : all_kems()) {
    if (name == kem->method_name) {
      return *kem;
    }
    names.push_back(kem->method_name);
  }
  throw usage_failure("there is no KEM '" + name + "'" +
                      did_you_mean(name, names, "'codekem list' shows all of them"));
}

std::vector<const codekem_kem *> find_kems(const std::vector<std::string> &names,
                                           bool with_legacy) {
  std::vector<const codekem_kem *> found;
  for (const std::string &name : names) {
    found.push_back(&find_kem(name));
  }
  if (names.empty()) {
    for (const codekem_kem *kem : all_kems()) {
      if ((with_legacy || !kem->superseded) && warning_of(*kem) == nullptr) {
        found.push_back(kem);
      }
    }
  }
  return found;
}

std::size_t payload_bytes(const codekem_kem &kem, file_kind kind) {
  switch (kind) {
    case file_kind::public_key:
      return kem.length_public_key;
    case file_kind::secret_key:
      return kem.length_secret_key;
    case file_kind::ciphertext:
      return kem.length_ciphertext;
    case file_kind::shared_secret:
      return kem.length_shared_secret;
    case file_kind::signature:
      break;
  }
  return 0;  // no KEM has signatures
}

std::size_t largest_payload_bytes() {
  std::size_t largest = 0;
  for (const codekem_kem *kem : all_kems()) {
    for (file_kind kind : {file_kind::public_key, file_kind::secret_key, file_kind::ciphertext,
                           file_kind::shared_secret}) {
      largest = std::max(largest, payload_bytes(*kem, kind));
    }
  }
  return largest;
}

std::vector<std::string> supported_backends() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < codekem_backend_count(); i++) {
    if (codekem_backend_supported(i)) {
      names.push_back(codekem_backend_name(i));
    }
  }
  return names;
}

void require_backend() {
  if (codekem_backend_current() != nullptr) {
    return;
  }
  const char *value = std::getenv("CODEKEM_CPU");
  const std::string asked = value == nullptr ? "" : value;
  std::vector<std::string> choices = supported_backends();
  choices.erase(std::remove(choices.begin(), choices.end(), reference_backend), choices.end());
  throw usage_failure(
      "the environment variable CODEKEM_CPU asks for the back end '" + asked + "', which " +
      (asked == reference_backend ? "is not constant time and can be chosen by --backend only"
                                  : "this processor or this build does not have") +
      "; unset it or choose one of " + joined(choices));
}

void require_libcrypto() {
  const char *problem = libcrypto_load();
  if (problem != nullptr) {
    throw failure("OpenSSL's libcrypto, which this needs, cannot be loaded (" +
                  std::string(problem) + "); install OpenSSL 3, or choose another format or KEM");
  }
}

void require_parts_of(const codekem_kem &kem) {
  if (facts_of(kem).needs_libcrypto) {
    require_libcrypto();
  }
}

void select_backend(const std::string &name) {
  if (codekem_backend_select(name.c_str()) == CODEKEM_OK) {
    return;
  }
  bool built_in = false;
  for (std::size_t i = 0; i < codekem_backend_count(); i++) {
    built_in = built_in || name == codekem_backend_name(i);
  }
  if (built_in) {
    throw usage_failure("this processor cannot run the back end '" + name + "'; choose one of " +
                        joined(supported_backends()));
  }
  throw usage_failure("there is no back end '" + name + "'" +
                      did_you_mean(name, supported_backends(),
                                   "choose one of " + joined(supported_backends())));
}

void require_ok(codekem_status status, const std::string &action) {
  if (status == CODEKEM_OK) {
    return;
  }
  std::string message = action + " failed: " + codekem_status_text(status);
  if (status == CODEKEM_ERROR_RANDOM) {
    message += "; check that the system provides getrandom";
  }
  throw failure(message);
}

}  // namespace codekem
