//===- DecodeBulk.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes cp.async.bulk.*, and fences of proxies: intrinsics of LLVM, and what
// PTX/LiftBulk.cpp calls, whose names and operands are those of this file:
//
//   bulk.load[.multicast]            shared, mbarrier, global, bytes [, mask]
//   bulk.store, bulk.reduce.op.type  shared, global, bytes
//   bulk.tensor.<one of these>.{tile,im2col}.<rank>[.multicast], where a tensor
//     map stands for the global address, coordinates and offsets for the bytes
//   bulk.send                        shared, mbarrier, shared, bytes
//   st.async.v<n>.b<bits>            shared, mbarrier, n values
//   red.async.op.type                shared, mbarrier, value
//   tensormap.replace.field          address [, ordinal], value
//   tensormap.copy, .acquire         global, shared; address
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"

#include "tileir/Target/Gpu/TensorMap.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace tileir::sim {

static std::optional<AtomicOp> getReduction(StringRef name) {
  return StringSwitch<std::optional<AtomicOp>>(name)
      .Case("add", AtomicOp::Add)
      .Case("min", AtomicOp::SMin)
      .Case("max", AtomicOp::SMax)
      .Case("inc", AtomicOp::Inc)
      .Case("dec", AtomicOp::Dec)
      .Case("and", AtomicOp::And)
      .Case("or", AtomicOp::Or)
      .Case("xor", AtomicOp::Xor)
      .Default(std::nullopt);
}

static bool setElementType(Bulk &bulk, StringRef name) {
  auto type = StringSwitch<std::optional<ElementType>>(name)
                  .Cases({"u32", "s32", "b32"}, ElementType::I32)
                  .Cases({"u64", "s64", "b64"}, ElementType::I64)
                  .Case("f16", ElementType::F16)
                  .Case("bf16", ElementType::BF16)
                  .Case("f32", ElementType::F32)
                  .Case("f64", ElementType::F64)
                  .Default(std::nullopt);
  bulk.type = type.value_or(ElementType::I32);
  bulk.isSigned = name.starts_with("s");
  return type.has_value();
}

/// One copy with these operands, and a mask or none.
static bool emitBulk(Decoder &decoder, Bulk bulk, ArrayRef<Value *> operands,
                     Value *mask = nullptr) {
  SmallVector<Register> uses;
  for (Value *operand : operands)
    uses.push_back(operand->getType()->isPointerTy()
                       ? decoder.addOffset(decoder.getAddress(operand))
                       : decoder.useScalar(operand));
  bulk.hasMask = mask;
  if (mask)
    uses.push_back(decoder.useScalar(mask));
  Access access;
  access.opcode = Opcode::BulkCopy;
  access.space = Space::Shared;
  access.bytes = 16;
  Instr &copy = decoder.emitAccess(access, Address(), {}, uses);
  copy.imm = decoder.program.bulks.size();
  decoder.program.bulks.push_back(bulk);
  return true;
}

/// The first `count` operands of the call.
static bool emitBulk(Decoder &decoder, CallBase &call, const Bulk &bulk,
                     unsigned count, Value *mask = nullptr) {
  SmallVector<Value *> operands(call.arg_begin(), call.arg_begin() + count);
  return emitBulk(decoder, bulk, operands, mask);
}

static bool isTrue(const CallBase &call, unsigned argument) {
  return cast<ConstantInt>(call.getArgOperand(argument))->isOne();
}

static bool emitBulkWait(Decoder &decoder, CallBase &call, bool readsOnly) {
  Instr &wait = decoder.emit(Opcode::BulkWait);
  wait.imm = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
  wait.extra = readsOnly;
  return true;
}

//===----------------------------------------------------------------------===//
// LLVM
//===----------------------------------------------------------------------===//

