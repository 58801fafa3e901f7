//===- HostEmitter.cpp - Host code around a kernel ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables have an entry per group of positions of the sum, in the order in which
// kernels go through it: the innermost index fastest, which groups divide. The
// factor that all entries are known to be multiples of is left to the kernel:
// it tells how pointers are aligned. Tables that depend on no run-time value
// are constants of the module.
//
//===----------------------------------------------------------------------===//

#include "HostEmitter.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;
using namespace tileir::to_tile;

/// The most entries of a table that becomes a constant of the module.
static constexpr int64_t kMaxConstantTable = 1 << 16;

//===----------------------------------------------------------------------===//
// Sizes and strides
//===----------------------------------------------------------------------===//

Value HostEmitter::getValue(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(builder, loc, value);
}

OpFoldResult HostEmitter::multiply(OpFoldResult lhs, OpFoldResult rhs) {
  auto left = getConstantIntValue(lhs), right = getConstantIntValue(rhs);
  if (left && right)
    return builder.getIndexAttr(*left * *right);
  if (left == 1)
    return rhs;
  if (right == 1)
    return lhs;
  return arith::MulIOp::create(builder, loc, getValue(lhs), getValue(rhs))
      .getResult();
}

OpFoldResult HostEmitter::getTotal(ArrayRef<unsigned> indices) {
  OpFoldResult size = builder.getIndexAttr(1);
  for (unsigned index : indices)
    size = multiply(size, sizes[index]);
  return size;
}

OpFoldResult HostEmitter::getInputDim(unsigned operand, unsigned axis) {
  return memrefs.getDim(builder, op.getInputs()[operand], axis);
}

SmallVector<OpFoldResult> HostEmitter::getStrides(Value memref) {
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  SmallVector<OpFoldResult> strides(rank, builder.getIndexAttr(1));
  for (int64_t axis = rank - 2; axis >= 0; --axis)
    strides[axis] =
        multiply(strides[axis + 1],
                 memref::getMixedSize(builder, loc, memref, axis + 1));
  return strides;
}

Value HostEmitter::getNumBlocks(OpFoldResult size, int64_t block) {
  if (auto constant = getConstantIntValue(size))
    return createInteger(builder, loc, builder.getIndexType(),
                         llvm::divideCeil(*constant, block));
  Value divisor = createInteger(builder, loc, builder.getIndexType(), block);
  return arith::CeilDivUIOp::create(builder, loc, getValue(size), divisor);
}

