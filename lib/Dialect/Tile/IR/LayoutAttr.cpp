//===- LayoutAttr.cpp - #tile.layout --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes of the dialect: the layout of a tile as a list of bases, and
// whether it fits. What layouts mean is in Layout/; their syntax is in
// LayoutSyntax.cpp.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::InDim;
using layout::LinearLayout;

#define GET_ATTRDEF_CLASSES
#include "tileir/Dialect/Tile/IR/TileAttrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tileir/Dialect/Tile/IR/TileAttrs.cpp.inc"
      >();
}

LayoutAttr LayoutAttr::get(MLIRContext *context, const LinearLayout &layout) {
  std::array<SmallVector<int32_t>, layout::kNumInDims> bases;
  for (InDim in : layout::kInDims)
    for (unsigned bit = 0; bit < layout.getNumBits(in); ++bit)
      llvm::append_range(bases[unsigned(in)], layout.getBasis(in, bit));
  unsigned rank = layout.getNumHardwareBits() ? layout.getRank() : 0;
  return get(context, rank, bases[0], bases[1], bases[2], bases[3], bases[4]);
}

ArrayRef<int32_t> LayoutAttr::getBases(InDim in) const {
  switch (in) {
  case InDim::Register:
    return getRegisters();
  case InDim::Lane:
    return getLanes();
  case InDim::Warp:
    return getWarps();
  case InDim::Block:
    return getBlocks();
  case InDim::Offset:
    return getOffsets();
  }
  llvm_unreachable("unknown InDim");
}

LinearLayout LayoutAttr::getLayout(ArrayRef<int64_t> shape) const {
  LinearLayout layout(shape);
  for (InDim in : layout::kInDims)
    for (ArrayRef<int32_t> bases = getBases(in); !bases.empty();
         bases = bases.drop_front(getRank()))
      layout.addBasis(in, bases.take_front(getRank()));
  return layout;
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 unsigned rank, ArrayRef<int32_t> registers,
                                 ArrayRef<int32_t> lanes,
                                 ArrayRef<int32_t> warps,
                                 ArrayRef<int32_t> blocks,
                                 ArrayRef<int32_t> offsets) {
  size_t numBits = 0;
  for (ArrayRef<int32_t> bases : {registers, lanes, warps, blocks, offsets}) {
    if (rank ? bases.size() % rank != 0 : !bases.empty())
      return emitError() << "expects bases of " << rank << " axes (T28)";
    numBits += rank ? bases.size() / rank : 0;
  }
  if (numBits > kMaxBits)
    return emitError() << "expects at most " << kMaxBits << " bases, found "
                       << numBits << " (T28)";
  if (!offsets.empty() &&
      !(registers.empty() && lanes.empty() && warps.empty() && blocks.empty()))
    return emitError() << "expects either offsets or registers, lanes, warps "
                          "and blocks, found both (T29)";
  return success();
}

LogicalResult
LayoutAttr::verifyShape(ArrayRef<int64_t> shape,
                        function_ref<InFlightDiagnostic()> emitError) const {
  if (getRank() != 0 && getRank() != shape.size())
    return emitError() << "expects a layout of as many axes as the tile, "
                       << shape.size() << ", found bases of " << getRank()
                       << " (T28)";
  unsigned numBits = 0;
  for (int64_t size : shape) {
    if (size < 1 || !llvm::isPowerOf2_64(size))
      return emitError() << "expects sizes that are powers of two of a tile "
                            "with a layout, found "
                         << (ShapedType::isDynamic(size) ? "?" : Twine(size))
                         << " (T28)";
    numBits += llvm::Log2_64(size);
  }
  if (numBits > kMaxBits)
    return emitError() << "expects at most 2^" << kMaxBits
                       << " elements of a tile with a layout, found 2^"
                       << numBits << " (T28)";
  for (InDim in : layout::kInDims)
    for (auto [i, value] : llvm::enumerate(getBases(in))) {
      int64_t size = shape[i % getRank()];
      if (value < 0 || value >= size)
        return emitError() << "expects bases inside of the tile, found "
                           << value << " along an axis of size " << size
                           << ", for bit " << i / getRank() << " of "
                           << getName(in) << " (T28)";
    }
  LinearLayout layout = getLayout(shape);
  if (!layout.isSurjective())
    return emitError() << "expects a place for each of the "
                       << (uint64_t(1) << layout.getNumElementBits())
                       << " elements of the tile, found some without (T28)";
  return success();
}

LogicalResult
LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                           function_ref<InFlightDiagnostic()> emitError) const {
  if (isShared())
    return emitError() << "expects registers, lanes and warps as the layout of "
                          "a tile, found offsets, which only a !tile.buffer "
                          "has (T29)";
  return verifyShape(shape, emitError);
}

LogicalResult
LayoutAttr::verifyBuffer(ArrayRef<int64_t> shape,
                         function_ref<InFlightDiagnostic()> emitError) const {
  if (!isShared() && getRank() != 0)
    return emitError() << "expects offsets as the layout of a buffer, found "
                          "registers, lanes or warps (T29)";
  ArrayRef<int64_t> tile = getTileShape(shape);
  if (failed(verifyShape(tile, emitError)))
    return failure();
  if (!getLayout(tile).isInjective())
    return emitError() << "expects one offset for each element of a buffer, "
                          "found several (T29)";
  return success();
}
