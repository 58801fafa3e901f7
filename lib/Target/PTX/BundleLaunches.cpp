//===- BundleLaunches.cpp - What host code does with kernels --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code copies a memref to the device before a launch, and back after it.
// So memory that stays on the device can be in the place of these copies: a
// memref of the host and all of its copies are one. It is an argument of the
// function, a result, or of no interest to others: then it is temporary if only
// kernels access it, and computed if host code does.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/PTX/Bundle.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tileir;
namespace json = llvm::json;

/// The memref that `buffer`, on the device, is copied from and to, or itself if
/// there is none; null if there are several.
static Value getHostMemory(Value buffer) {
  if (!buffer.getDefiningOp<gpu::AllocOp>())
    return buffer;
  Value memory;
  for (Operation *user : buffer.getUsers()) {
    auto copy = dyn_cast<gpu::MemcpyOp>(user);
    if (!copy)
      continue;
    Value other = copy.getDst() == buffer ? copy.getSrc() : copy.getDst();
    if (memory && memory != other)
      return nullptr;
    memory = other;
  }
  return memory ? memory : buffer;
}

/// Whether an op neither reads nor writes the elements, but for kernels.
static bool leavesElements(Operation *op) {
  return isa<gpu::MemcpyOp, gpu::LaunchFuncOp, gpu::DeallocOp,
             memref::DeallocOp, memref::ExtractAlignedPointerAsIndexOp,
             func::ReturnOp>(op);
}

namespace {
class LaunchDescriber {
public:
  LaunchDescriber(func::FuncOp function) : function(function) {
    Operation *end = function.front().getTerminator();
    for (auto [i, value] : llvm::enumerate(end->getOperands()))
      names[value] = "result " + std::to_string(i);
    for (auto [i, value] : llvm::enumerate(function.getArguments()))
      names[value] = "argument " + std::to_string(i);
  }

  /// What is passed as `operand`; null if nobody has to give it, and nothing if
  /// it cannot be said.
  std::optional<json::Value> describe(Value operand) {
    Value buffer = getPassedBuffer(operand);
    if (!buffer)
      return json::Value(nullptr);
    Value memory = getHostMemory(buffer);
    if (!memory)
      return std::nullopt;
    if (auto global = memory.getDefiningOp<memref::GetGlobalOp>())
      if (SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
              global, global.getNameAttr())
              .getConstant())
        return json::Value(nullptr);
    bool isUntouched = llvm::all_of(memory.getUsers(), leavesElements);
    auto [place, isNew] = names.try_emplace(memory);
    if (isNew)
      place->second =
          (isUntouched ? "temporary " : "computed ") +
          std::to_string(isUntouched ? numTemporary++ : numComputed++);
    // Who launches does not do what host code does to a result.
    if (!isUntouched && StringRef(place->second).starts_with("result"))
      return std::nullopt;
    return json::Value(place->second);
  }

private:
  func::FuncOp function;
  llvm::DenseMap<Value, std::string> names;
  unsigned numTemporary = 0, numComputed = 0;
};
} // namespace

json::Value tileir::describeLaunches(
    ModuleOp module, const llvm::DenseMap<Operation *, std::string> &names) {
  SmallVector<gpu::LaunchFuncOp> launches;
  module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  auto function = dyn_cast<func::FuncOp>(launches.front()->getParentOp());
  if (!function)
    return nullptr;
  LaunchDescriber describer(function);
  json::Array descriptions;
  for (gpu::LaunchFuncOp launch : launches) {
    auto name = names.find(launch);
    if (launch->getBlock() != &function.front() || name == names.end())
      return nullptr;
    json::Array memory;
    for (Value operand : launch.getKernelOperands()) {
      std::optional<json::Value> description = describer.describe(operand);
      if (!description)
        return nullptr;
      memory.push_back(std::move(*description));
    }
    descriptions.push_back(
        json::Object{{"kernel", name->second}, {"memory", std::move(memory)}});
  }
  return descriptions;
}
