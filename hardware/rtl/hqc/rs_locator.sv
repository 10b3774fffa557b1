// SPDX-License-Identifier: Apache-2.0 OR MIT
// From syndromes to the error locator sigma and the evaluator omega, by Berlekamp's algorithm
// without inversions, and their values at the positions of the message, the highest first [HQC,
// S7.2 (b) to (e)].
//
// sigma, the auxiliary polynomial aux and a window of the syndromes go round in rings of whole
// groups of CELLS coefficients, past three multipliers for each cell:
//   solve: a round is a step for each group and one more. In 2 DELTA + 1 rounds
//     sigma <- gamma sigma + d aux, and the next discrepancy d, a sum of products of the new sigma
//     by syndromes, is added up one step later. In DELTA more rounds sigma stays and the window has
//     zeros below S_1, so that the sums are the coefficients of
//     omega = sigma (S_1 + S_2 x + ...) mod x^DELTA. They shift into aux.
//   search: each of K positions takes a step for each group, in which coefficient i of sigma is
//     multiplied by alpha^i, and that of x omega likewise. The sums over all are the values at
//     x = 1, alpha, alpha^2, ...: the error is there where sigma(x) = 0, and is
//     x omega(x) / odd(x), where odd is the sum of the odd terms of sigma, x sigma'(x).
// sigma is cut to DELTA + 1 coefficients, as the software does: with more wrong symbols than DELTA,
// too, the values lead to the software's message.
//
// Latency, from start_i to the last valid_o: (3 * DELTA + 1) * (Groups + 1) + K * Groups + 1
// cycles, Groups = ceil((DELTA + 1) / CELLS). From one valid_o to the next: Groups. Independent of
// data.
module rs_locator
  import gf256_pkg::*;
