//===- InterpreterTest.cpp - Tests of the reference interpreter -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry point, control flow, tensors, memory and structured ops. Programs
// are small enough to follow by hand; whatever is undefined has to be an error
// that says what was found.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

//===----------------------------------------------------------------------===//
// interpret()
//===----------------------------------------------------------------------===//

TEST(Interpret, ChecksArguments) {
  const char *program = R"(
func.func @f(%a: tensor<?x3xf32>, %b: memref<2xi8>, %c: index) {
  return
})";
  NDArray a = numbers(K::F32, {2, 3}), b = numbers(K::I8, {2}),
          c = integer(K::Index, 1);
  EXPECT_EQ(run(program, {a, b, c}).error, "");
  EXPECT_EQ(runForError(program, {a}),
            "'f' takes 3 arguments, but 1 are given");
  EXPECT_EQ(runForError(program, {numbers(K::F64, {2, 3}), b, c}),
            "argument 0 of 'f' is 2x3xf64, expected 'tensor<?x3xf32>'");
  EXPECT_EQ(runForError(program, {numbers(K::F32, {2, 4}), b, c}),
            "argument 0 of 'f' is 2x4xf32, expected 'tensor<?x3xf32>'");
  EXPECT_EQ(runForError(program, {a, numbers(K::I8, {2, 1}), c}),
            "argument 1 of 'f' is 2x1xi8, expected 'memref<2xi8>'");
  EXPECT_EQ(runForError(program, {a, b, numbers(K::Index, {1})}),
            "argument 2 of 'f' is 1xindex, expected 'index'");
  EXPECT_EQ(runForError("func.func @f(%a: i4) { return }", {b}),
            "argument 0 of 'f' has type 'i4', expected a ranked tensor or "
            "memref, or a scalar, of i1, i8, i16, i32, i64, index, f8E4M3FN, "
            "f8E5M2, f16, bf16, f32 or f64");
  EXPECT_EQ(runForError(
                "func.func @f(%a: memref<2x2xf32, strided<[1, 2]>>) { return }",
                {numbers(K::F32, {2, 2})}),
            "argument 0 of 'f' has the strides 2x1, which its type "
            "'memref<2x2xf32, strided<[1, 2]>>' excludes");
}

TEST(Interpret, ResultsAndMemrefArguments) {
  std::vector<NDArray> arguments = {numbers(K::I32, {3}), integer(K::I32, 7)};
  auto outcome = runInPlace(R"(
func.func @f(%m: memref<3xi32>, %v: i32) -> (i32, memref<2xi32, strided<[2]>>) {
  %c1 = arith.constant 1 : index
  memref.store %v, %m[%c1] : memref<3xi32>
  %old = memref.load %m[%c1] : memref<3xi32>
  %r = memref.subview %m[0] [2] [2]
      : memref<3xi32> to memref<2xi32, strided<[2]>>
  return %old, %r : i32, memref<2xi32, strided<[2]>>
})",
                            arguments);
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(valuesOf(arguments[0]), (Doubles{-6, 7, -5}));
  EXPECT_EQ(valuesOf(outcome.results[0]), Doubles{7});
  EXPECT_EQ(valuesOf(outcome.results[1]), (Doubles{-6, -5}));
}

TEST(Interpret, UnknownOps) {
  EXPECT_EQ(errorOf("math.clampf %0 to [%0, %0] : f32", {scalar(K::F32, 1)}),
            "the interpreter does not know this op: 'math.clampf'");
  EXPECT_EQ(runForError("func.func @f() { return }\n"), "");
  EXPECT_EQ(runForError("func.func private @f()"),
            "cannot call 'f': it has no body");
  EXPECT_EQ(runForError(R"(
func.func @f() {
  %0 = arith.constant 1 : i4
  return
})"),
            "the interpreter does not know values of type 'i4'");
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

TEST(Control, CallsAndRecursion) {
  const char *factorial = R"(
func.func @f(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %done = arith.cmpi COMPARISON, %n, %c0 : i64
  %r = scf.if %done -> i64 {
    scf.yield %c1 : i64
  } else {
    %m = arith.subi %n, %c1 : i64
    %s = func.call @f(%m) : (i64) -> i64
    %p = arith.muli %n, %s : i64
    scf.yield %p : i64
  }
  return %r : i64
})";
  auto program = [&](StringRef comparison) {
    std::string text = factorial;
    return text.replace(text.find("COMPARISON"), 10, comparison.str());
  };
  EXPECT_EQ(only(run(program("eq"), {integer(K::I64, 10)})), Doubles{3628800});
  EXPECT_NE(runForError(program("sgt"), {integer(K::I64, 0)})
                .find("nested too deeply: 256 regions or calls"),
            std::string::npos);
}

