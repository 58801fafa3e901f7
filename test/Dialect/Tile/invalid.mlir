// Each constraint of the dialect, broken once or more.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// T1
func.func @f() {
  // expected-error @+1 {{'tile.program_id' op expects to stand in a function with 'tile.kernel' (T1)}}
  %0 = tile.program_id x
  return
}

// -----

// T1
func.func @f() {
  // expected-error @+1 {{'tile.num_programs' op expects to stand in a function with 'tile.kernel' (T1)}}
  %0 = tile.num_programs z
  return
}

// -----

// T2: nothing of that name
func.func @f(%n: index) {
  // expected-error @+1 {{'tile.launch' op expects @k to be a function of this module with 'tile.kernel' (T2)}}
  tile.launch @k grid(%n, %n, %n) ()
  return
}

// -----

// T2: no kernel
func.func @f(%n: index) {
  // expected-error @+1 {{'tile.launch' op expects @f to be a function of this module with 'tile.kernel' (T2)}}
  tile.launch @f grid(%n, %n, %n) (%n) : index
  return
}

// -----

// T3: number
func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  return
}
func.func @f(%n: index) {
  // expected-error @+1 {{'tile.launch' op expects 1 arguments for @k, found 0 (T3)}}
  tile.launch @k grid(%n, %n, %n) ()
  return
}

// -----

// T3: type
func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  return
}
func.func @f(%n: index, %m: memref<4xf16>) {
  // expected-error @+1 {{'tile.launch' op expects argument 0 of @k to be '!tile.ptr<f32>' or a contiguous memref of its elements, found 'memref<4xf16>' (T3)}}
  tile.launch @k grid(%n, %n, %n) (%m) : memref<4xf16>
  return
}

// -----

// T3: layout
func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  return
}
func.func @f(%n: index, %m: memref<4xf32, strided<[2]>>) {
  // expected-error @+1 {{'tile.launch' op expects argument 0 of @k to be '!tile.ptr<f32>' or a contiguous memref of its elements, found 'memref<4xf32, strided<[2]>>' (T3)}}
  tile.launch @k grid(%n, %n, %n) (%m) : memref<4xf32, strided<[2]>>
  return
}

// -----

// T4
func.func @f(%x: f32) {
  // expected-error @+1 {{'tile.splat' op expects a value of the result's element type 'f16', found 'f32' (T4)}}
  %0 = tile.splat %x : f32 -> tensor<4xf16>
  return
}

// -----

// T5: order
func.func @f() {
  // expected-error @+1 {{'tile.range' op expects start < end, found 4 to 4 (T5)}}
  %0 = tile.range 4 to 4 : tensor<1xi32>
  return
}

// -----

// T5: size
func.func @f() {
  // expected-error @+1 {{'tile.range' op expects a result of one axis with the 3 elements from 1 to 4, found 'tensor<4xi32>' (T5)}}
  %0 = tile.range 1 to 4 : tensor<4xi32>
  return
}

// -----

// T5: rank
func.func @f() {
  // expected-error @+1 {{'tile.range' op expects a result of one axis with the 4 elements from 0 to 4, found 'tensor<2x2xi32>' (T5)}}
  %0 = tile.range 0 to 4 : tensor<2x2xi32>
  return
}

// -----

// T5: bounds
func.func @f() {
  // expected-error @+1 {{'tile.range' op expects bounds that fit in 'i32', found 2147483647 to 2147483649 (T5)}}
  %0 = tile.range 2147483647 to 2147483649 : tensor<2xi32>
  return
}

// -----

// T5: elements
func.func @f() {
  // expected-error @+1 {{'tile.range' op result #0 must be tile (a tensor of static, positive sizes) of i32 or i64, but got 'tensor<4xf32>'}}
  %0 = tile.range 0 to 4 : tensor<4xf32>
  return
}

// -----

// T6: number
func.func @f(%x: tensor<6xf32>) {
  // expected-error @+1 {{'tile.reshape' op expects the elements of 'tensor<6xf32>' (6), found 'tensor<2x4xf32>' (8) (T6)}}
  %0 = tile.reshape %x : tensor<6xf32> -> tensor<2x4xf32>
  return
}

// -----

// T6: type
func.func @f(%x: tensor<6xf32>) {
  // expected-error @+1 {{'tile.reshape' op expects the elements of 'tensor<6xf32>' (6), found 'tensor<2x3xi32>' (6) (T6)}}
  %0 = tile.reshape %x : tensor<6xf32> -> tensor<2x3xi32>
  return
}

// -----

