//===- Arguments.cpp - Entry function and its inputs ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Arguments.h"

#include "tileir/Execution/Inputs.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::execution;

static std::string toString(mlir::Type type) {
  std::string text;
  raw_string_ostream(text) << type;
  return text;
}

static Error checkEntryTypes(func::FuncOp entry) {
  auto check = [&](TypeRange types, StringRef what) -> Error {
    for (auto [i, type] : llvm::enumerate(types)) {
      auto shaped = dyn_cast<ShapedType>(type);
      if (!isa<RankedTensorType, MemRefType>(type) ||
          !getElementKind(shaped.getElementType()))
        return createStringError("@" + entry.getName() + ": " + what + " " +
                                 Twine(i) + " has type " + toString(type) +
                                 ": expected a ranked tensor or memref of i1, "
                                 "i8, i16, i32, i64, index, f16, bf16, f32 or "
                                 "f64 elements");
      auto memref = dyn_cast<MemRefType>(type);
      if (memref && !memref.getLayout().isIdentity())
        return createStringError("@" + entry.getName() + ": " + what + " " +
                                 Twine(i) + " has type " + toString(type) +
                                 ": expected a memref without a layout");
    }
    return Error::success();
  };
  if (Error error = check(entry.getArgumentTypes(), "argument"))
    return error;
  return check(entry.getResultTypes(), "result");
}

Expected<func::FuncOp> execution::findEntry(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && function.isPublic())
      functions.push_back(function);
  auto describe = [&] {
    std::string text = functions.empty() ? "it has none" : "it has ";
    raw_string_ostream os(text);
    llvm::interleaveComma(functions, os, [&](func::FuncOp function) {
      os << '@' << function.getName();
    });
    return text;
  };
  name.consume_front("@");
  func::FuncOp entry;
  for (func::FuncOp function : functions)
    if (function.getName() == (name.empty() ? StringRef("main") : name))
      entry = function;
  if (!entry && name.empty() && functions.size() == 1)
    entry = functions.front();
  if (!entry && name.empty())
    return createStringError("the file has no function @main: choose one by "
                             "--entry; " +
                             describe());
  if (!entry)
    return createStringError("no such entry '" + name +
                             "': expected a public function of the file; " +
                             describe());
  if (Error error = checkEntryTypes(entry))
    return std::move(error);
  return entry;
}

/// The kind of the elements of an argument. NumPy has no index type: it reads
/// as a 64-bit integer.
static ElementKind getKind(ShapedType type) {
  return *getElementKind(type.getElementType());
}

Expected<SmallVector<NDArray>>
execution::readInputs(func::FuncOp entry, ArrayRef<std::string> items,
                      uint64_t seed) {
  if (items.size() != entry.getNumArguments())
    return createStringError("--inputs: expected " +
                             Twine(entry.getNumArguments()) +
                             " files for the arguments of @" + entry.getName() +
                             ", found " + Twine(items.size()));
  SmallVector<NDArray> arrays;
  RandomArrays random(seed);
  for (auto [i, item] : llvm::enumerate(items)) {
    auto array = readInput(item, random);
    if (!array)
      return array.takeError();
    auto type = cast<ShapedType>(entry.getArgumentTypes()[i]);
    ElementKind kind = getKind(type);
    ElementKind found = array->getKind();
    if (kind == ElementKind::Index && found == ElementKind::I64)
      found = kind;
    if (found != kind ||
        failed(verifyCompatibleShape(type.getShape(), array->getShape())))
      return createStringError(
          item + ": expected " + shapeToString(type.getShape(), kind) +
          " for argument " + Twine(i) + " of @" + entry.getName() + ", found " +
          shapeToString(array->getShape(), array->getKind()));
    NDArray argument(kind, array->getShape());
    std::copy_n(array->getData(), array->getNumBytes(), argument.getData());
    arrays.push_back(std::move(argument));
  }
  return arrays;
}

double execution::getNumBytes(ArrayRef<int64_t> shape, double elementBytes) {
  for (int64_t size : shape)
    elementBytes *= static_cast<double>(size);
  return elementBytes;
}

Error execution::checkStaticSizes(ModuleOp module) {
  constexpr double kMaxBytes = 0x1p40;
  auto isTooLarge = [&](mlir::Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasStaticShape() ||
        !shaped.getElementType().isIntOrIndexOrFloat())
      return false;
    mlir::Type element = shaped.getElementType();
    double bytes =
        element.isIndex() ? 8 : element.getIntOrFloatBitWidth() / 8.0;
    return getNumBytes(shaped.getShape(), bytes) > kMaxBytes;
  };
  Operation *found = nullptr;
  mlir::Type type;
  module.walk([&](Operation *op) {
    for (mlir::Type result : op->getResultTypes())
      if (!found && isTooLarge(result)) {
        found = op;
        type = result;
      }
  });
  if (!found)
    return Error::success();
  found->emitError("a value of type ")
      << type << " is too large: expected at most 2^40 bytes";
  return createStringError("the program cannot run on this machine");
}

Expected<SmallVector<NDArray>> execution::drawInputs(func::FuncOp entry,
                                                     uint64_t seed) {
  RandomArrays random(seed);
  SmallVector<NDArray> arrays;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    auto type = cast<ShapedType>(entry.getArgumentTypes()[i]);
    SmallVector<int64_t> shape(type.getShape());
    if (!type.hasStaticShape()) {
      auto example =
          entry.getArgAttrOfType<DenseI64ArrayAttr>(i, "einsum.example_shape");
      if (!example)
        return createStringError(
            "--random: argument " + Twine(i) + " of @" + entry.getName() +
            " has dynamic sizes (" + toString(type) +
            "): give --inputs, or the attribute einsum.example_shape = "
            "array<i64: ...>");
      shape.assign(example.asArrayRef().begin(), example.asArrayRef().end());
    }
    // What would not fit in memory is better refused than tried.
    if (getNumBytes(shape, getElementSize(getKind(type))) > kMaxDrawnBytes)
      return createStringError("--random: argument " + Twine(i) + " of @" +
                               entry.getName() + " (" +
                               shapeToString(shape, getKind(type)) +
                               ") is too large: expected at most 2^31 bytes");
    int64_t low = kDrawnLow, high = kDrawnHigh;
    if (auto range = entry.getArgAttrOfType<DenseI64ArrayAttr>(
            i, "einsum.value_range")) {
      low = range[0];
      high = range[1];
    }
    arrays.push_back(random.draw(getKind(type), shape, low, high));
  }
  return arrays;
}

SmallVector<unsigned> execution::getWritableArguments(func::FuncOp entry) {
  SmallVector<unsigned> arguments;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    if (isa<MemRefType>(entry.getArgumentTypes()[i]))
      arguments.push_back(i);
  return arguments;
}
