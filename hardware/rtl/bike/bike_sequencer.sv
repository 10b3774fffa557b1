// SPDX-License-Identifier: Apache-2.0 OR MIT
// The three operations as lists of steps, one unit at work at a time. Starts a unit, waits until it
// is done, goes on. The list is the same for all data. Latency: the units' own, and between the
// done_i of a step and the start_o of the next 1 cycle.
module bike_sequencer
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int BUILD = BUILD_FULL
) (
    input  logic             clk_i,
    input  logic             clear_i,
    input  logic             start_i,
    input  op_e              op_i,
    output logic             known_o,  // the build has the operation op_i
    output logic [UNITS-1:0] start_o,  // one for each unit
    output instr_t           instr_o,
    input  logic             done_i,
    output logic             end_o     // the operation is complete
);
  // Operands that name what they are.
  function automatic instr_t step(unit_e target, int a, int b, bit last);
    return '{target: target, a: 3'(a), b: 3'(b), last: last};
  endfunction
  function automatic instr_t receive(field_e kind, int which, bit last);
    return step(U_RECV, int'(kind), which, last);
  endfunction
  function automatic instr_t send(field_e kind, int which, bit last);
    return step(U_SEND, int'(kind), which, last);
  endfunction
  function automatic instr_t hash(hash_e kind, str_e target);
    return step(U_HASH, int'(kind), int'(target), 1'b0);
  endfunction
  function automatic instr_t gather(gather_e mode);
    return step(U_GATHER, int'(mode), 0, 1'b0);
  endfunction
  function automatic instr_t positions(pset_e set);
    return step(U_POS, int'(set), 0, 1'b0);
  endfunction

  localparam instr_t End = step(U_END, 0, 0, 1'b0);
  localparam instr_t Rows = step(U_ROWS, 0, 0, 1'b0);

  function automatic instr_t keygen(logic [5:0] at);
    unique case (at)
      6'd0: return receive(F_STR, int'(STR_M), 1'b0);
      6'd1: return receive(F_STR, int'(STR_SIGMA), 1'b1);
      6'd2: return hash(HASH_SEED, STR_M);
      6'd3: return step(U_SAMPLE, int'(S_KEY0), 0, 1'b0);
      6'd4: return step(U_SAMPLE, int'(S_KEY1), 0, 1'b0);
      6'd5: return step(U_INVERT, 0, 0, 1'b0);
      6'd6: return Rows;
      6'd7: return positions(P_KEY1);
      6'd8: return gather(G_KEY);
      6'd9: return send(F_LIST, 0, 1'b0);
      6'd10: return send(F_LIST, 1, 1'b0);
      6'd11: return send(F_POLY, int'(SLOT_A0), 1'b0);
      6'd12: return send(F_POLY, int'(SLOT_A1), 1'b0);
      6'd13: return send(F_POLY, int'(SLOT_C), 1'b0);
      6'd14: return send(F_STR, int'(STR_SIGMA), 1'b1);
      default: return End;
    endcase
  endfunction

  function automatic instr_t encaps(logic [5:0] at);
    unique case (at)
      6'd0: return receive(F_POLY, int'(SLOT_C), 1'b0);
      6'd1: return receive(F_STR, int'(STR_M), 1'b0);
      6'd2: return receive(F_SKIP, 0, 1'b1);  // the unused half of the randomness
      6'd3: return hash(HASH_SEED, STR_M);
      6'd4: return step(U_SAMPLE, int'(S_ERR_A), 0, 1'b0);
      6'd5: return Rows;
      6'd6: return positions(P_ERR);
      6'd7: return gather(G_ERR);
      6'd8: return hash(HASH_L, STR_C1);
      6'd9: return hash(HASH_K, STR_SS);
      6'd10: return send(F_POLY, int'(SLOT_C), 1'b0);
      6'd11: return send(F_STR, int'(STR_C1), 1'b0);
      6'd12: return send(F_STR, int'(STR_SS), 1'b1);
      default: return End;
    endcase
  endfunction

  function automatic instr_t decaps(logic [5:0] at);
    unique case (at)
      6'd0: return receive(F_POLY, int'(SLOT_C), 1'b0);
      6'd1: return receive(F_STR, int'(STR_C1), 1'b0);
      6'd2: return receive(F_LIST, 0, 1'b0);
      6'd3: return receive(F_LIST, 1, 1'b0);
      6'd4, 6'd5, 6'd6: return receive(F_SKIP, 1, 1'b0);  // h0, h1 and h in dense form
      6'd7: return receive(F_STR, int'(STR_SIGMA), 1'b1);
      6'd8: return Rows;
      6'd9: return positions(P_KEY0);
      6'd10: return gather(G_SYN);
      6'd11: return positions(P_COUNT0);
      6'd12: return positions(P_COUNT1);
      6'd13: return positions(P_UPDATE0);
      6'd14: return positions(P_UPDATE1);
      6'd15: return gather(G_PLAIN1);
      6'd17: return gather(G_BLACK);
      6'd19: return gather(G_GRAY);
      6'd21, 6'd23, 6'd25, 6'd27: return gather(G_PLAIN);
      6'd16, 6'd18, 6'd20, 6'd22, 6'd24, 6'd26: return gather(G_UPDATE);
      6'd28: return hash(HASH_L, STR_M);
      6'd29: return hash(HASH_SEED, STR_M);
      6'd30: return step(U_SAMPLE, int'(S_ERR_G), 0, 1'b0);
      6'd31: return step(U_COMPARE, 0, 0, 1'b0);
      6'd32: return hash(HASH_K, STR_SS);
      6'd33: return send(F_STR, int'(STR_SS), 1'b1);
      default: return End;
    endcase
  endfunction

  assign known_o = (BUILD != BUILD_SERVER && (op_i == OP_KEYGEN || op_i == OP_DECAPS))
                || (BUILD != BUILD_CLIENT && op_i == OP_ENCAPS);

  logic busy_q, starting_q;
  op_e op_q;
  logic [5:0] at_q;
  always_comb begin
    instr_o = End;
    if (op_q == OP_KEYGEN && BUILD != BUILD_SERVER) instr_o = keygen(at_q);
    if (op_q == OP_ENCAPS && BUILD != BUILD_CLIENT) instr_o = encaps(at_q);
    if (op_q == OP_DECAPS && BUILD != BUILD_SERVER) instr_o = decaps(at_q);
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      op_q <= OP_NONE;
      {busy_q, starting_q, at_q} <= '0;
    end else if (start_i && known_o) begin
      busy_q <= 1'b1;
      starting_q <= 1'b1;
      op_q <= op_i;
      at_q <= '0;
    end else if (busy_q) begin
      starting_q <= 1'b0;
      if (end_o) begin
        busy_q <= 1'b0;
      end else if (done_i) begin
        at_q <= at_q + 1'b1;
        starting_q <= 1'b1;
      end
    end
  end
  assign start_o = starting_q ? UNITS'(1) << instr_o.target : '0;
  assign end_o = starting_q && instr_o.target == U_END;

`ifdef FORMAL
  logic running_q;  // a step is at work
  always_ff @(posedge clk_i) begin
    running_q <= !clear_i && (running_q || start_o != '0) && !done_i && !end_o;
  end
  always_comb begin
    done_of_a_step : assume (!done_i || running_q || (start_o != '0 && !end_o));
    one_operation_at_a_time : assume (!start_i || !busy_q);
    if (running_q || starting_q) busy : assert (busy_q);
    one_start : assert ((start_o & (start_o - 1'b1)) == '0);
    if (start_o != '0) no_step_is_at_work : assert (!running_q && busy_q);
    if (start_o != '0) its_unit : assert (start_o[instr_o.target] && 32'(instr_o.target) < UNITS);
    if (!busy_q) silent : assert (start_o == '0 && !end_o);
  end
`endif
endmodule
