// What each op refuses beside invalid.mlir: shapes, element types, masks, pointers, predicates.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Shapes.
// T4: not a tile
func.func @f(%x: f32) {
  // expected-error @+1 {{'tile.splat' op result #0 must be tile (a tensor of static, positive sizes) of i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or !tile.ptr, but got 'tensor<?xf32>'}}
  %0 = tile.splat %x : f32 -> tensor<?xf32>
  return
}

// -----

// A size of 0 is none
func.func @f(%x: f32) {
  // expected-error @+1 {{'tile.splat' op result #0 must be tile (a tensor of static, positive sizes) of i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or !tile.ptr, but got 'tensor<0xf32>'}}
  %0 = tile.splat %x : f32 -> tensor<0xf32>
  return
}

// -----

// An unranked tensor is no tile
func.func @f(%x: tensor<*xf32>) {
  // expected-error @+1 {{custom op 'tile.trans' invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = tile.trans %x [] : tensor<*xf32>
  return
}

// -----

// T14: tiles
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %i: tensor<5xi32>) {
  // expected-error @+1 {{'tile.addptr' op expects pointers and offsets of one shape and layout, found 'tensor<4x!tile.ptr<f32>>' and 'tensor<5xi32>' (T14)}}
  %0 = tile.addptr %p, %i : tensor<4x!tile.ptr<f32>>, tensor<5xi32>
  return
}

// -----

// T14: a scalar pointer
func.func @f(%p: !tile.ptr<f32>, %i: tensor<4xi32>) {
  // expected-error @+1 {{'tile.addptr' op expects pointers and offsets of one shape and layout, found '!tile.ptr<f32>' and 'tensor<4xi32>' (T14)}}
  %0 = tile.addptr %p, %i : !tile.ptr<f32>, tensor<4xi32>
  return
}

// -----

// T17: store
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %x: tensor<5xf32>) {
  // expected-error @+1 {{'tile.store' op expects a value of 'tensor<4xf32>' for pointers of 'tensor<4x!tile.ptr<f32>>', found 'tensor<5xf32>' (T17)}}
  "tile.store"(%p, %x) : (tensor<4x!tile.ptr<f32>>, tensor<5xf32>) -> ()
  return
}

// -----

// T17: a scalar for a tile of pointers
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %x: f32) {
  // expected-error @+1 {{'tile.store' op expects a value of 'tensor<4xf32>' for pointers of 'tensor<4x!tile.ptr<f32>>', found 'f32' (T17)}}
  "tile.store"(%p, %x) : (tensor<4x!tile.ptr<f32>>, f32) -> ()
  return
}

// -----

// T17: atomic_rmw
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %x: tensor<5xf32>) {
  // expected-error @+1 {{'tile.atomic_rmw' op expects a value of 'tensor<4xf32>' for pointers of 'tensor<4x!tile.ptr<f32>>', found 'tensor<5xf32>' (T17)}}
  %0 = "tile.atomic_rmw"(%p, %x) <{kind = 0 : i32}> : (tensor<4x!tile.ptr<f32>>, tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

// atomic_rmw: result
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'tile.atomic_rmw' op failed to verify that all of {value, result} have same type}}
  %0 = "tile.atomic_rmw"(%p, %x) <{kind = 0 : i32}> : (tensor<4x!tile.ptr<f32>>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

// load: result
func.func @f(%p: tensor<4x!tile.ptr<f32>>) {
  // expected-error @+2 {{'tile.load' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error @+1 {{'tile.load' op failed to infer returned types}}
  %0 = "tile.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<4x!tile.ptr<f32>>) -> tensor<5xf32>
  return
}

// -----

// addptr: result
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %i: tensor<4xi32>) {
  // expected-error @+1 {{'tile.addptr' op failed to verify that all of {ptr, result} have same type}}
  %0 = "tile.addptr"(%p, %i) : (tensor<4x!tile.ptr<f32>>, tensor<4xi32>) -> tensor<4x!tile.ptr<f16>>
  return
}

// -----

