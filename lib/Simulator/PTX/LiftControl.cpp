//===- LiftControl.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branches, calls, ends, and what has no effect here.
//
//===----------------------------------------------------------------------===//

#include "PTX/Lifter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tileir::sim::ptx {

static bool liftBranch(Lifter &l, Modifiers &m, Operands o) {
  m.take("uni");
  llvm::BasicBlock *target = l.getLabel(o[0].name);
  if (!target)
    return l.fail("no label '" + o[0].name + "'");
  l.endBlock([&](llvm::BasicBlock *rest) {
    if (Value *guard = l.getGuard())
      l.b.CreateCondBr(guard, target, rest);
    else
      l.b.CreateBr(target);
  });
  return true;
}

/// brx.idx index, targets
static bool liftIndexedBranch(Lifter &l, Modifiers &m, Operands o) {
  m.take("uni");
  Operands targets =
      o[1].isList() ? Operands(o[1].elements) : l.getTargets(o[1].name);
  if (!m.take("idx") || targets.empty())
    return false;
  Value *index = l.read(o[0], l.b.getInt32Ty());
  SmallVector<llvm::BasicBlock *> blocks;
  for (const Operand &target : targets)
    if (llvm::BasicBlock *block = l.getLabel(target.name))
      blocks.push_back(block);
    else
      return l.fail("no label '" + target.name + "'");
  l.endBlock([&](llvm::BasicBlock *) {
    SwitchInst *jump =
        l.b.CreateSwitch(index, blocks.back(), blocks.size() - 1);
    for (auto [i, block] : enumerate(ArrayRef(blocks).drop_back()))
      jump->addCase(l.b.getInt32(i), block);
  });
  return true;
}

/// The end of a function: of a kernel, that of the thread.
static bool liftReturn(Lifter &l, Modifiers &m, Operands) {
  m.take("uni");
  Type *type = l.getFunction().getReturnType();
  l.endBlock([&](llvm::BasicBlock *) {
    if (type->isVoidTy())
      l.b.CreateRetVoid();
    else
      l.b.CreateRet(l.b.CreateLoad(type, l.results.front().pointer));
  });
  return true;
}

static bool liftExit(Lifter &l, Modifiers &, Operands) {
  l.endBlock([&](llvm::BasicBlock *) {
    l.callIntrinsic("llvm.nvvm.exit", {});
    l.b.CreateUnreachable();
  });
  return true;
}

static bool liftTrap(Lifter &l, Modifiers &, Operands) {
  l.callIntrinsic("llvm.trap", {});
  return true;
}

/// call[.uni] (results), function, (parameters): all are variables in .param.
static bool liftCall(Lifter &l, Modifiers &m, Operands o) {
  m.take("uni");
  Operands results, rest = o;
  if (rest[0].isList()) {
    results = rest[0].elements;
    rest = rest.drop_front();
  }
  if (rest.empty() || !rest[0].isName() || results.size() > 1)
    return false;
  llvm::Function *callee = l.module.getFunction(rest[0].name);
  if (!callee)
    return l.fail("'" + rest[0].name +
                  "' is no function: a call through a pointer is not known");
  Operands parameters;
  if (rest.size() > 1 && rest[1].isList())
    parameters = rest[1].elements;
  FunctionType *type = callee->getFunctionType();
  if (type->getNumParams() != parameters.size() ||
      type->getReturnType()->isVoidTy() != results.empty())
    return l.fail("the operands do not fit '" + rest[0].name + "'");
  SmallVector<Value *> values;
  for (auto [i, parameter] : enumerate(parameters)) {
    const Symbol *symbol = l.findSymbol(parameter.name);
    if (!symbol || !symbol->pointer)
      return l.fail("expected a variable in .param, found '" + parameter.name +
                    "'");
    values.push_back(
        callee->hasParamAttribute(i, Attribute::ByVal)
            ? symbol->pointer
            : l.b.CreateLoad(type->getParamType(i), symbol->pointer));
  }
  Value *value = l.b.CreateCall(callee, values);
  if (results.empty())
    return true;
  const Symbol *result = l.findSymbol(results[0].name);
  if (!result || !result->pointer)
    return l.fail("expected a variable in .param, found '" + results[0].name +
                  "'");
  l.b.CreateStore(value, result->pointer);
  return true;
}

/// What changes neither values nor memory of one launch: waits, hints.
static bool liftNothing(Lifter &, Modifiers &m, Operands) {
  while (!m.empty())
    m.takeFirst();
  return true;
}

ArrayRef<Instruction> getControlInstructions() {
  static const Instruction all[] = {
      {"bra", 1, 1, liftBranch, true}, {"brx", 2, 2, liftIndexedBranch},
      {"call", 1, 4, liftCall},        {"ret", 0, 0, liftReturn},
      {"exit", 0, 0, liftExit},        {"trap", 0, 0, liftTrap},
      {"brkpt", 0, 0, liftNothing},    {"nanosleep", 1, 1, liftNothing},
      {"pmevent", 1, 1, liftNothing},
  };
  return all;
}

} // namespace tileir::sim::ptx
