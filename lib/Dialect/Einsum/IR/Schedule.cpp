//===- Schedule.cpp - Schedules of contractions ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How operands are traversed along letters, and constraints C25 to C28.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "ContractOpVerify.h"
#include "tileir/Dialect/Einsum/IR/LetterSizes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tileir::einsum;

std::optional<SmallVector<int64_t>>
tileir::einsum::getAxisStrides(ShapedType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  SmallVector<int64_t> strides;
  if (auto memref = dyn_cast<MemRefType>(type)) {
    int64_t offset;
    if (failed(memref.getStridesAndOffset(strides, offset)) ||
        llvm::any_of(strides, ShapedType::isDynamic))
      return std::nullopt;
    return strides;
  }
  strides.resize(type.getRank());
  int64_t stride = 1;
  for (int64_t axis = type.getRank(); axis-- > 0;
       stride *= type.getDimSize(axis))
    strides[axis] = stride;
  return strides;
}

static void collectTerms(AffineExpr expr, int64_t factor,
                         SmallVectorImpl<AxisTerm> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add) {
    collectTerms(binary.getLHS(), factor, terms);
    return collectTerms(binary.getRHS(), factor, terms);
  }
  if (binary && binary.getKind() == AffineExprKind::Mul)
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return collectTerms(binary.getLHS(), factor * constant.getValue(), terms);
  terms.push_back({expr, factor});
}

SmallVector<AxisTerm> tileir::einsum::getAxisTerms(AffineExpr axis) {
  SmallVector<AxisTerm> terms;
  collectTerms(axis, 1, terms);
  return terms;
}

std::optional<LetterStrides> tileir::einsum::getLetterStrides(SpecAttr spec,
                                                              AffineMap map,
                                                              ShapedType type) {
  auto axisStrides = getAxisStrides(type);
  if (!axisStrides)
    return std::nullopt;
  LetterStrides result;
  result.strides.assign(spec.getNumLetters(), 0);
  for (auto [axis, stride] : llvm::zip(map.getResults(), *axisStrides))
    for (AxisTerm term : getAxisTerms(axis))
      if (auto constant = dyn_cast<AffineConstantExpr>(term.expr)) {
        result.constant += constant.getValue() * term.factor * stride;
      } else if (auto dim = dyn_cast<AffineDimExpr>(term.expr)) {
        int64_t &sum = result.strides[dim.getPosition()];
        if (!ShapedType::isDynamic(sum))
          sum += term.factor * stride;
      } else {
        for (unsigned letter = 0; letter < spec.getNumLetters(); ++letter)
          if (spec.usesLetter(term.expr, letter))
            result.strides[letter] = ShapedType::kDynamic;
      }
  return result;
}

std::optional<LetterStrides>
tileir::einsum::getLetterStrides(ContractOp op, unsigned operand) {
  SpecAttr spec = op.getSpec();
  if (operand < op.getInputs().size())
    return getLetterStrides(
        spec, spec.getMaps()[operand],
        cast<ShapedType>(op.getInputs()[operand].getType()));
  auto map = AffineMap::getMultiDimIdentityMap(spec.getNumResultLetters(),
                                               op.getContext());
  return getLetterStrides(spec, map, op.getOutputType());
}

int64_t tileir::einsum::getDimStride(SpecAttr spec,
                                     const LetterStrides &strides,
                                     StringRef letters, ArrayRef<int64_t> sizes,
                                     int64_t step) {
  unsigned last = spec.getLetters().find(letters.back());
  int64_t innermost = strides.strides[last];
  if (ShapedType::isDynamic(innermost))
    return ShapedType::kDynamic;
  int64_t expected = innermost;
  for (char name : llvm::reverse(letters)) {
    unsigned letter = spec.getLetters().find(name);
    if (strides.strides[letter] != expected)
      return ShapedType::kDynamic;
    expected *= sizes[letter];
  }
  return innermost * step;
}

DimKind tileir::einsum::getDimKind(SpecAttr spec, unsigned letter) {
  return static_cast<DimKind>(spec.getContractionDim(letter));
}

