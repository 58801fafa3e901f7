//===- Bundle.h - Kernels built ahead of time -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bundle is a folder: PTX, machine code, and manifest.json, which tells how
// the kernels are launched; see docs/bundles.md. The library in launcher/ reads
// it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TARGET_PTX_BUNDLE_H
#define TILEIR_TARGET_PTX_BUNDLE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir {
class PassInstrumentation;
} // namespace mlir

namespace tileir::ptx {

/// Puts the spec of each contraction into its location, and those of an
/// einsum.kernel into its own, before convert-einsum-to-tile runs: the manifest
/// tells what a kernel computes. For the pass manager of the pipeline.
std::unique_ptr<mlir::PassInstrumentation> createSpecRecorder();

struct KernelDescriptions {
  /// An object for each way that a kernel is launched.
  llvm::json::Array kernels;
  /// The names of these objects, by gpu.launch_func.
  llvm::DenseMap<mlir::Operation *, std::string> names;
};

/// Describes how the kernels of `module`, lowered, are launched by the host
/// code beside them.
llvm::Expected<KernelDescriptions> describeKernels(mlir::ModuleOp module);

/// Describes the host code, if it is a function that launches kernels by
/// tile.launch, each once and in its turn: an object for each launch, in order,
/// with the memory that each argument is in. Else null.
llvm::json::Value
describeLaunches(mlir::ModuleOp module,
                 const llvm::DenseMap<mlir::Operation *, std::string> &names);

struct BundleOptions {
  std::string ptxas;              ///< empty: no machine code
  std::vector<std::string> chips; ///< of machine code
};

/// Writes a bundle of the kernels of `module`, lowered, into `folder`, which is
/// created.
llvm::Error writeBundle(mlir::ModuleOp module, llvm::StringRef folder,
                        const BundleOptions &options);

} // namespace tileir::ptx

#endif // TILEIR_TARGET_PTX_BUNDLE_H
