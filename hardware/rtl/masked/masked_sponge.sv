// SPDX-License-Identifier: Apache-2.0 OR MIT
// The sponge around Keccak [FIPS 202] in two shares: absorbs a message as lanes of 64 bits, then
// gives as many lanes as the user takes. rate_i, padding and in_last_i as in keccak_sponge. First
// order, with glitches and transitions.
//
// Randomness: random_i is taken with random_valid_i and random_ready_o. 120 words of 64 bits for a
// permutation, in five of six cycles (53.3 bits a cycle), and 25 for the first block of a message.
// Without a word the sponge waits; nothing goes on unmasked.
//
// The state of each share is a ring of six slots (masked_ring), the sixth in the registers of chi,
// and moves on by a plane in each cycle. A round is six of them: one applies what is linear, five
// send a plane each through chi. Of the six slots one is empty (zero). A block is added by planes
// through chi, too, as they pass.
//
// Why it is secure: masked_chi is checked exactly, and its rules hold. (1) The first block comes
// with a random lane for each of the 25, the same to both shares, so the state's sharing is
// uniform; what is linear and chi with its random bits keep it so. (2) Behind chi_o are the ring's
// last plane, and with linear_i bits (x, 4, z), (x-1, 4, z) and (x+1, 4, z-1): neighbours of a row
// or of other rows. (3) What the ring's logic sees of planes before chi are those that enter chi
// later; the first plane goes to chi alone. All else sees one share.
//
// Latency: a block takes 26 + 144 cycles if lanes and random words come at once. From start_i to
// the first lane given of B blocks: 170 B + 2. Independent of data and of randomness, but for
// waits. clear_i wipes all in one cycle.
//
// Why six cycles a round. This is 5,422 LUT and 5,158 flip-flops (Yosys, 7-series). HQC-1 in shares
// has about 2.0e4 cycles and 1.4e4 LUT, this one among them, beside 798 products by a position (132
// in KeyGen, 300 in Encaps, 366 in Decaps), of 139 words: 1.1e5/G cycles and 1.7e3 G LUT for G
// positions at once. All planes in a cycle would cost some 5e3 LUT more and save 96 of 144 cycles
// for each of some 60 permutations: at G = 4 (47.7e3 cycles, 20.8e3 LUT) 2.4e8 more LUT x cycles
// for 1.2e8 less. A lane in a cycle would save 4e3 LUT for 5e2 cycles or more a permutation: 2e8
// less for 6e8 more. So 1.0e9 LUT x cycles are in reach for the three operations, of 1.42e9.
module masked_sponge (
    input  logic             clk_i,
    input  logic             clear_i,
    input  logic             start_i,
    input  logic [4:0]       rate_i,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [1:0][63:0] in_lane_i,       // shares, independent and uniform, or public in one
    input  logic             in_last_i,
    output logic             out_valid_o,
    input  logic             out_next_i,      // the lane is taken; only with out_valid_o
    output logic [1:0][63:0] out_lane_o,      // shares; means nothing without out_valid_o
    input  logic             random_valid_i,
    output logic             random_ready_o,
    input  logic [63:0]      random_i
);
  localparam logic [2:0] Home = 3'd5;  // the first plane is empty; the second one is plane 0

  typedef enum logic [2:0] {
    IDLE,
    START,
    FILL,    // takes the lanes of a block, then zeros
    ROUNDS,
    GIVE,
    RETURN   // moves the ring on to Home
  } state_e;
  state_e state_q;
  logic [4:0] rate_q, at_q, round_q;  // at: the lane of the block that comes or goes next
  logic [2:0] x_q, place_q;  // at mod 5; the plane that is the ring's first one
  logic [7:0] lfsr_q;  // of iota
  logic first_q, inside_q, ended_q;  // first block; at < rate; the lane with in_last_i was taken
  logic full_q;  // the buffer has a plane
  logic supplied, step, give, last_lane, chi, shift, linear, wipe, last_round;

  // --- Control -----------------------------------------------------------------------------------
  assign supplied = random_valid_i || !first_q;
  assign in_ready_o = state_q == FILL && inside_q && !ended_q && supplied;
  assign step = state_q == FILL && at_q != 5'd25 && supplied
             && (in_valid_i || !inside_q || ended_q);
  assign last_lane = at_q == rate_q - 5'd1;
  assign out_valid_o = state_q == GIVE;
  assign give = out_valid_o && out_next_i;
  assign chi = state_q == ROUNDS && place_q != Home;
  assign linear = state_q == ROUNDS && place_q == Home;
  assign last_round = round_q == 5'd23;
  assign random_ready_o = random_valid_i && (chi || (step && first_q));
  always_comb begin
    unique case (state_q)
      FILL: shift = full_q || place_q == Home;
      ROUNDS: shift = linear || random_valid_i;
      GIVE: shift = give && x_q == 3'd4 && !last_lane;
      RETURN: shift = place_q != Home;
      default: shift = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || start_i) begin
      state_q <= start_i && !clear_i ? START : IDLE;
      rate_q <= clear_i ? '0 : rate_i;
      {at_q, x_q, round_q, ended_q, full_q} <= '0;
      place_q <= Home;
      lfsr_q <= 8'd1;
      {first_q, inside_q} <= '1;
    end else begin
      if (shift) place_q <= place_q == Home ? '0 : place_q + 3'd1;
      if (step || give) begin
        at_q <= at_q + 5'd1;
        x_q  <= x_q == 3'd4 ? '0 : x_q + 3'd1;
        if (last_lane) inside_q <= 1'b0;
      end
      if (state_q == FILL && (step || shift)) full_q <= step && x_q == 3'd4;
      if (step && inside_q && !ended_q && in_last_i) ended_q <= 1'b1;
      unique case (state_q)
        START: state_q <= FILL;
        FILL: if (shift && place_q == 3'd4) state_q <= ROUNDS;
        ROUNDS: begin
          {at_q, x_q} <= '0;
          {first_q, inside_q} <= 2'b01;
          if (shift && place_q == 3'd4) begin
            round_q <= last_round ? '0 : round_q + 5'd1;
            lfsr_q  <= last_round ? 8'd1 : stepped(lfsr_q, 7);
            if (last_round) state_q <= ended_q ? GIVE : FILL;
          end
        end
        GIVE: if (give && last_lane) state_q <= RETURN;
        RETURN: if (place_q == Home) state_q <= ROUNDS;
        default: ;
      endcase
    end
  end

  // --- The block's lanes, by planes; iota --------------------------------------------------------
  function automatic logic [7:0] stepped(logic [7:0] lfsr, int steps);  // [FIPS 202, 3.2.5]
    stepped = lfsr;
    for (int i = 0; i < steps; i++) begin
      stepped = {stepped[6:0], 1'b0} ^ (stepped[7] ? 8'h71 : 8'h00);
    end
  endfunction
  logic [63:0] constant, padding;
  always_comb begin
    constant = '0;
    for (int j = 0; j < 7; j++) begin
      constant[(1<<j)-1] = chi && place_q == '0 && 1'(stepped(lfsr_q, j));
    end
    padding = '0;
    padding[63] = inside_q && last_lane && (ended_q || in_last_i);
  end
  assign wipe = clear_i || state_q == START;

  logic [1:0][4:0][63:0] buffer, first, second, past;
  for (genvar share = 0; share < 2; share++) begin : gen_share
    logic [63:0] lane;
    assign lane = ({64{in_ready_o}} & in_lane_i[share]) ^ (share == 0 ? padding : 64'd0);
    masked_buffer u_buffer (
        .clk_i,
        .clear_i(wipe || (state_q == FILL && shift && !step)),
        .step_i(step),
        .lane_i(lane),
        .random_i({64{first_q}} & random_i),
        .plane_o(buffer[share])
    );
    masked_ring u_ring (
        .clk_i,
        .clear_i(wipe),
        .shift_i(shift),
        .linear_i(linear),
        .plane_i(past[share]),
        .first_o(first[share]),
        .second_o(second[share])
    );
    assign out_lane_o[share] = second[share][x_q];
  end
  logic [1:0][4:0][63:0] add;
  always_comb begin
    add = buffer;
    add[0][0] ^= constant;
  end
  masked_chi #(
      .ROWS(64)
  ) u_chi (
      .clk_i,
      .clear_i(wipe),
      .enable_i(shift),
      .chi_i(chi),
      .x_i(first),
      .add_i(add),
      .random_i,
      .chi_o(past)
  );
endmodule