// T7
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'tile.broadcast' op expects a result of 'f32' whose axes, from the right, are those of 'tensor<2x3xf32>' or replace its axes of size 1, found 'tensor<4x3xf32>' (T7)}}
  %0 = tile.broadcast %x : tensor<2x3xf32> -> tensor<4x3xf32>
  return
}

// -----

// T7: fewer axes
func.func @f(%x: tensor<1x3xf32>) {
  // expected-error @+1 {{'tile.broadcast' op expects a result of 'f32' whose axes, from the right, are those of 'tensor<1x3xf32>' or replace its axes of size 1, found 'tensor<3xf32>' (T7)}}
  %0 = tile.broadcast %x : tensor<1x3xf32> -> tensor<3xf32>
  return
}

// -----

// T8
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'tile.trans' op expects a permutation of the 2 axes of 'tensor<2x3xf32>', found [0, 0] (T8)}}
  %0 = tile.trans %x [0, 0] : tensor<2x3xf32>
  return
}

// -----

// T9: rank
func.func @f(%a: tensor<3xf32>, %b: tensor<3x2xf32>, %c: tensor<3x2xf32>) {
  // expected-error @+1 {{'tile.dot' op expects tiles of the same rank, 2 or more, found 'tensor<3xf32>', 'tensor<3x2xf32>' and 'tensor<3x2xf32>' (T9)}}
  %0 = tile.dot %a, %b, %c : tensor<3xf32>, tensor<3x2xf32>, tensor<3x2xf32>
  return
}

// -----

// T9: batches
func.func @f(%a: tensor<4x2x2xf32>, %b: tensor<5x2x2xf32>) {
  // expected-error @+1 {{'tile.dot' op expects equal sizes before the last two axes, found 'tensor<4x2x2xf32>', 'tensor<5x2x2xf32>' and 'tensor<4x2x2xf32>' (T9)}}
  %0 = tile.dot %a, %b, %a : tensor<4x2x2xf32>, tensor<5x2x2xf32>, tensor<4x2x2xf32>
  return
}

// -----

// T10
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>, %c: tensor<2x5xf32>) {
  // expected-error @+1 {{'tile.dot' op expects M x K, K x N and M x N elements, found 'tensor<2x3xf32>', 'tensor<4x5xf32>' and 'tensor<2x5xf32>' (T10)}}
  %0 = tile.dot %a, %b, %c : tensor<2x3xf32>, tensor<4x5xf32>, tensor<2x5xf32>
  return
}

// -----

// T11
func.func @f(%a: tensor<2x2xf32>, %c: tensor<2x2xf64>) {
  // expected-error @+1 {{'tile.dot' op expects f16 or bf16 with an accumulator of f32 or their own type, f8E4M3FN, f8E5M2 or f32 with f32, f64 with f64, or i8 with i32, found 'f32', 'f32' and 'f64' (T11)}}
  %0 = tile.dot %a, %a, %c : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf64>
  return
}

// -----

// T12: reduce
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'tile.reduce' op expects an axis from 0 to 1, found 2 (T12)}}
  %0 = tile.reduce add %x axis 2 : tensor<2x3xf32>
  return
}

// -----

// T12: scan
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'tile.scan' op expects an axis from 0 to 1, found -1 (T12)}}
  %0 = tile.scan add %x axis -1 : tensor<2x3xf32>
  return
}

// -----

// T13: floats
func.func @f(%x: tensor<3xf32>) {
  // expected-error @+1 {{'tile.reduce' op expects an operation on 'f32', found 'xor' (T13)}}
  %0 = tile.reduce xor %x axis 0 : tensor<3xf32>
  return
}

// -----

// T13: integers
func.func @f(%x: tensor<3xi32>) {
  // expected-error @+1 {{'tile.reduce' op expects an operation on 'i32', found 'maxnum' (T13)}}
  %0 = tile.reduce maxnum %x axis 0 : tensor<3xi32>
  return
}

// -----

// T13: i1
func.func @f(%x: tensor<3xi1>) {
  // expected-error @+1 {{'tile.scan' op expects an operation on 'i1', found 'add' (T13)}}
  %0 = tile.scan add %x axis 0 : tensor<3xi1>
  return
}

// -----

// T14
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %i: i32) {
  // expected-error @+1 {{'tile.addptr' op expects pointers and offsets of one shape and layout, found 'tensor<4x!tile.ptr<f32>>' and 'i32' (T14)}}
  %0 = tile.addptr %p, %i : tensor<4x!tile.ptr<f32>>, i32
  return
}

// -----

