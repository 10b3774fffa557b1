// SPDX-License-Identifier: Apache-2.0 OR MIT
// What the units of every core share: operations, errors, kinds of fields, and the requests to the
// memories. Numbers of slots, strings and entries are the scheme's; the fields are as wide as the
// largest scheme needs, and a memory uses the lower bits of them.
package kem_pkg;

  // --- Operations and errors, as on the ports of a core -----------------------------------------
  typedef enum logic [2:0] {
    OP_NONE = 3'd0,
    OP_KEYGEN = 3'd1,
    OP_ENCAPS = 3'd2,
    OP_DECAPS = 3'd3,
    OP_WIPE = 3'd4
  } op_e;

  typedef enum logic [2:0] {
    ERR_NONE    = 3'd0,
    ERR_OP      = 3'd1,  // the operation is unknown or not in this build
    ERR_SHORT   = 3'd2,  // the input packet ended too early
    ERR_LONG    = 3'd3,  // the input packet was longer than it should be
    ERR_KEY     = 3'd4,  // a position in the secret key is not below the length of the code
    ERR_BUSY    = 3'd5,  // a start while busy: it was refused, and the running operation continues
    ERR_ABORT   = 3'd6,  // stopped from outside; everything is wiped
    ERR_UPSET   = 3'd7   // registers contradict each other: one was disturbed; everything is wiped
  } err_e;

  // Kinds of fields on the streams.
  typedef enum logic [1:0] {
    F_POLY = 2'd0,
    F_STR = 2'd1,
    F_LIST = 2'd2,
    F_SKIP = 2'd3
  } field_e;

  // --- Units that the sequencer starts, numbered by the scheme, and what they are asked ----------
  localparam int UNITS = 9;
  typedef logic [UNITS-1:0] units_t;

  typedef struct packed {
    logic [2:0] a;     // the operation or kind
    logic [2:0] b;     // slot, string or list
    logic       last;  // the last field of a packet
  } operands_t;

  typedef struct packed {
    units_t    target;  // one unit; none at the end
    units_t    needs;   // units that must have ended before
    operands_t operands;
  } step_t;

  // --- Requests to the memories; a unit that does not use one drives zeros ----------------------
  // Polynomials: slots of words. The data of a write has the width of a word and goes beside it.
  typedef struct packed {
    logic [2:0] slot;
    logic [9:0] word;
  } word_read_t;

  typedef struct packed {
    logic       valid;
    logic [2:0] slot;
    logic [9:0] word;
  } word_write_t;

  // Strings of 32 bytes, as four lanes of 64 bits.
  typedef struct packed {
    logic [2:0] number;
    logic [1:0] lane;
  } lane_read_t;

  typedef struct packed {
    logic        valid;
    logic [2:0]  number;
    logic [1:0]  lane;
    logic [63:0] data;
  } lane_write_t;

  // Lists of positions: the list in the upper bit of a core's addresses.
  typedef logic [8:0] entry_read_t;

  typedef struct packed {
    logic        valid;
    logic [8:0]  entry;
    logic [16:0] data;
  } entry_write_t;

  // --- A sponge beside who uses it: the ports of keccak_sponge -----------------------------------
  typedef struct packed {
    logic [4:0]  rate;   // with the start
    logic        valid;
    logic        last;
    logic [63:0] lane;
    logic        next;
  } to_sponge_t;

  typedef struct packed {
    logic        ready;
    logic        valid;
    logic [63:0] lane;
  } from_sponge_t;

endpackage
