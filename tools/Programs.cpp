//===- Programs.cpp - Read programs of all languages ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "tileir/Conversion/TritonToTile/TritonToTile.h"
#include "tileir/Frontend/TritonC/TritonC.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tileir;
namespace cl = llvm::cl;

cl::OptionCategory tileir::languageCategory("Triton-C options");

static cl::list<std::string> definitions(
    "D", cl::Prefix,
    cl::desc("Define a macro of a Triton-C file; [a, b] are values for a "
             "tuner, of which the first is taken"),
    cl::value_desc("name[=text]"), cl::cat(languageCategory));
static cl::list<std::string>
    includeFolders("I", cl::Prefix,
                   cl::desc("Where a Triton-C file's includes are looked for"),
                   cl::value_desc("folder"), cl::cat(languageCategory));

llvm::Expected<OwningOpRef<ModuleOp>>
tileir::readProgram(llvm::StringRef path, llvm::SourceMgr &sources,
                    MLIRContext &context) {
  std::string name = path == "-" ? "<stdin>" : path.str();
  if (triton_c::isTritonC(path)) {
    triton_c::Options options;
    options.definitions.assign(definitions.begin(), definitions.end());
    options.includeFolders.assign(includeFolders.begin(), includeFolders.end());
    if (auto module = triton_c::importTritonC(sources, options, &context))
      return module;
    return llvm::createStringError("'" + name + "' is not right Triton-C");
  }
  if (!definitions.empty() || !includeFolders.empty())
    return llvm::createStringError(
        llvm::Twine(definitions.empty() ? "-I" : "-D") +
        ": expected a Triton-C file, whose name ends in .c, with it");
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return llvm::createStringError("'" + name + "' does not parse or verify");
  if (failed(triton_to_tile::convertTritonFunctions(*module)))
    return llvm::createStringError("'" + name +
                                   "' does not become a program of tiles");
  return module;
}
