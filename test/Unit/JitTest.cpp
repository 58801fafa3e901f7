//===- JitTest.cpp - Tests of the JIT -------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads may make the first JIT of a process. Large modules are compiled in
// parts, which compute what the whole does. Loops over vectors are unrolled
// where they ask for it.
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/Jit.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ThreadPool.h"
#include "gtest/gtest.h"

#include <atomic>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace tileir::runtime;

/// Makes a JIT in two threads at once; whether both could.
static bool createTwice() {
  std::atomic<int> numReady = 0, numCreated = 0;
  auto create = [&] {
    ++numReady;
    while (numReady < 2) {
    }
    auto jit = Jit::create();
    numCreated += bool(jit);
    consumeError(jit.takeError());
  };
  std::thread other(create);
  create();
  other.join();
  return numCreated == 2;
}

TEST(FirstJit, IsMadeByThreadsAtOnce) {
  // In processes that have made none, which fail now and then, or go on for
  // ever, where LLVM's registry of targets is written by both.
  constexpr int kProcesses = 100;
  constexpr unsigned kSeconds = 10;
  int numRight = 0;
  for (int i = 0; i < kProcesses; ++i) {
    pid_t child = fork();
    if (child == 0) {
      alarm(kSeconds);
      _exit(createTwice() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    numRight += status == 0;
  }
  EXPECT_EQ(numRight, kProcesses);
}

/// What a function of `mix` computes.
static uint64_t mix(uint64_t value, unsigned steps, uint64_t by) {
  for (unsigned i = 0; i < steps; ++i)
    value = i % 2 ? value * by : (value ^ by) + i;
  return value;
}

/// A function as long as its steps, which cannot be folded.
static std::string writeMix(StringRef name, unsigned steps, StringRef by) {
  std::string text = formatv("define internal i64 @{0}(i64 %v0) noinline {{\n"
                             "  %by = load i64, ptr {1}\n",
                             name, by);
  for (unsigned i = 0; i < steps; ++i)
    if (i % 2)
      text += formatv("  %v{1} = mul i64 %v{0}, %by\n", i, i + 1);
    else
      text += formatv("  %x{0} = xor i64 %v{0}, %by\n"
                      "  %v{1} = add i64 %x{0}, {0}\n",
                      i, i + 1);
  return text + formatv("  ret i64 %v{0}\n}\n", steps).str();
}

/// Three functions of `steps` that read constants of the module, one without a
/// name, and one that is always inlined and calls outside.
static std::string writeModule(unsigned steps) {
  return R"(
@0 = private constant i64 3
@five = internal constant i64 5
@state = internal global i64 7
declare i64 @test_outside(i64)
define internal i64 @last(i64 %x) alwaysinline {
  %y = call i64 @test_outside(i64 %x)
  %s = load i64, ptr @state
  %z = add i64 %y, %s
  store i64 %z, ptr @state
  ret i64 %z
}
define void @entry(ptr %place) {
  %a = load i64, ptr %place
  %b = call i64 @one(i64 %a)
  %c = call i64 @two(i64 %b)
  %d = call i64 @three(i64 %c)
  %e = call i64 @last(i64 %d)
  store i64 %e, ptr %place
  ret void
}
)" + writeMix("one", steps, "@0") +
         writeMix("two", steps, "@five") + writeMix("three", steps, "@state");
}

static uint64_t addHundred(uint64_t value) { return value + 100; }

/// Compiles `text`, expects `parts` objects, and calls @entry twice.
static void check(StringRef text, size_t parts, mlir::MLIRContext &context,
                  llvm::function_ref<uint64_t(uint64_t)> getExpected) {
  LLVMContext llvmContext;
  SMDiagnostic error;
  auto module = parseAssemblyString(text, error, llvmContext);
  ASSERT_TRUE(module) << error.getMessage().str();
  auto objects = Jit::compile(*module, CodeGenOptLevel::Default, context);
  ASSERT_TRUE(bool(objects)) << toString(objects.takeError());
  EXPECT_EQ(objects->size(), parts);
  HostFunction outside("test_outside", &addHundred);
  auto code = Jit::link(*objects, "entry", outside);
  ASSERT_TRUE(bool(code)) << toString(code.takeError());
  auto *entry = reinterpret_cast<void (*)(uint64_t *)>((*code)->getEntry());
  for (uint64_t start : {1, 12345}) {
    uint64_t value = start;
    entry(&value);
    EXPECT_EQ(value, getExpected(start));
  }
}

/// What writeModule computes, call by call.
static auto makeExpected(unsigned steps) {
  return [steps, state = uint64_t(7)](uint64_t value) mutable {
    value = mix(mix(mix(value, steps, 3), steps, 5), steps, state);
    return state += addHundred(value);
  };
}

TEST(Jit, CompilesLargeModulesInParts) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  DefaultThreadPool pool(hardware_concurrency(3));
  context.setThreadPool(pool);
  // More than threads, for they differ; one for each function.
  check(writeModule(3000), 4, context, makeExpected(3000));
  // Too few instructions for three.
  check(writeModule(1000), 2, context, makeExpected(1000));
  check(writeModule(10), 1, context, makeExpected(10));
}

