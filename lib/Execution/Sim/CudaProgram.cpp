//===- CudaProgram.cpp - Run CUDA programs on the simulator ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Sim/CudaProgram.h"

#include "Backends.h"
#include "Sim/CreateSimulator.h"
#include "Sim/CudaRuntimeApi.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;

namespace {
/// A program whose main runs.
struct RunningProgram {
  CudaRuntimeApi *api = nullptr;
  function_ref<int(CudaOutcome)> finish;
  double start = 0;
};
} // namespace

/// Comes after all handlers and destructors of the program, with all that it
/// runs on still there.
static void endProgram(int status, void *argument) {
  auto &program = *static_cast<RunningProgram *>(argument);
  if (!program.start)
    return;
  std::fflush(stdout);
  CudaRuntimeApi &api = *program.api;
  CudaOutcome outcome;
  outcome.status = status;
  outcome.hasFailed = api.hasFailed;
  outcome.seconds = now() - program.start;
  outcome.sim = makeReport(api.simulator, api.runtime.takeLaunches(),
                           api.runtime.takeCopies());
  status = program.finish(std::move(outcome));
  outs().flush();
  errs().flush();
  _exit(status);
}

/// The functions of the library at `path`, which stay until the process ends.
static Expected<void *> loadProgram(StringRef path) {
  if (void *library = dlopen(path.str().c_str(), RTLD_NOW | RTLD_LOCAL))
    return library;
  StringRef message = dlerror();
  auto [file, symbol] = message.split("undefined symbol: ");
  if (!symbol.empty())
    return createStringError("the program calls '" + symbol +
                             "', which the stand-in for the CUDA runtime "
                             "lacks: expected a program without it");
  return createStringError(message);
}

Error execution::runCudaProgram(StringRef path, ArrayRef<std::string> arguments,
                                const CudaOptions &cuda,
                                const BackendOptions &options,
                                function_ref<int(CudaOutcome)> finish) {
  auto compiler = CudaCompiler::create(cuda);
  if (!compiler)
    return compiler.takeError();
  auto kernels = (*compiler)->compileKernels(path, options.chip);
  if (!kernels)
    return kernels.takeError();
  auto host = (*compiler)->compileHost(path, *kernels);
  if (!host)
    return host.takeError();
  auto image = MemoryBuffer::getFile(*kernels);
  if (!image)
    return createStringError("cannot read '" + *kernels +
                             "': " + image.getError().message());
  auto simulator = createSimulator(options, options.chip, /*optimize=*/true);
  if (!simulator)
    return simulator.takeError();
  CudaRuntimeApi api(**simulator, (*image)->getBuffer());
  if (Error error = api.load())
    return error;
  // Before the program registers anything, since handlers run in reverse.
  static RunningProgram program;
  program.api = &api;
  program.finish = finish;
  on_exit(endProgram, &program);
  auto library = loadProgram(*host);
  if (!library)
    return library.takeError();
  compiler->reset(); // removes its files
  auto *main =
      reinterpret_cast<int (*)(int, char **, char **)>(dlsym(*library, "main"));
  if (!main)
    return createStringError("'" + path +
                             "' has no main: expected one, or --grid and "
                             "--block, to launch a kernel");
  std::vector<std::string> copies(arguments);
  std::vector<char *> pointers;
  for (std::string &copy : copies)
    pointers.push_back(copy.data());
  pointers.push_back(nullptr);
  program.start = now();
  std::exit(main(int(copies.size()), pointers.data(), environ));
}
