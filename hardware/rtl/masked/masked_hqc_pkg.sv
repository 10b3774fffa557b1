// SPDX-License-Identifier: Apache-2.0 OR MIT
// Steps of masked_hqc; hardware/sim/masked_schedule.py writes them.
package masked_hqc_pkg;
  // Bits of step_t.target and step_t.needs.
  localparam int RECEIVE = 0;  // lanes of the input packet to the store
  localparam int HASH = 1;
  localparam int ENGINE = 2;  // a program from pc `a` on
  localparam int MOVE = 3;
  localparam int PRODUCT = 4;  // of entries 0 to `a` of the lists
  localparam int SEND = 5;  // lanes of the store to the output packet
  localparam int UNITS = 6;
  typedef logic [UNITS-1:0] units_t;

  typedef struct packed {
    units_t      target;  // one unit; none at the end
    units_t      needs;   // units that must have ended before
    logic [3:0]  op;
    logic [5:0]  flags;
    logic [9:0]  count;   // of lanes, words or positions
    logic [9:0]  b;       // word of the store
    logic [12:0] a;       // word of the engine's memory, or as said above
  } step_t;

  // RECEIVE and SEND: no op.
  localparam int PUBLIC = 0;  // flag of RECEIVE: a field that is no share
  localparam int BYTE = 1;  // flag of RECEIVE: of the last lane one byte counts
  localparam int LAST = 2;  // flag: the packet ends

  typedef enum logic [2:0] {
    BEGIN,    // a message; flag 0: its rate is 9 lanes, else 17
    ABSORB,   // lanes of the store; flag SHIFTED
    CARRY,    // of a lane one byte, which goes before what is shifted
    TAIL,     // `a`: what comes behind the message, with the first byte of the padding; SHIFTED
    SQUEEZE   // lanes to the store; flag OPEN
  } hash_e;
  localparam int SHIFTED = 0;
  localparam int OPEN = 1;  // what is public is joined: in share 0

  typedef enum logic [3:0] {
    LOAD,    // words of the store to the engine
    DRAW,    // random words to the engine, in share 1 alone
    TAKE,    // the product to the engine; flags STRIDED, ADDED, RING
    SAVE,    // words of the engine to the store; flag OPEN
    LIST0,   // positions of the engine to the product's first lists
    LIST1,   // both with flags MASKED; ADDED: behind what is there; ONE; GO
    FEED,    // a public polynomial of the store to the product; flag ONE
    SCAN,    // which candidates are accepted, until they are enough, to a word of the store
    WINDOW   // to the engine, which candidates of the next ones are none; flag ONE: not all are
  } move_e;
  localparam int STRIDED = 2;  // three words side by side, the next three 20 words on
  localparam int MASKED = 2;  // `b` is a word of the store that says which positions are accepted
  localparam int ADDED = 3;  // with words of the store added to it
  localparam int RING = 4;  // bits from N on become zero
  localparam int GO = 4;  // the lists are complete
  localparam int ONE = 5;  // the polynomial 1 instead: the product's other one
endpackage