TEST(Control, ScfLoops) {
  EXPECT_EQ(
      only(run(R"(
func.func @f(%lower: i32, %upper: i32, %step: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %lower to %upper step %step iter_args(%s = %zero)
      -> (i32) : i32 {
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  return %r : i32
})",
               {integer(K::I32, -4), integer(K::I32, 9), integer(K::I32, 5)})),
      Doubles{-4 + 1 + 6});
  EXPECT_EQ(only(run(R"(
func.func @f() -> index {
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %r = scf.while (%x = %c1) : (index) -> index {
    %more = arith.cmpi slt, %x, %c100 : index
    scf.condition(%more) %x : index
  } do {
  ^bb0(%y: index):
    %z = arith.addi %y, %y : index
    scf.yield %z : index
  }
  return %r : index
})")),
            Doubles{128});
  // As unsigned numbers there are two from 254 (-2) to 255, 0 is not passed.
  const char *unsignedLoop = R"(
func.func @f(%lower: i8, %upper: i8) -> i32 {
  %one = arith.constant 1 : i32
  %step = arith.constant 1 : i8
  %zero = arith.constant 0 : i32
  %r = scf.for unsigned %i = %lower to %upper step %step iter_args(%s = %zero)
      -> (i32) : i8 {
    %t = arith.addi %s, %one : i32
    scf.yield %t : i32
  }
  return %r : i32
})";
  EXPECT_EQ(only(run(unsignedLoop, {integer(K::I8, 1), integer(K::I8, -1)})),
            Doubles{254});
  EXPECT_EQ(runForError(R"(
func.func @f(%step: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %c1 step %step { }
  return
})",
                        {integer(K::Index, 0)}),
            "has step 0, expected a positive one");
}

