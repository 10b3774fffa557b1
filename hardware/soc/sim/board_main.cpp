// SPDX-License-Identifier: Apache-2.0 OR MIT
// Runs the simulated board (ulx3s_soc) and plays the other end of its serial port.
//
// usage: board CYCLES
//
// What the board sends goes to standard output; standard input is sent to it, once it has been
// silent for a while. Ends with status 0 after so many clock cycles, or with that of the program,
// which the lights show, if it ends before.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "Vboard.h"
#include "verilated.h"

namespace {

constexpr int divisor = 40;          // clock cycles of a bit: 40 MHz and 1 Mbaud
constexpr std::uint64_t rest = 100'000;  // cycles without a byte after which the board is asked

// Eight bits behind a start bit, looked at in their middle.
struct Receiver {
  int left = 0;  // cycles until the next look
  int bit = -1;  // -1: the line rests
  int byte = 0;

  // Returns a byte, or -1.
  int step(bool line) {
    if (bit < 0) {
      if (!line) {
        bit = 0;
        byte = 0;
        left = divisor + divisor / 2;
      }
      return -1;
    }
    if (--left > 0) return -1;
    left = divisor;
    if (bit < 8) {
      byte |= line << bit;
      ++bit;
      return -1;
    }
    bit = -1;
    return line ? byte : -1;
  }
};

struct Sender {
  unsigned bits = 0;  // that are left, lowest first, above them a one
  int left = 0;

  bool busy() const {
    return bits > 1 || left > 0;
  }
  void send(int byte) {
    bits = 0x200u | static_cast<unsigned>(byte) << 1 | 0x400u;
    left = divisor;
  }
  // Returns the line.
  bool step() {
    if (!busy()) return true;
    const bool line = bits & 1;
    if (--left == 0) {
      bits >>= 1;
      left = bits > 1 ? divisor : 0;
    }
    return line;
  }
};

}  // namespace

int main(int count, char **words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: board CYCLES\n");
    return 2;
  }
  const std::uint64_t cycles = std::strtoull(words[1], nullptr, 10);
  VerilatedContext context;
  Vboard board(&context);
  Receiver receiver;
  Sender sender;
  std::uint64_t last = 0;
  bool ended = false;
  board.fire1 = 0;
  for (std::uint64_t i = 0; i < cycles; ++i) {
    if (!ended && !sender.busy() && i - last > rest) {
      const int next = std::getchar();
      ended = next == EOF;
      if (!ended) sender.send(next);
      last = i;
    }
    board.ftdi_txd = sender.step();
    board.clk_25mhz = 0;
    board.eval();
    board.clk_25mhz = 1;
    board.eval();
    const int byte = receiver.step(board.ftdi_rxd);
    if (byte >= 0) {
      std::putchar(byte);
      std::fflush(stdout);
      last = i;
    }
    if (board.led & 0x80) return board.led & 0x7f;
  }
  return 0;
}
