//===- OperandAccessTest.cpp - The analysis OperandAccess -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses against cases by hand, and against offsets that are found by going
// through all values of the indices.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Analysis/OperandAccess.h"
#include "tileir/Dialect/Einsum/Analysis/ContractionDims.h"
#include "tileir/Dialect/Einsum/IR/IndexRange.h"

#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace tileir::einsum;

namespace {

constexpr int64_t kDynamic = ShapedType::kDynamic;
using Numbers = SmallVector<int64_t>;

/// What a table holds at `indices`: some small number.
int64_t lookUp(ArrayRef<int64_t> indices) {
  int64_t hash = 5;
  for (int64_t index : indices)
    hash = (hash * 7 + index * 3) % 11;
  return hash;
}

struct OperandAccessTest : testing::Test {
  OperandAccessTest() { context.loadDialect<EinsumDialect>(); }

  SpecAttr parse(StringRef text) {
    return SpecAttr::parse(&context, text, [&](size_t) {
      return emitError(UnknownLoc::get(&context));
    });
  }
  RankedTensorType getTensor(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, Float32Type::get(&context));
  }
  OperandAccess getAccess(StringRef text, ArrayRef<int64_t> sizes,
                          unsigned operand, ShapedType type) {
    SpecAttr spec = parse(text);
    return OperandAccess(spec, sizes, spec.getMaps()[operand], type);
  }
  std::string print(SpecAttr spec, ArrayRef<AffineExpr> axes) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleave(
        axes, os, [&](AffineExpr axis) { spec.printAxis(os, axis); }, ", ");
    return text;
  }

  /// The value of `expr`, computed from its syntax.
  int64_t evaluate(SpecAttr spec, AffineExpr expr, ArrayRef<int64_t> values) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return constant.getValue();
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return values[dim.getPosition()];
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
      LookupAttr lookup = spec.getLookups()[symbol.getPosition()];
      Numbers indices;
      for (unsigned index : lookup.getIndices())
        indices.push_back(values[index]);
      return lookup.isIndex() ? indices.front() : lookUp(indices);
    }
    auto binary = cast<AffineBinaryOpExpr>(expr);
    int64_t left = evaluate(spec, binary.getLHS(), values);
    int64_t right = evaluate(spec, binary.getRHS(), values);
    switch (binary.getKind()) {
    case AffineExprKind::Add:
      return left + right;
    case AffineExprKind::Mul:
      return left * right;
    case AffineExprKind::FloorDiv:
      return left >= 0 ? left / right : -((-left + right - 1) / right);
    default:
      return ((left % right) + right) % right;
    }
  }

  void checkAll(StringRef text, ArrayRef<int64_t> sizes,
                ArrayRef<Numbers> shapes);
  void check(SpecAttr spec, ArrayRef<int64_t> sizes, unsigned operand,
             ArrayRef<int64_t> shape);

  MLIRContext context;
};

/// All values that `indices`, gone through as one with the first innermost,
/// take; the others are those of `values`.
SmallVector<Numbers> enumeratePoints(ArrayRef<int64_t> sizes,
                                     ArrayRef<unsigned> indices,
                                     Numbers values) {
  SmallVector<Numbers> points = {values};
  for (unsigned index : llvm::reverse(indices)) {
    SmallVector<Numbers> next;
    for (const Numbers &point : points)
      for (int64_t value = 0; value < sizes[index]; ++value) {
        next.push_back(point);
        next.back()[index] = value;
      }
    points = next;
  }
  return points;
}

