//===- tile-translate.cpp - Programs as PTX, machine code and bundles -----===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers the kernels of a file and writes what a driver of NVIDIA loads.
//
//===----------------------------------------------------------------------===//

#include "../Batch.h"
#include "../Dialects.h"
#include "../Programs.h"
#include "tileir/Frontend/TritonC/TritonC.h"
#include "tileir/InitAllPasses.h"
#include "tileir/Target/PTX/Bundle.h"
#include "tileir/Target/PTX/Lowering.h"
#include "tileir/Target/PTX/PTX.h"

#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::ptx;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;

namespace {

cl::OptionCategory category("tile-translate options");
cl::opt<std::string> inputFile(cl::Positional,
                               cl::desc("<file.mlir, .c or .ttir>"),
                               cl::init("-"), cl::cat(category));
cl::opt<bool> toPtx("tile-to-ptx", cl::desc("Print PTX"), cl::cat(category));
cl::opt<bool> toCubin("tile-to-cubin",
                      cl::desc("Write machine code, by ptxas of the CUDA "
                               "toolkit ($CUDA_HOME/bin, or PATH)"),
                      cl::cat(category));
cl::opt<bool>
    importTritonC("import-triton-c",
                  cl::desc("Print a Triton-C file as the tile dialect"),
                  cl::cat(category));
cl::opt<bool> withLocations(
    "mlir-print-debuginfo",
    cl::desc("With --import-triton-c: print the places in the Triton-C file"),
    cl::cat(category));
cl::opt<std::string>
    bundleFolder("emit-bundle",
                 cl::desc("Write PTX, the machine code that --cubin-chip asks "
                          "for, and manifest.json into a folder"),
                 cl::value_desc("folder"), cl::cat(category));
cl::opt<std::string>
    outputFile("o", cl::desc("Where PTX and machine code go (default: stdout)"),
               cl::value_desc("file"), cl::init("-"), cl::cat(category));
const std::string chipHelp = ("Chip of kernels that name none (default: " +
                              llvm::Twine(machine::kDefaultGpu) + ")")
                                 .str();
cl::opt<std::string> chip("chip", cl::desc(chipHelp), cl::value_desc("sm_NN"),
                          cl::init(machine::kDefaultGpu.str()),
                          cl::cat(category));
cl::list<std::string>
    cubinChips("cubin-chip", cl::CommaSeparated,
               cl::desc("Chips that ptxas assembles for (default with "
                        "--tile-to-cubin: that of the kernels)"),
               cl::value_desc("sm_NN,..."), cl::cat(category));
cl::opt<std::string>
    pipeline("pipeline",
             cl::desc("Passes that lower the kernels (default: "
                      "einsum-to-nvvm-pipeline, tile-to-nvvm-pipeline or "
                      "gpu-to-nvvm-pipeline, by what the file is of)"),
             cl::value_desc("name{options},..."), cl::cat(category));
cl::opt<bool> verifyEach(
    "verify-each",
    cl::desc("Verify what each pass of the pipeline leaves, not only the last "
             "one: names the pass that leaves what is wrong"),
    cl::cat(category));

Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

/// Mistakes on the command line that need no file to be read.
Error checkOptions() {
  for (cl::opt<std::string> *option :
       {&bundleFolder, &outputFile, &chip, &pipeline})
    if (option->getNumOccurrences() && option->empty())
      return fail("--" + option->ArgStr + ": expected a value, found nothing");
  if (toPtx + toCubin + importTritonC + !bundleFolder.empty() != 1)
    return fail("expected one of --tile-to-ptx, --tile-to-cubin, "
                "--emit-bundle=folder and --import-triton-c");
  if (importTritonC && !triton_c::isTritonC(inputFile))
    return fail("--import-triton-c: expected a file whose name ends in .c, "
                "found '" +
                inputFile + "'");
  if (importTritonC && !cubinChips.empty())
    return fail("--cubin-chip: expected --tile-to-cubin or --emit-bundle with "
                "it");
  if (chip.getNumOccurrences() && pipeline.getNumOccurrences())
    return fail("--chip belongs to the default pipeline: with --pipeline give "
                "it the option chip=" +
                chip + " instead");
  if (outputFile.getNumOccurrences() && !bundleFolder.empty())
    return fail("-o: expected no such option with --emit-bundle");
  if (toPtx && !cubinChips.empty())
    return fail("--cubin-chip: expected --tile-to-cubin or --emit-bundle with "
                "it");
  if (toCubin && cubinChips.size() > 1)
    return fail("--cubin-chip: expected one chip with --tile-to-cubin, found " +
                llvm::Twine(cubinChips.size()));
  return Error::success();
}

/// The only gpu.module of `module`.
Expected<gpu::GPUModuleOp> getKernels(ModuleOp module) {
  auto all = llvm::to_vector(module.getOps<gpu::GPUModuleOp>());
  if (all.empty())
    return fail("the file has no kernels: expected einsum, tile or gpu code");
  if (all.size() > 1)
    return fail("the file has " + llvm::Twine(all.size()) +
                " gpu.modules, each with PTX of its own: --emit-bundle writes "
                "all of them");
  return all.front();
}

Expected<std::string> translate(gpu::GPUModuleOp kernels) {
  auto ptx = translateToPTX(kernels);
  if (!ptx || toPtx)
    return ptx;
  auto ptxas = findPtxas();
  if (!ptxas)
    return ptxas.takeError();
  std::string forChip =
      cubinChips.empty()
          ? llvm::cantFail(getNvvmTarget(kernels)).getChip().str()
          : cubinChips.front();
  return assemble(*ptxas, *ptx, forChip);
}

Error emitBundle(ModuleOp module) {
  BundleOptions options;
  options.chips.assign(cubinChips.begin(), cubinChips.end());
  if (!options.chips.empty()) {
    auto ptxas = findPtxas();
    if (!ptxas)
      return ptxas.takeError();
    options.ptxas = *ptxas;
  }
  return writeBundle(module, bundleFolder, options);
}

Error translateModule(ModuleOp module) {
  std::string passes =
      pipeline.empty() ? getKernelPipeline(module, chip) : pipeline.getValue();
  PassManager manager(module.getContext());
  manager.addInstrumentation(createSpecRecorder());
  if (Error error = runPasses(manager, module, passes, verifyEach))
    return error;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    if (Error error = checkLowered(kernels, passes))
      return error;
  if (!bundleFolder.empty())
    return emitBundle(module);
  auto kernels = getKernels(module);
  if (!kernels)
    return kernels.takeError();
  auto text = translate(*kernels);
  if (!text)
    return text.takeError();
  return llvm::writeToOutput(outputFile, [&](llvm::raw_ostream &os) {
    os << *text;
    return Error::success();
  });
}

Error translateFile() {
  if (Error error = checkOptions())
    return error;
  std::string message;
  auto file = openInputFile(inputFile, &message);
  if (!file)
    return fail(message);
  DialectRegistry registry;
  registerToolDialects(registry);
  registerAllGPUToLLVMIRTranslations(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = readProgram(inputFile, sources, context);
  if (!module)
    return module.takeError();
  if (!importTritonC)
    return translateModule(**module);
  return llvm::writeToOutput(outputFile, [&](llvm::raw_ostream &os) {
    (*module)->print(os, OpPrintingFlags().enableDebugInfo(withLocations));
    os << '\n';
    return Error::success();
  });
}

int runCommandLine(int argc, char **argv) {
  cl::HideUnrelatedOptions({&category, &languageCategory});
  cl::ParseCommandLineOptions(
      argc, argv,
      "Translate the kernels of an .mlir or Triton-C file for NVIDIA GPUs\n");
  if (Error error = translateFile()) {
    llvm::WithColor::error(llvm::errs(), "tile-translate")
        << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::registerAllPasses();
  tileir::registerAllPasses(
      /*verifyContracts=*/std::getenv("TILEIR_VERIFY_CONTRACTS"));
  return isBatch(argc, argv) ? runBatch(argv[0], runCommandLine)
                             : runCommandLine(argc, argv);
}
