//===- TileDialect.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/DeviceMemory.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

#include "tileir/Dialect/Tile/IR/TileDialect.cpp.inc"
#include "tileir/Dialect/Tile/IR/TileEnums.cpp.inc"

void TileDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tileir/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

bool tile::isDeviceMemory(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  auto space =
      memref
          ? dyn_cast_if_present<gpu::AddressSpaceAttr>(memref.getMemorySpace())
          : gpu::AddressSpaceAttr();
  return space && space.getValue() == gpu::AddressSpace::Global;
}

MemRefType tile::getDeviceType(MemRefType type) {
  return MemRefType::Builder(type).setMemorySpace(
      gpu::AddressSpaceAttr::get(type.getContext(), gpu::AddressSpace::Global));
}

bool tile::makesPointers(Operation *function) {
  return function->walk([](IntToPtrOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

bool tile::isReadOnly(FunctionOpInterface function, unsigned argument) {
  return function.getArgAttr(argument, TileDialect::kReadOnly) &&
         !makesPointers(function);
}

bool tile::isKernel(Operation *op) {
  return isa<FunctionOpInterface>(op) && op->hasAttr(TileDialect::kKernel);
}

Operation *tile::getKernel(Operation *op) {
  while (op && !isKernel(op))
    op = op->getParentOp();
  return op;
}

/// `tile.kernel`: a function whose arguments a launch can pass, without
/// results. `tile.num_warps`, `tile.shared_bytes`: what it needs on a GPU.
/// A number, the argument and axis of a size, or an operation and its operands.
static bool isFormula(Attribute attr) {
  if (isa<IntegerAttr>(attr))
    return true;
  if (auto size = dyn_cast<DenseI64ArrayAttr>(attr))
    return size.size() == 2;
  auto parts = dyn_cast<ArrayAttr>(attr);
  return parts && parts.size() == 3 && isa<StringAttr>(parts[0]) &&
         isFormula(parts[1]) && isFormula(parts[2]);
}

static LogicalResult verifyFormulas(Operation *op, Attribute attr) {
  auto formulas = dyn_cast<DictionaryAttr>(attr);
  auto areFormulas = [](Attribute list, size_t size) {
    auto array = dyn_cast<ArrayAttr>(list);
    return array && (size == 0 || array.size() == size) &&
           llvm::all_of(array, isFormula);
  };
  bool isValid = formulas && isa<gpu::LaunchFuncOp>(op);
  if (isValid)
    for (NamedAttribute entry : formulas)
      isValid &= entry.getName() == "grid" ? areFormulas(entry.getValue(), 3)
                 : entry.getName() == "requirements"
                     ? areFormulas(entry.getValue(), 0)
                     : entry.getName() == "fallback" &&
                           isa<StringAttr>(entry.getValue());
  if (isValid)
    return success();
  return op->emitOpError("expects ")
         << kFormulas
         << " to be a dictionary of grid, requirements and fallback of a "
            "gpu.launch_func, found "
         << attr;
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  if (attr.getName() == kNumWarps || attr.getName() == kSharedBytes) {
    auto number = dyn_cast<IntegerAttr>(attr.getValue());
    bool isWarps = attr.getName() == kNumWarps;
    if (number && number.getType().isInteger(64) &&
        (isWarps ? llvm::isPowerOf2_64(number.getInt()) : number.getInt() >= 0))
      return success();
    return op->emitOpError("expects ")
           << attr.getName() << " to be "
           << (isWarps ? "a power of two" : "a number of bytes")
           << " of i64, found " << attr.getValue();
  }
  if (attr.getName() == kTarget) {
    if (isa<ModuleOp>(op) && isa<TargetAttr>(attr.getValue()))
      return success();
    return op->emitOpError("expects ")
           << kTarget << " to be a #tile.target of a module, found "
           << attr.getValue();
  }
  if (attr.getName() == kConfig) {
    if (isa<ConfigAttr>(attr.getValue()))
      return success();
    return op->emitOpError("expects ")
           << kConfig << " to be a #tile.config, found " << attr.getValue();
  }
  if (attr.getName() == kMemory) {
    if (isa<gpu::AllocOp>(op) &&
        isa<StringAttr, FlatSymbolRefAttr>(attr.getValue()))
      return success();
    return op->emitOpError("expects ")
           << kMemory
           << " to be a string or the name of a constant, on gpu.alloc, found "
           << attr.getValue();
  }
  if (attr.getName() == kArguments) {
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    auto arguments = dyn_cast<ArrayAttr>(attr.getValue());
    if (launch && arguments &&
        arguments.size() == launch.getNumKernelOperands() &&
        llvm::all_of(arguments, llvm::IsaPred<DictionaryAttr>))
      return success();
    return op->emitOpError("expects ")
           << kArguments
           << " to be a dictionary for each operand of a gpu.launch_func";
  }
  if (attr.getName() == kFormulas)
    return verifyFormulas(op, attr.getValue());
  if (attr.getName() != kKernel)
    return op->emitOpError("expects ")
           << kKernel << ", " << kNumWarps << ", " << kSharedBytes << ", "
           << kConfig << ", " << kTarget << ", " << kMemory << ", "
           << kArguments << " or " << kFormulas
           << ", the dialect's attributes of operations, found "
           << attr.getName();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || !isa<UnitAttr>(attr.getValue()))
    return op->emitOpError("expects ")
           << kKernel << " to be a unit attribute of a function";
  // Later stages pass memory as their own types.
  if (!isa<func::FuncOp>(op))
    return success();
  if (function.getNumResults() != 0)
    return op->emitOpError("expects a kernel without results, found ")
           << function.getNumResults();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (!isa<PtrType, MemRefType, TensorMapType, IntegerType, FloatType,
             IndexType>(type))
      return op->emitOpError(
                 "expects kernel arguments to be pointers, memrefs, "
                 "tensor maps, integers or floats, found ")
             << type << " for argument " << i;
  return success();
}

/// `tile.size_multiple_of`: a positive number for each axis, which divides the
/// size if that is static.
static LogicalResult verifySizeMultipleOf(Operation *op, Type type,
                                          NamedAttribute attr) {
  // Host functions are on tensors at first.
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || isa<BufferType>(type))
    return op->emitOpError("expects ")
           << TileDialect::kSizeMultipleOf << " on a memref, found " << type;
  auto multiples = dyn_cast<DenseI64ArrayAttr>(attr.getValue());
  bool isValid = multiples && multiples.size() == shaped.getRank();
  for (int64_t axis = 0; isValid && axis < shaped.getRank(); ++axis)
    isValid = multiples[axis] >= 1 &&
              (shaped.isDynamicDim(axis) ||
               shaped.getDimSize(axis) % multiples[axis] == 0);
  if (!isValid)
    return op->emitOpError("expects ")
           << TileDialect::kSizeMultipleOf
           << " to be array<i64: ...> with a positive number for each axis of "
           << type << ", which divides its size, found " << attr.getValue();
  return success();
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned arg,
                                                    NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || arg >= function.getNumArguments())
    return op->emitOpError("expects ")
           << attr.getName() << " on the argument of a function";
  // Lowered kernels keep the attributes, on whatever the arguments become.
  if (!isa<func::FuncOp>(op))
    return success();
  Type type = function.getArgumentTypes()[arg];
  bool isMemory = isa<PtrType, MemRefType>(type);
  StringRef name = attr.getName();
  if (name == kMultipleOf) {
    auto multiple = dyn_cast<IntegerAttr>(attr.getValue());
    if (!multiple || multiple.getInt() < 1)
      return op->emitOpError("expects ")
             << name << " to be a positive integer, found " << attr.getValue();
    if (!isMemory && !type.isIntOrIndex())
      return op->emitOpError("expects ")
             << name << " on an integer, pointer or memref, found " << type;
    return success();
  }
  if (name == kSizeMultipleOf)
    return verifySizeMultipleOf(op, type, attr);
  if (name == kOnDevice) {
    // Kernels take no other memory. Host functions are on tensors at first.
    if (isa<MemRefType, RankedTensorType>(type) && !isKernel(function))
      return success();
    return op->emitOpError("expects ")
           << name << " on a memref or tensor of a function that is no kernel";
  }
  if (name != kReadOnly && name != kNoAlias)
    return op->emitOpError("expects ")
           << kMultipleOf << ", " << kSizeMultipleOf << ", " << kReadOnly
           << ", " << kNoAlias << " or " << kOnDevice
           << ", found unknown attribute " << name;
  if (!isMemory)
    return op->emitOpError("expects ")
           << name << " on a pointer or memref, found " << type;
  return success();
}
