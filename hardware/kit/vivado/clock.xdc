# SPDX-License-Identifier: Apache-2.0 OR MIT
# The clock that a core is asked for out of context, 100 MHz. In a design of your own the clock
# comes from there: leave this file out.
create_clock -name aclk -period 10.000 [get_ports aclk]
# All ports are registers' outputs, or go to registers: half of the period is left to the others.
set_input_delay -clock aclk 5.000 [get_ports -filter {DIRECTION == IN && NAME != "aclk"}]
set_output_delay -clock aclk 5.000 [get_ports -filter {DIRECTION == OUT}]
