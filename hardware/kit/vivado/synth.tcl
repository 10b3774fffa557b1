# SPDX-License-Identifier: Apache-2.0 OR MIT
# Synthesises bike_axi out of context in Vivado, without a project, and with -place also places and
# routes it. Reports and checkpoints go into the current folder. Written from the manuals: not run
# by us, for no vendor's tool is at hand.
#
# vivado -mode batch -source synth.tcl [-tclargs [-part PART] [-place] [NAME=VALUE]...]
#   NAME=VALUE   parameters of bike_axi: LEVEL=1 PRESET=0 BUILD=0

set kit [file dirname [file normalize [info script]]]
set rtl [file normalize $kit/../../rtl]
set part xc7a100tcsg324-1
set place 0
set generics {}
for {set i 0} {$i < $argc} {incr i} {
  set argument [lindex $argv $i]
  if {$argument eq "-part"} {
    set part [lindex $argv [incr i]]
  } elseif {$argument eq "-place"} {
    set place 1
  } elseif {[regexp {^\w+=\d+$} $argument]} {
    lappend generics -generic $argument
  } else {
    error "unknown argument $argument"
  }
}

# The packages first; each imports those above it.
set packages [list \
  $rtl/common/kem_pkg.sv \
  $rtl/bike/bike_pkg.sv \
  $rtl/generated/kem_registers_pkg.sv \
  $rtl/shell/shell_pkg.sv \
]
read_verilog -sv $packages
foreach file [lsort [glob $rtl/common/*.sv $rtl/generated/*.sv $rtl/shell/*.sv $rtl/bike/*.sv]] {
  if {$file ni $packages} {
    read_verilog -sv $file
  }
}
read_xdc -mode out_of_context $kit/clock.xdc

synth_design -top bike_axi -part $part -mode out_of_context {*}$generics
write_checkpoint -force bike_axi_synth.dcp
report_utilization -hierarchical -file bike_axi_synth_utilization.txt
report_timing_summary -file bike_axi_synth_timing.txt
if {$place} {
  opt_design
  place_design
  phys_opt_design
  route_design
  write_checkpoint -force bike_axi_routed.dcp
  report_utilization -hierarchical -file bike_axi_routed_utilization.txt
  report_timing_summary -file bike_axi_routed_timing.txt
}
