//===- SimulatorPTXTest.cpp -----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX as input: what the parser says of mistakes, what the lifter makes of
// guards, labels, blocks, operands and orders, and files. The numbers of single
// instructions are tested by test/Simulator/ptx_instructions.py.
//
//===----------------------------------------------------------------------===//

#include "PTX/Syntax.h"
#include "Program.h"
#include "SimulatorRun.h"

#include <random>

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

using Arrays = std::vector<std::vector<uint32_t>>;

//===----------------------------------------------------------------------===//
// The parser
//===----------------------------------------------------------------------===//

std::string parseError(const std::string &text) {
  auto statements = ptx::parseStatements(text);
  return statements ? "" : llvm::toString(statements.takeError());
}

std::string fileError(const std::string &text) {
  auto file = ptx::parseFile(text, "k.ptx");
  return file ? "" : llvm::toString(file.takeError());
}

TEST(PTXParser, TakesStatementsApart) {
  std::string text = "@!p ld.global.L1::evict_last.v2.b32 {%r1, _}, [%rd+-8];"
                     " // a comment ; here\n L: bra /* ; */ L";
  auto statements = ptx::parseStatements(text);
  ASSERT_TRUE(bool(statements)) << llvm::toString(statements.takeError());
  ASSERT_EQ(statements->size(), 3u);
  const ptx::Statement &load = (*statements)[0];
  EXPECT_EQ(load.guard, "p");
  EXPECT_TRUE(load.guardNegated);
  EXPECT_EQ(load.name, "ld");
  ASSERT_EQ(load.modifiers.size(), 4u);
  EXPECT_EQ(load.modifiers[1], "L1::evict_last");
  ASSERT_EQ(load.operands.size(), 2u);
  EXPECT_EQ(load.operands[0].elements.size(), 2u);
  EXPECT_EQ(load.operands[0].elements[1].kind, ptx::Operand::Kind::Discard);
  EXPECT_EQ(load.operands[1].name, "%rd");
  EXPECT_EQ(load.operands[1].offset, -8);
  EXPECT_EQ((*statements)[1].kind, ptx::Statement::Kind::Label);
  EXPECT_EQ((*statements)[2].line, 2u);
}

TEST(PTXParser, ReadsNumbers) {
  auto statements = ptx::parseStatements(
      "a 0x1F, 017, 0b101, -3, 5U, 0f3F800000, -0dbff0000000000000, 2.5;");
  ASSERT_TRUE(bool(statements)) << llvm::toString(statements.takeError());
  const auto &o = (*statements)[0].operands;
  ASSERT_EQ(o.size(), 8u);
  EXPECT_EQ(o[0].bits, 31u);
  EXPECT_EQ(o[1].bits, 15u);
  EXPECT_EQ(o[2].bits, 5u);
  EXPECT_EQ(int64_t(o[3].bits), -3);
  EXPECT_EQ(o[4].bits, 5u);
  EXPECT_TRUE(o[5].isSingle);
  EXPECT_EQ(o[5].bits, 0x3f800000u);
  EXPECT_EQ(o[6].bits, 0x3ff0000000000000u);
  EXPECT_EQ(o[7].bits, 0x4004000000000000u);
}

TEST(PTXParser, NamesWhatWasExpected) {
  EXPECT_EQ(
      parseError("add.s32 %r1, %r2\nmov.u32 %r3, 1;"),
      "line 2: expected ';' after the operands of 'add.s32', found 'mov.u32'");
  EXPECT_EQ(parseError("ld.global.b32 %r1, [%rd1;"),
            "line 1: expected ']' after an address, found ';'");
  EXPECT_EQ(parseError("mov.b64 {%r1, %r2, %rd1;"),
            "line 1: expected '}' after a list of operands, found ';'");
  EXPECT_EQ(parseError("@; add"),
            "line 1: expected a predicate after '@', found ';'");
  EXPECT_EQ(parseError("{ mov.u32 a, 1;"),
            "line 1: expected '}' for each '{', found the end");
  EXPECT_EQ(parseError("}"), "line 1: expected '{' before '}'");
  EXPECT_EQ(parseError("mov.f32 a, 0f3F80;"),
            "line 1: expected an operand, found '0f3F80'");
  EXPECT_EQ(parseError("mov.u32 a, #;"),
            "line 1: expected an operand, found '#'");
  EXPECT_EQ(parseError(".reg .b99 a;"),
            "line 1: expected a type, found '.b99'");
  EXPECT_EQ(parseError("add.s32 a, b, ,;"),
            "line 1: expected an operand, found ','");
}

