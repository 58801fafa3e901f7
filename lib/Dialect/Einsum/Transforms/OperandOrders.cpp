//===- OperandOrders.cpp - In which order operands are read ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels read an operand by wide accesses if its elements lie side by side
// along an axis of blocks. So its last axis has to be the innermost index of
// the rows, or columns, alone, or its last axes the innermost indices of the
// sum. In which order these are follows from the operands, so that all pairs of
// orders are tried: those in which a summed index, or the innermost row or
// column, is last. The pair that moves the fewest elements is taken, where
// those of narrow accesses count more, by how much of the memory that they
// touch they leave.
//
//===----------------------------------------------------------------------===//

#include "OperandOrders.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace tileir::einsum;
using llvm::formatv;

static constexpr int64_t kVectorBits = 128;
/// The cost of an element that is copied, in elements that wide accesses read.
static constexpr double kCopyCost = 2;
/// The cost of what is done only if nothing else is possible.
static constexpr double kNever = 1e6;
/// The least that memory delivers, whatever is needed of it.
static constexpr int64_t kSectorBits = 256;

/// Elements of so many bits are multiplied in both orders as bulk copies leave
/// them in shared memory; of narrower ones, and of wider ones as tf32, only
/// those that lie side by side along K.
static constexpr unsigned kAnyOrderBits = 16;
/// How much longer it takes to read and multiply an element without them.
static constexpr double kNoBulkCost = 3;

OperandOrders::OperandOrders(ContractOp op, int64_t block, int64_t minReuse,
                             int64_t rowBytes)
    : op(op), spec(op.getSpec()), sizes(getStaticIndexSizes(op)), block(block),
      minReuse(minReuse), rowBytes(rowBytes), dims(spec, sizes),
      summed(dims.getIndices(ContractionDim::K)) {}

ArrayRef<unsigned> OperandOrders::getExternal(unsigned operand) const {
  return dims.getIndices(operand == 0 ? ContractionDim::M : ContractionDim::N);
}

int64_t OperandOrders::getVector(unsigned operand) const {
  return kVectorBits / getType(operand).getElementTypeBitWidth();
}

AxisOrder OperandOrders::getIdentity(unsigned operand) const {
  return llvm::to_vector(llvm::seq<unsigned>(0, getRank(operand)));
}

//===----------------------------------------------------------------------===//
// The width of accesses
//===----------------------------------------------------------------------===//

/// The elements side by side along an axis of blocks: indices that follow each
/// other in the operand as well are one.
int64_t OperandOrders::getRun(SpecAttr spec, unsigned operand) const {
  auto getSize = [&](ArrayRef<unsigned> indices) {
    int64_t run = 1;
    unsigned axis = getRank(operand);
    for (unsigned index : indices) {
      if (axis-- == 0 || spec.getBareIndex(operand, axis) != index)
        break;
      run *= sizes[index];
    }
    return run;
  };
  // The order of axes is that of the sum, too.
  ContractionDims ordered(spec, sizes);
  return std::max(getSize(getExternal(operand)),
                  getSize(ordered.getIndices(ContractionDim::K)));
}

/// Whether kernels read a block of the operand as it is: one index for rows or
/// columns, and one for the sum. Other axes stay where they are.
bool OperandOrders::isDense(unsigned operand) const {
  for (unsigned axis = 0; axis < getRank(operand); ++axis)
    if (!spec.getBareIndex(operand, axis))
      return false;
  return summed.size() == 1 && getExternal(operand).size() == 1;
}

bool OperandOrders::isAligned(SpecAttr spec, unsigned operand) const {
  unsigned bits = getType(operand).getElementTypeBitWidth();
  if (rowBytes == 0 || (bits > kAnyOrderBits && !op.isTF32()))
    return true;
  auto index = spec.getBareIndex(operand, getRank(operand) - 1);
  return index && sizes[*index] * bits / 8 % rowBytes == 0 &&
         (bits == kAnyOrderBits || llvm::is_contained(summed, *index));
}

bool OperandOrders::isWide(SpecAttr spec, unsigned operand) const {
  return isAligned(spec, operand) &&
         (isDense(operand) || getRun(spec, operand) % getVector(operand) == 0);
}

/// How much `expr` goes up by with `index`; nothing if that is no constant.
static std::optional<int64_t> getFactor(SpecAttr spec, AffineExpr expr,
                                        unsigned index) {
  if (!spec.usesIndex(expr, index))
    return 0;
  if (isa<AffineDimExpr>(expr))
    return 1;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  auto left = getFactor(spec, binary.getLHS(), index);
  if (left && binary.getKind() == AffineExprKind::Add) {
    auto right = getFactor(spec, binary.getRHS(), index);
    return right ? std::optional(*left + *right) : std::nullopt;
  }
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (left && factor && binary.getKind() == AffineExprKind::Mul)
    return *left * factor.getValue();
  return std::nullopt;
}

