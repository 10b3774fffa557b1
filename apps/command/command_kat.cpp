// SPDX-License-Identifier: Apache-2.0 OR MIT
// `codekem kat`: prints the response file of NIST's known-answer tests.
#include <exception>
#include <memory>
#include <optional>
#include <string_view>

#include "commands.hpp"
#include "errors.hpp"
#include "file_output.hpp"
#include "hexadecimal.hpp"
#include "kat_generator.hpp"
#include "kem_instance.hpp"
#include "kems.hpp"
#include "simulated.hpp"

namespace codekem {
namespace {

constexpr unsigned default_count = 100;
constexpr unsigned max_count = 1000000;

struct kat_options {
  std::string kem;
  unsigned count = default_count;
  std::optional<std::string> seed;
  std::string backend;
};

// The values of a record.
struct exchange {
  bytes public_key, secret_key, ciphertext, shared_secret;
  bytes recovered;  // by decapsulation
};

// The generator fails by an exception, which must not cross the library's C functions.
struct random_source {
  std::unique_ptr<kat_generator> generator;
  std::exception_ptr error = nullptr;
};

bool random_from_generator(void *context, std::uint8_t *out, std::size_t length) {
  random_source &source = *static_cast<random_source *>(context);
  try {
    source.generator->random(out, length);
    return true;
  } catch (...) {
    source.error = std::current_exception();
    return false;
  }
}

// Returns 00 01 02 ... 2F, the seed of the published files.
kat_seed published_seed() {
  kat_seed seed;
  for (std::size_t i = 0; i < seed.size(); i++) {
    seed[i] = static_cast<std::uint8_t>(i);
  }
  return seed;
}

kat_seed parse_seed(const std::string &hex) {
  kat_seed seed;
  if (hex.size() != 2 * seed.size()) {
    throw usage_failure("--seed has the wrong length: expected " + std::to_string(2 * seed.size()) +
                        " hexadecimal digits (" + std::to_string(seed.size()) + " bytes), got " +
                        std::to_string(hex.size()) + "; give a whole seed");
  }
  for (std::size_t i = 0; i < seed.size(); i++) {
    const int high = hex_digit(hex[2 * i]);
    const int low = hex_digit(hex[2 * i + 1]);
    if (high < 0 || low < 0) {
      throw usage_failure("--seed is not hexadecimal near digit " + std::to_string(2 * i + 1) +
                          "; use the digits 0 to 9 and A to F");
    }
    seed[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return seed;
}

template <typename Container>
std::string hex_line(const char *label, const Container &data) {
  return std::string(label) + " = " + upper_hex(data) + "\n";
}

// How the published response files of a family of KEMs were made.
struct kat_family {
  std::string header;  // their first line
  std::unique_ptr<kat_generator> (*make_generator)(const kat_seed &seed);
};

template <typename Generator, std::uint8_t... domain>
std::unique_ptr<kat_generator> make(const kat_seed &seed) {
  return std::make_unique<Generator>(seed, domain...);
}

kat_family family_of(const codekem_kem &kem) {
  const std::string family = kem.family;
  if (family == "BIKE") {
    return {"# BIKE\n\n", make<nist_drbg>};
  }
  if (family == "Classic McEliece") {
    return {"", make<nist_drbg>};  // its digests are published without a header
  }
  if (family == "HQC" && std::string_view(kem.alg_version) == "2023-04-30") {
    constexpr unsigned bits[] = {0, 128, 0, 192, 0, 256};
    return {"# HQC-" + std::to_string(bits[kem.claimed_nist_level]) + "\n\n",
            make<shake256_stream, 1>};
  }
  if (family == "HQC") {
    // The files of all revisions have the name without one.
    return {"# HQC-" + std::to_string(kem.claimed_nist_level) + "\n\n", make<shake256_stream>};
  }
  throw failure("codekem does not know how the known-answer file of " +
                std::string(kem.method_name) +
                " was made; choose a KEM of the family BIKE, HQC or Classic McEliece");
}

void require_random_ok(codekem_status status, const random_source &source, const char *action) {
  if (source.error) {
    std::rethrow_exception(source.error);
  }
  require_ok(status, action);
}

exchange exchange_in_software(const codekem_kem &kem, std::unique_ptr<kat_generator> generator) {
  random_source source = {std::move(generator)};
  const drawing from = {nullptr, random_from_generator, &source};
  kem_instance instance(kem);
  exchange e;
  require_random_ok(instance.keypair(e.public_key, e.secret_key, from), source,
                    "making a key pair");
  require_random_ok(instance.encaps(e.ciphertext, e.shared_secret, e.public_key, from), source,
                    "encapsulating");
  require_ok(instance.decaps(e.recovered, e.ciphertext, e.secret_key), "decapsulating");
  return e;
}

exchange exchange_on_core(simulated_core &core, std::unique_ptr<kat_generator> generator) {
  exchange e;
  const codekem_kem &kem = core.kem();
  const bool bike = std::string(kem.family) == "BIKE";
  bytes seed(bike ? 64 : kem.length_keypair_seed);  // BIKE's reference asks for 64, each time
  generator->random(seed.data(), seed.size());
  core.keypair(e.public_key, e.secret_key, seed);
  seed.resize(bike ? 64 : kem.length_encaps_seed);
  generator->random(seed.data(), seed.size());
  core.encaps(e.ciphertext, e.shared_secret, e.public_key, seed);
  core.decaps(e.recovered, e.ciphertext, e.secret_key);
  return e;
}

std::string record(unsigned number, const kat_seed &seed, const exchange &e) {
  if (e.recovered != e.shared_secret) {
    throw failure(
        "record " + std::to_string(number) +
        ": decapsulation gives another secret than encapsulation; run 'codekem selftest'");
  }
  return "count = " + std::to_string(number) + "\n" + hex_line("seed", seed) +
         hex_line("pk", e.public_key) + hex_line("sk", e.secret_key) +
         hex_line("ct", e.ciphertext) + hex_line("ss", e.shared_secret) + "\n";
}

int run_kat(const kat_options &options) {
  if (options.count < 1 || options.count > max_count) {
    throw usage_failure("--count is out of range; give a number from 1 to " +
                        std::to_string(max_count));
  }
  const kat_seed first_seed = options.seed ? parse_seed(*options.seed) : published_seed();
  const codekem_kem &kem = find_kem(options.kem);
  std::unique_ptr<simulated_core> core;
  if (options.backend == simulated_backend) {
    core = std::make_unique<simulated_core>();
    require_kem(*core, kem.method_name);
  } else if (!options.backend.empty()) {
    select_backend(options.backend);
  }
  const kat_family family = family_of(kem);
  const std::unique_ptr<kat_generator> seeds = family.make_generator(first_seed);

  write_stdout(family.header);
  for (unsigned i = 0; i < options.count; i++) {
    kat_seed seed;
    seeds->random(seed.data(), seed.size());
    std::unique_ptr<kat_generator> generator = family.make_generator(seed);
    write_stdout(record(i, seed,
                        core ? exchange_on_core(*core, std::move(generator))
                             : exchange_in_software(kem, std::move(generator))));
  }
  return exit_success;
}

}  // namespace

void add_kat(CLI::App &app, action &chosen) {
  CLI::App *command =
      app.add_subcommand("kat", "Print the response file of NIST's known-answer tests");
  const auto options = std::make_shared<kat_options>();
  command->add_option("--kem", options->kem, "KEM to test ('codekem list' shows them)")
      ->type_name("NAME")
      ->required();
  command->add_option("--count", options->count, "Number of records (default 100)")->type_name("N");
  command->add_option("--seed", options->seed, "Seed of the generator (default 000102...2F)")
      ->type_name("HEX");
  command
      ->add_option("--backend", options->backend,
                   "Compute on this back end, or on 'simulated': the core in simulation")
      ->type_name("NAME");
  command->footer("The seed has 96 hexadecimal digits; the default gives the published files.");
  command->callback([&chosen, options] { chosen = [options] { return run_kat(*options); }; });
}

}  // namespace codekem
