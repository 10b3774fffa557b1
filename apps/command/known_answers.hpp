// SPDX-License-Identifier: Apache-2.0 OR MIT
// One known answer for each KEM, by which `codekem selftest` recognises a broken build or machine.
#ifndef CODEKEM_CLI_KNOWN_ANSWERS_HPP
#define CODEKEM_CLI_KNOWN_ANSWERS_HPP

#include <string>

namespace codekem {

// Returns the SHA3-256 digest, in hexadecimal, of public key || secret key || ciphertext || shared
// secret for keypair seed 00 01 02 ... and encaps seed FF FE FD ...; for a signature scheme, of
// public key || secret key || signature for that seed and the message "abc". "" if none is known.
std::string known_answer(const std::string &kem);

}  // namespace codekem

#endif
