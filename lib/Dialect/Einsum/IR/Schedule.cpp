//===- Schedule.cpp - Schedules of contractions ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strides of axes, and the schedule to start from.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "llvm/Support/MathExtras.h"

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

bool tileir::einsum::hasMatrixUnit(MachineAttr machine) {
  return machine.getAmx() && machine.getVectorBits() == 512;
}

bool tileir::einsum::fitsMatrixUnit(int64_t rows, int64_t vectors) {
  int64_t tiles = llvm::divideCeil(rows, kMatrixRows);
  return tiles + vectors + tiles * vectors <= kMatrixRegisters;
}

bool tileir::einsum::hasMatrixElements(ContractOp op) {
  Type accumulator = op.getAccumulatorType();
  return op.getInputs().size() == 2 &&
         llvm::all_of(op.getInputs(), [&](Value input) {
           Type type = getElementTypeOrSelf(input);
           return (type.isBF16() && accumulator.isF32()) ||
                  (type.isInteger(8) && accumulator.isInteger(32));
         });
}

int64_t tileir::einsum::getGroupSize(ContractOp op, MachineAttr machine) {
  if (machine.getVectorBits() < 256 || machine.getVectorBits() > 512 ||
      !hasMatrixElements(op))
    return 1;
  // Any CPU multiplies pairs of i16, which i8 is made.
  if (op.getAccumulatorType().isInteger())
    return machine.getVnni() ? 4 : 2;
  return machine.getBf16() ? 2 : 1;
}

bool tileir::einsum::isSummed(SpecAttr spec, DimAttr dim) {
  return spec.isReduction(spec.getIndices().find(dim.getIndices().back()));
}

ScheduleAttr tileir::einsum::getSchedule(ContractOp op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  return schedule ? schedule : getDefaultSchedule(op);
}

ScheduleAttr tileir::einsum::getDefaultSchedule(ContractOp op) {
  SpecAttr spec = op.getSpec();
  SmallVector<DimAttr> dims;
  for (auto [index, size] : llvm::enumerate(getStaticIndexSizes(op)))
    dims.push_back(DimAttr::get(op.getContext(),
                                spec.getIndices().substr(index, 1),
                                Execution::Seq, size, /*step=*/1));
  return ScheduleAttr::get(op.getContext(), dims, /*lanes=*/-1,
                           /*matrix=*/false, /*tile=*/{},
                           /*unroll=*/0, /*prefetch=*/0, /*pack=*/{});
}
