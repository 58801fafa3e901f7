//===- TileFactsTest.cpp - Tests of poison, assumptions and launches ------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What depends on poison, what is not as `tile.assume` says, and launches that
// cannot run. Each error says what was found, and where.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

//===----------------------------------------------------------------------===//
// Poison
//===----------------------------------------------------------------------===//

/// The error of `body`, where %x and %n (i32), %y (f32) and %b (i1) are tiles
/// of 2x2 whose element (1, 0) is poison, %s (i32) and %c (i1) poisoned
/// scalars, %t and %e opposite masks, the first without (1, 0).
static std::string errorWithPoison(StringRef body) {
  return kernelError((R"(
func.func @k(%p: !tile.ptr<i32>, %m: memref<4x4xi32>)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %one = arith.constant 1 : i32
  %t = arith.constant dense<[[true, true], [false, true]]> : tensor<2x2xi1>
  %e = arith.constant dense<[[false, false], [true, false]]> : tensor<2x2xi1>
  %lane = tile.range 0 to 4 : tensor<4xi32>
  %i = tile.reshape %lane : tensor<4xi32> -> tensor<2x2xi32>
  %f = arith.sitofp %i : tensor<2x2xi32> to tensor<2x2xf32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<2x2x!tile.ptr<i32>>
  %q = tile.addptr %ps, %i : tensor<2x2x!tile.ptr<i32>>, tensor<2x2xi32>
  %x = tile.psi %t ? %i : tensor<2x2xi1>, tensor<2x2xi32>
  %y = tile.psi %t ? %f : tensor<2x2xi1>, tensor<2x2xf32>
  %n = arith.muli %x, %i : tensor<2x2xi32>
  %b = arith.cmpi eq, %n, %x : tensor<2x2xi32>
  %s = tile.psi %false ? %one : i1, i32
  %c = arith.cmpi eq, %s, %one : i32
)" + body + "\n  return\n}")
                         .str(),
                     {1, 1, 1},
                     {numbers(K::I32, {4}), numbers(K::I32, {4, 4})});
}

static std::string poison(StringRef what, StringRef element = "") {
  return (element + "depends on " + what +
          " that is poison (no predicate of a tile.psi was true there, no "
          "tile.mma_wait has waited for a tile.mma_async, or "
          "ub.poison), in program (0, 0, 0) of @k")
      .str();
}

TEST(TileFacts, PoisonUnderAFalseMask) {
  EXPECT_EQ(errorWithPoison(R"(
  tile.store %q, %n mask %t : tensor<2x2x!tile.ptr<i32>>
  %r = tile.addptr %ps, %x : tensor<2x2x!tile.ptr<i32>>, tensor<2x2xi32>
  %v = tile.load %r mask %t other %x : tensor<2x2x!tile.ptr<i32>>
  %a = tile.psi %t ? %v, %e ? %i : tensor<2x2xi1>, tensor<2x2xi32>
  %sum = tile.reduce add %a axis 1 : tensor<2x2xi32>
  %one2 = arith.constant dense<1> : tensor<2x2xi32>
  %z = arith.subi %n, %n : tensor<2x2xi32>
  %u = arith.addi %z, %one2 : tensor<2x2xi32>
  %d = arith.divsi %i, %u : tensor<2x2xi32>)"),
            "");
}

