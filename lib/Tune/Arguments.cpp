//===- Arguments.cpp - What programs are tuned on -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Arguments.h"

#include "tileir/Execution/Inputs.h"
#include "tileir/Execution/Program.h"
#include "tileir/Frontend/TritonC/TritonC.h"
#include "tileir/Runtime/NumPy.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tileir;
using llvm::StringRef;

llvm::Expected<std::map<std::string, std::string>>
tune::describeArguments(llvm::ArrayRef<std::string> items) {
  std::map<std::string, std::string> arguments;
  for (auto [number, text] : llvm::enumerate(items)) {
    StringRef item = text;
    std::string &what = arguments[std::to_string(number)];
    if (item.ends_with(".npy")) {
      auto array = runtime::readNumPy(item, runtime::UnsignedIntegers::Bits);
      if (!array)
        return array.takeError();
      for (int64_t size : array->getShape())
        what += std::to_string(size) + "x";
      what += runtime::getElementName(array->getKind());
    } else if (execution::isScalarInput(item) || !item.contains(':')) {
      what = text;
    } else {
      what = item.split(':').second.str();
    }
  }
  return arguments;
}

/// The function that is run.
static llvm::Expected<FunctionOpInterface> findFunction(ModuleOp module,
                                                        StringRef entry) {
  SmallVector<FunctionOpInterface> functions;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.getName() == (entry.empty() ? "main" : entry))
      return function;
    if (!function.isExternal() && function.isPublic())
      functions.push_back(function);
  }
  if (entry.empty() && functions.size() == 1)
    return functions.front();
  return llvm::createStringError("expected a function @" +
                                 (entry.empty() ? "main" : entry) +
                                 (entry.empty() ? ", or a single one" : "") +
                                 ", by which arguments have names, found " +
                                 llvm::Twine(functions.size()) + " functions");
}

/// Names as a front end gives them, by locations.
static std::vector<std::string> getNames(FunctionOpInterface function) {
  std::vector<std::string> names;
  for (BlockArgument argument : function.getArguments()) {
    auto name = dyn_cast<NameLoc>(argument.getLoc());
    names.push_back(name ? name.getName().str() : "");
  }
  return names;
}

llvm::Expected<std::vector<std::string>>
tune::nameArguments(const std::string &file, const triton_c::Options &options,
                    StringRef entry) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError("cannot read '" + file +
                                   "': " + buffer.getError().message());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  DialectRegistry registry;
  execution::registerAll(registry);
  MLIRContext context(registry);
  SourceMgrDiagnosticHandler handler(sources, &context);
  if (triton_c::isTritonC(file)) {
    auto module = triton_c::importTritonC(sources, options, &context);
    if (!module)
      return llvm::createStringError("'" + file + "' is not right Triton-C");
    auto function = findFunction(*module, entry);
    if (!function)
      return function.takeError();
    return getNames(*function);
  }
  // Of MLIR they are those in the text, which the IR does not keep.
  AsmParserState state;
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  Block parsed;
  if (failed(
          parseAsmSourceFile(sources, &parsed, ParserConfig(&context), &state)))
    return llvm::createStringError("'" + file + "' does not parse");
  auto top = parsed.empty() ? ModuleOp() : dyn_cast<ModuleOp>(parsed.front());
  if (!top) {
    module->getBody()->getOperations().splice(module->getBody()->end(),
                                              parsed.getOperations());
    top = *module;
  }
  auto function = findFunction(top, entry);
  if (!function)
    return function.takeError();
  std::vector<std::string> names;
  if (function->isExternal())
    return names;
  if (const auto *block = state.getBlockDef(&function->front()))
    for (const AsmParserState::SMDefinition &argument : block->arguments)
      names.push_back(StringRef(argument.loc.Start.getPointer(),
                                argument.loc.End.getPointer() -
                                    argument.loc.Start.getPointer())
                          .ltrim('%')
                          .str());
  return names;
}