TEST(Control, ParallelLoops) {
  auto outcome = run(R"(
func.func @f(%n: index) -> (i32, i32, tensor<2x3xindex>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sum, %max = scf.parallel (%i, %j) = (%c0, %c1) to (%n, %n) step (%c1, %c2)
      init (%zero, %one) -> (i32, i32) {
    %p = arith.muli %i, %j : index
    %v = arith.index_cast %p : index to i32
    scf.reduce(%v, %v : i32, i32) {
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %b : i32
      scf.reduce.return %s : i32
    }, {
    ^bb0(%a: i32, %b: i32):
      %s = arith.maxsi %a, %b : i32
      scf.reduce.return %s : i32
    }
  }
  %e = tensor.empty() : tensor<2x3xindex>
  %t = scf.forall (%i, %j) in (2, 3) shared_outs(%o = %e) -> tensor<2x3xindex> {
    %k = arith.muli %i, %c3 : index
    %l = arith.addi %k, %j : index
    %x = tensor.splat %l : tensor<1xindex>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i, %j] [1, 1] [1, 1]
          : tensor<1xindex> into tensor<2x3xindex>
    }
  }
  %w = scf.index_switch %n -> index
  case 4 { scf.yield %c3 : index }
  default { scf.yield %c0 : index }
  return %sum, %max, %t, %w : i32, i32, tensor<2x3xindex>, index
})",
                     {integer(K::Index, 4)});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(valuesOf(outcome.results[0]), Doubles{(0 + 1 + 2 + 3) * (1 + 3)});
  EXPECT_EQ(valuesOf(outcome.results[1]), Doubles{9});
  EXPECT_EQ(valuesOf(outcome.results[2]), (Doubles{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(valuesOf(outcome.results[3]), Doubles{3});
}

TEST(Control, BranchesAndAssertions) {
  // Greatest common divisor; the block arguments are swapped at once.
  const char *gcd = R"(
func.func @f(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  cf.br ^loop(%a, %b : i32, i32)
^loop(%x: i32, %y: i32):
  %done = arith.cmpi eq, %y, %zero : i32
  cf.cond_br %done, ^exit, ^next
^next:
  %r = arith.remsi %x, %y : i32
  cf.br ^loop(%y, %r : i32, i32)
^exit:
  cf.switch %x : i32, [default: ^bad, 6: ^good]
^bad:
  return %zero : i32
^good:
  %positive = arith.cmpi sgt, %a, %zero : i32
  cf.assert %positive, "expects a positive number"
  return %x : i32
})";
  EXPECT_EQ(only(run(gcd, {integer(K::I32, 48), integer(K::I32, 18)})),
            Doubles{6});
  EXPECT_EQ(only(run(gcd, {integer(K::I32, 4), integer(K::I32, 2)})),
            Doubles{0});
  EXPECT_EQ(runForError(gcd, {integer(K::I32, 0), integer(K::I32, 6)}),
            "assertion failed: expects a positive number");
}

TEST(Control, Affine) {
  NDArray x = numbers(K::F32, {3, 4}), y = numbers(K::F32, {4, 3});
  std::vector<NDArray> arguments = {x, y, NDArray(K::F32, {3, 3})};
  auto outcome = runInPlace(R"(
func.func @f(%a: memref<3x4xf32>, %b: memref<4x3xf32>, %c: memref<3x3xf32>)
    -> (f32, index, index, index, index) {
  affine.for %ii = 0 to 3 step 2 {
    affine.for %i = affine_map<(d0) -> (d0)>(%ii)
        to min affine_map<(d0) -> (d0 + 2, 3)>(%ii) {
      affine.parallel (%j) = (0) to (3) {
        %sum = affine.parallel (%k) = (0) to (4) reduce ("addf") -> (f32) {
          %l = affine.load %a[%i, %k] : memref<3x4xf32>
          %r = affine.load %b[%k, %j] : memref<4x3xf32>
          %p = arith.mulf %l, %r : f32
          affine.yield %p : f32
        }
        affine.if affine_set<(d0, d1) : (d0 - d1 - 1 >= 0)>(%i, %j) {
          affine.store %sum, %c[%i, %j] : memref<3x3xf32>
        } else {
          affine.store %sum, %c[%i, %j + %i - %i] : memref<3x3xf32>
        }
      }
    }
  }
  %none = affine.parallel (%k) = (0) to (0) reduce ("mulf") -> (f32) {
    %l = affine.load %a[0, 0] : memref<3x4xf32>
    affine.yield %l : f32
  }
  %c17 = arith.constant 17 : index
  %q = affine.apply affine_map<(d0) -> ((-d0) floordiv 5 + (-d0) mod 5)>(%c17)
  %m = affine.max affine_map<(d0) -> (d0 ceildiv 2, 3)>(%c17)
  %d:2 = affine.delinearize_index %c17 into (4, 5) : index, index
  %n = affine.linearize_index [%d#0, %d#1] by (4, 5) : index
  return %none, %q, %m, %d#1, %n : f32, index, index, index, index
})",
                            arguments);
  ASSERT_EQ(outcome.error, "");
  Doubles expected(9);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k)
        expected[i * 3 + j] += x.getDouble(i * 4 + k) * y.getDouble(k * 3 + j);
  EXPECT_EQ(valuesOf(arguments[2]), expected);
  Doubles values;
  for (const NDArray &result : outcome.results)
    values.push_back(valuesOf(result)[0]);
  EXPECT_EQ(values, (Doubles{1, -4 + 3, 9, 2, 17}));
  EXPECT_EQ(runForError(R"(
func.func @f(%a: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i + 1] : memref<?xf32>
  }
  return
})",
                        {numbers(K::F32, {4}), integer(K::Index, 4)}),
            "index (4) is outside of the shape 4");
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