TEST(PTXParser, NamesWhatWasExpectedInFiles) {
  const std::string head = ".version 8.0\n.target x\n.address_size 64\n";
  EXPECT_EQ(fileError(head + ".entry k() {\n  ret;\n"),
            "k.ptx:6: expected '}' after the body of 'k', found the end");
  EXPECT_EQ(fileError(head + ".entry k(.param .u64) { ret; }"),
            "k.ptx:4: expected a name, found ')'");
  EXPECT_EQ(fileError(".address_size 32"),
            "k.ptx:1: expected '.address_size 64', found 32");
  EXPECT_EQ(fileError(head + ".global .b32 a[2] = {1, 2, 3};"),
            "k.ptx:4: variable 'a' has 3 initial values: expected at most as "
            "many as elements");
  EXPECT_EQ(fileError(head + ".global .align 3 .b32 a;"),
            "k.ptx:4: alignment 3: expected a power of two up to 4096");
  EXPECT_EQ(fileError(head + ".entri k() { ret; }"),
            "k.ptx:4: expected a directive, found '.entri'");
}

/// No text makes the parser crash or run for ever: all ends of a file, and
/// characters that are lost or changed.
TEST(PTXParser, SurvivesDamage) {
  const std::string text =
      ".version 8.0\n.target x\n.address_size 64\n.file 1 \"a.cu\"\n"
      ".global .align 4 .b8 t[8] = {1, 0xff, 3};\n.func (.param .b32 r) f"
      "(.param .b32 a) {\n .reg .b32 %r<3>; ld.param.b32 %r1, [a];\n"
      " st.param.b32 [r], %r1; ret;\n}\n.visible .entry k(.param .u64 .ptr "
      ".align 1 p)\n.maxntid 32, 1, 1\n{ .reg .pred p; .loc 1 2 3\nL: @!p bra "
      "L; mov.b64 {a, _}, 0d3FF0000000000000; ret; }\n";
  EXPECT_EQ(fileError(text), "");
  for (size_t i = 0; i < text.size(); ++i) {
    fileError(text.substr(0, i));
    fileError(text.substr(0, i) + text.substr(i + 1));
    for (char c : std::string("{}[](),;:@!<=\"/*0.%"))
      fileError(text.substr(0, i) + c + text.substr(i + 1));
  }
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

/// A kernel of one array: %x is the element of each thread, %p its address.
std::string asmKernel(const std::string &body) {
  return "target triple = \"nvptx64-nvidia-cuda\"\n"
         "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "define ptx_kernel void @k(ptr addrspace(1) %a) {\n"
         "  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "  %p = getelementptr i32, ptr addrspace(1) %a, i32 %i\n" +
         body + "  ret void\n}\n";
}

std::vector<uint32_t> numbersTo(unsigned count) {
  std::vector<uint32_t> values(count);
  for (unsigned i = 0; i < count; ++i)
    values[i] = i;
  return values;
}

/// What `text` gives in $0 for each thread's number in $1.
std::vector<uint32_t> applyText(const std::string &text) {
  Arrays arrays = {numbersTo(32)};
  RunResult result = run(asmKernel("  %r = call i32 asm sideeffect \"" + text +
                                   "\", \"=r,r\"(i32 %i)\n"
                                   "  store i32 %r, ptr addrspace(1) %p\n"),
                         arrays);
  EXPECT_EQ(result.error + result.text(), "") << text;
  return arrays[0];
}

TEST(PTXAssembly, GuardsAndLabels) {
  auto values =
      applyText("{ .reg .pred p; setp.lt.u32 p, $1, 7;\\0A mov.u32 $0, 1;"
                " @p mov.u32 $0, 2; @!p bra END; add.u32 $0, $0, 40; "
                "END: add.u32 $0, $0, 100; }");
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], i < 7 ? 142u : 101u) << i;
}

TEST(PTXAssembly, LoopsOfEachLaneItsOwnLength) {
  auto values =
      applyText("{ .reg .b32 n; .reg .pred p; mov.u32 n, 0; mov.u32 $0, "
                "0; L: setp.ge.u32 p, n, $1; @p bra E; add.u32 $0, $0, "
                "n; add.u32 n, n, 1; bra.uni L; E: }");
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], i == 0 ? 0 : i * (i - 1) / 2) << i;
}

