// Targets, and attributes of kernels, that cannot be.
//
// RUN: sed "s/ATOMS/%atoms/" %s | tile-opt --split-input-file --verify-diagnostics

// expected-error @below {{expects positive numbers, found shared = 0, threads = 1024, registers = 255, sms = 0 (T34)}}
module attributes {tile.target = #tile.target<chip = "sm_70", shared = 0, threads = 1024, registers = 255, mma = []>} {
}

// -----

// expected-error @below {{expects 'mma' to hold atoms, ATOMS, found 1 : i64 (T34)}}
module attributes {tile.target = #tile.target<chip = "sm_70", shared = 1, threads = 1024, registers = 255, mma = [1]>} {
}

// -----

// expected-error @below {{expects 'mma' to hold atoms, ATOMS, found "m8n8k4" (T34)}}
module attributes {tile.target = #tile.target<chip = "sm_70", shared = 1, threads = 1024, registers = 255, mma = ["m8n8k4"]>} {
}

// -----

// expected-error @below {{expects tile.target to be a #tile.target of a module, found "sm_70"}}
module attributes {tile.target = "sm_70"} {
}

// -----

// expected-error @below {{expects "tile.num_warps" to be a power of two of i64, found 3 : i64}}
func.func @warps() attributes {tile.kernel, tile.num_warps = 3 : i64} {
  return
}

// -----

// expected-error @below {{expects "tile.shared_bytes" to be a number of bytes of i64, found -1 : i64}}
func.func @bytes() attributes {tile.kernel, tile.shared_bytes = -1 : i64} {
  return
}
