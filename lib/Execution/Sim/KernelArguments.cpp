//===- KernelArguments.cpp - Arguments of a kernel ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim/KernelArguments.h"

#include "tileir/Execution/Inputs.h"

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;

namespace {
/// LLVM's name of an element kind.
struct KindName {
  ElementKind kind;
  StringRef llvm;
};
} // namespace

static constexpr KindName kScalars[] = {
    {ElementKind::I1, "i1"},       {ElementKind::I8, "i8"},
    {ElementKind::I16, "i16"},     {ElementKind::I32, "i32"},
    {ElementKind::I64, "i64"},     {ElementKind::F16, "half"},
    {ElementKind::BF16, "bfloat"}, {ElementKind::F32, "float"},
    {ElementKind::F64, "double"}};

bool execution::isBuffer(const sim::KernelArgument &argument) {
  // One that is passed by value is a pointer in LLVM's types only.
  return argument.isPointer && !argument.byval;
}

/// The kind of a scalar of an argument's type; nothing if it is none.
static std::optional<ElementKind> getScalarKind(StringRef type) {
  for (const KindName &entry : kScalars)
    if (entry.llvm == type)
      return entry.kind;
  return std::nullopt;
}

/// A bare number has the type of its argument: "5" is "i32:5".
static std::string addType(StringRef item,
                           const sim::KernelArgument &argument) {
  std::optional<ElementKind> kind = getScalarKind(argument.type);
  if (!kind || isBuffer(argument))
    return item.str();
  return addScalarKind(item, *kind);
}

/// Checks that a value has the size that the argument has.
static Error checkArgument(const sim::Kernel &kernel, unsigned i,
                           StringRef item, const NDArray &array) {
  const sim::KernelArgument &argument = kernel.arguments[i];
  auto fail = [&](const Twine &expected) {
    return createStringError(
        "--inputs: argument " + Twine(i) + " of @" + kernel.name +
        " has type " + argument.type + ": expected " + expected + ", found '" +
        item + "' of " + shapeToString(array.getShape(), array.getKind()));
  };
  if (isBuffer(argument)) {
    if (isScalarInput(item))
      return fail("an array to point at");
    return Error::success();
  }
  if (std::optional<ElementKind> kind = getScalarKind(argument.type)) {
    if (array.getKind() == *kind && array.getShape().empty())
      return Error::success();
    return fail("a scalar, such as " + getElementName(*kind) + ":1");
  }
  if (array.getNumBytes() == argument.bytes)
    return Error::success();
  return fail("an array of " + Twine(argument.bytes) + " bytes");
}

Expected<SmallVector<NDArray>>
execution::readKernelArguments(const sim::Kernel &kernel,
                               ArrayRef<std::string> items,
                               ArrayRef<PointerItem> pointers, uint64_t seed) {
  if (items.size() != kernel.arguments.size()) {
    std::string types;
    for (const sim::KernelArgument &argument : kernel.arguments)
      types += (types.empty() ? "" : ", ") + argument.type;
    return createStringError("--inputs: expected " +
                             Twine(kernel.arguments.size()) +
                             " values for the arguments of @" + kernel.name +
                             " (" + types + "), found " + Twine(items.size()));
  }
  RandomArrays random(seed);
  SmallVector<NDArray> arrays;
  for (auto [i, given] : enumerate(items)) {
    if (!pointers[i].isPlain() && !isBuffer(kernel.arguments[i]))
      return createStringError("--inputs: '" + given + "': argument " +
                               Twine(i) + " of @" + kernel.name + " has type " +
                               kernel.arguments[i].type +
                               ": expected a pointer");
    if (pointers[i].same) {
      arrays.emplace_back(ElementKind::I8, ArrayRef<int64_t>{0});
      continue;
    }
    std::string item = addType(pointers[i].array, kernel.arguments[i]);
    auto array = readInput(item, random, UnsignedIntegers::Bits);
    if (!array)
      return array.takeError();
    if (Error error = checkArgument(kernel, i, item, *array))
      return std::move(error);
    arrays.push_back(std::move(*array));
  }
  for (auto [i, pointer] : enumerate(pointers)) {
    unsigned owner = pointer.same.value_or(i);
    if (pointer.same && !isBuffer(kernel.arguments[owner]))
      return createStringError("--inputs: '" + items[i] + "': argument " +
                               Twine(owner) + " of @" + kernel.name +
                               " has no array");
    if (Error error =
            checkOffset(items[i], pointer, arrays[owner].getNumElements()))
      return std::move(error);
  }
  return arrays;
}
