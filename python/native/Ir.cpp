//===- Ir.cpp - The module tileir._ir -------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules of MLIR by its C interface: parsed, verified, run through passes and
// looked at. Dialects and passes of TileIR come from its plugin, as into
// mlir-opt. What an op is comes out as a value: no handle outlives what passes
// erase.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <dlfcn.h>
#include <mutex>

namespace nb = nanobind;
using namespace nanobind::literals;

namespace {

MlirStringRef toRef(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}

std::string toString(MlirStringRef text) { return {text.data, text.length}; }

/// A callback that appends to the std::string of its user data.
void append(MlirStringRef text, void *string) {
  static_cast<std::string *>(string)->append(text.data, text.length);
}

/// A file, a line and a column, from 1; none: 0.
using Place = std::tuple<std::string, int, int>;

/// The first place in a file that a location tells of.
Place findPlace(MlirLocation location) {
  if (mlirLocationIsAFileLineColRange(location))
    return {toString(mlirIdentifierStr(
                mlirLocationFileLineColRangeGetFilename(location))),
            mlirLocationFileLineColRangeGetStartLine(location),
            mlirLocationFileLineColRangeGetStartColumn(location)};
  if (mlirLocationIsAName(location))
    return findPlace(mlirLocationNameGetChildLoc(location));
  if (mlirLocationIsACallSite(location))
    return findPlace(mlirLocationCallSiteGetCallee(location));
  if (mlirLocationIsAFused(location)) {
    std::vector<MlirLocation> parts(mlirLocationFusedGetNumLocations(location));
    mlirLocationFusedGetLocations(location, parts.data());
    for (MlirLocation part : parts)
      if (Place place = findPlace(part); std::get<1>(place))
        return place;
  }
  return {"", 0, 0};
}

/// Severity, message, place and notes.
struct Diagnostic {
  std::string severity, message;
  Place place;
  std::vector<Diagnostic> notes;
};

Diagnostic read(MlirDiagnostic diagnostic) {
  static constexpr const char *severities[] = {"error", "warning", "note",
                                               "remark"};
  Diagnostic result;
  result.severity = severities[mlirDiagnosticGetSeverity(diagnostic)];
  mlirDiagnosticPrint(diagnostic, append, &result.message);
  result.place = findPlace(mlirDiagnosticGetLocation(diagnostic));
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i)
    result.notes.push_back(read(mlirDiagnosticGetNote(diagnostic, i)));
  return result;
}

/// Collects the diagnostics of a context while it lives. MLIR calls it from one
/// thread at a time.
class Collector {
public:
  explicit Collector(MlirContext context) : context(context) {
    id = mlirContextAttachDiagnosticHandler(
        context,
        [](MlirDiagnostic diagnostic, void *self) {
          static_cast<Collector *>(self)->diagnostics.push_back(
              read(diagnostic));
          return mlirLogicalResultSuccess();
        },
        this, nullptr);
  }
  Collector(const Collector &) = delete;
  Collector &operator=(const Collector &) = delete;
  ~Collector() { mlirContextDetachDiagnosticHandler(context, id); }

  std::vector<Diagnostic> diagnostics;

private:
  MlirContext context;
  MlirDiagnosticHandlerID id;
};

/// Of MLIR's PassPlugin.h and DialectPlugin.h.
struct PassPlugin {
  uint32_t version;
  const char *name, *llvm;
  void (*registerPasses)();
};
struct DialectPlugin {
  uint32_t version;
  const char *name, *llvm;
  void (*registerDialects)(void *registry);
};

/// A function of the plugin at `path`, which stays loaded.
template <typename Info>
Info getPlugin(const std::string &path, const char *name) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *function = library ? dlsym(library, name) : nullptr;
  if (!function)
    throw nb::import_error(dlerror());
  return reinterpret_cast<Info (*)()>(function)();
}

/// What the plugin at `path` compiles by.
TileirProgramFunctions getProgramFunctions(const std::string &path) {
  auto functions =
      getPlugin<TileirProgramFunctions>(path, "tileirGetProgramFunctions");
  if (functions.version == TILEIR_PROGRAM_VERSION)
    return functions;
  std::string message = path +
                        " is of another version: expected functions of "
                        "version " +
                        std::to_string(TILEIR_PROGRAM_VERSION) + ", found " +
                        std::to_string(functions.version);
  throw nb::import_error(message.c_str());
}

