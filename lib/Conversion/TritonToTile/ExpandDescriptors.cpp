//===- ExpandDescriptors.cpp - Blocks of arrays by pointers ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A descriptor becomes what it is made of: a pointer, the sizes, all strides
// but the last, which is 1, and whether its padding is NaN. An access to a
// block becomes one by pointers, with a mask that is false outside of the
// array. What is the same for the block is added to the scalar pointer, so that
// the offsets of its elements are those of any block.
//
// A kernel's argument that is a descriptor becomes a pointer; Triton passes its
// sizes and strides behind it.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton_to_tile;
using triton::TensorDescType;

/// The bytes that what reads blocks on a GPU wants addresses and strides to be
/// multiples of.
static constexpr int64_t kAlignment = 16;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Makes the descriptor that the argument `number` is of a pointer, and of the
/// arguments behind it.
static LogicalResult makeDescriptor(triton::FuncOp kernel, unsigned number) {
  auto type = cast<TensorDescType>(kernel.getArgumentTypes()[number]);
  unsigned rank = type.getShape().size();
  Builder builder(kernel.getContext());
  auto hasTypes = [&](unsigned first, Type expected) {
    return first + rank <= kernel.getNumArguments() &&
           llvm::all_of(llvm::seq(first, first + rank), [&](unsigned i) {
             return kernel.getArgumentTypes()[i] == expected;
           });
  };
  if (!hasTypes(number + 1, builder.getI32Type()) ||
      !hasTypes(number + 1 + rank, builder.getI64Type()))
    return kernel.emitOpError("expects ")
           << rank << " sizes (i32) and " << rank
           << " strides (i64) behind argument " << number << ", which is "
           << type << ", as Triton 3.4 to 3.9 write them";
  Block &body = kernel.getBody().front();
  BlockArgument argument = body.getArgument(number);
  auto pointer = triton::PtrType::get(kernel.getContext(),
                                      type.getBlock().getElementType(),
                                      triton::PtrType::kGlobal);
  SmallVector<Type> inputs(kernel.getArgumentTypes());
  inputs[number] = pointer;
  kernel.setFunctionType(
      builder.getFunctionType(inputs, kernel.getResultTypes()));

  OpBuilder inner = OpBuilder::atBlockBegin(&body);
  auto rest = body.getArguments().drop_front(number + 1);
  auto descriptor = triton::MakeTensorDescOp::create(
      inner, argument.getLoc(), type, argument, rest.take_front(rank),
      rest.slice(rank, rank), triton::Padding::Zero);
  argument.setType(pointer);
  argument.replaceAllUsesExcept(descriptor, descriptor);

  // Host code has checked that.
  auto setDivisor = [&](unsigned i, int64_t divisor) {
    if (!kernel.getArgAttr(i, "tt.divisibility"))
      kernel.setArgAttr(i, "tt.divisibility",
                        builder.getI32IntegerAttr(divisor));
  };
  setDivisor(number, kAlignment);
  int64_t bits = pointer.getPointee().getIntOrFloatBitWidth();
  for (unsigned axis = 0; axis + 1 < rank; ++axis)
    setDivisor(number + 1 + rank + axis, 8 * kAlignment / bits);
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {

/// What a descriptor is made of.
struct Descriptor {
  Descriptor(TensorDescType type, ValueRange values)
      : block(type.getBlock()), base(values.front()),
        sizes(values.slice(1, block.getRank())),
        strides(values.slice(1 + block.getRank(), block.getRank() - 1)),
        isNaN(values.back()) {}
  RankedTensorType block;
  Value base;
  ValueRange sizes, strides; // no stride of the last axis
  Value isNaN;
};

/// Where a block begins along an axis, and how far from there its elements are:
/// tensors of one axis.
struct AxisPlace {
  Value start; // null: 0
  Value distance;
};

/// The pointers to the elements of a block, and whether they are inside.
struct Elements {
  Value pointers, mask;
};

/// Emits ops on the elements of blocks.
class BlockEmitter {
public:
  BlockEmitter(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value makeRange(int64_t size) {
    return triton::MakeRangeOp::create(
        builder, loc, RankedTensorType::get({size}, builder.getI32Type()), 0,
        size);
  }

  SmallVector<AxisPlace> getPlaces(ArrayRef<int64_t> shape, ValueRange starts) {
    SmallVector<AxisPlace> places;
    for (auto [size, start] : llvm::zip_equal(shape, starts))
      places.push_back({start, makeRange(size)});
    return places;
  }

  /// The elements at `places` of each axis.
  Elements emit(const Descriptor &descriptor, ArrayRef<AxisPlace> places) {
    SmallVector<int64_t> shape;
    for (const AxisPlace &place : places)
      shape.push_back(
          cast<RankedTensorType>(place.distance.getType()).getDimSize(0));
    Value base = descriptor.base, offsets, mask;
    for (auto [axis, place] : llvm::enumerate(places)) {
      Value stride =
          axis < descriptor.strides.size() ? descriptor.strides[axis] : Value();
      if (place.start) {
        Value start = extend(place.start);
        if (stride)
          start = arith::MulIOp::create(builder, loc, start, stride);
        base =
            triton::AddPtrOp::create(builder, loc, base.getType(), base, start);
      }
      Value distance = extend(place.distance);
      if (stride)
        distance = arith::MulIOp::create(builder, loc, distance,
                                         splat(stride, distance));
      distance = spread(distance, shape, axis);
      offsets = offsets ? arith::AddIOp::create(builder, loc, offsets, distance)
                              .getResult()
                        : distance;

      // A sum that is too large for an i32 is below 0.
      Value position = place.distance;
      if (place.start)
        position = arith::AddIOp::create(
            builder, loc, splat(place.start, position), position);
      Value zero = splat(
          arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0)),
          position);
      auto compare = [&](arith::CmpIPredicate predicate, Value bound) {
        return arith::CmpIOp::create(builder, loc, predicate, position, bound);
      };
      Value inside = arith::AndIOp::create(
          builder, loc, compare(arith::CmpIPredicate::sge, zero),
          compare(arith::CmpIPredicate::slt,
                  splat(descriptor.sizes[axis], position)));
      inside = spread(inside, shape, axis);
      mask = mask
                 ? arith::AndIOp::create(builder, loc, mask, inside).getResult()
                 : inside;
    }
    base = triton::SplatOp::create(
        builder, loc, RankedTensorType::get(shape, base.getType()), base);
    return {
        triton::AddPtrOp::create(builder, loc, base.getType(), base, offsets),
        mask};
  }

  /// What is loaded outside.
  Value emitPadding(const Descriptor &descriptor, ArrayRef<int64_t> shape) {
    Type element = descriptor.block.getElementType();
    auto type = RankedTensorType::get(shape, element);
    auto makeConstant = [&](Attribute value) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       DenseElementsAttr::get(type, value));
    };
    Value zero = makeConstant(builder.getZeroAttr(element));
    auto floatType = dyn_cast<FloatType>(element);
    if (!floatType || matchPattern(descriptor.isNaN, m_Zero()))
      return zero;
    Value nan = makeConstant(FloatAttr::get(
        floatType, APFloat::getQNaN(floatType.getFloatSemantics())));
    if (matchPattern(descriptor.isNaN, m_One()))
      return nan;
    return arith::SelectOp::create(builder, loc, descriptor.isNaN, nan, zero);
  }

  Value reshape(Value value, RankedTensorType type) {
    if (value.getType() == type)
      return value;
    return triton::ReshapeOp::create(builder, loc, type, value);
  }

