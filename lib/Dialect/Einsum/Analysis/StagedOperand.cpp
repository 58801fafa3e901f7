//===- StagedOperand.cpp - Borders that are copied in the cache -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Axes of an operand are sums of multiples of indices, so that what some loops
// read of it is a box, which the loops around them move.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Analysis/StagedOperand.h"

#include "tileir/Dialect/Einsum/Analysis/LoopDims.h"
#include "tileir/Dialect/Einsum/Analysis/OperandAccess.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tileir::einsum;

/// How many times as many elements may be copied as the operand has, for boxes
/// overlap.
static constexpr double kMostCopied = 1.3;
/// The least tiles along rows of which two have copies.
static constexpr int64_t kLeastTiles = 4;
/// As many as multiply-adds are begun before the first one ends.
static constexpr int64_t kAccumulators = 8;

tensor::PadOp tileir::einsum::getPadding(ContractOp op, unsigned operand) {
  Value value = op.getInputs()[operand];
  if (auto kernel = dyn_cast<KernelOp>(op->getParentOp())) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || !argument.hasOneUse())
      return nullptr;
    value = kernel.getInputs()[argument.getArgNumber()];
  }
  auto pad = value.getDefiningOp<tensor::PadOp>();
  bool isStatic = pad && value.hasOneUse() &&
                  pad.getSourceType().hasStaticShape() &&
                  pad.getSourceType().getNumElements() > 0 &&
                  pad.getResultType().hasStaticShape() &&
                  getConstantIntValues(pad.getMixedLowPad());
  auto source = isStatic
                    ? pad.getSource().getDefiningOp<bufferization::ToTensorOp>()
                    : nullptr;
  if (source &&
      !cast<MemRefType>(source.getBuffer().getType()).getLayout().isIdentity())
    return nullptr;
  Value border = isStatic ? pad.getConstantPaddingValue() : Value();
  bool hasBytes = border && border.getType().isIntOrFloat() &&
                  border.getType().getIntOrFloatBitWidth() % 8 == 0;
  return hasBytes && matchPattern(border, m_Constant()) ? pad : nullptr;
}

/// Whether the kernel may read a copy in its own order, as matrix units do, and
/// what multiplies several elements at once.
static bool isPacked(ContractOp op, ScheduleAttr schedule, unsigned operand) {
  return schedule.getMatrix() || getGroupSize(op, MachineAttr::find(op)) > 1 ||
         llvm::is_contained(schedule.getPack(), int64_t(operand));
}

namespace {

/// The boxes of an operand.
class Boxes {
public:
  Boxes(ContractOp op, ArrayRef<DimAttr> dims, unsigned operand)
      : spec(op.getSpec()), sizes(getStaticIndexSizes(op)), dims(dims),
        map(spec.getMaps()[operand]) {
    OperandAccess access(op, sizes, operand);
    for (unsigned index = 0; index < spec.getNumIndices(); ++index) {
      auto advance = access.getAdvance(index);
      if (!advance ||
          llvm::any_of(*advance, [](int64_t by) { return by < 0; })) {
        advances.clear();
        return;
      }
      advances.push_back(*advance);
    }
  }

  /// Whether all axes are sums of multiples, none of which is negative.
  bool areBoxes() const { return !advances.empty(); }

  /// The sizes of the box of the loops from `level` on.
  SmallVector<int64_t> getShape(unsigned level) const {
    SmallVector<int64_t> shape(map.getNumResults(), 1);
    for (DimAttr dim : dims.drop_front(level)) {
      SmallVector<unsigned> indices = getIndices(spec, dim);
      for (unsigned index : indices) {
        int64_t last = indices.size() > 1 ? sizes[index] - 1
                                          : (dim.getSize() - 1) * dim.getStep();
        for (auto [size, by] : llvm::zip(shape, advances[index]))
          size += by * last;
      }
    }
    return shape;
  }

