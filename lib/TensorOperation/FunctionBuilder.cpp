//===- FunctionBuilder.cpp - The function of an operation -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction alone is one op on memrefs:
//
//   einsum.contract "mk, kn -> mn" (%in0, %in1) outs(%out : ...)
//
// The ops that initialize a sum and those that follow it stand with it in an
// einsum.kernel, on tensors that are what memrefs hold:
//
//   %t0 = bufferization.to_tensor %in0 restrict
//   %r = einsum.kernel (%a = %t0, ...) { contraction, bias, relu }
//   bufferization.materialize_in_destination %r in restrict writable %out
//
// Contractions of many operands, and padded ones, stand by themselves on
// tensors with what follows them: passes make kernels of them.
//
// In a kernel everything is computed in the type in which sums are formed and
// is rounded once, at the end.
//
//===----------------------------------------------------------------------===//

#include "FunctionBuilder.h"

#include "Module.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tensor_operation;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

void IndexLayout::add(char index, int64_t size, int64_t stride) {
  indices.push_back(index);
  sizes.push_back(size);
  strides.push_back(stride);
}

void IndexLayout::finish() {
  auto order = llvm::to_vector(llvm::seq<size_t>(0, indices.size()));
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    auto rank = [&](size_t axis) {
      return sizes[axis] == 1 ? std::numeric_limits<int64_t>::max()
                              : strides[axis];
    };
    return rank(a) > rank(b);
  });
  IndexLayout sorted;
  for (size_t axis : order)
    sorted.add(indices[axis], sizes[axis], strides[axis]);
  int64_t extent = 1;
  for (size_t axis = order.size(); axis-- > 0;) {
    if (sorted.sizes[axis] == 1)
      sorted.strides[axis] = extent;
    extent = sorted.sizes[axis] * sorted.strides[axis];
  }
  *this = std::move(sorted);
}

std::optional<IndexLayout::Overlap> IndexLayout::findOverlap() const {
  SmallVector<size_t> axes;
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    if (size == 0)
      return std::nullopt;
    if (size > 1)
      axes.push_back(axis);
  }
  llvm::sort(axes, [&](size_t a, size_t b) { return strides[a] < strides[b]; });
  int64_t extent = 1;
  for (size_t axis : axes) {
    if (strides[axis] < extent)
      return Overlap{axis, extent};
    extent += (sizes[axis] - 1) * strides[axis];
  }
  return std::nullopt;
}

bool IndexLayout::isDense() const {
  int64_t expected = 1;
  for (size_t axis = indices.size(); axis-- > 0; expected *= sizes[axis])
    if (strides[axis] != expected)
      return false;
  return true;
}

AffineMap IndexLayout::getTerm(MLIRContext *context, ArrayRef<char> all) const {
  SmallVector<AffineExpr> axes;
  AffineExpr offset = getAffineConstantExpr(0, context);
  for (auto [index, stride] : llvm::zip(indices, strides)) {
    AffineExpr dim =
        getAffineDimExpr(llvm::find(all, index) - all.begin(), context);
    axes.push_back(dim);
    offset = offset + dim * stride;
  }
  if (!isDense())
    axes = {offset};
  return AffineMap::get(all.size(), /*symbolCount=*/0, axes, context);
}

SmallVector<int64_t> IndexLayout::getTermShape() const {
  if (isDense())
    return sizes;
  int64_t extent = 1;
  for (auto [size, stride] : llvm::zip(sizes, strides))
    extent += (size - 1) * stride;
  return {extent};
}

/// A memref type of these axes, without a layout if the default one does it.
static MemRefType makeMemRef(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                             Type element) {
  auto plain = MemRefType::get(sizes, element);
  SmallVector<int64_t> wanted(strides);
  int64_t stride = 1;
  bool isDense = true;
  for (size_t axis = sizes.size(); axis-- > 0; stride *= sizes[axis]) {
    // An axis that nothing moves along may have any stride.
    if (sizes[axis] <= 1)
      wanted[axis] = std::max<int64_t>(stride, 1);
    isDense &= wanted[axis] == stride;
  }
  if (isDense || llvm::is_contained(sizes, 0))
    return plain;
  return MemRefType::get(
      sizes, element,
      StridedLayoutAttr::get(element.getContext(), /*offset=*/0, wanted));
}

