// What the parser of specifications says of text that the grammar does not have
// (constraint C1), with the column at which it says it.
//
// RUN: not tile-opt --split-input-file %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=error:

// C1: a parenthesis that the term does not close.
// CHECK: {{:}}[[@LINE+1]]:21: error: unbalanced parentheses: '(' is not closed
#s = #einsum.spec<"m(k, kn -> mn">

// -----

// C1: nor the end of the operands.
// CHECK: {{:}}[[@LINE+1]]:25: error: unbalanced parentheses: '(' is not closed
#s = #einsum.spec<"mk, k(n -> mn">

// -----

// C1: nor the end of the text.
// CHECK: {{:}}[[@LINE+1]]:21: error: unbalanced parentheses: '(' is not closed
#s = #einsum.spec<"n(h">

// -----

// C1: of two, the outer one.
// CHECK: {{:}}[[@LINE+1]]:21: error: unbalanced parentheses: '(' is not closed
#s = #einsum.spec<"m((k), kn -> mn">

// -----

// C1: of many, the innermost one.
// CHECK: {{:}}[[@LINE+1]]:24: error: unbalanced parentheses: '(' is not closed
#s = #einsum.spec<"(((((m -> m">

// -----

// C1: a closing parenthesis alone.
// CHECK: {{:}}[[@LINE+1]]:22: error: unbalanced parentheses: ')' without a '('
#s = #einsum.spec<"mk), kn -> mn">

// -----

// C1: an axis needs an expression.
// CHECK: {{:}}[[@LINE+1]]:22: error: expected an index, an integer, a table look-up or '(', found ')'
#s = #einsum.spec<"m() -> m">

// -----

// C1: an operator needs a right operand.
// CHECK: {{:}}[[@LINE+1]]:24: error: expected an index, an integer, a table look-up or '(', found ')'
#s = #einsum.spec<"m(k+) -> m">

// -----

// C1: an operator needs a left operand.
// CHECK: {{:}}[[@LINE+1]]:22: error: expected an index, an integer, a table look-up or '(', found '*'
#s = #einsum.spec<"m(*k) -> m">

// -----

// C1: unknown index: two indices are no product.
// CHECK: {{:}}[[@LINE+1]]:22: error: unknown index 'kn': expected a single letter; write a product as h*w, a table look-up as kn[c]
#s = #einsum.spec<"m(kn) -> m">

// -----

// C1: unknown index: a name that is no table either.
// CHECK: {{:}}[[@LINE+1]]:22: error: unknown index '_': expected a single letter; write a product as h*w, a table look-up as _[c]
#s = #einsum.spec<"m(_) -> m">

// -----

// C1: a constant axis needs parentheses.
// CHECK: {{:}}[[@LINE+1]]:21: error: expected an index, '(', ',' or '->', found '2'
#s = #einsum.spec<"m2 -> m">

// -----

// C1: a factor needs an operator.
// CHECK: {{:}}[[@LINE+1]]:23: error: expected an operator or ')', found 'k'
#s = #einsum.spec<"m(2k) -> m">

// -----

// C1: constants are integers.
// CHECK: {{:}}[[@LINE+1]]:23: error: expected an operator or ')', found '.'
#s = #einsum.spec<"m(2.5*k) -> m">

// -----

// C1: juxtaposition is no product.
// CHECK: {{:}}[[@LINE+1]]:26: error: expected an operator or ')', found '('
#s = #einsum.spec<"m(a[m](k)) -> m">

// -----

// C1: no arrow.
// CHECK: {{:}}[[@LINE+1]]:26: error: expected ',' or '->' after an operand, found the end
#s = #einsum.spec<"mk, kn">

// -----

// C1: nothing at all.
// CHECK: {{:}}[[@LINE+1]]:20: error: expected ',' or '->' after an operand, found the end
#s = #einsum.spec<"">

// -----

// C1: an arrow is one word.
// CHECK: {{:}}[[@LINE+1]]:27: error: expected an index, '(', ',' or '->', found '-'
#s = #einsum.spec<"mk, kn - > mn">

// -----

// C1: another arrow.
// CHECK: {{:}}[[@LINE+1]]:23: error: expected an index, '(', ',' or '->', found '='
#s = #einsum.spec<"mk => m">

// -----

// C1: a second arrow.
// CHECK: {{:}}[[@LINE+1]]:27: error: expected an index in the result, found '-'
#s = #einsum.spec<"mk -> m->k">

// -----

// C1: the result is indices, not axes.
// CHECK: {{:}}[[@LINE+1]]:31: error: expected an index in the result, found '('
#s = #einsum.spec<"mk, kn -> m(n)">

// -----

// C1: one result.
// CHECK: {{:}}[[@LINE+1]]:31: error: expected an index in the result, found ','
#s = #einsum.spec<"mk, kn -> m,n">

// -----

// C1: the result looks nothing up.
// CHECK: {{:}}[[@LINE+1]]:26: error: expected an index in the result, found '['
#s = #einsum.spec<"m -> m[0]">

// -----

// C1: a look-up is an expression, which takes parentheses.
// CHECK: {{:}}[[@LINE+1]]:20: error: look-up in table 'nsh' outside parentheses: expected (nsh[...])
#s = #einsum.spec<"nsh[c] -> n">

// -----

// C1: an index that is missing.
// CHECK: {{:}}[[@LINE+1]]:25: error: expected an index in the brackets of table 'sh', found ')'
#s = #einsum.spec<"m(sh[) -> m">

// -----

// C1: an empty index.
// CHECK: {{:}}[[@LINE+1]]:25: error: expected an index in the brackets of table 'sh', found ']'
#s = #einsum.spec<"m(sh[]) -> m">

// -----

// C1: a constant index.
// CHECK: {{:}}[[@LINE+1]]:25: error: expected an index in the brackets of table 'sh', found '2'
#s = #einsum.spec<"m(sh[2]) -> m">

// -----

// C1: an index that is an expression.
// CHECK: {{:}}[[@LINE+1]]:26: error: expected ',' or ']' after the index of table 'sh', found '+'
#s = #einsum.spec<"m(sh[c+1]) -> m">

// -----

// C1: a bracket that is not closed.
// CHECK: {{:}}[[@LINE+1]]:26: error: expected ',' or ']' after the index of table 'sh', found ')'
#s = #einsum.spec<"m(sh[c) -> m">

// -----

// C1: a bracket that closes nothing.
// CHECK: {{:}}[[@LINE+1]]:23: error: expected an operator or ')', found ']'
#s = #einsum.spec<"m(k]) -> m">
