// SPDX-License-Identifier: Apache-2.0 OR MIT
// Simulates a netlist in many traces, with delays or without, and looks at what changes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "wires_netlist.hpp"

namespace wires {

constexpr std::uint64_t forever = 1'000'000;

// How many changes of a unit each trace has in a step: plane i has the bits of 2^i.
struct Counter {
  std::vector<Vector> planes;

  void add(Vector carry) {
    for (Vector &plane : planes) {
      const Vector both = plane & carry;
      plane = plane ^ carry;
      carry = both;
      if (!carry.any()) return;
    }
    planes.push_back(carry);
  }
  // The sums of the counts and of their squares in a set.
  std::pair<double, double> sums(const Vector &set) const {
    double first = 0, second = 0;
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const Vector one = planes[i] & set;
      for (std::size_t k = i; k < planes.size(); ++k) {
        const double both = one.count(planes[k]);
        second += std::ldexp(both, static_cast<int>(i + k) + (k != i));
        if (k == i) first += std::ldexp(both, static_cast<int>(i));
      }
    }
    return {first, second};
  }
};

struct Found {
  double most = 0;
  std::uint64_t cycle = 0, step = 0, who = 0;

  void look(double t, std::uint64_t now, std::uint64_t at, std::uint64_t of) {
    if (t > most) *this = {t, now, at, of};
  }
};

// Whether |t| of a of n traces beside b of m may be above a limit: as below, but without divisions.
inline bool is_above(double a, double n, double b, double m, double limit) {
  const double difference = a * m - b * n;
  const double spread = a * (n - a) * (m * m / n) + b * (m - b) * (n * n / m);
  return difference * difference > limit * limit * std::max(spread, m * m);
}

inline double welch(double one, double its_variance, double other, double others_variance,
                    double least) {
  return std::fabs(one - other) / std::sqrt(std::max(its_variance + others_variance, least));
}

class Simulation {
 public:
  Simulation(Netlist netlist, Vector random_set)
      : net_(std::move(netlist)),
        value_(net_.delay.size()),
        latest_(value_),
        begins_(net_.delay.size() + 1),
        levels_(1),
        touched_at_(net_.gates.size() + net_.looks.size()),
        sets_{~random_set, random_set} {
    value_[1] = latest_[1] = Vector::all(true);
    std::vector<std::vector<std::uint32_t>> takers(net_.delay.size());
    for (std::uint32_t i = 0; i < touched_at_.size(); ++i) {
      for (const Wire pin : pins(i)) {
        if (takers[pin].empty() || takers[pin].back() != i) takers[pin].push_back(i);
      }
    }
    for (std::size_t wire = 0; wire < takers.size(); ++wire) {
      takers_.insert(takers_.end(), takers[wire].begin(), takers[wire].end());
      begins_[wire + 1] = static_cast<std::uint32_t>(takers_.size());
    }
    find_levels();
    wheel_.resize(std::size_t{1} + *std::max_element(net_.delay.begin(), net_.delay.end()));
    counters_.resize(std::size_t{1} + *std::max_element(net_.unit.begin(), net_.unit.end()));
    for (std::uint32_t i = 0; i < touched_at_.size(); ++i) touch(i);  // of wires that are zero
    settle_at_once();
  }

  const Vector &value(Wire wire) const {
    return value_[wire];
  }
  const Netlist &net() const {
    return net_;
  }
  // One bit that is the same in all traces.
  bool same(Wire wire) const {
    if (value_[wire] == Vector{}) return false;
    if (!(value_[wire] == Vector::all(true))) {
      throw std::runtime_error("control depends on data, at wire " + std::to_string(wire));
    }
    return true;
  }
  bool output(const std::string &name) const {
    return same(net_.outputs.at(name)[0]);
  }
  void set(Wire wire, const Vector &value) {
    next_.emplace_back(wire, value);
  }
  void set(const std::string &name, std::uint64_t value) {
    const std::vector<Wire> &wires = net_.inputs.at(name);
    for (std::size_t i = 0; i < wires.size(); ++i) {
      set(wires[i], Vector::all((value >> std::min<std::size_t>(i, 63) & 1) != 0));
    }
  }
  // An edge of the clock, with the inputs that were set, and what follows.
  void cycle(bool with_delays) {
    for (const auto &[q, d] : net_.registers) {
      if (!(value_[d] == value_[q])) next_.emplace_back(q, value_[d]);
    }
    for (Memory &memory : net_.memories) {
      for (const ReadPort &port : memory.reads) read(memory, port);
      for (const WritePort &port : memory.writes) write(memory, port);
    }
    if (with_delays) {
      for (const auto &[wire, value] : next_) schedule(wire, value, 0);
      settle();
    } else {
      for (const auto &[wire, value] : next_) change(wire, value);
      settle_at_once();
    }
    next_.clear();
    ++now_;
  }
  void begin() {
    now_ = 0;
  }

  std::uint64_t changes = 0, above = 0, samples = 0;
  Found first, units;

 private:
  struct Event {
    Wire wire;
    Vector value;
  };

