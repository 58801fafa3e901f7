//===- TileToNvvm.cpp - tile-to-nvvm-pipeline, einsum-to-nvvm-pipeline ----===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions of linalg are those of einsum. Tiles get layouts, then what
// moves between layouts gets shared memory with offsets and barriers, and at
// last each tile becomes the vector of a thread.
//
//===----------------------------------------------------------------------===//

#include "TextPipeline.h"
#include "tileir/Layout/Fragments/Warpgroup.h"
#include "tileir/Pipelines/Pipelines.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::pipelines;

/// Contractions of linalg on tensors become those of einsum; what else it
/// computes element by element is fused, as far as kernels do not.
static constexpr StringLiteral kLinalgPasses =
    "func.func(convert-linalg-to-einsum),linalg-fuse-elementwise-ops,";

/// Host code: buffers are freed, linalg on memrefs becomes kernels, or loops
/// where it has none, and what kernels access lives on the device.
static constexpr StringLiteral kTileHostPasses =
    "buffer-deallocation-pipeline,convert-bufferization-to-memref,"
    "convert-linalg-to-tile,canonicalize,cse,tile-place-buffers,func.func("
    "convert-linalg-to-loops),";

/// Before all else: what passes decide depends on the GPU.
template <typename Options>
static std::string getAttachText(const Options &options) {
  return llvm::formatv("tile-attach-target{{chip={0}},", options.chip);
}

/// Loads run ahead of their loop: to registers, or to shared memory, which
/// needs layouts, where the chip has asynchronous copies for that. These leave
/// registers for loops with several products.
template <typename Options>
static std::string getTileKernelText(const Options &options) {
  const machine::Gpu *gpu = machine::findGpuOrOlder(options.chip);
  bool isAsync = gpu && gpu->hasAsync(), hasRoles = gpu && gpu->hasWgmma();
  return llvm::formatv("canonicalize,cse,tile-specialize{{versions={0}},",
                       options.specialize)
             .str() +
         "tile-eliminate-masks,tile-carry-offsets,tile-split-k,canonicalize,"
         "cse," +
         std::string(isAsync ? "tile-fuse-loops,cse," : "tile-prefetch,") +
         "tile-psi-to-select,canonicalize,cse," +
         (hasRoles && options.mma
              ? llvm::formatv("tile-warp-specialize{{promote-sums={0}},"
                              "tile-multicast,tile-persistent,"
                              "tile-overlap-products,tile-take-turns,"
                              "canonicalize,cse,"
                              "tile-use-bulk-stores,",
                              options.promoteSums)
                    .str()
              : "") +
         verify(options, "tile-verify-program{for-layouts=1}") +
         llvm::formatv("func.func(tile-assign-layouts{{num-warps={0} mma={1}}),"
                       "cse,",
                       options.numWarps, options.mma)
             .str() +
         (isAsync ? "tile-pipeline,tile-prefetch,canonicalize,cse," : "") +
         (isAsync && options.sliceDepth ? "tile-slice-depth,canonicalize,cse,"
                                        : "") +
         (hasRoles ? "tile-use-tensor-maps," : "") +
         verify(options, "tile-verify-layouts") +
         "tile-promote-shared,tile-allocate-shared,tile-check-resources,"
         "tile-limit-registers," +
         (hasRoles ? "tile-insert-fences," : "") + "tile-insert-barriers," +
         verify(options, "tile-verify-promoted") +
         "convert-tile-to-gpu,canonicalize,cse," +
         llvm::formatv("gpu-to-nvvm-pipeline{{chip={0} verify-contracts={1}}",
                       options.chip, options.verifyContracts)
             .str();
}

static std::string getTileText(const TileToNvvmOptions &options) {
  return getAttachText(options) + "tile-select-config" +
         options.tiling.getText() + "," +
         verify(options, "tile-verify-program") + kTileHostPasses.str() +
         getTileKernelText(options);
}

static std::string getEinsumText(const EinsumToNvvmOptions &options) {
  bool isAtomic = options.splitKBlocks.combine == SplitKCombine::Atomic;
  // tile-attach-target refuses a chip that the table lacks.
  const machine::Gpu *gpu = machine::findGpuOrOlder(options.chip);
  return getAttachText(options) + kLinalgPasses.str() +
         llvm::formatv(
             "einsum-to-tile-pipeline{{config={{{0}} "
             "min-block=16x16x8 split-k-blocks={1} "
             "split-k-combine={2} programs={3} permute={4} "
             "row-bytes={5} narrow-dots={6} list-configs={7} "
             "verify-contracts={8}},",
             options.tiling.config.getValue(), options.splitKBlocks.factor,
             isAtomic ? "atomic" : "kernel", gpu ? gpu->sms : 1,
             options.permute,
             gpu && gpu->hasWgmma() ? layout::kRowAlignment : 0, options.mma,
             options.tiling.list, options.verifyContracts)
             .str() +
         kTileHostPasses.str() + getTileKernelText(options);
}

static constexpr StringLiteral kTileName = "tile-to-nvvm-pipeline";
static constexpr StringLiteral kEinsumName = "einsum-to-nvvm-pipeline";

void tileir::buildTileToNvvmPipeline(OpPassManager &manager,
                                     const TileToNvvmOptions &options) {
  addTextPipeline(manager, kTileName, getTileText(options));
}

void tileir::buildEinsumToNvvmPipeline(OpPassManager &manager,
                                       const EinsumToNvvmOptions &options) {
  addTextPipeline(manager, kEinsumName, getEinsumText(options));
}

void pipelines::registerTileToNvvmPipelines(bool verifyContracts) {
  registerTextPipeline(kTileName,
                       "From tile kernels and their launches to the LLVM and "
                       "NVVM dialects, for NVIDIA GPUs",
                       getTileText, verifyContracts);
  registerTextPipeline(kEinsumName,
                       "From einsum on tensors to the LLVM and NVVM dialects, "
                       "for NVIDIA GPUs",
                       getEinsumText, verifyContracts);
}
