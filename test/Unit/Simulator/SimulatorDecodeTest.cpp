//===- SimulatorDecodeTest.cpp --------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes small kernels and looks at the programs: the order of blocks, phis,
// addresses, arithmetic of odd widths, and errors.
//
//===----------------------------------------------------------------------===//

#include "SimulatorDecode.h"
#include "Decode/DecodeInstructions.h"
#include "tileir/Simulator/DeviceMemory.h"

#include "llvm/IR/InstIterator.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

/// The names of the blocks of a function in the order of decoding.
std::string order(const std::string &body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(
      "define void @k(i1 %c, i1 %d, i32 %n) {\n" + body + "}\n", diagnostic,
      context);
  if (!module)
    return diagnostic.getMessage().str();
  std::string text;
  for (const llvm::BasicBlock *block : orderBlocks(*module->begin()))
    text += (text.empty() ? "" : " ") + block->getName().str();
  return text;
}

//===----------------------------------------------------------------------===//
// Order of blocks
//===----------------------------------------------------------------------===//

TEST(Order, ArmsLieBeforeTheirJoin) {
  EXPECT_EQ(order("e: br i1 %c, label %t, label %f\n"
                  "j: ret void\n"
                  "f: br label %j\n"
                  "t: br label %j\n"),
            "e t f j");
  EXPECT_EQ(order("e: br i1 %c, label %j, label %t\n"
                  "j: ret void\n"
                  "t: br label %j\n"),
            "e t j");
}

TEST(Order, LoopsLieBeforeWhatTheyLeadTo) {
  // The exit is the first target, and lies first in the text.
  EXPECT_EQ(order("e: br label %h\n"
                  "x: ret void\n"
                  "h: br i1 %c, label %x, label %b\n"
                  "b: br label %h\n"),
            "e h b x");
  // A break from within, in the middle of the loop, to code of its own.
  EXPECT_EQ(order("e: br label %h\n"
                  "x: br label %y\n"
                  "y: ret void\n"
                  "h: br i1 %c, label %out, label %b\n"
                  "out: br label %y\n"
                  "b: br i1 %d, label %x, label %b2\n"
                  "b2: br label %h\n"),
            "e h b b2 x out y");
}

TEST(Order, NestedLoopsWithBreaksOfBoth) {
  // b leaves both loops, g the inner one only; f ends the outer one.
  std::string blocks = order("e: br label %h\n"
                             "h: br label %i\n"
                             "i: br i1 %c, label %b, label %g\n"
                             "b: br i1 %d, label %far, label %g\n"
                             "g: br i1 %d, label %after, label %i\n"
                             "after: br i1 %c, label %h, label %f\n"
                             "f: br label %end\n"
                             "far: br label %end\n"
                             "end: ret void\n");
  auto at = [&](const std::string &name) {
    return (" " + blocks + " ").find(" " + name + " ");
  };
  for (const char *inner : {"i", "b", "g"})
    for (const char *outer : {"after", "f", "far", "end"})
      EXPECT_LT(at(inner), at(outer)) << blocks;
  for (const char *loop : {"h", "after"})
    for (const char *outside : {"f", "far", "end"})
      EXPECT_LT(at(loop), at(outside)) << blocks;
  EXPECT_LT(at("f"), at("end"));
  EXPECT_LT(at("far"), at("end"));
}

TEST(Order, TakesLoopsWithTwoEntries) {
  auto d = decodeBody("e: br i1 %c, label %a, label %b\n"
                      "a: %x = phi i32 [1, %e], [%z, %b]\n"
                      "   br label %b\n"
                      "b: %y = phi i32 [2, %e], [%x, %a]\n"
                      "   %z = add i32 %y, %n\n"
                      "   store i32 %z, ptr addrspace(1) %p\n"
                      "   br i1 %c, label %a, label %x2\n"
                      "x2: ret void\n");
  EXPECT_EQ(d->error, "");
  EXPECT_EQ(d->count(Opcode::Branch), 2u);
}

