// SPDX-License-Identifier: Apache-2.0 OR MIT
// Drives the Verilator model of a core; see the header.
#include "simulated_core.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>
#include <utility>

#include "Vkem_core.h"
#include "Vkem_core___024root.h"
#include "verilated.h"
#include "verilated_syms.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#else
#include "verilated_save.h"
#endif

namespace hardware {

namespace {
#if !VM_COVERAGE
// Collects what Verilator would save to a file.
class StateWriter final : public VerilatedSerialize {
 public:
  void flush() override {
    bytes.insert(bytes.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }
  std::vector<std::uint8_t> bytes;
};
#endif

constexpr std::uint64_t forever = 20'000'000;  // more cycles than any operation of any preset
}  // namespace

SimulatedCore::SimulatedCore(unsigned seed) : context_(std::make_unique<VerilatedContext>()) {
  context_->randReset(2);  // random values, before the model is made
  context_->randSeed(static_cast<int>(seed));
  core_ = std::make_unique<Vkem_core>(context_.get());
  reset();
}

SimulatedCore::~SimulatedCore() { core_->final(); }

void SimulatedCore::tick() {
  core_->clk_i = 1;
  core_->eval();
  core_->clk_i = 0;
  core_->eval();
}

void SimulatedCore::release_inputs() {
  core_->start_i = 0;
  core_->op_i = 0;
  core_->abort_i = 0;
  core_->wipe_after_i = 0;
  core_->in_valid_i = 0;
  core_->in_data_i = 0;
  core_->in_last_i = 0;
  core_->out_ready_i = 0;
}

void SimulatedCore::reset() {
  release_inputs();
  core_->rst_ni = 0;
  core_->clk_i = 0;
  core_->eval();
  tick();
  tick();
  core_->rst_ni = 1;
  core_->eval();
  for (std::uint64_t i = 0; core_->busy_o; ++i) {
    if (i == forever) throw std::runtime_error("the core stays busy after reset");
    tick();
  }
}

Result SimulatedCore::run(unsigned op, const std::vector<std::uint32_t> &in,
                          const Disturbance &disturbance) {
  Result result{};
  std::uint32_t random = disturbance.pauses;
  const auto pause = [&random] {  // xorshift; half of the cycles
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    return (random & 1) != 0;
  };
  std::size_t taken = 0;
  core_->op_i = op;
  core_->start_i = 1;
  core_->wipe_after_i = disturbance.wipe_after;
  for (;; ++result.cycles) {
    if (result.cycles == forever) throw std::runtime_error("the core does not finish");
    if (disturbance.stop_at != 0 && result.cycles == disturbance.stop_at) {
      reset();
      return result;
    }
    if (disturbance.flip_at != 0 && result.cycles == disturbance.flip_at) {
      *disturbance.flip.byte ^= static_cast<std::uint8_t>(1U << disturbance.flip.bit);
    }
    core_->abort_i = disturbance.abort_at != 0 && result.cycles == disturbance.abort_at;
    const bool left = taken < std::min<std::uint64_t>(in.size(), disturbance.words);
    core_->in_valid_i = left && !pause();
    core_->in_data_i = left ? in[taken] : 0;
    core_->in_last_i = taken + 1 == in.size();
    core_->out_ready_i = !disturbance.blocked && !pause();
    core_->eval();
    if (core_->done_o) break;
    if (core_->in_valid_i && core_->in_ready_o) ++taken;
    if (core_->out_valid_o && core_->out_ready_i) {
      result.out.push_back(core_->out_data_o);
      result.last = core_->out_last_o;
    }
    tick();
    core_->start_i = disturbance.start_again != 0 && result.cycles + 1 == disturbance.start_again;
    core_->op_i = ~op & 7U;  // it counts in the cycle of the start only
  }
  result.error = core_->error_o;
  if (disturbance.abort_at != 0 && result.cycles >= disturbance.abort_at) {
    result.cycles -= disturbance.abort_at;
  }
  release_inputs();
  tick();
  return result;
}

struct SimulatedCore::Course {
  std::vector<std::uint8_t> state;  // of the model, before the edge of the cycle
  std::uint64_t cycle = 0;
  std::size_t taken = 0;
  std::vector<std::uint32_t> out;
  std::uint64_t quiet = 0;  // cycles in which no word passed and no step began, as in kem_axi
};

// Goes on by a cycle, with streams that never wait; false: the operation has ended in this one.
bool SimulatedCore::advance(Course &course, const std::vector<std::uint32_t> &in, bool abort) {
  const bool left = course.taken < in.size();
  core_->in_valid_i = left;
  core_->in_data_i = left ? in[course.taken] : 0;
  core_->in_last_i = course.taken + 1 == in.size();
  core_->out_ready_i = 1;
  core_->abort_i = abort;
  core_->eval();
  if (core_->done_o) return false;
  const bool takes = left && core_->in_ready_o;
  course.taken += takes;
  const bool gives = core_->out_valid_o && core_->out_ready_i;
  if (gives) course.out.push_back(core_->out_data_o);
  course.quiet = takes || gives || core_->step_o ? 0 : course.quiet + 1;
  tick();
  core_->start_i = 0;
  ++course.cycle;
  return true;
}

// What became of an operation from the states on that it came through. A state is all that the
// model holds and what has passed the streams, but not how long the watchdog has counted.
class SimulatedCore::Fates {
 public:
  Fates(const std::uint8_t *raw, std::size_t size, std::vector<std::uint32_t> accepted)
      : accepted(std::move(accepted)), raw_(raw), words_(size / 8) {}
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  // Hashes of the state, which is a multiple of 8 words, and of what has passed.
  Key key_of(const Course &course) const {
    std::array<std::uint64_t, lanes> hash{1, 2, 3, 4};
    for (std::size_t i = 0; i < words_; i += lanes) {
      std::array<std::uint64_t, lanes> words{};
      std::memcpy(words.data(), raw_ + 8 * i, sizeof words);
      for (std::size_t k = 0; k < lanes; ++k) mix(hash[k], words[k]);
    }
    mix(hash[0], course.taken);
    for (const std::uint32_t word : course.out) mix(hash[1], word);
    mix(hash[0], hash[1]);
    mix(hash[2], hash[3]);
    return {hash[0], hash[2]};
  }
  const Fate *find(const Key &key) const {
    const auto found = known_.find(key);
    return found == known_.end() ? nullptr : &found->second;
  }
  void tell(const std::vector<Key> &keys, Fate fate) {
    for (const Key &key : keys) known_.emplace(key, fate);
  }

