// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keys in PEM as the OpenSSL provider writes them (docs/tls.md): from bytes to a key and back.
#include "pem.hpp"

#include <openssl/asn1.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstring>
#include <memory>

#include "errors.hpp"

namespace codekem {
namespace {

// The object identifiers that openssl-provider/algorithms.c has, too.
#define OID_ARC "2.25.304699757430427868466686181786647698735"
constexpr struct {
  const char *kem;
  const char *oid;
} identifiers[] = {
    {"BIKE-L1", OID_ARC ".1.1"}, {"BIKE-L3", OID_ARC ".1.3"}, {"BIKE-L5", OID_ARC ".1.5"},
    {"HQC-1", OID_ARC ".2.1"},   {"HQC-3", OID_ARC ".2.3"},   {"HQC-5", OID_ARC ".2.5"},
};
constexpr int max_oid_text = 128;

template <typename T, void (*release)(T *)>
struct releaser {
  void operator()(T *object) const { release(object); }
};
using bio_pointer = std::unique_ptr<BIO, releaser<BIO, BIO_free_all>>;
using object_pointer = std::unique_ptr<ASN1_OBJECT, releaser<ASN1_OBJECT, ASN1_OBJECT_free>>;
using public_pointer = std::unique_ptr<X509_PUBKEY, releaser<X509_PUBKEY, X509_PUBKEY_free>>;
using private_pointer = std::unique_ptr<PKCS8_PRIV_KEY_INFO,
                                        releaser<PKCS8_PRIV_KEY_INFO, PKCS8_PRIV_KEY_INFO_free>>;

failure out_of_memory() { return failure("OpenSSL's libcrypto cannot write a key in PEM"); }

const char *identifier_of(const codekem_kem &kem) {
  for (const auto &known : identifiers) {
    if (std::strcmp(known.kem, kem.method_name) == 0) {
      return known.oid;
    }
  }
  return nullptr;
}

const codekem_kem *kem_of(const std::string &oid) {
  for (const auto &known : identifiers) {
    if (oid == known.oid) {
      return codekem_kem_find(known.kem);
    }
  }
  return nullptr;
}

object_pointer object_of(const codekem_kem &kem) {
  require_pem(kem);
  return object_pointer(OBJ_txt2obj(identifier_of(kem), 1));
}

// Returns der[length], which is OpenSSL's and is wiped, in PEM.
bytes to_pem(const char *label, unsigned char *der, int length) {
  const bio_pointer out(BIO_new(BIO_s_secmem()));
  const bool good = length > 0 && out && PEM_write_bio(out.get(), label, "", der, length) > 0;
  char *text = nullptr;

  OPENSSL_clear_free(der, length > 0 ? static_cast<std::size_t>(length) : 0);
  if (!good) {
    throw out_of_memory();
  }
  const long text_length = BIO_get_mem_data(out.get(), &text);
  return bytes(text, text + text_length);
}

// Appends one DER element.
void append(bytes &out, int tag, bool constructed, const bytes &content) {
  unsigned char header[8];
  unsigned char *end = header;

  ASN1_put_object(&end, constructed ? 1 : 0, static_cast<int>(content.size()), tag,
                  V_ASN1_UNIVERSAL);
  out.insert(out.end(), header, end);
  out.insert(out.end(), content.begin(), content.end());
}

// --- Reading ------------------------------------------------------------------------------------

// What is left to read.
struct span {
  const unsigned char *start;
  std::size_t length;
};

// Takes one DER element off the front; false if there is none with this tag.
bool take(span &from, int tag, int tag_class, span &content) {
  const unsigned char *start = from.start;
  long length = 0;
  int got_tag = 0;
  int got_class = 0;
  const int result = ASN1_get_object(&start, &length, &got_tag, &got_class,
                                     static_cast<long>(from.length));

  if ((result & 0x81) != 0 || got_tag != tag || got_class != tag_class) {
    return false;
  }
  content = {start, static_cast<std::size_t>(length)};
  from.length -= static_cast<std::size_t>(start - from.start) + content.length;
  from.start = start + length;
  return true;
}

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
    OPENSSL_free(label);
    OPENSSL_free(header);
    OPENSSL_clear_free(der, static_cast<std::size_t>(length));
  }
};

