// SPDX-License-Identifier: Apache-2.0 OR MIT
// Inverts h0 by division steps in sweeps of STEPS steps [BY19].
//
// f and v share one array, g and w another, for with f kept as x^n f + v and g as x^n g + w/x
// (after n steps) one step is the same for both parts: f' = x (swap ? g : f), g' = g + add f.
// Coefficient -1 of g is always 1 and is not stored. v has at most min(n, r) coefficients and f at
// most min(r, 2r-1-n), so a sweep visits only the words that can be non-zero. No bit reversal is
// needed: with g = h0 the result is v = x^(e-2) h0^-1 mod x^r - 1, where e is the number of steps
// beyond 2r - 1; the position unit adds that power of x to the positions of h1.
//
// Latency: docs/hardware.md gives the formula; it does not depend on data.
module bike_inverter
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,     // of the polynomial memory
    parameter int INV_WORD = 256,
    parameter int STEPS = 32,     // in each sweep
    parameter int STAGE = 4,      // steps in each pipeline stage
    parameter int RATE = 2,       // steps decided in each cycle
    localparam int R = r_bits(LEVEL),
    localparam int Words = (R + WORD - 1) / WORD,
    localparam int WordAddrBits = $clog2(Words)
) (
    input  logic                    clk_i,
    input  logic                    clear_i,
    input  logic                    start_i,
    output logic                    done_o,
    output word_read_t              poly_read_o,  // h0, in slot A0
    input  logic [WORD-1:0]         poly_rdata_i,
    output word_write_t             poly_write_o,
    output logic [WORD-1:0]         poly_wdata_o,
    input  logic                    wipe_i,
    input  logic [15:0]             wipe_addr_i
);
  localparam int Sweeps = (2 * R - 1 + STEPS - 1) / STEPS;
  localparam int Extra = Sweeps * STEPS - (2 * R - 1);
  localparam int Ratio = INV_WORD / WORD;
  localparam int Depth = (2 * R - 1 + STEPS) / INV_WORD + 1;  // words of f and of g
  localparam int Top = Depth - 1;
  localparam int VTop = (R + STEPS - 1) / INV_WORD;  // highest word that v reaches
  localparam int Reach = R / INV_WORD + 1;  // f ends this far above its first word
  localparam int Stages = STEPS / STAGE;
  localparam int AddrBits = $clog2(Depth + 1);
  localparam int SubBits = Ratio == 1 ? 1 : $clog2(Ratio);
  localparam int PartBits = INV_WORD == STEPS ? 1 : $clog2(INV_WORD / STEPS);
  localparam int SweepBits = $clog2(Sweeps + 1);
  localparam int LastPart = INV_WORD / STEPS - 1;

  initial begin
    assert (INV_WORD % WORD == 0 && INV_WORD % STEPS == 0 && STEPS % STAGE == 0 && STEPS % RATE == 0
            && STAGE % 2 == 0)
    else $fatal(1, "bike_inverter: WORD | INV_WORD, STEPS | INV_WORD, STAGE and RATE | STEPS");
    assert (R % WORD + Extra <= WORD)
    else $fatal(1, "bike_inverter: v does not fit its last word");
  end

  typedef enum logic [2:0] {
    IDLE,
    LOAD,
    WAIT,
    SWEEP,
    DRAIN,
    COPY
  } state_e;
  typedef logic [AddrBits-1:0] addr_t;
  state_e state_q;

  // --- Loading h0 and writing v: one word of the polynomial memory in each cycle ----------------
  addr_t word_q, word_d1_q;
  logic [SubBits-1:0] sub_q, sub_d1_q;
  logic load_q, copy_q;  // the word read in the cycle before is here
  logic [WordAddrBits:0] index_q, index_d1_q;
  logic [INV_WORD-1:0] gather, load_f;
  logic last_sub;

  assign last_sub = sub_q == SubBits'(Ratio - 1);
  assign poly_read_o = '{
          slot: SLOT_A0,
          word: state_q == LOAD ? 10'(index_q[WordAddrBits-1:0]) : '0
      };
  logic [WORD-1:0] load_word;
  assign load_word = index_d1_q < (WordAddrBits + 1)'(Words) ? poly_rdata_i : '0;
  if (Ratio == 1) begin : gen_one
    assign gather = load_word;
  end else begin : gen_gather
    logic [INV_WORD-WORD-1:0] lower_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) lower_q <= '0;
      else if (load_q) lower_q <= (INV_WORD - WORD)'({load_word, lower_q} >> WORD);
    end
    assign gather = {load_word, lower_q};
  end
  always_comb begin  // f = x^r + 1
    load_f = '0;
    load_f[0] = word_d1_q == 0;
    load_f[R % INV_WORD] = load_f[R % INV_WORD] | (word_d1_q == addr_t'(R / INV_WORD));
  end

  // --- Sweeps -----------------------------------------------------------------------------------
  addr_t read_q, base_q, end_of_f;  // base: the word that has the coefficient which decides
  logic [PartBits-1:0] part_q;      // which STEPS coefficients of that word
  logic [SweepBits-1:0] sweep_q;
  logic first_q, jump_q, valid_q;  // flags of the word whose data the memories give now
  logic last_word, last_sweep, jump_next, start_sweep, ready, known_q;
  logic [$clog2(Stages+4)-1:0] drain_q;

  assign end_of_f = base_q > addr_t'(Top - Reach) ? addr_t'(Top) : base_q + addr_t'(Reach);
  assign last_word = read_q == end_of_f;
  assign last_sweep = sweep_q == SweepBits'(Sweeps - 1);
  assign jump_next = read_q == addr_t'(VTop) && base_q > addr_t'(VTop + 1);
  assign start_sweep = ready && known_q
                     && (state_q == WAIT || (state_q == SWEEP && last_word && !last_sweep));

  logic [STEPS-1:0] swap, add;
  logic [INV_WORD-1:0] f_word[Stages+1], g_word[Stages+1];
  logic [Stages:0] valid, first, jump;
  addr_t address_q[Stages+1];
  logic [INV_WORD-1:0] f_read, g_read, f_write, g_write;
  logic write;
  addr_t write_addr;

  assign f_word[0] = f_read;
  assign g_word[0] = g_read;
  assign {valid[0], first[0], jump[0]} = {valid_q, first_q, jump_q};
  logic issue_first_q, issue_jump_q;  // this cycle's read is the first of a sweep, or after a jump
  for (genvar i = 0; i < Stages; i++) begin : gen_stage
    divstep_stage #(
        .WORD(INV_WORD),
        .STEPS(STAGE)
    ) u_stage (
        .clk_i,
        .clear_i,
        .valid_i(valid[i]),
        .first_i(first[i]),
        .jump_i(jump[i]),
        .set_i(i == 0 ? issue_first_q : first[i == 0 ? 0 : i-1]),
        .swap_i(swap[STAGE*i +: STAGE]),
        .add_i(add[STAGE*i +: STAGE]),
        .f_i(f_word[i]),
        .g_i(g_word[i]),
        .valid_o(valid[i+1]),
        .first_o(first[i+1]),
        .jump_o(jump[i+1]),
        .f_o(f_word[i+1]),
        .g_o(g_word[i+1])
    );
  end

  always_ff @(posedge clk_i) begin
    address_q[0] <= clear_i ? '0 : read_q;
    for (int i = 0; i < Stages; i++) address_q[i+1] <= clear_i ? '0 : address_q[i];
  end

  // The decisions of the next sweep come from the word that leaves the last stage.
  addr_t next_base;
  logic [PartBits-1:0] next_part;
  logic capture, capture_load, begun_q;
  assign next_part = part_q == PartBits'(LastPart) ? '0 : part_q + 1'b1;
  assign next_base = part_q == PartBits'(LastPart) ? base_q + 1'b1 : base_q;
  assign capture_load = load_q && word_d1_q == 0 && sub_d1_q == SubBits'(Ratio - 1);
  assign capture = valid[Stages] && address_q[Stages] == next_base && !known_q;
  divstep_control #(
      .STEPS(STEPS),
      .RATE(RATE),
      .DELTA_BITS($clog2(2*R) + 2)
  ) u_control (
      .clk_i,
      .clear_i,
      .restart_i(capture_load),
      .load_i(capture || capture_load),
      .f_i(capture_load ? STEPS'(1) : f_word[Stages][STEPS*next_part +: STEPS]),
      .g_i(capture_load ? gather[STEPS-1:0] : g_word[Stages][STEPS*next_part +: STEPS]),
      .ready_o(ready),
      .swap_o(swap),
      .add_o(add)
  );

  assign write = valid[Stages] || (load_q && sub_d1_q == SubBits'(Ratio - 1));
  assign write_addr = load_q ? word_d1_q : valid[Stages] ? address_q[Stages] : '0;
  assign f_write = load_q ? load_f : valid[Stages] ? f_word[Stages] : '0;
  assign g_write = load_q ? gather : valid[Stages] ? g_word[Stages] : '0;
  addr_t mem_raddr;
  assign mem_raddr = state_q == COPY ? word_q : read_q;
  kem_memory #(
      .WIDTH(INV_WORD),
      .DEPTH(Depth)
  ) u_f (
      .clk_i,
      .we_i(write),
      .waddr_i($clog2(Depth)'(write_addr)),
      .wdata_i(f_write),
      .raddr_i($clog2(Depth)'(mem_raddr)),
      .rdata_o(f_read),
      .wipe_i,
      .wipe_addr_i
  );
  kem_memory #(
      .WIDTH(INV_WORD),
      .DEPTH(Depth)
  ) u_g (
      .clk_i,
      .we_i(write),
      .waddr_i($clog2(Depth)'(write_addr)),
      .wdata_i(g_write),
      .raddr_i($clog2(Depth)'(mem_raddr)),
      .rdata_o(g_read),
      .wipe_i,
      .wipe_addr_i
  );

  // --- Control -----------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= IDLE;
      {word_q, sub_q, index_q, word_d1_q, sub_d1_q, index_d1_q, load_q, copy_q} <= '0;
      {read_q, base_q, part_q, sweep_q, first_q, jump_q, valid_q, known_q, drain_q} <= '0;
      {issue_first_q, issue_jump_q, begun_q} <= '0;
    end else begin
      word_d1_q <= word_q;
      sub_d1_q <= sub_q;
      index_d1_q <= index_q;
      load_q <= state_q == LOAD;
      copy_q <= state_q == COPY;
      valid_q <= state_q == SWEEP;
      first_q <= state_q == SWEEP && issue_first_q;
      jump_q <= state_q == SWEEP && issue_jump_q;
      issue_first_q <= start_sweep;
      issue_jump_q <= state_q == SWEEP && jump_next;
      if (capture || capture_load) known_q <= 1'b1;
      unique case (state_q)
        IDLE:
        if (start_i) begin
          state_q <= LOAD;
          {word_q, sub_q, index_q, base_q, part_q, sweep_q, known_q, begun_q} <= '0;
        end
        LOAD: begin
          sub_q <= last_sub ? '0 : sub_q + 1'b1;
          if (index_q != '1) index_q <= index_q + 1'b1;
          if (last_sub) begin
            word_q <= word_q + 1'b1;
            if (word_q == addr_t'(Top)) state_q <= WAIT;
          end
        end
        WAIT: ;
        SWEEP: begin
          read_q <= jump_next ? base_q : read_q + 1'b1;
          if (last_word) begin
            state_q <= last_sweep ? DRAIN : WAIT;
            drain_q <= '0;
          end
        end
        DRAIN: begin
          drain_q <= drain_q + 1'b1;
          {word_q, sub_q, index_q} <= '0;
          if (drain_q == ($bits(drain_q))'(Stages + 2)) state_q <= COPY;
        end
        COPY: begin
          sub_q <= last_sub ? '0 : sub_q + 1'b1;
          if (last_sub) word_q <= word_q + 1'b1;
          index_q <= index_q + 1'b1;
          if (index_q == (WordAddrBits+1)'(Words - 1)) state_q <= IDLE;
        end
        default: state_q <= IDLE;
      endcase
      if (start_sweep) begin
        state_q <= SWEEP;
        read_q <= '0;
        known_q <= 1'b0;
        begun_q <= 1'b1;
        if (begun_q) begin
          base_q <= next_base;
          part_q <= next_part;
          sweep_q <= sweep_q + 1'b1;
        end
      end
    end
  end
  assign done_o = copy_q && state_q == IDLE;
  always_comb begin
    poly_write_o = '0;
    if (copy_q) begin
      poly_write_o = '{valid: 1'b1, slot: SLOT_C, word: 10'(index_d1_q[WordAddrBits-1:0])};
    end
  end
  assign poly_wdata_o = copy_q ? f_read[WORD*sub_d1_q +: WORD] : '0;
endmodule
