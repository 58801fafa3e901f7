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

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
  int signal = 0; ///< that it ended by
};
} // namespace

static RunningProgram program;

/// Comes after all handlers and destructors of the program, with all that it
/// runs on still there.
static void endProgram(int status, void *) {
  if (!program.start)
    return;
  std::fflush(stdout);
  CudaRuntimeApi &api = *program.api;
  CudaOutcome outcome;
  outcome.status = status;
  if (program.signal)
    outcome.signal = strsignal(program.signal);
  outcome.hasFailed = api.hasFailed;
  outcome.leaks = api.describeLeaks();
  outcome.seconds = now() - program.start;
  outcome.sim = makeReport(api.simulator, api.runtime.takeLaunches(),
                           api.runtime.takeCopies());
  status = program.finish(std::move(outcome));
  outs().flush();
  errs().flush();
  _exit(status);
}

/// Assertions of programs come here, and their bad accesses: what was found
/// until then is told.
static void endBySignal(int number) {
  std::signal(number, SIG_DFL);
  program.signal = number;
  endProgram(1, nullptr);
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

namespace {
/// The files that a program is made of.
struct Program {
  std::vector<std::unique_ptr<MemoryBuffer>> images; ///< kernels
  std::string library;
};
} // namespace

static Expected<Program> compile(CudaCompiler &compiler,
                                 ArrayRef<std::string> paths, StringRef chip) {
  Program program;
  std::vector<std::string> objects;
  for (const std::string &path : paths) {
    std::string &object = objects.emplace_back();
    if (!isCudaSource(path)) {
      if (Error error = compiler.compileCxx(path).moveInto(object))
        return std::move(error);
      continue;
    }
    auto kernels = compiler.compileKernels(path, chip);
    if (!kernels)
      return kernels.takeError();
    auto image = MemoryBuffer::getFile(*kernels);
    if (!image)
      return createStringError("cannot read '" + *kernels +
                               "': " + image.getError().message());
    program.images.push_back(std::move(*image));
    if (Error error = compiler.compileHost(path, *kernels).moveInto(object))
      return std::move(error);
  }
  if (Error error = compiler.link(objects).moveInto(program.library))
    return std::move(error);
  return program;
}

Error execution::runCudaProgram(ArrayRef<std::string> paths,
                                ArrayRef<std::string> arguments,
                                const CudaOptions &cuda,
                                const BackendOptions &options,
                                function_ref<int(CudaOutcome)> finish) {
  auto compiler = CudaCompiler::create(cuda);
  if (!compiler)
    return compiler.takeError();
  auto files = compile(**compiler, paths, options.chip);
  if (!files)
    return files.takeError();
  // What kernels print goes where the program prints, in order with it.
  BackendOptions printing = options;
  printing.simulator.print = [](StringRef text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  };
  auto simulator = createSimulator(printing, options.chip, /*optimize=*/true);
  if (!simulator)
    return simulator.takeError();
  CudaRuntimeApi api(**simulator);
  for (auto &image : files->images)
    if (Error error = api.load(image->getBuffer()))
      return error;
  // Before the program registers anything, since handlers run in reverse; and
  // after the streams that endProgram writes to.
  outs();
  errs();
  program.api = &api;
  program.finish = finish;
  on_exit(endProgram, nullptr);
  auto library = loadProgram(files->library);
  if (!library)
    return library.takeError();
  compiler->reset(); // removes its files
  auto *main =
      reinterpret_cast<int (*)(int, char **, char **)>(dlsym(*library, "main"));
  if (!main)
    return createStringError("'" + paths.front() +
                             "' has no main: expected one, or --grid and "
                             "--block, to launch a kernel");
  std::vector<std::string> copies(arguments);
  std::vector<char *> pointers;
  for (std::string &copy : copies)
    pointers.push_back(copy.data());
  pointers.push_back(nullptr);
  program.start = now();
  for (int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE})
    std::signal(number, endBySignal);
  std::exit(main(int(copies.size()), pointers.data(), environ));
}
