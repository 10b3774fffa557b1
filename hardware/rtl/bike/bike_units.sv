// SPDX-License-Identifier: Apache-2.0 OR MIT
// What bike_program asks for: the units, and the memories that they share. start_i has a bit for
// each unit (U_* of bike_pkg), which takes operands_i in that cycle; done_o answers.
// Units that are idle drive zeros, so requests to a memory are ORed; which units may be busy side
// by side is said in bike_program. wipe_i writes zeros at wipe_addr_i of all memories.
module bike_units
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int BUILD = BUILD_FULL,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LANES = 8,
    parameter int INV_WORD = 384,
    parameter int INV_STEPS = 16,
    parameter int INV_STAGE = 4,
    parameter int INV_RATE = 2,
    parameter int KECCAK_ROUNDS = 1,
    parameter bit KECCAK_BUFFERED = 0,
    parameter bit OVERLAP = 0,
    parameter int LOWER_FIRST_THRESHOLD = 0
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
  localparam int R = r_bits(LEVEL);
  localparam int IndexBits = $clog2(R);
  localparam int Words = words_of(LEVEL, WORD);
  localparam int TailBytes = poly_bytes(LEVEL) - 4 * (poly_words32(LEVEL) - 1);
  localparam int CountBits = $clog2(3 * poly_words32(LEVEL));
  localparam int ListBits = list_bits(LEVEL);
  localparam int LaneListBits = lane_list_bits(LEVEL, LANES);
  localparam int Sweeps = (2 * R - 1 + INV_STEPS - 1) / INV_STEPS;
  localparam int Surplus = Sweeps * INV_STEPS - (2 * R - 1);  // steps beyond those needed
  localparam bit Client = BUILD != BUILD_SERVER;

  // --- Polynomials; units that are idle drive zeros ----------------------------------------------
  // Reads go by three ports, or by one where units never work side by side.
  localparam int Ports = OVERLAP ? 3 : 1;
  word_read_t read_send, read_rows, read_hash, read_invert, read_sample, read_gather, read_compare;
  word_read_t read_streams, read_hashing, read_work;
  word_read_t [Ports-1:0] reads;
  logic [Ports-1:0][WORD-1:0] rdata;
  logic [WORD-1:0] rdata_streams, rdata_hashing, rdata_work;
  logic hold_poly;  // of hashing
  logic [Ports-1:0] hold;
  assign read_streams = read_send | read_rows;
  assign read_hashing = read_hash | read_invert;
  assign read_work = read_sample | read_gather | read_compare;
  if (OVERLAP) begin : gen_ports
    assign reads = {read_streams, read_hashing, read_work};
    assign hold = {1'b0, hold_poly, 1'b0};
    assign {rdata_streams, rdata_hashing, rdata_work} = rdata;
  end else begin : gen_port
    assign reads = read_streams | read_hashing | read_work;
    assign hold = hold_poly;
    assign {rdata_streams, rdata_hashing, rdata_work} = {3{rdata}};
  end

  word_write_t write_receive, write_sample, write_gather, write_invert;
  logic [WORD-1:0] wdata_receive, wdata_sample, wdata_gather, wdata_invert;
  kem_slots #(
      .SLOTS(SLOTS),
      .WORDS(Words),
      .WORD(WORD),
      .READ_PORTS(Ports)
  ) u_slots (
      .clk_i,
      .write_i(write_receive | write_sample | write_gather | write_invert),
      .wdata_i(wdata_receive | wdata_sample | wdata_gather | wdata_invert),
      .read_i(reads),
      .hold_i(hold),
      .rdata_o(rdata),
      .wipe_i,
      .wipe_addr_i
  );

  // --- Strings and lists -------------------------------------------------------------------------
  localparam int StringPorts = OVERLAP ? 2 : 1;
  lane_write_t str_write_hash, str_write_receive;
  lane_read_t str_read_hash, str_read_send;
  lane_read_t [StringPorts-1:0] str_reads;
  logic [StringPorts-1:0][63:0] str_rdata;
  logic hold_string;
  logic [StringPorts-1:0] str_hold;
  logic [63:0] str_rdata_hash, str_rdata_send;
  if (OVERLAP) begin : gen_string_ports
    assign str_reads = {str_read_hash, str_read_send};
    assign str_hold = {hold_string, 1'b0};
    assign {str_rdata_hash, str_rdata_send} = str_rdata;
  end else begin : gen_string_port
    assign str_reads = str_read_hash | str_read_send;
    assign str_hold = hold_string;
    assign {str_rdata_hash, str_rdata_send} = {2{str_rdata}};
  end
  kem_strings #(
      .STRINGS(4),
      .READ_PORTS(StringPorts)
  ) u_strings (
      .clk_i,
      .write_i(str_write_hash | str_write_receive),
      .read_i(str_reads),
      .hold_i(str_hold),
      .rdata_o(str_rdata),
      .wipe_i,
      .wipe_addr_i
  );

  entry_write_t list_write_sample, list_write_receive, list_write;
  entry_read_t list_read_send, list_read_positions, list_read;
  logic [IndexBits:0] list_word;
  logic [16:0] list_rdata;
  assign list_write = list_write_sample | list_write_receive;
  assign list_read = list_read_send | list_read_positions;
  assign list_rdata = 17'(list_word);
  kem_memory #(
      .WIDTH(IndexBits + 1),
      .DEPTH(2 ** ListBits)
  ) u_lists (
      .clk_i,
      .we_i(list_write.valid),
      .waddr_i(list_write.entry[ListBits-1:0]),
      .wdata_i(list_write.data[IndexBits:0]),
      .raddr_i(list_read[ListBits-1:0]),
      .rdata_o(list_word),
      .wipe_i,
      .wipe_addr_i
  );

  // --- Streams -----------------------------------------------------------------------------------
  logic [CountBits-1:0] field_last;
  logic upset_send;
  assign field_last = CountBits'(field_final(LEVEL, field_e'(operands_i.a[1:0]), operands_i.b));
  kem_receive #(
      .WORD(WORD),
      .TAIL_BYTES(TailBytes),
      .LIMIT(R),
      .LIST_BASE(list_base(LEVEL)),
      .COUNT_BITS(CountBits)
  ) u_receive (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_RECV]),
      .kind_i(field_e'(operands_i.a[1:0])),
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
      .list_write_o(list_write_receive)
  );
  kem_send #(
      .WORD(WORD),
      .POSITION_BITS(IndexBits),
      .LIST_BASE(list_base(LEVEL)),
      .COUNT_BITS(CountBits)
  ) u_send (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_SEND]),
      .kind_i(field_e'(operands_i.a[1:0])),
      .which_i(operands_i.b),
      .final_i(field_last),
      .last_i(operands_i.last),
      .done_o(done_o[U_SEND]),
      .upset_o(upset_send),
      .out_valid_o,
      .out_ready_i,
      .out_data_o,
      .out_last_o,
      .poly_read_o(read_send),
      .poly_rdata_i(rdata_streams),
      .str_read_o(str_read_send),
      .str_rdata_i(str_rdata_send),
      .list_read_o(list_read_send),
      .list_rdata_i(list_rdata)
  );

  // --- Hashing and sampling ----------------------------------------------------------------------
  logic prf_valid, prf_next, equal, sure, checked, hashes_key;
  // K goes out if program and operation agree on whether it is checked, and if that was done.
  logic decaps_q, upset_key;
  assign checked = operands_i.a[2];
  assign hashes_key = start_i[U_HASH] && hash_e'(operands_i.a[1:0]) == HASH_K;
  assign upset_key = hashes_key && (checked != decaps_q || (checked && !sure));
  assign upset_o = upset_send || upset_key;
  always_ff @(posedge clk_i) begin
    if (clear_i) decaps_q <= 1'b0;
    else if (begin_i) decaps_q <= op_i == OP_DECAPS;
  end
  logic [31:0] prf_word;
  // verilator coverage_off
  to_sponge_t no_message;
  // verilator coverage_on
  bike_hash #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .ROUNDS(KECCAK_ROUNDS),
      .BUFFERED(KECCAK_BUFFERED)
  ) u_hash (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_HASH]),
      .kind_i(hash_e'(operands_i.a[1:0])),
      .target_i(str_e'(operands_i.b[1:0])),
      .sigma_i(checked && !equal),
      .done_o(done_o[U_HASH]),
      .prf_valid_o(prf_valid),
      .prf_next_i(prf_next),
      .prf_word_o(prf_word),
      .poly_read_o(read_hash),
      .poly_hold_o(hold_poly),
      .poly_rdata_i(rdata_hashing),
      .str_read_o(str_read_hash),
      .str_hold_o(hold_string),
      .str_rdata_i(str_rdata_hash),
      .str_write_o(str_write_hash),
      .to_sponge_o(no_message),
      .from_sponge_i('0)
  );
  bike_sampler #(
      .LEVEL(LEVEL),
      .WORD(WORD)
  ) u_sampler (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_SAMPLE]),
      .kind_i(sample_e'(operands_i.a)),
      .done_o(done_o[U_SAMPLE]),
      .prf_valid_i(prf_valid),
      .prf_next_o(prf_next),
      .prf_word_i(prf_word),
      .poly_read_o(read_sample),
      .poly_rdata_i(rdata_work),
      .poly_write_o(write_sample),
      .poly_wdata_o(wdata_sample),
      .list_write_o(list_write_sample)
  );

  // --- Products and decoding ---------------------------------------------------------------------
  logic [LANES-1:0] lane_we;
  logic [LaneListBits-1:0] lane_waddr;
  logic [IndexBits+1:0] lane_wdata;
  bike_positions #(
      .LEVEL(LEVEL),
      .LANES(LANES),
      .SHIFT(Surplus - 2),
      .LIST_BITS(LaneListBits)
  ) u_positions (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_POS]),
      .set_i(pset_e'(operands_i.a)),
      .done_o(done_o[U_POS]),
      .list_read_o(list_read_positions),
      .list_rdata_i(list_rdata),
      .lane_we_o(lane_we),
      .lane_waddr_o(lane_waddr),
      .lane_wdata_o(lane_wdata)
  );
  logic feed_valid, feed_first, feed_last;
  logic [WORD-1:0] feed_word;
  bike_rows #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .EXTRA(Surplus > 8 * poly_bytes(LEVEL) - R ? Surplus : 8 * poly_bytes(LEVEL) - R)
  ) u_rows (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_ROWS]),
      .done_o(done_o[U_ROWS]),
      .poly_read_o(read_rows),
      .poly_rdata_i(rdata_streams),
      .feed_valid_o(feed_valid),
      .feed_first_o(feed_first),
      .feed_last_o(feed_last),
      .feed_word_o(feed_word)
  );
  bike_gather #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .DECODER(Client),
      .LOWER_FIRST_THRESHOLD(LOWER_FIRST_THRESHOLD)
  ) u_gather (
      .clk_i,
      .clear_i,
      .start_i(start_i[U_GATHER]),
      .mode_i(gather_e'(operands_i.a)),
      .done_o(done_o[U_GATHER]),
      .feed_valid_i(feed_valid),
      .feed_first_i(feed_first),
      .feed_last_i(feed_last),
      .feed_word_i(feed_word),
      .list_we_i(lane_we),
      .list_waddr_i(lane_waddr),
      .list_wdata_i(lane_wdata),
      .poly_read_o(read_gather),
      .poly_rdata_i(rdata_work),
      .poly_write_o(write_gather),
      .poly_wdata_o(wdata_gather),
      .wipe_i,
      .wipe_addr_i
  );

  // --- What the server does not have -------------------------------------------------------------
  if (Client) begin : gen_client
    bike_inverter #(
        .LEVEL(LEVEL),
        .WORD(WORD),
        .INV_WORD(INV_WORD),
        .STEPS(INV_STEPS),
        .STAGE(INV_STAGE),
        .RATE(INV_RATE)
    ) u_inverter (
        .clk_i,
        .clear_i,
        .start_i(start_i[U_INVERT]),
        .finish_i(operands_i.a[0]),
        .done_o(done_o[U_INVERT]),
        .poly_read_o(read_invert),
        .poly_rdata_i(rdata_hashing),
        .poly_write_o(write_invert),
        .poly_wdata_o(wdata_invert),
        .wipe_i,
        .wipe_addr_i
    );
    bike_compare #(
        .LEVEL(LEVEL),
        .WORD(WORD)
    ) u_compare (
        .clk_i,
        .clear_i,
        .reset_i(begin_i),
        .start_i(start_i[U_COMPARE]),
        .done_o(done_o[U_COMPARE]),
        .equal_o(equal),
        .sure_o(sure),
        .poly_read_o(read_compare),
        .poly_rdata_i(rdata_work)
    );
  end else begin : gen_server
    assign {equal, sure} = '1;
    assign {done_o[U_INVERT], done_o[U_COMPARE]} = '0;
    assign {read_invert, write_invert, wdata_invert, read_compare} = '0;
  end
endmodule
