//===- GlobalPatterns.cpp - Loads, stores and atomics by pointers ---------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known about the pointers and the mask along each axis, and how many
// elements of it a thread has side by side, tell the axis and the width of the
// accesses. A scalar pointer is a tile of which all threads hold copies.
//
//===----------------------------------------------------------------------===//

#include "GlobalAccess.h"
#include "Registers.h"
#include "SharedAccess.h"
#include "tileir/Conversion/TileLowering/CombiningKinds.h"
#include "tileir/Conversion/TileLowering/PointerAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::tile_lowering;
using namespace tileir::to_gpu;
using layout::AccessWidth;
using layout::InDim;
using layout::LinearLayout;

namespace {

/// An access: runs of registers, their addresses and masks.
class PointerAccess {
public:
  template <typename Op>
  PointerAccess(OpBuilder &builder, Op op, typename Op::Adaptor adaptor,
                GlobalAccesses &accesses)
      : layout(getLayoutOrScalar(op, op.getPtr().getType())),
        runs(findRuns(op, accesses)),
        addresses(unpackRegisters(builder, op.getLoc(), adaptor.getPtr())) {
    if (adaptor.getMask())
      masks = unpackRegisters(builder, op.getLoc(), adaptor.getMask());
  }

  const LinearLayout &getLayout() const { return layout; }
  const Runs &getRuns() const { return runs; }
  Value getAddress(unsigned reg) const { return addresses[reg]; }
  Value getMask(unsigned reg) const {
    return masks.empty() ? Value() : masks[reg];
  }

private:
  template <typename Op> Runs findRuns(Op op, GlobalAccesses &accesses) const {
    // Two elements are two instructions.
    if (!layout.getRank() || actsOnce(op))
      return Runs(layout, 0, 1);
    GlobalRun run = findPointerRun(op.getPtr(), op.getMask(), accesses.solver);
    reportWidth(op, run.width, accesses);
    return Runs(layout, run.axis, run.width.getNumElements());
  }

  LinearLayout layout;
  Runs runs;
  SmallVector<Value> addresses, masks;
};

/// A pattern that knows what the analysis found.
template <typename Op> struct AccessPattern : OpConversionPattern<Op> {
  AccessPattern(const TypeConverter &converter, MLIRContext *context,
                GlobalAccesses &accesses)
      : OpConversionPattern<Op>(converter, context), accesses(accesses) {}
  GlobalAccesses &accesses;
};

struct ConvertLoad : AccessPattern<LoadOp> {
  using AccessPattern::AccessPattern;
  LogicalResult
  matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (actsOnce(op))
      return rewriter.notifyMatchFailure(op, "one thread loads each element");
    Location loc = op.getLoc();
    PointerAccess access(rewriter, op, adaptor, accesses);
    SmallVector<Value> others;
    if (adaptor.getOther())
      others = unpackRegisters(rewriter, loc, adaptor.getOther());
    rewriter.replaceOp(
        op, emitLoads(
                rewriter, loc, typeConverter->convertType(op.getType()),
                access.getRuns(),
                [&](unsigned reg) { return access.getAddress(reg); },
                [&](unsigned reg) { return access.getMask(reg); }, others));
    return success();
  }
};

struct ConvertAsyncLoad : AccessPattern<AsyncLoadOp> {
  using AccessPattern::AccessPattern;
  LogicalResult
  matchAndRewrite(AsyncLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    PointerAccess access(rewriter, op, adaptor, accesses);
    emitCopies(
        rewriter, op.getLoc(),
        {op.getBuffer().getType(), adaptor.getBuffer(),
         llvm::to_vector(adaptor.getStages()), op.getTile()},
        findPointerRun(op.getPtr(), op.getMask(), accesses.solver),
        [&](unsigned reg) {
          return emitPointer(rewriter, op.getLoc(), access.getAddress(reg));
        },
        [&](unsigned reg) -> CopyMask {
          return {/*fixed=*/nullptr, access.getMask(reg)};
        },
        op.getWithNext());
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>(ValueRange()));
    return success();
  }
};

struct ConvertStore : AccessPattern<StoreOp> {
  using AccessPattern::AccessPattern;
  LogicalResult
  matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    PointerAccess access(rewriter, op, adaptor, accesses);
    emitStores(
        rewriter, op.getLoc(), adaptor.getValue(), access.getLayout(),
        access.getRuns(), [&](unsigned reg) { return access.getAddress(reg); },
        [&](unsigned reg) { return access.getMask(reg); });
    rewriter.eraseOp(op);
    return success();
  }
};

/// The threads that an access is atomic for, and ordered.
static StringRef getSyncScope(MemoryScope scope) {
  switch (scope) {
  case MemoryScope::Program:
    return "block";
  case MemoryScope::Device:
    return "device";
  case MemoryScope::System:
    return "";
  }
  llvm_unreachable("unknown scope");
}

/// Acts on single elements: of their results, the first thread of those that
/// hold one has it, and tells those of its warp.
///
/// An order is made of fences, as LLVM drops that of most atomic instructions
/// for NVPTX. A fence of one thread is one for what barriers have put before
/// it, and after it, for the whole program (GlobalOrder.cpp).
class ActEmitter {
public:
  ActEmitter(OpBuilder &builder, AtomicRMWOp op, AtomicRMWOp::Adaptor adaptor)
      : op(op), syncScope(getSyncScope(op.getScope())),
        kind(getLLVMKind(op.getKind(), getElement(op.getType()))),
        values(unpackRegisters(builder, op.getLoc(), adaptor.getValue())) {}
  ActEmitter(OpBuilder &builder, AtomicCASOp op, AtomicCASOp::Adaptor adaptor)
      : op(op), syncScope(getSyncScope(op.getScope())),
        values(unpackRegisters(builder, op.getLoc(), adaptor.getValue())),
        compared(unpackRegisters(builder, op.getLoc(), adaptor.getCompare())) {}
  ActEmitter(OpBuilder &builder, LoadOp op, LoadOp::Adaptor adaptor)
      : op(op), loaded(getElement(op.getType())) {
    if (adaptor.getOther())
      others = unpackRegisters(builder, op.getLoc(), adaptor.getOther());
  }