/// The cost of reading an element, which is 1 by wide accesses. Threads that
/// read adjacent elements pay for their number only, others also for memory
/// that they touch and do not need. They go along runs that are known, of even
/// lengths, or else along the last axis of the block: the sum, or columns.
double OperandOrders::getCost(SpecAttr spec, unsigned operand) const {
  if (isWide(spec, operand))
    return 1;
  double narrow = minReuse ? 1 + kCopyCost / minReuse : kNever;
  if (!isAligned(spec, operand))
    narrow = std::max(narrow, kNoBulkCost);
  double sector =
      double(kSectorBits) / getType(operand).getElementTypeBitWidth();
  double waste = sector;
  int64_t run = getRun(spec, operand);
  if (operand == 0 || run % 2 == 0)
    waste = std::min(waste, std::max(1.0, sector / run));
  ArrayRef<unsigned> external = getExternal(operand);
  auto factor = getFactor(spec, spec.getMaps()[operand].getResults().back(),
                          external.front());
  bool isKnown = external.size() == 1 || sizes[external.front()] % 2 == 0;
  if (factor && *factor != 0 && (operand == 1 || (*factor == 1 && isKnown)))
    waste = std::min(waste, double(std::abs(*factor)));
  return narrow * waste;
}

double OperandOrders::getReuse(unsigned operand) const {
  auto count = [&](ArrayRef<unsigned> indices) {
    double product = 1;
    for (unsigned index : indices)
      product *= sizes[index];
    return product;
  };
  double reads = count(dims.getIndices(ContractionDim::Batch)) * count(summed) *
                 count(getExternal(operand)) *
                 std::ceil(count(getExternal(1 - operand)) / block);
  return reads / std::max<int64_t>(getType(operand).getNumElements(), 1);
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// The axis of an operand that is `index`, which no other axis uses.
std::optional<unsigned> OperandOrders::getAxis(unsigned operand,
                                               unsigned index) const {
  std::optional<unsigned> found;
  for (unsigned axis = 0; axis < getRank(operand); ++axis) {
    if (!spec.usesIndex(spec.getMaps()[operand].getResult(axis), index))
      continue;
    if (found || spec.getBareIndex(operand, axis) != index)
      return std::nullopt;
    found = axis;
  }
  return found;
}

/// The orders to try, the first as it is.
SmallVector<AxisOrder> OperandOrders::getCandidates(unsigned operand) const {
  SmallVector<AxisOrder> candidates = {getIdentity(operand)};
  auto moveLast = [](AxisOrder &order, unsigned axis) {
    llvm::erase(order, axis);
    order.push_back(axis);
  };
  for (unsigned innermost : summed) {
    if (!getAxis(operand, innermost))
      continue;
    AxisOrder &order = candidates.emplace_back(getIdentity(operand));
    for (unsigned index : llvm::reverse(summed))
      if (auto axis = getAxis(operand, index))
        moveLast(order, *axis);
    moveLast(order, *getAxis(operand, innermost));
  }
  if (auto axis = getAxis(operand, getExternal(operand).front()))
    moveLast(candidates.emplace_back(getIdentity(operand)), *axis);
  return candidates;
}

SpecAttr OperandOrders::apply(ArrayRef<AxisOrder> orders) const {
  SmallVector<AffineMap> maps;
  for (auto [operand, order] : llvm::enumerate(orders)) {
    AffineMap map = spec.getMaps()[operand];
    SmallVector<AffineExpr> axes;
    for (unsigned axis : order)
      axes.push_back(map.getResult(axis));
    maps.push_back(AffineMap::get(map.getNumDims(), map.getNumSymbols(), axes,
                                  spec.getContext()));
  }
  // Indices keep their positions, by which their sizes are known.
  return SpecAttr::get(spec.getContext(), spec.getIndices(),
                       spec.getNumResultIndices(), spec.getLookups(), maps);
}

std::array<AxisOrder, 2> OperandOrders::choose() const {
  std::array<AxisOrder, 2> best;
  std::optional<double> least;
  for (const AxisOrder &first : getCandidates(0))
    for (const AxisOrder &second : getCandidates(1)) {
      std::array<AxisOrder, 2> orders = {first, second};
      SpecAttr ordered = apply(orders);
      double cost = 0;
      bool isWorthwhile = true;
      for (unsigned operand : {0, 1}) {
        bool isCopied = !llvm::is_sorted(orders[operand]);
        isWorthwhile &= !isCopied || isWide(ordered, operand);
        cost += (getReuse(operand) * getCost(ordered, operand) +
                 (isCopied ? kCopyCost : 0)) *
                getType(operand).getNumElements();
      }
      if (isWorthwhile && (!least || cost < *least)) {
        best = orders;
        least = cost;
      }
    }
  return best;
}

std::string OperandOrders::getFailureReason(unsigned operand) const {
  auto indices = llvm::to_vector(llvm::reverse(summed));
  indices.push_back(getExternal(operand).front());
  std::string text;
  for (unsigned index : llvm::reverse(indices)) {
    if (!spec.usesIndex(operand, index))
      continue;
    char name = spec.getIndices()[index];
    text += text.empty() ? "" : "; ";
    if (!getAxis(operand, index))
      text += formatv("'{0}' is no axis by itself", name);
    else if (sizes[index] % getVector(operand) != 0)
      text += formatv("the size of '{0}', {1}, is no multiple of {2}", name,
                      sizes[index], getVector(operand));
    else
      return "";
  }
  return text;
}