  /// How far a step of `dim` moves the box; nothing if it is no move.
  std::optional<SmallVector<int64_t>> getMove(DimAttr dim) const {
    SmallVector<unsigned> indices = getIndices(spec, dim);
    SmallVector<int64_t> move(map.getNumResults(), 0);
    for (unsigned index : indices) {
      if (indices.size() > 1 &&
          llvm::any_of(advances[index], [](int64_t by) { return by != 0; }))
        return std::nullopt;
      for (auto [axis, by] : llvm::zip(move, advances[index]))
        axis += by * dim.getStep();
    }
    return move;
  }

  /// Sets the shape of `box`, and the strides in it; whether these are known.
  bool setShape(StagedOperand &box) const {
    box.shape = getShape(box.level);
    SmallVector<AffineExpr> axes;
    for (auto [axis, begin] : llvm::zip(map.getResults(), box.origin))
      axes.push_back(axis - begin);
    OperandAccess inside(spec, sizes,
                         AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                                        axes, map.getContext()),
                         box.pad.getResultType().clone(box.shape));
    box.strides.clear();
    for (auto [number, dim] : llvm::enumerate(dims)) {
      auto stride = inside.getStride(getIndices(spec, dim));
      if (!stride)
        return false;
      box.strides.push_back(number < box.level ? 0 : *stride * dim.getStep());
    }
    return true;
  }

  SmallVector<int64_t> getOrigin() const {
    AffineExpr zero = getAffineConstantExpr(0, map.getContext());
    SmallVector<AffineExpr> dims(map.getNumDims(), zero),
        symbols(map.getNumSymbols(), zero);
    return llvm::map_to_vector(map.getResults(), [&](AffineExpr axis) {
      return cast<AffineConstantExpr>(
                 simplifyAffineExpr(axis.replaceDimsAndSymbols(dims, symbols),
                                    0, 0))
          .getValue();
    });
  }

private:
  SpecAttr spec;
  SmallVector<int64_t> sizes;
  ArrayRef<DimAttr> dims;
  AffineMap map;
  SmallVector<SmallVector<int64_t>> advances; // of axes, by index
};

} // namespace

std::optional<StagedOperand>
tileir::einsum::getStagedOperand(ContractOp op, ScheduleAttr schedule,
                                 unsigned operand) {
  tensor::PadOp pad = getPadding(op, operand);
  if (!pad || isPacked(op, schedule, operand))
    return std::nullopt;
  ArrayRef<DimAttr> dims = schedule.getDims();
  Boxes boxes(op, dims, operand);
  if (!boxes.areBoxes())
    return std::nullopt;
  auto count = [&](auto isOne) {
    return static_cast<unsigned>(llvm::count_if(
        dims, [&](DimAttr dim) { return isOne(dim.getExec()); }));
  };
  unsigned numLoops =
      count([](Execution exec) { return exec != Execution::Prim; });
  unsigned first = std::max(
      1u, count([](Execution exec) { return exec == Execution::Parallel; }));
  MachineAttr machine = MachineAttr::find(op);
  double held = machine.getL2() * machine.getCosts().sharedL2;
  RankedTensorType type = pad.getResultType();
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  StagedOperand staged{pad, 0, {}, {}, {}, boxes.getOrigin()};
  double times = 1;
  for (unsigned level = 1; level <= numLoops; ++level) {
    DimAttr dim = dims[level - 1];
    auto move = boxes.getMove(dim);
    if (!move)
      return std::nullopt;
    staged.moves.push_back(*move);
    times *= dim.getSize();
    if (level < first)
      continue;
    staged.level = level;
    if (!boxes.setShape(staged))
      return std::nullopt;
    double elements = llvm::product_of(staged.shape);
    if (times * elements > kMostCopied * type.getNumElements())
      return std::nullopt;
    if (elements * bytes <= held)
      return staged;
  }
  return std::nullopt;
}

namespace {
/// The positions of an index that read no border along an axis.
struct Inside {
  int64_t first, end;
};
} // namespace

/// Of positions `by` apart along axis `axis`, each of which reads `extent`
/// elements, the first at `origin`.
static Inside getInside(tensor::PadOp pad, unsigned axis, int64_t by,
                        int64_t extent, int64_t origin) {
  int64_t low = getConstantIntValues(pad.getMixedLowPad())->data()[axis];
  int64_t size = pad.getSourceType().getDimSize(axis);
  int64_t last = low + size - extent - origin;
  return {llvm::divideCeilSigned(low - origin, by),
          llvm::divideFloorSigned(last, by) + 1};
}

