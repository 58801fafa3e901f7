//===- ThreadLayouts.cpp - What threads hold of tiles ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each question is one about two layouts: where the elements are, and where
// they are needed. It needs layouts on the tiles.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Analysis/ThreadLayouts.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::Coordinate;
using layout::InDim;
using layout::kInDims;
using layout::LinearLayout;

LinearLayout tile::getTileLayout(Type tile) {
  return getLayout(tile).getLayout(getShape(tile));
}

std::optional<RegisterNumbers> tile::mapRegisters(const LinearLayout &src,
                                                  const LinearLayout &dst) {
  LinearLayout places = src.invertAndCompose(dst);
  for (InDim in : kInDims)
    for (unsigned bit = 0; bit < places.getNumBits(in); ++bit)
      for (auto [to, part] : llvm::enumerate(places.getBasis(in, bit))) {
        bool isOwn = unsigned(in) == to;
        if (in == InDim::Register ? part && !isOwn
                                  : part != (isOwn ? 1 << bit : 0))
          return std::nullopt;
      }
  RegisterNumbers numbers;
  for (uint64_t number = 0; number < dst.getSize(InDim::Register); ++number)
    numbers.push_back(
        places.apply({{InDim::Register, number}})[unsigned(InDim::Register)]);
  return numbers;
}

layout::ConversionPlan tile::getConversionPlan(ConvertLayoutOp op) {
  Type element = getElement(op.getType());
  // Predicates are moved as bytes, and pointers are addresses.
  unsigned bits = element.isIntOrFloat()
                      ? std::max(element.getIntOrFloatBitWidth(), 8u)
                      : 64;
  layout::MatrixInstructions matrices;
  if (TargetAttr target = TargetAttr::find(op)) {
    // What is loaded may come by asynchronous copies, which are vectors.
    bool isLoaded =
        isa_and_nonnull<LoadOp, LoadViewOp>(op.getSource().getDefiningOp());
    matrices = {target.getLdmatrix(), target.getStmatrix() && !isLoaded};
  }
  return *layout::planConversion(getTileLayout(op.getSource().getType()),
                                 getTileLayout(op.getType()), bits, matrices);
}

/// The result's layout, in the shape of the operand of a broadcast.
static LinearLayout getBroadcastSource(const LinearLayout &result,
                                       ArrayRef<int64_t> shape) {
  LinearLayout source(shape);
  for (InDim in : kInDims)
    for (unsigned bit = 0; bit < result.getNumBits(in); ++bit) {
      Coordinate basis = result.getBasis(in, bit);
      basis.erase(basis.begin(), basis.end() - shape.size());
      for (auto [value, size] : llvm::zip_equal(basis, shape))
        value &= size - 1;
      source.addBasis(in, basis);
    }
  return source;
}

std::optional<RegisterNumbers> tile::mapRetiling(Operation *op) {
  Type source = op->getOperand(0).getType();
  LinearLayout result = getTileLayout(op->getResult(0).getType());
  LinearLayout needed =
      llvm::TypeSwitch<Operation *, LinearLayout>(op)
          .Case([&](ReshapeOp) { return result.reshape(getShape(source)); })
          .Case([&](TransOp trans) {
            return result.transpose(
                invertPermutationVector(trans.getPermutation()));
          })
          .Case([&](BroadcastOp) {
            return getBroadcastSource(result, getShape(source));
          });
  return mapRegisters(getTileLayout(source), needed);
}

std::optional<RegisterNumbers> tile::mapFactors(DotOp op, Value factor) {
  LinearLayout acc = getTileLayout(op.getType());
  ArrayRef<int64_t> shape = getShape(factor.getType());
  unsigned axisK = acc.getRank() - (factor == op.getA() ? 1 : 2);
  LinearLayout needed(shape);
  for (InDim in : kInDims)
    for (unsigned bit = 0; bit < acc.getNumBits(in); ++bit) {
      Coordinate basis = acc.getBasis(in, bit);
      basis[axisK] = 0;
      needed.addBasis(in, basis);
    }
  for (unsigned bit = 0; bit < llvm::Log2_64(shape[axisK]); ++bit)
    needed.addUnit(InDim::Register, axisK, bit);
  return mapRegisters(getTileLayout(factor.getType()), needed);
}

