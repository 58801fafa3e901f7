// The pipeline under another anchor than a module is one error, not an abort.
//
// RUN: not tile-opt --pass-pipeline="builtin.module(func.func(einsum-to-cpu-pipeline))" %s 2>&1 | FileCheck %s
// RUN: not tile-run --random=1 --pipeline="func.func(einsum-to-cpu-pipeline)" %s 2>&1 | FileCheck %s
// CHECK: einsum-to-cpu-pipeline: expected it in builtin.module(...), found it in func.func(...)
// CHECK-NOT: Stack dump

func.func @main() { return }
