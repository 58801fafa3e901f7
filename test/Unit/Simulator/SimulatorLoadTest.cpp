//===- SimulatorLoadTest.cpp ----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loading modules: what the passes do to accesses and calls, kernels with their
// arguments and bounds, global variables, and what bad modules get.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "SimulatorRun.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

const std::string kModule = "target triple = \"nvptx64-nvidia-cuda\"\n";

/// A simulator with one module in it.
struct Loaded {
  Simulator simulator;
  LoadedModule *module = nullptr;
  std::string error;

  explicit Loaded(const std::string &ir, bool optimize = true)
      : simulator(**tileir::machine::getGpu("sm_80"), getOptions(optimize)) {
    auto loaded = simulator.load(llvm::MemoryBufferRef(ir, "in.ll"));
    if (loaded)
      module = *loaded;
    else
      error = llvm::toString(loaded.takeError());
  }
  static SimulatorOptions getOptions(bool optimize) {
    SimulatorOptions options;
    options.optimize = optimize;
    options.threads = 1;
    return options;
  }
  /// The kernel, or null with an error.
  Kernel *kernel(const std::string &name = "k") {
    if (!module)
      return nullptr;
    auto kernel = module->getKernel(name);
    if (kernel)
      return *kernel;
    error = llvm::toString(kernel.takeError());
    return nullptr;
  }
  /// Bytes of each access of the kernel: "L16 S4".
  std::string accesses() {
    Kernel *k = kernel();
    if (!k)
      return error;
    std::string text;
    for (const Access &access : k->program->accesses)
      text += (text.empty() ? "" : " ") +
              std::string(access.opcode == Opcode::Load ? "L" : "S") +
              std::to_string(access.bytes);
    return text;
  }
};

std::string errorOf(const std::string &ir) { return Loaded(ir).error; }

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

TEST(Passes, MakeAccessesWide) {
  std::string loads, sums = "  %s0 = fadd float %x0, 0.0\n";
  for (unsigned i = 0; i < 4; ++i) {
    std::string n = std::to_string(i);
    loads += "  %p" + n + " = getelementptr inbounds float, ptr %p, i64 " + n +
             "\n  %x" + n + " = load float, ptr %p" + n + ", align " +
             (i ? "4" : "16") + "\n";
    if (i)
      sums += "  %s" + n + " = fadd float %x" + n + ", %s" +
              std::to_string(i - 1) + "\n";
  }
  std::string ir = kModule + "define ptx_kernel void @k(ptr %p, ptr %q) {\n" +
                   loads + sums + "  store float %s3, ptr %q\n  ret void\n}\n";
  for (bool optimize : {false, true}) {
    Loaded loaded(ir, optimize);
    EXPECT_EQ(loaded.accesses(), "L16 S4") << optimize;
    // What pointer arguments point at is global memory.
    for (const Access &access : loaded.kernel()->program->accesses)
      EXPECT_EQ(access.space, Space::Global);
  }
}

TEST(Passes, KnowLocalAndParameterMemory) {
  for (bool optimize : {false, true}) {
    Loaded loaded(kModule + "define ptx_kernel void @k(ptr %p, i32 %i, ptr "
                            "byval([8 x i32]) align 4 %s) {\n"
                            "  %a = alloca [8 x i32]\n"
                            "  %q = getelementptr i32, ptr %a, i32 %i\n"
                            "  store volatile i32 1, ptr %q\n"
                            "  %r = getelementptr i32, ptr %s, i32 %i\n"
                            "  %x = load i32, ptr %r\n"
                            "  store i32 %x, ptr %p\n"
                            "  ret void\n}\n",
                  optimize);
    Kernel *kernel = loaded.kernel();
    ASSERT_TRUE(kernel) << loaded.error;
    std::vector<Space> spaces;
    for (const Access &access : kernel->program->accesses)
      spaces.push_back(access.space);
    EXPECT_EQ(spaces, (std::vector<Space>{Space::Local, Space::Constant,
                                          Space::Global}));
  }
}