/// The rows of tiles at the border, at least `needed` and a divisor of all
/// `rows`, or 0 if there is none. Two in each line, or all of them, have
/// copies: so they are small, but for accumulators that would wait for each
/// other.
static int64_t chooseTile(ScheduleAttr schedule, int64_t rows, int64_t needed) {
  auto findFrom = [&](int64_t least) -> int64_t {
    for (int64_t tile = least; tile * kLeastTiles <= rows; ++tile)
      if (rows % tile == 0)
        return tile;
    return 0;
  };
  ArrayRef<int64_t> held = schedule.getTile();
  if (!held.empty()) {
    int64_t filled =
        std::min<int64_t>(held[0], llvm::divideCeil(kAccumulators, held[1]));
    if (int64_t tile = findFrom(std::max(needed, filled)))
      return tile;
  }
  return findFrom(needed);
}

std::optional<BorderedOperand>
tileir::einsum::getBorderedOperand(ContractOp op, ScheduleAttr schedule,
                                   unsigned operand) {
  tensor::PadOp pad = getPadding(op, operand);
  if (!pad || isPacked(op, schedule, operand) || schedule.getLanes() < 0)
    return std::nullopt;
  for (unsigned other = 0; other < operand; ++other)
    if (getPadding(op, other))
      return std::nullopt;
  SmallVector<DimAttr> dims(schedule.getDims());
  SpecAttr spec = op.getSpec();
  unsigned lanes = schedule.getLanes(), numLoops = 0;
  std::optional<unsigned> rows;
  for (auto [number, dim] : llvm::enumerate(dims)) {
    bool isPrim = dim.getExec() == Execution::Prim;
    numLoops += !isPrim;
    if (isPrim && !isSummed(spec, dim) && number != lanes)
      rows = number;
    // Tiles at the border are computed after the others: what they add up to
    // has to be in no memory yet.
    if (!isPrim && isSummed(spec, dim))
      return std::nullopt;
  }
  Boxes boxes(op, dims, operand);
  if (!rows || isSummed(spec, dims[lanes]) || !boxes.areBoxes())
    return std::nullopt;
  BorderedOperand result;
  result.box = {pad, numLoops, {}, {}, {}, boxes.getOrigin()};
  SmallVector<SmallVector<int64_t>> moves;
  for (DimAttr dim : dims) {
    auto move = boxes.getMove(dim);
    if (!move)
      return std::nullopt;
    moves.push_back(*move);
  }
  auto isMoved = [&](unsigned dim) {
    return llvm::any_of(moves[dim], [](int64_t by) { return by != 0; });
  };
  if (!isMoved(lanes) || !isMoved(*rows))
    return std::nullopt;
  result.box.moves.assign(moves.begin(), moves.begin() + numLoops);
  result.rowMove = moves[*rows];

  std::optional<Inside> ofRows;
  for (int64_t axis = 0; axis < pad.getResultType().getRank(); ++axis) {
    if (pad.getSourceType().getDimSize(axis) ==
        pad.getResultType().getDimSize(axis))
      continue;
    int64_t extent = 1, by = 0;
    SmallVector<unsigned> loops;
    bool isOfRows = moves[*rows][axis] != 0;
    for (auto [number, dim] : llvm::enumerate(dims)) {
      int64_t move = moves[number][axis];
      if (move == 0 || number == *rows)
        continue;
      bool isPrim = dim.getExec() == Execution::Prim;
      if (isPrim && isSummed(spec, dim)) {
        extent += move * (dim.getSize() - 1);
      } else if (isPrim || isSummed(spec, dim) || isOfRows ||
                 (!loops.empty() &&
                  dim.getIndices() != dims[loops.front()].getIndices())) {
        return std::nullopt;
      } else {
        loops.push_back(number);
        by = move / dim.getStep();
      }
    }
    int64_t origin = result.box.origin[axis];
    if (isOfRows && !ofRows) {
      ofRows = getInside(pad, axis, moves[*rows][axis], extent, origin);
    } else if (!loops.empty() && result.loops.empty()) {
      Inside inside = getInside(pad, axis, by, extent, origin);
      result.loops = loops;
      result.first = inside.first;
      result.end = inside.end;
    } else {
      return std::nullopt;
    }
  }
  if (!ofRows)
    return std::nullopt;
  int64_t size = dims[*rows].getSize();
  int64_t tile =
      chooseTile(schedule, size,
                 std::max<int64_t>({1, ofRows->first, size - ofRows->end}));
  if (tile == 0)
    return std::nullopt;
  result.tileRows = tile;
  result.isBefore = ofRows->first > 0;
  result.isAfter = ofRows->end < size;
  dims[*rows] = DimAttr::get(op.getContext(), dims[*rows].getIndices(),
                             Execution::Prim, tile, dims[*rows].getStep());
  if (!Boxes(op, dims, operand).setShape(result.box))
    return std::nullopt;
  return result;
}

