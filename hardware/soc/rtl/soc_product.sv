// SPDX-License-Identifier: Apache-2.0 OR MIT
// Products of polynomials over GF(2) as a piece of its own, for factors of any weight: words of 64
// coefficients are multiplied, a pair in each cycle, column by column. A program moves the factors
// in, one after the other, and the product out, 32 bits in each access; it reduces by itself.
// Latency, from start_i on: words^2 + 5 cycles; wiping takes 2 WORDS cycles. Independent of data.
module soc_product #(
    parameter int WORDS = 1024,  // of 64 bits, of the longest factor; a power of two
    localparam int AddrBits = $clog2(WORDS)
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic [AddrBits:0] words_i,  // of each factor, 1 to WORDS; the same until all is read
    input  logic              push_i,   // this and the next three not while busy
    input  logic [      31:0] data_i,
    input  logic              pop_i,
    input  logic              start_i,
    input  logic              wipe_i,
    output logic              busy_o,
    output logic [      31:0] data_o    // two cycles after pop_i at the latest
);
  localparam int IndexBits = AddrBits + 1;
  typedef logic [IndexBits-1:0] index_t;
  typedef enum logic [1:0] {
    IDLE,
    COLUMNS,
    FLUSH,
    WIPE
  } state_e;
  state_e state_q;
  index_t column_q, first_q, second_q;  // the words that are multiplied: first + second = column
  index_t in_q, out_q;  // the word that comes, or goes
  logic in_half_q, in_second_q, out_half_q;
  logic [31:0] low_q;
  logic [1:0] flush_q;

  // --- Memories ----------------------------------------------------------------------------------
  logic wiping, in_we, product_we;
  index_t wipe_addr, product_word;
  logic [63:0] in_word, first, second, product_wdata, product;
  assign wiping = state_q == WIPE;
  assign wipe_addr = wiping ? column_q : '0;
  assign in_we = push_i && in_half_q && state_q == IDLE;
  assign in_word = in_we ? {data_i, low_q} : '0;
  kem_memory #(
      .WIDTH(64),
      .DEPTH(WORDS)
  ) u_first (
      .clk_i,
      .we_i(in_we && !in_second_q),
      .waddr_i(in_we ? in_q[AddrBits-1:0] : '0),
      .wdata_i(in_word),
      .raddr_i(first_q[AddrBits-1:0]),
      .rdata_o(first),
      .wipe_i(wiping),
      .wipe_addr_i(16'(wipe_addr))
  );
  kem_memory #(
      .WIDTH(64),
      .DEPTH(WORDS)
  ) u_second (
      .clk_i,
      .we_i(in_we && in_second_q),
      .waddr_i(in_we ? in_q[AddrBits-1:0] : '0),
      .wdata_i(in_word),
      .raddr_i(second_q[AddrBits-1:0]),
      .rdata_o(second),
      .wipe_i(wiping),
      .wipe_addr_i(16'(wipe_addr))
  );
  kem_memory #(
      .WIDTH(64),
      .DEPTH(2 * WORDS)
  ) u_product (
      .clk_i,
      .we_i(product_we),
      .waddr_i(product_word),
      .wdata_i(product_wdata),
      .raddr_i(out_q),
      .rdata_o(product),
      .wipe_i(wiping),
      .wipe_addr_i(16'(wipe_addr))
  );
  assign data_o = out_half_q ? product[63:32] : product[31:0];

  // --- Which words -------------------------------------------------------------------------------
  // A column begins with the least first word and ends when the second one, or the first, has no
  // neighbour. The last column has no words: it is what the one before leaves.
  logic ends, empty, last;
  index_t next_column;
  assign empty = column_q == index_t'(2 * words_i - 1);
  assign ends = empty || second_q == '0 || first_q == index_t'(words_i - 1'b1);
  assign last = empty;
  assign next_column = column_q + 1'b1;
  assign busy_o = state_q != IDLE;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      {column_q, first_q, second_q, in_q, out_q, in_half_q, in_second_q, out_half_q} <= '0;
      {low_q, flush_q} <= '0;
    end else begin
      unique case (state_q)
        IDLE: begin
          {column_q, first_q, second_q, flush_q} <= '0;
          if (start_i) state_q <= COLUMNS;
          if (wipe_i) begin
            state_q <= WIPE;
            {in_q, out_q, in_half_q, in_second_q, out_half_q, low_q} <= '0;
          end
          if (push_i) begin
            in_half_q <= !in_half_q;
            low_q <= in_half_q ? '0 : data_i;
            if (in_half_q) begin
              in_q <= in_q + 1'b1;
              if (in_q == index_t'(words_i - 1'b1)) {in_q, in_second_q} <= {index_t'(0), 1'b1};
            end
          end
          if (pop_i) begin
            out_half_q <= !out_half_q;
            if (out_half_q) out_q <= out_q + 1'b1;
          end
        end
        COLUMNS: begin
          {first_q, second_q} <= {first_q + 1'b1, second_q - 1'b1};
          if (ends) begin
            column_q <= next_column;
            if (next_column < index_t'(words_i)) {first_q, second_q} <= {index_t'(0), next_column};
            else begin
              first_q <= next_column - index_t'(words_i - 1'b1);
              second_q <= index_t'(words_i - 1'b1);
            end
          end
          if (last) state_q <= FLUSH;
        end
        FLUSH: begin  // the last word is being written
          flush_q <= flush_q + 1'b1;
          if (flush_q == '1) state_q <= IDLE;
        end
        default: begin
          column_q <= next_column;
          if (column_q == '1) state_q <= IDLE;
        end
      endcase
    end
  end

  // --- Sums --------------------------------------------------------------------------------------
  typedef struct packed {
    logic valid, ends;
    index_t column;
  } tag_t;
  tag_t tag_q, tag_d1_q;
  logic [126:0] pair, pair_q, sum, sum_q;
  always_comb begin
    pair = '0;
    for (int i = 0; i < 64; i++) if (second[i]) pair ^= 127'(first) << i;
  end
  assign sum = sum_q ^ pair_q;
  assign product_we = tag_d1_q.valid && tag_d1_q.ends;
  assign product_word = product_we ? tag_d1_q.column : '0;
  assign product_wdata = product_we ? sum[63:0] : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || state_q == IDLE) begin
      {tag_q, tag_d1_q, pair_q, sum_q} <= '0;
    end else begin
      tag_q <= '{valid: state_q == COLUMNS && !wiping, ends: ends, column: column_q};
      tag_d1_q <= tag_q;
      pair_q <= tag_q.valid && tag_q.column != index_t'(2 * words_i - 1) ? pair : '0;
      if (tag_d1_q.valid) sum_q <= tag_d1_q.ends ? sum >> 64 : sum;
    end
  end
endmodule
