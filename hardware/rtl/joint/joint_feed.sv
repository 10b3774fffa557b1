// SPDX-License-Identifier: Apache-2.0 OR MIT
// What goes into the lanes of the joint core's gather unit, of both schemes: positions from lists
// or from HQC's sampler, and rows from slots or from HQC's stream. Connected as in bike_units and
// hqc_units; latencies are those of the units.
module joint_feed
  import kem_pkg::*;
#(
    parameter int LEVEL = 1,
    parameter int WORD = 128,
    parameter int STRIDE = 64,
    parameter int LANES = 4,
    parameter int SURPLUS = 31,  // of the inverter's steps, beyond those needed
    localparam int HqcIndexBits = $clog2(hqc_pkg::n_bits(LEVEL)),
    localparam int IndexBits = joint_pkg::index_bits(LEVEL),
    localparam int LaneListBits = joint_pkg::lane_list_bits(LEVEL, LANES),
    localparam int HqcPadding = 8 * hqc_pkg::u_bytes(LEVEL) - hqc_pkg::n_bits(LEVEL)
) (
    input  logic                    clk_i,
    input  logic                    clear_i,
    input  logic [2:0]              kind_i,            // pset_e, or HQC's sample_t
    input  logic [2:0]              slot_i,
    // BIKE: positions and rows
    input  logic                    bike_positions_i,  // starts
    output logic                    bike_positions_o,  // done
    input  logic                    bike_rows_i,
    output logic                    bike_rows_o,
    // HQC: positions of a draw, rows from the stream, from a slot
    input  logic                    hqc_sample_i,
    input  logic                    hqc_place_valid_i,
    input  logic [HqcIndexBits-1:0] hqc_place_i,
    input  logic                    hqc_expand_i,
    output logic                    hqc_expand_o,
    input  logic                    hqc_lane_valid_i,
    output logic                    hqc_lane_next_o,
    input  logic [63:0]             hqc_lane_i,
    input  logic                    hqc_rows_i,
    output logic                    hqc_rows_o,
    output logic [HqcPadding-1:0]   hqc_padding_o,
    output logic [HqcPadding-2:0]   hqc_top_o,
    // memories
    output entry_read_t             list_read_o,
    input  logic [16:0]             list_rdata_i,
    output word_read_t              poly_read_o,
    input  logic [WORD-1:0]         poly_rdata_i,
    input  logic [WORD-1:0]         poly_late_i,
    // to the gather unit
    output logic [LANES-1:0]        lane_we_o,
    output logic [LaneListBits-1:0] lane_waddr_o,
    output logic [IndexBits+1:0]    lane_wdata_o,
    output logic                    feed_valid_o,
    output logic                    feed_first_o,
    output logic                    feed_last_o,
    output logic [WORD-1:0]         feed_word_o
);
  localparam int BikeIndexBits = $clog2(bike_pkg::r_bits(LEVEL));
  localparam int BikeLaneListBits = bike_pkg::lane_list_bits(LEVEL, LANES);
  localparam int HqcLaneListBits = hqc_pkg::lane_list_bits(LEVEL, LANES);
  localparam int BikePadding = 8 * bike_pkg::poly_bytes(LEVEL) - bike_pkg::r_bits(LEVEL);

  // --- Positions for the lanes -------------------------------------------------------------------
  logic [LANES-1:0] bike_lane_we, hqc_lane_we;
  logic [BikeLaneListBits-1:0] bike_lane_waddr;
  logic [HqcLaneListBits-1:0] hqc_lane_waddr;
  logic [BikeIndexBits+1:0] bike_lane_wdata;
  logic [HqcIndexBits+1:0] hqc_lane_wdata;
  hqc_pkg::sample_t sample;
  assign sample = hqc_pkg::sample_t'(kind_i);
  bike_positions #(
      .LEVEL(LEVEL),
      .LANES(LANES),
      .SHIFT(SURPLUS - 2),
      .LIST_BITS(BikeLaneListBits)
  ) u_bike_positions (
      .clk_i,
      .clear_i,
      .start_i(bike_positions_i),
      .set_i(bike_pkg::pset_e'(kind_i)),
      .done_o(bike_positions_o),
      .list_read_o,
      .list_rdata_i,
      .lane_we_o(bike_lane_we),
      .lane_waddr_o(bike_lane_waddr),
      .lane_wdata_o(bike_lane_wdata)
  );
  hqc_positions #(
      .LEVEL(LEVEL),
      .LANES(LANES)
  ) u_hqc_positions (
      .clk_i,
      .clear_i,
      .start_i(hqc_sample_i && sample.lanes),
      .stop_i(hqc_sample_i && !sample.lanes),
      .key_i(sample.draw == hqc_pkg::DRAW_REJECT),
      .place_valid_i(hqc_place_valid_i),
      .place_i(hqc_place_i),
      .lane_we_o(hqc_lane_we),
      .lane_waddr_o(hqc_lane_waddr),
      .lane_wdata_o(hqc_lane_wdata),
      .top_o(hqc_top_o)
  );
  assign lane_we_o = bike_lane_we | hqc_lane_we;
  assign lane_waddr_o = LaneListBits'(bike_lane_waddr) | LaneListBits'(hqc_lane_waddr);
  assign lane_wdata_o = hqc_lane_wdata
                      | {bike_lane_wdata[BikeIndexBits+1:BikeIndexBits],
                         IndexBits'(bike_lane_wdata[BikeIndexBits-1:0])};

  // --- Rows for the lanes ------------------------------------------------------------------------
  typedef struct packed {
    logic valid, first, last;
    logic [WORD-1:0] word;
  } feed_t;
  feed_t feed_bike, feed_expand, feed_rows, feed;
  logic [WORD-1:0] bike_word, expand_word;
  word_read_t read_bike, read_hqc;
  assign feed_bike.word = bike_word & {WORD{feed_bike.valid}};
  assign feed_expand.word = expand_word & {WORD{feed_expand.valid}};
  assign feed = feed_bike | feed_expand | feed_rows;
  assign {feed_valid_o, feed_first_o, feed_last_o, feed_word_o} = feed;
  assign poly_read_o = read_bike | read_hqc;
  bike_rows #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .STRIDE(STRIDE),
      .EXTRA(SURPLUS > BikePadding ? SURPLUS : BikePadding)
  ) u_bike_rows (
      .clk_i,
      .clear_i,
      .start_i(bike_rows_i),
      .done_o(bike_rows_o),
      .poly_read_o(read_bike),
      .poly_rdata_i,
      .feed_valid_o(feed_bike.valid),
      .feed_first_o(feed_bike.first),
      .feed_last_o(feed_bike.last),
      .feed_word_o(bike_word)
  );
  hqc_expand #(
      .N(hqc_pkg::n_bits(LEVEL)),
      .WORD(WORD),
      .STRIDE(STRIDE)
  ) u_expand (
      .clk_i,
      .clear_i,
      .start_i(hqc_expand_i),
      .done_o(hqc_expand_o),
      .lane_valid_i(hqc_lane_valid_i),
      .lane_next_o(hqc_lane_next_o),
      .lane_i(hqc_lane_i),
      .feed_valid_o(feed_expand.valid),
      .feed_first_o(feed_expand.first),
      .feed_last_o(feed_expand.last),
      .feed_word_o(expand_word)
  );
  hqc_rows #(
      .LEVEL(LEVEL),
      .WORD(WORD),
      .STRIDE(STRIDE)
  ) u_hqc_rows (
      .clk_i,
      .clear_i,
      .start_i(hqc_rows_i),
      .slot_i(hqc_pkg::slot_e'(slot_i)),
      .done_o(hqc_rows_o),
      .poly_read_o(read_hqc),
      .poly_late_i,
      .feed_valid_o(feed_rows.valid),
      .feed_first_o(feed_rows.first),
      .feed_last_o(feed_rows.last),
      .feed_word_o(feed_rows.word),
      .padding_o(hqc_padding_o)
  );
endmodule
