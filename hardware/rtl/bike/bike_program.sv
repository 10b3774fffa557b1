// SPDX-License-Identifier: Apache-2.0 OR MIT
// The three operations as lists of steps for kem_sequencer. The list is the same for all data.
//
// A step names the units that it needs, so that others work beside it. Steps that read polynomials,
// or strings to send, wait for each other, unless OVERLAP gives them ports of their own
// (bike_core): one for work (sampler, gather, compare), one for hashing (hash, inverter), one for
// streams (send, rows). One unit at a time writes polynomials, strings or lists, or reads lists.
// Nothing is sent before the whole input packet has been found right.
// guard_q is the parity of the operation, the unit and its operands: a bit of them that flips is
// told by upset_o in that cycle. A step that begins too early because needs flip leaves a
// comparison that is not sure.
module bike_program
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int BUILD = BUILD_FULL,
    parameter bit OVERLAP = 0
) (
    input  logic       clk_i,
    input  logic       clear_i,
    input  logic       start_i,
    input  op_e        op_i,
    output logic       known_o,  // the build has the operation op_i
    input  logic       next_i,   // goes on to the step
    input  logic [5:0] at_i,     // of the operation that was started; step 0 comes by itself
    output step_t      step_o,
    output logic       upset_o   // a register was disturbed
);
  localparam units_t Recv = units_t'(1) << U_RECV;
  localparam units_t Send = units_t'(1) << U_SEND;
  localparam units_t Hash = units_t'(1) << U_HASH;
  localparam units_t Sample = units_t'(1) << U_SAMPLE;
  localparam units_t Pos = units_t'(1) << U_POS;
  localparam units_t Rows = units_t'(1) << U_ROWS;
  localparam units_t Gather = units_t'(1) << U_GATHER;
  localparam units_t Invert = units_t'(1) << U_INVERT;
  localparam units_t Compare = units_t'(1) << U_COMPARE;

  localparam units_t Readers = ~(Recv | Pos);  // of polynomials
  localparam int Checked = 4;  // beside HASH_K

  // Operands that name what they are; a step that reads waits for those who share its port.
  function automatic step_t step(units_t target, int a, int b, bit last, bit reads, units_t needs);
    units_t also;
    operands_t operands;
    also = reads && !OVERLAP ? Readers : '0;
    operands = '{a: 3'(a), b: 3'(b), last: last};
    return '{target: target, needs: needs | also, operands: operands};
  endfunction
  function automatic step_t receive(field_e kind, int which, bit last);
    return step(Recv, int'(kind), which, last, 1'b0, '0);
  endfunction
  function automatic step_t send(field_e kind, int which, bit last, units_t needs);
    return step(Send, int'(kind), which, last, kind != F_LIST, needs);
  endfunction
  function automatic step_t hash(hash_e kind, str_e target, units_t needs);
    return step(Hash, int'(kind), int'(target), 1'b0, kind != HASH_SEED, needs);
  endfunction
  function automatic step_t hash_checked(units_t needs);  // K, of sigma if the comparison says so
    return step(Hash, int'(HASH_K) + Checked, int'(STR_SS), 1'b0, 1'b1, needs);
  endfunction
  function automatic step_t erase(sample_e kind);
    return step(Sample, int'(kind), 0, 1'b0, 1'b0, '0);
  endfunction
  function automatic step_t sample (sample_e kind, units_t needs);
    return step(Sample, int'(kind), 0, 1'b0, 1'b1, needs);
  endfunction
  function automatic step_t positions(pset_e set, units_t needs);
    return step(Pos, int'(set), 0, 1'b0, 1'b0, needs);
  endfunction
  function automatic step_t rows(units_t needs);
    return step(Rows, 0, 0, 1'b0, 1'b1, needs);
  endfunction
  function automatic step_t gather(gather_e mode, units_t needs);
    return step(Gather, int'(mode), 0, 1'b0, 1'b1, needs);
  endfunction
  function automatic step_t invert(bit finish, units_t needs);
    return step(Invert, int'(finish), 0, 1'b0, !finish, needs);
  endfunction

  localparam step_t End = '{target: '0, needs: '1, operands: '0};

  function automatic step_t keygen(logic [5:0] at);
    unique case (at)
      6'd0: return receive(F_STR, int'(STR_M), 1'b0);
      6'd1: return erase(S_ERASE_A);
      6'd2: return hash(HASH_SEED, STR_M, Recv);
      6'd3: return receive(F_STR, int'(STR_SIGMA), 1'b1);
      6'd4: return sample(S_KEY0, Hash);
      6'd5: return invert(1'b0, Sample);
      6'd6: return sample(S_KEY1, '0);
      6'd7: return positions(P_KEY1, Sample);
      6'd8: return send(F_LIST, 0, 1'b0, Recv | Pos);
      6'd9: return send(F_LIST, 1, 1'b0, '0);
      6'd10: return send(F_POLY, int'(SLOT_A0), 1'b0, '0);
      6'd11: return send(F_POLY, int'(SLOT_A1), 1'b0, '0);
      6'd12: return invert(1'b1, '0);
      6'd13: return rows(Invert | Send);
      6'd14: return gather(G_KEY, Rows);
      6'd15: return send(F_POLY, int'(SLOT_C), 1'b0, Gather);
      6'd16: return send(F_STR, int'(STR_SIGMA), 1'b1, '0);
      default: return End;
    endcase
  endfunction

  function automatic step_t encaps(logic [5:0] at);
    unique case (at)
      6'd0: return receive(F_POLY, int'(SLOT_C), 1'b0);
      6'd1: return receive(F_STR, int'(STR_M), 1'b0);
      6'd2: return rows('0);
      6'd3: return erase(S_ERASE_A);
      6'd4: return hash(HASH_SEED, STR_M, Recv);
      6'd5: return receive(F_SKIP, 0, 1'b1);  // the unused half of the randomness
      6'd6: return sample(S_ERR_A, Hash);
      6'd7: return hash(HASH_L, STR_C1, Sample);
      6'd8: return positions(P_ERR, '0);
      6'd9: return gather(G_ERR, Rows | Pos);
      6'd10: return send(F_POLY, int'(SLOT_C), 1'b0, Gather | Recv);
      6'd11: return hash(HASH_K, STR_SS, '0);
      6'd12: return send(F_STR, int'(STR_C1), 1'b0, '0);
      6'd13: return send(F_STR, int'(STR_SS), 1'b1, Hash);
      default: return End;
    endcase
  endfunction

  function automatic step_t decaps(logic [5:0] at);
    unique case (at)
      6'd0: return receive(F_POLY, int'(SLOT_C), 1'b0);
      6'd1: return receive(F_STR, int'(STR_C1), 1'b0);
      6'd2: return rows('0);
      6'd3: return receive(F_LIST, 0, 1'b0);
      6'd4: return receive(F_LIST, 1, 1'b0);
      6'd5: return positions(P_KEY0, '0);
      6'd6: return receive(F_SKIP, 1, 1'b0);  // h0, h1 and h in dense form
      6'd7: return gather(G_SYN, Rows | Pos);
      6'd8: return positions(P_COUNT0, '0);
      6'd9: return positions(P_COUNT1, '0);
      6'd10: return gather(G_PLAIN1, Pos);
      6'd11: return positions(P_UPDATE0, '0);
      6'd12: return positions(P_UPDATE1, '0);
      6'd13: return gather(G_UPDATE, Pos);
      6'd14: return gather(G_BLACK, '0);
      6'd16: return gather(G_GRAY, '0);
      6'd18, 6'd20, 6'd22, 6'd25: return gather(G_PLAIN, '0);
      6'd15, 6'd17, 6'd19, 6'd21, 6'd23: return gather(G_UPDATE, '0);
      6'd24: return erase(S_ERASE_G);  // the gray positions; an update writes no polynomial
      6'd26: return receive(F_STR, int'(STR_SIGMA), 1'b1);
      6'd27: return hash(HASH_L, STR_M, Gather | Recv);
      6'd28: return hash(HASH_SEED, STR_M, '0);
      6'd29: return sample(S_ERR_G, Hash);
      6'd30: return step(Compare, 0, 0, 1'b0, 1'b1, Sample);
      6'd31: return hash_checked(Compare);
      6'd32: return send(F_STR, int'(STR_SS), 1'b1, Hash);
      default: return End;
    endcase
  endfunction

  assign known_o = (BUILD != BUILD_SERVER && (op_i == OP_KEYGEN || op_i == OP_DECAPS))
                || (BUILD != BUILD_CLIENT && op_i == OP_ENCAPS);

  function automatic step_t step_of(op_e op, logic [5:0] at);
    if (op == OP_KEYGEN && BUILD != BUILD_SERVER) return keygen(at);
    if (op == OP_ENCAPS && BUILD != BUILD_CLIENT) return encaps(at);
    if (op == OP_DECAPS && BUILD != BUILD_SERVER) return decaps(at);
    return End;
  endfunction
  // What guard_q is for each step: a table, so that it is no deeper than the step.
  function automatic logic [63:0] guards_of(op_e op);
    step_t one;
    for (int at = 0; at < 64; at++) begin
      one = step_of(op, 6'(at));
      guards_of[at] = ^{op, one} ^ ^one.needs;
    end
  endfunction
  logic [63:0] keygen_guards, encaps_guards, decaps_guards;
  assign keygen_guards = guards_of(OP_KEYGEN);
  assign encaps_guards = guards_of(OP_ENCAPS);
  assign decaps_guards = guards_of(OP_DECAPS);

  op_e op_q, op_n;
  step_t step_q, step_n, first, other;
  logic guard_q, guard_n;
  // start_i comes late in a cycle.
  assign first = step_of(op_i, 6'd0);
  assign other = step_of(op_q, at_i);
  assign op_n = start_i ? op_i : op_q;
  assign step_n = start_i ? first : other;
  always_comb begin
    unique case (op_q)
      OP_KEYGEN: guard_n = keygen_guards[at_i];
      OP_ENCAPS: guard_n = encaps_guards[at_i];
      default: guard_n = decaps_guards[at_i];
    endcase
    if (start_i) guard_n = ^{op_i, first} ^ ^first.needs;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      op_q <= OP_NONE;
      step_q <= End;
      guard_q <= 1'b0;
    end else if (start_i || next_i) begin
      op_q <= op_n;
      step_q <= step_n;
      guard_q <= guard_n;
    end
  end
  assign step_o = step_q;
  assign upset_o = ^{op_q, step_q.target, step_q.operands, guard_q};
endmodule
