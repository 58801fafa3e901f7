//===- Globals.cpp --------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Global variables in device memory.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeInstructions.h"
#include "Load/LoadModule.h"

using namespace llvm;

namespace tileir::sim {

namespace {
/// Writes initial values, which may hold addresses of other variables.
struct Initializer {
  const DataLayout &layout;
  const StringMap<uint64_t> &addresses;

  Error write(const Constant *constant, uint8_t *bytes) const;
  Error writeScalar(const Constant *constant, uint8_t *bytes) const;
};
} // namespace

Error Initializer::writeScalar(const Constant *constant, uint8_t *bytes) const {
  std::string unknown;
  auto value = evaluateConstant(
      constant, layout,
      [&](const GlobalValue &global) -> std::optional<uint64_t> {
        auto found = addresses.find(global.getName());
        if (found != addresses.end())
          return found->second;
        unknown = global.getName().str();
        return std::nullopt;
      });
  if (!value && !unknown.empty())
    return createStringError("it holds the address of '" + unknown +
                             "', which has none in device memory");
  if (!value)
    return createStringError("expected numbers and addresses of variables");
  std::memcpy(bytes, &*value, layout.getTypeStoreSize(constant->getType()));
  return Error::success();
}

Error Initializer::write(const Constant *constant, uint8_t *bytes) const {
  Type *type = constant->getType();
  if (constant->isNullValue() || isa<UndefValue>(constant)) {
    std::memset(bytes, 0, layout.getTypeStoreSize(type));
    return Error::success();
  }
  if (auto *data = dyn_cast<ConstantDataSequential>(constant)) {
    StringRef raw = data->getRawDataValues();
    std::memcpy(bytes, raw.data(), raw.size());
    return Error::success();
  }
  if (!type->isAggregateType() && !type->isVectorTy())
    return writeScalar(constant, bytes);
  auto elements = getElements(constant, layout);
  if (!elements)
    return createStringError("expected numbers and addresses of variables");
  auto *structure = dyn_cast<StructType>(type);
  for (auto [i, element] : enumerate(*elements)) {
    uint64_t offset =
        structure ? layout.getStructLayout(structure)->getElementOffset(i)
                  : i * layout.getTypeAllocSize(element->getType());
    if (Error error = write(element, bytes + offset))
      return error;
  }
  return Error::success();
}

/// Neither shared memory nor what is for the compiler alone.
static bool isInDeviceMemory(const GlobalVariable &variable) {
  unsigned space = variable.getAddressSpace();
  return !variable.isDeclaration() &&
         (space == 0 || space == 1 || space == 4) &&
         !variable.getName().starts_with("llvm.");
}

Error allocateGlobals(const Module &module, DeviceMemory &memory,
                      StringMap<uint64_t> &addresses) {
  const DataLayout &layout = module.getDataLayout();
  for (const GlobalVariable &variable : module.globals()) {
    if (!isInDeviceMemory(variable))
      continue;
    auto address = memory.allocate(
        layout.getTypeAllocSize(variable.getValueType()).getFixedValue(),
        ("@" + variable.getName()).str());
    if (!address)
      return address.takeError();
    addresses[variable.getName()] = reinterpret_cast<uint64_t>(*address);
  }
  for (const GlobalVariable &variable : module.globals()) {
    if (!isInDeviceMemory(variable))
      continue;
    uint64_t address = addresses[variable.getName()];
    if (Error error = Initializer{layout, addresses}.write(
            variable.getInitializer(), reinterpret_cast<uint8_t *>(address)))
      return createStringError(
          "cannot give '" + variable.getName() +
          "' its initial value: " + toString(std::move(error)));
    Buffer *buffer = memory.find(address);
    if (buffer && (variable.isConstant() || variable.getAddressSpace() == 4))
      buffer->readOnly = true;
  }
  return Error::success();
}

} // namespace tileir::sim
