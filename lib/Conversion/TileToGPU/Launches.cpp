//===- Launches.cpp - Kernels and launches become those of the GPU --------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel moves into a GPU module with its body; its types are converted
// later. Launches take memrefs of the device, as tile-place-buffers leaves
// them, and pass addresses and dynamic sizes. Afterwards the types of host code
// no longer say what is on the device, which lowering to LLVM does not need.
//
//===----------------------------------------------------------------------===//

#include "LaunchFormulas.h"
#include "Patterns.h"
#include "tileir/Dialect/Tile/IR/DeviceMemory.h"
#include "tileir/Layout/Shared/Panels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using layout::InDim;

using machine::kWarpSize;

static int64_t getInteger(Operation *op, StringRef name) {
  auto attr = op->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : 0;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static Value castToI64(OpBuilder &builder, Location loc, Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

/// The arguments that a launch passes, and what the manifest of a bundle tells
/// of them (`tile.arguments`).
namespace {
class PassedArguments {
public:
  PassedArguments(LaunchOp launch, func::FuncOp kernel);
  SmallVector<Value> values;
  SmallVector<Attribute> descriptions;
  /// The argument and axis of which `number` is the size; null if it is none.
  DenseI64ArrayAttr findSize(Value number) const;

private:
  void addMemRef(OpBuilder &builder, Value memref, bool readOnly);
  void addSizes(OpBuilder &builder, Value memref);
  /// The memrefs that are passed, and where among the arguments.
  llvm::SmallDenseMap<Value, int64_t> places;
  /// The buffers that are passed, with their places among the arguments.
  SmallVector<std::pair<gpu::AllocOp, int64_t>> buffers;
};
} // namespace

void PassedArguments::addMemRef(OpBuilder &builder, Value memref,
                                bool readOnly) {
  Location loc = memref.getLoc();
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  values.push_back(castToI64(builder, loc, address));
  while (auto cast = memref.getDefiningOp<memref::CastOp>())
    memref = cast.getSource();
  auto type = cast<MemRefType>(memref.getType());
  NamedAttrList description;
  description.append("type", TypeAttr::get(MemRefType::get(
                                 type.getShape(), type.getElementType())));
  if (auto alloc = memref::skipViewLikeOps(cast<MemrefValue>(memref))
                       .getDefiningOp<gpu::AllocOp>()) {
    if (Attribute memory = alloc->getAttr(kMemory))
      description.append("memory", memory);
    if (alloc.getMemref() == memref)
      buffers.emplace_back(alloc, values.size() - 1);
  } else if (auto argument = dyn_cast<BlockArgument>(
                 memref::skipViewLikeOps(cast<MemrefValue>(memref)))) {
    // Memory of the device that the function is given.
    if (isa<func::FuncOp>(argument.getOwner()->getParentOp()))
      description.append(
          "memory",
          builder.getStringAttr("argument " + Twine(argument.getArgNumber())));
  }
  if (readOnly)
    description.append("readonly", builder.getUnitAttr());
  descriptions.push_back(description.getDictionary(builder.getContext()));
}

void PassedArguments::addSizes(OpBuilder &builder, Value memref) {
  int64_t number = values.size() - 1;
  auto type = cast<MemRefType>(memref.getType());
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (!type.isDynamicDim(axis))
      continue;
    Location loc = memref.getLoc();
    Value size = memref::DimOp::create(builder, loc, memref, axis);
    values.push_back(castToI64(builder, loc, size));
    descriptions.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        "size", builder.getDenseI64ArrayAttr({number, axis}))));
  }
}

DenseI64ArrayAttr PassedArguments::findSize(Value number) const {
  if (auto cast = number.getDefiningOp<arith::IndexCastOp>())
    number = cast.getIn();
  for (auto [alloc, argument] : buffers) {
    gpu::AllocOp buffer = alloc;
    unsigned numSizes = 0;
    for (auto [axis, size] : llvm::enumerate(buffer.getType().getShape()))
      if (ShapedType::isDynamic(size) &&
          buffer.getDynamicSizes()[numSizes++] == number)
        return DenseI64ArrayAttr::get(number.getContext(),
                                      {argument, int64_t(axis)});
  }
  return {};
}

PassedArguments::PassedArguments(LaunchOp launch, func::FuncOp kernel) {
  OpBuilder builder(launch);
  for (auto [i, value] : llvm::enumerate(launch.getArguments())) {
    if (auto map = value.getDefiningOp<MakeTensorMapOp>()) {
      values.push_back(emitTensorMap(map));
      NamedAttrList description;
      description.append("tensor_map", TypeAttr::get(map.getMap().getType()));
      if (auto place = places.find(map.getMemref()); place != places.end())
        description.append("of", builder.getI64IntegerAttr(place->second));
      descriptions.push_back(description.getDictionary(builder.getContext()));
      continue;
    }
    if (!isa<MemRefType>(value.getType())) {
      values.push_back(value);
      descriptions.push_back({});
      continue;
    }
    places.try_emplace(value, values.size());
    addMemRef(builder, value, tile::isReadOnly(kernel, i));
    if (isa<MemRefType>(kernel.getArgumentTypes()[i]))
      addSizes(builder, value);
  }
  // Numbers that the program passes, too, may be sizes.
  for (auto [value, description] : llvm::zip_equal(values, descriptions)) {
    if (description)
      continue;
    NamedAttrList known;
    if (DenseI64ArrayAttr size = findSize(value))
      known.append("size", size);
    description = known.getDictionary(builder.getContext());
  }
}

