//===- SimulatorDecodeScalarsTest.cpp -------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What arithmetic, casts and parts of vectors decode to, types that cannot be
// simulated, and other errors.
//
//===----------------------------------------------------------------------===//

#include "SimulatorDecode.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

/// The opcodes of instructions on the arguments %a and %b of a type, without
/// those of the block; %r is stored.
std::string opcodes(const std::string &type, const std::string &body,
                    const std::string &result = "") {
  auto d = decode("define ptx_kernel void @k(" + type + " %a, " + type +
                  " %b, ptr addrspace(1) %p) {\n" + body + "store " +
                  (result.empty() ? type : result) +
                  " %r, ptr addrspace(1) %p, align 64\nret void\n}\n");
  if (!d->error.empty())
    return d->error;
  std::string text = d->opcodes();
  text.resize(std::max<size_t>(text.find(" Store"), 5));
  return text.size() > 6 ? text.substr(6) : "";
}

TEST(Integers, OfOddWidthsAreExtendedWhereItMatters) {
  EXPECT_EQ(opcodes("i8", "%r = add i8 %a, %b\n"), "Add32 Mask32");
  EXPECT_EQ(opcodes("i8", "%r = add nuw i8 %a, %b\n"), "Add32");
  EXPECT_EQ(opcodes("i8", "%r = and i8 %a, %b\n"), "And32");
  EXPECT_EQ(opcodes("i8", "%r = lshr i8 %a, %b\n"), "LShr32");
  EXPECT_EQ(opcodes("i8", "%r = ashr i8 %a, %b\n"),
            "SignExtend32 AShr32 Mask32");
  EXPECT_EQ(opcodes("i8", "%r = sdiv i8 %a, %b\n"),
            "SignExtend32 SignExtend32 SDiv32 Mask32");
  EXPECT_EQ(opcodes("i8", "%r = icmp slt i8 %a, %b\n", "i1"),
            "SignExtend32 SignExtend32 CmpSLt32");
  EXPECT_EQ(opcodes("i8", "%r = icmp sgt i8 %a, -3\n", "i1"),
            "SignExtend32 CmpSLt32");
  EXPECT_EQ(opcodes("i8", "%r = icmp ult i8 %a, %b\n", "i1"), "CmpULt32");
  EXPECT_EQ(opcodes("i32", "%r = sdiv i32 %a, %b\n"), "SDiv32");
  EXPECT_EQ(opcodes("i48", "%r = mul i48 %a, %b\n"),
            "Mul64 Mask64 Extract64 Extract64 Extract64");
  EXPECT_EQ(opcodes("i1", "%r = add i1 %a, %b\n"), "Add32 Mask32");
  EXPECT_EQ(opcodes("<2 x i32>", "%r = xor <2 x i32> %a, %b\n"), "Xor32 Xor32");
}

TEST(Integers, Casts) {
  EXPECT_EQ(opcodes("i64", "%r = trunc i64 %a to i32\n", "i32"), "Truncate");
  EXPECT_EQ(opcodes("i64", "%r = trunc i64 %a to i8\n", "i8"),
            "Truncate Mask32");
  EXPECT_EQ(opcodes("i8", "%r = zext i8 %a to i32\n", "i32"), "");
  EXPECT_EQ(opcodes("i8", "%r = zext i8 %a to i64\n", "i64"), "ZExtTo64");
  EXPECT_EQ(opcodes("i8", "%r = sext i8 %a to i16\n", "i16"),
            "SignExtend32 Mask32");
  EXPECT_EQ(opcodes("i8", "%r = sext i8 %a to i64\n", "i64"),
            "SignExtend32 SExtTo64");
  EXPECT_EQ(opcodes("i8", "%r = sitofp i8 %a to float\n", "float"),
            "SignExtend32 CvtS32ToF32");
  EXPECT_EQ(opcodes("i64", "%r = uitofp i64 %a to bfloat\n", "bfloat"),
            "CvtU64ToBF16");
  EXPECT_EQ(opcodes("half", "%r = fpext half %a to double\n", "double"),
            "CvtF16ToF64");
  EXPECT_EQ(opcodes("double", "%r = fptrunc double %a to half\n", "half"),
            "CvtF64ToF16");
  EXPECT_EQ(opcodes("double", "%r = fptoui double %a to i64\n", "i64"),
            "CvtF64ToU64");
  EXPECT_EQ(opcodes("ptr", "%r = ptrtoint ptr %a to i32\n", "i32"), "Truncate");
  EXPECT_EQ(opcodes("i32", "%r = inttoptr i32 %a to ptr\n", "ptr"), "ZExtTo64");
}

