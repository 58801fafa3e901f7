//===- BundleArguments.cpp - How kernels of a bundle are launched ---------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lowered kernel takes addresses and numbers. They are described by
// `tile.arguments` of its launch, which convert-tile-to-gpu leaves there: an
// address is that of device memory, which tile-place-buffers has named. Less is
// known of launches by gpu.launch_func: the types of memrefs, and numbers that
// are constants.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/PTX/Bundle.h"

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Tile/IR/DeviceMemory.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace tileir;
using namespace tileir::ptx;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

/// The alignment that the widest accesses, of 128 bits, need.
static constexpr int64_t kAlignment = 16;

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kSpecPrefix = "einsum ";

static void addSpec(Operation *op, einsum::ContractOp contract) {
  auto name = StringAttr::get(op->getContext(),
                              kSpecPrefix + contract.getSpec().toString());
  op->setLoc(NameLoc::get(name, op->getLoc()));
}

namespace {
struct SpecRecorder : public PassInstrumentation {
  void runBeforePass(Pass *pass, Operation *op) override {
    if (pass->getArgument() != "convert-einsum-to-tile")
      return;
    op->walk([](einsum::ContractOp contract) {
      addSpec(contract, contract);
      if (auto kernel = contract->getParentOfType<einsum::KernelOp>())
        addSpec(kernel, contract);
    });
  }
};
} // namespace

std::unique_ptr<PassInstrumentation> ptx::createSpecRecorder() {
  return std::make_unique<SpecRecorder>();
}

/// The specs in the locations of the ops of `kernel`.
static json::Array getSpecs(Operation *kernel) {
  llvm::SetVector<StringAttr> names;
  kernel->walk([&](Operation *op) {
    op->getLoc()->walk([&](Location location) {
      if (auto name = dyn_cast<NameLoc>(location))
        if (name.getName().getValue().starts_with(kSpecPrefix))
          names.insert(name.getName());
      return WalkResult::advance();
    });
  });
  json::Array specs;
  // The last one is outermost.
  for (StringAttr name : llvm::reverse(names))
    specs.push_back(name.getValue().drop_front(kSpecPrefix.size()));
  return specs;
}

