// SPDX-License-Identifier: Apache-2.0 OR MIT
// A processor of masked words, which runs programs of public length (hardware/sim/masked_engine.py
// has the instructions, masked_programs.py HQC's programs). First order, with glitches and
// transitions.
//
// start_i runs the program at start_pc_i to its HALT; then done_o. Code and constants come from
// memories outside: a word is there in the cycle after its address. While it does not run, store_*
// writes a word of both shares, and store_addr_i gives one in the next cycle (read_o).
//
// Randomness: random_i is taken with random_valid_i and random_ready_o, WORD bits for each product:
// at most one in a cycle. Without a word no step is done, for two cycles at once,
// so that threads keep their parity; nothing goes on unmasked.
//
// Why it is secure. (1) All but masked_multiply sees one share, and products that have a mask, and
// public words. (2) masked_multiply is checked exactly: factors of a product, and of a sum of
// products, whose sharings are independent of each other are all that it needs. (3) So are those of
// the programs: they refresh where they would not be, and tests look for what would tell.
//
// Latency: from start_i to done_o the slots of the program and 4 cycles, if random words come at
// once. Independent of data. clear_i stops it in one cycle and wipes all but the memory.
//
// Why 128 lanes (HQC-1; LUT of 7-series by Yosys). This is 5,215 LUT, the sponge with what feeds it
// 5,727, the product by four positions at once 7,492, the rest 1,633: 2.01e4. The three operations
// take 6.96e4 cycles: 1.40e9 LUT x cycles, of 1.42e9. Programs that nothing hides are some 2.5e4 of
// them. At 64 lanes one word holds neither the 75 positions of a vector nor both products of a step
// of Berlekamp's algorithm: they would take some 1.7 times as long for 2.6e3 LUT less, 8.7e4 by
// 1.73e4, 1.51e9. 256 lanes would halve the comparison alone, for 5e3 LUT more.
module masked_engine #(
    parameter int WORD = 128,    // lanes, a power of two
    parameter int DEPTH = 1024,  // words of the memory
    parameter int CODE = 8192,   // instructions
    parameter int CONSTANTS = 2048,
    localparam int AddrBits = $clog2(DEPTH),
    localparam int CodeBits = $clog2(CODE),
    localparam int ConstantBits = $clog2(CONSTANTS),
    localparam int Width = masked_engine_pkg::OTHER_BITS + 3 * AddrBits + ConstantBits
) (
    input  logic                            clk_i,
    input  logic                            clear_i,
    input  logic                            start_i,         // not while it runs
    input  logic [CodeBits-1:0]             start_pc_i,
    output logic                            done_o,          // pulse
    output logic                            upset_o,         // a register of control was disturbed
    output logic [CodeBits-1:0]             code_addr_o,
    input  logic [Width-1:0]                code_i,
    output logic [ConstantBits-1:0]         constant_addr_o,
    input  logic [WORD-1:0]                 constant_i,
    input  logic                            store_we_i,
    input  logic [AddrBits-1:0]             store_addr_i,
    input  logic [1:0][WORD-1:0]            store_i,         // shares
    output logic [1:0][WORD-1:0]            read_o,          // shares
    input  logic                            random_valid_i,
    output logic                            random_ready_o,
    input  logic [WORD-1:0]                 random_i,
    input  logic                            wipe_i,
    input  logic [15:0]                     wipe_addr_i
);
  import masked_engine_pkg::*;
  localparam int Drain = 3;  // cycles from a step to the memory
  typedef struct packed {
    kind_e kind;
    logic carry;
    logic keep;
    logic write_z;
    logic write;
    logic accumulate;
    logic product;
    logic [3:0] add;     // k, c, t, a
    logic [2:0] in_b;    // c, t, a
    logic [2:0] in_a;    // c, k, a
    logic [4:0] index;   // k, lane, d, b, a
    turn_e turn;
    logic [6:0] lane;
    logic [ConstantBits-1:0] k;
    logic [AddrBits-1:0] d;
    logic [AddrBits-1:0] b;
    logic [AddrBits-1:0] a;
  } instruction_t;
  instruction_t code;
  assign code = code_i;

  // --- Which step comes next ---------------------------------------------------------------------
  typedef struct packed {
    logic running;
    logic waits;  // the second cycle without a random word
    logic done;
    logic [2:0] drain;
    logic [CodeBits-1:0] pc, loop_pc;
    logic [9:0] left;  // turns of the loop
    logic [AddrBits-1:0] address;  // what indexed addresses have added
    logic [6:0] lane;
    logic [ConstantBits-1:0] k;
  } control_t;
  control_t now, next;
  logic lacks, holds, goes, again;
  masked_guarded #(
      .WIDTH($bits(control_t))
  ) u_control (
      .clk_i,
      .next_i(clear_i ? '0 : next),
      .state_o(now),
      .upset_o
  );
  assign done_o = now.done;
  assign lacks = now.running && code.kind == STEP && code.product && !random_valid_i;
  assign holds = lacks || now.waits;
  assign goes = now.running && !holds;
  assign random_ready_o = goes && code.kind == STEP && code.product;
  assign again = goes && code.kind == END && now.left != 10'd1;
  assign code_addr_o = next.pc;
  always_comb begin
    next = now;
    next.done = now.drain == 3'd1;
    next.drain = now.drain == '0 ? '0 : now.drain - 3'd1;
    next.waits = lacks && !now.waits;
    if (!now.running) next.pc = start_pc_i;
    else if (again) next.pc = now.loop_pc;
    else if (goes) next.pc = now.pc + 1'b1;
    if (start_i) next.running = 1'b1;
    if (goes) begin
      unique case (code.kind)
        LOOP: begin
          next.loop_pc = now.pc + 1'b1;
          next.left = code.a[9:0];
          {next.address, next.lane, next.k} = '0;
        end
        END: begin
          next.left = now.left - 10'd1;
          next.address = now.address + code.d;
          next.lane = now.lane + code.lane;
          next.k = now.k + code.k;
        end
        HALT: begin
          next.running = 1'b0;
          next.drain   = 3'(Drain);
        end
        default: ;
      endcase
    end
  end

  // --- A step: its words are there in the next cycle ---------------------------------------------
  logic odd_q;
  logic [AddrBits-1:0] a_addr, b_addr, d, d_q;
  sums_t step, step_q;
  result_t result, result_q;
  logic accumulate_q, write;
  logic [AddrBits-1:0] write_addr;
  logic [WORD-1:0] random_q;
  assign a_addr = code.a + (code.index[0] ? now.address : '0);
  assign b_addr = code.b + (code.index[1] ? now.address : '0);
  assign constant_addr_o = code.k + (code.index[4] ? now.k : '0);
  always_comb begin
    step   = '0;
    result = '0;
    d = '0;
    if (goes && code.kind == STEP) begin
      step = '{
          carry: code.carry,
          product: code.product,
          add: code.add,
          in_b: code.in_b,
          in_a: code.in_a,
          turn: code.turn,
          lane: code.lane + (code.index[3] ? now.lane : '0)
      };
      result = '{keep: code.keep, write_z: code.write_z, write: code.write};
      d = code.d + (code.index[2] ? now.address : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {step_q, result_q, d_q, accumulate_q, random_q, odd_q} <= '0;
    end else begin
      step_q <= step;
      result_q <= result;
      d_q <= d;
      accumulate_q <= code.accumulate;
      random_q <= {WORD{random_ready_o}} & random_i;
      odd_q <= !odd_q;
    end
  end

  // --- Words -------------------------------------------------------------------------------------
  logic [1:0][WORD-1:0] a, b, word;
  masked_alu #(
      .WORD(WORD),
      .ADDR(AddrBits)
  ) u_alu (
      .clk_i,
      .clear_i,
      .odd_i(odd_q),
      .step_i(step_q),
      .accumulate_i(accumulate_q),
      .result_i(result_q),
      .addr_i(d_q),
      .a_i(a),
      .b_i(b),
      .constant_i,
      .random_i(random_q),
      .write_o(write),
      .addr_o(write_addr),
      .word_o(word)
  );
  assign read_o = b;
  for (genvar share = 0; share < 2; share++) begin : gen_share
    logic [WORD-1:0] data;
    assign data = ({WORD{write}} & word[share]) ^ ({WORD{store_we_i}} & store_i[share]);
    for (genvar port = 0; port < 2; port++) begin : gen_port
      logic [WORD-1:0] read;
      kem_memory #(
          .WIDTH(WORD),
          .DEPTH(DEPTH)
      ) u_words (
          .clk_i,
          .we_i(write || store_we_i),
          .waddr_i(write ? write_addr : store_we_i ? store_addr_i : '0),
          .wdata_i(data),
          .raddr_i(port == 0 ? a_addr : now.running ? b_addr : store_addr_i),
          .rdata_o(read),
          .wipe_i,
          .wipe_addr_i
      );
    end
    assign a[share] = gen_port[0].read;
    assign b[share] = gen_port[1].read;
  end
endmodule
