//===- CudaRuntimeArrays.h - Arrays, for the CUDA runtime -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What programs hand over about arrays and textures, as the headers of the CUDA
// toolkit lay it out, and the arrays themselves.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_EXECUTION_SIM_CUDARUNTIMEARRAYS_H
#define TILEIR_LIB_EXECUTION_SIM_CUDARUNTIMEARRAYS_H

#include "tileir/Simulator/Texture.h"

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>

namespace tileir::execution {

/// cudaChannelFormatDesc: the bits of each channel and the kind of all.
struct CudaChannels {
  int bits[4];
  int kind;
};

/// cudaExtent and cudaPos.
struct CudaExtent {
  size_t width, height, depth;
};
struct CudaPosition {
  size_t x, y, z;
};

/// cudaPitchedPtr
struct CudaPitched {
  void *address;
  size_t pitch, width, height;
};

/// What cudaArray_t points at.
struct CudaArray {
  enum Flags : unsigned { Layered = 1, Cubemap = 4 };
  CudaChannels channels;
  CudaExtent extent; ///< as it was asked for: 0 for an axis that is not there
  unsigned flags;
  sim::Texture image;
};

/// Sets the channels of a texture, or says why there is no such format.
llvm::Error setChannels(sim::Texture &texture, const CudaChannels &channels);

} // namespace tileir::execution

#endif // TILEIR_LIB_EXECUTION_SIM_CUDARUNTIMEARRAYS_H