static json::Object describeSource(gpu::LaunchFuncOp launch,
                                   Operation *kernel) {
  json::Object source{{"specs", getSpecs(kernel)}};
  if (auto line = launch.getLoc()->findInstanceOf<FileLineColLoc>())
    source["location"] =
        llvm::formatv("{0}:{1}:{2}", line.getFilename().getValue(),
                      line.getLine(), line.getColumn())
            .str();
  return source;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static std::string getText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// JSON has no infinities and no NaN: they are strings.
static json::Value describeConstant(Attribute constant) {
  if (auto number = dyn_cast<IntegerAttr>(constant))
    return number.getType().isInteger(1) ? int64_t(!number.getValue().isZero())
                                         : number.getInt();
  double number = cast<FloatAttr>(constant).getValueAsDouble();
  if (std::isfinite(number))
    return number;
  return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

/// The elements of the constant `memory`, if that is one.
static std::optional<json::Array> findElements(ModuleOp module,
                                               Attribute memory) {
  auto name = dyn_cast_if_present<FlatSymbolRefAttr>(memory);
  auto global =
      name ? module.lookupSymbol<memref::GlobalOp>(name) : memref::GlobalOp();
  Attribute constant = global ? global.getConstantInitValue() : Attribute();
  auto elements = dyn_cast_if_present<DenseElementsAttr>(constant);
  if (!elements || !elements.getElementType().isIntOrIndexOrFloat())
    return std::nullopt;
  json::Array values;
  for (Attribute value : elements.getValues<Attribute>())
    values.push_back(describeConstant(value));
  return values;
}

static json::Object describeBuffer(MemRefType type, bool isOnlyRead) {
  json::Array shape;
  for (int64_t size : type.getShape())
    shape.push_back(ShapedType::isDynamic(size) ? json::Value(nullptr)
                                                : json::Value(size));
  json::Object object{{"kind", "buffer"},
                      {"type", getText(type.getElementType())},
                      {"shape", std::move(shape)},
                      {"alignment", kAlignment},
                      {"readonly", isOnlyRead}};
  if (type.hasStaticShape())
    object["bytes"] = type.getNumElements() *
                      static_cast<int64_t>(
                          llvm::divideCeil(type.getElementTypeBitWidth(), 8));
  return object;
}

static json::Object describeNumber(Value value, DenseI64ArrayAttr size) {
  Type type = value.getType();
  json::Object object{{"kind", "number"},
                      {"type", type.isIndex() ? "i64" : getText(type)}};
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    object["value"] = describeConstant(constant);
  else if (size)
    object["size"] = json::Object{{"argument", size[0]}, {"axis", size[1]}};
  return object;
}

/// Returns what `tile.arguments` says of operand `number`; null if nothing.
static DictionaryAttr getDescription(gpu::LaunchFuncOp launch,
                                     unsigned number) {
  auto all = launch->getAttrOfType<ArrayAttr>(tile::kArguments);
  return all ? cast<DictionaryAttr>(all[number]) : DictionaryAttr();
}

/// Describes a tensor map of the argument `of`; null if it is of none.
static Expected<json::Object> describeMap(tile::TensorMapType map,
                                          IntegerAttr of) {
  if (!of)
    return createStringError("expected tensor maps of memrefs that the kernel "
                             "takes, too, found one of another memref");
  json::Object object{{"kind", "tensor_map"},
                      {"type", getText(map.getElementType())},
                      {"of", of.getInt()},
                      {"box", json::Array(map.getBox())},
                      {"swizzle", map.getSwizzle()}};
  if (map.hasSteps())
    object["steps"] = json::Array(map.getSteps());
  return object;
}

static Expected<json::Object> describeArgument(gpu::LaunchFuncOp launch,
                                               unsigned number) {
  Value operand = launch.getKernelOperand(number);
  if (DictionaryAttr known = getDescription(launch, number)) {
    if (auto map = known.getAs<TypeAttr>("tensor_map"))
      return describeMap(cast<tile::TensorMapType>(map.getValue()),
                         known.getAs<IntegerAttr>("of"));
    auto type = known.getAs<TypeAttr>("type");
    if (!type)
      return describeNumber(operand, known.getAs<DenseI64ArrayAttr>("size"));
    bool isOnlyRead = known.contains("readonly");
    json::Object object =
        describeBuffer(cast<MemRefType>(type.getValue()), isOnlyRead);
    if (isOnlyRead)
      if (auto values = findElements(launch->getParentOfType<ModuleOp>(),
                                     known.get("memory")))
        object["values"] = std::move(*values);
    return object;
  }
  auto memref = dyn_cast<MemRefType>(operand.getType());
  if (!memref && !operand.getType().isIntOrIndexOrFloat())
    return createStringError("expected numbers and memrefs as arguments, "
                             "found " +
                             getText(operand.getType()));
  if (!memref)
    return describeNumber(operand, {});
  if (!memref.hasStaticShape() || !memref.getLayout().isIdentity())
    return createStringError(
        "expected memrefs of static shape without a layout, found " +
        getText(memref));
  return describeBuffer(memref, /*isOnlyRead=*/false);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static json::Value describeSizes(gpu::KernelDim3 sizes) {
  json::Array array;
  for (Value size : {sizes.x, sizes.y, sizes.z}) {
    std::optional<int64_t> number = getConstantIntValue(size);
    if (!number)
      return nullptr;
    array.push_back(*number);
  }
  return array;
}

/// Returns an entry of `tile.formulas`; null if there is none.
template <typename Attr>
static Attr getFormulas(Operation *launch, StringRef name) {
  auto formulas = launch->getAttrOfType<DictionaryAttr>(tile::kFormulas);
  return formulas ? formulas.getAs<Attr>(name) : Attr();
}

/// Describes a formula of LaunchFormulas.h.
static json::Value describeFormula(Attribute formula) {
  if (auto number = dyn_cast<IntegerAttr>(formula))
    return number.getInt();
  if (auto size = dyn_cast<DenseI64ArrayAttr>(formula))
    return json::Object{{"argument", size[0]}, {"axis", size[1]}};
  ArrayRef<Attribute> parts = cast<ArrayAttr>(formula).getValue();
  json::Array operands;
  for (Attribute operand : parts.drop_front())
    operands.push_back(describeFormula(operand));
  return json::Object{
      {cast<StringAttr>(parts.front()).getValue(), std::move(operands)}};
}

static json::Array describeFormulas(ArrayAttr formulas) {
  json::Array array;
  for (Attribute formula : formulas)
    array.push_back(describeFormula(formula));
  return array;
}

/// Describes the grid: null if it depends on more than sizes, or if it is not
/// known which sizes the kernel takes.
static json::Value describeGrid(gpu::LaunchFuncOp launch) {
  json::Value sizes = describeSizes(launch.getGridSizeOperandValues());
  auto formulas = getFormulas<ArrayAttr>(launch, "grid");
  if (sizes != nullptr || !formulas ||
      !getFormulas<ArrayAttr>(launch, "requirements"))
    return sizes;
  return describeFormulas(formulas);
}

static Expected<json::Object> describeLaunch(gpu::LaunchFuncOp launch,
                                             LLVM::LLVMFuncOp kernel) {
  auto fail = [&](const Twine &message) {
    return createStringError("kernel @" + kernel.getName() +
                             " cannot be in a bundle: " + message);
  };
  json::Array arguments;
  for (unsigned i = 0; i < launch.getNumKernelOperands(); ++i) {
    auto argument = describeArgument(launch, i);
    if (!argument)
      return fail(llvm::toString(argument.takeError()));
    arguments.push_back(std::move(*argument));
  }
  if (arguments.size() != kernel.getNumArguments())
    return fail("expected it to take a memref as one pointer: give the "
                "pipeline the option bare-pointers=1");
  if (launch.hasClusterSize())
    return fail("expected a launch without clusters");
  int64_t sharedBytes = 0;
  if (Value bytes = launch.getDynamicSharedMemorySize()) {
    std::optional<int64_t> number = getConstantIntValue(bytes);
    if (!number)
      return fail("expected a constant size of dynamic shared memory");
    sharedBytes = *number;
  }
  json::Value block = describeSizes(launch.getBlockSizeOperandValues());
  if (block == nullptr)
    return fail("expected constant block sizes");
  json::Object object{{"function", kernel.getName()},
                      {"module", launch.getKernelModuleName().getValue()},
                      {"grid", describeGrid(launch)},
                      {"block", std::move(block)},
                      {"dynamicSharedBytes", sharedBytes},
                      {"arguments", std::move(arguments)},
                      {"source", describeSource(launch, kernel)}};
  auto requirements = getFormulas<ArrayAttr>(launch, "requirements");
  if (requirements && !requirements.empty())
    object["requires"] = describeFormulas(requirements);
  return object;
}

/// What a launch is given; it makes maps itself.
static json::Array dropMaps(const json::Object &kernel) {
  json::Array given;
  for (const json::Value &argument : *kernel.getArray("arguments"))
    if (argument.getAsObject()->getString("kind") != "tensor_map")
      given.push_back(argument);
  return given;
}

/// Names the kernel that a launch falls back to, of those that are given the
/// same arguments.
static void addFallback(Operation *launch, json::Object &object,
                        const json::Array &kernels) {
  auto name = getFormulas<StringAttr>(launch, "fallback");
  for (const json::Value &value : kernels) {
    const json::Object &other = *value.getAsObject();
    if (name && *other.getString("function") == name.getValue() &&
        dropMaps(other) == dropMaps(object))
      object["fallback"] = other.getString("name")->str();
  }
}

Expected<KernelDescriptions> ptx::describeKernels(ModuleOp module) {
  KernelDescriptions descriptions;
  json::Array &kernels = descriptions.kernels;
  llvm::DenseSet<Operation *> launched;
  llvm::StringMap<unsigned> numLaunches;
  Error error = Error::success();
  module.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = module.lookupSymbol<LLVM::LLVMFuncOp>(launch.getKernelAttr());
    if (!kernel)
      return WalkResult::advance();
    auto object = describeLaunch(launch, kernel);
    if (!object) {
      error = llvm::joinErrors(std::move(error), object.takeError());
      return WalkResult::interrupt();
    }
    launched.insert(kernel);
    // Launches in the same way are one.
    for (json::Value &other : kernels) {
      json::Object same(*object);
      same["name"] = *other.getAsObject()->get("name");
      same["source"] = *other.getAsObject()->get("source");
      if (same == *other.getAsObject()) {
        descriptions.names[launch] = same["name"].getAsString()->str();
        return WalkResult::advance();
      }
    }
    unsigned number = ++numLaunches[kernel.getName()];
    std::string name = kernel.getName().str();
    if (number > 1)
      name += "." + Twine(number).str();
    descriptions.names[launch] = name;
    (*object)["name"] = std::move(name);
    kernels.push_back(std::move(*object));
    return WalkResult::advance();
  });
  if (error)
    return std::move(error);
  for (auto &[launch, name] : descriptions.names)
    for (json::Value &kernel : kernels)
      if (*kernel.getAsObject()->getString("name") == name)
        addFallback(launch, *kernel.getAsObject(), kernels);
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>())
    for (auto kernel : gpuModule.getOps<LLVM::LLVMFuncOp>())
      if (kernel->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) &&
          !launched.contains(kernel))
        return createStringError(
            "kernel @" + kernel.getName() +
            " cannot be in a bundle: expected the file to launch it (by "
            "tile.launch or gpu.launch_func), which tells its grid, block and "
            "arguments");
  if (kernels.empty())
    return createStringError("a bundle is of kernels: the file has none");
  return descriptions;
}

