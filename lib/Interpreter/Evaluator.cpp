//===- Evaluator.cpp - What executes ops ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The environment, dispatch, regions and calls, and the checks that handlers
// share. Every array that an op gives is checked against its type here, so
// handlers only compute.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

/// Nested regions and calls: each takes some KiB of the stack.
static constexpr unsigned kMaxDepth = 1000;

//===----------------------------------------------------------------------===//
// Environment
//===----------------------------------------------------------------------===//

const RuntimeValue &Evaluator::get(Value value) const {
  auto it = frames.back().find(value);
  assert(it != frames.back().end() && "a value is set before it is used");
  return it->second;
}

SmallVector<RuntimeValue> Evaluator::get(ValueRange values) const {
  return llvm::map_to_vector(values, [&](Value value) { return get(value); });
}

Scalar Evaluator::getScalar(Value value) const {
  return std::get<Scalar>(get(value));
}

const Array &Evaluator::getArray(Value value) const {
  return std::get<Array>(get(value));
}

int64_t Evaluator::getInt(Value value) const {
  return toSigned(getScalar(value));
}

int64_t Evaluator::getInt(OpFoldResult value) const {
  if (auto attr = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attr).getInt();
  return getInt(cast<Value>(value));
}

SmallVector<int64_t> Evaluator::getInts(ValueRange values) const {
  return llvm::map_to_vector(values,
                             [&](Value value) { return getInt(value); });
}

SmallVector<int64_t> Evaluator::getInts(ArrayRef<OpFoldResult> values) const {
  return llvm::map_to_vector(values,
                             [&](OpFoldResult value) { return getInt(value); });
}

