//===- InlineAssembly.cpp -------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inline assembly of LLVM IR. LLVM does not look into assembly, so it is lifted
// after all passes, right before its kernel is decoded. Operands are registers
// called $0, $1, as the template calls them; a tied operand shares the register
// of the result.
//
//===----------------------------------------------------------------------===//

#include "PTX/Lifter.h"
#include "PTX/PTX.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace tileir::sim::ptx {

/// The bits of a constraint's register; 0: none, an immediate.
static std::optional<unsigned> getConstraintBits(StringRef code) {
  return StringSwitch<std::optional<unsigned>>(code)
      .Case("b", 1)
      .Cases({"c", "h"}, 16)
      .Cases({"r", "f"}, 32)
      .Cases({"l", "d", "N"}, 64)
      .Case("q", 128)
      .Cases({"n", "i"}, 0)
      .Default(std::nullopt);
}

namespace {
/// One inline assembly.
class Assembly {
public:
  Assembly(CallInst &call, Lifter &lifter)
      : call(call), assembly(*cast<InlineAsm>(call.getCalledOperand())),
        constraints(assembly.ParseConstraints()), lifter(lifter) {
    lifter.moveTo(&call);
  }

  void lift() {
    if (addOperands()) {
      std::string text = expand(assembly.getAsmString());
      auto statements = parseStatements(text);
      if (statements)
        lifter.lift(*statements);
      else
        lifter.reject(StringRef(assembly.getAsmString()).trim(),
                      toString(statements.takeError()));
    }
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(getResult());
    call.eraseFromParent();
  }

private:
  bool addOperands();
  std::string expand(StringRef text);
  Value *getResult();

  CallInst &call;
  const InlineAsm &assembly;
  InlineAsm::ConstraintInfoVector constraints;
  Lifter &lifter;
  SmallVector<AllocaInst *> registers; ///< of each operand; null: an immediate
  SmallVector<Value *> immediates;
};
} // namespace

bool Assembly::addOperands() {
  unsigned numArguments = 0;
  for (const InlineAsm::ConstraintInfo &constraint : constraints) {
    if (constraint.Type == InlineAsm::isClobber)
      continue;
    std::string name = "$" + std::to_string(registers.size());
    StringRef code;
    if (!constraint.Codes.empty())
      code = constraint.Codes[0];
    bool isOutput = constraint.Type == InlineAsm::isOutput;
    Value *argument = isOutput ? nullptr : call.getArgOperand(numArguments++);
    unsigned tied = 0;
    AllocaInst *reg = nullptr;
    if (!isOutput && !code.getAsInteger(10, tied) && tied < registers.size() &&
        registers[tied]) {
      reg = registers[tied];
      lifter.addRegister(name, reg);
    } else {
      auto bits = getConstraintBits(code);
      if (!bits || constraint.isIndirect || (isOutput && *bits == 0)) {
        lifter.reject(assembly.getAsmString(),
                      "constraint '" + code +
                          "': expected r, l, h, f, d, b, n, q or the number "
                          "of a result");
        return false;
      }
      if (*bits > 0)
        reg = lifter.addRegister(name, *bits);
    }
    registers.push_back(reg);
    immediates.push_back(argument);
    if (argument && reg)
      lifter.b.CreateStore(lifter.castBits(argument, reg->getAllocatedType()),
                           reg);
  }
  return true;
}

/// The text of an immediate operand.
static std::string print(const Value *value) {
  if (auto *integer = dyn_cast<ConstantInt>(value))
    return std::to_string(integer->getSExtValue());
  if (auto *number = dyn_cast<ConstantFP>(value)) {
    APInt bits = number->getValueAPF().bitcastToAPInt();
    return (bits.getBitWidth() == 64 ? "0d" : "0f") +
           utohexstr(bits.getZExtValue(), /*LowerCase=*/false,
                     bits.getBitWidth() / 4);
  }
  return "an operand that is not constant";
}

/// The template with $N and ${N:x} as names, or as numbers where the operand
/// is one; $$ is $, and of variants $(a$|b$) the first counts.
std::string Assembly::expand(StringRef text) {
  std::string result;
  auto addOperand = [&](unsigned i) {
    if (i < registers.size() && !registers[i] && immediates[i])
      result += print(immediates[i]);
    else
      result += "$" + std::to_string(i);
  };
  bool isOtherVariant = false;
  while (!text.empty()) {
    char c = text.front();
    text = text.drop_front();
    if (c != '$' || text.empty()) {
      // %% is how CUDA writes %.
      if (c == '%' && text.consume_front("%"))
        c = '%';
      if (!isOtherVariant)
        result += c;
      continue;
    }
    unsigned number = 0;
    if (text.consume_front("$")) {
      result += '$';
    } else if (text.consume_front("(")) {
      isOtherVariant = false;
    } else if (text.consume_front("|")) {
      isOtherVariant = true;
    } else if (text.consume_front(")")) {
      isOtherVariant = false;
    } else if (text.consume_front("{")) {
      auto [inside, rest] = text.split('}');
      text = rest;
      auto [digits, modifier] = inside.split(':');
      if (!digits.getAsInteger(10, number))
        addOperand(number);
      else if (modifier == "uid") // one for each assembly; labels are its own
        result += '0';
    } else if (!text.consumeInteger(10, number)) {
      addOperand(number);
    } else {
      result += '$';
    }
  }
  return result;
}

Value *Assembly::getResult() {
  Lifter::Builder &b = lifter.b;
  auto read = [&](unsigned i, Type *type) -> Value * {
    if (i >= registers.size() || !registers[i])
      return PoisonValue::get(type);
    return lifter.castBits(
        b.CreateLoad(registers[i]->getAllocatedType(), registers[i]), type);
  };
  auto *structure = dyn_cast<StructType>(call.getType());
  if (!structure)
    return read(0, call.getType());
  Value *result = PoisonValue::get(structure);
  for (auto [i, type] : enumerate(structure->elements()))
    result = b.CreateInsertValue(result, read(i, type), i);
  return result;
}

void liftInlineAssembly(llvm::Function &kernel) {
  SmallVector<CallInst *> calls;
  for (llvm::Instruction &instruction : instructions(kernel))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (call->isInlineAsm())
        calls.push_back(call);
  if (calls.empty())
    return;
  Lifter lifter(calls.front());
  for (CallInst *call : calls)
    Assembly(*call, lifter).lift();
  lifter.finish();
}

} // namespace tileir::sim::ptx
