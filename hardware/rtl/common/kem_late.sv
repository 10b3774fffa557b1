// SPDX-License-Identifier: Apache-2.0 OR MIT
// The register behind a memory's word, for units that take it a cycle later: a block RAM gives its
// word late in a cycle. After a write it keeps what it has. With merge_i what it has is ORed to
// what is written; with forward_i, beside that, it takes what is written instead of what was read,
// for one that reads a word just before it is written. Follows the memory, so it has no clear.
module kem_late #(
    parameter int WORD = 128  // bits
) (
    input  logic            clk_i,
    input  logic            write_i,
    input  logic [WORD-1:0] wdata_i,
    input  logic            merge_i,
    input  logic            forward_i,
    output logic [WORD-1:0] wdata_o,    // to the memory
    input  logic [WORD-1:0] rdata_i,    // from it; means nothing after a write
    output logic [WORD-1:0] late_o
);
  logic wrote_q;
  logic [WORD-1:0] late_q;
  always_ff @(posedge clk_i) begin
    wrote_q <= write_i;
    if (forward_i || !wrote_q) late_q <= forward_i ? wdata_i | late_q : rdata_i;
  end
  assign wdata_o = wdata_i | (late_q & {WORD{merge_i}});
  assign late_o  = late_q;

`ifdef FORMAL
  logic read_q, forward_q;
  logic [WORD-1:0] read_was_q, written_q, late_was_q;
  always_ff @(posedge clk_i) begin
    read_q <= !forward_i && !wrote_q;
    forward_q <= forward_i;
    {read_was_q, written_q, late_was_q} <= {rdata_i, wdata_o, late_o};
  end
  always_comb begin
    forwards_what_is_written : assume (!forward_i || (write_i && merge_i));
    gives : assert (late_o == (forward_q ? written_q : read_q ? read_was_q : late_was_q));
  end
`endif
endmodule