/// {g2s[.cta],s2g,reduce.op,prefetch}.{tile,im2col}.<rank>d
static bool decodeTensorCopy(Decoder &decoder, CallBase &call, StringRef name) {
  Bulk bulk;
  bulk.isTensor = true;
  bool isCta = false;
  if (name.consume_front("prefetch."))
    return true;
  if (name.consume_front("g2s.")) {
    isCta = name.consume_front("cta.");
  } else if (name.consume_front("s2g.")) {
    bulk.kind = Bulk::Store;
  } else if (name.consume_front("reduce.")) {
    bulk.kind = Bulk::Reduce;
    auto [operation, rest] = name.split('.');
    name = rest;
    auto known = getReduction(operation);
    if (!known)
      return false;
    bulk.op = *known;
  }
  bulk.isIm2col = name.consume_front("im2col.");
  if (!bulk.isIm2col && !name.consume_front("tile."))
    return false;
  if (name.size() != 2 || name[1] != 'd') // gather4, scatter4, im2col.w
    return false;
  bulk.rank = name[0] - '0';
  if (bulk.kind != Bulk::Load)
    return emitBulk(decoder, call, bulk, 2 + bulk.rank);
  bulk.numOffsets = bulk.isIm2col ? bulk.rank - 2 : 0;
  unsigned count = 3 + bulk.rank + bulk.numOffsets;
  // dst, mbarrier, map, ..., mask, hint, has mask, has hint, group
  bool hasMask = !isCta && isTrue(call, count + 2);
  return emitBulk(decoder, call, bulk, count,
                  hasMask ? call.getArgOperand(count) : nullptr);
}

