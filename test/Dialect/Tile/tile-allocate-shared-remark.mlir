// tile-allocate-shared tells what a kernel needs, and says so if that is too much.
//
// RUN: tile-opt %s --tile-allocate-shared --remark-policy=all --remarks-filter=tile 2>&1 >/dev/null | FileCheck %s
// RUN: tile-opt %s --tile-allocate-shared=capacity=12288 -o /dev/null
// RUN: tile-opt %s --tile-allocate-shared=capacity=12287 --verify-diagnostics

// CHECK: {{:}}[[@LINE+2]]:1: remark: [Passed] allocate-shared | Category:tile | buffers=3, bytes=12288, bytes-of-buffers=20480
// expected-error@+1 {{needs 12288 bytes of shared memory, more than capacity = 12287 of tile-allocate-shared: use smaller tiles or fewer stages}}
func.func @f() attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : tensor<2048xf32>
  %y = arith.constant dense<1.0> : tensor<1024xf32>
  %a = tile.alloc : !tile.buffer<1024xf32>
  // expected-note@+1 {{the largest buffer takes 8192 bytes}}
  %b = tile.alloc : !tile.buffer<2048xf32>
  %c = tile.alloc : !tile.buffer<2048xf32>
  tile.local_store %x, %b : tensor<2048xf32>, !tile.buffer<2048xf32>
  tile.local_store %y, %a : tensor<1024xf32>, !tile.buffer<1024xf32>
  %u = tile.local_load %b : !tile.buffer<2048xf32> -> tensor<2048xf32>
  %v = tile.local_load %a : !tile.buffer<1024xf32> -> tensor<1024xf32>
  tile.local_store %x, %c : tensor<2048xf32>, !tile.buffer<2048xf32>
  %w = tile.local_load %c : !tile.buffer<2048xf32> -> tensor<2048xf32>
  return
}
