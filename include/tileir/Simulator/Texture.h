//===- Texture.h - Images that kernels read by coordinates ------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a texture object or a surface object of CUDA stands for. Kernels get its
// handle, a number. Plain C++ without LLVM: the sources of execution include
// it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_SIMULATOR_TEXTURE_H
#define TILEIR_SIMULATOR_TEXTURE_H

#include <cstdint>
#include <memory>
#include <vector>

namespace tileir::sim {

/// What happens to coordinates outside an axis; the numbers are those of
/// cudaTextureAddressMode.
enum class TextureAddressMode : uint8_t { Wrap, Clamp, Mirror, Border };
/// The numbers are those of cudaChannelFormatKind.
enum class TextureFormat : uint8_t { Signed, Unsigned, Float };

struct Texture {
  uint64_t address = 0;            ///< of texel 0, in device memory
  uint32_t dimensions = 1;         ///< 1 to 3
  uint32_t size[3] = {1, 1, 1};    ///< in texels: width, height, depth
  uint32_t layers = 0;             ///< 0: not layered; of cubes: the faces
  uint64_t rowBytes = 0;           ///< from row to row
  uint64_t sliceBytes = 0;         ///< from slice to slice, or layer to layer
  uint8_t channels = 1, bits = 32; ///< bits of a channel: 8, 16 or 32
  TextureFormat format = TextureFormat::Float;
  TextureAddressMode modes[3] = {TextureAddressMode::Clamp,
                                 TextureAddressMode::Clamp,
                                 TextureAddressMode::Clamp};
  bool isFiltered = false;         ///< linear filtering
  bool isNormalized = false;       ///< integers are read as [0, 1] or [-1, 1]
  bool hasUnitCoordinates = false; ///< an axis goes from 0 to 1
  float border[4] = {0, 0, 0, 0};
  bool isLinear = false;  ///< linear memory, by integers: 0 beyond its ends
  bool isSurface = false; ///< texels are read and written by byte offsets

  uint32_t getTexelBytes() const { return channels * bits / 8; }
  bool readsFloats() const {
    return format == TextureFormat::Float || isNormalized;
  }
};

/// The textures of a device by their handles, which are never 0 and never used
/// again.
class TextureTable {
public:
  uint64_t add(const Texture &texture) {
    textures.push_back(std::make_unique<Texture>(texture));
    return textures.size();
  }
  /// False: there is none.
  bool remove(uint64_t handle) {
    bool isThere = find(handle);
    if (isThere)
      textures[handle - 1].reset();
    return isThere;
  }
  /// Null: there is none.
  const Texture *find(uint64_t handle) const {
    return handle - 1 < textures.size() ? textures[handle - 1].get() : nullptr;
  }

private:
  std::vector<std::unique_ptr<Texture>> textures;
};

} // namespace tileir::sim

#endif // TILEIR_SIMULATOR_TEXTURE_H
