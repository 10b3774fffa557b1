# SPDX-License-Identifier: Apache-2.0 OR MIT
# Constraints of bike_axi, hqc_axi and joint_axi, for any tool that reads SDC. There is one
# clock and no path to another one; the reset is synchronous and timed like any input. There are no
# exceptions: no false path, no path of several cycles.
# PERIOD in nanoseconds may be set before. All ports are registers' outputs, or go to registers: half
# of the period is left to the others.
if {![info exists PERIOD]} {
  set PERIOD 10.0
}
create_clock -name aclk -period $PERIOD [get_ports aclk]
set_input_delay [expr {$PERIOD / 2}] -clock aclk [get_ports { \
  aresetn s_axil_awaddr s_axil_awprot s_axil_awvalid s_axil_wdata s_axil_wstrb s_axil_wvalid \
  s_axil_bready s_axil_araddr s_axil_arprot s_axil_arvalid s_axil_rready s_axis_tdata \
  s_axis_tvalid s_axis_tlast m_axis_tready \
}]
set_output_delay [expr {$PERIOD / 2}] -clock aclk [get_ports { \
  s_axil_awready s_axil_wready s_axil_bresp s_axil_bvalid s_axil_arready s_axil_rdata \
  s_axil_rresp s_axil_rvalid s_axis_tready m_axis_tdata m_axis_tvalid m_axis_tlast irq \
}]