TEST(PTXAssembly, BlocksHaveTheirOwnRegisters) {
  auto values =
      applyText("{ .reg .b32 t; mov.u32 t, 5; { .reg .b32 t; mov.u32 t, "
                "$1; add.u32 t, t, 1; } add.u32 $0, t, $1; }");
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], 5 + i);
}

TEST(PTXAssembly, SpecialRegisters) {
  EXPECT_EQ(applyText("mov.u32 $0, %laneid;")[9], 9u);
  EXPECT_EQ(applyText("mov.u32 $0, %%lanemask_lt;")[4], 15u);
  EXPECT_EQ(applyText("mov.u32 $0, WARP_SZ;")[4], 32u);
  EXPECT_EQ(applyText("mov.u32 $0, %envreg2;")[4], 0u);
  EXPECT_EQ(applyText("add.u32 $0, %ntid.x, ${1:x};")[3], 35u);
  // Zero at first, and known to all.
  EXPECT_EQ(applyText("{ .reg .b32 s; mov.u32 s, %reserved_smem_offset_1; "
                      "mad.lo.u32 s, $1, 4, s; ld.shared.u32 $0, [s]; "
                      "atom.shared.add.u32 $0, [s], 5; }")[9],
            0u);
  EXPECT_EQ(applyText("{ .reg .b32 s; mov.u32 s, %reserved_smem_offset_1; "
                      "mad.lo.u32 s, $1, 4, s; st.shared.u32 [s], $1; "
                      "ld.shared.u32 $0, [s]; }")[9],
            9u);
}

TEST(PTXAssembly, TiedOperandsStructsAndImmediates) {
  Arrays arrays = {numbersTo(32)};
  RunResult result =
      run(asmKernel(
              "  %s = call { i32, i64 } asm \"add.u32 $0, $0, $4; mul.wide.u32 "
              "$1, $3, $4;\", \"=r,=&l,0,r,n\"(i32 %i, i32 %i, i32 3)\n"
              "  %x = extractvalue { i32, i64 } %s, 0\n"
              "  %y = extractvalue { i32, i64 } %s, 1\n"
              "  %z = trunc i64 %y to i32\n  %w = add i32 %x, %z\n"
              "  store i32 %w, ptr addrspace(1) %p\n"),
          arrays);
  EXPECT_EQ(result.error + result.text(), "");
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(arrays[0][i], i + 3 + 3 * i);
}

TEST(PTXAssembly, VectorsAreOneAccess) {
  Arrays arrays = {numbersTo(128)};
  RunResult result =
      run(asmKernel("  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i\n"
                    "  %b = getelementptr i32, ptr addrspace(1) %q, i32 %i\n"
                    "  %c = getelementptr i32, ptr addrspace(1) %b, i32 %i\n"
                    "  call void asm sideeffect \"{ .reg .b32 a, b, c, d; "
                    "ld.global.L1::evict_last.v4.b32 {a, b, c, d}, [$0 + 0]; "
                    "st.global.v4.b32 [$0], {d, c, b, a}; }\", "
                    "\"l,~{memory}\"(ptr addrspace(1) %c)\n"),
          arrays);
  EXPECT_EQ(result.error + result.text(), "");
  for (unsigned i = 0; i < 128; ++i)
    EXPECT_EQ(arrays[0][i], (i & ~3u) + 3 - i % 4);
  uint64_t accesses =
      result.counters.warpInstructions[unsigned(InstrClass::Global)];
  EXPECT_EQ(accesses, 2u);
}

/// Statements count once, with what they become inside and with their guards.
TEST(PTXAssembly, StatementsAreOneInstruction) {
  auto count = [](const std::string &text) {
    Arrays arrays = {numbersTo(32)};
    RunResult result =
        run(asmKernel("  call void asm sideeffect \"" + text +
                      "\", \"l,r\"(ptr addrspace(1) %p, i32 %i)\n"),
            arrays);
    EXPECT_EQ(result.error + result.text(), "") << text;
    uint64_t total = 0;
    for (uint64_t n : result.counters.warpInstructions)
      total += n;
    return total - result.counters.warpInstructions[unsigned(InstrClass::Free)];
  };
  uint64_t none = count("");
  std::string store = "st.global.b32 [$0], t;", head = "{ .reg .b32 t; ";
  EXPECT_EQ(count(head + "mov.u32 t, 3; " + store + "}") - none, 1u);
  EXPECT_EQ(count(head + "bfe.s32 t, $1, $1, $1; " + store + "}") - none, 2u);
  EXPECT_EQ(count(head + "lop3.b32 t, $1, 7, 9, 0xe8; " + store + "}") - none,
            2u);
  EXPECT_EQ(count(head +
                  ".reg .pred p; setp.lt.u32 p, $1, 5; mov.u32 t, 2; "
                  "@p " +
                  store + "}") -
                none,
            2u);
}

