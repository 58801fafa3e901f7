//===- TilePrintAxisInfo.cpp - tile-print-axis-info -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs axis analysis and reports its result for each value of each kernel,
// or writes it into the program.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEPRINTAXISINFOPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

namespace {
struct TilePrintAxisInfoPass
    : tileir::tile::impl::TilePrintAxisInfoPassBase<TilePrintAxisInfoPass> {
  using TilePrintAxisInfoPassBase::TilePrintAxisInfoPassBase;

  void runOnOperation() override {
    DataFlowSolver solver;
    loadAxisInfoAnalysis(solver);
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    SmallVector<Value> values;
    auto note = [&](Value value) {
      Type element = getElement(value.getType());
      if (element.isIntOrIndex() || isa<PtrType>(element))
        values.push_back(value);
    };
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isKernel(op) && !getKernel(op))
        return;
      llvm::for_each(op->getResults(), note);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), note);
    });
    for (Value value : values) {
      AxisInfo info = getAxisInfo(solver, value);
      if (annotate) {
        insertAssume(value, info);
        continue;
      }
      std::string text;
      llvm::raw_string_ostream os(text);
      info.print(os);
      mlir::emitRemark(value.getLoc()) << text;
    }
  }

private:
  /// Lets all users of `value` use a tile.assume of the properties.
  static void insertAssume(Value value, const AxisInfo &info) {
    // Skip indices, of which there are no tiles.
    if (getElement(value.getType()).isIndex())
      return;
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    SmallVector<int64_t> divisibility, contiguity, constancy;
    for (unsigned axis = 0; axis < info.getNumAxes(); ++axis) {
      // 0 is a multiple of everything, as of this.
      divisibility.push_back(info[axis].divisibility ? info[axis].divisibility
                                                     : int64_t(1) << 62);
      contiguity.push_back(info[axis].contiguity);
      constancy.push_back(info[axis].constancy);
    }
    DenseI64ArrayAttr range;
    // True is -1 as a signed integer of one bit.
    if (info.value && !getElement(value.getType()).isInteger(1))
      range = builder.getDenseI64ArrayAttr({*info.value, *info.value});
    auto assume =
        AssumeOp::create(builder, value.getLoc(), value.getType(), value,
                         builder.getDenseI64ArrayAttr(divisibility),
                         builder.getDenseI64ArrayAttr(contiguity),
                         builder.getDenseI64ArrayAttr(constancy), range);
    value.replaceAllUsesExcept(assume, assume);
  }
};
} // namespace
