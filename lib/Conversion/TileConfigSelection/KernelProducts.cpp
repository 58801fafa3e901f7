//===- KernelProducts.cpp - The products that a kernel computes -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// M, N and K are those of convert-einsum-to-tile; how a matrix lies in memory
// is read off the last axis of its operand.
//
//===----------------------------------------------------------------------===//

#include "KernelProducts.h"

#include "tileir/Conversion/EinsumToTile/Windows.h"
#include "tileir/Dialect/Einsum/Analysis/ContractionDims.h"
#include "tileir/Dialect/Einsum/IR/ArgumentAttributes.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Layout/Fragments/Warpgroup.h"

#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::config_selection;

/// What a size is taken to be of which nothing is known: such products fill the
/// GPU, and the best blocks of larger ones are the same.
static constexpr int64_t kUsualSize = 1024;

/// The argument of the function that `operand` of a contraction is, directly or
/// as an input of the kernel around it; null if it is none.
static BlockArgument getFunctionArgument(Value operand) {
  auto argument = dyn_cast<BlockArgument>(operand);
  if (argument)
    if (auto kernel = dyn_cast<KernelOp>(argument.getOwner()->getParentOp()))
      argument =
          dyn_cast<BlockArgument>(kernel.getInputs()[argument.getArgNumber()]);
  bool isOfFunction =
      argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return isOfFunction ? argument : BlockArgument();
}

/// Sizes for which a configuration is selected: those that are known, and for
/// each other one the usual size, or the closest one that is promised of it.
static SmallVector<int64_t> getRepresentativeSizes(ContractOp op) {
  SmallVector<int64_t> sizes = getStaticIndexSizes(op);
  SpecAttr spec = op.getSpec();
  SmallVector<int64_t> least(sizes.size(), 0), most(sizes.size(), INT64_MAX);
  for (auto [operand, input] : llvm::enumerate(op.getInputs())) {
    BlockArgument argument = getFunctionArgument(input);
    if (!argument)
      continue;
    auto function =
        cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    for (const SizePromise &promise : listSizePromises(function)) {
      if (promise.argument != argument.getArgNumber())
        continue;
      auto index = spec.getBareIndex(operand, promise.axis);
      if (index && promise.attribute == kAtLeast)
        least[*index] = std::max(least[*index], promise.number);
      if (index && promise.attribute == kAtMost)
        most[*index] = std::min(most[*index], promise.number);
    }
  }
  for (auto [size, low, high] : llvm::zip_equal(sizes, least, most))
    if (ShapedType::isDynamic(size))
      size = std::min(std::max(kUsualSize, low), high);
  return sizes;
}

/// How many pointwise ops of a kernel an element of a value takes.
static int64_t countOps(Value value) {
  SetVector<Operation *> ops;
  auto visit = [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    if (op && isa<KernelOp>(op->getParentOp()) && op->getNumOperands() > 0)
      ops.insert(op);
  };
  visit(value);
  int64_t count = 0;
  for (size_t i = 0; i < ops.size(); ++i) {
    Operation *op = ops[i];
    bool isStructured = op->getNumRegions() > 0; // linalg's, with a yield
    count += isStructured
                 ? int64_t(op->getRegion(0).front().getOperations().size()) - 1
                 : 1;
    llvm::for_each(op->getOperands(), visit);
  }
  return count;
}

namespace {

/// The matrices of a contraction.
class MatrixView {
public:
  explicit MatrixView(ContractOp op)
      : op(op), spec(op.getSpec()), sizes(getRepresentativeSizes(op)),
        dims(spec, sizes) {}

  /// Leaves those of `atoms` that take its types. If this is no product for
  /// tensor cores, returns why.
  std::string selectAtoms(SmallVector<const layout::MmaAtom *> &atoms);
  Product getProduct();
  MatrixMemory getResult(Type element);
  /// The dimension of each axis of the result.
  SmallVector<ContractionDim> getResultDims();

private:
  /// Whether `index` is the one of its dimension that runs fastest.
  bool isInnermost(unsigned index) const;
  MatrixMemory getMemory(ArrayRef<AffineExpr> axes, ShapedType type);
  /// Whether lines along `index`, all of the last axis, follow one another
  /// along another dimension of a matrix.
  bool isDense(unsigned index, ArrayRef<AffineExpr> axes, ShapedType type);