LogicalResult tileir::einsum::verifySchedulable(
    ContractOp op, function_ref<InFlightDiagnostic()> emitError) {
  auto fail = [&](auto... parts) -> LogicalResult {
    if (!emitError)
      return failure();
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "expects a contraction with a schedule to have ";
    (diagnostic << ... << parts);
    return diagnostic << " (C28)";
  };
  if (op.getInputs().size() > 2)
    return fail("one or two operands, found ", op.getInputs().size(),
                ": run einsum-contract-pairwise before");
  if (op.isPadded())
    return fail("pad = \"none\", found \"zero\": run einsum-pad-operands "
                "before");
  for (unsigned i = 0; i <= op.getInputs().size(); ++i) {
    bool isResult = i == op.getInputs().size();
    Type type = isResult ? op.getOutputType() : op.getInputs()[i].getType();
    if (!getAxisStrides(cast<ShapedType>(type)))
      return fail("operands of static shape and layout, found ", type);
    if (llvm::is_contained(cast<ShapedType>(type).getShape(), 0))
      return fail("operands with elements, found ", type);
  }
  if (llvm::is_contained(getStaticLetterSizes(op), 0))
    return fail("letters of positive size, found one of size 0");
  return success();
}

DimAttr tileir::einsum::makeDim(ContractOp op, StringRef letters,
                                Execution exec, int64_t size, int64_t step) {
  SpecAttr spec = op.getSpec();
  SmallVector<int64_t> sizes = getStaticLetterSizes(op), strides;
  for (unsigned i = 0; i <= op.getInputs().size(); ++i)
    strides.push_back(
        getDimStride(spec, *getLetterStrides(op, i), letters, sizes, step));
  return DimAttr::get(op.getContext(), letters,
                      getDimKind(spec, spec.getLetters().find(letters.back())),
                      exec, size, step, strides);
}

ScheduleAttr tileir::einsum::getSchedule(ContractOp op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  return schedule ? schedule : getDefaultSchedule(op);
}