TEST(Order, LeavesOutWhatCannotBeReached) {
  EXPECT_EQ(order("e: ret void\n"
                  "dead: br label %e2\n"
                  "e2: ret void\n"),
            "e");
}

//===----------------------------------------------------------------------===//
// Phis and terminators
//===----------------------------------------------------------------------===//

TEST(Phis, SwapInALoopTakesOneRegisterMore) {
  auto d = decodeBody("e: br label %h\n"
                      "h: %a = phi i32 [1, %e], [%b, %h]\n"
                      "   %b = phi i32 [2, %e], [%a, %h]\n"
                      "   store i32 %a, ptr addrspace(1) %p\n"
                      "   br i1 %c, label %h, label %x\n"
                      "x: ret void\n");
  ASSERT_EQ(d->error, "");
  // Two to begin with; three in the edge back to the loop.
  EXPECT_EQ(d->opcodes(), "Block Copy32 Copy32 Block Store Branch "
                          "Block Copy32 Copy32 Copy32 Jump Block Return");
  const Program &program = d->program;
  const Instr *swap = &program.code[7];
  EXPECT_EQ(swap[0].a, swap[1].dst); // saved before it is written
  EXPECT_EQ(swap[1].a, swap[2].dst);
  EXPECT_EQ(swap[2].a, swap[0].dst);
  EXPECT_EQ(program.code[5].target, &program.code[6]);
  EXPECT_EQ(program.code[5].target2, &program.code[11]);
  EXPECT_EQ(program.code[10].target, &program.code[3]);
}

TEST(Phis, CountersAreCountedInPlace) {
  auto d = decodeBody("e: br label %h\n"
                      "h: %i = phi i32 [0, %e], [%j, %h]\n"
                      "   store i32 %i, ptr addrspace(1) %p\n"
                      "   %j = add i32 %i, 3\n"
                      "   %d = icmp slt i32 %j, %n\n"
                      "   br i1 %d, label %h, label %x\n"
                      "x: ret void\n");
  // No copy is left in the edge, and so no edge.
  EXPECT_EQ(d->opcodes(),
            "Block Copy32 Block Store Add32 CmpSLt32 Branch Block Return");
  EXPECT_EQ(d->program.code[6].target, &d->program.code[2]);
  ASSERT_EQ(d->program.blocks.size(), 3u);
  EXPECT_EQ(d->program.blocks[1].first, 2u);
  EXPECT_EQ(d->program.blocks[1].count, 5u);
}

TEST(Phis, OneEdgeServesAllCasesOfASwitch) {
  auto d = decodeBody("e: switch i32 %n, label %x [i32 1, label %j\n"
                      " i32 7, label %j\n i32 -1, label %y]\n"
                      "y: br label %j\n"
                      "x: ret void\n"
                      "j: %a = phi i32 [5, %e], [5, %e], [6, %y]\n"
                      "   store i32 %a, ptr addrspace(1) %p\n"
                      "   ret void\n");
  ASSERT_EQ(d->error, "");
  ASSERT_EQ(d->program.switches.size(), 1u);
  const SwitchTable &table = d->program.switches[0];
  EXPECT_EQ(table.values, (std::vector<uint64_t>{1, 7, 0xffffffff}));
  ASSERT_EQ(table.targets.size(), 4u);
  EXPECT_EQ(table.targets[0], table.targets[1]);
  EXPECT_EQ(table.targets[0]->opcode, Opcode::Block);
  EXPECT_EQ(table.targets[0][1].opcode, Opcode::Copy32);
  EXPECT_EQ(d->find(Opcode::Switch)->imm, 32);
}

TEST(Phis, WithOnePredecessorAreNames) {
  auto d = decodeBody("e: br label %h\n"
                      "h: %a = phi i32 [%n, %e]\n"
                      "   store i32 %a, ptr addrspace(1) %p\n"
                      "   ret void\n");
  EXPECT_EQ(d->opcodes(), "Block Block Store Return");
}

