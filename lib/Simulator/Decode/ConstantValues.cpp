//===- ConstantValues.cpp -------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants as bits, for decoding and for the initialisers of global variables.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeInstructions.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace tileir::sim {

namespace {
struct ConstantEvaluator {
  const DataLayout &layout;
  function_ref<std::optional<uint64_t>(const GlobalValue &)> resolve;

  std::optional<uint64_t> evaluate(const Constant *constant) const;
  std::optional<uint64_t> evaluateOperator(const Operator &operation) const;
};
} // namespace

std::optional<uint64_t>
ConstantEvaluator::evaluateOperator(const Operator &operation) const {
  SmallVector<uint64_t, 2> operands;
  for (const Value *operand : operation.operand_values()) {
    auto value = evaluate(cast<Constant>(operand));
    if (!value)
      return std::nullopt;
    operands.push_back(*value);
  }
  switch (operation.getOpcode()) {
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
  case Instruction::BitCast:
  case Instruction::Trunc:
    return operands[0];
  case Instruction::Add:
    return operands[0] + operands[1];
  case Instruction::Sub:
    return operands[0] - operands[1];
  case Instruction::Xor:
    return operands[0] ^ operands[1];
  case Instruction::GetElementPtr: {
    const auto &gep = cast<GEPOperator>(operation);
    APInt offset(layout.getIndexTypeSizeInBits(gep.getType()), 0);
    if (!gep.accumulateConstantOffset(layout, offset))
      return std::nullopt;
    return operands[0] + offset.getSExtValue();
  }
  default:
    return std::nullopt;
  }
}

std::optional<uint64_t>
ConstantEvaluator::evaluate(const Constant *constant) const {
  Type *type = constant->getType();
  unsigned bits = layout.getTypeSizeInBits(type).getFixedValue();
  if (type->isAggregateType() || type->isVectorTy() || bits > 64)
    return std::nullopt;
  if (constant->isNullValue() || isa<UndefValue>(constant))
    return 0;
  if (auto *integer = dyn_cast<ConstantInt>(constant))
    return integer->getZExtValue();
  if (auto *number = dyn_cast<ConstantFP>(constant))
    return number->getValueAPF().bitcastToAPInt().getZExtValue();
  if (auto *alias = dyn_cast<GlobalAlias>(constant))
    return evaluate(alias->getAliasee());
  if (auto *global = dyn_cast<GlobalValue>(constant))
    return resolve(*global);
  if (auto *expression = dyn_cast<ConstantExpr>(constant))
    if (auto value = evaluateOperator(*cast<Operator>(expression)))
      return *value & maskTrailingOnes<uint64_t>(bits);
  return std::nullopt;
}

std::optional<uint64_t> evaluateConstant(
    const Constant *constant, const DataLayout &layout,
    function_ref<std::optional<uint64_t>(const GlobalValue &)> resolve) {
  return ConstantEvaluator{layout, resolve}.evaluate(constant);
}

std::optional<SmallVector<const Constant *>>
getElements(const Constant *constant, const DataLayout &layout) {
  // Bitcasts that LLVM has not folded.
  if (isa<ConstantExpr>(constant))
    constant = ConstantFoldConstant(constant, layout);
  Type *type = constant->getType();
  uint64_t count = 0;
  if (auto *structure = dyn_cast<StructType>(type))
    count = structure->getNumElements();
  else if (auto *array = dyn_cast<ArrayType>(type))
    count = array->getNumElements();
  else
    count = cast<FixedVectorType>(type)->getNumElements();
  SmallVector<const Constant *> elements;
  for (uint64_t i = 0; i < count; ++i) {
    elements.push_back(constant->getAggregateElement(i));
    if (!elements.back())
      return std::nullopt;
  }
  return elements;
}

} // namespace tileir::sim
