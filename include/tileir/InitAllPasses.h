//===- InitAllPasses.h - Register the passes of TileIR ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_INITALLPASSES_H
#define TILEIR_INITALLPASSES_H

#include "tileir/Conversion/Passes.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"
#include "tileir/Dialect/GPU/Transforms/Passes.h"
#include "tileir/Dialect/Linalg/Transforms/Passes.h"
#include "tileir/Dialect/Math/Transforms/Passes.h"
#include "tileir/Dialect/MemRef/Transforms/Passes.h"
#include "tileir/Dialect/OpenMP/Transforms/Passes.h"
#include "tileir/Dialect/SCF/Transforms/Passes.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"
#include "tileir/Pipelines/Pipelines.h"

namespace tileir {

/// Makes the passes and pipelines of TileIR known by name. The pipelines use
/// upstream's passes, which the caller registers. `verifyContracts` is the
/// default of their option of this name.
inline void registerAllPasses(bool verifyContracts = false) {
  einsum::registerEinsumPasses();
  tile::registerTilePasses();
  registerTileIRConversionPasses();
  registerTileIRGPUPasses();
  registerTileIRLinalgPasses();
  registerTileIRMathPasses();
  registerTileIRMemRefPasses();
  registerTileIROpenMPPasses();
  registerTileIRSCFPasses();
  registerPipelines(verifyContracts);
}

} // namespace tileir

#endif // TILEIR_INITALLPASSES_H
