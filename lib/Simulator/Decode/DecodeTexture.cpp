//===- DecodeTexture.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes llvm.nvvm.tex.unified.*, tld4.unified.*, suld.* and sust.b.*. Levels
// and gradients are dropped: textures have one level.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"
#include "Memory/Textures.h"

using namespace llvm;

namespace tileir::sim {

/// Takes "1d.", "2d.array.", "cube.", ...
static std::optional<TextureAccess> takeGeometry(StringRef &name) {
  TextureAccess access;
  if (name.consume_front("cube."))
    access.isCube = true, access.dimensions = 2;
  else if (name.consume_front("1d."))
    access.dimensions = 1;
  else if (name.consume_front("2d."))
    access.dimensions = 2;
  else if (name.consume_front("3d."))
    access.dimensions = 3;
  else
    return std::nullopt;
  access.isLayered = name.consume_front("array.");
  return access;
}

/// Emits the access, whose first argument is the handle.
static bool emit(Decoder &decoder, CallBase &call, Opcode opcode,
                 const TextureAccess &decoded, unsigned numUses) {
  Access access;
  access.space = Space::Global;
  access.opcode = opcode;
  if (opcode != Opcode::Texture) {
    access.elementBytes = decoded.elementBytes;
    access.elements = decoded.elements;
    access.bytes = access.elementBytes * access.elements;
  }
  Register handle = decoder.useScalar(call.getArgOperand(0));
  SmallVector<Register> defs, uses;
  for (unsigned i = 0; i < numUses; ++i)
    uses.push_back(decoder.useScalar(call.getArgOperand(1 + i)));
  if (!call.getType()->isVoidTy())
    defs = decoder.define(call);
  decoder.emitAccess(access, Address{handle, 0}, defs, uses).imm =
      decoded.pack();
  return true;
}

/// "2d.v4f32.f32", "1d.array.level.v4s32.f32", ...
static bool decodeSample(Decoder &decoder, CallBase &call, StringRef name) {
  auto access = takeGeometry(name);
  if (!access)
    return false;
  if (!name.consume_front("level."))
    name.consume_front("grad.");
  if (!name.consume_front("v4f32.") && !name.consume_front("v4s32.") &&
      !name.consume_front("v4u32."))
    return false;
  access->hasIntegerCoordinates = name == "s32";
  return (name == "s32" || name == "f32") &&
         emit(decoder, call, Opcode::Texture, *access,
              access->isLayered + access->getNumCoordinates());
}

/// "r.2d.v4f32.f32", ...
static bool decodeGather(Decoder &decoder, CallBase &call, StringRef name) {
  TextureAccess access;
  access.gathered = StringRef("rgba").find(name.take_front()) + 1;
  access.dimensions = 2;
  name = name.drop_front();
  return access.gathered > 0 && name.consume_front(".2d.v4") &&
         name.drop_front(3) == ".f32" &&
         emit(decoder, call, Opcode::Texture, access, 2);
}

/// "2d.v4i32.trap", "1d.array.i8.clamp", ...
static bool decodeSurface(Decoder &decoder, CallBase &call, StringRef name,
                          bool isStore) {
  auto access = takeGeometry(name);
  if (!access || access->isCube)
    return false;
  if (name.consume_front("v2"))
    access->elements = 2;
  else if (name.consume_front("v4"))
    access->elements = 4;
  auto [type, mode] = name.split('.');
  unsigned bits = 0;
  if (!type.consume_front("i") || type.getAsInteger(10, bits))
    return false;
  access->elementBytes = bits / 8;
  if (mode == "trap")
    access->mode = SurfaceMode::Trap;
  else if (mode == "clamp")
    access->mode = SurfaceMode::Clamp;
  else if (mode == "zero")
    access->mode = SurfaceMode::Zero;
  else
    return false;
  unsigned coordinates = access->isLayered + access->dimensions;
  return emit(decoder, call,
              isStore ? Opcode::SurfaceStore : Opcode::SurfaceLoad, *access,
              coordinates + (isStore ? access->elements : 0));
}

bool decodeTexture(Decoder &decoder, CallBase &call, StringRef name) {
  if (name.consume_front("tex.unified."))
    return decodeSample(decoder, call, name);
  if (name.consume_front("tld4.unified."))
    return decodeGather(decoder, call, name);
  if (name.consume_front("suld."))
    return decodeSurface(decoder, call, name, /*isStore=*/false);
  if (name.consume_front("sust.b."))
    return decodeSurface(decoder, call, name, /*isStore=*/true);
  return false;
}

} // namespace tileir::sim
