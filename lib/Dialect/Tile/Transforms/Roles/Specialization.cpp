//===- Specialization.cpp - Which kernels are divided into roles ----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The failure reasons of tile-warp-specialize.
//
//===----------------------------------------------------------------------===//

#include "Roles/Specialization.h"
#include "RunAhead.h"

#include "tileir/Layout/Fragments/Warpgroup.h"
#include "tileir/Layout/Shared/Panels.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using llvm::formatv;

int64_t tile::getRowFactor(func::FuncOp kernel, BlockArgument argument) {
  auto memref = cast<MemRefType>(argument.getType());
  int64_t bytes = memref.getElementTypeBitWidth() / 8;
  if (int64_t size = memref.getShape().back(); !ShapedType::isDynamic(size))
    return size * bytes;
  auto factors = kernel.getArgAttrOfType<DenseI64ArrayAttr>(
      argument.getArgNumber(), TileDialect::kSizeMultipleOf);
  return factors ? factors.asArrayRef().back() * bytes : bytes;
}

/// Follows what is loaded to the product: its axes may change places before
/// they become the two of the matrix, and after.
static std::string findAxes(LoadedOperand &operand) {
  auto tile = cast<RankedTensorType>(operand.load.getType());
  auto order = llvm::to_vector(llvm::seq<int64_t>(tile.getRank()));
  std::optional<size_t> numOfRows; // of a matrix in row order
  if (tile.getRank() == 2)
    numOfRows = 1;
  for (Operation *op : llvm::reverse(operand.reordering)) {
    if (auto trans = dyn_cast<TransOp>(op)) {
      if (!numOfRows)
        order = applyPermutation(order, trans.getPermutation());
      else if (!trans.getPermutation().empty() &&
               trans.getPermutation().front() == 1) {
        std::rotate(order.begin(), order.begin() + *numOfRows, order.end());
        numOfRows = order.size() - *numOfRows;
      }
      continue;
    }
    auto matrix = cast<RankedTensorType>(op->getResult(0).getType());
    int64_t length = 1;
    size_t count = 0;
    while (length < matrix.getDimSize(0) && count < order.size())
      length *= tile.getDimSize(order[count++]);
    if (numOfRows || matrix.getRank() != 2 || length != matrix.getDimSize(0))
      return formatv(
          "is reshaped to {0}, whose axes are not whole ones of what "
          "is loaded",
          matrix);
    numOfRows = count;
  }
  if (!numOfRows)
    return "is not a matrix";
  // The stage is in row-major order of memory's last axis.
  auto last = llvm::find(order, tile.getRank() - 1);
  if (size_t(last - order.begin()) < *numOfRows) {
    operand.order = Major::Column;
    std::rotate(order.begin(), order.begin() + *numOfRows, order.end());
    numOfRows = order.size() - *numOfRows;
  }
  operand.shape = {1, 1};
  for (auto [position, axis] : llvm::enumerate(order)) {
    operand.shape[position >= *numOfRows] *= tile.getDimSize(axis);
    operand.sizes.push_back(tile.getDimSize(axis));
    auto axes = operand.load.getAxes(), steps = operand.load.getSteps();
    operand.axes.push_back(axes ? (*axes)[axis] : axis);
    operand.steps.push_back(steps ? (*steps)[axis] : 1);
  }
  if (order.back() != tile.getRank() - 1)
    return "does not go along the last axis of what is loaded";
  SmallVector<int64_t> ofRows;
  for (size_t i = 0; i < *numOfRows; ++i)
    if (operand.sizes[i] > 1)
      ofRows.push_back(operand.axes[i]);
  return llvm::is_sorted(ofRows) ? ""
                                 : "has its axes in another order than memory";
}

std::string Specialization::checkOperand(const LoadedProduct &product,
                                         layout::Matrix matrix,
                                         LoadedOperand &operand) {
  bool isA = matrix == layout::Matrix::A;
  DotOp dot = product.dot;
  Value value = isA ? dot.getA() : dot.getB();
  StringRef name = isA ? "a" : "b";
  if (isA && isInRegisters(value))
    return "";
  while (value.hasOneUse() &&
         isa_and_present<TransOp, ReshapeOp>(value.getDefiningOp())) {
    operand.reordering.push_back(value.getDefiningOp());
    value = value.getDefiningOp()->getOperand(0);
  }
  operand.load = value.getDefiningOp<LoadViewOp>();
  // Several products may have it as the same operand.
  bool isShared = llvm::all_of(value.getUses(), [&](OpOperand &use) {
    return isa<DotOp>(use.getOwner()) &&
           use.getOperandNumber() == (isA ? 0 : 1);
  });
  if (!operand.load || operand.load->getBlock() != loop.getBody() ||
      !(isShared || value.hasOneUse()))
    return formatv("operand '{0}' of the product is not only loaded for it, by "
                   "a tile.load_view of the loop",
                   name);
  auto memref = cast<MemRefType>(operand.load.getMemref().getType());
  auto argument = dyn_cast<BlockArgument>(operand.load.getMemref());
  if (!memref.getLayout().isIdentity() || !argument ||
      argument.getOwner() != &kernel.front() ||
      memref.getRank() > layout::kMaxMapAxes)
    return formatv("operand '{0}' is not of a memref of at most {1} axes in "
                   "row-major order that the kernel takes",
                   name, layout::kMaxMapAxes);
  if (memref.getRank() > 1 &&
      getRowFactor(kernel, argument) % layout::kRowAlignment != 0)
    return formatv("rows of operand '{0}' in memory are not known to be "
                   "multiples of {1} bytes apart",
                   name, layout::kRowAlignment);
  if (auto axes = operand.load.getAxes();
      axes && axes->back() != memref.getRank() - 1)
    return formatv("no axis of operand '{0}' is the last one of its memref",
                   name);
  if (std::string reason = findAxes(operand); !reason.empty())
    return formatv("operand '{0}' {1}", name, reason);
  if (int64_t step = *llvm::max_element(operand.steps);
      step > layout::kMaxMapStep)
    return formatv("elements of operand '{0}' are {1} apart along an axis, of "
                   "at most {2}",
                   name, step, layout::kMaxMapStep);
  if (int64_t bytes =
          operand.sizes.back() * memref.getElementTypeBitWidth() / 8;
      bytes % layout::kMinRunBytes != 0)
    return formatv("rows of the tiles of operand '{0}' have {1} bytes: "
                   "expected multiples of {2}",
                   name, bytes, layout::kMinRunBytes);
  auto scalar = getScalar(memref.getElementType());
  if (!isSharedOperand(
          *product.atom,
          {matrix, *scalar, static_cast<layout::Major>(operand.order)}))
    return formatv("{0} takes operand '{1}' in the other order only",
                   product.atom->name, name);
  return "";
}

/// Whether an iteration of the loop loads a value, and computes nothing of it.
static bool isOnlyLoaded(Value value, scf::ForOp loop) {
  while (isa_and_present<TransOp, ReshapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  Operation *op = value.getDefiningOp();
  return isa_and_present<LoadOp, LoadViewOp>(op) &&
         op->getBlock() == loop.getBody();
}

bool Specialization::isInRegisters(Value value) {
  if (isOnlyLoaded(value, loop))
    return false;
  SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || isa<DotOp>(op))
      continue;
    if (!isMemoryEffectFree(op) && !isPlainLoad(op))
      return false;
    values.insert(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), values);
  }
  return true;
}

layout::TileSizes LoadedProduct::getBlock() {
  auto acc = cast<RankedTensorType>(dot.getType());
  auto lhs = cast<RankedTensorType>(dot.getA().getType());
  return {acc.getDimSize(0), acc.getDimSize(1), lhs.getDimSize(1)};
}

std::string Specialization::checkAtom(LoadedProduct &product) {
  DotOp dot = product.dot;
  const layout::MmaAtom *wanted = getConfig(kernel).atom;
  if (wanted && !wanted->isWarpgroup)
    return formatv("the configuration asks for {0}", wanted->name);
  auto acc = cast<RankedTensorType>(dot.getType());
  if (acc.getRank() != 2)
    return "the product has batches";
  // Without a target those of any chip.
  SmallVector<const layout::MmaAtom *> atoms;
  if (TargetAttr target = TargetAttr::find(kernel))
    atoms = target.getAtoms();
  else
    for (const layout::MmaAtom &entry : layout::getAtoms())
      atoms.push_back(&entry);
  std::string reason;
  auto selected = selectAtoms(
      atoms, getElementTypeOrSelf(dot.getA()), getElementTypeOrSelf(dot.getB()),
      acc.getElementType(), dot.isTF32(), reason, /*ofWarpgroups=*/true);
  if (selected.empty())
    return reason;
  product.atom = selected.front();
  int64_t before =
      std::exchange(groups, acc.getDimSize(0) / layout::kGroupRows);
  if (before != 0 && before != groups)
    return "the products have different numbers of rows";
  return layout::checkWarpgroups(*product.atom, product.getBlock(),
                                 acc.getElementTypeBitWidth());
}

std::string Specialization::checkRegisters() {
  // What threads keep of several products they may keep at the same time.
  if (products.size() == 1 && products.front().a.load)
    return "";
  SetVector<Value> tiles;
  for (LoadedProduct &product : products) {
    tiles.insert(product.dot.getResult());
    if (!product.a.load)
      tiles.insert(product.dot.getA());
  }
  int64_t bits = 0;
  for (Value tile : tiles) {
    auto type = cast<RankedTensorType>(tile.getType());
    bits += type.getNumElements() * type.getElementTypeBitWidth();
  }
  int64_t registers = bits / (groups * layout::kGroupWarps * 32 * 32);
  int64_t ofThread = layout::getRoleRegisters(groups).product;
  if (registers + layout::kOtherRegisters <= ofThread)
    return "";
  return formatv("the products take {0} registers of each thread, of {1}",
                 registers, ofThread);
}

