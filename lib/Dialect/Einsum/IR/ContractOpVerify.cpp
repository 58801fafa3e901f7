//===- ContractOpVerify.cpp - Verifier of einsum.contract -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints C7 to C19 and C29 of EinsumOps.td, in an order in which each may
// rely on those before it. C1 to C6 hold for every SpecAttr.
//
//===----------------------------------------------------------------------===//

#include "ContractOpVerify.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

using namespace mlir;
using namespace tileir::einsum;

/// C7, C9: numbers of operands. (The text form checks C9 by name.)
static LogicalResult verifyCounts(ContractOp op) {
  SpecAttr spec = op.getSpec();
  if (op.getInputs().size() != spec.getNumOperands())
    return op.emitOpError("expects ")
           << spec.getNumOperands() << " operands for the terms of \""
           << spec.toString() << "\", found " << op.getInputs().size();
  if (op.getInputs().empty())
    return op.emitOpError("expects at least one operand");
  SmallVector<StringRef> names = spec.getTables();
  if (op.getTables().size() != names.size())
    return op.emitOpError("expects ")
           << names.size() << " tables (" << llvm::join(names, ", ")
           << "), found " << op.getTables().size();
  return success();
}

/// C17: all tensors with a result, or all memrefs with outs and no result.
static LogicalResult verifyForm(ContractOp op) {
  bool tensors = llvm::all_of(op.getOperandTypes(), llvm::IsaPred<TensorType>);
  bool memrefs =
      llvm::all_of(op.getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
  if (!tensors && !memrefs)
    return op.emitOpError("expects its operands to be all tensors or all "
                          "memrefs, found ")
           << op.getOperandTypes();
  if (tensors &&
      (!op.hasTensorForm() || !isa<RankedTensorType>(op.getResult().getType())))
    return op.emitOpError(
        "expects a tensor result for tensor operands: write '-> tensor<...>'");
  if (tensors && op.getOuts() &&
      op.getOuts().getType() != op.getResult().getType())
    return op.emitOpError("expects outs to have the type of the result (")
           << op.getResult().getType() << "), found " << op.getOuts().getType();
  if (memrefs && op.hasTensorForm())
    return op.emitOpError("expects no result for memref operands: the result "
                          "is written to outs(...)");
  if (memrefs && llvm::is_contained(op.getInputs(), op.getOuts()))
    return op.emitOpError("expects outs to be another memref than its inputs");
  if (memrefs && !op.getOuts())
    return op.emitOpError("expects outs(%value : memref<...>) for memref "
                          "operands, found none");
  return success();
}

/// C8: ranks of operands, outs and result.
static LogicalResult verifyRanks(ContractOp op) {
  SpecAttr spec = op.getSpec();
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    int64_t rank = cast<ShapedType>(input.getType()).getRank();
    if (rank != spec.getMaps()[i].getNumResults())
      return op.emitOpError("expects operand ")
             << i << " to have " << spec.getMaps()[i].getNumResults()
             << " axes, as its term in \"" << spec.toString() << "\", found "
             << input.getType();
  }
  auto verifyOutput = [&](Type type, StringRef what) -> LogicalResult {
    if (cast<ShapedType>(type).getRank() == spec.getNumResultIndices())
      return success();
    return op.emitOpError("expects ")
           << what << " to have " << spec.getNumResultIndices()
           << " axes, one for each index after '->' in \"" << spec.toString()
           << "\", found " << type;
  };
  if (op.getOuts() && failed(verifyOutput(op.getOuts().getType(), "outs")))
    return failure();
  return op.hasTensorForm()
             ? verifyOutput(op.getResult().getType(), "the result")
             : success();
}

/// C10: rank and element type of tables.
static LogicalResult verifyTables(ContractOp op) {
  for (LookupAttr lookup : op.getSpec().getLookups()) {
    if (lookup.isIndex())
      continue;
    auto type = cast<ShapedType>(op.getTable(lookup.getTable()).getType());
    if (type.getRank() != static_cast<int64_t>(lookup.getIndices().size()))
      return op.emitOpError("expects table '")
             << lookup.getTable() << "' to have " << lookup.getIndices().size()
             << " axes, one for each index in its brackets, found " << type;
    if (!type.getElementType().isSignlessInteger(32) &&
        !type.getElementType().isSignlessInteger(64))
      return op.emitOpError("expects table '")
             << lookup.getTable() << "' to have i32 or i64 elements, found "
             << type;
  }
  return success();
}