Value HostEmitter::getMultiple(Value number, int64_t factor) {
  if (factor == 1)
    return number;
  Value multiple = getNumBlocks(number, factor);
  if (auto constant = getConstantIntValue(multiple))
    return createInteger(builder, loc, builder.getIndexType(),
                         *constant * factor);
  return arith::MulIOp::create(
      builder, loc, multiple,
      createInteger(builder, loc, builder.getIndexType(), factor));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Emits a loop per index, the first one innermost, from 0 to its bound.
/// `body` gets a value per index of the contraction: 0 for those without a
/// loop.
void HostEmitter::emitLoops(ArrayRef<unsigned> indices, ArrayRef<Value> bounds,
                            function_ref<void(ArrayRef<Value>)> body) {
  OpBuilder::InsertionGuard guard(builder);
  Value zero = createInteger(builder, loc, builder.getIndexType(), 0);
  Value one = createInteger(builder, loc, builder.getIndexType(), 1);
  SmallVector<Value> values(sizes.size(), zero);
  for (auto [index, bound] : llvm::reverse(llvm::zip_equal(indices, bounds))) {
    auto loop = scf::ForOp::create(builder, loc, zero, bound, one);
    values[index] = loop.getInductionVar();
    builder.setInsertionPointToStart(loop.getBody());
  }
  body(values);
}

HostEmitter::Table HostEmitter::getTable(unsigned operand,
                                         ArrayRef<AffineExpr> exprs,
                                         ArrayRef<OpFoldResult> factors,
                                         int64_t group) {
  int64_t unit = getUnit(exprs, factors, group);
  auto values = evaluateTable(exprs, factors, group, unit);
  if (!values)
    return {emitTable(operand, exprs, factors, group, unit), unit};
  auto type =
      MemRefType::get(values.getType().getShape(), builder.getI64Type());
  OpBuilder moduleBuilder(builder.getContext());
  auto global = memref::GlobalOp::create(
      moduleBuilder, loc, "einsum_offsets", builder.getStringAttr("private"),
      type, values, /*constant=*/true, /*alignment=*/nullptr);
  auto *module = symbols.getOp();
  symbols.insert(global, Block::iterator(module->getRegion(0).front().begin()));
  return {memref::GetGlobalOp::create(builder, loc, type, global.getSymName()),
          unit};
}

/// Returns a number that divides all entries.
int64_t HostEmitter::getUnit(ArrayRef<AffineExpr> exprs,
                             ArrayRef<OpFoldResult> factors, int64_t group) {
  AffineExpr innermost =
      getAffineDimExpr(plan.depth.front(), builder.getContext());
  int64_t unit = 0;
  for (auto [expr, factor] : llvm::zip_equal(exprs, factors)) {
    // The index is at multiples of `group`.
    AffineExpr atGroups = expr.replace(innermost, innermost * group);
    if (atGroups == getAffineConstantExpr(0, builder.getContext()))
      continue;
    int64_t divisor;
    if (llvm::MulOverflow<int64_t>(atGroups.getLargestKnownDivisor(),
                                   getConstantIntValue(factor).value_or(1),
                                   divisor))
      return 1;
    unit = std::gcd(unit, divisor);
  }
  return std::max<int64_t>(unit, 1);
}

/// The entries, if they are known; null if not, or if there are too many.
DenseElementsAttr HostEmitter::evaluateTable(ArrayRef<AffineExpr> exprs,
                                             ArrayRef<OpFoldResult> factors,
                                             int64_t group, int64_t unit) {
  int64_t size = plan.getStaticSize(plan.depth);
  if (ShapedType::isDynamic(size) || size == 0 ||
      size / group > kMaxConstantTable)
    return nullptr;
  SmallVector<int64_t> constants;
  for (auto [expr, factor] : llvm::zip_equal(exprs, factors)) {
    auto constant = getConstantIntValue(factor);
    if (!constant || plan.spec.usesTable(expr))
      return nullptr;
    constants.push_back(*constant);
  }
  ArrayRef<LookupAttr> lookups = plan.spec.getLookups();
  auto map =
      AffineMap::get(sizes.size(), lookups.size(), exprs, builder.getContext());
  SmallVector<int64_t> entries;
  for (int64_t position = 0; position < size; position += group) {
    SmallVector<Attribute> values(sizes.size() + lookups.size(),
                                  builder.getIndexAttr(0));
    int64_t rest = position;
    for (unsigned index : plan.depth) {
      values[index] = builder.getIndexAttr(rest % plan.sizes[index]);
      rest /= plan.sizes[index];
    }
    // Without tables symbols are indices.
    for (auto [symbol, lookup] : llvm::enumerate(lookups))
      if (lookup.isIndex())
        values[sizes.size() + symbol] = values[lookup.getIndices().front()];
    SmallVector<Attribute> results;
    if (failed(map.constantFold(values, results)))
      return nullptr;
    int64_t entry = 0;
    for (auto [result, factor] : llvm::zip_equal(results, constants))
      entry += cast<IntegerAttr>(result).getInt() * factor;
    entries.push_back(entry / unit);
  }
  return DenseElementsAttr::get(
      RankedTensorType::get({size / group}, builder.getI64Type()),
      ArrayRef<int64_t>(entries));
}

/// A new buffer, filled by loops. It is freed by buffer deallocation.
Value HostEmitter::emitTable(unsigned operand, ArrayRef<AffineExpr> exprs,
                             ArrayRef<OpFoldResult> factors, int64_t group,
                             int64_t unit) {
  // The innermost index, which is of static size if there are groups, takes as
  // many values as there are groups.
  unsigned innermost = plan.depth.front();
  auto counts = llvm::map_to_vector(
      plan.depth, [&](unsigned index) { return sizes[index]; });
  if (group > 1)
    counts.front() = builder.getIndexAttr(plan.sizes[innermost] / group);
  OpFoldResult size = builder.getIndexAttr(1);
  for (OpFoldResult count : counts)
    size = multiply(size, count);
  auto [shape, dynamicSizes] = decomposeMixedValues({size});
  Value table = memref::AllocOp::create(
      builder, loc, MemRefType::get(shape, builder.getI64Type()), dynamicSizes);
  // Reads are checked elsewhere.
  CheckEmitter silent(cast<ModuleOp>(symbols.getOp()), RuntimeChecks::None);
  IndexEmitter indexEmitter(memrefs, silent);
  auto getNumber = [&](int64_t number) {
    return createInteger(builder, loc, builder.getIndexType(), number);
  };
  auto bounds = llvm::map_to_vector(
      counts, [&](OpFoldResult count) { return getValue(count); });
  auto factorValues = llvm::map_to_vector(
      factors, [&](OpFoldResult factor) { return getValue(factor); });
  emitLoops(plan.depth, bounds, [&](ArrayRef<Value> groups) {
    Value position;
    for (auto [index, bound] :
         llvm::reverse(llvm::zip_equal(plan.depth, bounds))) {
      position = position
                     ? arith::AddIOp::create(
                           builder, loc,
                           arith::MulIOp::create(builder, loc, position, bound),
                           groups[index])
                           .getResult()
                     : groups[index];
    }
    auto indices = llvm::to_vector(groups);
    if (group > 1)
      indices[innermost] = arith::MulIOp::create(
          builder, loc, groups[innermost], getNumber(group));
    Value entry;
    for (auto [expr, factor] : llvm::zip_equal(exprs, factorValues)) {
      Value position = indexEmitter.emit(builder, operand, expr, indices);
      Value offset = arith::MulIOp::create(builder, loc, position, factor);
      entry =
          entry ? arith::AddIOp::create(builder, loc, entry, offset) : offset;
    }
    if (unit > 1)
      entry = arith::DivSIOp::create(builder, loc, entry, getNumber(unit));
    entry =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), entry);
    memref::StoreOp::create(builder, loc, entry, table, position);
  });
  return table;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Whether a value from a table divides something.
