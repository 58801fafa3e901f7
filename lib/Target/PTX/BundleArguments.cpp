//===- BundleArguments.cpp - How kernels of a bundle are launched ---------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lowered kernel takes addresses and numbers. What they are is seen in the
// host code: an address is that of a device memref, which nothing copies back
// if the kernel only reads it, and whose elements are known if a constant of
// the module is copied there; a number is a constant, a dynamic size of such a
// memref, or free.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/PTX/Bundle.h"

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace tileir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

/// What the widest accesses, of 128 bits, need.
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

std::unique_ptr<PassInstrumentation> tileir::createSpecRecorder() {
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

Value tileir::getPassedBuffer(Value value) {
  if (isa<MemRefType>(value.getType()))
    return value;
  auto cast = value.getDefiningOp<arith::IndexCastOp>();
  auto address =
      cast
          ? cast.getIn().getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>()
          : memref::ExtractAlignedPointerAsIndexOp();
  return address ? address.getSource() : Value();
}

/// Whether only `launch` uses the address that `op` gives.
static bool isPassedOnlyTo(memref::ExtractAlignedPointerAsIndexOp op,
                           gpu::LaunchFuncOp launch) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return isa<arith::IndexCastOp>(user) &&
           llvm::all_of(user->getUsers(),
                        [&](Operation *passed) { return passed == launch; });
  });
}

/// Whether nothing reads what `launch` could have left in `buffer`.
static bool isReadOnly(Value buffer, gpu::LaunchFuncOp launch) {
  return buffer.getDefiningOp<gpu::AllocOp>() &&
         llvm::all_of(buffer.getUsers(), [&](Operation *user) {
           if (auto copy = dyn_cast<gpu::MemcpyOp>(user))
             return copy.getSrc() != buffer;
           if (auto op = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(user))
             return isPassedOnlyTo(op, launch);
           return isa<gpu::DeallocOp>(user);
         });
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

/// The elements of `buffer` if a constant of the module, and nothing else, is
/// copied there.
static std::optional<json::Array> findElements(Value buffer) {
  memref::GetGlobalOp source;
  for (Operation *user : buffer.getUsers())
    if (auto copy = dyn_cast<gpu::MemcpyOp>(user)) {
      if (source)
        return std::nullopt;
      source = copy.getSrc().getDefiningOp<memref::GetGlobalOp>();
      if (!source)
        return std::nullopt;
    }
  if (!source)
    return std::nullopt;
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      source, source.getNameAttr());
  Attribute constant = global ? global.getConstantInitValue() : Attribute();
  auto elements = dyn_cast_if_present<DenseElementsAttr>(constant);
  if (!elements || !elements.getElementType().isIntOrIndexOrFloat())
    return std::nullopt;
  json::Array values;
  for (Attribute value : elements.getValues<Attribute>())
    values.push_back(describeConstant(value));
  return values;
}

static json::Object describeBuffer(Value buffer, gpu::LaunchFuncOp launch) {
  bool isOnlyRead = isReadOnly(buffer, launch);
  auto type = cast<MemRefType>(buffer.getType());
  json::Array shape;
  for (int64_t size : type.getShape())
    shape.push_back(ShapedType::isDynamic(size) ? json::Value(nullptr)
                                                : json::Value(size));
  json::Object object{{"kind", "buffer"},
                      {"type", getText(type.getElementType())},
                      {"shape", std::move(shape)},
                      {"alignment", kAlignment},
                      {"readonly", isOnlyRead}};
  if (isOnlyRead)
    if (std::optional<json::Array> values = findElements(buffer))
      object["values"] = std::move(*values);
  if (type.hasStaticShape())
    object["bytes"] = type.getNumElements() *
                      static_cast<int64_t>(
                          llvm::divideCeil(type.getElementTypeBitWidth(), 8));
  return object;
}

/// If `value` is a dynamic size of a buffer that is passed, too: {"argument":
/// its number, "axis": ...}; else null.
static json::Value findSize(Value value, OperandRange operands) {
  auto cast = value.getDefiningOp<arith::IndexCastOp>();
  if (!cast)
    return nullptr;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Value buffer = getPassedBuffer(operand);
    auto alloc = buffer ? buffer.getDefiningOp<gpu::AllocOp>() : gpu::AllocOp();
    if (!alloc)
      continue;
    unsigned numSizes = 0;
    for (auto [axis, size] : llvm::enumerate(alloc.getType().getShape()))
      if (ShapedType::isDynamic(size) &&
          alloc.getDynamicSizes()[numSizes++] == cast.getIn())
        return json::Object{{"argument", int64_t(i)}, {"axis", int64_t(axis)}};
  }
  return nullptr;
}

static json::Object describeNumber(Value value, OperandRange operands) {
  Type type = value.getType();
  json::Object object{{"kind", "number"},
                      {"type", type.isIndex() ? "i64" : getText(type)}};
  Attribute constant;
  if (json::Value size = findSize(value, operands); size != nullptr)
    object["size"] = std::move(size);
  else if (matchPattern(value, m_Constant(&constant)))
    object["value"] = describeConstant(constant);
  return object;
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

static Expected<json::Object> describeLaunch(gpu::LaunchFuncOp launch,
                                             LLVM::LLVMFuncOp kernel) {
  auto fail = [&](const Twine &message) {
    return createStringError("kernel @" + kernel.getName() +
                             " cannot be in a bundle: " + message);
  };
  json::Array arguments;
  for (Value operand : launch.getKernelOperands()) {
    auto memref = dyn_cast<MemRefType>(operand.getType());
    if (memref &&
        (!memref.hasStaticShape() || !memref.getLayout().isIdentity()))
      return fail("expected memrefs of static shape without a layout, found " +
                  getText(memref));
    Value buffer = getPassedBuffer(operand);
    if (!buffer && !operand.getType().isIntOrIndexOrFloat())
      return fail("expected numbers and memrefs as arguments, found " +
                  getText(operand.getType()));
    arguments.push_back(
        buffer ? describeBuffer(buffer, launch)
               : describeNumber(operand, launch.getKernelOperands()));
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
  return json::Object{
      {"function", kernel.getName()},
      {"module", launch.getKernelModuleName().getValue()},
      {"grid", describeSizes(launch.getGridSizeOperandValues())},
      {"block", std::move(block)},
      {"dynamicSharedBytes", sharedBytes},
      {"arguments", std::move(arguments)},
      {"source", describeSource(launch, kernel)}};
}

Expected<KernelDescriptions> tileir::describeKernels(ModuleOp module) {
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
