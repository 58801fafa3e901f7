//===- LiftWgmma.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma, setmaxnreg and griddepcontrol. Of wgmma LLVM has intrinsics for its
// fence, commit_group and wait_group; mma_async becomes a call of
// tileir.ptx.wgmma.mma_async.<shape>.<types>.<options>, whose operands are the
// registers of D, those of A or its descriptor, the descriptor of B and
// scale-d, and whose results are the registers of D and a ticket
// (Decode/WgmmaTickets.cpp). Options: ra (A is in registers), ta and tb (A and
// B are transposed), neg (one of A and B is negated), sat (.satfinite).
//
//===----------------------------------------------------------------------===//

#include "PTX/LiftAccess.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace tileir::sim::ptx {

namespace {
/// The types and the size of an mma_async.
struct Product {
  StringRef d, a, b;
  unsigned n = 0, k = 0;
  bool isInteger() const { return d == "s32"; }
  /// The bits of an element of A and B by the depth, which is 32 bytes.
  unsigned elementBits() const { return 256 / k; }
  unsigned registersOfD() const { return n / (d == "f16" ? 4 : 2); }
};
} // namespace

static bool isOneOf(StringRef text, std::initializer_list<StringRef> texts) {
  return is_contained(texts, text);
}

/// Whether PTX has the product; else says what is wrong.
static bool check(Lifter &l, const Product &p) {
  bool isKnown = false;
  unsigned bits = 0;
  if (p.a == "f16" || p.a == "bf16") {
    bits = 16;
    isKnown = p.b == p.a && (p.d == "f32" || (p.d == "f16" && p.a == "f16"));
  } else if (p.a == "tf32") {
    bits = 32;
    isKnown = p.b == p.a && p.d == "f32";
  } else if (isOneOf(p.a, {"e4m3", "e5m2"})) {
    bits = 8;
    isKnown = isOneOf(p.b, {"e4m3", "e5m2"}) && isOneOf(p.d, {"f16", "f32"});
  } else if (isOneOf(p.a, {"s8", "u8"})) {
    bits = 8;
    isKnown = isOneOf(p.b, {"s8", "u8"}) && p.d == "s32";
  } else if (p.a == "b1") {
    bits = 1;
    isKnown = p.b == p.a && p.d == "s32";
  }
  if (!isKnown)
    return l.fail("expected types of D, A and B that wgmma has, such as "
                  "f32.f16.f16, found " +
                  p.d + "." + p.a + "." + p.b);
  if (p.k != 256 / bits)
    return l.fail("expected a depth of k" + Twine(256 / bits) + " for " + p.a +
                  ", found k" + Twine(p.k));
  bool isWide = p.isInteger() && p.n > 24;
  if (p.n == 0 || p.n > 256 || p.n % (isWide ? 16 : 8) != 0)
    return l.fail("expected n8 to n256 in steps of 8" +
                  Twine(p.isInteger() ? ", from n32 on of 16" : "") +
                  ", found n" + Twine(p.n));
  return true;
}

/// An immediate that is one of two numbers.
static std::optional<bool> readFlag(Lifter &l, const Operand &operand,
                                    const char *what, int64_t no, int64_t yes) {
  if (operand.kind == Operand::Kind::Integer)
    for (int64_t value : {no, yes})
      if (int64_t(operand.bits) == value)
        return value == yes;
  l.fail(Twine("expected ") + Twine(no) + " or " + Twine(yes) + " for " + what);
  return std::nullopt;
}

