//===- PTX.cpp - Kernels as PTX and as machine code -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's serialization of GPU modules, with the toolkit needed only by
// kernels that call its functions, and with errors in place of output that no
// one can load.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/PTX/PTX.h"

#include "UnpackFloats.h"

#include "tileir/Target/PTX/Lowering.h"
#include "tileir/Target/PTX/VectorizerLimit.h"

#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::ptx;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// CUDA toolkit
//===----------------------------------------------------------------------===//

static std::string getToolkit() {
  return llvm::sys::Process::GetEnv("CUDA_HOME").value_or("/usr/local/cuda");
}

Expected<std::string> ptx::findPtxas() {
  if (auto path =
          llvm::sys::findProgramByName("ptxas", {getToolkit() + "/bin"}))
    return *path;
  if (auto path = llvm::sys::findProgramByName("ptxas"))
    return *path;
  return createStringError("found no ptxas, which makes machine code of PTX: "
                           "expected it in $CUDA_HOME/bin or on PATH");
}

/// The path of libdevice, or where it was expected.
static std::string findDeviceLibrary() {
  constexpr StringLiteral kFile = "/nvvm/libdevice/libdevice.10.bc";
  std::string path = getToolkit() + kFile.str();
  if (llvm::sys::fs::exists(path))
    return path;
  auto ptxas = findPtxas();
  SmallString<128> program;
  if (!ptxas || llvm::sys::fs::real_path(*ptxas, program)) {
    consumeError(ptxas.takeError());
    return path;
  }
  using llvm::sys::path::parent_path;
  std::string beside = parent_path(parent_path(program)).str() + kFile.str();
  return llvm::sys::fs::exists(beside) ? beside : path;
}

//===----------------------------------------------------------------------===//
// PTX
//===----------------------------------------------------------------------===//

namespace {

class PtxSerializer : public NVVM::SerializeGPUModuleBase {
public:
  PtxSerializer(gpu::GPUModuleOp kernels, NVVM::NVVMTargetAttr target)
      : SerializeGPUModuleBase(*kernels, target) {
    librariesToLink.clear();
    if (ArrayAttr files = target.getLink())
      librariesToLink.append(files.begin(), files.end());
  }

  std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &llvmModule) override {
    llvm::StripDebugInfo(llvmModule);
    StringRef called = findDeviceFunction(llvmModule);
    if (!called.empty() && !addDeviceLibrary(called))
      return std::nullopt;
    return SerializeGPUModuleBase::loadBitcodeFiles(llvmModule);
  }

  void handleModulePostLink(llvm::Module &llvmModule) override {
    if (const machine::Gpu *gpu =
            machine::findGpuOrOlder(getTarget().getChip()))
      unpackFloats(llvmModule, *gpu);
    limitVectorizer(llvmModule);
  }

  FailureOr<SmallVector<char, 0>>
  moduleToObject(llvm::Module &llvmModule) override {
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return failure();
    FailureOr<SmallString<0>> ptx = translateModuleToISA(
        llvmModule, **machine, [&] { return getOperation().emitError(); });
    if (failed(ptx))
      return failure();
    return SmallVector<char, 0>(ptx->begin(), ptx->end());
  }

private:
  /// A function of libdevice that kernels call, or nothing.
  static StringRef findDeviceFunction(llvm::Module &llvmModule) {
    for (llvm::Function &function : llvmModule)
      if (function.isDeclaration() && function.getName().starts_with("__nv_"))
        return function.getName();
    return "";
  }

  bool addDeviceLibrary(StringRef called) {
    std::string path = findDeviceLibrary();
    if (!llvm::sys::fs::exists(path)) {
      getOperation().emitError("a kernel calls ")
          << called << " of CUDA's libdevice: expected " << path
          << ", found no such file; set CUDA_HOME to the folder of the "
             "CUDA toolkit";
      return false;
    }
    librariesToLink.push_back(
        StringAttr::get(getOperation().getContext(), path));
    return true;
  }
};

} // namespace

/// Checks that LLVM knows a chip: for others it would only warn.
static Error checkChip(NVVM::NVVMTargetAttr target) {
  std::string message;
  llvm::Triple triple(target.getTriple());
  const llvm::Target *llvmTarget =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!llvmTarget)
    return createStringError(message);
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      llvmTarget->createMCSubtargetInfo(triple, "", ""));
  if (!info->isCPUStringValid(target.getChip()))
    return createStringError("unknown chip '" + target.getChip() +
                             "': expected one as sm_70, sm_80 or sm_90a");
  return Error::success();
}

Expected<std::string> ptx::translateToPTX(gpu::GPUModuleOp kernels) {
  auto target = getNvvmTarget(kernels);
  if (!target)
    return target.takeError();
  NVVM::SerializeGPUModuleBase::init();
  if (Error error = checkChip(*target))
    return std::move(error);
  // The constructor complains of a missing toolkit, which may not be needed.
  std::optional<PtxSerializer> serializer;
  {
    ScopedDiagnosticHandler ignore(kernels.getContext(),
                                   [](Diagnostic &) { return success(); });
    serializer.emplace(kernels, *target);
  }
  std::optional<SmallVector<char, 0>> ptx = serializer->run();
  if (!ptx)
    return createStringError("gpu.module @" + kernels.getName() +
                             " does not translate to PTX");
  return std::string(ptx->begin(), ptx->end());
}

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

Expected<std::string> ptx::assemble(StringRef ptxas, StringRef ptx,
                                    StringRef chip) {
  SmallString<128> folder;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("tileir-ptxas", folder))
    return createStringError(code, "cannot create a temporary folder: " +
                                       code.message());
  llvm::scope_exit removeFolder(
      [&] { llvm::sys::fs::remove_directories(folder); });
  std::string source = (folder + "/kernel.ptx").str();
  std::string object = (folder + "/kernel.cubin").str();
  std::string log = (folder + "/log").str();
  if (Error error = llvm::writeToOutput(source, [&](raw_ostream &os) {
        os << ptx;
        return Error::success();
      }))
    return std::move(error);
  std::string gpuName = ("--gpu-name=" + chip).str();
  std::string message;
  StringRef arguments[] = {ptxas, gpuName, source, "-o", object};
  std::optional<StringRef> redirects[] = {std::nullopt, log, log};
  int status = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt,
                                         redirects, 0, 0, &message);
  auto read = [](StringRef path) {
    auto file = llvm::MemoryBuffer::getFile(path);
    return file ? (*file)->getBuffer().str() : std::string();
  };
  if (status != 0)
    return createStringError(ptxas + " does not assemble the PTX for " + chip +
                             ": " +
                             StringRef(message + read(log)).trim().str());
  return read(object);
}
