// What the parser of specifications says of text that the grammar has but that means
// nothing (constraints C2 to C6), with the column at which it says it.
//
// RUN: not tile-opt --split-input-file %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=error:

// C2: repeated result index.
// CHECK: {{:}}[[@LINE+1]]:31: error: repeated result index 'm': expected each index once in the result
#s = #einsum.spec<"mk, kn -> mm">

// -----

// C2: repeated, not adjacent.
// CHECK: {{:}}[[@LINE+1]]:32: error: repeated result index 'm': expected each index once in the result
#s = #einsum.spec<"mk, kn -> mnm">

// -----

// C2: a result index that no operand has.
// CHECK: {{:}}[[@LINE+1]]:31: error: result index 'q' is used by no operand
#s = #einsum.spec<"mk, kn -> mq">

// -----

// C2: indices of tables' names are no indices.
// CHECK: {{:}}[[@LINE+1]]:33: error: result index 's' is used by no operand
#s = #einsum.spec<"m(sh[k]) -> ms">

// -----

// C2: upper and lower case are two indices.
// CHECK: {{:}}[[@LINE+1]]:31: error: result index 'N' is used by no operand
#s = #einsum.spec<"mk, kn -> mN">

// -----

// C2: a reduced index that cancels out.
// CHECK: {{:}}[[@LINE+1]]:21: error: index 'h' cancels out of every axis: expected an operand to use it; leave it out
#s = #einsum.spec<"(h-h)k -> k">

// -----

// C2: a result index that cancels out.
// CHECK: {{:}}[[@LINE+1]]:21: error: index 'h' cancels out of every axis: expected an operand to use it; leave it out
#s = #einsum.spec<"(h-h)k -> kh">

// -----

// C9: a table that cancels out.
// CHECK: {{:}}[[@LINE+1]]:24: error: table 'sh' cancels out of every axis: expected an operand to use it; leave it out
#s = #einsum.spec<"k(0*sh[k]) -> k">

// -----

// C3: a product of a row index and a reduced index.
// CHECK: {{:}}[[@LINE+1]]:23: error: product mixes result index 'h' and reduced index 'c': an axis must be f(result indices) + g(reduced indices)
#s = #einsum.spec<"n(h*c), ck -> nkh">

// -----

// C3: the other way round.
// CHECK: {{:}}[[@LINE+1]]:23: error: product mixes result index 'h' and reduced index 'c': an axis must be f(result indices) + g(reduced indices)
#s = #einsum.spec<"n(c*h), ck -> nkh">

// -----

// C3: under a sign.
// CHECK: {{:}}[[@LINE+1]]:25: error: product mixes result index 'h' and reduced index 'c': an axis must be f(result indices) + g(reduced indices)
#s = #einsum.spec<"n(-(h*c)), ck -> nkh">

// -----

// C3: inside of a sum and a multiple.
// CHECK: {{:}}[[@LINE+1]]:28: error: product mixes result index 'w' and reduced index 'c': an axis must be f(result indices) + g(reduced indices)
#s = #einsum.spec<"n(h+2*(w*c)), ck -> nkhw">

// -----

// C3: a sum times an index.
// CHECK: {{:}}[[@LINE+1]]:27: error: product mixes result index 'w' and reduced index 'c': an axis must be f(result indices) + g(reduced indices)
#s = #einsum.spec<"n((h+c)*w), ck -> nkhw">

// -----

// C3: a look-up times an index.
// CHECK: {{:}}[[@LINE+1]]:27: error: product mixes result index 'h' and reduced index 'c': an axis must be f(result indices) + g(reduced indices)
#s = #einsum.spec<"n(sh[c]*h), ck -> nkh">

// -----

// C3: a division of a sum.
// CHECK: {{:}}[[@LINE+1]]:27: error: division mixes result index 'h' and reduced index 'c': an axis must be f(result indices) + g(reduced indices)
#s = #einsum.spec<"n((h+c)/2), ck -> nkh">

// -----

