// SPDX-License-Identifier: Apache-2.0 OR MIT
// What the units of the joint core need of both schemes: the larger of two sizes. Levels and
// presets are those of bike_pkg and hqc_pkg.
package joint_pkg;

  function automatic int larger(int a, int b);
    return a > b ? a : b;
  endfunction

  function automatic int words_of(int level, int word);  // of a slot
    return larger(bike_pkg::words_of(level, word), hqc_pkg::words_of(level, word));
  endfunction
  function automatic int index_bits(int level);  // of a position
    return $clog2(larger(bike_pkg::r_bits(level), hqc_pkg::n_bits(level)));
  endfunction
  function automatic int lane_list_bits(int level, int lanes);
    return larger(bike_pkg::lane_list_bits(level, lanes), hqc_pkg::lane_list_bits(level, lanes));
  endfunction
  function automatic int count_bits(int level, int word);  // of the words of 32 bits of a field
    return $clog2(larger(3 * bike_pkg::poly_words32(level), hqc_pkg::u_words32(level) + word / 32));
  endfunction
  // The deepest memory: how many addresses a wipe goes through.
  function automatic int wipe_words(int level, int build, int word, int stride, int inv_word,
                                    int inv_steps);
    int bike, hqc;
    bike = bike_pkg::bike_wipe_words(level, word, stride, inv_word, inv_steps);
    hqc = hqc_pkg::hqc_wipe_words(level, build, word, stride);
    return larger(larger(bike, hqc), bike_pkg::SLOTS * words_of(level, word));
  endfunction

endpackage