TEST(Passes, InlineEverything) {
  Loaded loaded(kModule + "define internal void @f(ptr %p) noinline optnone {\n"
                          "  store i32 1, ptr %p\n  ret void\n}\n"
                          "define void @g(ptr %p) {\n"
                          "  call void @f(ptr %p)\n  ret void\n}\n"
                          "define ptx_kernel void @k(ptr %p) noinline optnone "
                          "{\n  call void @g(ptr %p)\n  ret void\n}\n",
                /*optimize=*/false);
  EXPECT_EQ(loaded.accesses(), "S4");
}

TEST(Passes, ReduceAddressesInLoops) {
  // out = in[0] + in[stride] + in[2 stride] + ...: the loop only adds.
  Loaded loaded(kModule +
                "define ptx_kernel void @k(ptr %in, ptr %out, i32 %n, i32 "
                "%stride) {\n"
                "e:\n  br label %h\n"
                "h:\n"
                "  %i = phi i32 [0, %e], [%i2, %h]\n"
                "  %s = phi i32 [0, %e], [%s2, %h]\n"
                "  %at = mul nsw i32 %i, %stride\n"
                "  %at64 = sext i32 %at to i64\n"
                "  %p = getelementptr inbounds i32, ptr %in, i64 %at64\n"
                "  %x = load volatile i32, ptr %p\n"
                "  %s2 = add i32 %s, %x\n"
                "  %i2 = add nuw nsw i32 %i, 1\n"
                "  %more = icmp slt i32 %i2, %n\n"
                "  br i1 %more, label %h, label %x2\n"
                "x2:\n  store i32 %s2, ptr %out\n  ret void\n}\n");
  Kernel *kernel = loaded.kernel();
  ASSERT_TRUE(kernel) << loaded.error;
  const Program &program = *kernel->program;
  std::string found;
  for (const BasicBlock &block : program.blocks) {
    std::string text;
    bool hasLoad = false;
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      hasLoad |= program.code[i].opcode == Opcode::Load;
      text += std::string(getInfo(program.code[i].opcode).name) + " ";
    }
    if (hasLoad)
      found += text;
  }
  EXPECT_NE(found.find("Load"), std::string::npos);
  EXPECT_EQ(found.find("Mul32"), std::string::npos) << found;
}