TEST(Terminators, EndlessLoopsStay) {
  auto d = decodeBody("e: br label %h\n"
                      "h: br label %h\n");
  EXPECT_EQ(d->opcodes(), "Block Block Jump");
  EXPECT_EQ(d->program.code[2].target, &d->program.code[1]);
}

TEST(Terminators, UnreachableIsATrap) {
  auto d = decodeBody("unreachable\n");
  EXPECT_EQ(d->opcodes(), "Block Trap");
  EXPECT_EQ(d->program.texts.at(0),
            "reached code that is marked as unreachable");
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

TEST(Addresses, ConstantPartsGoToTheAccesses) {
  auto d = decodeBody(
      "%i = sext i32 %n to i64\n"
      "%a = getelementptr [4 x i32], ptr addrspace(1) %p, i64 %i, i64 3\n"
      "%b = getelementptr i8, ptr addrspace(1) %a, i64 -4\n"
      "%x = load i32, ptr addrspace(1) %a\n"
      "store i32 %x, ptr addrspace(1) %b\n"
      "ret void\n");
  // The extension is a part of the multiply-add.
  EXPECT_EQ(d->opcodes(), "Block MulAdd32 Load Store Return");
  EXPECT_EQ(d->find(Opcode::MulAdd32)->imm, 16);
  EXPECT_EQ(d->accesses(), "Load 4+12 Store 4+8");
}

TEST(Addresses, ExtensionsThatAreUsedElsewhereStay) {
  auto d = decodeBody("%i = zext nneg i32 %n to i64\n"
                      "%a = getelementptr i32, ptr addrspace(1) %p, i64 %i\n"
                      "store i64 %i, ptr addrspace(1) %a\n"
                      "%j = zext i32 %n to i64\n"
                      "%b = getelementptr i32, ptr addrspace(1) %p, i64 %j\n"
                      "store i64 1, ptr addrspace(1) %b\n"
                      "ret void\n");
  EXPECT_EQ(d->opcodes(),
            "Block ZExtTo64 MulAdd32 Store ZExtTo64 MulAdd64 Store "
            "Return");
}

TEST(Addresses, NarrowIndicesAreSigned) {
  auto d = decodeBody("%i = trunc i32 %n to i8\n"
                      "%a = getelementptr i32, ptr addrspace(1) %p, i8 %i\n"
                      "store i32 1, ptr addrspace(1) %a\n"
                      "ret void\n");
  EXPECT_EQ(d->opcodes(), "Block Mask32 SignExtend32 MulAdd32 Store Return");
  EXPECT_EQ(d->find(Opcode::SignExtend32)->imm, 8);
}

TEST(Addresses, AreAddedWhereTheyAreValues) {
  auto d = decodeBody("%a = getelementptr i8, ptr addrspace(1) %p, i64 24\n"
                      "store ptr addrspace(1) %a, ptr addrspace(1) %a\n"
                      "ret void\n");
  EXPECT_EQ(d->opcodes(), "Block AddImm64 Store Return");
  EXPECT_EQ(d->find(Opcode::AddImm64)->imm, 24);
  EXPECT_EQ(d->find(Opcode::Store)->imm, 0);
}

TEST(Addresses, LocalVariablesLieInTheirWindow) {
  auto d = decode("define ptx_kernel void @k(i32 %n) {\n"
                  "%a = alloca i8\n"
                  "%b = alloca [3 x i64], align 16\n"
                  "%c = alloca i16, i32 5\n"
                  "%x = getelementptr i64, ptr %b, i32 %n\n"
                  "store volatile i64 1, ptr %x\n"
                  "store i8 2, ptr %a\n"
                  "store i16 3, ptr %c\n"
                  "ret void\n}\n");
  ASSERT_EQ(d->error, "");
  const Program &program = d->program;
  ASSERT_EQ(program.locals.size(), 3u);
  EXPECT_EQ(program.locals[1].offset, 16u);
  EXPECT_EQ(program.locals[1].bytes, 24u);
  EXPECT_EQ(program.locals[2].offset, 40u);
  EXPECT_EQ(program.locals[2].bytes, 10u);
  EXPECT_EQ(program.localBytes, 50u);
  EXPECT_EQ(program.code[program.accesses[0].instr].imm,
            int64_t(kLocalBase + 16));
  EXPECT_TRUE(program.accesses[0].isVolatile);
  EXPECT_EQ(program.code[program.accesses[1].instr].imm, int64_t(kLocalBase));
}

TEST(Addresses, SharedVariablesAreLaidOutForTheKernel) {
  auto d = decode(
      "@notused = internal addrspace(3) global [64 x i32] undef\n"
      "@a = internal addrspace(3) global [5 x i8] undef, align 1\n"
      "@b = internal addrspace(3) global [3 x float] undef, align 16\n"
      "@dyn = external addrspace(3) global [0 x i8], align 32\n"
      "@dyn2 = internal addrspace(3) global [0 x i32] undef, align 4\n"
      "define ptx_kernel void @k(ptr %p) {\n"
      "store i8 1, ptr addrspace(3) @a\n"
      "store i8 1, ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr "
      "addrspace(3) @b, i32 8) to ptr)\n"
      "store i8 1, ptr addrspace(3) @dyn\n"
      "store i32 ptrtoint (ptr addrspace(3) @dyn2 to i32), ptr %p\n"
      "ret void\n}\n");
  ASSERT_EQ(d->error, "");
  const Program &program = d->program;
  ASSERT_EQ(program.shared.size(), 2u);
  EXPECT_EQ(program.shared[0].name, "a");
  EXPECT_EQ(program.shared[1].offset, 16u);
  EXPECT_EQ(program.staticSharedBytes, 28u);
  EXPECT_EQ(program.sharedAlignment, 32u);
  EXPECT_EQ(program.code[1].imm, int64_t(kSharedBase));
  EXPECT_EQ(program.code[2].imm, int64_t(kSharedBase + 24));
  EXPECT_EQ(program.code[3].imm, int64_t(kSharedBase + 32));
  EXPECT_EQ(program.accesses[1].space, Space::Generic);
  EXPECT_EQ(program.accesses[2].space, Space::Shared);
  bool found = false; // the address as a number
  for (const Preset &preset : program.presets)
    found |= !preset.wide && preset.value == kSharedBase + 32;
  EXPECT_TRUE(found);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

TEST(Arguments, AreFlattenedWithTheirOffsets) {
  auto d = decode(
      "define ptx_kernel void @k({i8, double, <2 x half>} %s, ptr byval([9 x "
      "i8]) %b, ptr addrspace(1) %p) {\n"
      "%h = extractvalue {i8, double, <2 x half>} %s, 2\n"
      "%d = extractvalue {i8, double, <2 x half>} %s, 1\n"
      "store <2 x half> %h, ptr addrspace(1) %p\n"
      "store double %d, ptr addrspace(1) %p\n"
      "%x = load i8, ptr %b\n"
      "store i8 %x, ptr addrspace(1) %p\n"
      "ret void\n}\n");
  ASSERT_EQ(d->error, "");
  std::map<std::pair<unsigned, unsigned>, Preset> found;
  for (const Preset &preset : d->program.presets)
    if (preset.isArgument)
      found[{preset.argument, preset.offset}] = preset;
  EXPECT_EQ(found.size(), 5u); // the unused i8 has no register
  EXPECT_EQ((found[{0, 8}].bytes), 8u);
  EXPECT_TRUE((found[{0, 8}].wide));
  EXPECT_EQ((found[{0, 16}].bytes), 2u);
  EXPECT_EQ((found[{0, 18}].bytes), 2u);
  EXPECT_TRUE((found[{1, 0}].byval));
  EXPECT_FALSE((found[{2, 0}].byval));
  EXPECT_EQ((found[{2, 0}].bytes), 8u);
}

} // namespace
