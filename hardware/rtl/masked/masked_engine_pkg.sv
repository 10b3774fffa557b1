// SPDX-License-Identifier: Apache-2.0 OR MIT
// Instructions of masked_engine; hardware/sim/masked_engine.py says what they do.
package masked_engine_pkg;
  typedef enum logic [1:0] {
    STEP,
    LOOP,
    END,
    HALT
  } kind_e;
  typedef enum logic [2:0] {
    SWAP,
    NEXT,
    ALL,
    HALVES,
    CROSSED
  } turn_e;
  // Bits of an instruction beside its three addresses and its number of a constant.
  localparam int OTHER_BITS = 33;
  // What a step does with the words that come from the memory.
  typedef struct packed {
    logic carry;
    logic product;
    logic [3:0] add;
    logic [2:0] in_b;
    logic [2:0] in_a;
    turn_e turn;
    logic [6:0] lane;
  } sums_t;
  // And with what comes of them, two cycles later.
  typedef struct packed {
    logic keep;
    logic write_z;
    logic write;
  } result_t;
endpackage
