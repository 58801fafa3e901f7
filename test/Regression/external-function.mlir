// A call of a function that nobody defines is one error; one of the process (here the C library's) works.
//
// RUN: not tile-run %s --entry=unknown 2>&1 | FileCheck %s --implicit-check-not=JIT
// CHECK: tile-run: error: cannot call @nobody_knows_me: expected it to have a body, or to be a function of this process
// RUN: tile-run %s --entry=known

func.func private @nobody_knows_me()
func.func @unknown() {
  call @nobody_knows_me() : () -> ()
  return
}

func.func private @getpid() -> i32
func.func @known() {
  %0 = call @getpid() : () -> i32
  return
}
