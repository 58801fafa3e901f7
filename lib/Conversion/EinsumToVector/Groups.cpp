//===- Groups.cpp - Products of groups of elements ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CPUs multiply two vectors of small elements and add the products of each
// group of neighbours to a number of 32 bits: pairs of bf16 (vdpbf16ps), pairs
// of i16 (vpdpwssd, or vpmaddwd and vpaddd, which LLVM finds by itself), and
// fours of u8 and i8 (vpdpbusd, which convert-dot-to-llvm finds). For that,
// steps of a sum have to lie side by side: a group is one i32 here, so that
// what moves elements of 32 bits, packs and transposes them, moves groups. Only
// where they are made, and where they are multiplied, they are elements.
//
// i8 is made i16 where it is copied in pairs. In fours, one factor has no sign:
// 128 is added to the input of the rows, by its uppermost bits. What that adds
// to a product, 128 times the sums of the other factor, is summed up besides,
// once for all rows of a tile, and subtracted at the end.
//
//===----------------------------------------------------------------------===//

#include "Groups.h"

#include "PackEmitter.h"
#include "tileir/Conversion/DotToLLVM/DotToLLVM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::to_vector;

/// How often a copy in groups has to be read to be worth making.
static constexpr int64_t kLeastReads = 4;
/// What makes four i8 in an i32 four u8 that are larger by 128, which are as
/// many for 0.
static constexpr uint32_t kSigns = 0x80808080;

static bool isFours(const Nest &nest) { return nest.groupSize == 4; }

static bool isPacked(const Nest &nest, int64_t input) {
  return llvm::is_contained(nest.pack, input);
}

/// Whether 128 is added to the elements of `input`.
static bool isUnsigned(const Nest &nest, const Operand &input) {
  return isFours(nest) &&
         input.accesses == nest.inputs[nest.rowsInput].accesses;
}

/// Whether a kernel can read groups along `dim` of `input` where it lies.
static bool hasGroups(const Nest &nest, const Operand &input, unsigned dim) {
  bool isWidened = nest.accumulator.isInteger() && !isFours(nest);
  if (input.expression || isWidened)
    return false;
  const Access &access = nest.accesses[input.accesses.front()];
  return access.strides[dim] == 1 && !access.tablesDependOn(dim) &&
         !(nest.lanes && access.dependsOn(*nest.lanes)) &&
         nest.dims[dim].getSize() % nest.groupSize == 0;
}

/// Whether a kernel can make pairs along `dim` of vectors along lanes of
/// `input` where it reads them, once for each, since one tile has all rows.
/// Fours take as long to make as to copy.
static bool canMakePairs(const Nest &nest, const Operand &input, unsigned dim) {
  int64_t rows = nest.rows ? nest.dims[*nest.rows].getSize() : 1;
  if (input.expression || nest.accumulator.isInteger() ||
      rows > std::min(nest.tileRows, einsum::kMostPairRows))
    return false;
  const Access &access = nest.accesses[input.accesses.front()];
  return access.strides[*nest.lanes] == 1 &&
         !access.tablesDependOn(*nest.lanes) && !access.tablesDependOn(dim) &&
         !(nest.rows && access.dependsOn(*nest.rows)) &&
         nest.dims[dim].getSize() % nest.groupSize == 0;
}

/// The cost of groups along `dim`, for comparison: first products of padding,
/// then copies; nothing if there can be no groups.
static std::optional<std::pair<double, int64_t>> getCost(const Nest &nest,
                                                         unsigned dim) {
  int64_t size = nest.dims[dim].getSize(), copies = 0;
  if (size < 2)
    return std::nullopt;
  for (auto [i, input] : llvm::enumerate(nest.inputs)) {
    if (hasGroups(nest, input, dim) ||
        (!isPacked(nest, i) && canMakePairs(nest, input, dim)))
      continue;
    auto panelDim = getPanelDim(nest, input);
    if (!panelDim)
      return std::nullopt;
    auto other = *panelDim == nest.lanes ? nest.rows : nest.lanes;
    if (!other || nest.dims[*other].getSize() < kLeastReads)
      return std::nullopt;
    ++copies;
  }
  return std::pair(double(llvm::alignTo(size, nest.groupSize)) / size, copies);
}

void to_vector::chooseGroups(Nest &nest, int64_t size) {
  if (size == 1)
    return;
  if (!nest.lanes || nest.isAlongSum) {
    nest.dotGroupSize = size;
    nest.rowsInput =
        nest.rows && !nest.dependsOn(nest.inputs[0], *nest.rows) ? 1 : 0;
    return;
  }
  // One of the factors of fours is that of the lanes, the other one is that of
  // the rows alone.
  auto hasLanes = [&](const Operand &input) {
    return nest.dependsOn(input, *nest.lanes);
  };
  bool canBeFours = hasLanes(nest.inputs[0]) != hasLanes(nest.inputs[1]);
  nest.groupSize = canBeFours ? size : 2;
  nest.rowsInput = hasLanes(nest.inputs[0]) ? 1 : 0;
  std::optional<std::pair<double, int64_t>> least;
  // Of dimensions that cost the same, the innermost is taken.
  for (unsigned dim : llvm::reverse(nest.sums))
    if (auto cost = getCost(nest, dim); cost && (!least || *cost < *least)) {
      least = cost;
      nest.grouped = dim;
    }
  if (!nest.grouped) {
    nest.groupSize = 1;
    return;
  }
  for (auto [i, input] : llvm::enumerate(nest.inputs))
    if (!isPacked(nest, i) && !hasGroups(nest, input, *nest.grouped) &&
        !canMakePairs(nest, input, *nest.grouped))
      nest.pack.push_back(i);
}