  // What a gate, or a look behind the gates, takes from.
  std::vector<Wire> pins(std::uint32_t number) const {
    if (number >= net_.gates.size()) return net_.looks[number - net_.gates.size()].address;
    const std::array<Wire, 3> &pin = net_.gates[number].pin;
    return {pin.begin(), pin.end()};
  }
  Vector gate(const Gate &one) const {
    const Vector &a = value_[one.pin[0]], &b = value_[one.pin[1]], &s = value_[one.pin[2]];
    switch (one.table) {
      case 0x55:
        return ~a;
      case 0xaa:
        return a;
      case 0x88:
        return a & b;
      case 0x77:
        return ~(a & b);
      case 0xee:
        return a | b;
      case 0x11:
        return ~(a | b);
      case 0x66:
        return a ^ b;
      case 0x99:
        return ~(a ^ b);
      case 0x22:
        return a & ~b;
      case 0xbb:
        return a | ~b;
      case 0xca:
        return a ^ (s & (a ^ b));
      default:
        throw std::runtime_error("an unknown gate");
    }
  }
  void schedule(Wire wire, const Vector &value, std::uint64_t step) {
    if (latest_[wire] == value) return;
    latest_[wire] = value;
    wheel_[(step + net_.delay[wire]) % wheel_.size()].push_back({wire, value});
    ++waiting_;
  }
  // Gives what a gate, or a look behind the gates, makes of its inputs to take(wire, value).
  template <typename Take>
  void compute(std::uint32_t number, Take take) {
    if (number < net_.gates.size()) {
      take(net_.gates[number].out, gate(net_.gates[number]));
      return;
    }
    const Look &port = net_.looks[number - net_.gates.size()];
    const Memory &memory = net_.memories[port.memory];
    const std::vector<Vector> row = row_at(memory, port.address, Vector::all(true));
    for (std::size_t i = 0; i < row.size(); ++i) take(port.data[i], row[i]);
  }
  // Sorts gates and looks so that each has a higher level than those that it takes from.
  void find_levels() {
    std::vector<std::uint32_t> left(touched_at_.size()), ready;
    level_.resize(touched_at_.size());
    std::vector<bool> driven(net_.delay.size());
    const auto drive = [&driven](Wire wire) { driven[wire] = true; };
    for (const Gate &one : net_.gates) drive(one.out);
    for (const Look &one : net_.looks) std::for_each(one.data.begin(), one.data.end(), drive);
    for (std::uint32_t i = 0; i < left.size(); ++i) {
      std::vector<Wire> some = pins(i);
      std::sort(some.begin(), some.end());
      some.erase(std::unique(some.begin(), some.end()), some.end());
      for (const Wire pin : some) left[i] += driven[pin];
      if (left[i] == 0) ready.push_back(i);
    }
    std::size_t done = 0;
    for (; done < ready.size(); ++done) {
      const std::uint32_t number = ready[done];
      levels_.resize(std::max<std::size_t>(levels_.size(), level_[number] + 1U));
      const auto pass = [&](Wire wire) {
        for (std::uint32_t i = begins_[wire]; i < begins_[wire + 1]; ++i) {
          const std::uint32_t taker = takers_[i];
          level_[taker] = std::max(level_[taker], level_[number] + 1);
          if (--left[taker] == 0) ready.push_back(taker);
        }
      };
      if (number < net_.gates.size()) {
        pass(net_.gates[number].out);
      } else {
        const std::vector<Wire> &data = net_.looks[number - net_.gates.size()].data;
        std::for_each(data.begin(), data.end(), pass);
      }
    }
    if (done < left.size()) throw std::runtime_error("gates in a loop");
  }
  void touch(std::uint32_t number) {
    if (touched_at_[number] == stamp_) return;
    touched_at_[number] = stamp_;
    levels_[level_[number]].push_back(number);
  }
  void change(Wire wire, const Vector &value) {
    if (value_[wire] == value) return;
    value_[wire] = latest_[wire] = value;
    for (std::uint32_t i = begins_[wire]; i < begins_[wire + 1]; ++i) touch(takers_[i]);
  }
  // Without delays: each gate changes once, behind those that it takes from.
  void settle_at_once() {
    for (std::vector<std::uint32_t> &level : levels_) {
      for (const std::uint32_t number : level) {
        compute(number, [this](Wire wire, const Vector &value) { change(wire, value); });
      }
      level.clear();
    }
    ++stamp_;
  }
  void settle() {
    std::vector<std::uint32_t> touched;
    std::vector<Event> events;
    for (std::uint64_t step = 0; waiting_ != 0; ++step) {
      if (step == forever) throw std::runtime_error("gates that never settle");
      events.clear();
      events.swap(wheel_[step % wheel_.size()]);
      waiting_ -= events.size();
      touched.clear();
      for (const Event &event : events) {
        count(event.wire, value_[event.wire] ^ event.value, step);
        value_[event.wire] = event.value;
        for (std::uint32_t i = begins_[event.wire]; i < begins_[event.wire + 1]; ++i) {
          const std::uint32_t taker = takers_[i];
          if (touched_at_[taker] != stamp_) touched.push_back(taker);
          touched_at_[taker] = stamp_;
        }
      }
      if (!events.empty()) finish(step);
      for (const std::uint32_t number : touched) {
        compute(number,
                [this, step](Wire wire, const Vector &value) { schedule(wire, value, step); });
      }
      ++stamp_;
    }
  }
  void count(Wire wire, const Vector &change, std::uint64_t step) {
    ++changes;
    counters_[net_.unit[wire]].add(change);
    const double a = change.count(sets_[0]), b = change.count(sets_[1]);
    if (!is_above(a, size_[0], b, size_[1], std::min(first.most, LIMIT))) return;
    const double one = a / size_[0], other = b / size_[1];
    const double t = welch(one, one * (1 - one) / size_[0], other, other * (1 - other) / size_[1],
                           1 / (size_[0] * size_[0]));
    above += t > LIMIT;
    first.look(t, now_, step, wire);
  }
  // Looks at what the units' wires did in a step.
  void finish(std::uint64_t step) {
    for (std::size_t unit = 0; unit < counters_.size(); ++unit) {
      if (counters_[unit].planes.empty()) continue;
      std::array<double, 2> mean{}, variance{};
      for (std::size_t set = 0; set < 2; ++set) {
        const auto [sum, squares] = counters_[unit].sums(sets_[set]);
        mean[set] = sum / size_[set];
        variance[set] = (squares / size_[set] - mean[set] * mean[set]) / size_[set];
      }
      ++samples;
      const double least = 1 / (size_[0] * size_[0]);
      units.look(welch(mean[0], variance[0], mean[1], variance[1], least), now_, step, unit);
      counters_[unit].planes.clear();
    }
  }
  // The rows at an address, each with the traces that have it.
  std::vector<std::pair<std::size_t, Vector>> addressed(const std::vector<Wire> &address,
                                                        const Vector &which) const {
    std::vector<std::pair<std::size_t, Vector>> found{{0, which}};
    for (std::size_t i = 0; i < address.size(); ++i) {
      const std::size_t before = found.size();
      for (std::size_t k = 0; k < before; ++k) {
        const Vector one = found[k].second & value_[address[i]];
        if (!one.any()) continue;
        const std::size_t with = found[k].first | std::size_t{1} << i;
        if (one == found[k].second) {
          found[k].first = with;
        } else {
          found[k].second = found[k].second & ~one;
          found.emplace_back(with, one);
        }
      }
    }
    return found;
  }
  // The rows at an address, of each trace its own; zero in traces that are not in which.
  std::vector<Vector> row_at(const Memory &memory, const std::vector<Wire> &address,
                             const Vector &which) const {
    std::vector<Vector> row(memory.width);
    if (!which.any()) return row;
    const auto found = addressed(address, which);
    const std::size_t one = found.front().first;  // the usual one: all traces read it
    if (found.size() == 1 && one < memory.rows.size() && which == Vector::all(true)) {
      return memory.rows[one];
    }
    for (const auto &[number, some] : found) {
      if (number >= memory.rows.size()) continue;
      for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = row[i] | (memory.rows[number][i] & some);
    }
    return row;
  }
  void read(const Memory &memory, const ReadPort &port) {
    const Vector enabled = value_[port.enable], reset = value_[port.reset];
    const Vector keeps = ~(enabled | reset);
    if (keeps == Vector::all(true)) return;
    const std::vector<Vector> row = row_at(memory, port.address, enabled & ~reset);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Vector &before = value_[port.data[i]], now = row[i] | (before & keeps);
      if (!(now == before)) next_.emplace_back(port.data[i], now);
    }
  }
  void write(Memory &memory, const WritePort &port) {
    Vector any;
    for (const Wire wire : port.enable) any = any | value_[wire];
    if (!any.any()) return;
    for (const auto &[number, which] : addressed(port.address, any)) {
      if (number >= memory.rows.size()) continue;
      for (std::size_t i = 0; i < memory.width; ++i) {
        const Vector on = which & value_[port.enable[i]];
        Vector &bit = memory.rows[number][i];
        bit = (bit & ~on) | (value_[port.data[i]] & on);
      }
    }
  }

  Netlist net_;
  std::vector<Vector> value_, latest_;
  std::vector<std::uint32_t> takers_, begins_;  // of a wire those from begins_[wire] on
  std::vector<std::uint32_t> level_;  // of a gate or a look
  std::vector<std::vector<std::uint32_t>> levels_;  // what is to be computed in each
  std::vector<std::uint32_t> touched_at_;  // a gate or a look, by its stamp
  std::vector<std::vector<Event>> wheel_;
  std::vector<Counter> counters_;
  std::vector<std::pair<Wire, Vector>> next_;
  std::array<Vector, 2> sets_;
  std::array<double, 2> size_{static_cast<double>(sets_[0].count(sets_[0])),
                              static_cast<double>(sets_[1].count(sets_[1]))};
  std::uint64_t waiting_ = 0, now_ = 0;
  std::uint32_t stamp_ = 1;  // of a step: these are some 10^6
};

}  // namespace wires
