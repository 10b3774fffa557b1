// SPDX-License-Identifier: Apache-2.0 OR MIT
// Inverts h0 by division steps in sweeps of STEPS steps [BY19]. The first start loads it from slot
// A0, and done_o comes when that is read; the sweeps follow by themselves, and others may use the
// polynomial memory meanwhile. The second start, with finish_i, writes the inverse to slot C as
// soon as the sweeps are over; done_o comes with its last word.
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
    parameter int RATE = 2        // steps decided in each cycle
) (
    input  logic            clk_i,
    input  logic            clear_i,
    input  logic            start_i,
    input  logic            finish_i,  // with start_i
    output logic            done_o,
    output word_read_t      poly_read_o,
    input  logic [WORD-1:0] poly_rdata_i,
    output word_write_t     poly_write_o,
    output logic [WORD-1:0] poly_wdata_o,
    input  logic            wipe_i,
    input  logic [15:0]     wipe_addr_i
);
  localparam int R = r_bits(LEVEL);
  localparam int Extra = (STEPS - (2 * R - 1) % STEPS) % STEPS;
  localparam int Depth = inverter_words(LEVEL, INV_WORD, STEPS);
  localparam int AddrBits = $clog2(Depth);
  localparam int PartBits = INV_WORD == STEPS ? 1 : $clog2(INV_WORD / STEPS);

  initial begin
    assert (INV_WORD % WORD == 0 && INV_WORD % STEPS == 0 && STEPS % STAGE == 0 && STEPS % RATE == 0
            && STAGE % 2 == 0)
    else $fatal(1, "bike_inverter: WORD | INV_WORD, STEPS | INV_WORD, STAGE and RATE | STEPS");
    assert (R % WORD + Extra <= WORD)
    else $fatal(1, "bike_inverter: v does not fit its last word");
  end

  // --- h0 to the memories -----------------------------------------------------------------------
  logic loaded, load_we;
  logic [AddrBits-1:0] load_addr;
  logic [INV_WORD-1:0] load_f, load_g;
  inverter_load #(
      .R(R),
      .WORD(WORD),
      .INV_WORD(INV_WORD),
      .DEPTH(Depth)
  ) u_load (
      .clk_i,
      .clear_i,
      .start_i(start_i && !finish_i),
      .done_o(loaded),
      .poly_read_o,
      .poly_rdata_i,
      .we_o(load_we),
      .waddr_o(load_addr),
      .f_o(load_f),
      .g_o(load_g)
  );

  // --- Sweeps -----------------------------------------------------------------------------------
  logic enough, valid, set, lowest, gap, decide, last, swept;
  logic [AddrBits-1:0] address, copy_addr;
  logic [PartBits-1:0] part;
  logic restart, load_part;
  logic [STEPS-1:0] swap, add, f_part, g_part;
  logic [INV_WORD-1:0] f_word;
  inverter_order #(
      .R(R),
      .WORD(INV_WORD),
      .STEPS(STEPS),
      .DEPTH(Depth)
  ) u_order (
      .clk_i,
      .clear_i,
      .start_i(loaded),
      .enough_i(enough),
      .valid_o(valid),
      .set_o(set),
      .address_o(address),
      .lowest_o(lowest),
      .gap_o(gap),
      .decide_o(decide),
      .part_o(part),
      .last_o(last)
  );
  inverter_sweep #(
      .WORD(INV_WORD),
      .STEPS(STEPS),
      .STAGE(STAGE),
      .DEPTH(Depth)
  ) u_sweep (
      .clk_i,
      .clear_i,
      .we_i(load_we),
      .waddr_i(load_addr),
      .f_i(load_f),
      .g_i(load_g),
      .valid_i(valid),
      .set_i(set),
      .address_i(address),
      .lowest_i(lowest),
      .gap_i(gap),
      .decide_i(decide),
      .part_i(part),
      .last_i(last),
      .swap_i(swap),
      .add_i(add),
      .decide_o(load_part),
      .f_part_o(f_part),
      .g_part_o(g_part),
      .done_o(swept),
      .raddr_i(copy_addr),
      .f_word_o(f_word),
      .wipe_i,
      .wipe_addr_i
  );
  assign restart = load_we && load_addr == '0;
  divstep_control #(
      .STEPS(STEPS),
      .STAGE(STAGE),
      .RATE(RATE),
      .DELTA_BITS($clog2(2*R) + 2)
  ) u_control (
      .clk_i,
      .clear_i,
      .restart_i(restart),
      .load_i(load_part || restart),
      .f_i(f_part),  // zero at the restart: f's lowest coefficient, always 1, need not be known
      .g_i(g_part | load_g[STEPS-1:0]),
      .enough_o(enough),
      .swap_o(swap),
      .add_o(add)
  );

  // --- v to the polynomial memory ---------------------------------------------------------------
  logic swept_q, asked_q, copy, copied;
  assign copy = swept_q && asked_q;
  always_ff @(posedge clk_i) begin
    if (clear_i || copy) begin
      {swept_q, asked_q} <= '0;
    end else begin
      if (swept) swept_q <= 1'b1;
      if (start_i && finish_i) asked_q <= 1'b1;
    end
  end
  assign done_o = loaded || copied;
  inverter_copy #(
      .R(R),
      .WORD(WORD),
      .INV_WORD(INV_WORD),
      .DEPTH(Depth)
  ) u_copy (
      .clk_i,
      .clear_i,
      .start_i(copy),
      .done_o(copied),
      .raddr_o(copy_addr),
      .rdata_i(f_word),
      .poly_write_o,
      .poly_wdata_o
  );
endmodule