/// A context; it is used by one thread at a time.
class Context {
public:
  explicit Context(const std::string &plugin)
      : functions(getProgramFunctions(plugin)) {
    MlirDialectRegistry registry = mlirDialectRegistryCreate();
    mlirRegisterAllDialects(registry);
    getPlugin<DialectPlugin>(plugin, "mlirGetDialectPluginInfo")
        .registerDialects(registry.ptr);
    static std::once_flag once;
    std::call_once(once, [&] {
      mlirRegisterAllPasses();
      getPlugin<PassPlugin>(plugin, "mlirGetPassPluginInfo").registerPasses();
    });
    context = mlirContextCreateWithRegistry(registry, /*threading=*/true);
    mlirDialectRegistryDestroy(registry);
    mlirRegisterAllLLVMTranslations(context);
  }
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;
  ~Context() { mlirContextDestroy(context); }

  TileirProgramFunctions functions;
  MlirContext context;
  std::mutex lock;
};

/// What Python is told of an op: its name, attributes as text, types of
/// operands and results, place, depth, and text without regions.
using Operation =
    std::tuple<std::string, std::vector<std::pair<std::string, std::string>>,
               std::vector<std::string>, std::vector<std::string>, Place, int,
               std::string>;

std::string print(MlirType type) {
  std::string text;
  mlirTypePrint(type, append, &text);
  return text;
}

Operation describe(MlirOperation op, int depth) {
  std::vector<std::pair<std::string, std::string>> attributes;
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(op, i);
    std::string text;
    mlirAttributePrint(named.attribute, append, &text);
    attributes.emplace_back(toString(mlirIdentifierStr(named.name)), text);
  }
  std::vector<std::string> operands, results;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    operands.push_back(print(mlirValueGetType(mlirOperationGetOperand(op, i))));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    results.push_back(print(mlirValueGetType(mlirOperationGetResult(op, i))));
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsSkipRegions(flags);
  mlirOpPrintingFlagsUseLocalScope(flags);
  std::string text;
  mlirOperationPrintWithFlags(op, flags, append, &text);
  mlirOpPrintingFlagsDestroy(flags);
  return {toString(mlirIdentifierStr(mlirOperationGetName(op))),
          std::move(attributes),
          std::move(operands),
          std::move(results),
          findPlace(mlirOperationGetLocation(op)),
          depth,
          std::move(text)};
}

/// A module, by its op, which it owns.
class Module {
public:
  /// `owner` is the context.
  Module(nb::object owner, MlirOperation op)
      : owner(owner), context(nb::cast<Context &>(owner)), op(op) {}
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;
  ~Module() {
    std::lock_guard<std::mutex> guard(context.lock);
    mlirOperationDestroy(op);
  }

  std::string print(bool debugInfo, bool generic) const {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> guard(context.lock);
    MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
    if (debugInfo)
      mlirOpPrintingFlagsEnableDebugInfo(flags, /*enable=*/true,
                                         /*prettyForm=*/false);
    if (generic)
      mlirOpPrintingFlagsPrintGenericOpForm(flags);
    std::string text;
    mlirOperationPrintWithFlags(op, flags, append, &text);
    mlirOpPrintingFlagsDestroy(flags);
    return text;
  }

  /// Whether it is right, and what was said.
  std::pair<bool, std::vector<Diagnostic>> verify() {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> guard(context.lock);
    Collector collector(context.context);
    bool isRight = mlirOperationVerify(op);
    return {isRight, std::move(collector.diagnostics)};
  }