TEST(PTXAssembly, AllThatIsNotKnownIsSaidAtOnce) {
  Arrays arrays = {numbersTo(32)};
  RunResult result =
      run(asmKernel("  call void asm sideeffect \"frobnicate.b32 $0; mov.u32 "
                    "nowhere, $0;\", \"r\"(i32 %i)\n"
                    "  call void asm sideeffect \"add.s32.fancy $0, $0, 1;\", "
                    "\"r\"(i32 %i)\n"
                    "  call void asm sideeffect \"add.s32 $0, 1\", \"r\"(i32 "
                    "%i)\n"
                    "  call void asm sideeffect \"bra L\", \"m\"(i32 %i)\n"
                    "  call void asm sideeffect \"{ ret;\", \"\"()\n"),
          arrays);
  EXPECT_EQ(
      result.error,
      "test.ll:6:3: cannot simulate 'frobnicate.b32 $0': unknown instruction "
      "'frobnicate'\n"
      "test.ll:6:3: cannot simulate 'mov.u32 nowhere, $0': expected a register "
      "for the result, found 'nowhere'\n"
      "test.ll:7:3: cannot simulate 'add.s32.fancy $0, $0, 1': modifier "
      "'.fancy' of 'add' is not known\n"
      "test.ll:8:3: cannot simulate 'add.s32 $0, 1': 'add' with 2 operands: "
      "expected 3\n"
      "test.ll:9:3: cannot simulate 'bra L': constraint 'm': expected r, l, h, "
      "f, d, b, n, q or the number of a result\n"
      "test.ll:10:3: cannot simulate '{ ret;': line 1: expected '}' for each "
      "'{', found the end");
}

/// What follows a guard in the same assembly keeps the assembly's line.
TEST(PTXAssembly, VideoInstructionsSayWhatIsWrong) {
  auto getError = [](const std::string &statement) {
    Arrays arrays = {std::vector<uint32_t>(32)};
    return run(asmKernel("  call i32 asm sideeffect \"" + statement +
                         "\", \"=r,r\"(i32 %i)\n"),
               arrays)
        .error;
  };
  for (auto [statement, why] :
       {std::pair("vadd.u32.u32.u32 $0, $1.b4, $1", "selector '.b4'"),
        std::pair("vadd.u32.u32.b32 $0, $1, $1", "this form of 'vadd'"),
        std::pair("vadd.u32.u32.u32.add $0.h0, $1, $1, $1", "found both"),
        std::pair("vadd.u32.u32.u32.add $0, $1, $1", "a last operand"),
        std::pair("vshl.s32.u32.u32 $0, $1, $1", "this form of 'vshl'"),
        std::pair("vadd4.u32.u32.u32 $0.b12, $1, $1, $1", "selector '.b12'"),
        std::pair("vadd2.u32.u32.u32.sat.add $0, $1, $1, $1", "this form"),
        std::pair("vmad.s32.u32.u32 $0, -$1, $1, -$1", "a minus before one"),
        std::pair("add.u32 $0, -$1, $1", "a minus before '$1'")})
    EXPECT_NE(getError(statement).find(why), std::string::npos)
        << statement << ": " << getError(statement);
}

TEST(PTXAssembly, LinesStayBehindGuards) {
  Arrays arrays = {numbersTo(32)};
  RunResult result = run(
      asmKernel("  call void asm sideeffect \"{ .reg .pred p; setp.eq.u32 p, "
                "$1, 1; @p st.global.b32 [$0], 1; st.global.b32 [$0 + 4096], "
                "2; }\", \"l,r\"(ptr addrspace(1) %p, i32 %i)\n"
                "  %j = add i32 %i, 1\n"),
      arrays);
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].location.str(), "test.ll:6:3");
}