// T15
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %m: tensor<5xi1>) {
  // expected-error @+1 {{'tile.load' op expects a mask of 'tensor<4xi1>' for pointers of 'tensor<4x!tile.ptr<f32>>', found 'tensor<5xi1>' (T15)}}
  %0 = "tile.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4x!tile.ptr<f32>>, tensor<5xi1>) -> tensor<4xf32>
  return
}

// -----

// T16: without a mask
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'tile.load' op expects a mask with 'other' (T16)}}
  %0 = tile.load %p other %x : tensor<4x!tile.ptr<f32>>
  return
}

// -----

// T16: type
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %m: tensor<4xi1>, %x: tensor<4xf16>) {
  // expected-error @+1 {{'tile.load' op expects 'other' of the result's type 'tensor<4xf32>', found 'tensor<4xf16>' (T16)}}
  %0 = "tile.load"(%p, %m, %x) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<4x!tile.ptr<f32>>, tensor<4xi1>, tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

// T17
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %x: tensor<4xi32>) {
  // expected-error @+1 {{'tile.store' op expects a value of 'tensor<4xf32>' for pointers of 'tensor<4x!tile.ptr<f32>>', found 'tensor<4xi32>' (T17)}}
  "tile.store"(%p, %x) : (tensor<4x!tile.ptr<f32>>, tensor<4xi32>) -> ()
  return
}

// -----

// T18
func.func @f(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{'tile.load_view' op expects 2 indices for 'memref<4x4xf32>', found 1 (T18)}}
  %0 = tile.load_view %m[%i] : memref<4x4xf32> -> tensor<2x2xf32>
  return
}

// -----

// T19: rank
func.func @f(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{'tile.load_view' op expects a tile with the 2 axes of 'memref<4x4xf32>', or 'axes' that says which of them, found 'tensor<2xf32>' (T19)}}
  %0 = tile.load_view %m[%i, %i] : memref<4x4xf32> -> tensor<2xf32>
  return
}

// -----

// T19: axes
func.func @f(%m: memref<4x4xf32>, %i: index, %x: tensor<2x2xf32>) {
  // expected-error @+1 {{'tile.store_view' op expects 'axes' to list 2 increasing axes of 'memref<4x4xf32>', found [1, 1] (T19)}}
  tile.store_view %x, %m[%i, %i] axes [1, 1] : tensor<2x2xf32>, memref<4x4xf32>
  return
}

// -----

// T20
func.func @f(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{'tile.load_view' op expects a tile of 'f32' as 'memref<4x4xf32>', found 'tensor<2x2xf16>' (T20)}}
  %0 = tile.load_view %m[%i, %i] : memref<4x4xf32> -> tensor<2x2xf16>
  return
}

// -----

// T54: too few
func.func @f(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{'tile.load_view' op expects 'steps' to have 2 positive entries, one per axis of 'tensor<2x2xf32>', and 1 along the last axis of 'memref<4x4xf32>', found [2] (T54)}}
  %0 = tile.load_view %m[%i, %i] steps [2] : memref<4x4xf32> -> tensor<2x2xf32>
  return
}

// -----

// T54: not positive
func.func @f(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{found [0, 1] (T54)}}
  %0 = tile.load_view %m[%i, %i] steps [0, 1] : memref<4x4xf32> -> tensor<2x2xf32>
  return
}

// -----

// T54: along the last axis
func.func @f(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{found [2] (T54)}}
  %0 = tile.load_view %m[%i, %i] axes [1] steps [2] : memref<4x4xf32> -> tensor<2xf32>
  return
}

// -----

// T21
func.func @f(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @+1 {{'tile.atomic_rmw' op expects 'add' or 'xchg' on 'f32', found 'max' (T21)}}
  %0 = tile.atomic_rmw max %p, %x : !tile.ptr<f32>
  return
}

// -----

// T22: floats
func.func @f(%x: f32) {
  // expected-error @+1 {{'tile.cmpp' op expects a predicate of arith.cmpf (oeq, olt, ult, ...) for 'f32', found 'slt' (T22)}}
  %0, %1 = tile.cmpp slt %x, %x : f32
  return
}

// -----

// T22: integers
func.func @f(%x: tensor<3xi32>) {
  // expected-error @+1 {{'tile.cmpp' op expects a predicate of arith.cmpi (eq, slt, ult, ...) for 'tensor<3xi32>', found 'olt' (T22)}}
  %0, %1 = tile.cmpp olt %x, %x : tensor<3xi32>
  return
}

// -----

// T23
func.func @f() {
  // expected-error @+1 {{'tile.psi' op expects at least one pair of predicate and value, found 0 operands (T23)}}
  %0 = "tile.psi"() : () -> f32
  return
}

