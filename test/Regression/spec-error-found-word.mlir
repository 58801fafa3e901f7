// Errors of specifications quote the whole word or character that is wrong: not the
// first byte of a UTF-8 character, nor a letter where a letter is expected.
//
// RUN: not tile-opt --split-input-file %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=error:

// C1: an index of two letters without a comma.
// CHECK: {{:}}[[@LINE+1]]:25: error: expected a letter as index of table 'sh', found 'cd'
#s = #einsum.spec<"m(sh[cd]) -> m">

// -----

// C1: letters are ASCII; the message shows the whole character.
// CHECK: {{:}}[[@LINE+1]]:21: error: expected a letter, '(', ',' or '->', found 'é'
#s = #einsum.spec<"mé -> m">
