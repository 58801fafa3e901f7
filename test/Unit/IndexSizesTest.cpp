//===- IndexSizesTest.cpp - Tests of sizes of indices and ranges ----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/Analysis/OperandAccess.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>
#include <unistd.h>

using namespace llvm;
using namespace mlir;
using namespace tileir::einsum;
using Source = IndexSize::Source;

static constexpr int64_t kDynamic = ShapedType::kDynamic;

namespace {
class IndexSizesTest : public ::testing::Test {
protected:
  IndexSizesTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<EinsumDialect, func::FuncDialect>();
  }

  SpecAttr parseSpec(StringRef text) {
    SpecAttr spec = SpecAttr::parse(&context, text, [&](size_t offset) {
      return emitError(UnknownLoc::get(&context));
    });
    EXPECT_TRUE(spec) << text.str();
    return spec;
  }

  /// The op of a function with `arguments` and the text `op`. It is not
  /// verified.
  ContractOp parseContract(StringRef arguments, StringRef op) {
    std::string text =
        ("func.func @f(" + arguments + ") {\n" + op + "\nreturn\n}").str();
    module = parseSourceString<ModuleOp>(
        text, ParserConfig(&context, /*verifyAfterParse=*/false));
    ContractOp contract;
    if (module)
      module->walk([&](ContractOp found) { contract = found; });
    EXPECT_TRUE(contract) << text;
    return contract;
  }

  Value argument(unsigned index) {
    return (*module->getOps<func::FuncOp>().begin()).getArgument(index);
  }

  IndexSize getSize(ContractOp op, char index) {
    auto sizes = inferIndexSizes(op);
    EXPECT_TRUE(succeeded(sizes));
    return failed(sizes) ? IndexSize()
                         : (*sizes)[op.getSpec().getIndices().find(index)];
  }

  void expectSize(ContractOp op, char index, Source source, int64_t size,
                  Value value = {}, unsigned axis = 0, unsigned operand = 0) {
    SCOPED_TRACE(std::string(1, index));
    IndexSize found = getSize(op, index);
    EXPECT_EQ(found.source, source);
    EXPECT_EQ(found.size, size);
    EXPECT_EQ(found.isStatic(), size != kDynamic);
    EXPECT_EQ(found.value, value);
    EXPECT_EQ(found.axis, axis);
    EXPECT_EQ(found.operand, operand);
  }

  void expectContradiction(ContractOp op, StringRef message) {
    std::string text;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      text += diagnostic.str();
      return success();
    });
    EXPECT_TRUE(failed(inferIndexSizes(op, [&] { return op.emitOpError(); })));
    EXPECT_EQ(text, "'einsum.contract' op " + message.str());
    EXPECT_EQ(getStaticIndexSizes(op),
              SmallVector<int64_t>(op.getSpec().getNumIndices(), kDynamic));
    // Without a function to report to.
    text.clear();
    EXPECT_TRUE(failed(inferIndexSizes(op)));
    EXPECT_EQ(text, "");
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// A random expression, and the function that it stands for.
struct Random {
  AffineExpr expr;
  std::function<int64_t(ArrayRef<int64_t>)> value;
};
} // namespace

static int64_t floorDivide(int64_t a, int64_t b) {
  return (a - ((a % b) + b) % b) / b;
}

/// With `linear`, an expression of sums and products with constants of dims 0
/// to 3; otherwise any, in which symbol i is index i. Divisors are positive.
static Random makeRandom(MLIRContext *context, std::mt19937 &engine,
                         bool linear, bool symbolic, unsigned depth) {
  int64_t number = static_cast<int64_t>(engine() % 11) - 5;
  unsigned index = engine() % 4;
  unsigned choice = depth == 0 ? engine() % 3 : engine() % (linear ? 8 : 12);
  if (choice == 0)
    return {getAffineConstantExpr(number, context),
            [=](ArrayRef<int64_t>) { return number; }};
  if (choice < 3)
    return {symbolic ? getAffineSymbolExpr(index, context)
                     : getAffineDimExpr(index, context),
            [=](ArrayRef<int64_t> point) { return point[index]; }};
  Random lhs = makeRandom(context, engine, linear, symbolic, depth - 1);
  auto rhs = [&](bool symbolic) {
    return makeRandom(context, engine, linear, symbolic, depth - 1);
  };
  if (choice < 5) {
    Random other = rhs(symbolic);
    return {lhs.expr + other.expr, [=](ArrayRef<int64_t> point) {
              return lhs.value(point) + other.value(point);
            }};
  }
  if (choice < 6) {
    Random other = rhs(symbolic);
    return {lhs.expr - other.expr, [=](ArrayRef<int64_t> point) {
              return lhs.value(point) - other.value(point);
            }};
  }
  if (choice < 8)
    return {lhs.expr * number,
            [=](ArrayRef<int64_t> point) { return lhs.value(point) * number; }};
  if (choice < 9) {
    Random other = rhs(/*symbolic=*/true);
    return {lhs.expr * other.expr, [=](ArrayRef<int64_t> point) {
              return lhs.value(point) * other.value(point);
            }};
  }
  // Divide by a constant or by an index plus a constant.
  int64_t base = 1 + engine() % 5, factor = engine() % 2;
  AffineExpr divisor = getAffineSymbolExpr(index, context) * factor + base;
  bool isDivision = choice < 11;
  return {isDivision ? lhs.expr.floorDiv(divisor) : lhs.expr % divisor,
          [=](ArrayRef<int64_t> point) {
            int64_t a = lhs.value(point), b = point[index] * factor + base;
            return isDivision ? floorDivide(a, b) : a - b * floorDivide(a, b);
          }};
}