  const std::vector<std::uint32_t> accepted;
  std::vector<std::uint32_t> good;  // what an undisturbed operation gives

 private:
  static constexpr std::size_t lanes = 4;  // of words, hashed side by side

  static void mix(std::uint64_t &hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15;
    hash = hash << 29 | hash >> 35;
  }
  std::map<Key, Fate> known_;
  const std::uint8_t *raw_;
  std::size_t words_;
};

// Goes on from a disturbed state until it is clear what becomes of it. end: the cycles of an
// undisturbed operation, after which without a sign of life the watchdog aborts.
Fate SimulatedCore::fate_of(Course &course, const std::vector<std::uint32_t> &in, std::uint64_t end,
                            Fates &fates) {
  std::vector<Fates::Key> met;
  const auto *const raw = reinterpret_cast<const std::uint8_t *>(core_->rootp);
  std::vector<std::uint8_t> before;
  const std::uint64_t begin = course.cycle;
  std::uint64_t next = begin + 3;  // when units that are cleared have forgotten the flip
  bool runs = true;
  while (runs && course.quiet < end && course.cycle < begin + 4 * end) {
    const bool looks = course.cycle >= next;
    if (looks) {
      next += next - begin;
      const Fates::Key key = fates.key_of(course);
      if (const Fate *const known = fates.find(key)) {
        fates.tell(met, *known);
        return *known;
      }
      met.push_back(key);
    }
    const bool compares = looks && course.quiet > 32;
    if (compares) before.assign(raw, raw + sizeof *core_->rootp);
    const std::uint64_t quiet = course.quiet;
    runs = advance(course, in, false);
    if (compares && runs && course.quiet > quiet &&
        std::memcmp(before.data(), raw, before.size()) == 0) {
      break;  // nothing moves, and nothing will
    }
  }
  const bool hangs = runs;
  const bool is_seen = course.cycle < begin + 4 * end;  // by the watchdog
  const std::uint64_t aborted = course.cycle;
  while (runs && course.cycle < aborted + end) {
    runs = advance(course, in, course.cycle == aborted);
  }
  const unsigned error = core_->error_o;
  Fate fate = Fate::other;
  if (course.out == fates.accepted) {  // whatever came then
    fate = Fate::accepted;
  } else if (hangs) {
    fate = runs || error != 6 || !is_seen ? Fate::lost : Fate::hung;
  } else if (error != 0) {
    fate = error == 7 ? Fate::upset : Fate::failed;
  } else if (course.out == fates.good) {
    fate = Fate::same;
  }
  fates.tell(met, fate);
  return fate;
}

Flips SimulatedCore::flips(unsigned op, const std::vector<std::uint32_t> &in,
                           const std::vector<std::uint32_t> &accepted, std::uint64_t first,
                           std::uint64_t last, std::uint64_t count, std::uint32_t seed) {
  const std::vector<Place> bits = places();
  auto *const raw = reinterpret_cast<std::uint8_t *>(core_->rootp);
  constexpr std::size_t size = sizeof *core_->rootp;
  static_assert(size % 32 == 0);
  const auto keep = [raw](Course &course) { course.state.assign(raw, raw + size); };
  const auto restore = [raw](const Course &course) { std::memcpy(raw, course.state.data(), size); };
  Fates fates(raw, size, accepted);
  release_inputs();
  core_->op_i = op;
  core_->start_i = 1;
  Course begin;
  keep(begin);
  Course good;
  std::vector<Fates::Key> passed;
  while (advance(good, in, false)) {
    if (good.cycle == forever) throw std::runtime_error("the core does not finish");
    if (good.cycle > first) passed.push_back(fates.key_of(good));
  }
  if (core_->error_o != 0) throw std::runtime_error("the undisturbed operation fails");
  fates.good = good.out;
  fates.tell(passed, Fate::same);
  const std::uint64_t end = good.cycle;
  if (last == 0 || last > end) last = end;
  if (first >= last) throw std::runtime_error("no such cycles");
  std::vector<std::pair<std::uint64_t, std::size_t>> drawn;  // cycle and bit, in order of cycles
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0; i < count; ++i) {
    drawn.emplace_back(first + random() % (last - first), random() % bits.size());
  }
  for (std::uint64_t i = first; count == 0 && i < last; ++i) {
    for (std::size_t bit = 0; bit < bits.size(); ++bit) drawn.emplace_back(i, bit);
  }
  std::sort(drawn.begin(), drawn.end());
  Flips found;
  Course before = begin;
  restore(before);
  Course after;  // without a flip
  for (const auto &[cycle, number] : drawn) {
    if (before.cycle != cycle || after.state.empty()) {
      restore(before);
      while (before.cycle < cycle) advance(before, in, false);
      keep(before);
      after = before;
      advance(after, in, false);
      keep(after);
    }
    restore(before);
    Course course;
    course.cycle = before.cycle;
    course.taken = before.taken;
    course.out = before.out;
    course.quiet = before.quiet;
    *bits[number].byte ^= static_cast<std::uint8_t>(1U << bits[number].bit);
    Fate fate = Fate::same;  // nobody has seen it
    const bool runs = advance(course, in, false);
    if (!runs || std::memcmp(raw, after.state.data(), size) != 0 || course.out != after.out) {
      fate = fate_of(course, in, end, fates);
    }
    ++found[bits[number].name][static_cast<std::size_t>(fate)];
  }
  restore(begin);
  reset();
  return found;
}

void SimulatedCore::write_coverage(const std::string &path) const {
#if VM_COVERAGE
  context_->coveragep()->write(path);
#else
  throw std::runtime_error("this core was built without coverage, there is nothing to write to " +
                           path);
#endif
}

std::vector<Place> SimulatedCore::places() const {
  std::vector<Place> found;
  for (const auto &[scope, entry] : *context_->scopeNameMap()) {
    if (entry->varsp() == nullptr) continue;
    for (const auto &[name, variable] : *entry->varsp()) {
      const std::string text(name);
      if (text.size() < 2 || text.compare(text.size() - 2, 2, "_q") != 0) continue;
      // "TOP.hqc_core.u_shell.u_control": the core's own name says nothing
      const std::string path(scope);
      const std::string inside = path.substr(path.find('.', path.find('.') + 1) + 1);
      unsigned bits = 1;
      for (int i = 0; i < variable.dims(); ++i) {
        const auto *range = variable.range(i);
        bits *= static_cast<unsigned>(range->elements());
      }
      auto *bytes = static_cast<std::uint8_t *>(variable.datap());
      for (unsigned bit = 0; bit < bits; ++bit) {
        found.push_back({inside + "." + text, bytes + bit / 8, bit % 8});
      }
    }
  }
  return found;
}

std::vector<std::uint8_t> SimulatedCore::polynomials() const {
  const auto &memory = core_->rootp->KEM_SLOTS;  // its name, by sim/build.py
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(&memory);
  return {bytes, bytes + sizeof memory};
}

std::vector<std::uint8_t> SimulatedCore::state() {
#if VM_COVERAGE
  throw std::runtime_error("a core built with coverage does not tell its state");
#else
  release_inputs();
  core_->eval();
  StateWriter writer;
  writer << *core_;
  writer.flush();
  return writer.bytes;
#endif
}

}  // namespace hardware
