//===- TileTypes.cpp ------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

#define GET_TYPEDEF_CLASSES
#include "tileir/Dialect/Tile/IR/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tileir/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
}

/// Verifies that memory can hold the type: numbers that have an address.
static LogicalResult
verifyInMemory(function_ref<InFlightDiagnostic()> emitError, Type type) {
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type) || type.isF16() ||
      type.isBF16() || type.isF32() || type.isF64() ||
      type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
      type.isSignlessInteger(32) || type.isSignlessInteger(64))
    return success();
  return emitError() << "expects elements of i8, i16, i32, i64, f8E4M3FN, "
                        "f8E5M2, f16, bf16, f32 or f64, found "
                     << type;
}

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError,
                              Type pointee) {
  return verifyInMemory(emitError, pointee);
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType,
                                 LayoutAttr layout) {
  for (int64_t size : shape)
    if (size < 1)
      return emitError() << "expects positive sizes, found " << size;
  if (layout && failed(layout.verifyBuffer(shape, emitError)))
    return failure();
  return verifyInMemory(emitError, elementType);
}

// `<` sizes `x` element (`,` layout)? `>`
Type BufferType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  LayoutAttr layout;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element) ||
      (succeeded(parser.parseOptionalComma()) &&
       parser.parseAttribute(layout)) ||
      parser.parseGreater())
    return {};
  return BufferType::getChecked([&] { return parser.emitError(loc); },
                                parser.getContext(), shape, element, layout);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  if (!getShape().empty())
    printer << 'x';
  printer << getElementType();
  if (getLayout())
    printer << ", " << getLayout();
  printer << '>';
}

LogicalResult
TensorMapType::verify(function_ref<InFlightDiagnostic()> emitError,
                      ArrayRef<int64_t> box, Type elementType, int64_t swizzle,
                      ArrayRef<int64_t> steps) {
  if (box.empty() || box.size() > 5 ||
      llvm::any_of(box, [](int64_t size) { return size < 1 || size > 256; }))
    return emitError() << "expects a box of 1 to 5 sizes from 1 to 256, found ["
                       << box << "]";
  if (failed(verifyInMemory(emitError, elementType)))
    return failure();
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return emitError() << "expects a swizzle of 0, 32, 64 or 128 bytes, found "
                       << swizzle;
  int64_t bytes = box.back() * elementType.getIntOrFloatBitWidth() / 8;
  if (bytes % 16 != 0 || (swizzle != 0 && bytes > swizzle))
    return emitError() << "expects a box whose last axis has a multiple of 16 "
                          "bytes, and no more than the swizzle, found "
                       << bytes << " bytes and a swizzle of " << swizzle;
  if (steps.size() != box.size() || steps.back() != 1 ||
      llvm::any_of(steps, [](int64_t step) { return step < 1 || step > 8; }))
    return emitError() << "expects a step from 1 to 8 for each size of the "
                          "box, the last one 1, found ["
                       << steps << "]";
  for (auto [size, step] : llvm::zip_equal(box, steps))
    if (size * step > 256)
      return emitError() << "expects sizes of the box that are at most 256 if "
                            "multiplied by their steps, found "
                         << size << " with a step of " << step;
  return success();
}

// `<` sizes `x` element (`,` `swizzle` `=` bytes)? (`,` `steps` `=` list)? `>`
Type TensorMapType::parse(AsmParser &parser) {
  SmallVector<int64_t> box;
  Type element;
  int64_t swizzle = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(box, /*allowDynamic=*/false) ||
      parser.parseType(element))
    return {};
  SmallVector<int64_t> steps(box.size(), 1);
  bool hasMore = succeeded(parser.parseOptionalComma());
  if (hasMore && succeeded(parser.parseOptionalKeyword("swizzle"))) {
    if (parser.parseEqual() || parser.parseInteger(swizzle))
      return {};
    hasMore = succeeded(parser.parseOptionalComma());
  }
  if (hasMore) {
    steps.clear();
    if (parser.parseKeyword("steps") || parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return parser.parseInteger(steps.emplace_back());
        }))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return TensorMapType::getChecked([&] { return parser.emitError(loc); },
                                   parser.getContext(), box, element, swizzle,
                                   steps);
}

void TensorMapType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getBox());
  printer << 'x' << getElementType();
  if (getSwizzle() != 0)
    printer << ", swizzle = " << getSwizzle();
  if (hasSteps())
    printer << ", steps = [" << getSteps() << ']';
  printer << '>';
}

bool TileType::isTile(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getRank() > 0 &&
         llvm::all_of(tensor.getShape(), [](int64_t size) { return size > 0; });
}

Type tile::getElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

Type tile::withElement(Type type, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.clone(element) : element;
}

ArrayRef<int64_t> tile::getShape(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

LayoutAttr tile::getLayout(Type type) {
  if (auto buffer = dyn_cast<BufferType>(type))
    return buffer.getLayout();
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_if_present<LayoutAttr>(tensor.getEncoding())
                : LayoutAttr();
}

FailureOr<SmallVector<int64_t>> tile::getBroadcastShape(ArrayRef<int64_t> lhs,
                                                        ArrayRef<int64_t> rhs) {
  if (lhs.size() < rhs.size())
    std::swap(lhs, rhs);
  SmallVector<int64_t> shape(lhs);
  size_t offset = lhs.size() - rhs.size();
  for (auto [i, size] : llvm::enumerate(rhs)) {
    int64_t &common = shape[offset + i];
    if (common == 1)
      common = size;
    else if (size != 1 && size != common)
      return failure();
  }
  return shape;
}