  ContractOp op;
  SpecAttr spec;
  SmallVector<int64_t> sizes;
  ContractionDims dims;
};

} // namespace

std::string
MatrixView::selectAtoms(SmallVector<const layout::MmaAtom *> &atoms) {
  if (op.getInputs().size() != 2)
    return "it has no two operands";
  std::string reason;
  atoms = tile::selectAtoms(
      atoms, cast<ShapedType>(op.getInputs()[0].getType()).getElementType(),
      cast<ShapedType>(op.getInputs()[1].getType()).getElementType(),
      op.getAccumulatorType(), op.isTF32(), reason);
  if (atoms.empty())
    return reason;
  for (ContractionDim dim :
       {ContractionDim::M, ContractionDim::N, ContractionDim::K})
    if (dims.getSize(dim) <= 1)
      return "it has no rows, no columns or no sum";
  return "";
}

SmallVector<ContractionDim> MatrixView::getResultDims() {
  return llvm::map_to_vector(
      llvm::seq(spec.getNumResultIndices()),
      [&](unsigned index) { return spec.getContractionDim(index); });
}

bool MatrixView::isInnermost(unsigned index) const {
  auto order = dims.getIndices(spec.getContractionDim(index));
  return !order.empty() && order.front() == index;
}

bool MatrixView::isDense(unsigned index, ArrayRef<AffineExpr> axes,
                         ShapedType type) {
  if (axes.size() < 2 || type.getShape().back() != sizes[index])
    return false;
  auto next = dyn_cast<AffineDimExpr>(axes.drop_back().back());
  if (!next || !isInnermost(next.getPosition()))
    return false;
  ContractionDim dim = spec.getContractionDim(next.getPosition());
  return dim != ContractionDim::Batch && dim != spec.getContractionDim(index);
}

MatrixMemory MatrixView::getMemory(ArrayRef<AffineExpr> axes, ShapedType type) {
  unsigned bits = type.getElementTypeBitWidth();
  auto linear = LinearAxis::get(axes.back(), spec.getNumIndices());
  if (!linear)
    return {ContractionDim::K, 1, bits};
  for (unsigned index = 0; index < spec.getNumIndices(); ++index) {
    if (linear->coefficients[index] != 1 || sizes[index] == 1)
      continue;
    // The other terms of the index, and the length of a line, determine where
    // runs begin.
    int64_t run = std::gcd(sizes[index], linear->constant);
    if (type.hasStaticShape())
      run = std::gcd(run, type.getShape().back());
    for (auto [other, coefficient] : llvm::enumerate(linear->coefficients))
      if (other != index && sizes[other] > 1)
        run = std::gcd(run, coefficient);
    ContractionDim dim = spec.getContractionDim(index);
    // Each program has a single batch: nothing lies side by side along it.
    if (dim == ContractionDim::Batch)
      break;
    return {dim, isInnermost(index) ? run : 1, bits,
            isDense(index, axes, type)};
  }
  return {ContractionDim::K, 1, bits};
}

Product MatrixView::getProduct() {
  auto getOperand = [&](unsigned operand) {
    Value input = op.getInputs()[operand];
    MatrixMemory memory = getMemory(spec.getMaps()[operand].getResults(),
                                    cast<ShapedType>(input.getType()));
    memory.isComputed = op.isComputed(operand);
    memory.numOps = countOps(input);
    return memory;
  };
  return {{dims.getSize(ContractionDim::M), dims.getSize(ContractionDim::N),
           dims.getSize(ContractionDim::K)},
          dims.getSize(ContractionDim::Batch),
          getOperand(0),
          getOperand(1),
          op.getAccumulatorType().getIntOrFloatBitWidth()};
}