// trans: result
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{'tile.trans' op inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>'}}
  // expected-error @+1 {{'tile.trans' op failed to infer returned types}}
  %0 = "tile.trans"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// reduce: result
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{'tile.reduce' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error @+1 {{'tile.reduce' op failed to infer returned types}}
  %0 = "tile.reduce"(%x) <{combiner = 0 : i32, axis = 1 : i64}> : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

// scan: result
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'tile.scan' op requires the same type for all operands and results}}
  %0 = "tile.scan"(%x) <{combiner = 0 : i32, axis = 1 : i64}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

// cmpp: operands
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{'tile.cmpp' op requires all operands to have the same type}}
  %0, %1 = "tile.cmpp"(%x, %y) <{predicate = "oeq"}> : (tensor<4xf32>, tensor<5xf32>) -> (tensor<4xi1>, tensor<4xi1>)
  return
}

// -----

// cmpp: results
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'tile.cmpp' op expects predicates of 'tensor<4xi1>' for operands of 'tensor<4xf32>', found 'tensor<5xi1>'}}
  %0, %1 = "tile.cmpp"(%x, %x) <{predicate = "oeq"}> : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xi1>, tensor<5xi1>)
  return
}

// -----

// assume: result
func.func @f(%x: i32) {
  // expected-error @+1 {{'tile.assume' op requires the same type for all operands and results}}
  %0 = "tile.assume"(%x) <{divisibility = array<i64: 4>}> : (i32) -> i64
  return
}

// -----

// T18: store_view
func.func @f(%m: memref<4x4xf32>, %i: index, %x: tensor<2x2xf32>) {
  // expected-error @+1 {{'tile.store_view' op expects 2 indices for 'memref<4x4xf32>', found 3 (T18)}}
  tile.store_view %x, %m[%i, %i, %i] : tensor<2x2xf32>, memref<4x4xf32>
  return
}

// -----

// T19: axes that go down
func.func @f(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{'tile.load_view' op expects 'axes' to list 2 increasing axes of 'memref<4x4xf32>', found [1, 0] (T19)}}
  %0 = tile.load_view %m[%i, %i] axes [1, 0] : memref<4x4xf32> -> tensor<2x2xf32>
  return
}

// -----

// T19: no such axis
func.func @f(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{'tile.load_view' op expects 'axes' to list 1 increasing axes of 'memref<4x4xf32>', found [2] (T19)}}
  %0 = tile.load_view %m[%i, %i] axes [2] : memref<4x4xf32> -> tensor<2xf32>
  return
}

// -----

// T19: fewer axes than the tile has
func.func @f(%m: memref<4x4xf32>, %i: index, %x: tensor<2x2xf32>) {
  // expected-error @+1 {{'tile.store_view' op expects 'axes' to list 2 increasing axes of 'memref<4x4xf32>', found [1] (T19)}}
  tile.store_view %x, %m[%i, %i] axes [1] : tensor<2x2xf32>, memref<4x4xf32>
  return
}

// -----

// T26: entries for a scalar
func.func @f(%x: i32) {
  // expected-error @+1 {{'tile.assume' op expects 'constancy' with 1 entries for 'i32', found 2 (T26)}}
  %0 = tile.assume %x {constancy = array<i64: 1, 1>} : i32
  return
}

// -----

// T26: range
func.func @f(%x: i32) {
  // expected-error @+1 {{'tile.assume' op expects 'range' to be lo, hi with lo <= hi, found [1] (T26)}}
  %0 = tile.assume %x {range = array<i64: 1>} : i32
  return
}

// -----

// Element types.
// T7
func.func @f(%x: tensor<1xf32>) {
  // expected-error @+1 {{'tile.broadcast' op expects a result of 'f32' whose axes, from the right, are those of 'tensor<1xf32>' or replace its axes of size 1, found 'tensor<4xf16>' (T7)}}
  %0 = tile.broadcast %x : tensor<1xf32> -> tensor<4xf16>
  return
}

// -----

// splat: index
func.func @f(%x: index) {
  // expected-error @+1 {{'tile.splat' op operand #0 must be i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or !tile.ptr, but got 'index'}}
  %0 = tile.splat %x : index -> tensor<4xindex>
  return
}

// -----

// range: index
func.func @f() {
  // expected-error @+1 {{'tile.range' op result #0 must be tile (a tensor of static, positive sizes) of i32 or i64, but got 'tensor<4xindex>'}}
  %0 = tile.range 0 to 4 : tensor<4xindex>
  return
}

// -----

