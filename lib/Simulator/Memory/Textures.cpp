//===- Textures.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Textures, as the CUDA C++ programming guide defines their sampling (appendix
// "Texture Fetching"): the texel that a coordinate falls into, or the linear
// mean of the nearest two of each axis, with weights of 8 bits behind the
// point.
//
//===----------------------------------------------------------------------===//

#include "Memory/Textures.h"

#include "Memory/Memory.h"
#include "tileir/Simulator/Texture.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tileir::sim;
using llvm::formatv;

const Texture *tileir::sim::findTexture(Warp &warp, const Instr *instr,
                                        uint32_t lane, uint64_t handle,
                                        bool isSurface) {
  const TextureTable *table = warp.block->launch->textures;
  const Texture *texture = table ? table->find(handle) : nullptr;
  if (texture && texture->isSurface == isSurface)
    return texture;
  report(
      warp, instr, lane, FindingKind::OutOfBounds, 0,
      formatv("{0} of {1:x}; expected a {2} object that was created, and not "
              "destroyed",
              getVerb(*instr), handle, isSurface ? "surface" : "texture"));
  return nullptr;
}

void tileir::sim::noteTexels(Warp &warp, const Instr *instr, uint32_t lanes,
                             const uint64_t *addresses, uint32_t bytes,
                             bool isStore) {
  while (lanes) {
    Buffer *buffer = findBuffer(warp, addresses[llvm::countr_zero(lanes)]);
    uint32_t same = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
      const uint64_t address = addresses[llvm::countr_zero(left)];
      if (address >= buffer->begin && address < buffer->end())
        same |= left & -left;
    }
    noteGlobal(warp, instr, same, *buffer, addresses, bytes, isStore,
               /*atomic=*/false);
    lanes &= ~same;
  }
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

/// The texel `index` of an axis of `size` texels, by its mode; -1: the border.
static int64_t wrapIndex(int64_t index, int64_t size, TextureAddressMode mode) {
  switch (mode) {
  case TextureAddressMode::Wrap:
    index %= size;
    return index < 0 ? index + size : index;
  case TextureAddressMode::Mirror:
    index %= 2 * size;
    if (index < 0)
      index += 2 * size;
    return index < size ? index : 2 * size - 1 - index;
  case TextureAddressMode::Clamp:
    return std::clamp<int64_t>(index, 0, size - 1);
  case TextureAddressMode::Border:
    break;
  }
  return index < 0 || index >= size ? -1 : index;
}

namespace {
/// The two texels of an axis that a coordinate lies between, and the weight of
/// the second one. Without filtering, the first one alone counts.
struct AxisTexels {
  int64_t index[2] = {0, 0}; ///< -1: the border
  float weight = 0;
};

/// What is read for one lane.
struct Texels {
  int64_t layer = 0;
  AxisTexels axes[3];
};

/// The four channels of a texel, as bits.
struct Texel {
  uint32_t channel[4] = {0, 0, 0, 0};
  float getFloat(unsigned c) const { return llvm::bit_cast<float>(channel[c]); }
  void set(unsigned c, float value) {
    channel[c] = llvm::bit_cast<uint32_t>(value);
  }
};
} // namespace

/// `between`: two texels are wanted, for a mean of them or to be gathered.
static AxisTexels locate(const Texture &texture, unsigned axis,
                         double coordinate, bool between) {
  const int64_t size = texture.size[axis];
  TextureAddressMode mode = texture.modes[axis];
  // Without coordinates from 0 to 1 there are only two modes.
  if (!texture.hasUnitCoordinates && mode != TextureAddressMode::Border)
    mode = TextureAddressMode::Clamp;
  if (texture.hasUnitCoordinates)
    coordinate *= double(size);
  // Far outside all modes but two give the same texel.
  constexpr double kFar = 1 << 30;
  if (std::isnan(coordinate))
    coordinate = 0;
  coordinate = std::clamp(coordinate, -kFar, kFar);
  AxisTexels result;
  if (!between) {
    result.index[0] = wrapIndex(std::floor(coordinate), size, mode);
    return result;
  }
  // To 8 bits behind the point.
  const double point = std::nearbyint((coordinate - 0.5) * 256) / 256;
  const int64_t first = std::floor(point);
  result.weight = point - first;
  result.index[0] = wrapIndex(first, size, mode);
  result.index[1] = wrapIndex(first + 1, size, mode);
  return result;
}

