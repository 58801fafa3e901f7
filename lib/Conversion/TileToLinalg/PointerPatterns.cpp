//===- PointerPatterns.cpp - Loads, stores and atomics by pointers --------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One access per element, at the address that the tile of pointers holds,
// behind a branch where there is a mask. A scalar pointer is a tile without
// axes: the same code, without loops. RunPatterns.cpp takes accesses to
// elements side by side.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "tileir/Conversion/TileLowering/CombiningKinds.h"
#include "tileir/Conversion/TileLowering/PointerAccess.h"
#include "tileir/Conversion/TileLowering/Print.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::tile_lowering;
using namespace tileir::to_linalg;

Value to_linalg::createMasked(OpBuilder &builder, Location loc, Value mask,
                              MaskedBody body, MaskedBody other) {
  if (!mask)
    return body(builder, loc);
  auto branch = [](MaskedBody inner) {
    return [inner](OpBuilder &builder, Location loc) {
      Value value = inner(builder, loc);
      scf::YieldOp::create(builder, loc,
                           value ? ValueRange(value) : ValueRange());
    };
  };
  if (!other) {
    scf::IfOp::create(builder, loc, mask, branch(body));
    return {};
  }
  return scf::IfOp::create(builder, loc, mask, branch(body), branch(other))
      .getResult(0);
}

static Value createZero(OpBuilder &builder, Location loc, Type element) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
}

static Value getMaskAt(OpBuilder &builder, Location loc, Value mask,
                       ValueRange indices) {
  return mask ? getElementAt(builder, loc, mask, indices) : Value();
}

static Value createPointer(OpBuilder &builder, Location loc, Value addresses,
                           ValueRange indices) {
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      getElementAt(builder, loc, addresses, indices));
}

static unsigned getAlignment(Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

/// The tile that a loop nest fills; a scalar needs none.
static Value createCarried(OpBuilder &builder, Location loc, Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? createEmptyTile(builder, loc, tile) : Value();
}

/// Puts the element into the tile that is carried, if one is.
static Value carry(OpBuilder &builder, Location loc, Value element,
                   Value carried, ValueRange indices) {
  return carried ? setElementAt(builder, loc, element, carried, indices)
                 : element;
}

namespace {

struct ConvertLoad : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type element = getElement(op.getType());
    auto body = [&](OpBuilder &builder, Location loc, ValueRange indices,
                    Value carried) {
      auto load = [&](OpBuilder &inner, Location) -> Value {
        Value pointer = createPointer(inner, loc, adaptor.getPtr(), indices);
        return createLoad(inner, loc, element, pointer, getAlignment(element),
                          op.getIsVolatile());
      };
      auto other = [&](OpBuilder &inner, Location) -> Value {
        return adaptor.getOther()
                   ? getElementAt(inner, loc, adaptor.getOther(), indices)
                   : createZero(inner, loc, element);
      };
      Value mask = getMaskAt(builder, loc, adaptor.getMask(), indices);
      return carry(builder, loc, createMasked(builder, loc, mask, load, other),
                   carried, indices);
    };
    rewriter.replaceOp(
        op, buildElementLoops(
                rewriter, op.getLoc(), getShape(op.getType()),
                createCarried(rewriter, op.getLoc(), op.getType()), body));
    return success();
  }
};

struct ConvertStore : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = op.getValue().getType();
    auto body = [&](OpBuilder &builder, Location loc, ValueRange indices,
                    Value) {
      auto store = [&](OpBuilder &inner, Location) -> Value {
        Value pointer = createPointer(inner, loc, adaptor.getPtr(), indices);
        Value element = getElementAt(inner, loc, adaptor.getValue(), indices);
        createStore(inner, loc, element, pointer,
                    getAlignment(element.getType()));
        return {};
      };
      Value mask = getMaskAt(builder, loc, adaptor.getMask(), indices);
      return createMasked(builder, loc, mask, store, nullptr);
    };
    buildElementLoops(rewriter, op.getLoc(), getShape(type), {}, body);
    rewriter.eraseOp(op);
    return success();
  }
};

static LLVM::AtomicOrdering getOrdering(MemoryOrder order) {
  switch (order) {
  case MemoryOrder::Relaxed:
    return LLVM::AtomicOrdering::monotonic;
  case MemoryOrder::Acquire:
    return LLVM::AtomicOrdering::acquire;
  case MemoryOrder::Release:
    return LLVM::AtomicOrdering::release;
  case MemoryOrder::AcqRel:
    return LLVM::AtomicOrdering::acq_rel;
  }
  llvm_unreachable("unknown order");
}

