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

codekem_options kem_instance::options(const drawing &from) const {
  codekem_options made = {};
  made.size = sizeof made;
  made.seed = from.seed == nullptr ? nullptr : from.seed->data();
  made.random = from.random;
  made.random_context = from.context;
  made.workspace = memory_.get();
  made.workspace_length = length_;
  return made;
}

codekem_status kem_instance::keypair(bytes &public_key, bytes &secret_key, const drawing &from) {
  const codekem_options made = options(from);
  public_key.resize(kem_.length_public_key);
  secret_key.resize(kem_.length_secret_key);
  return codekem_kem_keypair_with(&kem_, public_key.data(), secret_key.data(), &made);
}

codekem_status kem_instance::encaps(bytes &ciphertext, bytes &shared_secret,
                                    const bytes &public_key, const drawing &from) {
  const codekem_options made = options(from);
  ciphertext.resize(kem_.length_ciphertext);
  shared_secret.resize(kem_.length_shared_secret);
#ifdef CODEKEM_HAVE_MCELIECE
  if (facts_of(kem_).of == scheme::mceliece && from.seed == nullptr) {  // as its known answers do
    return codekem_mceliece_encaps_random(
        &kem_, ciphertext.data(), shared_secret.data(), public_key.data(),
        from.random == nullptr ? codekem_random_system : from.random, from.context, memory_.get(),
        length_);
  }
#endif
  return codekem_kem_encaps_with(&kem_, ciphertext.data(), shared_secret.data(), public_key.data(),
                                 &made);
}

codekem_status kem_instance::decaps(bytes &shared_secret, const bytes &ciphertext,
                                    const bytes &secret_key) {
  const codekem_options made = options();
  shared_secret.resize(kem_.length_shared_secret);
  return codekem_kem_decaps_with(&kem_, shared_secret.data(), ciphertext.data(), secret_key.data(),
                                 &made);
}

codekem_status kem_instance::keypair_batch(std::size_t count, bytes &public_keys,
                                           bytes &secret_keys) {
  const codekem_options made = options();
  public_keys.resize(count * kem_.length_public_key);
  secret_keys.resize(count * kem_.length_secret_key);
  return codekem_kem_keypair_batch(&kem_, count, public_keys.data(), secret_keys.data(), &made);
}

codekem_status kem_instance::encaps_batch(std::size_t count, bytes &ciphertexts,
                                          bytes &shared_secrets, const bytes &public_keys,
                                          std::size_t stride) {
  const codekem_options made = options();
  ciphertexts.resize(count * kem_.length_ciphertext);
  shared_secrets.resize(count * kem_.length_shared_secret);
  return codekem_kem_encaps_batch(&kem_, count, ciphertexts.data(), shared_secrets.data(),
                                  public_keys.data(), stride, &made);
}

codekem_status kem_instance::decaps_batch(std::size_t count, bytes &shared_secrets,
                                          const bytes &ciphertexts, const bytes &secret_keys,
                                          std::size_t stride) {
  const codekem_options made = options();
  shared_secrets.resize(count * kem_.length_shared_secret);
  return codekem_kem_decaps_batch(&kem_, count, shared_secrets.data(), ciphertexts.data(),
                                  secret_keys.data(), stride, &made);
}

codekem_status kem_instance::check_public_key(const bytes &public_key) const {
  return codekem_kem_check_public_key(&kem_, public_key.data());
}

codekem_status kem_instance::check_secret_key(const bytes &secret_key) {
  const codekem_options made = options();
  return codekem_kem_check_secret_key_with(&kem_, secret_key.data(), &made);
}

codekem_status kem_instance::check_ciphertext(const bytes &ciphertext) const {
  return codekem_kem_check_ciphertext(&kem_, ciphertext.data());
}

codekem_status kem_instance::derive_public_key(bytes &public_key, const bytes &secret_key) {
  const codekem_options made = options();
  public_key.resize(kem_.length_public_key);
  return codekem_kem_derive_public_key_with(&kem_, public_key.data(), secret_key.data(), &made);
}

}  // namespace codekem