// T11: f16 and bf16
func.func @f(%a: tensor<2x2xf16>, %b: tensor<2x2xbf16>, %c: tensor<2x2xf32>) {
  // expected-error @+1 {{'tile.dot' op expects f16 or bf16 with an accumulator of f32 or their own type, f8E4M3FN, f8E5M2 or f32 with f32, f64 with f64, or i8 with i32, found 'f16', 'bf16' and 'f32' (T11)}}
  %0 = tile.dot %a, %b, %c : tensor<2x2xf16>, tensor<2x2xbf16>, tensor<2x2xf32>
  return
}

// -----

// T11: i8 in i8
func.func @f(%a: tensor<2x2xi8>) {
  // expected-error @+1 {{'tile.dot' op expects f16 or bf16 with an accumulator of f32 or their own type, f8E4M3FN, f8E5M2 or f32 with f32, f64 with f64, or i8 with i32, found 'i8', 'i8' and 'i8' (T11)}}
  %0 = tile.dot %a, %a, %a : tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>
  return
}

// -----

// T11: i32
func.func @f(%a: tensor<2x2xi32>) {
  // expected-error @+1 {{'tile.dot' op expects f16 or bf16 with an accumulator of f32 or their own type, f8E4M3FN, f8E5M2 or f32 with f32, f64 with f64, or i8 with i32, found 'i32', 'i32' and 'i32' (T11)}}
  %0 = tile.dot %a, %a, %a : tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>
  return
}

// -----

// T11: f8 of both kinds
func.func @f(%a: tensor<2x2xf8E4M3FN>, %b: tensor<2x2xf8E5M2>, %c: tensor<2x2xf32>) {
  // expected-error @+1 {{found 'f8E4M3FN', 'f8E5M2' and 'f32' (T11)}}
  %0 = tile.dot %a, %b, %c : tensor<2x2xf8E4M3FN>, tensor<2x2xf8E5M2>, tensor<2x2xf32>
  return
}

// -----

// T11: f8 is summed in f32
func.func @f(%a: tensor<2x2xf8E5M2>) {
  // expected-error @+1 {{found 'f8E5M2', 'f8E5M2' and 'f8E5M2' (T11)}}
  %0 = tile.dot %a, %a, %a : tensor<2x2xf8E5M2>, tensor<2x2xf8E5M2>, tensor<2x2xf8E5M2>
  return
}

// -----

// T21: f8
func.func @f(%p: !tile.ptr<f8E5M2>, %x: f8E5M2) {
  // expected-error @+1 {{'tile.atomic_rmw' op expects elements of f16 or wider floats, which GPUs change atomically, found 'f8E5M2' (T21)}}
  %0 = tile.atomic_rmw xchg %p, %x : !tile.ptr<f8E5M2>
  return
}

// -----

// T37: a precision that there is not
func.func @f(%a: tensor<2x2xf32>) {
  // expected-error @+1 {{'tile.dot' op expects 'precision' to be "full" or "tf32", found "bf16x3" (T37)}}
  %0 = tile.dot %a, %a, %a {precision = "bf16x3"} : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  return
}

// -----

// T37: of f16
func.func @f(%a: tensor<2x2xf16>, %c: tensor<2x2xf32>) {
  // expected-error @+1 {{'tile.dot' op expects elements of f32 with precision = "tf32", found 'f16' (T37)}}
  %0 = tile.dot %a, %a, %c {precision = "tf32"} : tensor<2x2xf16>, tensor<2x2xf16>, tensor<2x2xf32>
  return
}

// -----

// An f8 that memory does not hold.
func.func @f(%a: tensor<2x2xf8E4M3>) {
  // expected-error @+1 {{'tile.trans' op operand #0 must be tile (a tensor of static, positive sizes) of i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or !tile.ptr, but got 'tensor<2x2xf8E4M3>'}}
  %0 = tile.trans %a [1, 0] : tensor<2x2xf8E4M3>
  return
}

// -----

// dot: pointers
func.func @f(%a: tensor<2x2x!tile.ptr<f32>>) {
  // expected-error @+1 {{'tile.dot' op operand #0 must be tile (a tensor of static, positive sizes) of i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64, but got 'tensor<2x2x!tile.ptr<f32>>'}}
  %0 = tile.dot %a, %a, %a : tensor<2x2x!tile.ptr<f32>>, tensor<2x2x!tile.ptr<f32>>, tensor<2x2x!tile.ptr<f32>>
  return
}

