//===- TritonDialect.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialects and their types and attributes.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton;

#include "tileir/Dialect/Triton/IR/TritonDialect.cpp.inc"
#include "tileir/Dialect/Triton/IR/TritonEnums.cpp.inc"
#include "tileir/Dialect/Triton/IR/TritonGpuDialect.cpp.inc"

/// An address space: a number up to Triton 3.8, a name since.
static ParseResult parseAddressSpace(AsmParser &parser, int &space) {
  SMLoc where = parser.getCurrentLocation();
  std::string name;
  if (failed(parser.parseOptionalString(&name)))
    return parser.parseInteger(space);
  if (name == "global")
    space = PtrType::kGlobal;
  else if (name == "constant")
    space = PtrType::kConstant;
  else
    return parser.emitError(where)
           << "expected \"global\" or \"constant\", found \"" << name << "\"";
  return success();
}

static void printAddressSpace(AsmPrinter &printer, int space) {
  if (space == PtrType::kConstant)
    printer.printString("constant");
  else
    printer << space;
}

/// A block: its sizes and elements; up to Triton 3.8 the type of a tensor.
static ParseResult parseBlock(AsmParser &parser, SmallVector<int64_t> &shape,
                              Type &elementType) {
  SMLoc where = parser.getCurrentLocation();
  Type type;
  OptionalParseResult parsed = parser.parseOptionalType(type);
  if (!parsed.has_value())
    return failure(parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
                   parser.parseType(elementType));
  if (failed(*parsed))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return parser.emitError(where)
           << "expected a block, as 64x32xf16 or tensor<64x32xf16>, found "
           << type;
  llvm::append_range(shape, tensor.getShape());
  elementType = tensor.getElementType();
  return success();
}

static void printBlock(AsmPrinter &printer, ArrayRef<int64_t> shape,
                       Type elementType) {
  printer.printDimensionList(shape);
  printer << 'x' << elementType;
}

#define GET_ATTRDEF_CLASSES
#include "tileir/Dialect/Triton/IR/TritonAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tileir/Dialect/Triton/IR/TritonTypes.cpp.inc"

LogicalResult
TensorDescType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                       ArrayRef<int64_t> shape, Type elementType) {
  if (!shape.empty() && isa<IntegerType, FloatType>(elementType) &&
      llvm::all_of(shape, [](int64_t size) { return size > 0; }))
    return success();
  InFlightDiagnostic error = emitError();
  error << "expected a block of numbers with axes of static, positive sizes, "
           "found elements of "
        << elementType << " and the sizes [";
  llvm::interleaveComma(shape, error);
  return error << "]";
}

RankedTensorType TensorDescType::getBlock() const {
  Type element = getElementType();
  if (element.isSignedInteger() || element.isUnsignedInteger())
    element = IntegerType::get(getContext(), element.getIntOrFloatBitWidth());
  return RankedTensorType::get(getShape(), element);
}

void TTDialect::initialize() {
  registerOperations();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tileir/Dialect/Triton/IR/TritonAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tileir/Dialect/Triton/IR/TritonTypes.cpp.inc"
      >();
}

bool triton::isTile(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() &&
         llvm::all_of(tensor.getShape(), [](int64_t size) { return size > 0; });
}

Type triton::getElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

Type triton::withElement(Type type, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.clone(element) : element;
}

Type triton::getPointee(Type pointers) {
  auto pointer = dyn_cast<PtrType>(getElement(pointers));
  // Other operands are refused by their own constraints, with a better message.
  return pointer ? withElement(pointers, pointer.getPointee()) : pointers;
}
