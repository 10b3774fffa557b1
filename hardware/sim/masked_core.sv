// SPDX-License-Identifier: Apache-2.0 OR MIT
// The masked core with the ports of the others, for simulated_core.cpp and traces.cpp: a lane comes
// as four words of 32 bits, share 0 first, and leaves as two, its shares joined. Random words come
// in each cycle, of a generator that is part of the state, so that what begins in the same state
// ends in the same one [splitmix64: Steele, Lea, Flood, OOPSLA 2014]. Its own registers are not
// measured: their names do not end in _q.
module masked_core (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               start_i,
    input  kem_pkg::op_e       op_i,
    input  logic               abort_i,
    input  logic               wipe_after_i,
    output logic               step_o,
    output logic               busy_o,
    output logic               done_o,
    output kem_pkg::err_e      error_o,
    input  logic               in_valid_i,
    output logic               in_ready_o,
    input  logic        [31:0] in_data_i,
    input  logic               in_last_i,
    output logic               out_valid_o,
    input  logic               out_ready_i,
    output logic        [31:0] out_data_o,
    output logic               out_last_o
);
  parameter int LEVEL = 1;
  parameter string CODE_FILE = "";
  parameter string CONSTANTS_FILE = "";
  parameter string STEPS_FILE = "";
  localparam logic [63:0] Odd = 64'h9E37_79B9_7F4A_7C15;
  logic [95:0] words;
  logic [1:0] count;
  logic ready, upper, last;
  logic [63:0] drawn;  // without a reset: the simulation's first value
  logic [319:0] random;
  logic [1:0][63:0] out;
  logic [63:0] lane;

  function automatic logic [63:0] mixed(input logic [63:0] number);
    logic [63:0] z;
    z = (number ^ (number >> 30)) * 64'hBF58_476D_1CE4_E5B9;
    z = (z ^ (z >> 27)) * 64'h94D0_49BB_1331_11EB;
    return z ^ (z >> 31);
  endfunction

  assign in_ready_o = busy_o && (count != 2'd3 || ready);
  assign lane = out[0] ^ out[1];
  assign out_data_o = upper ? lane[63:32] : lane[31:0];
  assign out_last_o = last && upper;
  always_ff @(posedge clk_i) begin
    drawn <= drawn + 64'd5 * Odd;
    for (int i = 0; i < 5; i++) random[64*i +: 64] <= mixed(drawn + 64'(i) * Odd);
    if (!rst_ni || !busy_o) count <= '0;
    else if (in_valid_i && in_ready_o) count <= count + 2'd1;
    if (in_valid_i && in_ready_o) words <= {in_data_i, words[95:32]};
    if (!rst_ni || !busy_o) upper <= 1'b0;
    else if (out_valid_o && out_ready_i) upper <= !upper;
  end
  masked_hqc #(
      .CODE_FILE(CODE_FILE),
      .CONSTANTS_FILE(CONSTANTS_FILE),
      .STEPS_FILE(STEPS_FILE)
  ) dut (
      .clk_i,
      .rst_ni,
      .start_i,
      .op_i,
      .abort_i,
      .wipe_after_i,
      .step_o,
      .busy_o,
      .done_o,
      .error_o,
      .in_valid_i(in_valid_i && count == 2'd3),
      .in_ready_o(ready),
      .in_data_i({in_data_i, words}),
      .in_last_i,
      .out_valid_o,
      .out_ready_i(out_ready_i && upper),
      .out_data_o(out),
      .out_last_o(last),
      .random_valid_i('1),
      .random_ready_o(),
      .random_i(random)
  );
endmodule
