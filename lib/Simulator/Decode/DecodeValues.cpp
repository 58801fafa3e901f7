//===- DecodeValues.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The registers of LLVM values: instructions, arguments, constants, and the
// addresses of shared variables.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeInstructions.h"

#include "tileir/Simulator/DeviceMemory.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tileir::sim {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool Decoder::isWide(const Type *scalarType) {
  return scalarType->isPointerTy() || scalarType->isDoubleTy() ||
         (scalarType->isIntegerTy() && scalarType->getIntegerBitWidth() > 32);
}

SmallVector<Type *> Decoder::flatten(Type *type) {
  SmallVector<Type *> scalars;
  if (auto *structure = dyn_cast<StructType>(type))
    for (Type *element : structure->elements())
      append_range(scalars, flatten(element));
  else if (auto *array = dyn_cast<ArrayType>(type))
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      append_range(scalars, flatten(array->getElementType()));
  else if (auto *vector = dyn_cast<FixedVectorType>(type))
    for (uint64_t i = 0; i < vector->getNumElements(); ++i)
      append_range(scalars, flatten(vector->getElementType()));
  else if (type->isIntegerTy() && type->getIntegerBitWidth() > 64)
    for (unsigned left = type->getIntegerBitWidth(); left > 0;
         left -= std::min(left, 64u))
      scalars.push_back(
          IntegerType::get(type->getContext(), std::min(left, 64u)));
  else if (!type->isVoidTy())
    scalars.push_back(type);
  return scalars;
}

SmallVector<TypePart> getParts(Type *type, const DataLayout &layout,
                               uint64_t offset) {
  SmallVector<TypePart> parts;
  if (auto *structure = dyn_cast<StructType>(type)) {
    const StructLayout *offsets = layout.getStructLayout(structure);
    for (auto [i, element] : enumerate(structure->elements()))
      append_range(parts, getParts(element, layout,
                                   offset + offsets->getElementOffset(i)));
  } else if (auto *array = dyn_cast<ArrayType>(type)) {
    Type *element = array->getElementType();
    uint64_t stride = layout.getTypeAllocSize(element);
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      append_range(parts, getParts(element, layout, offset + i * stride));
  } else {
    parts.push_back({type, offset});
  }
  return parts;
}

