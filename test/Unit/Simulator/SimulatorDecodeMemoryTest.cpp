//===- SimulatorDecodeMemoryTest.cpp --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accesses that loads, stores, copies and atomics become. The widths are
// those that LLVM's code generator chose for the same types and alignments.
//
//===----------------------------------------------------------------------===//

#include "SimulatorDecode.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

/// The bytes of the accesses of a load of `type`, which is stored again in the
/// same pieces: "16", "8 4".
std::string pieces(const std::string &type, unsigned alignment) {
  std::string align = ", align " + std::to_string(alignment) + "\n";
  auto d = decodeBody("%v = load " + type + ", ptr addrspace(1) %p" + align +
                      "store " + type + " %v, ptr addrspace(1) %q" + align +
                      "ret void\n");
  EXPECT_EQ(d->error, "") << type;
  std::string text[2];
  int64_t offset[2] = {0, 0};
  for (const Access &access : d->program.accesses) {
    const Instr &instr = d->program.code[access.instr];
    bool isStore = access.opcode == Opcode::Store;
    EXPECT_EQ(access.space, Space::Global);
    EXPECT_GE(instr.imm, offset[isStore]); // in order, without overlap
    EXPECT_EQ(instr.imm % access.bytes, 0) << type;
    offset[isStore] = instr.imm + access.bytes;
    EXPECT_EQ(isStore ? instr.numUses : instr.numDefs, access.elements);
    std::string &pieces = text[isStore];
    pieces += (pieces.empty() ? "" : " ") + std::to_string(access.bytes);
  }
  EXPECT_EQ(text[0], text[1]) << type;
  return text[0];
}

TEST(DecodedAccesses, AreAsWideAsTheAlignmentAllows) {
  EXPECT_EQ(pieces("<8 x half>", 16), "16");
  EXPECT_EQ(pieces("<8 x half>", 8), "8 8");
  EXPECT_EQ(pieces("<8 x half>", 4), "4 4 4 4");
  EXPECT_EQ(pieces("<8 x half>", 2), "2 2 2 2 2 2 2 2");
  EXPECT_EQ(pieces("<4 x float>", 16), "16");
  EXPECT_EQ(pieces("<4 x float>", 8), "8 8");
  EXPECT_EQ(pieces("<8 x float>", 32), "16 16");
  EXPECT_EQ(pieces("<2 x i64>", 16), "16");
  EXPECT_EQ(pieces("<2 x i64>", 8), "8 8");
  EXPECT_EQ(pieces("<16 x i8>", 4), "4 4 4 4");
  EXPECT_EQ(pieces("<2 x i8>", 2), "2");
  EXPECT_EQ(pieces("<2 x ptr>", 16), "16");
}

TEST(DecodedAccesses, OfOddSizesAreCut) {
  EXPECT_EQ(pieces("<3 x float>", 16), "8 4");
  EXPECT_EQ(pieces("<3 x float>", 4), "4 4 4");
  EXPECT_EQ(pieces("<6 x half>", 4), "4 4 4");
  EXPECT_EQ(pieces("i24", 4), "2 1");
  EXPECT_EQ(pieces("i24", 1), "1 1 1");
  EXPECT_EQ(pieces("i48", 8), "4 2");
  EXPECT_EQ(pieces("i1", 1), "1");
  EXPECT_EQ(pieces("<8 x i1>", 1), "1");
}

TEST(DecodedAccesses, WithTooSmallAnAlignmentAreRecombined) {
  EXPECT_EQ(pieces("float", 2), "2 2");
  EXPECT_EQ(pieces("float", 1), "1 1 1 1");
  EXPECT_EQ(pieces("i64", 4), "4 4");
  EXPECT_EQ(pieces("double", 2), "2 2 2 2");
  EXPECT_EQ(pieces("half", 1), "1 1");
  auto d = decodeBody("%v = load i64, ptr addrspace(1) %p, align 4\n"
                      "store i64 %v, ptr addrspace(1) %q\n"
                      "ret void\n");
  EXPECT_EQ(d->opcodes(), "Block Load Load Pack64 Store Return");
}

TEST(DecodedAccesses, OfStructsAreThoseOfTheirFields) {
  EXPECT_EQ(pieces("{i8, double, [2 x i16]}", 8), "1 8 2 2");
  EXPECT_EQ(pieces("[2 x <4 x half>]", 8), "8 8");
  EXPECT_EQ(pieces("<{i8, i32}>", 1), "1 1 1 1 1");
}

TEST(DecodedAccesses, OfOneElementFillOneRegister) {
  auto d = decodeBody("%v = load <4 x half>, ptr addrspace(1) %p, align 8\n"
                      "%x = extractelement <4 x half> %v, i32 2\n"
                      "store half %x, ptr addrspace(1) %q\n"
                      "ret void\n");
  EXPECT_EQ(d->accesses(), "Load 2x4 Store 2");
  const Instr &load = *d->find(Opcode::Load), &store = *d->find(Opcode::Store);
  EXPECT_EQ(d->program.pool[store.list], d->program.pool[load.list + 2]);
}

