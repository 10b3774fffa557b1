// SPDX-License-Identifier: Apache-2.0 OR MIT
// gather_lane for polynomials of one of two lengths: R0 in two regions of rows, or, with long_i, R1
// in one region, which uses the same rows. Why a variant: there the length is a constant. Windows,
// latency and contract are those of gather_lane.
module joint_lane #(
    parameter int R0 = 12323,
    parameter int R1 = 17669,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LIST = 64,    // entries of the position list
    parameter int ROW_BITS = 9,    // of an address
    parameter int REGION_BIT = 8,  // of it: the region of a polynomial of R0 coefficients
    localparam int IndexBits = $clog2(R0 > R1 ? R0 : R1),
    localparam int ListBits = $clog2(LIST)
) (
    input  logic                   clk_i,
    input  logic                   clear_i,
    input  logic                   long_i,   // stable; with it no region is 1
    input  logic                   list_we_i,
    input  logic [ListBits-1:0]    list_waddr_i,
    input  logic [IndexBits+1:0]   list_wdata_i,  // {valid, other region, k}
    input  logic                   row_we_i,
    input  logic [ROW_BITS-1:0]    row_i,  // with its region
    input  logic [WORD+STRIDE-1:0] row_data_i,
    input  logic [ListBits-1:0]    list_raddr_i,
    input  logic                   region_i,  // with the address
    input  logic [IndexBits-1:0]   base_i,    // with the address; below the length
    output logic [WORD-1:0]        window_o,
    input  logic                   wipe_i,
    input  logic [15:0]            wipe_addr_i
);
  localparam int ShiftBits = $clog2(STRIDE);
  localparam int RowWidth = WORD + STRIDE;

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

  // Block RAMs have an output register, which tools can use for this one and for that of the rows.
  // They need no clear: the memories are wiped, and they follow.
  always_ff @(posedge clk_i) entry_q <= entry;

  // base + k and base + k - length at the same time; the sign of the second one chooses.
  logic [IndexBits-1:0] base_q;
  logic [IndexBits:0] base_d1_q, less_d1_q, sum, less;
  logic [IndexBits-1:0] reduced;
  logic region_q, region_d1_q;
  assign sum = base_d1_q + {1'b0, entry_q[IndexBits-1:0]};
  assign less = less_d1_q + {1'b0, entry_q[IndexBits-1:0]};
  assign reduced = less[IndexBits] ? sum[IndexBits-1:0] : less[IndexBits-1:0];

  logic [ROW_BITS-1:0] address_q, region;  // the row that is never written, all ones, stays zero
  logic [RowWidth-1:0] row, row_q;
  kem_memory #(
      .WIDTH(RowWidth),
      .DEPTH(2 ** ROW_BITS)
  ) u_rows (
      .clk_i,
      .we_i(row_we_i),
      .waddr_i(row_i),
      .wdata_i(row_data_i),
      .raddr_i(address_q),
      .rdata_o(row),
      .wipe_i,
      .wipe_addr_i
  );
  always_ff @(posedge clk_i) row_q <= row;
  assign region = ROW_BITS'(region_d1_q ^ entry_q[IndexBits]) << REGION_BIT;

  // A shift by four choices in each layer fits the look-up tables of six inputs. Each register of
  // the amount serves Chunk bits of a layer; they differ, or a tool would make one of them.
  localparam int Layers = (ShiftBits + 1) / 2;
  localparam int Chunk = 128;
  localparam int Chunks = (WORD + Chunk - 1) / Chunk;
  logic [ShiftBits-1:0] shift_q, shift_d1_q;
  logic [2*Layers-1:0] amount_q[Chunks];
  logic [RowWidth-1:0] shifted[Layers+1];
  assign shifted[0] = row_q;
  for (genvar i = 0; i < Layers; i++) begin : gen_layer
    localparam int Low = 2 * (Layers - 1 - i);
    localparam int Width = WORD + (1 << Low) - 1;  // bits that the next layers need
    for (genvar c = 0; c < Chunks; c++) begin : gen_chunk
      localparam int From = Chunk * c;
      localparam int Bits = c == Chunks - 1 ? Width - From : Chunk;
      logic [1:0] amount;
      assign amount = amount_q[c][Low +: 2] ^ 2'(c);
      assign shifted[i+1][From +: Bits] =
          amount == 2'd0 ? shifted[i][From +: Bits]
          : amount == 2'd1 ? Bits'(shifted[i] >> (From + (1 << Low)))
          : amount == 2'd2 ? Bits'(shifted[i] >> (From + (2 << Low)))
          : Bits'(shifted[i] >> (From + (3 << Low)));
    end
    if (Width < RowWidth) begin : gen_unused
      assign shifted[i+1][RowWidth-1:Width] = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {base_q, base_d1_q, less_d1_q, region_q, region_d1_q} <= '0;
      {address_q, shift_q, shift_d1_q} <= '0;
      for (int c = 0; c < Chunks; c++) amount_q[c] <= '0;
      window_o <= '0;
    end else begin
      base_q <= base_i;
      base_d1_q <= {1'b0, base_q};
      less_d1_q <= {1'b0, base_q} - (long_i ? (IndexBits+1)'(R1) : (IndexBits+1)'(R0));
      {region_q, region_d1_q} <= {region_i, region_q};
      address_q <= entry_q[IndexBits+1]
          ? ROW_BITS'(reduced[IndexBits-1:ShiftBits]) | region : '1;
      shift_q <= reduced[ShiftBits-1:0];
      shift_d1_q <= shift_q;
      for (int c = 0; c < Chunks; c++) begin
        amount_q[c] <= (2 * Layers)'(shift_d1_q) ^ {Layers{2'(c)}};
      end
      window_o <= shifted[Layers][WORD-1:0];
    end
  end
endmodule