TEST(Floats, HaveAllPredicates) {
  struct {
    const char *predicate;
    Opcode opcode;
    bool swapped;
  } const cases[] = {
      {"oeq", Opcode::FCmpOEqF32, false}, {"ogt", Opcode::FCmpOLtF32, true},
      {"oge", Opcode::FCmpOLeF32, true},  {"olt", Opcode::FCmpOLtF32, false},
      {"ole", Opcode::FCmpOLeF32, false}, {"one", Opcode::FCmpONeF32, false},
      {"ord", Opcode::FCmpOrdF32, false}, {"ueq", Opcode::FCmpUEqF32, false},
      {"ugt", Opcode::FCmpULtF32, true},  {"uge", Opcode::FCmpULeF32, true},
      {"ult", Opcode::FCmpULtF32, false}, {"ule", Opcode::FCmpULeF32, false},
      {"une", Opcode::FCmpUNeF32, false}, {"uno", Opcode::FCmpUnoF32, false}};
  for (const auto &[predicate, opcode, swapped] : cases) {
    auto d = decode("define ptx_kernel void @k(float %a, float %b, ptr %p) {\n"
                    "%c = fcmp " +
                    std::string(predicate) +
                    " float %a, %b\n"
                    "store i1 %c, ptr %p\nret void\n}\n");
    const Instr &compare = d->program.code[1];
    EXPECT_EQ(compare.opcode, opcode) << predicate;
    for (const Preset &preset : d->program.presets) {
      if (preset.argument == 0) {
        EXPECT_EQ(swapped ? compare.b : compare.a, preset.slot) << predicate;
      }
    }
  }
  for (bool value : {false, true}) {
    auto d = decode("define ptx_kernel void @k(float %a, ptr %p) {\n"
                    "%c = fcmp " +
                    std::string(value ? "true" : "false") +
                    " float %a, %a\n"
                    "store i1 %c, ptr %p\nret void\n}\n");
    EXPECT_EQ(d->opcodes(), "Block Store Return");
    const Instr &store = *d->find(Opcode::Store);
    EXPECT_EQ(d->constantOf(d->program.pool[store.list]), uint64_t(value));
  }
}

TEST(Elements, AreNames) {
  EXPECT_EQ(opcodes("<4 x float>",
                    "%x = extractelement <4 x float> %a, i32 3\n"
                    "%y = insertelement <4 x float> %b, float %x, i32 0\n"
                    "%r = shufflevector <4 x float> %a, <4 x float> %y, "
                    "<2 x i32> <i32 4, i32 poison>\n",
                    "<2 x float>"),
            "");
  EXPECT_EQ(opcodes("{i32, [2 x <2 x half>]}",
                    "%x = extractvalue {i32, [2 x <2 x half>]} %a, 1, 1\n"
                    "%r = insertvalue {i32, [2 x <2 x half>]} %b, <2 x half> "
                    "%x, 1, 0\n"),
            "");
  EXPECT_EQ(opcodes("i32", "%r = freeze i32 %a\n"), "");
}

TEST(Elements, OfVariableIndexAreSelected) {
  EXPECT_EQ(opcodes("<3 x double>",
                    "%i = ptrtoint ptr addrspace(1) %p to i64\n"
                    "%r = extractelement <3 x double> %a, i64 %i\n",
                    "double"),
            "CmpEq64 Select64 CmpEq64 Select64");
  EXPECT_EQ(opcodes("<2 x i32>",
                    "%i = ptrtoint ptr addrspace(1) %p to i32\n"
                    "%r = insertelement <2 x i32> %a, i32 7, i32 %i\n"),
            "Truncate CmpEq32 Select32 CmpEq32 Select32");
}