static bool dividesByTable(SpecAttr spec, AffineExpr expr) {
  bool divides = false;
  expr.walk([&](AffineExpr inner) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(inner);
    divides |= binary &&
               (binary.getKind() == AffineExprKind::FloorDiv ||
                binary.getKind() == AffineExprKind::Mod) &&
               spec.usesTable(binary.getRHS());
  });
  return divides;
}

/// Kernels cannot report, so that their reads are tried beforehand.
void HostEmitter::emitReadChecks(CheckEmitter &checks) {
  if (checks.getLevel() == RuntimeChecks::None ||
      llvm::is_contained(plan.sizes, 0))
    return;
  for (unsigned operand = 0; operand < plan.operands.size(); ++operand) {
    AffineMap map = plan.spec.getMaps()[operand];
    for (unsigned axis = 0; axis < map.getNumResults(); ++axis) {
      bool checksReads =
          !op.isPadded() &&
          llvm::is_contained(plan.operands[operand].maskedAxes, axis);
      if (checksReads || dividesByTable(plan.spec, map.getResult(axis)))
        emitReadChecks(checks, operand, axis, checksReads);
    }
  }
}

void HostEmitter::emitReadChecks(CheckEmitter &checks, unsigned operand,
                                 unsigned axis, bool checksReads) {
  AffineExpr expr = plan.spec.getMaps()[operand].getResult(axis);
  Value one = createInteger(builder, loc, builder.getIndexType(), 1);
  auto indices = llvm::to_vector(
      llvm::reverse(llvm::seq<unsigned>(0, plan.spec.getNumIndices())));
  // One value of the other indices is enough; without any nothing is read.
  auto bounds = llvm::map_to_vector(indices, [&](unsigned index) -> Value {
    Value size = getValue(sizes[index]);
    if (plan.spec.usesIndex(expr, index))
      return size;
    return builder.createOrFold<arith::MinUIOp>(loc, size, one);
  });
  Value size = getValue(getInputDim(operand, axis));
  IndexEmitter indexEmitter(memrefs, checks);
  emitLoops(indices, bounds, [&](ArrayRef<Value> values) {
    Value position = indexEmitter.emit(builder, operand, expr, values);
    if (!checksReads)
      return;
    Value inside = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, position, size);
    indexEmitter.emitReadCheck(builder, operand, axis, values, position, size,
                               inside);
  });
}
