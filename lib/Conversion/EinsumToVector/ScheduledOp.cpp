//===- ScheduledOp.cpp - Contractions with a schedule ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The translation of ops to accesses. Tensors are read from their buffers; a
// result that goes to a memref by materialize_in_destination is written there.
// An operand that pointwise ops of the kernel compute is computed from the
// elements that they read, wherever the kernel reads it.
//
//===----------------------------------------------------------------------===//

#include "ScheduledOp.h"

#include "Destination.h"
#include "Groups.h"
#include "MatrixUnit.h"
#include "Stages.h"
#include "Streaming.h"
#include "tileir/Conversion/EinsumLowering/Buffers.h"
#include "tileir/Dialect/Einsum/Analysis/Primitives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;
using namespace tileir::to_vector;

/// Whether `op` forms parts of its sum in different kernels.
static bool sumsOutsideOfKernel(ContractOp op) {
  return llvm::any_of(op.getScheduleAttr().getDims(), [&](DimAttr dim) {
    return dim.getExec() != Execution::Prim && isSummed(op.getSpec(), dim);
  });
}

std::optional<ScheduledOp> ScheduledOp::get(ContractOp op,
                                            std::string &reason) {
  ScheduledOp result;
  result.op = op;
  result.kernel = dyn_cast<KernelOp>(op->getParentOp());
  unsigned rank = op.getSpec().getNumResultIndices();
  result.axes = llvm::to_vector(llvm::seq<unsigned>(0, rank));
  if (!result.kernel)
    return result;
  Block *body = op->getBlock();
  if (llvm::range_size(body->getOps<ContractOp>()) != 1) {
    reason = "its kernel has several contractions";
    return std::nullopt;
  }
  for (Value input : op.getInputs())
    result.inputs.emplace_back(input, body);
  for (Value table : op.getTables())
    if (!isa<BlockArgument>(table)) {
      reason = "its kernel computes a table";
      return std::nullopt;
    }
  Value yielded = body->getTerminator()->getOperand(0);
  result.contracted = op.getResult();
  if (getPrimitives(op).startsFromOperand()) {
    Operation *sum = *op->getUsers().begin();
    bool isFirst = sum->getOperand(0) == op.getResult();
    result.start.emplace(sum->getOperand(isFirst ? 1 : 0), body);
    result.contracted = sum->getResult(0);
  }
  result.epilogue.emplace(yielded, body, result.contracted);
  unsigned uses = 0;
  for (const Leaf &leaf : result.epilogue->getLeaves())
    if (leaf.value == result.contracted) {
      ++uses;
      result.axes = leaf.axes;
    }
  if (uses != 1 ||
      cast<ShapedType>(yielded.getType()).getRank() != int64_t(rank)) {
    reason = "its kernel uses the contraction transposed or broadcast, beside "
             "others";
    return std::nullopt;
  }
  return result;
}

Value ScheduledOp::getMemRef(OpBuilder &builder, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      kernel && argument && argument.getOwner() == op->getBlock())
    value = kernel.getInputs()[argument.getArgNumber()];
  if (auto pad = value.getDefiningOp<tensor::PadOp>();
      pad && llvm::is_contained(pads, pad))
    value = pad.getSource();
  if (isa<MemRefType>(value.getType()))
    return value;
  return getBuffer(builder, op.getLoc(), value);
}

bool ScheduledOp::readsWhatItWrites(unsigned number) {
  Value argument = op->getBlock()->getArgument(number);
  auto reads = [&](const Expression &expression) {
    return llvm::any_of(expression.getLeaves(), [&](const Leaf &leaf) {
      return leaf.value == argument;
    });
  };
  if (llvm::any_of(inputs, reads) ||
      llvm::is_contained(op.getTables(), argument))
    return false;
  // A sum starts once. Its epilogue comes last, after parts of it were stored.
  if (sumsOutsideOfKernel(op) && reads(*epilogue))
    return false;
  auto isInPlace = [&](const Leaf &leaf, ArrayRef<unsigned> places) {
    return leaf.value != argument ||
           llvm::all_of(llvm::enumerate(leaf.axes), [&](auto axis) {
             return places[axis.value()] == axis.index();
           });
  };
  auto identity = llvm::to_vector(llvm::seq<unsigned>(0, axes.size()));
  return llvm::all_of(
             epilogue->getLeaves(),
             [&](const Leaf &leaf) { return isInPlace(leaf, identity); }) &&
         (!start || llvm::all_of(start->getLeaves(), [&](const Leaf &leaf) {
           return isInPlace(leaf, axes);
         }));
}

