//===- CpuProgram.cpp - A function compiled for this CPU ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes a module in the LLVM dialect, which the JIT compiles. The entry is
// called by its C interface: pointers to memref descriptors, that
// of the results first. A descriptor is {allocated, aligned, offset, sizes,
// strides}. The caller owns the buffers of the results, which are of
// Workspace.h, as all memory that such code allocates.
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/CpuProgram.h"

#include "CopySupport.h"

#include "tileir/Dialect/Einsum/IR/RuntimeChecks.h"
#include "tileir/Runtime/CheckReports.h"
#include "tileir/Runtime/Workspace.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::runtime;

CpuProgram::CpuProgram() = default;
CpuProgram::~CpuProgram() = default;

void CpuProgram::prepare(func::FuncOp function) {
  OpBuilder builder(function.getContext());
  function->setAttr("llvm.emit_c_interface", builder.getUnitAttr());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (isa<TensorType>(function.getArgumentTypes()[i]))
      function.setArgAttr(i, "bufferization.writable",
                          builder.getBoolAttr(false));
}

/// Checks that each function without a body is one of `given`, or known
/// otherwise.
static Error checkExternalFunctions(ModuleOp module,
                                    ArrayRef<HostFunction> given) {
  for (auto function : module.getOps<FunctionOpInterface>()) {
    StringRef name = function.getName();
    if (function.isExternal() && !name.starts_with("llvm.") &&
        llvm::none_of(
            given,
            [&](const HostFunction &other) { return other.name == name; }) &&
        !findHostFunction(name))
      return createStringError("cannot call @" + name +
                               ": expected it to have a body, or to be a "
                               "function of this process");
  }
  return Error::success();
}

static constexpr StringLiteral kCall = "tileir_program_call";

static std::string getInterfaceName(StringRef entry) {
  return ("_mlir_ciface_" + entry).str();
}

/// Whether memrefs are arguments of `function` as pointers, and nothing else.
static bool takesPointersAlone(const Function *function) {
  return function && function->getReturnType()->isVoidTy() &&
         all_of(function->args(), [](const Argument &argument) {
           return argument.getType()->isPointerTy();
         });
}

Expected<std::unique_ptr<JitCode>>
CpuProgram::compileCode(ModuleOp module, StringRef entry,
                        ArrayRef<HostFunction> functions,
                        CodeGenOptLevel level) {
  SmallVector<HostFunction> all(functions);
  all.emplace_back(einsum::kReportCheckFunction, &tileirReportCheck);
  llvm::append_range(all, getWorkspaceFunctions());
  if (Error error = checkExternalFunctions(module, all))
    return std::move(error);
  LLVMContext context;
  context.setDiscardValueNames(true);
  auto llvmModule = translateModuleToLLVMIR(module, context);
  if (!llvmModule)
    return createStringError("the module cannot be translated to LLVM IR");
  std::string callee = getInterfaceName(entry);
  if (!llvmModule->getFunction(callee)) {
    if (!takesPointersAlone(llvmModule->getFunction(entry)))
      return createStringError("expected the pipeline to leave the function '" +
                               callee +
                               "', or one of pointers without a "
                               "result, '" +
                               entry + "', found none");
    callee = entry.str();
  }
  // Descriptors are passed by value, as 3 + 2 x rank arguments each. LLVM takes
  // quadratic time for a call of thousands, those of a network.
  if (Function *function = llvmModule->getFunction(entry);
      function && callee != entry && function->hasOneUse()) {
    function->setLinkage(GlobalValue::InternalLinkage);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
  }
  addArrayCall(*llvmModule, callee, kCall, /*hasLast=*/false);
  auto objects = Jit::compile(*llvmModule, level, *module.getContext());
  if (!objects)
    return objects.takeError();
  return Jit::link(*objects, kCall, all);
}

