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

/// What nvcc declares and clang's headers do not: max and min of host code, and
/// stores with hints, which the simulator has no use for.
static constexpr StringLiteral kCompatibility = R"(#pragma once
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

namespace {
/// A folder that is gone at the end.
class TemporaryFolder {
public:
  TemporaryFolder() = default;
  TemporaryFolder(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    if (!path.empty())
      sys::fs::remove_directories(path);
  }

  Error create() {
    if (std::error_code error = sys::fs::createUniqueDirectory("tileir", path))
      return createStringError("cannot make a temporary folder: " +
                               error.message());
    return Error::success();
  }
  std::string getFile(StringRef name) const { return (path + "/" + name).str(); }

private:
  SmallString<128> path;
};
} // namespace

static Error writeText(StringRef path, StringRef text) {
  std::error_code error;
  raw_fd_ostream os(path, error);
  if (!error) {
    os << text;
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return createStringError("cannot write '" + path +
                             "': " + error.message());
  return Error::success();
}

Expected<std::unique_ptr<MemoryBuffer>>
execution::compileCuda(StringRef path, StringRef chip,
                       const CudaOptions &options) {
  auto clang = findClang(options);
  if (!clang)
    return clang.takeError();
  auto toolkit = findToolkit(options);
  if (!toolkit)
    return toolkit.takeError();
  TemporaryFolder folder;
  if (Error error = folder.create())
    return std::move(error);
  std::string header = folder.getFile("compatibility.h"),
              output = folder.getFile("kernels.bc");
  if (Error error = writeText(header, kCompatibility))
    return std::move(error);
  // clang warns of versions of the toolkit that are newer than itself.
  std::vector<std::string> command = {*clang,
                                      "-x",
                                      "cuda",
                                      "--cuda-device-only",
                                      "--cuda-gpu-arch=" + chip.str(),
                                      "--cuda-path=" + *toolkit,
                                      "-isystem",
                                      *toolkit + "/include/cccl",
                                      "-include",
                                      header,
                                      "-Wno-unknown-cuda-version",
                                      "-O3",
                                      "-gline-tables-only",
                                      "-c",
                                      "-emit-llvm"};
  append_range(command, options.arguments);
  append_range(command, std::vector<std::string>{path.str(), "-o", output});
  SmallVector<StringRef> arguments(command.begin(), command.end());
  std::string message;
  int status = sys::ExecuteAndWait(*clang, arguments, std::nullopt, {}, 0, 0,
                                   &message);
  if (status != 0)
    return createStringError("'" + path + "' does not compile for " + chip +
                             (message.empty() ? "" : ": " + message));
  auto buffer = MemoryBuffer::getFile(output);
  if (!buffer)
    return createStringError("clang wrote nothing for '" + path +
                             "': " + buffer.getError().message());
  return std::move(*buffer);
}
