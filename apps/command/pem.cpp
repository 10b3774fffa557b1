// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keys in PEM as the OpenSSL provider writes them (docs/tls.md): from bytes to a key and back.
#include "pem.hpp"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include "errors.hpp"
#include "kem_instance.hpp"
#include "kems.hpp"
#include "key-encoding/key_der.h"
#include "key-encoding/key_oids.h"

namespace codekem {
namespace {

constexpr std::string_view beginning = "-----BEGIN ";

// What may stand before the first line of a key: comments, as `openssl x509 -text` writes them.
constexpr std::size_t preamble_bytes = 64 * 1024;

struct free_bio {
  void operator()(BIO *bio) const { BIO_free_all(bio); }
};
using bio_pointer = std::unique_ptr<BIO, free_bio>;

key_der_part part_of(const bytes &data) {
  return {data.empty() ? nullptr : data.data(), data.size()};
}

key_der_form der_form_of(key_form form) {
  switch (form) {
    case key_form::both:
      return KEY_DER_BOTH;
    case key_form::expanded:
      return KEY_DER_EXPANDED;
    case key_form::seed:
      break;
  }
  return KEY_DER_SEED;
}

// Returns der[length], which is OpenSSL's and is wiped, in PEM. der is null if making it failed.
bytes to_pem(const char *label, std::uint8_t *der, std::size_t length) {
  const bio_pointer out(BIO_new(BIO_s_secmem()));
  const bool good = der != nullptr && out &&
                    PEM_write_bio(out.get(), label, "", der, static_cast<long>(length)) > 0;
  char *text = nullptr;

  OPENSSL_clear_free(der, length);
  if (!good) {
    throw failure("OpenSSL's libcrypto cannot write a key in PEM; free some memory and try again");
  }
  const long text_length = BIO_get_mem_data(out.get(), &text);
  return bytes(text, text + text_length);
}

// --- Reading ------------------------------------------------------------------------------------

// The parts of a PEM file, in OpenSSL's memory.
struct pem_parts {
  char *label = nullptr;
  char *header = nullptr;
  unsigned char *der = nullptr;
  long length = 0;

  pem_parts() = default;
  pem_parts(const pem_parts &) = delete;
  pem_parts &operator=(const pem_parts &) = delete;
  ~pem_parts() {
    OPENSSL_secure_free(label);
    OPENSSL_secure_free(header);
    OPENSSL_secure_clear_free(der, static_cast<std::size_t>(length));
  }
};

void take_off_pem(const std::string &name, const bytes &data, pem_parts &parts) {
  const bio_pointer in(BIO_new_mem_buf(data.data(), static_cast<int>(data.size())));
  // PEM_FLAG_SECURE makes OpenSSL wipe the lines that it has read.
  constexpr unsigned flags = PEM_FLAG_SECURE | PEM_FLAG_EAY_COMPATIBLE;

  if (in && PEM_read_bio_ex(in.get(), &parts.label, &parts.header, &parts.der, &parts.length,
                            flags) == 1) {
    return;
  }
  switch (ERR_GET_REASON(ERR_peek_last_error())) {
    case PEM_R_NO_START_LINE:
      throw failure(name +
                    ": is not in PEM: it has no line '-----BEGIN ...-----'; leave out "
                    "--format pem if it is in another format");
    case PEM_R_BAD_END_LINE:
      throw failure(name +
                    ": is cut off: the line '-----END ...-----' is missing or is not that "
                    "of its beginning; get it again");
    default:
      throw failure(name +
                    ": is damaged: the text between its first and its last line is not "
                    "base64; get it again");
  }
}

// Refuses everything but the label that is wanted, with advice for what it might be; and headers,
// of which RFC 7468 has none.
void check_label(const std::string &name, const pem_parts &parts, file_kind kind) {
  const std::string label = parts.label;
  const std::string wanted = kind == file_kind::public_key ? "PUBLIC KEY" : "PRIVATE KEY";

  if (label == "ENCRYPTED PRIVATE KEY" || std::strstr(parts.header, "ENCRYPTED") != nullptr) {
    throw failure(name +
                  ": is encrypted, and this command knows no passphrases; decrypt it with "
                  "'openssl pkey'");
  }
  if (label != wanted) {
    throw failure(name + ": holds a " + label + " where a " + wanted +
                  " belongs; give a file with "
                  "the line '-----BEGIN " +
                  wanted + "-----'");
  }
  if (*parts.header != '\0') {
    throw failure(name +
                  ": has lines before the base64 that keys in PEM do not have; remove what "
                  "stands between '-----BEGIN " +
                  wanted + "-----' and the empty line");
  }
}

const codekem_kem &find_kem_of(const std::string &name, const char *oid) {
  const char *kem_name = ckem_key_kem_of_oid(oid);
  if (kem_name == nullptr) {
    throw failure(name + ": is a key of another algorithm (its object identifier is " + oid +
                  "); 'codekem list' shows all of them");
  }
  const codekem_kem *kem = codekem_kem_find(kem_name);
  if (kem == nullptr) {
    throw failure(name + ": is for the KEM " + kem_name +
                  ", which this codekem does not have; 'codekem list' shows those it has");
  }
  return *kem;
}

// Makes the secret key from its seed; if both are there, they must belong together.
bytes join(const std::string &name, const codekem_kem &kem, key_der_part seed,
           key_der_part secret) {
  if (seed.start == nullptr) {
    return bytes(secret.start, secret.start + secret.length);
  }
  if (seed.length != kem.length_keypair_seed) {
    throw failure(name + ": has a seed of " + std::to_string(seed.length) + " bytes, where " +
                  kem.method_name + " has " + std::to_string(kem.length_keypair_seed) +
                  "; get it again from its maker");
  }
  const bytes given(seed.start, seed.start + seed.length);
  bytes public_key, made;
  require_ok(kem_instance(kem).keypair(public_key, made, {&given}),
             name + ": making the key pair of its seed");
  if (secret.start != nullptr && (secret.length != made.size() ||
                                  CRYPTO_memcmp(secret.start, made.data(), made.size()) != 0)) {
    throw failure(name +
                  ": seed and secret key do not belong together; get it again from its "
                  "maker");
  }
  return made;
}

}  // namespace

void fail_mismatch(const std::string &name) {
  throw failure(name +
                ": public and secret key do not belong together; get it again from its maker");
}

void require_pem(const codekem_kem &kem) {
  if (ckem_key_oid_of_kem(kem.method_name) == nullptr) {
    throw usage_failure(std::string("keys of ") + kem.method_name +
                        " have no object identifier, and so no form in PEM; leave out --format "
                        "pem");
  }
}

std::size_t pem_max_bytes() {
  // Base64 makes four bytes of three; lines have 64 of them and an end of one or two.
  return preamble_bytes + (2 * largest_payload_bytes() + KEY_DER_OVERHEAD) / 3 * 4 * 66 / 64;
}

bool is_pem(const bytes &data) {
  return data.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), data.begin());
}

