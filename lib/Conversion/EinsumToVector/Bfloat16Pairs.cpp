//===- Bfloat16Pairs.cpp - Products of pairs of bf16 ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some CPUs multiply two vectors of bf16 and add the products of each pair of
// neighbours to an f32 (vdpbf16ps). For that, two steps of a sum have to lie
// side by side: such a pair is one i32 here, so that what moves elements of 32
// bits, packs and transposes them, moves pairs. Only where they are made, and
// where they are multiplied, they are bf16.
//
//===----------------------------------------------------------------------===//

#include "Bfloat16Pairs.h"

#include "PackEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::to_vector;

/// How often a copy in pairs has to be read to be worth making.
static constexpr int64_t kLeastReads = 4;

/// Whether a kernel can read pairs along `dim` of `input` where it lies.
static bool hasPairs(const Nest &nest, const Operand &input, unsigned dim) {
  if (input.expression)
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

void to_vector::choosePairs(Nest &nest, einsum::MachineAttr machine) {
  if (!machine.getBf16() || machine.getVectorBits() < 256 ||
      machine.getVectorBits() > 512 || !nest.accumulator.isF32() ||
      nest.inputs.size() != 2 || !nest.lanes ||
      !llvm::all_of(nest.inputTypes, llvm::IsaPred<BFloat16Type>))
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

Value to_vector::toPairs(IndexBuilder &index, Value elements) {
  int64_t size = cast<VectorType>(elements.getType()).getDimSize(0);
  auto type = VectorType::get(size / 2, index.builder.getI32Type());
  return vector::BitCastOp::create(index.builder, index.loc, type, elements);
}

Value to_vector::toElements(IndexBuilder &index, Value pairs) {
  int64_t size = cast<VectorType>(pairs.getType()).getDimSize(0);
  auto type = VectorType::get(size * 2, index.builder.getBF16Type());
  return vector::BitCastOp::create(index.builder, index.loc, type, pairs);
}

Value to_vector::loadPair(IndexBuilder &index, const Access &access,
                          Position position) {
  Value elements = loadVector(index, access, position, {2, 2, 1});
  return vector::ExtractOp::create(index.builder, index.loc,
                                   toPairs(index, elements), 0);
}

Value to_vector::makePairs(IndexBuilder &index, Value first, Value second) {
  OpBuilder &builder = index.builder;
  if (!second)
    second = index.getConstant(
        cast<TypedAttr>(builder.getZeroAttr(first.getType())));
  if (!isa<VectorType>(first.getType())) {
    auto type = VectorType::get(2, builder.getBF16Type());
    Value both = vector::FromElementsOp::create(builder, index.loc, type,
                                                ValueRange{first, second});
    return vector::ExtractOp::create(builder, index.loc, toPairs(index, both),
                                     0);
  }
  return toPairs(
      index, vector::InterleaveOp::create(builder, index.loc, first, second));
}
