//===- LiftMBarrier.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mbarrier.*, as calls that the decoder knows (Decode/DecodeMBarrier.cpp). An
// address in .shared::cluster is of any rank.
//
//===----------------------------------------------------------------------===//

#include "PTX/LiftAccess.h"

using namespace llvm;

namespace tileir::sim::ptx {

static Value *emitMBarrier(Lifter &l, const Twine &name, Type *type,
                           const Operand &address, ArrayRef<Value *> more) {
  // Of any rank, or in the own block.
  SmallVector<Value *> operands = {l.getPointer(address, kGeneric)};
  append_range(operands, more);
  return l.callOwn("mbarrier." + name, type, operands, /*hasEffect=*/true);
}

/// mbarrier.{arrive,arrive_drop}[.expect_tx|.noComplete] state, [a][, n]
static bool liftArrive(Lifter &l, Modifiers &m, Operands o, StringRef operation,
                       bool expects, bool isRelaxed) {
  bool noComplete = m.take("noComplete");
  if (o.size() < 2 || ((expects || noComplete) && o.size() < 3))
    return false;
  SmallVector<Value *> more;
  if (o.size() > 2)
    more.push_back(l.read(o[2], l.b.getInt32Ty()));
  Value *state = emitMBarrier(
      l,
      Twine("arrive") + (operation == "arrive_drop" ? ".drop" : "") +
          (expects ? ".expect.tx" : "") + (noComplete ? ".noComplete" : "") +
          (isRelaxed ? ".relaxed" : "") + (more.empty() ? "" : ".count"),
      l.b.getInt64Ty(), o[1], more);
  l.write(o[0], state);
  return true;
}

/// mbarrier.{test_wait,try_wait}[.parity] p, [a], state[, time]
static bool liftWait(Lifter &l, Modifiers &m, Operands o, StringRef operation,
                     bool isRelaxed) {
  if (o.size() < 3)
    return false;
  bool isParity = m.take("parity");
  Value *which = l.read(o[2], l.integer(isParity ? 32 : 64));
  Value *over = emitMBarrier(l,
                             Twine(operation == "test_wait" ? "test" : "try") +
                                 ".wait" + (isParity ? ".parity" : "") +
                                 (isRelaxed ? ".relaxed" : ""),
                             l.b.getInt1Ty(), o[1], which);
  l.write(o[0], over);
  return true;
}

static bool liftMBarrier(Lifter &l, Modifiers &m, Operands o) {
  StringRef operation =
      m.takeOneOf({"init", "inval", "arrive", "arrive_drop", "expect_tx",
                   "complete_tx", "test_wait", "try_wait", "pending_count"});
  bool isArrival = operation.starts_with("arrive");
  bool expects = isArrival && m.take("expect_tx");
  bool isRelaxed = m.take("relaxed");
  m.takeOneOf({"acquire", "release"});
  m.takeOneOf({"cta", "cluster"});
  m.takeOneOf({"shared::cta", "shared::cluster", "shared"});
  if (!m.take("b64"))
    return false;
  Type *i32 = l.b.getInt32Ty(), *none = l.b.getVoidTy();
  if (operation == "init")
    return o.size() == 2 &&
           emitMBarrier(l, "init", none, o[0], l.read(o[1], i32));
  if (operation == "inval")
    return o.size() == 1 && emitMBarrier(l, "inval", none, o[0], {});
  if (operation == "expect_tx" || operation == "complete_tx")
    return o.size() == 2 &&
           emitMBarrier(l,
                        operation == "expect_tx" ? "expect.tx" : "complete.tx",
                        none, o[0], l.read(o[1], i32));
  if (operation == "pending_count") {
    if (o.size() != 2)
      return false;
    l.write(o[0], l.callOwn("mbarrier.pending.count", i32,
                            {l.read(o[1], l.b.getInt64Ty())}));
    return true;
  }
  if (isArrival)
    return liftArrive(l, m, o, operation, expects, isRelaxed);
  return !operation.empty() && liftWait(l, m, o, operation, isRelaxed);
}

ArrayRef<Instruction> getMBarrierInstructions() {
  static const Instruction all[] = {{"mbarrier", 1, 4, liftMBarrier}};
  return all;
}

} // namespace tileir::sim::ptx