MemRefType IndexLayout::getMemRef(Type element) const {
  return makeMemRef(sizes, strides, element);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static Type getElement(Builder &builder, OperationType type) {
  switch (type) {
  case OperationType::F32:
    return builder.getF32Type();
  case OperationType::F64:
    return builder.getF64Type();
  case OperationType::F16:
    return builder.getF16Type();
  case OperationType::BF16:
    return builder.getBF16Type();
  case OperationType::I32:
    return builder.getI32Type();
  case OperationType::I8:
    return builder.getI8Type();
  case OperationType::F8E4M3FN:
    return builder.getType<Float8E4M3FNType>();
  case OperationType::F8E5M2:
    return builder.getType<Float8E5M2Type>();
  case OperationType::I64:
    return builder.getI64Type();
  }
  llvm_unreachable("unknown type");
}

namespace {
/// Builds one function.
class FunctionBuilder {
public:
  FunctionBuilder(const OperationFunction &function, ModuleOp module)
      : function(function), builder(module.getContext()), loc(module.getLoc()),
        element(getElement(builder, function.type)),
        accumulator(getAccumulator()), floats(isa<FloatType>(element)) {
    builder.setInsertionPointToEnd(module.getBody());
  }

  void build();

private:
  /// The tensors that a contraction and what follows it read.
  struct Tensors {
    SmallVector<Value> operands, tables;
    Value other, output;
  };

  bool hasOutput() const {
    return !llvm::is_contained(function.output.sizes, 0);
  }
  Type getAccumulator();
  void buildSignature();
  Value buildContraction(ValueRange inputs, ValueRange tables, Value out);
  Value buildKernel(Tensors tensors);
  Value buildZero();
  Value buildBody(const Tensors &tensors);
  Value broadcast(Value value, ArrayRef<char> from);
  Value convert(Value value, Type to);
  Value widen(Value value) { return convert(value, accumulator); }
  Value combine(Primitive primitive, Value lhs, Value rhs);
  Value rectify(Value value);

  /// The tables as the specification orders them.
  SmallVector<Value> orderTables(ValueRange values);
  RankedTensorType getResult(Type type) {
    return RankedTensorType::get(function.output.sizes, type);
  }

  const OperationFunction &function;
  OpBuilder builder;
  Location loc;
  Type element, accumulator;
  bool floats;
  /// The function's arguments.
  SmallVector<Value> operands, tables;
  Value other, out;
};
} // namespace

/// The type in which sums are formed.
Type FunctionBuilder::getAccumulator() {
  if (function.accumulator)
    return getElement(builder, *function.accumulator);
  Type type = builder.getF32Type();
  for (const OperationFunction::Operand &operand : function.operands)
    if (Type other = getElement(builder, operand.type); !isa<FloatType>(other))
      type = builder.getI32Type();
    else if (other.isF64())
      type = other;
  return type;
}

void FunctionBuilder::buildSignature() {
  SmallVector<Type> types;
  MemRefType otherType =
      function.hasOther() ? function.other.getMemRef(element) : MemRefType();
  if (function.isLeft)
    types.push_back(otherType);
  // Where nothing is read, the shape does not matter.
  auto getType = [&](OperationType type, ArrayRef<int64_t> shape,
                     ArrayRef<int64_t> strides) {
    Type element = getElement(builder, type);
    if (function.isEmpty)
      return MemRefType::get({1}, element);
    return strides.empty() ? MemRefType::get(shape, element)
                           : makeMemRef(shape, strides, element);
  };
  for (const auto &[type, shape, strides] : function.operands)
    types.push_back(getType(type, shape, strides));
  for (const auto &[name, type, shape] : function.tables)
    types.push_back(getType(type, shape, /*strides=*/{}));
  if (otherType && !function.isLeft)
    types.push_back(otherType);
  types.push_back(hasOutput() ? function.output.getMemRef(element)
                              : MemRefType::get({1}, element));
  auto op = func::FuncOp::create(builder, loc, kEntry,
                                 builder.getFunctionType(types, {}));
  for (unsigned i = 0; i < types.size(); ++i)
    op.setArgAttr(i, "llvm.noalias", builder.getUnitAttr());
  builder.setInsertionPointToStart(op.addEntryBlock());

  ArrayRef<BlockArgument> arguments = op.getArguments();
  out = arguments.back();
  arguments = arguments.drop_back();
  if (otherType) {
    other = function.isLeft ? arguments.front() : arguments.back();
    arguments =
        function.isLeft ? arguments.drop_front() : arguments.drop_back();
  }
  operands.assign(arguments.begin(), arguments.end() - function.tables.size());
  tables.assign(arguments.end() - function.tables.size(), arguments.end());
}

SmallVector<Value> FunctionBuilder::orderTables(ValueRange values) {
  SmallVector<Value> ordered;
  for (StringRef name : function.spec.getTables())
    for (auto [table, value] : llvm::zip(function.tables, values))
      if (table.name == name)
        ordered.push_back(value);
  return ordered;
}

/// Builds the contraction on memrefs if there is `out`.
Value FunctionBuilder::buildContraction(ValueRange inputs, ValueRange tables,
                                        Value out) {
  SmallVector<Type> results;
  if (!out) {
    SmallVector<int64_t> shape;
    for (auto [index, size] :
         llvm::zip(function.output.indices, function.output.sizes))
      if (!llvm::is_contained(function.repeated, index))
        shape.push_back(size);
    results.push_back(RankedTensorType::get(shape, accumulator));
  }
  auto op = ContractOp::create(
      builder, loc, results, function.spec, inputs, orderTables(tables), out,
      function.isPadded ? builder.getStringAttr("zero") : StringAttr(),
      function.accumulator ? TypeAttr::get(accumulator) : TypeAttr(),
      /*precision=*/StringAttr(), function.indexSizes);
  return out ? Value() : op.getResult();
}

void FunctionBuilder::build() {
  buildSignature();
  if (!hasOutput()) {
    // Nothing is written.
  } else if (!function.isFused() && !function.isPlain) {
    buildContraction(operands, tables, out);
  } else {
    auto toTensor = [&](Value memref) -> Value {
      auto type = cast<MemRefType>(memref.getType());
      return bufferization::ToTensorOp::create(
          builder, loc,
          RankedTensorType::get(type.getShape(), type.getElementType()), memref,
          /*restrict=*/true);
    };
    Tensors tensors;
    tensors.operands = llvm::map_to_vector(operands, toTensor);
    tensors.tables = llvm::map_to_vector(tables, toTensor);
    if (other)
      tensors.other = toTensor(other);
    if (function.load)
      tensors.output = toTensor(out);
    Value result =
        function.isPlain ? buildBody(tensors) : buildKernel(std::move(tensors));
    bufferization::MaterializeInDestinationOp::create(
        builder, loc, /*result=*/Type(), result, out, /*restrict=*/true,
        /*writable=*/true);
  }
  func::ReturnOp::create(builder, loc);
}

/// Returns the value of an einsum.kernel with all of it.
Value FunctionBuilder::buildKernel(Tensors tensors) {
  SmallVector<Value *> places;
  for (SmallVector<Value> *values : {&tensors.operands, &tensors.tables})
    for (Value &value : *values)
      places.push_back(&value);
  for (Value *value : {&tensors.other, &tensors.output})
    if (*value)
      places.push_back(value);
  auto inputs =
      llvm::map_to_vector(places, [](Value *value) { return *value; });
  auto kernel =
      KernelOp::create(builder, loc, Type(getResult(element)), inputs);
  OpBuilder::InsertionGuard guard(builder);
  Block *body =
      builder.createBlock(&kernel.getBody(), {}, ValueRange(inputs).getTypes(),
                          SmallVector<Location>(inputs.size(), loc));
  for (auto [place, argument] : llvm::zip(places, body->getArguments()))
    *place = argument;
  YieldOp::create(builder, loc, buildBody(tensors));
  return kernel.getResult();
}

/// `value`, whose axes are the indices `from`, in the shape of the result.
Value FunctionBuilder::broadcast(Value value, ArrayRef<char> from) {
  ArrayRef<char> to = function.output.indices;
  if (from == to)
    return value;
  SmallVector<AffineExpr> axes;
  for (char index : from)
    axes.push_back(
        builder.getAffineDimExpr(llvm::find(to, index) - to.begin()));
  SmallVector<AffineMap> maps = {
      AffineMap::get(to.size(), 0, axes, builder.getContext()),
      builder.getMultiDimIdentityMap(to.size())};
  SmallVector<utils::IteratorType> loops(to.size(),
                                         utils::IteratorType::parallel);
  Type element = cast<ShapedType>(value.getType()).getElementType();
  Type type = getResult(element);
  Value empty =
      tensor::EmptyOp::create(builder, loc, function.output.sizes, element);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), ValueRange(value),
             ValueRange(empty), maps, loops,
             [](OpBuilder &nested, Location loc, ValueRange values) {
               linalg::YieldOp::create(nested, loc, values.front());
             })
      .getResult(0);
}

