//===- TileKernel.cpp - Launch a kernel of tiles by itself ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is run by host code that does nothing else than launch it, so that
// every backend, --check and --bisect treat it like any other program.
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/TileKernel.h"

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Execution/Inputs.h"
#include "tileir/Execution/PointerItems.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;

bool execution::hasTileKernels(ModuleOp module) {
  return any_of(module.getOps<func::FuncOp>(), tile::isKernel);
}

static Expected<func::FuncOp> findKernel(ModuleOp module, StringRef name) {
  name.consume_front("@");
  SmallVector<func::FuncOp> found;
  std::string all;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!tile::isKernel(function) || function.isExternal())
      continue;
    all += (all.empty() ? "it has @" : ", @") + function.getName().str();
    if (name.empty() || function.getName() == name)
      found.push_back(function);
  }
  if (found.size() == 1)
    return found.front();
  if (all.empty())
    all = "it has none";
  if (name.empty())
    return createStringError("--grid: expected one function with tile.kernel, "
                             "or --entry to choose one; " +
                             all);
  return createStringError("no such kernel '" + name +
                           "': expected a function of the file with "
                           "tile.kernel; " +
                           all);
}

/// "argument 1", with its name in the language that the kernel was written in.
static std::string describeArgument(func::FuncOp kernel, unsigned i) {
  std::string text = "argument " + std::to_string(i);
  if (auto name = dyn_cast<NameLoc>(kernel.getArgument(i).getLoc()))
    text += " '" + name.getName().str() + "'";
  return text;
}

/// The argument of kind `type` that an item stands for.
static Expected<NDArray> readArgument(func::FuncOp kernel, unsigned i,
                                      StringRef given, RandomArrays &random) {
  mlir::Type type = kernel.getArgumentTypes()[i];
  std::string item = given.str();
  if (std::optional<ElementKind> scalar = getElementKind(type))
    item = addScalarKind(given, scalar == ElementKind::Index ? ElementKind::I64
                                                             : *scalar);
  auto array = readInput(item, random);
  if (!array)
    return array;
  auto memref = dyn_cast<MemRefType>(type);
  auto pointer = dyn_cast<tile::PtrType>(type);
  auto fail = [&](const Twine &expected) {
    return createStringError(
        "--inputs: " + describeArgument(kernel, i) + " of @" +
        kernel.getName() + " has type " + debugString(type) + ": expected " +
        expected + ", found '" + item + "' of " +
        shapeToString(array->getShape(), array->getKind()));
  };
  mlir::Type element = pointer  ? pointer.getPointee()
                       : memref ? memref.getElementType()
                                : type;
  std::optional<ElementKind> kind = getElementKind(element);
  if (!kind || (memref && !memref.getLayout().isIdentity()))
    return fail("a pointer, a scalar, or a memref without a layout");
  // NumPy has no index type.
  bool isIndex =
      kind == ElementKind::Index && array->getKind() == ElementKind::I64;
  // Files do not tell one f8 from another (see NumPyFile.h).
  bool isFloat8 = kind == ElementKind::F8E5M2 &&
                  array->getKind() == ElementKind::F8E4M3FN &&
                  StringRef(item).ends_with(".npy");
  bool hasKind = array->getKind() == kind || isIndex || isFloat8;
  if (pointer || memref) {
    if (!hasKind || isScalarInput(item))
      return fail("an array of " + getElementName(*kind));
    if (memref &&
        failed(verifyCompatibleShape(memref.getShape(), array->getShape())))
      return fail("that shape");
  } else if (!hasKind || !array->getShape().empty()) {
    return fail("a scalar, such as " +
                getElementName(isIndex ? ElementKind::I64 : *kind) + ":1");
  }
  if (array->getKind() == kind)
    return array;
  NDArray result(*kind, array->getShape());
  std::copy_n(array->getData(), array->getNumBytes(), result.getData());
  return result;
}

static TypedAttr getAttr(mlir::Type type, const NDArray &scalar) {
  if (isa<FloatType>(type))
    return FloatAttr::get(type, scalar.getDouble(0));
  return IntegerAttr::get(type, scalar.getInteger(0));
}

