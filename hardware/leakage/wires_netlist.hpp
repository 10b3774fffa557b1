// SPDX-License-Identifier: Apache-2.0 OR MIT
// A netlist of gates, registers and memories, as wires.cpp reads it, and values of wires in many
// traces.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace wires {

constexpr std::size_t words = WORDS;  // of 64 traces

struct Vector {
  std::array<std::uint64_t, words> word{};

  static Vector all(bool bit) {
    Vector v;
    v.word.fill(bit ? ~0ULL : 0);
    return v;
  }
  bool any() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t one : word) sum |= one;
    return sum != 0;
  }
  std::uint32_t count(const Vector &of) const {
    int sum = 0;
    for (std::size_t i = 0; i < words; ++i) sum += std::popcount(word[i] & of.word[i]);
    return static_cast<std::uint32_t>(sum);
  }
  friend Vector operator&(const Vector &a, const Vector &b) {
    Vector v;
    for (std::size_t i = 0; i < words; ++i) v.word[i] = a.word[i] & b.word[i];
    return v;
  }
  friend Vector operator|(const Vector &a, const Vector &b) {
    Vector v;
    for (std::size_t i = 0; i < words; ++i) v.word[i] = a.word[i] | b.word[i];
    return v;
  }
  friend Vector operator^(const Vector &a, const Vector &b) {
    Vector v;
    for (std::size_t i = 0; i < words; ++i) v.word[i] = a.word[i] ^ b.word[i];
    return v;
  }
  friend Vector operator~(const Vector &a) {
    return a ^ all(true);
  }
  friend bool operator==(const Vector &a, const Vector &b) {
    return !(a ^ b).any();
  }
};

using Wire = std::uint32_t;

struct Gate {
  Wire out;
  std::uint8_t table;
  std::array<Wire, 3> pin;
};

struct ReadPort {
  Wire enable, reset;
  std::vector<Wire> address, data;
};
struct Look {  // a read without a clock
  std::size_t memory;
  std::vector<Wire> address, data;
};
struct WritePort {
  std::vector<Wire> address, enable, data;
};
struct Memory {
  std::size_t width = 0;
  std::vector<std::vector<Vector>> rows;
  std::vector<ReadPort> reads;
  std::vector<WritePort> writes;
};

struct Netlist {
  std::vector<std::uint8_t> delay, unit;
  std::vector<Gate> gates;
  std::vector<std::pair<Wire, Wire>> registers;
  std::vector<Memory> memories;
  std::vector<Look> looks;
  std::map<std::string, std::vector<Wire>> inputs, outputs;
};

inline std::vector<Wire> wires_of(std::istream &fields) {  // up to a "-" or the end
  std::vector<Wire> found;
  for (std::string field; fields >> field && field != "-";) {
    found.push_back(static_cast<Wire>(std::stoul(field)));
  }
  return found;
}

inline void read_line(Netlist &net, const std::string &line) {
  std::istringstream fields(line);
  std::string kind;
  fields >> kind;
  if (kind == "delays" || kind == "units") {
    const std::vector<Wire> values = wires_of(fields);
    (kind == "delays" ? net.delay : net.unit).assign(values.begin(), values.end());
  } else if (kind == "gate") {
    Gate gate{};
    unsigned table = 0;
    fields >> gate.out >> table;
    gate.table = static_cast<std::uint8_t>(table);
    for (Wire &pin : gate.pin) {
      if (!(fields >> pin)) pin = 0;
    }
    net.gates.push_back(gate);
  } else if (kind == "register") {
    Wire q = 0, d = 0;
    fields >> q >> d;
    net.registers.emplace_back(q, d);
  } else if (kind == "memory") {
    std::size_t depth = 0;
    Memory memory;
    fields >> depth >> memory.width;
    memory.rows.assign(depth, std::vector<Vector>(memory.width));
    net.memories.push_back(std::move(memory));
  } else if (kind == "row") {
    std::size_t number = 0;
    std::string bits;  // the lowest one first
    fields >> number >> bits;
    std::vector<Vector> &row = net.memories.back().rows.at(number);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = Vector::all(bits.at(i) == '1');
  } else if (kind == "read") {
    ReadPort port{};
    fields >> port.enable >> port.reset;
    port.address = wires_of(fields);
    port.data = wires_of(fields);
    net.memories.back().reads.push_back(port);
  } else if (kind == "look") {
    Look port{net.memories.size() - 1, wires_of(fields), {}};
    port.data = wires_of(fields);
    net.looks.push_back(port);
  } else if (kind == "write") {
    WritePort port;
    port.address = wires_of(fields);
    port.enable = wires_of(fields);
    port.data = wires_of(fields);
    net.memories.back().writes.push_back(port);
  } else if (kind == "input" || kind == "output") {
    std::string name;
    fields >> name;
    (kind == "input" ? net.inputs : net.outputs)[name] = wires_of(fields);
  } else {
    throw std::runtime_error("an unknown line: " + kind);
  }
}

inline Netlist read_netlist(const std::string &path) {
  std::ifstream file(path);
  Netlist net;
  for (std::string line; std::getline(file, line);) read_line(net, line);
  if (net.delay.empty() || net.delay.size() != net.unit.size()) {
    throw std::runtime_error(path + " is no netlist");
  }
  return net;
}

}  // namespace wires
