// SPDX-License-Identifier: Apache-2.0 OR MIT
// Two division steps on N neighbouring coefficients [BY19]; one step is
// f' = x * (swap ? g : f), g' = g + add * f. Combinational. Two at once take three look-up tables
// for each coefficient instead of four; the module is a boundary for the synthesiser, which would
// otherwise merge across steps and need more.
(* keep_hierarchy *)
module divstep_pair #(
    parameter int N = 68
) (
    input  logic [N-1:0] f_i,
    input  logic [N-1:0] g_i,
    input  logic [1:0]   swap_i,
    input  logic [1:0]   add_i,
    output logic [N-1:0] f_o,  // coefficients 0 and 1 lack what comes from below
    output logic [N-1:0] g_o   // coefficient 0 lacks it, too
);
  logic [N-1:0] g_one, f_one;  // after the first step
  assign g_one = g_i ^ (f_i & {N{add_i[0]}});
  assign f_one = (swap_i[0] ? g_i : f_i) << 1;
  assign g_o = g_one ^ (f_one & {N{add_i[1]}});
  assign f_o = (swap_i[1] ? g_one : f_one) << 1;

`ifdef FORMAL
  // One step after the other, by coefficients.
  logic [N-1:0] f_first, g_first, f_second, g_second;
  always_comb begin
    {f_first, g_first, f_second, g_second} = '0;
    for (int i = 0; i < N; i++) begin
      g_first[i] = add_i[0] ? g_i[i] ^ f_i[i] : g_i[i];
      if (i > 0) f_first[i] = swap_i[0] ? g_i[i-1] : f_i[i-1];
    end
    for (int i = 0; i < N; i++) begin
      g_second[i] = add_i[1] ? g_first[i] ^ f_first[i] : g_first[i];
      if (i > 0) f_second[i] = swap_i[1] ? g_first[i-1] : f_first[i-1];
    end
    two_steps : assert (f_o == f_second && g_o == g_second);
  end
`endif
endmodule
