//===- Load.cpp -----------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loading: parses LLVM IR or PTX, prepares it, places its global variables, and
// decodes kernels when they are asked for.
//
//===----------------------------------------------------------------------===//

#include "Decode/Decoder.h"
#include "Decode/Wgmma.h"
#include "Load/LoadModule.h"
#include "PTX/PTX.h"
#include "tileir/Simulator/Simulator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>

using namespace llvm;
using namespace tileir::sim;

namespace {
/// Keeps the first error that LLVM reports, and nothing of the rest.
struct FirstError : DiagnosticHandler {
  std::string &message;
  explicit FirstError(std::string &message) : message(message) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() == DS_Error && message.empty()) {
      raw_string_ostream stream(message);
      DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }
};
} // namespace

/// The data layout of a module that has none; alignments follow from it while
/// it is parsed.
static std::optional<std::string> getDefaultLayout(StringRef triple,
                                                   StringRef layout) {
  Triple target(triple.empty() ? StringRef(kTargetTriple) : triple);
  if (!layout.empty() || target.getArch() != Triple::nvptx64)
    return std::nullopt;
  return target.computeDataLayout();
}

bool tileir::sim::isPTX(MemoryBufferRef file) {
  StringRef text = file.getBuffer().ltrim();
  while (text.starts_with("//"))
    text = text.drop_until([](char c) { return c == '\n'; }).ltrim();
  return text.starts_with(".version") ||
         file.getBufferIdentifier().ends_with(".ptx");
}

/// The chip that PTX is for, or "".
static std::string getTarget(StringRef ptx) {
  StringRef target = ptx.split("\n.target").second.ltrim();
  StringRef chip =
      target.take_while([](char c) { return isAlnum(c) || c == '_'; });
  return tileir::machine::isGpuName(chip) ? chip.str() : "";
}

static Expected<std::unique_ptr<Module>> parse(MemoryBufferRef ir,
                                               LLVMContext &context) {
  if (isPTX(ir))
    return ptx::liftFile(ir, context);
  const StringRef text = ir.getBuffer();
  StringRef bad;
  if (!isBitcode(text.bytes_begin(), text.bytes_end()))
    bad = findLongConstraint(text);
  if (!bad.empty()) {
    StringRef before(text.data(), bad.data() - text.data());
    return createStringError(
        ir.getBufferIdentifier() + ":" + Twine(before.count('\n') + 1) +
        ": inline assembly has the constraints " + bad +
        ": expected none of several letters, by '@' or '^', for NVPTX");
  }
  SMDiagnostic diagnostic;
  std::optional<AsmParserContext> places;
  auto parseText = [&](MemoryBufferRef text) {
    places.emplace();
    return parseIR(text, diagnostic, context, ParserCallbacks(getDefaultLayout),
                   &*places);
  };
  std::unique_ptr<Module> module = parseText(ir);
  std::optional<std::string> older;
  if (!module)
    older = ptx::normalizeText(ir.getBuffer());
  if (older)
    module = parseText(MemoryBufferRef(*older, ir.getBufferIdentifier()));
  if (!module) {
    std::string where = diagnostic.getFilename().str();
    if (diagnostic.getLineNo() > 0)
      where += (":" + Twine(diagnostic.getLineNo()) + ":" +
                Twine(diagnostic.getColumnNo() + 1))
                   .str();
    return createStringError(where + ": " + diagnostic.getMessage());
  }
  std::string broken;
  raw_string_ostream stream(broken);
  if (verifyModule(*module, &stream))
    return createStringError(ir.getBufferIdentifier() +
                             ": broken LLVM IR: " + StringRef(broken).trim());
  addSourceLines(*module, *places, ir.getBufferIdentifier());
  return std::move(module);
}

Expected<ModuleContents> tileir::sim::readContents(MemoryBufferRef ir) {
  LLVMContext context;
  auto module = parse(ir, context);
  if (!module)
    return module.takeError();
  ModuleContents contents;
  if (isPTX(ir))
    contents.chip = getTarget(ir.getBuffer());
  for (const Function &function : **module) {
    StringRef chip = function.getFnAttribute("target-cpu").getValueAsString();
    if (contents.chip.empty() && machine::isGpuName(chip))
      contents.chip = chip.str();
    if (isKernel(function))
      contents.kernels.push_back(function.getName().str());
  }
  return contents;
}

/// Leaves no kernel but one, so that no others are optimized in vain.
static void removeOthers(Module &module, StringRef kernel) {
  for (Function &function : module)
    if (isKernel(function) && function.getName() != kernel)
      function.deleteBody();
}

