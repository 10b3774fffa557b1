// SPDX-License-Identifier: Apache-2.0 OR MIT
// One lane of the gather unit: reads, for each position k of its list, the WORD coefficients of a
// polynomial from (base + k) mod R on. Holds its own copy of the positions and of the rows
// (row_writer), in two regions or in one. A position marked as not valid reads zeros. With LONG a
// polynomial has R coefficients in one of two regions, or, with long_i, LONG in the only one, which
// uses the same rows. Latency: the window is there 6 cycles after the position's address; one a
// cycle. Independent of data.
module gather_lane #(
    parameter int R = 12323,
    parameter int LONG = 0,  // the other length, or 0
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LIST = 64,    // entries of the position list
    parameter int ROW_BITS = 8,
    parameter int REGIONS = 2,  // of rows; if 1, what names a region means nothing
    localparam int IndexBits = $clog2(R > LONG ? R : LONG),
    localparam int ListBits = $clog2(LIST)
) (
    input  logic                   clk_i,
    input  logic                   clear_i,
    input  logic                   long_i,   // stable; with it no region is 1
    input  logic                   list_we_i,
    input  logic [ListBits-1:0]    list_waddr_i,
    input  logic [IndexBits+1:0]   list_wdata_i,  // {valid, other region, k}
    input  logic                   row_we_i,
    input  logic                   row_region_i,
    input  logic [ROW_BITS-1:0]    row_i,
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

  // A region begins at a power of two, beyond the rows of R coefficients; those of LONG go on
  // there.
  localparam int RegionBit = LONG == 0 ? ROW_BITS : $clog2((R - 1) / STRIDE + 2);
  localparam int RowAddrBits = RegionBit + REGIONS > ROW_BITS ? RegionBit + REGIONS - 1 : ROW_BITS;
  function automatic logic [RowAddrBits-1:0] place(logic region, logic [ROW_BITS-1:0] number);
    logic [RowAddrBits:0] found;
    found = (RowAddrBits + 1)'(number);
    found[RegionBit] = found[RegionBit] | region;
    return found[RowAddrBits-1:0];
  endfunction
  logic [RowAddrBits-1:0] address_q;  // the row that is never written, all ones, stays zero
  logic [RowWidth-1:0] row, row_q;
  kem_memory #(
      .WIDTH(RowWidth),
      .DEPTH(2 ** RowAddrBits)
  ) u_rows (
      .clk_i,
      .we_i(row_we_i),
      .waddr_i(place(row_region_i, row_i)),
      .wdata_i(row_data_i),
      .raddr_i(address_q),
      .rdata_o(row),
      .wipe_i,
      .wipe_addr_i
  );
  always_ff @(posedge clk_i) row_q <= row;

  // A shift by four choices in each layer fits the look-up tables of six inputs. Each register of
  // the amount serves Chunk bits of a layer; they differ, or a tool would make one of them.
  localparam int Layers = (ShiftBits + 1) / 2;
  localparam int Chunk = 32;
  localparam int Chunks = (WORD + Chunk - 1) / Chunk;
  logic [ShiftBits-1:0] shift_q, shift_d1_q;
  logic [2*Layers-1:0] amount_q[Chunks];
  logic [WORD-1:0] window_q;
  assign window_o = window_q;
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
      window_q <= '0;
    end else begin
      base_q <= base_i;
      base_d1_q <= {1'b0, base_q};
      less_d1_q <= {1'b0, base_q}
                 - (LONG != 0 && long_i ? (IndexBits+1)'(LONG) : (IndexBits+1)'(R));
      {region_q, region_d1_q} <= {region_i, region_q};
      address_q <= entry_q[IndexBits+1]
          ? place(region_d1_q ^ entry_q[IndexBits], ROW_BITS'(reduced[IndexBits-1:ShiftBits])) : '1;
      shift_q <= reduced[ShiftBits-1:0];
      shift_d1_q <= shift_q;
      for (int c = 0; c < Chunks; c++) begin
        amount_q[c] <= (2 * Layers)'(shift_d1_q) ^ {Layers{2'(c)}};
      end
      window_q <= shifted[Layers][WORD-1:0];
    end
  end
endmodule