Value ScheduledOp::makeResult(RewriterBase &rewriter) {
  if (!op.hasTensorForm())
    return op.getOuts();
  Operation *root = kernel ? kernel.getOperation() : op.getOperation();
  if (auto store = getDestination(
          root, [&](unsigned i) { return kernel && readsWhatItWrites(i); })) {
    Value memref = store.getDest();
    rewriter.eraseOp(store);
    return memref;
  }
  return memref::AllocOp::create(rewriter, op.getLoc(),
                                 getBufferType(root->getResult(0).getType()),
                                 rewriter.getI64IntegerAttr(64));
}

void ScheduledOp::findPadded() {
  unsigned numInputs = op.getInputs().size();
  ScheduleAttr schedule = op.getScheduleAttr();
  stages.resize(numInputs);
  for (unsigned operand = 0; operand < numInputs; ++operand) {
    llvm::append_range(borderSteps, getBorderSteps(op, schedule, operand));
    if (auto bordered = getBorderedOperand(op, schedule, operand)) {
      border = {*bordered, makeStage(bordered->box)};
      borderedInput = operand;
      pads.push_back(bordered->box.pad);
    } else if (auto staged = getStagedOperand(op, schedule, operand)) {
      stages[operand] = makeStage(*staged);
      pads.push_back(staged->pad);
    }
  }
}

Access ScheduledOp::makeInputAccess(IndexBuilder &index, Nest &nest,
                                    const ContractMemRefs &memrefs,
                                    unsigned operand, AffineMap map,
                                    Value memref, CheckEmitter &checks) {
  unsigned number = nest.accesses.size();
  if (operand < stages.size() && stages[operand]) {
    stages[operand]->access = number;
    stages[operand]->source = memref;
    nest.stages.push_back(*stages[operand]);
    Access access;
    access.strides = stages[operand]->strides;
    return access;
  }
  if (border && operand == borderedInput) {
    border->tile.access = number;
    border->tile.source = memref;
    nest.border = border;
    // Where the source is, and not what stands before it.
    SmallVector<int64_t> low =
        *getConstantIntValues(border->operand.box.pad.getMixedLowPad());
    SmallVector<AffineExpr> axes;
    for (auto [axis, before] : llvm::zip(map.getResults(), low))
      axes.push_back(axis - before);
    map = AffineMap::get(map.getNumDims(), map.getNumSymbols(), axes,
                         map.getContext());
  }
  return makeAccess(index, memrefs, nest.dims, operand, map, memref, checks);
}

ContractMemRefs ScheduledOp::getMemRefs(OpBuilder &builder) {
  return ContractMemRefs(op, [&](Value operand) -> Value {
    bool isComputed = kernel && !isa<BlockArgument>(operand);
    return isComputed ? Value() : getMemRef(builder, operand);
  });
}

Operand ScheduledOp::makeOperand(IndexBuilder &index, Nest &nest,
                                 const ContractMemRefs &memrefs,
                                 unsigned operand, const Expression &expression,
                                 AffineMap map, CheckEmitter &checks) {
  Operand result;
  for (const Leaf &leaf : expression.getLeaves()) {
    if (kernel && leaf.value == contracted) {
      result.accesses.push_back(~0u);
      continue;
    }
    result.accesses.push_back(nest.accesses.size());
    nest.accesses.push_back(
        makeInputAccess(index, nest, memrefs, operand, map.getSubMap(leaf.axes),
                        getMemRef(index.builder, leaf.value), checks));
  }
  if (!expression.isLeaf())
    result.expression = &expression;
  return result;
}

/// Which dimensions lie along lanes and rows.
static void chooseDims(Nest &nest, int64_t lanes) {
  SmallVector<unsigned> kept;
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (nest.isPrim(dim)) {
      if (nest.isSummed(dim))
        nest.sums.push_back(dim);
      else
        kept.push_back(dim);
    }
  bool areAlongSum = lanes >= 0 && nest.isSummed(lanes);
  nest.isAlongSum = areAlongSum && kept.size() == 2;
  if (areAlongSum && kept.size() <= 1) {
    // Dot products: no dimension has lanes, and one at most has rows.
  } else if (lanes >= 0 && !areAlongSum) {
    nest.lanes = lanes;
  } else {
    const Access &result = nest.accesses[nest.result];
    for (unsigned dim : kept)
      if (result.strides[dim] == 1)
        nest.lanes = dim;
    if (!nest.lanes && !kept.empty())
      nest.lanes = kept.back();
  }
  for (unsigned dim : kept)
    if (dim != nest.lanes)
      nest.rows = dim;
}

