//===- LiftTexture.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tex, tld4, suld and sust with one handle for texture and sampler, as the
// headers of CUDA write them. They become the intrinsics that LLVM has.
//
//===----------------------------------------------------------------------===//

#include "PTX/LiftAccess.h"

using namespace llvm;

namespace tileir::sim::ptx {

namespace {
/// "a2d": the name of LLVM, and how many operands coordinates take.
struct Geometry {
  StringLiteral name;
  StringLiteral ofLLVM;
  unsigned coordinates; ///< with the layer
  bool isLayered;
};
} // namespace

static const Geometry *takeGeometry(Modifiers &m) {
  static const Geometry all[] = {
      {"1d", "1d", 1, false},          {"2d", "2d", 2, false},
      {"3d", "3d", 3, false},          {"a1d", "1d.array", 2, true},
      {"a2d", "2d.array", 3, true},    {"cube", "cube", 3, false},
      {"acube", "cube.array", 4, true}};
  for (const Geometry &geometry : all)
    if (m.take(geometry.name))
      return &geometry;
  return nullptr;
}

/// [handle, {coordinates}]: the handle, and as many coordinates as there are.
static bool readPlace(Lifter &l, const Operand &operand,
                      const Geometry &geometry, bool isFloat,
                      SmallVector<Value *> &values) {
  if (operand.kind != Operand::Kind::Address || operand.elements.size() != 1)
    return l.fail("expected [object, {coordinates}] of one object, which is a "
                  "register");
  Operand handle;
  handle.kind = Operand::Kind::Name;
  handle.name = operand.name;
  values.push_back(l.read(handle, l.integer(64)));
  ArrayRef<Operand> coordinates = getLanes(operand.elements[0]);
  if (coordinates.size() < geometry.coordinates)
    return l.fail("expected " + Twine(geometry.coordinates) +
                  " coordinates, found " + Twine(coordinates.size()));
  for (unsigned i = 0; i < geometry.coordinates; ++i) {
    bool isLayer = geometry.isLayered && i == 0;
    values.push_back(l.read(coordinates[i], isFloat && !isLayer
                                                ? l.b.getFloatTy()
                                                : l.integer(32)));
  }
  return true;
}

static bool writeResults(Lifter &l, const Operand &results, Value *value) {
  if (!value)
    return false;
  auto *structure = dyn_cast<StructType>(value->getType());
  ArrayRef<Operand> lanes = getLanes(results);
  if (lanes.size() != (structure ? structure->getNumElements() : 1))
    return l.fail("found " + Twine(lanes.size()) + " results");
  for (auto [i, lane] : enumerate(lanes))
    l.write(lane, structure ? l.b.CreateExtractValue(value, i) : value);
  return true;
}

/// tex[.level|.grad].geometry.v4.type.coordinates d, [object, {...}]...
static bool liftSample(Lifter &l, Modifiers &m, Operands o) {
  StringRef level = m.takeOneOf({"level", "grad"});
  m.take("base");
  const Geometry *geometry = takeGeometry(m);
  if (!geometry || !m.take("v4"))
    return false;
  StringRef type = m.takeFirst(), coordinates = m.takeFirst();
  SmallVector<Value *> values;
  if (!readPlace(l, o[1], *geometry, coordinates == "f32", values))
    return false;
  std::string name = ("llvm.nvvm.tex.unified." + geometry->ofLLVM + ".").str();
  if (!level.empty())
    name += (level + ".").str();
  // The level, or gradients, which have as many elements as there are axes.
  unsigned axes = geometry->coordinates - geometry->isLayered;
  for (const Operand &more : o.drop_front(2))
    for (const Operand &element :
         getLanes(more).take_front(level == "grad" ? axes : 1))
      values.push_back(l.read(element, l.b.getFloatTy()));
  return writeResults(
      l, o[0], l.callIntrinsic(name + "v4" + type + "." + coordinates, values));
}

/// tld4.component.2d.v4.type.f32 d, [object, {x, y}]
static bool liftGather(Lifter &l, Modifiers &m, Operands o) {
  StringRef component = m.takeOneOf({"r", "g", "b", "a"});
  const Geometry *geometry = takeGeometry(m);
  if (!geometry || geometry->name != "2d" || !m.take("v4"))
    return false;
  StringRef type = m.takeFirst(), coordinates = m.takeFirst();
  SmallVector<Value *> values;
  return coordinates == "f32" && readPlace(l, o[1], *geometry, true, values) &&
         writeResults(l, o[0],
                      l.callIntrinsic("llvm.nvvm.tld4.unified." + component +
                                          ".2d.v4" + type + ".f32",
                                      values));
}

/// b.geometry[.v2|.v4].b32.trap: the rest of an intrinsic's name.
static std::optional<std::string> takeSurface(Modifiers &m,
                                              const Geometry *&geometry) {
  m.takeCacheHints();
  if (!m.take("b"))
    return std::nullopt;
  geometry = takeGeometry(m);
  StringRef lanes = m.takeOneOf({"v2", "v4"});
  StringRef type = m.takeOneOf({"b8", "b16", "b32", "b64"});
  StringRef mode = m.takeOneOf({"trap", "clamp", "zero"});
  if (!geometry || type.empty() || mode.empty())
    return std::nullopt;
  return (geometry->ofLLVM + "." + lanes + "i" + type.drop_front() + "." + mode)
      .str();
}

static bool liftSurfaceLoad(Lifter &l, Modifiers &m, Operands o) {
  const Geometry *geometry = nullptr;
  auto name = takeSurface(m, geometry);
  SmallVector<Value *> values;
  return name && readPlace(l, o[1], *geometry, false, values) &&
         writeResults(l, o[0],
                      l.callIntrinsic("llvm.nvvm.suld." + *name, values));
}

static bool liftSurfaceStore(Lifter &l, Modifiers &m, Operands o) {
  const Geometry *geometry = nullptr;
  auto name = takeSurface(m, geometry);
  SmallVector<Value *> values;
  if (!name || !readPlace(l, o[0], *geometry, false, values))
    return false;
  const bool isWide = StringRef(*name).contains("i64");
  for (const Operand &element : getLanes(o[1]))
    values.push_back(l.read(element, l.integer(isWide ? 64 : 32)));
  return l.callIntrinsic("llvm.nvvm.sust.b." + *name, values);
}

ArrayRef<Instruction> getTextureInstructions() {
  static const Instruction all[] = {
      {"tex", 2, 4, liftSample},
      {"tld4", 2, 2, liftGather},
      {"suld", 2, 2, liftSurfaceLoad},
      {"sust", 2, 2, liftSurfaceStore},
  };
  return all;
}

} // namespace tileir::sim::ptx