/// Order: a flag that one warp releases and another one acquires.
TEST(PTXAssembly, ReleaseAndAcquireOrder) {
  auto run64 = [](const char *order) {
    std::string body =
        "  %data = getelementptr i32, ptr addrspace(1) %a, i32 1\n"
        "  call void asm sideeffect \"{ .reg .pred p, q; .reg .b32 f; "
        "setp.eq.u32 p, $2, 0; setp.eq.u32 q, $2, 32;\\0A"
        "@p st.global.b32 [$1], 42;\\0A"
        "@p st." +
        std::string(order) +
        ".gpu.global.b32 [$0], 1;\\0A"
        "@!q bra END; W: ld.acquire.gpu.global.b32 f, [$0]; setp.eq.u32 p, f, "
        "0; @p bra W; ld.global.b32 f, [$1]; st.global.b32 [$1 + 4], f; END: "
        "}\", \"l,l,r,~{memory}\"(ptr addrspace(1) %a, ptr addrspace(1) "
        "%data, i32 %i)\n";
    Arrays arrays = {std::vector<uint32_t>(4, 0)};
    RunOptions options;
    options.block = {64, 1, 1};
    RunResult result = run(asmKernel(body), arrays, options);
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(arrays[0][2], 42u);
    return result.text();
  };
  EXPECT_EQ(run64("release"), "");
  EXPECT_NE(run64("relaxed").find("global-race"), std::string::npos);
}

/// Numbers as newer versions of LLVM write them.
TEST(PTXAssembly, NewerNumbersAreRead) {
  Arrays arrays = {numbersTo(32)};
  RunResult result = run(asmKernel("  %x = uitofp i32 %i to float\n"
                                   "  %y = fmul float %x, f0x3F000000\n"
                                   "  %c = fcmp olt float %y, +inf\n"
                                   "  %z = select i1 %c, float %y, float -inf\n"
                                   "  %w = fadd float %z, 0.1\n"
                                   "  %b = bitcast float %w to i32\n"
                                   "  store i32 %b, ptr addrspace(1) %p\n"),
                         arrays);
  EXPECT_EQ(result.error + result.text(), "");
  for (unsigned i = 0; i < 32; ++i) {
    float got;
    std::memcpy(&got, &arrays[0][i], 4);
    EXPECT_EQ(got, float(i) * 0.5f + 0.1f);
  }
}

/// NaN, by all bits but the one that makes it quiet.
TEST(PTXAssembly, NewerBitsOfNaNAreRead) {
  Arrays arrays = {numbersTo(32)};
  RunResult result =
      run(asmKernel("  %c = icmp slt i32 %i, 16\n"
                    "  %x = select i1 %c, float +nan(0x3FFFFF), float "
                    "-snan(0x1)\n"
                    "  %b = bitcast float %x to i32\n"
                    "  store i32 %b, ptr addrspace(1) %p\n"),
          arrays);
  EXPECT_EQ(result.error + result.text(), "");
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(arrays[0][i], i < 16 ? 0x7FFFFFFFu : 0xFF800001u);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

const std::string kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// A kernel of one array: %p is the address of the thread's element, %t its
/// number.
std::string fileKernel(const std::string &body, const std::string &before = "",
                       const std::string &bounds = "") {
  return kHead + before + ".visible .entry k(.param .u64 a)\n" + bounds +
         "{\n .reg .b32 %t, %r<9>; .reg .b64 %p, %q<9>; .reg .pred %c<4>;\n"
         " ld.param.u64 %p, [a]; cvta.to.global.u64 %p, %p;\n"
         " mov.u32 %t, %tid.x; mul.wide.u32 %q0, %t, 4; add.s64 %p, %p, "
         "%q0;\n" +
         body + " ret;\n}\n";
}

std::vector<uint32_t> runFile(const std::string &text) {
  Arrays arrays = {std::vector<uint32_t>(32, 77)};
  RunResult result = run(text, arrays);
  EXPECT_EQ(result.error + result.text(), "") << text;
  return arrays[0];
}

TEST(PTXFile, VariablesHaveTheirInitialValues) {
  auto values = runFile(fileKernel(
      " mul.wide.u32 %q1, %t, 2; and.b64 %q1, %q1, 6; mov.u64 %q2, table;\n"
      " add.s64 %q1, %q1, %q2; ld.global.u16 %r1, [%q1];\n"
      " ld.const.b32 %r2, [number+4]; ld.global.u64 %q3, [pointer];\n"
      " ld.b32 %r3, [%q3]; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3;\n"
      " st.global.b32 [%p], %r1;\n",
      ".global .align 2 .u16 table[4] = {10, 20, 30, 40};\n"
      ".const .align 4 .f32 number[2] = {1.0, 0f3F800000};\n"
      ".global .u64 pointer = generic(late)+4;\n"
      ".global .align 4 .b8 late[8] = {0, 0, 0, 0, 7};\n"));
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], 10 * (i % 4 + 1) + 0x3f800000 + 7);
}