/// `value`, of the shape of the result, in elements of another type.
Value FunctionBuilder::convert(Value value, Type to) {
  Type from = cast<ShapedType>(value.getType()).getElementType();
  if (from == to)
    return value;
  unsigned fromBits = from.getIntOrFloatBitWidth();
  unsigned toBits = to.getIntOrFloatBitWidth();
  // f16 and bf16, or two floats of 8 bits: neither holds the other.
  if (fromBits == toBits)
    return convert(convert(value, builder.getF32Type()), to);
  bool extends = fromBits < toBits;
  Type type = getResult(to);
  if (floats)
    return extends ? Value(arith::ExtFOp::create(builder, loc, type, value))
                   : arith::TruncFOp::create(builder, loc, type, value);
  return extends ? Value(arith::ExtSIOp::create(builder, loc, type, value))
                 : arith::TruncIOp::create(builder, loc, type, value);
}

Value FunctionBuilder::combine(Primitive primitive, Value lhs, Value rhs) {
  auto create = [&](auto ofFloats, auto ofIntegers) -> Value {
    if (floats)
      return decltype(ofFloats)::create(builder, loc, lhs, rhs);
    return decltype(ofIntegers)::create(builder, loc, lhs, rhs);
  };
  switch (primitive) {
  case Primitive::Add:
    return create(arith::AddFOp(), arith::AddIOp());
  case Primitive::Sub:
    return create(arith::SubFOp(), arith::SubIOp());
  case Primitive::Mul:
    return create(arith::MulFOp(), arith::MulIOp());
  case Primitive::Div:
    // The operands are floats: validated.
    return create(arith::DivFOp(), arith::DivSIOp());
  case Primitive::Min:
    return create(arith::MinimumFOp(), arith::MinSIOp());
  case Primitive::Max:
    return create(arith::MaximumFOp(), arith::MaxSIOp());
  default:
    llvm_unreachable("not a primitive of two operands");
  }
}