void Evaluator::set(Value value, RuntimeValue runtimeValue) {
  frames.back()[value] = std::move(runtimeValue);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static const HandlerTable &getHandlers() {
  static const HandlerTable handlers = [] {
    HandlerTable table;
    addAffineHandlers(table);
    addArithHandlers(table);
    addArithFloatHandlers(table);
    addBufferizationHandlers(table);
    addControlHandlers(table);
    addEinsumHandlers(table);
    addLinalgHandlers(table);
    addMathHandlers(table);
    addMemRefHandlers(table);
    addMemRefViewHandlers(table);
    addTensorHandlers(table);
    addTensorSliceHandlers(table);
    return table;
  }();
  return handlers;
}

static LogicalResult unknown(Operation *op) {
  return op->emitError("the interpreter does not know this op: '")
         << op->getName() << "'";
}

LogicalResult Evaluator::run(Operation *op) {
  const Handler *handler = getHandlers().lookup(op);
  if (!handler)
    return unknown(op);
  return failed((*handler)(*this, op)) ? failure() : checkResults(op);
}

LogicalResult Evaluator::checkResults(Operation *op) {
  for (OpResult result : op->getResults())
    if (auto *array = std::get_if<Array>(&get(result)))
      if (failed(checkType(op, *array, result.getType(),
                           "result " + Twine(result.getResultNumber()))))
        return failure();
  return success();
}

/// Whether `op` ends a region, and its operands are what the op around it gets.
static bool leavesRegion(Operation *op) {
  return op->hasTrait<OpTrait::ReturnLike>() ||
         isa<RegionBranchTerminatorOpInterface, scf::ReduceOp,
             scf::InParallelOp>(op);
}

FailureOr<Operation *> Evaluator::run(Region &region,
                                      ArrayRef<RuntimeValue> arguments) {
  Operation *parent = region.getParentOp();
  if (depth == kMaxDepth)
    return parent->emitError("nested too deeply: ")
           << kMaxDepth << " regions or calls are within each other";
  if (region.empty() ||
      region.front().getNumArguments() != arguments.size())
    return unknown(parent);
  ++depth;
  llvm::scope_exit leave([&] { --depth; });

  Block *block = &region.front();
  for (auto [argument, value] :
       llvm::zip_equal(block->getArguments(), arguments))
    set(argument, value);
  while (true) {
    if (!block->mightHaveTerminator())
      return unknown(parent);
    for (Operation &op : block->without_terminator())
      if (failed(run(&op)))
        return failure();
    Operation *terminator = block->getTerminator();
    if (leavesRegion(terminator))
      return terminator;
    auto branch = dyn_cast<BranchOpInterface>(terminator);
    if (!branch)
      return unknown(terminator);
    SmallVector<Attribute> operands;
    for (Value operand : terminator->getOperands()) {
      auto *scalar = std::get_if<Scalar>(&get(operand));
      auto type = dyn_cast<IntegerType>(operand.getType());
      operands.push_back(scalar && type
                             ? IntegerAttr::get(type, scalar->bits)
                             : Attribute());
    }
    block = branch.getSuccessorForOperands(operands);
    if (!block)
      return unknown(terminator);
    unsigned successor = llvm::find(terminator->getSuccessors(), block) -
                         terminator->getSuccessors().begin();
    // All operands are read before an argument changes.
    SuccessorOperands passed = branch.getSuccessorOperands(successor);
    SmallVector<RuntimeValue> values = get(passed.getForwardedOperands());
    for (auto [argument, value] : llvm::zip_equal(block->getArguments(), values))
      set(argument, value);
  }
}

FailureOr<SmallVector<RuntimeValue>>
Evaluator::call(Operation *caller, func::FuncOp callee,
                ArrayRef<RuntimeValue> arguments) {
  if (callee.isExternal())
    return caller->emitError("cannot call '")
           << callee.getSymName() << "': it has no body";
  frames.emplace_back();
  llvm::scope_exit leave([&] { frames.pop_back(); });
  auto terminator = run(callee.getBody(), arguments);
  if (failed(terminator))
    return failure();
  return get((*terminator)->getOperands());
}

const Handler *HandlerTable::lookup(Operation *op) const {
  auto it = table.find(op->getName().getTypeID());
  return it == table.end() ? nullptr : &it->second;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

FailureOr<ElementKind> interp::getKind(Operation *op, Type type) {
  auto kind = getElementKind(getElementTypeOrSelf(type));
  if (!kind || isa<VectorType>(type))
    return op->emitError("the interpreter has no values of type ") << type;
  return *kind;
}

FailureOr<Array> interp::getLive(Evaluator &evaluator, Operation *op,
                                 Value value) {
  const Array &array = evaluator.getArray(value);
  if (array.storage->isFreed)
    return op->emitError("uses memory that was freed");
  return array;
}

FailureOr<Array> interp::allocate(Operation *op, ElementKind kind,
                                  ArrayRef<int64_t> shape) {
  for (auto [axis, size] : llvm::enumerate(shape))
    if (size < 0)
      return op->emitError("the size of axis ")
             << axis << " is negative: " << size;
  auto array = allocate(kind, shape);
  if (!array)
    return op->emitError("cannot allocate ") << shapeToString(shape, kind);
  return std::move(*array);
}

FailureOr<Array> interp::clone(Operation *op, const Array &array) {
  auto copy = allocate(op, array.kind, array.shape);
  if (succeeded(copy))
    copyElements(array, *copy);
  return copy;
}

SmallVector<int64_t> interp::fillShape(ShapedType type,
                                       ArrayRef<int64_t> dynamicSizes) {
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &size : shape)
    if (ShapedType::isDynamic(size)) {
      size = dynamicSizes.front();
      dynamicSizes = dynamicSizes.drop_front();
    }
  return shape;
}

FailureOr<int64_t> interp::getPosition(Operation *op, const Array &array,
                                       ArrayRef<int64_t> index) {
  if (array.contains(index))
    return array.getPosition(index);
  if (index.size() != array.shape.size())
    return op->emitError("has ") << index.size() << " indices for an array of "
                                 << array.getRank() << " axes";
  auto diagnostic = op->emitError("index (");
  llvm::interleaveComma(index, diagnostic);
  return diagnostic << ") is outside of the shape " << toString(array.shape);
}

LogicalResult interp::checkSameShape(Operation *op, const Array &left,
                                     StringRef leftName, const Array &right,
                                     StringRef rightName) {
  if (left.shape == right.shape)
    return success();
  return op->emitError("the shape of ")
         << leftName << " is " << toString(left.shape) << ", but that of "
         << rightName << " is " << toString(right.shape);
}

LogicalResult interp::checkType(Operation *op, const Array &array, Type type,
                                const Twine &what) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return success();
  auto mismatch = [&](StringRef property, ArrayRef<int64_t> found) {
    return op->emitError(what) << " has " << property << " " << toString(found)
                               << ", which its type " << type << " excludes";
  };
  if (array.getRank() != shaped.getRank())
    return mismatch("the shape", array.shape);
  for (auto [size, expected] : llvm::zip_equal(array.shape, shaped.getShape()))
    if (!ShapedType::isDynamic(expected) && size != expected)
      return mismatch("the shape", array.shape);

  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || array.getNumElements() == 0)
    return success();
  if (memref.getLayout().isIdentity()) {
    if (!array.isDense() || array.offset != 0)
      return mismatch("the strides", array.strides);
    return success();
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(memref.getStridesAndOffset(strides, offset)))
    return op->emitError("the interpreter needs strided memrefs, found ")
           << type;
  for (auto [size, stride, expected] :
       llvm::zip_equal(array.shape, array.strides, strides))
    if (size > 1 && !ShapedType::isDynamic(expected) && stride != expected)
      return mismatch("the strides", array.strides);
  if (!ShapedType::isDynamic(offset) && array.offset != offset)
    return mismatch("the offset", {array.offset});
  return success();
}

FailureOr<Array> interp::slice(Operation *op, const Array &array,
                               ArrayRef<int64_t> offsets,
                               ArrayRef<int64_t> sizes,
                               ArrayRef<int64_t> strides) {
  Array result = array;
  for (int64_t axis = 0; axis < array.getRank(); ++axis) {
    int64_t first = offsets[axis], size = sizes[axis];
    if (size < 0)
      return op->emitError("the size of axis ")
             << axis << " is negative: " << size;
    auto last = llvm::checkedMulAdd(size - 1, strides[axis], first);
    auto inside = [&](int64_t index) {
      return index >= 0 && index < array.shape[axis];
    };
    if (size > 0 && (!last || !inside(first) || !inside(*last)))
      return op->emitError("the slice of axis ")
             << axis << " (offset " << first << ", size " << size << ", stride "
             << strides[axis] << ") is not inside of its size "
             << array.shape[axis];
    result.shape[axis] = size;
    // Wraps only where the slice is empty or has one element.
    result.strides[axis] = static_cast<int64_t>(
        uint64_t(array.strides[axis]) * uint64_t(strides[axis]));
    result.offset += static_cast<int64_t>(uint64_t(array.strides[axis]) *
                                          uint64_t(first));
  }
  return result;
}
