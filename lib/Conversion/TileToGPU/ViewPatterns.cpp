//===- ViewPatterns.cpp - Dense blocks of memrefs, and elements -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The address of a register is that of the thread's register 0 and what its
// other coordinate adds, a constant where strides are static. Runs go along the
// last axis of the memref. Memrefs begin at multiples of 128 bits, as the
// device memory that launches allocate does.
//
//===----------------------------------------------------------------------===//

#include "GlobalAccess.h"
#include "SharedAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using layout::Coordinate;
using layout::InDim;
using layout::LinearLayout;

static Value createI64(OpBuilder &builder, Location loc, int64_t number) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(number));
}

/// The size of a memref that the conversion has made `parts` of.
static Value getSize(OpBuilder &builder, Location loc, MemRefType type,
                     ValueRange parts, int64_t axis) {
  if (!type.isDynamicDim(axis))
    return createI64(builder, loc, type.getDimSize(axis));
  return parts[1 + type.getDynamicDimIndex(axis)];
}

static Value castToI64(OpBuilder &builder, Location loc, Value index) {
  return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI64Type(),
                                                  index);
}

static Value add(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

static Value multiply(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  return builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
}

/// In elements of memory: a predicate takes one.
static int64_t getElementBytes(MemRefType type) {
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

namespace {
/// The stride of an axis, in bytes, with its number where that is known.
struct Stride {
  Value value;
  std::optional<int64_t> number;
};
} // namespace

static SmallVector<Stride> getStrides(OpBuilder &builder, Location loc,
                                      MemRefType type, ValueRange parts) {
  int64_t bytes = getElementBytes(type);
  Stride stride = {createI64(builder, loc, bytes), bytes};
  SmallVector<Stride> strides(type.getRank());
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    if (axis == 0)
      break;
    if (type.isDynamicDim(axis))
      stride.number = std::nullopt;
    else if (stride.number)
      *stride.number *= type.getDimSize(axis);
    stride.value = multiply(builder, loc, stride.value,
                            getSize(builder, loc, type, parts, axis));
  }
  return strides;
}

/// The address of the element at these indices, from what the conversion has
/// made of memref and indices.
static Value getAddressAt(OpBuilder &builder, Location loc, ValueRange parts,
                          ArrayRef<Stride> strides,
                          ArrayRef<ValueRange> indices) {
  Value address = parts.front();
  for (auto [index, stride] : llvm::zip_equal(indices, strides))
    address = add(builder, loc, address,
                  multiply(builder, loc, castToI64(builder, loc, index.front()),
                           stride.value));
  return address;
}

namespace {

/// The registers of a tile in a memref: addresses and masks.
class View {
public:
  /// `parts` and `indices` are what the conversion has made of the operands.
  template <typename Op>
  View(OpBuilder &builder, Op op, RankedTensorType tile, ValueRange parts,
       ArrayRef<ValueRange> indices, GlobalAccesses &accesses)
      : builder(builder), loc(op.getLoc()), type(op.getMemref().getType()),
        layout(tile::getTileLayout(tile)), access(ViewAccess::get(op, tile)),
        axes(access.axes), isChecked(access.findChecked(accesses.solver)),
        run(access.findRun(accesses.solver)) {
    reportWidth(op, run.width, accesses);
    strides = getStrides(builder, loc, type, parts);
    address = getAddressAt(builder, loc, parts, strides, indices);
    threads = emitThreadPart(builder, loc, layout);
    for (auto [i, axis] : llvm::enumerate(axes)) {
      address = advance(address, extend(threads[i]), axis);
      starts.push_back(castToI64(builder, loc, indices[axis].front()));
      sizes.push_back(getSize(builder, loc, type, parts, axis));
    }
  }

  const LinearLayout &getLayout() const { return layout; }
  const GlobalRun &getRun() const { return run; }
  Runs getRuns() const {
    return Runs(layout, run.axis, run.width.getNumElements());
  }

  /// The address of a register.
  Value getAddress(unsigned reg) const {
    Coordinate coordinate = getRegisterPart(layout, reg);
    int64_t constant = 0;
    Value sum = address;
    for (auto [i, axis] : llvm::enumerate(axes)) {
      int32_t number = coordinate[i];
      bool disjoint = (number & getThreadBits(layout, i)) == 0;
      if (disjoint && strides[axis].number) {
        constant += number * *strides[axis].number;
      } else if (number) {
        Value steps = createI64(builder, loc, number);
        if (!disjoint) {
          Value other = emitCombine(builder, loc, threads[i], number);
          steps = arith::SubIOp::create(builder, loc, extend(other),
                                        extend(threads[i]));
        }
        sum = advance(sum, steps, axis);
      }
    }
    return constant ? add(builder, loc, sum, createI64(builder, loc, constant))
                    : sum;
  }

  /// Whether a register, and the run that begins with it, is inside: null if
  /// all are.
  Value getMask(unsigned reg) {
    Coordinate coordinate = getRegisterPart(layout, reg);
    for (unsigned i = 0; i < axes.size(); ++i)
      if (!isChecked[i])
        coordinate[i] = 0;
    auto [found, isNew] = masks.try_emplace(layout.getElement(coordinate));
    if (!isNew)
      return found->second;
    Value all;
    for (unsigned i = 0; i < axes.size(); ++i) {
      if (!isChecked[i])
        continue;
      Value &inside = axisMasks[{i, coordinate[i]}];
      if (!inside) {
        // A negative index is a great unsigned one.
        Value thread = emitCombine(builder, loc, threads[i], coordinate[i],
                                   ~getThreadBits(layout, i));
        inside = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult,
            add(builder, loc, starts[i], extend(thread)), sizes[i]);
      }
      all = all ? arith::AndIOp::create(builder, loc, all, inside).getResult()
                : inside;
    }
    masks[layout.getElement(coordinate)] = all;
    return all;
  }

private:
  Value advance(Value from, Value steps, int64_t axis) const {
    return add(builder, loc, from,
               multiply(builder, loc, steps, strides[axis].value));
  }
  /// A coordinate, which is not negative.
  Value extend(Value i32) const {
    return arith::ExtUIOp::create(builder, loc, builder.getI64Type(), i32);
  }

  OpBuilder &builder;
  Location loc;
  MemRefType type;
  LinearLayout layout;
  ViewAccess access;
  SmallVector<int64_t> axes;
  SmallVector<bool> isChecked;
  GlobalRun run;
  SmallVector<Stride> strides;
  /// The address of register 0.
  Value address;
  SmallVector<Value> threads, starts, sizes;
  /// The masks of coordinates along an axis, and those of elements along the
  /// checked axes.
  DenseMap<std::pair<unsigned, int32_t>, Value> axisMasks;
  DenseMap<uint64_t, Value> masks;
};

struct ConvertLoadView : OpConversionPattern<LoadViewOp> {
  ConvertLoadView(const TypeConverter &converter, MLIRContext *context,
                  GlobalAccesses &accesses)
      : OpConversionPattern(converter, context), accesses(accesses) {}
  LogicalResult
  matchAndRewrite(LoadViewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    View view(rewriter, op, cast<RankedTensorType>(op.getType()),
              adaptor.getMemref(), adaptor.getIndices(), accesses);
    rewriter.replaceOp(
        op,
        emitLoads(
            rewriter, op.getLoc(), typeConverter->convertType(op.getType()),
            view.getRuns(), [&](unsigned reg) { return view.getAddress(reg); },
            [&](unsigned reg) { return view.getMask(reg); }, {}));
    return success();
  }
  GlobalAccesses &accesses;
};

struct ConvertAsyncLoadView : OpConversionPattern<AsyncLoadViewOp> {
  ConvertAsyncLoadView(const TypeConverter &converter, MLIRContext *context,
                       GlobalAccesses &accesses)
      : OpConversionPattern(converter, context), accesses(accesses) {}
  LogicalResult
  matchAndRewrite(AsyncLoadViewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getTile());
    View view(rewriter, op, tile, adaptor.getMemref(), adaptor.getIndices(),
              accesses);
    Value mask;
    if (op.getMask())
      mask = adaptor.getMask().front();
    emitCopies(
        rewriter, op.getLoc(),
        {op.getBuffer().getType(), adaptor.getBuffer().front(),
         llvm::map_to_vector(adaptor.getStages(),
                             [](ValueRange index) { return index.front(); }),
         tile},
        view.getRun(), [&](unsigned reg) { return view.getAddress(reg); },
        [&](unsigned reg) { return view.getMask(reg); }, mask);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>(ValueRange()));
    return success();
  }
  GlobalAccesses &accesses;
};

