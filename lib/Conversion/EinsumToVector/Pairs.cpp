//===- Pairs.cpp - Products of pairs of elements --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some CPUs multiply two vectors of bf16 and add the products of each pair of
// neighbours to an f32 (vdpbf16ps), and most those of i16 to an i32 (vpdpwssd,
// or vpmaddwd and vpaddd, which LLVM finds by itself). For that, two steps of a
// sum have to lie side by side: such a pair is one i32 here, so that what moves
// elements of 32 bits, packs and transposes them, moves pairs. Only where they
// are made, and where they are multiplied, they are bf16 or i16; i8 is made i16
// where it is copied.
//
//===----------------------------------------------------------------------===//

#include "Pairs.h"

#include "PackEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::to_vector;

/// How often a copy in pairs has to be read to be worth making.
static constexpr int64_t kLeastReads = 4;

/// Whether a kernel can read pairs along `dim` of `input` where it lies.
static bool hasPairs(const Nest &nest, const Operand &input, unsigned dim) {
  // Elements of i8 are made wider where they are copied.
  if (input.expression || nest.accumulator.isInteger())
    return false;
  const Access &access = nest.accesses[input.accesses.front()];
  return access.strides[dim] == 1 && !access.tablesDependOn(dim) &&
         !(nest.lanes && access.dependsOn(*nest.lanes)) &&
         nest.dims[dim].getSize() % 2 == 0;
}

/// The cost of pairs along `dim`, for comparison: first products of padding,
/// then copies; nothing if there can be no pairs.
static std::optional<std::pair<double, int64_t>> getCost(const Nest &nest,
                                                         unsigned dim) {
  int64_t size = nest.dims[dim].getSize(), copies = 0;
  if (size < 2)
    return std::nullopt;
  for (const Operand &input : nest.inputs) {
    if (hasPairs(nest, input, dim))
      continue;
    auto panelDim = getPanelDim(nest, input);
    if (!panelDim)
      return std::nullopt;
    auto other = *panelDim == nest.lanes ? nest.rows : nest.lanes;
    if (!other || nest.dims[*other].getSize() < kLeastReads)
      return std::nullopt;
    ++copies;
  }
  return std::pair(double(size + size % 2) / size, copies);
}

/// Whether `machine` has products of pairs of what `nest` multiplies.
static bool hasProducts(const Nest &nest, einsum::MachineAttr machine) {
  auto are = [&](auto is) { return llvm::all_of(nest.inputTypes, is); };
  return (machine.getBf16() && nest.accumulator.isF32() &&
          are(llvm::IsaPred<BFloat16Type>)) ||
         (nest.accumulator.isInteger(32) &&
          are([](Type type) { return type.isInteger(8); }));
}

void to_vector::choosePairs(Nest &nest, einsum::MachineAttr machine) {
  if (machine.getVectorBits() < 256 || machine.getVectorBits() > 512 ||
      nest.inputs.size() != 2 || !nest.lanes || !hasProducts(nest, machine))
    return;
  std::optional<std::pair<double, int64_t>> least;
  // Of dimensions that cost the same, the innermost is taken.
  for (unsigned dim : llvm::reverse(nest.sums))
    if (auto cost = getCost(nest, dim); cost && (!least || *cost < *least)) {
      least = cost;
      nest.paired = dim;
    }
  if (!nest.paired)
    return;
  for (auto [i, input] : llvm::enumerate(nest.inputs))
    if (!hasPairs(nest, input, *nest.paired) &&
        !llvm::is_contained(nest.pack, int64_t(i)))
      nest.pack.push_back(i);
}

Access to_vector::stepByPairs(const Nest &nest, Access access) {
  if (!nest.paired)
    return access;
  access.strides[*nest.paired] *= 2;
  for (OffsetTable &table : access.tables)
    table.strides[*nest.paired] *= 2;
  return access;
}

/// `elements`, as they are in pairs.
static Value widen(IndexBuilder &index, Value elements) {
  if (!getElementTypeOrSelf(elements).isInteger(8))
    return elements;
  Type type = index.builder.getI16Type();
  if (auto vector = dyn_cast<VectorType>(elements.getType()))
    type = vector.clone(type);
  return arith::ExtSIOp::create(index.builder, index.loc, type, elements);
}

Value to_vector::toPairs(IndexBuilder &index, Value elements) {
  int64_t size = cast<VectorType>(elements.getType()).getDimSize(0);
  auto type = VectorType::get(size / 2, index.builder.getI32Type());
  return vector::BitCastOp::create(index.builder, index.loc, type,
                                   widen(index, elements));
}

Value to_vector::toElements(IndexBuilder &index, const Nest &nest,
                            Value pairs) {
  OpBuilder &builder = index.builder;
  int64_t size = 2 * cast<VectorType>(pairs.getType()).getDimSize(0);
  bool isFloat = nest.accumulator.isF32();
  auto type = VectorType::get(size, isFloat ? Type(builder.getBF16Type())
                                            : Type(builder.getI16Type()));
  Value elements = vector::BitCastOp::create(builder, index.loc, type, pairs);
  if (isFloat)
    return elements;
  return arith::ExtSIOp::create(builder, index.loc,
                                type.clone(nest.accumulator), elements);
}

Value to_vector::multiplyPairs(IndexBuilder &index, const Nest &nest, Value lhs,
                               Value rhs, Value sum) {
  OpBuilder &builder = index.builder;
  if (nest.accumulator.isF32())
    return x86vector::DotBF16Op::create(builder, index.loc, sum, lhs, rhs);
  Value products = arith::MulIOp::create(builder, index.loc, lhs, rhs);
  int64_t size = cast<VectorType>(sum.getType()).getDimSize(0);
  auto take = [&](int64_t first) -> Value {
    auto places = llvm::map_to_vector(llvm::seq<int64_t>(0, size),
                                      [&](int64_t i) { return 2 * i + first; });
    return vector::ShuffleOp::create(builder, index.loc, products, products,
                                     places);
  };
  Value both = arith::AddIOp::create(builder, index.loc, take(0), take(1));
  return arith::AddIOp::create(builder, index.loc, both, sum);
}

Value to_vector::loadPair(IndexBuilder &index, const Access &access,
                          Position position) {
  Value elements = loadVector(index, access, position, {2, 2, 1});
  return vector::ExtractOp::create(index.builder, index.loc,
                                   toPairs(index, elements), 0);
}

Value to_vector::makePairs(IndexBuilder &index, Value first, Value second) {
  OpBuilder &builder = index.builder;
  first = widen(index, first);
  second = second ? widen(index, second)
                  : index.getConstant(
                        cast<TypedAttr>(builder.getZeroAttr(first.getType())));
  if (!isa<VectorType>(first.getType())) {
    auto type = VectorType::get(2, first.getType());
    Value both = vector::FromElementsOp::create(builder, index.loc, type,
                                                ValueRange{first, second});
    return vector::ExtractOp::create(builder, index.loc, toPairs(index, both),
                                     0);
  }
  return toPairs(
      index, vector::InterleaveOp::create(builder, index.loc, first, second));
}