// -----

// T24
func.func @f(%p: i1, %x: f32) {
  // expected-error @+1 {{'tile.psi' op expects values of the result's type 'f16', found 'f32' (T24)}}
  %0 = "tile.psi"(%p, %x) : (i1, f32) -> f16
  return
}

// -----

// T25: shape
func.func @f(%p: tensor<4xi1>, %x: tensor<5xf32>) {
  // expected-error @+1 {{'tile.psi' op expects predicates that are all 'i1', or all 'tensor<5xi1>', found 'tensor<4xi1>' (T25)}}
  %0 = tile.psi %p ? %x : tensor<4xi1>, tensor<5xf32>
  return
}

// -----

// T25: element type
func.func @f(%p: i32, %x: f32) {
  // expected-error @+1 {{'tile.psi' op operand #0 must be variadic of 1-bit signless integer, or a tile of them, but got 'i32'}}
  %0 = tile.psi %p ? %x : i32, f32
  return
}

// -----

// T26: entries
func.func @f(%x: tensor<4xi32>) {
  // expected-error @+1 {{'tile.assume' op expects 'divisibility' with 1 entries for 'tensor<4xi32>', found 2 (T26)}}
  %0 = tile.assume %x {divisibility = array<i64: 1, 2>} : tensor<4xi32>
  return
}

// -----

// T26: runs
func.func @f(%x: tensor<4xi32>) {
  // expected-error @+1 {{'tile.assume' op expects entries of 'contiguity' to be positive and to divide the axis, found 3 for an axis of 4 (T26)}}
  %0 = tile.assume %x {contiguity = array<i64: 3>} : tensor<4xi32>
  return
}

// -----

// T26: range
func.func @f(%x: i32) {
  // expected-error @+1 {{'tile.assume' op expects 'range' to be lo, hi with lo <= hi, found [3, 2] (T26)}}
  %0 = tile.assume %x {range = array<i64: 3, 2>} : i32
  return
}

// -----

// T26: range of pointers
func.func @f(%x: !tile.ptr<f32>) {
  // expected-error @+1 {{'tile.assume' op expects no 'range' of pointers, found '!tile.ptr<f32>' (T26)}}
  %0 = tile.assume %x {range = array<i64: 2, 3>} : !tile.ptr<f32>
  return
}

// -----

// T27
func.func @f(%x: i32) {
  // expected-error @+1 {{'tile.assume' op expects at least one of divisibility, contiguity, constancy and range (T27)}}
  %0 = tile.assume %x : i32
  return
}

// -----

// Tiles have static sizes.
func.func @f(%x: tensor<?xf32>) {
  // expected-error @+1 {{'tile.reduce' op operand #0 must be tile (a tensor of static, positive sizes) of}}
  %0 = tile.reduce add %x axis 0 : tensor<?xf32>
  return
}

// -----

// Types of memory.
// expected-error @+1 {{expects elements of i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64, found 'i1'}}
func.func private @f(!tile.ptr<i1>)

// -----

// expected-error @+1 {{expects positive sizes, found 0}}
func.func private @f(!tile.buffer<0x4xf32>)

// -----

// Syntax.
func.func @f(%x: f32) {
  // expected-error @+1 {{expected !tile.ptr or a tile of them, found 'f32'}}
  %0 = tile.load %x : f32
  return
}

// -----

func.func @f(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @+1 {{expected add, max, min, umax, umin, and, or, xor or xchg, found 'sub'}}
  %0 = tile.atomic_rmw sub %p, %x : !tile.ptr<f32>
  return
}

// -----

func.func @f(%p: !tile.ptr<i32>, %x: i32) {
  // expected-error @+1 {{expected one of [relaxed, acquire, release, acq_rel] for what an atomic access orders, got: seq_cst}}
  %0 = tile.atomic_cas %p, %x, %x order seq_cst : !tile.ptr<i32>
  return
}

// -----

func.func @f(%p: !tile.ptr<i32>, %x: i32) {
  // expected-error @+1 {{expected one of [cta, gpu, sys] for whom an atomic access meets, got: cluster}}
  %0 = tile.atomic_rmw add %p, %x scope cluster : !tile.ptr<i32>
  return
}

// -----

// Kernels and their arguments.
// expected-error @+1 {{'func.func' op expects a kernel without results, found 1}}
func.func private @f() -> i32 attributes {tile.kernel}

// -----

// expected-error @+1 {{'func.func' op expects kernel arguments to be pointers, memrefs, tensor maps, integers or floats, found 'tensor<4xf32>' for argument 0}}
func.func private @f(tensor<4xf32>) attributes {tile.kernel}

