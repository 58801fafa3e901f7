// tile-check-resources: what does not fit the target names the option to change.
//
// RUN: tile-opt %s --tile-check-resources --split-input-file --verify-diagnostics

// Two bytes less than what there is, and no target at all.
module attributes {tile.target = #tile.target<chip = "small", shared = 1024, threads = 64, registers = 8, mma = ["volta_16x16x8"]>} {
  func.func @fits() attributes {tile.kernel, tile.num_warps = 2 : i64, tile.shared_bytes = 1024 : i64} {
    return
  }
}

// -----

func.func @unknown() attributes {tile.kernel, tile.num_warps = 64 : i64, tile.shared_bytes = 1000000 : i64} {
  return
}

// -----

module attributes {tile.target = #tile.target<chip = "small", shared = 1024, threads = 64, registers = 8, mma = []>} {
  // expected-error @below {{needs 1025 bytes of shared memory for a program, and small has 1024: use a smaller 'block', or fewer 'stages'}}
  func.func @shared() attributes {tile.kernel, tile.num_warps = 2 : i64, tile.shared_bytes = 1025 : i64} {
    return
  }
  // expected-error @below {{needs 128 threads for a program, and small has 64: use a larger 'warp', or a smaller 'block'}}
  func.func @threads() attributes {tile.kernel, tile.num_warps = 4 : i64} {
    return
  }
}

// -----

// 16 registers of f32 of a thread are carried by the outer loop, 4 of f16 pairs by the inner one.
#wide = #tile.layout<blocked shape = [512], register = [16], lane = [32], warp = [1], order = [0]>
#half = #tile.layout<blocked shape = [256], register = [8], lane = [32], warp = [1], order = [0]>
module attributes {tile.target = #tile.target<chip = "small", shared = 1024, threads = 64, registers = 19, mma = []>} {
  // expected-error @below {{carries tiles of 20 registers of a thread through its loops, and small has 19: use a smaller 'warp', so that there are more warps, or a smaller 'block'}}
  func.func @registers(%n: index) attributes {tile.kernel, tile.num_warps = 1 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = arith.constant dense<0.0> : tensor<512xf32, #wide>
    %b = arith.constant dense<0.0> : tensor<256xf16, #half>
    scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<512xf32, #wide>) {
      scf.for %j = %c0 to %n step %c1 iter_args(%y = %b) -> (tensor<256xf16, #half>) {
        scf.yield %y : tensor<256xf16, #half>
      }
      scf.yield %x : tensor<512xf32, #wide>
    }
    return
  }
}