TEST(Tensor, MakingAndElements) {
  auto outcome = run(R"(
func.func @f(%n: index, %x: f32) -> (tensor<?x2xindex>, tensor<2x2xf32>,
                                     tensor<3xf32>, tensor<4x4xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = arith.negf %x : f32
  %g = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    tensor.yield %s : index
  } : tensor<?x2xindex>
  %e = tensor.from_elements %x, %y, %x, %x : tensor<2x2xf32>
  %z = tensor.splat %x : tensor<3xf32>
  %w = tensor.insert %y into %z[%c1] : tensor<3xf32>
  %old = tensor.extract %z[%c1] : tensor<3xf32>
  %v = tensor.insert %old into %w[%c0] : tensor<3xf32>
  %p = tensor.pad %e low[1, %c0] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %y : f32
  } : tensor<2x2xf32> to tensor<4x4xf32>
  %d = tensor.dim %g, %c0 : tensor<?x2xindex>
  return %g, %e, %v, %p, %d : tensor<?x2xindex>, tensor<2x2xf32>, tensor<3xf32>,
                              tensor<4x4xf32>, index
})",
                     {integer(K::Index, 2), scalar(K::F32, 3)});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(valuesOf(outcome.results[0]), (Doubles{0, 1, 1, 2}));
  EXPECT_EQ(valuesOf(outcome.results[1]), (Doubles{3, -3, 3, 3}));
  EXPECT_EQ(valuesOf(outcome.results[2]), (Doubles{3, -3, 3}));
  EXPECT_EQ(
      valuesOf(outcome.results[3]),
      (Doubles{-3, -3, -3, -3, 3, -3, -3, -3, 3, 3, -3, -3, -3, -3, -3, -3}));
  EXPECT_EQ(valuesOf(outcome.results[4]), Doubles{2});
}

TEST(Tensor, SlicesAndShapes) {
  auto outcome =
      run(R"(
func.func @f(%a: tensor<3x4xi32>, %n: index)
    -> (tensor<2xi32>, tensor<3x4xi32>, tensor<2x6xi32>, tensor<5x4xi32>) {
  %r = tensor.extract_slice %a[1, %n] [1, 2] [1, 2]
      : tensor<3x4xi32> to tensor<2xi32>
  %i = tensor.insert_slice %r into %a[0, 0] [2, 1] [2, 1]
      : tensor<2xi32> into tensor<3x4xi32>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<3x4xi32> into tensor<12xi32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [2, 6]
      : tensor<12xi32> into tensor<2x6xi32>
  %s = tensor.extract_slice %i[1, 0] [2, 4] [1, 1]
      : tensor<3x4xi32> to tensor<2x4xi32>
  %k = tensor.concat dim(0) %a, %s
      : (tensor<3x4xi32>, tensor<2x4xi32>) -> tensor<5x4xi32>
  return %r, %i, %e, %k : tensor<2xi32>, tensor<3x4xi32>, tensor<2x6xi32>,
                          tensor<5x4xi32>
})",
          {array(K::I32, {3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}),
           integer(K::Index, 1)});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(valuesOf(outcome.results[0]), (Doubles{5, 7}));
  EXPECT_EQ(valuesOf(outcome.results[1]),
            (Doubles{5, 1, 2, 3, 4, 5, 6, 7, 7, 9, 10, 11}));
  EXPECT_EQ(outcome.results[2].getShape(), ArrayRef<int64_t>({2, 6}));
  EXPECT_EQ(valuesOf(outcome.results[3]),
            (Doubles{0,  1,  2, 3, 4, 5, 6, 7, 8,  9,
                     10, 11, 4, 5, 6, 7, 7, 9, 10, 11}));
}

