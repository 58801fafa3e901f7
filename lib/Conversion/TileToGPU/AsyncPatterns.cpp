//===- AsyncPatterns.cpp - Asynchronous copies ----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async moves 4, 8 or 16 bytes, so many as follow one another in both
// memories. A mask becomes the number of bytes that are read: what is not read
// is filled with zeros. Where fewer than 4 bytes follow one another, a thread
// loads and stores them by itself: they have then arrived early, which nobody
// may notice. The copies of an op, and of those that it is with, are one group,
// also of threads that have none of them, so that all threads wait for as many.
//
//===----------------------------------------------------------------------===//

#include "Registers.h"
#include "SharedAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using namespace tileir::layout;

namespace {
/// A copy of a thread.
struct Copy {
  Value to, from;
  CopyMask mask;
};
} // namespace

/// Whether copies have fewer masks that steps do not change than others.
static bool sharesFixed(ArrayRef<Copy> copies) {
  llvm::SmallDenseSet<Value, 8> fixed, step;
  for (const Copy &copy : copies) {
    fixed.insert(copy.mask.fixed);
    step.insert(copy.mask.step);
  }
  return fixed.size() <= step.size();
}

/// The bytes that a copy of `bytes` reads; null if that is all. What several
/// copies have in common is selected first. That is before the loop, if steps
/// do not change it, and then done by a shift: LLVM would make one selection of
/// two, by a conjunction of the masks. That it lowers to two selections, the
/// second operand first.
static Value emitReadBytes(OpBuilder &builder, Location loc, int32_t bytes,
                           const CopyMask &mask, bool sharesFixed) {
  auto select = [&](Value condition, Value read) -> Value {
    return arith::SelectOp::create(builder, loc, condition, read,
                                   createI32(builder, loc, 0));
  };
  Value all = createI32(builder, loc, bytes);
  if (!mask.fixed || !mask.step || !sharesFixed) {
    Value both = andMasks(builder, loc, mask.fixed, mask.step);
    return both ? select(both, all) : Value();
  }
  Value one =
      arith::ExtUIOp::create(builder, loc, builder.getI32Type(), mask.fixed);
  Value shift = createI32(builder, loc, llvm::Log2_32(bytes));
  return select(mask.step, arith::ShLIOp::create(builder, loc, one, shift));
}

/// Copies what is too small for that by a register.
static void emitMove(OpBuilder &builder, Location loc, Value to, Value from,
                     Type type, int32_t bytes, Value mask) {
  auto load = [&](OpBuilder &inner) -> SmallVector<Value> {
    return {LLVM::LoadOp::create(inner, loc, type, from, bytes)};
  };
  auto zero = [&](OpBuilder &inner) -> SmallVector<Value> {
    return {arith::ConstantOp::create(inner, loc, inner.getZeroAttr(type))};
  };
  Value value = emitMasked(builder, loc, mask, load, zero).front();
  LLVM::StoreOp::create(builder, loc, value, to, bytes);
}

void to_gpu::emitCopies(OpBuilder &builder, Location loc,
                        const SharedPlace &place, const GlobalRun &run,
                        RunValue getPointer,
                        function_ref<CopyMask(unsigned)> getMask,
                        bool isWithNext) {
  LinearLayout layout = getTileLayout(place.tile);
  LinearLayout stage = *getStageLayout(place.type, place.tile.getShape());
  Type element = place.tile.getElementType();
  int64_t elementBytes = element.getIntOrFloatBitWidth() / 8;
  int64_t length = getCopyLength(layout, run, stage, 8 * elementBytes);
  int64_t bytes = length * elementBytes;
  if (bytes < kMinCopyBytes)
    length = 1;

  {
    OpBuilder::InsertionGuard insertion(builder);
    // Of several copies, only one is written: others would race with it.
    if (Value isFirst = emitIsFirst(builder, loc, layout)) {
      auto guard = scf::IfOp::create(builder, loc, isFirst);
      builder.setInsertionPoint(guard.thenYield());
    }
    SmallVector<Copy> copies;
    forEachSharedAccess(
        builder, loc, place, [&](Value pointer, ArrayRef<int64_t> registers) {
          for (size_t i = 0; i < registers.size(); i += length) {
            Value to = pointer;
            if (i != 0)
              to = LLVM::GEPOp::create(builder, loc, pointer.getType(),
                                       builder.getI8Type(), pointer,
                                       LLVM::GEPArg(i * elementBytes));
            copies.push_back(
                {to, getPointer(registers[i]), getMask(registers[i])});
          }
        });
    // Only copies of 16 bytes can pass by the first cache.
    auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                             : NVVM::LoadCacheModifierKind::CA;
    bool isFixedShared = sharesFixed(copies);
    for (const auto &[to, from, mask] : copies)
      if (bytes < kMinCopyBytes)
        emitMove(builder, loc, to, from, element, elementBytes,
                 andMasks(builder, loc, mask.fixed, mask.step));
      else
        NVVM::CpAsyncOp::create(
            builder, loc, to, from, bytes, cache,
            emitReadBytes(builder, loc, bytes, mask, isFixedShared));
  }
  if (!isWithNext)
    NVVM::CpAsyncCommitGroupOp::create(builder, loc);
}

namespace {

struct ConvertAsyncWait : OpConversionPattern<AsyncWaitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AsyncWaitOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncWaitGroupOp>(
        op, int32_t(op.getPending()));
    return success();
  }
};

} // namespace

void to_gpu::populateThreadAsyncPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<ConvertAsyncWait>(converter, patterns.getContext());
}