TEST(TileFacts, DependenceOnPoison) {
  EXPECT_EQ(errorWithPoison("tile.store %q, %n : tensor<2x2x!tile.ptr<i32>>"),
            poison("a value", "element (1, 0): "));
  EXPECT_EQ(
      errorWithPoison("tile.store %q, %i mask %b : tensor<2x2x!tile.ptr<i32>>"),
      poison("a mask", "element (1, 0): "));
  EXPECT_EQ(errorWithPoison(R"(
  %r = tile.addptr %ps, %x : tensor<2x2x!tile.ptr<i32>>, tensor<2x2xi32>
  %v = tile.load %r : tensor<2x2x!tile.ptr<i32>>)"),
            poison("a pointer", "element (1, 0): "));
  EXPECT_EQ(errorWithPoison(
                "%v = tile.atomic_rmw add %q, %x : tensor<2x2x!tile.ptr<i32>>"),
            poison("a value", "element (1, 0): "));
  for (StringRef operands : {"%x, %i", "%i, %x"})
    EXPECT_EQ(errorWithPoison(("%v = tile.atomic_cas %q, " + operands +
                               " : tensor<2x2x!tile.ptr<i32>>")
                                  .str()),
              poison("a value", "element (1, 0): "));
  EXPECT_EQ(errorWithPoison("tile.store_view %x, %m[%c0, %c0] : "
                            "tensor<2x2xi32>, memref<4x4xi32>"),
            poison("a value", "element (1, 0): "));
  EXPECT_EQ(errorWithPoison("%r = tile.reduce add %x axis 0 : tensor<2x2xi32>"),
            poison("an element", "element (1, 0): "));
  EXPECT_EQ(errorWithPoison("%r = tile.scan add %x axis 1 : tensor<2x2xi32>"),
            poison("an element", "element (1, 0): "));
  for (StringRef operands : {"%y, %f, %f", "%f, %y, %f", "%f, %f, %y"})
    EXPECT_EQ(errorWithPoison(("%d = tile.dot " + operands +
                               " : tensor<2x2xf32>, tensor<2x2xf32>, "
                               "tensor<2x2xf32>")
                                  .str()),
              poison(operands.starts_with("%y") ? "an element of a"
                     : operands.ends_with("%y")
                         ? "an element of the accumulator"
                         : "an element of b",
                     "element (1, 0): "));
  EXPECT_EQ(errorWithPoison("%a = tile.assume %x {divisibility = array<i64: 1, "
                            "1>} : tensor<2x2xi32>"),
            poison("a value", "element (1, 0): "));
}

TEST(TileFacts, ControlThatDependsOnPoison) {
  EXPECT_EQ(errorWithPoison("scf.if %c {\n}"), poison("a value"));
  EXPECT_EQ(errorWithPoison("scf.for %k = %one to %s step %one : i32 {\n}"),
            poison("a value"));
  EXPECT_EQ(errorWithPoison(R"(
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  })"),
            poison("a value"));
  EXPECT_EQ(errorWithPoison(R"(
  cf.cond_br %c, ^a, ^b
^a:
  return
^b:)"),
            poison("a condition"));
  EXPECT_EQ(errorWithPoison("memref.store %s, %m[%c0, %c0] : memref<4x4xi32>"),
            poison("a value"));
  EXPECT_EQ(errorWithPoison(R"(
  %at = arith.index_cast %s : i32 to index
  %v = memref.load %m[%at, %c0] : memref<4x4xi32>)"),
            poison("a value"));
  // A poisoned condition makes the whole choice poison.
  EXPECT_EQ(errorWithPoison(R"(
  %v = arith.select %c, %i, %i : tensor<2x2xi32>
  tile.store %q, %v : tensor<2x2x!tile.ptr<i32>>)"),
            poison("a value", "element (0, 0): "));
  EXPECT_EQ(errorWithPoison(R"(
  %v = arith.select %c, %m, %m : memref<4x4xi32>)"),
            poison("a condition"));
  // Values that are carried along are not depended on.
  EXPECT_EQ(errorWithPoison(R"(
  %v = scf.for %k = %c0 to %c1 step %c1 iter_args(%w = %s) -> i32 {
    %u = arith.addi %w, %one : i32
    scf.yield %u : i32
  }
  tile.store %p, %v mask %false : !tile.ptr<i32>)"),
            "");
}

TEST(TileFacts, PoisonInHostCode) {
  StringRef rest = " that is poison (no predicate of a tile.psi was true "
                   "there, no tile.mma_wait has waited for a "
                   "tile.mma_async, or ub.poison)";
  EXPECT_EQ(errorOf("ub.poison : f32", {}), "depends on a result" + rest.str());
  EXPECT_EQ(errorOf("ub.poison : tensor<2xf32>", {}),
            "element (0): depends on a result" + rest.str());
  EXPECT_EQ(runForError(R"(
func.func @f() -> tensor<f32> {
  %x = ub.poison : tensor<3xf32>
  %y = einsum.contract "a -> " (%x) : (tensor<3xf32>) -> tensor<f32>
  return %y : tensor<f32>
})"),
            "element (0): depends on an operand" + rest.str());
}

//===----------------------------------------------------------------------===//
// assume
//===----------------------------------------------------------------------===//

/// The error of assuming `assumptions` of a tile of these i32.
static std::string errorOfFacts(StringRef assumptions, Shape shape,
                                Doubles values) {
  NDArray tile = array(K::I32, shape, values);
  return errorOf("tile.assume %0 {" + assumptions.str() + "} : " + typeOf(tile),
                 {tile}, typeOf(tile));
}