TEST(Tensor, Errors) {
  NDArray a = numbers(K::F32, {4});
  EXPECT_EQ(errorOf("tensor.extract %0[%1] : tensor<4xf32>",
                    {a, integer(K::Index, 4)}, "f32"),
            "index (4) is outside of the shape 4");
  EXPECT_EQ(errorOf("tensor.insert %2 into %0[%1] : tensor<4xf32>",
                    {a, integer(K::Index, -1), scalar(K::F32, 1)}),
            "index (-1) is outside of the shape 4");
  EXPECT_EQ(errorOf("tensor.extract_slice %0[%1] [2] [1] : tensor<4xf32> to "
                    "tensor<2xf32>",
                    {a, integer(K::Index, 3)}),
            "the slice of axis 0 (offset 3, size 2, stride 1) is not inside of "
            "its size 4");
  EXPECT_EQ(
      errorOf("tensor.empty(%0) : tensor<?xf32>", {integer(K::Index, -2)}),
      "the size of axis 0 is negative: -2");
  EXPECT_EQ(errorOf("tensor.empty(%0) : tensor<?xf32>",
                    {integer(K::Index, int64_t(1) << 62)}),
            "cannot allocate 4611686018427387904xf32");
  EXPECT_EQ(errorOf("tensor.dim %0, %1 : tensor<4xf32>",
                    {a, integer(K::Index, 1)}, "index"),
            "asks for axis 1 of a tensor of rank 1");
  EXPECT_EQ(runForError(R"(
func.func @f(%a: tensor<?xf32>) -> tensor<3xf32> {
  %r = tensor.cast %a : tensor<?xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
})",
                        {a}),
            "result 0 has the shape 4, which its type 'tensor<3xf32>' "
            "excludes");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(Memory, ViewsAlias) {
  std::vector<NDArray> arguments = {
      array(K::I32, {3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})};
  auto outcome = runInPlace(R"(
memref.global "private" @table : memref<2xi32> = dense<[5, 6]>
func.func @g(%a: memref<3x4xi32>) -> (i32, index, index, memref<2x6xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 100 : i32
  %s = memref.subview %a[1, %c1] [2, 2] [1, 2]
      : memref<3x4xi32> to memref<2x2xi32, strided<[4, 2], offset: ?>>
  memref.store %v, %s[%c1, %c1]
      : memref<2x2xi32, strided<[4, 2], offset: ?>> // a[2, 3]
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %s
      : memref<2x2xi32, strided<[4, 2], offset: ?>>
      -> memref<i32>, index, index, index, index, index
  %r = memref.reinterpret_cast %base to offset: [%offset], sizes: [2],
      strides: [%strides#0]
      : memref<i32> to memref<2xi32, strided<[?], offset: ?>>
  %g = memref.get_global @table : memref<2xi32>
  memref.copy %g, %r : memref<2xi32> to memref<2xi32, strided<[?], offset: ?>>
  memref.store %v, %g[%c0] : memref<2xi32>
  %again = memref.get_global @table : memref<2xi32>
  %x = memref.load %again[%c0] : memref<2xi32>
  %c = memref.collapse_shape %a [[0, 1]] : memref<3x4xi32> into memref<12xi32>
  %old = memref.atomic_rmw addi %v, %c[%c0] : (i32, memref<12xi32>) -> i32
  %e = memref.expand_shape %c [[0, 1]] output_shape [2, 6]
      : memref<12xi32> into memref<2x6xi32>
  return %x, %offset, %strides#1, %e : i32, index, index, memref<2x6xi32>
})",
                            arguments);
  ASSERT_EQ(outcome.error, "");
  Doubles expected = {100, 1, 2, 3, 4, 5, 6, 7, 8, 6, 10, 100};
  EXPECT_EQ(valuesOf(arguments[0]), expected);
  EXPECT_EQ(valuesOf(outcome.results[0]), Doubles{100});
  EXPECT_EQ(valuesOf(outcome.results[1]), Doubles{5});
  EXPECT_EQ(valuesOf(outcome.results[2]), Doubles{2});
  EXPECT_EQ(valuesOf(outcome.results[3]), expected);
}