TEST(DecodedAccesses, WithGapsAreTheRunsBetween) {
  auto d = decode(
      "declare <8 x i16> @llvm.masked.load.v8i16.p1(ptr addrspace(1), <8 x "
      "i1>, <8 x i16>)\n"
      "define ptx_kernel void @k(ptr addrspace(1) %p) {\n"
      "%v = call <8 x i16> @llvm.masked.load.v8i16.p1(ptr addrspace(1) align "
      "16 %p, <8 x i1> <i1 1, i1 1, i1 1, i1 0, i1 0, i1 1, i1 1, i1 0>, <8 x "
      "i16> <i16 1, i16 2, i16 3, i16 4, i16 5, i16 6, i16 7, i16 8>)\n"
      "store <8 x i16> %v, ptr addrspace(1) %p\n"
      "ret void\n}\n");
  EXPECT_EQ(d->error, "");
  EXPECT_EQ(d->accesses(), "Load 2x2 Load 2+4 Load 2+10 Load 2+12 Store 2x8");
  const Instr &store = *d->find(Opcode::Store);
  EXPECT_EQ(d->constantOf(d->program.pool[store.list + 4]), 5u);
  d = decode("declare <2 x i16> @llvm.masked.load.v2i16.p1(ptr addrspace(1), "
             "<2 x i1>, <2 x i16>)\n"
             "define ptx_kernel void @k(ptr addrspace(1) %p, <2 x i1> %m) {\n"
             "%v = call <2 x i16> @llvm.masked.load.v2i16.p1(ptr addrspace(1) "
             "%p, <2 x i1> %m, <2 x i16> poison)\n"
             "ret void\n}\n");
  EXPECT_NE(d->error.find("a mask that is only known when it runs"),
            std::string::npos)
      << d->error;
}

TEST(DecodedAccesses, KnowTheirSpaces) {
  auto d = decode("define ptx_kernel void @k(ptr %a, ptr addrspace(1) %b, ptr "
                  "addrspace(3) %c, ptr addrspace(4) %d, ptr addrspace(5) %e, "
                  "ptr addrspace(101) %f) {\n"
                  "%1 = load i32, ptr %a\n"
                  "%2 = load i32, ptr addrspace(1) %b\n"
                  "%3 = load i32, ptr addrspace(3) %c\n"
                  "%4 = load i32, ptr addrspace(4) %d\n"
                  "%5 = load i32, ptr addrspace(5) %e\n"
                  "%6 = load i32, ptr addrspace(101) %f\n"
                  "ret void\n}\n");
  std::vector<Space> spaces;
  for (const Access &access : d->program.accesses)
    spaces.push_back(access.space);
  EXPECT_EQ(spaces, (std::vector<Space>{Space::Generic, Space::Global,
                                        Space::Shared, Space::Constant,
                                        Space::Local, Space::Constant}));
}