/// The face of a cube that a direction meets, and where: from 0 to 1.
static unsigned projectToFace(const float direction[3], float &s, float &t) {
  const float x = direction[0], y = direction[1], z = direction[2];
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  float m;
  unsigned face;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1;
    m = ax, s = x >= 0 ? -z : z, t = -y;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3;
    m = ay, s = x, t = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5;
    m = az, s = z >= 0 ? x : -x, t = -y;
  }
  s = (s / m + 1) / 2;
  t = (t / m + 1) / 2;
  return face;
}

//===----------------------------------------------------------------------===//
// Texels
//===----------------------------------------------------------------------===//

static float toFloat(uint16_t half) {
  llvm::APFloat value(llvm::APFloat::IEEEhalf(), llvm::APInt(16, half));
  return value.convertToFloat();
}

/// A channel of `bits` bits as the instruction gives it.
static uint32_t convert(const Texture &texture, uint32_t bits) {
  const bool isSigned = texture.format == TextureFormat::Signed;
  if (texture.format == TextureFormat::Float)
    return texture.bits == 16 ? llvm::bit_cast<uint32_t>(toFloat(bits)) : bits;
  int64_t value = bits;
  if (isSigned)
    value =
        int64_t(uint64_t(bits) << (64 - texture.bits)) >> (64 - texture.bits);
  if (!texture.isNormalized)
    return uint32_t(value);
  const int64_t largest = (int64_t(1) << (texture.bits - isSigned)) - 1;
  return llvm::bit_cast<uint32_t>(
      std::max(-1.0f, float(double(value) / double(largest))));
}

static Texel getBorder(const Texture &texture) {
  Texel texel;
  for (unsigned c = 0; c < 4; ++c)
    if (texture.readsFloats())
      texel.set(c, texture.border[c]);
    else
      texel.channel[c] = uint32_t(int64_t(texture.border[c]));
  return texel;
}

static Texel readTexel(const Texture &texture, const uint8_t *bytes) {
  Texel texel;
  // A channel that is not there: 0, the last one 1.
  texel.channel[3] = texture.readsFloats() ? llvm::bit_cast<uint32_t>(1.0f) : 1;
  for (unsigned c = 0; c < texture.channels; ++c) {
    uint32_t bits = 0;
    std::memcpy(&bits, bytes + c * texture.bits / 8, texture.bits / 8);
    texel.channel[c] = convert(texture, bits);
  }
  return texel;
}

//===----------------------------------------------------------------------===//
// Sampling
//===----------------------------------------------------------------------===//

namespace {
/// One instruction, executed by one warp.
class Sampler {
public:
  Sampler(Warp &warp, const Instr *instr)
      : warp(warp), instr(instr), access(TextureAccess::unpack(instr->imm)),
        list(warp.block->launch->program->pool.data() + instr->list) {}

  void run();

private:
  Texel sample(const Texture &texture, uint32_t lane);
  Texels locateAll(const Texture &texture, uint32_t lane);
  /// One texel: the corner `corner` has a bit for each axis.
  Texel fetch(const Texture &texture, uint32_t lane, const Texels &texels,
              unsigned corner);
  uint32_t getOperand(unsigned i, uint32_t lane) const {
    return warp.registers[list[instr->numDefs + i] * kLanes + lane];
  }

  Warp &warp;
  const Instr *instr;
  const TextureAccess access;
  const uint32_t *list;
  uint64_t addresses[8][kLanes];
  uint32_t fetched[8] = {}; ///< the lanes that read each corner
};
} // namespace