/// Describes the memory that `launch` passes as operand `number`: null if the
/// launcher has none to give, and nothing if it cannot be said.
static std::optional<json::Value> describeMemory(gpu::LaunchFuncOp launch,
                                                 unsigned number) {
  DictionaryAttr known = getDescription(launch, number);
  if (!known)
    return isa<MemRefType>(launch.getKernelOperand(number).getType())
               ? std::nullopt
               : std::optional<json::Value>(nullptr);
  if (auto name = known.getAs<StringAttr>("memory"))
    return json::Value(name.getValue());
  if (known.contains("type") && !known.contains("memory"))
    return std::nullopt;
  return json::Value(nullptr);
}

/// Whether a launch is one of `function`, once and in its turn, if the
/// conditions that its kernel has hold.
static bool isInTurn(gpu::LaunchFuncOp launch, func::FuncOp function) {
  Operation *op = launch->getParentOp();
  while (isa<scf::IfOp>(op) && getFormulas<ArrayAttr>(launch, "requirements"))
    op = op->getParentOp();
  return op == function;
}

/// Whether a launch stands for others, whose requirements do not hold.
static bool isFallback(Operation *launch) {
  for (Operation *op = launch; op->getParentOp(); op = op->getParentOp())
    if (auto ifOp = dyn_cast<scf::IfOp>(op->getParentOp()))
      if (op->getParentRegion() == &ifOp.getElseRegion())
        return true;
  return false;
}

json::Value
ptx::describeLaunches(ModuleOp module,
                      const llvm::DenseMap<Operation *, std::string> &names) {
  SmallVector<gpu::LaunchFuncOp> launches;
  module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  auto function = launches.front()->getParentOfType<func::FuncOp>();
  if (!function)
    return nullptr;
  json::Array descriptions;
  for (gpu::LaunchFuncOp launch : launches) {
    auto name = names.find(launch);
    if (!isInTurn(launch, function) || name == names.end())
      return nullptr;
    // The kernel of which it is the fallback tells of both.
    if (isFallback(launch))
      continue;
    json::Array memory;
    for (unsigned i = 0; i < launch.getNumKernelOperands(); ++i) {
      std::optional<json::Value> description = describeMemory(launch, i);
      if (!description)
        return nullptr;
      memory.push_back(std::move(*description));
    }
    descriptions.push_back(
        json::Object{{"kernel", name->second}, {"memory", std::move(memory)}});
  }
  return descriptions;
}
