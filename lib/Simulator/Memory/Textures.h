//===- Textures.h -----------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What instructions of textures and surfaces say, and what they do.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_MEMORY_TEXTURES_H
#define TILEIR_LIB_SIMULATOR_MEMORY_TEXTURES_H

#include "Exec/Warp.h"

#include <cstdint>

namespace tileir::sim {

struct Texture;

/// What a surface does outside its bounds.
enum class SurfaceMode : uint8_t { Trap, Clamp, Zero };

/// The imm of Opcode::Texture, ::SurfaceLoad and ::SurfaceStore. Its operands
/// are the layer, if it is layered, and a coordinate for each dimension (of a
/// cube three).
struct TextureAccess {
  uint8_t dimensions = 1;
  bool isLayered = false;
  bool isCube = false;
  // Of textures.
  bool hasIntegerCoordinates = false;
  uint8_t gathered = 0; ///< tld4: the component + 1; 0: another instruction
  // Of surfaces.
  uint8_t elementBytes = 4, elements = 1;
  SurfaceMode mode = SurfaceMode::Trap;

  int64_t pack() const {
    return dimensions | int64_t(isLayered) << 8 | int64_t(isCube) << 9 |
           int64_t(hasIntegerCoordinates) << 10 | int64_t(gathered) << 16 |
           int64_t(elementBytes) << 24 | int64_t(elements) << 32 |
           int64_t(mode) << 40;
  }
  static TextureAccess unpack(int64_t imm) {
    TextureAccess access;
    access.dimensions = imm & 0xff;
    access.isLayered = imm >> 8 & 1;
    access.isCube = imm >> 9 & 1;
    access.hasIntegerCoordinates = imm >> 10 & 1;
    access.gathered = imm >> 16 & 0xff;
    access.elementBytes = imm >> 24 & 0xff;
    access.elements = imm >> 32 & 0xff;
    access.mode = SurfaceMode(imm >> 40 & 0xff);
    return access;
  }
  unsigned getNumCoordinates() const { return isCube ? 3 : dimensions; }
};

/// Samples a texture for the active lanes (Textures.cpp).
void readTexture(Warp &warp, const Instr *instr);
/// Loads from or stores to a surface for the active lanes (Surfaces.cpp).
void accessSurface(Warp &warp, const Instr *instr);

/// The texture or surface of a handle; null after a finding.
const Texture *findTexture(Warp &warp, const Instr *instr, uint32_t lane,
                           uint64_t handle, bool isSurface);

/// Checks the accesses of `lanes` at `addresses`, each of `bytes` bytes, as
/// those of global memory.
void noteTexels(Warp &warp, const Instr *instr, uint32_t lanes,
                const uint64_t *addresses, uint32_t bytes, bool isStore);
/// Counts one instruction whose lanes access up to `count` texels each: lanes
/// `lanes[i]` the i-th, at `addresses[i]` (AccessCounts.cpp).
void countTexels(Warp &warp, const Instr *instr, const uint32_t *lanes,
                 const uint64_t (*addresses)[kLanes], uint32_t bytes,
                 unsigned count = 8);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_MEMORY_TEXTURES_H