TEST(Memory, BytesAndBufferization) {
  auto outcome = run(R"(
func.func @f(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, i1) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %bytes = memref.alloc() : memref<12xi8>
  %view = memref.view %bytes[%c4][] : memref<12xi8> to memref<2xf32>
  bufferization.materialize_in_destination %a in writable %view
      : (tensor<2xf32>, memref<2xf32>) -> ()
  %before = bufferization.to_tensor %view : memref<2xf32> to tensor<2xf32>
  %one = arith.constant 1.0 : f32
  memref.store %one, %view[%c0] : memref<2xf32>
  %after = bufferization.to_tensor %view : memref<2xf32> to tensor<2xf32>
  %true = arith.constant true
  %copy = bufferization.clone %view : memref<2xf32> to memref<2xf32>
  %owned = bufferization.dealloc (%bytes, %copy : memref<12xi8>, memref<2xf32>)
      if (%true, %true) retain (%view : memref<2xf32>)
  %x = memref.load %view[%c0] : memref<2xf32>
  return %before, %after, %owned : tensor<2xf32>, tensor<2xf32>, i1
})",
                     {array(K::F32, {2}, {2, 3})});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(valuesOf(outcome.results[0]), (Doubles{2, 3}));
  EXPECT_EQ(valuesOf(outcome.results[1]), (Doubles{1, 3}));
  EXPECT_EQ(valuesOf(outcome.results[2]), Doubles{1});
}

TEST(Memory, Errors) {
  auto body = [](StringRef text) {
    return "func.func @f(%m: memref<4xf32>, %d: memref<?xf32>, %i: index) {\n"
           "%a = memref.alloc(%i) : memref<?xf32>\n" +
           text.str() + "\nreturn\n}";
  };
  auto error = [&](StringRef text, int64_t i = 3) {
    return runForError(body(text), {numbers(K::F32, {4}), numbers(K::F32, {5}),
                                    integer(K::Index, i)});
  };
  EXPECT_EQ(error("%x = memref.load %a[%i] : memref<?xf32>"),
            "index (3) is outside of the shape 3");
  EXPECT_EQ(error("memref.dealloc %a : memref<?xf32>\n"
                  "%x = memref.load %a[%i] : memref<?xf32>"),
            "uses memory that was freed");
  EXPECT_EQ(error("memref.dealloc %a : memref<?xf32>\n"
                  "memref.dealloc %a : memref<?xf32>"),
            "uses memory that was freed");
  EXPECT_EQ(error("memref.dealloc %m : memref<4xf32>"),
            "frees memory that memref.alloc did not allocate");
  EXPECT_EQ(error("memref.copy %m, %d : memref<4xf32> to memref<?xf32>"),
            "the shape of the source is 4, but that of the target is 5");
  EXPECT_EQ(error("", -1), "the size of axis 0 is negative: -1");
  EXPECT_EQ(error("%x = memref.cast %d : memref<?xf32> to memref<4xf32>"),
            "result 0 has the shape 5, which its type 'memref<4xf32>' "
            "excludes");
  EXPECT_EQ(error("%x = memref.subview %m[%i] [2] [1] : memref<4xf32> to "
                  "memref<2xf32, strided<[1], offset: ?>>"),
            "the slice of axis 0 (offset 3, size 2, stride 1) is not inside of "
            "its size 4");
  EXPECT_EQ(error("%x = memref.reinterpret_cast %m to offset: [%i], sizes: "
                  "[2], strides: [1] : memref<4xf32> to memref<2xf32, "
                  "strided<[1], offset: ?>>"),
            "the view of shape 2, with offset 3 and strides 1, is not within "
            "the memory of 16 bytes");
}

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

