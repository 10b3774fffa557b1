// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reads arbitrary files of the command. A file that is accepted must be written back as it was, and
// one that is refused must come with an explanation in printable characters. A signature is longer
// than the inputs of a fuzzer: with FUZZ_SIGNATURES each input becomes one.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "key_file.hpp"
#include "sha3.hpp"

namespace {

void require(bool condition, const char *what) {
  if (!condition) {
    std::fprintf(stderr, "finding: %s\n", what);
    std::abort();
  }
}

// Gives data the checksum that its content asks for: a fuzzer cannot guess it.
void correct_checksum(std::vector<std::uint8_t> &data) {
  if (data.size() <= codekem::key_file_checksum_bytes) {
    return;
  }
  const std::size_t length = data.size() - codekem::key_file_checksum_bytes;
  const auto digest = codekem::ckem_sha3_256(data.data(), length);
  for (std::size_t i = 0; i < codekem::key_file_checksum_bytes; i++) {
    data[length + i] = digest[i];
  }
}

void read(const std::vector<std::uint8_t> &data) {
  const codekem::key_file_result result = codekem::read_key_file(data.data(), data.size());

  require((result.error == codekem::key_file_error::none) == result.file.has_value(),
          "error and file contradict each other");
  if (!result.file) {
    require(!result.explanation.empty(), "no explanation");
    for (const char c : result.explanation) {
      require(c >= ' ' && c <= '~', "the explanation is not printable");
    }
    return;
  }
  const codekem::bytes again =
      codekem::write_key_file(result.file->kind, result.file->kem, result.file->payload);
  require(again.size() == data.size(), "written back with another length");
  for (std::size_t i = 0; i < data.size(); i++) {
    require(again[i] == data[i], "written back differently");
  }
}

#ifdef FUZZ_SIGNATURES
constexpr std::size_t signature_bytes = 126176;  // of SOFIA-4-128

// Reads a file with a signature, whole and with what data says written over a part of it.
void read_signature(const std::vector<std::uint8_t> &data) {
  codekem::bytes payload(signature_bytes);
  for (std::size_t i = 0; i < payload.size(); i++) {
    payload[i] = data[i % data.size()];
  }
  const codekem::bytes made =
      codekem::write_key_file(codekem::file_kind::signature, "SOFIA-4-128", payload);
  std::vector<std::uint8_t> file(made.begin(), made.end());
  require(codekem::read_key_file(file.data(), file.size()).file.has_value(), "not read back");
  // The first bytes of the file are its header, which is where most can go wrong.
  for (std::size_t i = 1; i < data.size() && data[0] + i - 1 < file.size(); i++) {
    file[data[0] + i - 1] = data[i];
  }
  read(file);
  correct_checksum(file);
  read(file);
}
#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  std::vector<std::uint8_t> file(data, data + size);

#ifdef FUZZ_SIGNATURES
  if (size > 0) {
    read_signature(file);
  }
#else
  read(file);
  correct_checksum(file);
  read(file);
#endif
  return 0;
}