void OperandAccessTest::check(SpecAttr spec, ArrayRef<int64_t> sizes,
                              unsigned operand, ArrayRef<int64_t> shape) {
  SCOPED_TRACE(spec.toString() + ", operand " + std::to_string(operand));
  AffineMap map = spec.getMaps()[operand];
  OperandAccess access(spec, sizes, map, getTensor(shape));
  auto getIndices = [&](ArrayRef<AffineExpr> axes, ArrayRef<int64_t> values) {
    return llvm::map_to_vector(
        axes, [&](AffineExpr axis) { return evaluate(spec, axis, values); });
  };
  auto getOffset = [&](ArrayRef<int64_t> values) {
    int64_t offset = 0;
    for (auto [index, size] :
         llvm::zip_equal(getIndices(map.getResults(), values), shape))
      offset = offset * size + index;
    return offset;
  };
  auto all = llvm::to_vector(llvm::seq<unsigned>(0, spec.getNumIndices()));
  Numbers zeros(spec.getNumIndices(), 0);
  SmallVector<bool> isInside(shape.size(), true);
  for (const Numbers &point : enumeratePoints(sizes, all, zeros)) {
    Numbers whole = getIndices(map.getResults(), point);
    // External parts ignore summed indices, reductions all others.
    Numbers results = point, sums = point;
    for (unsigned index : all)
      (spec.isReduction(index) ? results : sums)[index] = 0;
    Numbers external = getIndices(access.getExternal(), results);
    Numbers reduction = getIndices(access.getReduction(), sums);
    for (unsigned axis = 0; axis < shape.size(); ++axis) {
      EXPECT_EQ(external[axis] + reduction[axis], whole[axis]);
      isInside[axis] &= whole[axis] >= 0 && whole[axis] < shape[axis];
    }
    int64_t offset = 0;
    for (AxisTerm term : access.getOffsetTerms())
      offset += term.factor * evaluate(spec, term.expr, point);
    EXPECT_EQ(offset, getOffset(point));
  }
  // What a table looks up is not known to stay inside.
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    EXPECT_EQ(access.isInside(axis),
              isInside[axis] && !spec.usesTable(map.getResult(axis)))
        << "axis " << axis;
  // A stride is what all steps have in common. Without one there are two that
  // differ, unless that is a coincidence of what is looked up or divided.
  ContractionDims dims(spec, sizes);
  SmallVector<SmallVector<unsigned>> groups;
  for (unsigned index : all)
    groups.push_back({index});
  for (ContractionDim dim : {ContractionDim::Batch, ContractionDim::M,
                             ContractionDim::N, ContractionDim::K})
    if (!dims.getIndices(dim).empty())
      groups.emplace_back(dims.getIndices(dim));
  for (ArrayRef<unsigned> group : groups) {
    std::set<int64_t> steps;
    for (const Numbers &start : enumeratePoints(sizes, all, zeros)) {
      if (llvm::any_of(group, [&](unsigned index) { return start[index]; }))
        continue;
      auto points = enumeratePoints(sizes, group, start);
      for (auto [from, to] : llvm::zip(points, ArrayRef(points).drop_front()))
        steps.insert(getOffset(to) - getOffset(from));
    }
    auto stride = access.getStride(group);
    EXPECT_EQ(access.isStrided(group), stride.has_value());
    if (stride && !steps.empty())
      EXPECT_EQ(steps, std::set<int64_t>{*stride});
    bool isLinear = llvm::all_of(map.getResults(), [&](AffineExpr axis) {
      return LinearAxis::get(axis, spec.getNumIndices()).has_value();
    });
    if (!stride && isLinear)
      EXPECT_GT(steps.size(), 1u);
  }
}

void OperandAccessTest::checkAll(StringRef text, ArrayRef<int64_t> sizes,
                                 ArrayRef<Numbers> shapes) {
  SpecAttr spec = parse(text);
  ASSERT_TRUE(spec);
  for (auto [operand, shape] : llvm::enumerate(shapes))
    check(spec, sizes, operand, shape);
}

TEST_F(OperandAccessTest, AgainstEnumeration) {
  checkAll("mk, kn -> mn", {3, 4, 5}, {{3, 5}, {5, 4}});
  checkAll("bmk, bkn -> bmn", {2, 3, 4, 5}, {{2, 3, 5}, {2, 5, 4}});
  // Indices that follow each other in memory, and some that do not.
  checkAll("xykl, klz -> xyz", {2, 3, 4, 2, 3}, {{2, 3, 2, 3}, {2, 3, 4}});
  checkAll("xkyl, lkz -> xyz", {2, 3, 4, 2, 3}, {{2, 2, 3, 3}, {3, 2, 4}});
  // Convolutions: with a stride, padded, and depthwise.
  checkAll("nc(h+r)(w+s), kcrs -> nkhw", {2, 2, 3, 3, 2, 2, 3},
           {{2, 2, 4, 5}, {2, 2, 2, 3}});
  checkAll("c(2*h+r-1), kcr -> kh", {2, 3, 2, 3}, {{2, 5}, {2, 2, 3}});
  checkAll("c(h+r), cr -> ch", {2, 3, 3}, {{2, 5}, {2, 3}});
  // Indices of size 1 are nowhere.
  checkAll("c(h+r), cr -> ch", {1, 3, 1}, {{1, 3}, {1, 1}});
  checkAll("(h+sh[c])c, kc -> kh", {2, 3, 4}, {{14, 4}, {2, 4}});
  checkAll("(h+t[c,x])(w), xc -> hw", {2, 3, 4, 2}, {{13, 3}, {2, 4}});
  // Division, modulus, and an index as a factor.
  checkAll("(h/2)(k%3), k -> h", {5, 4}, {{3, 3}, {4}});
  checkAll("(h*w)(k-1), w -> hw", {2, 3, 4}, {{3, 3}, {3}});
  checkAll("trus -> turs", {2, 3, 2, 3}, {{2, 2, 3, 3}});
  checkAll("ii -> i", {4}, {{4, 4}});
  checkAll("(9-i) -> i", {4}, {{8}});
}