/// Indices h, w, r, s as dims and symbols 0 to 3, and symbol 4, a table.
static SpecAttr makeSpec(MLIRContext *context) {
  SmallVector<LookupAttr> lookups;
  for (unsigned index = 0; index < 4; ++index)
    lookups.push_back(LookupAttr::get(context, "", index));
  lookups.push_back(LookupAttr::get(context, "t", 0u));
  return SpecAttr::get(context, "hwrs", 4, lookups,
                       AffineMap::getMultiDimIdentityMap(4, context));
}

/// Calls `function` at every point below `sizes`.
static void forEachPoint(ArrayRef<int64_t> sizes,
                         llvm::function_ref<void(ArrayRef<int64_t>)> function) {
  SmallVector<int64_t> point(sizes.size());
  int64_t total = 1;
  for (int64_t size : sizes)
    total *= size;
  for (int64_t i = 0; i < total; ++i) {
    int64_t rest = i;
    for (size_t k = 0; k < sizes.size(); rest /= sizes[k++])
      point[k] = rest % sizes[k];
    function(point);
  }
}

//===----------------------------------------------------------------------===//
// Linear axes
//===----------------------------------------------------------------------===//

TEST_F(IndexSizesTest, RandomLinearAxes) {
  std::mt19937 engine(1);
  for (unsigned trial = 0; trial < 3000; ++trial) {
    Random random = makeRandom(&context, engine, /*linear=*/true,
                               /*symbolic=*/false, /*depth=*/4);
    auto axis = LinearAxis::get(random.expr, 4);
    ASSERT_TRUE(axis);
    ASSERT_EQ(axis->coefficients.size(), 4u);
    int64_t constant = random.value({0, 0, 0, 0});
    ASSERT_EQ(axis->constant, constant);
    for (unsigned index = 0; index < 4; ++index) {
      SmallVector<int64_t> unit(4);
      unit[index] = 1;
      ASSERT_EQ(axis->coefficients[index], random.value(unit) - constant);
    }
  }
}

