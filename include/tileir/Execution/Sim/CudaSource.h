//===- CudaSource.h - Compile CUDA C++ for the simulator --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang makes LLVM IR of the kernels of a .cu file. It and the headers of the
// CUDA toolkit have to be on this machine; a GPU, nvcc and a driver do not.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_SIM_CUDASOURCE_H
#define TILEIR_EXECUTION_SIM_CUDASOURCE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>
#include <vector>

namespace tileir::execution {

/// How .cu files are compiled.
struct CudaOptions {
  std::string clang;    ///< its path or name; "" looks for clang++-22, clang++
  std::string cudaPath; ///< the toolkit; "" looks where it usually is
  std::vector<std::string> arguments; ///< more for clang, as -I and -D
};

/// Whether a path is that of CUDA C++.
inline bool isCudaSource(llvm::StringRef path) { return path.ends_with(".cu"); }

/// clang and the toolkit, with a folder for what they make, which is gone at
/// the end. What clang says goes to stderr.
class CudaCompiler {
public:
  /// Fails where clang or the toolkit is missing.
  static llvm::Expected<std::unique_ptr<CudaCompiler>>
  create(const CudaOptions &options);
  ~CudaCompiler();

  /// Compiles the device code of the file at `path` for `chip`, optimized and
  /// with line numbers, to a file of LLVM bitcode.
  llvm::Expected<std::string> compileKernels(llvm::StringRef path,
                                             llvm::StringRef chip);
  /// Compiles the host code of a file in CUDA C++ to an object; `kernels` is
  /// what the function above gave.
  llvm::Expected<std::string> compileHost(llvm::StringRef path,
                                          llvm::StringRef kernels);
  /// Compiles a file in C++ to an object.
  llvm::Expected<std::string> compileCxx(llvm::StringRef path);
  /// Makes a library of objects, which leaves open what other libraries of the
  /// process have.
  llvm::Expected<std::string> link(llvm::ArrayRef<std::string> objects);

private:
  CudaCompiler() = default;
  /// The file has the ending `ending`.
  llvm::Expected<std::string> compile(llvm::StringRef path,
                                      llvm::StringRef ending,
                                      std::vector<std::string> mode);
  llvm::Expected<std::string> compileCuda(llvm::StringRef path,
                                          llvm::StringRef ending,
                                          std::vector<std::string> mode);

  std::string clang, toolkit, folder;
  unsigned numFiles = 0;
  std::vector<std::string> arguments;
};

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_SIM_CUDASOURCE_H