void take_off_pem(const std::string &name, const bytes &data, pem_parts &parts) {
  const bio_pointer in(BIO_new_mem_buf(data.data(), static_cast<int>(data.size())));

  if (in && PEM_read_bio(in.get(), &parts.label, &parts.header, &parts.der, &parts.length) == 1) {
    return;
  }
  switch (ERR_GET_REASON(ERR_peek_last_error())) {
    case PEM_R_NO_START_LINE:
      throw failure(name + ": is not in PEM: it has no line '-----BEGIN ...-----'; leave out "
                           "--format pem if it is in another format");
    case PEM_R_BAD_END_LINE:
      throw failure(name + ": is cut off: the line '-----END ...-----' is missing or is not that "
                           "of its beginning; get it again");
    default:
      throw failure(name + ": is damaged: what stands between its first and its last line is not "
                           "base64; get it again");
  }
}

// Refuses everything but the label that is wanted, with advice for what it might be.
void check_label(const std::string &name, const std::string &label, file_kind kind) {
  const std::string wanted = kind == file_kind::public_key ? "PUBLIC KEY" : "PRIVATE KEY";

  if (label == wanted) {
    return;
  }
  if (label == "ENCRYPTED PRIVATE KEY") {
    throw failure(name + ": is encrypted, and this command knows no passphrases; decrypt it with "
                         "'openssl pkey'");
  }
  throw failure(name + ": holds a " + label + " where a " + wanted + " belongs");
}

// Fails with what is wrong with the whole: cut off, or no key at all.
[[noreturn]] void refuse_der(const std::string &name, const pem_parts &parts) {
  span all = {parts.der, static_cast<std::size_t>(parts.length)};
  const unsigned char *start = all.start;
  long announced = 0;
  int tag = 0;
  int tag_class = 0;

  ERR_clear_error();
  (void)ASN1_get_object(&start, &announced, &tag, &tag_class, parts.length);
  if (tag == V_ASN1_SEQUENCE && ERR_GET_REASON(ERR_peek_last_error()) == ASN1_R_TOO_LONG) {
    throw failure(name + ": is cut off: its content announces " +
                  std::to_string(announced + (start - all.start)) + " bytes, and it has " +
                  std::to_string(parts.length) + "; get it again");
  }
  throw failure(name + ": is damaged: its content is not a key in DER; get it again");
}

const codekem_kem &find_kem_of(const std::string &name, const ASN1_OBJECT *object) {
  char text[max_oid_text] = "";

  (void)OBJ_obj2txt(text, sizeof text, object, 1);
  const codekem_kem *kem = kem_of(text);
  if (kem == nullptr) {
    throw failure(name + ": is a key of another algorithm (its object identifier is " + text +
                  "); 'codekem list' shows those there are");
  }
  return *kem;
}

pem_key read_public(const std::string &name, const pem_parts &parts) {
  const unsigned char *end = parts.der;
  const public_pointer info(d2i_X509_PUBKEY(nullptr, &end, parts.length));
  ASN1_OBJECT *object = nullptr;
  const unsigned char *key = nullptr;
  int length = 0;

  if (!info || end != parts.der + parts.length ||
      !X509_PUBKEY_get0_param(&object, &key, &length, nullptr, info.get())) {
    refuse_der(name, parts);
  }
  return {&find_kem_of(name, object), bytes(key, key + length)};
}

// Makes the secret key from its seed; if both are there, they must belong together.
bytes join(const std::string &name, const codekem_kem &kem, span seed, const span &secret) {
  const bytes given(secret.start, secret.start + secret.length);

  if (seed.start == nullptr) {
    return given;
  }
  if (seed.length != kem.length_keypair_seed) {
    throw failure(name + ": has a seed of " + std::to_string(seed.length) + " bytes, where " +
                  kem.method_name + " has " + std::to_string(kem.length_keypair_seed));
  }
  bytes public_key(kem.length_public_key);
  bytes made(kem.length_secret_key);
  const codekem_status status =
      codekem_kem_keypair_derand(&kem, public_key.data(), made.data(), seed.start);
  if (status != CODEKEM_OK) {
    throw failure(name + ": making the key pair of its seed failed: " +
                  codekem_status_text(status));
  }
  if (secret.start != nullptr &&
      (given.size() != made.size() ||
       CRYPTO_memcmp(given.data(), made.data(), made.size()) != 0)) {
    throw failure(name + ": seed and secret key do not belong together; get it again from its "
                         "maker");
  }
  return made;
}

