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
  return op->emitOpError("expects einsum.value_range or einsum.example_shape, "
                         "found unknown attribute ")
         << attr.getName();
}

void tileir::einsum::removeArgumentAttributes(FunctionOpInterface function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (NamedAttribute attr :
         llvm::to_vector(function_interface_impl::getArgAttrs(function, i)))
      if (isa_and_nonnull<EinsumDialect>(attr.getNameDialect()))
        function.removeArgAttr(i, attr.getName());
}