// -----

// T13: reduce of i1
func.func @f(%x: tensor<3xi1>) {
  // expected-error @+1 {{'tile.reduce' op expects an operation on 'i1', found 'max' (T13)}}
  %0 = tile.reduce max %x axis 0 : tensor<3xi1>
  return
}

// -----

// T13: scan of floats
func.func @f(%x: tensor<3xf32>) {
  // expected-error @+1 {{'tile.scan' op expects an operation on 'f32', found 'umax' (T13)}}
  %0 = tile.scan umax %x axis 0 : tensor<3xf32>
  return
}

// -----

// reduce: pointers
func.func @f(%x: tensor<3x!tile.ptr<f32>>) {
  // expected-error @+1 {{'tile.reduce' op operand #0 must be tile (a tensor of static, positive sizes) of i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64, but got 'tensor<3x!tile.ptr<f32>>'}}
  %0 = tile.reduce add %x axis 0 : tensor<3x!tile.ptr<f32>>
  return
}

// -----

// scan: pointers
func.func @f(%x: tensor<3x!tile.ptr<f32>>) {
  // expected-error @+1 {{'tile.scan' op operand #0 must be tile (a tensor of static, positive sizes) of i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64, but got 'tensor<3x!tile.ptr<f32>>'}}
  %0 = tile.scan add %x axis 0 : tensor<3x!tile.ptr<f32>>
  return
}

// -----

// addptr: floats
func.func @f(%p: !tile.ptr<f32>, %i: f32) {
  // expected-error @+1 {{'tile.addptr' op operand #1 must be i32 or i64, or a tile of them, but got 'f32'}}
  %0 = tile.addptr %p, %i : !tile.ptr<f32>, f32
  return
}

// -----

// addptr: i8
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %i: tensor<4xi8>) {
  // expected-error @+1 {{'tile.addptr' op operand #1 must be i32 or i64, or a tile of them, but got 'tensor<4xi8>'}}
  %0 = tile.addptr %p, %i : tensor<4x!tile.ptr<f32>>, tensor<4xi8>
  return
}

// -----

// T17: atomic_rmw of another type
func.func @f(%p: !tile.ptr<f32>, %x: i32) {
  // expected-error @+1 {{'tile.atomic_rmw' op expects a value of 'f32' for pointers of '!tile.ptr<f32>', found 'i32' (T17)}}
  %0 = "tile.atomic_rmw"(%p, %x) <{kind = 0 : i32}> : (!tile.ptr<f32>, i32) -> i32
  return
}

// -----

// T20: store_view
func.func @f(%m: memref<4xf32>, %i: index, %x: tensor<2xf16>) {
  // expected-error @+1 {{'tile.store_view' op expects a tile of 'f32' as 'memref<4xf32>', found 'tensor<2xf16>' (T20)}}
  tile.store_view %x, %m[%i] : tensor<2xf16>, memref<4xf32>
  return
}

// -----

// T21: bits of floats
func.func @f(%p: !tile.ptr<f16>, %x: f16) {
  // expected-error @+1 {{'tile.atomic_rmw' op expects 'add' or 'xchg' on 'f16', found 'xor' (T21)}}
  %0 = tile.atomic_rmw xor %p, %x : !tile.ptr<f16>
  return
}

// -----

// T22: no predicate
func.func @f(%x: i32) {
  // expected-error @+1 {{'tile.cmpp' op expects a predicate of arith.cmpi (eq, slt, ult, ...) for 'i32', found 'less' (T22)}}
  %0, %1 = tile.cmpp less %x, %x : i32
  return
}

// -----

