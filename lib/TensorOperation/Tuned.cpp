//===- Tuned.cpp - Operations and the results of tile-tune ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tuned.h"

#include "tileir/Dialect/Einsum/Transforms/Passes.h"
#include "tileir/Tune/Cache.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::tensor_operation;

/// Lets the arguments of `function` that have layouts be arrays of one axis,
/// of which these are views: files of arrays have no layouts.
static void flattenArguments(func::FuncOp function) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  for (BlockArgument argument : function.getArguments()) {
    auto type = cast<MemRefType>(argument.getType());
    if (type.getLayout().isIdentity())
      continue;
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)))
      llvm_unreachable("operations have strided operands");
    int64_t extent = 1;
    for (auto [size, stride] : llvm::zip(type.getShape(), strides))
      extent += (size - 1) * stride;
    argument.setType(MemRefType::get({extent}, type.getElementType()));
    auto view = memref::ReinterpretCastOp::create(builder, function.getLoc(),
                                                  type, argument, offset,
                                                  type.getShape(), strides);
    argument.replaceAllUsesExcept(view, view);
  }
  function.setFunctionType(
      builder.getFunctionType(function.front().getArgumentTypes(), {}));
}

std::string tensor_operation::printProgram(const OperationModule &module) {
  OwningOpRef<ModuleOp> copy = module.module.get().clone();
  for (auto function : copy->getOps<func::FuncOp>())
    flattenArguments(function);
  std::string text;
  raw_string_ostream os(text);
  // The number of threads is a part of what was measured.
  os << "// threads=" << module.threads << '\n' << *copy << '\n';
  return text;
}

/// The `config` of a pipeline among options of tile-run; empty if there is
/// none.
static StringRef findConfig(ArrayRef<std::string> options) {
  constexpr StringLiteral begin = "config={";
  for (StringRef option : options)
    if (size_t at = option.find(begin);
        option.starts_with("--pipeline=") && at != StringRef::npos)
      return option.substr(at + begin.size()).take_until([](char c) {
        return c == '}';
      });
  return "";
}

Expected<std::string>
tensor_operation::findTunedConfig(const OperationModule &module,
                                  const std::string &path) {
  tune::Purpose purpose{tune::getHash(printProgram(module)),
                        tune::getTarget("cpu", /*chip=*/""),
                        /*arguments=*/{}};
  auto found = tune::Cache::findTuned(
      path.empty() ? tune::Cache::getDefaultPath() : path, purpose);
  if (!found)
    return found.takeError();
  if (!*found)
    return "";
  std::string config = findConfig((*found)->options).str();
  // A file may be of another version, or written by hand.
  std::string message;
  auto fail = [&](const Twine &text) {
    message = text.str();
    return failure();
  };
  if (config != "auto" &&
      failed(einsum::createEinsumChooseSchedulePass()->initializeOptions(config,
                                                                         fail)))
    return createStringError("the result of tile-tune has a configuration "
                             "that is none, '" +
                             config + "': " + message);
  return config;
}
