// SPDX-License-Identifier: Apache-2.0 OR MIT
// BIKE v5.1 with plain ports: key generation, encapsulation, decapsulation.
//
// start_i with op_i begins an operation when busy_o is low. Input and output are packets of 32-bit
// words; docs/hardware.md lists their fields. done_o is high for one cycle at the end, together
// with error_o. Errors and OP_WIPE clear all memories and registers that hold data; so does reset,
// and busy_o stays high meanwhile. Cycle counts do not depend on data (on the streams' pauses
// only).
module bike_core
  import kem_pkg::*;
  import bike_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int PRESET = PRESET_FAST,
    parameter int BUILD = BUILD_FULL,
    parameter int WORD = preset_word(PRESET),
    parameter int STRIDE = preset_stride(PRESET),
    parameter int LANES = preset_lanes(PRESET),
    parameter int INV_WORD = preset_inv_word(PRESET),
    parameter int INV_STEPS = preset_inv_steps(PRESET),
    parameter int INV_STAGE = 4,
    parameter int INV_RATE = preset_inv_rate(PRESET),
    parameter int KECCAK_ROUNDS = preset_keccak_rounds(PRESET),
    parameter bit KECCAK_BUFFERED = preset_keccak_buffered(PRESET),
    parameter bit OVERLAP = preset_overlap(PRESET)
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        start_i,
    input  op_e         op_i,
    output logic        busy_o,
    output logic        done_o,
    output err_e        error_o,   // with done_o
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

  // --- Control -----------------------------------------------------------------------------------
  logic clear, wipe, accept, known, next, finished, drain;
  logic [15:0] wipe_addr;
  logic [5:0] at;
  units_t start, done;
  step_t step;
  err_e receive_error;
  kem_control #(
      .WIPE_WORDS(bike_wipe_words(LEVEL, WORD, STRIDE, INV_WORD, INV_STEPS))
  ) u_control (
      .clk_i,
      .rst_ni,
      .start_i,
      .op_i,
      .known_i(known),
      .accept_o(accept),
      .finished_i(finished),
      .fault_i(receive_error),
      .in_valid_i,
      .in_last_i,
      .in_taken_i(in_valid_i && in_ready_o),
      .drain_o(drain),
      .busy_o,
      .done_o,
      .error_o,
      .clear_o(clear),
      .wipe_o(wipe),
      .wipe_addr_o(wipe_addr)
  );
  bike_program #(
      .BUILD(BUILD),
      .OVERLAP(OVERLAP)
  ) u_program (
      .clk_i,
      .clear_i(clear),
      .start_i(accept),
      .op_i,
      .known_o(known),
      .next_i(next),
      .at_i(at),
      .step_o(step)
  );
  kem_sequencer #(
      .UNITS(UNITS)
  ) u_sequencer (
      .clk_i,
      .clear_i(clear),
      .start_i(accept),
      .next_o(next),
      .at_o(at),
      .target_i(step.target),
      .needs_i(step.needs),
      .start_o(start),
      .done_i(done),
      .end_o(finished)
  );

  // --- Polynomials; units that are idle drive zeros ----------------------------------------------
  // Reads go by three ports, or by one where units never work side by side.
  localparam int Ports = OVERLAP ? 3 : 1;
  word_read_t read_send, read_rows, read_hash, read_invert, read_sample, read_gather, read_compare;
  word_read_t read_streams, read_hashing, read_work;
  word_read_t [Ports-1:0] reads;
  logic [Ports-1:0][WORD-1:0] rdata;
  logic [WORD-1:0] rdata_streams, rdata_hashing, rdata_work;
  assign read_streams = read_send | read_rows;
  assign read_hashing = read_hash | read_invert;
  assign read_work = read_sample | read_gather | read_compare;
  if (OVERLAP) begin : gen_ports
    assign reads = {read_streams, read_hashing, read_work};
    assign {rdata_streams, rdata_hashing, rdata_work} = rdata;
  end else begin : gen_port
    assign reads = read_streams | read_hashing | read_work;
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
      .rdata_o(rdata),
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr)
  );

  // --- Strings and lists -------------------------------------------------------------------------
  localparam int StringPorts = OVERLAP ? 2 : 1;
  lane_write_t str_write_hash, str_write_receive;
  lane_read_t str_read_hash, str_read_send;
  lane_read_t [StringPorts-1:0] str_reads;
  logic [StringPorts-1:0][63:0] str_rdata;
  logic [63:0] str_rdata_hash, str_rdata_send;
  if (OVERLAP) begin : gen_string_ports
    assign str_reads = {str_read_hash, str_read_send};
    assign {str_rdata_hash, str_rdata_send} = str_rdata;
  end else begin : gen_string_port
    assign str_reads = str_read_hash | str_read_send;
    assign {str_rdata_hash, str_rdata_send} = {2{str_rdata}};
  end
  kem_strings #(
      .STRINGS(4),
      .READ_PORTS(StringPorts)
  ) u_strings (
      .clk_i,
      .write_i(str_write_hash | str_write_receive),
      .read_i(str_reads),
      .rdata_o(str_rdata),
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr)
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
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr)
  );

  // --- Streams -----------------------------------------------------------------------------------
  // Units are cleared one cycle after a reset begins; nothing comes or goes in that cycle.
  logic receive_ready, send_valid;
  logic [CountBits-1:0] field_last;
  assign in_ready_o = (receive_ready && !clear) || drain;
  assign out_valid_o = send_valid && !clear;
  assign field_last = CountBits'(field_final(LEVEL, field_e'(step.a[1:0]), step.b));
  kem_receive #(
      .WORD(WORD),
      .TAIL_BYTES(TailBytes),
      .LIMIT(R),
      .LIST_BASE(list_base(LEVEL)),
      .COUNT_BITS(CountBits)
  ) u_receive (
      .clk_i,
      .clear_i(clear),
      .start_i(start[U_RECV]),
      .kind_i(field_e'(step.a[1:0])),
      .which_i(step.b),
      .final_i(field_last),
      .last_i(step.last),
      .done_o(done[U_RECV]),
      .error_o(receive_error),
      .in_valid_i,
      .in_ready_o(receive_ready),
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
      .clear_i(clear),
      .start_i(start[U_SEND]),
      .kind_i(field_e'(step.a[1:0])),
      .which_i(step.b),
      .final_i(field_last),
      .last_i(step.last),
      .done_o(done[U_SEND]),
      .out_valid_o(send_valid),
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
  logic prf_valid, prf_next, equal;
  logic [31:0] prf_word;
  bike_hash #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .ROUNDS(KECCAK_ROUNDS),
      .BUFFERED(KECCAK_BUFFERED)
  ) u_hash (
      .clk_i,
      .clear_i(clear),
      .start_i(start[U_HASH]),
      .kind_i(hash_e'(step.a[1:0])),
      .target_i(str_e'(step.b[1:0])),
      .sigma_i(!equal),
      .done_o(done[U_HASH]),
      .prf_valid_o(prf_valid),
      .prf_next_i(prf_next),
      .prf_word_o(prf_word),
      .poly_read_o(read_hash),
      .poly_rdata_i(rdata_hashing),
      .str_read_o(str_read_hash),
      .str_rdata_i(str_rdata_hash),
      .str_write_o(str_write_hash)
  );
  bike_sampler #(
      .LEVEL(LEVEL),
      .WORD(WORD)
  ) u_sampler (
      .clk_i,
      .clear_i(clear),
      .start_i(start[U_SAMPLE]),
      .kind_i(sample_e'(step.a)),
      .done_o(done[U_SAMPLE]),
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
      .clear_i(clear),
      .start_i(start[U_POS]),
      .set_i(pset_e'(step.a)),
      .done_o(done[U_POS]),
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
      .clear_i(clear),
      .start_i(start[U_ROWS]),
      .done_o(done[U_ROWS]),
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
      .DECODER(Client)
  ) u_gather (
      .clk_i,
      .clear_i(clear),
      .start_i(start[U_GATHER]),
      .mode_i(gather_e'(step.a)),
      .done_o(done[U_GATHER]),
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
      .wipe_i(wipe),
      .wipe_addr_i(wipe_addr)
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
        .clear_i(clear),
        .start_i(start[U_INVERT]),
        .finish_i(step.a[0]),
        .done_o(done[U_INVERT]),
        .poly_read_o(read_invert),
        .poly_rdata_i(rdata_hashing),
        .poly_write_o(write_invert),
        .poly_wdata_o(wdata_invert),
        .wipe_i(wipe),
        .wipe_addr_i(wipe_addr)
    );
    bike_compare #(
        .LEVEL(LEVEL),
        .WORD(WORD)
    ) u_compare (
        .clk_i,
        .clear_i(clear),
        .reset_i(accept),
        .start_i(start[U_COMPARE]),
        .done_o(done[U_COMPARE]),
        .equal_o(equal),
        .poly_read_o(read_compare),
        .poly_rdata_i(rdata_work)
    );
  end else begin : gen_server
    assign equal = 1'b1;
    assign {done[U_INVERT], done[U_COMPARE]} = '0;
    assign {read_invert, write_invert, wdata_invert, read_compare} = '0;
  end

`ifdef FORMAL
  always_comb if (clear) quiet_in_reset : assert (!out_valid_o && (!in_ready_o || drain));
`endif
endmodule