#(
    parameter int K = 16,
    parameter int DELTA = 15,
    parameter int CELLS = 2   // 1, 2, 4 or 8
) (
    input  logic       clk_i,
    input  logic       clear_i,
    input  logic       start_i,
    input  logic [7:0] syndrome_i,  // S_1 first, after S_(2 DELTA) S_1 again
    output logic       next_o,      // syndrome_i was taken
    output logic       valid_o,     // the values of a position
    output logic       wrong_o,     // the symbol there: sigma(x) = 0
    output logic [7:0] odd_o,
    output logic [7:0] value_o      // x omega(x)
);
  localparam int Groups = (DELTA + CELLS) / CELLS;
  localparam int Depth = Groups * CELLS;
  localparam int Rounds = 3 * DELTA + 1;
  localparam int RoundBits = $clog2(Rounds);
  localparam int StepBits = $clog2(Groups + 1);
  localparam int PlaceBits = $clog2(K);
  localparam int BalanceBits = $clog2(2 * DELTA + 2) + 1;
  initial begin
    assert (CELLS == 1 || CELLS == 2 || CELLS == 4 || CELLS == 8)
    else $fatal(1, "rs_locator: CELLS is 1, 2, 4 or 8");
    assert (Groups >= 2 && K <= 255 - 2 * DELTA)
    else $fatal(1, "rs_locator: no such code");
  end
  typedef gf256_t [CELLS-1:0] group_t;
  typedef gf256_t [CELLS-1:0] constants_t;
  function automatic constants_t powers(int step);  // alpha^0, alpha^step, ...
    for (int i = 0; i < CELLS; i++) powers[i] = gf256_power(i * step);
  endfunction
  localparam constants_t Up = powers(1);
  localparam constants_t Down = powers(-1);
  localparam gf256_t UpGroup = gf256_power(CELLS);
  localparam gf256_t DownGroup = gf256_power(-CELLS);
  localparam gf256_t Top = gf256_power(DELTA);

  // --- Control -----------------------------------------------------------------------------------
  logic solve_q, search_q, last_step, to_evaluator, last_of_place;
  logic [RoundBits-1:0] round_q;
  logic [StepBits-1:0] step_q;
  logic [PlaceBits-1:0] place_q;
  logic step_sigma, step_window;
  assign last_step = solve_q && step_q == StepBits'(Groups);
  assign last_of_place = search_q && step_q == StepBits'(Groups - 1);
  assign step_sigma = search_q || (solve_q && !last_step);
  assign step_window = solve_q && step_q != '0;
  assign to_evaluator = round_q >= RoundBits'(2 * DELTA);  // the next round keeps sigma
  assign next_o = start_i || last_step;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {solve_q, search_q, round_q, step_q, place_q} <= '0;
    end else begin
      if (start_i) solve_q <= 1'b1;
      if (solve_q || search_q) step_q <= last_step || last_of_place ? '0 : step_q + 1'b1;
      if (last_step) begin
        round_q <= round_q + 1'b1;
        if (round_q == RoundBits'(Rounds - 1)) begin
          round_q <= '0;
          solve_q <= 1'b0;
          search_q <= 1'b1;
        end
      end
      if (last_of_place) begin
        place_q <= place_q + 1'b1;
        if (place_q == PlaceBits'(K - 1)) begin
          place_q <= '0;
          search_q <= 1'b0;
        end
      end
    end
  end

  // --- sigma, the auxiliary polynomial and their factors -----------------------------------------
  gf256_t gamma_q, d_q, carry_q, sum_q, sum;
  logic [BalanceBits-1:0] balance_q;  // rounds less twice the length of the register, signed
  logic swap;
  gf256_t [Depth-1:0] sigma_q, aux_q;
  group_t sigma_in, aux_in, by_gamma, by_d, kept;
  assign swap = d_q != '0 && !balance_q[BalanceBits-1] && solve_q;
  always_comb begin
    for (int i = 0; i < CELLS; i++) begin
      by_gamma[i] = gf256_mul(sigma_q[i], search_q ? gf256_mul(gamma_q, Up[i]) : gamma_q);
      by_d[i] = gf256_mul(aux_q[i], search_q ? gf256_mul(d_q, Down[i]) : d_q);
      kept[i] = swap ? sigma_q[i] : aux_q[i];
      sigma_in[i] = by_gamma[i] ^ (search_q ? '0 : by_d[i]);
      aux_in[i] = search_q ? by_d[i] : i == 0 ? carry_q : kept[(i+CELLS-1)%CELLS];
      // places above x^DELTA
      if (Depth - CELLS + i > DELTA && step_q == StepBits'(Groups - 1)) aux_in[i] = '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {gamma_q, d_q, carry_q, balance_q, sigma_q, aux_q} <= '0;
    end else begin
      if (start_i) begin
        sigma_q <= (8*Depth)'(1);
        aux_q <= (8*Depth)'(1);
        balance_q <= '1;
      end else if (step_sigma) begin
        sigma_q <= {sigma_in, sigma_q[Depth-1:CELLS]};
        aux_q <= {aux_in, aux_q[Depth-1:CELLS]};
      end
      if (start_i || last_step) carry_q <= last_step && to_evaluator ? sum : '0;
      else carry_q <= kept[CELLS-1];
      if (last_step) balance_q <= swap ? ~balance_q : balance_q + 1'b1;

      if (start_i || (last_step && to_evaluator) || last_of_place) gamma_q <= 8'h01;
      else if (search_q) gamma_q <= gf256_mul(gamma_q, UpGroup);
      else if (last_step && swap) gamma_q <= d_q;
      if (last_step && round_q == RoundBits'(Rounds - 1) || last_of_place) d_q <= Top;
      else if (start_i || (last_step && to_evaluator)) d_q <= '0;
      else if (search_q) d_q <= gf256_mul(d_q, DownGroup);
      else if (last_step) d_q <= sum;
    end
  end

  // --- The discrepancy, or a coefficient of omega ------------------------------------------------
  // The window has one place more than sigma, so that in a round it turns by one place; the oldest
  // syndrome, which then is in front, makes room for the next one.
  gf256_t [Depth:0] window_q;
  always_comb begin
    sum = sum_q;
    for (int i = 0; i < CELLS; i++) begin
      sum = sum ^ gf256_mul(sigma_q[Depth-CELLS+i], window_q[i]);
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {window_q, sum_q} <= '0;
    end else begin
      sum_q <= step_window && !last_step ? sum : '0;
      if (start_i || (last_step && round_q == RoundBits'(2 * DELTA - 1))) window_q <= '0;
      else if (step_window) window_q <= {window_q[CELLS-1:0], window_q[Depth:CELLS]};
      if (next_o) window_q[0] <= syndrome_i;
    end
  end

  // --- Values at a position ----------------------------------------------------------------------
  gf256_t all_q, odd_q, value_q, all, odd, value;
  logic valid_q;
  always_comb begin
    all = step_q == '0 ? '0 : all_q;
    odd = step_q == '0 ? '0 : odd_q;
    value = step_q == '0 ? '0 : value_q;
    for (int i = 0; i < CELLS; i++) begin
      all = all ^ sigma_q[i];
      if (CELLS == 1 ? step_q[0] : i % 2 != 0) odd = odd ^ sigma_q[i];
      value = value ^ aux_q[i];
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {all_q, odd_q, value_q, valid_q} <= '0;
    end else begin
      valid_q <= last_of_place;
      if (search_q) begin
        all_q <= all;
        odd_q <= odd;
        value_q <= value;
      end
    end
  end
  assign valid_o = valid_q;
  assign wrong_o = all_q == '0;
  assign odd_o = odd_q;
  assign value_o = value_q;

`ifdef FORMAL
  always_comb begin
    starts_when_idle : assume (!start_i || !(solve_q || search_q));
    rounds_in_range : assert (32'(round_q) < Rounds);
    steps_in_range : assert (32'(step_q) <= Groups && (!search_q || 32'(step_q) < Groups));
    places_in_range : assert (32'(place_q) < K);
    one_phase : assert (!(solve_q && search_q));
    if (!solve_q) no_round : assert (round_q == '0 && (!next_o || start_i));
    if (!search_q) no_place : assert (place_q == '0);
    if (!solve_q && !search_q) no_step : assert (step_q == '0);
  end
`endif
endmodule