// cmpp: pointers
func.func @f(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{'tile.cmpp' op operand #0 must be i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64, or a tile of them, but got '!tile.ptr<f32>'}}
  %0, %1 = "tile.cmpp"(%p, %p) <{predicate = "eq"}> : (!tile.ptr<f32>, !tile.ptr<f32>) -> (i1, i1)
  return
}

// -----

// assume: floats
func.func @f(%x: f32) {
  // expected-error @+1 {{'tile.assume' op operand #0 must be i1, i8, i16, i32 or i64, or a tile of them or !tile.ptr, or a tile of them, but got 'f32'}}
  %0 = tile.assume %x {divisibility = array<i64: 4>} : f32
  return
}

// -----

// Masks.
// T15: store
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %x: tensor<4xf32>, %m: tensor<8xi1>) {
  // expected-error @+1 {{'tile.store' op expects a mask of 'tensor<4xi1>' for pointers of 'tensor<4x!tile.ptr<f32>>', found 'tensor<8xi1>' (T15)}}
  "tile.store"(%p, %x, %m) : (tensor<4x!tile.ptr<f32>>, tensor<4xf32>, tensor<8xi1>) -> ()
  return
}

// -----

// T15: atomic_rmw
func.func @f(%p: tensor<2x2x!tile.ptr<f32>>, %x: tensor<2x2xf32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{'tile.atomic_rmw' op expects a mask of 'tensor<2x2xi1>' for pointers of 'tensor<2x2x!tile.ptr<f32>>', found 'tensor<4xi1>' (T15)}}
  %0 = "tile.atomic_rmw"(%p, %x, %m) <{kind = 0 : i32}> : (tensor<2x2x!tile.ptr<f32>>, tensor<2x2xf32>, tensor<4xi1>) -> tensor<2x2xf32>
  return
}

// -----

// T15: an i1 for a tile of pointers
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %m: i1) {
  // expected-error @+1 {{'tile.load' op expects a mask of 'tensor<4xi1>' for pointers of 'tensor<4x!tile.ptr<f32>>', found 'i1' (T15)}}
  %0 = "tile.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4x!tile.ptr<f32>>, i1) -> tensor<4xf32>
  return
}

// -----

// T15: a tile for a pointer
func.func @f(%p: !tile.ptr<f32>, %m: tensor<1xi1>) {
  // expected-error @+1 {{'tile.load' op expects a mask of 'i1' for pointers of '!tile.ptr<f32>', found 'tensor<1xi1>' (T15)}}
  %0 = "tile.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!tile.ptr<f32>, tensor<1xi1>) -> f32
  return
}

// -----

// The mask of a load is of i1
func.func @f(%p: tensor<4x!tile.ptr<f32>>, %m: tensor<4xi8>) {
  // expected-error @+1 {{'tile.load' op operand #1 must be 1-bit signless integer, or a tile of them, but got 'tensor<4xi8>'}}
  %0 = "tile.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4x!tile.ptr<f32>>, tensor<4xi8>) -> tensor<4xf32>
  return
}

// -----

// The mask of a store
func.func @f(%p: !tile.ptr<f32>, %x: f32, %m: i32) {
  // expected-error @+1 {{'tile.store' op operand #2 must be 1-bit signless integer, or a tile of them, but got 'i32'}}
  "tile.store"(%p, %x, %m) : (!tile.ptr<f32>, f32, i32) -> ()
  return
}

// -----

// The mask of atomic_rmw
func.func @f(%p: !tile.ptr<f32>, %x: f32, %m: i32) {
  // expected-error @+1 {{'tile.atomic_rmw' op operand #2 must be 1-bit signless integer, or a tile of them, but got 'i32'}}
  %0 = "tile.atomic_rmw"(%p, %x, %m) <{kind = 0 : i32}> : (!tile.ptr<f32>, f32, i32) -> f32
  return
}

// -----

// Pointers.
// addptr
func.func @f(%p: i64, %i: i32) {
  // expected-error @+1 {{'tile.addptr' op operand #0 must be !tile.ptr, or a tile of them, but got 'i64'}}
  %0 = "tile.addptr"(%p, %i) : (i64, i32) -> i64
  return
}

// -----

// load
func.func @f(%p: tensor<4xi64>) {
  // expected-error @+1 {{'tile.load' op operand #0 must be !tile.ptr, or a tile of them, but got 'tensor<4xi64>'}}
  %0 = "tile.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<4xi64>) -> tensor<4xf32>
  return
}

// -----

