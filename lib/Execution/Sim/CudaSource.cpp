//===- CudaSource.cpp - Compile CUDA C++ for the simulator ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Sim/CudaSource.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <optional>

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;

/// What nvcc declares and clang's headers do not: the C library, max and min of
/// host code, and stores with hints, which the simulator has no use for. Sizes
/// of clusters, for which clang emits nothing, as annotations. Also what of the
/// stand-in for the CUDA runtime depends on the toolkit's version.
static constexpr StringLiteral kCompatibility = R"(#pragma once
#include <math.h>
#include <string.h>
#include <time.h>
#define TILEIR_HOST static inline __attribute__((host, unused))
#define TILEIR_MIN_MAX(T, U, R) \
  TILEIR_HOST R max(T a, U b) { return (R)a < (R)b ? (R)b : (R)a; } \
  TILEIR_HOST R min(T a, U b) { return (R)b < (R)a ? (R)b : (R)a; }
TILEIR_MIN_MAX(int, int, int)
TILEIR_MIN_MAX(unsigned, unsigned, unsigned)
TILEIR_MIN_MAX(int, unsigned, unsigned)
TILEIR_MIN_MAX(unsigned, int, unsigned)
TILEIR_MIN_MAX(long, long, long)
TILEIR_MIN_MAX(unsigned long, unsigned long, unsigned long)
TILEIR_MIN_MAX(long, unsigned long, unsigned long)
TILEIR_MIN_MAX(unsigned long, long, unsigned long)
TILEIR_MIN_MAX(long long, long long, long long)
TILEIR_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
TILEIR_MIN_MAX(long long, unsigned long long, unsigned long long)
TILEIR_MIN_MAX(unsigned long long, long long, unsigned long long)
TILEIR_MIN_MAX(float, float, float)
TILEIR_MIN_MAX(double, double, double)
TILEIR_MIN_MAX(float, double, double)
TILEIR_MIN_MAX(double, float, double)
#undef TILEIR_MIN_MAX
#undef TILEIR_HOST
#define TILEIR_STORE(NAME) \
  template <typename T> \
  static inline __attribute__((device, unused)) void NAME(T *p, T value) { \
    *p = value; \
  }
TILEIR_STORE(__stcs)
TILEIR_STORE(__stcg)
TILEIR_STORE(__stwb)
#undef TILEIR_STORE
// clang declares these, and defines them nowhere.
static inline __attribute__((device, unused)) double nan(const char *) {
  return __builtin_nan("");
}
static inline __attribute__((device, unused)) float nanf(const char *) {
  return __builtin_nanf("");
}
#define _CG_CLUSTER_INTRINSICS_AVAILABLE
#undef __cluster_dims__
#define __cluster_dims__(...) \
  __attribute__((annotate("tileir.cluster_dims", __VA_ARGS__)))
#ifndef __CUDA_ARCH__
#include <cstdio>
#include <cuda_runtime.h>
extern "C" __attribute__((host, weak)) cudaError_t
cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
  auto get = [=](int attribute) {
    int value = 0;
    cudaDeviceGetAttribute(&value, (cudaDeviceAttr)attribute, device);
    return value;
  };
  if (cudaError_t error = cudaSetDevice(device))
    return error;
  size_t rest;
  *p = cudaDeviceProp();
  cudaMemGetInfo(&rest, &p->totalGlobalMem);
  p->maxThreadsPerBlock = get(1);
  for (int axis = 0; axis < 3; ++axis) {
    p->maxThreadsDim[axis] = get(2 + axis);
    p->maxGridSize[axis] = get(5 + axis);
  }
  p->sharedMemPerBlock = get(8);
  p->totalConstMem = get(9);
  p->warpSize = get(10);
  p->regsPerBlock = p->regsPerMultiprocessor = get(12);
  p->multiProcessorCount = get(16);
  p->l2CacheSize = get(38);
  p->maxThreadsPerMultiProcessor = get(39);
  p->major = get(75);
  p->minor = get(76);
  p->sharedMemPerMultiprocessor = get(81);
  p->sharedMemPerBlockOptin = get(97);
  p->maxBlocksPerMultiProcessor = get(106);
  p->canMapHostMemory = p->concurrentKernels = p->asyncEngineCount = 1;
  p->unifiedAddressing = p->managedMemory = p->concurrentManagedAccess = 1;
  p->cooperativeLaunch = p->streamPrioritiesSupported = 1;
  p->memoryBusWidth = get(37);
  p->memPitch = get(11);
  p->textureAlignment = p->surfaceAlignment = get(14);
  std::snprintf(p->name, sizeof p->name, "simulated sm_%d%d", p->major,
                p->minor);
  return cudaSuccess;
}
extern "C" int __cudaTileIRGetShared(size_t *, const void *);
extern "C" __attribute__((host, weak)) cudaError_t
cudaFuncGetAttributes(cudaFuncAttributes *a, const void *function) {
  *a = cudaFuncAttributes();
  cudaDeviceGetAttribute(&a->maxThreadsPerBlock,
                         cudaDevAttrMaxThreadsPerBlock, 0);
  cudaDeviceGetAttribute(&a->maxDynamicSharedSizeBytes,
                         cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  return (cudaError_t)__cudaTileIRGetShared(&a->sharedSizeBytes, function);
}
#endif
)";

