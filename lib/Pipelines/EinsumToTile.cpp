//===- EinsumToTile.cpp - einsum-to-tile-pipeline -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions become kernels, together with the pointwise ops around them; all
// else stays host code, on buffers. Contractions of many operands are split on
// tensors, so that buffers of intermediate results are owned like all others.
//
//===----------------------------------------------------------------------===//

#include "TextPipeline.h"
#include "tileir/Pipelines/Pipelines.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::pipelines;

/// Returns the text by which a pass takes `checks` as an option.
static StringRef toString(RuntimeChecks checks) {
  switch (checks) {
  case RuntimeChecks::None:
    return "none";
  case RuntimeChecks::Sizes:
    return "sizes";
  case RuntimeChecks::All:
    return "all";
  }
  llvm_unreachable("unknown checks");
}

static bool splits(const SplitKBlocksOptions &options, SplitKCombine combine) {
  return options.factor != 1 && options.combine == combine;
}

/// The pass that divides sums by a second contraction, if it is asked for. It
/// comes before configurations are selected.
static std::string getSplitPass(const EinsumToTileOptions &options) {
  if (!splits(options.splitKBlocks, SplitKCombine::Kernel))
    return "";
  bool isAuto = options.tiling.isAuto();
  return llvm::formatv(
      "einsum-split-k{{factor={0} config={{{1}} programs={2}},",
      options.splitKBlocks.factor,
      isAuto ? "" : options.tiling.config.getValue(), options.programs);
}

static std::string getEinsumToTileText(const EinsumToTileOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "canonicalize,cse,einsum-contract-pairwise,"
     << (options.permute
             ? llvm::formatv("einsum-permute-operands{{row-bytes={0}},cse,",
                             options.rowBytes)
                   .str()
             : "")
     << getSplitPass(options) << (options.fuse ? "einsum-fuse," : "")
     << "einsum-exchange-operands{config={"
     << (options.tiling.isAuto() ? "" : options.tiling.config.getValue())
     << "}},tile-select-config" << options.tiling.getText() << ","
     << verify(options, "einsum-verify-kernels") << "convert-einsum-to-tile{"
     << (options.minBlock.empty() ? "" : "min-block=")
     << options.minBlock.getValue()
     << (options.narrowDots ? " narrow-dots=1" : "")
     << " checks=" << toString(options.checks)
     << "},tile-bufferize-host,canonicalize,cse";
  if (splits(options.splitKBlocks, SplitKCombine::Atomic))
    os << ",tile-split-k-blocks{factor=" << options.splitKBlocks.factor
       << " programs=" << options.programs << "},canonicalize,cse";
  if (options.verifyContracts)
    os << ",tile-verify-program";
  return text;
}

static constexpr StringLiteral kEinsumToTileName = "einsum-to-tile-pipeline";

void tileir::buildEinsumToTilePipeline(OpPassManager &manager,
                                       const EinsumToTileOptions &options) {
  addTextPipeline(manager, kEinsumToTileName, getEinsumToTileText(options));
}

void pipelines::registerEinsumToTilePipeline(bool verifyContracts) {
  registerTextPipeline(kEinsumToTileName,
                       "From einsum on tensors to tile kernels and host code",
                       getEinsumToTileText, verifyContracts);
}