/// What was at `pointer`, which the op changes.
static Value createChange(OpBuilder &builder, Location loc, AtomicRMWOp op,
                          AtomicRMWOp::Adaptor adaptor, Value pointer,
                          ValueRange indices) {
  Value value = getElementAt(builder, loc, adaptor.getValue(), indices);
  return LLVM::AtomicRMWOp::create(builder, loc,
                                   getLLVMKind(op.getKind(), value.getType()),
                                   pointer, value, getOrdering(op.getOrder()));
}

static Value createChange(OpBuilder &builder, Location loc, AtomicCASOp op,
                          AtomicCASOp::Adaptor adaptor, Value pointer,
                          ValueRange indices) {
  return createCompareAndSwap(
      builder, loc, pointer,
      getElementAt(builder, loc, adaptor.getCompare(), indices),
      getElementAt(builder, loc, adaptor.getValue(), indices),
      getOrdering(op.getOrder()));
}

template <typename Op> struct ConvertAtomic : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type element = getElement(op.getType());
    auto body = [&](OpBuilder &builder, Location loc, ValueRange indices,
                    Value carried) {
      auto change = [&](OpBuilder &inner, Location) -> Value {
        Value pointer = createPointer(inner, loc, adaptor.getPtr(), indices);
        return createChange(inner, loc, op, adaptor, pointer, indices);
      };
      auto zero = [&](OpBuilder &inner, Location) {
        return createZero(inner, loc, element);
      };
      Value mask = getMaskAt(builder, loc, adaptor.getMask(), indices);
      return carry(builder, loc, createMasked(builder, loc, mask, change, zero),
                   carried, indices);
    };
    rewriter.replaceOp(
        op, buildElementLoops(
                rewriter, op.getLoc(), getShape(op.getType()),
                createCarried(rewriter, op.getLoc(), op.getType()), body));
    return success();
  }
};

struct ConvertPrint : OpConversionPattern<PrintOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PrintOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape;
    for (Type type : op.getValues().getTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type))
        shape = tile.getShape();
    auto body = [&](OpBuilder &builder, Location loc, ValueRange indices,
                    Value) {
      createPrint(builder, loc, op.getFormat(),
                  llvm::map_to_vector(adaptor.getValues(), [&](Value value) {
                    return getElementAt(builder, loc, value, indices);
                  }));
      return Value();
    };
    buildElementLoops(rewriter, op.getLoc(), shape, {}, body);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

namespace {
/// Upstream does not say what atomic accesses and those under a mask do to
/// memory; deallocation of buffers has to know that they free none.
template <typename Op>
struct AtomicEffects
    : MemoryEffectOpInterface::ExternalModel<AtomicEffects<Op>, Op> {
  void
  getEffects(Operation *op,
             SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    OpOperand *ptr = &cast<Op>(op).getPtrMutable();
    effects.emplace_back(MemoryEffects::Read::get(), ptr);
    effects.emplace_back(MemoryEffects::Write::get(), ptr);
  }
};

template <typename Op, typename Effect>
struct MaskedEffects
    : MemoryEffectOpInterface::ExternalModel<MaskedEffects<Op, Effect>, Op> {
  void
  getEffects(Operation *op,
             SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    effects.emplace_back(Effect::get(), &cast<Op>(op).getDataMutable());
  }
};
} // namespace

void to_linalg::registerAtomicEffects(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LLVM::LLVMDialect *) {
    LLVM::AtomicRMWOp::attachInterface<AtomicEffects<LLVM::AtomicRMWOp>>(
        *context);
    LLVM::AtomicCmpXchgOp::attachInterface<
        AtomicEffects<LLVM::AtomicCmpXchgOp>>(*context);
    LLVM::MaskedLoadOp::attachInterface<
        MaskedEffects<LLVM::MaskedLoadOp, MemoryEffects::Read>>(*context);
    LLVM::MaskedStoreOp::attachInterface<
        MaskedEffects<LLVM::MaskedStoreOp, MemoryEffects::Write>>(*context);
  });
}

void to_linalg::populatePointerPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<ConvertLoad, ConvertStore, ConvertAtomic<AtomicRMWOp>,
               ConvertAtomic<AtomicCASOp>, ConvertPrint>(converter,
                                                         patterns.getContext());
}