/// Whether every value of `from` is exactly a value of `to`.
static bool holdsExactly(Type to, Type from) {
  auto toFloat = dyn_cast<FloatType>(to), fromFloat = dyn_cast<FloatType>(from);
  if (!toFloat || !fromFloat)
    return to.isSignlessInteger(32) && isa<IntegerType>(from);
  const llvm::fltSemantics &t = toFloat.getFloatSemantics();
  const llvm::fltSemantics &f = fromFloat.getFloatSemantics();
  return APFloat::isRepresentableBy(f, t);
}

/// C15, C16: element types.
static LogicalResult verifyElements(ContractOp op) {
  auto elementOf = [](Type type) {
    return cast<ShapedType>(type).getElementType();
  };
  auto elements = llvm::map_to_vector(op.getInputs().getTypes(), elementOf);
  for (auto [i, element] : llvm::enumerate(elements))
    if (isa<FloatType>(element) != isa<FloatType>(elements[0]))
      return op.emitOpError("expects the elements of all operands to be floats "
                            "or all to be integers, found ")
             << elements[0] << " in operand 0 and " << element << " in operand "
             << i;
  Type acc = op.getAccumulatorType();
  if (!acc.isF16() && !acc.isBF16() && !acc.isF32() && !acc.isF64() &&
      !acc.isSignlessInteger(32))
    return op.emitOpError("expects 'acc' to be f16, bf16, f32, f64 or i32, "
                          "found ")
           << acc;
  for (Type element : elements)
    if (!holdsExactly(acc, element))
      return op.emitOpError("expects 'acc' to hold every value of ")
             << element << ", found " << acc;
  Type output = op.getOutputType().getElementType();
  if (isa<FloatType>(output) != isa<FloatType>(elements[0]))
    return op.emitOpError("expects the elements of the result to be ")
           << (isa<FloatType>(elements[0]) ? "floats" : "integers")
           << ", as those of the operands (" << elements[0] << "), found "
           << output;
  return success();
}

/// C29: the precision of products.
static LogicalResult verifyPrecision(ContractOp op) {
  StringRef precision = op.getPrecision().value_or("full");
  if (precision != "full" && precision != "tf32")
    return op.emitOpError("expects 'precision' to be \"full\" or \"tf32\", "
                          "found \"")
           << precision << "\" (C29)";
  if (precision == "full")
    return success();
  if (op.getInputs().size() != 2)
    return op.emitOpError("expects two operands with precision = \"tf32\", "
                          "found ")
           << op.getInputs().size()
           << ": contract them two at a time, and say which products are to be "
              "rounded (C29)";
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    if (Type element = getElementTypeOrSelf(input); !element.isF32())
      return op.emitOpError("expects operands of f32 with precision = "
                            "\"tf32\", found ")
             << element << " in operand " << i << " (C29)";
  if (!op.getAccumulatorType().isF32())
    return op.emitOpError("expects an accumulator of f32 with precision = "
                          "\"tf32\", found ")
           << op.getAccumulatorType() << " (C29)";
  return success();
}

/// C13, C18: attributes.
static LogicalResult verifyAttributes(ContractOp op) {
  StringRef pad = op.getPad().value_or("none");
  if (pad != "none" && pad != "zero")
    return op.emitOpError("expects 'pad' to be \"none\" or \"zero\", found \"")
           << pad << "\"";
  if (DictionaryAttr sizes = op.getSizesAttr())
    for (NamedAttribute entry : sizes) {
      StringRef name = entry.getName().getValue();
      if (name.size() != 1 || !op.getSpec().getIndices().contains(name))
        return op.emitOpError("unknown index '")
               << name << "' in 'sizes': the specification \""
               << op.getSpec().toString() << "\" has no such index";
      auto size = dyn_cast<IntegerAttr>(entry.getValue());
      if (!size || size.getValue().getSignificantBits() > 64 ||
          size.getInt() < 0)
        return op.emitOpError("expects the size of index '")
               << name << "' in 'sizes' to be a non-negative integer, found "
               << entry.getValue();
    }
  return success();
}

// These return failure() by themselves: an inactive diagnostic converts to
// success.
using EmitError = function_ref<InFlightDiagnostic()>;