struct ConvertStoreView : OpConversionPattern<StoreViewOp> {
  ConvertStoreView(const TypeConverter &converter, MLIRContext *context,
                   GlobalAccesses &accesses)
      : OpConversionPattern(converter, context), accesses(accesses) {}
  LogicalResult
  matchAndRewrite(StoreViewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    View view(rewriter, op, cast<RankedTensorType>(op.getValue().getType()),
              adaptor.getMemref(), adaptor.getIndices(), accesses);
    emitStores(
        rewriter, op.getLoc(), adaptor.getValue().front(), view.getLayout(),
        view.getRuns(), [&](unsigned reg) { return view.getAddress(reg); },
        [&](unsigned reg) { return view.getMask(reg); });
    rewriter.eraseOp(op);
    return success();
  }
  GlobalAccesses &accesses;
};

/// One element, which all threads load.
struct ConvertElementLoad : OpConversionPattern<memref::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(memref::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType type = op.getMemRefType();
    Value address =
        getAddressAt(rewriter, loc, adaptor.getMemref(),
                     getStrides(rewriter, loc, type, adaptor.getMemref()),
                     adaptor.getIndices());
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(
        op, op.getType(), emitPointer(rewriter, loc, address),
        getElementBytes(type));
    return success();
  }
};

/// One element, which the first thread stores.
struct ConvertElementStore : OpConversionPattern<memref::StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(memref::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType type = op.getMemRefType();
    Value address =
        getAddressAt(rewriter, loc, adaptor.getMemref(),
                     getStrides(rewriter, loc, type, adaptor.getMemref()),
                     adaptor.getIndices());
    LinearLayout layout = getLayoutOrScalar(op, type.getElementType());
    emitStores(
        rewriter, loc, adaptor.getValue().front(), layout, Runs(layout, 0, 1),
        [&](unsigned) { return address; }, [](unsigned) { return Value(); });
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertDim : OpConversionPattern<memref::DimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(memref::DimOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<int64_t> axis = op.getConstantIndex();
    auto type = dyn_cast<MemRefType>(op.getSource().getType());
    if (!axis || !type || *axis < 0 || *axis >= type.getRank())
      return rewriter.notifyMatchFailure(op, "not a constant axis");
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(
        op, op.getType(),
        getSize(rewriter, op.getLoc(), type, adaptor.getSource(), *axis));
    return success();
  }
};

} // namespace

void to_gpu::populateThreadViewPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns,
                                        GlobalAccesses &accesses) {
  patterns.add<ConvertLoadView, ConvertAsyncLoadView, ConvertStoreView>(
      converter, patterns.getContext(), accesses);
  patterns.add<ConvertElementLoad, ConvertElementStore, ConvertDim>(
      converter, patterns.getContext());
}
