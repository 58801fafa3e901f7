//===- DecodeMemoryCalls.cpp ----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes calls of llvm.nvvm.* that access memory or order accesses: cp.async,
// ldmatrix, stmatrix, scoped atomics, ldu, fences; and isspacep.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"

#include <optional>

using namespace llvm;

namespace tileir::sim {

/// cp.async.{ca,cg}.shared.global.{4,8,16}[.s]
static bool decodeCopy(Decoder &decoder, CallBase &call, StringRef name) {
  if (name == "commit.group") {
    decoder.emit(Opcode::CpAsyncCommit);
    return true;
  }
  if (name == "wait.all" || name == "wait.group") {
    int64_t open = -1;
    if (name == "wait.group")
      open = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
    decoder.emit(Opcode::CpAsyncWait).imm = open;
    return true;
  }
  bool hasSize = name.consume_back(".s");
  Access access;
  access.opcode = Opcode::CpAsync;
  access.space = Space::Shared;
  if (!name.consume_front("cg.") && !name.consume_front("ca."))
    return false;
  if (!name.consume_front("shared.global.") ||
      name.getAsInteger(10, access.bytes))
    return false;
  access.elements = access.bytes / access.elementBytes;
  Register from = decoder.useScalar(call.getArgOperand(1));
  Register size = kNoRegister;
  if (hasSize)
    size = decoder.useScalar(call.getArgOperand(2));
  Instr &copy = decoder.emitAccess(access, call.getArgOperand(0), {}, {});
  copy.b = from;
  copy.c = size;
  return true;
}

/// {ld,st}matrix.sync.aligned.m8n8.{x1,x2,x4}[.trans].b16: a lane's address is
/// that of a row of 16 bytes.
static bool decodeMatrixAccess(Decoder &decoder, CallBase &call,
                               StringRef name) {
  Access access;
  access.space = Space::Shared;
  access.opcode = Opcode::LdMatrix;
  if (!name.consume_front("ldmatrix.")) {
    access.opcode = Opcode::StMatrix;
    if (!name.consume_front("stmatrix."))
      return false;
  }
  if (!name.consume_front("sync.aligned.m8n8.x") || !name.consume_back(".b16"))
    return false;
  access.transpose = name.consume_back(".trans");
  if (name.getAsInteger(10, access.elements))
    return false;
  access.bytes = 16;
  if (access.opcode == Opcode::LdMatrix) {
    decoder.emitAccess(access, call.getArgOperand(0), decoder.define(call), {});
    return true;
  }
  SmallVector<Register> uses;
  for (Value *argument : drop_begin(call.args()))
    append_range(uses, decoder.use(argument));
  decoder.emitAccess(access, call.getArgOperand(0), {}, uses);
  return true;
}

/// atomic.<op>.gen.{i,f}.{cta,sys}: relaxed, PTX's default.
static bool decodeAtomic(Decoder &decoder, CallBase &call, StringRef name) {
  Type *type = call.getType();
  bool isFloat = type->isFloatTy() || type->isDoubleTy();
  if (!isFloat && !type->isIntegerTy(32) && !type->isIntegerTy(64))
    return false;
  bool isBlock = name.consume_back(".cta");
  if (!isBlock && !name.consume_back(".sys"))
    return false;
  auto operation = StringSwitch<std::optional<AtomicOp>>(name)
                       .Case("add.gen.f", AtomicOp::FAdd)
                       .Case("add.gen.i", AtomicOp::Add)
                       .Case("inc.gen.i", AtomicOp::Inc)
                       .Case("dec.gen.i", AtomicOp::Dec)
                       .Case("exch.gen.i", AtomicOp::Exchange)
                       .Case("xor.gen.i", AtomicOp::Xor)
                       .Case("or.gen.i", AtomicOp::Or)
                       .Case("and.gen.i", AtomicOp::And)
                       .Case("max.gen.i", AtomicOp::SMax)
                       .Case("min.gen.i", AtomicOp::SMin)
                       .Case("cas.gen.i", AtomicOp::Exchange)
                       .Default(std::nullopt);
  if (!operation)
    return false;
  bool isWide = Decoder::isWide(type);
  Access access;
  access.space = Decoder::getSpace(call.getArgOperand(0));
  access.opcode = call.arg_size() == 3 ? Opcode::AtomicCmpXchg //
                                       : Opcode::AtomicRmw;
  access.elementBytes = access.bytes = isWide ? 8 : 4;
  access.isAtomic = true;
  access.scope = isBlock ? Scope::Block : Scope::System;
  access.atomicOp = *operation;
  access.type = isFloat ? (isWide ? ElementType::F64 : ElementType::F32)
                        : (isWide ? ElementType::I64 : ElementType::I32);
  Register operand = decoder.useScalar(call.getArgOperand(1));
  Register desired = kNoRegister;
  if (call.arg_size() == 3)
    desired = decoder.useScalar(call.getArgOperand(2));
  Register old = decoder.defineScalar(call);
  Instr &atomic = decoder.emitAccess(access, call.getArgOperand(0), {}, {});
  atomic.dst = old;
  atomic.b = operand;
  atomic.c = desired;
  return true;
}

/// ldu.global.{i,f,p}: a load of what nobody writes.
static bool decodeUniformLoad(Decoder &decoder, CallBase &call) {
  Type *type = call.getType();
  if (type->isVectorTy())
    return false;
  Access access;
  access.space = Space::Global;
  access.elementBytes = access.bytes =
      type->isPointerTy() ? 8 : type->getPrimitiveSizeInBits() / 8;
  decoder.emitAccess(access, call.getArgOperand(0), decoder.define(call), {});
  return true;
}

bool decodeMemoryCall(Decoder &decoder, CallBase &call, StringRef name) {
  if (name.consume_front("cp.async."))
    return decodeCopy(decoder, call, name);
  if (name.consume_front("atomic."))
    return decodeAtomic(decoder, call, name);
  if (name.starts_with("ldu.global."))
    return decodeUniformLoad(decoder, call);
  if (name.consume_front("isspacep.")) {
    auto space = StringSwitch<std::optional<Space>>(name)
                     .Case("global", Space::Global)
                     .Case("shared", Space::Shared)
                     .Case("shared.cluster", Space::Cluster)
                     .Case("const", Space::Constant)
                     .Case("local", Space::Local)
                     .Default(std::nullopt);
    if (!space)
      return false;
    Register address = decoder.useScalar(call.getArgOperand(0));
    decoder.emit(Opcode::IsSpace, decoder.defineScalar(call), address).imm =
        int64_t(*space);
    return true;
  }
  auto fence = StringSwitch<std::optional<Scope>>(name)
                   .Case("fence.sc.cluster", Scope::Gpu)
                   // With a relaxed barrier.cluster.arrive behind it.
                   .Case("fence.mbarrier_init.release.cluster", Scope::Gpu)
                   .Case("membar.cta", Scope::Block)
                   .Case("membar.gl", Scope::Gpu)
                   .Case("membar.sys", Scope::System)
                   .Default(std::nullopt);
  if (fence) {
    decoder.emit(Opcode::Fence).imm = int64_t(*fence);
    return true;
  }
  return decodeMatrixAccess(decoder, call, name);
}

} // namespace tileir::sim
