// SPDX-License-Identifier: Apache-2.0 OR MIT
// What a core is made of: its schemes and the parameters of its units. bike_core, hqc_core and
// joint_core have them as parameters of their own.
package shell_pkg;

  typedef struct packed {
    bit bike;  // has this scheme
    bit hqc;
    int level;
    int build;
    int word;
    int stride;
    int lanes;
    int inv_word;  // of BIKE's inverter, and the next three
    int inv_steps;
    int inv_stage;
    int inv_rate;
    int rm_values;  // of HQC's codes, and the next one
    int bm_cells;
    int keccak_rounds;
    bit keccak_buffered;
    bit overlap;  // read ports for units side by side; of one scheme
    int lower_first_threshold;  // of BIKE's decoder
    int wipe_words;  // of the deepest memory
  } core_t;

endpackage