TEST(TileFacts, AssumeOfIntegers) {
  EXPECT_EQ(whole("tile.assume %0 {divisibility = array<i64: 16>} : i32",
                  {integer(K::I32, -32)}, "i32"),
            -32);
  EXPECT_EQ(errorOf("tile.assume %0 {divisibility = array<i64: 16>} : i64",
                    {integer(K::I64, 40)}, "i64"),
            "breaks what is assumed: the value is 40, expected a multiple of "
            "16 (divisibility along axis 0)");
  EXPECT_EQ(errorOfFacts("range = array<i64: -1, 5>", {3}, {-1, 5, 0}), "");
  EXPECT_EQ(errorOfFacts("range = array<i64: -1, 5>", {3}, {0, 6, 7}),
            "element (1): breaks what is assumed: the value is 6, expected "
            "range -1 to 5");
  EXPECT_EQ(errorOfFacts("contiguity = array<i64: 2>", {4}, {8, 9, 3, 4}), "");
  EXPECT_EQ(errorOfFacts("contiguity = array<i64: 4>", {4}, {8, 9, 3, 4}),
            "element (2): breaks what is assumed: the value is 3 after 9, "
            "expected runs of 4 that go up by one (contiguity along axis 0)");
  EXPECT_EQ(errorOfFacts("constancy = array<i64: 1, 2>", {2, 2}, {1, 1, 2, 2}),
            "");
  EXPECT_EQ(errorOfFacts("constancy = array<i64: 2, 1>", {2, 2}, {1, 1, 2, 2}),
            "element (1, 0): breaks what is assumed: the value is 2 after 1, "
            "expected runs of 2 equal ones (constancy along axis 0)");
  // Divisibility is that of the first elements of runs.
  EXPECT_EQ(errorOfFacts("contiguity = array<i64: 2>, divisibility = "
                         "array<i64: 4>",
                         {4}, {8, 9, 4, 5}),
            "");
  EXPECT_EQ(errorOfFacts("contiguity = array<i64: 2>, divisibility = "
                         "array<i64: 4>",
                         {4}, {8, 9, 6, 7}),
            "element (2): breaks what is assumed: the value is 6, expected a "
            "multiple of 4 (divisibility along axis 0)");
  EXPECT_EQ(errorOfFacts("contiguity = array<i64: 1, 2>, divisibility = "
                         "array<i64: 1, 4>",
                         {2, 2}, {8, 9, 6, 7}),
            "element (1, 0): breaks what is assumed: the value is 6, expected "
            "a multiple of 4 (divisibility along axis 1)");
}

/// The error of assuming `assumptions` of pointers to f16 at `offsets`.
static std::string errorOfPointers(StringRef assumptions, StringRef offsets) {
  return kernelError((R"(
func.func @k(%p: !tile.ptr<f16>) attributes {tile.kernel} {
  %o = arith.constant dense<)" +
                      offsets + R"(> : tensor<4xi32>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<4x!tile.ptr<f16>>
  %q = tile.addptr %ps, %o : tensor<4x!tile.ptr<f16>>, tensor<4xi32>
  %r = tile.assume %q {)" +
                      assumptions + R"(} : tensor<4x!tile.ptr<f16>>
  return
})")
                         .str(),
                     {1, 1, 1}, {numbers(K::F16, {9})});
}

TEST(TileFacts, AssumeOfPointers) {
  StringRef aligned =
      "contiguity = array<i64: 4>, divisibility = array<i64: 8>";
  EXPECT_EQ(errorOfPointers(aligned, "[4, 5, 6, 7]"), "");
  EXPECT_EQ(errorOfPointers(aligned, "[3, 4, 5, 6]"),
            "element (0): breaks what is assumed: the pointer is 6 bytes into "
            "memory that is aligned to 256 bytes, expected a multiple of 8 "
            "(divisibility along axis 0), in program (0, 0, 0) of @k");
  EXPECT_EQ(errorOfPointers(aligned, "[4, 5, 7, 6]"),
            "element (2): breaks what is assumed: the pointer is 14 bytes into "
            "memory that is aligned to 256 bytes after 10, expected runs of 4 "
            "that go up by one (contiguity along axis 0), in program "
            "(0, 0, 0) of @k");
  EXPECT_EQ(errorOfPointers("constancy = array<i64: 2>", "[3, 3, 1, 1]"), "");
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static const char *const kEmptyKernel = R"(
func.func @k(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  return
})";