std::string Specialization::promoteSums() {
  std::string reason;
  for (LoadedProduct &product : products) {
    if (!layout::hasNarrowSums(*product.atom))
      continue;
    std::string ofProduct = layout::checkPromotion(product.getBlock());
    product.isPromoted = ofProduct.empty();
    if (reason.empty())
      reason = ofProduct;
  }
  return reason;
}

SmallVector<LoadedOperand *> Specialization::getLoaded() {
  SmallVector<LoadedOperand *> operands;
  for (LoadedProduct &product : products)
    for (LoadedOperand *operand : {&product.a, &product.b})
      if (operand->load && llvm::none_of(operands, [&](LoadedOperand *other) {
            return other->load == operand->load;
          }))
        operands.push_back(operand);
  return operands;
}

int64_t Specialization::getStageBytes() {
  int64_t bytes = 0;
  for (LoadedOperand *operand : getLoaded())
    bytes += operand->getNumBytes();
  return bytes;
}

/// Whether the op loads a number of an argument that nobody writes.
static bool looksUp(Operation *op) {
  auto load = dyn_cast<LoadOp>(op);
  if (!load || isa<RankedTensorType>(load.getPtr().getType()))
    return false;
  Value pointer = load.getPtr();
  while (auto addition = pointer.getDefiningOp<AddPtrOp>())
    pointer = addition.getPtr();
  auto argument = dyn_cast<BlockArgument>(pointer);
  auto kernel = argument
                    ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
                    : nullptr;
  return kernel && isReadOnly(kernel, argument.getArgNumber());
}

/// Where the loads are must not depend on what the kernel loads, but for tables
/// of numbers, or computes in tiles.
std::string Specialization::checkAddresses() {
  auto checkOp = [](Operation *op) -> std::string {
    if (isa<AssumeOp>(op) || looksUp(op) ||
        (isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>)))
      return "";
    return formatv("where the operands are depends on '{0}'",
                   op->getName().getStringRef());
  };
  SmallVector<Operation *> loads;
  for (LoadedOperand *operand : getLoaded())
    loads.push_back(operand->load);
  inside = getSources(loop, loads, /*isCarried=*/true);
  SetVector<Value> values;
  for (Operation *op : inside) {
    values.insert(op->operand_begin(), op->operand_end());
    if (llvm::is_contained(loads, op))
      continue;
    if (std::string reason = checkOp(op); !reason.empty())
      return reason;
  }
  values.insert(loop.getLowerBound());
  values.insert(loop.getUpperBound());
  values.insert(loop.getStep());
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (OpOperand *init = argument.getOwner() == loop.getBody()
                                ? loop.getTiedLoopInit(argument)
                                : nullptr)
        values.insert(init->get());
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op->getBlock() != loop->getBlock())
      continue; // in the loop
    if (std::string reason = checkOp(op); !reason.empty())
      return reason;
    before.insert(op);
    values.insert(op->operand_begin(), op->operand_end());
  }
  return "";
}

std::string Specialization::checkWrites() {
  Operation *writer = nullptr;
  for (Operation &op : *loop->getBlock()) {
    op.walk([&](Operation *inner) {
      if (!writer && mayWrite(inner))
        writer = inner;
    });
    if (&op == loop.getOperation())
      break;
  }
  if (!writer)
    return "";
  return formatv("'{0}' may write what is loaded",
                 writer->getName().getStringRef());
}

bool Specialization::areSums() {
  return llvm::all_of(products, [&](LoadedProduct &product) {
    DotOp dot = product.dot;
    // The next iteration has its own A in the same registers.
    Operation *ofA = dot.getA().getDefiningOp();
    if (!product.a.load && ofA && loop->isProperAncestor(ofA))
      return false;
    auto acc = dyn_cast<BlockArgument>(dot.getAcc());
    OpOperand *carried =
        acc && acc.getOwner() == loop.getBody() && acc != loop.getInductionVar()
            ? loop.getTiedLoopYieldedValue(acc)
            : nullptr;
    return carried && carried->get() == dot.getResult() &&
           dot.getResult().hasOneUse() && acc.hasOneUse();
  });
}

std::string Specialization::check() {
  if (loop->getBlock() != &kernel.front() || !kernel.getBody().hasOneBlock())
    return "the loop is within others";
  std::string reason;
  for (LoadedProduct &product : products) {
    if (reason.empty())
      reason = checkAtom(product);
    if (reason.empty())
      reason = checkOperand(product, layout::Matrix::A, product.a);
    if (reason.empty())
      reason = checkOperand(product, layout::Matrix::B, product.b);
  }
  if (reason.empty())
    reason = checkRegisters();
  if (reason.empty())
    reason = checkAddresses();
  if (reason.empty())
    reason = checkWrites();
  if (!reason.empty())
    return reason;
  TargetAttr target = TargetAttr::find(kernel);
  if (target && getNumBytes() > target.getShared())
    return formatv("{0} stages take {1} bytes of shared memory, the chip has "
                   "{2}",
                   stages, getNumBytes(), target.getShared());
  return "";
}