static bool decodeBulkCopy(Decoder &decoder, CallBase &call, StringRef name) {
  if (name == "commit.group") {
    decoder.emit(Opcode::BulkCommit);
    return true;
  }
  if (name == "wait.group" || name == "wait.group.read")
    return emitBulkWait(decoder, call, name != "wait.group");
  if (name.starts_with("prefetch."))
    return true;
  if (name.consume_front("tensor."))
    return decodeTensorCopy(decoder, call, name);
  if (name == "shared.cta.to.global") { // the global address is first
    Bulk bulk;
    bulk.kind = Bulk::Store;
    return emitBulk(
        decoder, bulk,
        {call.getArgOperand(1), call.getArgOperand(0), call.getArgOperand(2)});
  }
  if (name == "shared.cta.to.cluster") {
    Bulk bulk;
    bulk.kind = Bulk::Send;
    return emitBulk(decoder, call, bulk, 4);
  }
  if (name == "global.to.shared.cta")
    return emitBulk(decoder, call, Bulk(), 4);
  if (name == "global.to.shared.cluster") // ..., mask, hint, has mask, has hint
    return emitBulk(decoder, call, Bulk(), 4,
                    isTrue(call, 6) ? call.getArgOperand(4) : nullptr);
  return false;
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

static std::optional<TensorField> getTensorField(StringRef name) {
  return StringSwitch<std::optional<TensorField>>(name)
      .Cases({"global.address", "global_address"}, TensorField::Address)
      .Case("rank", TensorField::Rank)
      .Cases({"box.dim", "box_dim"}, TensorField::BoxSize)
      .Cases({"global.dim", "global_dim"}, TensorField::Size)
      .Cases({"global.stride", "global_stride"}, TensorField::Stride)
      .Cases({"element.stride", "element_stride"}, TensorField::ElementStride)
      .Case("elemtype", TensorField::Type)
      .Cases({"interleave.layout", "interleave_layout"},
             TensorField::Interleave)
      .Cases({"swizzle.mode", "swizzle_mode"}, TensorField::Swizzle)
      .Cases({"swizzle.atomicity", "swizzle_atomicity"},
             TensorField::SwizzleAtomicity)
      .Cases({"fill.mode", "fill_mode"}, TensorField::Fill)
      .Default(std::nullopt);
}

/// An access of a whole map with these operands.
static void emitMapAccess(Decoder &decoder, Opcode opcode,
                          ArrayRef<Register> uses, int64_t imm = 0) {
  Access access;
  access.opcode = opcode;
  access.space = Space::Generic;
  access.bytes = 16;
  decoder.emitAccess(access, Address(), {}, uses).imm = imm;
}

static bool decodeTensorMap(Decoder &decoder, CallBase &call, StringRef name) {
  auto address = [&](unsigned i) {
    return decoder.addOffset(decoder.getAddress(call.getArgOperand(i)));
  };
  if (name == "copy") {
    emitMapAccess(decoder, Opcode::TensorMapCopy, {address(0), address(1)});
    return true;
  }
  if (name == "acquire") {
    emitMapAccess(decoder, Opcode::TensorMapAcquire, {address(0)});
    return true;
  }
  auto field =
      name.consume_front("replace.") ? getTensorField(name) : std::nullopt;
  if (!field)
    return false;
  uint64_t ordinal = 0;
  if (call.arg_size() == 3) {
    ordinal = cast<ConstantInt>(call.getArgOperand(1))->getZExtValue();
    if (ordinal >= machine::kMaxTensorRank - (*field == TensorField::Stride))
      return false;
  }
  Register value = decoder.useScalar(call.getArgOperand(call.arg_size() - 1));
  emitMapAccess(decoder, Opcode::TensorMapReplace, {address(0), value},
                int64_t(*field) | int64_t(ordinal) << 8);
  return true;
}

/// Those of proxies.
static bool decodeProxyFence(Decoder &decoder, CallBase &call, StringRef name) {
  if (name.starts_with("proxy.tensormap_generic.acquire."))
    return decodeTensorMap(decoder, call, "acquire");
  if (name == "proxy.async" || name == "proxy.async.shared_cta" ||
      name == "proxy.async.shared_cluster") {
    decoder.emit(Opcode::ProxyFence);
    return true;
  }
  return name == "proxy.async.global" || name == "proxy.alias" ||
         name.starts_with("proxy.tensormap_generic.release.");
}

//===----------------------------------------------------------------------===//
// PTX
//===----------------------------------------------------------------------===//

static bool decodeOwnBulk(Decoder &decoder, CallBase &call, StringRef name) {
  if (name == "commit") {
    decoder.emit(Opcode::BulkCommit);
    return true;
  }
  if (name == "wait" || name == "wait.read")
    return emitBulkWait(decoder, call, name != "wait");
  Bulk bulk;
  bulk.isTensor = name.consume_front("tensor.");
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  size_t i = 1;
  if (parts[0] == "reduce") {
    bulk.kind = Bulk::Reduce;
    auto operation = getReduction(parts[i++]);
    if (!operation || (!bulk.isTensor && !setElementType(bulk, parts[i++])))
      return false;
    bulk.op = *operation;
  } else if (parts[0] == "store") {
    bulk.kind = Bulk::Store;
  } else if (parts[0] == "send") {
    bulk.kind = Bulk::Send;
  }
  unsigned count = bulk.kind == Bulk::Load || bulk.kind == Bulk::Send ? 4 : 3;
  if (bulk.isTensor) {
    bulk.isIm2col = parts[i++] == "im2col";
    bulk.rank = parts[i][0] - '0';
    if (bulk.isIm2col && bulk.kind == Bulk::Load)
      bulk.numOffsets = bulk.rank - 2;
    count += bulk.rank + bulk.numOffsets - 1;
  }
  return emitBulk(decoder, call, bulk, count,
                  call.arg_size() > count ? call.getArgOperand(count)
                                          : nullptr);
}

static bool decodeStoreAsync(Decoder &decoder, CallBase &call, StringRef name) {
  Bulk bulk;
  Access access;
  access.opcode = Opcode::StoreAsync;
  bulk.kind = Bulk::StoreAsync;
  bulk.elements = call.arg_size() - 2;
  if (name.consume_front("red.async.")) {
    auto [operation, type] = name.split('.');
    auto known = getReduction(operation);
    if (!known || !setElementType(bulk, type))
      return false;
    access.opcode = Opcode::ReduceAsync;
    access.isAtomic = true;
    bulk.kind = Bulk::ReduceAsync;
    bulk.op = *known;
  }
  access.space = Space::Shared;
  access.elementBytes =
      call.getArgOperand(2)->getType()->getPrimitiveSizeInBits() / 8;
  access.elements = bulk.elements;
  access.bytes = access.elementBytes * access.elements;
  SmallVector<Register> uses;
  for (Value *operand : call.args())
    uses.push_back(operand->getType()->isPointerTy()
                       ? decoder.addOffset(decoder.getAddress(operand))
                       : decoder.useScalar(operand));
  Instr &store = decoder.emitAccess(access, Address(), {}, uses);
  store.imm = decoder.program.bulks.size();
  decoder.program.bulks.push_back(bulk);
  return true;
}

bool decodeBulk(Decoder &decoder, CallBase &call, StringRef name) {
  if (name.starts_with("st.async.") || name.starts_with("red.async."))
    return decodeStoreAsync(decoder, call, name);
  if (name.consume_front("cp.async.bulk."))
    return decodeBulkCopy(decoder, call, name);
  if (name.consume_front("fence."))
    return decodeProxyFence(decoder, call, name);
  if (name.consume_front("tensormap."))
    return decodeTensorMap(decoder, call, name);
  return name.consume_front("bulk.") && decodeOwnBulk(decoder, call, name);
}

} // namespace tileir::sim