Expected<std::unique_ptr<CpuProgram>>
CpuProgram::compile(ModuleOp module, StringRef entry, mlir::FunctionType type,
                    ArrayRef<HostFunction> functions, CodeGenOptLevel level) {
  std::unique_ptr<CpuProgram> program(new CpuProgram());
  for (mlir::Type result : type.getResults()) {
    auto shaped = cast<ShapedType>(result);
    program->results.push_back(
        {*getElementKind(shaped.getElementType()), shaped.getRank()});
  }
  if (auto sites = module->getAttrOfType<ArrayAttr>(einsum::kCheckSitesAttr))
    for (auto site : sites.getAsRange<StringAttr>())
      program->checkSites.push_back(site.str());
  if (!module.lookupSymbol(getInterfaceName(entry)))
    return createStringError("expected the pipeline to leave the function '" +
                             getInterfaceName(entry) +
                             "', found none: functions that take bare "
                             "pointers cannot be called");
  auto code = compileCode(module, entry, functions, level);
  if (!code)
    return code.takeError();
  program->code = std::move(*code);
  return program;
}

namespace {
/// A memref descriptor of any rank, as words: allocated, aligned, offset,
/// sizes, strides.
struct Descriptor {
  SmallVector<int64_t> words;

  /// The descriptor of an array whose elements are at `data`.
  Descriptor(const NDArray &array, uint8_t *data) {
    int64_t pointer = reinterpret_cast<int64_t>(data);
    words = {pointer, pointer, 0};
    llvm::append_range(words, array.getShape());
    int64_t stride = array.getNumElements();
    for (int64_t size : array.getShape())
      words.push_back(size == 0 ? 1 : stride /= size);
  }
};
} // namespace

/// Copies the strided elements at `words`, a descriptor, into an array.
static NDArray copyResult(int64_t *words, ElementKind kind, int64_t rank) {
  NDArray array(kind, ArrayRef<int64_t>(words + 3, rank));
  Descriptor copy(array, array.getData());
  auto getMemRef = [&](int64_t *descriptor) -> AnyMemRef {
    return {rank, reinterpret_cast<AnyMemRef::Descriptor *>(descriptor)};
  };
  AnyMemRef source = getMemRef(words), target = getMemRef(copy.words.data());
  size_t size = getElementSize(kind);
  MemRefCopy(source, target, size)
      .copy(/*axis=*/0, source.getFirst(size), target.getFirst(size));
  return array;
}

Expected<SmallVector<NDArray>>
CpuProgram::run(MutableArrayRef<NDArray> arguments, double *seconds,
                ArrayRef<uint8_t *> memory, unsigned numCalls) {
  assert((numCalls == 1 || results.empty()) &&
         "expected results to be of one call");
  std::vector<Descriptor> descriptors;
  SmallPtrSet<void *, 8> argumentBuffers;
  for (auto [i, argument] : enumerate(arguments)) {
    uint8_t *data = memory.empty() ? argument.getData() : memory[i];
    descriptors.emplace_back(argument, data);
    argumentBuffers.insert(data);
  }
  // All results are one struct, whose address is the first argument.
  SmallVector<int64_t> resultWords;
  for (auto [kind, rank] : results)
    resultWords.append(3 + 2 * rank, 0);
  SmallVector<void *> pointers;
  if (!results.empty())
    pointers.push_back(resultWords.data());
  for (Descriptor &descriptor : descriptors)
    pointers.push_back(descriptor.words.data());

  auto *call = reinterpret_cast<void (*)(void **)>(code->getEntry());
  std::optional<std::string> failure;
  {
    CheckCollector collector;
    auto start = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < numCalls; ++i)
      call(pointers.data());
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    if (seconds)
      *seconds = time.count();
    failure = collector.getMessage(checkSites);
  }

  SmallVector<NDArray> arrays;
  SmallPtrSet<void *, 8> owned;
  int64_t *words = resultWords.data();
  for (auto [kind, rank] : results) {
    // After a failed check a size may be anything.
    if (!failure)
      arrays.push_back(copyResult(words, kind, rank));
    owned.insert(reinterpret_cast<void *>(words[0]));
    words += 3 + 2 * rank;
  }
  // A pipeline of the user's own may return an argument.
  for (void *buffer : owned)
    if (!argumentBuffers.contains(buffer))
      releaseWorkspace(buffer);
  if (failure)
    return createStringError(*failure);
  return arrays;
}
