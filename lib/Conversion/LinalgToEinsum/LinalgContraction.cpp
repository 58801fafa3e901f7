//===- LinalgContraction.cpp - Structured ops as contractions -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The region has to yield a product of elements, or their sum with the element
// of the output; the loops become indices, and the indexing maps terms. Which
// maps make a specification is left to its parser. A factor that only
// transposes, repeats or extends elements of another tensor gives way to that.
//
//===----------------------------------------------------------------------===//

#include "LinalgContraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::to_einsum;

/// The names of the loops, in their order.
static constexpr StringLiteral
    kIndices("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

/// The most factors of a product. A region of a few squarings has very many.
static constexpr unsigned kMaxFactors = 16;

LogicalResult to_einsum::reportAsMiss(MLIRContext *context, Miss miss,
                                      function_ref<LogicalResult()> work) {
  std::string reason;
  uint64_t thread = llvm::get_threadid();
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      if (llvm::get_threadid() != thread)
        return failure(); // that of another pass
      if (reason.empty())
        reason = diagnostic.str();
      return success();
    });
    result = work();
  }
  return failed(result) ? miss(reason) : success();
}

//===----------------------------------------------------------------------===//
// The region
//===----------------------------------------------------------------------===//

namespace {
/// Finds the factors of the product that a region computes.
class RegionMatcher {
public:
  RegionMatcher(linalg::LinalgOp op, Miss miss)
      : op(op), miss(miss), operands(op.getOpOperandsMatchingBBargs()) {}

  LogicalResult match() {
    Value yielded = op.getBlock()->getTerminator()->getOperand(0);
    auto isOutput = [&](Value value) {
      OpOperand *operand = getOperand(value);
      return operand && op.isDpsInit(operand);
    };
    if (Operation *sum = yielded.getDefiningOp();
        isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum)) {
      Value left = sum->getOperand(0), right = sum->getOperand(1);
      if (isOutput(left))
        std::swap(left, right);
      if (!isOutput(right))
        return miss("it yields a sum without the element of the output");
      accumulates = true;
      yielded = left;
    } else if (op.getNumReductionLoops() != 0) {
      return miss("it reduces by something else than a sum");
    }
    return collectFactors(yielded);
  }

  /// The operand whose elements `value` is, if it is an argument of the region.
  OpOperand *getOperand(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == op.getBlock()
               ? operands[argument.getArgNumber()]
               : nullptr;
  }

  SmallVector<OpOperand *> factors;
  bool accumulates = false;

private:
  LogicalResult collectFactors(Value product) {
    SmallVector<Value> pending = {product};
    while (!pending.empty()) {
      Value value = pending.pop_back_val();
      Operation *def = value.getDefiningOp();
      if (isa_and_nonnull<arith::MulFOp, arith::MulIOp>(def)) {
        pending.push_back(def->getOperand(1));
        pending.push_back(def->getOperand(0));
      } else if (failed(addFactor(value))) {
        return failure();
      }
      if (factors.size() + pending.size() > kMaxFactors)
        return miss("its product has more than " + Twine(kMaxFactors) +
                    " factors");
    }
    return success();
  }

  /// An element, which may be converted to a type that holds it exactly.
  LogicalResult addFactor(Value value) {
    while (Operation *cast = value.getDefiningOp()) {
      if (!isa<arith::ExtFOp, arith::ExtSIOp>(cast))
        return miss("its region has '" + cast->getName().getStringRef() +
                    (isa<arith::MulFOp, arith::MulIOp>(cast)
                         ? "' in a narrower type than its result"
                         : "', where einsum.contract has only products, sums "
                           "and extensions of signed numbers"));
      value = cast->getOperand(0);
    }
    OpOperand *operand = getOperand(value);
    if (!operand)
      return miss("it multiplies by a value from outside of its region");
    if (op.isDpsInit(operand))
      return miss("it yields a product with the element of the output");
    if (!isa<ShapedType>(operand->get().getType()))
      return miss("operand " + Twine(operand->getOperandNumber()) +
                  " is a scalar");
    factors.push_back(operand);
    return success();
  }

  linalg::LinalgOp op;
  Miss miss;
  SmallVector<OpOperand *> operands;
};
} // namespace

//===----------------------------------------------------------------------===//
// The indexing maps
//===----------------------------------------------------------------------===//

/// Rejects what the type system of structured ops allows and that of
/// contractions does not.
static LogicalResult matchForm(linalg::LinalgOp op, Miss miss) {
  if (op.getNumDpsInits() != 1)
    return miss("it has " + Twine(op.getNumDpsInits()) +
                " outputs, expected one");
  if (op.getNumLoops() > kIndices.size())
    return miss("it has more than " + Twine(kIndices.size()) + " loops");
  for (AffineMap map : op.getIndexingMapsArray()) {
    bool roundsUp = false;
    map.walkExprs([&](AffineExpr expr) {
      roundsUp |= expr.getKind() == AffineExprKind::CeilDiv;
    });
    if (roundsUp)
      return miss("an indexing map has 'ceildiv': write it with 'floordiv'");
  }
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!output.isProjectedPermutation())
    return miss("the indexing map of its output is not a list of different "
                "loops");
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (output.isFunctionOfDim(loop) != (type == utils::IteratorType::parallel))
      return miss(
          "loop d" + Twine(loop) + " is " + utils::stringifyIteratorType(type) +
          " and " +
          (output.isFunctionOfDim(loop) ? "indexes" : "does not index") +
          " the output");
  return success();
}