  /// What there is for a register in place of memory; null: 0.
  Value getOther(unsigned reg) const {
    return others.empty() ? Value() : others[reg];
  }

  /// Puts what a thread does between fences.
  template <typename Emit>
  auto emitOrdered(OpBuilder &builder, Emit emit) const {
    auto emitFence = [&](LLVM::AtomicOrdering order) {
      LLVM::FenceOp::create(builder, op->getLoc(), order, syncScope);
    };
    if (releases(op))
      emitFence(LLVM::AtomicOrdering::release);
    auto results = emit(builder);
    if (acquires(op))
      emitFence(LLVM::AtomicOrdering::acquire);
    return results;
  }

  /// What was at `pointer`, where a register acts.
  Value emit(OpBuilder &builder, Location loc, Value pointer,
             unsigned reg) const {
    constexpr auto order = LLVM::AtomicOrdering::monotonic;
    if (loaded)
      return createLoad(builder, loc, loaded, pointer,
                        llvm::divideCeil(loaded.getIntOrFloatBitWidth(), 8),
                        /*isVolatile=*/true);
    if (kind)
      return LLVM::AtomicRMWOp::create(builder, loc, *kind, pointer,
                                       values[reg], order, syncScope);
    return createCompareAndSwap(builder, loc, pointer, compared[reg],
                                values[reg], order, syncScope);
  }

private:
  Operation *op;
  StringRef syncScope;
  Type loaded;                           // null: not a load
  std::optional<LLVM::AtomicBinOp> kind; // none: compare and swap
  SmallVector<Value> values, compared, others;
};

template <typename Op> struct ConvertActing : AccessPattern<Op> {
  using AccessPattern<Op>::AccessPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!actsOnce(op))
      return rewriter.notifyMatchFailure(op, "all threads load");
    Location loc = op.getLoc();
    Type element = getElement(op.getType());
    PointerAccess access(rewriter, op, adaptor, this->accesses);
    ActEmitter acts(rewriter, op, adaptor);
    const LinearLayout &layout = access.getLayout();
    uint64_t copies = layout.getFreeBits(InDim::Register);
    bool isUsed = !op.use_empty();
    Type type = this->typeConverter->convertType(op.getType());
    auto pack = [&](OpBuilder &builder, ArrayRef<Value> registers) {
      return isa<VectorType>(type) ? packRegisters(builder, loc, registers)
                                   : registers.front();
    };
    auto getZero = [&](Type of) {
      return [&rewriter, loc, of](OpBuilder &inner) {
        return SmallVector<Value>{
            arith::ConstantOp::create(inner, loc, rewriter.getZeroAttr(of))};
      };
    };
    auto zero = getZero(element), zeros = getZero(type);
    auto changeAll = [&](OpBuilder &outer) {
      SmallVector<Value> results(layout.getSize(InDim::Register));
      for (unsigned reg = 0; reg < results.size(); ++reg) {
        if (reg & copies) {
          results[reg] = results[reg & ~copies];
          continue;
        }
        auto change = [&](OpBuilder &inner) {
          Value changed = acts.emit(
              inner, loc, emitPointer(inner, loc, access.getAddress(reg)), reg);
          return isUsed ? SmallVector<Value>{changed} : SmallVector<Value>();
        };
        auto other = [&](OpBuilder &inner) {
          Value value = acts.getOther(reg);
          return value ? SmallVector<Value>{value} : zero(inner);
        };
        SmallVector<Value> changed =
            emitMasked(outer, loc, access.getMask(reg), change,
                       isUsed ? ValuesBuilder(other) : ValuesBuilder());
        if (isUsed)
          results[reg] = changed.front();
      }
      return isUsed ? SmallVector<Value>{pack(outer, results)}
                    : SmallVector<Value>();
    };
    SmallVector<Value> packed = emitMasked(
        rewriter, loc, emitIsFirst(rewriter, loc, layout),
        [&](OpBuilder &outer) { return acts.emitOrdered(outer, changeAll); },
        isUsed ? ValuesBuilder(zeros) : ValuesBuilder());
    if (!isUsed) {
      rewriter.eraseOp(op);
      return success();
    }
    Value result = packed.front();
    if (uint64_t lanes = layout.getFreeBits(InDim::Lane)) {
      Value first = arith::AndIOp::create(rewriter, loc, getLane(rewriter, loc),
                                          createI32(rewriter, loc, ~lanes));
      result =
          pack(rewriter, emitShuffles(rewriter, loc,
                                      unpackRegisters(rewriter, loc, result),
                                      NVVM::ShflKind::idx, first));
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void to_gpu::populateThreadGlobalPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns,
                                          GlobalAccesses &accesses) {
  patterns.add<ConvertLoad, ConvertAsyncLoad, ConvertStore,
               ConvertActing<AtomicRMWOp>, ConvertActing<AtomicCASOp>,
               ConvertActing<LoadOp>>(converter, patterns.getContext(),
                                      accesses);
}
