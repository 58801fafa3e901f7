//===- Expression.cpp - Pointwise expressions -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element-wise ops take tiles and vectors as they take tensors, or scalars. So
// an op is cloned with them for operands; broadcasts and transpositions are a
// matter of which elements of a leaf are read.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumLowering/Expression.h"

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/Pointwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

#include <map>

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;

/// `axes` of an operand as axes of the expression, given those of the result.
static SmallVector<unsigned> compose(ArrayRef<unsigned> resultAxes,
                                     ArrayRef<unsigned> axes) {
  return llvm::map_to_vector(axes,
                             [&](unsigned axis) { return resultAxes[axis]; });
}

Expression::Expression(Value root, Block *body, Value leaf)
    : root(root), body(body), leaf(leaf) {
  int64_t rank = cast<ShapedType>(root.getType()).getRank();
  identity = llvm::to_vector(llvm::seq<unsigned>(0, rank));
  std::set<Leaf> visited;
  collect({root, identity}, visited);
}

bool Expression::isComputed(Value value) const {
  Operation *op = value.getDefiningOp();
  return body && op && op->getBlock() == body && !isa<ContractOp>(op) &&
         value != leaf;
}

void Expression::collect(const Leaf &node, std::set<Leaf> &visited) {
  if (!visited.insert(node).second)
    return;
  if (!isComputed(node.value))
    leaves.push_back(node);
  else if (auto pointwise = PointwiseOp::get(node.value.getDefiningOp()))
    for (const PointwiseOp::Operand &operand : pointwise->operands)
      collect({operand.value, compose(node.axes, operand.axes)}, visited);
}

namespace {

class Emitter {
public:
  Emitter(OpBuilder &builder, function_ref<Type(Type)> getType,
          function_ref<bool(Value)> isComputed,
          function_ref<Value(const Leaf &)> getLeaf)
      : builder(builder), getType(getType), isComputed(isComputed),
        getLeaf(getLeaf) {}

  Value emit(const Leaf &node) {
    auto known = values.find(node);
    if (known != values.end())
      return known->second;
    Value value = isComputed(node.value)
                      ? compute(node.value.getDefiningOp(), node.axes)
                      : getLeaf(node);
    return values[node] = value;
  }

private:
  Value compute(Operation *op, ArrayRef<unsigned> axes) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return emitConstant(constant);
    // Nothing is promised about its elements.
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return arith::ConstantOp::create(
          builder, op->getLoc(),
          cast<TypedAttr>(
              builder.getZeroAttr(getType(empty.getType().getElementType()))));
    auto pointwise = PointwiseOp::get(op);
    assert(pointwise && "the verifier of einsum.kernel checked this");
    SmallVector<Value> operands;
    for (const PointwiseOp::Operand &operand : pointwise->operands)
      operands.push_back(emit({operand.value, compose(axes, operand.axes)}));
    IRMapping mapping;
    if (!pointwise->body) {
      mapping.map(op->getOperands(), operands);
      return emitClone(op, mapping);
    }
    // Nothing is read of `outs`.
    for (auto [argument, operand] :
         llvm::zip(pointwise->body->getArguments(), operands))
      mapping.map(argument, operand);
    auto getInner = [&](Value value) {
      if (!mapping.contains(value))
        mapping.map(value,
                    emitConstant(value.getDefiningOp<arith::ConstantOp>()));
      return mapping.lookup(value);
    };
    for (Operation &inner : pointwise->body->without_terminator()) {
      if (isa<arith::ConstantOp>(inner))
        continue;
      for (Value operand : inner.getOperands())
        getInner(operand);
      mapping.map(inner.getResult(0), emitClone(&inner, mapping));
    }
    return getInner(pointwise->body->getTerminator()->getOperand(0));
  }

  Value emitClone(Operation *op, IRMapping &mapping) {
    Operation *clone = builder.clone(*op, mapping);
    Value result = clone->getResult(0);
    result.setType(getType(getElementTypeOrSelf(result.getType())));
    return result;
  }

  Value emitConstant(arith::ConstantOp op) {
    TypedAttr value = op.getValue();
    if (auto elements = dyn_cast<DenseElementsAttr>(value))
      value = elements.getSplatValue<TypedAttr>();
    if (auto type = dyn_cast<ShapedType>(getType(value.getType())))
      value = DenseElementsAttr::get(type, Attribute(value));
    return arith::ConstantOp::create(builder, op.getLoc(), value);
  }

  OpBuilder &builder;
  function_ref<Type(Type)> getType;
  function_ref<bool(Value)> isComputed;
  function_ref<Value(const Leaf &)> getLeaf;
  std::map<Leaf, Value> values;
};

} // namespace

Value Expression::emit(OpBuilder &builder, function_ref<Type(Type)> getType,
                       function_ref<Value(const Leaf &)> getLeaf) const {
  auto isComputedHere = [&](Value value) { return isComputed(value); };
  return Emitter(builder, getType, isComputedHere, getLeaf)
      .emit({root, identity});
}

Value Expression::emit(OpBuilder &builder, ArrayRef<int64_t> shape,
                       function_ref<Value(const Leaf &)> getTile) const {
  auto getType = [&](Type element) -> Type {
    return RankedTensorType::get(shape, element);
  };
  return emit(builder, getType, getTile);
}
