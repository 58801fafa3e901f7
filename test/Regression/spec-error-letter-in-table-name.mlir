// An index or table that cancels out is reported where it stands, not where a table's
// name happens to contain it.
//
// RUN: not tile-opt --split-input-file %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=error:

// C2: an index that is also in a table's name: the column is the index's.
// CHECK: {{:}}[[@LINE+1]]:30: error: index 'h' cancels out of every axis: expected an operand to use it; leave it out
#s = #einsum.spec<"k(sh[k]+0*h) -> k">

// -----

// C9: likewise a table whose name is part of another's.
// CHECK: {{:}}[[@LINE+1]]:31: error: table 'sh' cancels out of every axis: expected an operand to use it; leave it out
#s = #einsum.spec<"k(ssh[k]+0*sh[k]) -> k">
