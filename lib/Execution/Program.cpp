//===- Program.cpp - Programs and their entries ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Program.h"

#include "tileir/InitAllDialects.h"
#include "tileir/InitAllPasses.h"
#include "tileir/Runtime/NDArray.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Transforms/Passes.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;

void execution::registerAll(DialectRegistry &registry, bool verifyContracts) {
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  tileir::registerAllDialects(registry);
  // Pipelines may be registered once.
  [[maybe_unused]] static bool once = [&] {
    mlir::registerAllPasses();
    tileir::registerAllPasses(verifyContracts);
    return true;
  }();
}

static Error checkEntryTypes(func::FuncOp entry) {
  auto check = [&](TypeRange types, StringRef what) -> Error {
    for (auto [i, type] : llvm::enumerate(types)) {
      auto shaped = dyn_cast<ShapedType>(type);
      if (!isa<RankedTensorType, MemRefType>(type) ||
          !getElementKind(shaped.getElementType()))
        return createStringError("@" + entry.getName() + ": " + what + " " +
                                 Twine(i) + " has type " + debugString(type) +
                                 ": expected a ranked tensor or memref of i1, "
                                 "i8, i16, i32, i64, index, f8E4M3FN, f8E5M2, "
                                 "f16, bf16, f32 or "
                                 "f64 elements");
      auto memref = dyn_cast<MemRefType>(type);
      if (memref && !memref.getLayout().isIdentity())
        return createStringError("@" + entry.getName() + ": " + what + " " +
                                 Twine(i) + " has type " + debugString(type) +
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

/// Refuses programs with values of a static size that no machine has memory
/// for.
static Error checkStaticSizes(ModuleOp module) {
  constexpr double kMaxBytes = 0x1p40;
  auto isTooLarge = [&](mlir::Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasStaticShape() ||
        !shaped.getElementType().isIntOrIndexOrFloat())
      return false;
    mlir::Type element = shaped.getElementType();
    // A double does not overflow.
    double bytes =
        element.isIndex() ? 8 : element.getIntOrFloatBitWidth() / 8.0;
    for (int64_t size : shaped.getShape())
      bytes *= static_cast<double>(size);
    return bytes > kMaxBytes;
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

/// Removes all that the function `entry` does not reach: it is not compiled,
/// nor counted.
static Error removeUnreachable(ModuleOp module, StringRef entry) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.getName() != entry)
      function.setPrivate();
  PassManager manager(module.getContext());
  manager.addPass(createSymbolDCEPass());
  if (failed(manager.run(module)))
    return createStringError("the file does not verify");
  return Error::success();
}

Error execution::prepareProgram(func::FuncOp entry) {
  auto module = entry->getParentOfType<ModuleOp>();
  if (Error error = removeUnreachable(module, entry.getName()))
    return error;
  return checkStaticSizes(module);
}

SmallVector<unsigned> execution::getWritableArguments(func::FuncOp entry) {
  SmallVector<unsigned> arguments;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    if (isa<MemRefType>(entry.getArgumentTypes()[i]))
      arguments.push_back(i);
  return arguments;
}