TEST(PTXFile, SharedMemoryAndBarriers) {
  auto values = runFile(fileKernel(
      " .shared .align 4 .b8 buffer[128];\n"
      " mov.u32 %r1, buffer; shl.b32 %r2, %t, 2; add.u32 %r3, %r1, %r2;\n"
      " st.shared.u32 [%r3], %t; bar.sync 0; sub.u32 %r2, 124, %r2;\n"
      " add.u32 %r3, %r1, %r2; ld.shared.u32 %r4, [%r3];\n"
      " st.global.u32 [%p], %r4;\n"));
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], 31 - i);
}

/// The order of an atomic is the one that the file states: two warps write a
/// value each, and the one that counts last reads the other's.
TEST(PTXFile, AtomicsHaveTheirOrder) {
  auto run64 = [](const std::string &order) {
    Arrays arrays = {std::vector<uint32_t>(64, 0)};
    RunOptions options;
    options.block = {64, 1, 1};
    RunResult result =
        run(fileKernel(" ld.param.u64 %q1, [a]; and.b32 %r1, %t, 31;\n"
                       " setp.ne.u32 %c0, %r1, 0; @%c0 bra END;\n"
                       " st.global.u32 [%p], 42;\n"
                       " atom." +
                       order +
                       ".gpu.global.add.u32 %r2, [%q1+4], 1;\n"
                       " setp.eq.u32 %c0, %r2, 0; @%c0 bra END;\n"
                       " xor.b32 %r3, %t, 32; mul.wide.u32 %q2, %r3, 4;\n"
                       " add.s64 %q2, %q1, %q2; ld.global.u32 %r4, [%q2];\n"
                       " st.global.u32 [%q1+8], %r4;\n END:\n"),
            arrays, options);
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(arrays[0][2], 42u);
    return result.text();
  };
  EXPECT_EQ(run64("acq_rel"), "");
  EXPECT_NE(run64("relaxed").find("global-race"), std::string::npos);
  EXPECT_NE(run64("acquire").find("global-race"), std::string::npos);
}

TEST(PTXFile, FunctionsAreCalled) {
  auto values = runFile(fileKernel(
      " { .param .b32 x; .param .align 8 .b8 s[16]; .param .b32 r;\n"
      " st.param.b32 [x], %t; st.param.b64 [s+8], 5;\n"
      " call.uni (r), f, (x, s); ld.param.b32 %r1, [r]; }\n"
      " st.global.b32 [%p], %r1;\n",
      ".func (.param .b32 r) f(.param .b32 x, .param .align 8 .b8 s[16]);\n"
      ".func (.param .b32 r) f(.param .b32 x, .param .align 8 .b8 s[16])\n"
      "{ .reg .b32 %a<3>; .reg .b64 %b; .reg .pred p; ld.param.b32 %a1, [x];\n"
      " ld.param.b64 %b, [s+8]; cvt.u32.u64 %a2, %b;\n"
      " setp.lt.u32 p, %a1, 4; @p bra SMALL; add.u32 %a1, %a1, %a2;\n"
      " st.param.b32 [r], %a1; ret; SMALL: st.param.b32 [r], 1; ret; }\n"));
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], i < 4 ? 1 : i + 5);
}

TEST(PTXFile, BranchesByIndex) {
  auto values = runFile(fileKernel(
      " and.b32 %r1, %t, 3; T: .branchtargets A, B, A, C;\n"
      " brx.idx %r1, T;\n A: mov.u32 %r2, 1; bra E; B: mov.u32 %r2, 2; bra E;\n"
      " C: mov.u32 %r2, 3; E: st.global.u32 [%p], %r2;\n"));
  const uint32_t expected[] = {1, 2, 1, 3};
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], expected[i % 4]);
}

