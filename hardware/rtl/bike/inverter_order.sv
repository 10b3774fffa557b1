// SPDX-License-Identifier: Apache-2.0 OR MIT
// The order in which the sweeps of an inversion visit the words of f and of g.
//
// A sweep visits the words that can be non-zero: those of v, which has at most min(n, r)
// coefficients after n steps, and those of f from the one that decides next (base) up. As long as
// the two touch it goes through them as one, from word 0. Later f's words come first, then v's: the
// word with the coefficients that decide the next sweep then leaves early, and the decisions are
// there in time. A sweep begins when the one before has been visited and its decisions will be in
// time (enough_i).
//
// What goes out is of the word that is visited in this cycle; zero when there is none. Latency:
// the first word comes two cycles after start_i, or after enough_i if that is later; cycles.py has
// the number of words. All of it is independent of data.
module inverter_order #(
    parameter int R = 12323,
    parameter int WORD = 256,
    parameter int STEPS = 32,
    parameter int DEPTH = 97,  // words of f
    localparam int AddrBits = $clog2(DEPTH),
    localparam int PartBits = WORD == STEPS ? 1 : $clog2(WORD / STEPS)
) (
    input  logic                clk_i,
    input  logic                clear_i,
    input  logic                start_i,
    input  logic                enough_i,   // a pulse: the next sweep may begin
    output logic                valid_o,
    output logic                set_o,      // the first word of a sweep
    output logic [AddrBits-1:0] address_o,
    output logic                lowest_o,   // word 0
    output logic                gap_o,      // what is below this word is zero
    output logic                decide_o,   // the word holds what decides the next sweep ...
    output logic [PartBits-1:0] part_o,     // ... as this one of its parts of STEPS coefficients
    output logic                last_o      // the last word of the last sweep
);
  localparam int Sweeps = (2 * R - 1 + STEPS - 1) / STEPS;
  localparam int Top = DEPTH - 1;
  localparam int VTop = (R + STEPS - 1) / WORD;  // highest word that v reaches
  localparam int Reach = R / WORD + 1;  // f ends this far above its first word
  localparam int LastPart = WORD / STEPS - 1;
  localparam int SweepBits = $clog2(Sweeps + 1);
  localparam int FirstEnd = Reach < Top ? Reach : Top;
  typedef logic [AddrBits-1:0] addr_t;

  logic waiting_q, valid_q, set_q, known_q, begins, last;
  addr_t address_q, stop_q, end_q;  // stop: the sweep's last word; end: f's last word
  logic late_q, final_q;  // v's words follow f's; this sweep is the last
  logic [SweepBits-1:0] left_q;  // sweeps that follow
  // Of the next sweep.
  addr_t next_base_q, next_end_q;
  logic [PartBits-1:0] next_part_q;
  logic next_late_q;

  assign last = address_q == stop_q;
  assign begins = known_q && (waiting_q || (valid_q && last && !final_q));
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {waiting_q, valid_q, set_q, known_q, late_q, final_q, next_late_q} <= '0;
      {address_q, stop_q, end_q, left_q, next_base_q, next_end_q, next_part_q} <= '0;
    end else begin
      set_q <= begins;
      if (begins) known_q <= 1'b0;
      else if (enough_i) known_q <= 1'b1;
      if (valid_q) begin
        address_q <= late_q && address_q == end_q ? '0 : address_q + 1'b1;
        if (last) begin
          valid_q <= 1'b0;
          waiting_q <= !final_q;
          address_q <= '0;
        end
      end
      if (begins) begin
        waiting_q <= 1'b0;
        valid_q <= 1'b1;
        late_q <= next_late_q;
        address_q <= next_late_q ? next_base_q : '0;
        end_q <= next_end_q;
        stop_q <= next_late_q ? addr_t'(VTop) : next_end_q;
        left_q <= left_q - 1'b1;
        final_q <= left_q == '0;
        next_part_q <= next_part_q + 1'b1;
        if (next_part_q == PartBits'(LastPart)) begin
          next_part_q <= '0;
          next_base_q <= next_base_q + 1'b1;
          if (next_end_q != addr_t'(Top)) next_end_q <= next_end_q + 1'b1;
          if (next_base_q == addr_t'(VTop + 1)) next_late_q <= 1'b1;
        end
      end
      if (start_i) begin
        waiting_q <= 1'b1;
        left_q <= SweepBits'(Sweeps - 1);
        {next_base_q, next_part_q, next_late_q, final_q} <= '0;
        next_end_q <= addr_t'(FirstEnd);
      end
    end
  end

  assign valid_o = valid_q;
  assign set_o = set_q;
  assign address_o = address_q;
  assign lowest_o = valid_q && address_q == '0;
  assign gap_o = set_q && late_q;
  assign decide_o = valid_q && !final_q && address_q == next_base_q;
  assign part_o = next_part_q;
  assign last_o = valid_q && final_q && last;
endmodule
