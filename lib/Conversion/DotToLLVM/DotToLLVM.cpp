//===- DotToLLVM.cpp - convert-dot-to-llvm --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of i8 multiply, take each fourth product, and add these up, which is
// what they mean on any machine. LLVM does not see that vpdpbusd does it all;
// where the machine has it, the products have an attribute, from which this
// looks for the rest. What looks otherwise stays as it is, slow and right.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/DotToLLVM/DotToLLVM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTDOTTOLLVMPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::dot_to_llvm;

/// How many products an i32 gets.
static constexpr int64_t kCount = 4;

namespace {

/// Products that are added up.
struct Dot {
  Value unsignedFactor, signedFactor; // of i8
  Value sum;                          // null: 0
  arith::AddIOp root;                 // the result
};

} // namespace

/// The i8 that `wide` are made of by `ExtOp`; null if they are not.
template <typename ExtOp> static Value getNarrow(Value wide) {
  auto op = wide.getDefiningOp<ExtOp>();
  return op && getElementTypeOrSelf(op.getIn()).isInteger(8) ? op.getIn()
                                                             : Value();
}

/// The same for numbers without a sign, which may also be a constant.
static Value getUnsigned(OpBuilder &builder, Value wide) {
  if (Value narrow = getNarrow<arith::ExtUIOp>(wide))
    return narrow;
  DenseElementsAttr constant;
  if (!matchPattern(wide, m_Constant(&constant)) || !constant.isSplat() ||
      !constant.getSplatValue<APInt>().isIntN(8))
    return {};
  auto type = cast<VectorType>(wide.getType()).clone(builder.getI8Type());
  return arith::ConstantOp::create(
      builder, wide.getLoc(),
      DenseElementsAttr::get(type, constant.getSplatValue<APInt>().trunc(8)));
}

/// The only user of `value`, if it is an addition.
static arith::AddIOp getSum(Value value) {
  return value.hasOneUse() ? dyn_cast<arith::AddIOp>(*value.user_begin())
                           : arith::AddIOp();
}

/// Where all products of a group are added up; null if they are not.
static arith::AddIOp findSum(arith::MulIOp products) {
  auto type = dyn_cast<VectorType>(products.getType());
  if (!type || type.getDimSize(0) % kCount != 0)
    return {};
  llvm::SmallDenseSet<int64_t> firsts;
  llvm::SmallSetVector<Operation *, 2> halves;
  for (Operation *user : products->getUsers()) {
    auto take = dyn_cast<vector::ShuffleOp>(user);
    if (!take || take.getMask().size() * kCount != size_t(type.getDimSize(0)))
      return {};
    int64_t first = take.getMask().front();
    for (auto [i, place] : llvm::enumerate(take.getMask()))
      if (place != int64_t(i) * kCount + first)
        return {};
    arith::AddIOp half = getSum(take.getResult());
    if (first >= kCount || !half)
      return {};
    firsts.insert(first);
    halves.insert(half);
  }
  if (firsts.size() != kCount || halves.size() != 2)
    return {};
  arith::AddIOp one = getSum(halves[0]->getResult(0)),
                other = getSum(halves[1]->getResult(0));
  return one == other ? one : arith::AddIOp();
}

static std::optional<Dot> findDot(OpBuilder &builder, arith::MulIOp products) {
  arith::AddIOp all = findSum(products);
  if (!all)
    return std::nullopt;
  int64_t bits = 32 * cast<VectorType>(all.getType()).getDimSize(0);
  if (bits != 128 && bits != 256 && bits != 512)
    return std::nullopt;
  Value first = products.getLhs(), second = products.getRhs();
  if (!getNarrow<arith::ExtSIOp>(second))
    std::swap(first, second);
  Dot dot;
  dot.signedFactor = getNarrow<arith::ExtSIOp>(second);
  if (!dot.signedFactor)
    return std::nullopt;
  builder.setInsertionPoint(products);
  dot.unsignedFactor = getUnsigned(builder, first);
  if (!dot.unsignedFactor)
    return std::nullopt;
  dot.root = all;
  if (arith::AddIOp more = getSum(all.getResult())) {
    dot.root = more;
    dot.sum = more.getLhs() == all.getResult() ? more.getRhs() : more.getLhs();
  }
  return dot;
}

static void replace(IRRewriter &rewriter, Dot dot) {
  auto type = cast<VectorType>(dot.root.getType());
  rewriter.setInsertionPoint(dot.root);
  Location loc = dot.root.getLoc();
  if (!dot.sum)
    dot.sum =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  auto name = rewriter.getStringAttr("llvm.x86.avx512.vpdpbusd." +
                                     std::to_string(32 * type.getDimSize(0)));
  rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
      dot.root, type, name,
      ValueRange{dot.sum, dot.unsignedFactor, dot.signedFactor});
}

namespace {
struct ConvertDotToLLVMPass
    : tileir::impl::ConvertDotToLLVMPassBase<ConvertDotToLLVMPass> {
  void runOnOperation() override {
    SmallVector<arith::MulIOp> all;
    getOperation()->walk([&](arith::MulIOp op) {
      if (op->hasAttr(kFours))
        all.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    bool changes = false;
    for (arith::MulIOp products : all)
      if (auto dot = findDot(rewriter, products)) {
        replace(rewriter, *dot);
        ++numDots;
        changes = true;
      }
    // Additions, products, and what they were made of.
    if (changes)
      getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>(
          [&](Operation *op) {
            if (isa<arith::AddIOp, arith::MulIOp, arith::ExtSIOp,
                    arith::ExtUIOp, arith::ConstantOp, vector::ShuffleOp>(op) &&
                op->use_empty())
              rewriter.eraseOp(op);
          });
  }
};
} // namespace
