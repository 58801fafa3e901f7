// Errors of specifications quote the whole word or character that is wrong: not the
// first byte of a UTF-8 character, nor an index where an index is expected.
//
// RUN: not tile-opt --split-input-file %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=error:

// C1: an index of two indices without a comma.
// CHECK: {{:}}[[@LINE+1]]:25: error: expected an index in the brackets of table 'sh', found 'cd'
#s = #einsum.spec<"m(sh[cd]) -> m">

// -----

// C1: indices are ASCII; the message shows the whole character.
// CHECK: {{:}}[[@LINE+1]]:21: error: expected an index, '(', ',' or '->', found 'é'
#s = #einsum.spec<"mé -> m">