// -----

// expected-error @+1 {{'func.func' op expects tile.kernel to be a unit attribute of a function}}
func.func private @f() attributes {tile.kernel = 1}

// -----

// expected-error @+1 {{'func.func' op expects tile.kernel, tile.num_warps, tile.shared_bytes, tile.config, tile.target, tile.memory, tile.arguments or tile.formulas, the dialect's attributes of operations, found "tile.kernle"}}
func.func private @f() attributes {tile.kernle}

// -----

// expected-error @+1 {{'func.func' op expects tile.multiple_of to be a positive integer, found 0 : i64}}
func.func private @f(i32 {tile.multiple_of = 0 : i64})

// -----

// expected-error @+1 {{'func.func' op expects tile.formulas to be a dictionary of grid, requirements and fallback of a gpu.launch_func, found {grid = [1, 1, 1]}}}
func.func private @f() attributes {tile.formulas = {grid = [1, 1, 1]}}

// -----

// expected-error @+1 {{'func.func' op expects tile.size_multiple_of on a memref, found '!tile.ptr<f32>'}}
func.func private @f(!tile.ptr<f32> {tile.size_multiple_of = array<i64: 8>})

// -----

// expected-error @+1 {{'func.func' op expects tile.size_multiple_of to be array<i64: ...> with a positive number for each axis of 'memref<?x?xf32>', which divides its size, found array<i64: 8>}}
func.func private @f(memref<?x?xf32> {tile.size_multiple_of = array<i64: 8>})

// -----

// expected-error @+1 {{'func.func' op expects tile.size_multiple_of to be array<i64: ...> with a positive number for each axis of 'memref<?x12xf32>', which divides its size, found array<i64: 1, 8>}}
func.func private @f(memref<?x12xf32> {tile.size_multiple_of = array<i64: 1, 8>})

// -----

// expected-error @+1 {{'func.func' op expects tile.size_multiple_of to be array<i64: ...> with a positive number for each axis of 'memref<?xf32>', which divides its size, found array<i64: 0>}}
func.func private @f(memref<?xf32> {tile.size_multiple_of = array<i64: 0>})

// -----

// expected-error @+1 {{'func.func' op expects tile.multiple_of on an integer, pointer or memref, found 'f32'}}
func.func private @f(f32 {tile.multiple_of = 8 : i64})

// -----

// expected-error @+1 {{'func.func' op expects tile.readonly on a pointer or memref, found 'i32'}}
func.func private @f(i32 {tile.readonly})

// -----

// expected-error @+1 {{'func.func' op expects tile.multiple_of, tile.size_multiple_of, tile.readonly, tile.noalias or tile.on_device, found unknown attribute tile.const}}
func.func private @f(i32 {tile.const})

// -----

func.func @print(%x: f32) {
  // expected-error @+1 {{'tile.print' op expects one of %d, %u, %x, %X, %f, %e, %g, %a or %%, found '%5s' in its format (T56)}}
  tile.print "%5s" %x : f32
  return
}

// -----

func.func @print(%x: f32) {
  // expected-error @+1 {{'tile.print' op expects one of %d, %u, %x, %X, %f, %e, %g, %a or %%, found '%' in its format (T56)}}
  tile.print "100%" %x : f32
  return
}

// -----

func.func @print(%x: f32) {
  // expected-error @+1 {{'tile.print' op expects a width or precision under 1000, found '%2000' in its format (T56)}}
  tile.print "%2000f" %x : f32
  return
}

// -----

func.func @print(%x: f32) {
  // expected-error @+1 {{'tile.print' op expects an operand for each of 2 conversions of its format, found 1 (T56)}}
  tile.print "%f %f" %x : f32
  return
}

// -----

func.func @print(%x: tensor<4xf32>) {
  // expected-error @+1 {{'tile.print' op expects integers for '%-3d', found 'tensor<4xf32>' (T56)}}
  tile.print "%-3d" %x : tensor<4xf32>
  return
}

// -----

func.func @print(%x: i32) {
  // expected-error @+1 {{'tile.print' op expects floats for '%.2f', found 'i32' (T56)}}
  tile.print "%.2lf" %x : i32
  return
}

// -----

func.func @print(%x: tensor<4xf32>, %y: tensor<8xf32>) {
  // expected-error @+1 {{'tile.print' op expects tiles of one shape, found 'tensor<4xf32>' and 'tensor<8xf32>' (T57)}}
  tile.print "%f %f" %x, %y : tensor<4xf32>, tensor<8xf32>
  return
}
