//===- SourceLines.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source locations for LLVM IR that is written by hand: where text has no debug
// information, the lines of the text itself are the source.
//
//===----------------------------------------------------------------------===//

#include "Decode/LoadModule.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tileir::sim {

void addSourceLines(Module &module, const AsmParserContext &places,
                    StringRef name) {
  if (!module.debug_compile_units().empty())
    return;
  DIBuilder builder(module);
  DIFile *file = builder.createFile(sys::path::filename(name), "");
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