bytes write_pem_public(const codekem_kem &kem, const bytes &public_key) {
  std::size_t length = 0;
  require_pem(kem);
  std::uint8_t *der =
      ckem_key_der_write_public(ckem_key_oid_of_kem(kem.method_name), part_of(public_key), &length);
  return to_pem("PUBLIC KEY", der, length);
}

bytes write_pem_secret(const codekem_kem &kem, const bytes &secret_key, const bytes &seed,
                       key_form form) {
  std::size_t length = 0;
  key_der_part secret_part = part_of(secret_key);
  key_der_part seed_part = part_of(seed);
  require_pem(kem);
  ckem_key_der_choose(der_form_of(form), &secret_part, &seed_part);
  std::uint8_t *der = ckem_key_der_write_private(ckem_key_oid_of_kem(kem.method_name), secret_part,
                                                 seed_part, &length);
  return to_pem("PRIVATE KEY", der, length);
}

pem_key read_pem(const std::string &name, const bytes &data, file_kind kind) {
  const bool is_public = kind == file_kind::public_key;
  pem_parts parts;
  key_der found;

  if (data.size() > pem_max_bytes()) {
    throw failure(name +
                  ": is longer than any key in PEM that this command knows; give a file "
                  "with one key");
  }
  ERR_clear_error();
  take_off_pem(name, data, parts);
  check_label(name, parts, kind);
  const auto length = static_cast<std::size_t>(parts.length);
  const bool good = is_public ? ckem_key_der_read_public(parts.der, length, &found)
                              : ckem_key_der_read_private(parts.der, length, &found);
  ERR_clear_error();
  // Of another algorithm is no damage, whatever that algorithm has beside its keys.
  const codekem_kem *kem = found.oid[0] == '\0' ? nullptr : &find_kem_of(name, found.oid);
  if (!good) {
    throw failure(name + ": cannot be read: " + found.error + "; get it again from its maker");
  }
  bytes public_key(found.public_key.start, found.public_key.start + found.public_key.length);
  if (is_public) {
    return {kem, std::move(public_key), {}};
  }
  if (found.public_key.start != nullptr && public_key.size() != kem->length_public_key) {
    fail_mismatch(name);
  }
  return {kem, join(name, *kem, found.seed, found.secret_key), std::move(public_key)};
}

}  // namespace codekem
