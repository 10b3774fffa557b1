// SPDX-License-Identifier: Apache-2.0 OR MIT
// The KEMs and back ends that the command knows: the library's, and those of the other libraries
// that are built in.
#ifndef CODEKEM_CLI_KEMS_HPP
#define CODEKEM_CLI_KEMS_HPP

#include <codekem.h>

#include <cstddef>
#include <string>
#include <vector>

#include "key_file.hpp"

namespace codekem {

enum class scheme { bike, hqc, mceliece, other };

// What the command knows of a KEM besides what the library says.
struct kem_facts {
  const char *name;
  scheme of;
  bool has_core;         // in hardware/, which then has this LEVEL:
  int level;
  bool needs_libcrypto;  // for AES and SHA-2
};

// Returns what is known of a KEM. One that the table lacks, of a newer shared library for example,
// has no core and is what the library says.
const kem_facts &facts_of(const codekem_kem &kem);

// Returns the facts of the KEMs that hardware/ has cores for.
std::vector<const kem_facts *> kems_with_core();

// Returns every KEM, the legacy ones (superseded by a later version) last.
std::vector<const codekem_kem *> all_kems();

// Returns the KEM called name; otherwise fails and names the nearest.
const codekem_kem &find_kem(const std::string &name);

// Returns what users of kem must know, as a sentence without an end, or nullptr.
const char *warning_of(const codekem_kem &kem);

// Returns the KEMs called names; without names, those of all_kems() that are wanted and have no
// warning.
std::vector<const codekem_kem *> find_kems(const std::vector<std::string> &names, bool with_legacy);

// Returns the number of bytes of a key, ciphertext or secret of kem.
std::size_t payload_bytes(const codekem_kem &kem, file_kind kind);

// Returns the largest number of bytes that anything of any KEM has.
std::size_t largest_payload_bytes();

// Returns the names of the back ends that this processor can run, slowest first.
std::vector<std::string> supported_backends();

// Fails if the environment variable CODEKEM_CPU names a back end that cannot be taken. Each command
// begins with it.
void require_backend();

// Loads OpenSSL's libcrypto, which AES and PEM need, or fails and says why it cannot.
void require_libcrypto();

// Loads what the operations of kem need beside the library.
void require_parts_of(const codekem_kem &kem);

// Takes the back end called name, or fails and names those that can run.
void select_backend(const std::string &name);

// Fails if status is not CODEKEM_OK; action says what was being done, "making a key pair".
void require_ok(codekem_status status, const std::string &action);

}  // namespace codekem

#endif
