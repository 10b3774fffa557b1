// SPDX-License-Identifier: Apache-2.0 OR MIT
// One lane of masked_product: reads, for each position k of its list, the WORD coefficients of
// polynomials from (base + k) mod N on, as gather_lane does, but of SETS polynomials at the same
// positions with one list and one address, and all but the last step of the shift: whoever takes
// the window shifts it down by a bit with odd_o, in the look-up table in which it meets a mask or a
// sum. Polynomials have two regions. A position that is not valid reads zeros, from a row that is
// never written. Logic of one set sees no other one's. Latency: the window is there 6 cycles after
// the position's address; one a cycle. Independent of data.
module masked_lane #(
    parameter int N = 17669,
    parameter int WORD = 128,
    parameter int LIST = 64,     // entries of the position list
    parameter int ROW_BITS = 8,
    parameter int SETS = 1,
    localparam int IndexBits = $clog2(N),
    localparam int ListBits = $clog2(LIST)
) (
    input  logic                            clk_i,
    input  logic                            clear_i,
    input  logic                            list_we_i,
    input  logic [ListBits-1:0]             list_waddr_i,
    input  logic [IndexBits+1:0]            list_wdata_i,  // {valid, other region, k}
    input  logic [SETS-1:0]                 row_we_i,
    input  logic [SETS-1:0]                 row_region_i,
    input  logic [SETS-1:0][ROW_BITS-1:0]   row_i,
    input  logic [SETS-1:0][2*WORD-1:0]     row_data_i,
    input  logic [ListBits-1:0]             list_raddr_i,
    input  logic                            region_i,      // with the address
    input  logic [IndexBits-1:0]            base_i,        // with the address; below N
    output logic                            odd_o,
    output logic [SETS-1:0][WORD:0]         window_o,
    input  logic                            wipe_i,
    input  logic [15:0]                     wipe_addr_i
);
  localparam int ShiftBits = $clog2(WORD);
  localparam int Layers = ShiftBits / 2;  // of two bits each; the lowest bit is odd_o

  logic [IndexBits+1:0] entry, entry_q;
  kem_memory #(
      .WIDTH(IndexBits + 2),
      .DEPTH(LIST)
  ) u_list (
      .clk_i,
      .we_i(list_we_i),
      .waddr_i(list_waddr_i),
      .wdata_i(list_wdata_i),
      .raddr_i(list_raddr_i),
      .rdata_o(entry),
      .wipe_i,
      .wipe_addr_i
  );
  // As in gather_lane this needs no clear: the memories are wiped, and it follows.
  always_ff @(posedge clk_i) entry_q <= entry;

  // base + k and base + k - N at the same time; the sign of the second one chooses.
  logic [IndexBits-1:0] base_q, base_d1_q, sum, reduced;
  logic [IndexBits:0] less_d1_q, less;
  logic region_q, region_d1_q, odd_q;
  logic [ROW_BITS:0] address_q;
  logic [ShiftBits-1:0] shift_q, shift_d1_q;
  logic [2*Layers:0] amount_q;
  assign sum = base_d1_q + entry_q[IndexBits-1:0];
  assign less = less_d1_q + {1'b0, entry_q[IndexBits-1:0]};
  assign reduced = less[IndexBits] ? sum : less[IndexBits-1:0];
  assign odd_o = odd_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {base_q, base_d1_q, less_d1_q, region_q, region_d1_q} <= '0;
      {address_q, shift_q, shift_d1_q, amount_q, odd_q} <= '0;
    end else begin
      base_q <= base_i;
      base_d1_q <= base_q;
      less_d1_q <= {1'b0, base_q} - (IndexBits + 1)'(N);
      {region_q, region_d1_q} <= {region_i, region_q};
      address_q <= entry_q[IndexBits+1]
          ? {region_d1_q ^ entry_q[IndexBits], ROW_BITS'(reduced[IndexBits-1:ShiftBits])} : '1;
      shift_q <= reduced[ShiftBits-1:0];
      shift_d1_q <= shift_q;
      amount_q <= (2 * Layers + 1)'(shift_d1_q);
      odd_q <= amount_q[0];
    end
  end

  // Each layer leaves the bits that those behind it need.
  for (genvar set = 0; set < SETS; set++) begin : gen_set
    logic [2*WORD-1:0] row, row_q;
    logic [2*WORD-1:0] shifted[Layers+1];
    logic [WORD:0] window_q;
    kem_memory #(
        .WIDTH(2 * WORD),
        .DEPTH(2 ** (ROW_BITS + 1))
    ) u_rows (
        .clk_i,
        .we_i(row_we_i[set]),
        .waddr_i({row_region_i[set], row_i[set]}),
        .wdata_i(row_data_i[set]),
        .raddr_i(address_q),
        .rdata_o(row),
        .wipe_i,
        .wipe_addr_i
    );
    always_ff @(posedge clk_i) row_q <= row;
    assign shifted[0] = row_q;
    for (genvar i = 0; i < Layers; i++) begin : gen_layer
      localparam int Low = 2 * (Layers - 1 - i) + 1;
      localparam int Width = WORD + (1 << Low) - 1;
      logic [Width-1:0] left;
      masked_shift #(
          .OUT (Width),
          .STEP(1 << Low)
      ) u_shift (
          .amount_i(amount_q[Low+:2]),
          .word_i((Width + (3 << Low))'(shifted[i])),
          .word_o(left)
      );
      assign shifted[i+1] = (2 * WORD)'(left);
    end
    always_ff @(posedge clk_i) begin
      if (clear_i) window_q <= '0;
      else window_q <= shifted[Layers][WORD:0];
    end
    assign window_o[set] = window_q;
  end
endmodule
