# SPDX-License-Identifier: Apache-2.0 OR MIT
# Synthesises a core out of context in Vivado, without a project, and with -place also places and
# routes it. Reports and checkpoints go into the current folder. Written from the manuals: never run
# by us, for no vendor's tool is at hand.
#
# vivado -mode batch -source synth.tcl
#        [-tclargs [-scheme SCHEME] [-part PART] [-place] [NAME=VALUE]...]
#   SCHEME       bike, the default, hqc or joint: the top is bike_axi, hqc_axi or joint_axi
#   NAME=VALUE   parameters of the top: LEVEL=1 PRESET=0 BUILD=0

set kit [file dirname [file normalize [info script]]]
set rtl [file normalize $kit/../../rtl]
set scheme bike
set part xc7a100tcsg324-1
set place 0
set generics {}
for {set i 0} {$i < $argc} {incr i} {
  set argument [lindex $argv $i]
  if {$argument eq "-scheme"} {
    set scheme [lindex $argv [incr i]]
  } elseif {$argument eq "-part"} {
    set part [lindex $argv [incr i]]
  } elseif {$argument eq "-place"} {
    set place 1
  } elseif {[regexp {^\w+=\d+$} $argument]} {
    lappend generics -generic $argument
  } else {
    error "unknown argument $argument"
  }
}

if {$scheme eq "joint"} {
  set folders {bike hqc joint}
} elseif {$scheme in {bike hqc}} {
  set folders $scheme
} else {
  error "unknown scheme $scheme"
}
set top ${scheme}_axi

# The packages first, kem_pkg before the others, which import it.
set files [list $rtl/common/kem_pkg.sv]
set found {}
foreach folder [list common generated shell {*}$folders] {
  lappend found {*}[glob $rtl/$folder/*.sv]
}
foreach pattern {*_pkg.sv *.sv} {
  foreach file [lsort $found] {
    if {[string match $pattern $file] && $file ni $files} {
      lappend files $file
    }
  }
}
read_verilog -sv $files
read_xdc -mode out_of_context $kit/clock.xdc

synth_design -top $top -part $part -mode out_of_context {*}$generics
write_checkpoint -force ${top}_synth.dcp
report_utilization -hierarchical -file ${top}_synth_utilization.txt
report_timing_summary -file ${top}_synth_timing.txt
if {$place} {
  opt_design
  place_design
  phys_opt_design
  route_design
  write_checkpoint -force ${top}_routed.dcp
  report_utilization -hierarchical -file ${top}_routed_utilization.txt
  report_timing_summary -file ${top}_routed_timing.txt
}
