// SPDX-License-Identifier: Apache-2.0 OR MIT
// The units of the joint core and the memories that they share: one set of slots, strings, streams,
// sponge and gather unit for both schemes, and what only one of them has. start_i has a bit for
// each unit (U_* of bike_pkg, or with hqc_i of hqc_pkg), which takes operands_i in that cycle;
// done_o answers. Units that are idle drive zeros, so requests to a memory are ORed, those of both
// schemes; which units may be busy side by side is said in bike_program and hqc_program, without
// OVERLAP. wipe_i writes zeros at wipe_addr_i of all memories. hqc_i changes between operations.
module joint_units
  import kem_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int BUILD = bike_pkg::BUILD_FULL,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LANES = 4,
    parameter int INV_WORD = 128,
    parameter int INV_STEPS = 32,
    parameter int INV_STAGE = 4,
    parameter int INV_RATE = 2,
    parameter int RM_VALUES = 4,
    parameter int BM_CELLS = 2,
    parameter int KECCAK_ROUNDS = 1,
    parameter bit KECCAK_BUFFERED = 0,
    parameter int LOWER_FIRST_THRESHOLD = 0
) (
    input  logic                clk_i,
    input  logic                clear_i,
    input  logic                wipe_i,
    input  logic [15:0]         wipe_addr_i,
    input  logic                hqc_i,
    input  logic                begin_i,     // of an operation
    input  op_e                 op_i,        // with it
    input  units_t    start_i,
    input  operands_t operands_i,
    output units_t    done_o,
    output err_e                fault_o,     // of the input packet
    output logic                upset_o,     // a register was disturbed
    input  logic                in_valid_i,
    output logic                in_ready_o,
    input  logic [31:0]         in_data_i,
    input  logic                in_last_i,
    output logic                out_valid_o,
    input  logic                out_ready_i,
    output logic [31:0]         out_data_o,
    output logic                out_last_o
);
  localparam int R = bike_pkg::r_bits(LEVEL);
  localparam int BikeIndexBits = $clog2(R);
  localparam int HqcIndexBits = $clog2(hqc_pkg::n_bits(LEVEL));
  localparam int IndexBits = joint_pkg::index_bits(LEVEL);
  localparam int CountBits = joint_pkg::count_bits(LEVEL, WORD);
  localparam int ListBits = bike_pkg::list_bits(LEVEL);
  localparam int LaneListBits = joint_pkg::lane_list_bits(LEVEL, LANES);
  localparam int Sweeps = (2 * R - 1 + INV_STEPS - 1) / INV_STEPS;
  localparam int HqcPadding = 8 * hqc_pkg::u_bytes(LEVEL) - hqc_pkg::n_bits(LEVEL);
  localparam bit Client = BUILD != bike_pkg::BUILD_SERVER;

  // Units of the two schemes that are not the same have the same bits; one scheme works at a time.
  units_t bike_start, bike_done, hqc_start, hqc_done, done;
  assign bike_start = hqc_i ? '0 : start_i;
  assign hqc_start = hqc_i ? start_i : '0;
  assign done_o = bike_done | hqc_done | done;

  // --- Polynomials -------------------------------------------------------------------------------
  word_read_t read_send, read_hash, read_feed, read_gather;
  word_read_t read_bike_sample, read_invert, read_compare, read_hqc_sample;
  word_write_t write_receive, write_gather, write_bike_sample, write_invert, write_hqc_sample;
  logic [WORD-1:0] wdata_receive, wdata_gather, wdata_bike_sample, wdata_invert, wdata_hqc_sample;
  logic [WORD-1:0] received, poly_rdata, poly_late, bits_hqc_sample;
  logic poly_hold, merge_hqc_sample, forward_hqc_sample;
  kem_slots #(
      .SLOTS(bike_pkg::SLOTS),
      .WORDS(joint_pkg::words_of(LEVEL, WORD)),
      .WORD(WORD),
      .READ_PORTS(1)
  ) u_slots (
      .clk_i,
      .write_i(write_receive | write_gather | write_bike_sample | write_invert | write_hqc_sample),
      .wdata_i(received | wdata_gather | wdata_bike_sample | wdata_invert | wdata_hqc_sample),
      .read_i(read_send | read_hash | read_feed | read_gather | read_bike_sample | read_invert
              | read_compare | read_hqc_sample),
      .hold_i(poly_hold),
      .rdata_o(poly_rdata),
      .wipe_i,
      .wipe_addr_i
  );
  kem_late #(
      .WORD(WORD)
  ) u_late (
      .clk_i,
      .write_i(write_hqc_sample.valid),
      .wdata_i(bits_hqc_sample),
      .merge_i(merge_hqc_sample),
      .forward_i(forward_hqc_sample),
      .wdata_o(wdata_hqc_sample),
      .rdata_i(poly_rdata),
      .late_o(poly_late)
  );

  // --- Strings; HQC's decoder writes m when the others do not ------------------------------------
  lane_write_t str_write_hash, str_write_receive, str_write_decode;
  lane_read_t str_read_hash, str_read_send, str_read_encode;
  logic [63:0] str_rdata;
  logic str_hold;
  kem_strings #(
      .STRINGS(hqc_pkg::STRINGS),
      .READ_PORTS(1)
  ) u_strings (
      .clk_i,
      .write_i(str_write_hash | str_write_receive | str_write_decode),
      .read_i(str_read_hash | str_read_send | str_read_encode),
      .hold_i(str_hold),
      .rdata_o(str_rdata),
      .wipe_i,
      .wipe_addr_i
  );

  // --- BIKE's lists of positions -----------------------------------------------------------------
  entry_write_t list_write_sample, list_write_receive, list_write;
  entry_read_t list_read_send, list_read_positions, list_read;
  logic [BikeIndexBits:0] list_word;
  logic [16:0] list_rdata;
  assign list_write = list_write_sample | list_write_receive;
  assign list_read = list_read_send | list_read_positions;
  assign list_rdata = 17'(list_word);
  kem_memory #(
      .WIDTH(BikeIndexBits + 1),
      .DEPTH(2 ** ListBits)
  ) u_lists (
      .clk_i,
      .we_i(list_write.valid),
      .waddr_i(list_write.entry[ListBits-1:0]),
      .wdata_i(list_write.data[BikeIndexBits:0]),
      .raddr_i(list_read[ListBits-1:0]),
      .rdata_o(list_word),
      .wipe_i,
      .wipe_addr_i
  );

  // --- Streams -----------------------------------------------------------------------------------
  localparam int LastWord = bike_pkg::words_of(LEVEL, WORD) - 1;
  localparam logic [WORD-1:0] LastBytes =
      {WORD{1'b1}} >> ((LastWord + 1) * WORD - 8 * bike_pkg::poly_bytes(
      LEVEL
  ));
  field_e kind;
  logic equal_bike, equal_hqc, sure_bike, sure_hqc, sends_key, hashes_key, checked;
  logic decaps_q, upset_send, upset_gather, upset_key;
  logic [2:0] sent;
  logic [CountBits-1:0] field_last;
  assign kind = field_e'(operands_i.a[1:0]);
  assign field_last = hqc_i
      ? CountBits'(hqc_pkg::field_final(LEVEL, kind, operands_i.b, operands_i.a[2]))
      : CountBits'(bike_pkg::field_final(LEVEL, kind, operands_i.b));
  // Of K and what a rejection gives one is sent; this is secret and only chooses an address.
  // Program and operation must agree on whether K is checked, and the comparison must be sure.
  assign checked = operands_i.a[2];
  assign sends_key = hqc_i && kind == F_STR && operands_i.b == hqc_pkg::STR_K;
  assign hashes_key = bike_start[bike_pkg::U_HASH] && operands_i.a[1:0] == bike_pkg::HASH_K;
  assign sent = sends_key && checked && !equal_hqc ? hqc_pkg::STR_REJECTED : operands_i.b;
  assign upset_key = (hashes_key && (checked != decaps_q || (checked && !sure_bike)))
                  || (sends_key && hqc_start[hqc_pkg::U_SEND]
                      && (checked != decaps_q || (checked && !sure_hqc)));
  assign upset_o = upset_send || upset_gather || upset_key;
  always_ff @(posedge clk_i) begin
    if (clear_i) decaps_q <= 1'b0;
    else if (begin_i) decaps_q <= op_i == OP_DECAPS;
  end
  kem_receive #(
      .WORD(WORD),
      .TAIL_BYTES(4),  // BIKE's last word is cut below; in HQC's slots what is beyond does no harm
      .LIMIT(R),
      .LIST_BASE(bike_pkg::list_base(LEVEL)),
      .COUNT_BITS(CountBits)
  ) u_receive (
      .clk_i,
      .clear_i,
      .start_i(start_i[bike_pkg::U_RECV]),
      .kind_i(kind),
      .which_i(operands_i.b),
      .final_i(field_last),
      .last_i(operands_i.last),
      .done_o(done[bike_pkg::U_RECV]),
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
  assign received = wdata_receive
                  & (!hqc_i && write_receive.word == 10'(LastWord) ? LastBytes : '1);
  kem_send #(
      .WORD(WORD),
      .POSITION_BITS(BikeIndexBits),
      .LIST_BASE(bike_pkg::list_base(LEVEL)),
      .COUNT_BITS(CountBits)
  ) u_send (
      .clk_i,
      .clear_i,
      .start_i(start_i[bike_pkg::U_SEND]),
      .kind_i(kind),
      .which_i(sent),
      .final_i(field_last),
      .last_i(operands_i.last),
      .done_o(done[bike_pkg::U_SEND]),
      .upset_o(upset_send),
      .out_valid_o,
      .out_ready_i,
      .out_data_o,
      .out_last_o,
      .poly_read_o(read_send),
      .poly_rdata_i(poly_rdata),
      .str_read_o(str_read_send),
      .str_rdata_i(str_rdata),
      .list_read_o(list_read_send),
      .list_rdata_i(list_rdata)
  );

  // --- Hashing and sampling ----------------------------------------------------------------------
  logic bike_valid, bike_next, hqc_valid, hqc_next, lane_next;
  logic [31:0] bike_word, hqc_word;
  logic [63:0] xof_lane;
  joint_hash #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .ROUNDS(KECCAK_ROUNDS),
      .BUFFERED(KECCAK_BUFFERED)
  ) u_hash (
      .clk_i,
      .clear_i,
      .hqc_i,
      .start_i(start_i[bike_pkg::U_HASH]),
      .kind_i(operands_i.a),
      .string_i(operands_i.b),
      .sigma_i(checked && !equal_bike),
      .done_o(done[bike_pkg::U_HASH]),
      .bike_valid_o(bike_valid),
      .bike_next_i(bike_next),
      .bike_word_o(bike_word),
      .hqc_valid_o(hqc_valid),
      .hqc_next_i(hqc_next),
      .hqc_word_o(hqc_word),
      .lane_next_i(lane_next),
      .lane_o(xof_lane),
      .poly_read_o(read_hash),
      .poly_hold_o(poly_hold),
      .poly_rdata_i(poly_rdata),
      .str_read_o(str_read_hash),
      .str_hold_o(str_hold),
      .str_rdata_i(str_rdata),
      .str_write_o(str_write_hash)
  );
  bike_sampler #(
      .LEVEL(LEVEL),
      .WORD(WORD)
  ) u_bike_sampler (
      .clk_i,
      .clear_i,
      .start_i(bike_start[bike_pkg::U_SAMPLE]),
      .kind_i(bike_pkg::sample_e'(operands_i.a)),
      .done_o(bike_done[bike_pkg::U_SAMPLE]),
      .prf_valid_i(bike_valid),
      .prf_next_o(bike_next),
      .prf_word_i(bike_word),
      .poly_read_o(read_bike_sample),
      .poly_rdata_i(poly_rdata),
      .poly_write_o(write_bike_sample),
      .poly_wdata_o(wdata_bike_sample),
      .list_write_o(list_write_sample)
  );
  logic place_valid;
  logic [HqcIndexBits-1:0] place;
  hqc_sampler #(
      .LEVEL(LEVEL),
      .WORD(WORD)
  ) u_hqc_sampler (
      .clk_i,
      .clear_i,
      .start_i(hqc_start[hqc_pkg::U_SAMPLE]),
      .draw_i(hqc_pkg::draw_e'(operands_i.a[1:0])),
      .slot_i(operands_i.b),
      .done_o(hqc_done[hqc_pkg::U_SAMPLE]),
      .restart_i(start_i[hqc_pkg::U_HASH]),
      .word_valid_i(hqc_valid),
      .word_next_o(hqc_next),
      .word_i(hqc_word),
      .position_valid_o(place_valid),
      .position_o(place),
      .poly_read_o(read_hqc_sample),
      .poly_late_i(poly_late),
      .poly_write_o(write_hqc_sample),
      .poly_wdata_o(bits_hqc_sample),
      .poly_merge_o(merge_hqc_sample),
      .poly_forward_o(forward_hqc_sample),
      .wipe_i,
      .wipe_addr_i
  );

  // --- Positions and rows for the lanes ----------------------------------------------------------
  logic [LANES-1:0] lane_we;
  logic [LaneListBits-1:0] lane_waddr;
  logic [IndexBits+1:0] lane_wdata;
  logic [HqcPadding-1:0] padding;
  logic [HqcPadding-2:0] top;
  logic feed_valid, feed_first, feed_last;
  logic [WORD-1:0] feed_word;
  joint_feed #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .SURPLUS(Sweeps * INV_STEPS - (2 * R - 1))
  ) u_feed (
      .clk_i,
      .clear_i,
      .kind_i(operands_i.a),
      .slot_i(operands_i.b),
      .bike_positions_i(bike_start[bike_pkg::U_POS]),
      .bike_positions_o(bike_done[bike_pkg::U_POS]),
      .bike_rows_i(bike_start[bike_pkg::U_ROWS]),
      .bike_rows_o(bike_done[bike_pkg::U_ROWS]),
      .hqc_sample_i(hqc_start[hqc_pkg::U_SAMPLE]),
      .hqc_place_valid_i(place_valid),
      .hqc_place_i(place),
      .hqc_expand_i(hqc_start[hqc_pkg::U_EXPAND]),
      .hqc_expand_o(hqc_done[hqc_pkg::U_EXPAND]),
      .hqc_lane_valid_i(hqc_valid),
      .hqc_lane_next_o(lane_next),
      .hqc_lane_i(xof_lane),
      .hqc_rows_i(hqc_start[hqc_pkg::U_ROWS]),
      .hqc_rows_o(hqc_done[hqc_pkg::U_ROWS]),
      .hqc_padding_o(padding),
      .hqc_top_o(top),
      .list_read_o(list_read_positions),
      .list_rdata_i(list_rdata),
      .poly_read_o(read_feed),
      .poly_rdata_i(poly_rdata),
      .poly_late_i(poly_late),
      .lane_we_o(lane_we),
      .lane_waddr_o(lane_waddr),
      .lane_wdata_o(lane_wdata),
      .feed_valid_o(feed_valid),
      .feed_first_o(feed_first),
      .feed_last_o(feed_last),
      .feed_word_o(feed_word)
  );

  // --- Products and decoding ---------------------------------------------------------------------
  logic rm_upper, symbol_next, code_valid, encodes;
  logic [1:0] encode_lane;
  assign str_read_encode = encodes ? '{number: hqc_pkg::STR_M, lane: encode_lane} : '0;
  logic [WORD-1:0] rm_word, code_word;
  joint_gather #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .LANES(LANES),
      .CLIENT(Client),
      .LOWER_FIRST_THRESHOLD(LOWER_FIRST_THRESHOLD)
  ) u_gather (
      .clk_i,
      .clear_i,
      .hqc_i,
      .reset_i(begin_i),
      .start_i(start_i[bike_pkg::U_GATHER]),
      .mode_i(operands_i.a),
      .done_o(done[bike_pkg::U_GATHER]),
      .equal_o(equal_hqc),
      .sure_o(sure_hqc),
      .upset_o(upset_gather),
      .feed_valid_i(feed_valid),
      .feed_first_i(feed_first),
      .feed_last_i(feed_last),
      .feed_word_i(feed_word),
      .list_we_i(lane_we),
      .list_waddr_i(lane_waddr),
      .list_wdata_i(lane_wdata),
      .padding_i(padding),
      .top_i(top),
      .rm_i(rm_word),
      .rm_upper_o(rm_upper),
      .symbol_next_o(symbol_next),
      .code_valid_o(code_valid),
      .code_word_o(code_word),
      .poly_read_o(read_gather),
      .poly_rdata_i(poly_rdata),
      .poly_late_i(poly_late),
      .poly_write_o(write_gather),
      .poly_wdata_o(wdata_gather),
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
      .encode_i(hqc_start[hqc_pkg::U_ENCODE]),
      .encoded_o(hqc_done[hqc_pkg::U_ENCODE]),
      .decode_i(hqc_start[hqc_pkg::U_DECODE]),
      .decoded_o(hqc_done[hqc_pkg::U_DECODE]),
      .read_o(encodes),
      .lane_o(encode_lane),
      .lane_i(str_rdata),
      .str_write_o(str_write_decode),
      .str_ready_i(!str_write_hash.valid && !str_write_receive.valid),
      .rm_upper_i(rm_upper),
      .symbol_next_i(symbol_next),
      .rm_word_o(rm_word),
      .code_valid_i(code_valid),
      .code_word_i(code_word)
  );

  // --- What BIKE's server does not have ----------------------------------------------------------
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
        .start_i(bike_start[bike_pkg::U_INVERT]),
        .finish_i(operands_i.a[0]),
        .done_o(bike_done[bike_pkg::U_INVERT]),
        .poly_read_o(read_invert),
        .poly_rdata_i(poly_rdata),
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
        .start_i(bike_start[bike_pkg::U_COMPARE]),
        .done_o(bike_done[bike_pkg::U_COMPARE]),
        .equal_o(equal_bike),
        .sure_o(sure_bike),
        .poly_read_o(read_compare),
        .poly_rdata_i(poly_rdata)
    );
  end else begin : gen_server
    assign {equal_bike, sure_bike} = '1;
    assign {bike_done[bike_pkg::U_INVERT], bike_done[bike_pkg::U_COMPARE]} = '0;
    assign {read_invert, write_invert, wdata_invert, read_compare} = '0;
  end

  // What is counted in the other vectors.
  assign {done[bike_pkg::U_COMPARE], done[bike_pkg::U_INVERT], done[bike_pkg::U_ROWS],
          done[bike_pkg::U_POS], done[bike_pkg::U_SAMPLE]} = '0;
  assign {bike_done[bike_pkg::U_GATHER], bike_done[bike_pkg::U_HASH], bike_done[bike_pkg::U_SEND],
          bike_done[bike_pkg::U_RECV]} = '0;
  assign {hqc_done[hqc_pkg::U_PRODUCT], hqc_done[hqc_pkg::U_HASH], hqc_done[hqc_pkg::U_SEND],
          hqc_done[hqc_pkg::U_RECV]} = '0;
endmodule