TEST_F(IndexSizesTest, AxesThatAreNotLinear) {
  auto isLinear = [&](StringRef text) {
    SpecAttr spec = parseSpec(text);
    return LinearAxis::get(spec.getMaps()[0].getResults().back(),
                           spec.getNumIndices())
        .has_value();
  };
  EXPECT_TRUE(isLinear("(2*(h-3*w)+1) -> hw"));
  EXPECT_TRUE(isLinear("(5) -> "));
  EXPECT_FALSE(isLinear("(h*w) -> hw"));
  EXPECT_FALSE(isLinear("(h/2) -> h"));
  EXPECT_FALSE(isLinear("(1+h%3) -> h"));
  EXPECT_FALSE(isLinear("(h+t[h]) -> h"));
  // Coefficients that need more than 64 bits.
  AffineExpr h = getAffineDimExpr(0, &context);
  EXPECT_TRUE(LinearAxis::get((h * INT64_MAX + 1) * 1, 1));
  EXPECT_FALSE(LinearAxis::get((h * INT64_MAX + 1) * 2, 1));
  EXPECT_FALSE(LinearAxis::get((h + INT64_MAX) * 2, 1));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

TEST_F(IndexSizesTest, RangesAreExact) {
  std::mt19937 engine(2);
  SpecAttr spec = makeSpec(&context);
  for (unsigned trial = 0; trial < 3000; ++trial) {
    Random random = makeRandom(&context, engine, trial % 4 == 0,
                               /*symbolic=*/false, /*depth=*/3);
    SmallVector<int64_t> sizes;
    for (unsigned index = 0; index < 4; ++index)
      sizes.push_back(1 + engine() % 5);
    int64_t min = INT64_MAX, max = INT64_MIN;
    forEachPoint(sizes, [&](ArrayRef<int64_t> point) {
      min = std::min(min, random.value(point));
      max = std::max(max, random.value(point));
    });
    auto range = getIndexRange(random.expr, spec, sizes);
    ASSERT_TRUE(range) << trial;
    ASSERT_EQ(range->min, min) << trial;
    ASSERT_EQ(range->max, max) << trial;
  }
}

TEST_F(IndexSizesTest, RangesOfManyPointsEnclose) {
  std::mt19937 engine(3);
  SpecAttr spec = makeSpec(&context);
  SmallVector<int64_t> sizes = {100000, 200000, 3000, 5000};
  unsigned found = 0;
  for (unsigned trial = 0; trial < 500; ++trial) {
    Random random = makeRandom(&context, engine, /*linear=*/false,
                               /*symbolic=*/false, /*depth=*/4);
    auto range = getIndexRange(random.expr, spec, sizes);
    if (!range)
      continue;
    ++found;
    for (unsigned i = 0; i < 100; ++i) {
      SmallVector<int64_t> point;
      for (int64_t size : sizes)
        point.push_back(i < 16 ? 0 : engine() % size);
      for (unsigned index = 0; i < 16 && index < 4; ++index)
        if (i >> index & 1)
          point[index] = sizes[index] - 1;
      int64_t value = random.value(point);
      ASSERT_LE(range->min, value) << trial;
      ASSERT_GE(range->max, value) << trial;
    }
  }
  EXPECT_GT(found, 400u);
}

TEST_F(IndexSizesTest, RangesOfSpecialCases) {
  SpecAttr spec = makeSpec(&context);
  AffineExpr h = getAffineDimExpr(0, &context),
             w = getAffineDimExpr(1, &context);
  AffineExpr symbolW = getAffineSymbolExpr(1, &context);
  AffineExpr table = getAffineSymbolExpr(4, &context);
  const int64_t big = int64_t(1) << 40;
  auto expectRange = [&](AffineExpr expr, ArrayRef<int64_t> sizes, int64_t min,
                         int64_t max) {
    auto range = getIndexRange(expr, spec, sizes);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->min, min);
    EXPECT_EQ(range->max, max);
  };
  // Only the indices that matter have to be known.
  expectRange(2 * h - w + 1, {3, 4, kDynamic, kDynamic}, -2, 5);
  expectRange(h * symbolW, {3, 4, kDynamic, 0}, 0, 6);
  expectRange(getAffineConstantExpr(-7, &context),
              {kDynamic, kDynamic, kDynamic, kDynamic}, -7, -7);
  // Large ones, without visiting every point.
  expectRange(h * symbolW, {1 << 20, 1 << 20, 1, 1}, 0,
              ((int64_t(1) << 20) - 1) * ((int64_t(1) << 20) - 1));
  expectRange((h - w).floorDiv(7), {big, big, 1, 1}, -((big + 5) / 7),
              (big - 1) / 7);
  expectRange(h * INT64_MAX, {2, 1, 1, 1}, 0, INT64_MAX);
  // Nothing.
  EXPECT_FALSE(getIndexRange(h + w, spec, {3, kDynamic, 1, 1}));
  EXPECT_FALSE(getIndexRange(h * symbolW, spec, {3, kDynamic, 1, 1}));
  EXPECT_FALSE(getIndexRange(h + table, spec, {3, 3, 3, 3}));
  EXPECT_FALSE(getIndexRange(h, spec, {0, 3, 3, 3}));
  EXPECT_FALSE(getIndexRange(h * INT64_MAX, spec, {3, 1, 1, 1}));
  EXPECT_FALSE(getIndexRange(h * symbolW, spec, {big, big, 1, 1}));
  EXPECT_FALSE(getIndexRange((h * INT64_MAX).floorDiv(2), spec, {3, 1, 1, 1}));
  EXPECT_FALSE(getIndexRange(h.floorDiv(symbolW), spec, {3, 3, 1, 1}));
  EXPECT_FALSE(getIndexRange(h % symbolW, spec, {big, big, 1, 1}));
}

