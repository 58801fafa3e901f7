//===- Supported.cpp - What has no counterpart among tiles ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton_to_tile;

/// The first type of `types` that has no counterpart; null if all have one.
static Type findUnsupported(const PointerConverter &converter,
                            TypeRange types) {
  for (Type type : types) {
    Type converted = converter.convertType(type);
    Type element = converted ? tile::getElement(converted) : Type();
    bool isNumber =
        element &&
        (isa<tile::PtrType, IndexType, Float8E4M3FNType, Float8E5M2Type>(
             element) ||
         element.isF16() || element.isBF16() || element.isF32() ||
         element.isF64() ||
         llvm::any_of(ArrayRef<unsigned>{1, 8, 16, 32, 64}, [&](unsigned bits) {
           return element.isSignlessInteger(bits);
         }));
    if (!isNumber)
      return type;
  }
  return Type();
}

/// Why a reduction or scan has no counterpart; empty if it has one.
template <typename Op> static std::string explainCombine(Op op) {
  Block &body = op.getCombineOp().front();
  if (getCombiner(body))
    return "";
  if (!isElementwise(body))
    return "its region has ops that do not work element by element";
  int64_t length =
      cast<ShapedType>(op.getSrcs().front().getType()).getDimSize(op.getAxis());
  if (!llvm::isPowerOf2_64(length))
    return "the axis has " + std::to_string(length) +
           " elements, which is no power of two";
  for (Type type : op.getSrcs().getTypes())
    if (isa<triton::PtrType>(triton::getElement(type)))
      return "it combines pointers";
  return "";
}

/// Whether elements of a type are pointers.
static bool hasPointers(Value value) {
  return isa<triton::PtrType>(triton::getElement(value.getType()));
}

/// Why an op has no counterpart; empty if it has one.
static std::string explain(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case<triton::ReduceOp, triton::ScanOp>(
          [](auto combine) { return explainCombine(combine); })
      .Case([](triton::FuncOp function) -> std::string {
        if (function.isExternal())
          return "it has no body";
        if (function.isPublic() && !function.getResultTypes().empty())
          return "it is public, and a kernel returns nothing";
        return "";
      })
      .Case<triton::SplitOp, triton::UnsplatOp, triton::GatherOp>(
          [](auto split) -> std::string {
            return hasPointers(split.getSrc()) ? "its elements are pointers"
                                               : "";
          })
      .Case([](triton::FpToFpOp cast) -> std::string {
        Type from = triton::getElement(cast.getSrc().getType()),
             to = triton::getElement(cast.getType());
        if (cast.getRounding() == triton::Rounding::ToZero &&
            isa<Float8E4M3FNType>(to) && !isa<Float8E4M3FNType>(from))
          return "tiles do not round towards zero where there is no infinity";
        return "";
      })
      .Case([](triton::DotScaledOp product) -> std::string {
        for (triton::ScaledElement element :
             {product.getAElemType(), product.getBElemType()})
          if (element == triton::ScaledElement::E2M3 ||
              element == triton::ScaledElement::E3M2)
            return "tiles have no elements of 6 bits";
        return "";
      })
      .Case([](triton::MulhiUIOp product) -> std::string {
        if (triton::getElement(product.getType()).getIntOrFloatBitWidth() > 32)
          return "tiles have no integers of 128 bits";
        return "";
      })
      .Case([](triton::ExternElementwiseOp call) -> std::string {
        LibraryFunction function = findLibraryFunction(call.getSymbol());
        if (function.op.empty())
          return "the function '" + call.getSymbol().str() +
                 "' has no counterpart in math";
        return "";
      })
      .Case([](triton::AtomicCASOp atomic) -> std::string {
        Type element = triton::getElement(atomic.getType());
        if (element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 16)
          return "";
        return "GPUs compare and swap numbers of 16, 32 or 64 bits";
      })
      .Case([](triton::ElementwiseInlineAsmOp) -> std::string {
        return "tiles have no such op";
      })
      .Default(std::string());
}

LogicalResult
triton_to_tile::verifySupported(ModuleOp module,
                                const PointerConverter &converter) {
  auto verify = [&](Operation *op) -> WalkResult {
    std::string reason = explain(op);
    if (!reason.empty())
      return op->emitOpError("cannot become a program of tiles: ") << reason;
    // Regions of functions have types, too.
    Type type = findUnsupported(converter, op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!type)
          type = findUnsupported(converter, block.getArgumentTypes());
    if (type)
      return op->emitOpError("cannot become a program of tiles: there are no "
                             "tiles of ")
             << type;
    return WalkResult::advance();
  };
  for (auto function : module.getOps<triton::FuncOp>())
    if (function->walk<WalkOrder::PreOrder>(verify).wasInterrupted())
      return failure();
  return success();
}
