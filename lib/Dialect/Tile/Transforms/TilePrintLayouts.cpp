//===- TilePrintLayouts.cpp - tile-print-layouts --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes through the types of all values and function arguments, and reports each
// pair of a shape and a layout where it is first seen.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"
#include "tileir/Layout/Drawing/Drawing.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEPRINTLAYOUTSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::InDim;
using layout::LinearLayout;

/// Returns the width of an element; for pointers, that of an address.
static unsigned getElementBits(Type element) {
  return element.isIntOrFloat() ? std::max(element.getIntOrFloatBitWidth(), 8u)
                                : 64;
}

static void printSizes(ArrayRef<int64_t> shape, Type element, raw_ostream &os) {
  for (int64_t size : shape)
    os << size << 'x';
  os << element;
}

/// Prints properties that follow from the bases but are not obvious.
static void printFacts(const LinearLayout &layout, raw_ostream &os) {
  if (layout.getNumBits(InDim::Offset))
    return;
  uint64_t copies = 1;
  for (InDim in : layout::kInDims)
    copies <<= llvm::popcount(layout.getFreeBits(in));
  os << "; registers = " << layout.getSize(InDim::Register)
     << ", copies = " << copies << ", contiguity = [";
  llvm::interleaveComma(
      llvm::seq<unsigned>(0, layout.getRank()), os,
      [&](unsigned axis) { os << layout.getContiguity(axis); });
  os << ']';
}

namespace {
struct TilePrintLayoutsPass
    : tileir::tile::impl::TilePrintLayoutsPassBase<TilePrintLayoutsPass> {
  using TilePrintLayoutsPassBase::TilePrintLayoutsPassBase;

  void runOnOperation() override {
    llvm::SmallSetVector<std::pair<ArrayRef<int64_t>, LayoutAttr>, 8> seen;
    auto report = [&](Type type, Location loc) -> LogicalResult {
      LayoutAttr attr = tile::getLayout(type);
      if (!attr)
        return success();
      auto shaped = dyn_cast<RankedTensorType>(type);
      ArrayRef<int64_t> shape =
          shaped ? shaped.getShape()
                 : attr.getTileShape(cast<BufferType>(type).getShape());
      Type element = shaped ? shaped.getElementType()
                            : cast<BufferType>(type).getElementType();
      if (!seen.insert({shape, attr}))
        return success();
      LinearLayout layout = attr.getLayout(shape);
      std::string text;
      llvm::raw_string_ostream os(text);
      printSizes(shape, element, os);
      os << ": " << layout;
      printFacts(layout, os);
      emitRemark(loc) << text;
      if (svg.empty())
        return success();
      return draw(layout, shape, element, seen.size() - 1, loc);
    };
    WalkResult result = getOperation()->walk<WalkOrder::PreOrder>(
        [&](Operation *op) -> WalkResult {
          // Declarations have arguments, too, but no values.
          if (auto function = dyn_cast<FunctionOpInterface>(op))
            for (Type type : llvm::concat<const Type>(
                     function.getArgumentTypes(), function.getResultTypes()))
              if (failed(report(type, op->getLoc())))
                return WalkResult::interrupt();
          // In the order of the text: a block's arguments, then its ops.
          Block *block = op->getBlock();
          if (block && &block->front() == op)
            for (BlockArgument argument : block->getArguments())
              if (failed(report(argument.getType(), argument.getLoc())))
                return WalkResult::interrupt();
          for (Type type : op->getResultTypes())
            if (failed(report(type, op->getLoc())))
              return WalkResult::interrupt();
          return WalkResult::advance();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  /// Writes the picture of the layout number `number`.
  LogicalResult draw(const LinearLayout &layout, ArrayRef<int64_t> shape,
                     Type element, size_t number, Location loc) {
    SmallString<128> path(svg);
    llvm::sys::path::append(path, "layout" + Twine(number) + ".svg");
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> file;
    if (std::error_code error = llvm::sys::fs::create_directories(svg))
      message = error.message();
    else
      file = openOutputFile(path, &message);
    if (!file)
      return emitError(loc) << "cannot write " << path << ": " << message;
    std::string title;
    llvm::raw_string_ostream os(title);
    printSizes(shape, element, os);
    drawLayout(layout, getElementBits(element), title, file->os());
    file->keep();
    return success();
  }
};
} // namespace