/// If `factor` is what a structured op makes of one tensor by moving, repeating
/// or extending its elements, makes it that tensor, and returns true.
static bool lookThrough(Value &factor, AffineMap &map) {
  auto producer = factor.getDefiningOp<linalg::LinalgOp>();
  if (!producer || producer.getNumDpsInputs() != 1 ||
      producer.getNumDpsInits() != 1 ||
      producer.getNumParallelLoops() != producer.getNumLoops())
    return false;
  OpOperand *source = producer.getDpsInputOperand(0);
  Value element = producer.getBlock()->getTerminator()->getOperand(0);
  while (Operation *cast = element.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp>(cast))
      return false;
    element = cast->getOperand(0);
  }
  AffineMap output =
      producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
  if (element != producer.getMatchingBlockArgument(source) ||
      !isa<RankedTensorType>(source->get().getType()) ||
      !output.isPermutation())
    return false;
  factor = source->get();
  map = producer.getMatchingIndexingMap(source)
            .compose(inversePermutation(output))
            .compose(map);
  return true;
}

/// The entries of `sizes`, for loops that are reduced and that no axis of a
/// factor is alone: einsum would find the largest possible window.
static FailureOr<DictionaryAttr> getSizes(linalg::LinalgOp op,
                                          ArrayRef<AffineMap> maps, Miss miss) {
  Builder builder(op.getContext());
  NamedAttrList entries;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  for (unsigned loop : reduced) {
    AffineExpr index = builder.getAffineDimExpr(loop);
    if (llvm::any_of(maps, [&](AffineMap map) {
          return llvm::is_contained(map.getResults(), index);
        }))
      continue;
    if (ShapedType::isDynamic(ranges[loop]))
      return miss("no factor tells the size of loop d" + Twine(loop) +
                  ", which is dynamic");
    entries.append(kIndices.substr(loop, 1),
                   builder.getI64IntegerAttr(ranges[loop]));
  }
  return entries.empty() ? DictionaryAttr()
                         : entries.getDictionary(op.getContext());
}

/// The specification that these maps of factors make.
static FailureOr<SpecAttr> getSpec(linalg::LinalgOp op,
                                   ArrayRef<AffineMap> maps, Miss miss) {
  MLIRContext *context = op.getContext();
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<unsigned> order;
  for (AffineExpr axis : output.getResults())
    order.push_back(cast<AffineDimExpr>(axis).getPosition());
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!output.isFunctionOfDim(loop))
      order.push_back(loop);
  std::string text =
      SpecAttr::get(context, kIndices.take_front(op.getNumLoops()),
                    output.getNumResults(), /*lookups=*/{}, maps)
          .reorder(order, output.getNumResults(), maps)
          .toString();

  SpecAttr spec;
  if (failed(reportAsMiss(
          context,
          [&](const Twine &reason) {
            return miss("'" + text + "': " + reason);
          },
          [&] {
            spec = SpecAttr::parse(
                context, text, [&](size_t) { return emitError(op.getLoc()); });
            return success(spec != nullptr);
          })))
    return failure();
  return spec;
}

FailureOr<LinalgContraction> LinalgContraction::match(linalg::LinalgOp op,
                                                      Miss miss) {
  if (failed(matchForm(op, miss)))
    return failure();
  RegionMatcher region(op, miss);
  if (failed(region.match()))
    return failure();
  LinalgContraction result;
  result.accumulates = region.accumulates;
  SmallVector<AffineMap> maps;
  for (OpOperand *factor : region.factors) {
    result.inputs.push_back(factor->get());
    maps.push_back(op.getMatchingIndexingMap(factor));
    while (lookThrough(result.inputs.back(), maps.back()))
      ;
  }

  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  // So is a product with what is broadcast: kernels fuse it with others.
  auto isOutput = [&](AffineMap map) { return map == output; };
  auto isBroadcast = [](AffineMap map) {
    return map.isProjectedPermutation(/*allowZeroInResults=*/true);
  };
  if (llvm::all_of(maps, isOutput) ||
      (!region.accumulates && llvm::any_of(maps, isOutput) &&
       llvm::all_of(maps, isBroadcast)))
    return miss("it is element-wise");
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (llvm::none_of(maps,
                      [&](AffineMap map) { return map.isFunctionOfDim(loop); }))
      return miss("no factor is indexed by loop d" + Twine(loop) +
                  ": einsum.contract does not repeat elements");
  auto spec = getSpec(op, maps, miss);
  if (failed(spec))
    return failure();
  auto sizes = getSizes(op, maps, miss);
  if (failed(sizes))
    return failure();
  result.spec = *spec;
  result.sizes = *sizes;
  return result;
}