/// Lets the argument begin at another element of what is passed for it. Only
/// pointers do, and only into arrays of what they point at.
static Error offsetArgument(func::FuncOp kernel, unsigned i, StringRef item,
                            const PointerItem &parsed, int64_t numElements) {
  auto pointer = dyn_cast<tile::PtrType>(kernel.getArgumentTypes()[i]);
  mlir::Type array = kernel.getArgumentTypes()[parsed.same.value_or(i)];
  if (!pointer || array != pointer)
    return createStringError(
        "--inputs: '" + item + "': " + describeArgument(kernel, i) + " of @" +
        kernel.getName() + " has type " +
        debugString(kernel.getArgumentTypes()[i]) + ": expected a pointer" +
        (pointer ? " of the type of the other one, " + debugString(array)
                 : ""));
  if (Error error = checkOffset(item, parsed, numElements))
    return error;
  if (parsed.offset == 0)
    return Error::success();
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.front());
  mlir::Value argument = kernel.getArgument(i);
  auto offset = arith::ConstantIntOp::create(builder, argument.getLoc(),
                                             parsed.offset, /*width=*/64);
  auto moved =
      tile::AddPtrOp::create(builder, argument.getLoc(), argument, offset);
  argument.replaceAllUsesExcept(moved, moved);
  return Error::success();
}

Expected<KernelLaunch> execution::addLaunch(ModuleOp module, StringRef name,
                                            ArrayRef<uint32_t> grid,
                                            ArrayRef<std::string> items,
                                            uint64_t seed) {
  auto kernel = findKernel(module, name);
  if (!kernel)
    return kernel.takeError();
  ArrayRef<mlir::Type> types = kernel->getArgumentTypes();
  if (items.size() != types.size()) {
    std::string list;
    for (auto [i, type] : enumerate(types)) {
      list += (i ? ", " : "") + debugString(type);
      if (auto name = dyn_cast<NameLoc>(kernel->getArgument(i).getLoc()))
        list += " " + name.getName().str();
    }
    return createStringError("--inputs: expected " + Twine(types.size()) +
                             " values for the arguments of @" +
                             kernel->getName() + " (" + list + "), found " +
                             Twine(items.size()));
  }

  auto pointers = parsePointerItems(items);
  if (!pointers)
    return pointers.takeError();
  module->getContext()->loadDialect<arith::ArithDialect>();
  KernelLaunch launch;
  RandomArrays random(seed);
  SmallVector<std::optional<NDArray>> arrays(items.size());
  SmallVector<mlir::Type> hostTypes;
  SmallVector<unsigned> hostArguments(items.size());
  for (auto [i, type] : enumerate(types)) {
    const PointerItem &item = (*pointers)[i];
    if (item.same)
      continue;
    if (Error error =
            readArgument(*kernel, i, item.array, random).moveInto(arrays[i]))
      return std::move(error);
    if (auto pointer = dyn_cast<tile::PtrType>(type))
      hostTypes.push_back(
          MemRefType::get(arrays[i]->getShape(), pointer.getPointee()));
    else if (isa<MemRefType>(type))
      hostTypes.push_back(type);
    else
      continue;
    hostArguments[i] = launch.arguments.size();
    launch.arguments.push_back(*arrays[i]);
  }
  for (auto [i, item] : enumerate(*pointers)) {
    if (item.isPlain())
      continue;
    unsigned owner = item.same.value_or(i);
    if (Error error = offsetArgument(*kernel, i, items[i], item,
                                     arrays[owner]->getNumElements()))
      return std::move(error);
    hostArguments[i] = hostArguments[owner];
  }

  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = kernel->getLoc();
  launch.host =
      func::FuncOp::create(builder, loc, (kernel->getName() + "_launch").str(),
                           builder.getFunctionType(hostTypes, {}));
  SymbolTable(module).insert(launch.host);
  Block *body = launch.host.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<mlir::Value> sizes, operands;
  for (uint32_t size : grid)
    sizes.push_back(arith::ConstantIndexOp::create(builder, loc, size));
  for (auto [i, type] : enumerate(types))
    operands.push_back(isa<tile::PtrType, MemRefType>(type)
                           ? mlir::Value(body->getArgument(hostArguments[i]))
                           : arith::ConstantOp::create(
                                 builder, loc, getAttr(type, *arrays[i])));
  tile::LaunchOp::create(builder, loc, kernel->getSymName(), sizes[0], sizes[1],
                         sizes[2], operands);
  func::ReturnOp::create(builder, loc);
  return launch;
}