/// Whether the grid has programs: null if it is known to. A GPU does not take
/// grids of size 0.
static Value emitHasPrograms(OpBuilder &builder, LaunchOp op) {
  Value all;
  for (Value size : {op.getGridX(), op.getGridY(), op.getGridZ()}) {
    std::optional<int64_t> number = getConstantIntValue(size);
    if (number && *number > 0)
      continue;
    Value zero = arith::ConstantIndexOp::create(builder, op.getLoc(), 0);
    Value some = arith::CmpIOp::create(builder, op.getLoc(),
                                       arith::CmpIPredicate::sgt, size, zero);
    all =
        all ? arith::AndIOp::create(builder, op.getLoc(), all, some).getResult()
            : some;
  }
  return all;
}

static void lowerLaunch(LaunchOp op, func::FuncOp kernel,
                        gpu::GPUFuncOp function) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  PassedArguments arguments(op, kernel);
  auto findSize = [&](Value value) { return arguments.findSize(value); };
  NamedAttrList formulas;
  if (ArrayAttr grid = getGridFormulas(op, findSize))
    formulas.append("grid", grid);
  if (ArrayAttr requirements = getRequirements(op, findSize))
    formulas.append("requirements", requirements);
  if (StringAttr fallback = getFallback(op))
    formulas.append("fallback", fallback);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value threads = arith::ConstantIndexOp::create(
      builder, loc, function.getKnownBlockSizeAttr()[0]);
  Value shared;
  if (int64_t bytes = getInteger(kernel, TileDialect::kSharedBytes))
    shared = arith::ConstantIntOp::create(builder, loc, bytes, 32);
  auto launch = [&](OpBuilder &inner) {
    auto launched = gpu::LaunchFuncOp::create(
        inner, loc, function,
        gpu::KernelDim3{op.getGridX(), op.getGridY(), op.getGridZ()},
        gpu::KernelDim3{threads, one, one}, shared, arguments.values);
    launched->setAttr(kArguments, inner.getArrayAttr(arguments.descriptions));
    launched->setAttr(kFormulas, formulas.getDictionary(inner.getContext()));
  };
  if (Value hasPrograms = emitHasPrograms(builder, op))
    scf::IfOp::create(builder, loc, hasPrograms,
                      [&](OpBuilder &inner, Location) {
                        launch(inner);
                        scf::YieldOp::create(inner, loc);
                      });
  else
    launch(builder);
  op.erase();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static gpu::GPUFuncOp moveKernel(func::FuncOp kernel,
                                 gpu::GPUModuleOp kernels) {
  OpBuilder builder = OpBuilder::atBlockEnd(kernels.getBody());
  auto function = gpu::GPUFuncOp::create(
      builder, kernel.getLoc(), kernel.getName(), kernel.getFunctionType());
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  int32_t threads = kWarpSize * countWarps(kernel);
  function.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr({threads, 1, 1}));
  for (NamedAttribute attribute : kernel->getDiscardableAttrs())
    if (attribute.getName().strref().starts_with("nvvm."))
      function->setAttr(attribute.getName(), attribute.getValue());
  if (int64_t cluster = getCluster(kernel); cluster > 1)
    function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                      builder.getDenseI32ArrayAttr({int32_t(cluster), 1, 1}));
  function.getBody().takeBody(kernel.getBody());
  for (auto op : llvm::make_early_inc_range(
           function.getBody().getOps<func::ReturnOp>())) {
    builder.setInsertionPoint(op);
    gpu::ReturnOp::create(builder, op.getLoc());
    op.erase();
  }
  return function;
}

/// Shared memory, whose size launches tell.
/// `isOfChannels`: bulk copies write to it.
static void declareSharedMemory(gpu::GPUModuleOp kernels, bool isOfChannels) {
  OpBuilder builder = OpBuilder::atBlockBegin(kernels.getBody());
  LLVM::GlobalOp::create(builder, kernels.getLoc(),
                         LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         kSharedMemory, Attribute(),
                         isOfChannels ? layout::kPanelAlignment : 16,
                         /*addrSpace=*/3);
}

/// Lowering of host code to LLVM has one kind of memory.
static void dropDeviceTypes(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!isDeviceMemory(type))
      return std::nullopt;
    return MemRefType(MemRefType::Builder(type).setMemorySpace({}));
  });
  for (auto function : module.getOps<func::FuncOp>())
    replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  module.walk([](memref::MemorySpaceCastOp op) {
    if (op.getSource().getType() == op.getType()) {
      op.replaceAllUsesWith(op.getSource());
      op.erase();
    }
  });
}

gpu::GPUModuleOp to_gpu::moveKernels(ModuleOp module) {
  SmallVector<func::FuncOp> all = llvm::to_vector(
      llvm::make_filter_range(module.getOps<func::FuncOp>(), isKernel));
  if (all.empty()) {
    dropDeviceTypes(module);
    return {};
  }
  SymbolTable table(module);
  OpBuilder builder(module.getContext());
  auto kernels = gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
  table.insert(kernels, module.getBody()->begin());
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  if (llvm::any_of(all, [](func::FuncOp kernel) {
        return getInteger(kernel, TileDialect::kSharedBytes) > 0;
      }))
    declareSharedMemory(
        kernels, module.walk([](ChannelOp) { return WalkResult::interrupt(); })
                     .wasInterrupted());

  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  for (func::FuncOp kernel : all) {
    gpu::GPUFuncOp function = moveKernel(kernel, kernels);
    for (Operation *user : users.getUsers(kernel))
      lowerLaunch(cast<LaunchOp>(user), kernel, function);
    kernel.erase();
  }
  module.walk([](MakeTensorMapOp op) { op.erase(); });
  dropDeviceTypes(module);
  return kernels;
}