Expected<LoadedModule *> Simulator::load(MemoryBufferRef ir, StringRef kernel) {
  std::unique_ptr<LoadedModule> loaded(new LoadedModule());
  loaded->memory = &memory;
  loaded->chip = &chip;
  loaded->context = std::make_unique<LLVMContext>();
  std::string message;
  loaded->context->setDiagnosticHandler(std::make_unique<FirstError>(message));
  auto module = parse(ir, *loaded->context);
  if (!module)
    return module.takeError();
  loaded->module = std::move(*module);
  readAnnotations(*loaded->module);
  if (!kernel.empty())
    removeOthers(*loaded->module, kernel);
  Passes passes = isPTX(ir)          ? Passes::Inlining
                  : options.optimize ? Passes::All
                                     : Passes::Required;
  if (Error error =
          prepareModule(*loaded->module, chip, passes, options.stackBytes))
    return std::move(error);
  loaded->context->setDiagnosticHandler(nullptr);
  if (!message.empty())
    return createStringError(ir.getBufferIdentifier() + ": " + message);
  for (const Function &function : *loaded->module)
    if (isKernel(function))
      loaded->kernels[function.getName()] = std::make_unique<Kernel>();
  LoadedModule *result = modules.emplace_back(std::move(loaded)).get();
  if (Error error = allocateGlobals(*result->module, memory, result->globals)) {
    unload(result);
    return std::move(error);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static std::vector<KernelArgument> getArguments(const Function &function) {
  const DataLayout &layout = function.getDataLayout();
  std::vector<KernelArgument> arguments;
  for (const Argument &argument : function.args()) {
    KernelArgument &result = arguments.emplace_back();
    Type *type = argument.getType();
    result.isPointer = type->isPointerTy();
    result.byval = argument.hasByValAttr();
    if (result.byval)
      type = argument.getParamByValType();
    result.bytes = layout.getTypeAllocSize(type);
    raw_string_ostream(result.type) << *type;
    result.isStored = mayBeStoredThrough(argument);
  }
  return arguments;
}

/// The numbers of an attribute such as "nvvm.maxntid"="128,1,1"; 1 where there
/// are fewer, nothing if it is not there.
static std::optional<std::array<uint32_t, 3>>
getDimensions(const Function &function, StringRef attribute) {
  if (!function.hasFnAttribute(attribute))
    return std::nullopt;
  std::array<uint32_t, 3> dimensions = {1, 1, 1};
  SmallVector<StringRef> parts;
  function.getFnAttribute(attribute).getValueAsString().split(parts, ',');
  for (auto [dimension, part] : zip(dimensions, parts))
    if (part.trim().getAsInteger(10, dimension))
      return std::nullopt;
  return dimensions;
}

static uint32_t multiply(const std::array<uint32_t, 3> &dimensions) {
  return dimensions[0] * dimensions[1] * dimensions[2];
}

static void setLaunchBounds(Kernel &kernel, const Function &function) {
  if (auto most = getDimensions(function, "nvvm.maxntid"))
    kernel.maxThreads = multiply(*most);
  if (auto required = getDimensions(function, "nvvm.reqntid")) {
    kernel.requiredBlock = *required;
    kernel.maxThreads = multiply(*required);
  }
  if (auto cluster = getDimensions(function, "nvvm.cluster_dim"))
    kernel.requiredCluster = *cluster;
}

Expected<Kernel *> LoadedModule::getKernel(StringRef name) {
  auto found = kernels.find(name);
  if (found == kernels.end())
    return createStringError("no kernel '" + name +
                             "' in the module: expected one of " +
                             join(getKernelNames(), ", "));
  Kernel &kernel = *found->second;
  if (kernel.program)
    return &kernel;
  auto start = std::chrono::steady_clock::now();
  Function &function = *module->getFunction(name);
  ptx::liftInlineAssembly(function);
  if (Error error = ptx::reportUnsupported(function))
    return std::move(error);
  if (Error error = checkChip(function, *chip))
    return std::move(error);
  addWgmmaTickets(function);
  markStoredLoads(function);
  markHintLoads(function);
  auto program = std::make_shared<Program>();
  if (Error error = Decoder(function, globals, *program).run())
    return std::move(error);
  bindHandlers(*program);
  kernel.name = name.str();
  kernel.arguments = getArguments(function);
  kernel.staticSharedBytes = program->staticSharedBytes;
  setLaunchBounds(kernel, function);
  kernel.program = std::move(program);
  kernel.decodeSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return &kernel;
}
