//===- Surfaces.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores of surfaces: x is an offset in bytes, and what is outside is
// a finding, the nearest texel, or nothing.
//
//===----------------------------------------------------------------------===//

#include "Memory/Memory.h"
#include "Memory/Textures.h"
#include "tileir/Simulator/Texture.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstring>

using namespace tileir::sim;
using llvm::formatv;

namespace {
/// Where the bytes of a lane are; 0: nowhere.
struct SurfacePlace {
  const TextureAccess &access;
  const Texture &surface;
  int64_t x, y = 0, z = 0;

  /// The size of each axis, x in bytes.
  int64_t getWidth() const {
    return int64_t(surface.size[0]) * surface.getTexelBytes();
  }
  int64_t getDepth() const {
    return surface.layers ? surface.layers : surface.size[2];
  }
  int64_t getBytes() const { return access.elementBytes * access.elements; }
  bool isInside() const {
    return x >= 0 && x + getBytes() <= getWidth() && y >= 0 &&
           y < surface.size[1] && z >= 0 && z < getDepth();
  }
  void clamp() {
    x = std::clamp<int64_t>(x, 0,
                            std::max<int64_t>(getWidth() - getBytes(), 0));
    y = std::clamp<int64_t>(y, 0, surface.size[1] - 1);
    z = std::clamp<int64_t>(z, 0, getDepth() - 1);
  }
  uint64_t getAddress() const {
    return surface.address + x + y * surface.rowBytes + z * surface.sliceBytes;
  }
};
} // namespace

static SurfacePlace getPlace(const TextureAccess &access,
                             const Texture &surface, const int32_t *operands) {
  SurfacePlace place{access, surface, 0};
  const int32_t layer = access.isLayered ? *operands++ : 0;
  place.x = operands[0];
  if (access.dimensions > 1)
    place.y = operands[1];
  place.z = access.dimensions > 2 ? operands[2] : layer;
  return place;
}

void tileir::sim::accessSurface(Warp &warp, const Instr *instr) {
  const Program &program = *warp.block->launch->program;
  const TextureAccess access = TextureAccess::unpack(instr->imm);
  const bool isStore = instr->opcode == Opcode::SurfaceStore;
  const uint32_t *defs = program.pool.data() + instr->list;
  const uint32_t *uses = defs + instr->numDefs;
  const unsigned numOperands = access.isLayered + access.dimensions;
  const auto *handles =
      reinterpret_cast<const uint64_t *>(warp.registers + instr->a * kLanes);
  const uint32_t bytes = access.elementBytes * access.elements;
  uint64_t addresses[kLanes];
  uint64_t values[kLanes][4] = {};
  uint32_t accessed = 0;
  for (uint32_t left = warp.active; left; left &= left - 1) {
    const uint32_t lane = llvm::countr_zero(left);
    auto get = [&](uint32_t slot) {
      return warp.registers[slot * kLanes + lane];
    };
    const Texture *surface =
        findTexture(warp, instr, lane, handles[lane], /*isSurface=*/true);
    if (!surface)
      break;
    int32_t operands[4];
    for (unsigned i = 0; i < numOperands; ++i)
      operands[i] = get(uses[i]);
    SurfacePlace place = getPlace(access, *surface, operands);
    if (!place.isInside()) {
      if (access.mode == SurfaceMode::Trap)
        report(warp, instr, lane, FindingKind::OutOfBounds, 0,
               formatv("{0} of {1} bytes at byte {2} of row {3} of {4} {5}; "
                       "expected at most {6} bytes of {7} rows of {8}",
                       getVerb(*instr), bytes, place.x, place.y,
                       surface->layers ? "layer" : "slice", place.z,
                       place.getWidth(), surface->size[1], place.getDepth()));
      if (access.mode != SurfaceMode::Clamp)
        continue;
      place.clamp();
    }
    uint8_t *memory = resolve(warp, instr, program.accesses[instr->extra], lane,
                              place.getAddress(), bytes, isStore);
    if (!memory)
      continue;
    addresses[lane] = place.getAddress();
    accessed |= 1u << lane;
    for (unsigned i = 0; i < access.elements; ++i) {
      uint8_t *element = memory + i * access.elementBytes;
      if (!isStore) {
        std::memcpy(&values[lane][i], element, access.elementBytes);
        continue;
      }
      const uint32_t *slot = warp.registers + uses[numOperands + i] * kLanes +
                             (access.elementBytes == 8 ? 2 * lane : lane);
      std::memcpy(element, slot, access.elementBytes);
    }
  }
  if (!isStore)
    for (unsigned i = 0; i < instr->numDefs; ++i)
      for (uint32_t left = warp.active; left; left &= left - 1) {
        const uint32_t lane = llvm::countr_zero(left);
        uint32_t *slot = warp.registers + defs[i] * kLanes;
        if (access.elementBytes == 8)
          std::memcpy(slot + 2 * lane, &values[lane][i], 8);
        else
          slot[lane] = uint32_t(values[lane][i]);
      }
  if (!warp.block->launch->instrument || !accessed)
    return;
  noteTexels(warp, instr, accessed, addresses, bytes, isStore);
  countTexels(warp, instr, &accessed, &addresses, bytes, 1);
}
