//===- DecodeMBarrier.cpp -------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes mbarrier.*: intrinsics of LLVM, and what PTX/LiftMBarrier.cpp calls.
// The parts of a name say all; where an expected number of bytes or a count is
// an operand, it is the second one.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"

using namespace llvm;

namespace tileir::sim {

/// cp.async.mbarrier.arrive[.noinc][.shared]
static bool decodeArriveCopies(Decoder &decoder, CallBase &call,
                               StringRef name) {
  Access access;
  access.opcode = Opcode::MBarrierArriveCopies;
  access.space = Space::Shared;
  access.bytes = access.elementBytes = 8;
  access.increments = !name.consume_front(".noinc");
  decoder.emitAccess(access, call.getArgOperand(0), {}, {});
  return true;
}

bool decodeMBarrier(Decoder &decoder, CallBase &call, StringRef name) {
  if (name.consume_front("cp.async.mbarrier.arrive"))
    return decodeArriveCopies(decoder, call, name);
  if (!name.consume_front("mbarrier."))
    return false;
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  auto has = [&](StringRef part) { return is_contained(parts, part); };
  auto operand = [&](unsigned i) {
    return decoder.useScalar(call.getArgOperand(i));
  };
  if (parts[0] == "pending") {
    Register state = operand(0);
    decoder.emit(Opcode::MBarrierPending, decoder.defineScalar(call), state);
    return true;
  }
  Access access;
  access.space = Space::Shared;
  access.bytes = access.elementBytes = 8;
  access.scope = Scope::Block;
  Register second = call.arg_size() > 1 ? operand(1) : kNoRegister;
  auto emit = [&](Opcode opcode) -> Instr & {
    access.opcode = opcode;
    return decoder.emitAccess(access, call.getArgOperand(0), {}, {});
  };
  if (parts[0] == "init") {
    emit(Opcode::MBarrierInit).b = second;
  } else if (parts[0] == "inval") {
    emit(Opcode::MBarrierInval);
  } else if (parts[0] == "expect") {
    emit(Opcode::MBarrierExpect).c = second;
  } else if (parts[0] == "complete") {
    emit(Opcode::MBarrierComplete).c = second;
  } else if (parts[0] == "arrive") {
    access.release = !has("relaxed");
    access.drops = has("drop");
    access.noComplete = has("noComplete");
    Register state = kNoRegister;
    if (!call.getType()->isVoidTy())
      state = decoder.defineScalar(call);
    Instr &arrive = emit(Opcode::MBarrierArrive);
    arrive.dst = state;
    (has("expect") ? arrive.c : arrive.b) = second;
  } else if (has("wait")) {
    access.acquire = !has("relaxed");
    access.isParity = has("parity");
    Register result =
        call.use_empty() ? kNoRegister : decoder.defineScalar(call);
    Instr &wait = emit(Opcode::MBarrierWait);
    wait.dst = result;
    wait.b = second;
  } else {
    return false;
  }
  return true;
}

} // namespace tileir::sim
