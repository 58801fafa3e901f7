//===- EinsumDialect.cpp - The einsum dialect -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration of attributes and operations, and the checks of the attributes
// that the dialect gives to function arguments.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/ArgumentAttributes.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tileir::einsum;

#include "tileir/Dialect/Einsum/IR/EinsumDialect.cpp.inc"

void EinsumDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "tileir/Dialect/Einsum/IR/EinsumOps.cpp.inc"
      >();
}

/// `einsum.value_range`: two integers lo <= hi on integers.
static LogicalResult verifyValueRange(Operation *op, Type type,
                                      NamedAttribute attr) {
  auto range = dyn_cast<DenseI64ArrayAttr>(attr.getValue());
  if (!range || range.size() != 2 || range[0] > range[1])
    return op->emitOpError("expects ")
           << attr.getName()
           << " to be array<i64: lo, hi> with lo <= hi, found "
           << attr.getValue();
  Type element = getElementTypeOrSelf(type);
  if (element.isIntOrIndex() && !element.isIndex() &&
      (!llvm::isIntN(element.getIntOrFloatBitWidth(), range[0]) ||
       !llvm::isIntN(element.getIntOrFloatBitWidth(), range[1])))
    return op->emitOpError("expects ")
           << attr.getName() << " to fit in " << element << ", found "
           << attr.getValue();
  if (!element.isIntOrIndex())
    return op->emitOpError("expects ")
           << attr.getName() << " on an argument with integer elements, found "
           << type;
  return success();
}

/// `einsum.example_shape`: sizes that agree with the static ones of the type.
static LogicalResult verifyExampleShape(Operation *op, Type type,
                                        NamedAttribute attr) {
  auto sizes = dyn_cast<DenseI64ArrayAttr>(attr.getValue());
  auto shaped = cast<ShapedType>(type);
  if (!sizes || !shaped.hasRank() || sizes.size() != shaped.getRank() ||
      llvm::any_of(sizes.asArrayRef(), [](int64_t s) { return s < 0; }) ||
      failed(verifyCompatibleShape(shaped.getShape(), sizes.asArrayRef())))
    return op->emitOpError("expects ")
           << attr.getName()
           << " to be array<i64: ...> with a size for each axis of " << type
           << ", found " << attr.getValue();
  return success();
}

//===----------------------------------------------------------------------===//
// Promises of sizes
//===----------------------------------------------------------------------===//

bool tileir::einsum::isEmptyPromise(StringRef attribute, int64_t number) {
  if (attribute == kAtMost)
    return number == -1;
  return number == (attribute == kMultipleOf ? 1 : 0);
}

bool SizePromise::isKept(int64_t size) const {
  return attribute == kMultipleOf ? size % number == 0
         : attribute == kAtLeast  ? size >= number
                                  : size <= number;
}

std::string SizePromise::getError(FunctionOpInterface function,
                                  StringRef size) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "argument " << argument << " of @" << function.getName() << " has size "
     << size << " in axis " << axis << ", expected "
     << (attribute == kMultipleOf ? "a multiple of "
         : attribute == kAtLeast  ? "at least "
                                  : "at most ")
     << number << " (" << attribute << ")";
  return text;
}

SmallVector<SizePromise>
tileir::einsum::listSizePromises(FunctionOpInterface function) {
  SmallVector<SizePromise> promises;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (StringRef name : {kMultipleOf, kAtLeast, kAtMost})
      // Numbers have no sizes, whatever is written there.
      if (!isa<ShapedType>(function.getArgumentTypes()[i]))
        break;
      else if (auto numbers =
                   function.getArgAttrOfType<DenseI64ArrayAttr>(i, name))
        for (auto [axis, number] : llvm::enumerate(numbers.asArrayRef()))
          if (!isEmptyPromise(name, number))
            promises.push_back({i, int64_t(axis), name, number});
  return promises;
}

/// An entry for each axis, which the static sizes keep.
static LogicalResult verifySizePromises(Operation *op, Type type,
                                        NamedAttribute attr) {
  StringRef name = attr.getName();
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attr.getValue());
  auto shaped = cast<ShapedType>(type);
  int64_t least = name == kMultipleOf ? 1 : name == kAtLeast ? 0 : -1;
  if (!numbers || !shaped.hasRank() || numbers.size() != shaped.getRank() ||
      llvm::any_of(numbers.asArrayRef(),
                   [&](int64_t number) { return number < least; }))
    return op->emitOpError("expects ")
           << name << " to be array<i64: ...> with a number of at least "
           << least << " for each axis of " << type << ", found "
           << attr.getValue();
  for (auto [axis, number] : llvm::enumerate(numbers.asArrayRef())) {
    SizePromise promise{0, int64_t(axis), name, number};
    int64_t size = shaped.getDimSize(axis);
    if (!ShapedType::isDynamic(size) && !isEmptyPromise(name, number) &&
        !promise.isKept(size))
      return op->emitOpError("expects ")
             << name << " to hold for the sizes that " << type << " has, found "
             << number << " for axis " << axis << " of size " << size;
  }
  return success();
}

LogicalResult EinsumDialect::verifyRegionArgAttribute(Operation *op,
                                                      unsigned region,
                                                      unsigned arg,
                                                      NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || arg >= function.getNumArguments())
    return op->emitOpError("expects ")
           << attr.getName() << " on the argument of a function";
  Type type = function.getArgumentTypes()[arg];
  // Lowered functions keep the attributes, on whatever the arguments become.
  if (!isa<ShapedType>(type))
    return success();
  if (attr.getName() == "einsum.value_range")
    return verifyValueRange(op, type, attr);
  if (attr.getName() == "einsum.example_shape")
    return verifyExampleShape(op, type, attr);
  if (attr.getName() == kMultipleOf || attr.getName() == kAtLeast ||
      attr.getName() == kAtMost)
    return verifySizePromises(op, type, attr);
  return op->emitOpError("expects einsum.value_range, einsum.example_shape, ")
         << kMultipleOf << ", " << kAtLeast << " or " << kAtMost
         << ", found unknown attribute " << attr.getName();
}

void tileir::einsum::removeArgumentAttributes(FunctionOpInterface function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (NamedAttribute attr :
         llvm::to_vector(function_interface_impl::getArgAttrs(function, i)))
      if (isa_and_nonnull<EinsumDialect>(attr.getNameDialect()))
        function.removeArgAttr(i, attr.getName());
}
