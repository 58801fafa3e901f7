//===- RunPatterns.cpp - Loads and stores of vectors ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run of an access is one vector. Each of its elements is accessed by itself
// where they turn out not to lie side by side. Runs along another axis than the
// last one are rows of a tile whose axes are turned; products read that as it
// is.
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

/// What there is for each axis, with that of the run in the last place: so it
/// is for the tile that is made of runs.
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

/// Moves the axis of a run to the last place, or back.
static Value moveAxis(OpBuilder &builder, Location loc, const Run &run,
                      Value tile, bool back) {
  auto type = cast<RankedTensorType>(tile.getType());
  int64_t rank = type.getRank();
  if (run.axis + 1 == rank)
    return tile;
  SmallVector<int64_t> axes =
      getPlace<int64_t>(run, llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  // Axis i of the tile with the run at its end is `axes[i]` of the other one.
  AffineMap map = AffineMap::getPermutationMap(axes, builder.getContext());
  SmallVector<int64_t> shape(rank);
  for (auto [i, axis] : llvm::enumerate(axes))
    shape[back ? axis : i] = type.getShape()[back ? i : axis];
  return createMoved(builder, loc, type.clone(shape), tile,
                     back ? map : inversePermutation(map));
}

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
            return writeVector(inner, loc, loadRun(inner, op, access, indices),
                               tile, getPlace(*run, indices));
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
    rewriter.replaceOp(op, moveAxis(rewriter, loc, *run, tile, /*back=*/true));
    return success();
  }

private:
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
    Value tile =
        moveAxis(rewriter, loc, *run, adaptor.getValue(), /*back=*/false);
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
    Value vector = readVector(builder, loc, tile, getPlace(access.run, indices),
                              access.run.lanes);
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
          Value &moved = at[access.run.axis];
          moved = arith::AddIOp::create(inner, loc, moved, lane);
          Value mask;
          if (access.mask)
            mask = access.getEvaluator(inner).getScalar(access.mask, at);
          createMasked(
              inner, loc, mask,
              [&](OpBuilder &step, Location) -> Value {
                LLVM::StoreOp::create(
                    step, loc,
                    getElementAt(step, loc, tile, getPlace(access.run, at)),
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