Access to_vector::stepByGroups(const Nest &nest, Access access) {
  if (!nest.grouped)
    return access;
  access.strides[*nest.grouped] *= nest.groupSize;
  for (OffsetTable &table : access.tables)
    table.strides[*nest.grouped] *= nest.groupSize;
  return access;
}

/// `elements`, as they are in groups.
static Value widen(IndexBuilder &index, const Nest &nest, Value elements) {
  if (isFours(nest) || !getElementTypeOrSelf(elements).isInteger(8))
    return elements;
  Type type = index.builder.getI16Type();
  if (auto vector = dyn_cast<VectorType>(elements.getType()))
    type = vector.clone(type);
  return arith::ExtSIOp::create(index.builder, index.loc, type, elements);
}

Value to_vector::toGroups(IndexBuilder &index, const Nest &nest,
                          const Operand &input, Value elements) {
  int64_t size = cast<VectorType>(elements.getType()).getDimSize(0);
  auto type =
      VectorType::get(size / nest.groupSize, index.builder.getI32Type());
  Value groups = vector::BitCastOp::create(index.builder, index.loc, type,
                                           widen(index, nest, elements));
  if (!isUnsigned(nest, input))
    return groups;
  Value signs =
      index.getConstant(DenseElementsAttr::get(type, APInt(32, kSigns)));
  return arith::XOrIOp::create(index.builder, index.loc, groups, signs);
}

Value to_vector::toElements(IndexBuilder &index, const Nest &nest,
                            const Operand &input, Value groups) {
  OpBuilder &builder = index.builder;
  int64_t size =
      nest.groupSize * cast<VectorType>(groups.getType()).getDimSize(0);
  bool isFloat = nest.accumulator.isF32();
  auto type = VectorType::get(
      size, isFloat ? Type(builder.getBF16Type())
                    : Type(builder.getIntegerType(32 / nest.groupSize)));
  Value elements = vector::BitCastOp::create(builder, index.loc, type, groups);
  if (isFloat)
    return elements;
  auto wide = type.clone(nest.accumulator);
  if (isUnsigned(nest, input))
    return arith::ExtUIOp::create(builder, index.loc, wide, elements);
  return arith::ExtSIOp::create(builder, index.loc, wide, elements);
}

Value to_vector::multiplyGroups(IndexBuilder &index, const Nest &nest,
                                Value lhs, Value rhs, Value sum) {
  OpBuilder &builder = index.builder;
  if (nest.accumulator.isF32())
    return x86vector::DotBF16Op::create(builder, index.loc, sum, lhs, rhs);
  auto products = arith::MulIOp::create(builder, index.loc, lhs, rhs);
  if (isFours(nest))
    products->setAttr(dot_to_llvm::kFours, builder.getUnitAttr());
  int64_t size = cast<VectorType>(sum.getType()).getDimSize(0);
  SmallVector<Value> parts;
  for (int64_t first = 0; first < nest.groupSize; ++first) {
    auto places =
        llvm::map_to_vector(llvm::seq<int64_t>(0, size), [&](int64_t i) {
          return nest.groupSize * i + first;
        });
    parts.push_back(vector::ShuffleOp::create(builder, index.loc, products,
                                              products, places));
  }
  for (; parts.size() > 1; parts.truncate(parts.size() / 2))
    for (size_t i = 0; i < parts.size() / 2; ++i)
      parts[i] = arith::AddIOp::create(builder, index.loc, parts[2 * i],
                                       parts[2 * i + 1]);
  return arith::AddIOp::create(builder, index.loc, parts.front(), sum);
}

Value to_vector::emitCorrection(IndexBuilder &index, const Nest &nest,
                                Value factor, Value sum) {
  auto type = cast<VectorType>(factor.getType());
  Value offset =
      index.getConstant(DenseElementsAttr::get(type, APInt(32, kSigns & 0xff)));
  return multiplyGroups(index, nest, offset, factor, sum);
}

Value to_vector::loadGroup(IndexBuilder &index, const Nest &nest,
                           const Operand &input, const Access &access,
                           Position position) {
  Value elements =
      loadVector(index, access, position, {nest.groupSize, nest.groupSize, 1});
  return vector::ExtractOp::create(index.builder, index.loc,
                                   toGroups(index, nest, input, elements), 0);
}

Value to_vector::makeGroups(IndexBuilder &index, const Nest &nest,
                            const Operand &input, ArrayRef<Value> elements) {
  OpBuilder &builder = index.builder;
  SmallVector<Value> all;
  for (Value element : elements)
    all.push_back(widen(index, nest, element));
  Type type = all.front().getType();
  all.resize(nest.groupSize,
             index.getConstant(cast<TypedAttr>(builder.getZeroAttr(type))));
  if (!isa<VectorType>(type)) {
    Value group = vector::FromElementsOp::create(
        builder, index.loc, VectorType::get(nest.groupSize, type), all);
    return vector::ExtractOp::create(builder, index.loc,
                                     toGroups(index, nest, input, group), 0);
  }
  // Of four, the first and the third one, the other ones, and both.
  for (size_t half = all.size() / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i)
      all[i] = vector::InterleaveOp::create(builder, index.loc, all[i],
                                            all[i + half]);
  return toGroups(index, nest, input, all.front());
}