/// 0 where `value` is less, so that a NaN stays: one instruction, whereas
/// maximumf asks what a NaN is.
Value FunctionBuilder::rectify(Value value) {
  RankedTensorType type = getResult(accumulator);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  if (!floats)
    return combine(Primitive::Max, value, zero);
  Value isNegative = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OGT, zero, value);
  return arith::SelectOp::create(builder, loc, isNegative, zero, value);
}

/// Sums of nothing.
Value FunctionBuilder::buildZero() {
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(accumulator));
  Value empty =
      tensor::EmptyOp::create(builder, loc, function.output.sizes, accumulator);
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

/// The contraction and what follows it.
Value FunctionBuilder::buildBody(const Tensors &tensors) {
  Value value = function.isEmpty ? buildZero()
                                 : buildContraction(tensors.operands,
                                                    tensors.tables, Value());
  if (!function.isEmpty && !function.repeated.empty()) {
    auto kept =
        llvm::filter_to_vector(function.output.indices, [&](char index) {
          return !llvm::is_contained(function.repeated, index);
        });
    value = broadcast(value, kept);
  }
  if (function.combine != Primitive::None) {
    Value right = widen(broadcast(tensors.other, function.other.indices));
    value = function.isLeft ? combine(function.combine, right, value)
                            : combine(function.combine, value, right);
  }
  if (function.load)
    value = combine(Primitive::Add, value, widen(tensors.output));
  if (function.bias)
    value = combine(Primitive::Add, value,
                    widen(broadcast(tensors.other, function.other.indices)));
  if (function.relu)
    value = rectify(value);
  return convert(value, element);
}

OwningOpRef<ModuleOp>
tensor_operation::buildModule(MLIRContext *context,
                              const OperationFunction &function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  FunctionBuilder(function, *module).build();
  return module;
}
