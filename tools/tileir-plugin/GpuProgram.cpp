//===- GpuProgram.cpp - Programs whose kernels run on a GPU ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code of this CPU whose GPU calls go to a stream of who runs it.
//
//===----------------------------------------------------------------------===//

#include "GpuProgram.h"

#include "tileir/Runtime/CpuProgram.h"
#include "tileir/Runtime/CudaRuntime.h"
#include "tileir/Target/Gpu/Gpu.h"
#include "tileir/Target/PTX/HostCode.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

#include <map>

using namespace mlir;
using namespace tileir;
using namespace tileir::runtime;
using llvm::Error;
using llvm::Expected;

namespace {
/// The code of a program, with the GPU that it is for.
struct GpuCode {
  ~GpuCode() {
    // Destructors of the code unload the modules of its kernels.
    CudaStreamRuntime::Use use(*runtime, /*stream=*/nullptr);
    code.reset();
    llvm::consumeError(runtime->takeError());
  }

  std::shared_ptr<CudaStreamRuntime> runtime;
  std::unique_ptr<JitCode> code;
};
} // namespace

/// The GPU `device`, which is opened once.
static Expected<std::shared_ptr<CudaStreamRuntime>> getRuntime(int device) {
  static std::mutex mutex;
  // Never destroyed: the driver may be gone by then.
  static auto *runtimes =
      new std::map<int, std::shared_ptr<CudaStreamRuntime>>();
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<CudaStreamRuntime> &runtime = (*runtimes)[device];
  if (!runtime) {
    auto created = CudaStreamRuntime::create(device);
    if (!created)
      return created.takeError();
    runtime = std::move(*created);
  }
  return runtime;
}

static int tell(Error error, MlirStringCallback callback, void *userData) {
  if (!error)
    return 1;
  callback(wrap(StringRef(llvm::toString(std::move(error)))), userData);
  return 0;
}

int plugin::getGpuChip(int device, MlirStringCallback chip,
                       MlirStringCallback error, void *userData) {
  auto runtime = getRuntime(device);
  if (!runtime)
    return tell(runtime.takeError(), error, userData);
  std::string name = machine::getGpuName((*runtime)->getComputeCapability());
  // The instructions of one chip alone.
  const machine::Gpu *gpu = machine::findGpu(name + "a");
  if (!gpu || !gpu->hasWgmma())
    gpu = machine::findGpuOrOlder(name);
  if (!gpu)
    return tell(llvm::createStringError("expected a GPU of one of " +
                                        machine::getGpuNames() + ", found " +
                                        name),
                error, userData);
  chip(wrap(gpu->name), userData);
  return 1;
}

static Expected<std::unique_ptr<GpuCode>> compile(ModuleOp module,
                                                  StringRef entry, int device) {
  auto runtime = getRuntime(device);
  if (!runtime)
    return runtime.takeError();
  bool barePointers = ptx::takeBarePointers(module);
  if (Error error = ptx::makeBinaries(module, ptx::KernelFormat::Ptx,
                                      "the pipeline of kernels"))
    return std::move(error);
  if (Error error = ptx::lowerHostCode(module, barePointers))
    return std::move(error);
  auto result = std::make_unique<GpuCode>();
  result->runtime = *runtime;
  CudaStreamRuntime::Use use(**runtime, /*stream=*/nullptr);
  auto code = CpuProgram::compileCode(module, entry, getGpuRuntimeFunctions());
  // The modules are loaded by now.
  if (Error error = (*runtime)->takeError()) {
    llvm::consumeError(code.takeError());
    return std::move(error);
  }
  if (!code)
    return code.takeError();
  result->code = std::move(*code);
  return result;
}

void *plugin::compileForGpu(MlirModule wrapped, MlirStringRef entry,
                            int device) {
  ModuleOp module = unwrap(wrapped);
  DialectRegistry registry;
  registerAllGPUToLLVMIRTranslations(registry);
  module.getContext()->appendDialectRegistry(registry);
  auto code = compile(module, unwrap(entry), device);
  if (code)
    return code->release();
  module->emitError(llvm::toString(code.takeError()));
  return nullptr;
}

int plugin::runOnGpu(void *opaque, void **arguments, void *stream,
                     MlirStringCallback error, void *userData) {
  auto *gpu = static_cast<GpuCode *>(opaque);
  CudaStreamRuntime::Use use(*gpu->runtime, stream);
  reinterpret_cast<void (*)(void **)>(gpu->code->getEntry())(arguments);
  return tell(gpu->runtime->takeError(), error, userData);
}

void plugin::releaseGpuCode(void *code) { delete static_cast<GpuCode *>(code); }
