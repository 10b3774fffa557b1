// SPDX-License-Identifier: Apache-2.0 OR MIT
// One lane of the gather unit: reads, for each position k of its list, the WORD coefficients of a
// polynomial from (base + k) mod r on. Holds its own copy of the positions and of the rows
// (row_writer), in two regions. A position marked as not valid reads zeros. Latency: the window is
// there 4 cycles after the position's address; one a cycle. Independent of data.
module gather_lane #(
    parameter int R = 12323,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LIST = 64,    // entries of the position list
    parameter int ROW_BITS = 8,
    localparam int IndexBits = $clog2(R),
    localparam int ListBits = $clog2(LIST)
) (
    input  logic                   clk_i,
    input  logic                   clear_i,
    input  logic                   list_we_i,
    input  logic [ListBits-1:0]    list_waddr_i,
    input  logic [IndexBits+1:0]   list_wdata_i,  // {valid, other region, k}
    input  logic                   row_we_i,
    input  logic                   row_region_i,
    input  logic [ROW_BITS-1:0]    row_i,
    input  logic [WORD+STRIDE-1:0] row_data_i,
    input  logic [ListBits-1:0]    list_raddr_i,
    input  logic                   region_i,  // with the address
    input  logic [IndexBits-1:0]   base_i,    // with the address
    output logic [WORD-1:0]        window_o,
    input  logic                   wipe_i,
    input  logic [15:0]            wipe_addr_i
);
  localparam int ShiftBits = $clog2(STRIDE);
  localparam int RowWidth = WORD + STRIDE;

  logic [IndexBits+1:0] entry;
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

  logic [IndexBits-1:0] base_q;
  logic region_q;
  logic [IndexBits:0] sum, reduced;
  assign sum = {1'b0, base_q} + {1'b0, entry[IndexBits-1:0]};
  assign reduced = sum >= (IndexBits+1)'(R) ? sum - (IndexBits+1)'(R) : sum;

  logic [ROW_BITS:0] address_q;  // the row that is never written, all ones, stays zero
  logic [ShiftBits-1:0] shift_q, shift_d1_q;
  logic [RowWidth-1:0] row;
  kem_memory #(
      .WIDTH(RowWidth),
      .DEPTH(2 ** (ROW_BITS + 1))
  ) u_rows (
      .clk_i,
      .we_i(row_we_i),
      .waddr_i({row_region_i, row_i}),
      .wdata_i(row_data_i),
      .raddr_i(address_q),
      .rdata_o(row),
      .wipe_i,
      .wipe_addr_i
  );

  // A shift by four choices in each layer fits the look-up tables of six inputs.
  localparam int Layers = (ShiftBits + 1) / 2;
  logic [RowWidth-1:0] shifted[Layers+1];
  assign shifted[0] = row;
  for (genvar i = 0; i < Layers; i++) begin : gen_layer
    localparam int Low = 2 * (Layers - 1 - i);
    logic [1:0] amount;
    assign amount = 2'(shift_d1_q >> Low);
    assign shifted[i+1] = amount == 2'd0 ? shifted[i]
                        : amount == 2'd1 ? shifted[i] >> (1 << Low)
                        : amount == 2'd2 ? shifted[i] >> (2 << Low) : shifted[i] >> (3 << Low);
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {base_q, region_q, address_q, shift_q, shift_d1_q} <= '0;
      window_o <= '0;
    end else begin
      base_q <= base_i;
      region_q <= region_i;
      address_q <= entry[IndexBits+1]
          ? {region_q ^ entry[IndexBits], ROW_BITS'(reduced[IndexBits-1:ShiftBits])} : '1;
      shift_q <= reduced[ShiftBits-1:0];
      shift_d1_q <= shift_q;
      window_o <= shifted[Layers][WORD-1:0];
    end
  end
endmodule
