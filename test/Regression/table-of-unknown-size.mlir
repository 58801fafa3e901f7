// An index whose size a table of unknown size alone gives: it had a schedule, of loops without an iteration.
//
// RUN: tile-run %s --inputs=zeros:3xi32,random:5x7xi32 --random=1 --check=interp | FileCheck %s
// RUN: tile-opt %s --einsum-choose-schedule | FileCheck %s --check-prefix=SCHEDULE

// CHECK: check against interp: passed
// SCHEDULE-NOT: schedule =
func.func @main(%t: tensor<?xi32> {einsum.value_range = array<i64: 0, 0>}, %x: tensor<5x7xi32>) -> tensor<7x2xi32> {
  %y = einsum.contract "(1+l%4+t[v])Y -> Yl" (%x)
      tables(t = %t : tensor<?xi32>) : (tensor<5x7xi32>) -> tensor<7x2xi32>
  return %y : tensor<7x2xi32>
}