private:
  Value extend(Value value) {
    Type type = triton::withElement(value.getType(), builder.getI64Type());
    if (type == value.getType())
      return value;
    return arith::ExtSIOp::create(builder, loc, type, value);
  }
  /// `value` for each element of `like`, whose type may be another one.
  Value splat(Value value, Value like) {
    return triton::SplatOp::create(
        builder, loc, triton::withElement(like.getType(), value.getType()),
        value);
  }
  /// A tensor of one axis along `axis` of `shape`.
  Value spread(Value value, ArrayRef<int64_t> shape, unsigned axis) {
    auto type = cast<RankedTensorType>(value.getType());
    if (shape.size() == 1)
      return value;
    SmallVector<int64_t> ones(shape.size(), 1);
    ones[axis] = shape[axis];
    value = triton::ReshapeOp::create(builder, loc, type.clone(ones), value);
    return triton::BroadcastOp::create(builder, loc, type.clone(shape), value);
  }

  OpBuilder &builder;
  Location loc;
};

struct ExpandMake : OpConversionPattern<triton::MakeTensorDescOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::MakeTensorDescOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values = {adaptor.getBase()};
    llvm::append_range(values, adaptor.getShape());
    llvm::append_range(values, adaptor.getStrides().drop_back());
    values.push_back(arith::ConstantOp::create(
        rewriter, op.getLoc(),
        rewriter.getBoolAttr(op.getPadding() == triton::Padding::NaN)));
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{values});
    return success();
  }
};

