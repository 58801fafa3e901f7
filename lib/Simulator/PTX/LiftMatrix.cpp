//===- LiftMatrix.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor cores, and copies in tiles: mma, ldmatrix, stmatrix, cp.async.
//
//===----------------------------------------------------------------------===//

#include "PTX/LiftAccess.h"
#include "PTX/LiftBulk.h"

using namespace llvm;

namespace tileir::sim::ptx {

/// The results of an intrinsic, one or a struct of them.
static bool writeAll(Lifter &l, Operands results, Value *value) {
  if (!value)
    return false;
  auto *structure = dyn_cast<StructType>(value->getType());
  size_t count = structure ? structure->getNumElements() : 1;
  if (results.size() != count)
    return l.fail("expected " + Twine(count) + " results, found " +
                  Twine(results.size()));
  for (auto [i, result] : enumerate(results))
    l.write(result, structure ? l.b.CreateExtractValue(value, i) : value);
  return true;
}

/// The bits of all registers of lists.
static SmallVector<Value *> readAll(Lifter &l, ArrayRef<Operand> lists) {
  SmallVector<Value *> values;
  for (const Operand &list : lists)
    for (const Operand &element : getLanes(list)) {
      unsigned bits = std::max(32u, l.getRegisterBits(element));
      values.push_back(l.read(element, l.integer(bits)));
    }
  return values;
}

/// mma.sync.aligned.shape.row.col[.satfinite].d.a.b.c d, a, b, c
static bool liftMma(Lifter &l, Modifiers &m, Operands o) {
  if (!m.take("sync"))
    return false;
  m.take("aligned");
  bool saturates = m.take("satfinite");
  std::string name = "llvm.nvvm.mma";
  for (unsigned i = 0; i < 3; ++i) // the shape, the layouts of A and B
    name += "." + m.takeFirst().str();
  StringRef types[4];
  for (StringRef &type : types)
    type = m.takeFirst();
  auto [d, a, b, c] = types;
  if (saturates)
    name += ".satfinite";
  // What LLVM's names leave out.
  if (a == "f16")
    name += ("." + d + "." + c).str();
  else if (a.starts_with("e"))
    name += ("." + d + "." + a + "." + b + "." + c).str();
  else if (a == b)
    name += ("." + a).str();
  else
    name += ("." + a + "." + b).str();
  return writeAll(l, getLanes(o[0]),
                  l.callIntrinsic(name, readAll(l, o.drop_front())));
}

/// {ldmatrix,stmatrix}.sync.aligned.m8n8.x4[.trans][.shared].b16, with the
/// pointer first and then the registers.
static Value *liftMatrix(Lifter &l, Modifiers &m, StringRef name,
                         const Operand &address, ArrayRef<Operand> registers) {
  auto space = takeSpace(m);
  StringRef shape = m.takeOneOf({"m8n8"});
  StringRef count = m.takeOneOf({"x1", "x2", "x4"});
  bool isTransposed = m.take("trans");
  auto type = m.takeType();
  if (!space || !m.take("sync") || !type || type->name != "b16" ||
      shape.empty() || count.empty())
    return nullptr;
  m.take("aligned");
  SmallVector<Value *> operands = {l.getPointer(address, kShared)};
  append_range(operands, readAll(l, registers));
  return l.callIntrinsic("llvm.nvvm." + name + ".sync.aligned." + shape + "." +
                             count + (isTransposed ? ".trans" : "") + ".b16",
                         operands, {operands[0]->getType()});
}

static bool liftLoadMatrix(Lifter &l, Modifiers &m, Operands o) {
  return writeAll(l, getLanes(o[0]), liftMatrix(l, m, "ldmatrix", o[1], {}));
}

static bool liftStoreMatrix(Lifter &l, Modifiers &m, Operands o) {
  return liftMatrix(l, m, "stmatrix", o[0], o[1]);
}

/// cp.async.{ca,cg}.shared.global [to], [from], bytes[, size][, policy], where
/// the size may be a predicate that says to copy nothing; commit_group,
/// wait_group n, wait_all.
static bool liftCopy(Lifter &l, Modifiers &m, Operands o) {
  bool reduces = m.take("reduce");
  if (!m.take("async"))
    return false;
  if (m.take("bulk"))
    return liftBulk(l, m, o, reduces);
  if (m.take("mbarrier")) {
    const bool isFixed = m.take("noinc");
    m.takeOneOf({"shared", "shared::cta"});
    return m.take("arrive") && m.take("b64") && o.size() == 1 &&
           l.callIntrinsic(std::string("llvm.nvvm.cp.async.mbarrier.arrive.") +
                               (isFixed ? "noinc." : "") + "shared",
                           {l.getPointer(o[0], kShared)});
  }
  if (m.take("commit_group"))
    return l.callIntrinsic("llvm.nvvm.cp.async.commit.group", {});
  if (m.take("wait_all"))
    return l.callIntrinsic("llvm.nvvm.cp.async.wait.all", {});
  if (m.take("wait_group"))
    return o.size() == 1 && o[0].kind == Operand::Kind::Integer &&
           l.callIntrinsic("llvm.nvvm.cp.async.wait.group",
                           {l.b.getInt32(o[0].bits)});
  StringRef cache = m.takeOneOf({"ca", "cg"});
  bool hasPolicy = m.take("L2::cache_hint");
  m.takeCacheHints();
  if (cache.empty() || (!m.take("shared") && !m.take("shared::cta")) ||
      !m.take("global") || o.size() < 3 || o[2].kind != Operand::Kind::Integer)
    return false;
  uint64_t bytes = o[2].bits;
  SmallVector<Value *> operands = {l.getPointer(o[0], kShared),
                                   l.getPointer(o[1], kGlobal)};
  Operands rest = o.drop_front(3).drop_back(hasPolicy && o.size() > 3);
  if (!rest.empty()) {
    bool isIgnored = l.getRegisterBits(rest[0]) == 1;
    Value *size = isIgnored
                      ? l.b.CreateSelect(l.read(rest[0], l.b.getInt1Ty()),
                                         l.b.getInt32(0), l.b.getInt32(bytes))
                      : l.read(rest[0], l.b.getInt32Ty());
    operands.push_back(size);
  }
  return rest.size() <= 1 &&
         l.callIntrinsic("llvm.nvvm.cp.async." + cache + ".shared.global." +
                             Twine(bytes) + (rest.empty() ? "" : ".s"),
                         operands);
}

ArrayRef<Instruction> getMatrixInstructions() {
  static const Instruction all[] = {
      {"mma", 4, 4, liftMma},
      {"ldmatrix", 2, 2, liftLoadMatrix},
      {"stmatrix", 2, 2, liftStoreMatrix},
      {"cp", 0, 6, liftCopy},
  };
  return all;
}

} // namespace tileir::sim::ptx