// store
func.func @f(%p: memref<4xf32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'tile.store' op operand #0 must be !tile.ptr, or a tile of them, but got 'memref<4xf32>'}}
  "tile.store"(%p, %x) : (memref<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

// atomic_rmw
func.func @f(%p: tensor<4xi64>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'tile.atomic_rmw' op operand #0 must be !tile.ptr, or a tile of them, but got 'tensor<4xi64>'}}
  %0 = "tile.atomic_rmw"(%p, %x) <{kind = 0 : i32}> : (tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// load: pointee
func.func @f(%p: !tile.ptr<f32>) {
  // expected-error @+2 {{'tile.load' op inferred type(s) 'f32' are incompatible with return type(s) of operation 'f16'}}
  // expected-error @+1 {{'tile.load' op failed to infer returned types}}
  %0 = "tile.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tile.ptr<f32>) -> f16
  return
}

// -----

// load_view: a pointer is no memref
func.func @f(%p: !tile.ptr<f32>, %i: index) {
  // expected-error @+1 {{'tile.load_view' op operand #0 must be memref of any type values, but got '!tile.ptr<f32>'}}
  %0 = "tile.load_view"(%p, %i) : (!tile.ptr<f32>, index) -> tensor<4xf32>
  return
}

// -----

// Predicates.
// T25: an i1 and a tile
func.func @f(%p: i1, %q: tensor<4xi1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'tile.psi' op expects predicates that are all 'i1', or all 'tensor<4xi1>', found 'i1' and 'tensor<4xi1>' (T25)}}
  %0 = "tile.psi"(%p, %q, %x, %x) : (i1, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// T25: a tile for a scalar
func.func @f(%p: tensor<4xi1>, %x: f32) {
  // expected-error @+1 {{'tile.psi' op expects predicates that are all 'i1', found 'tensor<4xi1>' (T25)}}
  %0 = "tile.psi"(%p, %x) : (tensor<4xi1>, f32) -> f32
  return
}

// -----

// psi: predicates of a tile
func.func @f(%p: tensor<4xi8>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'tile.psi' op operand #0 must be variadic of 1-bit signless integer, or a tile of them, but got 'tensor<4xi8>'}}
  %0 = "tile.psi"(%p, %x) : (tensor<4xi8>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// T24: shape
func.func @f(%p: i1, %x: tensor<4xf32>, %y: tensor<2x2xf32>) {
  // expected-error @+1 {{'tile.psi' op expects values of the result's type 'tensor<4xf32>', found 'tensor<2x2xf32>' (T24)}}
  %0 = "tile.psi"(%p, %p, %x, %y) : (i1, i1, tensor<4xf32>, tensor<2x2xf32>) -> tensor<4xf32>
  return
}

// -----

// T23: a predicate without a value
func.func @f(%p: i1, %x: f32) {
  // expected-error @+1 {{'tile.psi' op expects at least one pair of predicate and value, found 3 operands (T23)}}
  %0 = "tile.psi"(%p, %p, %x) : (i1, i1, f32) -> f32
  return
}

// -----

// T23: a value without a predicate
func.func @f(%p: i1, %x: f32) {
  // expected-error @+1 {{'tile.psi' op expects at least one pair of predicate and value, found 3 operands (T23)}}
  %0 = "tile.psi"(%p, %x, %x) : (i1, f32, f32) -> f32
  return
}

// -----

// Dot.
// T9: ranks
func.func @f(%a: tensor<1x2x2xf32>, %b: tensor<2x2xf32>) {
  // expected-error @+1 {{'tile.dot' op expects tiles of the same rank, 2 or more, found 'tensor<2x2xf32>', 'tensor<2x2xf32>' and 'tensor<1x2x2xf32>' (T9)}}
  %0 = tile.dot %b, %b, %a : tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2x2xf32>
  return
}

// -----

// T9: batches of the accumulator
func.func @f(%a: tensor<4x2x2xf32>, %c: tensor<1x2x2xf32>) {
  // expected-error @+1 {{'tile.dot' op expects equal sizes before the last two axes, found 'tensor<4x2x2xf32>', 'tensor<4x2x2xf32>' and 'tensor<1x2x2xf32>' (T9)}}
  %0 = tile.dot %a, %a, %c : tensor<4x2x2xf32>, tensor<4x2x2xf32>, tensor<1x2x2xf32>
  return
}

// -----

// T10: M
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>, %c: tensor<4x5xf32>) {
  // expected-error @+1 {{'tile.dot' op expects M x K, K x N and M x N elements, found 'tensor<2x3xf32>', 'tensor<3x5xf32>' and 'tensor<4x5xf32>' (T10)}}
  %0 = tile.dot %a, %b, %c : tensor<2x3xf32>, tensor<3x5xf32>, tensor<4x5xf32>
  return
}

// -----

// T10: N
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>, %c: tensor<2x4xf32>) {
  // expected-error @+1 {{'tile.dot' op expects M x K, K x N and M x N elements, found 'tensor<2x3xf32>', 'tensor<3x5xf32>' and 'tensor<2x4xf32>' (T10)}}
  %0 = tile.dot %a, %b, %c : tensor<2x3xf32>, tensor<3x5xf32>, tensor<2x4xf32>
  return
}

// -----

// dot: result
func.func @f(%a: tensor<2x2xf16>, %c: tensor<2x2xf32>) {
  // expected-error @+1 {{'tile.dot' op failed to verify that all of {acc, result} have same type}}
  %0 = "tile.dot"(%a, %a, %c) : (tensor<2x2xf16>, tensor<2x2xf16>, tensor<2x2xf32>) -> tensor<2x2xf16>
  return
}

// -----

// Reshape, range, trans.
// T6: number, of fewer axes
func.func @f(%x: tensor<2x3xi8>) {
  // expected-error @+1 {{'tile.reshape' op expects the elements of 'tensor<2x3xi8>' (6), found 'tensor<5xi8>' (5) (T6)}}
  %0 = tile.reshape %x : tensor<2x3xi8> -> tensor<5xi8>
  return
}

// -----

// T5: down
func.func @f() {
  // expected-error @+1 {{'tile.range' op expects start < end, found 4 to 0 (T5)}}
  %0 = tile.range 4 to 0 : tensor<4xi32>
  return
}

// -----

// T5: below the smallest
func.func @f() {
  // expected-error @+1 {{'tile.range' op expects bounds that fit in 'i32', found -2147483649 to -2147483647 (T5)}}
  %0 = tile.range -2147483649 to -2147483647 : tensor<2xi32>
  return
}

// -----

// T8: too few
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'tile.trans' op expects a permutation of the 2 axes of 'tensor<2x3xf32>', found [0] (T8)}}
  %0 = tile.trans %x [0] : tensor<2x3xf32>
  return
}

// -----

// T8: no such axis
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'tile.trans' op expects a permutation of the 2 axes of 'tensor<2x3xf32>', found [0, 2] (T8)}}
  %0 = tile.trans %x [0, 2] : tensor<2x3xf32>
  return
}

