// Locations keep places and call sites, and names of arguments; call sites of unknown places, which crash upstream's
// pass for debug information, are gone.
// RUN: tile-opt %s --convert-triton-to-tile --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: tile-opt %s --convert-triton-to-tile --tile-to-nvvm-pipeline=chip=sm_80 --mlir-print-debuginfo | FileCheck %s --check-prefix=DEBUG
// DEBUG: #llvm.di_subprogram<{{.*}}name = "f"

// CHECK: func.func @f(%{{.*}}: !tile.ptr<f32> loc("x_ptr"("a.py":1:0)))
tt.func public @f(%p: !tt.ptr<f32> loc("x_ptr"("a.py":1:0))) {
  // CHECK: tile.load {{.*}} loc("a.py":2:8)
  %x = tt.load %p : !tt.ptr<f32> loc("x"("a.py":2:8))
  %t = tt.splat %x : f32 -> tensor<64xf32> loc("t"(callsite(unknown at "a.py":3:8)))
  // CHECK: tile.reduce {{.*}} loc(callsite("b.py":9:1 at "a.py":4:8))
  %s = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32 loc(unknown), %b: f32 loc(unknown)):
    %c = arith.addf %a, %b : f32 loc(callsite(unknown at callsite("b.py":7:1 at "a.py":4:8)))
    tt.reduce.return %c : f32 loc(unknown)
  }) : (tensor<64xf32>) -> f32 loc("s"(callsite("sum"("b.py":9:1) at "a.py":4:8)))
  // CHECK: tile.store {{.*}} loc("a.py":5:8)
  tt.store %p, %s : !tt.ptr<f32> loc(callsite(unknown at "a.py":5:8))
  tt.return
}