TEST_F(IndexSizesTest, RangeOfOneLongIndexIsQuick) {
  SpecAttr spec = makeSpec(&context);
  AffineExpr expr = getAffineDimExpr(0, &context) % 7;
  auto run = [&](int64_t size) {
    alarm(5);
    auto range = getIndexRange(expr, spec, {size, 1, 1, 1});
    _exit(range && range->min == 0 && range->max == 6 ? 0 : 1);
  };
  for (int64_t size : {int64_t(1) << 20, int64_t(1) << 40, INT64_MAX})
    EXPECT_EXIT(run(size), ::testing::ExitedWithCode(0), "") << size;
}

//===----------------------------------------------------------------------===//
// Sizes of indices
//===----------------------------------------------------------------------===//

TEST_F(IndexSizesTest, Sources) {
  ContractOp op = parseContract(
      "%a: tensor<4x?x9xf32>, %b: tensor<?x5xf32>, %t: tensor<?x6xi32>",
      "einsum.contract \"mk(j+t[c,d]), kp -> mjp\" (%a, %b)"
      " tables(t = %t : tensor<?x6xi32>) {sizes = {p = 5}}"
      " : (tensor<4x?x9xf32>, tensor<?x5xf32>) -> tensor<4x3x5xf32>");
  expectSize(op, 'm', Source::Axis, 4, argument(0), 0);
  expectSize(op, 'k', Source::Axis, kDynamic, argument(0), 1);
  expectSize(op, 'j', Source::Attribute, 3);
  expectSize(op, 'p', Source::Attribute, 5);
  expectSize(op, 'c', Source::Axis, kDynamic, argument(2), 0);
  expectSize(op, 'd', Source::Axis, 6, argument(2), 1);
  EXPECT_EQ(getStaticIndexSizes(op),
            (SmallVector<int64_t>{4, 3, 5, kDynamic, kDynamic, 6}));
}

TEST_F(IndexSizesTest, StaticSizesWin) {
  ContractOp op = parseContract(
      "%a: memref<?x?xf32>, %b: memref<?x7xf32>, %c: memref<8x?xf32>",
      "einsum.contract \"mk, mk -> mk\" (%a, %b) outs(%c : memref<8x?xf32>)"
      " : (memref<?x?xf32>, memref<?x7xf32>)");
  expectSize(op, 'm', Source::Axis, 8, argument(2), 0);
  expectSize(op, 'k', Source::Axis, 7, argument(1), 1);
}

TEST_F(IndexSizesTest, UnknownSizes) {
  ContractOp op = parseContract("%a: tensor<9x4x?xf32>",
                                "einsum.contract \"(h+w)(7-r)(r*s) -> h\" (%a)"
                                " : (tensor<9x4x?xf32>) -> tensor<?xf32>");
  // Two unknowns; a negative coefficient; not linear.
  for (char index : StringRef("hwrs"))
    expectSize(op, index, Source::Unknown, kDynamic);
}

TEST_F(IndexSizesTest, Windows) {
  ContractOp op = parseContract(
      "%a: tensor<12x?x20xf32>, %b: tensor<3xf32>",
      "einsum.contract \"(2*h+r)(w+r)(h+s), r -> hws\" (%a, %b)"
      " : (tensor<12x?x20xf32>, tensor<3xf32>) -> tensor<?x?x?xf32>");
  expectSize(op, 'h', Source::Window, 5, argument(0), 0);
  expectSize(op, 'w', Source::Window, kDynamic, argument(0), 1);
  // Once h is known, s is.
  expectSize(op, 's', Source::Window, 16, argument(0), 2);
  expectSize(op, 'r', Source::Axis, 3, argument(1), 0);

  op = parseContract(
      "%a: tensor<4xf32>, %b: tensor<?xf32>, %c: tensor<9xf32>",
      "einsum.contract \"x, r, (h+r) -> h\" (%a, %b, %c)"
      " : (tensor<4xf32>, tensor<?xf32>, tensor<9xf32>) -> tensor<?xf32>");
  expectSize(op, 'h', Source::Window, kDynamic, argument(2), 0, 2);
}

TEST_F(IndexSizesTest, NoWindowsWithPadding) {
  ContractOp op = parseContract(
      "%a: tensor<12xf32>, %b: tensor<3xf32>",
      "einsum.contract \"(h+r), r -> h\" (%a, %b) {pad = \"zero\"}"
      " : (tensor<12xf32>, tensor<3xf32>) -> tensor<?xf32>");
  expectSize(op, 'h', Source::Unknown, kDynamic);
  expectSize(op, 'r', Source::Axis, 3, argument(1), 0);
}

