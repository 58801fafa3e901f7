//===- LiftLocations.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTX/LiftLocations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tileir::sim::ptx {

/// Of inlined calls, one in another: more than any program has, so that places
/// that name each other come to an end.
static constexpr unsigned kMaxDepth = 64;

LocationLifter::LocationLifter(const File &file, StringRef name, Module &module)
    : file(file), context(module.getContext()), debug(module),
      unit(debug.createCompileUnit(
          DISourceLanguageName(dwarf::DW_LANG_C),
          debug.createFile(sys::path::filename(name), ""), "",
          /*isOptimized=*/false, "", 0)) {}

DISubprogram *LocationLifter::makeSubprogram(StringRef name, unsigned line) {
  return debug.createFunction(
      unit, name, "", unit->getFile(), line,
      debug.createSubroutineType(debug.getOrCreateTypeArray({})), line,
      DINode::FlagZero, DISubprogram::SPFlagDefinition);
}

void LocationLifter::begin(const Function &function, llvm::Function &made) {
  subprogram = makeSubprogram(function.name, function.line);
  made.setSubprogram(subprogram);
  hasLocations = any_of(function.body, [](const Statement &statement) {
    return statement.location.place[0] > 0;
  });
  present = DebugLoc();
  places.clear();
}

DISubprogram *LocationLifter::getCallee(const Location &location) {
  auto label = file.labels.find(location.label);
  uint64_t at = location.offset;
  if (label != file.labels.end())
    at += label->second;
  else if (location.label != ".debug_str")
    return nullptr;
  if (at >= file.strings.size())
    return nullptr;
  std::string name = file.strings.c_str() + at;
  DISubprogram *&callee = callees[name];
  if (!callee) {
    // Names that C++ has mangled are for the linker.
    bool isMangled = StringRef(name).starts_with("_Z");
    callee = makeSubprogram(isMangled ? "" : name, 0);
    if (isMangled)
      callee->replaceLinkageName(MDString::get(context, name));
  }
  return callee;
}

DILocation *LocationLifter::make(const SourcePlace &place, DISubprogram *scope,
                                 DILocation *inlinedAt) {
  DIScope *&inFile = scopes[{scope, place[0]}];
  if (!inFile) {
    auto source = file.sources.find(place[0]);
    inFile = source == file.sources.end()
                 ? static_cast<DIScope *>(scope)
                 : debug.createLexicalBlockFile(
                       scope, debug.createFile(source->second, ""));
  }
  return DILocation::get(context, place[1], place[2], inFile, inlinedAt);
}

void LocationLifter::add(const Location &location) {
  Known known = {nullptr, 0};
  DISubprogram *scope = subprogram;
  if (location.inlinedAt[0]) {
    auto call = places.find(location.inlinedAt);
    if (call != places.end() && call->second.depth < kMaxDepth)
      known = call->second;
    else
      known.location = make(location.inlinedAt, subprogram, nullptr);
    ++known.depth;
    if (DISubprogram *callee = getCallee(location))
      scope = callee;
  }
  known.location = make(location.place, scope, known.location);
  places[location.place] = known;
  present = known.location;
}

DebugLoc LocationLifter::get(const Statement &statement) {
  if (statement.location.place[0])
    add(statement.location);
  else if (!hasLocations)
    present = DILocation::get(context, statement.line, 1, subprogram);
  else if (!present)
    present = DILocation::get(context, 0, 0, subprogram);
  return present;
}

} // namespace tileir::sim::ptx
