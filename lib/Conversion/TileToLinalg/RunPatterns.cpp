//===- RunPatterns.cpp - Loads and stores of vectors ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run of an access is one vector. Each of its elements is accessed by itself
// where they turn out not to lie side by side. Of runs along another axis than
// the last one a tile is made of which they are rows, and its axes are moved,
// which products do without.
//
//===----------------------------------------------------------------------===//

#include "RunAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_linalg;

namespace {

template <typename Op> struct RunPattern : OpConversionPattern<Op> {
  RunPattern(const TypeConverter &converter, MLIRContext *context,
             const Runs &runs)
      : OpConversionPattern<Op>(converter, context, /*benefit=*/2), runs(runs) {
  }

  const Run *getRun(Op op) const {
    auto it = runs.find(op);
    return it == runs.end() || it->second.lanes == 0 ? nullptr : &it->second;
  }
  static Type getMemoryElement(Op op) {
    return cast<PtrType>(getElement(op.getPtr().getType())).getPointee();
  }

  const Runs &runs;
};

struct ConvertRunLoad : RunPattern<LoadOp> {
  using RunPattern::RunPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const Run *run = getRun(op);
    if (!run)
      return rewriter.notifyMatchFailure(op, "elements are not known to lie "
                                             "side by side");
    Location loc = op.getLoc();
    auto convert = [&](Value value) {
      return rewriter.getRemappedValue(value);
    };
    RunAccess access{
        loc, *run, op.getPtr(), op.getMask(), getMemoryElement(op), convert};
    auto body = [&](OpBuilder &builder, Location, ValueRange indices,
                    Value tile) -> Value {
      return createMasked(
          builder, loc, access.createCheck(builder, indices),
          [&](OpBuilder &inner, Location) -> Value {
            return vector::TransferWriteOp::create(
                       inner, loc, loadRun(inner, op, access, indices), tile,
                       getPlace(*run, indices), ArrayRef<bool>{true})
                .getResult();
          },
          [&](OpBuilder &inner, Location) {
            return loadLanes(inner, op, access, tile, indices);
          });
    };
    auto type = cast<RankedTensorType>(op.getType());
    RankedTensorType made = RankedTensorType::get(
        getPlace<int64_t>(*run, type.getShape()), type.getElementType());
    Value tile = buildRunLoops(rewriter, loc, type.getShape(), *run,
                               createEmptyTile(rewriter, loc, made), body);
    if (run->axis + 1 < type.getRank()) {
      SmallVector<AffineExpr> axes;
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        axes.push_back(rewriter.getAffineDimExpr(axis));
      AffineMap map =
          AffineMap::get(type.getRank(), 0, getPlace<AffineExpr>(*run, axes),
                         rewriter.getContext());
      tile = createMoved(rewriter, loc, type, tile, map);
    }
    rewriter.replaceOp(op, tile);
    return success();
  }

private:
  /// What there is for each axis, in the order of the tile that is made.
  template <typename T>
  static SmallVector<T> getPlace(const Run &run, ArrayRef<T> ofAxes) {
    SmallVector<T> place(ofAxes);
    std::rotate(place.begin() + run.axis, place.begin() + run.axis + 1,
                place.end());
    return place;
  }
  static SmallVector<Value> getPlace(const Run &run, ValueRange indices) {
    return getPlace<Value>(run, llvm::to_vector(indices));
  }

  static Value getOther(OpBuilder &builder, LoadOp op, const RunAccess &access,
                        ValueRange indices) {
    if (op.getOther())
      return access.getEvaluator(builder).getVector(op.getOther(), indices,
                                                    access.getLanes());
    return arith::ConstantOp::create(builder, access.loc,
                                     builder.getZeroAttr(access.getType()));
  }

  static Value loadRun(OpBuilder &builder, LoadOp op, const RunAccess &access,
                       ValueRange indices) {
    Value pointer = access.getPointer(builder, indices);
    return access.createWhole(
        builder, indices,
        [&](OpBuilder &inner, Value mask) -> Value {
          if (!mask)
            return LLVM::LoadOp::create(inner, access.loc, access.getType(),
                                        pointer, access.getBytes());
          return LLVM::MaskedLoadOp::create(
              inner, access.loc, access.getType(), pointer, mask,
              getOther(inner, op, access, indices),
              inner.getI32IntegerAttr(access.getBytes()));
        },
        [&](OpBuilder &inner) { return getOther(inner, op, access, indices); });
  }

  /// One by one, which is straight code where all lanes are active.
  static Value loadLanes(OpBuilder &builder, LoadOp op, const RunAccess &access,
                         Value tile, ValueRange indices) {
    return createMasked(
        builder, access.loc, access.createAll(builder, indices),
        [&](OpBuilder &inner, Location) {
          return loadLanes(inner, op, access, tile, indices,
                           /*isMasked=*/false);
        },
        [&](OpBuilder &inner, Location) {
          return loadLanes(inner, op, access, tile, indices, /*isMasked=*/true);
        });
  }

