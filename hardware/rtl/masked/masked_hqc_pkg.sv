// SPDX-License-Identifier: Apache-2.0 OR MIT
// Steps of masked_hqc, which hardware/sim/masked_schedule.py writes, and its levels.
package masked_hqc_pkg;
  // Bits of a step's target and needs.
  localparam int RECEIVE = 0;  // lanes of the input packet to the store
  localparam int HASH = 1;
  localparam int ENGINE = 2;  // a program from pc `a` on
  localparam int MOVE = 3;
  localparam int PRODUCT = 4;  // of entries 0 to `a` of the lists
  localparam int SEND = 5;  // lanes of the store to the output packet
  localparam int UNITS = 6;
  typedef logic [UNITS-1:0] units_t;

  // --- What differs by level: 1, 3 or 5 (hardware/sim/masked_level.py) ---------------------------
  // levels: made by parameters/generate.py
  function automatic int n_bits(int level);
    return level == 1 ? 17669 : level == 3 ? 35851 : 57637;
  endfunction
  function automatic int n1_symbols(int level);  // of a Reed-Solomon codeword
    return level == 1 ? 46 : level == 3 ? 56 : 90;
  endfunction
  function automatic int rm_copies(int level);  // of a Reed-Muller word of 128 bits
    return level == 1 ? 3 : 5;
  endfunction
  function automatic int message_bytes(int level);  // k; of sigma, too
    return level == 1 ? 16 : level == 3 ? 24 : 32;
  endfunction
  // levels: end
  // weights: made by parameters/generate.py
  function automatic int weight_key(int level);  // of x and of y
    return level == 1 ? 66 : level == 3 ? 100 : 131;
  endfunction
  function automatic int weight_error(int level);  // of r1, of r2 and of e
    return level == 1 ? 75 : level == 3 ? 114 : 149;
  endfunction
  // weights: end
  function automatic int memory_words(int level);  // of the store and of the engine's memory
    return level == 1 ? 1024 : 2048;
  endfunction
  function automatic int code_depth(int level);
    return level == 5 ? 16384 : 8192;
  endfunction
  function automatic int constants(int level);
    return level == 1 ? 2048 : level == 3 ? 4096 : 8192;
  endfunction
  function automatic int candidates(int level);  // for the positions of a vector of a key
    return level == 1 ? 88 : level == 3 ? 128 : 160;
  endfunction
  function automatic int start_of_x(int level);  // among the candidates
    return level == 1 ? 64 : level == 3 ? 96 : 128;
  endfunction
  function automatic int tail_bytes(int level);  // of the last lane of s and of u
    return ((n_bits(level) + 7) / 8 - 1) % 8 + 1;
  endfunction
  function automatic int symbol_area(int level);  // words, for the Reed-Muller decoder
    return 2 * ($clog2(64 * rm_copies(level) + 1) + 2);
  endfunction

  // RECEIVE and SEND: no op.
  localparam int PUBLIC = 0;  // flag of RECEIVE: a field that is no share
  localparam int BYTE = 1;  // flag of RECEIVE: of the last lane tail_bytes count
  localparam int LAST = 2;  // flag: the packet ends

  typedef enum logic [2:0] {
    BEGIN,    // a message; flag 0: its rate is 9 lanes, else 17
    ABSORB,   // lanes of the store; flag SHIFTED
    CARRY,    // of a lane the bytes that go before what is shifted
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
    LIST1,   // both with flags MASKED; ADDED: behind what is there; ONE; GO; MORE
    FEED,    // a public polynomial of the store to the product; flag ONE
    SCAN,    // which candidates are accepted, until they are enough, to a word of the store; MORE
    WINDOW   // to the engine, which candidates of the next ones are none; flag ONE: not all are
  } move_e;
  localparam int MORE = 1;  // of a second group: it goes on where the first one has ended
  localparam int STRIDED = 2;  // words of a symbol side by side, those of the next an area on
  localparam int MASKED = 2;  // `b` is a word of the store that says which positions are accepted
  localparam int ADDED = 3;  // with words of the store added to it
  localparam int RING = 4;  // bits from N on become zero
  localparam int GO = 4;  // the lists are complete
  localparam int ONE = 5;  // the polynomial 1 instead: the product's other one
endpackage