ScheduleAttr tileir::einsum::getDefaultSchedule(ContractOp op) {
  SpecAttr spec = op.getSpec();
  SmallVector<int64_t> sizes = getStaticLetterSizes(op);
  SmallVector<DimAttr> dims;
  for (unsigned letter = 0; letter < spec.getNumLetters(); ++letter)
    dims.push_back(makeDim(op, spec.getLetters().substr(letter, 1),
                           Execution::Seq, sizes[letter], 1));
  bool sums = spec.getNumLetters() > spec.getNumResultLetters();
  bool isUnary = op.getInputs().size() == 1;
  MainPrimitive main = isUnary ? sums ? MainPrimitive::Sum : MainPrimitive::Copy
                       : sums  ? MainPrimitive::Gemm
                               : MainPrimitive::Mul;
  return ScheduleAttr::get(op.getContext(),
                           sums ? FirstTouch::Zero : FirstTouch::None, main,
                           LastTouch::None, dims, /*lanes=*/-1, /*tile=*/{},
                           /*unroll=*/0, /*prefetch=*/0, /*pack=*/{});
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// C25: the dimensions of each group of letters cover it once.
static LogicalResult verifyCover(ContractOp op, ScheduleAttr schedule,
                                 ArrayRef<int64_t> sizes) {
  SpecAttr spec = op.getSpec();
  llvm::MapVector<StringRef, SmallVector<DimAttr>> groups;
  for (DimAttr dim : schedule.getDims())
    groups[dim.getLetters()].push_back(dim);
  SmallVector<StringRef> owners(spec.getNumLetters());
  for (auto &[letters, dims] : groups) {
    int64_t total = 1;
    for (char name : letters) {
      size_t letter = spec.getLetters().find(name);
      if (letter == StringRef::npos)
        return op.emitOpError("expects the dimensions of its schedule to have "
                              "letters of \"")
               << spec.toString() << "\", found '" << name << "' (C25)";
      if (!owners[letter].empty())
        return op.emitOpError("expects letter '")
               << name << "' in dimensions of the same letters, found \""
               << owners[letter] << "\" and \"" << letters << "\" (C25)";
      owners[letter] = letters;
      total *= sizes[letter];
    }
    llvm::sort(dims, [](DimAttr a, DimAttr b) {
      return std::make_pair(a.getStep(), a.getSize()) <
             std::make_pair(b.getStep(), b.getSize());
    });
    int64_t covered = 1;
    for (DimAttr dim : dims) {
      if (dim.getStep() != covered)
        return op.emitOpError("expects a dimension of \"")
               << letters << "\" with step " << covered << ", found step "
               << dim.getStep() << " (C25)";
      auto product = llvm::checkedMul(covered, dim.getSize());
      if (!product)
        return op.emitOpError("expects the dimensions of \"")
               << letters << "\" to cover " << total
               << " values, found more than 64 bits hold (C25)";
      covered = *product;
    }
    if (covered != total)
      return op.emitOpError("expects the dimensions of \"")
             << letters << "\" to cover " << total << " values, found "
             << covered << " (C25)";
  }
  for (auto [letter, owner] : llvm::enumerate(owners))
    if (owner.empty())
      return op.emitOpError("expects a dimension of letter '")
             << spec.getLetters()[letter] << "' in its schedule (C25)";
  return success();
}

/// C26: kinds and strides.
static LogicalResult verifyDims(ContractOp op, ScheduleAttr schedule) {
  SpecAttr spec = op.getSpec();
  auto print = [](InFlightDiagnostic &diagnostic, ArrayRef<int64_t> strides) {
    diagnostic << "[";
    llvm::interleaveComma(strides, diagnostic, [&](int64_t stride) {
      if (ShapedType::isDynamic(stride))
        diagnostic << "?";
      else
        diagnostic << stride;
    });
    diagnostic << "]";
  };
  for (DimAttr dim : schedule.getDims()) {
    for (char name : dim.getLetters())
      if (DimKind kind = getDimKind(spec, spec.getLetters().find(name));
          kind != dim.getKind())
        return op.emitOpError("expects the dimension of '")
               << name << "' to be of kind " << stringifyDimKind(kind)
               << ", found " << stringifyDimKind(dim.getKind()) << " (C26)";
    DimAttr expected = makeDim(op, dim.getLetters(), dim.getExec(),
                               dim.getSize(), dim.getStep());
    if (expected == dim)
      continue;
    InFlightDiagnostic diagnostic = op.emitOpError("expects strides ");
    print(diagnostic, expected.getStrides());
    diagnostic << " of dimension \"" << dim.getLetters() << "\" with step "
               << dim.getStep() << ", found ";
    print(diagnostic, dim.getStrides());
    return diagnostic << " (C26)";
  }
  return success();
}

/// Verifies that the schedule does not contradict the operands' number and
/// sums.
static LogicalResult verifyPrimitives(ContractOp op, ScheduleAttr schedule) {
  SpecAttr spec = op.getSpec();
  bool sums = spec.getNumLetters() > spec.getNumResultLetters();
  bool isUnary = op.getInputs().size() == 1;
  MainPrimitive main = schedule.getMain();
  bool fits = false;
  switch (main) {
  case MainPrimitive::Copy:
    fits = isUnary && !sums;
    break;
  case MainPrimitive::Sum:
    fits = isUnary && sums;
    break;
  case MainPrimitive::Mul:
    fits = !sums && (!isUnary || isa<KernelOp>(op->getParentOp()));
    break;
  case MainPrimitive::Gemm:
  case MainPrimitive::Brgemm:
    fits = !isUnary && sums;
    break;
  default:
    fits = isUnary && !sums && isa<KernelOp>(op->getParentOp());
  }
  if (!fits)
    return op.emitOpError("expects the main primitive of its schedule to fit "
                          "\"")
           << spec.toString() << "\", found " << stringifyMainPrimitive(main)
           << " (C24)";
  bool isFused = isa<KernelOp>(op->getParentOp());
  FirstTouch first = schedule.getFirst();
  if (sums ? first != FirstTouch::Zero && !isFused : first != FirstTouch::None)
    return op.emitOpError("expects its schedule to start from ")
           << (sums ? "zero" : "none") << ", found "
           << stringifyFirstTouch(first);
  if (!isFused && schedule.getLast() != LastTouch::None)
    return op.emitOpError("expects last = none outside of an einsum.kernel, "
                          "found ")
           << stringifyLastTouch(schedule.getLast());
  bool outside = llvm::any_of(schedule.getDims(), [](DimAttr dim) {
    return dim.getKind() == DimKind::K && dim.getExec() != Execution::Prim;
  });
  bool isIdentified = llvm::any_of(schedule.getDims(), [](DimAttr dim) {
    return dim.getExec() == Execution::Prim;
  });
  if (outside && isIdentified &&
      op.getAccumulatorType() != op.getOutputType().getElementType())
    return op.emitOpError("expects summed dimensions to be prim, for it sums "
                          "in ")
           << op.getAccumulatorType() << " and its result has elements "
           << op.getOutputType().getElementType() << " (C27)";
  for (int64_t operand : schedule.getPack())
    if (operand >= static_cast<int64_t>(op.getInputs().size()))
      return op.emitOpError("expects 'pack' of its schedule to name operands, "
                            "found ")
             << operand;
  return success();
}

LogicalResult tileir::einsum::verifySchedule(ContractOp op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  if (!schedule)
    return success();
  auto emitError = [&] { return op.emitOpError(); };
  if (failed(verifySchedulable(op, emitError)) ||
      failed(verifyCover(op, schedule, getStaticLetterSizes(op))) ||
      failed(verifyDims(op, schedule)))
    return failure();
  return verifyPrimitives(op, schedule);
}
