//===- LiftBulk.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async.bulk, cp.reduce.async.bulk, st.async, red.async, fence.proxy and
// tensormap, as calls that the decoder knows (Decode/DecodeBulk.cpp).
//
//===----------------------------------------------------------------------===//

#include "PTX/LiftBulk.h"
#include "PTX/LiftAccess.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace tileir::sim::ptx {

static bool emitBulk(Lifter &l, const Twine &name, ArrayRef<Value *> operands) {
  return l.callOwn("bulk." + name, l.b.getVoidTy(), operands,
                   /*hasEffect=*/true);
}

/// The operands behind an address that are numbers: coordinates, offsets.
static bool addNumbers(Lifter &l, SmallVectorImpl<Value *> &operands,
                       ArrayRef<Operand> numbers) {
  for (const Operand &number : numbers)
    operands.push_back(l.read(number, l.b.getInt32Ty()));
  return true;
}

/// The number before `d` of the modifiers 1d to 5d; 0: there is none.
static unsigned takeRank(Modifiers &m) {
  StringRef rank = m.takeOneOf({"1d", "2d", "3d", "4d", "5d"});
  return rank.empty() ? 0 : rank[0] - '0';
}

static bool liftBulkLoad(Lifter &l, Modifiers &m, Operands o, bool isTensor) {
  bool hasMask = m.take("multicast::cluster");
  bool hasPolicy = m.take("L2::cache_hint");
  bool isIm2col = m.take("im2col");
  m.take("tile");
  unsigned rank = isTensor ? takeRank(m) : 0;
  m.takeOneOf({"cta_group::1", "cta_group::2"});
  size_t at = isTensor ? 3 : 4;
  if (o.size() < at || (isTensor && rank == 0))
    return false;
  SmallVector<Value *> operands = {
      l.getPointer(o[0], kShared),
      l.getPointer(isTensor ? o[2] : o[3], kShared)};
  if (isTensor) {
    operands.push_back(l.getPointer(o[1], kGeneric));
    if (o[1].elements.size() != 1 || o[1].elements[0].elements.size() != rank)
      return l.fail("expected " + Twine(rank) + " coordinates");
    addNumbers(l, operands, o[1].elements[0].elements);
    if (isIm2col) {
      if (o.size() <= at || o[at].elements.size() != rank - 2)
        return l.fail("expected " + Twine(rank - 2) + " offsets");
      addNumbers(l, operands, o[at++].elements);
    }
  } else {
    operands.push_back(l.getPointer(o[1], kGlobal));
    operands.push_back(l.read(o[2], l.b.getInt32Ty()));
  }
  if (hasMask) {
    if (o.size() <= at)
      return false;
    operands.push_back(l.read(o[at++], l.b.getInt32Ty()));
  }
  if (o.size() != at + hasPolicy)
    return false;
  std::string name = "load";
  if (isTensor)
    name = formatv("tensor.load.{0}.{1}", isIm2col ? "im2col" : "tile", rank);
  // One function has one type.
  return emitBulk(l, name + (hasMask ? ".multicast" : ""), operands);
}