/// C11, C12: sizes of indices. Gives the static ones.
static LogicalResult verifySizes(ContractOp op,
                                 SmallVectorImpl<int64_t> &staticSizes,
                                 EmitError emitError) {
  auto sizes = inferIndexSizes(op, emitError);
  if (failed(sizes))
    return failure();
  SpecAttr spec = op.getSpec();
  for (auto [index, size] : llvm::enumerate(*sizes)) {
    staticSizes.push_back(size.size);
    if (size.source == IndexSize::Source::Unknown) {
      std::string name(1, spec.getIndices()[index]);
      auto diagnostic = emitError()
                        << "cannot tell the size of index '" << name << "': ";
      if (spec.isReduction(index))
        diagnostic << "add it to the attributes, {sizes = {" << name
                   << " = ...}}";
      else
        diagnostic << "give the result a static size, or pass "
                      "outs(%value : type)";
      return failure();
    }
  }
  return success();
}

/// C19: divisors that are expressions of indices.
static LogicalResult verifyDivisors(ContractOp op, ArrayRef<int64_t> sizes,
                                    EmitError emitError) {
  SpecAttr spec = op.getSpec();
  if (llvm::is_contained(sizes, 0)) // nothing is read
    return success();
  for (auto [operand, map] : llvm::enumerate(spec.getMaps()))
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      bool positive = true;
      expr.walk([&](AffineExpr inner) {
        if (inner.getKind() != AffineExprKind::FloorDiv &&
            inner.getKind() != AffineExprKind::Mod)
          return;
        AffineExpr divisor = cast<AffineBinaryOpExpr>(inner).getRHS();
        if (isa<AffineConstantExpr>(divisor) || spec.usesTable(divisor))
          return;
        auto range = getIndexRange(divisor, spec, sizes);
        positive &= range && range->min >= 1;
      });
      if (positive)
        continue;
      emitError()
          << "expects divisors to be positive: axis " << axis << " of operand "
          << operand << " (" << spec.axisToString(operand, axis)
          << ") divides by zero for some values of its indices, or by an "
             "index of dynamic size";
      return failure();
    }
  return success();
}

/// C14, and the part of C4 that depends on sizes.
static LogicalResult verifyReads(ContractOp op, ArrayRef<int64_t> sizes,
                                 EmitError emitError) {
  SpecAttr spec = op.getSpec();
  if (llvm::is_contained(sizes, 0)) // nothing is read
    return success();
  for (auto [operand, map] : llvm::enumerate(spec.getMaps()))
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      if (spec.getBareIndex(operand, axis) || spec.usesTable(expr))
        continue;
      bool isStatic = true;
      for (unsigned index = 0; index < sizes.size(); ++index)
        isStatic &= !spec.usesIndex(expr, index) ||
                    !ShapedType::isDynamic(sizes[index]);
      if (!isStatic)
        continue;
      std::string text = spec.axisToString(operand, axis);
      auto range = getIndexRange(expr, spec, sizes);
      if (!range) {
        emitError() << "the index of axis " << axis << " of operand " << operand
                    << " (" << text << ") overflows 64 bits";
        return failure();
      }
      int64_t dim =
          cast<ShapedType>(op.getInputs()[operand].getType()).getDimSize(axis);
      if (op.isPadded() || ShapedType::isDynamic(dim))
        continue;
      if (range->min >= 0 && range->max < dim)
        continue;
      emitError() << "axis " << axis << " of operand " << operand << " ("
                  << text << ") reads indices " << range->min << " to "
                  << range->max << ", outside of its size " << dim
                  << ": expected them in [0, " << dim
                  << "); change the sizes or add {pad = \"zero\"}";
      return failure();
    }
  return success();
}

LogicalResult tileir::einsum::verifyIndexSizes(ContractOp op,
                                               EmitError emitError) {
  SmallVector<int64_t> sizes;
  if (failed(verifySizes(op, sizes, emitError)) ||
      failed(verifyDivisors(op, sizes, emitError)))
    return failure();
  return verifyReads(op, sizes, emitError);
}

LogicalResult ContractOp::verify() {
  if (failed(verifyCounts(*this)) || failed(verifyForm(*this)) ||
      failed(verifyRanks(*this)) || failed(verifyTables(*this)) ||
      failed(verifyElements(*this)) || failed(verifyPrecision(*this)) ||
      failed(verifyAttributes(*this)))
    return failure();
  if (failed(verifyIndexSizes(*this, [&] { return emitOpError(); })))
    return failure();
  return verifySchedule(*this);
}