void ScheduledOp::emit(RewriterBase &rewriter, CheckEmitter &checks,
                       bool deallocate) {
  Operation *root = kernel ? kernel.getOperation() : op.getOperation();
  rewriter.setInsertionPoint(root);
  ScheduleAttr schedule = op.getScheduleAttr();
  MachineAttr machine = MachineAttr::find(root);
  Value resultMemRef = makeResult(rewriter);
  findPadded();
  ContractMemRefs memrefs = getMemRefs(rewriter);
  Block *entry =
      &root->getParentOfType<FunctionOpInterface>().getFunctionBody().front();
  IndexBuilder index(rewriter, op.getLoc(), entry);

  Nest nest;
  nest.borderSteps = borderSteps;
  nest.dims.assign(schedule.getDims().begin(), schedule.getDims().end());
  nest.spec = op.getSpec();
  for (Value input : op.getInputs())
    nest.inputTypes.push_back(getElementTypeOrSelf(input));
  nest.accumulator = op.getAccumulatorType();
  nest.contracted = op.getOutputType().getElementType();
  nest.vectorBits = machine.getVectorBits();
  nest.pack.assign(schedule.getPack().begin(), schedule.getPack().end());
  nest.deallocate = deallocate;
  nest.unroll = schedule.getUnroll() ? schedule.getUnroll() : 4;
  nest.prefetch = schedule.getPrefetch();
  bool isSmall = machine.getRegisters() < 32;
  nest.tileRows =
      schedule.getTile().empty() ? (isSmall ? 4 : 8) : schedule.getTile()[0];
  nest.tileVectors = schedule.getTile().empty() ? 2 : schedule.getTile()[1];

  SpecAttr spec = op.getSpec();
  for (auto [i, map] : llvm::enumerate(spec.getMaps())) {
    if (kernel) {
      nest.inputs.push_back(
          makeOperand(index, nest, memrefs, i, inputs[i], map, checks));
      continue;
    }
    nest.inputs.push_back({nullptr, {unsigned(nest.accesses.size())}});
    nest.accesses.push_back(makeInputAccess(index, nest, memrefs, i, map,
                                            memrefs.getInput(i), checks));
  }
  // Axis i of the result is this index.
  SmallVector<AffineExpr> letters(axes.size());
  for (auto [letter, axis] : llvm::enumerate(axes))
    letters[axis] = rewriter.getAffineDimExpr(letter);
  auto resultMap =
      AffineMap::get(spec.getNumIndices(), spec.getLookups().size(), letters,
                     rewriter.getContext());
  // Not getMajorSubMap, which is null without results.
  auto startIndices = llvm::map_to_vector(
      llvm::seq<unsigned>(0, axes.size()), [&](unsigned letter) -> AffineExpr {
        return rewriter.getAffineDimExpr(letter);
      });
  auto startMap = AffineMap::get(spec.getNumIndices(), spec.getLookups().size(),
                                 startIndices, rewriter.getContext());
  unsigned resultOperand = op.getInputs().size();
  if (kernel)
    nest.epilogue = makeOperand(index, nest, memrefs, resultOperand, *epilogue,
                                resultMap, checks);
  if (start)
    nest.start = makeOperand(index, nest, memrefs, resultOperand, *start,
                             startMap, checks);
  if (startsFromResult)
    nest.start = {nullptr, {unsigned(nest.accesses.size())}};
  nest.result = nest.held = nest.accesses.size();
  nest.accesses.push_back(makeAccess(index, memrefs, nest.dims, resultOperand,
                                     resultMap, resultMemRef, checks));
  chooseDims(nest, schedule.getLanes());
  nest.streams = emitStreamCondition(index, nest, resultMemRef, machine);
  nest.isMatrix = schedule.getMatrix();
  if (nest.isMatrix)
    prepareMatrixKernel(nest);
  else
    chooseGroups(nest, einsum::getGroupSize(op, machine));
  emitNest(index, nest);
  if (deallocate)
    for (Value buffer : index.buffers)
      memref::DeallocOp::create(rewriter, op.getLoc(), buffer);

  if (op.hasTensorForm())
    replaceByBuffer(rewriter, root, resultMemRef);
  else
    rewriter.eraseOp(root);
  for (tensor::PadOp pad : pads)
    rewriter.eraseOp(pad);
}