TEST(PTXFile, LinesAreThoseOfLocOrOfTheFile) {
  auto lineOf = [](const std::string &text) {
    Arrays arrays = {std::vector<uint32_t>(32)};
    RunResult result = run(text, arrays);
    EXPECT_EQ(result.error, "");
    return result.findings.empty() ? std::string("none")
                                   : result.findings[0].location.str();
  };
  std::string store = " st.global.b32 [%p+4096], %t;\n";
  EXPECT_EQ(lineOf(fileKernel(store)).substr(0, 9), "test.ll:9");
  EXPECT_EQ(lineOf(fileKernel(" setp.eq.u32 %c0, %t, 3;\n @%c0 bra E;\n E:\n"
                              "@!%c0" +
                              store))
                .substr(0, 10),
            "test.ll:12");
  EXPECT_EQ(lineOf(fileKernel(" .loc 2 17 4\n" + store,
                              ".file 2 \"/a/b/kernel.cu\"\n")),
            "/a/b/kernel.cu:17:4");
}

/// "function line" of the calls that were inlined, the innermost first.
std::string callsOf(const std::string &locations) {
  std::string strings = ".section .debug_str\n{\n$one:\n"
                        ".b8 102,111,111,0 // foo\n$two: .b8 95, 90\n"
                        ".b8 51,98,97,114,118\n.b8 0\n}\n"; // _Z3barv
  Arrays arrays = {std::vector<uint32_t>(32)};
  RunResult result =
      run(fileKernel(locations + " st.global.b32 [%p+4096], %t;\n",
                     ".file 1 \"/a/k.cu\"\n.file 2 \"/a/h.cu\"\n") +
              strings,
          arrays);
  std::string text = result.error;
  for (const SourceLocation &at : result.findings.at(0).location.stack)
    text += at.function + ' ' + at.str() + '\n';
  return text;
}

TEST(PTXFile, CallsThatWereInlined) {
  // foo, called by bar, called by the kernel.
  EXPECT_EQ(callsOf(" .loc 1 30 3\n"
                    " .loc 2 20 5, function_name $two, inlined_at 1 30 3\n"
                    " .loc 2 10 7, function_name $one, inlined_at 2 20 5\n"),
            "foo /a/h.cu:10:7\nbar() /a/h.cu:20:5\nk /a/k.cu:30:3\n");
  // By the place in the section; into a line that no .loc has told of.
  EXPECT_EQ(
      callsOf(" .loc 2 20 5, function_name .debug_str+4, inlined_at 1 31 3\n"),
      "bar() /a/h.cu:20:5\nk /a/k.cu:31:3\n");
  // A function whose name is not known; places that name each other.
  EXPECT_EQ(callsOf(" .loc 2 20 5, function_name $six, inlined_at 1 31 3\n"),
            "k /a/h.cu:20:5\nk /a/k.cu:31:3\n");
  std::string circle;
  for (unsigned i = 0; i < 1000; ++i)
    circle += " .loc 2 20 5, function_name $one, inlined_at 2 21 5\n"
              " .loc 2 21 5, function_name $one, inlined_at 2 20 5\n";
  EXPECT_LT(callsOf(circle).size(), 5000u);
}