TEST(Bits, AreRegroupedWhereTheirWidthChanges) {
  EXPECT_EQ(opcodes("<2 x half>", "%r = bitcast <2 x half> %a to <2 x i16>\n",
                    "<2 x i16>"),
            "");
  EXPECT_EQ(opcodes("float", "%r = bitcast float %a to i32\n", "i32"), "");
  EXPECT_EQ(opcodes("<2 x half>", "%r = bitcast <2 x half> %a to i32\n", "i32"),
            "Pack32");
  EXPECT_EQ(opcodes("i32", "%r = bitcast i32 %a to <2 x half>\n", "<2 x half>"),
            "Extract32 Extract32");
  EXPECT_EQ(opcodes("<4 x i32>", "%r = bitcast <4 x i32> %a to <2 x double>\n",
                    "<2 x double>"),
            "Pack64 Pack64");
  EXPECT_EQ(opcodes("i64", "%r = bitcast i64 %a to <4 x i16>\n", "<4 x i16>"),
            "Extract64 Extract64 Extract64 Extract64");
  // Widths that do not divide each other.
  EXPECT_EQ(opcodes("<3 x i16>",
                    "%x = bitcast <3 x i16> %a to i48\n"
                    "%r = trunc i48 %x to i32\n",
                    "i32"),
            "Pack32 Pack64 Truncate");
}

