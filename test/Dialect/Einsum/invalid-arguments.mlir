// The attributes that the dialect gives to arguments of functions.
//
// RUN: tile-opt --split-input-file --verify-diagnostics %s

// A range of floats.
// expected-error @+1 {{op expects "einsum.value_range" on an argument with integer elements, found 'tensor<9xf32>'}}
func.func @float_range(%a: tensor<9xf32> {einsum.value_range = array<i64: 0, 3>}) {
  return
}

// -----

// A range that is empty.
// expected-error @+1 {{op expects "einsum.value_range" to be array<i64: lo, hi> with lo <= hi, found array<i64: 3, 0>}}
func.func @empty_range(%a: tensor<9xi32> {einsum.value_range = array<i64: 3, 0>}) {
  return
}

// -----

// A range with one end.
// expected-error @+1 {{op expects "einsum.value_range" to be array<i64: lo, hi> with lo <= hi, found array<i64: 3>}}
func.func @half_range(%a: tensor<9xi32> {einsum.value_range = array<i64: 3>}) {
  return
}

// -----

// A range with three ends.
// expected-error @+1 {{op expects "einsum.value_range" to be array<i64: lo, hi> with lo <= hi, found array<i64: 0, 1, 2>}}
func.func @long_range(%a: tensor<9xi32> {einsum.value_range = array<i64: 0, 1, 2>}) {
  return
}

// -----

// A range of another kind of array.
// expected-error @+1 {{op expects "einsum.value_range" to be array<i64: lo, hi> with lo <= hi, found [0, 3]}}
func.func @array_range(%a: tensor<9xi32> {einsum.value_range = [0, 3]}) {
  return
}

// -----

// A range of narrow integers.
// expected-error @+1 {{op expects "einsum.value_range" to be array<i64: lo, hi> with lo <= hi, found array<i32: 0, 3>}}
func.func @narrow_range(%a: tensor<9xi32> {einsum.value_range = array<i32: 0, 3>}) {
  return
}

// -----

// A range without a value.
// expected-error @+1 {{op expects "einsum.value_range" to be array<i64: lo, hi> with lo <= hi, found unit}}
func.func @unit_range(%a: tensor<9xi32> {einsum.value_range}) {
  return
}

// -----

// Any of several arguments.
// expected-error @+1 {{op expects "einsum.value_range" to be array<i64: lo, hi> with lo <= hi, found array<i64: 0, -3>}}
func.func @second_argument(%a: tensor<9xi32> {einsum.value_range = array<i64: 0, 3>},
    %b: memref<9xi32> {einsum.value_range = array<i64: 0, -3>}) {
  return
}

// -----

// A shape that contradicts a static size.
// expected-error @+1 {{op expects "einsum.example_shape" to be array<i64: ...> with a size for each axis of 'tensor<?x4xf32>', found array<i64: 3, 5>}}
func.func @other_shape(%a: tensor<?x4xf32> {einsum.example_shape = array<i64: 3, 5>}) {
  return
}

// -----

// A shape of another rank.
// expected-error @+1 {{op expects "einsum.example_shape" to be array<i64: ...> with a size for each axis of 'tensor<?x4xf32>', found array<i64: 3>}}
func.func @short_shape(%a: tensor<?x4xf32> {einsum.example_shape = array<i64: 3>}) {
  return
}

// -----

// A shape with a negative size.
// expected-error @+1 {{op expects "einsum.example_shape" to be array<i64: ...> with a size for each axis of 'memref<?x4xf32>', found array<i64: -3, 4>}}
func.func @negative_shape(%a: memref<?x4xf32> {einsum.example_shape = array<i64: -3, 4>}) {
  return
}

// -----

// A shape that leaves a size open.
// expected-error @+1 {{op expects "einsum.example_shape" to be array<i64: ...> with a size for each axis of 'memref<?x4xf32>', found array<i64: -9223372036854775808, 4>}}
func.func @dynamic_shape(%a: memref<?x4xf32> {einsum.example_shape = array<i64: -9223372036854775808, 4>}) {
  return
}

// -----

// A shape of another kind of array.
// expected-error @+1 {{op expects "einsum.example_shape" to be array<i64: ...> with a size for each axis of 'tensor<?x4xf32>', found [3, 4]}}
func.func @array_shape(%a: tensor<?x4xf32> {einsum.example_shape = [3, 4]}) {
  return
}

// -----

// A shape for no rank.
// expected-error @+1 {{op expects "einsum.example_shape" to be array<i64: ...> with a size for each axis of 'tensor<*xf32>', found array<i64: 3>}}
func.func @unranked_shape(%a: tensor<*xf32> {einsum.example_shape = array<i64: 3>}) {
  return
}

// -----

// An attribute that the dialect does not have.
// expected-error @+1 {{op expects einsum.value_range, einsum.example_shape, einsum.multiple_of, einsum.at_least or einsum.at_most, found unknown attribute "einsum.range"}}
func.func @unknown(%a: tensor<9xi32> {einsum.range = array<i64: 0, 3>}) {
  return
}

// -----

// Good ones.
func.func @good(%a: tensor<9xi32> {einsum.value_range = array<i64: 3, 3>},
    %b: memref<?x4xi8> {einsum.example_shape = array<i64: 0, 4>, einsum.value_range = array<i64: -128, 127>},
    %c: tensor<2x?x?xindex> {einsum.example_shape = array<i64: 2, 3, 4>},
    %d: tensor<f32> {einsum.example_shape = array<i64>}) {
  return
}

// -----

// expected-error @+1 {{expects "einsum.value_range" to fit in 'i8', found array<i64: -200, 200>}}
func.func @range_of_bytes(%a: tensor<4xi8> {einsum.value_range = array<i64: -200, 200>}) {
  return
}

// -----

// Promises of sizes: good ones.
func.func @promises(%a: tensor<?x16xf32> {einsum.multiple_of = array<i64: 8, 4>, einsum.at_least = array<i64: 0, 16>,
                                          einsum.at_most = array<i64: -1, 16>}) {
  return
}

// -----

// expected-error @+1 {{expects einsum.multiple_of to be array<i64: ...> with a number of at least 1 for each axis of 'tensor<?x16xf32>', found array<i64: 8>}}
func.func @promise_for_one_axis(%a: tensor<?x16xf32> {einsum.multiple_of = array<i64: 8>}) {
  return
}

// -----

// expected-error @+1 {{expects einsum.multiple_of to be array<i64: ...> with a number of at least 1 for each axis of 'tensor<?x16xf32>', found array<i64: 0, 1>}}
func.func @multiple_of_zero(%a: tensor<?x16xf32> {einsum.multiple_of = array<i64: 0, 1>}) {
  return
}

// -----

// expected-error @+1 {{expects einsum.at_most to hold for the sizes that 'tensor<?x16xf32>' has, found 8 for axis 1 of size 16}}
func.func @broken_promise(%a: tensor<?x16xf32> {einsum.at_most = array<i64: -1, 8>}) {
  return
}