TEST_F(IndexSizesTest, WindowsAreTheLargestThatFit) {
  // Stride a, dilation b (or reversed), offset c.
  for (int64_t a = 1; a <= 3; ++a)
    for (int64_t b : {-3, -1, 1, 2})
      for (int64_t c : {-2, 0, 3})
        for (int64_t dim = 0; dim <= 9; ++dim)
          for (int64_t window = 1; window <= 3; window += 2) {
            std::string text =
                "einsum.contract \"(" + std::to_string(a) + "*h+" +
                std::to_string(b) + "*r+" + std::to_string(c) +
                "), r -> h\" (%a, %b) : (tensor<" + std::to_string(dim) +
                "xf32>, tensor<" + std::to_string(window) +
                "xf32>) -> tensor<?xf32>";
            SCOPED_TRACE(text);
            ContractOp op = parseContract("%a: tensor<" + std::to_string(dim) +
                                              "xf32>, %b: tensor<" +
                                              std::to_string(window) + "xf32>",
                                          text);
            auto isInside = [&](int64_t h) {
              for (int64_t r = 0; r < window; ++r)
                if (a * h + b * r + c >= dim)
                  return false;
              return true;
            };
            int64_t size = 0;
            while (isInside(size))
              ++size;
            expectSize(op, 'h', Source::Window, size, argument(0), 0);
            if (HasFailure())
              return;
          }
}

TEST_F(IndexSizesTest, Contradictions) {
  expectContradiction(
      parseContract("%a: tensor<4x5xf32>, %b: tensor<6x7xf32>",
                    "einsum.contract \"mk, kn -> mn\" (%a, %b)"
                    " : (tensor<4x5xf32>, tensor<6x7xf32>) -> tensor<4x7xf32>"),
      "index 'k' has size 5 in axis 1 of operand 0 but size 6 in axis 0 of "
      "operand 1");
  expectContradiction(
      parseContract("%a: tensor<4x5xf32>",
                    "einsum.contract \"ii -> i\" (%a)"
                    " : (tensor<4x5xf32>) -> tensor<4xf32>"),
      "index 'i' has size 4 in axis 0 of operand 0 but size 5 in axis 1 of "
      "operand 0");
  expectContradiction(
      parseContract("%a: tensor<4xf32>",
                    "einsum.contract \"i -> \" (%a) {sizes = {i = 5}}"
                    " : (tensor<4xf32>) -> tensor<f32>"),
      "index 'i' has size 5 in 'sizes' but size 4 in axis 0 of operand 0");
  expectContradiction(
      parseContract("%a: tensor<4x9xf32>, %t: tensor<3xi32>",
                    "einsum.contract \"i(t[i]) -> i\" (%a)"
                    " tables(t = %t : tensor<3xi32>)"
                    " : (tensor<4x9xf32>) -> tensor<4xf32>"),
      "index 'i' has size 4 in axis 0 of operand 0 but size 3 in axis 0 of "
      "table 't'");
  expectContradiction(
      parseContract("%a: memref<4xf32>, %b: memref<3xf32>",
                    "einsum.contract \"i -> i\" (%a)"
                    " outs(%b : memref<3xf32>) : (memref<4xf32>)"),
      "index 'i' has size 4 in axis 0 of operand 0 but size 3 in axis 0 of "
      "outs");
  expectContradiction(
      parseContract("%a: tensor<4xf32>", "einsum.contract \"i -> i\" (%a)"
                                         " : (tensor<4xf32>) -> tensor<3xf32>"),
      "index 'i' has size 4 in axis 0 of operand 0 but size 3 in axis 0 of "
      "the result");
}

TEST_F(IndexSizesTest, AxesInside) {
  ContractOp op = parseContract(
      "%a: tensor<10x10x10x?x10xf32>, %b: tensor<3xf32>",
      "einsum.contract \"h(h/2+r)(h-r)(h+r)(h+r), r -> h\" (%a, %b)"
      " : (tensor<10x10x10x?x10xf32>, tensor<3xf32>) -> tensor<10xf32>");
  SmallVector<int64_t> sizes = getStaticIndexSizes(op);
  EXPECT_EQ(sizes, (SmallVector<int64_t>{10, 3}));
  auto inside = [&](ArrayRef<int64_t> sizes) {
    std::string text;
    for (unsigned axis = 0; axis < 5; ++axis)
      text += OperandAccess(op, sizes, 0).isInside(axis) ? '1' : '0';
    return text;
  };
  EXPECT_EQ(inside(sizes), "11000");
  EXPECT_EQ(inside({8, 3}), "11001");
  EXPECT_EQ(inside({10, 1}), "11101");
  EXPECT_EQ(inside({10, kDynamic}), "10000");
  // Nothing is read.
  EXPECT_EQ(inside({0, 3}), "11111");
}