TEST(Bits, OfUnfoldedConstants) {
  auto d = decodeBody("store <2 x i16> bitcast (<4 x i8> <i8 1, i8 2, i8 3, i8 "
                      "-1> to <2 x i16>), ptr addrspace(1) %p\nret void\n");
  ASSERT_EQ(d->error, "");
  const Instr &store = *d->find(Opcode::Store);
  EXPECT_EQ(d->constantOf(d->program.pool[store.list]), 0x0201u);
  EXPECT_EQ(d->constantOf(d->program.pool[store.list + 1]), 0xff03u);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(Errors, NameTheTypeAndThePlace) {
  EXPECT_EQ(decodeBody("%x = zext i32 %n to i1100\nret void\n")->error,
            "kernel 'k': cannot simulate type 'i1100': %x = zext i32 %n to "
            "i1100");
  EXPECT_EQ(decodeBody("%x = zext i32 %n to i128\n"
                       "%y = udiv i128 5, %x\nret void\n")
                ->error,
            "kernel 'k': cannot simulate this operation on more than 64 bits: "
            "%y = udiv i128 5, %x");
  EXPECT_EQ(decodeBody("%x = sitofp i32 %n to fp128\nret void\n")->error,
            "kernel 'k': cannot simulate type 'fp128': %x = sitofp i32 %n to "
            "fp128");
}

TEST(Errors, NameTheCallee) {
  auto d = decode(
      "declare i32 @llvm.nvvm.suq.width(i64)\n"
      "declare void @foo()\n"
      "define ptx_kernel void @k() !dbg !4 {\n"
      "call i32 @llvm.nvvm.suq.width(i64 0), !dbg !5\n"
      "ret void\n}\n"
      "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!6}\n"
      "!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)\n"
      "!1 = !DIFile(filename: \"/some/where/k.cu\", directory: \"/home\")\n"
      "!3 = !DISubroutineType(types: !{null})\n"
      "!4 = distinct !DISubprogram(name: \"k\", file: !1, line: 1, type: !3, "
      "unit: !0, spFlags: DISPFlagDefinition)\n"
      "!5 = !DILocation(line: 12, column: 3, scope: !4)\n"
      "!6 = !{i32 2, !\"Debug Info Version\", i32 3}\n");
  EXPECT_EQ(d->error, "/some/where/k.cu:12:3: cannot simulate intrinsic "
                      "'llvm.nvvm.suq.width': expected one "
                      "that docs/simulator.md lists");
  d = decode("declare void @foo()\n"
             "define ptx_kernel void @k() {\ncall void @foo()\nret void\n}\n");
  EXPECT_EQ(d->error, "kernel 'k': cannot simulate a call of 'foo': expected "
                      "one that docs/simulator.md lists");
}

TEST(Errors, NameVariablesThatNothingDefines) {
  auto d = decode("@v = external addrspace(1) global i32\n"
                  "define ptx_kernel void @k() {\n"
                  "store i32 1, ptr addrspace(1) @v\nret void\n}\n");
  EXPECT_EQ(d->error, "kernel 'k': 'v' is declared, but nothing defines it");
  d = decode("define ptx_kernel void @k(ptr %p) {\n"
             "store ptr @k, ptr %p\nret void\n}\n");
  EXPECT_EQ(d->error, "kernel 'k': 'k' is a function: expected no use of its "
                      "address");
  d = decode("@v = internal addrspace(3) global i32 5\n"
             "define ptx_kernel void @k() {\n"
             "store i32 1, ptr addrspace(3) @v\nret void\n}\n");
  EXPECT_EQ(d->error, "kernel 'k': shared variable 'v' has an initial value: "
                      "expected none");
}

TEST(Errors, OfConstantsThatAreNotKnown) {
  EXPECT_EQ(decode("declare void @f()\n"
                   "define ptx_kernel void @k(<2 x i64> %v, ptr %p) {\n"
                   "%s = add <2 x i64> %v, <i64 ptrtoint (ptr @f to i64), i64 "
                   "1>\nstore <2 x i64> %s, ptr %p\nret void\n}\n")
                ->error,
            "kernel 'k': 'f' is a function: expected no use of its address");
  EXPECT_EQ(decode("@g = external global i8\n"
                   "define ptx_kernel void @k(ptr %p) {\n"
                   "store i128 ptrtoint (ptr @g to i128), ptr %p\n"
                   "ret void\n}\n")
                ->error,
            "kernel 'k': cannot simulate the constant 'i128 ptrtoint (ptr @g "
            "to i128)'");
}

TEST(Errors, OfTooManyVariables) {
  EXPECT_EQ(decode("@v = internal addrspace(3) global [20000000 x i8] undef\n"
                   "define ptx_kernel void @k() {\n"
                   "store i8 1, ptr addrspace(3) @v\nret void\n}\n")
                ->error,
            "kernel 'k': shared variable 'v' has 20000000 bytes: expected less "
            "than 16777216 of all variables");
  EXPECT_EQ(decodeBody("%a = alloca [2000000000 x i8]\nret void\n")->error,
            "kernel 'k': more local memory than 1024 KiB a thread");
  EXPECT_EQ(decodeBody("%a = alloca { i32, double }, i24 16777215\n"
                       "ret void\n")
                ->error,
            "kernel 'k': more local memory than 1024 KiB a thread");
  EXPECT_EQ(decodeBody("%a = alloca [1048576 x i8]\nret void\n")->error, "");
}

TEST(Errors, OfSizesThatAreNotConstant) {
  auto d = decodeBody("%a = alloca i32, i32 %n\nret void\n");
  EXPECT_EQ(d->error, "kernel 'k': cannot simulate alloca of a size that is "
                      "only known when it runs: %a = alloca i32, i32 %n, "
                      "align 4");
}

TEST(Locations, AreThoseOfTheSource) {
  auto d = decode(
      "define ptx_kernel void @k(ptr %p) !dbg !4 {\n"
      "store i32 0, ptr %p, !dbg !9\n"
      "store i32 1, ptr %p, !dbg !5\n"
      "store i32 2, ptr %p\n"
      "store i32 3, ptr %p, !dbg !7\n"
      "ret void, !dbg !5\n}\n"
      "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!6}\n"
      "!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)\n"
      "!1 = !DIFile(filename: \"a/k.cu\", directory: \"/home\")\n"
      "!2 = !DIFile(filename: \"inlined.h\", directory: \"/home\")\n"
      "!3 = !DISubroutineType(types: !{null})\n"
      "!4 = distinct !DISubprogram(name: \"k\", file: !1, line: 1, type: !3, "
      "unit: !0, spFlags: DISPFlagDefinition)\n"
      "!5 = !DILocation(line: 12, column: 3, scope: !4)\n"
      "!6 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
      "!7 = !DILocation(line: 7, column: 1, scope: !8, inlinedAt: !5)\n"
      "!8 = distinct !DISubprogram(name: \"f\", file: !2, line: 6, type: !3, "
      "unit: !0, spFlags: DISPFlagDefinition)\n"
      "!9 = !DILocation(line: 0, scope: !8, inlinedAt: !10)\n"
      "!10 = !DILocation(line: 11, column: 2, scope: !4)\n");
  ASSERT_EQ(d->error, "");
  std::vector<std::string> found;
  for (const Instr &instr : d->program.code)
    found.push_back(d->program.locations[instr.location].str());
  // The first instruction gives %p its register. An access that has no line
  // gets that of the call that it was inlined by, or of its neighbour.
  EXPECT_EQ(found, (std::vector<std::string>{
                       "<unknown>", "/home/a/k.cu:11:2", "/home/a/k.cu:12:3",
                       "/home/a/k.cu:12:3", "/home/inlined.h:7:1",
                       "/home/a/k.cu:12:3"}));
  EXPECT_EQ(d->program.locations.size(), 4u);
}

} // namespace
