//===- SourceLines.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source locations. Those of debug information name the user's line: of calls
// that were inlined the innermost one that is not in a header of CUDA, of clang
// or of the C++ library, nor in a function that the compiler made. In LLVM IR
// that is written by hand, where text has no debug information, the lines of
// the text itself are the source.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tileir::sim {

static std::string getPath(const DILocation &location) {
  StringRef name = location.getFilename(), folder = location.getDirectory();
  if (folder.empty() || sys::path::is_absolute(name))
    return name.str();
  SmallString<128> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

/// Whether a file is a header of CUDA, of clang or of the C++ library, not the
/// user's.
static bool isSystemHeader(StringRef path) {
  if (path.contains("/lib/clang/") || path.contains("/include/cccl/") ||
      path.contains("/include/c++/") || path.starts_with("/usr/include/") ||
      path.starts_with("/usr/local/include/") ||
      sys::path::filename(path).starts_with("__clang_"))
    return true;
  StringRef before = path.take_front(path.find("/include/"));
  return before.size() != path.size() &&
         (before.contains_insensitive("/cuda") ||
          before.contains_insensitive("/nvidia/"));
}

SourceLocation getSource(const DILocation &location) {
  std::vector<SourceLocation> stack;
  size_t user = 0;
  bool isFound = false;
  for (const DILocation *at = &location; at; at = at->getInlinedAt()) {
    SourceLocation &place = stack.emplace_back();
    place.file = getPath(*at);
    place.line = at->getLine();
    place.column = at->getColumn();
    const DISubprogram *function = at->getScope()->getSubprogram();
    if (function)
      place.function = function->getName().empty()
                           ? demangle(function->getLinkageName())
                           : function->getName().str();
    // A line of 0 belongs to no place in the source.
    if (isFound || !place.line || isSystemHeader(place.file) ||
        (function && function->isArtificial()))
      continue;
    user = stack.size() - 1;
    isFound = true;
  }
  SourceLocation result = stack[user];
  if (stack.size() > 1)
    result.stack = std::move(stack);
  return result;
}

void addSourceLines(Module &module, const AsmParserContext &places,
                    StringRef name) {
  if (!module.debug_compile_units().empty())
    return;
  DIBuilder builder(module);
  DIFile *file = builder.createFile(name, "");
  DICompileUnit *unit =
      builder.createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C), file,
                                "", /*isOptimized=*/false, "", 0);
  DISubroutineType *type =
      builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  for (Function &function : module) {
    auto place = places.getFunctionLocation(&function);
    if (function.isDeclaration() || !place)
      continue;
    unsigned line = place->Start.Line + 1;
    DISubprogram *scope = builder.createFunction(
        unit, function.getName(), "", file, line, type, line, DINode::FlagZero,
        DISubprogram::SPFlagDefinition);
    function.setSubprogram(scope);
    for (Instruction &instruction : instructions(function))
      if (auto at = places.getInstructionLocation(&instruction))
        instruction.setDebugLoc(DILocation::get(
            module.getContext(), at->Start.Line + 1, at->Start.Col + 1, scope));
  }
  builder.finalize();
  if (!module.getModuleFlag("Debug Info Version"))
    module.addModuleFlag(Module::Warning, "Debug Info Version",
                         DEBUG_METADATA_VERSION);
}

} // namespace tileir::sim
