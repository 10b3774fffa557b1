// SPDX-License-Identifier: Apache-2.0 OR MIT
// A KEM with working memory of its own: its operations on vectors of bytes.
#include "kem_instance.hpp"

#include <algorithm>

#ifdef CODEKEM_HAVE_MCELIECE
#include <codekem_mceliece.h>
#endif

#include "kems.hpp"

namespace codekem {

kem_instance::kem_instance(const codekem_kem &kem)
    : kem_(kem),
      length_(std::max({kem.length_keypair_workspace, kem.length_encaps_workspace,
                        kem.length_decaps_workspace, kem.length_check_workspace,
                        kem.length_keypair_batch_workspace, kem.length_encaps_batch_workspace,
                        kem.length_decaps_batch_workspace})),
      memory_(static_cast<std::uint8_t *>(
          ::operator new(length_, std::align_val_t{CODEKEM_WORKSPACE_ALIGNMENT}))) {
  require_parts_of(kem);
}

codekem_status kem_instance::keypair(bytes &public_key, bytes &secret_key,
                                     codekem_random_function random, void *context) {
  public_key.resize(kem_.length_public_key);
  secret_key.resize(kem_.length_secret_key);
  return codekem_kem_keypair_random_workspace(&kem_, public_key.data(), secret_key.data(), random,
                                              context, memory_.get(), length_);
}

codekem_status kem_instance::encaps(bytes &ciphertext, bytes &shared_secret,
                                    const bytes &public_key, codekem_random_function random,
                                    void *context) {
  ciphertext.resize(kem_.length_ciphertext);
  shared_secret.resize(kem_.length_shared_secret);
#ifdef CODEKEM_HAVE_MCELIECE
  if (facts_of(kem_).of == scheme::mceliece) {  // as its known answers do
    return codekem_mceliece_encaps_random(&kem_, ciphertext.data(), shared_secret.data(),
                                          public_key.data(), random, context, memory_.get(),
                                          length_);
  }
#endif
  return codekem_kem_encaps_random_workspace(&kem_, ciphertext.data(), shared_secret.data(),
                                             public_key.data(), random, context, memory_.get(),
                                             length_);
}

codekem_status kem_instance::keypair_derand(bytes &public_key, bytes &secret_key,
                                            const bytes &seed) {
  public_key.resize(kem_.length_public_key);
  secret_key.resize(kem_.length_secret_key);
  return codekem_kem_keypair_workspace(&kem_, public_key.data(), secret_key.data(), seed.data(),
                                       memory_.get(), length_);
}

codekem_status kem_instance::encaps_derand(bytes &ciphertext, bytes &shared_secret,
                                           const bytes &public_key, const bytes &seed) {
  ciphertext.resize(kem_.length_ciphertext);
  shared_secret.resize(kem_.length_shared_secret);
  return codekem_kem_encaps_workspace(&kem_, ciphertext.data(), shared_secret.data(),
                                      public_key.data(), seed.data(), memory_.get(), length_);
}

codekem_status kem_instance::decaps(bytes &shared_secret, const bytes &ciphertext,
                                    const bytes &secret_key) {
  shared_secret.resize(kem_.length_shared_secret);
  return codekem_kem_decaps_workspace(&kem_, shared_secret.data(), ciphertext.data(),
                                      secret_key.data(), memory_.get(), length_);
}

codekem_status kem_instance::keypair_batch(std::size_t count, bytes &public_keys,
                                           bytes &secret_keys) {
  public_keys.resize(count * kem_.length_public_key);
  secret_keys.resize(count * kem_.length_secret_key);
  return codekem_kem_keypair_batch_random_workspace(&kem_, count, public_keys.data(),
                                                    secret_keys.data(), codekem_random_system,
                                                    nullptr, memory_.get(), length_);
}

codekem_status kem_instance::encaps_batch(std::size_t count, bytes &ciphertexts,
                                          bytes &shared_secrets, const bytes &public_keys,
                                          std::size_t stride) {
  ciphertexts.resize(count * kem_.length_ciphertext);
  shared_secrets.resize(count * kem_.length_shared_secret);
  return codekem_kem_encaps_batch_random_workspace(&kem_, count, ciphertexts.data(),
                                                   shared_secrets.data(), public_keys.data(),
                                                   stride, codekem_random_system, nullptr,
                                                   memory_.get(), length_);
}

codekem_status kem_instance::decaps_batch(std::size_t count, bytes &shared_secrets,
                                          const bytes &ciphertexts, const bytes &secret_keys,
                                          std::size_t stride) {
  shared_secrets.resize(count * kem_.length_shared_secret);
  return codekem_kem_decaps_batch_workspace(&kem_, count, shared_secrets.data(), ciphertexts.data(),
                                            secret_keys.data(), stride, memory_.get(), length_);
}

codekem_status kem_instance::check_public_key(const bytes &public_key) const {
  return codekem_kem_check_public_key(&kem_, public_key.data());
}

codekem_status kem_instance::check_secret_key(const bytes &secret_key) {
  return codekem_kem_check_secret_key_workspace(&kem_, secret_key.data(), memory_.get(), length_);
}

codekem_status kem_instance::check_ciphertext(const bytes &ciphertext) const {
  return codekem_kem_check_ciphertext(&kem_, ciphertext.data());
}

codekem_status kem_instance::derive_public_key(bytes &public_key, const bytes &secret_key) {
  public_key.resize(kem_.length_public_key);
  return codekem_kem_derive_public_key_workspace(&kem_, public_key.data(), secret_key.data(),
                                                 memory_.get(), length_);
}

}  // namespace codekem