SmallVector<BorderSteps> tileir::einsum::getBorderSteps(ContractOp op,
                                                        ScheduleAttr schedule,
                                                        unsigned operand) {
  tensor::PadOp pad = getPadding(op, operand);
  if (!pad || !(matchPattern(pad.getConstantPaddingValue(), m_Zero()) ||
                matchPattern(pad.getConstantPaddingValue(), m_AnyZeroFloat())))
    return {};
  ArrayRef<DimAttr> dims = schedule.getDims();
  Boxes boxes(op, dims, operand);
  if (!boxes.areBoxes())
    return {};
  SmallVector<SmallVector<int64_t>> moves;
  for (DimAttr dim : dims) {
    auto move = boxes.getMove(dim);
    if (!move)
      return {};
    moves.push_back(*move);
  }
  auto isPrim = [&](unsigned dim) {
    return dims[dim].getExec() == Execution::Prim;
  };
  SmallVector<int64_t> low = *getConstantIntValues(pad.getMixedLowPad()),
                       origin = boxes.getOrigin();
  SmallVector<BorderSteps> all;
  for (auto [axis, size] : llvm::enumerate(pad.getSourceType().getShape())) {
    if (size == pad.getResultType().getDimSize(axis))
      continue;
    SmallVector<unsigned> inKernel;
    BorderSteps steps{0, origin[axis] - low[axis], {}, size};
    for (unsigned dim = 0; dim < dims.size(); ++dim)
      if (!isPrim(dim))
        steps.moves.push_back(moves[dim][axis]);
      else if (moves[dim][axis] != 0)
        inKernel.push_back(dim);
    if (inKernel.size() != 1 || !isSummed(op.getSpec(), dims[inKernel[0]]) ||
        moves[inKernel[0]][axis] != 1)
      continue;
    steps.dim = inKernel[0];
    all.push_back(std::move(steps));
  }
  return all;
}

/// Places of a window along an axis of which few can be at its border.
static constexpr size_t kManyPlaces = 4096;

double tileir::einsum::getShareInside(const BorderSteps &steps,
                                      ScheduleAttr schedule) {
  ArrayRef<DimAttr> dims = schedule.getDims();
  SmallVector<int64_t> begins = {steps.begin};
  const int64_t *move = steps.moves.begin();
  for (DimAttr dim : dims) {
    if (dim.getExec() == Execution::Prim)
      continue;
    if (*move != 0) {
      if (begins.size() * dim.getSize() > kManyPlaces)
        return 1;
      SmallVector<int64_t> before = std::move(begins);
      begins.clear();
      for (int64_t i = 0; i < dim.getSize(); ++i)
        for (int64_t begin : before)
          begins.push_back(begin + *move * i);
    }
    ++move;
  }
  int64_t window = dims[steps.dim].getSize();
  double inside = 0;
  for (int64_t begin : begins)
    inside += std::max<int64_t>(0, std::min(window, steps.size - begin) -
                                       std::max<int64_t>(0, -begin));
  return inside / (static_cast<double>(window) * begins.size());
}
