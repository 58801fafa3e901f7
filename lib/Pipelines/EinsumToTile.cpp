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

#include "CpuStages.h"
#include "TextPipeline.h"

using namespace mlir;
using namespace tileir;

static std::string getText(const EinsumToTileOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "canonicalize,cse,einsum-contract-pairwise,"
     << (options.fuse ? "einsum-fuse," : "")
     << "convert-einsum-to-tile{block=" << options.block.getValue()
     << (options.minBlock.empty() ? "" : " min-block=")
     << options.minBlock.getValue() << " checks=" << toString(options.checks)
     << "},tile-bufferize-host,canonicalize,cse";
  return text;
}

static constexpr StringLiteral kName = "einsum-to-tile-pipeline";

void tileir::buildEinsumToTilePipeline(OpPassManager &manager,
                                       const EinsumToTileOptions &options) {
  addTextPipeline(manager, kName, getText(options));
}

void tileir::registerEinsumToTilePipeline() {
  registerTextPipeline(
      kName, "From einsum on tensors to tile kernels and host code", getText);
}