static Expected<std::string> findClang(const CudaOptions &options) {
  if (!options.clang.empty()) {
    auto found = sys::findProgramByName(options.clang);
    if (found)
      return *found;
    return createStringError("--clang: expected a program, found '" +
                             options.clang + "'");
  }
  for (StringRef name : {"clang++-22", "clang++"})
    if (auto found = sys::findProgramByName(name))
      return *found;
  return createStringError(
      "CUDA C++ is compiled by clang, which is not there: expected clang++-22 "
      "or clang++ in PATH, or --clang=path");
}

static Expected<std::string> findToolkit(const CudaOptions &options) {
  auto isToolkit = [](StringRef path) {
    return sys::fs::exists(path + "/include/cuda_runtime.h");
  };
  if (!options.cudaPath.empty()) {
    if (isToolkit(options.cudaPath))
      return options.cudaPath;
    return createStringError("--cuda-path: expected a folder that has "
                             "include/cuda_runtime.h, found '" +
                             options.cudaPath + "'");
  }
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *path = std::getenv(variable); path && isToolkit(path))
      return path;
  for (StringRef path : {"/usr/local/cuda", "/usr/lib/cuda"})
    if (isToolkit(path))
      return path.str();
  return createStringError(
      "CUDA C++ needs the headers of the CUDA toolkit, which are not there: "
      "expected include/cuda_runtime.h in the folder that CUDA_PATH or "
      "CUDA_HOME names, or in /usr/local/cuda, or --cuda-path=folder");
}

Expected<std::unique_ptr<CudaCompiler>>
CudaCompiler::create(const CudaOptions &options) {
  std::unique_ptr<CudaCompiler> compiler(new CudaCompiler());
  if (Error error = findClang(options).moveInto(compiler->clang))
    return std::move(error);
  if (Error error = findToolkit(options).moveInto(compiler->toolkit))
    return std::move(error);
  compiler->arguments = options.arguments;
  SmallString<128> folder;
  if (std::error_code error = sys::fs::createUniqueDirectory("tileir", folder))
    return createStringError("cannot make a temporary folder: " +
                             error.message());
  compiler->folder = folder.str().str();
  if (Error error = writeToOutput(compiler->folder + "/compatibility.h",
                                  [](raw_ostream &os) {
                                    os << kCompatibility;
                                    return Error::success();
                                  }))
    return std::move(error);
  return compiler;
}

CudaCompiler::~CudaCompiler() {
  if (!folder.empty())
    sys::fs::remove_directories(folder);
}

static Error execute(const std::vector<std::string> &command,
                     const Twine &failure) {
  std::string message;
  SmallVector<StringRef> texts(command.begin(), command.end());
  if (!sys::ExecuteAndWait(texts.front(), texts, std::nullopt, {}, 0, 0,
                           &message))
    return Error::success();
  return createStringError(failure + (message.empty() ? "" : ": " + message));
}

Expected<std::string> CudaCompiler::compile(StringRef path, StringRef ending,
                                            std::vector<std::string> mode) {
  std::string output = (folder + "/" + Twine(numFiles++) + "." + ending).str();
  std::vector<std::string> command = {clang};
  append_range(command, mode);
  append_range(command, arguments);
  append_range(command, std::vector<std::string>{"-gline-tables-only", "-c",
                                                 path.str(), "-o", output});
  if (Error error = execute(command, "'" + path + "' does not compile"))
    return std::move(error);
  return output;
}

Expected<std::string> CudaCompiler::compileCuda(StringRef path,
                                                StringRef ending,
                                                std::vector<std::string> mode) {
  // clang warns of versions of the toolkit that are newer than itself; that
  // `register` is an error in C++17 nvcc does not mind.
  append_range(mode, std::vector<std::string>{
                         "-x", "cuda", "--cuda-path=" + toolkit, "-isystem",
                         toolkit + "/include/cccl", "-include",
                         folder + "/compatibility.h",
                         "-Wno-unknown-cuda-version", "-Wno-register"});
  return compile(path, ending, std::move(mode));
}

Expected<std::string> CudaCompiler::compileKernels(StringRef path,
                                                   StringRef chip) {
  return compileCuda(path, "bc",
                     {"--cuda-device-only", "--cuda-gpu-arch=" + chip.str(),
                      "-O3", "-emit-llvm"});
}

// Programs that check their kernels count on integers that wrap, as they do
// where nvcc has the host's code compiled without optimisation.
Expected<std::string> CudaCompiler::compileHost(StringRef path,
                                                StringRef kernels) {
  return compileCuda(path, "o",
                     {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary",
                      "-Xclang", kernels.str(), "-O2", "-fPIC", "-fwrapv"});
}

Expected<std::string> CudaCompiler::compileCxx(StringRef path) {
  return compile(path, "o",
                 {"-isystem", toolkit + "/include", "-O2", "-fPIC", "-fwrapv"});
}

Expected<std::string> CudaCompiler::link(ArrayRef<std::string> objects) {
  std::string library = folder + "/program.so";
  std::vector<std::string> command = {clang, "-shared", "-o", library};
  append_range(command, objects);
  if (Error error = execute(command, "the program does not link"))
    return std::move(error);
  return library;
}