pem_key read_secret(const std::string &name, const pem_parts &parts) {
  const unsigned char *end = parts.der;
  const private_pointer info(d2i_PKCS8_PRIV_KEY_INFO(nullptr, &end, parts.length));
  const ASN1_OBJECT *object = nullptr;
  span content = {nullptr, 0};
  int length = 0;

  if (!info || end != parts.der + parts.length ||
      !PKCS8_pkey_get0(&object, &content.start, &length, nullptr, info.get())) {
    refuse_der(name, parts);
  }
  const codekem_kem &kem = find_kem_of(name, object);
  content.length = static_cast<std::size_t>(length);
  span seed = {nullptr, 0};
  span secret = {nullptr, 0};
  span both = {nullptr, 0};
  bool good;
  if (take(content, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL, both)) {
    good = take(both, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL, seed) &&
           take(both, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL, secret) && both.length == 0;
  } else {
    good = take(content, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL, secret) ||
           take(content, 0, V_ASN1_CONTEXT_SPECIFIC, seed);
  }
  if (!good || content.length != 0) {
    throw failure(name + ": is damaged: its content is neither a seed, nor a secret key, nor "
                         "both; get it again");
  }
  return {&kem, join(name, kem, seed, secret)};
}

}  // namespace

void require_pem(const codekem_kem &kem) {
  if (identifier_of(kem) == nullptr) {
    throw usage_failure(std::string("keys of ") + kem.method_name +
                        " have no object identifier, and so no form in PEM; leave out --format "
                        "pem");
  }
}

bytes write_pem_public(const codekem_kem &kem, const bytes &public_key) {
  object_pointer object = object_of(kem);
  const public_pointer info(X509_PUBKEY_new());
  auto *copy = static_cast<unsigned char *>(OPENSSL_memdup(public_key.data(), public_key.size()));
  unsigned char *der = nullptr;

  if (!object || !info || copy == nullptr ||
      !X509_PUBKEY_set0_param(info.get(), object.get(), V_ASN1_UNDEF, nullptr, copy,
                              static_cast<int>(public_key.size()))) {
    OPENSSL_free(copy);
    throw out_of_memory();
  }
  (void)object.release();  // it belongs to info now
  const int length = i2d_X509_PUBKEY(info.get(), &der);
  return to_pem("PUBLIC KEY", der, length);
}

bytes write_pem_secret(const codekem_kem &kem, const bytes &secret_key, const bytes &seed) {
  object_pointer object = object_of(kem);
  const private_pointer info(PKCS8_PRIV_KEY_INFO_new());
  bytes parts;
  bytes content;
  unsigned char *der = nullptr;

  append(parts, V_ASN1_OCTET_STRING, false, seed);
  append(parts, V_ASN1_OCTET_STRING, false, secret_key);
  append(content, V_ASN1_SEQUENCE, true, parts);
  auto *copy = static_cast<unsigned char *>(OPENSSL_memdup(content.data(), content.size()));
  if (!object || !info || copy == nullptr ||
      !PKCS8_pkey_set0(info.get(), object.get(), 0, V_ASN1_UNDEF, nullptr, copy,
                       static_cast<int>(content.size()))) {
    OPENSSL_clear_free(copy, content.size());
    throw out_of_memory();
  }
  (void)object.release();
  const int length = i2d_PKCS8_PRIV_KEY_INFO(info.get(), &der);
  return to_pem("PRIVATE KEY", der, length);
}

pem_key read_pem(const std::string &name, const bytes &data, file_kind kind) {
  pem_parts parts;

  ERR_clear_error();
  take_off_pem(name, data, parts);
  check_label(name, parts.label, kind);
  pem_key key =
      kind == file_kind::public_key ? read_public(name, parts) : read_secret(name, parts);
  ERR_clear_error();
  return key;
}

}  // namespace codekem
