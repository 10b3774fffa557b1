// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reads keys and ciphertexts in any format and checks them; builds the files to write.
#include "key_import.hpp"

#include <sys/stat.h>

#include "errors.hpp"
#include "file_input.hpp"
#include "kem_instance.hpp"
#include "kems.hpp"
#include "pem.hpp"
#include "suggest.hpp"

namespace codekem {
namespace {

// Which option of which command writes a file of this kind, for advice.
std::string source_of(file_kind kind) {
  switch (kind) {
    case file_kind::public_key:
      return "'codekem keygen --public'";
    case file_kind::secret_key:
      return "'codekem keygen --secret'";
    case file_kind::ciphertext:
      return "'codekem encaps --ciphertext'";
    case file_kind::signature:
      return "'codekem sign --signature'";
    case file_kind::shared_secret:
      break;
  }
  return "'codekem encaps --shared'";
}

// Applies the library's import check of keys, which finds what an honest party could not have made.
// Ciphertexts are not checked: decapsulation answers a wrong one with another secret (implicit
// rejection), whatever is wrong with it.
void check_payload(const std::string &name, file_kind kind, const imported_key &key) {
  kem_instance instance(*key.kem);
  codekem_status status = CODEKEM_OK;
  std::string reason;

  switch (kind) {
    case file_kind::public_key:
      status = instance.check_public_key(key.payload);
      reason =
          "it has non-canonical padding bits (unused bits of its encoding that are not zero), or "
          "it is zero or of a parity that no honest one has";
      break;
    case file_kind::secret_key:
      status = instance.check_secret_key(key.payload);
      reason =
          "it has a wrong weight, a position out of range, non-canonical padding bits, or fields "
          "that contradict each other";
      break;
    case file_kind::ciphertext:
    case file_kind::shared_secret:
    case file_kind::signature:
      break;
  }
  if (status == CODEKEM_ERROR_PUBLIC_KEY || status == CODEKEM_ERROR_SECRET_KEY) {
    throw failure(name + ": is not a valid " + kind_text(kind) + " of " + key.kem->method_name +
                  ": " + reason + "; get it again from its maker");
  }
  require_ok(status, name + ": checking the " + kind_text(kind));
}

// A private key in PEM may have its public key with it, which must be its own.
void check_pair(const std::string &name, const imported_key &key) {
  bytes own;
  if (key.public_key.empty()) {
    return;
  }
  require_ok(kem_instance(*key.kem).derive_public_key(own, key.payload),
             name + ": making its public key");
  if (own != key.public_key) {
    fail_mismatch(name);
  }
}

std::string wrong_size(const codekem_kem &kem, file_kind kind, const std::string &got) {
  return ": has the wrong size: expected " + std::to_string(payload_bytes(kem, kind)) +
         " bytes for a " + kind_text(kind) + " of " + kem.method_name + ", got " + got;
}

imported_key import_raw(const std::string &path, file_kind kind, const codekem_kem &kem) {
  const std::string name = input_name(path);
  const std::size_t expected = payload_bytes(kem, kind);
  // Room for a whole file in the other format, to recognise one.
  imported_key key = {
      &kem, read_input(path, expected + key_file_max_header + key_file_checksum_bytes + 1)};
  if (key.payload.size() == expected) {
    return key;
  }
  if (read_key_file(key.payload.data(), key.payload.size()).error == key_file_error::none) {
    throw failure(name + ": is in the codekem format; leave out --format raw");
  }
  struct stat status;
  std::string got = std::to_string(key.payload.size());
  if (key.payload.size() > expected) {
    const bool sized = path != "-" && stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
    got = sized ? std::to_string(status.st_size) : "more";
  }
  throw failure(name + wrong_size(kem, kind, got) + "; check the file and --kem");
}

// Fails unless the KEM that a file is for is the one asked for, if one is.
void require_asked_kem(const std::string &name, const std::string &kem, const codekem_kem *asked) {
  if (asked != nullptr && kem != asked->method_name) {
    throw failure(name + ": is for the KEM " + kem + ", not " + asked->method_name +
                  "; give a file for " + asked->method_name);
  }
}

imported_key import_codekem(const std::string &path, file_kind kind, const codekem_kem *kem) {
  const std::string name = input_name(path);
  const std::size_t limit =
      largest_payload_bytes() + key_file_max_header + key_file_checksum_bytes + 1;
  const bytes data = read_input(path, limit);
  key_file_result result = read_key_file(data.data(), data.size());
  if (result.error == key_file_error::not_codekem && is_pem(data)) {
    throw failure(name + ": is in PEM, not in the codekem format; add --format pem");
  }
  if (result.error == key_file_error::truncated && data.size() == limit) {
    throw failure(name +
                  ": announces more bytes than anything of the KEMs that this codekem has; "
                  "use a newer codekem");
  }
  if (!result.file) {
    throw failure(name + ": " + result.explanation);
  }
  key_file &file = *result.file;
  if (file.kind != kind) {
    throw failure(name + ": is a " + kind_text(file.kind) + ", not a " + kind_text(kind) +
                  "; give the file that " + source_of(kind) + " wrote");
  }
  require_asked_kem(name, file.kem, kem);
  for (const codekem_kem *known : all_kems()) {
    if (file.kem == known->method_name) {
      kem = known;
    }
  }
  if (kem == nullptr) {
    throw failure(name + ": is for the KEM " + file.kem +
                  ", which this codekem does not have; 'codekem list' shows those it has");
  }
  if (file.payload.size() != payload_bytes(*kem, kind)) {
    throw failure(name + wrong_size(*kem, kind, std::to_string(file.payload.size())) +
                  "; get it again from its maker");
  }
  return {kem, std::move(file.payload)};
}

imported_key import_pem(const std::string &path, file_kind kind, const codekem_kem *kem) {
  const std::string name = input_name(path);
  const bytes data = read_input(path, pem_max_bytes() + 1);
  pem_key key = read_pem(name, data, kind);

  require_asked_kem(name, key.kem->method_name, kem);
  if (key.payload.size() != payload_bytes(*key.kem, kind)) {
    throw failure(name + wrong_size(*key.kem, kind, std::to_string(key.payload.size())) +
                  "; get it again from its maker");
  }
  return {key.kem, std::move(key.payload), std::move(key.public_key)};
}

}  // namespace

key_format find_format(const std::string &name) {
  if (name == "codekem") {
    return key_format::codekem;
  }
  if (name == "raw") {
    return key_format::raw;
  }
  if (name == "pem") {
    return key_format::pem;
  }
  throw usage_failure("there is no format '" + name + "'" +
                      did_you_mean(name, {"codekem", "raw", "pem"}, "choose codekem, raw or pem"));
}

imported_key import_key(const std::string &path, file_kind kind, key_format format,
                        const codekem_kem *kem) {
  const bool is_key = kind == file_kind::public_key || kind == file_kind::secret_key;
  imported_key key = format == key_format::codekem         ? import_codekem(path, kind, kem)
                     : format == key_format::pem && is_key ? import_pem(path, kind, kem)
                                                           : import_raw(path, kind, *kem);
  check_payload(input_name(path), kind, key);
  check_pair(input_name(path), key);
  return key;
}

bytes export_key(const bytes &payload, file_kind kind, key_format format, const codekem_kem &kem,
                 const bytes &seed, key_form form) {
  if (format == key_format::codekem) {
    return write_key_file(kind, kem.method_name, payload);
  }
  if (format == key_format::pem && kind == file_kind::public_key) {
    return write_pem_public(kem, payload);
  }
  if (format == key_format::pem && kind == file_kind::secret_key) {
    return write_pem_secret(kem, payload, seed, form);
  }
  return payload;
}

}  // namespace codekem
