# SPDX-License-Identifier: Apache-2.0 OR MIT
# Constraints of bike_core, hqc_core and joint_core, for any tool that reads SDC. There is one
# clock and no path to another one; the reset is synchronous and timed like any input. There are no
# exceptions: no false path, no path of several cycles.
# PERIOD in nanoseconds may be set before; half of it is left to the others. Paths go from in_* and
# out_ready_i to outputs: put registers there, or use the AXI tops, which have them.
if {![info exists PERIOD]} {
  set PERIOD 10.0
}
create_clock -name clk_i -period $PERIOD [get_ports clk_i]
set_input_delay [expr {$PERIOD / 2}] -clock clk_i [get_ports { \
  rst_ni start_i op_i abort_i wipe_after_i in_valid_i in_data_i in_last_i out_ready_i \
}]
set_output_delay [expr {$PERIOD / 2}] -clock clk_i [get_ports { \
  step_o busy_o done_o error_o in_ready_o out_valid_o out_data_o out_last_o \
}]