TEST(Linalg, NamedAndGenericOps) {
  NDArray a = numbers(K::F32, {2, 3}), b = numbers(K::F32, {3, 2});
  auto outcome = run(R"(
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>)
    -> (tensor<2x2xf32>, tensor<3x2xf32>, tensor<2xf32>, tensor<2x2xf32>,
        tensor<2x3xf32>) {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %fill = linalg.fill ins(%one : f32) outs(%e : tensor<2x2xf32>)
      -> tensor<2x2xf32>
  %m = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>)
      outs(%fill : tensor<2x2xf32>) -> tensor<2x2xf32>
  %et = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%et : tensor<3x2xf32>)
      permutation = [1, 0]
  %er = tensor.empty() : tensor<2xf32>
  %zr = linalg.fill ins(%one : f32) outs(%er : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<2x3xf32>)
      outs(%zr : tensor<2xf32>) dimensions = [1]
  %x = linalg.broadcast ins(%r : tensor<2xf32>) outs(%e : tensor<2x2xf32>)
      dimensions = [0]
  %ea = tensor.empty() : tensor<2x3xf32>
  %g = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (1 - i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<2x3xf32>) outs(%ea : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %v = arith.sitofp %k : i32 to f32
    %s = arith.addf %in, %v : f32
    linalg.yield %s : f32
  } -> tensor<2x3xf32>
  %map = linalg.map { arith.mulf }
      ins(%g, %a : tensor<2x3xf32>, tensor<2x3xf32>)
      outs(%ea : tensor<2x3xf32>)
  return %m, %t, %r, %x, %map : tensor<2x2xf32>, tensor<3x2xf32>, tensor<2xf32>,
                                tensor<2x2xf32>, tensor<2x3xf32>
})",
                     {a, b});
  ASSERT_EQ(outcome.error, "");
  Doubles matmul(4, 1), transposed, sums(2, 1), mapped;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k)
        matmul[i * 2 + j] += a.getDouble(i * 3 + k) * b.getDouble(k * 2 + j);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 2; ++i) {
      transposed.push_back(a.getDouble(i * 3 + j));
      sums[i] += a.getDouble(i * 3 + j);
    }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      mapped.push_back((a.getDouble((1 - i) * 3 + j) + j) *
                       a.getDouble(i * 3 + j));
  EXPECT_EQ(valuesOf(outcome.results[0]), matmul);
  EXPECT_EQ(valuesOf(outcome.results[1]), transposed);
  EXPECT_EQ(valuesOf(outcome.results[2]), sums);
  EXPECT_EQ(valuesOf(outcome.results[3]),
            (Doubles{sums[0], sums[1], sums[0], sums[1]}));
  EXPECT_EQ(valuesOf(outcome.results[4]), mapped);
  EXPECT_EQ(outcome.longestReduction, 3);
}

TEST(Linalg, MemrefsAndConvolution) {
  NDArray x = numbers(K::F32, {7}), w = numbers(K::F32, {3});
  std::vector<NDArray> arguments = {x, w, array(K::F32, {5}, Doubles(5, 1))};
  auto outcome = runInPlace(R"(
func.func @f(%x: memref<?xf32>, %w: memref<?xf32>, %y: memref<?xf32>) {
  linalg.conv_1d ins(%x, %w : memref<?xf32>, memref<?xf32>)
      outs(%y : memref<?xf32>)
  return
})",
                            arguments);
  ASSERT_EQ(outcome.error, "");
  Doubles expected(5, 1);
  for (int i = 0; i < 5; ++i)
    for (int r = 0; r < 3; ++r)
      expected[i] += x.getDouble(i + r) * w.getDouble(r);
  EXPECT_EQ(valuesOf(arguments[2]), expected);
}

TEST(Linalg, Errors) {
  const char *matmul = R"(
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %m = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %m : tensor<?x?xf32>
})";
  EXPECT_EQ(
      runForError(matmul, {numbers(K::F32, {2, 3}), numbers(K::F32, {4, 2}),
                           numbers(K::F32, {2, 2})}),
      "axis 0 of operand 1 has size 4, but dimension 2 of the iteration "
      "space has size 3");
  EXPECT_EQ(runForError(R"(
func.func @f(%x: memref<?xf32>, %w: memref<?xf32>, %y: memref<?xf32>) {
  linalg.conv_1d ins(%x, %w : memref<?xf32>, memref<?xf32>)
      outs(%y : memref<?xf32>)
  return
})",
                        {numbers(K::F32, {7}), numbers(K::F32, {3}),
                         numbers(K::F32, {6})}),
            "index (7) is outside of the shape 7");
}