// -----

// T8: a negative axis
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'tile.trans' op expects a permutation of the 2 axes of 'tensor<2x3xf32>', found [-1, 0] (T8)}}
  %0 = tile.trans %x [-1, 0] : tensor<2x3xf32>
  return
}

// -----

// T12: reduce, negative
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'tile.reduce' op expects an axis from 0 to 1, found -1 (T12)}}
  %0 = tile.reduce add %x axis -1 : tensor<2x3xf32>
  return
}

// -----

// T12: scan, too large
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'tile.scan' op expects an axis from 0 to 1, found 2 (T12)}}
  %0 = tile.scan add %x axis 2 : tensor<2x3xf32>
  return
}

// -----

// T26: divisibility of 0
func.func @f(%x: i32) {
  // expected-error @+1 {{'tile.assume' op expects entries of 'divisibility' to be positive, found 0 for an axis of 1 (T26)}}
  %0 = tile.assume %x {divisibility = array<i64: 0>} : i32
  return
}

// -----

// T26: constancy
func.func @f(%x: tensor<6xi32>) {
  // expected-error @+1 {{'tile.assume' op expects entries of 'constancy' to be positive and to divide the axis, found 4 for an axis of 6 (T26)}}
  %0 = tile.assume %x {constancy = array<i64: 4>} : tensor<6xi32>
  return
}

// -----

// The grid and types.
func.func @f() attributes {tile.kernel} {
  // expected-error @+1 {{custom op 'tile.program_id' expected string or keyword containing one of the following enum values for attribute 'axis' [x, y, z]}}
  %0 = tile.program_id w
  return
}

// -----

// expected-error @+1 {{expects elements of i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64, found 'i1'}}
func.func private @f(!tile.buffer<4xi1>)

// -----

