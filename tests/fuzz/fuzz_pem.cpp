// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reads arbitrary files as keys in PEM. What is refused must be explained in printable characters;
// a public key that is accepted must be written in one way, and be read back from that.
#include <openssl/bio.h>
#include <openssl/pem.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "errors.hpp"
#include "pem.hpp"
#include "printable.hpp"

namespace {

void require(bool condition, const char *what) {
  if (!condition) {
    std::fprintf(stderr, "finding: %s\n", what);
    std::abort();
  }
}

void read(const codekem::bytes &data, codekem::file_kind kind) {
  try {
    const codekem::pem_key key = codekem::read_pem("input", data, kind);
    if (kind == codekem::file_kind::public_key) {
      const codekem::bytes written = codekem::write_pem_public(*key.kem, key.payload);
      const codekem::pem_key again = codekem::read_pem("again", written, kind);
      require(again.kem == key.kem && again.payload == key.payload, "another key is read back");
    }
  } catch (const codekem::failure &refused) {
    const std::string text = refused.what();
    require(!text.empty(), "no explanation");
    require(codekem::printable(text) == text, "the explanation is not printable");
    for (const char c : text) {
      require(c >= ' ' || (c & 0x80) != 0, "the explanation has a control character");
    }
  }
}

// Puts DER into PEM: a fuzzer seldom finds base64 by itself.
codekem::bytes wrap(const std::uint8_t *data, std::size_t size, codekem::file_kind kind) {
  BIO *out = BIO_new(BIO_s_mem());
  char *text = nullptr;

  require(PEM_write_bio(out, kind == codekem::file_kind::public_key ? "PUBLIC KEY" : "PRIVATE KEY",
                        "", data, static_cast<long>(size)) > 0,
          "no memory");
  const long length = BIO_get_mem_data(out, &text);
  const codekem::bytes wrapped(text, text + length);
  BIO_free(out);
  return wrapped;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  if (size < 2) {
    return 0;
  }
  const codekem::file_kind kind =
      data[0] % 2 == 0 ? codekem::file_kind::public_key : codekem::file_kind::secret_key;
  read(data[0] % 4 < 2 ? wrap(data + 1, size - 1, kind) : codekem::bytes(data + 1, data + size),
       kind);
  return 0;
}