/// mma_async.sync.aligned.m64nNkK[.satfinite].d.a.b[.and.popc] d, a, b,
/// scale-d[, imm-scale-a, imm-scale-b[, imm-trans-a], imm-trans-b]
static bool liftMultiply(Lifter &l, Modifiers &m, Operands o) {
  if (!m.take("sync") || !m.take("aligned") || o.size() < 4)
    return false;
  Product p;
  StringRef shape = m.takeFirst(), rest = shape;
  bool saturates = m.take("satfinite");
  p.d = m.takeFirst();
  p.a = m.takeFirst();
  p.b = m.takeFirst();
  if (!rest.consume_front("m64n") || rest.consumeInteger(10, p.n) ||
      !rest.consume_front("k") || rest.getAsInteger(10, p.k))
    return l.fail("expected a shape m64nNkK, found '" + shape + "'");
  if (!check(l, p) || (saturates && (!p.isInteger() || p.a == "b1")))
    return false;
  if (p.a == "b1" && (!m.take("and") || !m.take("popc")))
    return false;
  bool isInRegisters = o[1].kind == Operand::Kind::List;
  bool canTranspose = p.elementBits() == 16;
  Operands flags = o.drop_front(4);
  unsigned expected =
      p.isInteger() ? 0 : 2 + (canTranspose ? (isInRegisters ? 1 : 2) : 0);
  if (flags.size() != expected)
    return l.fail("expected " + Twine(expected) +
                  " immediates behind scale-d, found " + Twine(flags.size()));
  std::string name = ("wgmma.mma_async." + shape + "." + p.d + "." + p.a + "." +
                      p.b + (isInRegisters ? ".ra" : ""))
                         .str();
  if (expected) {
    auto a = readFlag(l, flags[0], "imm-scale-a", 1, -1);
    auto b = readFlag(l, flags[1], "imm-scale-b", 1, -1);
    if (!a || !b)
      return false;
    if (*a != *b)
      name += ".neg";
  }
  if (canTranspose) {
    auto a = isInRegisters ? std::optional(false)
                           : readFlag(l, flags[2], "imm-trans-a", 0, 1);
    auto b = readFlag(l, flags.back(), "imm-trans-b", 0, 1);
    if (!a || !b)
      return false;
    name += std::string(*a ? ".ta" : "") + (*b ? ".tb" : "");
  }
  if (saturates)
    name += ".sat";

  ArrayRef<Operand> results = getLanes(o[0]);
  if (results.size() != p.registersOfD())
    return l.fail("expected " + Twine(p.registersOfD()) +
                  " registers of D, found " + Twine(results.size()));
  Type *i32 = l.b.getInt32Ty(), *i64 = l.b.getInt64Ty();
  SmallVector<Value *> operands;
  for (const Operand &result : results)
    operands.push_back(l.read(result, i32));
  if (isInRegisters) {
    constexpr unsigned kRegistersOfA = 4;
    if (o[1].elements.size() != kRegistersOfA)
      return l.fail("expected 4 registers of A, found " +
                    Twine(o[1].elements.size()));
    for (const Operand &element : o[1].elements)
      operands.push_back(l.read(element, i32));
  } else {
    operands.push_back(l.read(o[1], i64));
  }
  operands.push_back(l.read(o[2], i64));
  operands.push_back(l.read(o[3], l.b.getInt1Ty()));

  SmallVector<Type *> types(results.size() + 1, i32); // and the ticket
  auto *type = FunctionType::get(StructType::get(l.context, types),
                                 /*isVarArg=*/true);
  FunctionCallee callee =
      l.module.getOrInsertFunction("tileir.ptx." + name, type);
  cast<llvm::Function>(callee.getCallee())->setConvergent();
  Value *call = l.b.CreateCall(callee, operands);
  for (auto [i, result] : enumerate(results))
    l.write(result, l.b.CreateExtractValue(call, i));
  return true;
}

/// wgmma.{mma_async,fence,commit_group,wait_group}
static bool liftWgmma(Lifter &l, Modifiers &m, Operands o) {
  if (m.take("mma_async"))
    return liftMultiply(l, m, o);
  bool isWait = m.take("wait_group");
  StringRef kind =
      isWait ? "wait_group" : m.takeOneOf({"fence", "commit_group"});
  if (kind.empty() || !m.take("sync") || !m.take("aligned") ||
      o.size() != (isWait ? 1u : 0u))
    return false;
  SmallVector<Value *, 1> operands;
  if (isWait) {
    if (o[0].kind != Operand::Kind::Integer || o[0].bits > 7)
      return l.fail("expected a number of groups from 0 to 7");
    operands.push_back(l.b.getInt64(o[0].bits));
  }
  return l.callIntrinsic("llvm.nvvm.wgmma." + kind + ".sync.aligned", operands);
}

/// setmaxnreg.{inc,dec}.sync.aligned.u32 count
static bool liftSetmaxnreg(Lifter &l, Modifiers &m, Operands o) {
  StringRef direction = m.takeOneOf({"inc", "dec"});
  if (direction.empty() || !m.take("sync") || !m.take("aligned") ||
      !m.take("u32"))
    return false;
  if (o[0].kind != Operand::Kind::Integer || o[0].bits < 24 ||
      o[0].bits > 256 || o[0].bits % 8 != 0)
    return l.fail("expected a number of registers from 24 to 256 that 8 "
                  "divides");
  return l.callIntrinsic("llvm.nvvm.setmaxnreg." + direction +
                             ".sync.aligned.u32",
                         {l.b.getInt32(o[0].bits)});
}

/// griddepcontrol.{launch_dependents,wait}
static bool liftGridDependency(Lifter &l, Modifiers &m, Operands) {
  if (m.take("launch_dependents"))
    return l.callIntrinsic("llvm.nvvm.griddepcontrol.launch.dependents", {});
  return m.take("wait") && l.callIntrinsic("llvm.nvvm.griddepcontrol.wait", {});
}

ArrayRef<Instruction> getWgmmaInstructions() {
  static const Instruction all[] = {
      {"wgmma", 0, 8, liftWgmma},
      {"setmaxnreg", 1, 1, liftSetmaxnreg},
      {"griddepcontrol", 0, 0, liftGridDependency},
  };
  return all;
}

} // namespace tileir::sim::ptx
