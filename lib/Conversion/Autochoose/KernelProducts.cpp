//===- KernelProducts.cpp - The products that a kernel computes -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// M, N and K are the letters of a contraction by their kinds, as
// convert-einsum-to-tile groups them; how a matrix lies in memory is read off
// the last axis of its operand.
//
//===----------------------------------------------------------------------===//

#include "KernelProducts.h"

#include "tileir/Dialect/Einsum/IR/LetterOrder.h"
#include "tileir/Dialect/Einsum/IR/LetterSizes.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

namespace {

/// The matrices of a contraction.
class MatrixView {
public:
  explicit MatrixView(ContractOp op)
      : op(op), spec(op.getSpec()), sizes(getStaticLetterSizes(op)) {}

  /// Leaves those of `atoms` that take its types. If this is no product for
  /// tensor cores, returns why.
  std::string selectAtoms(SmallVector<const layout::MmaAtom *> &atoms);
  Product getProduct();
  MatrixMemory getResult(Type element);
  using Kind = SpecAttr::LetterKind;
  /// Returns whether each letter of the result is of M, N or the batch.
  SmallVector<Kind> getResultKinds();

private:
  int64_t getSize(Kind kind) const;
  /// The axis whose neighbours lie side by side where `kind` does.
  static ProductAxis getAxis(Kind kind);
  /// Whether `letter` is the one of its kind that runs fastest.
  bool isInnermost(unsigned letter) const;
  MatrixMemory getMemory(AffineExpr lastAxis, ShapedType type);

  ContractOp op;
  SpecAttr spec;
  SmallVector<int64_t> sizes;
};

} // namespace

int64_t MatrixView::getSize(Kind kind) const {
  int64_t size = 1;
  for (auto [letter, extent] : llvm::enumerate(sizes))
    if (spec.getLetterKind(letter) == kind)
      size *= extent;
  return size;
}

ProductAxis MatrixView::getAxis(Kind kind) {
  return kind == Kind::Row ? kRows : kind == Kind::Column ? kColumns : kDepth;
}

std::string
MatrixView::selectAtoms(SmallVector<const layout::MmaAtom *> &atoms) {
  if (op.getInputs().size() != 2)
    return "it has no two operands";
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return "sizes are not known";
  std::string why;
  atoms = tile::selectAtoms(
      atoms, cast<ShapedType>(op.getInputs()[0].getType()).getElementType(),
      cast<ShapedType>(op.getInputs()[1].getType()).getElementType(),
      op.getAccumulatorType(), why);
  if (atoms.empty())
    return why;
  for (Kind kind : {Kind::Row, Kind::Column, Kind::Reduction})
    if (getSize(kind) <= 1)
      return "it has no rows, no columns or no sum";
  return "";
}

SmallVector<SpecAttr::LetterKind> MatrixView::getResultKinds() {
  return llvm::map_to_vector(
      llvm::seq(spec.getNumResultLetters()),
      [&](unsigned letter) { return spec.getLetterKind(letter); });
}

bool MatrixView::isInnermost(unsigned letter) const {
  auto order = getLetterOrder(spec, sizes, spec.getLetterKind(letter));
  return !order.empty() && order.front() == letter;
}

MatrixMemory MatrixView::getMemory(AffineExpr lastAxis, ShapedType type) {
  unsigned bits = type.getElementTypeBitWidth();
  auto linear = LinearAxis::get(lastAxis, spec.getNumLetters());
  if (!linear)
    return {kDepth, 1, bits};
  for (unsigned letter = 0; letter < spec.getNumLetters(); ++letter) {
    if (linear->coefficients[letter] != 1 || sizes[letter] == 1)
      continue;
    // The other terms of the index, and the length of a line, determine where
    // runs begin.
    int64_t run = std::gcd(sizes[letter], linear->constant);
    if (type.hasStaticShape())
      run = std::gcd(run, type.getShape().back());
    for (auto [other, coefficient] : llvm::enumerate(linear->coefficients))
      if (other != letter && sizes[other] > 1)
        run = std::gcd(run, coefficient);
    Kind kind = spec.getLetterKind(letter);
    return {getAxis(kind), kind != Kind::Batch && isInnermost(letter) ? run : 1,
            bits};
  }
  return {kDepth, 1, bits};
}

Product MatrixView::getProduct() {
  auto getOperand = [&](unsigned operand) {
    return getMemory(spec.getMaps()[operand].getResults().back(),
                     cast<ShapedType>(op.getInputs()[operand].getType()));
  };
  return {{getSize(Kind::Row), getSize(Kind::Column), getSize(Kind::Reduction)},
          getSize(Kind::Batch),
          getOperand(0),
          getOperand(1),
          op.getAccumulatorType().getIntOrFloatBitWidth()};
}

MatrixMemory MatrixView::getResult(Type element) {
  unsigned last = spec.getNumResultLetters() - 1;
  MatrixMemory memory =
      getMemory(getAffineDimExpr(last, op.getContext()), op.getOutputType());
  // Each program has a single batch.
  if (memory.fast == kDepth)
    memory = {kColumns, 1, memory.bits};
  memory.bits = element.getIntOrFloatBitWidth();
  return memory;
}

ProductKernel tileir::getProductKernel(Operation *op,
                                       ArrayRef<const layout::MmaAtom *> atoms,
                                       std::string &why) {
  ProductKernel kernel;
  kernel.atoms = SmallVector<const layout::MmaAtom *>(atoms);
  SmallVector<SpecAttr::LetterKind> kinds;
  auto add = [&](ContractOp contraction, Type element) {
    MatrixView view(contraction);
    if (why.empty())
      why = view.selectAtoms(kernel.atoms);
    if (!why.empty())
      return;
    kernel.products.push_back(view.getProduct());
    kernel.result = view.getResult(element);
    if (kernel.products.size() == 1)
      kinds = view.getResultKinds();
    else if (kinds != view.getResultKinds())
      why = "its products divide the result in different ways";
  };
  if (auto contraction = dyn_cast<ContractOp>(op)) {
    add(contraction, contraction.getOutputType().getElementType());
    return kernel;
  }
  auto fused = cast<KernelOp>(op);
  for (auto contraction : fused.getBody().getOps<ContractOp>())
    add(contraction, fused.getResult().getType().getElementType());
  for (BlockArgument argument : fused.getBody().getArguments()) {
    auto type = cast<RankedTensorType>(argument.getType());
    bool isOperand =
        llvm::all_of(argument.getUsers(), llvm::IsaPred<ContractOp>);
    if (!isOperand && type.hasStaticShape())
      kernel.pointwiseBytes +=
          type.getNumElements() * type.getElementTypeBitWidth() / 8;
  }
  return kernel;
}