static bool liftBulkStore(Lifter &l, Modifiers &m, Operands o, bool isTensor,
                          bool reduces) {
  bool hasPolicy = m.take("L2::cache_hint");
  bool isIm2col = m.take("im2col_no_offs");
  m.take("tile");
  unsigned rank = isTensor ? takeRank(m) : 0;
  std::string name = "store";
  if (reduces) {
    m.take("noftz");
    StringRef operation =
        m.takeOneOf({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
    name = "reduce." + operation.str();
    if (!isTensor) {
      auto type = m.takeType();
      if (!type)
        return false;
      name += "." + type->name.str();
    }
  }
  if (o.size() != (isTensor ? 2u : 3u) + hasPolicy || (isTensor && rank == 0))
    return false;
  SmallVector<Value *> operands = {l.getPointer(o[1], kShared)};
  if (!isTensor) {
    operands.push_back(l.getPointer(o[0], kGlobal));
    operands.push_back(l.read(o[2], l.b.getInt32Ty()));
    return emitBulk(l, name, operands);
  }
  operands.push_back(l.getPointer(o[0], kGeneric));
  if (o[0].elements.size() != 1 || o[0].elements[0].elements.size() != rank)
    return l.fail("expected " + Twine(rank) + " coordinates");
  addNumbers(l, operands, o[0].elements[0].elements);
  return emitBulk(
      l, "tensor." + name + (isIm2col ? ".im2col." : ".tile.") + Twine(rank),
      operands);
}

bool liftBulk(Lifter &l, Modifiers &m, Operands o, bool reduces) {
  if (m.take("commit_group"))
    return o.empty() && emitBulk(l, "commit", {});
  if (m.take("wait_group")) {
    bool readsOnly = m.take("read");
    return o.size() == 1 && o[0].kind == Operand::Kind::Integer &&
           emitBulk(l, readsOnly ? "wait.read" : "wait",
                    {l.b.getInt32(o[0].bits)});
  }
  if (m.take("prefetch")) {
    while (!m.empty())
      m.takeFirst();
    return true;
  }
  bool isTensor = m.take("tensor");
  bool isLoad = m.take("mbarrier::complete_tx::bytes");
  if (isLoad && !reduces && !isTensor && !m.has("global") &&
      m.take("shared::cluster") && m.take("shared::cta"))
    return o.size() == 4 &&
           emitBulk(l, "send",
                    {l.getPointer(o[0], kShared), l.getPointer(o[3], kShared),
                     l.getPointer(o[1], kShared),
                     l.read(o[2], l.b.getInt32Ty())});
  if (!m.take("global") ||
      m.takeOneOf({"shared::cluster", "shared::cta"}).empty())
    return l.fail("expected a copy between .global and .shared, or from "
                  ".shared::cta to .shared::cluster by an mbarrier");
  if (isLoad && !reduces)
    return liftBulkLoad(l, m, o, isTensor);
  return m.take("bulk_group") && liftBulkStore(l, m, o, isTensor, reduces);
}

/// st.async[.weak].shared::cluster.mbarrier::complete_tx::bytes[.v2].type
/// [to], value, [mbarrier]
bool liftStoreAsync(Lifter &l, Modifiers &m, Operands o) {
  m.take("weak");
  m.take("shared::cluster");
  const unsigned lanes = takeLanes(m);
  auto type = m.takeType();
  if (!m.take("mbarrier::complete_tx::bytes") || !type || o.size() != 3 ||
      (type->bits() != 32 && type->bits() != 64) || lanes > 4)
    return l.fail("expected numbers of 32 or 64 bits, and an mbarrier");
  Operands values = getLanes(o[1]);
  if (values.size() != lanes)
    return l.fail("expected " + Twine(lanes) + " values, found " +
                  Twine(values.size()));
  SmallVector<Value *> operands = {l.getPointer(o[0], kShared),
                                   l.getPointer(o[2], kShared)};
  for (const Operand &value : values)
    operands.push_back(
        l.castBits(l.read(value, *type), l.integer(type->bits())));
  return l.callOwn("st.async.v" + Twine(lanes) + ".b" + Twine(type->bits()),
                   l.b.getVoidTy(), operands, /*hasEffect=*/true);
}

/// red.async.relaxed.cluster[.shared::cluster].mbarrier::complete_tx::bytes
/// .op.type [to], value, [mbarrier]
bool liftReduceAsync(Lifter &l, Modifiers &m, Operands o) {
  m.take("relaxed");
  m.take("cluster");
  m.take("shared::cluster");
  StringRef operation =
      m.takeOneOf({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
  auto type = m.takeType();
  if (!m.take("mbarrier::complete_tx::bytes") || operation.empty() || !type ||
      type->isFloat || o.size() != 3 ||
      (type->bits() != 32 && (type->bits() != 64 || operation != "add")))
    return l.fail("expected an operation on integers of 32 bits, or .add.u64, "
                  "and an mbarrier");
  return l.callOwn("red.async." + operation + "." + type->name, l.b.getVoidTy(),
                   {l.getPointer(o[0], kShared), l.getPointer(o[2], kShared),
                    l.read(o[1], l.integer(type->bits()))},
                   /*hasEffect=*/true);
}

/// tensormap.replace.tile.field[.space].b1024.type [a][, ordinal], value
/// tensormap.cp_fenceproxy.global.shared::cta... [to], [from], 128
static bool liftTensorMap(Lifter &l, Modifiers &m, Operands o) {
  if (m.take("cp_fenceproxy")) {
    for (StringRef part : {"global", "shared::cta", "tensormap::generic",
                           "release", "sync", "aligned"})
      if (!m.take(part))
        return l.fail("expected '." + part + "'");
    if (m.takeOneOf({"cta", "cluster", "gpu", "sys"}).empty() ||
        o.size() != 3 || o[2].kind != Operand::Kind::Integer ||
        o[2].bits != 128)
      return l.fail("expected a scope, and 128 bytes");
    return l.callOwn("tensormap.copy", l.b.getVoidTy(),
                     {l.getPointer(o[0], kGlobal), l.getPointer(o[1], kShared)},
                     /*hasEffect=*/true);
  }
  if (!m.take("replace") || !m.take("tile") || !m.take("b1024"))
    return false;
  StringRef field = m.takeFirst();
  auto space = takeSpace(m);
  auto type = m.takeType();
  const bool isWide = field == "global_address" || field == "global_stride";
  const bool hasOrdinal = field.ends_with("_dim") || field.ends_with("_stride");
  if (!space || !type || type->bits() != (isWide ? 64 : 32) ||
      o.size() != (hasOrdinal ? 3u : 2u))
    return false;
  // One function for all spaces.
  SmallVector<Value *> operands = {
      l.b.CreateAddrSpaceCast(l.getPointer(o[0], *space), l.b.getPtrTy())};
  if (hasOrdinal) {
    const uint64_t count = field == "global_stride" ? 4 : 5;
    if (o[1].kind != Operand::Kind::Integer || o[1].bits >= count)
      return l.fail("expected a number below " + Twine(count) +
                    " for the axis");
    operands.push_back(l.b.getInt32(o[1].bits));
  }
  operands.push_back(l.read(o.back(), l.integer(type->bits())));
  return l.callOwn("tensormap.replace." + field, l.b.getVoidTy(), operands,
                   /*hasEffect=*/true);
}

/// fence.proxy.kind, fence.mbarrier_init.release.cluster
bool liftProxyFence(Lifter &l, Modifiers &m, Operands o) {
  if (m.take("mbarrier_init")) {
    m.take("release");
    m.take("cluster");
    return l.callIntrinsic("llvm.nvvm.fence.mbarrier_init.release.cluster", {});
  }
  if (m.take("alias"))
    return true;
  if (m.take("tensormap::generic")) {
    const bool acquires = m.take("acquire");
    if ((!acquires && !m.take("release")) || o.size() != (acquires ? 2 : 0) ||
        m.takeOneOf({"cta", "cluster", "gpu", "sys"}).empty())
      return false;
    return !acquires ||
           l.callOwn("tensormap.acquire", l.b.getVoidTy(),
                     {l.getPointer(o[0], kGeneric)}, /*hasEffect=*/true);
  }
  if (!m.take("async"))
    return false;
  if (!m.take("global")) {
    m.takeOneOf({"shared::cta", "shared::cluster"});
    l.callIntrinsic("llvm.nvvm.fence.proxy.async", {});
  }
  return true;
}

ArrayRef<Instruction> getTensorMapInstructions() {
  static const Instruction all[] = {
      {"tensormap", 2, 3, liftTensorMap},
  };
  return all;
}

} // namespace tileir::sim::ptx
