// SPDX-License-Identifier: Apache-2.0 OR MIT
// The sponge around Keccak [FIPS 202]: absorbs a message as lanes of 64 bits, then gives as many
// lanes as the user takes. rate_i, the lanes of a block, is 17 (SHAKE256, SHA3-256), 13 (SHA3-384)
// or 9 (SHA3-512); it counts with start_i, which begins a message at any time. The user puts the
// first byte of the padding behind the message and sets in_last_i with the lane that has it; the
// rest of the block and the padding's last bit are the sponge's.
//
// BUFFERED = 0: the state's 25 lanes are a ring, which moves on for each lane; this needs no
//   multiplexers. A block takes 25 + 24/ROUNDS + 1 cycles.
// BUFFERED = 1: 17 lanes beside the state are filled while the permutation runs and added at once,
//   or take the state at once and are emptied while the next block is permuted ahead. A block takes
//   24/ROUNDS + 1 cycles, but at least 18, if lanes come or go fast enough.
//
// Latency, from the first lane taken to the first lane given, of B blocks whose lanes wait for the
// sponge: 50 B (ROUNDS = 1), or buffered 25 B + 19. Independent of data.
module keccak_sponge #(
    parameter int ROUNDS = 1,
    parameter bit BUFFERED = 1'b0
) (
    input  logic        clk_i,
    input  logic        clear_i,
    input  logic        start_i,
    input  logic [4:0]  rate_i,
    input  logic        in_valid_i,
    output logic        in_ready_o,
    input  logic [63:0] in_lane_i,
    input  logic        in_last_i,
    output logic        out_valid_o,
    input  logic        out_next_i,  // the lane is taken; only with out_valid_o
    output logic [63:0] out_lane_o
);
  localparam logic [4:0] Moves = BUFFERED ? 5'd17 : 5'd25;  // of the lanes, for each block

  typedef enum logic [1:0] {
    IDLE,
    FILL,   // moves the lanes of a block in, then zeros
    TURN,   // waits for the permutation
    GIVE
  } state_e;
  state_e state_q;
  logic fresh_q;  // the state is set to zero
  logic [4:0] rate_q, at_q;  // at: the lane of the block that moves next
  logic inside_q, ended_q;  // at < rate; the lane with in_last_i was taken
  logic ready_q;  // FILL, inside and not ended
  // Registers before the lanes, so that they wait for nothing but the sponge's own few signals.
  logic move_q;
  logic [63:0] lane_q;
  logic step, last_lane, last_move, give;
  logic turned, gives;  // the permutation is complete; and lanes are given after it

  assign in_ready_o = ready_q;
  assign last_lane = at_q == rate_q - 5'd1;
  assign last_move = at_q == Moves - 5'd1;
  assign step = state_q == FILL && (in_valid_i || !inside_q || ended_q);
  assign give = out_valid_o && out_next_i;

  always_ff @(posedge clk_i) begin
    if (clear_i || start_i) begin
      state_q <= start_i && !clear_i ? FILL : IDLE;
      fresh_q <= start_i;
      ready_q <= start_i && !clear_i;
      rate_q  <= clear_i ? '0 : rate_i;
      {at_q, ended_q, move_q, lane_q} <= '0;
      inside_q <= 1'b1;
    end else begin
      fresh_q <= 1'b0;
      move_q  <= step;
      lane_q  <= in_ready_o && in_valid_i ? in_lane_i : '0;
      if (step && last_lane && (ended_q || in_last_i)) begin
        lane_q[63] <= ended_q || !in_lane_i[63];
      end
      if (step || give) begin
        at_q <= at_q + 5'd1;
        if (last_lane) inside_q <= 1'b0;
      end
      unique case (state_q)
        FILL: begin
          if (in_valid_i && (last_lane || in_last_i)) ready_q <= 1'b0;
          if (step && inside_q && in_last_i) ended_q <= 1'b1;
          if (step && last_move) state_q <= TURN;
        end
        TURN:
        if (turned) begin
          state_q <= gives ? GIVE : BUFFERED && ended_q ? TURN : FILL;
          at_q <= '0;
          inside_q <= 1'b1;
          ready_q <= !gives && !ended_q;
        end
        GIVE: if (give && last_lane) state_q <= BUFFERED ? TURN : FILL;
        default: ;
      endcase
    end
  end

  // --- The state and what moves into it ----------------------------------------------------------
  logic load, permute, busy, last;
  logic [1599:0] state, next;
  keccak #(
      .ROUNDS(ROUNDS)
  ) u_keccak (
      .clk_i,
      .clear_i(clear_i || fresh_q),
      .load_i(load),
      .next_i(next),
      .permute_i(permute),
      .busy_o(busy),
      .last_o(last),
      .state_o(state)
  );
  if (!BUFFERED) begin : gen_ring
    logic permute_q;
    always_ff @(posedge clk_i) begin
      permute_q <= !clear_i && !start_i && step && last_move;
    end
    assign gives = ended_q;
    assign turned = last;
    assign load = move_q || give;
    assign next = {state[63:0] ^ lane_q, state[1599:64]};
    assign permute = permute_q;
    assign out_valid_o = state_q == GIVE;
    assign out_lane_o = state[63:0];
  end else begin : gen_buffer
    logic [17*64-1:0] buffer_q;
    logic add_q, copy_q;  // the buffer is added to the state, takes the state; then it is permuted
    logic added_q;  // the whole message is in the state
    assign turned = state_q == TURN && !add_q && !copy_q && (!busy || last);
    assign gives = added_q;
    always_ff @(posedge clk_i) begin
      if (clear_i || start_i) begin
        {add_q, copy_q, added_q} <= '0;
      end else begin
        add_q  <= turned && !added_q;
        copy_q <= turned && added_q;
        if (turned && ended_q) added_q <= 1'b1;
      end
      if (clear_i) begin
        buffer_q <= '0;
      end else if (copy_q) begin
        buffer_q <= state[17*64-1:0];
      end else if (move_q || give) begin
        buffer_q <= {lane_q, buffer_q[17*64-1:64]};
      end
    end
    assign load = add_q;
    assign next = state ^ {512'd0, buffer_q};
    assign permute = add_q || copy_q;
    assign out_valid_o = state_q == GIVE && !copy_q;
    assign out_lane_o = buffer_q[63:0];
  end

`ifdef FORMAL
  logic began_q;
  logic [4:0] taken_q;  // lanes of the present block that came, or were given
  always_ff @(posedge clk_i) begin
    began_q <= start_i && !clear_i;
    if (clear_i || start_i || (state_q == TURN && turned)) taken_q <= '0;
    else taken_q <= taken_q + 5'((in_valid_i && in_ready_o) || give);
  end
  always_comb begin
    knows_when_ready : assert (ready_q == (state_q == FILL && inside_q && !ended_q));
    a_rate : assume (!start_i || rate_i inside {5'd9, 5'd13, 5'd17});
    known_rate : assert (state_q == IDLE || rate_q inside {5'd9, 5'd13, 5'd17});
    if (state_q != IDLE) inside_the_rate : assert (inside_q == (at_q < rate_q) && at_q <= Moves);
    if (state_q == FILL) moves : assert (at_q < Moves);
    if (state_q == GIVE) gives_the_rate : assert (at_q < rate_q && taken_q == at_q);
    if (state_q == FILL && !ended_q && inside_q) each_lane_moves : assert (taken_q == at_q);
    if (state_q != IDLE) at_most_the_rate : assert (taken_q <= rate_q);
    if (load || permute) keccak_is_idle : assert (!busy);
    if (busy) permutation_ahead : assert (state_q == TURN || fresh_q || BUFFERED);
    if (permute) block_complete : assert (state_q == TURN || BUFFERED);
    if (!BUFFERED && busy) nothing_moves : assert ((!move_q && !permute) || fresh_q);
    if (!BUFFERED && permute) moved : assert (!fresh_q);
    if (fresh_q) empty : assert (!move_q && at_q == '0);
    if (began_q) begins : assert (state_q == FILL && fresh_q && !ended_q && taken_q == '0);
  end
`endif
endmodule