Space Decoder::getSpace(const Value *pointer) {
  switch (pointer->getType()->getScalarType()->getPointerAddressSpace()) {
  case 1:
    return Space::Global;
  case 3:
    return Space::Shared;
  case 4:
  case 101: // the kernel's parameters
    return Space::Constant;
  case 5:
    return Space::Local;
  default:
    return Space::Generic;
  }
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

Register Decoder::makeTemporary(bool isWide) {
  wide.push_back(isWide);
  return wide.size() - 1;
}

Register Decoder::getConstant(uint64_t value, bool isWide) {
  auto [entry, isNew] = constants.try_emplace({value, isWide}, 0);
  if (isNew) {
    entry->second = makeTemporary(isWide);
    Preset &preset = program.presets.emplace_back();
    preset.slot = entry->second;
    preset.wide = isWide;
    preset.value = value;
  }
  return entry->second;
}

SmallVector<Register> Decoder::define(const Instruction &instruction) {
  SmallVector<Register> registers;
  for (Type *type : flatten(instruction.getType()))
    registers.push_back(makeTemporary(isWide(type)));
  rename(instruction, registers);
  return registers;
}

Register Decoder::defineScalar(const Instruction &instruction) {
  Register result = makeTemporary(isWide(instruction.getType()));
  rename(instruction, result);
  return result;
}

void Decoder::rename(const Instruction &instruction,
                     ArrayRef<Register> registers) {
  values[&instruction].assign(registers.begin(), registers.end());
}

Register Decoder::useScalar(const Value *value) { return use(value).front(); }

SmallVector<Register> Decoder::use(const Value *value) {
  auto found = values.find(value);
  if (found != values.end())
    return found->second;
  auto address = addresses.find(value);
  if (address != addresses.end()) {
    auto [sum, isNew] = sums.try_emplace(value, 0);
    if (isNew)
      sum->second = addOffset(address->second);
    return {sum->second};
  }
  SmallVector<Register> registers;
  if (auto *constant = dyn_cast<Constant>(value))
    addConstant(constant, registers);
  else if (auto *argument = dyn_cast<Argument>(value))
    addArgument(*argument, registers);
  else // no order of blocks has every definition before its uses
    fail("cannot simulate irreducible control flow");
  if (!failure.empty()) {
    // Decoding goes on to the end of the instruction.
    registers.clear();
    for (Type *type : flatten(value->getType()))
      registers.push_back(getConstant(0, isWide(type)));
  }
  values[value] = registers;
  return registers;
}

void Decoder::addArgument(const Argument &argument,
                          SmallVectorImpl<Register> &registers) {
  auto add = [&](bool isWide) -> Preset & {
    registers.push_back(makeTemporary(isWide));
    Preset &preset = program.presets.emplace_back();
    preset.slot = registers.back();
    preset.wide = isWide;
    preset.isArgument = true;
    preset.argument = argument.getArgNo();
    return preset;
  };
  if (argument.hasByValAttr()) {
    add(/*isWide=*/true).byval = true;
    return;
  }
  for (auto [type, first] : getParts(argument.getType(), layout)) {
    uint64_t offset = first;
    for (Type *scalar : flatten(type)) {
      Preset &preset = add(isWide(scalar));
      preset.offset = offset;
      preset.bytes = layout.getTypeStoreSize(scalar);
      offset += preset.bytes;
    }
  }
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static std::string print(const Constant *constant) {
  std::string text;
  raw_string_ostream(text) << *constant;
  return text;
}

void Decoder::addConstant(const Constant *constant,
                          SmallVectorImpl<Register> &registers) {
  Type *type = constant->getType();
  if (type->isIntegerTy() && type->getIntegerBitWidth() > 64) {
    APInt value(type->getIntegerBitWidth(), 0);
    if (auto *integer = dyn_cast<ConstantInt>(constant))
      value = integer->getValue();
    else if (!isa<UndefValue>(constant))
      return fail("cannot simulate the constant '" + print(constant) + "'");
    for (Type *part : flatten(type)) {
      registers.push_back(getConstant(
          value.extractBitsAsZExtValue(part->getIntegerBitWidth(), 0),
          isWide(part)));
      value.lshrInPlace(std::min(64u, value.getBitWidth()));
    }
    return;
  }
  if (!type->isAggregateType() && !type->isVectorTy()) {
    registers.push_back(getConstant(evaluate(constant), isWide(type)));
    return;
  }
  auto elements = getElements(constant, layout);
  if (!elements)
    return fail("cannot simulate the constant '" + print(constant) + "'");
  for (const Constant *element : *elements)
    addConstant(element, registers);
}

uint64_t Decoder::evaluate(const Constant *constant) {
  auto resolve = [&](const GlobalValue &global) -> std::optional<uint64_t> {
    if (auto *variable = dyn_cast<GlobalVariable>(&global)) {
      auto offset = shared.find(variable);
      if (offset != shared.end())
        return kSharedBase + offset->second;
    }
    auto address = globals.find(global.getName());
    if (address != globals.end())
      return address->second;
    fail("'" + global.getName() +
         (isa<Function>(global)
              ? "' is a function: expected no use of its address"
              : "' is declared, but nothing defines it"));
    return std::nullopt;
  };
  if (auto value = evaluateConstant(constant, layout, resolve))
    return *value;
  fail("cannot simulate the constant '" + print(constant) + "'");
  return 0;
}

//===----------------------------------------------------------------------===//
// Shared variables
//===----------------------------------------------------------------------===//

/// The variables in shared memory that a function uses.
static SmallPtrSet<const GlobalVariable *, 8>
findShared(const Function &function) {
  SmallPtrSet<const GlobalVariable *, 8> variables;
  SmallPtrSet<const Constant *, 32> seen;
  SmallVector<const User *> stack;
  for (const Instruction &instruction : instructions(function))
    stack.push_back(&instruction);
  while (!stack.empty()) {
    for (const Value *operand : stack.pop_back_val()->operand_values()) {
      auto *constant = dyn_cast<Constant>(operand);
      if (!constant || isa<ConstantData>(constant) ||
          !seen.insert(constant).second)
        continue;
      auto *variable = dyn_cast<GlobalVariable>(constant);
      if (!variable)
        stack.push_back(constant);
      else if (variable->getAddressSpace() == 3)
        variables.insert(variable);
    }
  }
  return variables;
}

/// Static variables in the order of the module, then the dynamic part, where
/// all those without a size begin.
void Decoder::layOutShared() {
  auto used = findShared(kernel);
  SmallVector<const GlobalVariable *> dynamic;
  for (const GlobalVariable &variable : kernel.getParent()->globals()) {
    if (!used.contains(&variable))
      continue;
    uint64_t bytes = layout.getTypeAllocSize(variable.getValueType());
    if (variable.isDeclaration() || bytes == 0) {
      dynamic.push_back(&variable);
      continue;
    }
    const Constant *initial = variable.getInitializer();
    if (!isa<UndefValue>(initial) && !initial->isNullValue())
      fail("shared variable '" + variable.getName() +
           "' has an initial value: expected none");
    uint64_t offset =
        alignTo(program.staticSharedBytes, layout.getPreferredAlign(&variable));
    constexpr uint64_t kWindow = kSharedEnd - kSharedBase;
    if (offset > kWindow || bytes > kWindow - offset)
      return fail("shared variable '" + variable.getName() + "' has " +
                  Twine(bytes) + " bytes: expected less than " +
                  Twine(kWindow) + " of all variables");
    shared[&variable] = offset;
    program.staticSharedBytes = offset + bytes;
    program.shared.push_back({variable.getName().str(), uint32_t(offset),
                              uint32_t(bytes),
                              variable.isExternallyInitialized()});
  }
  if (dynamic.empty())
    return;
  program.sharedAlignment = 1;
  for (const GlobalVariable *variable : dynamic)
    program.sharedAlignment = std::max<uint32_t>(
        program.sharedAlignment, layout.getPreferredAlign(variable).value());
  for (const GlobalVariable *variable : dynamic)
    shared[variable] =
        alignTo(program.staticSharedBytes, program.sharedAlignment);
}

} // namespace tileir::sim
