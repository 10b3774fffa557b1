// SPDX-License-Identifier: Apache-2.0 OR MIT
// The three operations as lists of steps for kem_sequencer. The list is the same for all data.
//
// A step names the units that it needs, so that others work beside it. The slots have two ports,
// each for a read or a write in a cycle: one for streams and hashing (receive, send, hash), one for
// work (sampler, rows, product). With OVERLAP both are used side by side; and the hash unit reads
// strings by a port of its own; and a slot is sent behind the product that goes there. Without it
// one unit at a time reads slots, one writes them, one reads strings.
// Nothing is sent before the whole input packet has been found right.
// guard_q is the parity of the operation, the unit and its operands: a bit of them that flips is
// told by upset_o in that cycle. A step that begins too early because needs flip leaves a
// comparison that is not sure.
module hqc_program
  import kem_pkg::*;
  import hqc_pkg::*;
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
  localparam units_t Expand = units_t'(1) << U_EXPAND;
  localparam units_t Rows = units_t'(1) << U_ROWS;
  localparam units_t Product = units_t'(1) << U_PRODUCT;
  localparam units_t Encode = units_t'(1) << U_ENCODE;
  localparam units_t Decode = units_t'(1) << U_DECODE;

  // Who shares a port with a step: streams and hashing, work, a writer of slots, strings.
  localparam units_t Readers = Send | Hash | Sample | Rows | Product;
  localparam units_t Streams = OVERLAP ? Send | Hash : Readers;
  localparam units_t Work = OVERLAP ? Sample | Rows | Product : Readers;
  localparam units_t Writers = OVERLAP ? '0 : Sample;
  localparam units_t Erasing = OVERLAP ? Work : Recv;
  localparam units_t Hashing = OVERLAP ? '0 : Send | Encode;
  localparam units_t Before = OVERLAP ? '0 : Product;  // what is sent of a product
  localparam units_t Strings = OVERLAP ? Send | Encode : Send | Encode | Hash;

  // Operands that name what they are.
  function automatic step_t step(units_t target, int a, int b, bit last, units_t needs);
    operands_t operands;
    operands = '{a: 3'(a), b: 3'(b), last: last};
    return '{target: target, needs: needs, operands: operands};
  endfunction
  function automatic step_t receive(field_e kind, int which, bit last);
    return step(Recv, int'(kind), which, last, kind == F_POLY ? Writers : '0);
  endfunction
  function automatic step_t send(field_e kind, int which, bit last, units_t needs);
    return step(Send, int'(kind), which, last, needs | (kind == F_POLY ? Streams : Strings));
  endfunction
  function automatic step_t hash(hash_e kind, units_t needs);
    return step(Hash, int'(kind), 0, 1'b0, needs | Hashing);
  endfunction
  function automatic step_t hash_slots(hash_e kind, units_t needs);
    return step(Hash, int'(kind), 0, 1'b0, needs | Hashing | Streams);
  endfunction
  function automatic step_t stream(str_e seed, units_t needs);
    return step(Hash, int'(HASH_XOF), int'(seed), 1'b0, needs | Hashing);
  endfunction
  function automatic step_t erase(slot_e slot);
    return step(Sample, int'(ERASE), int'(slot), 1'b0, Erasing);
  endfunction
  function automatic step_t draw(draw_e kind, slot_e slot, bit lanes, units_t needs);
    return step(Sample, {29'd0, lanes, kind}, int'(slot), 1'b0, needs | Work);
  endfunction
  function automatic step_t expand(units_t needs);
    return step(Expand, 0, 0, 1'b0, needs);
  endfunction
  function automatic step_t rows(slot_e slot, units_t needs);
    return step(Rows, 0, int'(slot), 1'b0, needs | Work);
  endfunction
  function automatic step_t product(product_e mode, units_t needs);
    return step(Product, int'(mode), 0, 1'b0, needs | Work);
  endfunction
  function automatic step_t encode(units_t needs);
    return step(Encode, 0, 0, 1'b0, needs | Strings);
  endfunction
  function automatic step_t decode();
    return step(Decode, 0, 0, 1'b0, '0);
  endfunction

  localparam step_t End = '{target: '0, needs: '1, operands: '0};
  localparam int Whole = 4;  // a string's field of 32 bytes
  localparam int Checked = 4;  // of STR_K: or what a rejection gives

  function automatic step_t keygen(logic [5:0] at);
    unique case (at)
      6'd0: return step(Recv, int'(F_STR) + Whole, int'(STR_M), 1'b1, '0);
      6'd1: return erase(SLOT_B);
      6'd2: return hash(HASH_SEEDS, Recv);
      6'd3: return hash(HASH_I, '0);
      6'd4: return erase(SLOT_A);
      6'd5: return stream(STR_SEED_DK, '0);
      6'd6: return draw(DRAW_REJECT, SLOT_B, 1'b1, Hash);
      6'd7: return draw(DRAW_REJECT, SLOT_A, 1'b0, '0);
      6'd8: return stream(STR_SEED_EK, Sample);
      6'd9: return expand(Hash);
      6'd10: return send(F_STR, int'(STR_SEED_EK), 1'b0, '0);
      6'd11: return product(G_S, Expand | Sample);
      6'd12: return send(F_POLY, int'(SLOT_A), 1'b0, Before);
      6'd13: return send(F_STR, int'(STR_SEED_DK), 1'b0, '0);
      6'd14: return send(F_STR, int'(STR_SIGMA), 1'b0, '0);
      6'd15: return step(Send, int'(F_STR) + Whole, int'(STR_M), 1'b1, Strings);
      default: return End;
    endcase
  endfunction

  function automatic step_t encaps(logic [5:0] at);
    unique case (at)
      6'd0: return receive(F_STR, int'(STR_SEED_EK), 1'b0);
      6'd1: return stream(STR_SEED_EK, Recv);
      6'd2: return receive(F_POLY, int'(SLOT_S), 1'b0);
      6'd3: return expand(Hash);
      6'd4: return receive(F_STR, int'(STR_M), 1'b0);
      6'd5: return receive(F_STR, int'(STR_SALT), 1'b1);
      6'd6: return hash_slots(HASH_H, Recv | Expand);
      6'd7: return erase(SLOT_U);
      6'd8: return erase(SLOT_A);
      6'd9: return erase(SLOT_B);
      6'd10: return hash(HASH_G, '0);
      6'd11: return stream(STR_THETA, '0);
      6'd12: return encode('0);
      6'd13: return draw(DRAW_FIXED, SLOT_U, 1'b1, Hash);
      6'd14: return draw(DRAW_FIXED, SLOT_B, 1'b0, '0);
      6'd15: return draw(DRAW_FIXED, SLOT_A, 1'b0, '0);
      6'd16: return product(G_U, Sample);
      6'd17: return send(F_POLY, int'(SLOT_A), 1'b0, Before);
      6'd18: return rows(SLOT_S, Product);
      6'd19: return product(G_V, Rows | Encode);
      6'd20: return send(F_POLY, int'(SLOT_B), 1'b0, Before);
      6'd21: return send(F_STR, int'(STR_SALT), 1'b0, '0);
      6'd22: return send(F_STR, int'(STR_K), 1'b1, '0);
      default: return End;
    endcase
  endfunction

  // Without OVERLAP u is received after y was drawn, for both write a slot.
  function automatic step_t decaps(logic [5:0] at);
    step_t u, y;
    u = receive(F_POLY, int'(SLOT_U), 1'b0);
    y = draw(DRAW_REJECT, SLOT_B, 1'b1, Hash);
    unique case (at)
      6'd0: return receive(F_STR, int'(STR_SEED_DK), 1'b0);
      6'd1: return erase(SLOT_B);
      6'd2: return stream(STR_SEED_DK, Recv);
      6'd3: return OVERLAP ? u : y;
      6'd4: return OVERLAP ? y : u;
      6'd5: return rows(SLOT_U, Recv);
      6'd6: return receive(F_POLY, int'(SLOT_V), 1'b0);
      6'd7: return decode();
      6'd8: return product(G_DECODE, Recv | Rows);
      6'd9: return receive(F_STR, int'(STR_SALT), 1'b0);
      6'd10: return receive(F_STR, int'(STR_SEED_EK), 1'b0);
      6'd11: return receive(F_POLY, int'(SLOT_S), 1'b0);
      6'd12: return receive(F_STR, int'(STR_SIGMA), 1'b1);
      6'd13: return hash_slots(HASH_H, Recv);
      6'd14: return stream(STR_SEED_EK, '0);
      6'd15: return expand(Hash | Product);
      6'd16: return erase(SLOT_A);
      6'd17: return erase(SLOT_B);
      6'd18: return hash(HASH_G, Decode | Expand);
      6'd19: return stream(STR_THETA, '0);
      6'd20: return encode('0);
      6'd21: return draw(DRAW_FIXED, SLOT_A, 1'b1, Hash);
      6'd22: return draw(DRAW_FIXED, SLOT_B, 1'b0, '0);
      6'd23: return erase(SLOT_A);
      6'd24: return draw(DRAW_FIXED, SLOT_A, 1'b0, '0);
      6'd25: return hash_slots(HASH_J, Sample);
      6'd26: return product(G_CHECK_U, Sample);
      6'd27: return rows(SLOT_S, Product);
      6'd28: return product(G_CHECK_V, Rows | Encode);
      6'd29: return step(Send, int'(F_STR) + Checked, int'(STR_K), 1'b1, Product | Hash | Strings);
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
