// SPDX-License-Identifier: Apache-2.0 OR MIT
// The masked core with the ports of the others, for traces.cpp: a lane comes as four words of 32
// bits, share 0 first, and random words come in each cycle. Its own registers are not measured:
// their names do not end in _q.
module masked_core (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               start_i,
    input  kem_pkg::op_e       op_i,
    output logic               busy_o,
    output logic               done_o,
    output kem_pkg::err_e      error_o,
    input  logic               in_valid_i,
    output logic               in_ready_o,
    input  logic        [31:0] in_data_i,
    input  logic               in_last_i,
    output logic               out_valid_o,
    input  logic               out_ready_i,
    output logic        [31:0] out_data_o
);
  parameter string CODE_FILE = "";
  parameter string CONSTANTS_FILE = "";
  parameter string STEPS_FILE = "";
  logic [95:0] words;
  logic [1:0] count;
  logic ready;
  logic [319:0] random;
  logic [1:0][63:0] out;
  assign in_ready_o = count != 2'd3 || ready;
  assign out_data_o = out[0][31:0];
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 10; i++) random[32*i +: 32] <= $urandom;
    if (!rst_ni) count <= '0;
    else if (in_valid_i && in_ready_o) count <= count + 2'd1;
    if (in_valid_i && in_ready_o) words <= {in_data_i, words[95:32]};
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
      .abort_i(1'b0),
      .wipe_after_i(1'b0),
      .step_o(),
      .busy_o,
      .done_o,
      .error_o,
      .in_valid_i(in_valid_i && count == 2'd3),
      .in_ready_o(ready),
      .in_data_i({in_data_i, words}),
      .in_last_i,
      .out_valid_o,
      .out_ready_i,
      .out_data_o(out),
      .out_last_o(),
      .random_valid_i('1),
      .random_ready_o(),
      .random_i(random)
  );
endmodule