Texels Sampler::locateAll(const Texture &texture, uint32_t lane) {
  unsigned operand = 0;
  Texels texels;
  if (access.isLayered)
    texels.layer = getOperand(operand++, lane);
  double coordinates[3];
  float direction[3];
  for (unsigned i = 0; i < access.getNumCoordinates(); ++i) {
    uint32_t bits = getOperand(operand++, lane);
    direction[i] = llvm::bit_cast<float>(bits);
    coordinates[i] =
        access.hasIntegerCoordinates ? int32_t(bits) : direction[i];
  }
  if (access.isCube) {
    float s, t;
    texels.layer = texels.layer * 6 + projectToFace(direction, s, t);
    coordinates[0] = s, coordinates[1] = t;
  }
  if (texture.layers)
    texels.layer = std::min<int64_t>(texels.layer, texture.layers - 1);
  const bool between =
      access.gathered || (texture.isFiltered && texture.readsFloats() &&
                          !access.hasIntegerCoordinates);
  for (unsigned i = 0; i < access.dimensions; ++i)
    texels.axes[i] = locate(texture, i, coordinates[i], between);
  return texels;
}

Texel Sampler::fetch(const Texture &texture, uint32_t lane,
                     const Texels &texels, unsigned corner) {
  const int64_t x = texels.axes[0].index[corner & 1],
                y = texels.axes[1].index[corner >> 1 & 1],
                z = texels.axes[2].index[corner >> 2 & 1];
  if (x < 0 || y < 0 || z < 0)
    return getBorder(texture);
  const uint32_t bytes = texture.getTexelBytes();
  const uint64_t address = texture.address + x * bytes + y * texture.rowBytes +
                           (z + texels.layer) * texture.sliceBytes;
  const uint8_t *place =
      resolve(warp, instr, warp.block->launch->program->accesses[instr->extra],
              lane, address, bytes, /*isStore=*/false, /*alignment=*/1);
  if (!place)
    return {};
  addresses[corner][lane] = address;
  fetched[corner] |= 1u << lane;
  return readTexel(texture, place);
}

Texel Sampler::sample(const Texture &texture, uint32_t lane) {
  if (access.hasIntegerCoordinates && texture.isLinear) {
    const int32_t index = getOperand(0, lane);
    if (index < 0 || uint32_t(index) >= texture.size[0])
      return {};
  }
  const Texels texels = locateAll(texture, lane);
  Texel result;
  if (access.gathered) {
    // Against the clock, from the lower left.
    static const unsigned corners[] = {2, 3, 1, 0};
    for (unsigned i = 0; i < 4; ++i)
      result.channel[i] =
          fetch(texture, lane, texels, corners[i]).channel[access.gathered - 1];
    return result;
  }
  double sums[4] = {};
  unsigned numCorners = 0;
  for (unsigned corner = 0; corner < 1u << access.dimensions; ++corner) {
    double weight = 1;
    for (unsigned i = 0; i < access.dimensions; ++i) {
      const double second = texels.axes[i].weight;
      weight *= corner >> i & 1 ? second : 1 - second;
    }
    if (weight == 0)
      continue;
    result = fetch(texture, lane, texels, corner);
    ++numCorners;
    if (texture.readsFloats())
      for (unsigned c = 0; c < 4; ++c)
        sums[c] += weight * result.getFloat(c);
  }
  if (numCorners > 1)
    for (unsigned c = 0; c < 4; ++c)
      result.set(c, sums[c]);
  return result;
}

void Sampler::run() {
  const auto *handles =
      reinterpret_cast<const uint64_t *>(warp.registers + instr->a * kLanes);
  Texel results[kLanes];
  uint32_t bytes = 0;
  for (uint32_t left = warp.active; left; left &= left - 1) {
    const uint32_t lane = llvm::countr_zero(left);
    const Texture *texture =
        findTexture(warp, instr, lane, handles[lane], /*isSurface=*/false);
    if (!texture)
      break;
    bytes = std::max(bytes, texture->getTexelBytes());
    results[lane] = sample(*texture, lane);
  }
  for (unsigned c = 0; c < instr->numDefs; ++c)
    for (uint32_t left = warp.active; left; left &= left - 1) {
      const uint32_t lane = llvm::countr_zero(left);
      warp.registers[list[c] * kLanes + lane] = results[lane].channel[c];
    }
  if (!warp.block->launch->instrument)
    return;
  for (unsigned corner = 0; corner < 8; ++corner)
    if (fetched[corner])
      noteTexels(warp, instr, fetched[corner], addresses[corner], bytes,
                 /*isStore=*/false);
  countTexels(warp, instr, fetched, addresses, bytes);
}

void tileir::sim::readTexture(Warp &warp, const Instr *instr) {
  Sampler(warp, instr).run();
}