TEST_F(OperandAccessTest, Splits) {
  auto getParts = [&](StringRef text, ArrayRef<int64_t> sizes) {
    SpecAttr spec = parse(text);
    OperandAccess access(spec, sizes, spec.getMaps()[0],
                         getTensor({9, 9, 9, 9}));
    return print(spec, access.getExternal()) + " | " +
           print(spec, access.getReduction());
  };
  EXPECT_EQ(getParts("nc(h+r)(w+2*s), kcrs -> nkhw", {2, 2, 2, 2, 2, 2, 2}),
            "n, 0, h, w | 0, c, r, 2*s");
  EXPECT_EQ(getParts("nc(h+sh[c])(w+3), kc -> nkhw", {2, 2, 2, 2, 2}),
            "n, 0, h, w+3 | 0, c, sh[c], 0");
  EXPECT_EQ(getParts("(n/2)(2*(h+r%3))(h)c, kcr -> nkh", {2, 2, 2, 2, 2}),
            "n/2, 2*h, h, 0 | 0, 2*(r%3), 0, c");
  // Summed indices of one value are 0, and fixed as those of the result are.
  EXPECT_EQ(getParts("nc(h+r)(w+2*s), kcrs -> nkhw", {2, 2, 2, 2, 1, 2, 1}),
            "n, c, h, w+2*s | 0, 0, r, 0");
}

TEST_F(OperandAccessTest, Strides) {
  OperandAccess access =
      getAccess("nc(h+r)(w+s), kcrs -> nkhw", {2, 3, 4, 5, 6, 2, 3}, 0,
                getTensor({2, 6, 5, 7}));
  EXPECT_EQ(access.getStride({0}), 210);
  EXPECT_EQ(access.getStride({1}), 0);
  EXPECT_EQ(access.getStride({2}), 7);
  EXPECT_EQ(access.getStride({6}), 1);
  // Rows of the window are apart, those of the filter are not.
  EXPECT_EQ(access.getStride({6, 5, 4}), std::nullopt);
  EXPECT_FALSE(access.isStrided({6, 5, 4}));
  EXPECT_EQ(access.getAdvance(5), Numbers({0, 0, 1, 0}));
  OperandAccess filter =
      getAccess("nc(h+r)(w+s), kcrs -> nkhw", {2, 3, 4, 5, 6, 2, 3}, 1,
                getTensor({3, 6, 2, 3}));
  EXPECT_EQ(filter.getStride({6, 5, 4}), 1);
  EXPECT_EQ(filter.getStride({5, 4}), 3);

  // A layout tells strides; a transposed one those of a transposition.
  auto memref = MemRefType::get({3, 5}, Float32Type::get(&context),
                                StridedLayoutAttr::get(&context, 7, {1, 4}));
  OperandAccess strided = getAccess("mk, kn -> mn", {3, 4, 5}, 0, memref);
  EXPECT_EQ(strided.getStride({0}), 1);
  EXPECT_EQ(strided.getStride({2}), 4);
  EXPECT_EQ(strided.getStride({2, 0}), std::nullopt);

  // Without a static shape a single index is strided, by what is not known.
  OperandAccess dynamic =
      getAccess("kl, kln -> n", {2, 3, 4}, 0, getTensor({kDynamic, kDynamic}));
  EXPECT_EQ(dynamic.getStride({1}), std::nullopt);
  EXPECT_TRUE(dynamic.isStrided({1}));
  EXPECT_FALSE(dynamic.isStrided({2, 1}));
  EXPECT_TRUE(dynamic.isStrided({0}));

  // Strides beyond 64 bits are none.
  OperandAccess huge = getAccess("(4611686018427387904*k)l, kl -> k", {2, 2}, 0,
                                 getTensor({2, 2}));
  EXPECT_EQ(huge.getStride({0}), std::nullopt);
}

TEST_F(OperandAccessTest, AxesOutside) {
  SpecAttr spec = parse("nc(h+r-1)(w+s), kcrs -> nkhw");
  Numbers sizes = {2, 3, 4, 5, 6, 3, 3};
  auto getAxes = [&](ArrayRef<int64_t> shape) {
    return OperandAccess(spec, sizes, spec.getMaps()[0], getTensor(shape))
        .getAxesOutside();
  };
  using Axes = SmallVector<unsigned>;
  EXPECT_EQ(getAxes({2, 6, 4, 7}), Axes({2}));
  EXPECT_EQ(getAxes({2, 6, 4, 6}), Axes({2, 3}));
  EXPECT_EQ(getAxes({2, 6, kDynamic, kDynamic}), Axes({2, 3}));
  sizes[5] = kDynamic;
  EXPECT_EQ(getAxes({2, 6, 4, 7}), Axes({2}));
  // Nothing is read.
  sizes[1] = 0;
  EXPECT_EQ(getAxes({2, 6, 4, 6}), Axes());
}

} // namespace