TEST(Passes, TurnLargeCopiesIntoLoops) {
  const uint32_t bytes = 300;
  std::string ir =
      "target triple = \"nvptx64-nvidia-cuda\"\n"
      "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
      "define ptx_kernel void @k(ptr %p, ptr %q, i32 %n) {\n"
      "  %n64 = zext i32 %n to i64\n"
      "  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr align 4 %q, i64 "
      "%n64, i1 false)\n"
      "  %p2 = getelementptr i8, ptr %p, i64 300\n"
      "  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p2, ptr align 4 %q, i64 "
      "300, i1 false)\n"
      "  ret void\n}\n";
  for (bool optimize : {false, true}) {
    std::vector<std::vector<uint8_t>> arrays(2);
    arrays[0].assign(2 * bytes + 8, 0xee);
    for (unsigned i = 0; i < bytes; ++i)
      arrays[1].push_back(uint8_t(i * 7));
    RunOptions options;
    options.block = {1, 1, 1};
    options.simulator.optimize = optimize;
    RunResult result = run(ir, arrays, options, {bytes - 1});
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.text(), "");
    for (unsigned i = 0; i < arrays[0].size(); ++i) {
      uint8_t expected = i < bytes - 1                 ? i * 7
                         : i >= bytes && i < 2 * bytes ? (i - bytes) * 7
                                                       : 0xee;
      ASSERT_EQ(arrays[0][i], expected) << i;
    }
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

TEST(KernelsOfModules, HaveArgumentsAndBounds) {
  Loaded loaded(
      kModule +
      "define ptx_kernel void @k(ptr %p, i8 %b, ptr byval({i32, i64}) %s, <4 x "
      "half> %v, double %d) \"nvvm.maxntid\"=\"64,4\" {\n  ret void\n}\n"
      "define ptx_kernel void @fixed() \"nvvm.reqntid\"=\"32,2,3\" {\n"
      "  ret void\n}\n"
      "define void @old(ptr %p) {\n  ret void\n}\n"
      "!nvvm.annotations = !{!0, !1}\n"
      "!0 = !{ptr @old, !\"kernel\", i32 1}\n"
      "!1 = !{ptr @old, !\"maxntidx\", i32 128}\n");
  ASSERT_EQ(loaded.error, "");
  EXPECT_EQ(loaded.module->getKernelNames(),
            (std::vector<std::string>{"fixed", "k", "old"}));
  Kernel *kernel = loaded.kernel();
  ASSERT_TRUE(kernel) << loaded.error;
  ASSERT_EQ(kernel->arguments.size(), 5u);
  std::vector<uint32_t> bytes;
  for (const KernelArgument &argument : kernel->arguments)
    bytes.push_back(argument.bytes);
  EXPECT_EQ(bytes, (std::vector<uint32_t>{8, 1, 16, 8, 8}));
  EXPECT_TRUE(kernel->arguments[0].isPointer && !kernel->arguments[0].byval);
  EXPECT_TRUE(kernel->arguments[2].byval);
  EXPECT_EQ(kernel->arguments[3].type, "<4 x half>");
  EXPECT_EQ(kernel->maxThreads, 256u);
  EXPECT_EQ(kernel->name, "k");
  kernel = loaded.kernel("fixed");
  EXPECT_EQ(kernel->maxThreads, 192u);
  EXPECT_EQ(kernel->requiredBlock, (std::array<uint32_t, 3>{32, 2, 3}));
  EXPECT_EQ(loaded.kernel("old")->maxThreads, 128u);
}

TEST(KernelsOfModules, AreDecodedOnce) {
  Loaded loaded(kModule + "@s = internal addrspace(3) global [3 x i64] undef\n"
                          "define ptx_kernel void @k() {\n"
                          "  store volatile i64 1, ptr addrspace(3) @s\n"
                          "  ret void\n}\n");
  Kernel *first = loaded.kernel();
  ASSERT_TRUE(first) << loaded.error;
  auto program = first->program;
  EXPECT_EQ(loaded.kernel()->program, program);
  EXPECT_EQ(first->staticSharedBytes, 24u);
  EXPECT_GT(first->decodeSeconds, 0);
  for (const Instr &instr : program->code)
    EXPECT_NE(instr.handler, nullptr);
}

TEST(KernelsOfModules, StructsByValueAndByPointer) {
  // out = s.a + s.b[1] + v[1], twice: s by value and as byval pointer.
  std::string ir = kModule +
                   "define ptx_kernel void @k(ptr %p, {i32, [2 x i32]} %s, ptr "
                   "byval({i32, [2 x i32]}) align 4 %t, <2 x i32> %v) {\n"
                   "  %a = extractvalue {i32, [2 x i32]} %s, 0\n"
                   "  %b = extractvalue {i32, [2 x i32]} %s, 1, 1\n"
                   "  %c = extractelement <2 x i32> %v, i32 1\n"
                   "  %t1 = getelementptr i32, ptr %t, i64 2\n"
                   "  %d = load i32, ptr %t1\n"
                   "  %ab = add i32 %a, %b\n"
                   "  %cd = mul i32 %c, %d\n"
                   "  %r = add i32 %ab, %cd\n"
                   "  store i32 %r, ptr %p\n"
                   "  ret void\n}\n";
  for (bool optimize : {false, true}) {
    Loaded loaded(ir, optimize);
    Kernel *kernel = loaded.kernel();
    ASSERT_TRUE(kernel) << loaded.error;
    void *out = llvm::cantFail(loaded.simulator.getMemory().allocate(4));
    int32_t s[3] = {1, 2, 30}, t[3] = {4, 5, 6}, v[2] = {7, 800};
    const void *arguments[] = {&out, s, t, v};
    LaunchConfig config;
    auto result = loaded.simulator.launch(*kernel, config, arguments);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    EXPECT_TRUE(result->findings.empty());
    EXPECT_EQ(*static_cast<int32_t *>(out), 1 + 30 + 800 * 6);
  }
}

TEST(KernelsOfModules, OptimizerKeepsBarriersConvergent) {
  // Without the target machine, jump threading would give each arm a barrier of
  // its own.
  std::string ir =
      kModule + "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n"
                "define ptx_kernel void @k(ptr %p) {\n"
                "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                "  %q = getelementptr i32, ptr %p, i32 %t\n"
                "  %low = icmp ult i32 %t, 7\n"
                "  br i1 %low, label %a, label %b\n"
                "a:\n  store volatile i32 1, ptr %q\n  br label %j\n"
                "b:\n  store volatile i32 2, ptr %q\n  br label %j\n"
                "j:\n"
                "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
                "  br i1 %low, label %c, label %d\n"
                "c:\n  store volatile i32 3, ptr %q\n  ret void\n"
                "d:\n  store volatile i32 4, ptr %q\n  ret void\n}\n";
  Loaded loaded(ir);
  Kernel *kernel = loaded.kernel();
  ASSERT_TRUE(kernel) << loaded.error;
  unsigned barriers = 0;
  for (const Instr &instr : kernel->program->code)
    barriers += instr.opcode == Opcode::Barrier;
  EXPECT_EQ(barriers, 1u);
}

TEST(KernelsOfModules, OfPlainTextHaveItsLines) {
  const std::string body = "define void @f(ptr %p) {\n"       // line 2
                           "  store volatile i32 1, ptr %p\n" // 3
                           "  ret void\n}\n"
                           "define ptx_kernel void @k(ptr %p) {\n"
                           "  call void @f(ptr %p)\n"
                           "  store volatile i32 2, ptr %p\n" // 8
                           "  ret void\n}\n";
  Loaded loaded(kModule + body);
  Kernel *kernel = loaded.kernel();
  ASSERT_TRUE(kernel) << loaded.error;
  const Program &program = *kernel->program;
  ASSERT_EQ(program.accesses.size(), 2u);
  auto at = [&](unsigned access) {
    const Instr &instr = program.code[program.accesses[access].instr];
    return program.locations[instr.location].str();
  };
  EXPECT_EQ(at(0), "in.ll:3:3");
  EXPECT_EQ(at(1), "in.ll:8:3");
}

//===----------------------------------------------------------------------===//
// Global variables
//===----------------------------------------------------------------------===//

TEST(Globals, HaveTheirInitialValues) {
  Loaded loaded(
      kModule +
      "@a = addrspace(1) global {i8, i32, [2 x half]} {i8 1, i32 -2, [2 x "
      "half] [half 1.0, half 2.0]}\n"
      "@b = addrspace(1) global ptr addrspace(1) getelementptr (i8, ptr "
      "addrspace(1) @d, i64 4)\n"
      "@c = addrspace(4) constant <4 x i16> <i16 1, i16 2, i16 3, i16 4>\n"
      "@d = addrspace(1) global [3 x i64] zeroinitializer\n"
      "@s = external addrspace(3) global [0 x i8]\n"
      "@missing = external addrspace(1) global i32\n"
      "define ptx_kernel void @k() {\n  ret void\n}\n");
  ASSERT_EQ(loaded.error, "");
  auto get = [&](const char *name) {
    return static_cast<const char *>(
        llvm::cantFail(loaded.module->getGlobal(name)));
  };
  const char *a = get("a");
  int32_t number;
  std::memcpy(&number, a + 4, 4);
  EXPECT_EQ(a[0], 1);
  EXPECT_EQ(number, -2);
  uint16_t halves[2];
  std::memcpy(halves, a + 8, 4);
  EXPECT_EQ(halves[0], 0x3c00);
  EXPECT_EQ(halves[1], 0x4000);
  EXPECT_EQ(*reinterpret_cast<const char *const *>(get("b")), get("d") + 4);
  EXPECT_EQ(std::memcmp(get("c"), "\1\0\2\0\3\0\4\0", 8), 0);
  for (unsigned i = 0; i < 24; ++i)
    EXPECT_EQ(get("d")[i], 0);
  DeviceMemory &memory = loaded.simulator.getMemory();
  EXPECT_TRUE(memory.find(uint64_t(get("c")))->readOnly);
  EXPECT_FALSE(memory.find(uint64_t(get("a")))->readOnly);
  EXPECT_FALSE(bool(llvm::expectedToOptional(loaded.module->getGlobal("s"))));
}

TEST(Globals, AreFreedWithTheirModule) {
  Loaded loaded(kModule + "@a = addrspace(1) global i32 5\n"
                          "define ptx_kernel void @k() {\n  ret void\n}\n");
  ASSERT_EQ(loaded.simulator.getMemory().getBuffers().size(), 1u);
  loaded.simulator.unload(loaded.module);
  EXPECT_TRUE(loaded.simulator.getMemory().getBuffers().empty());
}

TEST(HintLoads, MayComeFromThemselves) {
  Loaded loaded(kModule + "define ptx_kernel void @k() {\n  ret void\ndead:\n"
                          "  %a = add i64 %a, 4\n"
                          "  %p = inttoptr i64 %a to ptr addrspace(1)\n"
                          "  %x = load i32, ptr addrspace(1) %p\n"
                          "  %o = atomicrmw umax ptr addrspace(1) %p, i32 %x "
                          "monotonic\n  br label %dead\n}\n",
                /*optimize=*/false);
  EXPECT_TRUE(loaded.kernel()) << loaded.error;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(LoadErrors, NameThePlaceInTheText) {
  EXPECT_EQ(errorOf(kModule + "define void @k() {\n  %x = add i32 1, %y\n"
                              "  ret void\n}\n"),
            "in.ll:3:19: use of undefined value '%y'");
  EXPECT_NE(errorOf("BC\xC0\xDE garbage").find("in.ll: "), std::string::npos);
}

/// LLVM reads behind the end of such strings, as a fuzzer found.
TEST(LoadErrors, OfConstraintsThatGoOn) {
  for (const char *constraints :
       {"r,@malloc", "r,^", "r,\\409", "=r,\\5Eab", "@3abc"})
    EXPECT_EQ(errorOf("define void @f(i32 %x) {\n"
                      "  call void asm sideeffect \"; \", \"" +
                      std::string(constraints) +
                      "\" (i32 %x)\n  ret void\n}\n"),
              "in.ll:2: inline assembly has the constraints \"" +
                  std::string(constraints) +
                  "\": expected none of several letters, by '@' or '^', for "
                  "NVPTX");
}

TEST(LoadErrors, AreVerified) {
  std::string error =
      errorOf(kModule + "define void @k(i32 %x) {\n  br label %a\na:\n"
                        "  %y = add i32 %z, 1\n  br label %b\nb:\n"
                        "  %z = add i32 %x, 1\n  ret void\n}\n");
  EXPECT_NE(error.find("in.ll: broken LLVM IR: Instruction does not dominate"),
            std::string::npos)
      << error;
}

TEST(LoadErrors, OfAnotherTarget) {
  EXPECT_EQ(errorOf("target triple = \"x86_64-unknown-linux-gnu\"\n"),
            "target triple 'x86_64-unknown-linux-gnu': expected "
            "nvptx64-nvidia-cuda");
  // None at all is ours, with the alignments of its data layout.
  Loaded loaded("define ptx_kernel void @k(ptr %p) {\n"
                "  store i64 1, ptr %p\n  ret void\n}\n");
  EXPECT_EQ(loaded.accesses(), "S8");
}

TEST(LoadErrors, NotOfRecursionThatNobodyUses) {
  EXPECT_EQ(errorOf(kModule + "define i32 @f(i32 %x) {\n"
                              "  %v = alloca i32, i32 %x\n"
                              "  store i32 %x, ptr %v\n"
                              "  %r = call i32 @f(i32 %x)\n  ret i32 %r\n}\n"
                              "define i32 @g(i32 %x) {\n"
                              "  %r = call i32 @f(i32 %x)\n  ret i32 %r\n}\n"
                              "define ptx_kernel void @k() {\n"
                              "  ret void\n}\n"),
            "");
}

TEST(LoadErrors, OfUnknownKernels) {
  Loaded loaded(kModule + "define ptx_kernel void @one() {\n  ret void\n}\n"
                          "define ptx_kernel void @two() {\n  ret void\n}\n");
  EXPECT_EQ(loaded.kernel("three"), nullptr);
  EXPECT_EQ(loaded.error,
            "no kernel 'three' in the module: expected one of one, two");
}

TEST(LoadErrors, OfInitialValues) {
  EXPECT_EQ(errorOf(kModule + "@f = addrspace(3) global i32 undef\n"
                              "@a = addrspace(1) global ptr addrspacecast (ptr "
                              "addrspace(3) @f to ptr)\n"
                              "define ptx_kernel void @k() {\n"
                              "  ret void\n}\n"),
            "cannot give 'a' its initial value: it holds the address of 'f', "
            "which has none in device memory");
}

} // namespace
