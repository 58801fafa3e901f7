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
#include "tileir/Conversion/TileLowering/CombiningKinds.h"
#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"

#include "mlir/Analysis/DataFlowFramework.h"
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

/// Returns what is known of a value: nothing, where it is never computed.
static AxisInfo getInfo(const GlobalAccesses &accesses, Value value) {
  AxisInfo info = getAxisInfo(accesses.solver, value);
  return info.isUnset() ? AxisInfo(value.getType()) : info;
}

/// The width of accesses to runs along an axis.
static AccessWidth getWidth(const LinearLayout &layout, unsigned axis,
                            Type element, const AxisInfo &pointers,
                            std::optional<AxisInfo> mask) {
  AccessWidth width = getAccessWidth(element);
  width.limit(layout.getContiguity(axis),
              "the layout gives a register no more neighbours");
  width.limit(getPowerOfTwo(pointers[axis].contiguity),
              "the pointers are not known to be contiguous");
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  // Shorter runs begin in the middle of longer ones, too.
  for (int64_t length = width.getNumElements(); length > 1; length /= 2)
    if (pointers.getDivisor(axis, length) % (length * bytes) == 0)
      break;
    else
      width.limit(length / 2, "the pointers are not known to be aligned");
  if (mask)
    width.limit(getPowerOfTwo((*mask)[axis].constancy),
                "the mask is not known to be constant");
  return width;
}

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
    Type element =
        cast<PtrType>(getElement(op.getPtr().getType())).getPointee();
    // Two atomic accesses are two instructions.
    if (!layout.getRank() || std::is_same_v<Op, AtomicRMWOp>)
      return Runs(layout, 0, 1);
    AxisInfo pointers = getInfo(accesses, op.getPtr());
    std::optional<AxisInfo> mask;
    if (op.getMask())
      mask = getInfo(accesses, op.getMask());
    unsigned best = 0;
    AccessWidth width = getWidth(layout, 0, element, pointers, mask);
    for (unsigned axis = 1; axis < layout.getRank(); ++axis) {
      AccessWidth other = getWidth(layout, axis, element, pointers, mask);
      if (other.getNumElements() > width.getNumElements()) {
        best = axis;
        width = other;
      }
    }
    reportWidth(op, width, accesses);
    return Runs(layout, best, width.getNumElements());
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

struct ConvertAtomicRMW : AccessPattern<AtomicRMWOp> {
  using AccessPattern::AccessPattern;

  LogicalResult
  matchAndRewrite(AtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = getElement(op.getType());
    PointerAccess access(rewriter, op, adaptor, accesses);
    const LinearLayout &layout = access.getLayout();
    uint64_t copies = layout.getFreeBits(InDim::Register);
    bool isUsed = !op.use_empty();
    SmallVector<Value> values =
        unpackRegisters(rewriter, loc, adaptor.getValue());
    Type type = typeConverter->convertType(op.getType());
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
      SmallVector<Value> results(values.size());
      for (unsigned reg = 0; reg < results.size(); ++reg) {
        if (reg & copies) {
          results[reg] = results[reg & ~copies];
          continue;
        }
        auto change = [&](OpBuilder &inner) {
          Value changed = LLVM::AtomicRMWOp::create(
              inner, loc, getLLVMKind(op.getKind(), element),
              emitPointer(inner, loc, access.getAddress(reg)), values[reg],
              LLVM::AtomicOrdering::monotonic);
          return isUsed ? SmallVector<Value>{changed} : SmallVector<Value>();
        };
        SmallVector<Value> changed =
            emitMasked(outer, loc, access.getMask(reg), change,
                       isUsed ? ValuesBuilder(zero) : ValuesBuilder());
        if (isUsed)
          results[reg] = changed.front();
      }
      return isUsed ? SmallVector<Value>{pack(outer, results)}
                    : SmallVector<Value>();
    };
    SmallVector<Value> packed =
        emitMasked(rewriter, loc, emitIsFirst(rewriter, loc, layout), changeAll,
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
  patterns.add<ConvertLoad, ConvertStore, ConvertAtomicRMW>(
      converter, patterns.getContext(), accesses);
}
