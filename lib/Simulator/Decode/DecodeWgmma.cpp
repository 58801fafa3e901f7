//===- DecodeWgmma.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes wgmma: the intrinsics of LLVM, and the calls that lifting makes of
// mma_async (PTX/LiftWgmma.cpp says what their names mean).
//
//===----------------------------------------------------------------------===//

#include "Decode/Wgmma.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace tileir::sim {

bool decodeWgmma(Decoder &decoder, CallBase &call, StringRef name) {
  if (name == "fence.sync.aligned") {
    decoder.emit(Opcode::WgmmaFence);
    return true;
  }
  if (name == "commit_group.sync.aligned") {
    decoder.emit(Opcode::WgmmaCommit);
    return true;
  }
  if (name != "wait_group.sync.aligned")
    return false;
  decoder.emit(Opcode::WgmmaWait).imm =
      cast<ConstantInt>(call.getArgOperand(0))->getSExtValue();
  return true;
}

/// The number in an attribute of a kernel; 0: it has none.
static uint32_t getNumber(const Function &kernel, StringRef attribute) {
  uint32_t number = 0;
  kernel.getFnAttribute(attribute).getValueAsString().getAsInteger(10, number);
  return number;
}

Expected<bool> decodeSetmaxnreg(Decoder &decoder, CallBase &call,
                                StringRef name) {
  bool increases = name.starts_with("inc.");
  if (!increases && !name.starts_with("dec."))
    return false;
  int64_t count = cast<ConstantInt>(call.getArgOperand(0))->getSExtValue();
  if (count < 24 || count > 256 || count % 8 != 0)
    return decoder.makeError(
        call, "setmaxnreg to " + Twine(count) +
                  " registers: expected a multiple of 8 from 24 to 256");
  const Function &kernel = *call.getFunction();
  decoder.program.maxRegisters = getNumber(kernel, "nvvm.maxnreg");
  decoder.program.minBlocksOfSm = getNumber(kernel, "nvvm.minctasm");
  Instr &instr = decoder.emit(Opcode::SetMaxRegisters);
  instr.imm = count;
  instr.extra = increases;
  return true;
}

static ElementType getType(StringRef name) {
  return StringSwitch<ElementType>(name)
      .Case("f16", ElementType::F16)
      .Case("bf16", ElementType::BF16)
      .Case("tf32", ElementType::TF32)
      .Case("f32", ElementType::F32)
      .Case("e4m3", ElementType::E4M3)
      .Case("e5m2", ElementType::E5M2)
      .Case("s8", ElementType::I8)
      .Case("u8", ElementType::U8)
      .Default(ElementType::I32); // s32; b1 is isBits
}

/// <shape>.<types>.<options>
static Wgmma parseProduct(StringRef name) {
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  Wgmma mma;
  StringRef shape = parts[0].drop_front(StringRef("m64n").size());
  unsigned n = 0;
  shape.consumeInteger(10, n);
  mma.n = n;
  mma.d = getType(parts[1]);
  mma.a = getType(parts[2]);
  mma.b = getType(parts[3]);
  mma.isBits = parts[2] == "b1";
  shape.drop_front().getAsInteger(10, n);
  mma.k = n;
  auto has = [&](StringRef option) { return is_contained(parts, option); };
  mma.aInRegisters = has("ra");
  mma.aTransposed = has("ta");
  mma.bTransposed = has("tb");
  mma.negate = has("neg");
  mma.saturate = has("sat");
  mma.dRegisters = mma.n / (mma.d == ElementType::F16 ? 4 : 2);
  return mma;
}

bool decodeOwnWgmma(Decoder &decoder, CallBase &call, StringRef name) {
  if (name == "epoch") {
    decoder.emit(Opcode::WgmmaEpoch, decoder.defineScalar(call));
    return true;
  }
  SmallVector<Register> uses;
  if (name == "use" || name == "inputs") {
    unsigned first = name == "inputs";
    for (Value *argument : drop_begin(call.args(), first))
      append_range(uses, decoder.use(argument));
    // The first tickets of `inputs` are those of accumulators.
    int64_t count =
        first ? cast<ConstantInt>(call.getArgOperand(0))->getSExtValue() : 0;
    decoder.emitList(first ? Opcode::WgmmaInputs : Opcode::WgmmaUse, {}, uses)
        .imm = count;
    return true;
  }
  if (!name.consume_front("mma_async."))
    return false;
  for (Value *argument : call.args())
    append_range(uses, decoder.use(argument));
  decoder.program.wgmmas.push_back(parseProduct(name));
  SmallVector<Register> defs = decoder.define(call);
  decoder.emitList(Opcode::Wgmma, defs, uses).extra =
      decoder.program.wgmmas.size() - 1;
  return true;
}

} // namespace tileir::sim