TEST(TileFacts, ArgumentsOfKernels) {
  NDArray p = numbers(K::F32, {2, 3}), n = integer(K::I32, 1);
  EXPECT_EQ(kernelError(kEmptyKernel, {1, 1, 1}, {p, n}), "");
  EXPECT_EQ(kernelError(kEmptyKernel, {1, 1, 1}, {p}),
            "'k' takes 2 arguments, but 1 are given");
  EXPECT_EQ(kernelError(kEmptyKernel, {1, 1, 1}, {numbers(K::F16, {2}), n}),
            "argument 0 of 'k' is 2xf16, expected '!tile.ptr<f32>'");
  EXPECT_EQ(kernelError(kEmptyKernel, {1, 1, 1}, {p, numbers(K::I32, {1})}),
            "argument 1 of 'k' is 1xi32, expected 'i32'");
  EXPECT_EQ(kernelError("func.func @f() { return }", {1, 1, 1}, {}),
            "'f' is not a kernel, expected a function with 'tile.kernel'");
  EXPECT_EQ(runForError(kEmptyKernel, {p, n}),
            "'k' is a kernel, expected a grid of programs to run it on");
  EXPECT_EQ(runForError("func.func @f(%p: !tile.ptr<f32>) { return }", {p}),
            "argument 0 of 'f' has type '!tile.ptr<f32>', expected a ranked "
            "tensor or memref, or a scalar, of i1, i8, i16, i32, i64, index, "
            "f8E4M3FN, f8E5M2, f16, bf16, f32 or f64");
}

TEST(TileFacts, Grids) {
  NDArray p = numbers(K::F32, {2}), n = integer(K::I32, 1);
  EXPECT_EQ(kernelError(kEmptyKernel, {1, -1, 1}, {p, n}),
            "launches a grid of (1, -1, 1) programs, expected sizes that are "
            "not negative, and at most 2147483647 programs in all");
  EXPECT_EQ(kernelError(kEmptyKernel, {65536, 65536, 1}, {p, n}),
            "launches a grid of (65536, 65536, 1) programs, expected sizes "
            "that are not negative, and at most 2147483647 programs in all");
}

TEST(TileFacts, LaunchesInsideOfKernels) {
  EXPECT_EQ(kernelError(R"(
func.func @outer() attributes {tile.kernel} {
  %c1 = arith.constant 1 : index
  tile.launch @inner grid(%c1, %c1, %c1) ()
  return
}
func.func @inner() attributes {tile.kernel} {
  return
})",
                        {1, 1, 1}, {}),
            "launches a kernel from within a kernel, expected launches in host "
            "code only, in program (0, 0, 0) of @outer");
  EXPECT_EQ(runForError(R"(
func.func @host() {
  func.call @k() : () -> ()
  return
}
func.func @k() attributes {tile.kernel} {
  %x = tile.program_id x
  return
})"),
            "is run outside of a launch, expected the kernel to be launched on "
            "a grid");
}

TEST(TileFacts, PointersOutsideOfLaunches) {
  StringRef expected = "is run outside of a launch, expected the kernel to be "
                       "launched on a grid";
  for (StringRef use : {"%x = tile.load %e : tensor<2x!tile.ptr<i32>>",
                        "%x = tile.assume %e {divisibility = array<i64: 4>} : "
                        "tensor<2x!tile.ptr<i32>>"})
    EXPECT_EQ(runForError(("func.func @f() {\n"
                           "%e = tensor.empty() : tensor<2x!tile.ptr<i32>>\n" +
                           use + "\nreturn\n}")
                              .str()),
              expected);
}

TEST(TileFacts, FreedMemory) {
  EXPECT_EQ(runForError(R"(
func.func @host() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  tile.launch @k grid(%c1, %c1, %c1) (%m) : memref<4xf32>
  return
}
func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  return
})"),
            "uses memory that was freed");
}

TEST(TileFacts, OtherErrorsNameTheProgram) {
  EXPECT_EQ(kernelError(R"(
func.func @k() attributes {tile.kernel} {
  %two = arith.constant 2 : i32
  %x = tile.program_id x
  %d = arith.subi %two, %x : i32
  %q = arith.divsi %two, %d : i32
  return
})",
                        {3, 1, 1}, {}),
            "divides 2 by zero, in program (2, 0, 0) of @k");
}
