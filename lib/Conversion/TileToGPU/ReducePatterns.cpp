//===- ReducePatterns.cpp - tile.reduce, tile.scan ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Along an axis of 2^n elements there are n steps: step b leads from each
// hardware index to the one whose element is 2^b away, in another register, in
// another lane (by a butterfly shuffle) or both. After the steps before it, a
// hardware index has the total of a block of 2^b elements, its own among them;
// it takes the total of the other half of the next larger block.
//
// For a scan it also has the combination of its block up to its own element;
// hardware indices in the later half add to it the total of the earlier half.
// So bits of the axis may be in registers and lanes in any order.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Registers.h"
#include "tileir/Conversion/TileLowering/CombiningKinds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::layout;
using namespace tileir::tile_lowering;
using namespace tileir::to_gpu;

namespace {

/// Combines registers.
class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, Combiner combiner, Type element)
      : builder(builder), loc(loc), kind(getArithKind(combiner, element)) {}

  /// Each pair of values once, in either order.
  Value combine(Value lhs, Value rhs) {
    Value &known = combined[{lhs, rhs}];
    if (!known)
      known = combined.lookup({rhs, lhs});
    if (!known)
      known = arith::getReductionOp(kind, builder, loc, lhs, rhs);
    return known;
  }

  /// Returns the elements at the hardware indices to which the step leads.
  SmallVector<Value> emitStep(ArrayRef<Value> registers, AxisStep step) {
    SmallVector<Value> others;
    for (size_t i = 0; i < registers.size(); ++i)
      others.push_back(registers[i ^ step.registers]);
    if (step.lanes == 0)
      return others;
    return emitShuffles(builder, loc, others, NVVM::ShflKind::bfly,
                        createI32(builder, loc, step.lanes));
  }

private:
  OpBuilder &builder;
  Location loc;
  arith::AtomicRMWKind kind;
  llvm::DenseMap<std::pair<Value, Value>, Value> combined;
};

} // namespace

namespace {

struct ConvertReduce : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LinearLayout layout = getTileLayout(op.getSource().getType());
    SmallVector<AxisStep> steps = *getAxisSteps(layout, op.getAxis());
    bool isScalar = layout.getRank() == 1;
    Emitter emitter(rewriter, loc, op.getCombiner(), getElement(op.getType()));
    SmallVector<Value> totals =
        unpackRegisters(rewriter, loc, adaptor.getSource());
    // Within registers first: less is left to shuffle.
    for (bool isAcrossLanes : {false, true})
      for (AxisStep step : steps) {
        if ((step.lanes != 0) != isAcrossLanes)
          continue;
        SmallVector<Value> others = emitter.emitStep(totals, step);
        for (auto [total, other] : llvm::zip_equal(totals, others))
          total = emitter.combine(total, other);
      }
    if (isScalar) {
      rewriter.replaceOp(op, totals.front());
      return success();
    }
    rewriter.replaceOp(
        op, packRegisters(rewriter, loc,
                          llvm::map_to_vector(*mapReduced(op), [&](int64_t i) {
                            return totals[i];
                          })));
    return success();
  }
};

struct ConvertScan : OpConversionPattern<ScanOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ScanOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LinearLayout layout = getTileLayout(op.getType());
    unsigned axis = op.getAxis();
    SmallVector<AxisStep> steps = *getAxisSteps(layout, axis);
    Emitter emitter(rewriter, loc, op.getCombiner(), getElement(op.getType()));
    SmallVector<Value> totals =
        unpackRegisters(rewriter, loc, adaptor.getSource());
    SmallVector<Value> prefixes(totals);
    Value position = emitThreadPart(rewriter, loc, layout)[axis];
    uint32_t threadBits = getThreadBits(layout, axis);
    for (auto [bit, step] : llvm::enumerate(steps)) {
      SmallVector<Value> others = emitter.emitStep(totals, step);
      Value turns; // whether the thread is in the later half by itself
      if (threadBits >> bit & 1)
        turns = arith::TruncIOp::create(
            rewriter, loc, rewriter.getI1Type(),
            arith::ShRUIOp::create(rewriter, loc, position,
                                   createI32(rewriter, loc, bit)));
      for (auto [i, prefix] : llvm::enumerate(prefixes)) {
        bool takes =
            (getRegisterPart(layout, i)[axis] >> bit & 1) != op.getReverse();
        if (turns || takes) {
          Value longer = emitter.combine(others[i], prefix);
          if (turns)
            longer = arith::SelectOp::create(rewriter, loc, turns,
                                             takes ? prefix : longer,
                                             takes ? longer : prefix);
          prefix = longer;
        }
        totals[i] = emitter.combine(totals[i], others[i]);
      }
    }
    rewriter.replaceOp(op, packRegisters(rewriter, loc, prefixes));
    return success();
  }
};

} // namespace

void to_gpu::populateThreadReducePatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<ConvertReduce, ConvertScan>(converter, patterns.getContext());
}