TEST(Jit, CompilesWholeModulesWithoutThreads) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  check(writeModule(3000), 1, context, makeExpected(3000));
}

TEST(Jit, RunsConstructorsOfLargeModules) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  DefaultThreadPool pool(hardware_concurrency(3));
  context.setThreadPool(pool);
  std::string text = writeModule(3000) + R"(
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }]
    [{ i32, ptr, ptr } { i32 0, ptr @construct, ptr null }]
define internal void @construct() {
  store i64 9, ptr @state
  ret void
}
)";
  check(text, 1, context, [state = uint64_t(9)](uint64_t value) mutable {
    value = mix(mix(mix(value, 3000, 3), 3000, 5), 3000, state);
    return state += addHundred(value);
  });
}

TEST(Jit, TellsWhatIsNotThere) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  LLVMContext llvmContext;
  SMDiagnostic error;
  auto module = parseAssemblyString(
      "declare void @tileir_test_nowhere(ptr)\n"
      "define void @entry(ptr %p) {\n"
      "  call void @tileir_test_nowhere(ptr %p)\n  ret void\n}\n",
      error, llvmContext);
  ASSERT_TRUE(module);
  auto objects = Jit::compile(*module, CodeGenOptLevel::Default, context);
  ASSERT_TRUE(bool(objects));
  auto code = Jit::link(*objects, "entry", {});
  ASSERT_FALSE(bool(code));
  std::string message = toString(code.takeError());
  EXPECT_NE(message.find("tileir_test_nowhere"), std::string::npos) << message;
}

/// Stores that are left in a function, of which one is in a loop of `size`
/// iterations of `type`, once it is optimized.
static unsigned countStores(StringRef type, StringRef size,
                            StringRef annotation) {
  std::string text = formatv(R"(
define void @f(ptr %p, i64 %n, {0} %x) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr [7 x {0}], ptr %p, i64 %i
  %a = load {0}, ptr %at
  %b = fdiv {0} %a, %x
  store {0} %b, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, {1}
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{{!0, !1}
!1 = !{{!"{2}"}
)",
                             type, size, annotation);
  LLVMContext context;
  SMDiagnostic error;
  auto module = parseAssemblyString(text, error, context);
  auto jit = Jit::create();
  if (!module || !jit) {
    ADD_FAILURE() << error.getMessage().str();
    consumeError(jit.takeError());
    return 0;
  }
  (*jit)->optimize(*module, CodeGenOptLevel::Default);
  return count_if(instructions(*module->getFunction("f")),
                  [](const Instruction &it) { return isa<StoreInst>(it); });
}

TEST(Jit, UnrollsLoopsOfVectorsThatAskForIt) {
  EXPECT_EQ(countStores("<4 x float>", "5", "llvm.loop.unroll.full"), 5u);
  EXPECT_EQ(countStores("<4 x float>", "5", "test.nothing"), 1u);
  EXPECT_EQ(countStores("<4 x float>", "%n", "test.nothing"), 1u);
  EXPECT_EQ(countStores("float", "5", "test.nothing"), 5u);
}