  /// Runs passes, as of "canonicalize,cse"; whether that succeeded, and what
  /// was said. What they leave is verified, after each with `verifyEach`.
  std::pair<bool, std::vector<Diagnostic>> run(const std::string &passes,
                                               bool verifyEach) {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> guard(context.lock);
    Collector collector(context.context);
    MlirPassManager manager = mlirPassManagerCreateOnOperation(
        context.context, mlirIdentifierStr(mlirOperationGetName(op)));
    mlirPassManagerEnableVerifier(manager, verifyEach);
    std::string message;
    bool succeeded = mlirLogicalResultIsSuccess(
        mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                     toRef(passes), append, &message));
    if (!succeeded)
      collector.diagnostics.push_back({"error", message, {"", 0, 0}, {}});
    else
      succeeded =
          mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, op)) &&
          (verifyEach || mlirOperationVerify(op));
    mlirPassManagerDestroy(manager);
    return {succeeded, std::move(collector.diagnostics)};
  }

  std::vector<Operation> walk() const {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> guard(context.lock);
    struct Walk {
      MlirOperation top;
      std::vector<Operation> found;
    } walk = {op, {}};
    mlirOperationWalk(
        op,
        [](MlirOperation each, void *data) {
          auto *walk = static_cast<Walk *>(data);
          int depth = 0;
          for (MlirOperation parent = each;
               !mlirOperationEqual(parent, walk->top); ++depth)
            parent = mlirOperationGetParentOperation(parent);
          walk->found.push_back(describe(each, depth));
          return MlirWalkResultAdvance;
        },
        &walk, MlirWalkPreOrder);
    return std::move(walk.found);
  }

  /// Describes the CPU of this process to passes.
  void attachHostMachine() {
    std::lock_guard<std::mutex> guard(context.lock);
    context.functions.attachHostMachine(mlirModuleFromOperation(op));
  }

  /// Its function `entry`, which passes have lowered, as a Program or
  /// GpuProgram.
  template <typename Code, typename... Arguments>
  Code *compile(const std::string &entry, Arguments... arguments) {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> guard(context.lock);
    Collector collector(context.context);
    try {
      return new Code(context.functions, mlirModuleFromOperation(op), entry,
                      arguments...);
    } catch (const std::runtime_error &error) {
      if (collector.diagnostics.empty())
        throw;
      throw std::runtime_error(collector.diagnostics.back().message);
    }
  }

  Module *clone() {
    std::lock_guard<std::mutex> guard(context.lock);
    return new Module(owner, mlirOperationClone(op));
  }

private:
  nb::object owner;
  Context &context;
  MlirOperation op;
};

/// The module of a text, or of a file if `text` is its path, or None, and what
/// was said.
std::pair<nb::object, std::vector<Diagnostic>>
parse(nb::object object, const std::string &text, bool isPath) {
  auto &context = nb::cast<Context &>(object);
  std::vector<Diagnostic> diagnostics;
  MlirOperation op;
  {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> guard(context.lock);
    Collector collector(context.context);
    MlirModule module =
        isPath ? mlirModuleCreateParseFromFile(context.context, toRef(text))
               : mlirModuleCreateParse(context.context, toRef(text));
    op = mlirModuleIsNull(module) ? MlirOperation{nullptr}
                                  : mlirModuleGetOperation(module);
    diagnostics = std::move(collector.diagnostics);
  }
  if (mlirOperationIsNull(op))
    return {nb::none(), std::move(diagnostics)};
  return {nb::cast(new Module(object, op), nb::rv_policy::take_ownership),
          std::move(diagnostics)};
}

} // namespace

NB_MODULE(_ir, module) {
  nb::set_leak_warnings(false);
  module.attr("PLUGIN") = TILEIR_PLUGIN;
  nb::class_<Diagnostic>(module, "Diagnostic")
      .def_ro("severity", &Diagnostic::severity)
      .def_ro("message", &Diagnostic::message)
      .def_ro("place", &Diagnostic::place)
      .def_ro("notes", &Diagnostic::notes);
  nb::class_<Context>(module, "Context")
      .def(nb::init<std::string>(), "plugin"_a)
      .def(
          "get_gpu_chip",
          [](const Context &context, int device) {
            return getGpuChip(context.functions, device);
          },
          "device"_a);
  // The library by whose threads parallel loops of compiled code run.
  module.attr("OPENMP") = TILEIR_OPENMP;
  nb::class_<Program>(module, "Program")
      .def("run", &Program::run, "arguments"_a,
           nb::call_guard<nb::gil_scoped_release>());
  nb::class_<GpuProgram>(module, "GpuProgram")
      .def("run", &GpuProgram::run, "arguments"_a, "stream"_a,
           nb::call_guard<nb::gil_scoped_release>());
  nb::class_<Module>(module, "Module")
      .def("print", &Module::print, "debug_info"_a, "generic"_a)
      .def("verify", &Module::verify)
      .def("run", &Module::run, "passes"_a, "verify_each"_a)
      .def("walk", &Module::walk)
      .def("attach_host_machine", &Module::attachHostMachine)
      .def("compile", &Module::compile<Program>, "entry"_a,
           nb::rv_policy::take_ownership)
      .def("compile_for_gpu", &Module::compile<GpuProgram, int>, "entry"_a,
           "device"_a, nb::rv_policy::take_ownership)
      .def("clone", &Module::clone, nb::rv_policy::take_ownership);
  module.def("parse", &parse, "context"_a, "text"_a, "is_path"_a);
}
