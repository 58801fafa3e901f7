//===- LiftWarp.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Barriers, and what the lanes of a warp do together.
//
//===----------------------------------------------------------------------===//

#include "PTX/Lifter.h"

using namespace llvm;

namespace tileir::sim::ptx {

/// The results of an intrinsic: a value and, where the operand is a pair, a
/// predicate.
static bool writePair(Lifter &l, const Operand &result, Value *value) {
  if (!value)
    return false;
  if (!value->getType()->isStructTy()) {
    l.write(result, value);
    return true;
  }
  bool isPair = result.kind == Operand::Kind::Pair;
  l.write(isPair ? result.elements[0] : result,
          l.b.CreateExtractValue(value, 0));
  if (isPair)
    l.write(result.elements[1], l.b.CreateExtractValue(value, 1));
  return true;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// {bar,barrier}[.cta].{sync,arrive,red.op.type}[.aligned] and bar.warp.sync
static bool emitBarrier(Lifter &l, Modifiers &m, Operands o, bool isAligned) {
  Type *i32 = l.b.getInt32Ty();
  if (m.take("warp")) {
    if (!m.take("sync") || o.size() != 1)
      return false;
    l.callIntrinsic("llvm.nvvm.bar.warp.sync", {l.read(o[0], i32)});
    return true;
  }
  if (m.take("cluster")) {
    const bool isWait = m.take("wait");
    if (!isWait && !m.take("arrive"))
      return false;
    const bool isRelaxed = m.take("relaxed");
    m.takeOneOf({"acquire", "release"});
    return l.callIntrinsic(Twine("llvm.nvvm.barrier.cluster.") +
                               (isWait ? "wait" : "arrive") +
                               (isRelaxed ? ".relaxed" : "") +
                               (m.take("aligned") ? ".aligned" : ""),
                           {});
  }
  if (o.empty())
    return l.fail("expected the number of a barrier");
  m.take("cta");
  isAligned |= m.take("aligned");
  StringRef kind = m.takeOneOf({"sync", "arrive", "red"});
  std::string name = "llvm.nvvm.barrier.cta." + kind.str();
  bool reduces = kind == "red";
  if (reduces) {
    StringRef operation = m.takeOneOf({"popc", "and", "or"});
    if (!m.takeType() || operation.empty() || o.size() < 3)
      return false;
    name += "." + operation.str();
  }
  if (kind.empty())
    return false;
  if (isAligned)
    name += ".aligned";
  Operands rest = o.drop_front(reduces);
  SmallVector<Value *> operands = {l.read(rest[0], i32)};
  bool hasCount = rest.size() > (reduces ? 2u : 1u);
  if (hasCount)
    operands.push_back(l.read(rest[1], i32));
  if (reduces)
    operands.push_back(l.read(rest.back(), l.b.getInt1Ty()));
  Value *result =
      l.callIntrinsic(name + (hasCount ? ".count" : ".all"), operands);
  if (result && reduces)
    l.write(o[0], result);
  return result;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// shfl.sync.mode.b32 d[|p], a, b, c, mask
static bool liftShuffle(Lifter &l, Modifiers &m, Operands o) {
  StringRef mode = m.takeOneOf({"up", "down", "bfly", "idx"});
  auto type = m.takeType();
  if (!m.take("sync") || mode.empty() || !type || type->bits() != 32)
    return false;
  Type *i32 = l.b.getInt32Ty();
  Value *mask = l.read(o[4], i32);
  bool isPair = o[0].kind == Operand::Kind::Pair;
  return writePair(
      l, o[0],
      l.callIntrinsic(
          "llvm.nvvm.shfl.sync." + mode + (isPair ? ".i32p" : ".i32"),
          {mask, l.read(o[1], i32), l.read(o[2], i32), l.read(o[3], i32)}));
}

/// vote.sync.{all,any,uni}.pred p, [!]q, mask; vote.sync.ballot.b32 d, q, mask
static bool liftVote(Lifter &l, Modifiers &m, Operands o) {
  StringRef mode = m.takeOneOf({"all", "any", "uni", "ballot"});
  if (!m.take("sync") || mode.empty() || !m.takeType())
    return false;
  return writePair(l, o[0],
                   l.callIntrinsic("llvm.nvvm.vote." + mode + ".sync",
                                   {l.read(o[2], l.b.getInt32Ty()),
                                    l.read(o[1], l.b.getInt1Ty())}));
}

/// match.{any,all}.sync.{b32,b64} d[|p], a, mask
static bool liftMatch(Lifter &l, Modifiers &m, Operands o) {
  bool isAll = m.take("all");
  auto type = m.takeType();
  if (!m.take("sync") || (!isAll && !m.take("any")) || !type)
    return false;
  return writePair(
      l, o[0],
      l.callIntrinsic(Twine("llvm.nvvm.match.") + (isAll ? "all" : "any") +
                          ".sync.i" + Twine(type->bits()) + (isAll ? "p" : ""),
                      {l.read(o[2], l.b.getInt32Ty()), l.read(o[1], *type)}));
}

/// redux.sync.op.type d, a, mask
static bool liftRedux(Lifter &l, Modifiers &m, Operands o) {
  StringRef operation = m.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  auto type = m.takeType();
  if (!m.take("sync") || operation.empty() || !type || type->isFloat)
    return false;
  bool isUnsigned =
      !type->isSigned && (operation == "min" || operation == "max");
  return writePair(
      l, o[0],
      l.callIntrinsic(Twine("llvm.nvvm.redux.sync.") + (isUnsigned ? "u" : "") +
                          operation,
                      {l.read(o[1], *type), l.read(o[2], l.b.getInt32Ty())}));
}

static bool liftActiveMask(Lifter &l, Modifiers &m, Operands o) {
  return m.takeType() &&
         writePair(l, o[0], l.callIntrinsic("llvm.nvvm.activemask", {}));
}

/// elect.sync d|p, mask
static bool liftElect(Lifter &l, Modifiers &m, Operands o) {
  return m.take("sync") &&
         writePair(l, o[0],
                   l.callIntrinsic("llvm.nvvm.elect.sync",
                                   {l.read(o[1], l.b.getInt32Ty())}));
}

ArrayRef<Instruction> getWarpInstructions() {
  static const Instruction all[] = {
      // All threads of a warp take part in bar.
      {"bar", 1, 4,
       [](Lifter &l, Modifiers &m, Operands o) {
         return emitBarrier(l, m, o, /*isAligned=*/true);
       }},
      {"barrier", 0, 4,
       [](Lifter &l, Modifiers &m, Operands o) {
         return emitBarrier(l, m, o, /*isAligned=*/false);
       }},
      {"shfl", 5, 5, liftShuffle},
      {"vote", 3, 3, liftVote},
      {"match", 3, 3, liftMatch},
      {"redux", 3, 3, liftRedux},
      {"activemask", 1, 1, liftActiveMask},
      {"elect", 2, 2, liftElect},
  };
  return all;
}

} // namespace tileir::sim::ptx