  static Value loadLanes(OpBuilder &builder, LoadOp op, const RunAccess &access,
                         Value tile, ValueRange indices, bool isMasked) {
    Location loc = access.loc;
    auto getConstant = [&](int64_t number) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, number);
    };
    auto loop = scf::ForOp::create(
        builder, loc, getConstant(0), getConstant(access.run.lanes),
        getConstant(1), tile,
        [&](OpBuilder &inner, Location, Value lane, ValueRange carried) {
          SmallVector<Value> at(indices);
          Value &moved = at[access.run.axis];
          moved = arith::AddIOp::create(inner, loc, moved, lane);
          Value mask;
          if (isMasked)
            mask = access.getEvaluator(inner).getScalar(access.mask, at);
          Value element = createMasked(
              inner, loc, mask,
              [&](OpBuilder &step, Location) -> Value {
                return LLVM::LoadOp::create(step, loc, access.element,
                                            access.getPointer(step, at),
                                            access.getBytes());
              },
              [&](OpBuilder &step, Location) -> Value {
                if (op.getOther())
                  return access.getEvaluator(step).getScalar(op.getOther(), at);
                return arith::ConstantOp::create(
                    step, loc, step.getZeroAttr(access.element));
              });
          scf::YieldOp::create(inner, loc,
                               setElementAt(inner, loc, element,
                                            carried.front(),
                                            getPlace(access.run, at)));
        });
    return loop.getResult(0);
  }
};

struct ConvertRunStore : RunPattern<StoreOp> {
  using RunPattern::RunPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const Run *run = getRun(op);
    if (!run)
      return rewriter.notifyMatchFailure(op, "elements are not known to lie "
                                             "side by side");
    Location loc = op.getLoc();
    auto convert = [&](Value value) {
      return rewriter.getRemappedValue(value);
    };
    RunAccess access{
        loc, *run, op.getPtr(), op.getMask(), getMemoryElement(op), convert};
    Value tile = adaptor.getValue();
    auto body = [&](OpBuilder &builder, Location, ValueRange indices,
                    Value) -> Value {
      auto storeWhole = [&](OpBuilder &inner) {
        storeRun(inner, access, tile, indices);
      };
      Value check = access.createCheck(builder, indices);
      if (!check) {
        storeWhole(builder);
        return {};
      }
      scf::IfOp::create(
          builder, loc, check,
          [&](OpBuilder &inner, Location) {
            storeWhole(inner);
            scf::YieldOp::create(inner, loc);
          },
          [&](OpBuilder &inner, Location) {
            storeLanes(inner, access, tile, indices);
            scf::YieldOp::create(inner, loc);
          });
      return {};
    };
    buildRunLoops(rewriter, loc, getShape(op.getValue().getType()), *run,
                  Value(), body);
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void storeRun(OpBuilder &builder, const RunAccess &access, Value tile,
                       ValueRange indices) {
    Location loc = access.loc;
    Value padding = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(access.element));
    Value vector =
        vector::TransferReadOp::create(builder, loc, access.getType(), tile,
                                       indices, padding, ArrayRef<bool>{true});
    Value pointer = access.getPointer(builder, indices);
    access.createWhole(
        builder, indices,
        [&](OpBuilder &inner, Value mask) -> Value {
          if (!mask)
            LLVM::StoreOp::create(inner, loc, vector, pointer,
                                  access.getBytes());
          else
            LLVM::MaskedStoreOp::create(
                inner, loc, vector, pointer, mask,
                inner.getI32IntegerAttr(access.getBytes()));
          return {};
        },
        nullptr);
  }

  /// One by one.
  static void storeLanes(OpBuilder &builder, const RunAccess &access,
                         Value tile, ValueRange indices) {
    Location loc = access.loc;
    auto getConstant = [&](int64_t number) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, number);
    };
    scf::ForOp::create(
        builder, loc, getConstant(0), getConstant(access.run.lanes),
        getConstant(1), ValueRange(),
        [&](OpBuilder &inner, Location, Value lane, ValueRange) {
          SmallVector<Value> at(indices);
          at.back() = arith::AddIOp::create(inner, loc, at.back(), lane);
          Value mask;
          if (access.mask)
            mask = access.getEvaluator(inner).getScalar(access.mask, at);
          createMasked(
              inner, loc, mask,
              [&](OpBuilder &step, Location) -> Value {
                LLVM::StoreOp::create(
                    step, loc, getElementAt(step, loc, tile, at),
                    access.getPointer(step, at), access.getBytes());
                return {};
              },
              nullptr);
          scf::YieldOp::create(inner, loc);
        });
  }
};

} // namespace

void to_linalg::populateRunPatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns,
                                    const Runs &runs) {
  patterns.add<ConvertRunLoad, ConvertRunStore>(converter,
                                                patterns.getContext(), runs);
}
