// SPDX-License-Identifier: Apache-2.0 OR MIT
// What hqc_program asks for: the units, and the memories that they share. start_i has a bit for
// each unit (U_* of hqc_pkg), which takes operands_i in that cycle; done_o answers.
// Units that are idle drive zeros, so requests to a memory are ORed; which units may be busy side
// by side is said in hqc_program. wipe_i writes zeros at wipe_addr_i of all memories.
module hqc_units
  import kem_pkg::*;
  import hqc_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int BUILD = BUILD_FULL,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LANES = 8,
    parameter int RM_VALUES = 8,
    parameter int BM_CELLS = 4,
    parameter int KECCAK_ROUNDS = 1,
    parameter bit KECCAK_BUFFERED = 0,
    parameter bit OVERLAP = 0
) (
    input  logic        clk_i,
    input  logic        clear_i,
    input  logic        wipe_i,
    input  logic [15:0] wipe_addr_i,
    input  logic        begin_i,     // of an operation
    input  op_e         op_i,        // with it
    input  units_t      start_i,
    input  operands_t   operands_i,
    output units_t      done_o,
    output err_e        fault_o,     // of the input packet
    output logic        upset_o,     // a register was disturbed
    input  logic        in_valid_i,
    output logic        in_ready_o,
    input  logic [31:0] in_data_i,
    input  logic        in_last_i,
    output logic        out_valid_o,
    input  logic        out_ready_i,
    output logic [31:0] out_data_o,
    output logic        out_last_o
);
  localparam int IndexBits = $clog2(n_bits(LEVEL));
  localparam int CountBits = $clog2(u_words32(LEVEL) + WORD / 32);
  localparam int LaneListBits = lane_list_bits(LEVEL, LANES);
  localparam int Padding = 8 * u_bytes(LEVEL) - n_bits(LEVEL);
  localparam bit Client = BUILD != BUILD_SERVER;

  // --- Polynomials: a port for streams and hashing and one for work ------------------------------
  word_read_t read_send, read_hash, read_sample, read_rows, read_product;
  word_write_t write_receive, write_sample, write_product;
  logic [WORD-1:0] wdata_receive, wdata_sample, wdata_product, wdata_work;
  logic [WORD-1:0] rdata_streams, rdata_work, late_work;
  // No port reads and writes in one cycle, so it has one address.
  word_read_t at_streams, at_work;
  logic hold_streams, merge_sample, forward_sample, writes_work;
  assign at_streams = read_send | read_hash | {write_receive.slot, write_receive.word};
  assign at_work = read_sample | read_rows | read_product
                 | {write_sample.slot, write_sample.word}
                 | {write_product.slot, write_product.word};
  assign writes_work = write_sample.valid || write_product.valid;
  kem_slots_dual #(
      .SLOTS(slots_of(BUILD)),
      .WORDS(words_of(LEVEL, WORD)),
      .WORD(WORD)
  ) u_slots (
      .clk_i,
      .write_i({{writes_work, at_work}, {write_receive.valid, at_streams}}),
      .wdata_i({wdata_work, wdata_receive}),
      .read_i({at_work, at_streams}),
      .hold_i({1'b0, hold_streams}),
      .rdata_o({rdata_work, rdata_streams}),
      .wipe_i,
      .wipe_addr_i
  );
  kem_late #(
      .WORD(WORD)
  ) u_late (
      .clk_i,
      .write_i(writes_work),
      .wdata_i(wdata_sample | wdata_product),
      .merge_i(merge_sample),
      .forward_i(forward_sample),
      .wdata_o(wdata_work),
      .rdata_i(rdata_work),
      .late_o(late_work)
  );

  // --- Strings; the decoder writes m when the others do not --------------------------------------
  localparam int StringPorts = OVERLAP ? 2 : 1;
  lane_write_t str_write_hash, str_write_receive, str_write_decode;
  lane_read_t str_read_hash, str_read_send, str_read_encode, str_read_rest;
  lane_read_t [StringPorts-1:0] str_reads;
  logic [StringPorts-1:0][63:0] str_rdata;
  logic [63:0] str_rdata_hash, str_rdata_rest;
  logic hold_hash, encodes;
  logic [StringPorts-1:0] str_hold;
  logic [1:0] encode_lane;  // of m, for the encoder
  assign str_read_encode = encodes ? '{number: STR_M, lane: encode_lane} : '0;
  assign str_read_rest = str_read_send | str_read_encode;
  if (OVERLAP) begin : gen_string_ports
    assign str_reads = {str_read_hash, str_read_rest};
    assign str_hold = {hold_hash, 1'b0};
    assign {str_rdata_hash, str_rdata_rest} = str_rdata;
  end else begin : gen_string_port
    assign str_reads = str_read_hash | str_read_rest;
    assign str_hold = hold_hash;
    assign {str_rdata_hash, str_rdata_rest} = {2{str_rdata}};
  end
  kem_strings #(
      .STRINGS(STRINGS),
      .READ_PORTS(StringPorts)
  ) u_strings (
      .clk_i,
      .write_i(str_write_hash | str_write_receive | str_write_decode),
      .read_i(str_reads),
      .hold_i(str_hold),
      .rdata_o(str_rdata),
      .wipe_i,
      .wipe_addr_i
  );

  // --- Streams -----------------------------------------------------------------------------------
  logic equal, sure, send_valid, written, checked, sends_key;
  logic decaps_q, upset_send, upset_product, upset_key;
  entry_write_t list_write;  // no field is a list
  entry_read_t list_read;
  logic [2:0] sent;
  logic [CountBits-1:0] field_last;
  field_e kind;
  assign kind = field_e'({1'b0, operands_i.a[0]});
  assign field_last = CountBits'(field_final(LEVEL, kind, operands_i.b, operands_i.a[2]));
  // Of K and what a rejection gives one is sent; this is secret and only chooses an address.
  // Program and operation must agree on whether K is checked, and the comparison must be sure.
  assign checked = kind == F_STR && operands_i.b == STR_K && operands_i.a[2];
  assign sends_key = start_i[U_SEND] && kind == F_STR && operands_i.b == STR_K;
  assign sent = checked && !equal ? STR_REJECTED : operands_i.b;
  assign upset_key = sends_key && (checked != decaps_q || (checked && !sure));
  assign upset_o = upset_send || upset_product || upset_key;
  always_ff @(posedge clk_i) begin
    if (clear_i) decaps_q <= 1'b0;
    else if (begin_i) decaps_q <= op_i == OP_DECAPS;
  end
  kem_receive #(
      .WORD(WORD),
      .TAIL_BYTES(4),  // what is beyond the end of a field does no harm in a slot
      .LIMIT(n_bits(LEVEL)),
      .LIST_BASE(1),
      .COUNT_BITS(CountBits)
  ) u_receive (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_RECV]),
      .kind_i(kind),
      .which_i(operands_i.b),
      .final_i(field_last),
      .last_i(operands_i.last),
      .done_o(done_o[U_RECV]),
      .error_o(fault_o),
      .in_valid_i,
      .in_ready_o,
      .in_data_i,
      .in_last_i,
      .poly_write_o(write_receive),
      .poly_wdata_o(wdata_receive),
      .str_write_o(str_write_receive),
      .list_write_o(list_write)
  );
  kem_send #(
      .WORD(WORD),
      .POSITION_BITS(1),
      .LIST_BASE(1),
      .COUNT_BITS(CountBits)
  ) u_send (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_SEND]),
      .kind_i(kind),
      .which_i(sent),
      .final_i(field_last),
      .last_i(operands_i.last),
      .done_o(done_o[U_SEND]),
      .upset_o(upset_send),
      .out_valid_o(send_valid),
      .out_ready_i(out_ready_i && written),
      .out_data_o,
      .out_last_o,
      .poly_read_o(read_send),
      .poly_rdata_i(rdata_streams),
      .str_read_o(str_read_send),
      .str_rdata_i(str_rdata_rest),
      .list_read_o(list_read),
      .list_rdata_i('0)
  );

  // With OVERLAP a slot is sent while a product goes there, behind it: the word that was read waits
  // if it had not been written then.
  assign out_valid_o = send_valid && written;
  if (OVERLAP) begin : gen_follow
    logic sends_q, writes_q, written_q;
    logic [2:0] slot_q;
    logic [9:0] next_q;  // word of the product
    assign written = written_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        {sends_q, writes_q, slot_q, next_q, written_q} <= '0;
      end else begin
        if (start_i[U_SEND]) sends_q <= kind == F_POLY;
        if (start_i[U_PRODUCT]) begin
          writes_q <= 1'b1;
          slot_q <= product_e'(operands_i.a) == G_V ? SLOT_B : SLOT_A;
          next_q <= '0;
        end else if (done_o[U_PRODUCT]) begin
          writes_q <= 1'b0;
        end else if (write_product.valid) begin
          next_q <= next_q + 1'b1;
        end
        written_q <= !sends_q || !writes_q || read_send.slot != slot_q || read_send.word < next_q;
      end
    end
  end else begin : gen_no_follow
    assign written = 1'b1;
  end

  // --- Hashing and sampling ----------------------------------------------------------------------
  logic xof_valid, word_next, lane_next;
  logic [31:0] xof_word;
  logic [63:0] xof_lane;
  // verilator coverage_off
  to_sponge_t no_message;
  // verilator coverage_on
  hqc_hash #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .ROUNDS(KECCAK_ROUNDS),
      .BUFFERED(KECCAK_BUFFERED)
  ) u_hash (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_HASH]),
      .kind_i(hash_e'(operands_i.a)),
      .string_i(str_e'(operands_i.b)),
      .done_o(done_o[U_HASH]),
      .xof_valid_o(xof_valid),
      .word_next_i(word_next),
      .word_o(xof_word),
      .lane_next_i(lane_next),
      .lane_o(xof_lane),
      .poly_read_o(read_hash),
      .poly_hold_o(hold_streams),
      .poly_rdata_i(rdata_streams),
      .str_read_o(str_read_hash),
      .str_hold_o(hold_hash),
      .str_rdata_i(str_rdata_hash),
      .str_write_o(str_write_hash),
      .to_sponge_o(no_message),
      .from_sponge_i('0)
  );
  sample_t sample;
  logic place_valid;
  logic [IndexBits-1:0] place;
  assign sample = sample_t'(operands_i.a);
  hqc_sampler #(
      .LEVEL(LEVEL),
      .WORD(WORD)
  ) u_sampler (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_SAMPLE]),
      .draw_i(sample.draw),
      .slot_i(operands_i.b),
      .done_o(done_o[U_SAMPLE]),
      .restart_i(start_i[U_HASH]),
      .word_valid_i(xof_valid),
      .word_next_o(word_next),
      .word_i(xof_word),
      .position_valid_o(place_valid),
      .position_o(place),
      .poly_read_o(read_sample),
      .poly_late_i(late_work),
      .poly_write_o(write_sample),
      .poly_wdata_o(wdata_sample),
      .poly_merge_o(merge_sample),
      .poly_forward_o(forward_sample),
      .wipe_i,
      .wipe_addr_i
  );

  // --- Products and the code ---------------------------------------------------------------------
  logic [LANES-1:0] list_we;
  logic [LaneListBits-1:0] list_waddr;
  logic [IndexBits+1:0] list_wdata;
  logic [Padding-2:0] top;
  hqc_positions #(
      .LEVEL(LEVEL),
      .LANES(LANES)
  ) u_positions (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_SAMPLE] && sample.lanes),
      .stop_i(start_i[U_SAMPLE] && !sample.lanes),
      .key_i(sample.draw == DRAW_REJECT),
      .place_valid_i(place_valid),
      .place_i(place),
      .lane_we_o(list_we),
      .lane_waddr_o(list_waddr),
      .lane_wdata_o(list_wdata),
      .top_o(top)
  );
  typedef struct packed {
    logic valid, first, last;
    logic [WORD-1:0] word;
  } feed_t;
  feed_t feed_expand, feed_rows, feed;
  logic [WORD-1:0] expand_word;
  assign feed_expand.word = expand_word & {WORD{feed_expand.valid}};
  logic [Padding-1:0] padding;
  hqc_expand #(
      .N(n_bits(LEVEL)),
      .WORD(WORD),
      .STRIDE(STRIDE)
  ) u_expand (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_EXPAND]),
      .done_o(done_o[U_EXPAND]),
      .lane_valid_i(xof_valid),
      .lane_next_o(lane_next),
      .lane_i(xof_lane),
      .feed_valid_o(feed_expand.valid),
      .feed_first_o(feed_expand.first),
      .feed_last_o(feed_expand.last),
      .feed_word_o(expand_word)
  );
  hqc_rows #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .STRIDE(STRIDE)
  ) u_rows (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_ROWS]),
      .slot_i(slot_e'(operands_i.b)),
      .done_o(done_o[U_ROWS]),
      .poly_read_o(read_rows),
      .poly_late_i(late_work),
      .feed_valid_o(feed_rows.valid),
      .feed_first_o(feed_rows.first),
      .feed_last_o(feed_rows.last),
      .feed_word_o(feed_rows.word),
      .padding_o(padding)
  );
  assign feed = feed_expand | feed_rows;

  logic [WORD-1:0] rm_word;
  logic rm_upper, symbol_next, code_valid;
  logic [WORD-1:0] code_word;
  hqc_product #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .CLIENT(Client)
  ) u_product (
      .clk_i,
      .clear_i,
      .reset_i(begin_i),
      .start_i(start_i[U_PRODUCT]),
      .mode_i(product_e'(operands_i.a)),
      .done_o(done_o[U_PRODUCT]),
      .equal_o(equal),
      .sure_o(sure),
      .upset_o(upset_product),
      .feed_valid_i(feed.valid),
      .feed_first_i(feed.first),
      .feed_last_i(feed.last),
      .feed_word_i(feed.word),
      .list_we_i(list_we),
      .list_waddr_i(list_waddr),
      .list_wdata_i(list_wdata),
      .padding_i(padding),
      .top_i(top),
      .rm_i(rm_word),
      .rm_upper_o(rm_upper),
      .symbol_next_o(symbol_next),
      .code_valid_o(code_valid),
      .code_word_o(code_word),
      .poly_read_o(read_product),
      .poly_late_i(late_work),
      .poly_write_o(write_product),
      .poly_wdata_o(wdata_product),
      .wipe_i,
      .wipe_addr_i
  );

  hqc_code #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .LANES(LANES),
      .RM_VALUES(RM_VALUES),
      .BM_CELLS(BM_CELLS),
      .CLIENT(Client)
  ) u_code (
      .clk_i,
      .clear_i,
      .encode_i(start_i[U_ENCODE]),
      .encoded_o(done_o[U_ENCODE]),
      .decode_i(start_i[U_DECODE]),
      .decoded_o(done_o[U_DECODE]),
      .read_o(encodes),
      .lane_o(encode_lane),
      .lane_i(str_rdata_rest),
      .str_write_o(str_write_decode),
      .str_ready_i(!str_write_hash.valid && !str_write_receive.valid),
      .rm_upper_i(rm_upper),
      .symbol_next_i(symbol_next),
      .rm_word_o(rm_word),
      .code_valid_i(code_valid),
      .code_word_i(code_word)
  );
endmodule
