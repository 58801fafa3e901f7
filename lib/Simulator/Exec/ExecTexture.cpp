//===- ExecTexture.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of textures, surfaces and the heap, which are not done by vectors.
//
//===----------------------------------------------------------------------===//

#include "Exec/Exec.h"
#include "Memory/DeviceHeap.h"
#include "Memory/Textures.h"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {

static const Instr *texture(Warp &warp, const Instr *instr) {
  readTexture(warp, instr);
  return instr + 1;
}

static const Instr *surface(Warp &warp, const Instr *instr) {
  accessSurface(warp, instr);
  return instr + 1;
}

static const Instr *heapAllocate(Warp &warp, const Instr *instr) {
  allocateFromHeap(warp, instr);
  return instr + 1;
}

static const Instr *heapFree(Warp &warp, const Instr *instr) {
  freeToHeap(warp, instr);
  return instr + 1;
}

void addTextureHandlers(Handler *table) {
  table[unsigned(Opcode::Texture)] = texture;
  table[unsigned(Opcode::SurfaceLoad)] = surface;
  table[unsigned(Opcode::SurfaceStore)] = surface;
  table[unsigned(Opcode::HeapAllocate)] = heapAllocate;
  table[unsigned(Opcode::HeapFree)] = heapFree;
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim
