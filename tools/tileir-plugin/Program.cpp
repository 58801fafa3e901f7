//===- Program.cpp - Functions compiled in process ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime of TileIR for processes that have nothing of it but the plugin.
//
//===----------------------------------------------------------------------===//

#include "GpuProgram.h"
#include "tileir/Runtime/CpuProgram.h"
#include "tileir/Runtime/HostCpu.h"
#include "tileir/Runtime/Workspace.h"

#include "mlir/CAPI/IR.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::runtime;

/// What the next level adds takes an eighth of the time, and nothing was
/// measured to be faster for it: loops of networks are on vectors.
static constexpr llvm::CodeGenOptLevel kLevel = llvm::CodeGenOptLevel::Default;

static void *compile(MlirModule module, MlirStringRef entry) {
  auto code = CpuProgram::compileCode(
      unwrap(module), StringRef(entry.data, entry.length), {}, kLevel);
  if (code)
    return code->release();
  unwrap(module)->emitError(llvm::toString(code.takeError()));
  return nullptr;
}

static void run(void *code, void **arguments) {
  reinterpret_cast<void (*)(void **)>(static_cast<JitCode *>(code)->getEntry())(
      arguments);
}

extern "C" LLVM_ATTRIBUTE_WEAK TileirProgramFunctions
tileirGetProgramFunctions() {
  return {
      TILEIR_PROGRAM_VERSION,
      [](MlirModule module) { attachMachine(unwrap(module), getHostCpu()); },
      compile,
      run,
      releaseWorkspace,
      [](void *code) { delete static_cast<JitCode *>(code); },
      plugin::getGpuChip,
      plugin::compileForGpu,
      plugin::runOnGpu,
      plugin::releaseGpuCode};
}