/// `layout.removeAxis(axis)` with the registers of `layout`.
static LinearLayout projectAxis(const LinearLayout &layout, unsigned axis) {
  SmallVector<int64_t> shape(layout.getShape());
  shape.erase(shape.begin() + axis);
  LinearLayout result(shape);
  for (InDim in : kInDims)
    for (unsigned bit = 0; bit < layout.getNumBits(in); ++bit) {
      Coordinate basis = layout.getBasis(in, bit);
      basis.erase(basis.begin() + axis);
      result.addBasis(in, basis);
    }
  return result;
}

std::optional<RegisterNumbers> tile::mapReduced(ReduceOp op) {
  LinearLayout layout = getTileLayout(op.getSource().getType());
  if (layout.getRank() == 1)
    return RegisterNumbers{0};
  return mapRegisters(projectAxis(layout, op.getAxis()),
                      getTileLayout(op.getType()));
}

std::optional<RegisterNumbers> tile::mapHalf(Type whole, Type half,
                                             unsigned number) {
  unsigned bit;
  LinearLayout layout = getTileLayout(half);
  std::optional<LinearLayout> expected = getTileLayout(whole).getHalf(bit);
  if (!expected || *expected != layout)
    return std::nullopt;
  RegisterNumbers numbers;
  for (uint64_t reg = 0; reg < layout.getSize(InDim::Register); ++reg)
    numbers.push_back((reg >> bit << (bit + 1)) | uint64_t(number) << bit |
                      (reg & ((uint64_t(1) << bit) - 1)));
  return numbers;
}

std::optional<SmallVector<AxisStep>>
tile::getAxisSteps(const LinearLayout &layout, unsigned axis) {
  LinearLayout places = layout.pseudoInvert();
  unsigned shift = 0;
  for (int64_t size : layout.getShape().drop_front(axis + 1))
    shift += llvm::Log2_64(size);
  SmallVector<AxisStep> steps;
  for (unsigned bit = 0; bit < llvm::Log2_64(layout.getShape()[axis]); ++bit) {
    Coordinate place = places.getBasis(InDim::Offset, shift + bit);
    if (place[unsigned(InDim::Warp)] != 0 || place[unsigned(InDim::Block)] != 0)
      return std::nullopt;
    steps.push_back({uint32_t(place[unsigned(InDim::Register)]),
                     uint32_t(place[unsigned(InDim::Lane)])});
  }
  return steps;
}

bool tile::canSpread(const LinearLayout &layout) {
  auto areZero = [&](InDim in) {
    uint64_t copies = layout.getFreeBits(in);
    return llvm::none_of(llvm::enumerate(layout.getBases(in)), [&](auto entry) {
      return entry.value() && copies >> entry.index() & 1;
    });
  };
  return layout.getFreeBits(InDim::Warp) == 0 && areZero(InDim::Lane) &&
         areZero(InDim::Register);
}

bool tile::reachesAllWarps(Operation *op) {
  Type type = op->getResult(0).getType();
  if (isa<RankedTensorType>(type))
    return canSpread(getTileLayout(type));
  return countWarps(getKernel(op)) == 1;
}

bool tile::isSameInAllThreads(const LinearLayout &layout,
                              DenseElementsAttr values) {
  if (values.isSplat())
    return true;
  auto elements = values.getValues<Attribute>();
  for (uint64_t reg = 0; reg < layout.getSize(InDim::Register); ++reg) {
    Attribute first = elements[layout.getElementAt({{InDim::Register, reg}})];
    for (uint64_t warp = 0; warp < layout.getSize(InDim::Warp); ++warp)
      for (uint64_t lane = 0; lane < layout.getSize(InDim::Lane); ++lane)
        if (elements[layout.getElementAt({{InDim::Register, reg},
                                          {InDim::Lane, lane},
                                          {InDim::Warp, warp}})] != first)
          return false;
  }
  return true;
}

std::optional<LinearLayout> tile::getStageLayout(BufferType buffer,
                                                 ArrayRef<int64_t> shape) {
  LayoutAttr attr = buffer.getLayout();
  if (!attr)
    return LinearLayout::identity(shape, InDim::Offset);
  if (attr.getTileShape(buffer.getShape()) != shape)
    return std::nullopt;
  return attr.getLayout(shape);
}