// C3: a division by an index.
// CHECK: {{:}}[[@LINE+1]]:23: error: division mixes result index 'h' and reduced index 'c': an axis must be f(result indices) + g(reduced indices)
#s = #einsum.spec<"n(h/c), ck -> nkh">

// -----

// C3: a modulus of a sum.
// CHECK: {{:}}[[@LINE+1]]:27: error: modulus mixes result index 'h' and reduced index 'c': an axis must be f(result indices) + g(reduced indices)
#s = #einsum.spec<"n((h+c)%3), ck -> nkh">

// -----

// C3: a modulus by an index.
// CHECK: {{:}}[[@LINE+1]]:23: error: modulus mixes result index 'h' and reduced index 'c': an axis must be f(result indices) + g(reduced indices)
#s = #einsum.spec<"n(h%c), ck -> nkh">

// -----

// C3: a look-up by both.
// CHECK: {{:}}[[@LINE+1]]:22: error: table look-up 't' mixes result index 'h' and reduced index 'c': an axis must be f(result indices) + g(reduced indices)
#s = #einsum.spec<"n(t[h,c]), ck -> nkh">

// -----

// C4: a constant of more than 64 bits.
// CHECK: {{:}}[[@LINE+1]]:22: error: constant 9223372036854775808 overflows: expected at most 9223372036854775807
#s = #einsum.spec<"n(9223372036854775808*h) -> nh">

// -----

// C4: a product of constants.
// CHECK: {{:}}[[@LINE+1]]:43: error: constants of this axis overflow: expected products and sums of at most 9223372036854775807
#s = #einsum.spec<"n(9223372036854775807*2*h) -> nh">

// -----

// C4: a sum of constants.
// CHECK: {{:}}[[@LINE+1]]:43: error: constants of this axis overflow: expected products and sums of at most 9223372036854775807
#s = #einsum.spec<"n(9223372036854775807+1+h) -> nh">

// -----

// C4: a difference of constants.
// CHECK: {{:}}[[@LINE+1]]:43: error: constants of this axis overflow: expected products and sums of at most 9223372036854775807
#s = #einsum.spec<"n(h-9223372036854775807-9223372036854775807) -> nh">

// -----

// C4: through distribution.
// CHECK: {{:}}[[@LINE+1]]:32: error: constants of this axis overflow: expected products and sums of at most 9223372036854775807
#s = #einsum.spec<"n(3037000500*(3037000500+h)) -> nh">

// -----

// C5: division by zero.
// CHECK: {{:}}[[@LINE+1]]:24: error: division by 0: expected a positive divisor
#s = #einsum.spec<"n(h/0) -> nh">

// -----

// C5: modulus by zero.
// CHECK: {{:}}[[@LINE+1]]:24: error: modulus by 0: expected a positive divisor
#s = #einsum.spec<"n(h%0) -> nh">

// -----

// C5: a negative divisor.
// CHECK: {{:}}[[@LINE+1]]:24: error: modulus by -2: expected a positive divisor
#s = #einsum.spec<"n(h%-2) -> nh">

// -----

// C5: a divisor that is zero once simplified.
// CHECK: {{:}}[[@LINE+1]]:26: error: division by 0: expected a positive divisor
#s = #einsum.spec<"n(h/(2-2)) -> nh">

// -----

// C5: inside of another division.
// CHECK: {{:}}[[@LINE+1]]:29: error: modulus by 0: expected a positive divisor
#s = #einsum.spec<"n(h/(1+h%0)) -> nh">

// -----

// C6: a table with one index, then two.
// CHECK: {{:}}[[@LINE+1]]:28: error: table 'sh' is indexed by 2 indices here, but by 1 before
#s = #einsum.spec<"n(sh[n]+sh[n,h]) -> nh">

// -----

// C6: across operands.
// CHECK: {{:}}[[@LINE+1]]:34: error: table 'sh' is indexed by 1 indices here, but by 2 before
#s = #einsum.spec<"n(sh[n,h]), h(sh[n]) -> nh">
