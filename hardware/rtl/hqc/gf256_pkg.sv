// SPDX-License-Identifier: Apache-2.0 OR MIT
// The field GF(256) = GF(2)[x] / (x^8 + x^4 + x^3 + x^2 + 1) of HQC's Reed-Solomon code [HQC, S6]:
// bit j of an element is the coefficient of x^j, alpha is x. And what follows from the code's
// numbers: powers of alpha, the generator polynomial, the table of inverses.
package gf256_pkg;
  typedef logic [7:0] gf256_t;

  function automatic gf256_t gf256_times_x(gf256_t a);
    return {a[6:0], 1'b0} ^ (a[7] ? 8'h1D : 8'h00);
  endfunction

  function automatic gf256_t gf256_mul(gf256_t a, gf256_t b);
    logic [14:0] product;  // without reduction
    gf256_t folded, power;
    product = '0;
    for (int i = 0; i < 8; i++) product[i +: 8] = product[i +: 8] ^ (a & {8{b[i]}});
    folded = product[7:0];
    power = 8'h1D;  // x^8, and so on
    for (int i = 8; i < 15; i++) begin
      folded = folded ^ (power & {8{product[i]}});
      power = gf256_times_x(power);
    end
    return folded;
  endfunction

  // --- Constants: not for signals ----------------------------------------------------------------
  function automatic gf256_t gf256_power(int exponent);  // of alpha; not below -255
    gf256_t a;
    a = 8'h01;
    for (int i = 0; i < (exponent + 255) % 255; i++) a = gf256_times_x(a);
    return a;
  endfunction

  // The product of (X - alpha^i) for i = 1 .. 2 delta; coefficient i in element i.
  typedef gf256_t [63:0] rs_polynomial_t;
  function automatic rs_polynomial_t rs_generator(int delta);
    rs_polynomial_t g;
    gf256_t root;
    g = '0;
    g[0] = 8'h01;
    root = 8'h01;
    for (int i = 1; i <= 2 * delta; i++) begin
      root = gf256_times_x(root);
      for (int j = i; j > 0; j--) g[j] = g[j-1] ^ gf256_mul(g[j], root);
      g[0] = gf256_mul(g[0], root);
    end
    return g;
  endfunction

  // Element a is the inverse of a, element 0 is 0.
  typedef gf256_t [255:0] gf256_table_t;
  function automatic gf256_table_t gf256_inverses();
    gf256_table_t inverses;
    gf256_t a, b;
    inverses = '0;
    a = 8'h01;
    b = 8'h01;
    for (int i = 0; i < 255; i++) begin
      inverses[a] = b;
      a = gf256_times_x(a);
      b = {b[0], b[7:1]} ^ (b[0] ? 8'h0E : 8'h00);  // b / x
    end
    return inverses;
  endfunction
endpackage
