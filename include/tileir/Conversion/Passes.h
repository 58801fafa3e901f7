//===- Passes.h - Conversions between dialects ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_PASSES_H
#define TILEIR_CONVERSION_PASSES_H

#include "tileir/Conversion/AMXToLLVM/AMXToLLVM.h"
#include "tileir/Conversion/AssertToCheck/AssertToCheck.h"
#include "tileir/Conversion/CpuToLLVM/CpuToLLVM.h"
#include "tileir/Conversion/DotToLLVM/DotToLLVM.h"
#include "tileir/Conversion/EinsumToAffine/EinsumToAffine.h"
#include "tileir/Conversion/EinsumToTile/EinsumToTile.h"
#include "tileir/Conversion/EinsumToVector/EinsumToVector.h"
#include "tileir/Conversion/LinalgToEinsum/LinalgToEinsum.h"
#include "tileir/Conversion/LinalgToTile/LinalgToTile.h"
#include "tileir/Conversion/LinalgToVector/LinalgToVector.h"
#include "tileir/Conversion/PadToMemRef/PadToMemRef.h"
#include "tileir/Conversion/PrintfToLLVM/PrintfToLLVM.h"
#include "tileir/Conversion/TileConfigSelection/TileConfigSelection.h"
#include "tileir/Conversion/TileToGPU/TileToGPU.h"
#include "tileir/Conversion/TileToLinalg/TileToLinalg.h"
#include "tileir/Conversion/TritonToTile/TritonToTile.h"

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_REGISTRATION
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_PASSES_H