TEST(DecodedAccesses, SetTheGranules) {
  auto granules = [](const char *type, const char *space) {
    auto d = decode("define ptx_kernel void @k(ptr" + std::string(space) +
                    " %p) {\n%v = load " + type + ", ptr" + space +
                    " %p\nret void\n}\n");
    return std::pair(d->program.sharedGranule, d->program.globalGranule);
  };
  EXPECT_EQ(granules("i64", ""), std::pair(4u, 4u));
  EXPECT_EQ(granules("i8", " addrspace(3)"), std::pair(1u, 4u));
  EXPECT_EQ(granules("half", " addrspace(1)"), std::pair(4u, 2u));
  EXPECT_EQ(granules("half", ""), std::pair(2u, 2u));
  EXPECT_EQ(granules("<2 x half>", " addrspace(3)"), std::pair(4u, 4u));
  EXPECT_EQ(granules("i8", " addrspace(4)"), std::pair(4u, 4u));
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

TEST(Copies, ReadAllBeforeTheyWrite) {
  const std::string declare =
      "declare void @llvm.memmove.p1.p1.i64(ptr addrspace(1), ptr "
      "addrspace(1), i64, i1)\n"
      "declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)\n"
      "define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i8 "
      "%b, i64 %n) {\n";
  auto d = decode(declare +
                  "call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 "
                  "%p, ptr addrspace(1) align 8 %q, i64 15, i1 false)\n"
                  "ret void\n}\n");
  EXPECT_EQ(d->accesses(), "Load 8 Load 4+8 Load 2+12 Load 1+14 "
                           "Store 8 Store 4+8 Store 2+12 Store 1+14");
  d = decode(declare + "call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 "
                       "%p, i8 %b, i64 6, i1 true)\nret void\n}\n");
  EXPECT_EQ(d->accesses(), "Store 4 Store 2+4");
  EXPECT_EQ(d->count(Opcode::Pack32), 4u);
  EXPECT_TRUE(d->program.accesses[0].isVolatile);
  d = decode(declare + "call void @llvm.memset.p1.i64(ptr addrspace(1) align 8 "
                       "%p, i8 -2, i64 8, i1 false)\nret void\n}\n");
  EXPECT_EQ(d->constantOf(d->program.pool[d->find(Opcode::Store)->list]),
            0xfefefefefefefefeu);
  d = decode(declare + "call void @llvm.memset.p1.i64(ptr addrspace(1) align 8 "
                       "%p, i8 -2, i64 %n, i1 false)\nret void\n}\n");
  EXPECT_NE(d->error.find("a copy of a size that is only known when it runs"),
            std::string::npos)
      << d->error;
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

TEST(Atomics, KeepOperationOrderAndScope) {
  struct {
    const char *name;
    AtomicOp operation;
  } const cases[] = {
      {"xchg", AtomicOp::Exchange}, {"add", AtomicOp::Add},
      {"sub", AtomicOp::Sub},       {"and", AtomicOp::And},
      {"or", AtomicOp::Or},         {"xor", AtomicOp::Xor},
      {"max", AtomicOp::SMax},      {"min", AtomicOp::SMin},
      {"umax", AtomicOp::UMax},     {"umin", AtomicOp::UMin},
      {"uinc_wrap", AtomicOp::Inc}, {"udec_wrap", AtomicOp::Dec}};
  for (const auto &[name, operation] : cases) {
    auto d = decodeBody("%v = atomicrmw " + std::string(name) +
                        " ptr addrspace(1) %p, i32 %n syncscope(\"device\") "
                        "acquire\n"
                        "store i32 %v, ptr addrspace(1) %q\nret void\n");
    ASSERT_EQ(d->error, "");
    const Access &access = d->program.accesses[0];
    EXPECT_EQ(access.atomicOp, operation);
    EXPECT_EQ(access.type, ElementType::I32);
    EXPECT_TRUE(access.isAtomic && access.acquire && !access.release);
    EXPECT_EQ(access.scope, Scope::Gpu);
    EXPECT_TRUE(d->program.usesFences);
    const Instr &instr = *d->find(Opcode::AtomicRmw);
    EXPECT_NE(instr.b, kNoRegister);
    EXPECT_EQ(instr.dst, d->program.pool[d->find(Opcode::Store)->list]);
  }
}

TEST(Atomics, OfFloats) {
  auto d = decodeBody("%a = atomicrmw fadd ptr addrspace(1) %p, double 1.0 "
                      "syncscope(\"block\") monotonic\n"
                      "%b = atomicrmw fmin ptr addrspace(3) null, half 1.0 "
                      "release\n"
                      "ret void\n");
  const Access &first = d->program.accesses[0],
               &second = d->program.accesses[1];
  EXPECT_EQ(first.type, ElementType::F64);
  EXPECT_EQ(first.scope, Scope::Block);
  EXPECT_FALSE(first.acquire || first.release);
  EXPECT_EQ(second.type, ElementType::F16);
  EXPECT_EQ(second.atomicOp, AtomicOp::FMin);
  EXPECT_EQ(second.scope, Scope::System);
  EXPECT_TRUE(second.release);
  // Nobody reads the old values.
  EXPECT_EQ(d->find(Opcode::AtomicRmw)->dst, kNoRegister);
}

TEST(Atomics, CompareExchangeGivesOldAndSuccess) {
  auto d = decodeBody(
      "%r = cmpxchg ptr addrspace(3) null, i64 1, i64 2 acq_rel monotonic\n"
      "%old = extractvalue {i64, i1} %r, 0\n"
      "%ok = extractvalue {i64, i1} %r, 1\n"
      "store i64 %old, ptr addrspace(1) %p\n"
      "store i1 %ok, ptr addrspace(1) %q\n"
      "ret void\n");
  EXPECT_EQ(d->opcodes(), "Block AtomicCmpXchg CmpEq64 Store Store Return");
  EXPECT_TRUE(d->program.accesses[0].acquire && d->program.accesses[0].release);
  // Blocks do not talk to each other through shared memory.
  EXPECT_FALSE(d->program.usesFences);
}

TEST(Atomics, LoadsStoresAndFences) {
  auto d = decodeBody("%v = load atomic i32, ptr addrspace(1) %p acquire, "
                      "align 4\n"
                      "fence syncscope(\"block\") acq_rel\n"
                      "fence syncscope(\"singlethread\") seq_cst\n"
                      "store atomic i32 %v, ptr addrspace(1) %q release, align "
                      "4\n"
                      "ret void\n");
  EXPECT_EQ(d->opcodes(), "Block Load Fence Store Return");
  EXPECT_TRUE(d->program.accesses[0].acquire &&
              d->program.accesses[0].isAtomic);
  EXPECT_TRUE(d->program.accesses[1].release);
  EXPECT_EQ(d->find(Opcode::Fence)->imm, int64_t(Scope::Block));
}

TEST(Atomics, RefuseWhatPtxHasNot) {
  EXPECT_EQ(decodeBody("%v = atomicrmw nand ptr addrspace(1) %p, i32 %n "
                       "monotonic\nret void\n")
                ->error,
            "kernel 'k': cannot simulate atomicrmw nand: %v = atomicrmw nand "
            "ptr addrspace(1) %p, i32 %n monotonic, align 4");
  auto d = decodeBody("fence syncscope(\"agent\") acquire\nret void\n");
  EXPECT_NE(d->error.find("cannot simulate this syncscope"), std::string::npos);
}

} // namespace