MatrixMemory MatrixView::getResult(Type element) {
  SmallVector<AffineExpr> axes = llvm::map_to_vector(
      llvm::seq(spec.getNumResultIndices()),
      [&](unsigned index) { return getAffineDimExpr(index, op.getContext()); });
  MatrixMemory memory = getMemory(axes, op.getOutputType());
  // Each program has a single batch.
  if (memory.fast == ContractionDim::K)
    memory = {ContractionDim::N, 1, memory.bits};
  memory.bits = element.getIntOrFloatBitWidth();
  return memory;
}

/// Whether rows of a matrix in memory are known to begin where tensor maps can
/// begin to copy.
static bool hasAlignedRows(Value input) {
  auto type = cast<ShapedType>(input.getType());
  int64_t factor = type.getShape().back();
  if (ShapedType::isDynamic(factor)) {
    BlockArgument argument = getFunctionArgument(input);
    auto function =
        argument ? cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
                 : nullptr;
    auto multiples = function ? function.getArgAttrOfType<DenseI64ArrayAttr>(
                                    argument.getArgNumber(), kMultipleOf)
                              : nullptr;
    factor = multiples ? multiples.asArrayRef().back() : 1;
  }
  return factor * type.getElementTypeBitWidth() / 8 % layout::kRowAlignment ==
         0;
}

/// Adds the atoms of warpgroups, if tensor maps can copy the operands of a
/// kernel's only product, but for A if the kernel computes it.
static void addGroupAtoms(ProductKernel &kernel, Operation *op,
                          ArrayRef<const layout::MmaAtom *> atoms) {
  auto contraction = dyn_cast<ContractOp>(op);
  if (!contraction && kernel.products.size() == 1)
    contraction = *cast<KernelOp>(op).getBody().getOps<ContractOp>().begin();
  if (!contraction || contraction.isComputed(1))
    return;
  for (auto [operand, input] : llvm::enumerate(contraction.getInputs()))
    if (!contraction.isComputed(operand) && !hasAlignedRows(input))
      return;
  std::string reason;
  auto getType = [&](unsigned operand) {
    return getElementTypeOrSelf(contraction.getInputs()[operand]);
  };
  kernel.groupAtoms = tile::selectAtoms(
      atoms, getType(0), getType(1), contraction.getAccumulatorType(),
      contraction.isTF32(), reason, /*ofWarpgroups=*/true);
  kernel.getWindows = [contraction](const layout::TileConfig &config) {
    return to_tile::getWindows(contraction, config);
  };
}

ProductKernel
config_selection::getProductKernel(Operation *op,
                                   ArrayRef<const layout::MmaAtom *> atoms,
                                   std::string &reason) {
  ProductKernel kernel;
  kernel.atoms = SmallVector<const layout::MmaAtom *>(atoms);
  SmallVector<ContractionDim> dims;
  auto add = [&](ContractOp contraction, Type element) {
    MatrixView view(contraction);
    if (reason.empty())
      reason = view.selectAtoms(kernel.atoms);
    if (!reason.empty())
      return;
    kernel.products.push_back(view.getProduct());
    kernel.result = view.getResult(element);
    if (kernel.products.size() == 1)
      dims = view.getResultDims();
    else if (dims != view.getResultDims())
      reason = "its products divide the result in different ways";
  };
  if (auto contraction = dyn_cast<ContractOp>(op)) {
    add(contraction, contraction.getOutputType().getElementType());
    if (reason.empty())
      addGroupAtoms(kernel, op, atoms);
    return kernel;
  }
  auto fused = cast<KernelOp>(op);
  for (auto contraction : fused.getBody().getOps<ContractOp>())
    add(contraction, fused.getResult().getType().getElementType());
  for (BlockArgument argument : fused.getBody().getArguments()) {
    auto type = cast<RankedTensorType>(argument.getType());
    bool isOperand =
        llvm::all_of(argument.getUsers(), llvm::IsaPred<ContractOp>);
    kernel.isOfLoaded |=
        !isOperand && type.getShape() == fused.getResult().getType().getShape();
    if (!isOperand && type.hasStaticShape())
      kernel.pointwiseBytes +=
          type.getNumElements() * type.getElementTypeBitWidth() / 8;
  }
  if (reason.empty())
    addGroupAtoms(kernel, op, atoms);
  return kernel;
}
