// SPDX-License-Identifier: Apache-2.0 OR MIT
// Steps of the Hadamard transform of 128 values, VALUES of them in each cycle, lowest index first:
// those for the bits 5 to 1 of the index. Before it, the step for bit 6 was made, the last one is
// in rm_peak. Value i of cycle c has the index VALUES * c + i, before and after each step.
//
// A step for a bit that cycles differ in keeps values for D cycles (as in a pipeline of single path
// with delay feedback), adds each to its partner and keeps the difference instead, which passes
// D cycles later. It subtracts the wrong way round, for one adder less: entries whose index has an
// odd number of ones in those bits come with the wrong sign; rm_peak knows. Gaps are allowed only
// between groups of 128 values.
// Latency, from begin_i to begin_o: 64 / VALUES + 4 cycles. Independent of data.
module rm_transform #(
    parameter int VALUES = 8,
    parameter int BITS = 3,  // of values_i, signed; a step needs one more
    localparam int Steps = 5
) (
    input  logic                              clk_i,
    input  logic                              clear_i,
    input  logic                              begin_i,   // with the first values
    input  logic [VALUES-1:0][BITS-1:0]       values_i,
    output logic                              begin_o,
    output logic [VALUES-1:0][BITS+Steps-1:0] values_o
);
  localparam int Lanes = $clog2(VALUES);
  localparam int Across = Lanes - 1;  // steps within a cycle
  localparam int Along = Steps - Across;  // steps from cycle to cycle
  localparam int Wide = BITS + Steps;

  // What is between the steps, sign-extended.
  logic signed [Wide-1:0] between[Steps+1][VALUES];
  logic begins[Steps+1];
  assign begins[0] = begin_i;
  for (genvar i = 0; i < VALUES; i++) begin : gen_in
    assign between[0][i] = Wide'($signed(values_i[i]));
  end

  for (genvar s = 0; s < Along; s++) begin : gen_along
    localparam int D = 2 ** (Along - 1 - s);
    localparam int Out = BITS + s + 1;
    logic [D:0] begin_q;  // of the values that leave
    logic [Along-1-s:0] at, next_q;  // the number of the cycle; its top bit: partners come
    logic second;
    assign at = begins[s] ? '0 : next_q;
    assign second = at[Along-1-s];
    assign begins[s+1] = begin_q[D];
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        {begin_q, next_q} <= '0;
      end else begin
        begin_q <= {begin_q[D-1:0], begins[s]};
        next_q <= at + 1'b1;
      end
    end
    for (genvar i = 0; i < VALUES; i++) begin : gen_value
      logic [D-1:0][Out-1:0] kept_q;
      logic [Out-1:0] come, sum_q;
      assign come = Out'(between[s][i]);
      assign between[s+1][i] = Wide'($signed(sum_q));
      always_ff @(posedge clk_i) begin
        if (clear_i) begin
          {kept_q, sum_q} <= '0;
        end else begin
          sum_q <= kept_q[0] + (come & {Out{second}});
          kept_q[D-1] <= come - (kept_q[0] & {Out{second}});
          for (int k = 0; k < D - 1; k++) kept_q[k] <= kept_q[k+1];
        end
      end
    end
  end

  for (genvar s = Along; s < Steps; s++) begin : gen_across
    localparam int Distance = 2 ** (Steps - s);
    localparam int Out = BITS + s + 1;
    logic begin_q;
    assign begins[s+1] = begin_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) begin_q <= 1'b0;
      else begin_q <= begins[s];
    end
    for (genvar i = 0; i < VALUES; i++) begin : gen_value
      logic [Out-1:0] sum_q;
      assign between[s+1][i] = Wide'($signed(sum_q));
      always_ff @(posedge clk_i) begin
        if (clear_i) sum_q <= '0;
        else if ((i & Distance) == 0) sum_q <= Out'(between[s][i]) + Out'(between[s][i+Distance]);
        else sum_q <= Out'(between[s][i-Distance]) - Out'(between[s][i]);
      end
    end
  end

  assign begin_o = begins[Steps];
  for (genvar i = 0; i < VALUES; i++) begin : gen_out
    assign values_o[i] = between[Steps][i];
  end
endmodule
