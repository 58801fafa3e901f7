//===- Checks.cpp - Checked operations on arrays --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that handlers share: each function either does what it says or fails
// after an error that tells what was found and what was expected.
//
//===----------------------------------------------------------------------===//

#include "Tile/TileLaunch.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

FailureOr<ElementKind> interp::getKind(Operation *op, Type type) {
  Type element = getElementTypeOrSelf(type);
  auto kind =
      isa<tile::PtrType>(element) ? kPointerKind : getElementKind(element);
  auto vector = dyn_cast<VectorType>(type);
  if (!kind || (vector && (vector.getRank() != 1 || vector.isScalable())))
    return op->emitError(kUnknownToInterpreter) << "values of type " << type;
  return *kind;
}

FailureOr<const Array *> interp::getLive(Evaluator &evaluator, Operation *op,
                                         Value value) {
  const Array &array = evaluator.getArray(value);
  if (array.storage->isFreed)
    return op->emitError("uses memory that was freed");
  return &array;
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
                                       ArrayRef<int64_t> index,
                                       TileElement element) {
  if (array.contains(index))
    return array.getPosition(index);
  if (index.size() != array.shape.size())
    return op->emitError("has ") << index.size() << " indices for an array of "
                                 << array.getRank() << " axes";
  return op->emitError(inElement(element))
         << "index " << formatIndex(index) << " is outside of the shape "
         << toString(array.shape);
}

FailureOr<Element> interp::getElement(Evaluator &evaluator, Operation *op,
                                      Value memref, ArrayRef<int64_t> index,
                                      Access access, TileElement element) {
  auto array = getLive(evaluator, op, memref);
  if (failed(array))
    return failure();
  auto position = getPosition(op, **array, index, element);
  if (failed(position))
    return failure();
  if (evaluator.launch)
    evaluator.launch->beginOp();
  if (failed(noteAccess(evaluator, op, **array, *position, access, element)))
    return failure();
  return Element{*array, *position};
}

LogicalResult interp::noteAccess(Evaluator &evaluator, Operation *op,
                                 const Array &array, int64_t position,
                                 Access access, TileElement element) {
  if (!evaluator.launch)
    return success();
  return evaluator.launch->access(op, array, position, access, element);
}

LogicalResult interp::checkNoPoison(Operation *op, const Array &array,
                                    StringRef what) {
  if (!array.storage->hasStates())
    return success();
  int64_t number = 0;
  return success(forEachIndex(array.shape, [&](ArrayRef<int64_t> index) {
    if (array.getState(array.getPosition(index)) == Storage::State::Poison)
      return succeeded(emitPoison(op, what, {array.shape, number}));
    ++number;
    return true;
  }));
}

LogicalResult interp::emitPoison(Operation *op, StringRef what,
                                 TileElement element) {
  return op->emitError(inElement(element))
         << "depends on " << what
         << " that is poison (no predicate of a tile.psi was true there, no "
            "tile.mma_wait has waited for a tile.mma_async, or ub.poison)";
}

FailureOr<RuntimeValue> interp::makePoison(Operation *op, Type type) {
  auto kind = getKind(op, type);
  if (failed(kind))
    return failure();
  if (!isa<ShapedType>(type))
    return RuntimeValue(Scalar{*kind, 0, /*isPoison=*/true});
  auto shaped = cast<ShapedType>(type);
  if (!isa<RankedTensorType, VectorType>(type) || !shaped.hasStaticShape())
    return emitPoison(op, "a condition");
  auto array = allocate(op, *kind, shaped.getShape());
  if (failed(array))
    return failure();
  array->storage->setState(0, array->storage->getNumBytes(),
                           Storage::State::Poison);
  return RuntimeValue(std::move(*array));
}

std::string interp::inElement(TileElement element) {
  if (element.shape.empty())
    return "";
  return "element " + formatIndex(delinearize(element)) + ": ";
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
    result.strides[axis] = static_cast<int64_t>(uint64_t(array.strides[axis]) *
                                                uint64_t(strides[axis]));
    result.offset +=
        static_cast<int64_t>(uint64_t(array.strides[axis]) * uint64_t(first));
  }
  return result;
}

Array interp::dropAxes(const Array &array,
                       const llvm::SmallBitVector &dropped) {
  Array result = array;
  result.shape.clear();
  result.strides.clear();
  for (int64_t axis = 0; axis < array.getRank(); ++axis) {
    if (dropped.test(axis))
      continue;
    result.shape.push_back(array.shape[axis]);
    result.strides.push_back(array.strides[axis]);
  }
  return result;
}

FailureOr<Array> interp::reshape(Operation *op, const Array &array,
                                 ArrayRef<int64_t> shape) {
  if (!array.isDense())
    return op->emitError("reshapes an array that is not contiguous");
  bool isNegative = llvm::any_of(shape, [](int64_t size) { return size < 0; });
  if (isNegative || getProduct(shape) != array.getNumElements())
    return op->emitError("reshapes ")
           << interp::toString(array.shape) << " to " << interp::toString(shape)
           << ", which does not have as many elements";
  Array result = array;
  result.shape.assign(shape.begin(), shape.end());
  result.strides = getDenseStrides(shape);
  return result;
}

LogicalResult interp::copy(Operation *op, const Array &from, const Array &to) {
  if (failed(checkSameShape(op, from, "the source", to, "the target")))
    return failure();
  copyElements(from, to);
  return success();
}

FailureOr<int64_t> interp::getTripCount(Operation *op, int64_t lower,
                                        int64_t upper, int64_t step) {
  if (step <= 0)
    return op->emitError("has step ") << step << ", expected a positive one";
  if (lower >= upper)
    return 0;
  uint64_t count = llvm::divideCeil(uint64_t(upper) - uint64_t(lower), step);
  if (count > uint64_t(std::numeric_limits<int64_t>::max()))
    return op->emitError("has more than 2^63 iterations");
  return int64_t(count);
}