/// An access to the block at indices, or to rows of an array.
template <typename Op> struct ExpandAccess : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Descriptor descriptor(op.getDesc().getType(), adaptor.getDesc());
    BlockEmitter emitter(rewriter, op.getLoc());
    SmallVector<AxisPlace> places;
    if constexpr (std::is_same_v<Op, triton::DescriptorGatherOp> ||
                  std::is_same_v<Op, triton::DescriptorScatterOp>) {
      auto rows = cast<RankedTensorType>(op.getRows().getType());
      Value indices = op.getRows();
      if (!rows.getElementType().isInteger(32)) // i16
        indices = arith::ExtSIOp::create(
            rewriter, op.getLoc(), rows.clone(rewriter.getI32Type()), indices);
      places = {
          {Value(), indices},
          {op.getColumn(), emitter.makeRange(descriptor.block.getDimSize(1))}};
    } else {
      places = emitter.getPlaces(descriptor.block.getShape(), op.getIndices());
    }
    finish(op, descriptor, emitter, emitter.emit(descriptor, places), rewriter);
    return success();
  }

private:
  template <typename Load>
  static void load(Load op, const Descriptor &descriptor, BlockEmitter &emitter,
                   Elements elements, RewriterBase &rewriter) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(elements.mask.getType()).getShape();
    Value loaded = triton::LoadOp::create(
        rewriter, op.getLoc(), triton::getPointee(elements.pointers.getType()),
        elements.pointers, elements.mask,
        emitter.emitPadding(descriptor, shape), triton::CacheModifier::None,
        triton::EvictionPolicy::Normal, /*cachePolicy=*/nullptr);
    rewriter.replaceOp(
        op, emitter.reshape(loaded, cast<RankedTensorType>(op.getType())));
  }

  template <typename Store>
  static void store(Store op, BlockEmitter &emitter, Elements elements,
                    RewriterBase &rewriter) {
    auto type =
        cast<RankedTensorType>(triton::getPointee(elements.pointers.getType()));
    triton::StoreOp::create(rewriter, op.getLoc(), elements.pointers,
                            emitter.reshape(op.getSrc(), type), elements.mask,
                            triton::CacheModifier::None,
                            triton::EvictionPolicy::Normal,
                            /*cachePolicy=*/nullptr);
    rewriter.eraseOp(op);
  }

  static void finish(triton::DescriptorLoadOp op, const Descriptor &descriptor,
                     BlockEmitter &emitter, Elements elements,
                     RewriterBase &rewriter) {
    load(op, descriptor, emitter, elements, rewriter);
  }
  static void finish(triton::DescriptorGatherOp op,
                     const Descriptor &descriptor, BlockEmitter &emitter,
                     Elements elements, RewriterBase &rewriter) {
    load(op, descriptor, emitter, elements, rewriter);
  }
  static void finish(triton::DescriptorStoreOp op, const Descriptor &,
                     BlockEmitter &emitter, Elements elements,
                     RewriterBase &rewriter) {
    store(op, emitter, elements, rewriter);
  }
  static void finish(triton::DescriptorScatterOp op, const Descriptor &,
                     BlockEmitter &emitter, Elements elements,
                     RewriterBase &rewriter) {
    store(op, emitter, elements, rewriter);
  }
  static void finish(triton::DescriptorReduceOp op, const Descriptor &,
                     BlockEmitter &emitter, Elements elements,
                     RewriterBase &rewriter) {
    auto type =
        cast<RankedTensorType>(triton::getPointee(elements.pointers.getType()));
    triton::AtomicRMWOp::create(
        rewriter, op.getLoc(), type, *getAtomicKind(op), elements.pointers,
        emitter.reshape(op.getSrc(), type), elements.mask,
        triton::MemoryOrder::Relaxed, triton::Scope::GPU);
    rewriter.eraseOp(op);
  }

public:
  /// The atomic access that changes elements so, if there is one.
  static std::optional<triton::AtomicKind>
  getAtomicKind(triton::DescriptorReduceOp op) {
    using Kind = triton::DescriptorReduceKind;
    using Atomic = triton::AtomicKind;
    Type element = op.getDesc().getType().getElementType();
    bool isFloat = isa<FloatType>(element);
    bool isUnsigned = element.isUnsignedInteger();
    switch (op.getKind()) {
    case Kind::Add:
      return isFloat ? Atomic::FAdd : Atomic::Add;
    case Kind::Min:
      return isUnsigned ? Atomic::UMin : Atomic::Min;
    case Kind::Max:
      return isUnsigned ? Atomic::UMax : Atomic::Max;
    case Kind::And:
      return Atomic::And;
    case Kind::Or:
      return Atomic::Or;
    case Kind::Xor:
      return Atomic::Xor;
    case Kind::Inc:
    case Kind::Dec:
      return std::nullopt;
    }
    llvm_unreachable("unknown kind");
  }
};

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static SmallVector<Value> flatten(ArrayRef<ValueRange> ranges) {
  SmallVector<Value> values;
  for (ValueRange range : ranges)
    llvm::append_range(values, range);
  return values;
}