/// Files that are damaged are loaded or refused, and never crash: tokens that
/// are lost, doubled, or in the place of others.
TEST(PTXFile, SurvivesDamage) {
  const std::string text = fileKernel(
      " .shared .align 4 .b8 buffer[128];\n .local .b8 l[8];\n"
      " { .param .b32 x; .param .b32 r; st.param.b32 [x], %t;\n"
      " call.uni (r), f, (x); ld.param.b32 %r1, [r]; }\n"
      " L: setp.lt.s32 %c1|%c2, %r1, 4; @!%c1 bra E; mov.b64 %q2, {%r1, %r2};\n"
      " bra.uni L; E: @%c2 st.global.v2.b32 [%q3+8], {%r1, %r2};\n"
      " shfl.sync.up.b32 %r2|%c1, %r1, 1, 0, -1; bar.sync 0;\n"
      " atom.global.add.f32 %r1, [%p], 0f3F800000; cvt.rni.s32.f32 %r4, %r1;\n"
      " mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3},\n"
      " {%r4}, {%r5, %r6}; cp.async.ca.shared.global [%r1], [%q1], 4;\n",
      ".global .u64 v[2] = {t, 4};\n.const .b32 t = 7;\n"
      ".func (.param .b32 r) f(.param .b32 x) { .reg .b32 a;\n"
      " ld.param.b32 a, [x]; st.param.b32 [r], a; ret; }\n");
  auto chip = tileir::machine::getGpu("sm_80");
  ASSERT_TRUE(bool(chip));
  unsigned loaded = 0, refused = 0;
  std::string said;
  auto load = [&](const std::string &damaged) {
    Simulator simulator(**chip);
    auto module = simulator.load(llvm::MemoryBufferRef(damaged, "k.ptx"));
    bool isGood = bool(module);
    if (!module) {
      said = llvm::toString(module.takeError());
      EXPECT_NE(said.find("k.ptx"), std::string::npos) << said;
    } else {
      for (const std::string &name : (*module)->getKernelNames()) {
        auto kernel = (*module)->getKernel(name);
        isGood &= bool(kernel);
        if (!kernel)
          said = llvm::toString(kernel.takeError());
      }
    }
    ++(isGood ? loaded : refused);
  };
  load(text);
  EXPECT_EQ(loaded, 1u) << said;
  std::vector<std::string> tokens;
  std::vector<size_t> starts;
  for (size_t i = 0; i < text.size();) {
    size_t length = 1;
    auto isWord = [](char c) { return isalnum(c) || strchr("%._$", c); };
    while (isWord(text[i]) && i + length < text.size() &&
           isWord(text[i + length]))
      ++length;
    if (!isspace(text[i])) {
      tokens.push_back(text.substr(i, length));
      starts.push_back(i);
    }
    i += length;
  }
  std::mt19937 random(5);
  for (size_t i = 0; i < tokens.size(); ++i) {
    std::string before = text.substr(0, starts[i]),
                after = text.substr(starts[i] + tokens[i].size());
    load(before + after);
    load(before + tokens[i] + " " + tokens[i] + after);
    for (unsigned k = 0; k < 3; ++k)
      load(before + tokens[random() % tokens.size()] + after);
  }
  EXPECT_GT(loaded, 50u);
  EXPECT_GT(refused, 500u);
}

TEST(PTXFile, BoundsOfThreadsHold) {
  Arrays arrays = {std::vector<uint32_t>(64)};
  RunOptions options;
  options.block = {64, 1, 1};
  std::string store = " st.global.b32 [%p], %t;\n";
  RunResult most =
      run(fileKernel(store, "", ".maxntid 32, 1, 1\n"), arrays, options);
  EXPECT_NE(most.error.find("32"), std::string::npos) << most.error;
  RunResult required =
      run(fileKernel(store, "", ".reqntid 32\n"), arrays, options);
  EXPECT_NE(required.error.find("32"), std::string::npos) << required.error;
  RunResult cluster =
      run(fileKernel(store, "", ".reqnctapercluster 2, 1\n"), arrays, options);
  EXPECT_EQ(cluster.error, "cannot launch kernel @k: clusters of 2 blocks on "
                           "sm_80: expected sm_90 or later");
  RunResult fits = run(fileKernel(store, "",
                                  ".maxntid 64\n.minnctapersm 2\n"
                                  ".reqnctapercluster 1\n"),
                       arrays, options);
  EXPECT_EQ(fits.error + fits.text(), "");
  EXPECT_EQ(arrays[0][63], 63u);
}

TEST(PTXFile, MistakesAreNamed) {
  auto errorOfFile = [](const std::string &text) {
    Arrays arrays = {std::vector<uint32_t>(32)};
    return run(text, arrays).error;
  };
  EXPECT_EQ(errorOfFile(fileKernel(" tcgen05.fence.x;\n bra L;\n"
                                   " ld.global.v2.b32 %r1, [%p];\n")),
            "test.ll:9:1: cannot simulate 'tcgen05.fence.x': unknown "
            "instruction 'tcgen05'\n"
            "test.ll:10:1: cannot simulate 'bra L': no label 'L'\n"
            "test.ll:11:1: cannot simulate 'ld.global.v2.b32 %r1, [%p]': "
            "expected 2 results, found 1");
  EXPECT_EQ(errorOfFile(kHead + ".global .u64 p = q;\n"),
            "test.ll:4: 'p' holds the address of 'q', which is not declared");
  EXPECT_EQ(errorOfFile(kHead + ".entry k() { ret; }\n.entry k() { ret; }\n"),
            "test.ll:5: a second 'k'");
}

} // namespace