// expected-error @+1 {{expects elements of i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64, found 'tensor<4xf32>'}}
func.func private @f(!tile.ptr<tensor<4xf32>>)

// -----

// expected-error @+1 {{'func.func' op expects tile.noalias on a pointer or memref, found 'f32'}}
func.func private @f(f32 {tile.noalias})

// -----

// T15: atomic_cas
func.func @f(%p: tensor<2x2x!tile.ptr<i32>>, %x: tensor<2x2xi32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{'tile.atomic_cas' op expects a mask of 'tensor<2x2xi1>' for pointers of 'tensor<2x2x!tile.ptr<i32>>', found 'tensor<4xi1>' (T15)}}
  %0 = "tile.atomic_cas"(%p, %x, %x, %m) : (tensor<2x2x!tile.ptr<i32>>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<4xi1>) -> tensor<2x2xi32>
  return
}

// -----

// T17: atomic_cas
func.func @f(%p: !tile.ptr<i32>, %x: i64) {
  // expected-error @+1 {{'tile.atomic_cas' op expects a value of 'i32' for pointers of '!tile.ptr<i32>', found 'i64' (T17)}}
  %0 = "tile.atomic_cas"(%p, %x, %x) : (!tile.ptr<i32>, i64, i64) -> i64
  return
}

// -----

// atomic_cas: what is compared
func.func @f(%p: !tile.ptr<i32>, %x: i32, %y: i64) {
  // expected-error @+1 {{'tile.atomic_cas' op failed to verify that all of {compare, value, result} have same type}}
  %0 = "tile.atomic_cas"(%p, %y, %x) : (!tile.ptr<i32>, i64, i32) -> i32
  return
}

// -----

// T52
func.func @f(%p: !tile.ptr<i8>, %x: i8) {
  // expected-error @+1 {{'tile.atomic_cas' op expects elements of 16, 32 or 64 bits, which GPUs compare and swap, found 'i8' (T52)}}
  %0 = tile.atomic_cas %p, %x, %x : !tile.ptr<i8>
  return
}

// -----

// T52: floats
func.func @f(%p: tensor<4x!tile.ptr<f8E5M2>>, %x: tensor<4xf8E5M2>) {
  // expected-error @+1 {{'tile.atomic_cas' op expects elements of 16, 32 or 64 bits, which GPUs compare and swap, found 'f8E5M2' (T52)}}
  %0 = tile.atomic_cas %p, %x, %x : tensor<4x!tile.ptr<f8E5M2>>
  return
}

// -----

// T53: int_to_ptr
func.func @f(%i: tensor<4xi64>) {
  // expected-error @+1 {{'tile.int_to_ptr' op expects a source and a result of one shape and layout, found 'tensor<4xi64>' and 'tensor<8x!tile.ptr<f32>>' (T53)}}
  %0 = tile.int_to_ptr %i : tensor<4xi64> -> tensor<8x!tile.ptr<f32>>
  return
}

// -----

// T53: ptr_to_int
func.func @f(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{'tile.ptr_to_int' op expects a source and a result of one shape and layout, found '!tile.ptr<f32>' and 'tensor<1xi64>' (T53)}}
  %0 = tile.ptr_to_int %p : !tile.ptr<f32> -> tensor<1xi64>
  return
}

// -----

// T53: ptr_to_ptr, layouts
#l = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
func.func @f(%p: tensor<32x!tile.ptr<f32>, #l>) {
  // expected-error @+1 {{'tile.ptr_to_ptr' op expects a source and a result of one shape and layout, found }}
  %0 = tile.ptr_to_ptr %p : tensor<32x!tile.ptr<f32>, #l> -> tensor<32x!tile.ptr<i32>>
  return
}

// -----

// int_to_ptr: addresses have 64 bits
func.func @f(%i: i32) {
  // expected-error @+1 {{'tile.int_to_ptr' op operand #0 must be 64-bit signless integer, or a tile of them, but got 'i32'}}
  %0 = "tile.int_to_ptr"(%i) : (i32) -> !tile.ptr<f32>
  return
}

// -----

// ptr_to_ptr: what pointers cannot point at
func.func @f(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{found 'i1'}}
  %0 = tile.ptr_to_ptr %p : !tile.ptr<f32> -> !tile.ptr<i1>
  return
}