struct ExpandCall : OpConversionPattern<triton::CallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::CallOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    SmallVector<unsigned> counts;
    for (Type type : op.getResultTypes()) {
      unsigned before = types.size();
      if (failed(getTypeConverter()->convertType(type, types)))
        return rewriter.notifyMatchFailure(op, "has types without counterpart");
      counts.push_back(types.size() - before);
    }
    auto call =
        triton::CallOp::create(rewriter, op.getLoc(), types, op.getCallee(),
                               flatten(adaptor.getArguments()),
                               op.getArgAttrsAttr(), op.getResAttrsAttr());
    SmallVector<ValueRange> results;
    ValueRange rest = call.getResults();
    for (unsigned count : counts) {
      results.push_back(rest.take_front(count));
      rest = rest.drop_front(count);
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
};

struct ExpandReturn : OpConversionPattern<triton::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::ReturnOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<triton::ReturnOp>(op,
                                                  flatten(adaptor.getSrcs()));
    return success();
  }
};

struct ExpandSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values;
    for (auto [whenTrue, whenFalse] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      values.push_back(arith::SelectOp::create(
          rewriter, op.getLoc(), op.getCondition(), whenTrue, whenFalse));
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{values});
    return success();
  }
};

/// Descriptors as what they are made of, in the order of `Descriptor`.
struct DescriptorConverter : TypeConverter {
  DescriptorConverter() {
    addConversion([](Type type) { return type; });
    addConversion([](TensorDescType type, SmallVectorImpl<Type> &types)
                      -> std::optional<LogicalResult> {
      MLIRContext *context = type.getContext();
      size_t rank = type.getShape().size();
      types.push_back(triton::PtrType::get(
          context, type.getBlock().getElementType(), triton::PtrType::kGlobal));
      types.append(rank, IntegerType::get(context, 32));
      types.append(rank - 1, IntegerType::get(context, 64));
      types.push_back(IntegerType::get(context, 1));
      return success();
    });
  }
};
} // namespace

/// Upstream's patterns for branches keep values one.
static LogicalResult verifyBranch(BranchOpInterface branch) {
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
    if (llvm::any_of(branch->getSuccessor(i)->getArgumentTypes(),
                     llvm::IsaPred<TensorDescType>))
      return branch.emitOpError(
          "cannot become a program of tiles: it passes a descriptor to a "
          "block, expected structured control flow");
  return success();
}

static LogicalResult verifyReduction(triton::DescriptorReduceOp op) {
  using Kind = triton::DescriptorReduceKind;
  bool isFloat = isa<FloatType>(op.getDesc().getType().getElementType());
  if (op.getKind() != Kind::Inc && op.getKind() != Kind::Dec &&
      (!isFloat || op.getKind() == Kind::Add))
    return success();
  return op.emitOpError("cannot become a program of tiles: there is no atomic "
                        "access by '")
         << stringifyDescriptorReduceKind(op.getKind()) << "' to elements of "
         << op.getDesc().getType().getElementType();
}

LogicalResult triton_to_tile::expandDescriptors(ModuleOp module) {
  for (auto function : module.getOps<triton::FuncOp>())
    for (unsigned i = 0; function.isPublic() && !function.isExternal() &&
                         i < function.getNumArguments();
         ++i)
      if (isa<TensorDescType>(function.getArgumentTypes()[i]) &&
          failed(makeDescriptor(function, i)))
        return failure();
  auto verify = [](Operation *op) -> WalkResult {
    if (auto branch = dyn_cast<BranchOpInterface>(op))
      return verifyBranch(branch);
    if (auto reduction = dyn_cast<triton::DescriptorReduceOp>(op))
      return verifyReduction(reduction);
    return WalkResult::advance();
  };
  if (module.walk(verify).wasInterrupted())
    return failure();

  MLIRContext *context = module.getContext();
  DescriptorConverter converter;
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  patterns.add<ExpandMake, ExpandAccess<triton::DescriptorLoadOp>,
               ExpandAccess<triton::DescriptorStoreOp>,
               ExpandAccess<triton::DescriptorReduceOp>,
               ExpandAccess<triton::DescriptorGatherOp>,
               ExpandAccess<triton::DescriptorScatterOp>, ExpandCall,
               ExpandReturn, ExpandSelect>(converter, context);
  populateFunctionOpInterfaceTypeConversionPattern<triton::FuncOp>(patterns,
                                                                   converter);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  target.addDynamicallyLegalOp<triton::FuncOp>([&](triton::FuncOp op) {
    return converter.isSignatureLegal(op.getFunctionType()) &&
           converter.isLegal(&op.getBody());
  });
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return converter.isLegal(op); });
  return applyPartialConversion(module, target, std::move(patterns));
}
