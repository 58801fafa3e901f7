//===- ContractionDimsTest.cpp - The analysis ContractionDims -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dimensions and their orders against cases by hand.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Analysis/ContractionDims.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace tileir::einsum;

namespace {

struct ContractionDimsTest : testing::Test {
  ContractionDimsTest() { context.loadDialect<EinsumDialect>(); }

  SpecAttr parse(StringRef text) {
    return SpecAttr::parse(&context, text, [&](size_t) {
      return emitError(UnknownLoc::get(&context));
    });
  }
  /// The indices of Batch, M, N and K by name, the innermost first, as
  /// "n|m|k|c".
  std::string getIndices(StringRef text, ArrayRef<int64_t> sizes) {
    SpecAttr spec = parse(text);
    ContractionDims dims(spec, sizes);
    std::string names;
    for (ContractionDim dim : {ContractionDim::Batch, ContractionDim::M,
                               ContractionDim::N, ContractionDim::K}) {
      names += dim == ContractionDim::Batch ? "" : "|";
      for (unsigned index : dims.getIndices(dim))
        names += spec.getIndices()[index];
    }
    return names;
  }

  MLIRContext context;
};

TEST_F(ContractionDimsTest, Indices) {
  // Indices, and so sizes, are in the order of the result, then of first use.
  EXPECT_EQ(getIndices("mk, kn -> mn", {2, 3, 4}), "|m|n|k");
  EXPECT_EQ(getIndices("bmk, bkn -> bmn", {5, 2, 3, 4}), "b|m|n|k");
  EXPECT_EQ(getIndices("nc(h+r)(w+s), kcrs -> nkhw", {2, 3, 4, 5, 6, 7, 8}),
            "|whn|k|src");
  // The filter alone tells how the sum is ordered in memory.
  EXPECT_EQ(getIndices("nc(h+r)(w+s), krsc -> nkhw", {2, 3, 4, 5, 6, 7, 8}),
            "|whn|k|csr");
  // A later axis, then a smaller factor, is the inner one.
  EXPECT_EQ(getIndices("(2*k+l)m, n -> mn", {2, 3, 4, 5}), "|m|n|lk");
  EXPECT_EQ(getIndices("(h+sh[c])c, kc -> kh", {2, 3, 4}), "|h|k|c");
  // A transposition and a sum of a single operand.
  EXPECT_EQ(getIndices("trus -> turs", {2, 3, 4, 5}), "srut|||");
  EXPECT_EQ(getIndices("abc -> b", {2, 3, 4}), "b|||ca");
  // Indices of size 1 are left out, those of unknown size are not.
  EXPECT_EQ(getIndices("bmk, bkn -> bmn", {1, ShapedType::kDynamic, 1, 1}),
            "|m||");
}

TEST_F(ContractionDimsTest, Sizes) {
  SpecAttr spec = parse("bxyk, bkn -> bxyn");
  auto getSize = [&](ArrayRef<int64_t> sizes, ContractionDim dim) {
    return ContractionDims(spec, sizes).getSize(dim);
  };
  EXPECT_EQ(getSize({2, 3, 4, 5, 6}, ContractionDim::Batch), 2);
  EXPECT_EQ(getSize({2, 3, 4, 5, 6}, ContractionDim::M), 12);
  EXPECT_EQ(getSize({2, 3, 4, 1, 6}, ContractionDim::N), 1);
  EXPECT_EQ(getSize({2, 3, 0, 5, 6}, ContractionDim::M), 0);
  int64_t dynamic = ShapedType::kDynamic;
  EXPECT_EQ(getSize({2, dynamic, 4, 5, 6}, ContractionDim::M), dynamic);
  EXPECT_EQ(getSize({2, dynamic, 4, 5, 6}, ContractionDim::K), 6);
  EXPECT_EQ(getSize({2, 1ll << 32, 1ll << 32, 5, 6}, ContractionDim::M),
            dynamic);
}

} // namespace
